"""The chance that a record shows some keys, given the values that it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

import numpy as np

from microsafe.cells import Index
from microsafe.risk.model.gaps import GappedTable
from microsafe.risk.model.stepwise import GrowingModel
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.risk.table.crosstable import Term, ratio
from microsafe.sums import Floats, sum_by

_ROUNDS = 5
_STILL = 1e-4  # relative change of a factor
_LEAST = 1e-9
_LARGE = 1 << 20  # cells of a table of two keys from which on they are taken as independent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShownShares:
    """Who shows which keys: a share for each set of them, and a factor for each value of each.

    The factors are such that the model, thinned by them, has the one-way margins of the records
    that show the set. Keys other than the one in question are taken as independent of each other
    given its value, which costs nothing while no factor is far from 1.

    Attributes:
        masks: Sets of keys that records show.
        counts: For each key the records by what they show (row) and level (column).
        fitted: For each key the records that the model expects by level.
        given: For two keys the chance of each level of the second (column), given the first.
    """

    masks: Masks
    counts: tuple[Floats, ...]
    fitted: tuple[Floats, ...]
    given: Mapping[Term, Floats]
    _factors: dict[int, Mapping[int, Floats]] = field(default_factory=dict)

    @classmethod
    def of(cls, model: GrowingModel, table: GappedTable) -> ShownShares:
        """Count who shows what.

        Args:
            model: As fitted to the counts.
            table: The sample.
        """
        masks, pattern = np.unique(table.shows, return_inverse=True)
        keys, counts = range(len(table.sizes)), []
        for size, level in zip(table.sizes, table.levels, strict=True):
            place = pattern * (size + 1) + level + 1
            sums = sum_by(place, table.counts, len(masks) * (size + 1))
            counts.append(sums.reshape(len(masks), size + 1)[:, 1:])
        given: dict[Term, Floats] = {}
        for some, other in combinations(keys, 2):
            if table.sizes[some] * table.sizes[other] < _LARGE:
                both = model.margin((some, other))
                given[some, other] = ratio(both, both.sum(axis=1, keepdims=True))
                given[other, some] = ratio(both.T, both.T.sum(axis=1, keepdims=True))
        return cls(
            masks=masks,
            counts=tuple(counts),
            fitted=tuple(table.fraction * model.margin((key,)) for key in keys),
            given=given,
        )

    def look_up(self, levels: Sequence[Index | None], shown: int, rows: int) -> Floats:
        """Return the chance that each row shows some keys, given its levels of them."""
        chance = np.ones(rows)
        for key, factor in self.find_factors(shown).items():
            chance *= factor[levels[key]]
        return np.clip(chance, _LEAST, 1.0)

    def find_factors(self, shown: int) -> Mapping[int, Floats]:
        """Return for each of some keys the factors by level; none if every record shows them."""
        if shown not in self._factors:
            self._factors[shown] = self._find_factors(shown)
        return self._factors[shown]

    def merge(self, key: int, group: Index, size: int) -> ShownShares:
        """Return the shares once the levels of a key are merged.

        Args:
            key: Which.
            group: Of each level.
            size: One more than the highest group there may be.
        """
        counts, fitted, given = list(self.counts), list(self.fitted), dict(self.given)
        counts[key] = _sum_groups(counts[key].T, group, size).T
        fitted[key] = _sum_groups(fitted[key], group, size)
        for (first, second), chances in self.given.items():
            if second == key:
                given[first, second] = _sum_groups(chances.T, group, size).T
            elif first == key:
                given[first, second] = _merge_given(self.fitted[key], chances, group, size)
        return replace(self, counts=tuple(counts), fitted=tuple(fitted), given=given, _factors={})

    def _find_factors(self, shown: int) -> Mapping[int, Floats]:
        """Return the factors of a set of keys; none if every record shows all of it."""
        holders = (self.masks & shown) == shown
        if bool(holders.all()):
            return {}
        keys = [key for key in range(len(self.counts)) if shown >> key & 1]
        seen = {key: self.counts[key][holders].sum(axis=0) for key in keys}
        factors = {key: np.ones(len(seen[key])) for key in keys}
        others = {
            key: [(self.given[key, other], other) for other in keys if (key, other) in self.given]
            for key in keys
        }
        for _ in range(_ROUNDS):
            still = True
            for key in keys:
                mean = self.fitted[key] * factors[key]
                for given, other in others[key]:
                    mean = mean * (given @ factors[other])
                change = np.divide(seen[key], mean, out=np.ones_like(mean), where=mean > 0)
                factors[key] = factors[key] * change
                # Nobody is expected where nobody was seen, whatever changed.
                still = still and bool((np.abs(change - 1.0) < _STILL)[seen[key] > 0].all())
            if still:
                break
        return factors


class SharesAtRungs:
    """Who shows which keys at any rungs: what two keys tell of each other is merged once for all.

    Args:
        shares: By the levels of the model.
        ladders: For each key its rungs, each the group of every level.
    """

    def __init__(self, shares: ShownShares, ladders: Sequence[Sequence[Index]]) -> None:
        self._shares, self._ladders = shares, ladders
        self._alone: dict[tuple[int, int], tuple[Floats, Floats]] = {}
        self._pairs: dict[tuple[Term, Term], Floats] = {}

    def at(self, rungs: Sequence[int]) -> ShownShares:
        """Return the shares at some rungs; a key on one above the last is not looked at."""
        keys = [key for key, rung in enumerate(rungs) if rung < len(self._ladders[key])]
        alone = [
            self._sum_alone(key, min(rung, len(ladder) - 1))
            for key, (rung, ladder) in enumerate(zip(rungs, self._ladders, strict=True))
        ]
        return ShownShares(
            masks=self._shares.masks,
            counts=tuple(counts for counts, _ in alone),
            fitted=tuple(fitted for _, fitted in alone),
            given={
                (first, second): self._merge_pair((first, second), (rungs[first], rungs[second]))
                for first, second in permutations(keys, 2)
                if (first, second) in self._shares.given
            },
        )

    def _find_groups(self, key: int, rung: int) -> tuple[Index, int]:
        groups = self._ladders[key][rung]
        return groups, int(groups.max()) + 1

    def _sum_alone(self, key: int, rung: int) -> tuple[Floats, Floats]:
        if (key, rung) not in self._alone:
            groups, size = self._find_groups(key, rung)
            counts = _sum_groups(self._shares.counts[key].T, groups, size).T
            self._alone[key, rung] = counts, _sum_groups(self._shares.fitted[key], groups, size)
        return self._alone[key, rung]

    def _merge_pair(self, keys: Term, rungs: Term) -> Floats:
        if (keys, rungs) not in self._pairs:
            (first, second), chances = keys, self._shares.given[keys]
            groups = dict(zip(keys, map(self._find_groups, keys, rungs), strict=True))
            for key in sorted(keys):  # as recodes are merged one by one, to the bit
                if key == second:
                    chances = _sum_groups(chances.T, *groups[key]).T
                else:
                    chances = _merge_given(self._shares.fitted[first], chances, *groups[key])
            self._pairs[keys, rungs] = chances
        return self._pairs[keys, rungs]


def _merge_given(fitted: Floats, chances: Floats, group: Index, size: int) -> Floats:
    """Merge the levels by which chances are given."""
    joint = _sum_groups(fitted[:, None] * chances, group, size)
    return ratio(joint, joint.sum(axis=1, keepdims=True))


def _sum_groups(values: Floats, group: Index, size: int) -> Floats:
    """Add up the rows of each group; there may be a million of them."""
    sums = np.zeros((size, *values.shape[1:]))
    np.add.at(sums, group, values)
    return sums
