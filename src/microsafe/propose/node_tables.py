"""Cells at every node of a lattice of recodes, and which of them are unsafe."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.propose.ladders.ladder import Ladder
from microsafe.risk import Reference, hazard, individual_risk
from microsafe.risk.record.subsets import Subsets
from microsafe.steps.suppress.criterion import KeySetDemand, SafetyCriterion
from microsafe.steps.suppress.own import find_unsafe
from microsafe.sums import Exact, Floats, sum_by

_LARGEST = 1 << 14  # entries of the table; beyond it the risk itself is asked for
_NEAR = 1e-9  # closer than this to the threshold, the risk itself decides
_HALVINGS = 45


class Threshold:
    """Tells which cells fail a criterion, as the criterion does, but much faster.

    Risk falls in F with f fixed and is at most 1/f, so a limit is a table F*(f) of length
    1/limit: a cell is safe if F is at least that. Where F is so near that rounding decides, the
    risk is computed, so that both always agree.

    Args:
        criterion: What records must meet.
    """

    def __init__(self, criterion: SafetyCriterion) -> None:
        self.criterion = criterion
        self._needed: Floats | None = None
        if criterion.above is not None and criterion.factor < criterion.above * _LARGEST:
            self._needed = _needed_people(criterion.above / criterion.factor)

    def unsafe(self, f: Floats, F: Floats) -> NDArray[np.bool_]:
        """Tell which pairs of frequencies are unsafe; f are whole numbers."""
        if self.criterion.above is not None and self._needed is None:
            return self.criterion.unsafe(f, F)
        result = np.zeros(len(f), np.bool_)
        if self.criterion.k is not None:
            result |= f < self.criterion.k
        if self.criterion.people is not None:
            result |= self.criterion.people > F
        if self._needed is not None:
            needed = self._needed[np.minimum(f, len(self._needed) - 1).astype(np.intp)]
            result |= needed * (1 - _NEAR) > F
            near = np.flatnonzero(~result & (needed * (1 + _NEAR) > F))
            result[near] = self.criterion.unsafe(f[near], F[near])
        return result

    def exposure(self, f: Floats, F: Floats) -> float:
        """Return what of the expected re-identifications rests on cells that could be unsafe.

        Without a limit on risk it is the number of unsafe records.
        """
        if self._needed is None:
            return float(f[self.unsafe(f, F)].sum())
        small = np.flatnonzero(f < len(self._needed) - 1)
        return float((f[small] * individual_risk(f[small], F[small])).sum())


def _needed_people(limit: float) -> Floats:
    """F*(f) for f = 0, 1, ... up to the first that is safe whatever F is."""
    f = np.arange(1, int(np.ceil(1 / limit)) + 2, dtype=np.float64)
    f = f[1.0 / f > limit]
    low, high = f.copy(), 2 * f
    while (above := individual_risk(f, high) > limit).any():
        low[above], high[above] = high[above], 2 * high[above]
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        above = individual_risk(f, middle) > limit
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.concatenate([[0.0], high, [0.0]])


Rungs = tuple[int, ...]
Flags = NDArray[np.bool_]
Words = NDArray[np.int64]

_WORD = 1 << 63
_DENSE = 1 << 18  # flags are held one by one up to so many, else those that are set
_HELD = 16_000_000  # cells in all tables that are held: about half a gigabyte
_NEVER = 1 << 30  # a rung that no table is asked for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NodeTable:
    """Cells of some keys at some rungs, in lexicographic order.

    Attributes:
        codes: Group of every cell by key; 0 for a key that is left out or missing.
        f: Records.
        weights: Sums of their weights, exact, so that it does not matter how a table was made.
    """

    codes: tuple[NDArray[Any], ...]
    f: Floats
    weights: Exact

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.f)

    @property
    def F(self) -> Floats:  # noqa: N802
        """Sum of the weights of every cell."""
        return self.weights.value


class Tables:
    """Tables of a file by rungs.

    Args:
        cells: Of the file.
        ladders: One for each key of the cells.
    """

    def __init__(self, cells: Cells, ladders: Sequence[Ladder]) -> None:
        self.cells = cells
        self.out = tuple(len(ladder.rungs) for ladder in ladders)
        self._groups = [
            [
                *(_compact(groups) for groups in ladder.rungs),
                np.zeros(len(ladder.rungs[0]), np.int8),
            ]
            for ladder in ladders
        ]
        self.sizes = [[int(groups.max(initial=0)) + 1 for groups in each] for each in self._groups]
        self._moves: dict[tuple[int, int, int], NDArray[Any]] = {}
        self._known: OrderedDict[Rungs, NodeTable] = OrderedDict()
        self._held = 0
        # Rungs and sizes of all tables that were made, to find one among them at once.
        self._names: list[Rungs] = []
        self._list = np.full((1, len(ladders)), _NEVER)
        self._sizes = np.zeros(1, np.int64)
        bottom = tuple(
            groups[0][code] for groups, code in zip(self._groups, cells.codes, strict=True)
        )
        self._bottom = NodeTable(
            codes=bottom, f=cells.count.astype(np.float64), weights=cells.weights
        )

    def at(self, rungs: Rungs) -> NodeTable:
        """Return the table of some rungs."""
        if rungs in self._known:
            self._known.move_to_end(rungs)
            return self._known[rungs]
        if not any(rungs):
            return self._bottom
        old, known = self._find_finer(rungs)
        codes = self.move(known, old, rungs)
        used = [j for j, rung in enumerate(rungs) if rung < self.out[j]]
        group, first = number(
            [codes[j] for j in used],
            [self.sizes[j][rungs[j]] - 1 for j in used],
            rows=len(known),
        )
        made = NodeTable(
            codes=tuple(code[first] for code in codes),
            f=sum_by(group, known.f, len(first)),
            weights=known.weights.group(group, len(first)),
        )
        self._remember(rungs, made)
        return made

    def _find_finer(self, rungs: Rungs) -> tuple[Rungs, NodeTable]:
        """Return the smallest table known that is finer than some rungs."""
        finer = np.flatnonzero((self._list <= rungs).all(axis=1))
        if not len(finer):
            return (0,) * len(rungs), self._bottom
        name = self._names[finer[np.argmin(self._sizes[finer])]]
        return name, self._known[name]

    def move(
        self, table: NodeTable, old: Rungs, new: Rungs, rows: Index | None = None
    ) -> tuple[NDArray[Any], ...]:
        """Return the groups that cells of a table, all or some, are in at rungs no finer."""
        moved = []
        for j, code in enumerate(table.codes):
            some = code if rows is None else code[rows]
            moved.append(some if old[j] == new[j] else self._move(j, old[j], new[j])[some])
        return tuple(moved)

    def _move(self, key: int, old: int, new: int) -> NDArray[Any]:
        """Return the group at a rung of every group of one below."""
        if (key, old, new) not in self._moves:
            after = self._groups[key][new]
            found = np.zeros(self.sizes[key][old], after.dtype)
            found[self._groups[key][old]] = after
            self._moves[key, old, new] = found
        return self._moves[key, old, new]

    def _remember(self, rungs: Rungs, table: NodeTable) -> None:
        """Hold a table, and let go of those that were not asked for the longest."""
        self._known[rungs] = table
        self._held += len(table)
        if len(self._names) == len(self._list):
            self._list = np.vstack([self._list, np.full_like(self._list, _NEVER)])
            self._sizes = np.concatenate([self._sizes, self._sizes])
        self._list[len(self._names)] = rungs
        self._sizes[len(self._names)] = len(table)
        self._names.append(rungs)
        while self._held > _HELD and len(self._known) > 1:
            name, gone = self._known.popitem(last=False)
            self._held -= len(gone)
            self._list[(self._list == name).all(axis=1)] = _NEVER

    def groups(self, key: int, rung: int) -> NDArray[Any]:
        """Return the group of every code of a key at a rung."""
        return self._groups[key][rung]

    def span(self, rungs: Rungs) -> int:
        """Return the number of combinations that there could be."""
        return math.prod(self.sizes[j][rung] for j, rung in enumerate(rungs))

    def pack(self, codes: Sequence[NDArray[Any]], rungs: Rungs, rows: Index | None) -> Words:
        """Return the codes of some cells in one word, in the order of the cells."""
        word: Words | None = None
        for j, rung in enumerate(rungs):
            size = self.sizes[j][rung]
            if size > 1:
                code = codes[j] if rows is None else codes[j][rows]
                word = code.astype(np.int64) if word is None else word * size + code
        count = len(codes[0]) if rows is None else len(rows)
        return np.zeros(count, np.int64) if word is None else word

    def cells_at(self, rungs: Rungs) -> Cells:
        """Return the cells of a node; categories are numbers."""
        table = self.at(rungs)
        return Cells(
            keys=self.cells.keys,
            categories=tuple(
                [str(group) for group in range(1, self.sizes[j][rung])]
                for j, rung in enumerate(rungs)
            ),
            codes=tuple(code.astype(np.uint32) for code in table.codes),
            count=table.f.astype(np.int64),
            weights=table.weights,
        )

    def parents(self, low: Rungs, high: Rungs, rows: Index | None = None) -> Index:
        """Return for cells at some rungs, all or some, their cells at higher ones."""
        below, above = self.at(low), self.at(high)
        if low == high:
            return np.arange(len(below)) if rows is None else rows
        codes = self.move(below, low, high, rows)
        if self.span(high) < _WORD:
            words = self.pack(above.codes, high, None)
            return np.searchsorted(words, self.pack(codes, high, None))
        both = [np.concatenate(pair) for pair in zip(above.codes, codes, strict=True)]
        sizes = [self.sizes[j][rung] - 1 for j, rung in enumerate(high)]
        return number(both, sizes, rows=len(both[0]))[0][len(above) :]


def _compact(groups: NDArray[np.int64]) -> NDArray[Any]:
    return groups.astype(np.min_scalar_type(int(groups.max(initial=0))))


class Safety(Protocol):
    """Tells which cells of a node are unsafe."""

    @property
    def monotone(self) -> bool:
        """Whether merging categories makes nobody unsafe."""

    def demands_at(self, rungs: Rungs) -> Sequence[KeySetDemand]:
        """Return what the cells of a node must meet."""

    def unsafe(self, rungs: Rungs) -> Index:
        """Return the cells that fail a demand."""

    def safe(self, rungs: Rungs, dropped: int, rows: Index) -> Flags:
        """Tell which of some cells meet all demands once some keys are blank."""

    def exposure(self, rungs: Rungs) -> float:
        """Return how much risk there is, to compare nodes by."""

    def hazards(
        self, rungs: Rungs, keys: int, rows: Index, factor: float, demand: int = 0
    ) -> Floats:
        """Return -ln(1 - risk) of some cells, seen by some keys only; by the model of a demand."""


class CompleteKeys:
    """Safety where no key is missing: tables of fewer keys are looked up, and shared by nodes.

    Args:
        tables: Of the file.
        demands: What must hold, for which keys; by f and F alone.
    """

    def __init__(self, tables: Tables, demands: Sequence[KeySetDemand]) -> None:
        self._tables, self._demands = tables, demands
        self._thresholds = {each.criterion: Threshold(each.criterion) for each in demands}
        self._flags: dict[tuple[Any, Rungs], Flags | Words] = {}
        self._hazards: dict[tuple[Rungs, float], Floats] = {}
        self.monotone = True

    def demands_at(self, rungs: Rungs) -> Sequence[KeySetDemand]:  # noqa: ARG002
        """Return what the cells of a node must meet."""
        return self._demands

    def unsafe(self, rungs: Rungs) -> Index:
        """Return the cells that fail a demand."""
        return np.flatnonzero(~self.safe(rungs, 0, np.arange(len(self._tables.at(rungs)))))

    def safe(self, rungs: Rungs, dropped: int, rows: Index) -> Flags:
        """Tell which of some cells meet all demands once some keys are blank."""
        result = np.ones(len(rows), np.bool_)
        for demand in self._demands:
            if not (demand.whole and demand.keys & dropped):
                seen = self._restrict(rungs, demand.keys & ~dropped)
                result &= ~self._look_up(demand, seen, self._tables.at(rungs).codes, rows)
        return result

    def _restrict(self, rungs: Rungs, keys: int) -> Rungs:
        pairs = enumerate(zip(rungs, self._tables.out, strict=True))
        return tuple(rung if keys >> j & 1 else out for j, (rung, out) in pairs)

    def _look_up(
        self, demand: KeySetDemand, seen: Rungs, codes: Sequence[NDArray[Any]], rows: Index
    ) -> Flags:
        """Tell which of some cells are unsafe, seen by some keys only."""
        flags = self._flags.get((demand.criterion, seen))
        if flags is None:
            table = self._tables.at(seen)
            unsafe = self._thresholds[demand.criterion].unsafe(table.f, table.F)
            flags = self._tables.pack(table.codes, seen, np.flatnonzero(unsafe))
            if self._tables.span(seen) <= _DENSE:
                dense = np.zeros(self._tables.span(seen), np.bool_)
                dense[flags] = True
                flags = dense
            self._flags[demand.criterion, seen] = flags
        if not len(flags):
            return np.zeros(len(rows), np.bool_)
        words = self._tables.pack(codes, seen, rows)
        if flags.dtype == np.bool_:
            return flags[words]  # type: ignore[return-value]
        place = np.minimum(np.searchsorted(flags, words), len(flags) - 1)
        found: Flags = flags[place] == words
        return found

    def hazards(
        self,
        rungs: Rungs,
        keys: int,
        rows: Index,
        factor: float,
        demand: int = 0,  # noqa: ARG002
    ) -> Floats:
        """Return -ln(1 - risk) of some cells, seen by some keys only."""
        seen = self._restrict(rungs, keys)
        if (seen, factor) not in self._hazards:
            table = self._tables.at(seen)
            if sum(map(len, self._hazards.values())) + len(table) > _HELD:
                self._hazards.clear()
            self._hazards[seen, factor] = _hazard(table.f, table.F, factor)
        return self._hazards[seen, factor][self._tables.parents(rungs, seen, rows)]

    def exposure(self, rungs: Rungs) -> float:
        """Return the expected re-identifications in small cells, or the unsafe records."""
        total = 0.0
        for demand in self._demands:
            table = self._tables.at(self._restrict(rungs, demand.keys))
            total += self._thresholds[demand.criterion].exposure(table.f, table.F)
        return total


class AnyKeys:
    """Safety as suppression judges it, for keys with gaps and whatever does not fit one word.

    Args:
        tables: Of the file.
        demands: What must hold, for which keys.
        references: For each demand the file and the model of the population that its risk is
            by, or None. People expected in cells that are merged add up; nothing is fitted anew.
    """

    def __init__(
        self,
        tables: Tables,
        demands: Sequence[KeySetDemand],
        references: Sequence[Reference | None] = (),
    ) -> None:
        self._tables, self._demands = tables, demands
        self._references = tuple(references) or (None,) * len(demands)
        self._last: tuple[Rungs, Subsets, Sequence[KeySetDemand]] | None = None
        self.monotone = not any(self._references)

    def demands_at(self, rungs: Rungs) -> Sequence[KeySetDemand]:
        """Return what the cells of a node must meet."""
        return self._node(rungs)[1]

    def unsafe(self, rungs: Rungs) -> Index:
        """Return the cells that fail a demand."""
        return np.flatnonzero(~self.safe(rungs, 0, np.arange(len(self._tables.at(rungs)))))

    def safe(self, rungs: Rungs, dropped: int, rows: Index) -> Flags:
        """Tell which of some cells meet all demands once some keys are blank."""
        subsets, demands = self._node(rungs)
        result: Flags = ~find_unsafe(subsets, rows, dropped, demands)
        return result

    def hazards(
        self, rungs: Rungs, keys: int, rows: Index, factor: float, demand: int = 0
    ) -> Floats:
        """Return -ln(1 - risk) of some cells, seen by some keys only; by the model of a demand."""
        subsets, demands = self._node(rungs)
        if not self._references or self._references[demand] is None:
            return _hazard(*subsets.frequencies(rows, keys), factor)
        f, F = demands[demand].count(subsets, rows, keys)
        known = F if subsets.cells.complete else None
        risk = demands[demand].risk(rows, keys, f, F, known=known)
        return hazard(np.minimum(factor * risk, 1.0))

    def _node(self, rungs: Rungs) -> tuple[Subsets, Sequence[KeySetDemand]]:
        if self._last is None or self._last[0] != rungs:
            cells = self._tables.cells_at(rungs)
            demands = [
                demand
                if reference is None
                else replace(demand, crowd=self._recode(reference, rungs).look_up(cells))
                for demand, reference in zip(self._demands, self._references, strict=True)
            ]
            self._last = rungs, Subsets(cells), demands
        return self._last[1:]

    def _recode(self, reference: Reference, rungs: Rungs) -> Reference:
        """Merge the categories of a reference as those of the node are."""
        cells = self._tables.cells
        for j, key in enumerate(cells.keys):
            if key in reference.cells.keys:
                code_of = {text: code for code, text in enumerate(cells.categories[j], 1)}
                groups = self._tables.groups(j, rungs[j])
                texts = reference.cells.categories[reference.cells.keys.index(key)]
                reference = reference.recode(key, [str(groups[code_of[each]]) for each in texts])
        return reference

    def exposure(self, rungs: Rungs) -> float:
        """Return the unsafe records."""
        return float(self._tables.at(rungs).f[self.unsafe(rungs)].sum())


def _hazard(f: Floats, F: Floats, factor: float) -> Floats:
    return hazard(np.minimum(factor * individual_risk(f, F), 1.0))


def choose_safety(
    tables: Tables, demands: Sequence[KeySetDemand], references: Sequence[Reference | None] = ()
) -> Safety:
    """Return the fast way to judge cells if it can be taken."""
    simple = not any(references) and all(
        each.limits is None and each.crowd is None and each.kept is None for each in demands
    )
    if simple and tables.cells.complete and tables.span((0,) * len(tables.out)) < _WORD:
        return CompleteKeys(tables, demands)
    return AnyKeys(tables, demands, references)
