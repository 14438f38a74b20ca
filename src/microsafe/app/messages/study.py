"""The study at a glance, its file and its variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from microsafe.options.declaration import RoleDefaults
from microsafe.options.policy import Policy
from microsafe.options.profiles import ProfileName
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.report import ReportCover
from microsafe.steps.base import Step
from microsafe.variables.decide import Keep
from microsafe.variables.profile import VariableProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What went wrong, in a sentence or two; never a value of a record.

    Attributes:
        error: The fact.
        remedy: What to do about it, unless the fact already says so; left out if there is none.
        names: Files that would be written over; left out otherwise.
    """

    error: str
    remedy: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileInfo:
    """The file that is open.

    Attributes:
        name: Without its folder.
        folder: Where it lies, for people.
        size: In bytes.
        sha256: Of its bytes.
        records: In it.
        safe_name: A name for the safe file, in a format that can be written.
        metadata: Differs once the file is read otherwise, or other things are said of variables.
        declared: Of how many variables something was said.
        joined: Name of the file of households that was joined; empty if none was.
    """

    name: str
    folder: str
    size: int
    sha256: str
    records: int
    safe_name: str
    metadata: str
    declared: int
    joined: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTaken:
    """A step that was taken, or would be, and what it did.

    Attributes:
        number: From 1.
        step: What was asked for.
        words: The same in a few words.
        blanks: Values blanked, by key.
        total: Values blanked in all.
        records: Records in which something was blanked.
        stuck: Records that stay unsafe.
        leaning: Records that are safe only through others' blanks.
        readable: Keys whose blanks can be read off other members of the household.
        results: What else it did, in words: names and figures.
        draw: Differs for other seeds, and tells nothing of them.
    """

    number: int
    step: Step
    words: str
    blanks: Mapping[str, int]
    total: int
    records: int
    stuck: int
    leaning: int
    readable: tuple[str, ...]
    results: tuple[tuple[str, str], ...]
    draw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something to know before trusting the figures: weight, missing, key, household, file."""

    topic: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSession:
    """An earlier session on this file that was not finished.

    Attributes:
        keys: Of its first scenario.
        steps: How many it had.
        declared: Of how many variables something was said.
        saved: When, in seconds since 1970.
    """

    keys: tuple[str, ...]
    steps: int
    declared: int
    saved: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanInfo:
    """A candidate plan: its name and steps in words."""

    name: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySummary:
    """All that the page shows at a glance.

    Attributes:
        revision: Rises with every change but that of the limit; also the ETag.
        version: Of microsafe.
        folders: Folders named at start, for people; questions give their number.
        file: What is open, if anything.
        names: Variables as they now are; dropped ones are not among them.
        scenarios: The first is "main".
        profile: Who gets the file; null if nobody said, or another type of release stands on the
            cover.
        policy: What the board asks.
        limit: Risk above which a record is unsafe, once it was chosen.
        household_limit: Risk above which a household is unsafe, once it was chosen.
        limits: Limits of scenarios that have one of their own, by name.
        household_limits: Likewise on household risk.
        steps: What was done.
        confirmed: How many of them were confirmed.
        proposed: Whether the steps begin with a plan that was proposed.
        plans: Candidates that were kept.
        keep: Variables that go out, and why.
        keep_order: Why the records stay in the order of the input; if empty, they are shuffled.
        cover: What stands on the cover of the reports.
        uses: Which variables, tables and models matter; null if nobody said so.
        notices: On how the file was read, and on what the steps did.
        saved: An unfinished session on this file that can be resumed.
        roles: What was said of roles, levels, costs and linked variables.
    """

    revision: int
    version: str
    folders: tuple[str, ...]
    file: FileInfo | None
    names: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    profile: ProfileName | None
    policy: Policy
    limit: float | None
    household_limit: float | None
    limits: Mapping[str, float]
    household_limits: Mapping[str, float]
    steps: tuple[StepTaken, ...]
    confirmed: int
    proposed: bool
    plans: tuple[PlanInfo, ...]
    keep: tuple[Keep, ...]
    keep_order: str
    cover: ReportCover
    uses: Uses | None
    notices: tuple[Remark, ...]
    saved: SavedSession | None
    roles: RoleDefaults


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A folder, or a file that can be opened."""

    name: str
    kind: Literal["folder", "file"]
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a folder holds: folders first, then files, by name."""

    folder: int
    path: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variables:
    """Every variable of the file as read, in its order."""

    records: int
    variables: tuple[VariableProfile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyValue:
    """A code of a key with its label (empty if it has none); null is missing."""

    code: str | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanText:
    """The plan as a plan file, as a Python script and as commands of the shell."""

    plan: str
    script: str
    commands: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedPlan:
    """The study that a plan led to, and what of the plan was not taken over."""

    study: StudySummary
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPlan:
    """Where a plan was saved, for people, and the names of its files."""

    folder: str
    files: tuple[str, ...]
