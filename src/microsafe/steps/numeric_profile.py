"""Profile numeric variables of all records before a step changes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import count_decimals, most_decimals
from microsafe.draws import Draws
from microsafe.engine import Engine
from microsafe.engine.record_access import Form, RecordBatch, RecordNumbers, RecordValues, Selection
from microsafe.engine.weights import count_faults, refuse_faults
from microsafe.errors import InputError, UsageError
from microsafe.options.scenario import Scenario
from microsafe.passes import Extent, Merged, RecordBlock, Strata
from microsafe.progress import Progress, silent
from microsafe.schema import Variable
from microsafe.steps.number_format import MOST_DECIMALS
from microsafe.sums import Floats

LARGEST = 1e100  # beyond, squares have no sum
UNROUNDED = 99
ALL = 200_000  # records up to which all are looked at together; of more, about as many


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrataIndex:
    """Numbers of strata by the codes of the variables that make them; missing is a code too.

    Attributes:
        names: The variables.
        sizes: How many codes each has, missing included.
        packed: Combinations that occur, in order.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    packed: Strata

    def __len__(self) -> int:
        """How many strata there are, at least one."""
        return max(1, len(self.packed))

    def pack(self, columns: Mapping[str, RecordValues], records: int) -> Strata:
        """Return the combination of each record as one number."""
        packed = np.zeros(records, np.int64)
        for name, size in zip(self.names, self.sizes, strict=True):
            values = columns[name]
            packed = packed * size + np.where(values.missing, 0, values.data).astype(np.int64)
        return packed

    def number(self, columns: Mapping[str, RecordValues], records: int) -> Strata:
        """Return the number of the stratum of each record, from 0."""
        if not self.names:
            return np.zeros(records, np.int64)
        return np.searchsorted(self.packed, self.pack(columns, records))


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericRange:
    """The numbers of one variable.

    Attributes:
        known: Records that have one.
        huge: Records in which it is infinite or beyond calculation.
        negative: Records in which it is below 0.
        lowest: Of the numbers; infinity if there are none.
        highest: Likewise.
        decimals: Digits behind the point; `UNROUNDED` if there are more than anybody may mean.
    """

    known: int
    huge: int
    negative: int
    lowest: float
    highest: float
    decimals: int

    @classmethod
    def of(cls, values: RecordValues) -> NumericRange:
        """Look at some records."""
        known = values.data[~values.missing]
        return cls(
            known=len(known),
            huge=int(np.count_nonzero(np.abs(known) > LARGEST)),
            negative=int(np.count_nonzero(known < 0)),
            lowest=float(known.min(initial=np.inf)),
            highest=float(known.max(initial=-np.inf)),
            decimals=UNROUNDED if (digits := count_decimals(known)) is None else digits,
        )

    def merge(self, other: NumericRange) -> NumericRange:
        """Look at the numbers of both."""
        return NumericRange(
            known=self.known + other.known,
            huge=self.huge + other.huge,
            negative=self.negative + other.negative,
            lowest=min(self.lowest, other.lowest),
            highest=max(self.highest, other.highest),
            decimals=max(self.decimals, other.decimals),
        )

    @property
    def largest(self) -> float:
        """Absolute value."""
        return max(abs(self.lowest), abs(self.highest)) if self.known else 0.0

    @property
    def rounded_to(self) -> int | None:
        """Digits behind the point; None if the numbers are not rounded."""
        return None if self.decimals == UNROUNDED else self.decimals

    def shown_decimals(self, variable: Variable) -> int:
        """Return how many digits behind the point the variable shows."""
        if variable.kind == "integer":
            return 0
        found = min(self.decimals, most_decimals(self.largest, MOST_DECIMALS))
        return found if variable.decimals is None else min(found, variable.decimals)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FileProfile:
    """What is known of all records."""

    records: int
    packed: Strata
    spans: Mapping[str, NumericRange]
    faults: NDArray[np.int64]
    heaviest: float

    def merge(self, other: _FileProfile) -> _FileProfile:
        return _FileProfile(
            records=self.records + other.records,
            packed=np.union1d(self.packed, other.packed),
            spans={name: span.merge(other.spans[name]) for name, span in self.spans.items()},
            faults=self.faults + other.faults,
            heaviest=max(self.heaviest, other.heaviest),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ProfilePass:
    names: tuple[str, ...]
    weight: str | None
    index: StrataIndex

    def __call__(self, batch: RecordBatch) -> _FileProfile:
        weights = np.ones(0) if self.weight is None else batch.columns[self.weight].data
        return _FileProfile(
            records=len(batch.numbers),
            packed=np.unique(self.index.pack(batch.columns, len(batch.numbers))),
            spans={name: NumericRange.of(batch.columns[name]) for name in self.names},
            faults=count_faults(weights, clip=True),
            heaviest=float(weights.max(initial=0.0)),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberFile:
    """Numeric variables of all records, known by passes over them.

    Attributes:
        engine: Where they are.
        names: The variables.
        weight: Variable that weighs the records, if there is one.
        selection: What a function of records is given that changes them.
        index: Of the strata.
        spans: By variable.
        records: How many there are.
        heaviest: Weight.
    """

    engine: Engine
    names: tuple[str, ...]
    weight: str | None
    selection: Selection
    index: StrataIndex
    spans: Mapping[str, NumericRange]
    records: int
    heaviest: float

    @property
    def asked(self) -> Selection:
        """What passes over the records look at."""
        return _with_weight(self.selection, self.weight)

    def extent(self) -> Extent:
        """Return how much there is to add up."""
        return Extent(
            records=self.records,
            largest=tuple(self.spans[name].largest for name in self.names),
            heaviest=self.heaviest,
        )

    def go(self, function: Callable[[RecordBlock], Merged], /, *, zeros: bool = True) -> Merged:
        """Go through all records and put together what a function says of them.

        Args:
            function: Of a block of records.
            zeros: Whether values of 0 take part.
        """
        viewing = _BlockPass(
            function=function, names=self.names, weight=self.weight, index=self.index, zeros=zeros
        )
        return self.engine.reduce_records(self.asked, viewing)

    def take_sample(self) -> RecordSample:
        """Return all records, or about `ALL` of them if there are more, always the same."""
        sampling = RecordSampler.of(self.names, self.records, self.index)
        return self.engine.reduce_records(self.selection, sampling).in_order()


def _with_weight(selection: Selection, weight: str | None) -> Selection:
    if weight is None or selection.forms.get(weight) == "number":
        return selection
    return replace(selection, forms={weight: "number", **selection.forms})


def survey_numbers(
    engine: Engine,
    names: Sequence[str],
    *,
    strata: Sequence[str] = (),
    scenarios: Sequence[Scenario] = (),
    identifier: str | None = None,
    progress: Progress = silent,
) -> NumberFile:
    """Look at numeric variables of all records.

    Args:
        engine: Where they are.
        names: The variables.
        strata: Categorical variables by which records are parted.
        scenarios: The first that has a weight gives it.
        identifier: Variable that stands for numbers of records.
        progress: Progress callback.

    Raises:
        InputError: There are no records, or a variable has fewer than two different values.
        NotNumericError: A variable holds text.
    """
    if both := set(names).intersection(strata):
        raise UsageError(f"{min(both)!r} cannot be both a stratum and what is changed.")
    weight = next((scenario.weight for scenario in scenarios if scenario.weight), None)
    forms: dict[str, Form] = {**dict.fromkeys(names, "number"), **dict.fromkeys(strata, "code")}
    selection = Selection(forms=forms, identifier=identifier)
    progress("reading", 0.0)
    sizes = tuple(len(engine.categories(name)) + 1 for name in strata)
    index = StrataIndex(names=tuple(strata), sizes=sizes, packed=np.zeros(0, np.int64))
    surveying = _ProfilePass(names=tuple(names), weight=weight, index=index)
    found = engine.reduce_records(_with_weight(selection, weight), surveying)
    progress("reading", 1.0)
    if weight is not None:
        refuse_faults(found.faults.tolist(), f"Weight {weight!r} of {engine.schema.source}")
    for name, span in found.spans.items():
        _refuse_constant(engine, name, span)
    return NumberFile(
        engine=engine,
        names=tuple(names),
        weight=weight,
        selection=selection,
        index=replace(index, packed=found.packed),
        spans=found.spans,
        records=found.records,
        heaviest=found.heaviest if weight is not None else 1.0,
    )


def _refuse_constant(engine: Engine, name: str, span: NumericRange) -> None:
    """Refuse variables that have no two different values, and values beyond calculation.

    Raises:
        InputError: One has not.
    """
    source = engine.schema.source
    if span.huge:
        raise InputError(
            f"{name!r} of {source} is infinite or above 1e100 in {span.huge:,} records. Correct "
            "them, or declare what stands for missing."
        )
    if not span.known:
        raise InputError(f"{name!r} of {source} is missing in all records. Leave it out.")
    if span.lowest == span.highest:
        raise InputError(
            f"{name!r} of {source} has the same value in every record, so there is nothing to "
            "protect in it. Leave it out, or drop it."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _BlockPass(Generic[Merged]):
    """Shows a function records as a block."""

    function: Callable[[RecordBlock], Merged]
    names: tuple[str, ...]
    weight: str | None
    index: StrataIndex
    zeros: bool

    def __call__(self, batch: RecordBatch) -> Merged:
        values = [known_values(batch.columns[name]) for name in self.names]
        if not self.zeros:
            values = [np.where(value == 0.0, np.nan, value) for value in values]
        block = RecordBlock(
            values=values,
            weight=None if self.weight is None else batch.columns[self.weight].data,
            stratum=self.index.number(batch.columns, len(batch.numbers)),
        )
        return self.function(block)


def known_values(values: RecordValues) -> Floats:
    """Return numbers with NaN where they are missing."""
    return np.where(values.missing, np.nan, values.data)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordSample:
    """Some records.

    Attributes:
        numbers: Of the records.
        columns: Values by variable; NaN is missing.
        stratum: Of each record.
    """

    numbers: RecordNumbers
    columns: Mapping[str, Floats]
    stratum: Strata

    def merge(self, other: RecordSample) -> RecordSample:
        """Return the records of both."""
        return RecordSample(
            numbers=np.concatenate([self.numbers, other.numbers]),
            columns={
                n: np.concatenate([column, other.columns[n]]) for n, column in self.columns.items()
            },
            stratum=np.concatenate([self.stratum, other.stratum]),
        )

    def in_order(self) -> RecordSample:
        """Return them in the order of their numbers."""
        order = np.argsort(self.numbers, kind="stable")
        return RecordSample(
            numbers=self.numbers[order],
            columns={name: column[order] for name, column in self.columns.items()},
            stratum=self.stratum[order],
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordSampler:
    """Picks records by their numbers.

    Attributes:
        names: Variables to show.
        index: Of strata.
        share: Of the records.
    """

    names: tuple[str, ...]
    index: StrataIndex
    share: float

    @classmethod
    def of(
        cls, names: Sequence[str], records: int, index: StrataIndex | None = None
    ) -> RecordSampler:
        """Take all of so many records, or about `ALL` of more."""
        none = StrataIndex(names=(), sizes=(), packed=np.zeros(0, np.int64))
        share = min(1.0, ALL / records)
        return cls(names=tuple(names), index=none if index is None else index, share=share)

    def __call__(self, batch: RecordBatch) -> RecordSample:
        """Pick some of a batch."""
        picked = np.arange(len(batch.numbers))
        if self.share < 1.0:
            drawn = Draws(seed=0, step=0, variable="sample of records").uniforms(batch.numbers)
            picked = np.flatnonzero(drawn < self.share)
        stratum = self.index.number(batch.columns, len(batch.numbers))
        return RecordSample(
            numbers=batch.numbers[picked],
            columns={name: known_values(batch.columns[name])[picked] for name in self.names},
            stratum=stratum[picked],
        )
