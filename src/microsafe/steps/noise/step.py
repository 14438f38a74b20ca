"""Noise on numeric variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, ClassVar, Literal

import numpy as np

from microsafe.arrays import round_to
from microsafe.display import show_percent
from microsafe.draws import Draws, check_seed
from microsafe.engine.record_access import RecordBatch, RecordNumbers, RecordValues
from microsafe.errors import InputError, UsageError
from microsafe.notices import Notice, make_notice
from microsafe.options.parameter import Identifier, Parameter, Why
from microsafe.options.scenario import Scenario
from microsafe.options.signature import list_fields
from microsafe.passes import Strata
from microsafe.progress import Progress
from microsafe.risk.numeric.linkage import OUTER, LinkCounts, measure_outer
from microsafe.risk.numeric.pairs import NumberPairs, find_outer
from microsafe.schema import Variable
from microsafe.sentences import Sentence
from microsafe.steps.base import (
    REFUSALS,
    AppliedStep,
    GlossaryTerm,
    Step,
    StepContext,
    StepOutcome,
    Touch,
)
from microsafe.steps.changed_variable import finite_number
from microsafe.steps.loss import NUMBERS
from microsafe.steps.noise.kernel import NoiseKind, NoiseModel, reflect
from microsafe.steps.noise.moments import gather_moments
from microsafe.steps.noise.weight_noise import noise_on_weight
from microsafe.steps.number_format import (
    avoid_missing_codes,
    check_decimals,
    check_names,
    renew_variable,
    room_for,
)
from microsafe.steps.numeric_profile import (
    NumberFile,
    RecordSample,
    StrataIndex,
    known_values,
    survey_numbers,
)
from microsafe.steps.released_weights import tell_weight, weight_of
from microsafe.sums import Floats

Zeros = Literal["keep", "perturb"]
_MOST = 10.0  # times the variance of the variable
_TELLING = 0.2  # of the outer records linked: worth a notice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _NoiseKernel:
    """What is done to each record; it can be done anywhere.

    Attributes:
        model: The noise.
        draws: Random numbers, by variable.
        index: Of strata.
        keep_zeros: Whether 0 stays 0.
        decimals: Digits behind the point, by variable.
        bounds: Lowest and highest number, by variable.
        variables: As they are from then on; their missing codes are avoided.
    """

    model: NoiseModel
    draws: Mapping[str, Draws]
    index: StrataIndex
    keep_zeros: bool
    decimals: Mapping[str, int]
    bounds: Mapping[str, tuple[float, float]]
    variables: Mapping[str, Variable]

    def __call__(self, batch: RecordBatch) -> Mapping[str, RecordValues]:
        """Return the values of some records with noise."""
        moved, _ = self._move_batch(batch)
        return {
            name: RecordValues(data=values, missing=batch.columns[name].missing)
            for name, values in moved.items()
        }

    def count_mirrored(self, batch: RecordBatch) -> _ReflectedCounts:
        """Return how many values of some records pass a bound."""
        return _ReflectedCounts(count=self._move_batch(batch)[1])

    def _move_batch(self, batch: RecordBatch) -> tuple[dict[str, Floats], dict[str, int]]:
        stratum = self.index.number(batch.columns, len(batch.numbers))
        given = {name: known_values(batch.columns[name]) for name in self.draws}
        return self.move(given, batch.numbers, stratum)

    def move(
        self, columns: Mapping[str, Floats], numbers: RecordNumbers, stratum: Strata
    ) -> tuple[dict[str, Floats], dict[str, int]]:
        """Return values with noise, and how many were mirrored at a bound, by variable."""
        normals = [draw.normals(numbers) for draw in self.draws.values()]
        made = self.model.add([columns[name] for name in self.draws], normals, stratum)
        moved, mirrored = {}, {}
        for name, values in zip(self.draws, made, strict=True):
            lowest, highest = self.bounds[name]
            values, outside = reflect(values, lowest, highest)
            # Rounding may pass a bound that has more digits.
            values = np.clip(round_to(values, self.decimals[name]), lowest, highest)
            values = avoid_missing_codes(values, self.variables[name], self.decimals[name])
            kept = columns[name] == 0.0 if self.keep_zeros else np.zeros(len(values), np.bool_)
            moved[name] = np.where(kept, 0.0, values)
            mirrored[name] = int(np.count_nonzero(outside & ~kept))
        return moved, mirrored


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Noise(Step):
    """Add random numbers to numeric variables, or multiply them by random factors near 1."""

    do = "noise"
    title = "Noise"
    public = (
        "Noise. Random numbers were added to the values of numeric variables, or these were "
        "multiplied by random factors; single values are not exact, means nearly are."
    )
    term = GlossaryTerm(
        name="noise",
        meaning="Random numbers that are added to values, or random factors that multiply them.",
        see="[Noise](methods/noise.md)",
        sdcmicro="`addNoise`; its `noise` is a percentage of the standard deviation for "
        "`additive`, of the variance for `correlated`",
        muargus="–",
    )
    place = "any"
    touches = frozenset({"other", "weight"})
    reweighs = True
    loss = NUMBERS
    refusals: ClassVar[Mapping[Touch, str]] = {
        **REFUSALS,
        "key": "{name!r} is a key of scenario {scenario!r}, and risk could not be measured after "
        "noise on it. Band it by recode first, or leave it out of the keys.",
    }

    variables: Annotated[Sequence[str], Parameter(label="Variables", numeric=True)] = field(
        kw_only=False
    )
    kind: Annotated[
        NoiseKind,
        Parameter(
            label="Kind of noise",
            choices={
                "multiplicative": "multiplicative, values move in proportion to their size",
                "additive": "additive, independent for each variable",
                "correlated": "correlated as the variables are, so that correlations are kept",
                "restored": "correlated, then variances are brought back to what they were",
            },
        ),
    ] = "multiplicative"
    variance: Annotated[
        float,
        Parameter(
            label="Variance of the noise",
            help="As a ratio to the variance of the variable, or the variance of the factor.",
        ),
    ] = 0.1
    strata: Annotated[
        Sequence[str],
        Parameter(
            label="Strata", help="Means and variances are those of each stratum.", changed=False
        ),
    ] = ()
    zeros: Annotated[
        Zeros,
        Parameter(
            label="Zeros", choices={"keep": "stay zero", "perturb": "are changed like others"}
        ),
    ] = "keep"
    lowest: Annotated[
        float | None, Parameter(label="Not below", help="What would be is mirrored there.")
    ] = None
    highest: Annotated[
        float | None, Parameter(label="Not above", help="What would be is mirrored there.")
    ] = None
    decimals: Annotated[
        int | None,
        Parameter(label="Decimals", help="As many as the variable shows if left empty."),
    ] = None
    publish_variance: Annotated[
        bool,
        Parameter(
            label="Publish the variance",
            help="Users need it to correct their estimates. With 'restored' it lets anybody undo "
            "the shrinking.",
        ),
    ] = False
    identifier: Identifier = None
    seed: Annotated[
        int,
        Parameter(
            label="Seed",
            help="Anyone with the seed can take the noise off again.",
            control="seed",
        ),
    ] = field(repr=False)
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        Step.__post_init__(self)
        check_names(self.variables)
        if not 0 < finite_number(self.variance, "The variance of the noise") <= _MOST:
            raise UsageError(f"The variance of the noise must be above 0 and at most {_MOST:g}.")
        ends = [
            None if each is None else finite_number(each, "A bound of the noise")
            for each in (self.lowest, self.highest)
        ]
        if None not in ends and not ends[0] < ends[1]:  # type: ignore[operator]
            raise UsageError("The lowest value must be below the highest.")
        check_decimals(self.decimals)
        check_seed(self.seed, "of noise")

    @property
    def targets(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.variables)

    @property
    def subject(self) -> str:
        """The variable, if there is one only."""
        return self.variables[0] if len(self.variables) == 1 else ""

    @property
    def public_parameters(self) -> tuple[str, ...]:
        """The kind, and the variance if it is to be told."""
        return ("variables", "kind", *(("variance",) if self.publish_variance else ()))

    @property
    def hides_spread(self) -> bool:
        """Unless the variance is told: what the noise added to the spread would give it away."""
        return not self.publish_variance

    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Name the variables, the kind and the variance, and what it left linked."""
        names = ", ".join(self.variables)
        text = f"{self.kind} noise on {names}, variance {self.variance:g}"
        outer = taken.facts.get("outer_linked") if taken else None
        if outer is None:
            return text
        return f"{text}; {show_percent(float(str(outer)))} of the outer 1 % linked"

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:
        """Say how many values moved, what was mirrored, and what is still linked."""
        facts = taken.facts
        rows = [(Sentence("result-values-changed"), _tell_counts(facts["moved"]))]
        if any(_counts(facts["mirrored"]).values()):
            rows.append((Sentence("result-mirrored"), _tell_counts(facts["mirrored"])))
        if any(_counts(facts["still"]).values()):
            rows.append((Sentence("result-without-noise"), _tell_counts(facts["still"])))
        linked = Sentence(
            "share-of-records",
            share=float(str(facts["outer_linked"])),
            records=facts["outer_records"],
        )
        rows.append((Sentence("result-outer-linked"), linked))
        if "outer_sample" in facts:
            rows.append((Sentence("result-linkage-sample"), f"{facts['outer_sample']:,}"))
        return [*rows, *tell_weight(taken)]

    def public_results(self, taken: AppliedStep, *, matrix: bool) -> list[tuple[str, str]]:  # noqa: ARG002
        """Say what became of the sum of weights, if it was a weight."""
        return tell_weight(taken)

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Find the moments, and have every record moved by what it draws.

        Raises:
            InputError: A variable has no two values, is negative where factors are to multiply it,
                or has no room for the decimals.
        """
        scenario = weight_of(self, before)
        if scenario is not None:
            return self._apply_to_weight(before, scenario, progress)
        engine = before.engine
        file = survey_numbers(
            engine,
            self.variables,
            strata=self.strata,
            scenarios=before.scenarios,
            identifier=self.identifier,
            progress=progress,
        )
        self._refuse_negative(file)
        decimals = {
            name: span.shown_decimals(engine.schema[name])
            if self.decimals is None
            else self.decimals
            for name, span in file.spans.items()
        }
        after = {name: renew_variable(engine.schema[name], decimals[name]) for name in decimals}
        go = partial(file.go, zeros=self.zeros == "perturb")
        moments = gather_moments(go, file.extent(), len(file.index))
        noise = _NoiseKernel(
            model=NoiseModel.of(self.kind, float(self.variance), moments),
            draws={
                name: Draws(seed=self.seed, step=len(before.steps) + 1, variable=name)
                for name in self.variables
            },
            index=file.index,
            keep_zeros=self.zeros == "keep",
            decimals=decimals,
            bounds={name: self._bounds(after[name], decimals[name], file) for name in decimals},
            variables=after,
        )
        still = dict.fromkeys(self.variables, 0)
        if self.kind != "multiplicative":
            none = np.where(moments.variance > 0, 0, moments.count).sum(axis=0)
            still = dict(zip(self.variables, none.tolist(), strict=True))
        changed = moments.count.sum(axis=0).tolist()
        moved = {
            name: count - still[name] for name, count in zip(self.variables, changed, strict=True)
        }
        for name in (name for name, count in moved.items() if not count):
            raise InputError(
                f"{name!r} of {engine.schema.source} has no two different values"
                f"{' besides 0' if self.zeros == 'keep' else ''} in any stratum, so there would be "
                "no noise. Leave it out, or take other strata."
            )
        sample = file.take_sample()
        outer = _measure_outer(noise, sample)
        facts = {
            "moved": moved,
            "mirrored": _count_mirrored(noise, file),
            "still": still,
            "outer_linked": outer.rate,
            "outer_records": outer.records,
        }
        if len(sample.numbers) < file.records:
            facts["outer_sample"] = len(sample.numbers)
        return StepOutcome(
            engine=engine.map_records(file.selection, list(after.values()), noise),
            scenarios=before.scenarios,
            taken=AppliedStep(step=self, facts=facts),
            notices=tuple(_notices(outer, still)),
        )

    def _apply_to_weight(
        self, before: StepContext, scenario: Scenario, progress: Progress
    ) -> StepOutcome:
        """Move weights so that their sum stays what it is.

        Raises:
            UsageError: Options do not suit a weight.
        """
        if self.highest is not None:
            raise UsageError(
                "Noise on a weight keeps the sum of weights and has no highest value. Leave it out."
            )
        (name,) = self.variables
        engine, facts = noise_on_weight(
            before.engine,
            name,
            scenario,
            progress,
            kind=self.kind,
            variance=float(self.variance),
            draws=Draws(seed=self.seed, step=len(before.steps) + 1, variable=name),
            strata=self.strata,
            identifier=self.identifier,
            lowest=float(self.lowest or 0.0),
            decimals=self.decimals,
        )
        taken = AppliedStep(step=self, facts=facts)
        return StepOutcome(engine=engine, scenarios=before.scenarios, taken=taken)

    def _refuse_negative(self, file: NumberFile) -> None:
        for name, span in file.spans.items():
            if span.negative and self.kind == "multiplicative":
                raise InputError(
                    f"{name!r} is negative in {span.negative:,} records, and a random factor would "
                    'leave losses as telling as they are. Use kind = "additive", "correlated" or '
                    '"restored".'
                )

    def _bounds(self, variable: Variable, decimals: int, file: NumberFile) -> tuple[float, float]:
        span = file.spans[variable.name]
        lowest, highest = room_for(variable, decimals, (span.lowest, span.highest))
        if self.lowest is not None:
            lowest = max(lowest, float(self.lowest))
        if self.highest is not None:
            highest = min(highest, float(self.highest))
        return lowest, highest


def _measure_outer(noise: _NoiseKernel, sample: RecordSample) -> LinkCounts:
    """How many of the outer records are linked by what is released of them."""
    varying = {
        name: column
        for name, column in sample.columns.items()
        if np.nanmin(column) < np.nanmax(column)
    }
    if not varying:
        return LinkCounts(records=0, searched=0, rate=0.0)
    outer = find_outer(list(varying.values()), OUTER)
    moved, _ = noise.move(
        {name: column[outer] for name, column in sample.columns.items()},
        sample.numbers[outer],
        sample.stratum[outer],
    )
    released = []
    for name, column in varying.items():
        values = np.full(len(column), np.nan)
        values[outer] = np.where(np.isnan(column[outer]), np.nan, moved[name])
        released.append(values)
    pairs = NumberPairs(names=tuple(varying), before=list(varying.values()), after=released)
    return measure_outer(pairs, outer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReflectedCounts:
    """Values that pass a bound, by variable."""

    count: Mapping[str, int]

    def merge(self, other: _ReflectedCounts) -> _ReflectedCounts:
        return _ReflectedCounts(
            count={n: value + other.count[n] for n, value in self.count.items()}
        )


def _count_mirrored(noise: _NoiseKernel, file: NumberFile) -> Mapping[str, int]:
    """Values that pass a bound, by variable."""
    if not np.isfinite(list(noise.bounds.values())).any():
        return dict.fromkeys(noise.draws, 0)
    return file.engine.reduce_records(file.selection, noise.count_mirrored).count


def _notices(outer: LinkCounts, still: Mapping[str, int]) -> Iterator[Notice]:
    if outer.rate >= _TELLING:
        yield make_notice("noise-outer", share=outer.rate, records=outer.records)
    if count := sum(still.values()):
        yield make_notice("noise-still", count=count)


def _counts(found: object) -> Mapping[str, int]:
    return found if isinstance(found, Mapping) else {}


def _tell_counts(found: object) -> str:
    counts = _counts(found)
    if len(counts) == 1:
        return f"{next(iter(counts.values())):,}"
    return ", ".join(f"{name}: {count:,}" for name, count in counts.items())
