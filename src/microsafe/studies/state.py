"""What a study is: data, scenarios, the steps taken so far, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self
from weakref import ref

from microsafe.cells import Cells, Index
from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.notices import Notice
from microsafe.options.declaration import (
    Declarations,
    RoleDefaults,
    find_defaults,
    merge_declarations,
)
from microsafe.options.policy import Policy
from microsafe.options.scenario import Estimator, Scenario, find_scenario
from microsafe.schema import Schema

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk, Families, FamilyModel, PopulationModel
    from microsafe.risk.counts.telling import TellingVariables
    from microsafe.steps.base import AppliedStep
    from microsafe.steps.perturbation import PerturbationState

# Fitted models by engine, keys, weight, whether weights are clipped, keys whose gaps are integrated
# out, and household.
Models = dict[
    tuple[int, tuple[str, ...], str | None, bool, tuple[str, ...], str | None],
    tuple[Engine, Cells, "PopulationModel"],
]
# Families by scenario: of which engine, scenario and households, and what was learnt from them.
FamiliesByScenario = dict[str, tuple[Engine, Scenario, Index, "Families", "FamilyModel | None"]]
# Persons of several records as a study of their own, by engine, of which scenarios.
PersonStudies = dict[int, tuple[Engine, tuple[Scenario, ...], Any]]
# What variables tell of keys, of which state, as long as it is held.
TellingByState = dict[str, tuple[ref[Engine], "TellingVariables"]]
# What was measured last, by scenario and estimator, of which state, as long as it is held.
Measurements = dict[tuple[str, Estimator | None], tuple[Scenario, ref[Engine], "ref[CellRisk]"]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StudyState:
    """Data, scenarios and the steps taken so far. It never changes.

    Attributes:
        engine: Where the records are.
        scenarios: Key sets with their assumptions; the first is the default.
        notices: What to know about how the data were read.
        steps: What was done to the data so far.
        declarations: What persons said of variables, by name.
        _chosen: What the file chose as the estimator and why, by scenario; nothing where one was
            named.
        _perturbation: What is known of variables that were perturbed; None if none was.
        _as_read: The engine before that was said; None if nothing was.
        _previous: The study before the last step.
        _written_by: The study whose file this is, where it was written and is read back.
        _unperturbed: The study without the steps that perturbed variables; None if none did.
        _models: Models of the population, fitted once for a file and its keys.
        _families: Models of families, the last by scenario.
        _telling: What told of changed keys in the state looked at last.
        _measured: Risk that was measured of late, for a file that is read back.
        _persons: Persons of records as a study of their own, by state.
        _panel: How persons came from records, where these are persons.
        _input: The file and how it was read, as options of `study`; nothing for data frames.
    """

    engine: Engine
    scenarios: tuple[Scenario, ...] = ()
    notices: tuple[Notice, ...] = ()
    steps: tuple[AppliedStep, ...] = ()
    declarations: Declarations = field(default_factory=dict)
    _chosen: Mapping[str, Notice] = field(default_factory=dict)
    _perturbation: PerturbationState | None = None
    _as_read: Engine | None = None
    _previous: Self | None = None
    _written_by: Self | None = None
    _unperturbed: Self | None = None
    _models: Models = field(default_factory=dict)
    _families: FamiliesByScenario = field(default_factory=dict)
    _telling: TellingByState = field(default_factory=dict)
    _measured: Measurements = field(default_factory=dict)
    _persons: PersonStudies = field(default_factory=dict)
    _panel: Any = None
    _input: Mapping[str, Any] = field(default_factory=dict)

    @property
    def schema(self) -> Schema:
        """What is known of the variables."""
        return self.engine.schema

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the variables, in the order of the file."""
        return self.schema.names

    def __len__(self) -> int:
        """Return the number of records."""
        return self.engine.rows()

    def __bool__(self) -> bool:
        """Say that there is a study, however few records it has."""
        return True

    @property
    def estimator_notices(self) -> tuple[Notice, ...]:
        """Why the file chose the estimator, of each scenario that names none."""
        return tuple(self._chosen.values())

    @property
    def frame(self) -> Any:
        """The records as they now are, in the kind of frame that came in; Polars for files.

        It stays in memory: `write` and `release` decide what may leave.
        """
        return self.engine.frame()

    @property
    def roles(self) -> RoleDefaults:
        """What persons and the file declare: keys, weight, levels, costs and so on."""
        return find_defaults(merge_declarations(self.engine.declarations, self.declarations))

    def scenario(self, name: str | None = None) -> Scenario:
        """Return the scenario of that name, or the first."""
        return find_scenario(self.scenarios, name)

    def undo(self) -> Self:
        """Return the study before the last step."""
        if self._previous is None:
            raise UsageError("There is no step to undo.")
        return self._previous

    def rollback(self, to: int) -> Self:
        """Return the study after its first `to` steps; 0 is the data as read."""
        if not 0 <= to <= len(self.steps):
            raise UsageError(f"Roll back to a number of steps from 0 to {len(self.steps)}.")
        return self if to == len(self.steps) else self.undo().rollback(to)

    def _before(self, to: int = 0) -> Self:
        """Return what the study is compared with: its first `to` steps, a sample at least.

        Protection begins with the sample as drawn; the file that it was drawn from is not
        released.
        """
        drawn = sum(taken.step.place == "first" for taken in self.steps)
        return self.rollback(max(to, drawn))

    def _homes(self, scenario: str) -> tuple[Engine, str | None]:
        """Where the household of each record is known, and its name, although it may not go out.

        The name is None if the scenario named none.
        """
        for taken in self.steps:
            if taken._homes is not None:
                return taken._homes
        start = self._before()
        there = [each.household for each in start.scenarios if each.name == scenario]
        return start.engine, there[0] if there else None

    def _asked(self, scenario: str, policy: Policy) -> Policy:
        """Return what a policy asks of the file under a scenario: a step may drop households."""
        gone = self.scenario(scenario).household is None and self._source._homes(scenario)[1]
        names = [each.name for each in self.scenarios]
        return policy.leave_households(names) if gone else policy

    @property
    def _truth(self) -> Self:
        """The study without the steps that perturbed variables; itself if there are none."""
        return self._unperturbed or self

    @property
    def _source(self) -> Self:
        """The study whose records these are, before values were perturbed.

        It knows what was done to them, also if this one was read from the file that it wrote.
        """
        return (self._written_by or self)._truth

    def _is_blanked(self, scenario: str | None = None) -> bool:
        """Tell whether some key of a scenario, or a variable linked to one, was suppressed."""
        suppressed = [taken for taken in self._source.steps if taken.total]
        blanked = {name for each in suppressed for name in (*each.blanks, *each.step.targets)}
        return not blanked.isdisjoint(self.scenario(scenario).keys)
