"""Global recoding: fewer categories, by groups, bins, shorter codes or a classification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, cast

import polars as pl

from microsafe.codes import Range, spell_code
from microsafe.engine.rules import Transformation
from microsafe.errors import UsageError
from microsafe.io.argus.grc import Grc
from microsafe.schema import Code, Variable
from microsafe.steps.base import Taken, Term
from microsafe.steps.change import Change, Chosen
from microsafe.steps.parameter import Parameter, Why, value_in_words
from microsafe.steps.recoding import plan_recode
from microsafe.steps.variable import finite_number

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
class Recode(Change):
    """Give a variable fewer categories, in one of four ways.

    Codes are kept as text, 3 as `"3"`. A pair is a range of codes, both ends included, an empty
    end open. Declared missing codes fall into no range and no bin.

    Attributes:
        variable: What to recode.
        groups: New code by its old codes and ranges of them; codes not named stay.
        other: Code for all that is not named in `groups` or `classification`.
        breaks: Lower bounds of bins, rising; the last bin is open.
        names: Codes of the bins, one for each break, or one more if the first is for what lies
            below all breaks; `"20-29"` and the like if empty.
        keep: How many characters of a code to keep, from the left.
        classification: Parent by code, one mapping for each level upward.
        level: How many levels to climb; all if None.
        labels: Of the new codes.
        missing: New missing codes, in the order of the old; those if None.
        why: Reason, written to the plan and the report.
    """

    do = "recode"
    title = "Global recoding"
    public = (
        "Global recoding. Categories of a variable were combined into broader ones, in all records "
        "alike."
    )
    term = Term(
        name="global recoding",
        meaning="Fewer categories of a variable, the same for all records: years of age become "
        "age bands.",
        see="[Recoding](methods/recoding.md)",
        sdcmicro="`globalRecode`, `groupAndRename`",
        muargus="global recode, `.grc`",
    )

    variable: Chosen
    groups: Annotated[
        Mapping[str, tuple[Old, ...]] | None,
        Parameter(label="New codes from old", words=_groups_in_words),
    ] = None
    other: Annotated[Code | None, Parameter(label="Code for all others")] = None
    breaks: Annotated[tuple[float, ...] | None, Parameter(label="Classes begin at")] = None
    names: Annotated[tuple[Code, ...], Parameter(label="Codes of the classes")] = ()
    keep: Annotated[int | None, Parameter(label="Characters kept, from the left")] = None
    classification: Annotated[
        tuple[Mapping[str, Code], ...] | None,
        Parameter(label="Classification", words=_levels_in_words),
    ] = None
    level: Annotated[int | None, Parameter(label="Levels climbed")] = None
    labels: Annotated[Mapping[str, str], Parameter(label="Labels of the new codes")] = field(
        default_factory=dict
    )
    missing: Annotated[tuple[Code, ...] | None, Parameter(label="New missing codes")] = None
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields, and bring codes into one spelling."""
        ways = ("groups", "breaks", "keep", "classification")
        if sum(getattr(self, way) is not None for way in ways) != 1:
            raise UsageError(f"Recode {self.variable!r} by one of {', '.join(ways)}.")
        put = partial(object.__setattr__, self)
        put("labels", {spell_code(code): label for code, label in self.labels.items()})
        put("names", tuple(spell_code(name) for name in self.names))
        if self.other is not None:
            put("other", spell_code(self.other))
        if self.missing is not None:
            put("missing", _codes(self.missing))
        if self.groups is not None:
            put("groups", self._check_groups())
        if self.breaks is not None:
            put("breaks", self._bounds())
        if self.classification is not None:
            put("classification", self._levels())
        self._check()

    def _check_groups(self) -> Mapping[str, tuple[str | Range, ...]]:
        groups = {spell_code(new): _codes(old) for new, old in (self.groups or {}).items()}
        if not groups:
            raise UsageError(f"There is no group to recode {self.variable!r} into. Name one.")
        seen: dict[str, str] = {}
        for new, old in groups.items():
            for code in old:
                if isinstance(code, str) and seen.setdefault(code, new) != new:
                    raise UsageError(
                        f"Code {code!r} of {self.variable!r} is in two groups. Take it out of one."
                    )
        return groups

    def _bounds(self) -> tuple[float, ...]:
        breaks = tuple(finite_number(b, f"A break of {self.variable!r}") for b in self.breaks or ())
        if not breaks or not all(a < b for a, b in pairwise(breaks)):
            raise UsageError(
                f"The breaks of {self.variable!r} must be in ascending order; give at least one."
            )
        return breaks

    def _levels(self) -> tuple[Mapping[str, str], ...]:
        given: object = self.classification
        levels = (given,) if isinstance(given, Mapping) else tuple(self.classification or ())
        if self.level is not None and not 1 <= self.level <= len(levels):
            raise UsageError(
                f"The classification of {self.variable!r} has {len(levels)} levels above its "
                f"codes: level must be from 1 to {len(levels)}."
            )
        return tuple(
            {spell_code(code): spell_code(parent) for code, parent in level.items()}
            for level in levels
        )

    def _check(self) -> None:
        if self.keep is not None and finite_number(self.keep, "keep") < 1:
            raise UsageError(f"Keep at least 1 character of the codes of {self.variable!r}.")
        if self.other is not None and self.groups is None and self.classification is None:
            raise UsageError("other applies only to groups or a classification. Leave it out.")
        if self.level is not None and self.classification is None:
            raise UsageError("level applies only to a classification. Leave it out.")
        if self.names and self.breaks is None:
            raise UsageError("names applies only to breaks. Leave it out.")
        bins = len(self.breaks or ())
        if self.names and len(self.names) not in (bins, bins + 1):
            raise UsageError(
                f"{self.variable!r} has {bins} breaks: give as many names, or one "
                "more, the first for what lies below all breaks."
            )

    def in_words(self, taken: Taken | None = None) -> str:  # noqa: ARG002
        """Name the variable and the way."""
        if self.groups is not None:
            if len(self.groups) > 1:
                return f"recode {self.variable} into {len(self.groups)} groups"
            ((new, old),) = self.groups.items()
            spelt = ["-".join(map(str, each)) if isinstance(each, tuple) else each for each in old]
            return f"recode {self.variable}: {', '.join(map(str, spelt))} into {new}"
        if self.breaks is not None:
            widths = {b - a for a, b in pairwise(self.breaks)}
            one = len(widths) == 1
            wide = f" of {min(widths):g}" if one else f" from {len(self.breaks)} breaks"
            return f"recode {self.variable} into bins{wide}"
        if self.keep is not None:
            return f"keep {self.keep} characters of {self.variable}"
        return f"recode {self.variable} by its classification"

    def transformation(self, before: Variable, values: pl.Series) -> Transformation:
        """Work out what it does to a variable."""
        return plan_recode(self, before, values)


def _codes(given: object) -> tuple[str | Range, ...]:
    """Return one or more codes and ranges."""
    if isinstance(given, str | int | float):
        given = (given,)
    codes: list[str | Range] = []
    for each in given:  # type: ignore[attr-defined]
        if isinstance(each, tuple):
            ends = ["" if end is None else spell_code(end) for end in each]
            if len(ends) != 2 or not any(ends):
                raise UsageError("A range of codes is a pair, and one of its ends is not empty.")
            codes.append((ends[0], ends[1]))
        else:
            codes.append(spell_code(each))
    return tuple(codes)


def recode_from_grc(found: Grc, variable: str, *, why: str = "") -> Recode:
    """Return the step that recodes a variable as a `.grc` file says."""
    return Recode(
        variable=variable,
        groups=dict(found.groups.items()),
        labels=dict(found.labels),
        missing=found.missing,
        why=why,
    )


def grc_from_recode(step: Recode) -> Grc:
    """Return what a `.grc` file must say to recode in the same way.

    Raises:
        UsageError: The recode is not by groups alone, the only way mu-ARGUS has.
    """
    if step.groups is None or step.other is not None:
        raise UsageError(
            "A .grc file can only hold a recode by groups, without other. "
            f"Write out the groups of {step.variable!r}."
        )
    groups = cast("Mapping[str, tuple[str | Range, ...]]", step.groups)
    missing = None if step.missing is None else tuple(str(code) for code in step.missing)
    return Grc(groups=groups, missing=missing, labels=step.labels)
