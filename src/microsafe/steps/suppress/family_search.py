"""Blanks for households that are told by the joint keys of their members.

In each round every unsafe household loses the value that tells most for what it costs, and is
measured again by what it still shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.progress import Progress
from microsafe.risk import FamilyModel, FamilyView
from microsafe.sums import Floats

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FamilyBlanks:
    """What unsafe households lose.

    Attributes:
        members: Which keys of persons, a row for each place.
        shared: Which keys that members share, a row for each household.
        stuck: Households that stay unsafe with all blank that may be.
    """

    members: Flags
    shared: Flags
    stuck: Flags


def blank_families(
    model: FamilyModel,
    view: FamilyView,
    unsafe: Flags,
    limit: Floats,
    *,
    member_prices: Floats,
    shared_prices: Floats,
    progress: Progress,
) -> FamilyBlanks:
    """Blank values until no household is above its limit.

    Args:
        model: Learnt from the file without blanks.
        view: What is shown of it now.
        unsafe: Households to treat.
        limit: On the risk of each household.
        member_prices: Of blanking each key of each person; infinite if that must not be.
        shared_prices: Of blanking what members share in all of them, likewise.
        progress: Progress callback.
    """
    families = model.families
    members, shared = view.members.copy(), view.shared.copy()
    surprises = _Surprises(model)
    unsafe, stuck = unsafe.copy(), np.zeros(len(families), np.bool_)
    count, first = max(int(unsafe.sum()), 1), True
    while unsafe.any():
        progress("blanking keys of families", 1.0 - unsafe.sum() / count)
        told = surprises.find(unsafe, members, shared)
        if not first:
            some = np.flatnonzero(unsafe)
            surprise = model.chain.add_up(told.members, told.shared)[some]
            risk = model.find_chances(model.find_mean(surprise, some)).risk
            unsafe[some[risk <= limit[some]]] = False
        first = False
        some, places = np.flatnonzero(unsafe), np.flatnonzero(unsafe[families.home])
        if not len(some):
            break
        key, most = _find_best(told.members[places], members[places], member_prices[places])
        start = np.cumsum(families.size[some]) - families.size[some]
        of_members = np.maximum.reduceat(most, start)
        shared_key, of_shared = _find_best(told.shared[some], shared[some], shared_prices[some])
        nothing = np.maximum(of_members, of_shared) < 0
        stuck[some[nothing]], unsafe[some[nothing]] = True, False
        by_shared = (of_shared >= of_members) & ~nothing
        shared[some[by_shared], shared_key[by_shared]] = False
        group = np.repeat(np.arange(len(some)), families.size[some])
        best = np.flatnonzero((most == of_members[group]) & ~(by_shared | nothing)[group])
        best = best[np.unique(group[best], return_index=True)[1]]  # of several the first member
        members[places[best], key[best]] = False
    return FamilyBlanks(members=view.members & ~members, shared=view.shared & ~shared, stuck=stuck)


def _find_best(surprise: Floats, shown: Flags, price: Floats) -> tuple[Index, Floats]:
    """Return for each row the key of the largest surprise for its price, and that; -1 if none."""
    if not surprise.shape[1]:
        return np.zeros(len(surprise), np.intp), np.full(len(surprise), -1.0)
    score = np.where(shown & np.isfinite(price), surprise / price, -1.0)
    key = score.argmax(axis=1)
    return key, score[np.arange(len(score)), key]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _ShownInformation:
    """-log P of the codes that are shown: by place and key, by household and key."""

    members: Floats
    shared: Floats


class _Surprises:
    """-log P of what households show, taken anew where the parents of a code have changed."""

    def __init__(self, model: FamilyModel) -> None:
        families = model.families
        self._chain = model.chain
        self._told = _ShownInformation(
            members=np.zeros(families.codes.shape), shared=np.zeros(families.shared.shape)
        )
        self._known = [
            [(np.full(len(role.rows), -1), np.zeros(len(role.rows))) for _ in role.chances]
            for role in self._chain.roles
        ]

    def find(self, unsafe: Flags, members: Flags, shared: Flags) -> _ShownInformation:
        """Return those of some households; others are of no use.

        Args:
            unsafe: Which households.
            members: Which keys of persons are shown.
            shared: Which keys that members share are.
        """
        told = self._told
        for role, known in zip(self._chain.roles, self._known, strict=True):
            made, shown = (told.shared, shared) if role.of_households else (told.members, members)
            rows = np.flatnonzero(unsafe[role.home])
            made[role.rows[rows]] = 0.0
            find_shown = partial(role.find_shown, shown=members, shared=shared)
            for chance, (used, value) in zip(role.chances, known, strict=True):
                seen = rows[shown[role.rows[rows], chance.key]]
                now = chance.choose_parents(seen, find_shown)
                new = now != used[seen]
                value[seen[new]] = chance.surprise(seen[new], now[new])
                used[seen] = now
                made[role.rows[seen], chance.key] += value[seen]
        return told
