"""Chances of one key given others, from tables that shrink towards smaller ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number
from microsafe.draws import Draws
from microsafe.sums import Floats, sum_by

SHRINKAGES = (0.25, 1.0, 4.0, 16.0, 64.0, 256.0, 1024.0)
MOST_PARENTS = 3
_CONSIDERED = 12  # parents that are tried after the first
_WISHES = 20  # parents, and those that take their place where they are not shown
_LEARNT = 20_000  # rows that tables are chosen by
_CROWD = 50  # members of one role; with more it is an institution

IntArray = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]


class Predictor(NamedTuple):
    """What explains a key: the size, a place, or a key of somebody, its code or its group."""

    of: str  # "size", "place", "shared", "own", "before", "first" or "second"
    key: int = 0
    grouped: bool = False


FindShown = Callable[[Predictor, Index], Flags | None]


def close_codes(codes: IntArray) -> Index:
    """Return codes from 0 without large gaps between them."""
    most = int(codes.max(initial=0))
    if most < 4 * len(codes) + 1000:
        return codes.astype(np.intp, copy=False)
    return number([codes], [most], rows=len(codes))[0]


def choose_level(
    x: IntArray, codes: int, context: Index, weight: Floats, below: Floats
) -> tuple[float, float, Floats]:
    """Return the likelihood with each row left out, the best shrinkage, and chances under it.

    Args:
        x: Code of each row, from 0.
        codes: How many there are.
        context: Of each row.
        weight: Likewise.
        below: Chances that the table shrinks towards.
    """
    both = close_codes(context.astype(np.int64) * codes + x)
    inside = np.maximum(np.bincount(both, weight)[both] - weight, 0.0)
    every = np.maximum(np.bincount(context, weight)[context] - weight, inside)
    best: tuple[float, float, Floats] | None = None
    for shrinkage in SHRINKAGES:
        chance = (inside + shrinkage * below) / (every + shrinkage)
        value = float(np.add.reduce(weight * np.log(chance)))
        if best is None or value > best[0]:
            best = value, shrinkage, chance
    assert best is not None  # noqa: S101
    return best


class Relatives:
    """Rows of the same role in the same household, which stand side by side.

    Args:
        home: Household of each row, ascending.
    """

    def __init__(self, home: Index) -> None:
        start = np.flatnonzero(np.r_[True, home[1:] != home[:-1]]) if len(home) else home
        count = np.diff(np.r_[start, len(home)])
        self._home, self._first, self._count = (
            home,
            np.repeat(start, count),
            np.repeat(count, count),
        )

    def weigh_alike(self, code: IntArray, weight: Floats, rows: Index) -> Floats:
        """Add up the weights of rows of the same household and the same code, each row too."""
        made = weight[rows]  # of who has nobody of the same role in the household
        count = self._count[rows]
        some = np.flatnonzero(count > 1)
        if not len(some):
            return made
        first, mine = self._first[rows], code[rows[some]]
        made[some] = 0.0
        for place in range(min(int(count.max()), _CROWD)):
            there = count[some] > place
            some, mine = some[there], mine[there]
            at = first[some] + place
            made[some] += weight[at] * (code[at] == mine)
        crowd = np.flatnonzero(count > _CROWD)
        if len(crowd):
            inside = np.flatnonzero(self._count > _CROWD)
            pairs = [self._home[inside], code[inside]]
            group = np.zeros(len(self._home), np.intp)
            group[inside] = number(pairs, [int(pair.max()) for pair in pairs], rows=len(inside))[0]
            made[crowd] = np.bincount(group[inside], weight[inside])[group[rows[crowd]]]
        return made


class ConditionalChance:
    """P(code of a key | its parents) for the rows of one role; chosen and filled from the sample.

    Tables are chosen with each row left out of its own; chances leave out its whole household.

    Args:
        key: Number of the key.
        x: Its code in each row, from 1; 0 is a gap, which is not learnt from.
        inside: Group of each code, if the group is known; then only the code within it is asked.
        codes: How many it has.
        candidates: Codes of all that may explain it.
        weight: Of each row.
        relatives: Rows of the same household.

    Attributes:
        key: Number of the key.
        parents: What explains it, the best first.
        wishes: The parents, then what else tells most alone: the first of them that are shown, as
            many as there are parents, are used.
    """

    def __init__(
        self,
        key: int,
        x: IntArray,
        inside: IntArray | None,
        *,
        codes: int,
        candidates: Mapping[Predictor, IntArray],
        weight: Floats,
        relatives: Relatives,
    ) -> None:
        there = x > 0
        self.key, self._codes = key, codes
        self._x = np.where(there, x, 1).astype(np.int64) - 1
        self._weight = weight * there
        self._candidates, self._relatives = candidates, relatives
        self._spans = {name: int(codes.max(initial=0)) + 1 for name, codes in candidates.items()}
        self._start = np.zeros(len(x), np.intp)
        self._base = np.full(len(x), 1.0 / self._codes)
        if inside is not None:
            self._start = inside[self._x].astype(np.intp)
            self._base = 1.0 / np.bincount(inside)[self._start]
        self._tables: dict[tuple[Predictor, ...], list[tuple[Index, Floats]]] = {}
        self.parents, self._shrinkages, gains = self._search(_pick_rows(np.flatnonzero(there)))
        spare = [name for name in _rank(gains) if name not in self.parents]
        self.wishes = (*self.parents, *spare)[:_WISHES]

    def _search(
        self, rows: Index
    ) -> tuple[tuple[Predictor, ...], tuple[float, ...], dict[Predictor, float]]:
        """Take parents greedily while they tell enough; return what each alone would gain, too."""
        if not len(rows):
            return (), (1.0,), {}
        x, weight, context = self._x[rows], self._weight[rows], self._start[rows]
        reached, first, chance = choose_level(x, self._codes, context, weight, self._base[rows])
        enough = 0.5 * np.log(len(rows))
        parents: list[Predictor] = []
        shrinkages, gains = [first], dict[Predictor, float]()
        considered = list(self._candidates)
        while len(parents) < MOST_PARENTS:
            found = None
            for name in considered:
                codes = self._candidates[name][rows]
                joint = close_codes(context * self._spans[name] + codes)
                level = choose_level(x, self._codes, joint, weight, chance)
                if not parents:
                    gains[name] = level[0] - reached
                if found is None or level[0] > found[0][0]:
                    found = level, name, joint
            if found is None or found[0][0] - reached < enough:
                break
            (reached, shrinkage, chance), name, context = found
            parents.append(name)
            shrinkages.append(shrinkage)
            considered = [name for name in _rank(gains)[:_CONSIDERED] if name not in parents]
        told = {name: gain for name, gain in gains.items() if gain > enough}
        return tuple(parents), tuple(shrinkages), told

    def surprise(self, rows: Index, used: Index) -> Floats:
        """Return -log P of the codes of some rows, their household left out (see `surprises`)."""
        return self.surprises(rows, used, (1,))[0]

    def surprises(self, rows: Index, used: Index, times: Sequence[int]) -> Sequence[Floats]:
        """Return -log P of the codes of some rows, their household left out so many times.

        Args:
            rows: Which; none has a gap.
            used: What explains each: bit j stands for wish j.
            times: How often the household is left out, for each answer.
        """
        made = [np.empty(len(rows)) for _ in times]
        changes = np.flatnonzero(np.diff(used, prepend=-1))  # most often all rows use the same
        for bits in np.unique(used[changes]).tolist():
            names = tuple(name for bit, name in enumerate(self.wishes) if bits >> bit & 1)
            where = np.flatnonzero(used == bits)
            for each, chance in zip(
                made, self._find_chances(names, rows[where], times), strict=True
            ):
                each[where] = -np.log(chance)
        return made

    def choose_parents(self, rows: Index, find_shown: FindShown) -> Index:
        """Return the wishes that each row shows, as many as there are parents; bit j is wish j.

        Args:
            rows: Which.
            find_shown: Tells which of some rows show a wish; None if all do.
        """
        used, lacking = np.zeros(len(rows), np.int64), np.full(len(rows), len(self.parents))
        open_rows = np.arange(len(rows))
        for bit, name in enumerate(self.wishes):
            open_rows = open_rows[lacking[open_rows] > 0]
            if not len(open_rows):
                break
            there = find_shown(name, rows[open_rows])
            taking = open_rows if there is None else open_rows[there]
            used[taking] |= 1 << bit
            lacking[taking] -= 1
        return used

    def _find_chances(
        self, names: tuple[Predictor, ...], rows: Index, times: Sequence[int]
    ) -> Sequence[Floats]:
        chances = [self._base[rows] for _ in times]
        levels = zip(self._shrinkages, self._levels(names), strict=False)
        for shrinkage, (context, both) in levels:
            around, inside = (self._weigh(*each, rows) for each in (context, both))
            for place, count in enumerate(times):
                every, within = (_leave_out(*each, count) for each in (around, inside))
                every = np.maximum(every, within)
                chances[place] = (within + shrinkage * chances[place]) / (every + shrinkage)
        return chances

    def _weigh(self, code: Index, weights: Floats, rows: Index) -> tuple[Floats, Floats]:
        """Return the weight of all that is like some rows, and that of their household in it."""
        return weights[code[rows]], self._relatives.weigh_alike(code, self._weight, rows)

    def _levels(self, names: tuple[Predictor, ...]) -> Iterator[Sequence[tuple[Index, Floats]]]:
        """Go through the tables without parents, with the first, with the first two, and so on."""
        for count in range(len(names) + 1):
            yield self._count(names[:count])

    def _count(self, names: tuple[Predictor, ...]) -> Sequence[tuple[Index, Floats]]:
        """Count contexts, and codes in them: the number of each row, and the weight of each."""
        if names not in self._tables:
            context = self._start
            if names:
                before = self._count(names[:-1])[0][0].astype(np.int64)
                codes = self._candidates[names[-1]]
                context = close_codes(before * self._spans[names[-1]] + codes)
            both = close_codes(context.astype(np.int64) * self._codes + self._x)
            self._tables[names] = [
                (code.astype(np.int32), sum_by(code, self._weight, int(code.max()) + 1))
                for code in (context, both)
            ]
        return self._tables[names]


def _rank(gains: Mapping[Predictor, float]) -> list[Predictor]:
    return sorted(gains, key=lambda name: -gains[name])


def _leave_out(weight: Floats, mine: Floats, times: int) -> Floats:
    return np.maximum(weight - times * mine, 0.0)


def _pick_rows(rows: Index) -> Index:
    """Return the rows that tables are chosen by: all of them, or some drawn once and for all."""
    return rows if len(rows) <= _LEARNT else rows[_draw_places(len(rows))]


@lru_cache(maxsize=1)  # the keys of one role are asked one after the other
def _draw_places(count: int) -> Index:
    """Draw some of so many places, in order."""
    words = Draws(seed=0, step=0, variable="family").words(np.arange(count, dtype=np.uint64))[:, 0]
    low = np.flatnonzero(words <= np.partition(words, _LEARNT)[_LEARNT])  # hardly one too many
    return np.sort(low[np.argsort(words[low], kind="stable")[:_LEARNT]])
