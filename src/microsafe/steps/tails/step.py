"""Top and bottom coding: from a limit on, or of a share of the records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import spell_code
from microsafe.display import Rate, show_percent
from microsafe.engine.record_access import RecordBatch, RecordValues
from microsafe.engine.transformations import Tail, Transformation
from microsafe.errors import InputError, UsageError
from microsafe.options.parameter import Parameter, Why
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.schema import Code, Variable
from microsafe.sentences import Sentence
from microsafe.steps.base import AppliedStep, GlossaryTerm, StepContext, StepOutcome
from microsafe.steps.change import Change, Numeric
from microsafe.steps.changed_variable import finite_number, known_numbers, number, remake_variable
from microsafe.steps.number_format import avoid_missing_codes, renew_variable, room_for
from microsafe.steps.numeric_profile import StrataIndex, known_values, survey_numbers
from microsafe.steps.tails.kernel import Replacement, StratumTails, code_tails, gather_tails
from microsafe.sums import Floats, total

_LEAST = 3  # records, so that the mean reveals nobody


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _TailKernel:
    """What is done to each record; it can be done anywhere."""

    name: str
    tails: StratumTails
    index: StrataIndex
    upward: bool

    def __call__(self, batch: RecordBatch) -> Mapping[str, RecordValues]:
        """Return some records with their tail coded."""
        values = batch.columns[self.name]
        stratum = self.index.number(batch.columns, len(batch.numbers))
        coded = code_tails(known_values(values), stratum, self.tails, upward=self.upward)
        return {self.name: RecordValues(data=coded, missing=values.missing)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _TailStep(Change):
    upward: ClassVar[bool]

    variable: Numeric = field(kw_only=False)
    limit: Annotated[
        float | None, Parameter(label="From", help="Numbers from here on become one class.")
    ] = field(default=None, kw_only=False)
    share: Annotated[
        Rate | None,
        Parameter(
            label="Share of the population",
            help="Instead of a limit: such as 0.01, by the weights. Above 0, below 0.5.",
            control="number",
        ),
    ] = None
    replace: Annotated[
        Replacement | None,
        Parameter(
            label="Coded values become",
            choices={
                "mean": "their mean, so that totals are kept",
                "median": "their median",
                "limit": "the limit",
            },
        ),
    ] = None
    strata: Annotated[
        Sequence[str],
        Parameter(
            label="Strata", help="The tail is that of each stratum by itself.", changed=False
        ),
    ] = ()
    least: Annotated[
        int | None,
        Parameter(
            label="Records coded, at least",
            help="At least 3 records in each stratum, so that the mean reveals nobody.",
        ),
    ] = None
    code: Annotated[
        Code | None, Parameter(label="Code", help="The limit itself if left empty.", control="text")
    ] = None
    label: Annotated[str, Parameter(label="Label", help="Such as: 85 and over")] = ""
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields, spell out what is not given, and the code."""
        Change.__post_init__(self)
        if (self.limit is None) == (self.share is None):
            raise UsageError(f"Code {self.variable!r} from a limit on, or by share: give one.")
        if self.limit is not None:
            limit = finite_number(self.limit, f"The limit for {self.variable!r}")
            if not self.by_record:
                if self.least is not None:
                    raise UsageError("'least' belongs to a share, or to a mean or median.")
                code = spell_code(limit if self.code is None else self.code)
                object.__setattr__(self, "code", code)
                return
        elif not 0 < finite_number(self.share, f"The share of {self.variable!r} to code") < 0.5:
            raise UsageError(f"The share of {self.variable!r} to code must be above 0, below 0.5.")
        if self.code is not None or self.label:
            raise UsageError(
                "A code or a label belongs to a limit without strata. Leave it out: coded values "
                "become numbers."
            )
        least = _LEAST if self.least is None else self.least
        if not isinstance(least, int) or isinstance(least, bool) or least < 2:
            raise UsageError("At least 2 records must be coded ('least').")
        object.__setattr__(self, "least", least)
        object.__setattr__(self, "replace", self.replace or "mean")

    @property
    def by_record(self) -> bool:
        """Whether it takes a look at all records to know what becomes of values."""
        return self.share is not None or self.replace is not None or bool(self.strata)

    @property
    def public_parameters(self) -> tuple[str, ...]:
        """What coded values became, and how many are coded."""
        return ("share", "replace", "strata")

    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Name the variable, the limit or share, and what came of it."""
        end = "top" if self.upward else "bottom"
        where = "" if self.limit is None else f"at {self.limit:g}"
        if self.share is not None:
            where = f"{show_percent(self.share)} of the population"
        text = f"{end}-code {self.variable} {where}"
        if not self.by_record:
            return text
        by = f" by {', '.join(self.strata)}" if self.strata else ""
        text = f"{text}{by}, replaced by the {self.replace}"
        coded = taken.facts.get("coded") if taken else None
        return text if coded is None else f"{text}: {coded:,} records"

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say how many records were coded."""
        if not self.by_record:
            return []
        share = show_percent(float(str(taken.facts["coded_share"])))
        return [
            (Sentence("result-coded"), f"{taken.facts['coded']:,}"),
            (Sentence("result-coded-weight"), share),
        ]

    def new_categories(self, variable: Variable, categories: Sequence[str]) -> Sequence[str] | None:
        """Return what each category becomes, if that is the same for all records."""
        if self.by_record:
            return None
        return super(_TailStep, self).new_categories(variable, categories)

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Have the engine apply the rule, or look at the records first.

        Raises:
            InputError: Fewer records than `least` would be coded, or values have no room.
        """
        if not self.by_record:
            return super(_TailStep, self).apply(before, progress)
        engine = before.engine
        file = survey_numbers(
            engine,
            [self.variable],
            strata=self.strata,
            scenarios=before.scenarios,
            progress=progress,
        )
        variable, span = engine.schema[self.variable], file.spans[self.variable]
        tails = gather_tails(
            file.go,
            file.extent(),
            len(file.index),
            upward=self.upward,
            replace=cast("Replacement", self.replace),
            share=None if self.share is None else float(self.share),
            limit=None if self.limit is None else float(self.limit),
        )
        self._refuse_few(tails, len(file.index))
        decimals = span.shown_decimals(variable)
        room_for(variable, decimals, (span.lowest, span.highest))
        after = renew_variable(variable, decimals)
        rounded = avoid_missing_codes(np.round(tails.value, decimals) + 0.0, after, decimals)
        coding = _TailKernel(
            name=self.variable,
            tails=replace(tails, value=rounded),
            index=file.index,
            upward=self.upward,
        )
        facts = {
            "coded": int(tails.records.sum()),
            "coded_share": total(tails.weight) / total(tails.whole),
        }
        return StepOutcome(
            engine=engine.map_records(file.selection, [after], coding),
            scenarios=before.scenarios,
            taken=AppliedStep(step=self, facts=facts),
        )

    def _refuse_few(self, tails: StratumTails, strata: int) -> None:
        """Refuse a tail of so few records that their mean would tell them."""
        least = cast("int", self.least)
        few = (tails.records < least) & (tails.records > 0)
        if self.limit is not None and not tails.records.any():
            few[:] = True
        if not few.any():
            return
        remedy = "Raise the share" if self.share is not None else "Choose another limit"
        if self.strata:
            raise InputError(
                f"Fewer than {least} records of {self.variable!r} would be coded in "
                f"{int(few.sum()):,} of {strata:,} strata, where the mean would reveal them. "
                f"{remedy}, or take larger strata."
            )
        raise InputError(
            f"Only {int(tails.records.sum()):,} records of {self.variable!r} would be coded, fewer "
            f"than {least}, so that the mean would reveal them. {remedy}."
        )

    def transformation(self, before: Variable, values: pl.Series) -> Transformation:
        """Work out what top or bottom coding does to a variable.

        Raises:
            UsageError: The variable does not hold numbers, or the code means missing.
        """
        known, numbers = known_numbers(before, values)
        limit = float(cast("float", self.limit))
        rule = Tail(limit=limit, code=cast("str", self.code), upward=self.upward)

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


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class TopCode(_TailStep):
    """Replace all numbers from a limit upward, or the largest of a share, by one value."""

    do = "top_code"
    title = "Top coding"
    public = "Top coding. The largest values of a variable were combined into one class."
    term = GlossaryTerm(
        name="top coding",
        meaning="One code for all numbers from a limit upward, or one value for the largest of a "
        "share.",
        see="[Top and bottom coding by share](methods/tails.md)",
        sdcmicro='`topBotCoding(kind = "top")`',
        muargus="top coding",
    )
    upward = True


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class BottomCode(_TailStep):
    """Replace all numbers from a limit downward, or the smallest of a share; see `TopCode`."""

    do = "bottom_code"
    title = "Bottom coding"
    public = "Bottom coding. The smallest values of a variable were combined into one class."
    term = GlossaryTerm(
        name="bottom coding",
        meaning="One code for all numbers from a limit downward, or one value for the smallest of "
        "a share.",
        see="[Top and bottom coding by share](methods/tails.md)",
        sdcmicro='`topBotCoding(kind = "bottom")`',
        muargus="bottom coding",
    )
    upward = False

    limit: Annotated[
        float | None, Parameter(label="Up to", help="Numbers down from here become one class.")
    ] = field(default=None, kw_only=False)
