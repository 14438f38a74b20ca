"""Columns of both states record by record, as numbers or released categories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from microsafe.compare.regression import Column, find_two_values
from microsafe.compare.tables import pool_by_name
from microsafe.engine import Engine
from microsafe.engine.coding import CodedVariable
from microsafe.engine.record_access import Selection
from microsafe.engine.state_pairs import Pair, Places, keep_used_categories, pair_codes
from microsafe.errors import InputError, NotNumericError, UsageError
from microsafe.options.uses import Formula
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.sums import Floats

FEW = 20  # values up to which a number is a category in a model
_LARGEST = 1e100  # beyond, squares have no sum

Both = tuple[Column, Column]  # before and after


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordColumns:
    """Reads variables before and after, each once.

    Attributes:
        before: The data as they were.
        after: The same records as they are.
        pool: Gives a variable by the categories that are released.
    """

    before: Engine
    after: Engine
    pool: Callable[[Pair], Pair]
    _numbers: dict[str, Both | None] = field(default_factory=dict)
    _codes: dict[str, Both] = field(default_factory=dict)

    def numbers(self, name: str) -> Both | None:
        """Return a variable as numbers; None if it does not hold numbers on both sides."""
        if name not in self._numbers:
            self._numbers[name] = self._read_numbers(name)
        return self._numbers[name]

    def _read_numbers(self, name: str) -> Both | None:
        one = read_numbers(self.before, name)
        if one is None:
            return None
        if name not in self.after.schema:
            gone = Column(data=np.full(len(one), np.nan), dropped=True)
            return Column(data=one), gone
        other = read_numbers(self.after, name)
        return None if other is None else (Column(data=one), Column(data=other))

    def codes(self, name: str) -> Both:
        """Return a variable by the categories that are released."""
        if name not in self._codes:
            self._codes[name] = self._read_codes(name)
        return self._codes[name]

    def _read_codes(self, name: str) -> Both:
        schemas = self.before.schema, self.after.schema
        first = _read_codes(self.before, name)
        dropped = name not in self.after.schema
        second = None if dropped else _read_codes(self.after, name)
        pair = pair_codes(name, first, second, *schemas)
        made = pool_by_name(pair, self.pool)
        if made.pool:  # a model refuses what has other categories
            return Column(data=_as_floats(pair.before), categories=pair.categories), Column(
                data=_as_floats(pair.after), categories=()
            )
        one, other = (
            Column(data=_as_floats(side), categories=made.categories, texts=made.texts)
            for side in (made.before, made.after)
        )
        return one, replace(other, dropped=dropped)

    def read_model(self, formula: Formula) -> dict[str, Both]:
        """Return the variables of a model.

        The outcome is a number unless it has two values or the formula names one; a term is a
        number if it has more than 20 values.
        """
        found: dict[str, Both] = {}
        for name in formula.terms:
            few = len(self.before.categories(name)) <= FEW
            found[name] = (None if few else self.numbers(name)) or self.codes(name)
        outcome = None if formula.category is not None else self.numbers(formula.outcome)
        if outcome is None or find_two_values(*outcome):
            outcome = self.codes(formula.outcome)
        found[formula.outcome] = outcome
        return found


def sort_records(
    columns: Mapping[str, Both], weight: Floats | None
) -> tuple[dict[str, Column], dict[str, Column], Floats | None]:
    """Return variables and weights in an order of their own, be the records in any."""
    order = find_order(columns.values(), weight)
    sides = (
        {name: replace(both[side], data=both[side].data[order]) for name, both in columns.items()}
        for side in (0, 1)
    )
    old, new = sides
    return old, new, None if weight is None else weight[order]


def find_order(columns: Iterable[Both], weight: Floats | None) -> Places:
    """Return an order of records that does not depend on the one in which they came."""
    keys: list[np.ndarray] = []
    for old, new in columns:
        same = np.array_equal(old.data, new.data, equal_nan=True)
        for column in (old,) if same else (old, new):
            few = column.categories is not None and len(column.categories) < 1 << 16
            keys.append(column.data.astype(np.uint16) if few else column.data)
    if weight is not None:
        keys.append(weight)
    return np.lexsort(keys)


def read_values(engine: Engine, name: str, *, progress: Progress = silent) -> Floats | None:
    """Return values by record, NaN for what is missing; None if they are no numbers."""
    try:
        batches = list(engine.columns(Selection(forms={name: "number"}), progress=progress))
    except NotNumericError:
        return None
    parts = [batch.columns[name] for batch in batches]
    return np.concatenate([np.where(part.missing, np.nan, part.data) for part in parts])


def read_numbers(engine: Engine, name: str) -> Floats | None:
    """Return values likewise; None also if they are too large to calculate with."""
    values = read_values(engine, name)
    if values is None:
        return None
    return None if np.abs(values[~np.isnan(values)]).max(initial=0.0) > _LARGEST else values


def are_alike(both: Both) -> bool:
    """Tell whether a variable has the same few categories before and after."""
    old, new = both
    if old.categories is None or new.dropped:
        return False
    return 1 < len(old.categories) <= FEW and old.categories == new.categories


def _read_codes(engine: Engine, name: str) -> CodedVariable:
    """Codes with 0 for what is missing, and the categories that occur."""
    try:
        parts = [column.columns[name] for column in engine.columns(Selection(forms={name: "code"}))]
    except UsageError:
        raise InputError(Sentence("records-unordered", source=engine.schema.source)) from None
    codes = np.concatenate([np.where(part.missing, 0, part.data) for part in parts])
    return keep_used_categories(codes.astype(np.int64), engine.categories(name))


def _as_floats(codes: Places) -> Floats:
    return codes.astype(np.float64)
