"""Local search after the greedy choice of shared blanks, with exact counts for every move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.progress import Progress
from microsafe.risk.record.reference import MatchingPeople
from microsafe.risk.record.subset_frequencies import Masks, Subsets
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.steps.suppress.matching_records import MatchIndex
from microsafe.sums import Floats

_STAGE = "looking for fewer blanks"
_FRUITLESS = 4  # rounds in a row that only exchange blanks
EFFORT = 1 << 28  # comparisons of two records that the search may spend
_COMPARISONS = 3_000_000  # for which moves are tried once
_CALL = 1 << 14  # comparisons that take as long as the rest of what is done to compare
_WEIGHING = 8  # comparisons that take as long as weighing who would suffer from one
_BLOCK = 1 << 22  # comparisons for which moves are weighed at a time


class LocalSearch:
    """Unsafe records with their blanks, and exact frequencies that follow every change.

    Records that were safe from the start stay so whatever happens: blanks only add matches. No
    record gets a second blank here, so none loses more than `own` would take.

    Args:
        cells: All cells.
        demands: What must hold, for which keys.
        cell: Cell of each record that was unsafe.
        keys: Keys blanked in it.
        counts: f and F of each record in the file with these blanks, a pair for each demand.
        costs: Of blanking each key.
        spared: Keys that must not be blanked.
        effort: Comparisons of two records that may be spent.

    Attributes:
        left: What is left of the effort.
    """

    def __init__(
        self,
        cells: Cells,
        demands: Sequence[KeySetDemand],
        cell: Index,
        keys: Masks,
        counts: Sequence[Floats],
        *,
        costs: Sequence[float],
        spared: int,
        effort: float = EFFORT,
    ) -> None:
        self.demands, self.keys, self.costs = demands, keys.copy(), costs
        self.counts = [count.copy() for count in counts]
        self._match = np.stack([np.ones(len(cell)), (cells.weight / cells.count)[cell]])
        able = [j for j in range(len(costs)) if not spared >> j & 1]
        self.able = sorted(able, key=lambda j: -costs[j])
        self.pairs = MatchIndex(cells, cell, keys)
        self._every = (1 << len(costs)) - 1
        self._subsets, self._cell = Subsets(cells), cell
        self._plain: dict[tuple[int, int], Floats] = {}
        self._known: dict[tuple[int, int], Floats] = {}
        self._before: list[tuple[int, Index, Floats]] | None = None  # counts that a move changed
        self._block = max(_BLOCK // max(len(cell), 1), 1)  # records that are compared at a time
        self.left = effort

    def improve(self, progress: Progress) -> Masks:
        """Improve until no move helps or the effort is spent, and return the blanks."""
        for key in self.able:
            blanked = np.flatnonzero(self.keys >> key & 1)
            for start in range(0, len(blanked), self._block):
                if self.left <= 0:
                    return self.keys
                progress(_STAGE, 1 - self.left / EFFORT)
                some = blanked[start : start + self._block]
                self.take_back(some[self._find_showable(some, key)], key)
        sideways, fruitless = False, 0
        while fruitless < _FRUITLESS:
            before = self.cost
            moves = self._list_moves(least=1)
            for start in range(0, len(moves.record), self._block):
                if self.left <= 0:
                    return self.keys
                progress(_STAGE, 1 - self.left / EFFORT)
                part = moves.pick(slice(start, start + self._block))
                part = part.pick(self._find_promising(part, sideways=sideways))
                for i, key in zip(part.record.tolist(), part.key.tolist(), strict=True):
                    self._replace(i, key, sideways=sideways)
            # Once nothing helps, blanks are exchanged at equal cost: then something may again.
            fruitless = 0 if self.cost < before else fruitless + sideways
            sideways = self.cost >= before
        return self.keys

    def improve_once(self, progress: Progress) -> Masks:
        """Take back what is not needed, and try the first blanks that may stand for several."""
        for key in self.able:
            self.take_back(np.flatnonzero(self.keys >> key & 1), key)
        moves = self._list_moves(least=2).pick(slice(_COMPARISONS // len(self.keys)))
        for done, (i, key) in enumerate(zip(moves.record, moves.key, strict=True)):
            progress(_STAGE, done / len(moves.record))
            self._replace(int(i), int(key))
        return self.keys

    @property
    def cost(self) -> float:
        """What all blanks cost."""
        return float(
            sum(c * np.count_nonzero(self.keys >> j & 1) for j, c in enumerate(self.costs))
        )

    def _list_moves(self, least: int) -> BlankMoves:
        """Blanks that may stand for several: those with most blanked records around them."""
        found = []
        for key in self.able:
            others = [code for j, code in enumerate(self.pairs.codes) if j != key]
            sizes = [int(code.max()) for code in others]
            group, first = number(others, sizes, rows=len(self.keys))
            around = np.bincount(group, self.keys > 0, len(first)).astype(np.int64)[group]
            open_ = (self.keys == 0) & (self.pairs.codes[key] > 0)
            rows = np.flatnonzero(open_ & (around >= least))
            found.append(np.stack([-around[rows], np.full(len(rows), key), rows]))
        all_ = np.concatenate([np.zeros((3, 0), np.int64), *found], axis=1)
        _, key, record = all_[:, np.lexsort(all_[::-1])]
        return BlankMoves(record=record, key=key)

    def _find_promising(self, moves: BlankMoves, *, sideways: bool) -> NDArray[np.bool_]:
        """Tell which moves may save something, or cost nothing, if those shown do not meet."""
        saved = np.zeros(len(moves.record))
        gains = _MoveGains(self, moves)
        place, near = gains.find_matches(self._every)
        for key in self.able:
            blanked = (self.keys[near] >> key & 1) == 1
            tried, move = near[blanked], place[blanked]
            # What is found of a record serves all moves before it.
            order = np.argsort(tried, kind="stable")
            for some in np.array_split(order, len(order) // self._block + 1):
                if self.left > 0:
                    shown = self._find_showable(tried[some], key, move[some], gains)
                    shown = move[some][shown]
                    saved += self.costs[key] * np.bincount(shown, minlength=len(saved))
        costs = np.array(self.costs)[moves.key]
        return (saved >= costs) & (saved > 0) if sideways else saved > costs

    def _find_showable(
        self, records: Index, key: int, move: Index | None = None, gains: _MoveGains | None = None
    ) -> NDArray[np.bool_]:
        """Tell which records may show a key again, each for itself.

        Args:
            records: Which records.
            key: Blanked in all of them.
            move: Which of the moves comes before that, for each record; none if None.
            gains: What the moves do.
        """
        showable = np.ones(len(records), np.bool_)
        some, trial = np.unique(records, return_inverse=True)
        keys = self.keys[some] & ~np.int64(1 << key)
        for place, demand in enumerate(self.demands):
            if not demand.keys >> key & 1:
                continue
            at, found = self.find_matches(some, self.keys[some], demand.keys)
            lost = self.pairs.tell_apart(some[at], found, key)
            own = self._count(place, some, keys, at[~lost], found[~lost])[:, trial]
            at, found = at[lost], found[lost]
            fewer = self.counts[place][:, found] - self.as_match(some[at])
            tight = self.find_unsafe(demand, found, self.keys[found], fewer)
            at, found, fewer = at[tight], found[tight], fewer[:, tight]
            size = np.bincount(at, minlength=len(some))
            owner = np.repeat(np.arange(len(records)), size[trial])
            within = np.arange(len(owner)) - np.repeat(
                np.cumsum(size[trial]) - size[trial], size[trial]
            )
            pair = (np.cumsum(size) - size)[trial][owner] + within
            self.left -= _WEIGHING * len(owner)
            if gains is None or move is None:
                showable[owner] = False
            else:
                own += gains.helps(move, records, key, demand.keys)
                more = fewer[:, pair] + gains.find_gains(move[owner], found[pair], demand.keys)
                bad = self.find_unsafe(demand, found[pair], self.keys[found[pair]], more)
                showable[owner[bad]] = False
            showable &= ~self.find_unsafe(demand, records, keys[trial], own)
        return showable

    def _replace(self, i: int, key: int, *, sideways: bool = False) -> None:
        """Blank one more key if that lets others be shown that cost more, or as much."""
        if self.keys[i]:
            return
        near = self._find_matches_of(i, 1 << key, self._every)
        near = near[self.keys[near] > 0]
        if len(near) < 2 - sideways:
            return
        keys, cost = self.keys[near], self.cost
        before: list[tuple[int, Index, Floats]] = []
        self._before = before
        self.set_blanks(i, 1 << key)
        for other in self.able:
            self.take_back(near[(self.keys[near] >> other & 1) == 1], other)
        self._before = None
        if self.cost < cost or (sideways and self.cost == cost and (self.keys[near] != keys).any()):
            return
        for place, rows, counts in reversed(before):
            self.counts[place][:, rows] = counts
        for j, old in zip([i, *near.tolist()], [0, *keys.tolist()], strict=True):
            self.keys[j] = old
            self.pairs.set_blanks(j, old)

    def take_back(self, records: Index, key: int) -> None:
        """Show a key of records again wherever everybody stays safe."""
        for i in records.tolist():
            if self.left > 0:
                self._show(i, key)

    def _show(self, i: int, key: int) -> None:
        """Show a key of a record if everybody stays safe."""
        old, keys = int(self.keys[i]), int(self.keys[i]) & ~(1 << key)
        changes = []
        for place, demand in enumerate(self.demands):
            if demand.keys >> key & 1:
                found = self._find_matches_of(i, old, demand.keys)
                lost = self.pairs.tell_apart([i], found, key)
                rows = np.append(found[lost], i)
                counts = self.counts[place][:, rows] - self.as_match([i])
                counts[:, -1] = self.count_one(place, i, keys, found[~lost])
                masks = self.keys[rows]
                masks[-1] = keys
                if self.find_unsafe(demand, rows, masks, counts).any():
                    return
                changes.append((place, rows, counts))
        self._apply(i, keys, changes)

    def set_blanks(self, i: int, keys: int) -> None:
        """Blank one key more of a record, or one less, whether that is safe or not."""
        old, changes = int(self.keys[i]), []
        key, sign = (old ^ keys).bit_length() - 1, 1.0 if keys & ~old else -1.0
        for place, demand in enumerate(self.demands):
            found = self._find_matches_of(i, old | keys, demand.keys)
            apart = self.pairs.tell_apart([i], found, key)
            apart &= demand.keys >> key & 1 == 1
            rows = np.append(found[apart], i)
            counts = self.counts[place][:, rows] + sign * self.as_match([i])
            counts[:, -1] = self.count_one(place, i, keys, found if sign > 0 else found[~apart])
            changes.append((place, rows, counts))
        self._apply(i, keys, changes)

    def _apply(self, i: int, keys: int, changes: Sequence[tuple[int, Index, Floats]]) -> None:
        for place, rows, counts in changes:
            if self._before is not None:
                self._before.append((place, rows, self.counts[place][:, rows]))
            self.counts[place][:, rows] = counts
        self.keys[i] = keys
        self.pairs.set_blanks(i, keys)

    def _find_matches_of(self, i: int, keys: int, within: int) -> Index:
        """Find who matches one record (see `MatchIndex.find_matches_of`), and count the effort."""
        self.left -= len(self.keys) + _CALL
        return self.pairs.find_matches_of(i, keys, within)

    def find_matches(self, records: Index, keys: Masks, within: int) -> tuple[Index, Index]:
        """Find who matches some records (see `MatchIndex.find_matches`), and count the effort."""
        self.left -= len(records) * len(self.keys) + _CALL
        return self.pairs.find_matches(records, keys, within)

    def as_match(self, records: Index | list[int]) -> Floats:
        """What each record adds to f and F of those that it matches."""
        return self._match[:, records]

    def _count(self, place: int, records: Index, keys: Masks, at: Index, found: Index) -> Floats:
        """Return f and F of records with some keys blanked, given who matches them now."""
        within = self.demands[place].keys
        new = ~self.pairs.matched_before(records[at], keys[at], found, within)
        more = [np.bincount(at[new], each, len(records)) for each in self.as_match(found[new])]
        plain = np.empty((2, len(records)))
        for mask in np.unique(keys & within).tolist():
            some = (keys & within) == mask
            plain[:, some] = self._count_plain(within, mask)[:, records[some]]
        return plain + np.stack(more)

    def count_one(self, place: int, i: int, keys: int, found: Index) -> Floats:
        """Return f and F of a record with some keys blanked, given who matches it now."""
        within = self.demands[place].keys
        new = self.pairs.find_new(i, keys, found, within)
        counted: Floats = self._count_plain(within, keys & within)[:, i].copy()
        counted += len(new), self._match[1, new].sum()
        return counted

    def _count_plain(self, within: int, keys: int) -> Floats:
        """Return f and F in the original file of records that show all but some keys."""
        if (within, keys) not in self._plain:
            rows, where = np.unique(self._cell, return_inverse=True)
            counts = np.stack(self._subsets.frequencies(rows, within & ~keys))
            self._plain[within, keys] = counts[:, where]
        return self._plain[within, keys]

    def find_unsafe(
        self, demand: KeySetDemand, records: Index, keys: Masks, counts: Floats
    ) -> NDArray[np.bool_]:
        """Tell which records are unsafe with some keys blanked and some f and F."""
        f, F = counts
        shown = demand.keys & ~keys
        known = None
        if demand.crowd is not None:
            known = np.empty(len(records))
            for mask in np.unique(shown).tolist():
                some = shown == mask
                known[some] = self._know(demand.crowd, demand.keys, mask)[records[some]]
        return demand.unsafe(self._cell[records], shown, f, np.maximum(F, f), known=known)

    def _know(self, crowd: MatchingPeople, within: int, shown: int) -> Floats:
        """Weight of those who truly share what records show."""
        if (within, shown) not in self._known:
            rows, where = np.unique(self._cell, return_inverse=True)
            self._known[within, shown] = crowd.known_weight(rows, shown)[where]
        return self._known[within, shown]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlankMoves:
    """Records that show all, and a key that may be blanked in each."""

    record: Index
    key: Index

    def pick(self, some: slice | NDArray[np.bool_]) -> BlankMoves:
        """Return some of the moves."""
        return BlankMoves(record=self.record[some], key=self.key[some])


class _MoveGains:
    """Whom some moves would help, each made alone."""

    def __init__(self, polish: LocalSearch, moves: BlankMoves) -> None:
        self._polish, self._moves = polish, moves
        self._matches: dict[int, tuple[Index, Index]] = {}
        self._pairs: dict[int, Index] = {}

    def find_matches(self, within: int) -> tuple[Index, Index]:
        """Return who matches on some keys once a move is made, and which move it is."""
        if within not in self._matches:
            keys = np.int64(1) << self._moves.key
            self._matches[within] = self._polish.find_matches(self._moves.record, keys, within)
        return self._matches[within]

    def find_gains(self, move: Index, records: Index, within: int) -> Floats:
        """Return what a move adds to f and F of records."""
        if within not in self._pairs:
            at, found = self.find_matches(within)
            new = self._are_apart(at, found, within)
            self._pairs[within] = at[new] * len(self._polish.keys) + found[new]
        listed = self._pairs[within]
        asked = move * len(self._polish.keys) + records
        place = np.minimum(np.searchsorted(listed, asked), len(listed) - 1)
        hit = listed[place] == asked if len(listed) else np.zeros(len(asked), np.bool_)
        gained: Floats = self._polish.as_match(self._moves.record[move]) * hit
        return gained

    def helps(self, move: Index, records: Index, key: int, within: int) -> Floats:
        """Return what it adds to those of records which match after it, and show a key then."""
        code = self._polish.pairs.codes[key]
        i = self._moves.record[move]
        agree = (code[i] == code[records]) | (code[i] == 0)
        helped = agree & self._are_apart(move, records, within)
        gained: Floats = self._polish.as_match(i) * helped
        return gained

    def _are_apart(self, move: Index, records: Index, within: int) -> NDArray[np.bool_]:
        """Tell which records show another category of the key of a move."""
        apart = np.zeros(len(move), np.bool_)
        for key in np.unique(self._moves.key).tolist():
            some = np.flatnonzero((self._moves.key[move] == key) & (within >> key & 1 == 1))
            records_of = self._moves.record[move[some]]
            apart[some] = self._polish.pairs.tell_apart(records_of, records[some], key)
        return apart
