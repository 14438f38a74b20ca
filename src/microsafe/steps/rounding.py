"""Rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from microsafe.codes import spell_code
from microsafe.engine.rules import Multiple, Transformation, round_numbers
from microsafe.errors import UsageError
from microsafe.schema import Variable
from microsafe.steps.base import Taken, Term
from microsafe.steps.change import Change, Numeric
from microsafe.steps.parameter import Parameter, Why
from microsafe.steps.variable import finite_number, known_numbers, number, remake_variable


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Change):
    """Round numbers to the nearest multiple of a base, halves to the even one.

    Attributes:
        variable: What to round.
        base: 10 rounds to tens, 0.5 to halves.
        why: Reason, written to the plan and the report.
    """

    do = "round"
    title = "Rounding"
    public = "Rounding. Values of a numeric variable were rounded, in all records alike."
    term = Term(
        name="rounding",
        meaning="Numbers replaced by the nearest multiple of a base, the same for all records.",
        see="[Recoding](methods/recoding.md)",
        muargus="rounding",
    )

    variable: Numeric
    base: Annotated[
        float, Parameter(label="To multiples of", help="10 rounds to tens, 0.5 to halves.")
    ]
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        if finite_number(self.base, f"The base to round {self.variable!r} to") <= 0:
            raise UsageError(f"The base to round {self.variable!r} to must be above 0.")

    def in_words(self, taken: Taken | None = None) -> str:  # noqa: ARG002
        """Name the variable and the base."""
        return f"round {self.variable} to multiples of {self.base:g}"

    def transformation(self, before: Variable, values: pl.Series) -> Transformation:
        """Work out what rounding does to a variable.

        Raises:
            UsageError: The variable does not hold numbers, or some would become missing codes.
        """
        known, numbers = known_numbers(before, values)
        multiples = round_numbers(numbers, self.base)
        into = [spell_code(float(each)) for each in np.unique(multiples[multiples != numbers])]

        def renew(code: str) -> str:
            value = number(code)
            if value is None:
                return code
            return spell_code(float(round_numbers(np.array([value]), self.base)[0]))

        after, moved = remake_variable(before, known, renew, into, labels={})
        return Transformation(rule=Multiple(self.base), before=before, after=after, missing=moved)
