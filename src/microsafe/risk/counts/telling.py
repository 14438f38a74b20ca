"""Measure what variables that go out tell of a key beyond what is released of the key itself.

A key that was recoded, blanked or dropped protects nobody if another variable gives it back: the
stratum of the sample gives back the region. Half of the records, with their original values, teach
what goes with what, the other half is guessed by that, and the reverse. So a variable with many
codes gets nothing by chance: what it never showed in one half is guessed without it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.display import format_grid, show_percent
from microsafe.options.policy import DETERMINES
from microsafe.results import Result
from microsafe.svg import draw_bars

Codes = NDArray[np.integer[Any]]
Counts = NDArray[np.int64]

TELLS = 0.1  # from here on it is worth saying
SURE = 4.0  # standard deviations by which it must guess better than without the variable
GROUPS = 20  # groups of numbers
_OFTEN = 4  # records by code from which on hardly any code occurs once
_SMALL = 10_000  # groups of which a table costs nothing
_AS_THEY_ARE = 2**20  # joint codes that need not be numbered anew


def tells_much(share: float, z: float) -> bool:
    """Tell whether so much is told of a key that it is worth saying."""
    return z >= SURE and share >= TELLS


def compare_guesses(up: int, down: int, hidden: int) -> tuple[float, float]:
    """Return which share of what was unknown is told, and by how many standard deviations.

    Args:
        up: Values guessed right with what may tell, and wrong without.
        down: The other way round.
        hidden: Values guessed wrong without.
    """
    share = (up - down) / hidden if hidden else 0.0
    return share, (up - down) / max(math.sqrt(up + down), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TellingVariable:
    """What a variable that goes out, or two together, tell of a key.

    Attributes:
        key: The key that was recoded, blanked or dropped.
        variables: What tells of it.
        share: Of the original values that the release does not show, those that are told.
        z: By how many standard deviations it guesses better than without the variables.
        counted: Whether risk counts it anyway: in each scenario that has the key the variables are
            keys, too.
    """

    key: str
    variables: tuple[str, ...]
    share: float
    z: float
    counted: bool = False

    @property
    def tells(self) -> bool:
        """Whether it is worth saying."""
        return tells_much(self.share, self.z)

    @property
    def determines(self) -> bool:
        """Whether it gives the key back."""
        return self.z >= SURE and self.share >= DETERMINES

    @property
    def words(self) -> str:
        """Names of the variables."""
        return " + ".join(self.variables)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TellingVariables(Result):
    """Which variables that go out tell of keys that were changed.

    Attributes:
        keys: The keys that were changed.
        found: What tells of them, key by key, the most telling first.
    """

    keys: tuple[str, ...]
    found: tuple[TellingVariable, ...]

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        return "Original values of changed keys that other variables tell"

    @property
    def determining(self) -> tuple[TellingVariable, ...]:
        """Those that give a key back, and that no scenario counts as known."""
        return tuple(each for each in self.found if each.determines and not each.counted)

    @property
    def notable(self) -> tuple[TellingVariable, ...]:
        """Those that tell much of a key without giving it back."""
        return tuple(each for each in self.found if not (each.determines or each.counted))

    @property
    def share(self) -> float:
        """Largest share that is told; 0 if nothing is."""
        return max((each.share for each in self.found if not each.counted), default=0.0)

    def __repr__(self) -> str:
        """Return what is told as a table."""
        head = ("key", "told by", "share told", "")
        rows = [head, *(_cells(each) for each in self.found)]
        if not self.found:
            return f"{self.title}\n  nothing is told of {', '.join(self.keys) or 'any key'}"
        return "\n".join([self.title, *format_grid(rows, right=(2,))])

    def _picture(self) -> str:
        bars = [
            (f"{each.words}: {each.key}", each.share, show_percent(each.share))
            for each in self.found
        ]
        return draw_bars(self.title, bars)

    def _rows(self) -> Iterator[tuple[str, str]]:
        yield "changed keys", ", ".join(self.keys) or "none"
        for each in self.found:
            yield f"{each.words} tells {each.key}", show_percent(each.share)

    def round_figures(self) -> dict[str, dict[str, float]]:
        """Return what a lock says of them: by key the share that each variable tells."""
        found: dict[str, dict[str, float]] = {key: {} for key in self.keys}
        for each in self.found:
            found[each.key][each.words] = float(f"{each.share:.6g}")
        return found

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {"telling": [_figures(each) for each in self.found], "keys": list(self.keys)}


def _cells(found: TellingVariable) -> tuple[str, ...]:
    word = "determines it" if found.determines else ""
    word = "counted: a key beside it" if found.counted else word
    return found.key, found.words, show_percent(found.share), word


def _figures(found: TellingVariable) -> dict[str, Any]:
    return {
        "key": found.key,
        "variables": list(found.variables),
        "share": found.share,
        "determines": found.determines,
        "counted": found.counted,
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChangedKey:
    """A key before and after, counted once for all variables that may tell of it.

    A combination is what is released of the key, the half that a record is in, and its original
    value.

    Attributes:
        place: Combination of each record; -1 where the original value is missing.
        shown: Of each combination what is released of the key, from 0, and the half: 2 s + h.
        truth: Of each combination the original value.
        blank: Of each combination whether the release shows nothing of the key.
        hidden: Original values that are not guessed right without any variable.
        perturbed: Whether the release may show another value of the key than there was.
        blind: What is guessed without any variable, by `shown`.
    """

    place: Counts
    shown: Counts
    truth: Counts
    blank: NDArray[np.bool_]
    blind: Counts
    hidden: int
    perturbed: bool = False

    @classmethod
    def of_records(
        cls, truth: Codes, released: Codes, half: Codes, *, perturbed: bool = False
    ) -> ChangedKey:
        """Count a key.

        Args:
            truth: Original codes by record, 0 where they are missing.
            released: What is released of the key, in a coding of its own; 0 for nothing.
            half: 0 or 1 by record; members of a household are in one half where who lives together
                goes out.
            perturbed: Whether what is released may be another value than there was.
        """
        known = truth > 0
        side = released[known].astype(np.int64) * 2 + half[known]
        size = int(truth.max(initial=0)) + 1
        combinations, places, count = np.unique(
            side * size + truth[known], return_inverse=True, return_counts=True
        )
        place = np.full(len(truth), -1, np.int64)
        place[known] = places.reshape(-1)
        shown, value = np.divmod(combinations, size)
        sides = np.arange(int(shown.max(initial=0)) // 2 * 2 + 2)
        modes, there = _Modes.of(shown, value, count).find(sides ^ 1)
        overall, _ = _Modes.of(shown % 2, value, count).find(1 - sides % 2)
        blind = np.where(there, modes, overall)
        return cls(
            place=place,
            shown=shown,
            truth=value,
            blank=shown < 2,
            blind=blind,
            hidden=int(count[blind[shown] != value].sum()),
            perturbed=perturbed,
        )

    def measure(self, codes: Codes, same: Codes | None = None) -> tuple[float, float]:
        """Return which share of the hidden values some codes tell, and z.

        Args:
            codes: Of the variable by record; 0 where it is missing, which tells as well.
            same: What each code is called among original codes of the key, 0 for none, if the
                variable has the same code list: then the key is guessed to be the same.
        """
        known = self.place >= 0
        some, place = (codes, self.place) if known.all() else (codes[known], self.place[known])
        if int(some.max(initial=0)) * _OFTEN > len(some) and same is None:
            # A code that occurs once has nobody to teach it.
            again = np.bincount(some)[some] > 1
            some, place = some[again], place[again]
        guessed, count, code = self._count(some, place)
        found = [self._judge(guessed, count, self._learn(guessed, code, count))]
        if same is not None:
            blind, named = self.blind[self.shown[guessed]], same[code]
            found.append(self._judge(guessed, count, np.where(named > 0, named, blind)))
        return max(found)

    def _count(self, some: Codes, place: Counts) -> tuple[Counts, Counts, Counts]:
        """Combinations that occur with each code: combination, how often, code."""
        width = len(self.shown)
        packed = some.astype(np.int64) * width + place
        if (int(some.max(initial=0)) + 1) * width <= 4 * len(packed):
            whole = np.bincount(packed)
            there = np.flatnonzero(whole)
            count = whole[there]
        else:
            there, count = np.unique(packed, return_counts=True)
        code, guessed = np.divmod(there, width)
        return guessed, count.astype(np.int64), code

    def _learn(self, place: Counts, codes: Counts, count: Counts) -> Counts:
        """What is guessed by a code, learnt in the other half.

        Where the release shows nothing of the key, or nothing that is sure, and nobody in the other
        half shows the same and has the code, all with the code teach.
        """
        shown, value = self.shown[place], self.truth[place]
        unsure = self.blank[place] | self.perturbed
        group = codes * len(self.blind) + shown
        guess, seen = _Modes.of(group, value, count).find(group ^ 1)
        if not seen[unsure].all():
            half = codes * 2 + shown % 2
            more, there = _Modes.of(half, value, count).find(half ^ 1)
            take = unsure & ~seen & there
            guess, seen = np.where(take, more, guess), seen | take
        return np.where(seen, guess, self.blind[shown])

    def _judge(self, place: Counts, count: Counts, guess: Counts) -> tuple[float, float]:
        value, blind = self.truth[place], self.blind[self.shown[place]]
        right, without = guess == value, blind == value
        up = int(count[right & ~without].sum())
        down = int(count[without & ~right].sum())
        return compare_guesses(up, down, self.hidden)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Modes:
    """Most frequent value of each group, of equals the lowest; groups in order."""

    group: Counts
    value: Counts

    @classmethod
    def of(cls, group: Counts, value: Counts, count: Counts) -> _Modes:
        """Count values that may occur more than once in a group."""
        if not len(group):
            return cls(group=group, value=value)
        before, after = slice(None, -1), slice(1, None)
        later = group[after] > group[before]
        if not np.all(later | ((group[after] == group[before]) & (value[after] >= value[before]))):
            order = np.lexsort((value, group))
            group, value, count = group[order], value[order], count[order]
        first = _find_starts(group, value)
        count, group, value = np.add.reduceat(count, first), group[first], value[first]
        start = _find_starts(group)
        most = np.maximum.reduceat(count, start)
        size = np.diff(np.append(start, len(group)))
        top = np.flatnonzero(count == np.repeat(most, size))
        top = top[_find_starts(group[top])]
        return cls(group=group[top], value=value[top])

    def find(self, wanted: Counts) -> tuple[Counts, NDArray[np.bool_]]:
        """Return the values of some groups, 0 where there is no such group, and which there are."""
        if not len(self.group):
            return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
        size = int(self.group[-1]) + 1
        if size <= 4 * len(wanted) + _SMALL:
            table = np.full(max(size, int(wanted.max()) + 1), -1, np.int64)
            table[self.group] = self.value
            found = table[wanted]
            return np.maximum(found, 0), found >= 0
        place = np.minimum(np.searchsorted(self.group, wanted), len(self.group) - 1)
        there = self.group[place] == wanted
        return np.where(there, self.value[place], 0), there


def _find_starts(*keys: Counts) -> Counts:
    """Places at which one of some arrays that are in order together has another value."""
    differs = np.zeros(len(keys[0]), np.bool_)
    differs[:1] = True
    for key in keys:
        differs[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(differs)


def find_modes(group: Counts, value: Counts, count: Counts) -> tuple[Counts, Counts]:
    """Return groups in order, and the most frequent value of each, of equals the lowest."""
    modes = _Modes.of(group, value, count)
    return modes.group, modes.value


def group_codes(codes: Codes, groups: int = GROUPS) -> Codes:
    """Cut codes that are in order into groups of about equal numbers of records; 0 stays 0."""
    count = np.bincount(codes)
    count[0] = 0
    before = np.cumsum(count) - count
    bins = 1 + before * groups // max(int(count.sum()), 1)
    bins[0] = 0
    grouped: Codes = bins[codes]
    return grouped


def join_codes(one: Codes, other: Codes) -> Codes:
    """Return codes of two variables together."""
    joint = one.astype(np.int64) * (int(other.max(initial=0)) + 1) + other
    if int(joint.max(initial=0)) <= max(_AS_THEY_ARE, 4 * len(joint)):
        return joint
    numbered: Codes = np.unique(joint, return_inverse=True)[1].reshape(-1)
    return numbered
