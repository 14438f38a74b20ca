"""The session: what is open, what was decided, and what was measured.

A state never changes; the session goes from one to the next, and each is put on disk. Long work
is done elsewhere, on one thread at a time; any thread may look at the state.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from secrets import randbits
from typing import Any

from microsafe.app.documents import Documents
from microsafe.app.folders import Folders
from microsafe.app.journal import Journal, JournalFile, Reading
from microsafe.app.messages.risk import RiskFigures
from microsafe.app.messages.study import Variables
from microsafe.app.refusal import Refusal
from microsafe.inventory import Keep
from microsafe.plan.seeds import SEED_BITS
from microsafe.policy import Policy
from microsafe.progress import Progress, silent
from microsafe.report import ReportCover
from microsafe.risk import Risk
from microsafe.scenario import Scenario
from microsafe.steps.base import Step
from microsafe.study import Study

_MOST_RISKS = 8  # measurements that are kept


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpenFile:
    """The file at work.

    Attributes:
        path: Resolved.
        reading: How it is read.
        sha256: Of its bytes when it was opened.
        stamp: Size and time of change when it was opened.
        variables: What is in it.
    """

    path: Path
    reading: Reading
    sha256: str
    stamp: tuple[int, int]
    variables: Variables


@dataclass(slots=True, kw_only=True, eq=False)
class CandidatePlan:
    """Steps that were kept under a name; the study is made when it is first needed."""

    steps: tuple[Step, ...]
    study: Study | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """Everything that was decided so far.

    Attributes:
        revision: Rises with every change but that of the limit.
        opened: The file, if any.
        study: Data, scenarios and steps; None while no file is open.
        policy: What the board asks.
        limit: Risk above which a record is unsafe.
        household_limit: Risk above which a household is unsafe.
        confirmed: How many steps were confirmed.
        plans: Candidates by name.
        keep: Reason to keep a variable, by name, in the order of the file.
        keep_order: Reason to keep the order of the records.
        shuffle: Seed of their new order otherwise: one for all releases of a session.
        cover: What stands on the cover of the reports.
        saved: An earlier session on this file, and when it was written.
    """

    revision: int = 0
    opened: OpenFile | None = None
    study: Study | None = None
    policy: Policy = field(default_factory=Policy)
    limit: float | None = None
    household_limit: float | None = None
    confirmed: int = 0
    plans: Mapping[str, CandidatePlan] = field(default_factory=dict)
    keep: Mapping[str, str] = field(default_factory=dict)
    keep_order: str = ""
    shuffle: int = field(default_factory=lambda: randbits(SEED_BITS), repr=False)
    cover: ReportCover = field(default_factory=ReportCover)
    saved: tuple[Journal, float] | None = None

    @property
    def kept(self) -> tuple[Keep, ...]:
        """What goes out and why, the variables of one reason together."""
        return tuple(
            Keep(variables=tuple(name for name, each in self.keep.items() if each == why), why=why)
            for why in dict.fromkeys(self.keep.values())
        )


@dataclass(slots=True, kw_only=True, eq=False)
class Measurement:
    """Risk of a study under a scenario; the message is made when it is first asked for."""

    study: Study
    scenario: str
    risk: Risk
    figures: RiskFigures | None = None


class Session:
    """One session: the present state, its place on disk, and measurements of late."""

    def __init__(self, folders: Folders) -> None:
        """Begin with nothing open."""
        self.folders = folders
        self.state = State()
        self.journal_file: JournalFile | None = None
        self.last_preview: tuple[Study, Study] | None = None
        self.documents = Documents()
        self._measurements: list[Measurement] = []
        self._lock = threading.Lock()

    def change_state(self, make: Callable[[State], State]) -> None:
        """Go to another state, and put it on disk."""
        with self._lock:
            self._store(replace(make(self.state), revision=self.state.revision + 1))

    def set_limit(self, limit: float) -> None:
        """Remember a limit; it moves all the time, and no window need look again for it."""
        with self._lock:
            self._store(replace(self.state, limit=limit))

    def set_household_limit(self, limit: float) -> None:
        """Remember a limit on household risk."""
        with self._lock:
            self._store(replace(self.state, household_limit=limit))

    def _store(self, made: State) -> None:
        if self.journal_file is not None and made.opened is not None:
            journal = _make_journal(made, made.opened)
            if journal.scenarios or journal.steps:  # nothing yet is not worth keeping
                self.journal_file.write(journal)
        self.state = made

    def enter_file(self, journal_file: JournalFile, state: State) -> None:
        """Leave the present file for another."""
        with self._lock:
            if self.journal_file is not None and self.journal_file is not journal_file:
                self.journal_file.close()
            self.journal_file, self.last_preview = journal_file, None
            self._measurements.clear()
            self.documents.clear()
            self.state = replace(state, revision=self.state.revision + 1)

    def close(self) -> None:
        """Leave the session to others."""
        if self.journal_file is not None:
            self.journal_file.close()
            self.journal_file = None

    def current_file(self) -> tuple[OpenFile, Study]:
        """Return the file and the study, sure that the file is still what it was.

        Raises:
            Refusal: Nothing is open, or the file has changed on disk.
        """
        opened, study = self.state.opened, self.state.study
        if opened is None or study is None:
            raise Refusal(409, "No file is open.", "Open one first.")
        if read_stamp(opened.path) != opened.stamp:
            raise Refusal(
                409,
                f"{opened.path.name} has changed on disk since it was opened.",
                "Open it again, or restore the file.",
            )
        return opened, study

    def study(self, steps: int | None = None) -> Study:
        """Return the study, or as it was after so many steps."""
        _, study = self.current_file()
        return study if steps is None else study.rollback(steps)

    def is_private(self, name: str) -> bool:
        """Tell whether the values of a variable tell people apart, so that nobody may see them."""
        opened, study = self.current_file()
        fixed = {each for s in study.scenarios for each in (s.weight, s.household)}
        roles = {each.name: each.role for each in opened.variables.variables}
        return name in fixed or roles.get(name) in ("identifier", "household", "weight")

    def measure_risk(self, study: Study, scenario: str, progress: Progress = silent) -> Risk:
        """Measure a scenario of a study, or remember what was measured."""
        return self.measure(study, scenario, progress).risk

    def measure(self, study: Study, scenario: str, progress: Progress) -> Measurement:
        """Measure a scenario of a study, or remember what was measured."""
        found = self.find_measurement(study, scenario)
        if found is None:
            name = study.scenario(scenario or None).name
            risk = study.risk(name, progress=progress)
            found = Measurement(study=study, scenario=name, risk=risk)
            with self._lock:
                self._measurements = [*self._measurements[1 - _MOST_RISKS :], found]
        return found

    def find_measurement(self, study: Study, scenario: str) -> Measurement | None:
        """Return what was measured, if it was."""
        if not study.scenarios:
            raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
        name = study.scenario(scenario or None).name
        with self._lock:
            for each in self._measurements:
                if each.study is study and each.scenario == name:
                    return each
        return None


def original_scenarios(study: Study) -> tuple[Scenario, ...]:
    """Return the scenarios as given, before any step took keys away."""
    return study.rollback(0).scenarios


def rebuild_study(
    study: Study,
    scenarios: Sequence[Scenario],
    steps: Sequence[Step],
    progress: Progress = silent,
) -> Study:
    """Return a study of the same file under other scenarios or with other steps."""
    made = replace(study.rollback(0), scenarios=())
    for each in scenarios:
        options: dict[str, Any] = asdict(each)
        made = made.with_scenario(options.pop("name"), **options)
    for step in steps:
        made = made.apply(step, progress=progress)
    return made


def read_stamp(path: Path) -> tuple[int, int]:
    """Return what differs once a file was written to."""
    try:
        found = path.stat()
    except OSError:
        return (-1, -1)
    return (found.st_size, found.st_mtime_ns)


def _make_journal(state: State, opened: OpenFile) -> Journal:
    study = state.study
    return Journal(
        file=str(opened.path),
        sha256=opened.sha256,
        reading=opened.reading,
        scenarios=() if study is None else original_scenarios(study),
        policy=state.policy,
        limit=state.limit,
        household_limit=state.household_limit,
        steps=() if study is None else tuple(done.step for done in study.steps),
        confirmed=state.confirmed,
        plans={name: each.steps for name, each in state.plans.items()},
        keep=state.keep,
        keep_order=state.keep_order,
        shuffle=state.shuffle,
        cover=state.cover,
    )
