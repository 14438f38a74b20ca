"""Distance-based record linkage: is a released record nearest to its own original?

Within equal released keys, distances are Euclidean on variables divided by the standard deviation
of the originals, or the same of their logarithms: an intruder may compare differences or ratios,
and the larger figure counts. Record i is linked if its own original is the nearest to its released
values; if m originals are equally near, it counts 1/m. The intruder knows the original values
exactly, and that the person is in the file: an upper bound for others.

Where keys were perturbed too, originals are searched by their true keys, a link counts as much as
the chance that the record still shows these, and the intruder may leave perturbed keys out: the
largest product counts.

References:
    Domingo-Ferrer and Torra (2001), A quantitative comparison of disclosure control methods for
    microdata. Hundepool et al. (2012), Statistical disclosure control, section 3.9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from microsafe.draws import Draws
from microsafe.risk.numeric.pairs import KeySubset, NumberPairs, Places, find_outer, take_logarithms
from microsafe.risk.numeric.tree import PointTree
from microsafe.sums import Floats

OUTER = 0.01  # of the records
_ALL = 200_000  # records up to which every one is looked for
_SAMPLE = 100_000  # of them otherwise
_ADJUSTED = 20_000  # linked records whose neighbours are looked at
_NEIGHBOURS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCounts:
    """How many of some records are linked.

    Attributes:
        records: How many there are.
        searched: How many of them were looked for.
        rate: Share that is linked.
        error: Standard error of the rate because only some were looked for; 0 if all were.
    """

    records: int
    searched: int
    rate: float
    error: float = 0.0

    @property
    def expected(self) -> float:
        """Records that are linked."""
        return self.rate * self.records


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkage:
    """Records that are linked: all, the outer ones, and adjusted for people outside the file.

    Attributes:
        all: All of them.
        outer: Those farthest out.
        adjusted: All, unless somebody outside the file is nearer.
        by_ratios: Whether more are linked by ratios of values than by differences.
    """

    all: LinkCounts
    outer: LinkCounts
    adjusted: LinkCounts
    by_ratios: bool = False


def measure_linkage(pairs: NumberPairs, looks: Sequence[KeySubset] = ()) -> Linkage:
    """Return which share of the records is linked.

    Args:
        pairs: The records.
        looks: Sets of keys at which the intruder may look, where some were perturbed: each record
            counts with the one by which it is linked most probably. The group of the pairs if none.
    """
    looks = looks or (KeySubset(group=pairs.group),)
    one = _measure(pairs, looks)
    other = _measure(take_logarithms(pairs), looks)
    larger = other.all.rate > one.all.rate
    outer = max(one.outer, other.outer, key=lambda each: each.rate)
    return replace(other if larger else one, outer=outer, by_ratios=larger)


def _measure(pairs: NumberPairs, looks: Sequence[KeySubset]) -> Linkage:
    """Linkage by distances of the values as they are given."""
    searches = [(LinkageSearch(replace(pairs, group=e.group)), e.chance) for e in looks]
    rows = _sample(np.arange(pairs.records), "linkage")
    outer = find_outer(pairs.before, OUTER)
    some = _sample(outer, "outer")
    both = np.union1d(rows, some)
    found = _find_largest(searches, both)
    linked = found[np.searchsorted(both, rows)]
    share = _adjust(searches, rows, linked)
    everything = _summarise(linked, pairs.records)
    return Linkage(
        all=everything,
        outer=_summarise(found[np.searchsorted(both, some)], len(outer)),
        adjusted=LinkCounts(
            records=pairs.records, searched=len(rows), rate=everything.rate * share,
            error=everything.error * share,
        ),
    )  # fmt: skip


def measure_outer(pairs: NumberPairs, outer: Places) -> LinkCounts:
    """Return which share of some records is linked."""
    some = _sample(outer, "outer")
    one = LinkageSearch(pairs).find_links(some)
    other = LinkageSearch(take_logarithms(pairs)).find_links(some)
    return max((_summarise(each, len(outer)) for each in (one, other)), key=lambda e: e.rate)


def _sample(rows: Places, name: str) -> Places:
    """Some of the records if there are many, always the same ones."""
    if len(rows) <= _ALL:
        return rows
    words = Draws(seed=0, step=0, variable=name).words(rows.astype(np.uint64))[:, 0]
    return np.sort(rows[np.argsort(words, kind="stable")[:_SAMPLE]])


def _summarise(linked: Floats, records: int) -> LinkCounts:
    count = len(linked)
    error = 0.0
    if count < records:
        error = math.sqrt(float(linked.var(ddof=1)) / count * (1 - count / records))
    return LinkCounts(
        records=records, searched=count, rate=float(linked.mean()) if count else 0.0, error=error
    )


def _find_largest(searches: Sequence[Search], rows: Places, *, adjusted: bool = False) -> Floats:
    """Chance to be linked by the keys that are best for each record.

    Args:
        searches: By sets of keys, with the chance to show them.
        rows: The records.
        adjusted: Whether nobody outside the file may be nearer.
    """
    best = np.zeros(len(rows))
    for search, chance in searches:
        linked = search.find_links(rows)
        if chance is not None:
            linked *= chance[rows]
        if adjusted:
            hits = np.flatnonzero(linked)
            linked[hits] *= search.find_chances(rows[hits])
        np.maximum(best, linked, out=best)
    return best


def _adjust(searches: Sequence[Search], rows: Places, linked: Floats) -> float:
    """Mean over linked records of the chance that nobody outside the file is nearer."""
    hits = _first(rows[linked > 0])
    if searches[0][0].pairs.weight is None or not len(hits):
        return 1.0
    adjusted = _find_largest(searches, hits, adjusted=True)
    return float(adjusted.sum() / linked[np.searchsorted(rows, hits)].sum())


def _first(rows: Places) -> Places:
    if len(rows) <= _ADJUSTED:
        return rows
    words = Draws(seed=0, step=0, variable="adjusted").words(rows.astype(np.uint64))[:, 0]
    return np.sort(rows[np.argsort(words, kind="stable")[:_ADJUSTED]])


class LinkageSearch:
    """Originals that released records are compared with.

    A variable that is missing, before or after, is not compared: records are searched by the
    variables that they show, among the originals that have these.

    Args:
        pairs: The records.
        spreads: What distances are divided by; the standard deviations of the originals if None.
    """

    def __init__(self, pairs: NumberPairs, spreads: Sequence[float] | None = None) -> None:
        self.pairs = pairs
        spreads = pairs.spreads() if spreads is None else spreads
        self._before, self._after = (
            [column / spread for column, spread in zip(columns, spreads, strict=True)]
            for columns in (pairs.before, pairs.after)
        )
        shown = [
            ~np.isnan(before) & ~np.isnan(after)
            for before, after in zip(self._before, self._after, strict=True)
        ]
        self._pattern: Places = sum(
            (each.astype(np.int64) << place for place, each in enumerate(shown)),
            np.zeros(pairs.records, np.int64),
        )
        self._trees: dict[int, tuple[PointTree, Places]] = {}

    def find_links(self, rows: Places) -> Floats:
        """Return 1 / m for records whose own original is among the m nearest, 0 for others."""
        linked = np.zeros(len(rows))
        for pattern, here in self._patterns(rows):
            tree, queries, _, own = self._prepare(pattern, rows[here])
            nearer, tied = tree.count_nearer(queries, own)
            linked[here] = np.where(nearer, 0.0, 1.0 / np.maximum(tied, 1))
        return linked

    def find_chances(self, rows: Places) -> Floats:
        """Return for linked records the chance that nobody outside the file is nearer.

        exp(-lambda), lambda = k (d_own / d_k)^p (w - 1): people outside the file that are to be
        expected within the distance of the own original, by the k nearest others of equal keys and
        their mean weight w. Whoever is alone with his keys gives no idea of them: 1.
        """
        chances = np.ones(len(rows))
        weight = self.pairs.weight
        for pattern, here in self._patterns(rows):
            tree, queries, places, own = self._prepare(pattern, rows[here])
            candidates = self._trees[pattern][1]
            count = min(_NEIGHBOURS, len(candidates) - 1)
            if count < 1 or weight is None:
                continue
            squares, near = tree.find_neighbours(queries, places, count)
            others = candidates[near]
            alike = np.full(len(rows[here]), count)
            if self.pairs.group is not None:  # those of other keys are farther than all of the same
                of = self.pairs.group[rows[here], None]
                alike = np.count_nonzero(self.pairs.group[others] == of, axis=1)
            farthest = np.take_along_axis(squares, np.maximum(alike - 1, 0)[:, None], axis=1)[:, 0]
            with np.errstate(invalid="ignore", divide="ignore"):
                ratio = np.where(farthest > 0, own / farthest, (own > 0).astype(np.float64))
            counted = np.arange(count) < alike[:, None]
            mean = (weight[others] * counted).sum(axis=1) / np.maximum(alike, 1)
            outside = np.maximum(mean - 1.0, 0.0)
            dimensions = int(pattern).bit_count()
            chances[here] = np.exp(-alike * ratio ** (dimensions / 2) * outside)
        return chances

    def _patterns(self, rows: Places) -> list[tuple[int, Places]]:
        """Which of some records show which variables; not those that show none."""
        of = self._pattern[rows]
        return [(each, np.flatnonzero(of == each)) for each in np.unique(of).tolist() if each]

    def _prepare(
        self, pattern: int, rows: Places
    ) -> tuple[PointTree, list[Floats], Places, Floats]:
        """The tree of a pattern, the released values, places of originals and their distance."""
        dimensions = [at for at in range(len(self._before)) if pattern >> at & 1]
        group = self._keep_apart(dimensions)
        if pattern not in self._trees:
            known = np.logical_and.reduce([~np.isnan(self._before[at]) for at in dimensions])
            candidates = np.flatnonzero(known)
            columns = [self._before[at][candidates] for at in dimensions]
            if group is not None:
                columns.insert(0, group[candidates])
            self._trees[pattern] = PointTree(columns), candidates
        tree, candidates = self._trees[pattern]
        queries = [self._after[at][rows] for at in dimensions]
        own = np.zeros(len(rows))
        for at, query in zip(dimensions, queries, strict=True):
            gap = self._before[at][rows] - query
            own += gap * gap
        if group is not None:
            queries.insert(0, group[rows])
        return tree, queries, np.searchsorted(candidates, rows), own

    def _keep_apart(self, dimensions: list[int]) -> Floats | None:
        """A coordinate that keeps records of different keys farther apart than all others."""
        if self.pairs.group is None:
            return None
        squares = 1.0
        for at in dimensions:
            ends = [
                float(end(column[~np.isnan(column)]))
                for column in (self._before[at], self._after[at])
                for end in (np.min, np.max)
            ]
            squares += (max(ends) - min(ends)) ** 2
        apart = math.ldexp(1.0, math.frexp(2 * math.sqrt(squares))[1])
        return self.pairs.group.astype(np.float64) * apart


Search = tuple[LinkageSearch, Floats | None]
