"""How the loss of a step is measured: what a variable still tells of the original.

The one definition of information loss; docs/methods/information-loss.md says what it means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import number
from microsafe.engine import Engine
from microsafe.engine.record_access import Selection
from microsafe.engine.state_pairs import FEW, Count, Pair
from microsafe.errors import InputError, UsageError
from microsafe.sums import Floats, sum_by

# What steps by a rule have made of categories, one by one.
Renew = Callable[[Sequence[str]], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemainingInformation:
    """What a variable tells of the original.

    Attributes:
        bits: Entropy of the original, each record in which it is not missing counted once.
        lost: How much of that is lost, from 0 to `bits`.
        categories: Number of categories of the original.
        categories_after: And of what is told.
    """

    bits: float
    lost: float = 0.0
    categories: int = 0
    categories_after: int = 0

    @property
    def left(self) -> float:
        """Bits that are still told."""
        return self.bits - self.lost

    def at_least(self, other: RemainingInformation) -> RemainingInformation:
        """Return the same with no less lost than an earlier state has lost: no step is a gain."""
        return replace(self, lost=max(self.lost, other.lost))


@dataclass(frozen=True, slots=True, kw_only=True)
class InformationLoss:
    """What a variable tells of the original before and after some steps, in bits a record.

    Attributes:
        variable: Its name.
        bits: Entropy of the original: of the file before protection.
        bits_before: What is told of it before the steps.
        bits_after: And after.
        lost: What the steps lost, of the bits before.
        categories_before: Number of categories before the steps.
        categories_after: And after.
    """

    variable: str
    bits: float
    bits_before: float
    bits_after: float
    lost: float
    categories_before: int
    categories_after: int

    @classmethod
    def between(
        cls, variable: str, before: RemainingInformation, after: RemainingInformation
    ) -> Self:
        """Compare what two states tell."""
        return cls(
            variable=variable,
            bits=after.bits,
            bits_before=before.left,
            bits_after=after.left,
            lost=after.lost - before.lost,
            categories_before=before.categories_after,
            categories_after=after.categories_after,
        )

    @property
    def share_lost(self) -> float:
        """Bits lost as a share of those of the original."""
        return self.lost / self.bits if self.bits else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LossMeasure:
    """A measure of what a variable tells of the original.

    Attributes:
        name: Of the measure.
        measure: Given the data before protection and as they are, the variable, and what steps by
            a rule have made of its categories; None if there is nothing to tell.
    """

    name: str
    measure: Callable[[Engine, Engine, str, Renew], RemainingInformation | None]


def measure_categories(
    before: NDArray[Any],
    after: NDArray[Any],
    count: NDArray[Any],
    group: NDArray[Any] | None = None,
) -> tuple[float, float]:
    """Return the entropy of the original, and the mean of -log2 P(original | released).

    P(x | z) is p(x) q(z | x) over the sum of the same for all x, p being the share of records
    before protection and q that of the records of x which show z among those that show anything.
    Whoever sees a blank knows p only. So blanks never make the categories that are shown tell more:
    after a and b were merged, "a or b" means both, however many a are blank.

    Args:
        before: Original category of some records that are alike; 0 is missing, and not counted.
        after: Released category; 0 is blank.
        count: Records.
        group: Of each original category, from code 1: those that steps by a rule have made one.
            Categories that are never shown would be shown as the others of their group.
    """
    bits, whole, joint = _measure_joint(before, after, count, group)
    if joint is None:
        return bits, 0.0
    records, terms, _ = joint
    return bits, min(math.fsum((records * terms).tolist()) / whole, bits)


def measure_each(
    before: NDArray[Any],
    after: NDArray[Any],
    count: NDArray[Any],
    group: NDArray[Any] | None = None,
) -> tuple[float, Floats]:
    """Return the entropy of the original, and -log2 P(original | released) of each of the groups.

    As `measure_categories`, whose loss is the mean of these; 0 where the original is missing.
    """
    bits, _, joint = _measure_joint(before, after, count, group)
    made = np.zeros(len(before))
    if joint is not None:
        _, terms, place = joint
        made[before > 0] = terms[place]
    return bits, made


def _measure_joint(
    before: NDArray[Any], after: NDArray[Any], count: NDArray[Any], group: NDArray[Any] | None
) -> tuple[float, float, tuple[Floats, Floats, NDArray[Any]] | None]:
    """Entropy, records, and of each pair of categories its records, bits lost, and who has it."""
    known = before > 0
    old, new = before[known].astype(np.uint32), after[known].astype(np.uint32)
    if not len(old):
        return 0.0, 0.0, None
    size = int(new.max()) + 1
    place, first = number((old, new), (int(old.max()), size - 1), rows=len(old))
    records = sum_by(place, count[known].astype(np.float64), len(first))
    x, z = old[first], new[first]
    total = sum_by(x, records, int(x.max()) + 1)
    whole = float(total.sum())
    used = total[total > 0]
    bits = math.fsum((used * np.log2(whole / used)).tolist()) / whole
    shown = z > 0
    visible = sum_by(x[shown], records[shown], len(total))
    likely = total[x[shown]] * (records[shown] / visible[x[shown]])
    given = sum_by(z[shown], likely, size)
    if group is not None:
        given += _add_hidden(x[shown], z[shown], records[shown], total, visible, group, size)
    terms = np.empty(len(x))
    terms[shown] = np.log2(np.maximum(given[z[shown]] / likely, 1.0))
    terms[~shown] = np.log2(whole / total[x[~shown]])
    return bits, whole, (records, terms, place)


def _add_hidden(
    x: NDArray[Any],
    z: NDArray[Any],
    records: Floats,
    total: Floats,
    visible: Floats,
    group: NDArray[Any],
    size: int,
) -> Floats:
    """Records of categories that are never shown, as the others of their group are shown."""
    of = np.concatenate([[0], group[: len(total) - 1]])
    groups = int(of.max()) + 1
    hidden = sum_by(of, np.where(visible > 0, 0.0, total), groups)
    seen = sum_by(of, visible, groups)
    return sum_by(z, hidden[of[x]] * (records / seen[of[x]]), size)


def group_alike(texts: Sequence[str]) -> NDArray[np.int64]:
    """Number categories by what they have become."""
    places: dict[str, int] = {}
    return np.array([places.setdefault(text, len(places)) for text in texts], np.int64)


def keep_categories(categories: Sequence[str]) -> Sequence[str]:
    """No step has made categories one."""
    return categories


def pair_variable(before: Engine, after: Engine, name: str) -> tuple[Pair, Count]:
    """Return a variable before and after, by groups of records that are alike in it."""
    groups = before.pair_with(after, None).group_records((name,), (), ())
    return groups.pairs[0], groups.count


def tell_pair(pair: Pair, count: Count, renew: Renew = keep_categories) -> RemainingInformation:
    """Measure what is told by a variable before and after.

    Args:
        pair: The variable.
        count: Records of each group.
        renew: What steps by a rule have made of categories.
    """
    bits, lost = measure_categories(pair.before, pair.after, count, group_hidden(pair, renew))
    return RemainingInformation(
        bits=bits, lost=lost, categories=pair.counts[0], categories_after=pair.counts[1]
    )


def group_hidden(pair: Pair, renew: Renew) -> NDArray[np.int64] | None:
    """Number categories by what they have become, if some are blank in every record."""
    originals = pair.counts[0]
    gone = np.bincount(pair.before[pair.after > 0], minlength=originals + 1)[1 : originals + 1] == 0
    if not gone.any() or pair.dropped:
        return None
    return group_alike(renew(pair.texts[:originals]))


def _tell_categories(
    before: Engine, after: Engine, name: str, renew: Renew
) -> RemainingInformation | None:
    try:
        pair, count = pair_variable(before, after, name)
    except InputError:  # nothing that can be compared
        return None
    return tell_pair(pair, count, renew)


def _tell_numbers(
    before: Engine, after: Engine, name: str, renew: Renew
) -> RemainingInformation | None:
    told = _tell_categories(before, after, name, renew)
    return None if told is None else tell_numbers(before, after, name, told)


def tell_numbers(
    before: Engine, after: Engine, name: str, told: RemainingInformation
) -> RemainingInformation:
    """Measure numbers by what they are worth: what they still tell is r² of their entropy.

    r is the correlation of a variable before and after, in records that have both; a blank tells
    nothing. Moved numbers differ from each other as much as they did before, and rounded ones are
    nearly what they were, so that categories would say nothing, or all.

    Args:
        before: The data before protection.
        after: As they are.
        name: Of the variable.
        told: What its categories tell: all there is to say if there are few, or no numbers.
    """
    if name not in after.schema:
        return told
    try:
        known, shown, explained = _share_explained(before, after, name)
    except (InputError, UsageError):  # no numbers, or none any more; or records without an order
        return told
    few = min(FEW, known // 4)  # in a small file, numbers have few values too
    if max(told.categories, told.categories_after) <= few or not math.isfinite(explained):
        return told
    return replace(told, lost=told.bits * (1.0 - shown * explained))


@np.errstate(over="ignore", invalid="ignore")  # squares of large numbers are not finite
def _share_explained(before: Engine, after: Engine, name: str) -> tuple[int, float, float]:
    """Values there were, the share still shown, and its squared correlation with the originals."""
    numbers = Selection(forms={name: "number"})
    sums = np.zeros(6)
    shift, known = None, 0
    for old, new in zip(before.columns(numbers), after.columns(numbers), strict=True):
        pair = old.columns[name], new.columns[name]
        both = ~(pair[0].missing | pair[1].missing)
        known += int(np.count_nonzero(~pair[0].missing))
        if shift is None and both.any():
            shift = float(pair[0].data[both].mean())
        x, z = (each.data[both] - (shift or 0.0) for each in pair)
        sums += [len(x), x.sum(), z.sum(), (x * x).sum(), (x * z).sum(), (z * z).sum()]
    count = max(sums[0], 1.0)
    mean = sums[1:3] / count
    spread = (sums[3] / count - mean[0] ** 2) * (sums[5] / count - mean[1] ** 2)
    common = (sums[4] / count - mean[0] * mean[1]) ** 2
    explained = 0.0 if spread <= 0 else float(np.minimum(common / spread, 1.0))
    return known, float(sums[0]) / max(known, 1), explained


CATEGORIES = LossMeasure(name="information", measure=_tell_categories)
# Records were left out, and those that stay are as they were.
NOTHING = LossMeasure(name="nothing", measure=lambda *_: None)
NUMBERS = LossMeasure(name="unexplained variance", measure=_tell_numbers)
