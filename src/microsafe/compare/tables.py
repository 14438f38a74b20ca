"""Compare tables before and after: changes in shares of cells, and tables asked for by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from microsafe.engine import Engine
from microsafe.engine.state_pairs import Count, Flags, Pair, PairGroups, Places, StatePairs
from microsafe.errors import InputError, UsageError
from microsafe.progress import Progress
from microsafe.sentences import Sentence
from microsafe.sums import Floats, sum_by

_LARGE = 1 << 22  # cells; a larger table is numbered by what occurs instead of laid out
MOST_ROWS = 30
MOST_COLUMNS = 16

Shares = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGrid:
    """Cells of a table, in shares of the whole table.

    A table of one variable has one column; of more than two, rows are combinations of all but the
    last. Of a large table the rows and columns that changed most are here, in their order.

    Attributes:
        rows: Categories of the first variable.
        columns: Categories of the last variable; one empty name if there is but one variable.
        all_rows: How many rows the table has.
        all_columns: How many columns.
        before: Shares before, a row for each of the rows: by weight if there is one.
        after: The same after.
        plain_before: Shares of records before; None if there is no weight.
        plain_after: The same after.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    all_rows: int
    all_columns: int
    before: Shares
    after: Shares
    plain_before: Shares | None
    plain_after: Shares | None

    @property
    def changes(self) -> Shares:
        """Changes of shares, after less before."""
        return tuple(
            tuple(new - old for old, new in zip(*rows, strict=True))
            for rows in zip(self.before, self.after, strict=True)
        )

    @property
    def is_whole(self) -> bool:
        """Whether all cells of the table are here."""
        return (len(self.rows), len(self.columns)) == (self.all_rows, self.all_columns)

    @property
    def rest(self) -> tuple[float, float]:
        """Share of the cells that are not here, before and after."""
        if self.is_whole:
            return 0.0, 0.0
        old, new = (1.0 - sum(map(sum, each)) for each in (self.before, self.after))
        return max(old, 0.0), max(new, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFigures:
    """How the shares of a table changed.

    Attributes:
        lost: Share of what was in the table before that is no longer in it.
        largest: Largest change of a share.
        where: Categories of the cell with the largest change.
        mean: Mean change of a share, signs left out.
        hellinger: Hellinger distance of the shares, from 0 to 1.
    """

    lost: float
    largest: float
    where: tuple[str, ...]
    mean: float
    hellinger: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TableChange(TableFigures):
    """How a table changed: by weight if there is one, and each record counted once.

    Shares are of the weight of records in which all variables of the table are known.

    Attributes:
        names: Variables of the table.
        cells: Cells of the table that are not empty before or after.
        records: Records in the table before.
        recoded: Variables of the table of which recoded categories are taken together.
        plain: The same figures, each record counted once; None if there is no weight.
        named: Whether somebody asked for this table.
        grid: Its cells, if it was asked for or has one variable.
    """

    names: tuple[str, ...]
    cells: int
    records: int
    recoded: tuple[str, ...]
    plain: TableFigures | None = None
    named: bool = False
    grid: TableGrid | None = None


def pool_by_name(pair: Pair, pool: Callable[[Pair], Pair]) -> Pair:
    """Return a variable by released categories, as an analyst of both files takes them.

    Where these are not made of those before, but are called the same, as after an exchange, they
    are taken for what they are called.

    Args:
        pair: The variable.
        pool: Gives it by the categories that are released.
    """
    made = pool(pair)
    return pair if made.pool and len(pair.categories) == pair.counts[0] else made


def compare_table(
    pairs: Sequence[Pair],
    weight: Floats,
    count: Count | None = None,
    *,
    named: bool = False,
) -> TableChange | None:
    """Compare a table of pooled variables; None if there is nothing left to compare.

    Args:
        pairs: The variables, by groups of records that are alike.
        weight: Of each group.
        count: Records in each group, if these are not the weights.
        named: Whether somebody asked for this table, and so for its cells.
    """
    if any(pair.dropped or (pair.pool and len(pair.categories) == 1) for pair in pairs):
        return None
    size = math.prod(len(pair.categories) + 1 for pair in pairs)
    before, after = (_pack_codes(pairs, side) for side in ("before", "after"))
    place = np.arange(size) if size <= _LARGE else None
    if place is None:
        place, both = np.unique(np.concatenate([before, after]), return_inverse=True)
        before, after = both[: len(weight)], both[len(weight) :]
    inside = _inside(pairs, place)
    sides = [
        tuple(np.where(inside, sum_by(each, w, len(place)), 0.0) for each in (before, after))
        for w in (weight, *([] if count is None else [count.astype(np.float64)]))
    ]
    if not all(float(each.sum()) for side in sides for each in side):
        return None
    figures = [_compare_shares(pairs, place, old, new) for old, new in sides]
    cells = np.flatnonzero((sides[0][0] > 0) | (sides[0][1] > 0))
    shares = [tuple(each / each.sum() for each in side) for side in sides]
    first = figures[0]
    return TableChange(
        names=tuple(pair.name for pair in pairs),
        cells=len(cells),
        records=round(float(sides[-1][0].sum())),
        lost=first.lost,
        largest=first.largest,
        where=first.where,
        mean=first.mean,
        hellinger=first.hellinger,
        recoded=tuple(pair.name for pair in pairs if pair.pool or pair.mapped),
        plain=None if count is None else figures[1],
        named=named,
        grid=_lay_out(pairs, place, shares) if named or len(pairs) == 1 else None,
    )


def _compare_shares(pairs: Sequence[Pair], place: Places, old: Floats, new: Floats) -> TableFigures:
    whole, left = float(old.sum()), float(new.sum())
    p, q = old / whole, new / left
    change = np.abs(p - q)
    cells = int(np.count_nonzero((p > 0) | (q > 0)))
    worst = int(np.argmax(np.round(change, 12)))  # the first of several, whatever the last digits
    return TableFigures(
        lost=max(0.0, 1.0 - left / whole),
        largest=float(change[worst]),
        where=_names(pairs, int(place[worst])) if change[worst] else (),
        mean=float(change.sum()) / cells,
        # By squared differences: 1 - Σ sqrt(pq) would cancel when the tables are alike.
        hellinger=float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)),
    )


def _lay_out(
    pairs: Sequence[Pair], place: Places, shares: Sequence[tuple[Floats, ...]]
) -> TableGrid:
    """The rows and columns that changed most, in their order."""
    old, new = shares[0]
    used = np.flatnonzero((old > 0) | (new > 0))
    if len(pairs) > 1:
        row, column = np.divmod(place[used], len(pairs[-1].categories) + 1)
    else:
        row, column = place[used], np.zeros(len(used), np.int64)
    change = np.abs(old - new)[used]
    rows, columns = (
        _choose(line, change, most) for line, most in ((row, MOST_ROWS), (column, MOST_COLUMNS))
    )
    shown = np.flatnonzero(np.isin(row, rows) & np.isin(column, columns))
    at = np.searchsorted(rows, row[shown]), np.searchsorted(columns, column[shown])

    def fill(side: Floats) -> Shares:
        made = np.zeros((len(rows), len(columns)))
        made[at] = side[used[shown]]
        return tuple(map(tuple, made.tolist()))

    plain = shares[1] if len(shares) > 1 else None
    first, last = (pairs[:-1], pairs[-1:]) if len(pairs) > 1 else (pairs, ())
    return TableGrid(
        rows=tuple(" · ".join(_names(first, row)) for row in rows.tolist()),
        columns=tuple(" · ".join(_names(last, column)) for column in columns.tolist()),
        all_rows=len(np.unique(row)),
        all_columns=len(np.unique(column)),
        before=fill(old),
        after=fill(new),
        plain_before=None if plain is None else fill(plain[0]),
        plain_after=None if plain is None else fill(plain[1]),
    )


def _choose(line: Places, change: Floats, most: int) -> Places:
    """The lines in which most changed, the first of several, in their order."""
    lines, at = np.unique(line, return_inverse=True)
    moved = np.round(sum_by(at.ravel(), change, len(lines)), 12)
    return np.sort(lines[np.argsort(-moved, kind="stable")[:most]])


def _pack_codes(pairs: Sequence[Pair], side: str) -> Places:
    packed: Places = getattr(pairs[0], side).astype(np.int64)
    for pair in pairs[1:]:
        packed = packed * (len(pair.categories) + 1) + getattr(pair, side)
    return packed


def _inside(pairs: Sequence[Pair], place: Places) -> Flags:
    """Cells of the table in which every variable is known."""
    inside = np.ones(len(place), np.bool_)
    for pair in reversed(pairs):
        place, code = np.divmod(place, len(pair.categories) + 1)
        inside &= code > 0
    return inside


def _names(pairs: Sequence[Pair], place: int) -> tuple[str, ...]:
    names = []
    for pair in reversed(pairs):
        place, code = divmod(place, len(pair.categories) + 1)
        names.append(pair.categories[code - 1])
    return tuple(reversed(names))


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
            raise InputError(Sentence("table-of-numbers", name=name))
        if count > _MOST_CATEGORIES:
            raise InputError(Sentence("table-too-fine", name=name, most=_MOST_CATEGORIES))


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
        if gone := [pair.name for pair in pairs if pair.dropped]:
            yield Sentence("table-gone", names=_spell(names), name=gone[0])
            continue
        pooled = [pool_by_name(pair, pool) for pair in pairs]
        for old, new in zip(pairs, pooled, strict=True):
            if old is new and pool(old).pool:
                yield Sentence("table-by-name", names=_spell(names), name=old.name)
        if math.prod(len(pair.categories) + 1 for pair in pooled) > _MOST_CELLS:
            raise InputError(Sentence("table-too-large", names=_spell(names)))
        made = compare_table(pooled, weight, count if weighted else None, named=True)
        yield made or Sentence("table-differs", names=_spell(names), name=_find_changed(pooled))
    progress("comparing tables", 1.0)


def _find_groups(
    names: Sequence[str], states: StatePairs, rows: PairGroups
) -> tuple[Sequence[Pair], Floats, Count]:
    """Some variables by groups of like records."""
    there = {pair.name: pair for pair in rows.pairs if pair.name not in rows.apart}
    if not all(name in there for name in names):
        rows = states.group_records(names, (), ())
        there = {pair.name: pair for pair in rows.pairs}
    return [there[name] for name in names], rows.weight, rows.count


def _find_changed(pairs: Sequence[Pair]) -> str:
    return next((pair.name for pair in pairs if pair.pool), pairs[0].name)


def _spell(names: Sequence[str]) -> str:
    return " x ".join(names)
