"""Risk that a whole household is recognised: r = E(1/H | sample).

H counts the households of the population that have as many members, which can be matched one to
one with what the records of the household show.

References:
    docs/methods/family.md has the formula and what it was measured against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microsafe.cells import Index
from microsafe.notices import Notice, make_notice
from microsafe.progress import Progress, silent
from microsafe.risk.family.chain import FamilyChain
from microsafe.risk.family.members import LARGE, Families, FamilyView
from microsafe.risk.family.tables import Flags
from microsafe.risk.model.posterior import match_chance, unique_chance
from microsafe.sums import Floats, total

_LOW = 0.1  # households expected, below which a coincidence is a copy
_PRIOR, _PRIOR_WEIGHT = 0.3, 2.0  # of the scatter, where the sample tells little
_LEAST = 1e-9
_FEW_HOUSEHOLDS = 500
_FEW_KEYS = 3  # keys of persons below which gaps make households look rarer than they are
_COPIED = 0.1  # households that are there besides, by copying, from which a notice says so
_UNEVEN = 0.05  # share of the households


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FamilyChances:
    """What is known of each household.

    Attributes:
        risk: E(1/H | sample).
        unique: P(H = 1 | sample).
    """

    risk: Floats
    unique: Floats


class FamilyModel:
    """How many households of the population look like each of the sample.

    Args:
        families: As if nothing had been blanked.
        progress: Progress callback.
    """

    def __init__(self, families: Families, progress: Progress = silent) -> None:
        assert families.weight is not None  # noqa: S101
        self.families, self.weight = families, families.weight
        self.chain = FamilyChain(families, progress)
        self.others = np.maximum(
            np.bincount(families.size, self.weight)[families.size] - self.weight, _LEAST
        )
        self.whole = families.whole
        shown, shared = families.codes > 0, families.shared > 0
        progress("measuring families", 0.0)
        self._once, self._twice = self._expect(shown, shared, (1, 2))
        self._count(self.weight)
        progress("measuring families", 1.0)

    def _expect(self, shown: Flags, shared: Flags, times: Sequence[int] = (1,)) -> list[Floats]:
        """Other households expected to look like each by the tables, left out so many times."""
        found = self.chain.surprises(shown, shared, times)
        return [self.find_mean(self.chain.add_up(*surprises)) for surprises in found]

    def find_mean(self, surprise: Floats, some: Index | slice = slice(None)) -> Floats:
        """Return the other households expected from -log P of what some show."""
        return np.asarray(np.maximum(self.others[some] * np.exp(-surprise), _LEAST))

    def _count(self, weight: Floats) -> None:
        """Count households that look alike, and learn from them what the tables do not tell."""
        families, whole = self.families, self.whole
        size = np.minimum(families.size, LARGE)
        share = (np.bincount(size, whole) / np.maximum(np.bincount(size), 1))[size]
        # Those with a gap stand alone: nobody can tell whom they look like.
        count = np.bincount(families.alike[whole], minlength=int(families.alike.max()) + 1)
        people = np.bincount(families.alike[whole], weight[whole], len(count))
        alike = families.alike
        self.f = np.where(whole, count[alike], 1).astype(np.float64)
        fraction = self.f / np.where(whole, people[alike], 1.0) * share
        self.fraction = np.where(whole, np.minimum(fraction, 1.0), 0.0)
        drawn = whole * share / weight  # chance that another such household is seen
        once, twice = self._once, self._twice
        seen = total(_weigh(twice) * (self.f - 1.0)) - total(_weigh(once) * once * drawn)
        due = total(_weigh(once) * np.sqrt(once) * drawn)
        self.scatter = max(0.0, (seen + _PRIOR * _PRIOR_WEIGHT) / (due + _PRIOR_WEIGHT))
        rare = once < _LOW
        copied = total((self.f - 1.0)[twice < _LOW])
        by_chance = total(((once + self.scatter * np.sqrt(once)) * drawn)[rare])
        beyond = max(0.0, copied - by_chance - 2.0 * np.sqrt(copied))
        self.copies = beyond / max(total(drawn[rare]), _LEAST)

    def measure(self) -> FamilyChances:
        """Measure the households of the file as it was learnt from."""
        return self.find_chances(
            np.where(self.f > 1, self._twice, self._once), self.f, self.fraction
        )

    def measure_view(self, view: FamilyView) -> FamilyChances:
        """Measure households of which only a part is shown; others are as they were."""
        known, families = self.measure(), self.families
        lost = ~families.find_full(
            view.members | (families.codes == 0), view.shared | (families.shared == 0)
        )
        if lost.any():
            (mean,) = self._expect(view.members, view.shared)
            made = self.find_chances(mean[lost])
            known.risk[lost], known.unique[lost] = made.risk, made.unique
        return known

    def find_chances(
        self, mean: Floats, f: Floats | float = 1.0, fraction: Floats | float = 0.0
    ) -> FamilyChances:
        """Return the chances of households, given the others that tables lead to expect.

        Args:
            mean: Others expected.
            f: Households of the sample that look alike.
            fraction: Share of the population's that are in the sample.
        """
        root = self.scatter * np.sqrt(mean)
        scatter = np.minimum(1.0, self.scatter / np.sqrt(mean))
        expected = (mean + root + self.copies) / (1.0 + scatter)
        alone = np.broadcast_to(np.asarray(f) == 1.0, mean.shape)
        unique = np.where(alone, unique_chance(expected, fraction, scatter), 0.0)
        return FamilyChances(risk=match_chance(f, expected, fraction, scatter), unique=unique)

    def find_notices(self) -> tuple[Notice, ...]:
        """Say what to know before trusting the figures."""
        found, families = [], self.families
        if len(families) < _FEW_HOUSEHOLDS:
            found.append(make_notice("family-few", count=len(families)))
        if families.uneven > _UNEVEN:
            found.append(make_notice("family-weights", share=families.uneven))
        if self.copies > _COPIED:
            found.append(make_notice("family-copies"))
        if len(families.keys) < _FEW_KEYS and not self.whole.all():
            found.append(make_notice("family-gaps", count=int(np.count_nonzero(~self.whole))))
        return tuple(found)


def _weigh(mean: Floats) -> Floats:
    """Weight of a coincidence: none where copies are sought, less where many are expected."""
    return np.where(mean < _LOW, 0.0, 1.0 / (np.sqrt(mean) * (1.0 + mean / 10.0)))
