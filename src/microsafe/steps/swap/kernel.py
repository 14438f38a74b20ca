"""Targeted record swapping: households change places with others of another area.

Level by level, from the coarsest areas to the finest, households that stand out in their area must
move. At the finest level further ones are drawn, those that stand out most the likeliest, until a
share of all households has moved. Partners agree on a profile; a pair exchanges its areas, so that
every area keeps as many households of every profile as it had.

References:
    Shlomo, Tudor and Groom (2010), Data swapping for protecting census tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.draws import Words, uniforms
from microsafe.sums import Floats

Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
DrawWords = Callable[[int], Words]  # four words of each household, by number of the draw

ROUNDS = 12
_NOBODY = -1
_FEWEST = 20  # households of a class, so that chances do not tell who moved


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCounts:
    """How many records there are like those of a household, in its area.

    Attributes:
        least: By level, the count of its rarest member's combination in the area.
    """

    least: tuple[Codes, ...]

    @classmethod
    def of(cls, areas: Sequence[Codes], household: Codes, combination: Codes) -> MatchCounts:
        """Count them.

        Args:
            areas: Code of the area of every household, by level.
            household: Number of the household of every record, from 0.
            combination: Code of what is known of every record.
        """
        found = []
        for area in areas:
            width = int(combination.max(initial=0)) + 1
            _, place, count = np.unique(
                area[household] * width + combination, return_inverse=True, return_counts=True
            )
            least = np.full(len(area), np.iinfo(np.int64).max)
            np.minimum.at(least, household, count[place])
            found.append(least)
        return cls(least=tuple(found))

    def below(self, k: int) -> tuple[Flags, ...]:
        """Tell by level which households have a member with fewer than k like him."""
        return tuple(least < k for least in self.least)

    @property
    def risk(self) -> Floats:
        """Of each household at the finest level: one over that count."""
        return 1.0 / self.least[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapPairs:
    """Who changes places with whom.

    Attributes:
        partner: Of each household; itself if it stays.
        level: At which each moved; -1 if it stays.
        stuck: By level, households that had to move and are still in the same area.
        lacking: Further households that were to move for the sake of the rate, likewise.
    """

    partner: Codes
    level: Codes
    stuck: tuple[int, ...]
    lacking: int


def swap_households(
    areas: Sequence[Codes],
    crowds: MatchCounts,
    profiles: Sequence[Codes],
    draw: DrawWords,
    *,
    must: Sequence[Flags],
    rate: float,
) -> SwapPairs:
    """Pair households.

    Args:
        areas: Code of the area of every household, by level from coarse to fine.
        crowds: How many records are like theirs.
        profiles: Codes on which partners must agree, in the order in which they are tried.
        draw: Random words.
        must: By level, households that must move to another area of that level.
        rate: Share of households that move in all, at least.
    """
    count = len(areas[0])
    partner = np.full(count, _NOBODY)
    level = np.full(count, -1)
    risk = crowds.risk
    for number, (area, movers) in enumerate(zip(areas, must, strict=True)):
        _pair(movers & (partner == _NOBODY), area, profiles, risk, draw, partner)
        level[(level < 0) & (partner != _NOBODY)] = number
    wanted = int(np.ceil(rate * count)) - int(np.count_nonzero(partner != _NOBODY))
    lacking = max(0, wanted)
    if wanted > 0:
        chosen = _draw_further(partner == _NOBODY, risk, draw(2 * ROUNDS), (wanted + 1) // 2)
        _pair(chosen, areas[-1], profiles, risk, draw, partner)
        level[(level < 0) & (partner != _NOBODY)] = len(areas) - 1
        lacking = max(0, int(np.ceil(rate * count)) - int(np.count_nonzero(partner != _NOBODY)))
    alone = partner == _NOBODY
    partner[alone] = np.flatnonzero(alone)
    stuck = tuple(
        int(np.count_nonzero(movers & (area[partner] == area)))
        for movers, area in zip(must, areas, strict=True)
    )
    return SwapPairs(partner=partner, level=level, stuck=stuck, lacking=lacking)


def find_eligible(area: Codes, profiles: Sequence[Codes]) -> Flags:
    """Tell which households have somebody of the same profile in another area."""
    found = np.zeros(len(area), np.bool_)
    for profile in profiles:
        order = np.lexsort((area, profile))
        groups, first = np.unique(profile[order], return_index=True)
        last = np.append(first[1:], len(order)) - 1
        spread = area[order][first] != area[order][last]
        found |= spread[np.searchsorted(groups, profile)]
    return found


def class_households(must: Sequence[Flags], crowds: MatchCounts, eligible: Flags) -> Codes:
    """Put households into classes whose members are about as likely to move, from 1.

    First those that must move, by the first level at which they must; then others, by the count of
    their rarest member at the finest level, in bands that double. Classes of fewer than 20
    households join the next, the last one that before it. Those with nowhere to go have class 0.
    """
    least = crowds.least[-1]
    band = np.floor(np.log2(least / least.min())).astype(np.int64)
    found = len(must) + 1 + band
    for number in reversed(range(len(must))):
        found = np.where(must[number], number + 1, found)
    found = np.where(eligible, found, 0)
    sizes = np.bincount(found)
    names, name, held = np.zeros(len(sizes), np.int64), 1, 0
    for place in range(1, len(sizes)):
        names[place] = name
        held += int(sizes[place])
        if held >= _FEWEST:
            name, held = name + 1, 0
    if held and name > 1:
        names[names == name] = name - 1
    classes: Codes = names[found]
    return classes


def _draw_further(free: Flags, risk: Floats, words: Words, count: int) -> Flags:
    """Draw households that stay so far, with chances in proportion to their risk."""
    order = _race(np.flatnonzero(free), risk, words[:, 2])
    chosen = np.zeros(len(free), np.bool_)
    chosen[order[:count]] = True
    return chosen


def _race(who: Codes, risk: Floats, words: Words) -> Codes:
    """Put households into an order in which each comes next with a chance as its risk."""
    time = -np.log1p(-uniforms(words[who])) / risk[who]
    return who[np.lexsort((who, time))]


def _pair(
    movers: Flags,
    area: Codes,
    profiles: Sequence[Codes],
    risk: Floats,
    draw: DrawWords,
    partner: Codes,
) -> None:
    """Find partners for those who must move; `partner` is filled in."""
    for profile in profiles:
        for turn in range(ROUNDS):
            waiting = np.flatnonzero(movers & (partner == _NOBODY))
            donors = np.flatnonzero(~movers & (partner == _NOBODY))
            if not len(waiting) or not len(donors):
                return
            words = draw(turn)
            waiting = waiting[np.lexsort((waiting, words[waiting, 0]))]
            donors = _race(donors, risk, words[:, 1])
            left, right = _match(waiting, donors, profile)
            apart = area[left] != area[right]
            partner[left[apart]], partner[right[apart]] = right[apart], left[apart]
            if not len(left):
                break


def _match(left: Codes, right: Codes, profile: Codes) -> tuple[Codes, Codes]:
    """Pair the first of each profile on one side with the first on the other, and so on."""
    _, from_left, from_right = np.intersect1d(
        _number_within(left, profile),
        _number_within(right, profile),
        assume_unique=True,
        return_indices=True,
    )
    return left[from_left], right[from_right]


def _number_within(who: Codes, profile: Codes) -> Codes:
    """Return a key of profile and place in it: unique, and equal for those who are to be paired."""
    groups = profile[who]
    order = np.argsort(groups, kind="stable")
    ranked = groups[order]
    place = np.empty(len(who), np.int64)
    place[order] = np.arange(len(who)) - np.searchsorted(ranked, ranked)
    return groups * (len(profile) + 1) + place
