"""How the loss of a step is measured: what its variables tell before and after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from microsafe.engine import Engine
from microsafe.engine.gate import Selection
from microsafe.errors import InputError
from microsafe.scenario import Scenario
from microsafe.sums import Floats, entropy


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
    """Compare numbers that were moved: what they no longer tell is 1 - r² of their entropy.

    r is the correlation of a variable before and after. Moved numbers differ from each other as
    much as they did before, so that their own entropy says nothing.
    """
    found = []
    for each in _entropy_lost(before, after, names):
        share = unexplained_share(*(_numbers(engine, each.variable) for engine in (before, after)))
        left = min(each.bits_after, each.bits_before * (1.0 - share))
        found.append(replace(each, bits_after=left))
    return tuple(found)


def unexplained_share(before: Floats, after: Floats) -> float:
    """Return 1 - r², r being the correlation of two columns; NaN takes no part."""
    known = ~np.isnan(before) & ~np.isnan(after)
    one, other = before[known], after[known]
    if not len(one) or one.min() == one.max() or other.min() == other.max():
        return 0.0 if np.array_equal(one, other) else 1.0
    one, other = one - one.mean(), other - other.mean()
    return max(0.0, 1.0 - float((one * other).sum() ** 2 / ((one**2).sum() * (other**2).sum())))


def _numbers(engine: Engine, name: str) -> Floats:
    batches = engine.columns(Selection(forms={name: "number"}))
    parts = [each.columns[name] for each in batches]
    return np.concatenate([np.where(each.missing, np.nan, each.data) for each in parts])


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
