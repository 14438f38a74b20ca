"""Check sampling weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.engine.memory import Batches
from microsafe.engine.threads import Tell, run_together
from microsafe.errors import WeightError
from microsafe.sums import Exact, Floats, Sums, add_ones

_MOST_PEOPLE = 1e15  # beyond this, sums of weights would lose whole people
_CORRECT = "Correct or leave out these records."
_OTHER = (
    "That does not look like a sampling weight: name another variable, or correct or leave out "
    "these records."
)
_RESCALE = (
    "A weight is the number of people a record stands for: "
    "rescale it, or raise low weights to 1 (--clip-weights, clip_weights=True)."
)

_Add = Callable[[NDArray[Any], Floats], None]


def check_weights(parts: Iterable[Floats], clip: bool, where: str) -> None:
    """Refuse weights that no number of people can be.

    Args:
        parts: As the file has them.
        clip: Whether those below 1 will be raised to 1.
        where: What messages call the variable.

    Raises:
        WeightError: Some record has no weight, or one that cannot be used.
    """
    counts = np.zeros(6, np.int64)
    for weights in parts:
        counts += count_faults(weights, clip)
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
        ("is negative", _OTHER),
        ("is zero", _OTHER),
        ("is above 1e15", "No record stands for so many people."),
        ("is below 1", _RESCALE),
    )
    for count, (fault, remedy) in zip(counts, faults, strict=True):
        if count:
            records = f"{count:,} record{'s' if count > 1 else ''}"
            raise WeightError(f"{where} {fault} in {records}. {remedy}")


def usable_weights(weights: Floats, clip: bool) -> Floats:
    """Return weights that were checked, every one at least 1."""
    if clip and bool(np.any(weights < 1)):
        return np.maximum(weights, 1.0)
    return weights


def count_faults(weights: Floats, clip: bool) -> NDArray[np.int64]:
    """Count records with each fault, in the order of `refuse_faults`."""
    if bool(np.all((weights >= 1) & (weights <= _MOST_PEOPLE))):
        return np.zeros(6, np.int64)
    low = np.False_ if clip else weights < 1
    wrong = (
        np.isnan(weights),
        np.isinf(weights),
        weights < 0,
        weights == 0,
        weights > _MOST_PEOPLE,
        low,
    )
    return np.array([np.count_nonzero(fault) for fault in wrong])


def add_up_cells(
    count: NDArray[np.int64],
    groups: Batches,
    weights: Callable[[], Iterator[Floats]] | None,
    *,
    threads: int | None,
) -> Exact:
    """Count the records of each cell, and return the sums of their weights.

    Args:
        count: Zero for each cell; the counts are put here.
        groups: The number of each record's cell, by batch.
        weights: Goes through the weights, by batch; None if every one is 1.
        threads: How many sums are made at a time; None for as many as there are cores.
    """
    if weights is None:
        for group in groups:
            add_ones(count, group)
        return Exact(count.astype(np.float64), None)  # ones sum to counts
    sums = Sums(len(count), rough_total(weights()))

    def add_by(*adds: _Add) -> Callable[[Tell], None]:
        def add_batches(_: Tell) -> None:
            for group, weight in zip(groups, weights(), strict=True):
                for add in adds:
                    add(group, weight)

        return add_batches

    low: list[_Add] = [sums.add_low]
    high: list[_Add] = [sums.add_high]
    ones: list[_Add] = [lambda group, _: add_ones(count, group)]
    # What waits in a file is read by each thread, so two have to do where memory is limited.
    shares = [low, high, ones] if threads is None else [low, high + ones]
    if threads == 1:
        shares = [low + high + ones]
    run_together([add_by(*share) for share in shares], _ignore, threads=threads)
    return sums.exact


def _ignore(_: float) -> None:
    """Report progress to nobody: this is over in no time."""


def rough_total(parts: Iterator[Floats]) -> float:
    """Sum of numbers, near enough to choose the unit of exact sums by."""
    return float(sum(float(part.sum()) for part in parts))
