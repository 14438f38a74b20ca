"""What a variable is to somebody who releases a file: ten groups, the most delicate first.

Role page, inventory, codebook and report name, order and explain variables by this one table, and
offer what can be done in its order: the safe thing first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from microsafe.schema import Role
from microsafe.variables.meanings import KEYS
from microsafe.variables.recognise import FindingKind

Group = Literal[
    "direct identifier",
    "tells a key",
    "known outside",
    "sensitive",
    "exact number",
    "free text",
    "date",
    "design",
    "in a scenario",
    "answer",
]

Way = Literal["drop", "renumber", "coarsen", "key", "keep"]
"""What can be done: leave out, give new numbers, change by a step, add to the keys, keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupWords:
    """A group of variables.

    Attributes:
        title: Its heading.
        why: What its variables may do to people.
        ways: What can be done with them, the safest first.
        kinds: Findings that put a variable into it.
    """

    title: str
    why: str
    ways: tuple[Way, ...]
    kinds: frozenset[FindingKind] = frozenset()


GROUPS: Mapping[Group, GroupWords] = {
    "direct identifier": GroupWords(
        title="Direct identifiers",
        why="They name people, or number them as other files do.",
        ways=("drop", "renumber", "keep"),
        kinds=frozenset(
            {"direct identifier", "record number", "household number", "coordinates", "leftover"}
        ),
    ),
    "tells a key": GroupWords(
        title="What tells a key",
        why="They give back what was taken from a key.",
        ways=("drop", "coarsen", "keep"),
        kinds=frozenset({"telling weight", "tells a key"}),
    ),
    "known outside": GroupWords(
        title="Could be known outside",
        why="Neighbours, colleagues or registers may know them, and no scenario has them.",
        ways=("drop", "key", "keep"),
        kinds=frozenset({"fine geography"}),
    ),
    "sensitive": GroupWords(
        title="Sensitive",
        why="People have a right that they stay with them.",
        ways=("drop", "coarsen", "keep"),
    ),
    "exact number": GroupWords(
        title="Exact numbers",
        why="Whoever knows one finds the record by it.",
        ways=("drop", "coarsen", "keep"),
        kinds=frozenset({"exact number"}),
    ),
    "free text": GroupWords(
        title="Free text",
        why="Nobody knows what people wrote.",
        ways=("drop", "keep"),
        kinds=frozenset({"free text"}),
    ),
    "date": GroupWords(
        title="Dates",
        why="Registers and neighbours know dates to the day.",
        ways=("drop", "coarsen", "keep"),
        kinds=frozenset({"exact date"}),
    ),
    "design": GroupWords(
        title="Design of the survey",
        why="Strata, sampling units and weights follow from places and dates.",
        ways=("drop", "coarsen", "keep"),
    ),
    "in a scenario": GroupWords(
        title="Keys, weight and household of the scenarios",
        why="An intruder knows them, or counts by them: their risk is measured.",
        ways=("coarsen", "keep"),
    ),
    "answer": GroupWords(
        title="Answers",
        why="Nothing delicate was found.",
        ways=("keep", "drop"),
    ),
}

_KNOWN = frozenset(key.name for key in KEYS) - {"date of birth"} | {"part of a date of birth"}
_BY_MEANING: Mapping[str, Group] = {
    "date": "date",
    "date of birth": "date",
    "free text": "free text",
    "record number": "direct identifier",
    "household number": "direct identifier",
    "leftover": "direct identifier",
    "design of the survey": "design",
    "time of the survey": "design",
    "line number": "design",
}
_BY_ROLE: Mapping[Role, Group] = {
    "identifier": "direct identifier",
    "household": "direct identifier",
    "weight": "design",
}
_FIRST: frozenset[Group] = frozenset({"direct identifier", "tells a key"})


def find_group(
    kinds: Collection[FindingKind],
    *,
    meaning: str = "",
    role: Role = "other",
    sensitive: bool = False,
    measured: bool = False,
) -> Group:
    """Return the group of a variable: the first in the table that it fits.

    Args:
        kinds: What was found.
        meaning: What it is about.
        role: What it is for.
        sensitive: Whether people have a right that it stays with them.
        measured: Whether a scenario has it, as a key, weight or household.
    """
    fits: set[Group] = {group for group, words in GROUPS.items() if words.kinds & set(kinds)}
    if measured:
        return next(group for group in GROUPS if group in fits & _FIRST | {"in a scenario"})
    if meaning in _BY_MEANING:
        fits.add(_BY_MEANING[meaning])
    elif meaning in _KNOWN or role == "key":
        fits.add("known outside")
    if sensitive:
        fits.add("sensitive")
    if role in _BY_ROLE and meaning not in _BY_MEANING:
        fits.add(_BY_ROLE[role])
    return next((group for group in GROUPS if group in fits), "answer")
