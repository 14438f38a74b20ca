"""Taking a sample: what becomes of the weight and of the scenarios, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microsafe.engine import Engine, SampleSize
from microsafe.engine.sampling import Sampling
from microsafe.errors import UsageError
from microsafe.progress import Progress
from microsafe.scenario import Scenario
from microsafe.schema import Schema, Variable
from microsafe.steps.kinds import Sample
from microsafe.steps.variable import reformatted


def sampled(
    engine: Engine, scenarios: Sequence[Scenario], step: Sample, progress: Progress
) -> tuple[Engine, tuple[Scenario, ...], SampleSize]:
    """Take a sample: return the engine that has it, its scenarios, and how large it is.

    Raises:
        UsageError: A scenario weighs by another variable.
        InputError: Nothing is left.
    """
    if step.household is not None:
        engine.schema[step.household]
    for scenario in scenarios:
        if scenario.weight not in (None, step.weight):
            raise UsageError(
                f"Scenario {scenario.name!r} weighs by {scenario.weight!r}, but the sample by "
                f"{step.weight!r}. Name the same weight for the sample and all scenarios."
            )
    weighed = tuple(replace(scenario, weight=step.weight) for scenario in scenarios)
    sampling = Sampling(
        fraction=float(step.fraction),
        seed=step.seed,
        household=step.household,
        weight=_weight(engine.schema, step.weight),
    )
    made, drawn = engine.draw_sample(sampling, progress=progress)
    return made, weighed, drawn


def _weight(schema: Schema, name: str) -> Variable:
    """What the weight is in the sample: a number; what was missing has no code any more."""
    if name not in schema:
        label = "Sampling weight"
        return Variable(name=name, label=label, kind="number", measure="scale", role="weight")
    before = schema[name]
    after = replace(before, kind="number", labels={}, missing=(), missing_ranges=())
    return after if before.kind == "number" else reformatted(after)


def sample_in_words(step: Sample, drawn: SampleSize | None = None) -> str:
    """Say what a sample is, and how large it came out if that is known."""
    units = "records" if step.household is None else "households"
    text = f"sample of {100 * step.fraction:.6g} % of {units}"
    if drawn is None:
        return text
    records = f"{drawn.records:,} of {drawn.of_records:,}"
    if drawn.households is not None:
        records = f"{drawn.households:,} of {drawn.of_households:,}, {records} records"
    return f"{text}: {records}; {step.weight} multiplied by {1 / step.fraction:.6g}"
