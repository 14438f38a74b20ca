"""Microaggregation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import round_to
from microsafe.display import show_percent
from microsafe.engine.record_access import RecordBatch, RecordValues
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.parameter import Identifier, Parameter, Why
from microsafe.options.signature import list_fields
from microsafe.progress import Progress, Tell
from microsafe.schema import Variable
from microsafe.sentences import Sentence
from microsafe.steps.base import AppliedStep, DeclaredStudy, GlossaryTerm, StepContext, StepOutcome
from microsafe.steps.microaggregate.kernel import Average, Method, Microaggregation, Scale
from microsafe.steps.number_format import check_decimals, check_names
from microsafe.steps.numeric_profile import known_values
from microsafe.steps.numeric_step import Numbers, NumericStep, Strata
from microsafe.steps.record_table import Codes, PerturbedUnits, average_variable, check_room
from microsafe.steps.released_weights import shared_household, tell_weight, weight_of
from microsafe.steps.role_defaults import find_strata
from microsafe.steps.strata import StrataProfile, StratumAssigner, map_and_compare, survey_groups
from microsafe.sums import Floats

_LEAST = 2  # records in a group
_WEIGHT_DECIMALS = 6


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Microaggregate(NumericStep):
    """Replace numbers by averages of groups of at least k similar records."""

    do = "microaggregate"
    touches = frozenset({"other", "weight"})
    reweighs = True
    title = "Microaggregation"
    public = (
        "Microaggregation. Values of numeric variables were replaced by the averages of small "
        "groups of similar records."
    )
    term = GlossaryTerm(
        name="microaggregation",
        meaning="Numbers replaced by averages of groups of at least k similar records.",
        see="[Microaggregation](methods/microaggregation.md)",
        sdcmicro='`microaggregation`; `"mdav"` is the same, `"onedims"` and `"single"` lose more '
        'than `"one"`; use `"mdav"` for `pca`, `pppca`, `clust*`, `influence` and `rmd`',
        muargus="(numerical) micro-aggregation",
    )

    variables: Numbers = field(kw_only=False)
    k: Annotated[
        int, Parameter(label="Records in a group", help="At least so many share each value.")
    ] = 3
    method: Annotated[
        Method,
        Parameter(
            label="Method",
            choices={
                "mdav": "all variables together (MDAV)",
                "one": "each variable alone, at the least loss",
            },
        ),
    ] = "mdav"
    strata: Strata = ()
    small: Annotated[
        Literal["refuse", "merge"],
        Parameter(
            label="Strata that are too small",
            choices={"refuse": "are refused", "merge": "join the next one"},
            only_with="strata",
        ),
    ] = "refuse"
    standardise: Annotated[
        Scale,
        Parameter(
            label="Variables are divided by",
            choices={"sd": "their standard deviation", "range": "their range", "none": "nothing"},
            only_with="method=mdav",
        ),
    ] = "sd"
    measure: Annotated[
        Average,
        Parameter(
            label="A group is shown by", choices={"mean": "its mean", "median": "its median"}
        ),
    ] = "mean"
    weights: Annotated[
        bool, Parameter(label="Weighted", help="Weighted means keep weighted totals.")
    ] = False
    together: Annotated[
        str | None,
        Parameter(
            label="Household",
            help="For values that all members of a household share: each household counts once.",
            control="variable",
            changed=False,
        ),
    ] = None
    exact: Annotated[
        bool | None,
        Parameter(
            label="Compare all records",
            help="Otherwise only up to 20,000 are, and more are grouped in blocks.",
            only_with="method=mdav",
        ),
    ] = None
    decimals: Annotated[
        int | None,
        Parameter(label="Decimals", help="As many as the variable shows if left empty."),
    ] = None
    identifier: Identifier = None
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        NumericStep.__post_init__(self)
        household = (self.together,) if self.together else ()
        check_names(self.variables, {"strata": self.strata, "household": household})
        if not isinstance(self.k, int) or isinstance(self.k, bool) or self.k < _LEAST:
            raise UsageError("Groups of one record protect nobody. Choose a k of 2 or more.")
        check_decimals(self.decimals)

    @classmethod
    def declared_options(cls, given: Mapping[str, Any], study: DeclaredStudy) -> Mapping[str, Any]:
        """Return strata, and the household of values that members share."""
        return find_strata(given, study)

    @property
    def how(self) -> Microaggregation:
        """How records are grouped and averaged."""
        return Microaggregation(
            k=self.k,
            method=self.method,
            scale=self.standardise,
            average=self.measure,
            exact=self.exact,
        )

    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Name the variables and the size of groups, and what was lost if that is known."""
        alone = ", each alone" if self.method == "one" and len(self.variables) > 1 else ""
        text = f"microaggregate {self.names} in groups of {self.k} or more{alone}"
        if taken is None:
            return text
        return f"{text}: {_tell_loss(taken)} of variance lost"

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say what was lost, how records were grouped, and what was left."""
        facts = taken.facts
        rows = [(Sentence("result-variance-lost"), _tell_loss(taken))]
        if facts["in_blocks"]:
            rows.append((Sentence("result-grouped"), Sentence("grouped-in-blocks")))
        if facts["left"]:
            rows.append((Sentence("result-left"), f"{facts['left']:,}"))
        return [*rows, *tell_weight(taken)]

    def public_results(self, taken: AppliedStep, *, matrix: bool) -> list[tuple[str, str]]:  # noqa: ARG002
        """Say what was lost."""
        return [(Sentence("result-variance-lost"), _tell_loss(taken)), *tell_weight(taken)]

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Group the records of each stratum and put averages in the place of values.

        Raises:
            UsageError: Averages are to be weighted, and there is no weight.
            InputError: There are too few records, or values cannot be averaged.
        """
        engine, weight = before.engine, self._find_weight(before)
        changed, together = weight_of(self, before), self.together
        if changed is not None and together is None:
            together = shared_household(before.engine, changed, self.variables[0])
        survey = survey_groups(
            engine, self.variables, strata=self.strata, weight=weight, household=together,
            identifier=self.identifier, progress=progress,
        )  # fmt: skip
        if self.method == "one":
            engine.afford(
                8 * self.k * survey.records,
                f"for groups of {self.k:,} among {survey.records:,} records",
                "Choose a smaller k,",
            )
        digits = {
            name: span.rounded_to if self.decimals is None else self.decimals
            for name, span in survey.spans.items()
        }
        for name, span in survey.spans.items():
            ends = np.array([span.lowest, span.highest])
            if changed is not None and self.decimals is None:
                digits[name] = _more_decimals(engine.schema[name], ends, digits[name])
            check_room(engine.schema[name], ends, digits[name])
        joined = self._join_strata(survey)
        after = {name: average_variable(engine.schema[name], digits[name]) for name in digits}
        made, lost = map_and_compare(
            engine,
            survey,
            after,
            StratumAssigner(index=survey.index, joined=joined),
            _AveragingKernel(
                how=self.how,
                digits=digits,
                weight=weight,
                household=together,
                by_size=changed is not None,
            ),
            progress=progress,
        )
        facts = {
            "left": survey.patterns.count_left(joined, self.k, alone=self.method == "one"),
            "in_blocks": bool(any(map(self.how.in_blocks, survey.patterns.sizes(joined)))),
            "variance_lost": lost,
        }
        return StepOutcome(
            engine=made,
            scenarios=before.scenarios,
            taken=AppliedStep(step=self, facts=facts),
            notices=tuple(self._notices(facts)),
        )

    def _find_weight(self, before: StepContext) -> str | None:
        if not self.weights:
            return None
        found = next((scenario.weight for scenario in before.scenarios if scenario.weight), None)
        if found is None:
            raise UsageError(
                "There is no weight to average by. Name one in the scenario, or leave out weights."
            )
        if found in self.strata:
            raise UsageError(f"{found!r} cannot be both the weight and a stratum.")
        if found in self.variables:
            raise UsageError(f"{found!r} cannot be averaged by itself. Leave out weights.")
        return found

    def _check_size(self, count: int) -> None:
        if count < 2 * _LEAST:
            raise InputError(
                f"Microaggregation needs at least {2 * _LEAST} records with values of "
                f"{self.names}, and the file has {count:,}. Drop the variables, or suppress them."
            )
        if 2 * self.k > count:
            raise InputError(
                f"{count:,} records with values of {self.names} do not make two groups of "
                f"{self.k:,}. Choose a k of at most {count // 2:,}."
            )

    def _join_strata(self, survey: StrataProfile) -> Codes:
        """New numbers of strata in which there are groups of k; those below join the next one.

        Raises:
            InputError: There are too few records.
        """
        counts = survey.patterns.known
        if self.method == "mdav":
            counts = survey.patterns.any_known[None, :]
        self._check_size(int(counts.sum(axis=1).min()))
        small = ((counts > 0) & (counts < self.k)).any(axis=0)
        if small.any() and self.small == "refuse":
            names, many = ", ".join(map(repr, self.strata)), int(small.sum())
            raise InputError(
                f"Fewer than {self.k:,} records with values are in {many:,} of the strata of "
                f'{names}. Join such strata with the next ones (small = "merge"), or name fewer or '
                "coarser ones."
            )
        return join_strata(counts, self.k)

    def _notices(self, facts: Mapping[str, object]) -> Iterator[Notice]:
        if self.method == "one" and len(self.variables) > 1:
            yield make_notice("microaggregated-alone", names=self.names)
        if facts["left"]:
            yield make_notice("microaggregated-left", count=facts["left"], names=self.names)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _AveragingKernel:
    """What is done to the records of a stratum; it can be done anywhere.

    Attributes:
        how: Records are grouped.
        digits: Behind the point, by variable.
        weight: Variable that weighs records in averages.
        household: Variable of households that values belong to.
        by_size: Whether a household counts as often as it has members, so that sums over records
            are kept.
    """

    how: Microaggregation
    digits: Mapping[str, int | None]
    weight: str | None
    household: str | None
    by_size: bool

    def __call__(self, batch: RecordBatch, tell: Tell) -> Mapping[str, RecordValues]:
        """Return averages."""
        values = np.stack([known_values(batch.columns[name]) for name in self.digits])
        units = PerturbedUnits.by_record(len(batch.numbers))
        if self.household is not None:
            homes = batch.columns[self.household]
            units = PerturbedUnits.by_household(
                np.where(homes.missing, 0, homes.data).astype(np.int64)
            )
        weights = None
        if self.weight is not None:
            weights = units.add_up(known_values(batch.columns[self.weight]))
        elif self.by_size:
            weights = units.add_up(np.ones(len(batch.numbers)))
        made, _ = self.how.aggregate(values[:, units.first], weights, tell=tell)
        rounded = {
            name: round_to(row, digits)[units.of_record]
            for (name, digits), row in zip(self.digits.items(), made, strict=True)
        }
        return {
            name: RecordValues(data=row, missing=np.isnan(row)) for name, row in rounded.items()
        }


def _tell_loss(taken: AppliedStep) -> str:
    return show_percent(cast(float, taken.facts["variance_lost"]))


def _more_decimals(variable: Variable, values: Floats, shown: int | None) -> int | None:
    """Digits behind the point of averages of weights, as there is room: sums must not change."""
    for digits in () if shown is None else range(_WEIGHT_DECIMALS, shown, -1):
        with suppress(InputError):
            check_room(variable, values, digits)
            return digits
    return shown


def join_strata(counts: NDArray[np.int64], k: int) -> Codes:
    """Return new numbers of strata: one with too few records joins the next, the last the other.

    Args:
        counts: Records by kind, a row each, and stratum.
        k: Least number of records, if there are any.
    """
    joined = np.zeros(counts.shape[1], np.int64)
    number, inside = 0, np.zeros(len(counts), np.int64)
    for stratum, count in enumerate(counts.T):
        joined[stratum] = number
        inside = inside + count
        if not ((inside > 0) & (inside < k)).any():
            number, inside = number + 1, inside * 0
    joined[joined == number] = max(number - 1, 0)
    return joined
