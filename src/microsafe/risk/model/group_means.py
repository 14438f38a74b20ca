"""People expected at cells of merged levels: a model's tables, summed along their axes.

A model is a product of small tables. They are joined while that stays cheap; a key that is then
in one table only is summed there, group by group, from the next finer rung, once for all who ask.
Keys that several large tables hold keep their levels, which are summed for the rows asked for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Codes, Index
from microsafe.risk.model.marginal import Factor, Marginal, sum_out
from microsafe.sums import Floats

_JOINED = 1 << 19  # cells of a table that others are joined to
_AT_ONCE = 1 << 21  # numbers that are worked on at once
_FEW = 1 << 12  # levels of shared keys that are summed at once; of more, key by key
_HELD = 1 << 24  # cells of summed tables that are held
_MARGINALS = 64  # sums of shared keys, key by key, that are held

Rungs = tuple[int, ...]
_LEVELS = -1  # instead of a rung: the levels of the model


def _tell_nobody() -> None:
    """Go on."""


class GroupedMeans:
    """People that a model expects at any rungs of its keys.

    Args:
        factors: The tables of the model.
        sizes: Levels of each key.
        ladders: For each key its rungs, each the group of every level. A rung joins whole groups
            of the one before; one rung above the last is for a key that is not looked at.
        groups: For each key and rung, one more than the highest group there may be.
        tick: Called before every sum; may raise.
    """

    def __init__(
        self,
        factors: Sequence[Factor],
        sizes: Sequence[int],
        ladders: Sequence[Sequence[Index]],
        groups: Sequence[Sequence[int]],
        *,
        tick: Callable[[], None] = _tell_nobody,
    ) -> None:
        self.tick = tick
        self._sizes = sizes
        self._out = tuple(len(ladder) for ladder in ladders)
        self._ladders = [
            [*ladder, np.zeros(size, np.intp)] for ladder, size in zip(ladders, sizes, strict=True)
        ]
        self._groups = [[*group, 1] for group in groups]
        self._level_of = [
            [_invert(rung, many) for rung, many in zip(ladder, counts, strict=True)]
            for ladder, counts in zip(self._ladders, self._groups, strict=True)
        ]
        tables = _join(factors, sizes)
        self._keys = [keys for keys, _ in tables]
        self._tables = [table for _, table in tables]
        self._shared = {k for k in range(len(sizes)) if sum(k in keys for keys in self._keys) > 1}
        self._known: OrderedDict[tuple[int, Rungs], Floats] = OrderedDict()
        self._marginals: OrderedDict[Rungs, Marginal] = OrderedDict()
        self._held = 0

    def at(self, rungs: Rungs, codes: Sequence[Codes], rows: int) -> Floats:
        """Return the people expected in some cells.

        Args:
            rungs: Of each key; as many as it has for one that is not looked at.
            codes: For each key the group of every cell at its rung; not read where not looked at.
            rows: How many cells.
        """
        hidden = [k for k in sorted(self._shared) if self._level_of[k][rungs[k]] is None]
        levels = prod(self._sizes[k] for k in hidden)
        seen = [
            code if rung < out else None
            for code, rung, out in zip(codes, rungs, self._out, strict=True)
        ]
        if levels > _FEW:
            return self._eliminate(rungs, seen, hidden, rows)
        step = max(1, _AT_ONCE // levels)
        value = np.empty(rows)
        for start in range(0, rows, step):
            part = slice(start, min(start + step, rows))
            some = [None if code is None else code[part] for code in seen]
            value[part] = self._sum_rows(rungs, some, hidden, part.stop - start)
        return value

    def _eliminate(
        self, rungs: Rungs, codes: Sequence[Codes | None], hidden: Sequence[int], rows: int
    ) -> Floats:
        """Sum shared keys out one by one; a group of such a key is tied to its levels."""
        many = len(rungs)
        if rungs not in self._marginals:
            counts = [group[rung] for group, rung in zip(self._groups, rungs, strict=True)]
            tied = [k for k in hidden if codes[k] is not None]
            ties = [
                Factor((k, many + k), self._ladders[k][rungs[k]][:, None] == np.arange(counts[k]))
                for k in tied
            ]
            tables = [
                Factor(keys, self._sum_table(place, self._seen(keys, rungs)))
                for place, keys in enumerate(self._keys)
            ]
            sizes = [self._sizes[k] if k in self._shared else counts[k] for k in range(many)]
            left = [k for k in range(many) if k not in hidden]
            self.tick()
            if len(self._marginals) == _MARGINALS:
                self._marginals.popitem(last=False)
            self._marginals[rungs] = sum_out(
                (*tables, *ties), [*left, *range(many, 2 * many)], [*sizes, *counts]
            )
        places: list[Index | None] = [
            None if k in hidden else self._place(k, rungs[k], codes[k], rows) for k in range(many)
        ]
        groups = [None if code is None else code.astype(np.intp) for code in codes]
        value = self._marginals[rungs].look_up([*places, *groups], rows)
        return self._forget_strangers(value, rungs, codes, hidden)

    def _seen(self, keys: Sequence[int], rungs: Rungs) -> Rungs:
        """Rungs at which a table is summed: keys in several keep their levels."""
        return tuple(_LEVELS if k in self._shared else rungs[k] for k in keys)

    def _forget_strangers(
        self, value: Floats, rungs: Rungs, codes: Sequence[Codes | None], hidden: Sequence[int]
    ) -> Floats:
        """Nobody is expected in a group of a shared key that has no level."""
        for k in self._shared - {*hidden}:
            level_of, code = self._level_of[k][rungs[k]], codes[k]
            if level_of is not None and code is not None:
                value = np.where(level_of[code] < 0, 0.0, value)
        return value

    def _sum_rows(
        self, rungs: Rungs, codes: Sequence[Codes | None], hidden: Sequence[int], rows: int
    ) -> Floats:
        """Multiply what the tables say of some cells, and sum what is left of shared keys."""
        value = np.ones((rows, *(1 for _ in hidden)))
        for place, keys in enumerate(self._keys):
            table = self._sum_table(place, self._seen(keys, rungs))
            plain = [k for k in keys if k not in hidden]
            mine = [k for k in keys if k in hidden]
            where = tuple(self._place(k, rungs[k], codes[k], rows) for k in plain)
            table = table.transpose([keys.index(k) for k in (*plain, *mine)])
            found = table[where] if plain else table[None]
            shape = [self._sizes[k] if k in mine else 1 for k in hidden]
            value = value * found.reshape([len(found), *shape])
        for k in reversed(hidden):
            code = codes[k]
            if code is not None:
                inside: NDArray[np.bool_] = self._ladders[k][rungs[k]] == code[:, None]
                value = value * inside.reshape([rows, *(1 for _ in range(value.ndim - 2)), -1])
            value = value.sum(axis=-1)
        return self._forget_strangers(value, rungs, codes, hidden)

    def _place(self, key: int, rung: int, code: Codes | None, rows: int) -> Index:
        """Where a key's group stands in a table: its level if the key is in several."""
        if code is None:
            return np.zeros(rows, np.intp)
        level_of = self._level_of[key][rung]
        if key in self._shared and level_of is not None:
            return np.maximum(level_of[code], 0)
        return code.astype(np.intp)

    def _sum_table(self, place: int, rungs: Rungs) -> Floats:
        """Return a table at some rungs, summed from the next finer one along one axis."""
        name = place, rungs
        if name in self._known:
            self._known.move_to_end(name)
            return self._known[name]
        keys = self._keys[place]
        ways = [axis for axis, rung in enumerate(rungs) if rung > _LEVELS]
        if not ways:
            return self._tables[place]
        finer_rungs = [_lower(rungs, axis) for axis in ways]
        known = [i for i, rung in enumerate(finer_rungs) if (place, rung) in self._known]
        way = min(known, key=lambda i: self._known[place, finer_rungs[i]].size, default=0)
        axis, key, rung = ways[way], keys[ways[way]], rungs[ways[way]]
        finer = self._sum_table(place, finer_rungs[way])
        groups = self._ladders[key][rung]
        if rung:
            below = self._ladders[key][rung - 1]
            to = np.zeros(self._groups[key][rung - 1], np.intp)
            to[below] = groups
        else:
            to = groups
        self.tick()
        table = _sum_axis(finer, axis, to, self._groups[key][rung])
        self._known[name] = table
        self._held += table.size
        while self._held > _HELD and len(self._known) > 1:
            self._held -= self._known.popitem(last=False)[1].size
        return table


def _lower(rungs: Rungs, axis: int) -> Rungs:
    """Return the next finer rungs along an axis."""
    return (*rungs[:axis], rungs[axis] - 1, *rungs[axis + 1 :])


def _join(factors: Sequence[Factor], sizes: Sequence[int]) -> list[Factor]:
    """Multiply tables that share keys, the smallest product first, while it stays small."""
    held = {key for factor in factors for key in factor.keys}
    alone = [Factor((k,), np.ones(size)) for k, size in enumerate(sizes) if k not in held]
    tables = [*factors, *alone]
    while True:
        pairs = [
            (prod(sizes[k] for k in {*a.keys, *b.keys}), i, j)
            for (i, a), (j, b) in combinations(enumerate(tables), 2)
            if {*a.keys} & {*b.keys}
        ]
        if not pairs or min(pairs)[0] > _JOINED:
            return tables
        _, i, j = min(pairs)
        keys = tuple(sorted({*tables[i].keys, *tables[j].keys}))
        one, other = (
            each.table.reshape([sizes[k] if k in each.keys else 1 for k in keys])
            for each in (tables[i], tables[j])
        )
        rest = [table for place, table in enumerate(tables) if place not in (i, j)]
        tables = [*rest, Factor(keys, one * other)]


def _sum_axis(table: Floats, axis: int, to: Index, size: int) -> Floats:
    """Sum a table along an axis by groups."""
    order = np.argsort(to, kind="stable")
    group, first = np.unique(to[order], return_index=True)
    sums = np.add.reduceat(np.take(table, order, axis), first, axis)
    shape = list(table.shape)
    shape[axis] = size
    made = np.zeros(shape)
    made[(slice(None),) * axis + (group,)] = sums
    return made


def _invert(groups: NDArray[np.intp], size: int) -> Index | None:
    """Return the level of each group, -1 where there is none; None if one joins several."""
    if len(np.unique(groups)) < len(groups):
        return None
    level_of = np.full(size, -1, np.intp)
    level_of[groups] = np.arange(len(groups))
    return level_of
