"""Everybody whom a method of suppression must think of: all combinations of keys with people.

A record that was drawn is not alone in its combination, and combinations that were not drawn have
people too. How they would be treated tells who may be behind a blank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index, number
from microsafe.draws import Draws
from microsafe.progress import Progress, silent
from microsafe.risk import individual_risk
from microsafe.risk.record.reference import ExpectedPeople
from microsafe.risk.record.subset_frequencies import Masks
from microsafe.steps.suppress.criterion import SafetyCriterion, above_limit
from microsafe.steps.suppress.key_sets import Afford, no_limit
from microsafe.sums import Floats, sum_by

LEAST = 1e-4  # people of a combination that is looked at although nobody was drawn from it
LARGEST = 4_000_000  # combinations of the keys that are gone through; beyond, people are drawn
PER_COMBINATION = 200  # bytes
_DRAWN = 4  # times as many people are drawn as there are records
_SPARSE = 4  # numbers of groups for each combination, before they are numbered without gaps
_LOOK_UPS = 1 << 20  # of the model, at once

Judge = Callable[[Floats, Floats, Floats], NDArray[np.bool_]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeopleTable:
    """PeopleTable of keys with the people who have them, in the order of their codes.

    Attributes:
        keys: Names of the keys.
        categories: For each key its categories; code c is `categories[c - 1]`.
        codes: For each key the code of every combination; 0 is missing.
        f: Records drawn.
        weight: Sum of their weights.
        people: People expected.
        mass: The same in sums over combinations: where these are too many to go through, people
            who were drawn from the model stand for those of combinations without a record.
        gaps: Keys that each lacks, where a gap is no fact about the population.
    """

    keys: tuple[str, ...]
    categories: tuple[Sequence[str], ...]
    codes: tuple[Codes, ...]
    f: Floats
    weight: Floats
    people: Floats
    mass: Floats
    gaps: Masks

    def __len__(self) -> int:
        """Return the number of combinations."""
        return len(self.f)

    @property
    def sizes(self) -> list[int]:
        """The largest code of each key."""
        return [len(category) for category in self.categories]

    @property
    def mean_weight(self) -> float:
        """People that a record stands for, on average."""
        return float(self.weight.sum() / self.f.sum())

    def take(self, rows: Index) -> PeopleTable:
        """Return some of the combinations."""
        return replace(
            self,
            codes=tuple(code[rows] for code in self.codes),
            f=self.f[rows],
            weight=self.weight[rows],
            people=self.people[rows],
            mass=self.mass[rows],
            gaps=self.gaps[rows],
        )

    def group(self, hidden: int) -> tuple[Index, int]:
        """Number combinations by what they show once some keys are hidden; with gaps, if few."""
        seen = [j for j in range(len(self.keys)) if not hidden >> j & 1]
        size = prod(self.sizes[j] + 1 for j in seen)
        if size > _SPARSE * len(self):
            codes = [self.codes[j] for j in seen]
            group, first = number(codes, [self.sizes[j] for j in seen], rows=len(self))
            return group, len(first)
        group = np.zeros(len(self), np.intp)
        for j in seen:
            group *= self.sizes[j] + 1
            group += self.codes[j]
        return group, size

    def group_views(self, masks: Masks) -> tuple[Index, Index]:
        """Number combinations by what they show under blanks of their own; one of each, too."""
        return number(self.shown(masks), self.sizes, rows=len(self))

    def shown(self, masks: Masks) -> list[Codes]:
        """Return what combinations show under blanks of their own; 0 for a blank or a gap."""
        return [
            np.where(masks >> j & 1, 0, code).astype(code.dtype)
            for j, code in enumerate(self.codes)
        ]

    def sums(self, group: Index, size: int) -> tuple[Floats, Floats, Floats]:
        """Return the records, their weight and the people of each group."""
        drawn = np.flatnonzero(self.f)
        at = group[drawn]
        f, weight = sum_by(at, self.f[drawn], size), sum_by(at, self.weight[drawn], size)
        people = sum_by(group, self.mass, size)
        if self.gaps.any():
            people = np.where(people > 0, people, self._count_lacking(group, size))
        return f, weight, people

    def _count_lacking(self, group: Index, size: int) -> Floats:
        """Return the people of groups in which all lack some keys, at most those who lack the same.

        Who lacks some keys and who lacks others may be the same people.
        """
        rows = np.flatnonzero(self.gaps)
        pairs = np.stack([group[rows], self.gaps[rows]])
        distinct, place = np.unique(pairs, axis=1, return_inverse=True)
        most = np.zeros(size)
        alike = sum_by(place.reshape(-1), self.people[rows], distinct.shape[1])
        np.maximum.at(most, distinct[0], alike)
        return most

    def find(self, codes: Sequence[Codes]) -> Index:
        """Return where combinations in the same coding stand here, each of which does."""
        both = [
            np.concatenate([mine.astype(np.int64), theirs.astype(np.int64)])
            for mine, theirs in zip(self.codes, codes, strict=True)
        ]
        group, first = number(both, self.sizes, rows=len(both[0]))
        row_of = np.zeros(len(first), np.intp)
        row_of[group[: len(self)]] = np.arange(len(self))
        return row_of[group[len(self) :]]


def list_combinations(
    cells: Cells,
    model: ExpectedPeople | None,
    *,
    seed: int = 0,
    afford: Afford = no_limit,
    progress: Progress = silent,
) -> PeopleTable:
    """List the combinations of keys that somebody may have.

    Args:
        cells: Of the records, each combination once.
        model: Of the population; without one only combinations that were drawn are known, and
            their people are the sums of weights.
        seed: Of the people who are drawn from the model where it has too many combinations.
        afford: Told how many combinations have to be held; may refuse so many.
        progress: Progress callback.
    """
    drawn = PeopleTable(
        keys=cells.keys,
        categories=cells.categories,
        codes=tuple(cells.codes),
        f=cells.count.astype(np.float64),
        weight=cells.weight,
        people=cells.weight,
        mass=cells.weight,
        gaps=np.zeros(len(cells), np.int64),
    )
    if model is None:
        return drawn
    every = (1 << len(cells.keys)) - 1
    levels = _find_levels(model, drawn.sizes)
    drawn = _expect_people(drawn, model, levels)
    many = _DRAWN * int(drawn.f.sum())
    combinations = prod(len(level) for level in levels)
    afford(min(combinations, max(many, LARGEST)))
    if combinations <= LARGEST:
        codes, people = _expand(model, levels, progress)
        return _join(drawn, codes, people, people)
    codes, count = _draw_people(model, levels, many, seed, progress)
    scale = _count_people(model, levels) / many
    return _join(drawn, codes, model.means(codes, every), count * scale)


def _expect_people(
    drawn: PeopleTable, model: ExpectedPeople, levels: Sequence[Codes]
) -> PeopleTable:
    """Fill in the people who are expected to have combinations that were drawn.

    Where a gap is no level of the model, they are those who agree on the other keys. They are
    people of combinations without a gap, and count once: among those, if they are there.
    """
    gaps = np.zeros(len(drawn), np.int64)
    for j, (code, level) in enumerate(zip(drawn.codes, levels, strict=True)):
        if 0 not in level:
            gaps |= (code == 0).astype(np.int64) << j
    people = np.empty(len(drawn))
    for lacking in np.unique(gaps).tolist():
        rows = np.flatnonzero(gaps == lacking)
        people[rows] = expect_agreeing(model, drawn.take(rows), lacking)
    return replace(drawn, people=people, mass=np.where(gaps > 0, 0.0, people), gaps=gaps)


def expect_agreeing(model: ExpectedPeople, table: PeopleTable, hidden: int) -> Floats:
    """Return the people expected to agree with combinations on all but some keys."""
    return model.means(table.codes, (1 << len(table.keys)) - 1 & ~hidden)


def _find_levels(model: ExpectedPeople, sizes: Sequence[int]) -> list[Codes]:
    """Return for each key the codes that the model has people of."""
    found = []
    for key, size in enumerate(sizes):
        codes = np.arange(size + 1, dtype=np.uint32)
        asked = [codes if j == key else np.zeros_like(codes) for j in range(len(sizes))]
        found.append(codes[model.means(asked, 1 << key) > 0])
    return found


def _count_people(model: ExpectedPeople, levels: Sequence[Codes]) -> float:
    """Return the people that the model expects in all."""
    first = [level if j == 0 else np.zeros_like(levels[0]) for j, level in enumerate(levels)]
    return float(model.means(first, 1).sum())


def _expand(
    model: ExpectedPeople, levels: Sequence[Codes], progress: Progress
) -> tuple[list[Codes], Floats]:
    """Go through all combinations, key by key; what nobody has yet no longer key gives people."""
    codes = [np.zeros(1, np.uint32) for _ in levels]
    people = np.zeros(1)
    for key, level in enumerate(levels):
        progress("listing combinations", key / len(levels))
        rows = len(codes[0])
        codes = [np.repeat(code, len(level)) for code in codes]
        codes[key] = np.tile(level, rows)
        people = _look_up(model, codes, (2 << key) - 1)
        some = people > LEAST
        codes, people = [code[some] for code in codes], people[some]
    return codes, people


def _look_up(model: ExpectedPeople, codes: Sequence[Codes], shown: int) -> Floats:
    """Look up means, not too many at once."""
    parts = range(0, len(codes[0]), _LOOK_UPS)
    found = [model.means([code[k : k + _LOOK_UPS] for code in codes], shown) for k in parts]
    return np.concatenate([*found, np.empty(0)])


def _draw_people(
    model: ExpectedPeople, levels: Sequence[Codes], many: int, seed: int, progress: Progress
) -> tuple[list[Codes], Floats]:
    """Draw people from the model, key by key given the keys before; return whom, and how often."""
    numbers = np.arange(many, dtype=np.uint64)
    codes = [np.zeros(many, np.uint32) for _ in levels]
    for key, level in enumerate(levels):
        progress("drawing people", key / len(levels))
        draws = Draws(seed=seed, step=1, variable=model.keys[key]).uniforms(numbers)
        group, first = number(codes, [int(level.max()) for level in levels], rows=many)
        chosen = np.empty(many, np.uint32)
        step = max(1, _LOOK_UPS // len(level))
        order = np.argsort(group, kind="stable")
        ends = np.searchsorted(group[order], np.arange(0, len(first) + step, step))
        for place, start in enumerate(range(0, len(first), step)):
            some = first[start : start + step]
            asked = [np.repeat(code[some], len(level)) for code in codes]
            asked[key] = np.tile(level, len(some))
            share = np.cumsum(_look_up(model, asked, (2 << key) - 1).reshape(len(some), -1), axis=1)
            who = order[ends[place] : ends[place + 1]]
            edges = share[group[who] - start]
            below = edges <= draws[who, None] * edges[:, -1:]
            chosen[who] = level[np.minimum(below.sum(axis=1), len(level) - 1)]
        codes[key] = chosen
    group, first = number(codes, [int(level.max()) for level in levels], rows=many)
    return [code[first] for code in codes], np.bincount(group, minlength=len(first)).astype(float)


def _join(drawn: PeopleTable, codes: Sequence[Codes], people: Floats, mass: Floats) -> PeopleTable:
    """Put combinations without a record among those that were drawn."""
    rows = len(drawn)
    both = [
        np.concatenate([mine.astype(np.uint32), theirs.astype(np.uint32)])
        for mine, theirs in zip(drawn.codes, codes, strict=True)
    ]
    group, _ = number(both, drawn.sizes, rows=rows + len(people))
    known = np.zeros(int(group.max(initial=-1)) + 1, np.bool_)
    known[group[:rows]] = True
    new = rows + np.flatnonzero(~known[group[rows:]])
    kept = np.concatenate([np.arange(rows), new])
    kept = kept[np.argsort(group[kept], kind="stable")]
    nothing = np.zeros(len(people))
    small = [np.min_scalar_type(size) for size in drawn.sizes]
    return replace(
        drawn,
        codes=tuple(code[kept].astype(kind) for code, kind in zip(both, small, strict=True)),
        f=np.concatenate([drawn.f, nothing])[kept],
        weight=np.concatenate([drawn.weight, nothing])[kept],
        people=np.concatenate([drawn.people, people])[kept],
        mass=np.concatenate([drawn.mass, mass])[kept],
        gaps=np.concatenate([drawn.gaps, np.zeros(len(people), np.int64)])[kept],
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crowding:
    """When people who cannot be told apart are too few.

    Attributes:
        criteria: All of which must be met.
        model: Of the population; by frequencies and weights alone if None.
        mean_weight: Of a record; it stands for the weight of those of whom none was drawn.
    """

    criteria: tuple[SafetyCriterion, ...]
    model: ExpectedPeople | None
    mean_weight: float

    def unsafe(self, f: Floats, weight: Floats, people: Floats) -> NDArray[np.bool_]:
        """Tell which groups of people are too few; where none was drawn, as if one had been."""
        f, F = self._count(f, weight)
        exceeds = above_limit if self.model is None else partial(_above, self.model, people)
        result = np.zeros(len(f), np.bool_)
        for criterion in self.criteria:
            result |= criterion.unsafe(f, F, exceeds)
        return result

    def chance(self, f: Floats, weight: Floats, people: Floats) -> Floats:
        """Return the base risk of one among each group of people."""
        f, F = self._count(f, weight)
        if self.model is None:
            return individual_risk(f, F)
        return self.model.match_chance(f, people, np.minimum(f / F, 1.0))

    def _count(self, f: Floats, weight: Floats) -> tuple[Floats, Floats]:
        records = np.maximum(f, 1.0)
        return records, np.maximum(np.where(f > 0, weight, self.mean_weight), records)


def _above(
    model: ExpectedPeople, people: Floats, f: Floats, F: Floats, limit: Floats
) -> NDArray[np.bool_]:
    return model.above(f, people, np.minimum(f / F, 1.0), limit)
