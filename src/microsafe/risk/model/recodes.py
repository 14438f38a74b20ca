"""A model of the population once categories of keys were merged: people of merged cells add up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Codes, Index
from microsafe.risk.model.estimate import PopulationModel
from microsafe.risk.model.group_means import GroupedMeans
from microsafe.risk.model.nonresponse import ShownShares
from microsafe.sums import Floats


@dataclass(frozen=True, kw_only=True, eq=False)
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

    @property
    def by_scatter(self) -> tuple[float, float] | None:
        """Matches expected with either scatter, where they differ (see `PopulationModel`)."""
        return self.model.by_scatter

    def means(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Return how many people are expected to agree with each row (see `PopulationModel`)."""
        keys = range(len(self.keys))
        known = np.ones(len(codes[0]), np.bool_)
        inside = []
        for key in keys:
            some = codes[key] <= len(self.categories[key])
            known &= some if shown >> key & 1 else True
            inside.append(np.where(some, codes[key], 0))
        rungs = tuple(0 if shown >> key & 1 else 1 for key in keys)
        return np.where(known, self._grouped.at(rungs, inside, len(known)), 0.0)

    def shown_share(self, codes: Sequence[Codes], shown: int) -> Floats:
        """Return the chance that rows show some keys (see `PopulationModel`)."""
        if self._shares is None:
            return np.ones(len(codes[0]))
        levels: list[Index | None] = [
            np.where(code <= len(texts), code, 0)
            for code, texts in zip(codes, self.categories, strict=True)
        ]
        return self._shares.look_up(levels, shown, len(codes[0]))

    @cached_property
    def _shares(self) -> ShownShares | None:
        """Who shows which keys, by the codes as they are."""
        codes = [np.arange(len(texts) + 1) for texts in self.categories]
        return self.merge_shares(codes)

    def merge_shares(self, groups: Sequence[Index | None]) -> ShownShares | None:
        """Return who shows which keys, by groups of values; None if all show all.

        Args:
            groups: For each key the group of every present code; None for one not looked at.
        """
        shares = self.model.shares
        if shares is None:
            return None
        for key, group in enumerate(groups):
            if group is not None:
                shares = shares.merge(key, group[self._find_codes(key)], int(group.max()) + 1)
        return shares

    def _find_codes(self, key: int) -> Index:
        """Return the present code of each level of a key of the model."""
        level_of = self.model.levels[key]
        held = np.flatnonzero(level_of >= 0)
        codes = np.empty(len(held), np.intp)
        codes[level_of[held]] = held
        return self.recodes[key][codes].astype(np.intp) if key in self.recodes else codes

    @cached_property
    def _grouped(self) -> GroupedMeans:
        """The tables of the model, summed by what the codes have become."""
        ladders = [np.arange(len(texts) + 1) for texts in self.categories]
        return self.group([[ladder] for ladder in ladders])

    def group(
        self,
        ladders: Sequence[Sequence[Index]],
        *,
        tick: Callable[[], None] = lambda: None,
    ) -> GroupedMeans:
        """Return the people expected at rungs of ladders.

        Args:
            ladders: For each key and rung the group of every present code, 0 of code 0.
            tick: Called before every sum; may raise.
        """
        found = []
        for key, ladder in enumerate(ladders):
            code = self._find_codes(key)
            found.append([groups[code] for groups in ladder])
        return GroupedMeans(
            self.model.factors,
            self.model.table.sizes,
            found,
            [[int(groups.max(initial=0)) + 1 for groups in ladder] for ladder in ladders],
            tick=tick,
        )

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
