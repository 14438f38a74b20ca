"""Sampling weights that can be what the method needs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import WeightError
from microsafe.scenario import LowWeights
from microsafe.sums import Floats

_MOST_PEOPLE = 1e15  # beyond this, sums of weights would lose whole people
_CORRECT = "Correct or leave out these records."
_RESCALE = (
    "A weight is the number of people a record stands for: "
    "rescale it, or raise low weights to 1 (--clip-weights, low_weights='clip')."
)


def check_weights(parts: Iterable[Floats], low_weights: LowWeights, where: str) -> None:
    """Refuse weights that no number of people can be.

    Args:
        parts: As the file has them.
        low_weights: What is done with those below 1.
        where: What messages call the variable.

    Raises:
        WeightError: Some record has no weight, or one that cannot be used.
    """
    counts = np.zeros(6, np.int64)
    for weights in parts:
        counts += count_faults(weights, low_weights)
    refuse_faults(counts.tolist(), where)


def refuse_faults(counts: Iterable[int], where: str) -> None:
    """Raise WeightError for the first of the faults that some records have.

    Args:
        counts: Records with each fault: missing, infinite, negative, zero, too large, too low.
        where: What messages call the variable.
    """
    faults = (
        ("is missing", _CORRECT),
        ("is infinite", _CORRECT),
        ("is negative", _CORRECT),
        ("is zero", _CORRECT),
        ("is above 1e15", "No record stands for so many people."),
        ("is below 1", _RESCALE),
    )
    for count, (fault, remedy) in zip(counts, faults, strict=True):
        if count:
            records = f"{count:,} record{'s' if count > 1 else ''}"
            raise WeightError(f"{where} {fault} in {records}. {remedy}")


def usable_weights(weights: Floats, low_weights: LowWeights) -> Floats:
    """Return weights that were checked, every one at least 1."""
    if low_weights == "clip" and bool(np.any(weights < 1)):
        return np.maximum(weights, 1.0)
    return weights


def count_faults(weights: Floats, low_weights: LowWeights) -> NDArray[np.int64]:
    """Count records with each fault, in the order of `refuse_faults`."""
    if bool(np.all((weights >= 1) & (weights <= _MOST_PEOPLE))):
        return np.zeros(6, np.int64)
    low = np.False_ if low_weights == "clip" else weights < 1
    wrong = (
        np.isnan(weights),
        np.isinf(weights),
        weights < 0,
        weights == 0,
        weights > _MOST_PEOPLE,
        low,
    )
    return np.array([np.count_nonzero(each) for each in wrong])
