"""Pair two states of the embedded engine, batch by batch.

Records that are alike in everything that is compared, before and after, make one group. Every
figure is made of the counts, weights and sums of groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Codes
from microsafe.engine.counting import number_combinations
from microsafe.engine.local.records import Records
from microsafe.engine.memory import Batches
from microsafe.engine.number_columns import declared_numbers
from microsafe.engine.slices import batch_lengths
from microsafe.engine.spelling import spell_numbers
from microsafe.engine.state_pairs import (
    FEW,
    MANY,
    SPELLED,
    GroupSums,
    Pair,
    PairGroups,
    is_measurement,
    keep_used_categories,
    pair_codes,
    state_pair,
)
from microsafe.engine.transformations import declared_missing, plain_column
from microsafe.engine.weights import usable_weights
from microsafe.errors import InputError, NotNumericError, UsageError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.sums import Floats
from microsafe.sums import Sums as ExactSums
from microsafe.variables.roles import named_role

_TOGETHER = 1 << 24  # numbers that are read at once
_PER_GROUP = 150  # bytes: count, weight, sums, and the figures at work
_PER_CODE = 8  # likewise for each variable

BatchCodes = tuple[Callable[[int], Codes], int]  # codes of a batch, and the largest there may be


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """Groups of records that are alike.

    Attributes:
        codes: Of each column, by group.
        count: Records.
        weight: Sum of their weights.
        parts: The group of each record.
    """

    codes: Sequence[Codes]
    count: NDArray[np.int64]
    weight: Floats
    parts: Batches


class LocalPairs:
    """Groups of like records of a file, before and after.

    Args:
        before: An earlier state; what is read of it here is forgotten with this object.
        after: A later one of the same records, likewise.
        scenario: Gives the weight; every record counts once if there is none.
        progress: Progress callback.
    """

    def __init__(
        self, before: Records, after: Records, scenario: Scenario | None, progress: Progress
    ) -> None:
        if before.count != after.count:
            raise UsageError(
                f"{before.schema.source} has {before.count:,} records before and "
                f"{after.count:,} after: records can only be compared one by one."
            )
        self.old, self.new = before.schema, after.schema
        self._before, self._after = before.copy(self.old), after.copy(self.new)
        self._scenario = scenario
        self._weight_name = scenario.weight if scenario else None
        self._lengths = batch_lengths(before.count)
        self._progress = progress

    def find_altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the variables besides some that were changed but are still there."""
        names = [
            variable.name
            for variable in self.old
            if variable.name in self.new and variable.name not in leave and variable.kind != "other"
        ]
        differing = self._find_differing([name for name in names if self._may_differ(name)])
        self._before.fetch(differing, [])
        return tuple(name for name in differing if not self._is_numbering(name))

    def find_numeric(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the numeric variables besides some that are no categories or identifiers."""
        numeric = [v for v in self.old if v.name not in leave and v.kind in ("number", "integer")]
        return _find_measurements(self._before, [_Look(variable=each) for each in numeric])

    def find_spelled(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return those of some variables that are spelled out, but measure something."""
        texts = [name for name in names if self.old[name].kind == "text" and name in self.new]
        before, after = self._before.unblanked(), self._after.unblanked()
        found = _find_measurements(before, [_TextLook(variable=self.old[name]) for name in texts])
        moved = [_TextLook(variable=self.new[name]) for name in found if self._has_moved(name)]
        _read_for(moved, after)
        lost = [look.variable.name for look in moved if not look.numbers]
        return tuple(name for name in found if name not in lost)

    def group_records(
        self, named: Sequence[str], others: Sequence[str], numbers: Sequence[str]
    ) -> PairGroups:
        """Group the records by what variables say before and after."""
        names = (*named, *others)
        weight = [self._weight_name] if self._weight_name else []
        self._before.fetch(names, weight)
        self._after.fetch([name for name in names if self._has_moved(name)], [])
        many = [name for name in others if len(self._before.coded[name].categories) >= MANY]
        alone = {name: self._group(self._columns(name)) for name in many}
        apart = {name: self._pair(name, groups.codes) for name, groups in alone.items()}
        columns = {
            name: _state_columns(apart[name], alone[name].parts)
            if name in apart
            else self._columns(name)
            for name in names
        }
        groups = self._group([column for sides in columns.values() for column in sides])
        codes = iter(groups.codes)
        codes_of = {name: [next(codes) for _ in sides] for name, sides in columns.items()}
        return PairGroups(
            pairs=[
                state_pair(name, *codes_of[name])
                if name in apart
                else self._pair(name, codes_of[name])
                for name in names
            ],
            weight=groups.weight,
            count=groups.count,
            records=sum(self._lengths),
            sums=self._prepare_sums(numbers, groups),
            apart={
                name: (apart[name], groups.weight, groups.count) for name, groups in alone.items()
            },
        )

    def _may_differ(self, name: str) -> bool:
        """Whether a variable that is still there may have been changed."""
        return not self._after.is_unchanged(name, self._before)

    def _has_moved(self, name: str) -> bool:
        return name in self.new and self._may_differ(name)

    def _find_differing(self, names: Sequence[str]) -> list[str]:
        """Which of some variables have another value in some record, or are of another type."""
        equal = list(names)
        if equal:
            both = zip(self._before.table(names=names), self._after.table(names=names), strict=True)
            for old, new in both:
                equal = [
                    name
                    for name in equal
                    if old[name].dtype == new[name].dtype
                    and old[name].equals(new[name], null_equal=True)
                ]
                if not equal:
                    break
        return [name for name in names if name not in equal]

    def _is_numbering(self, name: str) -> bool:
        """Whether a variable numbers the records rather than describes them."""
        rows = sum(self._lengths)
        gaps = sum(int(np.count_nonzero(code == 0)) for code in self._before.codes(name))
        different = len(self._before.coded[name].categories) + gaps
        if rows <= FEW or gaps > 1 or different < rows:
            return False
        return all(is_whole(frame[name]) for frame in self._before.table(names=[name]))

    def _columns(self, name: str) -> list[BatchCodes]:
        """The codes of a variable before, and after if they may differ."""
        sides = (self._before, self._after) if self._has_moved(name) else (self._before,)
        return [(partial(side.code, name), len(side.coded[name].categories)) for side in sides]

    def _pair(self, name: str, codes: Sequence[Codes]) -> Pair:
        first = keep_used_categories(codes[0], self._before.coded[name].categories)
        second = first if name in self.new else None
        if len(codes) > 1:
            second = keep_used_categories(codes[1], self._after.coded[name].categories)
        return pair_codes(name, first, second, self.old, self.new)

    def _group(self, columns: Sequence[BatchCodes]) -> Groups:
        """Group the records by some columns."""
        if not columns:
            columns = [(lambda batch: np.zeros(self._lengths[batch], np.uint8), 0)]
        memory = self._before.memory
        bytes_per_group = _PER_GROUP + _PER_CODE * len(columns)

        def needs(groups: int) -> tuple[int, str, str]:
            return (
                groups * bytes_per_group,
                f"to compare {groups:,} groups of records",
                "Recode more,",
            )

        codes, parts = number_combinations(
            lambda column, batch: columns[column][0](batch),
            [size for _, size in columns],
            self._lengths,
            parts=memory.new_batches,
            afford=lambda groups: memory.need(*needs(groups)),
            tell=lambda fraction: self._progress("comparing variables", fraction),
        )
        count = np.zeros(len(codes[0]), np.int64)
        memory.keep(*needs(len(count)), of=count)
        sums = ExactSums(len(count), sum(float(self._weight(b).sum()) for b in self._batches()))
        for batch, group in enumerate(parts):
            np.add.at(count, group, 1)
            sums.add(group, self._weight(batch))
        return Groups(codes=codes, count=count, weight=sums.exact.value, parts=parts)

    def _batches(self) -> range:
        return range(len(self._lengths))

    def _weight(self, batch: int) -> Floats:
        if self._scenario is None or self._weight_name is None:
            return np.ones(self._lengths[batch])
        known = np.nan_to_num(self._before.number(self._weight_name, batch), nan=0.0)
        return usable_weights(known, self._scenario.clip_weights)

    def _prepare_sums(
        self, names: Sequence[str], groups: Groups
    ) -> Callable[[str], tuple[GroupSums, GroupSums] | None]:
        """Return what sums up numeric variables, which are asked for in order."""
        numbers_of: dict[str, tuple[Records, Records] | None] = {}
        size = max(1, _TOGETHER // sum(self._lengths))

        def sums(name: str) -> tuple[GroupSums, GroupSums] | None:
            if name not in numbers_of:
                numbers_of.clear()
                start = names.index(name)
                numbers_of.update(self._read_numbers(names[start : start + size]))
            sides = numbers_of[name]
            if sides is None:
                return None
            first = self._sum_by_group(sides[0], name, groups)
            same = sides[0] is sides[1]
            return first, first if same else self._sum_by_group(sides[1], name, groups)

        return sums

    def _read_numbers(self, names: Sequence[str]) -> Mapping[str, tuple[Records, Records] | None]:
        """Read some variables as numbers, before and after; None if one of them is not."""
        before, after = self._before.copy(self.old), self._after.copy(self.new)
        moved = [name for name in names if self._has_moved(name)]
        try:
            before.fetch([], names)
            after.fetch([], moved)
        except NotNumericError:
            if len(names) == 1:
                return {names[0]: None}
            return {
                name: sides
                for single in names
                for name, sides in self._read_numbers([single]).items()
            }
        return {name: (before, after if name in moved else before) for name in names}

    def _sum_by_group(self, side: Records, name: str, groups: Groups) -> GroupSums:
        """Sum up a numeric variable in each group; the sums do not depend on the order."""
        size, total, gaps = len(groups.count), 0.0, False
        for batch in self._batches():
            parts = np.abs(self._weight(batch) * side.number(name, batch))
            total += float(np.nansum(parts))
            gaps |= bool(np.isnan(parts).any())
        # Infinite numbers have no exact sums.
        totals = ExactSums(size, total if np.isfinite(total) else 0.0)
        weights = ExactSums(size, float(groups.weight.sum()))
        counts = np.zeros(size)
        for batch, group in enumerate(groups.parts):
            values, weight = side.number(name, batch), self._weight(batch)
            known = ~np.isnan(values)
            totals.add(group, np.where(known, weight * values, 0.0))
            if gaps:
                weights.add(group, np.where(known, weight, 0.0))
                np.add.at(counts, group, known.astype(np.float64))
        return GroupSums(
            total=totals.exact.value,
            weight=weights.exact.value if gaps else groups.weight,
            count=counts if gaps else groups.count.astype(np.float64),
        )


def _state_columns(pair: Pair, parts: Batches) -> list[BatchCodes]:
    """Whether a variable is missing, kept or changed, of which only groups are known."""
    before = (pair.before > 0).astype(np.uint8)
    after = np.where(pair.after == 0, 0, np.where(pair.after == pair.before, 1, 2))
    after = after.astype(np.uint8)
    return [(lambda batch: before[parts[batch]], 1), (lambda batch: after[parts[batch]], 2)]


_PLENTY = 500  # categories beyond which it does not matter how many they are
_FIRST = 1 << 14  # texts among which there are plenty if there are at all


def _find_measurements(records: Records, looks: Sequence[_Look]) -> tuple[str, ...]:
    """Return the names of those that are no categories, identifiers or weights."""
    unnamed = [look for look in looks if named_role(look.variable) is None]
    _read_for(unnamed, records)
    return tuple(look.variable.name for look in unnamed if _is_measurement(look, records))


def _read_for(looks: Sequence[_Look], records: Records) -> None:
    """Read a file until no other record could change what is said of variables.

    That seldom takes more than its beginning, but each text has to be seen to be a number.
    """
    frames = records.table(names=[look.variable.name for look in looks]) if looks else ()
    for frame in frames:
        for look in looks:
            look.add(frame[look.variable.name])
        looks = [look for look in looks if not look.settled]
        if not looks:
            break


def _is_measurement(look: _Look, records: Records) -> bool:
    if not look.numbers:
        return False
    categories = len(look.values)
    if not look.fractions and not look.repeated:  # unless it was, far apart
        categories = records.count  # if there are too many to be counted
        with suppress(InputError):
            records.fetch([look.variable.name], [])
            categories = len(records.coded[look.variable.name].categories)
    return is_measurement(look.variable, categories, records.count, fractions=look.fractions)


@dataclass(slots=True, kw_only=True, eq=False)
class _Look:
    """What has been seen of a variable.

    Attributes:
        variable: What is known of it.
        values: Those that were met, missing ones left out, until there are plenty.
        numbers: Whether all are numbers.
        fractions: Whether one is no whole number.
        repeated: Whether one was met twice in a row of records, or is missing.
    """

    variable: Variable
    values: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    numbers: bool = True
    fractions: bool = False
    repeated: bool = False

    @property
    def plenty(self) -> bool:
        """Whether no other number could change the answer."""
        enough = FEW if self.fractions else _PLENTY
        return len(self.values) > enough and (self.fractions or self.repeated)

    @property
    def settled(self) -> bool:
        """Whether no other value could change the answer."""
        return self.plenty

    def add(self, column: pl.Series) -> None:
        """Look at the next values."""
        self.fractions = self.fractions or not is_whole(column)
        distinct = column.drop_nulls().unique().cast(pl.Float64).to_numpy()
        known = distinct[~declared_numbers(distinct, self.variable)]
        self._take_in(known, len(column))

    def _take_in(self, distinct: NDArray[Any], rows: int) -> None:
        """Take in the distinct values of some records."""
        self.repeated |= len(distinct) < rows
        if len(self.values) <= _PLENTY:
            self.values = np.union1d(self.values, distinct)


class _TextLook(_Look):
    """What has been seen of a variable that may be numbers as text."""

    @property
    def settled(self) -> bool:
        """Whether one is no number; each has to be seen."""
        return not self.numbers

    def add(self, column: pl.Series) -> None:
        """Look at the next values."""
        texts = plain_column(column)
        texts = texts if texts.dtype == pl.String else spell_numbers(texts)
        for some in (texts.head(_FIRST), texts):  # most texts are no numbers: told at once
            if self.numbers:
                self._look_at(some)

    def _look_at(self, texts: pl.Series) -> None:
        known = texts.drop_nulls()
        if self.variable.missing or not _are_numbers(known):
            known = known.filter(~pl.Series(declared_missing(known, self.variable)))
            self.numbers = _are_numbers(known)
        if not self.fractions:
            self.fractions = bool(known.str.contains(".", literal=True).any())
        if not self.plenty:
            self._take_in(known.unique().hash().to_numpy(), len(texts))


def _are_numbers(texts: pl.Series) -> bool:
    return bool(texts.str.contains(SPELLED).all())


def is_whole(values: pl.Series) -> bool:
    """Tell whether there are no fractions: fractions measure, they do not number."""
    return not values.dtype.is_float() or bool((values == values.floor()).all())
