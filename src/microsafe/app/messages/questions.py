"""What the page asks: bodies and queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from microsafe.options.profiles import ProfileName
from microsafe.options.reading import ReadingOptions
from microsafe.options.release import OutputFiles, PublicReport, Report
from microsafe.report import Audience, ReportFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest(ReadingOptions):
    """Open a file below one of the folders that were named at start."""

    folder: int
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRequest:
    """Say who gets the file."""

    profile: ProfileName


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequest:
    """Join the households of the persons in the file that is open.

    Attributes:
        folder: Number of one of the folders that were named at start.
        path: The file of households below it.
        on: Variable of both files that tells households apart.
        sheet: Of a workbook.
    """

    folder: int
    path: str
    on: str
    sheet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowseQuery:
    """List a folder below one of those that were named at start; an empty path is that one.

    Attributes:
        folder: Number of one of the folders that were named at start.
        path: Folder below it.
        files: Which files are listed: data files, plans or codebooks.
    """

    folder: int = 0
    path: str = ""
    files: Literal["data", "plan", "codebook"] = "data"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRequest:
    """Open a plan below one of the folders that were named at start."""

    folder: int
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavePlanRequest:
    """Save the plan of the session, with its seeds in a private file beside it.

    Attributes:
        folder: Number of one of the folders that were named at start.
        path: Folder below it; made if only its last part is not there.
        plan: Name of the plan.
        scripts: Whether the Python script and the shell commands are saved beside it.
        overwrite: Whether files of these names may be replaced.
    """

    folder: int = 0
    path: str = ""
    plan: str = "plan.toml"
    scripts: bool = False
    overwrite: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NameQuery:
    """A variable, scenario or candidate plan by name."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskQuery:
    """A scenario (the first if empty), and the state after so many steps (now if null)."""

    scenario: str = ""
    steps: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioQuery:
    """A scenario, the first if empty."""

    scenario: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationQuery:
    """A file with known counts; `count` names the number of people, a row is one if empty."""

    scenario: str = ""
    folder: int = 0
    path: str
    count: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellsQuery:
    """The riskiest cells of a scenario."""

    scenario: str = ""
    most: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionQuery:
    """Recodes that are worth their loss."""

    scenario: str = ""
    most: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyQuery:
    """What protects families, and whether a household keeps to a limit then."""

    scenario: str = ""
    limit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitTarget:
    """One of four ways to say where the limit should be; the server remembers the answer."""

    scenario: str = ""
    risk: float | None = None
    rate: float | None = None
    expected: float | None = None
    unsafe: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseholdLimitTarget:
    """One of three ways to say where the limit on household risk should be; remembered too."""

    scenario: str = ""
    risk: float | None = None
    rate: float | None = None
    expected_households: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackRequest:
    """Go back to the state after the first `to` steps; 0 is the file as read."""

    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonQuery:
    """Compare the state after `to` steps with the present one; `by` adds variables."""

    to: int = 0
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableQuery:
    """A table of one or two variables, after `to` steps and now."""

    of: tuple[str, ...]
    to: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuery:
    """A regression, after `to` steps and now."""

    formula: str
    to: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanComparisonQuery:
    """Two candidate plans by name; empty stands for the present steps."""

    one: str
    other: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRequest(OutputFiles):
    """Write the safe file, both reports, the plan and its lock into a folder.

    Attributes:
        folder: Number of one of the folders that were named at start.
        path: Folder below it; made if only its last part is not there.
        plan: Name of the plan; its lock lies beside it.
        overwrite: Whether files of these names may be replaced.
    """

    folder: int = 0
    path: str = ""
    report: Report = "report.html"
    public_report: PublicReport = "public.html"
    plan: str = "plan.toml"
    overwrite: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """Open a report on a release of the file, or get it as a file.

    Attributes:
        folder: Number of one of the folders that were named at start.
        path: Folder below it.
        plan: Name of the plan; its lock lies beside it.
        audience: Who reads the report.
        format: In which format. What was not written is made of the plan.
    """

    folder: int = 0
    path: str = ""
    plan: str
    audience: Audience
    format: ReportFormat = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRequest:
    """Why the records stay in the order of the input; if empty, they are shuffled."""

    keep_order: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GrcRequest:
    """The text of a recode of mu-ARGUS, and of the code list that it names, if there is one."""

    variable: str
    name: str
    text: str
    codelist_name: str = ""
    codelist: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelRequest:
    """Stop a job.

    Attributes:
        job: Its number.
        keep: Whether what a search found until now is wanted.
    """

    job: int
    keep: bool = False
