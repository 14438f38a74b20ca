"""Microaggregation: each value is replaced by the mean of a group of at least k records.

Records that miss some variables are grouped with those that miss the same ones. If these are fewer
than k, they join those that show the most of their variables and no others; what only they show
stays as it is, and so do records that find no such company.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.progress import Tell, tell_after, tell_nobody
from microsafe.steps.microaggregate.mdav import find_groups, find_groups_in_blocks
from microsafe.steps.microaggregate.univariate import find_sizes
from microsafe.sums import Floats, sum_by

Method = Literal["mdav", "one"]
Scale = Literal["sd", "range", "none"]
Average = Literal["mean", "median"]
Flags = NDArray[np.bool_]
Places = NDArray[np.int64]

MOST_EXACT = 20_000  # records that are looked at all together unless somebody says so


@dataclass(frozen=True, slots=True, kw_only=True)
class Microaggregation:
    """How records are grouped and what stands for a group.

    Attributes:
        k: Least number of records in a group.
        method: All variables together, or each alone.
        scale: What variables are divided by before they are compared.
        average: What takes the place of values.
        exact: Whether all records are looked at together; by their number if None.
    """

    k: int
    method: Method = "mdav"
    scale: Scale = "sd"
    average: Average = "mean"
    exact: bool | None = None

    def in_blocks(self, count: int) -> bool:
        """Tell whether so many records are grouped in blocks."""
        exact = count <= MOST_EXACT if self.exact is None else self.exact
        return self.method == "mdav" and not exact

    def aggregate(
        self, values: Floats, weights: Floats | None = None, *, tell: Tell = tell_nobody
    ) -> tuple[Floats, Flags]:
        """Return averages of groups, and which values have a group; others stay as they are.

        Args:
            values: A row per variable, NaN where missing.
            weights: Of the records in averages; all count alike if None.
            tell: Told now and then how many records have a group; may raise to stop the work.
        """
        result, grouped = values.copy(), np.zeros(values.shape, np.bool_)
        find = _means if self.average == "mean" else _medians
        for rows, records, groups in self._find_sets(values, tell):
            inside = None if weights is None else weights[records]
            for row in rows:
                result[row, records] = find(values[row, records], groups, inside)[groups]
                grouped[row, records] = True
        return result, grouped

    def _find_sets(self, values: Floats, tell: Tell) -> Iterator[tuple[Places, Places, Places]]:
        """Go through rows and records that are grouped together, with their groups."""
        if self.method == "one":
            for row, value in enumerate(values):
                records = np.flatnonzero(~np.isnan(value))
                if len(records) >= self.k:
                    yield np.array([row]), records, _group_alone(value[records], self.k)
            return
        standard = standardise(values, self.scale)
        find = find_groups_in_blocks if self.in_blocks(values.shape[1]) else find_groups
        done = 0
        for rows, records in self._find_patterns(values):
            inside = standard[np.ix_(rows, records)]
            yield rows, records, find(inside, self.k, tell_after(tell, done))
            done += len(records)

    def _find_patterns(self, values: Floats) -> Iterator[tuple[Places, Places]]:
        """Go through rows that are shown, with the records that show them."""
        shown, pattern = np.unique(~np.isnan(values), axis=1, return_inverse=True)
        pattern = pattern.reshape(-1)
        size = np.bincount(pattern, minlength=shown.shape[1])
        home = np.arange(len(size))
        for small in _where(size < self.k):
            home[small] = self._find_home(shown, size, small)
        for each in np.flatnonzero((size >= self.k) & shown.any(axis=0)):
            yield np.flatnonzero(shown[:, each]), np.flatnonzero(home[pattern] == each)

    def _find_home(self, shown: Flags, size: Places, small: int) -> int:
        """Return the pattern that a small one joins, or itself.

        It shows nothing else, at most of the same variables, and in most records if there are two.
        """
        inside = ~(shown & ~shown[:, [small]]).any(axis=0) & (size >= self.k)
        ranked = [(int(shown[:, each].sum()), int(size[each]), -each) for each in _where(inside)]
        return -max(ranked)[2] if ranked and max(ranked)[0] else small


def _where(flags: Flags) -> list[int]:
    return [int(each) for each in np.flatnonzero(flags)]


def _group_alone(values: Floats, k: int) -> Places:
    order = np.argsort(values, kind="stable")
    sizes = find_sizes(values[order], k)
    groups = np.empty(len(values), np.int64)
    groups[order] = np.repeat(np.arange(len(sizes)), sizes)
    return groups


def standardise(values: Floats, scale: Scale) -> Floats:
    """Return values in units of their standard deviation or range, around their mean."""
    known = ~np.isnan(values)
    standard = np.full_like(values, np.nan)
    for row, inside, into in zip(values, known, standard, strict=True):
        shown = row[inside]
        if not len(shown):
            continue
        unit = {"sd": shown.std(), "range": np.ptp(shown), "none": 1.0}[scale]
        into[inside] = (shown - shown.mean()) / (unit if unit > 0 else 1.0)
    return standard


def _means(values: Floats, groups: Places, weights: Floats | None) -> Floats:
    """Means of groups; a group without weight has the plain one."""
    count = np.bincount(groups)
    plain = sum_by(groups, values, len(count)) / count
    if weights is None:
        return plain
    total = sum_by(groups, weights, len(count))
    weighted = sum_by(groups, weights * (values - plain[groups]), len(count))
    return plain + np.divide(weighted, total, out=np.zeros(len(count)), where=total > 0)


def _medians(values: Floats, groups: Places, weights: Floats | None) -> Floats:
    """Medians of groups: the middle by weight, or the mean of two that share it."""
    weights = np.ones(len(values)) if weights is None else weights
    size = int(groups.max()) + 1
    total = sum_by(groups, weights, size)
    weights = np.where(total[groups] > 0, weights, 1.0)
    half = sum_by(groups, weights, size) / 2
    order = np.lexsort((values, groups))
    group, value, weight = groups[order], values[order], weights[order]
    first = np.searchsorted(group, np.arange(size))
    running = np.cumsum(weight)
    up_to = running - (running - weight)[first][group]
    middle = [
        value[_first_in_group(group, reached, size)]
        for reached in (up_to >= half[group], up_to > half[group])
    ]
    return (middle[0] + middle[1]) / 2


def _first_in_group(group: Places, flags: Flags, size: int) -> Places:
    """Place of the first flag of each group."""
    places = np.flatnonzero(flags)
    return places[np.searchsorted(group[places], np.arange(size))]
