"""A model of the population once categories of keys were merged: people of merged cells add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Codes, Index
from microsafe.risk.model.estimate import PopulationModel
from microsafe.risk.model.marginal import Marginal
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

    @classmethod
    def of(cls, model: PopulationModel) -> MergedModel:
        """Begin with a model as it was fitted."""
        return cls(model=model, categories=model.categories)

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the keys."""
        return self.model.keys

    def means(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Return how many people are expected to agree with each row (see `PopulationModel`)."""
        if shown not in self._marginals:
            groups = {key: self._groups(key)[0] for key in self.recodes}
            self._marginals[shown] = self.model.sum_out(shown, groups)
        levels_of = {key: self._groups(key)[1] for key in self.recodes}
        return self.model.look_up(self._marginals[shown], codes, shown, levels_of)

    def _groups(self, key: int) -> tuple[Index, Index]:
        """The group of each level of the model, and the group of each present code."""
        level_of = self.model.levels[key]
        held = level_of >= 0
        present, group = np.unique(self.recodes[key][held], return_inverse=True)
        groups = np.empty(int(held.sum()), np.intp)
        groups[level_of[held]] = group
        of_code = np.full(len(self.categories[key]) + 1, -1, np.intp)
        of_code[present] = np.arange(len(present))
        return groups, of_code

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
