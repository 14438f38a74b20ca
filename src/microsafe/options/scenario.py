"""The disclosure scenario: what an intruder knows, and how the attack is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, get_args

from microsafe.display import Rate
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import Parameter, Why, parameters
from microsafe.options.signature import list_fields
from microsafe.schema import Schema

Missing = Literal["wildcard", "category", "expected"]
Attack = Literal["all", "random", "ratio", "weight"]
Estimator = Literal["cell", "model"]

_MOST_KEYS = 60  # sets of keys are the bits of one integer


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What an intruder knows and does, and how risk is estimated."""

    keys: Annotated[
        Iterable[str],
        Parameter(
            label="Key variables",
            help="What an intruder may know about a person.",
            control="variables",
            metavar="A,B",
            unset="as declared",
        ),
    ] = ()
    weight: Annotated[
        str | None,
        Parameter(
            label="Sampling weight",
            help="Without it the file is treated as the whole population.",
            control="variable",
            unset="as declared",
        ),
    ] = None
    household: Annotated[
        str | None,
        Parameter(label="Household identifier", control="variable", unset="as declared"),
    ] = None
    missing: Annotated[
        Missing,
        Parameter(
            label="Missing keys",
            see="methods/frequencies.md",
            choices={
                "wildcard": "matches any value",
                "category": "is a category of its own",
                "expected": "counts by the probability that it hides the value in question",
            },
        ),
    ] = "wildcard"
    alpha: Annotated[
        Rate,
        Parameter(
            label="Weight of uncertain matches",
            help="How much a match that rests on a missing key counts, from 0 to 1.",
            only_with="missing=wildcard",
        ),
    ] = 1.0
    attack: Annotated[
        Attack,
        Parameter(
            label="Records that the intruder tries",
            see="methods/attack-models.md",
            choices={
                "all": "all of them",
                "random": "one at random",
                "ratio": "in proportion to f/F",
                "weight": "in proportion to the inverse weight",
            },
        ),
    ] = "all"
    factor: Annotated[
        Rate, Parameter(label="Factor on every risk", help="Above 0 and at most 1.")
    ] = 1.0
    error: Annotated[
        Mapping[str, Rate],
        Parameter(
            label="Probability that a key is recorded with error",
            see="methods/attack-models.md#keys-recorded-with-error",
            help="The risk is multiplied by the probability that the keys which a record shows "
            "have none.",
            metavar="KEY=X,..",
            unset="0",
        ),
    ] = field(default_factory=dict, hash=False)
    clip_weights: Annotated[
        bool,
        Parameter(
            label="Raise weights below 1 to 1",
            help="A file with such weights is refused otherwise.",
        ),
    ] = False
    estimator: Annotated[
        Estimator,
        Parameter(
            label="Estimator of the risk of a record",
            see="methods/model-risk.md#which-estimator-decides",
            choices={
                "cell": "its cell alone, as in mu-ARGUS",
                "model": "a model of the population, more accurate where keys are sparse",
            },
        ),
    ] = "cell"
    why: Why = ""


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario(Assumptions):
    """One set of keys and the assumptions that go with it."""

    keys: Annotated[tuple[str, ...], parameters(Assumptions)["keys"]]
    name: Annotated[
        str, Parameter(label="Name of the scenario", help="Where a study has several.")
    ] = "main"

    def __post_init__(self) -> None:
        """Refuse what no file could make meaningful."""
        given: object = self.keys
        if isinstance(given, str):
            raise UsageError("The keys of a scenario must be several names, as in keys=('a', 'b').")
        if not self.keys:
            raise UsageError("A scenario needs at least one key variable.")
        if len(self.keys) > _MOST_KEYS:
            raise UsageError(f"A scenario can have at most {_MOST_KEYS} key variables.")
        for key in self.keys:
            if self.keys.count(key) > 1:
                raise UsageError(f"Key variable {key!r} is named twice.")
            if key == self.weight:
                raise UsageError(f"{key!r} cannot be both a key variable and the weight.")
            if key == self.household:
                raise UsageError(f"{key!r} cannot be both a key variable and the household.")
        if self.weight is not None and self.weight == self.household:
            raise UsageError(f"{self.weight!r} cannot be both the weight and the household.")
        _one_of("missing rule", self.missing, get_args(Missing))
        _one_of("attack model", self.attack, get_args(Attack))
        _one_of("estimator", self.estimator, get_args(Estimator))
        if not 0.0 <= self.alpha <= 1.0:
            raise UsageError("alpha must lie between 0 and 1.")
        if self.alpha != 1.0 and self.missing != "wildcard":
            raise UsageError("alpha applies to the missing rule 'wildcard' only.")
        if not 0.0 < self.factor <= 1.0:
            raise UsageError("The factor must be above 0 and at most 1.")
        for key, chance in self.error.items():
            if key not in self.keys:
                hint = did_you_mean(key, self.keys)
                raise UsageError(
                    f"{key!r} is not a key, so it cannot have a chance of error.{hint}"
                )
            if not 0.0 <= chance < 1.0:
                raise UsageError("The chance of error of a key must be at least 0 and below 1.")
        if self.weight is None and self.attack in ("ratio", "weight"):
            raise UsageError(f"Attack model {self.attack!r} needs a sampling weight.")
        if self.weight is None and self.estimator == "model":
            raise UsageError("The estimator 'model' needs a sampling weight.")

    def with_keys(self, keys: tuple[str, ...]) -> Scenario:
        """Return the scenario for other keys; those that stay keep their chance of error."""
        error = {key: chance for key, chance in self.error.items() if key in keys}
        return replace(self, keys=keys, error=error)

    def check(self, schema: Schema) -> None:
        """Raise if the file lacks a variable that the scenario names."""
        for name in self.variables:
            schema[name]

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables that the scenario needs."""
        return (*self.keys, *(name for name in (self.weight, self.household) if name is not None))


def find_scenario(scenarios: Sequence[Scenario], name: str | None = None) -> Scenario:
    """Return the scenario of that name, or the first.

    Raises:
        UsageError: There is none.
    """
    if not scenarios:
        raise UsageError("The study has no scenario: name its key variables (keys=...).")
    if name is None:
        return scenarios[0]
    for scenario in scenarios:
        if scenario.name == name:
            return scenario
    hint = did_you_mean(name, [scenario.name for scenario in scenarios])
    raise UsageError(f"The study has no scenario {name!r}.{hint}")


def _one_of(what: str, word: object, known: tuple[str, ...]) -> None:
    if word not in known:
        raise UsageError(f"Unknown {what} {word!r}.{did_you_mean(str(word), known)}")
