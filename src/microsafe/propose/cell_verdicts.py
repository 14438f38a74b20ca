"""Which cells are unsafe at extended nodes, each found once for all nodes and sets of blanks.

There are two verdicts. One is of the node itself. The other is of all nodes that merge to it: with
f records, λ people expected and sampling fraction π, risk falls in f, falls in λ and rises in π,
each with the others fixed. Merging raises f and λ, and π of a merged cell is at least the lowest
one of the cells in it. So the risk at the merged f and λ and the lowest π is a bound below that of
every finer node, whatever is blank. By f and F alone both verdicts are the same.

Where keys have gaps, a model counts those who show what is seen, and π is thinned by the chance
that somebody does: the lowest one is taken of that as well. When a key goes, that chance rises, so
risk may rise slightly; what is proved then holds to about one per cent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.propose.node_tables import (
    Flags,
    NodeTable,
    Rungs,
    Tables,
    Words,
    among,
    find_words,
)
from microsafe.risk import Reference, hazard, individual_risk
from microsafe.risk.model.nonresponse import SharesAtRungs
from microsafe.risk.model.recodes import MergedModel
from microsafe.risk.record.subset_frequencies import places_of_each
from microsafe.steps.suppress.criterion import KeySetDemand
from microsafe.sums import Floats

_HELD = 1 << 24  # hazards that are held


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NodeMatches:
    """Who matches some cells of an extended node.

    Attributes:
        rows: The cells; they show all keys that are looked at.
        f: Records.
        F: Their weight.
        least: The lowest f/F of the cells of the file among them.
    """

    rows: Index
    f: Floats
    F: Floats
    least: Floats


class CellVerdicts:
    """CellVerdicts on cells of extended nodes.

    Args:
        tables: Of the file.
        demands: What must hold, for which keys.
        references: For each demand the file and the model of the population that its risk is by,
            or None. People expected in cells that are merged add up; nothing is fitted anew.
    """

    def __init__(
        self,
        tables: Tables,
        demands: Sequence[KeySetDemand],
        references: Sequence[Reference | None] = (),
    ) -> None:
        self._tables, self._demands = tables, demands
        self._references = tuple(
            reference if reference is not None and reference.model is not None else None
            for reference in references or [None] * len(demands)
        )
        self._models = [
            None if reference is None else _ExpectedAtRungs(tables, reference)
            for reference in self._references
        ]
        # By f and F merging only adds records, so a model with no limit on risk judges alike too.
        self._may_differ = [
            model is not None and demand.criterion.above is not None
            for model, demand in zip(self._models, demands, strict=True)
        ]
        shown = [code > 0 for code in tables.cells.codes]
        gaps = sum((~each).astype(np.int64) << j for j, each in enumerate(shown))
        self._patterns = [int(each) for each in np.unique(gaps)]
        self._seen: dict[tuple[Rungs, int], Rungs] = {}
        self._flags: dict[tuple[int, Rungs, bool], Words] = {}
        self._hazards: dict[tuple[int, float, Rungs, bool], tuple[Words, Floats]] = {}
        self._held = 0

    def unsafe(
        self,
        rungs: Rungs,
        dropped: int,
        words: Words,
        gaps: NDArray[np.int64],
        *,
        sure: bool = False,
    ) -> Flags:
        """Tell which of some cells fail a demand once some keys are blank.

        Args:
            rungs: Of the node.
            dropped: Keys that are blank.
            words: Of the cells at the node.
            gaps: Keys that each does not show.
            sure: Whether to tell those which do so at every node that merges to this one.
        """
        result = np.zeros(len(gaps), np.bool_)
        for number, demand in enumerate(self._demands):
            for pattern, some in self._part(gaps):
                gone = dropped | pattern
                if demand.whole and demand.keys & gone:
                    continue
                keys = demand.keys & ~gone
                seen = self._restrict(rungs, keys)
                flags = self._find_flags(number, seen, sure=sure)
                if len(flags):
                    asked = self._tables.leave_out(words[some], rungs, ~keys)
                    result[some] |= among(flags, asked, self._tables.span(seen))
        return result

    def hazards(
        self,
        rungs: Rungs,
        keys: int,
        words: Words,
        gaps: NDArray[np.int64],
        *,
        factor: float,
        demand: int = 0,
        sure: bool = False,
    ) -> Floats:
        """Return -ln(1 - risk) of some cells seen by some keys, by the model of a demand.

        Arguments as in `unsafe`; if `sure`, no node that merges to this one has a lower hazard.
        """
        result = np.zeros(len(gaps))
        for pattern, some in self._part(gaps):
            seen = self._restrict(rungs, keys & ~pattern)
            known, found = self._find_hazards(demand, factor, seen, sure=sure)
            asked = self._tables.leave_out(words[some], rungs, ~(keys & ~pattern))
            result[some] = found[np.searchsorted(known, asked)]
        return result

    def demands_at(self, rungs: Rungs) -> Sequence[KeySetDemand]:
        """Return what the cells of a node must meet, as suppression asks it."""
        cells = self._tables.cells_at(rungs)
        return [
            demand
            if reference is None
            else replace(demand, crowd=_recode(self._tables, reference, rungs).look_up(cells))
            for demand, reference in zip(self._demands, self._references, strict=True)
        ]

    def _part(self, gaps: NDArray[np.int64]) -> list[tuple[int, Index | slice]]:
        """Some cells by the keys that they do not show."""
        if not len(gaps):
            return []
        if self._patterns == [0] or not gaps.any():
            return [(0, slice(None))]
        return list(places_of_each(gaps).items())

    def _restrict(self, rungs: Rungs, keys: int) -> Rungs:
        if (rungs, keys) not in self._seen:
            pairs = enumerate(zip(rungs, self._tables.out, strict=True))
            seen = tuple(rung if keys >> j & 1 else out for j, (rung, out) in pairs)
            self._seen[rungs, keys] = seen
        return self._seen[rungs, keys]

    def _find_flags(self, number: int, seen: Rungs, *, sure: bool) -> Words:
        """Words of the cells that fail a demand: at this node, or at all that merge to it."""
        demand, model = self._demands[number], self._models[number]
        name = number, seen, sure and self._may_differ[number]
        if name not in self._flags:
            table = self._tables.at(seen)
            found = self._match(seen, table, _most_records(demand), gaps_count=model is None)
            if model is None:
                unsafe = demand.criterion.unsafe(found.f, found.F)
            else:
                unsafe = model.unsafe(demand, seen, table, found, sure=sure)
            self._flags[name] = table.words[found.rows[unsafe]]
        return self._flags[name]

    def _find_hazards(
        self, number: int, factor: float, seen: Rungs, *, sure: bool
    ) -> tuple[Words, Floats]:
        model = self._models[number] if self._models else None
        sure = sure and model is not None
        name = number, factor, seen, sure
        if name not in self._hazards:
            table = self._tables.at(seen)
            found = self._match(seen, table, np.inf, gaps_count=model is None)
            if model is None:
                risk = individual_risk(found.f, found.F)
            else:
                risk = model.chances(seen, table, found, sure=sure)
            if self._held > _HELD:
                self._hazards.clear()
                self._held = 0
            made = hazard(np.minimum(factor * risk, 1.0))
            self._held += len(made)
            self._hazards[name] = table.words[found.rows], made
        return self._hazards[name]

    def _match(
        self, seen: Rungs, table: NodeTable, most: float, *, gaps_count: bool
    ) -> NodeMatches:
        """Find who matches the cells that show all keys looked at and have few records.

        Args:
            seen: Rungs of the extended node.
            table: Its cells.
            most: Cells of as many records or more are left out.
            gaps_count: Whether who has a gap matches.
        """
        keys = [j for j, rung in enumerate(seen) if rung < self._tables.out[j]]
        shown = sum(1 << j for j in keys)
        some = table.f < most
        patterns = {pattern & shown for pattern in self._patterns} - {0}
        if patterns:
            for j in keys:
                some &= table.codes[j] > 0
        rows = np.flatnonzero(some)
        codes = [code[rows] for code in table.codes]
        f, F, least = table.f[rows], table.F[rows], table.least[rows]
        for pattern in sorted(patterns) if gaps_count else ():
            words = self._tables.pack(codes, seen, ~pattern)
            place, hit = find_words(table.words, words)
            f = f + np.where(hit, table.f[place], 0.0)
            F = F + np.where(hit, table.F[place], 0.0)
            least = np.where(hit, np.minimum(least, table.least[place]), least)
        return NodeMatches(rows=rows, f=f, F=F, least=least)


class _ExpectedAtRungs:
    """People expected at rungs, and what that says of risk.

    Args:
        tables: Of the file.
        reference: The file and the model.
    """

    def __init__(self, tables: Tables, reference: Reference) -> None:
        model = reference.model
        if not isinstance(model, MergedModel):
            raise TypeError("People at rungs are those of a model seen through recodes.")
        cells = tables.cells
        self._model = model
        self._places = [cells.keys.index(key) for key in model.keys]
        ladders = []
        for place, texts in zip(self._places, model.categories, strict=True):
            code_of = {text: code for code, text in enumerate(cells.categories[place], 1)}
            codes = np.array([0, *(code_of.get(text, 0) for text in texts)])
            ladders.append(
                [
                    tables.groups(place, rung)[codes].astype(np.intp)
                    for rung in range(tables.out[place])
                ]
            )
        self._ladders = ladders
        self._means = model.group(ladders, tick=lambda: tables.tick())
        self._finest = model.merge_shares([np.arange(len(ladder[0])) for ladder in ladders])
        self._shares = None if self._finest is None else SharesAtRungs(self._finest, ladders)
        self._lowest: dict[tuple[int, int, int], Floats] = {}

    def unsafe(
        self, demand: KeySetDemand, seen: Rungs, table: NodeTable, found: NodeMatches, *, sure: bool
    ) -> Flags:
        """Tell who fails a demand; if `sure`, at all nodes that merge to this one."""

        def exceeds(f: Floats, _: Floats, limit: Floats) -> Flags:
            result: Flags = 1.0 / f > limit
            some = np.flatnonzero(result)
            mean = self._expect(seen, table, found.rows[some])
            pi = _fractions(found, sure=sure)[some]
            if not sure:  # whom this finds safe is so the more if not all show what is seen
                risky = self._model.above(f[some], mean, pi, limit[some])
                result[some] = risky
                some, mean, pi = some[risky], mean[risky], pi[risky]
            if sure or (len(some) and self._is_thinned(seen)):
                pi = self._thin(seen, table, found.rows[some], pi, sure=sure)
                result[some] = self._model.above(f[some], mean, pi, limit[some])
            return result

        return demand.criterion.unsafe(found.f, found.F, exceeds)

    def chances(self, seen: Rungs, table: NodeTable, found: NodeMatches, *, sure: bool) -> Floats:
        """Return E(1/F | f), or a bound below it at all nodes that merge to this one."""
        pi = self._thin(seen, table, found.rows, _fractions(found, sure=sure), sure=sure)
        return self._model.match_chance(found.f, self._expect(seen, table, found.rows), pi)

    def _expect(self, seen: Rungs, table: NodeTable, rows: Index) -> Floats:
        """People who are expected to share what is seen."""
        rungs = tuple(seen[place] for place in self._places)
        codes = [table.codes[place][rows] for place in self._places]
        return self._means.at(rungs, codes, len(rows))

    def _is_thinned(self, seen: Rungs) -> bool:
        """Whether some records do not show what is seen."""
        return self._finest is not None and bool(self._finest.find_factors(self._shown(seen)))

    def _shown(self, seen: Rungs) -> int:
        """Return the keys of the model that are seen, as bits."""
        pairs = enumerate(zip(self._places, self._ladders, strict=True))
        return sum(1 << key for key, (place, ladder) in pairs if seen[place] < len(ladder))

    def _thin(
        self, seen: Rungs, table: NodeTable, rows: Index, fraction: Floats, *, sure: bool
    ) -> Floats:
        """Return sampling fractions among who shows what is seen, the lowest ones if `sure`."""
        if self._shares is None or not self._is_thinned(seen):
            return fraction
        rungs = [seen[place] for place in self._places]
        codes = [table.codes[place][rows] for place in self._places]
        bits = self._shown(seen)
        if not sure:
            return fraction * self._shares.at(rungs).look_up(codes, bits, len(rows))
        for key, code in enumerate(codes):
            if bits >> key & 1:
                fraction = fraction * self._find_lowest(bits, key, rungs[key])[code]
        return fraction

    def _find_lowest(self, bits: int, key: int, rung: int) -> Floats:
        """Return the lowest factor, by group of a key, for showing some keys; at most 1."""
        if (bits, key, rung) not in self._lowest and self._finest is not None:
            factors = self._finest.find_factors(bits)[key]
            groups = self._ladders[key][rung]
            lowest = np.ones(int(groups.max()) + 1)
            there = np.flatnonzero(factors[: len(groups)] > 0)
            np.minimum.at(lowest, groups[there], factors[there])
            self._lowest[bits, key, rung] = lowest
        return self._lowest[bits, key, rung]


def _fractions(found: NodeMatches, *, sure: bool) -> Floats:
    """Return the sampling fraction of each cell, or the lowest of the cells of the file in it."""
    fraction = np.minimum(found.f / found.F, 1.0)
    return np.minimum(found.least, fraction) if sure else fraction


def _most_records(demand: KeySetDemand) -> float:
    """From how many records on a cell is safe."""
    criterion = demand.criterion
    if criterion.people is not None:
        return np.inf
    by_risk = 0.0 if criterion.above is None else criterion.factor / criterion.above
    return max(float(criterion.k or 0), by_risk * (1 + 1e-9))


def _recode(tables: Tables, reference: Reference, rungs: Rungs) -> Reference:
    """Merge the categories of a reference as those of the node are."""
    cells = tables.cells
    for j, key in enumerate(cells.keys):
        if key in reference.cells.keys:
            code_of = {text: code for code, text in enumerate(cells.categories[j], 1)}
            groups = tables.groups(j, rungs[j])
            texts = reference.cells.categories[reference.cells.keys.index(key)]
            reference = reference.recode(key, [str(groups[code_of[text]]) for text in texts])
    return reference
