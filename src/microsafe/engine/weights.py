"""Sampling weights that can be what the method needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import WeightError
from microsafe.scenario import LowWeights
from microsafe.sums import Floats

_MOST_PEOPLE = 1e15  # beyond this, sums of weights would lose whole people


def checked_weights(weights: Floats, low_weights: LowWeights, where: str) -> Floats:
    """Return the weights, every one at least 1.

    Args:
        weights: As the file has them.
        low_weights: What to do with those below 1.
        where: What messages call the variable.

    Raises:
        WeightError: Some record has no weight, or one that no number of people can be.
    """
    for wrong, what in (
        (np.isnan(weights), "is missing"),
        (np.isinf(weights), "is infinite"),
        (weights < 0, "is negative"),
        (weights == 0, "is zero"),
    ):
        _refuse(wrong, f"{where} {what}", "Correct or leave out these records.")
    _refuse(
        weights > _MOST_PEOPLE, f"{where} is above 1e15", "No record stands for so many people."
    )
    low = weights < 1
    if low_weights == "clip":
        return np.maximum(weights, 1.0) if low.any() else weights
    _refuse(
        low,
        f"{where} is below 1",
        "A weight is the number of people a record stands for: "
        "rescale it, or raise low weights to 1 (--clip-weights, low_weights='clip').",
    )
    return weights


def _refuse(wrong: NDArray[np.bool_], fact: str, remedy: str) -> None:
    count = int(np.count_nonzero(wrong))
    if count:
        raise WeightError(f"{fact} in {count:,} record{'s' if count > 1 else ''}. {remedy}")
