"""How the loss of a step is measured: what its variables tell before and after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from microsafe.engine import Engine
from microsafe.engine.gate import Selection
from microsafe.errors import InputError
from microsafe.scenario import Scenario
from microsafe.sums import entropy


@dataclass(frozen=True, slots=True, kw_only=True)
class Information:
    """What a variable tells before and after: entropy in bits, and categories.

    Entropy is that of the records in which the variable is not missing, each counted once.
    """

    variable: str
    bits_before: float
    bits_after: float
    categories_before: int
    categories_after: int

    @property
    def lost(self) -> float:
        """Bits lost; rounding errors are no loss."""
        return max(0.0, self.bits_before - self.bits_after)

    @property
    def share_lost(self) -> float:
        """Bits lost as a share of those before."""
        return self.lost / self.bits_before if self.bits_before else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LossMeasure:
    """A measure of what variables lose between two states of the data.

    Attributes:
        name: Of the measure.
        measure: Given the data before and after and the variables that were changed.
    """

    name: str
    measure: Callable[[Engine, Engine, Sequence[str]], tuple[Information, ...]]


def compare_counts(name: str, before: NDArray[np.int64], after: NDArray[np.int64]) -> Information:
    """Compare a variable by the records of each category."""
    return Information(
        variable=name,
        bits_before=entropy(before),
        bits_after=entropy(after),
        categories_before=int(np.count_nonzero(before)),
        categories_after=int(np.count_nonzero(after)),
    )


def _counts(engine: Engine, name: str) -> NDArray[np.int64]:
    """Records of each category; none if there are no categories to count."""
    if name not in engine.schema:
        return np.zeros(0, np.int64)
    try:
        cells = engine.cells(Scenario(keys=(name,)))
    except InputError:  # all missing, or nothing that can be compared
        return np.zeros(0, np.int64)
    return cells.count[cells.codes[0] > 0]


def _entropy_lost(before: Engine, after: Engine, names: Sequence[str]) -> tuple[Information, ...]:
    """Compare entropies; a variable that was dropped tells nothing."""
    return tuple(
        compare_counts(name, _counts(before, name), _counts(after, name)) for name in names
    )


def _variance_lost(before: Engine, after: Engine, names: Sequence[str]) -> tuple[Information, ...]:
    """Compare numbers that were moved: what they still tell is r² of their entropy.

    r is the correlation of a variable before and after. Moved numbers differ from each other as
    much as they did before, so that their own entropy says nothing. It is all there is to say of a
    variable without numbers, or once a sample was drawn.
    """
    found = []
    same = before.rows() == after.rows()
    for each in _entropy_lost(before, after, names):
        with suppress(InputError):  # no numbers, or none any more
            if same:
                share = _share_explained(before, after, each.variable)
                each = replace(each, bits_after=each.bits_before * share)
        found.append(each)
    return tuple(found)


def _share_explained(before: Engine, after: Engine, name: str) -> float:
    """Squared correlation of values before and after, of records that have both."""
    numbers = Selection(forms={name: "number"})
    sums = np.zeros((3, 3))
    shift = None
    for old, new in zip(before.columns(numbers), after.columns(numbers), strict=True):
        pair = old.columns[name], new.columns[name]
        both = ~(pair[0].missing | pair[1].missing)
        if shift is None and both.any():
            shift = float(pair[0].data[both].mean())
        rows = [np.ones(int(both.sum())), *(each.data[both] - (shift or 0.0) for each in pair)]
        sums += [[float(np.sum(a * b)) for b in rows] for a in rows]
    count = max(sums[0, 0], 1.0)
    covariance = sums[1:, 1:] / count - np.outer(sums[0, 1:], sums[0, 1:]) / count**2
    spread = covariance[0, 0] * covariance[1, 1]
    return float(min(covariance[0, 1] ** 2 / spread, 1.0)) if spread > 0 else 0.0


def _information_shared(
    before: Engine, after: Engine, names: Sequence[str]
) -> tuple[Information, ...]:
    """What values after tell of those before: their mutual information."""
    found = []
    groups = before.pair_with(after, None).group_records((), tuple(names), ())
    for pair in groups.pairs:
        both, _, count = groups.apart.get(pair.name, (pair, groups.weight, groups.count))
        shown = (both.before > 0) & (both.after > 0)
        old, new, records = both.before[shown], both.after[shown], count[shown]
        size = len(both.categories) + 1
        joint = np.unique(old.astype(np.int64) * size + new, return_inverse=True)[1]
        bits = [entropy(np.bincount(each, records)) for each in (old, new, joint)]
        made = compare_counts(pair.name, np.bincount(old, records), np.bincount(new, records))
        found.append(replace(made, bits_after=max(0.0, bits[0] + bits[1] - bits[2])))
    return tuple(found)


ENTROPY = LossMeasure(name="entropy", measure=_entropy_lost)
# Values were exchanged, which their frequencies do not show.
MUTUAL = LossMeasure(name="mutual information", measure=_information_shared)
# Records were left out, and those that stay are as they were.
NOTHING = LossMeasure(name="nothing", measure=lambda *_: ())
NUMBERS = LossMeasure(name="unexplained variance", measure=_variance_lost)
