"""Count the suppressed values that a recipient can guess from the file alone.

Three guesses, each on the file as it is written, order included: the value of the nearest record
before that shows one, the most frequent value of the other members of the household, and the value
that goes with that of another variable, if that one tells of the key (see `telling`). Where such a
guess has nothing to go by, the most frequent value of the file is guessed.

They are compared with blind guesses: the most frequent value of the file, or the value
of any record.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.display import format_grid, show_percent
from microsafe.results import Result
from microsafe.risk.counts.telling import compare_guesses, tells_much
from microsafe.svg import draw_bars

Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyGuesses:
    """What is guessed right of one key.

    Attributes:
        name: Of the key; empty for all keys together.
        blanks: Values suppressed.
        chance: Of them guessed right by the most frequent value.
        random: By the value of a record drawn at random, on average.
        before: By the nearest record before that shows a value.
        member: By the other members of the household; None without households.
        variable: By another variable that tells of the key; None if there is none.
        by: That variable.
    """

    name: str
    blanks: int
    chance: int
    random: float
    before: int
    member: int | None = None
    variable: int | None = None
    by: str = ""

    @property
    def shares(self) -> tuple[float | None, ...]:
        """Share guessed right by each guess, in their order; None where there is no such guess."""
        guesses = (self.chance, self.random, self.before, self.member, self.variable)
        return tuple(None if guess is None else guess / max(self.blanks, 1) for guess in guesses)

    @property
    def beyond(self) -> float:
        """Of them guessed right by whatever does best, beyond what blind guesses get right."""
        best = max(self.before, self.member or 0, self.variable or 0)
        return max(0.0, best - max(self.chance, self.random))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RecoverableBlanks(Result):
    """Suppressed values that the file gives away.

    Attributes:
        keys: What is guessed right, key by key.
    """

    keys: tuple[KeyGuesses, ...]

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        return "Suppressed values that the file gives away: share guessed right"

    @property
    def total(self) -> KeyGuesses:
        """All keys together."""

        def sum_of(name: str) -> int | None:
            found = [getattr(key, name) for key in self.keys]
            if all(each is None for each in found):
                return None
            # A key without such a guess is guessed by chance.
            return sum(
                k.chance if each is None else each for k, each in zip(self.keys, found, strict=True)
            )

        return KeyGuesses(
            name="",
            blanks=sum(key.blanks for key in self.keys),
            chance=sum(key.chance for key in self.keys),
            random=math.fsum(key.random for key in self.keys),
            before=sum(key.before for key in self.keys),
            member=sum_of("member"),
            variable=sum_of("variable"),
        )

    @property
    def share(self) -> float:
        """Share guessed right beyond blind guesses, each key by whatever does best."""
        return math.fsum(key.beyond for key in self.keys) / max(self.total.blanks, 1)

    def __repr__(self) -> str:
        """Return the shares guessed right as a table."""
        head = ("key", "suppressed", "most frequent", "any record", "record before", "members")
        rows = [(*head, "other variable"), *(_cells(key) for key in (*self.keys, self.total))]
        return "\n".join([self.title, *format_grid(rows, right=range(1, len(head)))])

    def _picture(self) -> str:
        shares = [(key.name, key.beyond / max(key.blanks, 1)) for key in self.keys]
        bars = [(name, share, show_percent(share)) for name, share in shares]
        return draw_bars("Guessed right beyond blind guesses", bars)

    def _rows(self) -> Iterator[tuple[str, str]]:
        yield "guessed right beyond blind guesses", show_percent(self.share)
        yield "suppressed", f"{self.total.blanks:,}"

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "share_above_chance": self.share,
            "keys": {key.name: _figures(key) for key in self.keys},
            "total": _figures(self.total),
        }


def _cells(found: KeyGuesses) -> tuple[str, ...]:
    """What is guessed right of a key, guess by guess."""
    *shares, last = ("–" if share is None else show_percent(share) for share in found.shares)
    by = f" ({found.by})" if found.by else ""
    return found.name or "all keys", f"{found.blanks:,}", *shares, last + by


def _figures(found: KeyGuesses) -> dict[str, Any]:
    names = ("blanks", "chance", "random", "before", "member", "variable", "by")
    return {name: getattr(found, name) for name in names}


def guess_blanks(
    name: str, shown: Codes, truth: Codes, *, household: Sequence[Codes] = ()
) -> KeyGuesses:
    """Guess the blanks of a key by the record before and by members of the household.

    Args:
        name: Of the key.
        shown: Its codes, from 1, in the order of the file; 0 where it is missing.
        truth: The same before suppression, in the same order and by the same codes; a negative
            number for a value that the file does not show anywhere.
        household: Numbers of households, from 1, by household variable; 0 for records without.
    """
    blank = _find_blanks(shown, truth)
    hidden, counts = truth[blank], _count_shown(shown)
    members = [_count_right(hidden, _go_together(shown, h)[h[blank]], counts) for h in household]
    return KeyGuesses(
        name=name,
        blanks=len(blank),
        chance=_count_right(hidden, np.zeros(len(blank), np.int64), counts),
        random=_expect_right(hidden, counts),
        before=_count_right(hidden, _last_shown(shown, blank), counts),
        member=max(members, default=None),
    )


def guess_by_variable(
    found: KeyGuesses, shown: Codes, truth: Codes, by: str, codes: Codes
) -> KeyGuesses:
    """Guess the blanks of a key by another variable too, if that tells much of them.

    Args:
        found: What is guessed right so far; it stays if another variable does better.
        shown: As `guess_blanks` has it.
        truth: Likewise.
        by: Name of the other variable.
        codes: Its codes, 0 where it is missing.
    """
    blank, counts = _find_blanks(shown, truth), _count_shown(shown)
    hidden, usual = truth[blank], np.argmax(counts)
    guess = _go_together(shown, codes)[codes[blank]]
    right, blind = np.where(guess == 0, usual, guess) == hidden, usual == hidden
    up, down = int(np.sum(right & ~blind)), int(np.sum(blind & ~right))
    if not tells_much(*compare_guesses(up, down, int(np.sum(~blind)))):
        return found
    if found.variable is not None and found.variable >= int(right.sum()):
        return found
    return replace(found, variable=int(right.sum()), by=by)


def _find_blanks(shown: Codes, truth: Codes) -> Codes:
    missing = np.flatnonzero(shown == 0)
    blank: Codes = missing[truth[missing] != 0]
    return blank


def _count_shown(shown: Codes) -> NDArray[np.int64]:
    """How many records show each code."""
    counts = np.bincount(shown, minlength=2)
    counts[0] = 0
    return counts


def _count_right(hidden: Codes, guess: Codes, counts: NDArray[np.int64]) -> int:
    """How many blanks are guessed right; 0 stands for the most frequent value."""
    return int(np.count_nonzero(np.where(guess == 0, np.argmax(counts), guess) == hidden))


def _expect_right(hidden: Codes, counts: NDArray[np.int64]) -> float:
    """How many are guessed right on average by the values of records drawn at random."""
    some = hidden[(hidden > 0) & (hidden < len(counts))]
    return float(counts[some].sum() / max(counts.sum(), 1))


def _count_pairs(shown: Codes, by: Codes) -> tuple[Codes, Codes]:
    """Pairs of a variable and a key that occur, in order, and how often."""
    width = int(shown.max()) + 1
    packed, count = np.unique(by.astype(np.int64) * width + shown, return_counts=True)
    return np.stack(np.divmod(packed, width), axis=1), count.astype(np.int64)


def _go_together(shown: Codes, by: Codes) -> Codes:
    """By code of a variable the most frequent code of the key; 0 where there is none."""
    found = np.zeros(int(by.max(initial=0)) + 1, np.int64)
    known = (shown > 0) & (by > 0)
    if known.any():
        pairs, count = _count_pairs(shown[known], by[known])
        order = np.lexsort((-pairs[:, 1], count))  # the most frequent last, of equals the lowest
        found[pairs[order, 0]] = pairs[order, 1]
    return found


def _last_shown(shown: Codes, blank: Codes) -> Codes:
    """For some records what the nearest one before each shows; 0 if none does."""
    missing = np.flatnonzero(shown == 0)
    # Missing ones in a row have the same distance to their number among the missing ones.
    run = missing - np.arange(len(missing))
    first = np.searchsorted(run, run)
    before = (missing[first] - 1)[np.searchsorted(missing, blank)]
    return np.where(before >= 0, shown[before], 0)
