"""Profile numbers within strata, wherever the records are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from microsafe.engine import Engine
from microsafe.engine.record_access import RecordBatch, RecordValues, Selection, TogetherFunction
from microsafe.errors import InputError, UsageError
from microsafe.passes import Strata
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.steps.numeric_profile import (
    LARGEST,
    NumericRange,
    RecordSample,
    RecordSampler,
    StrataIndex,
    known_values,
)
from microsafe.steps.numeric_step import forms_of
from microsafe.steps.perturbation import hide_variable, meanwhile_name
from microsafe.steps.record_table import Codes
from microsafe.sums import Floats, SumGrid, Totals, sum_by

_MOST = 60  # variables whose gaps are told by one number
_PER_VALUE = 40  # bytes: a value as it comes, as it goes, and while it is sorted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MissingPatterns:
    """How many records of each stratum have values of which variables.

    Attributes:
        strata: How many there are.
        shown: Variables that have a value, a column for each pattern.
        stratum: Of each pattern.
        count: Records.
    """

    strata: int
    shown: NDArray[np.bool_]
    stratum: Strata
    count: NDArray[np.int64]

    @property
    def known(self) -> NDArray[np.int64]:
        """Records with a value, by variable and stratum."""
        return np.stack(
            [_add_counts(self.stratum, self.count * row, self.strata) for row in self.shown]
        )

    @property
    def any_known(self) -> NDArray[np.int64]:
        """Records with some value, by stratum."""
        return _add_counts(self.stratum, self.count * self.shown.any(axis=0), self.strata)

    def sizes(self, joined: Codes) -> list[int]:
        """Return the records of strata that have joined."""
        found: list[int] = np.bincount(joined[self.stratum], self.count).astype(int).tolist()
        return found

    def count_left(self, joined: Codes, k: int, *, alone: bool) -> int:
        """Count records with values that find no group.

        Args:
            joined: New numbers of strata.
            k: Least number of records in a group.
            alone: Whether variables are grouped each by itself.
        """
        stratum = joined[self.stratum]
        if alone:
            size = np.stack([np.bincount(stratum, self.count * row) for row in self.shown])
            small = (self.shown & (size[:, stratum] < k)).any(axis=0)
        else:
            keys = np.concatenate([stratum[None, :], self.shown], axis=0)
            _, place = np.unique(keys, axis=1, return_inverse=True)
            size = np.bincount(place.reshape(-1), self.count)
            small = self.shown.any(axis=0) & (size[place.reshape(-1)] < k)
        return int(self.count[small].sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrataProfile:
    """What is known of all records.

    Attributes:
        selection: What functions of records are given.
        records: How many there are.
        spans: Of the numbers, by variable.
        index: Of strata.
        patterns: Of households if values are theirs, else of records.
    """

    selection: Selection
    records: int
    spans: Mapping[str, NumericRange]
    index: StrataIndex
    patterns: MissingPatterns


def survey_groups(
    engine: Engine,
    names: Sequence[str],
    *,
    strata: Sequence[str],
    identifier: str | None,
    progress: Progress,
    weight: str | None = None,
    household: str | None = None,
) -> StrataProfile:
    """Look at numeric variables of all records.

    Args:
        engine: Where they are.
        names: The variables.
        strata: Variables that part records.
        identifier: Variable that stands for numbers of records.
        progress: Progress callback.
        weight: Of records in averages.
        household: Variable of households that values belong to; each counts once.

    Raises:
        UsageError: There are too many variables.
        InputError: A variable cannot be perturbed, or differs between members of a household.
    """
    if len(names) > _MOST:
        raise UsageError(f"At most {_MOST} variables can be grouped together. Name fewer.")
    numbers, codes = (
        [*names, *([weight] if weight else [])],
        [*strata, *([household] if household else [])],
    )
    selection = Selection(forms=forms_of(numbers, codes), identifier=identifier)
    count = len(selection.forms) + 1
    engine.afford(
        engine.rows() * count * _PER_VALUE,
        f"for {count:,} variables of all records",
        "Name fewer variables at a time,",
    )
    sizes = {name: len(engine.categories(name)) + 1 for name in codes}
    index = StrataIndex(
        names=tuple(strata), sizes=tuple(sizes[n] for n in strata), packed=np.zeros(0, np.int64)
    )
    progress("reading", 0.0)
    found = engine.reduce_records(
        selection,
        _ProfilePass(names=tuple(names), index=index, household=household),
    )
    progress("reading", 1.0)
    for name, span in found.spans.items():
        _check_span(span, f"Variable {name!r} of {engine.schema.source}")
    if household is not None:
        found = found.homes_counted((*names, *strata), household)
    packed, place = np.unique(found.stratum, return_inverse=True)
    patterns = MissingPatterns(
        strata=len(packed),
        shown=(found.pattern[None, :] >> np.arange(len(names))[:, None] & 1) == 1,
        stratum=place.reshape(-1),
        count=found.count,
    )
    return StrataProfile(
        selection=selection,
        records=found.records,
        spans=found.spans,
        index=replace(index, packed=packed),
        patterns=patterns,
    )


def _check_span(span: NumericRange, where: str) -> None:
    """Refuse a variable that cannot be perturbed: it has no numbers, or always the same."""
    if not span.known:
        raise InputError(f"{where} is missing in all records. Leave it out.")
    if span.huge:
        raise InputError(
            f"{where} holds infinite numbers, or some beyond {LARGEST:g}. Declare them "
            "missing (--na)."
        )
    if span.known > 1 and span.lowest == span.highest:
        raise InputError(
            f"{where} has the same value in all records, so that there is nothing to protect. "
            "Leave it out."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _PartialProfile:
    """What is known of some records: counts by stratum and pattern; values of households."""

    records: int
    spans: Mapping[str, NumericRange]
    stratum: Strata
    pattern: Strata
    count: NDArray[np.int64]
    homes: _HouseholdValues | None

    def merge(self, other: _PartialProfile) -> _PartialProfile:
        stratum, pattern, count = _count_pairs(
            np.concatenate([self.stratum, other.stratum]),
            np.concatenate([self.pattern, other.pattern]),
            np.concatenate([self.count, other.count]),
        )
        homes = self.homes
        if homes is not None and other.homes is not None:
            homes = homes.merge(other.homes)
        return _PartialProfile(
            records=self.records + other.records,
            spans={name: span.merge(other.spans[name]) for name, span in self.spans.items()},
            stratum=stratum,
            pattern=pattern,
            count=count,
            homes=homes,
        )

    def homes_counted(self, names: Sequence[str], household: str) -> _PartialProfile:
        """Return the same with every household counted once."""
        if self.homes is None:
            return self
        self.homes.check_constant(names, household)
        first = self.homes
        stratum, pattern, count = _count_pairs(
            np.concatenate([self.stratum, first.stratum]),
            np.concatenate([self.pattern, first.pattern(len(self.spans))]),
            np.concatenate([self.count, np.ones(len(first.code), np.int64)]),
        )
        return replace(self, stratum=stratum, pattern=pattern, count=count, homes=None)


def _count_pairs(
    stratum: Strata, pattern: Strata, count: NDArray[np.int64]
) -> tuple[Strata, Strata, NDArray[np.int64]]:
    strata, first = np.unique(stratum, return_inverse=True)
    patterns, second = np.unique(pattern, return_inverse=True)
    size = max(len(patterns), 1)
    pairs, place = np.unique(first * size + second, return_inverse=True)
    return strata[pairs // size], patterns[pairs % size], _add_counts(place, count, len(pairs))


def _add_counts(group: Codes, count: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    return sum_by(group.reshape(-1), count.astype(np.float64), size).astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _HouseholdValues:
    """What households say.

    Attributes:
        code: Of each household, in order.
        stratum: Of one of its members.
        values: Of one of its members, a row for each variable, numbers first.
        differs: Whether members differ in a variable.
    """

    code: Codes
    stratum: Strata
    values: Floats
    differs: NDArray[np.bool_]

    @classmethod
    def of(cls, code: Codes, stratum: Strata, values: Floats) -> _HouseholdValues:
        """Look at members, with values and strata."""
        codes, first, place = np.unique(code, return_index=True, return_inverse=True)
        place = place.reshape(-1)
        other = _differ(values, values[:, first][:, place])
        differs = np.zeros((len(values), len(codes)), np.bool_)
        for row, each in zip(differs, other, strict=True):
            row[place[each]] = True
        return cls(code=codes, stratum=stratum[first], values=values[:, first], differs=differs)

    def merge(self, other: _HouseholdValues) -> _HouseholdValues:
        both = _HouseholdValues.of(
            np.concatenate([self.code, other.code]),
            np.concatenate([self.stratum, other.stratum]),
            np.concatenate([self.values, other.values], axis=1),
        )
        for each in (self, other):
            both.differs[:, np.searchsorted(both.code, each.code)] |= each.differs
        return both

    def pattern(self, numbers: int) -> Strata:
        """Return which of the numbers each household has, as one number."""
        return _pattern(self.values[:numbers])

    def check_constant(self, names: Sequence[str], household: str) -> None:
        """Refuse values that differ between members.

        Raises:
            InputError: Some do.
        """
        for name, differs in zip(names, self.differs, strict=True):
            if count := int(differs.sum()):
                raise InputError(
                    f"{name!r} differs between members in {count:,} households of {household!r}. "
                    "Leave the household out (together), or name variables of households."
                )


def _differ(one: Floats, other: Floats) -> NDArray[np.bool_]:
    return np.asarray((one != other) & ~(np.isnan(one) & np.isnan(other)), np.bool_)


def _pattern(values: Floats) -> Strata:
    places = np.arange(len(values))[:, None]
    found: Strata = ((~np.isnan(values)).astype(np.int64) << places).sum(axis=0)
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ProfilePass:
    """Looks at some records."""

    names: tuple[str, ...]
    index: StrataIndex
    household: str | None

    def __call__(self, batch: RecordBatch) -> _PartialProfile:
        stratum = self.index.pack(batch.columns, len(batch.numbers))
        values = np.stack([known_values(batch.columns[name]) for name in self.names])
        homes, alone = None, np.ones(len(stratum), np.bool_)
        if self.household is not None:
            code = _plain_codes(batch.columns[self.household])
            alone = code == 0
            strata = [_plain_codes(batch.columns[n]).astype(np.float64) for n in self.index.names]
            rows = np.stack([*values, *strata])
            homes = _HouseholdValues.of(code[~alone], stratum[~alone], rows[:, ~alone])
        pairs = _count_pairs(
            stratum[alone], _pattern(values[:, alone]), np.ones(int(alone.sum()), np.int64)
        )
        return _PartialProfile(
            records=len(stratum),
            spans={name: NumericRange.of(batch.columns[name]) for name in self.names},
            stratum=pairs[0],
            pattern=pairs[1],
            count=pairs[2],
            homes=homes,
        )


def _plain_codes(values: RecordValues) -> Codes:
    return np.where(values.missing, 0, values.data).astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StratumAssigner:
    """The stratum of each record, once some have joined."""

    index: StrataIndex
    joined: Codes

    def __call__(self, batch: RecordBatch) -> Strata:
        """Return the numbers."""
        return self.joined[self.index.number(batch.columns, len(batch.numbers))]


def keep_copies(engine: Engine, names: Sequence[str]) -> tuple[Engine, dict[str, str]]:
    """Return an engine that keeps variables as they are under hidden names, and these names."""
    copies = {name: meanwhile_name(name) for name in names}
    for name, copy in copies.items():
        engine = engine.copy_variable(name, hide_variable(engine.schema[name], copy))
    return engine, copies


def pairs_selection(survey: StrataProfile, pairs: Sequence[tuple[str, str]]) -> Selection:
    """Return what shows variables as they were and as they are."""
    names = [each for pair in pairs for each in pair]
    return Selection(forms=forms_of(names, ()), identifier=survey.selection.identifier)


def sample_records(engine: Engine, names: Sequence[str], survey: StrataProfile) -> RecordSample:
    """Return numbers of all records, or of about `ALL` if there are more, always the same."""
    selection = Selection(forms=forms_of(names, ()), identifier=survey.selection.identifier)
    sampling = RecordSampler.of(names, survey.records)
    return engine.reduce_records(selection, sampling).in_order()


def map_and_compare(
    engine: Engine,
    survey: StrataProfile,
    after: Mapping[str, Variable],
    group: StratumAssigner,
    function: TogetherFunction,
    *,
    progress: Progress,
) -> tuple[Engine, float]:
    """Change the records of groups, and return what variance was lost.

    Args:
        engine: Where the records are.
        survey: Of them.
        after: What variables are from then on.
        group: Of each record.
        function: What is done to a group.
        progress: Progress callback.

    Raises:
        InputError: Some values would become missing codes.
    """
    kept, copies = keep_copies(engine, tuple(after))

    def tell(done: int) -> None:
        progress("microaggregation", done / survey.records)

    made = kept.map_groups(survey.selection, list(after.values()), group, function, tell)
    tell(survey.records)
    pairs = tuple((copy, name) for name, copy in copies.items())
    selection = pairs_selection(survey, pairs)
    largest = tuple(2 * span.largest for span in survey.spans.values())
    known = np.array([span.known for span in survey.spans.values()])
    adding = _ChangeSums(pairs=pairs, largest=largest, records=survey.records, mean=None)
    mean = made.reduce_records(selection, adding).value[0] / known
    sums = made.reduce_records(selection, replace(adding, mean=mean)).value
    for name, spoilt in zip(after, sums[2], strict=True):
        if spoilt:
            raise InputError(
                f"Some values of {name!r} would become one of its missing codes. Recode these "
                "to a number that cannot occur, or ask for more decimals."
            )
    varying = sums[0] > 0
    lost = (sums[1] / np.where(varying, sums[0], 1.0) * known)[varying].sum()
    whole = known[varying].sum()
    return made.drop_variables(tuple(copies.values())), float(lost / whole) if whole else 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ChangeSums:
    """Sums of values; or of squared deviations from means, of squared changes, and of losses.

    Attributes:
        pairs: Variables as they were and as they are.
        largest: No difference exceeds it, by variable.
        records: How many there are.
        mean: Of the values as they were, once it is known.
    """

    pairs: tuple[tuple[str, str], ...]
    largest: tuple[float, ...]
    records: int
    mean: Floats | None

    def __call__(self, batch: RecordBatch) -> Totals:
        found = []
        for place, (largest, pair) in enumerate(zip(self.largest, self.pairs, strict=True)):
            old, new = (known_values(batch.columns[name]) for name in pair)
            known = ~np.isnan(old)
            if self.mean is None:
                terms = [old]
            else:
                terms = [(old - self.mean[place]) ** 2, (old - new) ** 2]
            grid = SumGrid.of(largest if self.mean is None else (1.01 * largest) ** 2, self.records)
            sums = [grid.add_up(np.nan_to_num(term[known])) for term in terms]
            if self.mean is not None:
                spoilt = (known & np.isnan(new)).astype(np.float64)
                sums.append(SumGrid.of(1.0, self.records).add_up(spoilt))
            found.append([(each.high[0], each.low[0]) for each in sums])
        high, low = np.array(found).transpose(2, 1, 0)
        return Totals(high, low)
