"""Tables that somebody asks for by the names of their variables."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence

from microsafe.compare.tables import TableChange, compare_table, pool_by_name
from microsafe.engine import Engine
from microsafe.engine.pairs import Count, Pair, PairGroups, StatePairs
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress
from microsafe.sums import Floats

_MOST_CATEGORIES = 1000  # of a variable; beyond, nobody reads the table
_MOST_NUMBERS = 120  # different numbers: years of age, hours of a week
_MOST_CELLS = 1 << 62


def read_tables(tables: str | Sequence[str | Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the variables of tables such as `"region,age"`, or lists of names.

    Raises:
        UsageError: A table names no variable, or one twice.
    """
    asked = (tables,) if isinstance(tables, str) else tables
    made = []
    for each in asked:
        names = [name.strip() for name in each.split(",")] if isinstance(each, str) else list(each)
        if not names or not all(names):
            raise UsageError("A table needs the names of its variables, such as 'region,age'.")
        if len({*names}) < len(names):
            raise UsageError(f"The table {','.join(names)!r} names a variable twice.")
        made.append(tuple(names))
    return tuple(dict.fromkeys(made))


def check_tables(tables: Sequence[Sequence[str]], after: Engine, numbers: Collection[str]) -> None:
    """Refuse variables that make no table.

    Args:
        tables: Variables of each.
        after: The data as they are; what counts are the categories that are released.
        numbers: Variables that measure something.

    Raises:
        InputError: A variable has too many values.
    """
    for name in dict.fromkeys(name for names in tables for name in names):
        if name not in after.schema:
            continue  # which a note tells
        try:
            count = len(after.categories(name))
        except InputError:
            count = _MOST_CATEGORIES + 1
        if name in numbers and count > _MOST_NUMBERS:
            raise InputError(
                f"{name!r} holds numbers, too many to be categories of a table. Recode it into "
                "bins first, or name it in a model."
            )
        if count > _MOST_CATEGORIES:
            raise InputError(
                f"{name!r} has more than {_MOST_CATEGORIES:,} categories, too many for a table. "
                "Recode it first."
            )


def compare_named(
    tables: Sequence[Sequence[str]],
    states: StatePairs,
    rows: PairGroups,
    pool: Callable[[Pair], Pair],
    *,
    weighted: bool,
    progress: Progress,
) -> Iterator[TableChange | str]:
    """Compare tables that were asked for, or say why one cannot be compared.

    Args:
        tables: Variables of each.
        states: The data before and after.
        rows: Records grouped by variables that are compared anyway.
        pool: Gives a variable by the categories that are released.
        weighted: Whether there is a weight.
        progress: Progress callback.
    """
    for done, names in enumerate(tables):
        progress("comparing tables", done / len(tables))
        pairs, weight, count = _find_groups(names, states, rows)
        if gone := [each.name for each in pairs if each.dropped]:
            yield f"The table {_spell(names)} cannot be made any more: {gone[0]} was dropped."
            continue
        pooled = [pool_by_name(each, pool) for each in pairs]
        for old, new in zip(pairs, pooled, strict=True):
            if old is new and pool(old).pool:
                yield (
                    f"The table {_spell(names)} takes the categories of {old.name} for what they "
                    "are called, though values were exchanged."
                )
        if math.prod(len(each.categories) + 1 for each in pooled) > _MOST_CELLS:
            raise InputError(f"The table {_spell(names)} has too many cells. Name fewer variables.")
        made = compare_table(pooled, weight, count if weighted else None, named=True)
        yield made or (
            f"The table {_spell(names)} cannot be compared: no category of "
            f"{_find_changed(pooled)} means what it meant, or no record has all of its variables."
        )
    progress("comparing tables", 1.0)


def _find_groups(
    names: Sequence[str], states: StatePairs, rows: PairGroups
) -> tuple[Sequence[Pair], Floats, Count]:
    """Some variables by groups of like records."""
    there = {each.name: each for each in rows.pairs if each.name not in rows.apart}
    if not all(name in there for name in names):
        rows = states.group_records(names, (), ())
        there = {each.name: each for each in rows.pairs}
    return [there[name] for name in names], rows.weight, rows.count


def _find_changed(pairs: Sequence[Pair]) -> str:
    return next((each.name for each in pairs if each.pool), pairs[0].name)


def _spell(names: Sequence[str]) -> str:
    return " x ".join(names)
