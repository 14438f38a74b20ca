"""The disclosure scenario: what an intruder knows, and how the attack is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal, get_args

from microsafe.display import Rate
from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import Parameter, Why, parameters
from microsafe.options.signature import list_fields
from microsafe.schema import Schema

Missing = Literal["integrate", "category", "wildcard", "expected"]
KeyMissing = Literal["category"]
Attack = Literal["all", "random", "ratio", "weight"]
Estimator = Literal["cell", "model"]
PersonWeights = Literal["wave", "file"]

PERSON_ROLES = ("person", "wave", "person_weights")  # for files with several records a person

_MOST_KEYS = 60  # sets of keys are the bits of one integer


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What variables are for."""

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
    person: Annotated[
        str | None,
        Parameter(
            label="Person identifier",
            help="Where a person has several records, as in a panel: risk is of persons.",
            see="methods/persons.md",
            control="variable",
            unset="each record is a person",
        ),
    ] = None
    wave: Annotated[
        str | None,
        Parameter(
            label="Wave",
            help="Tells the records of a person apart.",
            see="methods/persons.md",
            control="variable",
            only_with="person",
            unset="a variable named wave, round or year, else the order of the records",
        ),
    ] = None
    person_weights: Annotated[
        PersonWeights,
        Parameter(
            label="What weights add up to",
            help="That of a person is their sum over the waves, or that sum by wave.",
            see="methods/persons.md#weights",
            choices={
                "wave": "each wave stands for the population",
                "file": "all waves together stand for it",
            },
            only_with="person",
        ),
    ] = "wave"


@dataclass(frozen=True, kw_only=True)
class Assumptions(Roles):
    """What an intruder knows and does, and how risk is estimated."""

    missing: Annotated[
        Missing | Mapping[str, KeyMissing] | None,
        Parameter(
            label="Missing keys",
            help="Under the estimator model what others do not show is integrated out; name the "
            "keys whose gap is an answer that an intruder knows, such as 'not applicable'. The "
            "last two are rules of the estimator cell.",
            see="methods/frequencies.md",
            choices={
                "integrate": "is no fact about the population, and filled by its model",
                "category": "is a category of its own, for all keys or for some",
                "wildcard": "matches any value",
                "expected": "counts by the probability that it hides the value in question",
            },
            metavar="RULE|KEY=category,..",
            unset="integrate under the estimator model, else wildcard",
        ),
    ] = field(default=None, hash=False)
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
        Estimator | None,
        Parameter(
            label="Estimator of the risk of a record",
            see="methods/model-risk.md#which-estimator-decides",
            choices={
                "cell": "its cell alone, as in mu-ARGUS",
                "model": "a model of the population, more accurate where keys are sparse",
            },
            unset="by file",
        ),
    ] = None
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
        self._check_person()
        _one_of("attack model", self.attack, get_args(Attack))
        if self.estimator is None:
            object.__setattr__(self, "estimator", self._find_implied())
        else:
            _one_of("estimator", self.estimator, get_args(Estimator))
        if not 0.0 <= self.alpha <= 1.0:
            raise UsageError("alpha must lie between 0 and 1.")
        if self.weight is None and self.estimator == "model":
            raise UsageError("The estimator 'model' needs a sampling weight.")
        if self.missing is None:
            object.__setattr__(self, "missing", self.usual_missing)
        self._check_missing()
        if self.alpha != 1.0 and self.missing != "wildcard":
            raise UsageError(
                "alpha applies to the missing rule 'wildcard' of the estimator 'cell' only."
            )
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

    def _check_person(self) -> None:
        """Refuse what cannot tell persons or their waves apart."""
        _one_of("rule for the weights of persons", self.person_weights, get_args(PersonWeights))
        if self.person is None:
            if self.wave is not None or self.person_weights != "wave":
                raise UsageError(
                    "Waves are those of a person: name the variable that tells persons apart "
                    "(person)."
                )
            return
        taken = dict.fromkeys(self.keys, "a key variable")
        taken |= {self.weight or "": "the weight", self.household or "": "the household"}
        for role, name in (("person", self.person), ("wave", self.wave)):
            if name in taken:
                raise UsageError(f"{name!r} cannot be both {taken[name]} and the {role}.")
        if self.person == self.wave:
            raise UsageError(f"{self.person!r} cannot be both the person and the wave.")
        if self.attack != "all":
            raise UsageError("Persons are attacked all alike: leave the attack model out.")

    def _find_implied(self) -> Estimator | None:
        """Return the estimator that all else leaves; None if the file is to choose."""
        if self.weight is None or self.missing in ("wildcard", "expected") or self.alpha != 1.0:
            return "cell"
        modelled = isinstance(self.missing, Mapping) or self.missing == "integrate"
        return "model" if modelled else None

    def _check_missing(self) -> None:
        """Refuse a rule for missing keys that does not go with the estimator."""
        if isinstance(self.missing, Mapping):
            for key, rule in self.missing.items():
                _one_of("missing rule of a key", rule, get_args(KeyMissing))
                if key not in self.keys:
                    hint = did_you_mean(key, self.keys)
                    raise UsageError(
                        f"{key!r} is not a key, so its gaps cannot be a category.{hint}"
                    )
        elif self.missing is not None:
            _one_of("missing rule", self.missing, get_args(Missing))
        modelled = isinstance(self.missing, Mapping) or self.missing == "integrate"
        if modelled and self.estimator != "model":
            raise UsageError(
                "missing='integrate', and 'category' for some keys, are rules of the estimator "
                "'model'; 'cell' has 'wildcard', 'category' and 'expected'."
            )
        if self.missing in ("wildcard", "expected") and self.estimator == "model":
            raise UsageError(
                f"missing={self.missing!r} is a rule of the estimator 'cell': under 'model' gaps "
                "are integrated out (missing='integrate'), or are a category of all keys or some."
            )

    @property
    def usual_missing(self) -> Missing | None:
        """The rule for missing keys that goes with the estimator if nothing else is said."""
        return None if self.estimator is None else rules_of(self.estimator)[0]

    @property
    def unsaid(self) -> tuple[str, ...]:
        """Fields that a plan need not name: the heading does, or they follow from others."""
        missing = ("missing",) if self.missing == self.usual_missing else ()
        return ("name", *missing, *(("estimator",) if self.weight is None else ()))

    @property
    def gap_categories(self) -> tuple[str, ...]:
        """Keys of which a gap is a category of its own."""
        if isinstance(self.missing, Mapping):
            return tuple(key for key in self.keys if key in self.missing)
        return self.keys if self.missing == "category" else ()

    def summary(self) -> dict[str, Any]:
        """Return what scripts rely on; of persons only where they are named."""
        said = asdict(self)
        return {name: said[name] for name in said if self.person or name not in PERSON_ROLES}

    def with_estimator(self, estimator: Estimator) -> Scenario:
        """Return the scenario under an estimator, with the missing rule that goes with it."""
        if estimator == self.estimator:
            return self
        missing: Missing | None = "category" if self.missing == "category" else None
        return replace(self, estimator=estimator, missing=missing, alpha=1.0)

    def without_estimator(self) -> Scenario:
        """Return the scenario as it is before the file chooses; what only one has implies it."""
        missing = None if self.missing == self.usual_missing else self.missing
        return replace(self, estimator=None, missing=missing)

    def with_keys(self, keys: tuple[str, ...]) -> Scenario:
        """Return the scenario for other keys; those that stay keep what was said of them."""
        error = {key: chance for key, chance in self.error.items() if key in keys}
        missing = self.missing
        if isinstance(missing, Mapping):
            missing = {key: rule for key, rule in missing.items() if key in keys} or None
        return replace(self, keys=keys, error=error, missing=missing)

    def check(self, schema: Schema) -> None:
        """Raise if the file lacks a variable that the scenario names."""
        for name in self.variables:
            schema[name]

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables that the scenario needs."""
        named = (self.weight, self.household, self.person, self.wave)
        return (*self.keys, *(name for name in named if name is not None))


def list_groups(scenarios: Iterable[Scenario]) -> tuple[str, ...]:
    """Return the variables that say which records belong together: households and persons."""
    named = (name for each in scenarios for name in (each.household, each.person))
    return tuple(dict.fromkeys(name for name in named if name is not None))


def rules_of(estimator: Estimator) -> tuple[Missing, ...]:
    """Return the rules for missing keys that go with an estimator; the usual one first."""
    if estimator == "model":
        return ("integrate", "category")
    return ("wildcard", "category", "expected")


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
