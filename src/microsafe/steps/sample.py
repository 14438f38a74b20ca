"""Sampling: a random part of the households or of the records, before all other steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from microsafe.draws import check_seed
from microsafe.engine.sampling import Sampling
from microsafe.errors import UsageError
from microsafe.options.sampling import SampleOptions
from microsafe.options.scenario import Scenario
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.schema import Schema, Variable
from microsafe.sentences import Sentence
from microsafe.steps.base import (
    AppliedStep,
    DeclaredStudy,
    GlossaryTerm,
    Step,
    StepContext,
    StepOutcome,
)
from microsafe.steps.changed_variable import finite_number, reset_storage
from microsafe.steps.loss import NOTHING


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(SampleOptions, Step):
    """Keep a random sample of the households or of the records; the first step of all."""

    do = "sample"
    title = "Sample"
    public = (
        "Sampling. The released file is a random sample of the original one, drawn with the same "
        "chance for all; weights take account of it."
    )
    term = GlossaryTerm(
        name="sample",
        meaning="Part of the file that is drawn at random and released instead of the whole.",
        see="[Sampling](methods/sampling.md)",
    )
    place = "first"
    touches = frozenset({"weight", "other"})
    loss = NOTHING

    def __post_init__(self) -> None:
        """Validate the fields."""
        if not 0 < finite_number(self.fraction, "The fraction to sample") < 1:
            raise UsageError("The fraction to sample must be above 0 and below 1.")
        check_seed(self.seed, "of a sample")
        if not self.weight:
            raise UsageError("The weight of a sample needs a name.")
        if self.household == self.weight:
            raise UsageError(f"{self.weight!r} cannot be both the weight and the household.")

    @classmethod
    def declared_options(
        cls,
        given: Mapping[str, Any],  # noqa: ARG003
        study: DeclaredStudy,
    ) -> Mapping[str, Any]:
        """Return the household of the first scenario, and the weight of one that has one."""
        first = next(iter(study.scenarios), None)
        weights = [scenario.weight for scenario in study.scenarios if scenario.weight]
        weight = {"weight": weights[0]} if weights else {}
        return {"household": (first.person or first.household) if first else None, **weight}

    @property
    def targets(self) -> tuple[str, ...]:
        """The weight."""
        return (self.weight,)

    def verb_options(self) -> Mapping[str, object]:
        """Say that records are drawn: its verb takes the scenario's household by default."""
        return {"household": None} if self.household is None else {}

    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Say what a sample is, and how large it came out if that is known."""
        drawn, share = taken.drawn if taken else None, 100 * self.fraction
        if drawn is None:
            units = "records" if self.household is None else "households"
            return f"sample of {share:.6g} % of {units}"
        homes = {"homes": drawn.households, "all_homes": drawn.of_households}
        return Sentence(
            "sample-of-records" if drawn.households is None else "sample-of-households",
            share=share,
            drawn=drawn.records,
            all=drawn.of_records,
            weight=self.weight,
            factor=1 / self.fraction,
            **(homes if drawn.households is not None else {}),
        )

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say how large it came out."""
        return [(Sentence("result-sample"), self.in_words(taken))]

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Draw the sample, and have all scenarios weigh by the new weight.

        Raises:
            UsageError: A scenario uses another weight.
            InputError: Nothing is left.
        """
        engine = before.engine
        if self.household is not None:
            engine.schema[self.household]
        scenarios = weigh_scenarios(before.scenarios, self.weight, "sample")
        sampling = Sampling(
            fraction=float(self.fraction),
            seed=self.seed,
            household=self.household,
            weight=sampling_weight(engine.schema, self.weight),
        )
        made, drawn = engine.draw_sample(sampling, progress=progress)
        return StepOutcome(
            engine=made,
            scenarios=scenarios,
            taken=AppliedStep(step=self, facts={"drawn": drawn}),
        )


def weigh_scenarios(scenarios: Sequence[Scenario], weight: str, what: str) -> tuple[Scenario, ...]:
    """Have all scenarios weigh by the weight that part of the records has.

    Raises:
        UsageError: One uses another.
    """
    for scenario in scenarios:
        if scenario.weight not in (None, weight):
            raise UsageError(
                f"Scenario {scenario.name!r} uses the weight {scenario.weight!r}, but the {what} "
                f"uses {weight!r}. Name the same weight for both."
            )
    return tuple(replace(scenario, weight=weight) for scenario in scenarios)


def sampling_weight(schema: Schema, name: str) -> Variable:
    """Return what the weight is where records were left out: a number, without codes."""
    if name not in schema:
        label = "Sampling weight"
        return Variable(name=name, label=label, kind="number", measure="scale", role="weight")
    before = schema[name]
    after = replace(before, kind="number", labels={}, missing=(), missing_ranges=())
    return after if before.kind == "number" else reset_storage(after)
