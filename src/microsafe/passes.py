"""Passes over records that may lie anywhere: what is found in parts is put together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats, SumGrid

Strata = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordBlock:
    """Some records.

    Attributes:
        values: A column for each variable; NaN takes no part.
        weight: Of each record; all count alike if None.
        stratum: Of each record, from 0.
    """

    values: Sequence[Floats]
    weight: Floats | None
    stratum: Strata

    def weigh(self, values: Floats) -> Floats:
        """Return values times weights."""
        return values if self.weight is None else self.weight * values


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much there is to add up: the same however records are parted.

    Attributes:
        records: How many there are.
        largest: Absolute value, by variable.
        heaviest: Weight.
    """

    records: int
    largest: tuple[float, ...]
    heaviest: float = 1.0

    @classmethod
    def of(cls, block: RecordBlock) -> Extent:
        """Look at all records."""
        largest = [float(np.nanmax(np.abs(column), initial=0.0)) for column in block.values]
        heaviest = 1.0 if block.weight is None else float(block.weight.max(initial=0.0))
        return cls(records=len(block.stratum), largest=tuple(largest), heaviest=heaviest)

    def grid(self, *bounds: float) -> SumGrid:
        """Return a grid for products of the weight and numbers within bounds."""
        return SumGrid.of(math.prod((self.heaviest, *bounds)), self.records)


class Mergeable(Protocol):
    """What is known of some records, to be put together with what is known of others."""

    def merge(self, other: Self) -> Self:
        """Return what is known of both."""


Merged = TypeVar("Merged", bound=Mergeable)


def merge_found(parts: Iterable[Merged]) -> Merged | None:
    """Put together what was found, part by part; None if there is no part."""
    merged: Merged | None = None
    for part in parts:
        merged = part if merged is None else merged.merge(part)
    return merged


class Pass(Protocol):
    """Goes through all records, block by block, and puts together what a function says of each."""

    def __call__(self, function: Callable[[RecordBlock], Merged], /) -> Merged:
        """Do so."""


def pass_over(block: RecordBlock) -> Pass:
    """Return a pass over records that are all here."""

    def go(function: Callable[[RecordBlock], Merged], /) -> Merged:
        return function(block)

    return go
