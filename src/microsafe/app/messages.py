"""What the page and the server say to each other: every question, every answer, every event.

The page's types are generated from this module (`python -m microsafe.app.types`). A message
holds cells, curves and summaries below a size; no message ever holds a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from microsafe.plan import Recode, Step
from microsafe.policy import Policy, Verdict
from microsafe.protect.preview import Figures
from microsafe.scenario import Scenario
from microsafe.schema import Kind, Measure, Role

MOST_POINTS = 4000  # of a curve
MOST_CATEGORIES = 1000  # of a variable; one with more is summed up in bins, or not at all
MOST_CELLS = 100
MOST_ROWS = 50  # of each kind of table in a comparison


# Questions: bodies and queries.


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """Open a file below one of the folders that were named at start."""

    folder: int
    path: str
    encoding: str = ""
    separator: str = ""
    na: tuple[str, ...] = ()
    sheet: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Browse:
    """List a folder below one of those that were named at start; an empty path is that one."""

    folder: int = 0
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A variable, scenario or candidate plan by name."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """A scenario (the first if empty), and the state after so many steps (now if null)."""

    scenario: str = ""
    steps: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Under:
    """A scenario, the first if empty."""

    scenario: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopCells:
    """The riskiest cells of a scenario."""

    scenario: str = ""
    most: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggest:
    """Recodes that are worth their loss."""

    scenario: str = ""
    most: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One of four ways to say where the limit should be; the server remembers the answer."""

    scenario: str = ""
    risk: float | None = None
    rate: float | None = None
    expected: float | None = None
    unsafe: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollback:
    """Go back to the state after the first `to` steps; 0 is the file as read."""

    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare:
    """Compare the state after `to` steps with the present one; `by` adds variables."""

    to: int = 0
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePlans:
    """Two candidate plans by name; empty stands for the present steps."""

    one: str
    other: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Write the safe file, both reports, the plan and its lock into a folder.

    Attributes:
        folder: Number of one of the folders that were named at start.
        path: Folder below it; made if only its last part is not there.
        file: Name of the safe file; the suffix names its format.
        report: Name of the report for the board.
        public_report: Name of the report for the public.
        plan: Name of the plan; its lock lies beside it.
        notes: Whether the file's own notes are kept.
        shuffle: Seed of a new order of the records; the order of the input if null.
        overwrite: Whether files of these names may be replaced.
    """

    folder: int = 0
    path: str = ""
    file: str
    report: str = "report.html"
    public_report: str = "public.html"
    plan: str = "plan.toml"
    notes: bool = True
    shuffle: int | None = None
    overwrite: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadGrc:
    """The text of a recode of mu-ARGUS, and of the code list that it names, if there is one."""

    variable: str
    name: str
    text: str
    codelist_name: str = ""
    codelist: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Stop a job."""

    job: int


# Answers.


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
    """

    name: str
    folder: str
    size: int
    sha256: str
    records: int
    safe_name: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something to know before trusting the figures: weight, missing, key, household, file."""

    topic: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """An earlier session on this file that was not finished.

    Attributes:
        keys: Of its first scenario.
        steps: How many it had.
        saved: When, in seconds since 1970.
    """

    keys: tuple[str, ...]
    steps: int
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
        revision: Rises with every change; also the ETag.
        version: Of microsafe.
        folders: Folders named at start, for people; questions give their number.
        file: What is open, if anything.
        names: Variables as they now are; dropped ones are not among them.
        scenarios: The first is "main".
        policy: What the board asks.
        limit: Risk above which a record is unsafe, once it was chosen.
        steps: What was done.
        confirmed: How many of them were confirmed.
        plans: Candidates that were kept.
        notices: On how the file was read, and on what the steps did.
        saved: An unfinished session on this file that can be taken up.
    """

    revision: int
    version: str
    folders: tuple[str, ...]
    file: FileInfo | None
    names: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    policy: Policy
    limit: float | None
    steps: tuple[StepTaken, ...]
    confirmed: int
    plans: tuple[PlanInfo, ...]
    notices: tuple[Remark, ...]
    saved: Saved | None


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
class VariableInfo:
    """One variable of the file as read.

    Attributes:
        name: Of the variable.
        label: What it means.
        kind: How its values are stored.
        measure: Level of measurement as the file declares it.
        categories: How many it has.
        missing: Records in which it is missing.
        role: What it is probably for.
    """

    name: str
    label: str
    kind: Kind
    measure: Measure
    categories: int
    missing: int
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Variables:
    """Every variable of the file as read, in its order."""

    records: int
    variables: tuple[VariableInfo, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A category with its label (empty if it has none) and records."""

    code: str
    label: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Records with a number from `low` (included) to `high` (not included)."""

    low: float
    high: float
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableDetail:
    """One variable as it now is.

    Attributes:
        name: Of the variable.
        label: What it means.
        kind: How its values are stored.
        numeric: Whether top coding, rounding and breaks suit it.
        total: How many categories it has.
        categories: They, in order; none if there are too many or they would tell single
            records apart.
        bins: Of a numeric variable without categories here; bounds are round numbers.
        missing: Records in which it is missing.
        missing_codes: Codes that mean missing, with their labels.
    """

    name: str
    label: str
    kind: Kind
    numeric: bool
    total: int
    categories: tuple[Category, ...]
    bins: tuple[Bin, ...]
    missing: int
    missing_codes: tuple[KeyValue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoints:
    """An exceedance curve, or enough points of it to draw and to search.

    Every point is exact: `up_to[i]` records have a risk of at most `risk[i]`. In between, a
    thinned curve knows only that the figures lie between those of two points. It is exact at
    every 10^(i/200) too: for such a limit the last point at or below it gives exact figures.

    Attributes:
        exact: Whether no point was left out.
        records: In all (for households: households in all).
        risk: Rising.
        up_to: Records with that risk or less.
        sum_up_to: Sum of their risks.
    """

    exact: bool
    records: int
    risk: tuple[float, ...]
    up_to: tuple[int, ...]
    sum_up_to: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseholdFigures:
    """Risk of households; `expected` counts records, `expected_households` households."""

    max: float
    expected: float
    rate: float
    households: int
    expected_households: float
    curve: CurvePoints


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskFigures:
    """Risk of a file under a scenario, after so many steps."""

    scenario: str
    steps: int
    title: str
    records: int
    cells: int
    sample_uniques: int
    max: float
    expected: float
    rate: float
    household: HouseholdFigures | None
    curve: CurvePoints
    notices: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitFigures:
    """A limit and what it means, exactly.

    Attributes:
        limit: Largest risk that counts as safe.
        unsafe: Records above it.
        records: In all.
        expected: Most re-identifications to be expected once no record is above it.
        rate: The same as a share of the records.
        households: Households above it, if there are households.
    """

    limit: float
    unsafe: int
    records: int
    expected: float
    rate: float
    households: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyContribution:
    """Expected re-identifications without a key, and how many fewer that is."""

    key: str
    without: float
    fall: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributions:
    """What each key adds to the expected re-identifications, the worst first."""

    expected: float
    keys: tuple[KeyContribution, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyValue:
    """A code of a key with its label (empty if it has none); null is missing."""

    code: str | None
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskyCell:
    """A combination of keys: records, sample and population frequency, risk."""

    values: tuple[KeyValue, ...]
    records: int
    f: float
    F: float
    risk: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskyCells:
    """The riskiest cells, riskiest first."""

    keys: tuple[str, ...]
    cells: tuple[RiskyCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """From where to where a figure may well lie."""

    tau1: tuple[float, float]
    tau2: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRisk:
    """Risk of the file as a whole, by a model.

    Attributes:
        model: Its name.
        sample_uniques: Records alone in their cell.
        tau1: Expected number of sample uniques that are population uniques.
        tau2: Expected number of correct matches of sample uniques.
        share_unique: `tau1` as a share of the sample uniques.
        level: In a word.
        cells: Of the table, empty ones included.
        average_cell_size: Records by cell.
        fit: What is known of the fit of the model.
        interval: Of `tau1` and `tau2`.
    """

    model: str
    sample_uniques: int
    tau1: float
    tau2: float
    share_unique: float
    level: Literal["very low", "low", "moderate", "high"]
    cells: int
    average_cell_size: float
    fit: Mapping[str, object]
    interval: Band | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InformationChange:
    """What a variable tells before and after, in bits, and its categories."""

    variable: str
    bits_before: float
    bits_after: float
    lost: float
    share_lost: float
    categories_before: int
    categories_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewFigures:
    """What a step would do to risk and information.

    Attributes:
        step: The step and what it would do.
        before: Risk without it.
        after: Risk with it.
        information: Of each variable that it changes.
        lost: Bits lost in all.
        fall: How many re-identifications fewer are expected.
        variable: The variable that it changes as it would be; null for suppression and drops.
    """

    step: StepTaken
    before: Figures
    after: Figures
    information: tuple[InformationChange, ...]
    lost: float
    fall: float
    variable: VariableDetail | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """A recode that may be worth its loss; `fall_per_bit` is what a bit buys."""

    step: Step
    words: str
    before: Figures
    after: Figures
    information: tuple[InformationChange, ...]
    lost: float
    fall: float
    fall_per_bit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """Recodes, the best first."""

    suggestions: tuple[Suggested, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRow:
    """What one variable lost; entropy and loss in bits a record."""

    name: str
    key: bool
    known: int
    blanks: int
    blank_share: float
    replaced: int
    categories: int
    categories_after: int
    entropy: float
    lost: float
    lost_share: float
    dropped: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """How hard blanks of a variable fell on a group of at least 30 records."""

    name: str
    by: str
    category: str
    label: str
    known: int
    blanks: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """How a weighted table of one or two variables changed; changes are of shares."""

    names: tuple[str, ...]
    cells: int
    lost: float
    largest: float
    where: tuple[str, ...]
    mean: float
    hellinger: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanRow:
    """Largest relative change of means and totals of a numeric variable by a key."""

    name: str
    by: str
    mean_change: float | None
    mean_where: str
    total_change: float | None
    total_where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What some steps cost.

    Attributes:
        records: In the file.
        blanks: Values blanked.
        replaced: Values replaced by others.
        touched: Records in which something was changed.
        touched_weight: People they stand for, as a share of all.
        losses: Keys first, then other variables that were changed.
        groups: On whom blanks fell hardest.
        tables: Those that changed most, of one variable, then of two.
        tables_left_out: How many changed less.
        means: Of numeric variables.
        dropped: Variables that are no longer there.
        notes: What could not be compared, and why.
    """

    records: int
    blanks: int
    replaced: int
    touched: int
    touched_weight: float
    losses: tuple[LossRow, ...]
    groups: tuple[GroupRow, ...]
    tables: tuple[TableRow, ...]
    tables_left_out: int
    means: tuple[MeanRow, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskPair:
    """Risk under one scenario, before and after."""

    scenario: str
    before: RiskFigures
    after: RiskFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The state after `to` steps and the present one, side by side."""

    to: int
    risks: tuple[RiskPair, ...]
    cost: Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFigures:
    """A candidate plan: its steps, the risk it leaves, and what it costs."""

    name: str
    steps: tuple[StepTaken, ...]
    risks: tuple[RiskFigures, ...]
    cost: Cost


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanComparison:
    """Two candidate plans against each other, both seen from the file as read."""

    one: PlanFigures
    other: PlanFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What the policy says of the present state; `allowed` if nothing stands in the way."""

    allowed: bool
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenFile:
    """A file that was written."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """What became of a release; nothing was written unless it is allowed.

    Attributes:
        allowed: Whether every rule is met or overridden with a reason.
        verdicts: On the safe file as it was read back.
        folder: Where the files lie, for people.
        files: What was written.
        notices: On the safe file as it was read back.
    """

    allowed: bool
    verdicts: tuple[Verdict, ...]
    folder: str
    files: tuple[WrittenFile, ...]
    notices: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanText:
    """The plan as a plan file and as a Python script."""

    plan: str
    script: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrcRead:
    """The step that a recode of mu-ARGUS stands for."""

    step: Recode
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GrcText:
    """A recode as a file of mu-ARGUS, and its code list (empty if there are no labels)."""

    name: str
    text: str
    codelist_name: str
    codelist: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled:
    """Whether there was still something to stop."""

    running: bool


# Events, on the stream that answers a question which takes time.


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """The job was taken on; other jobs may still be before it."""

    job: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed:
    """How far the present stage is, from 0 to 1."""

    job: int
    stage: str
    fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The job ended without an answer: the status and problem that a plain answer would have."""

    status: int
    error: str
    remedy: str | None = None
    names: tuple[str, ...] = ()


# The endpoints.


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One question that the page can ask.

    Attributes:
        route: Method and path.
        answer: What comes back.
        body: What is sent as JSON, if anything.
        query: What stands behind the question mark, if anything.
        job: Whether it may take time, so that the answer can be had as a stream of events.
    """

    route: str
    answer: type
    body: object = None
    query: type | None = None
    job: bool = True


ENDPOINTS = (
    Endpoint(route="GET /api/study", answer=StudySummary, job=False),
    Endpoint(route="GET /api/files", answer=Listing, query=Browse, job=False),
    Endpoint(route="POST /api/open", answer=StudySummary, body=Open),
    Endpoint(route="POST /api/demo", answer=StudySummary),
    Endpoint(route="POST /api/resume", answer=StudySummary),
    Endpoint(route="GET /api/variables", answer=Variables),
    Endpoint(route="GET /api/variable", answer=VariableDetail, query=Named),
    Endpoint(route="PUT /api/scenario", answer=StudySummary, body=Scenario),
    Endpoint(route="DELETE /api/scenario", answer=StudySummary, query=Named),
    Endpoint(route="GET /api/risk", answer=RiskFigures, query=Which),
    Endpoint(route="POST /api/limit", answer=LimitFigures, body=Wish),
    Endpoint(route="GET /api/contributions", answer=Contributions, query=Under),
    Endpoint(route="GET /api/cells", answer=RiskyCells, query=TopCells),
    Endpoint(route="GET /api/file-risk", answer=FileRisk, query=Under),
    Endpoint(route="GET /api/suggestions", answer=Suggestions, query=Suggest),
    Endpoint(route="POST /api/preview", answer=PreviewFigures, body=Step, query=Under),
    Endpoint(route="POST /api/steps", answer=StudySummary, body=Step),
    Endpoint(route="POST /api/rollback", answer=StudySummary, body=Rollback),
    Endpoint(route="POST /api/confirm", answer=StudySummary),
    Endpoint(route="GET /api/compare", answer=Comparison, query=Compare),
    Endpoint(route="POST /api/plans", answer=StudySummary, body=Named),
    Endpoint(route="DELETE /api/plans", answer=StudySummary, query=Named),
    Endpoint(route="POST /api/plans/use", answer=StudySummary, body=Named),
    Endpoint(route="GET /api/plans/compare", answer=PlanComparison, query=ComparePlans),
    Endpoint(route="PUT /api/policy", answer=StudySummary, body=Policy),
    Endpoint(route="GET /api/verdicts", answer=Verdicts),
    Endpoint(route="POST /api/release", answer=Released, body=Release),
    Endpoint(route="GET /api/plan", answer=PlanText, job=False),
    Endpoint(route="POST /api/grc", answer=GrcRead, body=ReadGrc),
    Endpoint(route="POST /api/grc/export", answer=GrcText, body=Recode),
    Endpoint(route="POST /api/cancel", answer=Cancelled, body=Cancel, job=False),
)
EVENTS = {"started": Started, "progress": Progressed, "failed": Failed}
