"""Global recoding: fewer categories, by groups, bins, shorter codes or a classification."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from microsafe.codes import Range, missing_texts, spell_code
from microsafe.engine.transformations import Bins, Lookup, Prefix, Rule, Transformation, numbers_of
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.recoding import Old, RecodeOptions
from microsafe.options.signature import list_fields
from microsafe.schema import Code, Measure, Variable
from microsafe.steps.base import AppliedStep, GlossaryTerm
from microsafe.steps.change import Change
from microsafe.steps.changed_variable import (
    DistinctValues,
    finite_number,
    missing_codes,
    number,
    remake_variable,
    text_besides_numbers,
)

if TYPE_CHECKING:
    from microsafe.io.argus.grc import GrcRecode


def plan_recode(step: Recode, before: Variable, values: pl.Series) -> Transformation:
    """Work out what a recode does to a variable.

    Args:
        step: What is asked for.
        before: The variable as it is.
        values: Its distinct values, missing codes included.

    Raises:
        UsageError: It names codes that the variable does not have, or cannot be done.

    References:
        docs/methods/recoding.md.
    """
    known = DistinctValues.of(values, before)
    rule, measure = _rule(step, before, known)
    named = set(rule.table) if isinstance(rule, Lookup) else set()
    # A missing code that is named in a group is an answer like others from now on.
    freed = [code for code in missing_texts(before) if code in named]
    left = replace(before, missing=tuple(c for c in before.missing if spell_code(c) not in freed))
    known = DistinctValues.of(values, left)
    missing = None if step.missing is None else cast(tuple[str, ...], tuple(step.missing))
    after, moved = remake_variable(
        left,
        known,
        lambda code: _renew_code(rule, code),
        _into(rule, left, known),
        labels=step.labels,
        targets=_targets(step, rule),
        missing=missing,
        measure=measure,
    )
    return Transformation(rule=rule, before=left, after=after, missing=moved)


def _rule(step: Recode, before: Variable, known: DistinctValues) -> tuple[Rule, Measure | None]:
    if step.groups is not None:
        groups = cast("Mapping[str, Sequence[str | Range]]", step.groups)
        table = _spell_groups(before, groups, known)
        return Lookup(table=table, other=cast("str | None", step.other)), None
    if step.breaks is not None:
        return _bins(step, before, known), "ordinal"
    if step.keep is not None:
        return Prefix(step.keep), None
    return Lookup(
        table=_climb_levels(step, before, known), other=cast("str | None", step.other)
    ), None


def _into(rule: Rule, before: Variable, known: DistinctValues) -> set[str]:
    """New codes that other codes become."""
    if not isinstance(rule, Bins):
        codes = {*known.codes, *(spell_code(code) for code in before.labels)}
        codes -= {*missing_codes(before, known)}
        return {new for code in codes if (new := _renew_code(rule, code)) != code}
    numbers = numbers_of(known.valid)
    assert numbers is not None  # noqa: S101  # or there would be no bins
    place = np.searchsorted(np.array(rule.breaks), numbers, side="right")
    found = [(rule.names[each], numbers[place == each]) for each in np.unique(place)]
    # A bin of one number that is called by it changes nothing.
    return {name for name, inside in found if [name] != [spell_code(float(n)) for n in inside[:2]]}


def _targets(step: Recode, rule: Rule) -> list[str]:
    """The codes that a recode may make, in the data or not."""
    if isinstance(rule, Bins):
        return [name for name in rule.names if name]
    if not isinstance(rule, Lookup):
        return []
    new = [spell_code(code) for code in step.groups or ()] or list(rule.table.values())
    return [*new, *([] if rule.other is None else [rule.other])]


def _renew_code(rule: Rule, code: str) -> str:
    """What becomes of a code that may not be in the data, but has a label."""
    if isinstance(rule, Lookup):
        return rule.table.get(code, code if rule.other is None else rule.other)
    if isinstance(rule, Prefix):
        return code[: rule.length]
    value = number(code)
    if not isinstance(rule, Bins) or value is None:
        return code
    return rule.names[sum(each <= value for each in rule.breaks)]


def _spell_groups(
    before: Variable, groups: Mapping[str, Sequence[str | Range]], known: DistinctValues
) -> Mapping[str, str]:
    """Old codes by new, ranges spelled out for the codes that there are."""
    labelled = [spell_code(code) for code in before.labels]
    codes = dict.fromkeys([*known.codes, *labelled])
    missing = missing_codes(before, known)
    table: dict[str, str] = {}
    for new, old in groups.items():
        for each in old:
            if isinstance(each, tuple):
                found = [c for c in codes if c not in missing and _within(before, c, each)]
            elif each in codes or each in missing:
                found = [each]
            else:
                # Only codes with a label are metadata; others are values of records.
                raise UsageError(
                    f"{before.name!r} has no code {each!r}, so it cannot become {new!r}."
                    f"{did_you_mean(each, labelled)}"
                )
            for code in found:
                if table.setdefault(code, new) != new:
                    raise UsageError(
                        f"Groups {table[code]!r} and {new!r} of {before.name!r} overlap. "
                        "Change their ranges so that every code is in one of them."
                    )
    return table


def _within(before: Variable, code: str, limits: Range) -> bool:
    """Tell whether a code lies in a range: by the order that is declared, if it knows all ends."""
    order = [spell_code(each) for each in before.order]
    low, high = limits
    if not all(end in order for end in (low, high, code) if end):
        return inside(code, limits)
    place = order.index(code)
    return (not low or order.index(low) <= place) and (not high or place <= order.index(high))


def inside(code: str, limits: Range) -> bool:
    """Tell whether a code lies in a range: as a number if the range is one of numbers."""
    ends = [end for end in limits if end]
    low, high = limits
    if any(number(end) is None for end in ends):
        return low <= code and (not high or code <= high)
    value = number(code)
    return value is not None and (
        (not low or float(low) <= value) and (not high or value <= float(high))
    )


def _bins(step: Recode, before: Variable, known: DistinctValues) -> Bins:
    numbers = numbers_of(known.valid)
    if numbers is None and any(number(code) is not None for code in known.codes):
        raise text_besides_numbers(before, known)
    if numbers is None:
        raise UsageError(
            f"{before.name!r} holds text, which cannot be put into bins. Recode it by groups, or "
            "keep the first characters of its codes."
        )
    breaks = tuple(step.breaks or ())
    names = cast(tuple[str, ...], tuple(step.names))
    below = bool((numbers < breaks[0]).any())
    if len(names) == len(breaks) and below:
        raise UsageError(
            f"{before.name!r} has values below its first break. Add a lower break, or a name for "
            "what lies below."
        )
    if not names:
        whole = bool((numbers == numbers.round()).all()) and all(b.is_integer() for b in breaks)
        names = _bin_names(breaks, whole=whole)
    return Bins(breaks=breaks, names=names if len(names) > len(breaks) else ("", *names))


def _bin_names(breaks: tuple[float, ...], *, whole: bool) -> tuple[str, ...]:
    """Return "20-29" for whole numbers, "20-<30" for others, and names for the open ends."""
    names = [f"under {spell_code(breaks[0])}"]
    for low, high in pairwise(breaks):
        last = spell_code(high - 1) if whole else f"<{spell_code(high)}"
        names.append(spell_code(low) if whole and high - low == 1 else f"{spell_code(low)}-{last}")
    return (*names, f"{spell_code(breaks[-1])}+")


def _climb_levels(step: Recode, before: Variable, known: DistinctValues) -> Mapping[str, str]:
    """The ancestor of each code that there is; what has none is `other` or an error."""
    levels = cast("Sequence[Mapping[str, str]]", step.classification)[: step.level]
    table: dict[str, str] = {}
    lost = dict.fromkeys(range(1, len(levels) + 1), 0)
    for code in known.codes:
        place = code
        for height, level in enumerate(levels, 1):
            if place not in level:
                lost[height] += 1
                break
            place = level[place]
        else:
            table[code] = place
    if step.other is None:
        for height, count in lost.items():
            if count:
                raise UsageError(
                    f"{count:,} codes of {before.name!r} have no parent on level {height} of the "
                    "classification. Add them, or name a code for what is not in it (other=...)."
                )
    return table


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Recode(RecodeOptions, Change):
    """Give a variable fewer categories, in one of four ways.

    Codes are kept as text, 3 as `"3"`. A pair is a range of codes, both ends included, an empty
    end open. Declared missing codes fall into no range and no bin.
    """

    do = "recode"
    title = "Global recoding"
    public = (
        "Global recoding. Categories of a variable were combined into broader ones, in all records "
        "alike."
    )
    term = GlossaryTerm(
        name="global recoding",
        meaning="Fewer categories of a variable, the same for all records: years of age become "
        "age bands.",
        see="[Recoding](methods/recoding.md)",
        sdcmicro="`globalRecode`, `groupAndRename`",
        muargus="global recode, `.grc`",
    )

    def __post_init__(
        self,
        into: Mapping[Any, Sequence[Old] | Code] | Sequence[float] | None,
        grc: str | os.PathLike[str] | None,
    ) -> None:
        """Validate the fields, and bring codes into one spelling."""
        put = partial(object.__setattr__, self)
        for name, shorthand in self._read_shorthands(into, grc).items():
            put(name, shorthand)
        ways = ("groups", "breaks", "keep", "classification")
        if sum(getattr(self, way) is not None for way in ways) != 1:
            raise UsageError(f"Recode {self.variable!r} by one of {', '.join(ways)}.")
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

    def _read_shorthands(self, into: object, grc: str | os.PathLike[str] | None) -> dict[str, Any]:
        """Return the fields that `into` or a `.grc` file stand for."""
        if into is None and grc is None:
            return {}
        ways = (self.groups, self.breaks, self.keep, self.classification)
        if any(way is not None for way in ways) or None not in (into, grc):
            raise UsageError(f"Recode {self.variable!r} in one way, not in several.")
        if grc is not None:
            from microsafe.io.argus.grc import read_grc

            return _fields_of_grc(read_grc(grc))
        if isinstance(into, Mapping):
            return {"groups": into}
        if isinstance(into, Iterable) and not isinstance(into, str | bytes):
            return {"breaks": tuple(into)}
        raise UsageError(
            f"Recode {self.variable!r} into bounds of bands or groups, such as [0, 15, 30] or "
            '{"north": ["1", "2"]}, or name the way: groups=, breaks=, keep=, classification=.'
        )

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

    def in_words(self, taken: AppliedStep | None = None) -> str:  # noqa: ARG002
        """Name the variable and the way."""
        if self.groups is not None:
            if len(self.groups) > 1:
                return f"recode {self.variable} into {len(self.groups)} groups"
            ((new, old),) = self.groups.items()
            codes = [
                "-".join(map(str, each)) if isinstance(each, tuple) else str(each)
                for each in cast("Sequence[Old]", old)
            ]
            return f"recode {self.variable}: {', '.join(codes)} into {new}"
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


def recode_from_grc(found: GrcRecode, variable: str, *, why: str = "") -> Recode:
    """Return the step that recodes a variable as a `.grc` file says."""
    return Recode(variable=variable, **_fields_of_grc(found), why=why)


def _fields_of_grc(found: GrcRecode) -> dict[str, Any]:
    return {"groups": dict(found.groups), "labels": dict(found.labels), "missing": found.missing}


def grc_from_recode(step: Recode) -> GrcRecode:
    """Return what a `.grc` file must say to recode in the same way.

    Raises:
        UsageError: The recode is not by groups alone, the only way mu-ARGUS has.
    """
    if step.groups is None or step.other is not None:
        raise UsageError(
            "A .grc file can only hold a recode by groups, without other. "
            f"Write out the groups of {step.variable!r}."
        )
    from microsafe.io.argus.grc import GrcRecode

    groups = cast("Mapping[str, tuple[str | Range, ...]]", step.groups)
    missing = None if step.missing is None else tuple(str(code) for code in step.missing)
    return GrcRecode(groups=groups, missing=missing, labels=step.labels)
