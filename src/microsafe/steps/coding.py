"""Top and bottom coding, rounding, and new identifiers."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import spell_code
from microsafe.engine.rules import Multiple, Shuffled, Tail, Transformation, numbers_of, rounded
from microsafe.errors import UsageError
from microsafe.schema import Variable
from microsafe.steps.kinds import BottomCode, Renumber, Round, TopCode
from microsafe.steps.variable import Known, missing_codes, number, remade
from microsafe.sums import Floats


def tail_coding(step: TopCode | BottomCode, before: Variable, values: pl.Series) -> Transformation:
    """Work out what top or bottom coding does to a variable.

    Raises:
        UsageError: The variable does not hold numbers, or the code means missing.
    """
    known, numbers = _numbers(before, values)
    upward = isinstance(step, TopCode)
    rule = Tail(limit=float(step.limit), code=cast(str, step.code), upward=upward)

    def beyond(value: Floats) -> NDArray[np.bool_]:
        return value >= rule.limit if upward else value <= rule.limit

    def renew(code: str) -> str:
        value = number(code)
        return rule.code if value is not None and beyond(np.array([value]))[0] else code

    far = numbers[beyond(numbers)]
    into = [rule.code] if (far != number(rule.code)).any() else []
    labels = {rule.code: step.label} if step.label else {}
    after, moved = remade(before, known, renew, into, labels=labels, targets=[rule.code])
    return Transformation(rule=rule, before=before, after=after, missing=moved)


def rounding(step: Round, before: Variable, values: pl.Series) -> Transformation:
    """Work out what rounding does to a variable.

    Raises:
        UsageError: The variable does not hold numbers, or some would become missing codes.
    """
    known, numbers = _numbers(before, values)
    multiples = rounded(numbers, step.base)
    into = [spell_code(float(each)) for each in np.unique(multiples[multiples != numbers])]

    def renew(code: str) -> str:
        value = number(code)
        return (
            code if value is None else spell_code(float(rounded(np.array([value]), step.base)[0]))
        )

    after, moved = remade(before, known, renew, into, labels={})
    return Transformation(rule=Multiple(step.base), before=before, after=after, missing=moved)


def renumbering(step: Renumber, before: Variable) -> Transformation:
    """Work out what new identifiers make of a variable; missing ones stay missing."""
    whole = before.kind in ("integer", "number")
    kept = missing_codes(before, Known.of(pl.Series([], dtype=pl.String), before))
    after = replace(
        before,
        kind=before.kind if whole else "text",
        labels={code: label for code, label in before.labels.items() if spell_code(code) in kept},
        measure="nominal",
    )
    return Transformation(rule=Shuffled(step.seed), before=before, after=after)


def _numbers(before: Variable, values: pl.Series) -> tuple[Known, Floats]:
    known = Known.of(values, before)
    numbers = numbers_of(known.valid)
    if numbers is None:
        raise UsageError(
            f"{before.name!r} holds text besides numbers. Declare what stands for missing, or "
            "recode it by groups."
        )
    return known, numbers
