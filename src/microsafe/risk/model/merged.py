"""A model of the population once categories of keys were merged: people of merged cells add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Codes, Index
from microsafe.risk.model.estimate import PopulationModel, look_up_levels, look_up_shown
from microsafe.risk.model.marginal import Factor, Marginal, sum_out
from microsafe.risk.model.showing import ShownShares
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MergedModel:
    """A model seen through recodes of its keys; no part of it is fitted again.

    Attributes:
        model: As fitted.
        categories: Of each key as they are now.
        recodes: For each key that was recoded, the present code of each code of the model.
    """

    model: PopulationModel
    categories: tuple[Sequence[str], ...]
    recodes: Mapping[int, Codes] = field(default_factory=dict)
    _marginals: dict[int, Marginal] = field(default_factory=dict)
    _shares: list[ShownShares] = field(default_factory=list)

    @classmethod
    def of(cls, model: PopulationModel) -> MergedModel:
        """Begin with a model as it was fitted."""
        return cls(model=model, categories=model.categories)

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the keys."""
        return self.model.keys

    @property
    def spread(self) -> float | None:
        """Standard error of sums of risks, relative to them (see `PopulationModel`)."""
        return self.model.spread

    @property
    def simplified(self) -> int:
        """Terms that were left out again (see `PopulationModel`)."""
        return self.model.simplified

    def means(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Return how many people are expected to agree with each row (see `PopulationModel`).

        A key that was recoded is summed out of the model like one that is not shown; what it
        has become is a further key, tied to it by a table of ones and zeros.
        """
        merged = {key: _Groups.of(self, key) for key in self.recodes}
        place = {key: len(self.keys) + number for number, key in enumerate(merged)}
        seen = [key for key in range(len(self.keys)) if shown >> key & 1]
        if shown not in self._marginals:
            ties = [Factor((key, place[key]), each.table) for key, each in merged.items()]
            sizes = [*self.model.table.sizes, *(each.table.shape[1] for each in merged.values())]
            keep = [place.get(key, key) for key in seen]
            self._marginals[shown] = sum_out((*self.model.factors, *ties), keep, sizes)
        levels: list[Index | None] = [None] * (len(self.keys) + len(merged))
        known = np.ones(len(codes[0]), np.bool_)
        for key in seen:
            level_of = merged[key].of_code if key in merged else self.model.levels[key]
            level = look_up_levels(level_of, codes[key])
            known &= level >= 0
            levels[place.get(key, key)] = np.maximum(level, 0)
        return np.where(known, self._marginals[shown].look_up(levels, len(known)), 0.0)

    def shown_share(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Return the chance that rows show some keys (see `PopulationModel`)."""
        shares = self.model.shares
        if shares is None:
            return np.ones(len(codes[0]))
        merged = {key: _Groups.of(self, key) for key in self.recodes}
        if not self._shares:
            for key, each in merged.items():
                shares = shares.merge(key, each.table.argmax(axis=1))
            self._shares.append(shares)
        found = [
            merged[key].of_code if key in merged else self.model.levels[key]
            for key in range(len(self.keys))
        ]
        levels, _ = look_up_shown(found, codes, shown)
        return self._shares[0].look_up(levels, shown, len(codes[0]))

    def merge(self, place: int, table: Codes, categories: Sequence[str]) -> MergedModel:
        """Return the model once categories of a key are merged further."""
        before = self.recodes.get(place)
        texts = list(self.categories)
        texts[place] = categories
        return MergedModel(
            model=self.model,
            categories=tuple(texts),
            recodes={**self.recodes, place: table if before is None else table[before]},
        )

    def match_chance(self, f: Floats, mean: Floats, fraction: Floats) -> Floats:
        """Return E(1/F | f) (see `PopulationModel`)."""
        return self.model.match_chance(f, mean, fraction)

    def unique_chance(self, mean: Floats, fraction: Floats) -> Floats:
        """Return P(F = 1 | f = 1) (see `PopulationModel`)."""
        return self.model.unique_chance(mean, fraction)

    def above(self, f: Floats, mean: Floats, fraction: Floats, limit: Floats) -> NDArray[np.bool_]:
        """Whether that is above a limit."""
        return self.model.above(f, mean, fraction, limit)


class _Groups(NamedTuple):
    """What the levels of a key have become.

    Attributes:
        table: 1 where a level of the model (row) is in a group (column), else 0.
        of_code: The group of each present code; -1 for codes that no level has.
    """

    table: Floats
    of_code: Index

    @classmethod
    def of(cls, merged: MergedModel, key: int) -> _Groups:
        level_of = merged.model.levels[key]
        held = level_of >= 0
        present, group = np.unique(merged.recodes[key][held], return_inverse=True)
        table = np.zeros((int(held.sum()), len(present)))
        table[level_of[held], group] = 1.0
        of_code = np.full(len(merged.categories[key]) + 1, -1, np.intp)
        of_code[present] = np.arange(len(present))
        return cls(table, of_code)
