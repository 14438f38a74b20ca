"""Keeping some members of each household, so that nobody can tell who lives with whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.draws import Draws, check_seed
from microsafe.engine import Engine
from microsafe.engine.contract import SampleSize
from microsafe.engine.record_access import Form, RecordBatch, RecordNumbers, Selection
from microsafe.errors import InputError, UsageError
from microsafe.notices import make_notice
from microsafe.options.parameter import Parameter, Why
from microsafe.options.scenario import Scenario
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.sentences import Sentence
from microsafe.steps.base import (
    AppliedStep,
    DeclaredStudy,
    GlossaryTerm,
    Step,
    StepContext,
    StepOutcome,
)
from microsafe.steps.loss import NOTHING
from microsafe.steps.sample import sampling_weight, weigh_scenarios
from microsafe.sums import Floats

Keep = Literal["one", "oldest"]

_OLDEST = 2  # members that are kept of each household
_MIX, _ADD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(1), np.uint64(32)


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Members(Step):
    """Keep one person of each household, or the two oldest; the household number goes.

    It comes first, as `sample` does: risk is measured of the persons that are left.
    """

    do = "members"
    title = "Some members of households"
    public = (
        "Selection within households. The released file does not hold all members of a household, "
        "and does not show who lives with whom."
    )
    term = GlossaryTerm(
        name="members",
        meaning="Members of each household that are kept, so that nobody is recognised by the "
        "family.",
        see="[Members](methods/members.md)",
    )
    place = "first"
    touches = frozenset({"weight", "household", "other"})
    loss = NOTHING

    keep: Annotated[
        Keep,
        Parameter(
            label="Who is kept",
            help="One person at random, who stands for all members, or the two oldest, who stand "
            "for themselves only.",
            choices={"one": "one person of each household", "oldest": "the two oldest"},
        ),
    ] = field(kw_only=False)
    seed: Annotated[
        int,
        Parameter(
            label="Seed",
            help="Anyone with the seed and the file knows who is kept of members that are as old.",
            control="seed",
        ),
    ] = field(repr=False)
    household: Annotated[
        str,
        Parameter(
            label="Household",
            help="Number of the household; it leaves the file.",
            control="variable",
        ),
    ] = "household"
    age: Annotated[
        str | None,
        Parameter(
            label="Age",
            help="Number by which the oldest are found.",
            control="variable",
            only_with="keep=oldest",
            changed=False,
        ),
    ] = None
    weight: Annotated[
        str,
        Parameter(
            label="Weight",
            help="It is multiplied by the members of the household, and created if there is none "
            "of that name. Scenarios that have a weight must have this one.",
            only_with="keep=one",
        ),
    ] = "weight"
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        if self.keep not in ("one", "oldest"):
            raise UsageError(
                f"Keep 'one' person of each household or the 'oldest', not {self.keep!r}."
            )
        check_seed(self.seed, "of the members that are kept")
        if self.keep == "oldest" and not self.age:
            raise UsageError("Name the variable by which the oldest are found (age).")
        if self.keep == "one" and self.age:
            raise UsageError("Nobody is chosen by age if one person of each household is kept.")
        if not self.household or self.household in (self.age, self.weight):
            raise UsageError("Name the variable with the number of the household (household).")

    @classmethod
    def declared_options(
        cls,
        given: Mapping[str, Any],  # noqa: ARG003
        study: DeclaredStudy,
    ) -> Mapping[str, Any]:
        """Return household and weight of the scenarios that have them."""
        found: dict[str, str] = {}
        for name in ("household", "weight"):
            named = [
                getattr(scenario, name) for scenario in study.scenarios if getattr(scenario, name)
            ]
            found |= {name: named[0]} if named else {}
        return found

    @property
    def targets(self) -> tuple[str, ...]:
        """The household, and the weight that is multiplied."""
        return (self.household, *([self.weight] if self.keep == "one" else []))

    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Say who is kept, and how many they are if that is known."""
        size = taken.facts.get("kept") if taken else None
        if not isinstance(size, SampleSize):
            return Sentence("members-one" if self.keep == "one" else "members-oldest")
        counts = {"kept": size.records, "all": size.of_records, "homes": size.households}
        if self.keep == "one":
            return Sentence("members-one-kept", weight=self.weight, **counts)
        return Sentence("members-oldest-kept", **counts)

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Keep some members, and let the household number go.

        Raises:
            UsageError: A scenario uses another weight, or has the household as a key.
            InputError: There is nobody to leave out, or one household only.
        """
        engine = before.engine
        scenarios = before.scenarios
        if self.keep == "one":
            scenarios = weigh_scenarios(scenarios, self.weight, "step members")
        people = _People.read(engine, self, progress)
        chosen = people.choose(self)
        weight = sampling_weight(engine.schema, self.weight) if self.keep == "one" else None
        part = engine.keep_records(
            people.numbers[chosen],
            weight=weight,
            factor=people.size[people.home[chosen]].astype(np.float64),
            progress=progress,
        )
        size = SampleSize(
            records=len(chosen), of_records=len(people.home), households=len(people.size)
        )
        return StepOutcome(
            engine=part.drop_variables({self.household}),
            scenarios=tuple(self._let_go(scenario) for scenario in scenarios),
            taken=AppliedStep(step=self, facts={"kept": size}, _homes=(part, self.household)),
            notices=() if self.keep == "one" else (make_notice("members-oldest"),),
        )

    def _let_go(self, scenario: Scenario) -> Scenario:
        """Return a scenario of a file without the household number."""
        if self.household in scenario.keys:
            raise UsageError(
                f"{self.household!r} is a key of scenario {scenario.name!r} and leaves the file. "
                "Take it out of the keys."
            )
        return replace(
            scenario, household=None if scenario.household == self.household else scenario.household
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _People:
    """All records, and what decides who is kept.

    Attributes:
        numbers: Of the records.
        home: Household of each record, from 0.
        size: Members of each household.
        age: Of each record, minus infinity where it is missing; 0 if it is not asked for.
        draw: Of each record, from 0 to below 1. It rests on the values of the record, so that the
            order of records makes no difference.
    """

    numbers: RecordNumbers
    home: NDArray[np.intp]
    size: NDArray[np.int64]
    age: Floats
    draw: Floats

    @classmethod
    def read(cls, engine: Engine, step: Members, progress: Progress) -> _People:
        """Read them in one pass.

        Raises:
            InputError: All records have one household, no two share one, or an age is no number.
        """
        forms = {each.name: _form(each.kind) for each in engine.schema if each.kind != "other"}
        selection = Selection(forms=forms | ({step.age: "number"} if step.age else {}))
        selection.check(engine.schema)
        engine.schema[step.household]
        parts = [_Part.read(batch, step) for batch in engine.columns(selection, progress=progress)]
        if not parts:
            raise InputError(f"{engine.schema.source} has no records.")
        named = np.concatenate([part.home for part in parts])
        alone = np.concatenate([part.alone for part in parts])
        texts, home = np.unique(named, return_inverse=True)
        home[alone] = len(texts) + np.arange(int(alone.sum()))
        home = np.unique(home, return_inverse=True)[1]
        size = np.bincount(home)
        where = f"{step.household!r} of {engine.schema.source}"
        if len(size) == 1:
            raise InputError(
                f"{where} is the same in all records. Name the variable with the number of the "
                "household."
            )
        if (step.keep == "one" and size.max() == 1) or (
            step.keep == "oldest" and size.max() <= _OLDEST
        ):
            raise InputError(
                f"By {where} nobody would be left out. Drop the number of the household instead."
            )
        words = np.concatenate([part.word for part in parts])
        return cls(
            numbers=np.concatenate([part.numbers for part in parts]),
            home=home,
            size=size,
            age=np.concatenate([part.age for part in parts]),
            draw=Draws(seed=step.seed, step=1, variable=step.household).uniforms(words),
        )

    def choose(self, step: Members) -> NDArray[np.intp]:
        """Return the places of the records that are kept."""
        order = np.lexsort((self.draw, -self.age, self.home))
        first = np.cumsum(self.size) - self.size
        rank = np.arange(len(order)) - first[self.home[order]]
        return np.sort(order[rank < (1 if step.keep == "one" else _OLDEST)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    """What one batch of records says; see `_People`."""

    numbers: RecordNumbers
    home: NDArray[Any]
    alone: NDArray[np.bool_]
    age: Floats
    word: NDArray[np.uint64]

    @classmethod
    def read(cls, batch: RecordBatch, step: Members) -> _Part:
        home = batch.columns[step.household]
        age = np.zeros(len(batch.numbers))
        if step.age:
            known = batch.columns[step.age]
            age = np.where(known.missing, -np.inf, known.data)
        word = np.zeros(len(batch.numbers), np.uint64)
        for values in batch.columns.values():
            bits = np.where(values.missing, np.nan, values.data + 0.0).view(np.uint64)
            word = (word ^ (bits + _ADD)) * _MIX
            word ^= word >> _HALF
        return cls(
            numbers=batch.numbers,
            home=np.where(home.missing, 0, home.data),
            alone=home.missing,
            age=age,
            word=word,
        )


def _form(kind: str) -> Form:
    return "number" if kind in ("integer", "number") else "code"
