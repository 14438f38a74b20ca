"""A panel in the guide: persons with several records, filled in, and the one plan for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from microsafe.compare.step_loss import measure_mean
from microsafe.display import show_percent
from microsafe.errors import InputError
from microsafe.guides.scenario import open_scenario
from microsafe.options.policy import Policy
from microsafe.progress import Progress, silent
from microsafe.propose.candidates import step_table
from microsafe.steps import Suppress
from microsafe.steps.base import Step
from microsafe.studies.person_table import PersonRecords
from microsafe.studies.repeated_rows import find_panel
from microsafe.studies.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonPlan:
    """Blanks alone, as recodes are searched by record.

    Attributes:
        steps: That blank.
        touched: Records that lose a value.
        blanks: Values that are blanked.
        loss: What the keys lose of what they tell, as a mean.
        persons: In the file.
        changed: Persons who lose a value.
        expected: Expected re-identifications of persons.
        met: Whether no person is above the limit on records.
    """

    steps: tuple[Suppress, ...]
    touched: int
    blanks: int
    loss: float
    persons: int
    changed: int
    expected: float
    met: bool

    @property
    def first(self) -> tuple[Step, ...]:
        """Steps by which the household number is left out: none."""
        return ()

    @property
    def words(self) -> str:
        """What it is, and why there is no other."""
        many = f"{self.blanks:,}" if self.blanks else "no"
        return (
            f"Blanks alone: {many} blank{'' if self.blanks == 1 else 's'}. Recodes are searched by "
            "record, and persons here have several."
        )

    @property
    def sentence(self) -> str:
        """What it does."""
        known = 1000 * self.expected / self.persons
        share = show_percent(self.changed / self.persons)
        return f"{share} of the persons lose a value; of 1,000 {known:,.2g} could be recognised"

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on, named as those of plans of records."""
        return {
            "loss": self.loss,
            "expected": self.expected,
            "blanks": self.blanks,
            "records": self.touched,
            "words": self.words,
            "sentence": self.sentence,
            "steps": [step_table(step) for step in self.steps],
        }


def take_persons(study: Study, *, progress: Progress = silent) -> tuple[Study, str | None]:
    """Return a study whose scenario names persons, if an identifier repeats by waves.

    The wave is no key then: everybody knows when a survey was. An identifier that repeats without
    waves may be a telephone of several people, so it is only returned, to be asked about.

    Raises:
        InputError: Persons are named, and nothing but the order of the file tells waves apart.
    """
    now = study.scenario()
    if now.person is not None:
        _refuse_order_alone(study)
        return study, None
    person, wave = find_panel(study.engine) or (None, None)
    if person in (None, *now.keys, now.weight, now.household):
        return study, None
    if wave is None:
        return study, person
    keys = [key for key in now.keys if key != wave]
    made = open_scenario(study, keys, now.weight, now.household, progress, person=person, wave=wave)
    return made, None


def _refuse_order_alone(study: Study) -> None:
    """Refuse waves that a file would lose, as the guide shuffles records."""
    records = _find_records(study)
    if records.variable is None and not records.are_events:
        person = study.scenario().person
        raise InputError(
            f"Only the order of {study.schema.source} tells waves of a person apart, and the guide "
            "shuffles records. Name the variable that tells waves apart (wave), or make a plan "
            f"that keeps the order (plan new --person {person} --keep-order WHY)."
        )


def _find_records(study: Study) -> PersonRecords:
    records: PersonRecords = study._of_persons()._panel.records
    return records


def tell_persons(study: Study) -> str:
    """Say whose the records are, in words; nothing where each is somebody else."""
    name = study.scenario().person
    if name is None:
        return ""
    records = _find_records(study)
    apart = f"told apart by {records.variable}" if records.variable else "events"
    return f"{records.persons:,}, whose records share {name} and are {apart}"


def plan_persons(start: Study, policy: Policy, *, progress: Progress = silent) -> PersonPlan:
    """Return what blanks alone make of a file of persons.

    Args:
        start: With what is done before.
        policy: What must be met; it limits the risk of records.
        progress: Progress callback.
    """
    above = policy.record_risk
    assert isinstance(above, float)  # noqa: S101  # of a profile
    step = Suppress(above=above, guarantee="view" if "method" in policy.intruders else "own")
    made = start.apply(step, progress=progress)
    taken = made.steps[-1]
    risk = made.risk(limit=above, one_estimator=True, progress=progress)
    assert risk.limit is not None  # noqa: S101
    return PersonPlan(
        steps=(step,),
        touched=taken.records,
        blanks=sum(taken.blanks.values()),
        loss=measure_mean(start, made, start.scenario().keys),
        persons=risk.n,
        changed=int(str(taken.facts["persons_changed"])),
        expected=risk.expected,
        met=not risk.limit.unsafe,
    )
