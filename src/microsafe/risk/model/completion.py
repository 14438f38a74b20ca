"""Gaps filled by a model: expected margins of the sample, given what its records show.

A record with gaps stands in every cell that agrees with what it shows, with the chance that the
model gives that cell among them. Hidden keys that no term joins, directly or through other hidden
ones, are independent given what is shown, and depend only on their neighbours: so records are
grouped by hidden keys that hang together, and by the shown values next to them.

References:
    Dempster, Laird and Rubin (1977), Journal of the Royal Statistical Society B 39, 1-38.
    Little and Rubin (2019), Statistical analysis with missing data, 3rd edition, chapter 13.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from microsafe.cells import Index, number
from microsafe.progress import Progress, silent
from microsafe.risk.model.gaps import GappedTable
from microsafe.risk.model.marginal import Factor, multiply, sum_keys, sum_out, take_rows
from microsafe.risk.model.stepwise import GrowingModel
from microsafe.risk.table.crosstable import Term, ratio
from microsafe.sums import Floats, sum_by

_AT_ONCE = 1 << 20  # cells of tables of hidden keys worked on at once
_MOST = 60  # fillings
_STILL = 1e-3  # relative change of a record's own mean that no longer matters,
_NEARLY_ALL = 0.99  # for so many of the records
_COMMON = 16  # sets of shown keys that are looked at for that


def fill_gaps(model: GrowingModel, table: GappedTable, progress: Progress = silent) -> None:
    """Fit a model to its sample with the gaps filled by the model itself, until that is at rest."""
    completion = Completion(table, [effect.keys for effect in model.effects()])
    last = _own_means(model, table)
    for done in range(_MOST):
        progress("filling gaps by the model", done / _MOST)
        model.refit(completion.fill(model.effects(), table.weights, [*model.terms]))
        now = _own_means(model, table)
        if _is_still(last, now, table):
            break
        last = now
    progress("filling gaps by the model", 1.0)


def complete_margins(model: GrowingModel, table: GappedTable) -> GappedTable:
    """Return a sample with margins in which the gaps are filled by a model of it.

    Args:
        model: As fitted to the counts.
        table: The same sample with its weights.
    """
    completion = Completion(table, [effect.keys for effect in model.effects()])
    return table.with_filled(completion.fill(model.effects(), table.weights, [*model.terms]))


class Completion:
    """The records of a sample by what they hide.

    Args:
        table: The sample.
        terms: Keys of the tables that the model is a product of.
    """

    def __init__(self, table: GappedTable, terms: Sequence[Term]) -> None:
        self._table = table
        self._hidden = [
            _HiddenKeys.of(table, keys, next_to, rows)
            for keys, next_to, rows in _find_components(table, terms)
        ]

    def fill(
        self, effects: Sequence[Factor], weights: Floats, terms: Iterable[Term]
    ) -> dict[Term, Floats]:
        """Return the margins of every key, of every table and of some terms, gaps filled.

        Args:
            effects: Tables of a few keys whose product is the model.
            weights: Of every cell that occurs.
            terms: Which others; each is in one of the tables.
        """
        found: dict[Term, Floats] = {}
        for term in {effect.keys for effect in effects}:
            found[term] = _count_shown(self._table, term, weights)
        for each in self._hidden:
            each.add_to(found, effects, weights, self._table.sizes)
        keys = [(key,) for key in range(len(self._table.keys))]
        for term in {*keys, *terms} - set(found):
            home = min(each for each in found if set(term) <= set(each))
            away = tuple(axis for axis, key in enumerate(home) if key not in term)
            found[term] = found[home].sum(axis=away)
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _HiddenKeys:
    """Records that hide some keys which hang together, grouped by the values shown next to them.

    Attributes:
        keys: The hidden ones.
        next_to: Keys next to them, which all of these records show.
        cells: Which cells of the sample.
        group: For each of them the number of its group.
        levels: For each key next to them the level of every group; None for other keys.
    """

    keys: Term
    next_to: Term
    cells: Index
    group: Index
    levels: tuple[Index | None, ...]

    @classmethod
    def of(cls, table: GappedTable, keys: Term, next_to: Term, cells: Index) -> _HiddenKeys:
        codes = [table.levels[key][cells].astype(np.uint32) for key in next_to]
        group, first = number(codes, [table.sizes[key] for key in next_to], rows=len(cells))
        levels: list[Index | None] = [None] * len(table.sizes)
        for key in next_to:
            levels[key] = table.levels[key][cells[first]]
        return cls(keys=keys, next_to=next_to, cells=cells, group=group, levels=tuple(levels))

    def add_to(
        self,
        margins: dict[Term, Floats],
        effects: Sequence[Factor],
        weights: Floats,
        sizes: Sequence[int],
    ) -> None:
        """Add to each margin that holds a hidden key what these records are expected to be."""
        groups = int(self.group.max()) + 1
        weight = sum_by(self.group, weights[self.cells], groups)
        touching = [effect for effect in effects if set(effect.keys) & set(self.keys)]
        wanted = sorted({tuple(k for k in e.keys if k in self.keys) for e in touching})
        step = max(1, _AT_ONCE // max(prod(sizes[key] for key in some) for some in wanted))
        for start in range(0, groups, step):
            part = slice(start, min(start + step, groups))
            tables = [take_rows(each, self.keys, self.levels, part) for each in touching]
            chances = {some: _find_chances(tables, self.keys, some, sizes, part) for some in wanted}
            for keys, _ in touching:
                some = tuple(key for key in keys if key in self.keys)
                expected = chances[some] * weight[part, None]
                self._scatter(margins, keys, some, expected, part, sizes)

    def _scatter(
        self,
        margins: dict[Term, Floats],
        keys: Term,
        hidden: Term,
        expected: Floats,
        part: slice,
        sizes: Sequence[int],
    ) -> None:
        """Add rows of a table of hidden keys to a margin, each at the levels that it shows."""
        shown = tuple(key for key in keys if key not in hidden)
        place = np.zeros(part.stop - part.start, np.intp)
        for key in shown:
            place = place * sizes[key] + np.asarray(self.levels[key])[part]
        order = np.argsort(place, kind="stable")
        begins = np.flatnonzero(np.diff(place[order], prepend=-1))
        sums = np.zeros((prod(sizes[key] for key in shown), expected.shape[1]))
        sums[place[order][begins]] = np.add.reduceat(expected[order], begins, axis=0)
        both = (*shown, *hidden)
        laid = sums.reshape([sizes[key] for key in both])
        margins[keys] += laid.transpose([both.index(key) for key in keys])


def _find_chances(
    tables: Sequence[Factor], out: Term, keep: Term, sizes: Sequence[int], part: slice
) -> Floats:
    """Return for each row the chances of the values of some hidden keys, the others summed out.

    Args:
        tables: The model at the levels that the rows show; key -1 is the row.
        out: All hidden keys.
        keep: Which of them are asked for.
        sizes: Levels of each key.
        part: The rows.
    """
    rows = part.stop - part.start
    every: Mapping[int, int] = {-1: rows, **{key: sizes[key] for key in out}}
    left = sum_keys(tables, set(out) - set(keep), every)
    shape = [rows, *(sizes[key] for key in keep)]
    joint = np.broadcast_to(multiply(left, (-1, *keep), every), shape).reshape(rows, -1)
    total = joint.sum(axis=1, keepdims=True)
    # Where the model has nobody who shows this, nothing is known of what is hidden.
    return np.where(total > 0, ratio(joint, total), 1.0 / joint.shape[1])


def _find_components(table: GappedTable, terms: Sequence[Term]) -> list[tuple[Term, Term, Index]]:
    """Return sets of hidden keys that hang together, the keys next to them, and whose they are."""
    keys = range(len(table.sizes))
    joined = {key: {k for term in terms if key in term for k in term} - {key} for key in keys}
    masks, pattern = np.unique(table.shows, return_inverse=True)
    patterns: dict[Term, list[int]] = {}
    for place, mask in enumerate(masks.tolist()):
        left = {key for key in keys if not mask >> key & 1}
        while left:
            reached, new = set(), {min(left)}
            while new:
                reached |= new
                new = {k for key in new for k in joined[key]} & left - reached
            left -= reached
            patterns.setdefault(tuple(sorted(reached)), []).append(place)
    found = []
    for some in sorted(patterns):
        near = {k for key in some for k in joined[key]} - set(some)
        rows = np.flatnonzero(np.isin(pattern, patterns[some]))
        found.append((some, tuple(sorted(near)), rows))
    return found


def _count_shown(table: GappedTable, term: Term, weights: Floats) -> Floats:
    """Sums of weights by a few keys, of the records that show them."""
    place = table.place(term)
    shown = place >= 0
    shape = [table.sizes[key] for key in term]
    sums = sum_by(place[shown], weights[shown], prod(shape)) if shown.any() else np.zeros(shape)
    return sums.reshape(shape)


def _own_means(model: GrowingModel, table: GappedTable) -> Floats:
    """People expected who agree with each cell on what it shows; common sets of keys only."""
    masks, pattern = np.unique(table.shows, return_inverse=True)
    records = np.bincount(pattern, table.counts)
    own = np.zeros(len(table.counts))
    for place in np.argsort(-records, kind="stable")[:_COMMON].tolist():
        rows = np.flatnonzero(pattern == place)
        shown = int(masks[place])
        keep = [key for key in range(len(table.sizes)) if shown >> key & 1]
        levels = table.levels_shown(shown, rows)
        own[rows] = sum_out(model.factors, keep, table.sizes).look_up(levels, len(rows))
    return own


def _is_still(last: Floats, now: Floats, table: GappedTable) -> bool:
    """Tell whether hardly any record's own mean moves."""
    looked = now > 0
    moved = np.abs(now[looked] - last[looked]) >= _STILL * now[looked]
    records = table.counts[looked]
    return bool(records[moved].sum() <= (1.0 - _NEARLY_ALL) * records.sum())
