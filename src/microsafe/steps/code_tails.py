"""Top and bottom coding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import spell_code
from microsafe.engine.rules import Tail, Transformation
from microsafe.schema import Code, Variable
from microsafe.steps.base import Taken, Term
from microsafe.steps.change import Change, Numeric
from microsafe.steps.parameter import Parameter, Why
from microsafe.steps.variable import finite_number, known_numbers, number, remake_variable
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tail(Change):
    upward: ClassVar[bool]

    variable: Numeric
    limit: Annotated[float, Parameter(label="From", help="Numbers from here on become one class.")]
    code: Annotated[
        Code | None, Parameter(label="Code", help="The limit itself if left empty.", control="text")
    ] = None
    label: Annotated[str, Parameter(label="Label", help="Such as: 85 and over")] = ""
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields, and bring the code into one spelling."""
        limit = finite_number(self.limit, f"The limit for {self.variable!r}")
        object.__setattr__(self, "code", spell_code(limit if self.code is None else self.code))

    def in_words(self, taken: Taken | None = None) -> str:  # noqa: ARG002
        """Name the variable and the limit."""
        return f"{'top' if self.upward else 'bottom'}-code {self.variable} at {self.limit:g}"

    def transformation(self, before: Variable, values: pl.Series) -> Transformation:
        """Work out what top or bottom coding does to a variable.

        Raises:
            UsageError: The variable does not hold numbers, or the code means missing.
        """
        known, numbers = known_numbers(before, values)
        rule = Tail(limit=float(self.limit), code=cast(str, self.code), upward=self.upward)

        def beyond(value: Floats) -> NDArray[np.bool_]:
            return value >= rule.limit if rule.upward else value <= rule.limit

        def renew(code: str) -> str:
            value = number(code)
            return rule.code if value is not None and beyond(np.array([value]))[0] else code

        far = numbers[beyond(numbers)]
        into = [rule.code] if (far != number(rule.code)).any() else []
        labels = {rule.code: self.label} if self.label else {}
        after, moved = remake_variable(
            before, known, renew, into, labels=labels, targets=[rule.code]
        )
        return Transformation(rule=rule, before=before, after=after, missing=moved)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopCode(_Tail):
    """Replace all numbers from a limit upward by one code.

    Attributes:
        variable: What to code.
        limit: The smallest number that is replaced.
        code: What it becomes; the limit itself if None.
        label: Of that code, such as "85 and over".
        why: Reason, written to the plan and the report.
    """

    do = "top_code"
    title = "Top coding"
    public = "Top coding. The largest values of a variable were combined into one class."
    term = Term(
        name="top coding",
        meaning="One code for all numbers from a limit upward.",
        sdcmicro='`topBotCoding(kind = "top")`',
        muargus="top coding",
    )
    upward = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BottomCode(_Tail):
    """Replace all numbers from a limit downward by one code; see `TopCode`."""

    do = "bottom_code"
    title = "Bottom coding"
    public = "Bottom coding. The smallest values of a variable were combined into one class."
    term = Term(
        name="bottom coding",
        meaning="One code for all numbers from a limit downward.",
        sdcmicro='`topBotCoding(kind = "bottom")`',
        muargus="bottom coding",
    )
    upward = False

    limit: Annotated[
        float, Parameter(label="Up to", help="Numbers down from here become one class.")
    ]
