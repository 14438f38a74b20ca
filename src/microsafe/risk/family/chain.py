"""Chance of what a household shows: each key of each member given those that come before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index
from microsafe.progress import Progress, silent
from microsafe.risk.family.members import LARGE, Families
from microsafe.risk.family.tables import (
    ConditionalChance,
    Flags,
    IntArray,
    Predictor,
    Relatives,
)
from microsafe.sums import Floats

_SPLIT = 12  # codes up to which a key is one factor; with more its group comes first
_GROUPED = 6  # codes from which a key is offered in groups too
_FEWEST_GROUPS = 3
_MOST_PLACES = 5  # places that are told apart
_ROLES = 3  # sizes, and places, that have tables of their own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HouseholdPosition:
    """Members of households of one size at one place, or the households themselves.

    Attributes:
        rows: Place of each row, or its household.
        home: Household of each row.
        people: Place of each person who may explain the row, by what they are to it.
        chances: Of the keys, in their order; those of many codes by group, then within it.
    """

    rows: Index
    home: Index
    people: Mapping[str, Index]
    chances: Sequence[ConditionalChance]

    @property
    def of_households(self) -> bool:
        """Whether it is about keys that members share."""
        return not self.people

    def find_shown(
        self, parent: Predictor, rows: Index, shown: Flags, shared: Flags
    ) -> Flags | None:
        """Tell which of some rows show a parent; None if all do."""
        if parent.of in self.people:
            return np.asarray(shown[self.people[parent.of][rows], parent.key])
        return shared[self.home[rows], parent.key] if parent.of == "shared" else None


class FamilyChain:
    """How likely households are, by what they show: learnt from the sample.

    Args:
        families: The sample.
        progress: Progress callback.
    """

    def __init__(self, families: Families, progress: Progress = silent) -> None:
        assert families.weight is not None  # noqa: S101
        self._families = families
        weight = families.weight / families.weight.mean()
        role = np.minimum(families.size[families.home], _ROLES) * 10
        role += np.minimum(families.place + 1, _ROLES)
        groups = [_group_codes(codes) for codes in families.codes.T]
        self.roles = [_learn_shared_keys(families, weight)]
        roles = np.unique(role).tolist()
        for done, number in enumerate(roles):
            progress("learning how families are made", done / len(roles))
            rows = np.flatnonzero(role == number)
            made = _learn_role(
                families, weight, rows, size=number // 10, place=number % 10, groups=groups
            )
            self.roles.append(made)
        progress("learning how families are made", 1.0)

    def surprises(
        self, shown: Flags, shared: Flags, times: Sequence[int] = (1,)
    ) -> Sequence[tuple[Floats, Floats]]:
        """Return -log P of every code that is shown: by place and key, by household and key.

        Args:
            shown: Which codes of members are shown.
            shared: Which codes that members share are.
            times: How often each household is left out of what was learnt, for each answer.
        """
        made = [(np.zeros(shown.shape), np.zeros(shared.shape)) for _ in times]
        for role in self.roles:
            there = shared if role.of_households else shown
            find_shown = partial(role.find_shown, shown=shown, shared=shared)
            for chance in role.chances:
                rows = np.flatnonzero(there[role.rows, chance.key])
                used = chance.choose_parents(rows, find_shown)
                at = role.rows[rows], chance.key
                for sides, found in zip(made, chance.surprises(rows, used, times), strict=True):
                    sides[role.of_households][at] += found
        return made

    def add_up(self, members: Floats, homes: Floats) -> Floats:
        """Return -log P of each household from what `surprises` gave."""
        return np.asarray(self._families.sum_members(members.sum(axis=1)) + homes.sum(axis=1))


def _learn_shared_keys(families: Families, weight: Floats) -> HouseholdPosition:
    rows = np.arange(len(families))
    relatives = Relatives(rows)
    candidates = {Predictor("size"): np.minimum(families.size, LARGE)}
    chances = []
    for key, codes in enumerate(families.shared.T):
        chances.append(
            ConditionalChance(
                key,
                codes,
                None,
                codes=int(codes.max()),
                candidates=dict(candidates),
                weight=weight,
                relatives=relatives,
            )
        )
        candidates[Predictor("shared", key)] = codes
    return HouseholdPosition(rows=rows, home=rows, people={}, chances=chances)


def _learn_role(
    families: Families,
    weight: Floats,
    rows: Index,
    *,
    size: int,
    place: int,
    groups: Sequence[IntArray | None],
) -> HouseholdPosition:
    """Learn the keys of the members of one role: of households of one size, at one place."""
    home = families.home[rows]
    first = families.first[home]
    people: dict[str, Index] = {"own": rows}
    if place > 1:
        people["before"] = rows - 1
    if place == _ROLES:
        people |= {"first": first, "second": first + 1}
    candidates: dict[Predictor, IntArray] = {
        Predictor("shared", key): codes[home] for key, codes in enumerate(families.shared.T)
    }
    if size == _ROLES:
        candidates[Predictor("size")] = np.minimum(families.size, LARGE)[home]
    if place == _ROLES:
        candidates[Predictor("place")] = np.minimum(families.place[rows], _MOST_PLACES)
    for who, places in people.items():
        if who != "own":
            candidates |= _offer_keys(who, families.codes[places], groups, range(len(groups)))
    relatives, chances = Relatives(home), []
    for key, codes in enumerate(families.codes[rows].T):
        known = candidates | _offer_keys("own", families.codes[rows], groups, range(key))
        make = partial(
            ConditionalChance,
            key,
            candidates=known,
            weight=weight[home],
            relatives=relatives,
        )
        group = groups[key]
        if group is None or len(group) - 1 <= _SPLIT:
            chances.append(make(codes, None, codes=int(families.codes[:, key].max())))
        else:
            chances.append(make(group[codes], None, codes=int(group.max())))
            chances.append(make(codes, group[1:], codes=len(group) - 1))
    return HouseholdPosition(rows=rows, home=home, people=people, chances=chances)


def _offer_keys(
    who: str, codes: NDArray[np.int32], groups: Sequence[IntArray | None], keys: range
) -> dict[Predictor, IntArray]:
    """Return some keys of a person, and their groups, as what may explain another."""
    offered: dict[Predictor, IntArray] = {}
    for key in keys:
        offered[Predictor(who, key)] = codes[:, key]
        group = groups[key]
        if group is not None:
            offered[Predictor(who, key, True)] = group[codes[:, key]]
    return offered


def _group_codes(codes: NDArray[np.int32]) -> IntArray | None:
    """Return the group, from 1, of each code of a key, cut in order into groups of equal numbers.

    None for a key of few codes; a gap, code 0, is in group 0.
    """
    most = int(codes.max())
    if most < _GROUPED:
        return None
    parts = max(_FEWEST_GROUPS, int(np.sqrt(most)))
    share = np.bincount(codes[codes > 0], minlength=most + 1)[1:] / np.count_nonzero(codes)
    middle = np.cumsum(share) - share / 2
    group = np.minimum(middle * parts, parts - 1).astype(np.int64)
    return np.concatenate([[0], group + 1])
