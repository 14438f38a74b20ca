"""The session: what is open, what was decided, and what was measured.

A state never changes; the session goes from one to the next, and each is put on disk. Long work
is done elsewhere, on one thread at a time; any thread may look at the state.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from secrets import randbits
from typing import Any

from microsafe.app.documents import Documents
from microsafe.app.folders import Folders
from microsafe.app.journal import Journal, JournalFile, TakenProposal
from microsafe.app.messages.guide import GuideColumn
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.propose import ProposeRequest
from microsafe.app.messages.risk import RiskFigures
from microsafe.app.messages.study import Variables
from microsafe.app.refusal import Refusal
from microsafe.guides.guide import Guide
from microsafe.intruders import IntruderTable
from microsafe.io.formats import find_stem, writable_extension
from microsafe.options.declaration import Declarations
from microsafe.options.policy import Policy
from microsafe.options.profiles import ReleaseProfile
from microsafe.options.reading import reading_options
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.plan.model import Input, Plan, Propose
from microsafe.plan.scaffold import relative_path
from microsafe.plan.seeds import SEED_BITS
from microsafe.progress import Progress, silent
from microsafe.propose.proposal import Proposal
from microsafe.report import ReportCover
from microsafe.risk import Risk
from microsafe.steps.base import Step
from microsafe.studies.intruder_table import play_intruders
from microsafe.studies.study import Study
from microsafe.variables.decide import Keep
from microsafe.variables.roles import tells_apart

_MOST_RISKS = 8  # measurements that are kept
_MOST_TABLES = 4  # of intruders
_MOST_PROPOSALS = 4
_FEW = 20  # records, up to which values that are all different tell nothing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpenFile:
    """The file at work.

    Attributes:
        input: The file and how it is read, as a plan has it, with full paths.
        declarations: What was said of its variables, by name.
        stamp: Size and time of change when it was opened.
        variables: What is in it.
    """

    input: Input
    declarations: Declarations = field(default_factory=dict)
    stamp: tuple[int, int]
    variables: Variables

    @property
    def path(self) -> Path:
        """Where it lies."""
        return Path(self.input.file)

    @property
    def sha256(self) -> str:
        """The checksum of its bytes when it was opened."""
        return self.input.sha256


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
        limits: Limits of scenarios that have one of their own, by name.
        household_limits: Likewise on household risk.
        confirmed: How many steps were confirmed.
        plans: Candidates by name.
        proposed: Proposals of which a plan was taken or kept.
        keep: Reason to keep a variable, by name, in the order of the file.
        keep_order: Reason to keep the order of the records.
        shuffle: Seed of their new order otherwise: one for all releases of a session.
        cover: What stands on the cover of the reports.
        uses: Which variables, tables and models matter, if somebody said so.
        saved: An earlier session on this file, and when it was written.
    """

    revision: int = 0
    opened: OpenFile | None = None
    study: Study | None = None
    policy: Policy = field(default_factory=Policy)
    limit: float | None = None
    household_limit: float | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    household_limits: Mapping[str, float] = field(default_factory=dict)
    confirmed: int = 0
    plans: Mapping[str, CandidatePlan] = field(default_factory=dict)
    proposed: tuple[TakenProposal, ...] = ()
    keep: Mapping[str, str] = field(default_factory=dict)
    keep_order: str = ""
    shuffle: int = field(default_factory=lambda: randbits(SEED_BITS), repr=False)
    cover: ReportCover = field(default_factory=ReportCover)
    uses: Uses | None = None
    saved: tuple[Journal, float] | None = None

    def for_profile(self, usual: ReleaseProfile, policy: Policy) -> State:
        """Return the state with what is usual for those who get the file."""
        return replace(
            self,
            policy=policy,
            cover=replace(self.cover, release_type=usual.release_type),
            limit=usual.record_risk,
            limits={},
            household_limit=None,
            household_limits={},
        )

    def limit_of(self, scenario: str) -> float | None:
        """Return the risk above which a record is unsafe under a scenario."""
        return self.limits.get(scenario, self.limit)

    @property
    def kept(self) -> tuple[Keep, ...]:
        """What goes out and why, the variables of one reason together."""
        return tuple(
            Keep(variables=tuple(name for name, each in self.keep.items() if each == why), why=why)
            for why in dict.fromkeys(self.keep.values())
        )

    @property
    def propose(self) -> Propose | None:
        """What the steps were proposed by, if they begin with a plan that was."""
        steps = () if self.study is None else tuple(done.step for done in self.study.steps)
        found = [each for each in self.proposed if steps[: len(each.steps)] == each.steps]
        return max(found, key=lambda each: len(each.steps)).propose if found else None


@dataclass(slots=True, kw_only=True, eq=False)
class Measurement:
    """Risk of a study under a scenario; the message is made when it is first asked for."""

    study: Study
    scenario: str
    risk: Risk
    figures: RiskFigures | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpenProposal:
    """A proposal whose plans can be opened and taken.

    Attributes:
        number: By which it is asked for.
        asked: The question.
        start: The data that it was made for.
        found: The answer.
        ladders: That were edited, as a plan has them.
    """

    number: int
    asked: ProposeRequest
    start: Study
    found: Proposal[Study]
    ladders: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GuidedStudy:
    """The decisions of the guided way, the study that they make, and the first values."""

    guide: Guide
    study: Study
    columns: tuple[GuideColumn, ...]


class Session:
    """One session: the present state, its place on disk, and measurements of late."""

    def __init__(self, folders: Folders) -> None:
        """Begin with nothing open."""
        self.folders = folders
        self.state = State()
        self.journal_file: JournalFile | None = None
        self.last_preview: tuple[Study, Study] | None = None
        self.documents = Documents()
        self.guided: GuidedStudy | None = None
        self._measurements: list[Measurement] = []
        self._tables: list[tuple[Study, Policy, IntruderTable]] = []
        self._proposals: list[OpenProposal] = []
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def change_state(self, make: Callable[[State], State]) -> None:
        """Go to another state, and put it on disk."""
        with self._lock:
            self._store(replace(make(self.state), revision=self.state.revision + 1))

    def set_limit(self, limit: float, scenario: str) -> None:
        """Remember a limit; it moves all the time, and no window need look again for it.

        It is that of the scenario, if this has one of its own, and that of all others otherwise.
        """
        with self._lock:
            own = self.state.limits
            if scenario in own:
                self._store(replace(self.state, limits={**own, scenario: limit}))
            else:
                self._store(replace(self.state, limit=limit))

    def set_household_limit(self, limit: float, scenario: str) -> None:
        """Remember a limit on household risk, likewise."""
        with self._lock:
            own = self.state.household_limits
            if scenario in own or scenario in self.state.limits:
                self._store(replace(self.state, household_limits={**own, scenario: limit}))
            else:
                self._store(replace(self.state, household_limit=limit))

    def _store(self, made: State) -> None:
        if self.journal_file is not None and made.opened is not None:
            journal = _make_journal(made, made.opened)
            plan = journal.plan
            read = reading_options(plan.input) != reading_options(Input(file=""))
            # Nothing yet is not worth keeping
            if read or plan.variables or plan.scenarios or plan.steps:
                self.journal_file.write(journal)
        self.state = made

    def enter_file(self, journal_file: JournalFile, state: State) -> None:
        """Leave the present file for another."""
        with self._lock:
            if self.journal_file is not None and self.journal_file is not journal_file:
                self.journal_file.close()
            self.journal_file, self.last_preview = journal_file, None
            self._measurements.clear()
            self._tables.clear()
            self._proposals.clear()
            self.documents.clear()
            self.guided = None
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
        told = {variable.name: variable for variable in opened.variables.variables}.get(name)
        if name in fixed or told is None:
            return name in fixed
        alone = told.distinct == opened.variables.records - told.missing > _FEW
        return alone or tells_apart(told.role, told.meaning)

    def keep_proposal(
        self,
        asked: ProposeRequest,
        start: Study,
        found: Proposal[Study],
        ladders: Mapping[str, object],
    ) -> OpenProposal:
        """Keep a proposal for a while, so that other windows do not lose theirs."""
        with self._lock:
            made = OpenProposal(
                number=next(self._numbers), asked=asked, start=start, found=found, ladders=ladders
            )
            self._proposals = [*self._proposals[1 - _MOST_PROPOSALS :], made]
        return made

    def find_proposal(self, number: int | None = None) -> OpenProposal | None:
        """Return a proposal by its number, or the last one."""
        with self._lock:
            for proposal in reversed(self._proposals):
                if number in (None, proposal.number):
                    return proposal
        return None

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

    def try_intruders(self, study: Study, progress: Progress = silent) -> IntruderTable:
        """Try who could recognise whom, or remember what was found."""
        policy = self.state.policy
        for known, asked, table in self._tables:
            if known is study and asked == policy:
                return table
        names = [scenario.name for scenario in study.scenarios]
        now = {name: self.measure_risk(study, name, progress) for name in names}
        table = play_intruders(study, names, policy=policy, now=now, progress=progress)
        with self._lock:
            self._tables = [*self._tables[1 - _MOST_TABLES :], (study, policy, table)]
        return table

    def find_measurement(self, study: Study, scenario: str) -> Measurement | None:
        """Return what was measured, if it was."""
        if not study.scenarios:
            raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
        name = study.scenario(scenario or None).name
        with self._lock:
            for measurement in self._measurements:
                if measurement.study is study and measurement.scenario == name:
                    return measurement
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
    for scenario in scenarios:
        options: dict[str, Any] = asdict(scenario)
        made = made.with_scenario(options.pop("name"), **options, progress=progress)
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


def safe_name(path: Path) -> str:
    """Return a name for the safe file: of the same format, if that can be written."""
    return f"{find_stem(path)}-safe{writable_extension(path)}"


def build_plan(state: State, output: Output, folder: Path | None = None) -> Plan:
    """Return the plan of a session, with names relative to a folder, or full ones."""
    opened, study = state.opened, state.study
    assert opened is not None  # noqa: S101
    assert study is not None  # noqa: S101
    given = opened.input
    if folder is not None:
        given = place_files(given, lambda name: relative_path(Path(name), folder))
    shuffle = None if state.keep_order else state.shuffle
    return Plan(
        input=given,
        variables=opened.declarations,
        scenarios=original_scenarios(study),
        policy=state.policy,
        propose=state.propose,
        steps=tuple(done.step for done in study.steps),
        keep=state.kept,
        report=state.cover,
        utility=state.uses,
        output=replace(output, shuffle=shuffle, keep_order=state.keep_order),
    )


def place_files(given: Input, place: Callable[[str], str]) -> Input:
    """Return the input of a plan with its files named otherwise."""
    named = {name: getattr(given, name) for name in ("file", "meta", "join")}
    placed: dict[str, Any] = {name: place(str(file)) for name, file in named.items() if file}
    return replace(given, **placed)


def _make_journal(state: State, opened: OpenFile) -> Journal:
    return build_message(
        Journal,
        state,
        plan=build_plan(state, Output(file=safe_name(opened.path))),
        candidates={name: each.steps for name, each in state.plans.items()},
    )
