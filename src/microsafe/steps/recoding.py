"""What a recode does to a variable: groups, bins, shorter codes or a classification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from microsafe.codes import Range, missing_texts, spell_code
from microsafe.engine.rules import Bins, Lookup, Prefix, Rule, Transformation, numbers_of
from microsafe.errors import UsageError, did_you_mean
from microsafe.schema import Measure, Variable
from microsafe.steps.variable import (
    Known,
    missing_codes,
    number,
    remake_variable,
    text_besides_numbers,
)

if TYPE_CHECKING:
    from microsafe.steps.recode import Recode


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
    known = Known.of(values, before)
    rule, measure = _rule(step, before, known)
    named = set(rule.table) if isinstance(rule, Lookup) else set()
    # A missing code that is named in a group is an answer like others from now on.
    freed = [code for code in missing_texts(before) if code in named]
    left = replace(before, missing=tuple(c for c in before.missing if spell_code(c) not in freed))
    known = Known.of(values, left)
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


def _rule(step: Recode, before: Variable, known: Known) -> tuple[Rule, Measure | None]:
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


def _into(rule: Rule, before: Variable, known: Known) -> set[str]:
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
    before: Variable, groups: Mapping[str, Sequence[str | Range]], known: Known
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


def _bins(step: Recode, before: Variable, known: Known) -> Bins:
    numbers = numbers_of(known.valid)
    if numbers is None and any(number(code) is not None for code in known.codes):
        raise text_besides_numbers(before, known)
    if numbers is None:
        raise UsageError(
            f"{before.name!r} holds text, which cannot be put into bins. Recode it by groups, or "
            "keep the first characters of its codes."
        )
    breaks = step.breaks or ()
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


def _climb_levels(step: Recode, before: Variable, known: Known) -> Mapping[str, str]:
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
