"""Rounding: to the nearest multiple, or at random to the one below or above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated

import numpy as np
import polars as pl

from microsafe.arrays import count_decimals
from microsafe.codes import spell_code
from microsafe.draws import Draws, check_seed
from microsafe.engine.record_access import Form, RecordBatch, RecordValues, Selection
from microsafe.engine.transformations import RoundedMultiple, Transformation, round_numbers
from microsafe.errors import InputError, UsageError
from microsafe.options.parameter import Parameter, Why
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.steps.base import AppliedStep, GlossaryTerm, StepContext, StepOutcome
from microsafe.steps.change import Change, Numeric
from microsafe.steps.changed_variable import finite_number, known_numbers, number, remake_variable
from microsafe.steps.number_format import (
    MOST_DECIMALS,
    meets_missing_codes,
    renew_variable,
    room_for,
)
from microsafe.steps.released_weights import shared_household, tell_weight, weight_of
from microsafe.steps.risky_records import household_form, household_numbers
from microsafe.sums import Floats

_EXACT = 1e-9  # of the base: what is as near as that to a multiple is one


def round_at_random(numbers: Floats, base: float, uniforms: Floats) -> Floats:
    """Return a multiple of the base below or above each number.

    The chance of each is the other one's distance as a share of the base, so that E z = x.

    Args:
        numbers: What to round; NaN stays.
        base: Above 0.
        uniforms: A number from 0 to below 1 for each.
    """
    ratio = numbers / base
    nearest = np.rint(ratio)
    below = np.floor(ratio)
    drawn = below + (uniforms < ratio - below)
    result: Floats = np.where(np.abs(ratio - nearest) <= _EXACT, nearest, drawn) * base + 0.0
    digits = -int(Decimal(str(base)).as_tuple().exponent)
    return np.round(result, digits) if digits > 0 else result


@dataclass(frozen=True, slots=True, kw_only=True)
class _RoundingKernel:
    """What is done to each record; it can be done anywhere."""

    variable: Variable
    base: float
    draws: Draws
    household: str | None = None

    def __call__(self, batch: RecordBatch) -> Mapping[str, RecordValues]:
        """Return some records rounded."""
        values = batch.columns[self.variable.name]
        drawn = self.draws.uniforms(batch.numbers)
        if self.household is not None:
            homes = batch.columns[self.household]
            shared = self.draws.uniforms(household_numbers(homes))
            drawn = np.where(homes.missing, drawn, shared)
        rounded = round_at_random(np.where(values.missing, 0.0, values.data), self.base, drawn)
        return {self.variable.name: RecordValues(data=rounded, missing=values.missing)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Multiples:
    """Multiples that numbers may become: their ends, and whether one is a missing code."""

    lowest: float
    highest: float
    spoilt: bool

    def merge(self, other: _Multiples) -> _Multiples:
        return _Multiples(
            lowest=min(self.lowest, other.lowest),
            highest=max(self.highest, other.highest),
            spoilt=self.spoilt or other.spoilt,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _MultiplePass:
    """Looks at what numbers may become."""

    variable: Variable
    base: float
    decimals: int

    def __call__(self, batch: RecordBatch) -> _Multiples:
        values = batch.columns[self.variable.name]
        known = values.data[~values.missing]
        ends = [round_at_random(known, self.base, np.full(len(known), u)) for u in (0.0, 1.0)]
        return _Multiples(
            lowest=float(np.min(ends, initial=np.inf)),
            highest=float(np.max(ends, initial=-np.inf)),
            spoilt=meets_missing_codes(np.concatenate(ends), self.variable),
        )


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Change):
    """Round numbers to multiples of a base: the nearest, or one of two at random."""

    do = "round"
    touches = frozenset({"key", "other", "weight"})
    reweighs = True
    title = "Rounding"
    public = "Rounding. Values of a numeric variable were rounded to multiples of a number."
    term = GlossaryTerm(
        name="rounding",
        meaning="Numbers replaced by the nearest multiple of a base, the same for all records; or, "
        "random rounding, by the one below or above with a chance by closeness, so that sums are "
        "kept in expectation.",
        see="[Recoding](methods/recoding.md), [Random rounding](methods/noise.md#random-rounding)",
        muargus="rounding",
    )

    variable: Numeric = field(kw_only=False)
    base: Annotated[
        float, Parameter(label="To multiples of", help="10 rounds to tens, 0.5 to halves.")
    ] = field(kw_only=False)
    random: Annotated[
        bool,
        Parameter(
            label="At random",
            help="To the multiple below or above with a chance by closeness: sums are kept in "
            "expectation. Not for keys.",
        ),
    ] = False
    identifier: Annotated[
        str | None,
        Parameter(
            label="Identifier",
            help="Records draw by it, so that their order does not matter.",
            control="variable",
            changed=False,
            only_with="random",
        ),
    ] = None
    seed: Annotated[
        int | None,
        Parameter(label="Seed", help="For random rounding.", control="seed", only_with="random"),
    ] = field(default=None, repr=False)
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields; without chance there is no seed."""
        if finite_number(self.base, f"The base to round {self.variable!r} to") <= 0:
            raise UsageError(f"The base to round {self.variable!r} to must be above 0.")
        if self.random:
            check_seed(self.seed, "of random rounding")
        else:
            object.__setattr__(self, "seed", None)
            object.__setattr__(self, "identifier", None)

    @property
    def public_parameters(self) -> tuple[str, ...]:
        """Whether it was at random."""
        return ("random",)

    def in_words(self, taken: AppliedStep | None = None) -> str:  # noqa: ARG002
        """Name the variable and the base."""
        text = f"round {self.variable} to multiples of {self.base:g}"
        return f"{text} at random" if self.random else text

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say what became of the sum of weights, if it was a weight."""
        return tell_weight(taken)

    def public_results(self, taken: AppliedStep, *, matrix: bool) -> list[tuple[str, str]]:  # noqa: ARG002
        """Say the same."""
        return tell_weight(taken)

    def new_categories(self, variable: Variable, categories: Sequence[str]) -> Sequence[str] | None:
        """Return what each category becomes; at random that is not the same for all records."""
        if self.random:
            return None
        return super(Round, self).new_categories(variable, categories)

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
        return Transformation(
            rule=RoundedMultiple(self.base), before=before, after=after, missing=moved
        )

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Have the engine apply the rule, or every record draw."""
        if not self.random:
            return super(Round, self).apply(before, progress)
        for scenario in before.scenarios:
            if self.variable in scenario.keys:
                raise UsageError(
                    f"{self.variable!r} is a key of scenario {scenario.name!r}, and risk could not "
                    "be measured after random rounding of it. Round it without chance, or leave it "
                    "out of the keys."
                )
        engine = before.engine
        variable = engine.schema[self.variable]
        digits = count_decimals(np.array([float(self.base)]))
        decimals = MOST_DECIMALS if digits is None else digits
        after = renew_variable(variable, decimals)
        used = weight_of(self, before)
        home = None if used is None else shared_household(before.engine, used, self.variable)
        forms: dict[str, Form] = {} if home is None else {home: household_form(engine, home)}
        forms[self.variable] = "number"
        selection = Selection(forms=forms, identifier=self.identifier)
        looking = _MultiplePass(variable=after, base=float(self.base), decimals=decimals)
        found = engine.reduce_records(selection, looking)
        room_for(variable, decimals, (found.lowest, found.highest))
        if found.spoilt:
            raise InputError(
                f"Values of {self.variable!r} would become one of its missing codes. Choose "
                "another base, or give it other missing codes first, by a recode."
            )
        rounding = _RoundingKernel(
            household=home,
            variable=after,
            base=float(self.base),
            draws=Draws(seed=self.seed or 0, step=len(before.steps) + 1, variable=self.variable),
        )
        return StepOutcome(
            engine=engine.map_records(selection, [after], rounding),
            scenarios=before.scenarios,
            taken=AppliedStep(step=self),
        )
