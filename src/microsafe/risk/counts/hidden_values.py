"""Guess the values of a key that a file does not show from everything that it shows.

Whoever guesses has learnt what goes with what from records that show the key, or by hiding values
of records of his own in the same way. So what is hidden in a part of the records is guessed by the
original values of all others. A variable with many codes gets nothing by chance: what the other
parts never showed is guessed without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number
from microsafe.risk.counts.telling import GROUPS, group_codes, join_codes
from microsafe.sums import Floats

Codes = NDArray[np.integer[Any]]
Right = NDArray[np.bool_]
Afford = Callable[[int], None]  # makes room for so many bytes, or raises

PARTS = 5  # of the records, each guessed by all others
_BEST = 8  # variables of which pairs are tried
_MORE = 3  # variables that are added to the best pair
_AT_ONCE = 1 << 21  # numbers of a table of chances
_SEEN = 20.0  # records by code from which on a variable is learnt from as it is
_BINS, _IN_BIN = 20, 50  # of guesses by their chance, and how many a bin has at least
_PRIOR = 1.0  # records that a code is expected to have anyway, in naive Bayes
_TOGETHER = 14  # variables that are taken two by two
_CODES = 40  # of one of them
_MOST = 1 << 31  # sums over pairs, records and values
_TABLES = 1 << 26  # numbers of four bytes in all tables of pairs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Guesses:
    """Guesses of hidden values.

    Attributes:
        right: Which are right.
        chance: What the guesser thinks the chance of that is; more is more, and no more is meant.
    """

    right: Right
    chance: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HiddenKey:
    """A key whose original values a file does not show, at least not of all records.

    Attributes:
        truth: Original codes of the records that have a value.
        shown: What the file shows of the key, in a coding of its own; 0 for nothing.
        part: The part that each of these records is in.
        record: Which records they are.
        asked: Which of them are guessed, as places among them.
    """

    truth: Index
    shown: Index
    part: Index
    record: Index
    asked: Index

    @classmethod
    def of_records(cls, truth: Codes, shown: Codes, part: Index) -> HiddenKey:
        """Find what is hidden: blanks, and codes that stand for several original values.

        Args:
            truth: Original codes by record; 0 where there was none, which is nothing to hide.
            shown: What the file shows, in a coding of its own; 0 for nothing.
            part: From 0 to PARTS - 1 by record.
        """
        record = np.flatnonzero(truth)
        own, seen = truth[record].astype(np.intp), shown[record].astype(np.intp)
        _, first = number([seen, own], [_top(seen), _top(own)], rows=len(own))
        several = np.bincount(seen[first], minlength=_top(seen) + 1) > 1
        several[0] = True
        return cls(
            truth=own,
            shown=seen,
            part=part[record],
            record=record,
            asked=np.flatnonzero(several[seen]),
        )

    @property
    def hidden(self) -> Index:
        """Records whose value is hidden."""
        return self.record[self.asked]

    def guess(
        self, variables: Sequence[Sequence[Codes]], afford: Afford | None = None
    ) -> dict[str, Guesses]:
        """Guess in each way, and in the one that is surest of a value.

        Args:
            variables: Codes of every other variable by record, in one coding or several.
            afford: Makes room for tables of so many bytes, or raises; they are made anyhow if None.
        """
        found = {
            "screen": self.guess_by_screen(variables),
            "bayes": self.guess_by_bayes(variables, afford),
        }
        part = self.part[self.asked]
        sure = np.stack([calibrate(each, part) for each in found.values()])
        best = sure.argmax(axis=0)[None]
        right = np.stack([each.right for each in found.values()])
        chosen, chance = (np.take_along_axis(each, best, axis=0)[0] for each in (right, sure))
        return {**found, "surer": Guesses(right=chosen, chance=chance)}

    def guess_by_screen(self, variables: Iterable[Sequence[Codes]]) -> Guesses:
        """Guess by the variable, or pair of the best, that is right most often.

        Which it is is told by the other parts of the records.

        Args:
            variables: Codes of every other variable by record, in one coding or several.
        """
        blind, _ = self._learn(self.shown)
        found = [blind]
        alone: list[tuple[int, Codes]] = []
        for codings in variables:
            tried = [(self._try(codes[self.record], blind), codes) for codes in codings]
            found += [guesses for both, _ in tried for guesses in both]
            best, codes = max(tried, key=lambda each: _count_most(each[0]))
            alone.append((_count_most(best), codes))
        alone.sort(key=lambda each: -each[0])
        some = [codes[self.record] for _, codes in alone[:_BEST]]
        pairs = [join_codes(one, other) for one, other in combinations(some, 2)]
        for codes in pairs:
            found += self._try(codes, blind)
        found += self._add_variables(pairs, some, found)
        return self._choose(found)

    def _add_variables(
        self, pairs: Sequence[Codes], some: Sequence[Codes], found: Sequence[Guesses]
    ) -> Iterator[Guesses]:
        """Guess by the best pair with one variable more, then another, as long as it helps."""
        if not pairs:
            return
        tried = found[-2 * len(pairs) :]
        best = max(range(len(tried)), key=lambda j: int(tried[j].right.sum()))
        codes, guesses = pairs[best // 2], tried[best]
        for _ in range(_MORE):
            joined = [join_codes(codes, other) for other in some]
            made = [each for one in joined for each in self._try(one, guesses)]
            best = max(range(len(made)), key=lambda j: int(made[j].right.sum()))
            if made[best].right.sum() <= guesses.right.sum():
                return
            codes, guesses = joined[best // 2], made[best]
            yield guesses

    def guess_by_bayes(
        self, variables: Iterable[Sequence[Codes]], afford: Afford | None = None
    ) -> Guesses:
        """Guess by all as if they were independent given the value and one of them, each in turn.

        Those are taken that are right most often alone; of each the finest coding whose codes are
        seen often enough.

        Args:
            variables: As for `guess_by_screen`.
            afford: As for `guess`.

        References:
            Webb, Boughton and Wang (2005), "Not so naive Bayes: aggregating one-dependence
            estimators".
        """
        classes, own = np.unique(self.truth, return_inverse=True)
        blind, _ = self._learn(self.shown)
        often, ranked = min(len(self.record) / _SEEN, _CODES), []
        for codings in variables:
            fine = [codes for codes in codings if _top(codes) <= often]
            for codes in fine[:1]:
                some = codes[self.record]
                ranked.append((_count_most(self._try(some, blind)), some))
        ranked.sort(key=lambda each: -each[0])
        most = min(_TOGETHER, int(np.sqrt(_MOST / (max(1, len(self.asked)) * len(classes)))))
        best = [_close_gaps(codes) for _, codes in ranked[:most]]
        chosen = _choose_small([_close_gaps(self._lump_shown()), *best], len(classes))
        if afford is not None:
            afford(4 * _measure_tables(chosen, len(classes)))
        right = np.zeros(len(self.asked), np.bool_)
        chance = np.zeros(len(self.asked))
        for part in range(PARTS):
            taught, asked = self.part != part, self.part[self.asked] == part
            if taught.any() and asked.any():
                rows_asked = self.asked[asked]
                guess, chance[asked] = _pool_pairs(chosen, own, taught, rows_asked, len(classes))
                right[asked] = guess == own[rows_asked]
        return Guesses(right=right, chance=chance)

    def _lump_shown(self) -> Index:
        """Return what is shown, of which all that hides nothing is one code."""
        hiding = np.zeros(_top(self.shown) + 1, np.bool_)
        hiding[self.shown[self.asked]] = True
        return np.where(hiding[self.shown], self.shown, len(hiding))

    def _try(self, codes: Codes, blind: Guesses) -> list[Guesses]:
        """Guess by codes alone, and by what is shown of the key beside them; else blindly."""
        ways = (self._learn(codes), self._learn(join_codes(codes, self.shown)))
        return [
            Guesses(
                right=np.where(seen, guesses.right, blind.right),
                chance=np.where(seen, guesses.chance, blind.chance),
            )
            for guesses, seen in ways
        ]

    def _learn(self, codes: Codes) -> tuple[Guesses, Right]:
        """Guess the most frequent value of a code in the other parts, of equals the lowest.

        Returns:
            The guesses, and where the other parts have the code.
        """
        truth, part, asked = self.truth, self.part, self.asked
        if len(asked) < len(codes) // 4:  # who shows another code than all of them tells nothing
            there = np.zeros(_top(codes) + 1, np.bool_)
            there[codes[asked]] = True
            rows = np.flatnonzero(there[codes])
            codes, truth, part = codes[rows], truth[rows], part[rows]
            asked = np.searchsorted(rows, asked)
        pair, first = number([codes, truth], [_top(codes), _top(truth)], rows=len(codes))
        code, value = codes[first], truth[first]
        new = np.r_[True, code[1:] != code[:-1]]
        start, group = np.flatnonzero(new), np.cumsum(new) - 1
        pairs = len(code)
        here = np.bincount(part * pairs + pair, minlength=PARTS * pairs).reshape(PARTS, pairs)
        taught = here.sum(axis=0) - here  # by the other parts
        # The most frequent value of each code in one number with its place, counted backwards.
        top = np.maximum.reduceat(taught * pairs + np.arange(pairs)[::-1], start, axis=1)
        most, mode = top // pairs, value[pairs - 1 - top % pairs]
        chance = most / (np.add.reduceat(taught, start, axis=1) + 1)
        mine = part[asked] * len(start) + group[pair[asked]]
        seen = (most > 0).take(mine)
        right = (mode.take(mine) == truth[asked]) & seen
        return Guesses(right=right, chance=chance.take(mine)), seen

    def _choose(self, found: Sequence[Guesses]) -> Guesses:
        """Take in each part the guess that is right most often in the others."""
        part = self.part[self.asked]
        counts = np.stack([np.bincount(part[each.right], minlength=PARTS) for each in found])
        best = (counts.sum(axis=1, keepdims=True) - counts).argmax(axis=0)
        here = (part, np.arange(len(part)))
        return Guesses(
            right=np.stack([found[each].right for each in best])[here],
            chance=np.stack([found[each].chance for each in best])[here],
        )


def calibrate(guesses: Guesses, part: Index) -> Floats:
    """Return how often guesses of like chance are right in the other parts of the records."""
    bins = max(1, min(_BINS, len(part) // _IN_BIN))
    order = np.argsort(guesses.chance, kind="stable")
    edges = guesses.chance[order][np.arange(1, bins) * len(part) // bins]
    place = np.searchsorted(edges, guesses.chance, side="right") * PARTS + part
    every, right = (
        np.bincount(place, weights, minlength=bins * PARTS).reshape(bins, PARTS)
        for weights in (None, guesses.right.astype(np.float64))
    )
    others, found = (table.sum(axis=1, keepdims=True) - table for table in (every, right))
    share = np.divide(found, others, out=np.zeros_like(found), where=others > 0)
    calibrated: Floats = share.reshape(-1)[place]
    return calibrated


def code_variable(codes: Codes) -> tuple[Codes, ...]:
    """Return a variable by its codes and, if they are many, in groups of equal size as well."""
    if _top(codes) <= GROUPS:
        return (codes,)
    return codes, group_codes(codes)


def _close_gaps(codes: Codes) -> Index:
    """Number codes from 0 without gaps."""
    return number([codes], [_top(codes)], rows=len(codes))[0]


def _choose_small(variables: Sequence[Index], width: int) -> list[Index]:
    """Return the first variables of which tables are not too large; without the first if it is.

    Args:
        variables: Codes from 0, the better first.
        width: How many values there are.
    """
    chosen = [variables[0]]
    if _measure_tables(chosen, width) > _TABLES:
        chosen = [np.zeros_like(variables[0])]
    for codes in variables[1:]:
        if _measure_tables([*chosen, codes], width) > _TABLES:
            break
        chosen.append(codes)
    return chosen


def _measure_tables(variables: Sequence[Index], width: int) -> int:
    """Return the size of the tables of variables and pairs of them, in numbers of four bytes."""
    sizes = sorted(int(codes.max(initial=0)) + 1 for codes in variables)
    alone, pairs = sum(sizes), sum(sizes) ** 2 - sum(size**2 for size in sizes)
    at_work = sizes[-1] * sizes[-2] if len(sizes) > 1 else 0  # counts and shares, before logarithms
    return width * (5 * alone + pairs + 6 * at_work)


def _pool_pairs(
    variables: Sequence[Index], value: Index, taught: Right, rows: Index, width: int
) -> tuple[Index, Floats]:
    """Guess the value of some records, each variable in turn beside which others are independent.

    Args:
        variables: Codes from 0, by record.
        value: True values from 0, by record.
        taught: Whose values are learnt from.
        rows: Which records are guessed.
        width: How many values there are.

    Returns:
        The values, and the share that each has of the chances of all.
    """
    own = value[taught]
    records = np.bincount(own, minlength=width)
    sizes = [int(codes.max()) + 1 for codes in variables]
    learnt = [codes[taught] for codes in variables]
    beside = [codes * width + own for codes in learnt]
    alone = [
        np.bincount(both, minlength=size * width).reshape(-1, width)
        for both, size in zip(beside, sizes, strict=True)
    ]
    prior = (records + 0.5) / (records.sum() + 0.5 * width)
    starts = [np.log(table + _PRIOR * prior, dtype="f4") for table in alone]
    shares = [
        (table + _PRIOR * (table.sum(axis=1, keepdims=True) + 1.0) / (table.sum() + len(table)))
        / (records + _PRIOR)
        for table in alone
    ]
    pairs = {}
    for i, j in combinations(range(len(sizes)), 2):
        both = learnt[i] * (sizes[j] * width) + beside[j]
        seen = np.bincount(both, minlength=sizes[i] * sizes[j] * width)
        seen = seen.reshape(sizes[i], sizes[j], width)
        for (a, b), table in ((i, j), seen), ((j, i), seen.transpose(1, 0, 2)):
            share = (table + _PRIOR * shares[b]) / (alone[a][:, None] + _PRIOR)
            pairs[a, b] = np.log(share, dtype="f4").reshape(-1, width)
    guess, sure = np.empty(len(rows), np.intp), np.empty(len(rows))
    for some in _slices(len(rows), width * len(variables)):
        here = [codes[rows[some]] for codes in variables]
        score = np.stack([start[codes] for start, codes in zip(starts, here, strict=True)])
        for (i, j), table in pairs.items():
            score[i] += table.take(here[i] * sizes[j] + here[j], axis=0)
        # Who was never seen with a code cannot be judged beside it.
        known = np.stack([table[c].sum(axis=1) > 0 for table, c in zip(alone, here, strict=True)])
        score -= score.max(axis=(0, 2), keepdims=True)
        pooled = (np.exp(score) * known[:, :, None]).sum(axis=0)
        guess[some] = pooled.argmax(axis=1)
        every = pooled.sum(axis=1)
        sure[some] = np.divide(pooled.max(axis=1), every, out=np.zeros(len(every)), where=every > 0)
    return guess, sure


def _slices(rows: int, width: int) -> Iterator[slice]:
    step = max(1, _AT_ONCE // width)
    return (slice(start, start + step) for start in range(0, rows, step))


def _count_most(found: Iterable[Guesses]) -> int:
    return max(int(each.right.sum()) for each in found)


def _top(codes: Codes) -> int:
    return int(codes.max(initial=0))
