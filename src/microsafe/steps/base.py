"""What a kind of step is. Each kind is one file that holds all that is known and said of it.

A step says what to do, never to which records: the same step on the same data does the same.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

from microsafe.engine import Engine, SampleSize
from microsafe.errors import UsageError
from microsafe.notices import Notice
from microsafe.options.declaration import RoleDefaults
from microsafe.options.parameter import field_types, holds_names, parameters, tuple_names
from microsafe.options.scenario import Scenario, find_scenario
from microsafe.progress import Progress, silent
from microsafe.schema import Schema, Variable
from microsafe.steps.loss import LossMeasure
from microsafe.steps.perturbation import PerturbationState, RecodedCategories, released_name

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import Families, FamilyModel, FamilyView, Reference

Place = Literal["first", "any", "last"]
Touch = Literal["key", "other", "weight", "household"]

REFUSALS: Mapping[Touch, str] = {
    "key": "{name!r} is a key of scenario {scenario!r} and cannot be changed. "
    "Name another variable.",
    "weight": "{name!r} is the weight of scenario {scenario!r} and cannot be changed. "
    "Name another variable.",
    "household": "{name!r} is the household of scenario {scenario!r}, and changing it would mix "
    "households. Renumber it instead.",
    "other": "{name!r} is not used by any scenario. Name a variable that is.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryTerm:
    """An entry of the glossary, with the names of other programs; a dash if there is none.

    Attributes:
        name: What the field calls it.
        meaning: What it is, in plain sentences.
        see: Link to a page of the docs, or empty.
        sdcmicro: Its name there.
        muargus: And there.
    """

    name: str
    meaning: str
    see: str = ""
    sdcmicro: str = "–"
    muargus: str = "–"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepContext:
    """What a step is taken on.

    Attributes:
        engine: Where the records are; those with true values where some were perturbed.
        scenarios: Key sets with their assumptions.
        steps: Steps taken so far.
        perturbation: What is known of variables that were perturbed.
        reference: Gives what risk by a model is looked up in; None if a scenario asks for none.
        families: Gives the households of the file without blanks, beside what is shown of them.
        take_by_person: Takes a step that chooses by risk on persons of several records; None if
            each record is a person.
        of_persons: Whether records are such persons, who may be protected wave by wave.
    """

    engine: Engine
    scenarios: tuple[Scenario, ...]
    steps: tuple[AppliedStep, ...]
    perturbation: PerturbationState | None
    reference: FindReference
    families: FindFamilies
    take_by_person: Callable[[Any, Progress], StepOutcome] | None = None
    of_persons: bool = False

    def scenario(self, name: str | None = None) -> Scenario:
        """Return the scenario of that name, or the first."""
        return find_scenario(self.scenarios, name)


class FindReference(Protocol):
    """Gives what risk under a scenario is looked up in, if it is by a model."""

    def __call__(self, scenario: Scenario, *, progress: Progress = silent) -> Reference | None:
        """Return it; None if the scenario asks for none."""


KnownFamilies = tuple["Families", "FamilyView", "FamilyModel | None"]


class FindFamilies(Protocol):
    """Gives families, what is shown of them, and what was learnt from them."""

    def __call__(
        self, scenario: Scenario, shown: Engine, *, progress: Progress = silent
    ) -> KnownFamilies:
        """Return them for what an engine shows; no model if the file is the population."""


class DeclaredStudy(Protocol):
    """What is known of a study: its scenarios, and roles of its variables."""

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""

    @property
    def roles(self) -> RoleDefaults:
        """What persons and the file declare."""

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """Key sets with their assumptions."""


class Step(ABC):
    """Base of all kinds of steps: frozen dataclasses, each field annotated by a `Parameter`.

    Attributes:
        do: Name of the kind in plans, and of its verb.
        title: Name of the method in reports and in the app.
        public: What the method does, in a sentence or two, for the public report.
        term: Entry of the glossary.
        place: Where it may stand among the steps.
        touches: What it may change.
        loss: How to measure what it cost.
        refusals: What to say if it would change something else.
        reweighs: Whether it may change a weight, for release only (see `steps.weights`).
    """

    __slots__ = ()

    do: ClassVar[str]
    title: ClassVar[str]
    public: ClassVar[str]
    term: ClassVar[GlossaryTerm]
    place: ClassVar[Place]
    touches: ClassVar[frozenset[Touch]]
    loss: ClassVar[LossMeasure]
    refusals: ClassVar[Mapping[Touch, str]] = REFUSALS
    reweighs: ClassVar[bool] = False
    why: str

    def __init_subclass__(cls) -> None:
        """Refuse a kind that lacks a part; a class without a name of its own is none yet."""
        if "do" not in cls.__dict__:
            return
        parts = ("do", "title", "public", "term", "place", "touches", "loss", "__doc__")
        lacking = [name for name in parts if not getattr(cls, name, None)]
        if sys.flags.optimize > 1:  # then nothing has a docstring
            lacking = [part for part in lacking if part != "__doc__"]
        lacking += [
            name
            for name in dir(cls)
            if getattr(getattr(cls, name, None), "__isabstractmethod__", False)
        ]
        if lacking:
            raise TypeError(f"The step {cls.__name__} lacks {', '.join(lacking)}.")

    def __post_init__(self) -> None:
        """Bring names of variables into tuples: one name may be given as it is, several in a list.

        A kind with checks of its own calls it first.
        """
        for name, hint in _hints_of_names(type(self)).items():
            object.__setattr__(self, name, tuple_names(getattr(self, name), hint))

    @classmethod
    def find_taken(cls, steps: Iterable[AppliedStep]) -> list[tuple[Self, AppliedStep]]:
        """Return the steps of this kind, and what each of them did."""
        return [(taken.step, taken) for taken in steps if isinstance(taken.step, cls)]

    @classmethod
    def declared_options(
        cls,
        given: Mapping[str, Any],  # noqa: ARG003
        study: DeclaredStudy,  # noqa: ARG003
    ) -> Mapping[str, Any]:
        """Return what declarations say of options that its verb was not given.

        Steps of a plan are taken as they stand.

        Args:
            given: Options that its verb was given.
            study: Whose scenarios and roles of variables are known.
        """
        return {}

    @property
    @abstractmethod
    def targets(self) -> tuple[str, ...]:
        """Variables that it names to be changed."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Variables that are not in the file any more once it is taken."""
        return ()

    @property
    def subject(self) -> str:
        """The one variable that it is about, if it is about one."""
        return ""

    @abstractmethod
    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:
        """Do it, and return what came of it.

        Raises:
            UsageError: It does not suit the data or the scenarios.
        """

    @abstractmethod
    def in_words(self, taken: AppliedStep | None = None) -> str:
        """Say in a few words what it does, and what came of it if that is known."""

    @property
    def swap_window(self) -> tuple[float, Sequence[str]] | None:
        """Per cent of the ranks that values move at most, and strata; None if they may go far."""
        return None

    def forget_keys(self, gone: Collection[str]) -> Step:  # noqa: ARG002
        """Return the step as it is where some keys are left out."""
        return self

    def rename_scenarios(self, renamed: Mapping[str, str]) -> Step:  # noqa: ARG002
        """Return the step that calls scenarios by their new names."""
        return self

    def changed_variables(self, taken: AppliedStep) -> Sequence[str]:  # noqa: ARG002
        """Return the variables that were changed."""
        return self.targets

    def new_categories(
        self,
        variable: Variable,  # noqa: ARG002
        categories: Sequence[str],  # noqa: ARG002
    ) -> Sequence[str] | None:
        """Return what categories of a variable become, one by one.

        None if that is not the same for all records that have one.
        """
        return None

    def recode_released(self, name: str, full: Engine) -> Engine | None:  # noqa: ARG002
        """Do to the released values of a perturbed variable what was done to the true ones.

        None if that cannot be done.
        """
        return None

    def results(self, taken: AppliedStep) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return what it did, in words, for the report to the board."""
        return []

    def public_results(self, taken: AppliedStep, *, matrix: bool) -> list[tuple[str, str]]:  # noqa: ARG002
        """Return what the public is told of what it did, in words.

        Args:
            taken: What it did.
            matrix: Whether the policy publishes chances.
        """
        return []

    @property
    def public_parameters(self) -> tuple[str, ...]:
        """Parameters that the public is told of, besides what the report tells of any step."""
        return ()

    @property
    def hides_spread(self) -> bool:
        """Whether the public must not learn how far values were moved."""
        return False

    def verb_options(self) -> Mapping[str, object]:
        """Return options that its verb must be given although they are defaults of the step."""
        return {}

    def parameters_in_words(self) -> list[tuple[str, str]]:
        """Return the parameters that were given, in words; secrets are not shown."""
        found = []
        for name, parameter in parameters(type(self)).items():
            value = getattr(self, name)
            if name in ("why", "variable") or _is_nothing(value) or not parameter.matters(self):
                continue
            text = parameter.choices.get(str(value)) or parameter.words(value)
            found.append((parameter.label, "kept secret" if parameter.secret else text))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedStep:
    """A step that was taken, and what it did.

    Attributes:
        step: What was asked for.
        blanks: Values blanked, by key; none unless the step suppresses.
        linked: Values that variables lost with a key that they are linked to, by variable; keys
            are among the blanks.
        records: Records in which something was blanked.
        stuck: Records that stay unsafe, because of keys that were to be spared.
        examples: Numbers of the first of them in the file, from 1.
        leaning: Records that are safe only through others' blanks (guarantee "shared").
        readable: Keys blanked in some members of a household only, while all members share
            the value: whoever sees who lives together reads it off the others.
        facts: Further figures of the kind by name; they go into the lock.
        _treatments: How every combination of keys is treated, by scenario, where blanks were chosen
            so that nobody can tell more from that (guarantee "view").
        _homes: Where the household of each record is known, and its name, where a step left out
            members and the number.
        _by_person: The steps that it was on persons of several records.
        _unsafe: Numbers of all who stay unsafe, where each is a person of several records.
    """

    step: Step
    blanks: Mapping[str, int] = field(default_factory=dict)
    linked: Mapping[str, int] = field(default_factory=dict)
    records: int = 0
    stuck: int = 0
    examples: tuple[int, ...] = ()
    leaning: int = 0
    readable: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    _treatments: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _homes: tuple[Engine, str] | None = field(default=None, repr=False, compare=False)
    _by_person: tuple[AppliedStep, ...] = field(default=(), repr=False, compare=False)
    _unsafe: tuple[int, ...] = field(default=(), repr=False, compare=False)

    @property
    def total(self) -> int:
        """Values blanked in all."""
        return sum(self.blanks.values())

    @property
    def drawn(self) -> SampleSize | None:
        """How large a sample is and what it was drawn from; None for other steps."""
        found = self.facts.get("drawn")
        return found if isinstance(found, SampleSize) else None

    @property
    def words(self) -> str:
        """What was done, in one line."""
        return self.step.in_words(self)

    def figures(self) -> dict[str, Any]:
        """Return what it did, for the lock; numbers of records are not part of it."""
        return {
            "do": self.step.do,
            "blanks": dict(self.blanks),
            "records": self.records,
            "stuck": self.stuck,
            "leaning": self.leaning,
            **{
                name: asdict(fact) if is_dataclass(fact) and not isinstance(fact, type) else fact
                for name, fact in self.facts.items()
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StepOutcome:
    """What came of a step: the data, the scenarios that hold from then on, and what it did.

    Attributes:
        engine: Shows the data as they are now.
        scenarios: As they are now.
        taken: What the step did.
        notices: What to know about it.
        perturbation: What is known of perturbed variables, if the step perturbed one.
    """

    engine: Engine
    scenarios: tuple[Scenario, ...]
    taken: AppliedStep
    notices: tuple[Notice, ...] = ()
    perturbation: PerturbationState | None = None


def take_step(step: Step, before: StepContext, progress: Progress) -> StepOutcome:
    """Take a step, if it may stand there and touch what it names.

    Raises:
        UsageError: It may not, or does not suit the data.
    """
    _check_place(step, before.steps)
    _check_touch(step, before.scenarios)
    _check_persons(step, before.scenarios)
    return step.apply(before, progress)


def follow_step(
    known: PerturbationState, step: Step, taken: AppliedStep, full: Engine
) -> PerturbationState:
    """Return what is known of perturbed variables after a step that perturbs nothing.

    Args:
        known: What was known before.
        step: That was taken on true values.
        taken: What it did.
        full: Engine with true values as they are now.

    Raises:
        UsageError: It cannot be taken on a variable that was perturbed.
    """
    changed = {name for name, count in taken.blanks.items() if count}
    changed |= {*step.changed_variables(taken), *step.targets}
    transitions = dict(known.transitions)
    for name in known.find_perturbed(tuple(changed)):
        if name not in full.schema:
            full = full.drop_variables((released_name(name),))
            del transitions[name]
        elif not taken.blanks:
            recoded = step.recode_released(name, full)
            if recoded is None:
                raise UsageError(
                    f"{name!r} was perturbed before ({transitions[name].words}), and {step.do!r} "
                    "cannot follow. Take it first."
                )
            full = recoded
            old = transitions[name].categories
            new = step.new_categories(known.full.schema[name], old) or old
            renamed = RecodedCategories(new=dict(zip(old, new, strict=True)))
            links = (*transitions[name].links, renamed)
            transitions[name] = replace(transitions[name], links=links)
    copies = {
        hidden: (of, same and of not in changed) for hidden, (of, same) in known.copies.items()
    }
    return replace(known, full=full, transitions=transitions, copies=copies)


def _check_place(step: Step, taken: Sequence[AppliedStep]) -> None:
    if step.place == "first" and any(
        each.step.place != "first" or each.step.do == step.do for each in taken
    ):
        raise UsageError(
            f"Take the {step.do} before other steps: what is measured and protected is what is "
            "released. Undo the steps taken so far (rollback(0)) and take them after it."
        )
    if taken and taken[-1].step.place == "last":
        raise UsageError(
            f"No step can follow {taken[-1].step.do!r}. Undo it, and take it after this one."
        )


def _check_touch(step: Step, scenarios: Sequence[Scenario]) -> None:
    """Weights are the design's, and households are who lives together."""
    for name in step.targets:
        for role, scenario in _roles(name, scenarios):
            if role not in step.touches:
                raise UsageError(step.refusals[role].format(name=name, scenario=scenario))


def _check_persons(step: Step, scenarios: Sequence[Scenario]) -> None:
    """Refuse what would part the records of a person, or mix them."""
    for scenario in (each for each in scenarios if each.person is not None):
        if scenario.wave in step.targets:
            raise UsageError(
                f"{scenario.wave!r} is the wave of scenario {scenario.name!r}, which tells records "
                "of a person apart, and cannot be changed. Name another variable."
            )
        if scenario.person in step.targets and (step.left_out or "household" not in step.touches):
            raise UsageError(
                f"{scenario.person!r} is the person of scenario {scenario.name!r}, and risk is of "
                "persons. Renumber it instead; without it rows can be linked by what they share."
            )
        if step.place == "first" and getattr(step, "household", None) != scenario.person:
            raise UsageError(
                f"The {step.do} would part the records of a person. Have it go by persons "
                f"(household={scenario.person!r})."
            )


def _roles(name: str, scenarios: Sequence[Scenario]) -> list[tuple[Touch, str]]:
    """Return what a variable is, and in which scenario."""
    found: list[tuple[Touch, str]] = []
    for scenario in scenarios:
        named: Mapping[Touch, Sequence[str | None]] = {
            "weight": (scenario.weight,),
            "household": (scenario.household,),
            "key": scenario.keys,
        }
        found += [(role, scenario.name) for role, names in named.items() if name in names]
    return found or [("other", "")]


@cache
def _hints_of_names(kind: type[Step]) -> Mapping[str, Any]:
    """Return the types of the fields that hold names of variables, or codes as a list."""
    hints = field_types(kind)
    return {name: hints[name] for name in parameters(kind) if holds_names(hints[name])}


def _is_nothing(value: Any) -> bool:
    return value is None or value is False or (hasattr(value, "__len__") and len(value) == 0)
