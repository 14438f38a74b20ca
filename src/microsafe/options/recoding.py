"""Recoding: which codes become which, in one of four ways."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any

from microsafe.options.parameter import Chosen, Parameter, Why, value_in_words
from microsafe.schema import Code

_MANY_CODES = 60

Old = Code | tuple[Code | None, Code | None]


def _old_in_words(old: Any) -> str:
    """Return a code, or a range as "3 to 5", "9 and above" or "up to 5"."""
    if not isinstance(old, tuple):
        return value_in_words(old)
    low, high = old
    if not high:
        return f"{low} and above"
    return f"{low} to {high}" if low else f"up to {high}"


def _groups_in_words(groups: Mapping[str, tuple[Old, ...]]) -> str:
    return "; ".join(f"{new}: {', '.join(map(_old_in_words, old))}" for new, old in groups.items())


def _levels_in_words(levels: tuple[Mapping[str, Code], ...]) -> str:
    return ", then ".join(map(_level_in_words, levels))


def _level_in_words(level: Mapping[str, Code]) -> str:
    """Return the codes below each parent, or how many there are where nobody would read on."""
    parents: dict[str, list[str]] = {}
    for code, parent in level.items():
        parents.setdefault(str(parent), []).append(code)
    if len(level) > _MANY_CODES:
        return f"{len(level):,} codes into {len(parents):,}"
    return "; ".join(f"{parent}: {', '.join(codes)}" for parent, codes in parents.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class RecodeOptions:
    """Options of a recode."""

    variable: Chosen = field(kw_only=False)
    into: InitVar[
        Annotated[
            Mapping[Any, Sequence[Old] | Code] | Sequence[float] | None,
            Parameter(label="Lower bounds of bins, or groups", help="Short for breaks or groups."),
        ]
    ] = field(default=None, kw_only=False)
    groups: Annotated[
        Mapping[Any, Sequence[Old] | Code] | None,
        Parameter(
            label="New codes from old",
            example="{north=[1,2], south=[3,4]}",
            help="A pair is a range of codes, an empty end open. Codes not named stay.",
            metavar="NEW=OLD|OLD,..",
            words=_groups_in_words,
        ),
    ] = None
    other: Annotated[
        Code | None,
        Parameter(
            label="Code for all others",
            help="Not named in groups or classification.",
            metavar="CODE",
        ),
    ] = None
    breaks: Annotated[
        Sequence[float] | None,
        Parameter(
            label="Classes begin at", help="Rising; the last class is open.", metavar="A,B,.."
        ),
    ] = None
    names: Annotated[
        Sequence[Code],
        Parameter(
            label="Codes of the classes",
            help="One for each break, or one more if the first is for what lies below all breaks.",
            metavar="A,B,..",
            unset="such as 20-29",
        ),
    ] = ()
    keep: Annotated[int | None, Parameter(label="Characters kept, from the left", metavar="N")] = (
        None
    )
    classification: Annotated[
        Sequence[Mapping[Any, Code]] | Mapping[Any, Code] | None,
        Parameter(
            label="Classification",
            example='[{"01"="A", "02"="A"}]',
            metavar="TABLES",
            help="Parent by code, one mapping for each level upward.",
            words=_levels_in_words,
        ),
    ] = None
    level: Annotated[int | None, Parameter(label="Levels climbed", metavar="N", unset="all")] = None
    labels: Annotated[
        Mapping[Any, str],
        Parameter(
            label="Labels of the new codes",
            example='{north="The north"}',
            metavar="CODE=LABEL,..",
        ),
    ] = field(default_factory=dict)
    missing: Annotated[
        Sequence[Code] | None,
        Parameter(
            label="New missing codes",
            help="In the order of the old.",
            metavar="A,B,..",
            unset="the old",
        ),
    ] = None
    grc: InitVar[
        Annotated[
            str | os.PathLike[str] | None,
            Parameter(label="A recode of mu-ARGUS (.grc) instead of all these", control="file"),
        ]
    ] = None
    why: Why = ""
