"""How one study follows from another: by a scenario more, or by a step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.options.parameter import variable_names
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk import Reference
from microsafe.steps.base import StepContext, StepOutcome, follow_step, take_step
from microsafe.steps.released_weights import change_weight, find_weight
from microsafe.studies.coordinate_keys import refuse_coordinates
from microsafe.studies.estimator_choice import choose_estimator
from microsafe.studies.families import find_families, view_families
from microsafe.studies.overview import make_study_page, print_study
from microsafe.studies.persons import (
    blank_records,
    find_lost,
    follow_suppression,
    make_person_study,
)
from microsafe.studies.reference import MOST_CELLS, model_reference
from microsafe.studies.state import StudyState

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.steps import Suppress
    from microsafe.steps.base import KnownFamilies, Step


class StudyCore(StudyState):
    """A state to which scenarios can be added and steps applied."""

    __slots__ = ()

    def with_scenario(
        self, name: str, *, keys: Iterable[str], progress: Progress = silent, **changes: Any
    ) -> Self:
        """Return the study with one more key set.

        Args:
            name: What to call it, such as "nosy neighbour".
            keys: Variables that this intruder knows.
            progress: Progress callback, used while the file chooses an estimator.
            **changes: Whatever else differs from the first scenario: weight, household,
                missing, alpha, attack, factor, error, clip_weights, estimator. If the file chose
                that of the first, it chooses this one too, by its keys.

        Raises:
            InputError: A key holds coordinates.
        """
        if any(name == scenario.name for scenario in self.scenarios):
            raise UsageError(f"The study already has a scenario {name!r}.")
        keys = variable_names(keys)
        if self.scenarios:
            first = self.scenarios[0].with_keys(keys)
            by_file = first.weight is None or first.name in self._chosen
            named = changes.get("estimator", None if by_file else first.estimator)
            first = first.without_estimator() if named is None else first.with_estimator(named)
            added = replace(first, name=name, **changes)
        else:
            added = Scenario(name=name, keys=keys, **changes)
        added.check(self.schema)
        refuse_coordinates(self.engine, added.keys)
        _refuse_other_persons(added, self.scenarios)
        chosen = {each: told for each, told in self._chosen.items() if each != name}
        if added.estimator is None:
            asked = self if added.person is None else self._with(added)._of_persons()
            choice = choose_estimator(
                asked, asked.scenario(added.name) if added.person else added, progress=progress
            )
            added = added.with_estimator(choice.estimator)
            chosen[name] = choice.notice
        truth = self._unperturbed
        if truth is not None:
            truth = replace(truth, scenarios=(*truth.scenarios, added))
        scenarios = (*self.scenarios, added)
        return replace(self, scenarios=scenarios, _chosen=chosen, _unperturbed=truth)

    def apply(self, step: Step, *, progress: Progress = silent) -> Self:
        """Return the study with one more step, of whatever kind."""
        known, outcome = self._perturbation, self._take(step, progress)
        made = replace(
            self,
            engine=outcome.engine,
            scenarios=outcome.scenarios,
            steps=(*self.steps, outcome.taken),
            notices=(*self.notices, *outcome.notices),
            _previous=self,
        )
        truth = self._truth
        if outcome.perturbation is not None:
            known = outcome.perturbation
        elif known is not None:
            known = follow_step(known, step, outcome.taken, outcome.engine)
            truth = replace(
                truth,
                engine=known.truth,
                scenarios=outcome.scenarios,
                steps=(*truth.steps, outcome.taken),
                _previous=truth,
            )
        else:
            return made
        return replace(made, engine=known.released, _perturbation=known, _unperturbed=truth)

    def insert(self, step: Step, *, progress: Progress = silent) -> Self:
        """Return the study with one more step where it may stand: some must come before others.

        Steps that follow are taken again, but for those of which all variables are gone.
        """
        start = self._before()
        if step.place != "first" or len(start.steps) == len(self.steps):
            return self.apply(step, progress=progress)
        made = start.apply(step, progress=progress)
        for taken in self.steps[len(start.steps) :]:
            targets = taken.step.targets
            if not targets or any(name in made.schema for name in targets):
                made = made.apply(taken.step, progress=progress)
        return made

    def _take(self, step: Step, progress: Progress) -> StepOutcome:
        """Take a step on true values; what came of it is not part of the study yet."""
        known = self._perturbation
        before = StepContext(
            engine=self.engine if known is None else known.full,
            scenarios=self.scenarios,
            steps=self.steps,
            perturbation=known,
            reference=self._reference,
            families=self._find_families,
            take_by_person=self._suppress_persons
            if any(scenario.person for scenario in self.scenarios)
            else None,
            of_persons=self._panel is not None,
        )
        weight = find_weight(step, self.scenarios)
        if weight is None:
            return take_step(step, before, progress)
        return change_weight(step, before, weight, progress)

    def _of(self, scenario: str | None = None) -> Self:
        """Return the study that a scenario is measured on: persons where it names them."""
        return self if self.scenario(scenario).person is None else self._of_persons()

    def _refuse_persons(self, fact: str) -> None:
        """Refuse what is done by record where scenarios are of persons with several.

        Raises:
            UsageError: They are.
        """
        if any(scenario.person for scenario in self.scenarios):
            raise UsageError(f"{fact}. Leave the person out, or keep one record of each person.")

    def _of_persons(self) -> Self:
        """Return persons of several records as a study, made once for each state."""
        engine, scenarios, found = self._persons.get(id(self.engine), (None, (), self))
        if engine is not self.engine or scenarios != self.scenarios:
            found = self._make_persons()
            # The engine is kept with it, so that its number is not given to another.
            self._persons[id(self.engine)] = (self.engine, self.scenarios, found)
        return cast("Self", found)

    def _make_persons(self) -> Self:
        known = self._perturbation
        if known is not None and any(known.concerns(each) for each in self.scenarios):
            raise UsageError(
                "A key or the weight was perturbed, and risk of persons of several records is by "
                "true values. Recode or suppress instead."
            )
        if self._written_by is not None:
            writer = self._source._of_persons()
            return writer._read_back(make_person_study(self, writer._panel))
        whole = replace(self._source._without_suppression(), scenarios=self.scenarios)
        if whole.engine is self.engine:
            return make_person_study(self)
        base = whole._of_persons()
        lost = find_lost(base._panel, whole.engine, self.engine)
        steps = self._source.steps
        taken = tuple(chain.from_iterable(each._by_person for each in steps))
        panel = replace(base._panel, recoded_late=self._is_recoded_late())
        shown = base.engine.blank_records(lost)
        return replace(base, engine=shown, steps=taken, _previous=base, _panel=panel)

    def _is_recoded_late(self) -> bool:
        """Tell whether a key was changed once keys of persons were blanked."""
        keys = {key for scenario in self.scenarios for key in scenario.keys}
        blanked = False
        for taken in self._source.steps:
            if taken._by_person:
                blanked = True
            elif blanked and keys.intersection(taken.step.changed_variables(taken)):
                return True
        return False

    def _suppress_persons(self, step: Suppress, progress: Progress) -> StepOutcome:
        """Suppress keys of persons, and blank them in all records that show them."""
        people = self._of_persons()
        parts = tuple(follow_suppression(step, people))
        made = people._suppress_all(parts, progress)
        engine = self.engine if self._perturbation is None else self._perturbation.full
        shown, taken = blank_records(engine, people, made, step, last=len(parts))
        return StepOutcome(
            engine=shown,
            scenarios=self.scenarios,
            taken=taken,
            notices=made.notices[len(people.notices) :],
        )

    def _suppress_all(self, parts: Sequence[Suppress], progress: Progress) -> Self:
        """Take suppressions one upon another, so that all of them hold in the end."""
        made = self
        while True:
            done = len(made.steps)
            for each in parts:
                made = made.apply(each, progress=progress)
            # Blanks of one wave may leave others alone in another; only strict minds.
            blanked = any(taken.total for taken in made.steps[done:])
            if parts[0].guarantee != "strict" or len(parts) == 1 or not blanked:
                return made

    def _with(self, scenario: Scenario) -> Self:
        return replace(self, scenarios=(*self.scenarios, scenario))

    def _without_suppression(self, *, progress: Progress = silent) -> Self:
        """Return the study with all its steps but suppression, in their order.

        Steps change whole variables, whatever is blank in them, so they stay what they were. Those
        that draw at random draw anew if they come after suppression: ask `_truth` instead.
        """
        suppresses = [bool(taken.blanks) for taken in self.steps]
        kept = suppresses.index(True) if True in suppresses else len(suppresses)
        made = self.rollback(kept)
        for taken, gone in zip(self.steps[kept:], suppresses[kept:], strict=True):
            if not gone:
                made = made.apply(taken.step, progress=progress)
        return made

    def _read_back(self, data: Self) -> Self:
        """Return data that were read from the file that this study wrote, as such.

        What was suppressed or perturbed is known then, as it is here; nothing else is shared.
        """
        return replace(
            data,
            engine=data.engine.allow_blank_keys(),
            _written_by=self,
            _perturbation=self._perturbation,
            _unperturbed=self._unperturbed,
        )

    def _reference(self, scenario: Scenario, *, progress: Progress = silent) -> Reference | None:
        """Return the file without blanks and, for the estimator `model`, a model of its population.

        For the rule `expected` such a model tells what natural gaps hide. None if the scenario has
        no use for any of it.
        """
        if scenario.estimator == "model":
            return self._model_reference(scenario, progress=progress)
        if scenario.missing != "expected":
            return None
        whole = self._source._without_suppression(progress=progress)
        cells = whole.engine.cells(replace(scenario, attack="all"), progress=progress)
        if scenario.weight is not None and not cells.complete and len(cells) <= MOST_CELLS:
            made = self._model_reference(scenario.with_estimator("model"), progress=progress)
            return replace(made, model=None, gap_model=made.model)
        return Reference(cells=cells) if self._is_blanked(scenario.name) else None

    def _find_families(
        self,
        scenario: Scenario,
        shown: Engine,
        *,
        drawn: NDArray[np.bool_] | None = None,
        progress: Progress = silent,
    ) -> KnownFamilies:
        """Return families of the file without blanks, and what an engine shows of them.

        Households may have been dropped since the file was read, and some may have been drawn.
        """
        source = self._source
        home = shown if scenario.household in shown.schema else source._homes(scenario.name)[0]
        whole = source._without_suppression(progress=progress).engine
        families, model = find_families(
            self, whole, scenario, home=home, drawn=drawn, progress=progress
        )
        return families, view_families(families, shown, whole, scenario), model

    def _model_reference(self, scenario: Scenario, *, progress: Progress = silent) -> Reference:
        """Return the file without blanks, and a model of its population."""
        source = self._source
        whole = source._without_suppression(progress=progress)
        return model_reference(source, whole, scenario, progress=progress)

    def __repr__(self) -> str:
        return print_study(self)

    def _repr_html_(self) -> str:
        return make_study_page(self)


def _refuse_other_persons(added: Scenario, scenarios: Sequence[Scenario]) -> None:
    """Refuse scenarios of which some are of persons and others of records."""
    for scenario in scenarios:
        one, other = (
            (each.person, each.wave, each.person_weights, each.person and each.weight)
            for each in (scenario, added)
        )
        if one != other:
            raise UsageError(
                f"Scenarios {scenario.name!r} and {added.name!r} must name the same person, wave "
                "and weight."
            )
