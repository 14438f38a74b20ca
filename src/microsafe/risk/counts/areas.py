"""How coarse geography must be for a survey to support it: coefficients of variation.

The number of people in a category, F̂, is a sum of weights. How much it would differ in another
sample is told by linearisation, by cluster: households where one is named, else records.

References:
    Franconi and Polettini, remarks on the individual risk methodology, section 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import number_packed
from microsafe.display import keep_on_one_line, show_percent
from microsafe.errors import InputError, UsageError
from microsafe.results import MakeFrame, Result
from microsafe.sums import Floats, sum_by
from microsafe.svg import draw_bars

Index = NDArray[np.intp]
USUAL_LIMIT = 0.3
_MOST_CATEGORIES = 2_000
_MOST_NAMED = 8  # groups in a line


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaCell:
    """People of a category, or of an area and a category, and how sure that is.

    Attributes:
        categories: One of each variable of the table.
        records: In the file.
        people: Sum of their weights.
        variation: Coefficient of variation of `people`.
    """

    categories: tuple[str, ...]
    records: int
    people: float
    variation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaTable:
    """One variable, or geography and one key.

    Attributes:
        keys: Of which variables; geography is the first of two.
        cells: Those that occur, in the order of codes.
        limit: What no coefficient of variation should exceed.
        merged: Categories of the first variable to be merged, in groups of two or more; none if
            that does not help.
        supported: Whether no coefficient is above the limit then, and more than one group is left.
    """

    keys: tuple[str, ...]
    cells: tuple[AreaCell, ...]
    limit: float
    merged: tuple[tuple[str, ...], ...]
    supported: bool

    @property
    def above(self) -> tuple[AreaCell, ...]:
        """Cells above the limit."""
        return tuple(cell for cell in self.cells if cell.variation > self.limit)

    @property
    def largest(self) -> float:
        """Largest coefficient of variation."""
        return max((cell.variation for cell in self.cells), default=0.0)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Groups of a recode: the first of the merged categories stands for all."""
        return {group[0]: group for group in self.merged}

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "keys": list(self.keys),
            "cells": len(self.cells),
            "above": len(self.above),
            "largest": self.largest,
            "merge": [list(group) for group in self.merged],
            "supported": self.supported,
            "categories": [
                {
                    "categories": list(cell.categories),
                    "records": cell.records,
                    "people": cell.people,
                    "variation": cell.variation,
                }
                for cell in self.cells
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SmallAreas(Result):
    """How sure the survey is of the people in each category, area by area.

    Attributes:
        source: The file.
        areas: The variable with geography.
        weight: Sampling weight.
        household: Named as cluster; None if records are.
        clusters: How many there are.
        limit: What no coefficient of variation should exceed.
        tables: Geography, each key, and both together.
        labels: Of the variables, by name.
    """

    source: str
    areas: str
    weight: str
    household: str | None
    clusters: int
    limit: float
    tables: tuple[AreaTable, ...]
    _frame: MakeFrame
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """One line that says what was measured."""
        return f"Small areas: {keep_on_one_line(self.source)}, by {keep_on_one_line(self.areas)}"

    def find_table(self, *keys: str) -> AreaTable:
        """Return the table of some variables; of geography alone if none is named."""
        wanted = keys or (self.areas,)
        for table in self.tables:
            if table.keys == wanted:
                return table
        raise UsageError(f"There is no table of {' and '.join(wanted)} here.")

    def table(self) -> Any:
        """Return a frame with a row for each cell."""
        rows = [
            (" × ".join(table.keys), " × ".join(cell.categories), cell.records, cell.people,
             cell.variation)
            for table in self.tables for cell in table.cells
        ]  # fmt: skip
        names = ("keys", "categories", "records", "people", "variation")
        columns: list[tuple[Any, ...]] = list(zip(*rows, strict=True))
        return self._frame(
            {name: list(column) for name, column in zip(names, columns, strict=True)}
        )

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "areas": self.areas,
            "weight": self.weight,
            "clusters": self.clusters,
            "by": "households" if self.household else "records",
            "limit": self.limit,
            "tables": [table.summary() for table in self.tables],
        }

    def _picture(self) -> str:
        bars = [
            (" × ".join(table.keys), share, show_percent(share))
            for table in self.tables
            for share in [len(table.above) / max(len(table.cells), 1)]
        ]
        return draw_bars("Cells of which the survey is not sure", bars)

    def _rows(self) -> Iterator[tuple[str, str]]:
        yield "households" if self.household else "records", f"{self.clusters:,}"
        yield "limit of the coefficient of variation", show_percent(self.limit)
        for table in self.tables:
            said = f"{len(table.above):,} of {len(table.cells):,} above, largest "
            name = " × ".join(map(keep_on_one_line, table.keys))
            yield name, said + show_percent(table.largest)
            if table.merged:
                yield "  merge", _name_groups(table.merged)
            if not table.supported:
                key = keep_on_one_line(table.keys[-1])
                yield "  merging is not enough", f"recode {key}, or leave it out"


def _name_groups(groups: Sequence[Sequence[str]]) -> str:
    """Groups of categories in a line."""
    named = ["+".join(map(keep_on_one_line, group)) for group in groups[:_MOST_NAMED]]
    more = len(groups) - len(named)
    return ", ".join([*named, *([f"and {more:,} more"] if more else [])])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """Records of a file with their weights and clusters.

    Attributes:
        number: Of the cluster of each record, from 0.
        weight: Of each record.
        source: What messages call the file.
    """

    number: Index
    weight: Floats
    source: str

    def __post_init__(self) -> None:
        """Refuse a single cluster."""
        if self.count < 2:
            raise InputError(
                f"{self.source} has one record or household only, so nothing tells how sure its "
                "figures are. Open a file with more."
            )

    @property
    def count(self) -> int:
        """How many clusters there are."""
        return int(self.number.max(initial=-1)) + 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CategoryCodes:
    """A variable by record.

    Attributes:
        name: Of the variable.
        codes: By record, from 1; 0 is missing.
        categories: What codes stand for, in their order.
    """

    name: str
    codes: Index
    categories: Sequence[str]

    def check_size(self, source: str) -> Self:
        """Refuse a variable that is no classification."""
        if len(self.categories) > _MOST_CATEGORIES:
            raise InputError(
                f"{self.name!r} of {source} has {len(self.categories):,} categories, and tables of "
                f"small areas have at most {_MOST_CATEGORIES:,}. Recode it, or name another "
                "variable."
            )
        return self

    def check(self, source: str) -> Self:
        """Refuse a variable that parts nobody."""
        self.check_size(source)
        there = np.unique(self.codes[self.codes > 0])
        if len(there) < 2:
            what = "one category only" if len(there) else "no value in any record"
            raise InputError(
                f"{self.name!r} of {source} has {what}, so there are no areas to compare. Name "
                "another variable."
            )
        return self


def measure_areas(
    clusters: Clusters,
    areas: CategoryCodes,
    keys: Iterable[CategoryCodes],
    *,
    limit: float,
    parent: CategoryCodes | None = None,
) -> tuple[AreaTable, ...]:
    """Return coefficients of variation by area, by key, and by both, and what to merge.

    Args:
        clusters: The records.
        areas: Geography; its codes in an order in which neighbours may be merged.
        keys: Other variables.
        limit: What no coefficient should exceed.
        parent: A broader geography: areas are merged within it first.
    """
    if not 0 < limit <= 1:
        raise UsageError("The limit on coefficients of variation must be above 0 and at most 1.")
    above = None if parent is None else _find_parents(areas, parent, clusters.source)
    tables = [_measure(clusters, (areas,), limit, above)]
    for key in keys:
        tables.append(_measure(clusters, (key,), limit, None))
        tables.append(_measure(clusters, (areas, key), limit, above))
    return tuple(tables)


def _find_parents(areas: CategoryCodes, parent: CategoryCodes, source: str) -> Index:
    """Code of the parent of each area, by code from 1; 0 where it is not known."""
    known = (areas.codes > 0) & (parent.codes > 0)
    both = np.unique(np.stack([areas.codes[known], parent.codes[known]]), axis=1)
    if len(np.unique(both[0])) < both.shape[1]:
        raise InputError(
            f"Some categories of {areas.name!r} of {source} lie in several of {parent.name!r}, so "
            "it is not broader. Name another variable."
        )
    found = np.zeros(len(areas.categories) + 1, np.intp)
    found[both[0]] = both[1]
    return found


def _measure(
    clusters: Clusters, variables: Sequence[CategoryCodes], limit: float, parents: Index | None
) -> AreaTable:
    """One table."""
    sums = _CrossSums.of(clusters, variables)
    first = variables[0]
    alone = np.arange(sums.firsts)
    people, variation = sums.vary(alone)
    cells = [
        AreaCell(
            categories=tuple(
                each.categories[place]
                for each, place in zip(variables, (a, k), strict=False)
            ),
            records=int(sums.records[k, a]), people=float(people[k, a]),
            variation=float(variation[k, a]),
        )
        for a, k in np.argwhere(sums.records.T > 0).tolist()
    ]  # fmt: skip
    there = sums.records.sum(axis=0) > 0
    group = _merge(sums, there, limit, None if parents is None else parents[1:])
    merged = tuple(
        tuple(first.categories[each] for each in np.flatnonzero(there & (group == number)).tolist())
        for number in np.unique(group[there])
    )
    supported = bool(group.max() > 0 and (sums.vary(group)[1] <= limit).all())
    return AreaTable(
        keys=tuple(each.name for each in variables), cells=tuple(cells), limit=limit,
        merged=tuple(each for each in merged if len(each) > 1 and supported),
        supported=supported,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _CrossSums:
    """Sums of weights by cell, and of products of the weights that a cluster has in two cells.

    Cells of which the first category differs and the others are the same can be merged then.

    Attributes:
        clusters: How many there are.
        records: In each cell: by the second variable, then by the first.
        people: Sum of weights, likewise.
        second: Category of the second variable, for each product.
        pair: Categories of the first, for each product.
        product: Their sums over clusters.
    """

    clusters: int
    records: NDArray[np.int64]
    people: Floats
    second: Index
    pair: tuple[Index, Index]
    product: Floats

    @classmethod
    def of(cls, clusters: Clusters, variables: Sequence[CategoryCodes]) -> Self:
        """Add up the records in which no variable is missing."""
        known = np.logical_and.reduce([each.codes > 0 for each in variables])
        a = variables[0].codes[known] - 1
        k = variables[1].codes[known] - 1 if len(variables) > 1 else np.zeros(len(a), np.intp)
        wide = len(variables[0].categories)
        high = len(variables[1].categories) if len(variables) > 1 else 1
        weight, home = clusters.weight[known], clusters.number[known]
        cell = k * wide + a
        people = sum_by(cell, weight, wide * high).reshape(high, wide)
        records = np.bincount(cell, minlength=wide * high).reshape(high, wide)
        alike, where = _number(home * (wide * high) + cell, clusters.count * wide * high)
        own = sum_by(where, weight, len(alike))
        pairs = _pair_within(alike // wide)
        there = alike % (wide * high)  # the cell of each
        place = there % wide
        both = [there * wide + place, there[pairs[0]] * wide + place[pairs[1]]]
        entry, at = _number(np.concatenate(both), high * wide**2)
        squares = np.concatenate([own * own, own[pairs[0]] * own[pairs[1]]])
        product = sum_by(at, squares, len(entry))
        second, one, other = entry // wide**2, entry // wide % wide, entry % wide
        turned = np.flatnonzero(one != other)  # the same products the other way round
        order = np.argsort(np.r_[entry, ((second * wide + other) * wide + one)[turned]])
        return cls(
            clusters=clusters.count, records=records, people=people,
            second=np.r_[second, second[turned]][order],
            pair=(np.r_[one, other[turned]][order], np.r_[other, one[turned]][order]),
            product=np.r_[product, product[turned]][order],
        )  # fmt: skip

    @property
    def firsts(self) -> int:
        """How many categories the first variable has."""
        return int(self.people.shape[1])

    def vary(self, group: Index) -> tuple[Floats, Floats]:
        """Return people by second category and group, and the coefficients of variation."""
        count = int(group.max()) + 1
        people = np.zeros((len(self.people), count))
        np.add.at(people.T, group, self.people.T)
        one, other = (group[side] for side in self.pair)
        same = one == other
        squares = sum_by(
            self.second[same] * count + one[same], self.product[same], people.size
        ).reshape(people.shape)
        m = self.clusters
        spread = np.maximum(squares - people**2 / m, 0.0) * m / (m - 1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return people, np.where(people > 0, np.sqrt(spread) / people, 0.0)


def _number(words: Index, span: int) -> tuple[Index, Index]:
    """Return the words below `span` that occur, in order, and the number of each."""
    numbers, row_of = number_packed(words, span)
    return words[row_of], numbers


def _pair_within(number: Index) -> tuple[Index, Index]:
    """All pairs of two places with equal numbers, which are in order; the first place first."""
    start = np.flatnonzero(np.diff(number, prepend=-1))
    size = np.diff(start, append=len(number))
    place = np.arange(len(number))
    later = np.repeat(start + size, size) - place - 1
    one = np.repeat(place, later)
    other = np.arange(len(one))
    other += np.repeat(place + 1 - (np.cumsum(later) - later), later)
    return one, other


def _merge(
    sums: _CrossSums, there: NDArray[np.bool_], limit: float, parents: Index | None
) -> Index:
    """Return the group of each category: the worst goes with a neighbour until none is too bad.

    It is the neighbour with fewer people if both are enough, else the one that helps most.
    Neighbours follow each other in the order of codes; within one parent while that is possible.
    """
    # What does not occur goes with what precedes it.
    group: Index = np.maximum(np.cumsum(there) - 1, 0).astype(np.intp)
    while True:
        worst = sums.vary(group)[1].max(axis=0)
        bad = np.flatnonzero(worst > limit)
        if not len(bad) or len(worst) == 1:
            return group
        here = int(bad[np.argmax(worst[bad])])
        ways = [_join(group, pair) for pair in _neighbours(group, here, parents)]
        group = min(ways, key=lambda way: _rate_way(sums, way, int(way[group == here][0]), limit))


def _rate_way(sums: _CrossSums, way: Index, joined: int, limit: float) -> tuple[bool, float, int]:
    """The less, the better a group was joined with a neighbour."""
    people, variation = sums.vary(way)
    worst, size = float(variation[:, joined].max()), float(people[:, joined].sum())
    return worst > limit, worst if worst > limit else size, joined


def _neighbours(group: Index, here: int, parents: Index | None) -> list[tuple[int, int]]:
    """Pairs of groups that can be joined: those of one parent, if there are any."""
    sides = [(left, left + 1) for left in (here - 1, here) if left >= 0 and left + 1 <= group.max()]
    if parents is None:
        return sides
    of = [set(parents[group == number].tolist()) for number in range(int(group.max()) + 1)]
    siblings = [(left, right) for left, right in sides if of[left] == of[right]]
    return siblings or sides


def _join(group: Index, pair: tuple[int, int]) -> Index:
    """Give two neighbouring groups one number."""
    return np.where(group > pair[0], group - 1, group)
