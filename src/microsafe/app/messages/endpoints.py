"""The endpoints, and the events on the stream that answers a question which takes time."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.app.messages.compare import ComparisonFigures, PlanComparison
from microsafe.app.messages.inventory import InventoryList
from microsafe.app.messages.protect import (
    GrcStep,
    GrcText,
    PreviewFigures,
    StepKinds,
    SuggestionList,
)
from microsafe.app.messages.questions import (
    BrowseQuery,
    CancelRequest,
    CellsQuery,
    ComparisonQuery,
    GrcRequest,
    HouseholdLimitTarget,
    LimitTarget,
    NameQuery,
    OpenRequest,
    OrderRequest,
    PlanComparisonQuery,
    PopulationQuery,
    ReleaseRequest,
    ReportRequest,
    RiskQuery,
    RollbackRequest,
    ScenarioQuery,
    SuggestionQuery,
)
from microsafe.app.messages.release import ReleaseList, ReleaseResult, ReportLink, Verdicts
from microsafe.app.messages.risk import (
    Contributions,
    FileRiskFigures,
    HouseholdLimitFigures,
    LimitFigures,
    NumericFigures,
    PopulationFigures,
    RiskFigures,
    RiskyCells,
)
from microsafe.app.messages.study import Listing, PlanText, StudySummary, VariableDetail, Variables
from microsafe.inventory import Keep
from microsafe.policy import Policy
from microsafe.report import ReportCover
from microsafe.scenario import Scenario
from microsafe.steps.base import Step
from microsafe.steps.recode import Recode


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelAnswer:
    """Whether there was still something to stop."""

    running: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStarted:
    """The job was taken on; other jobs may still be before it."""

    job: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobProgress:
    """How far the present stage is, from 0 to 1."""

    job: int
    stage: str
    fraction: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFailed:
    """The job ended without an answer: the status and problem that a plain answer would have."""

    status: int
    error: str
    remedy: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One question that the page can ask.

    Attributes:
        route: Method and path.
        answer: What comes back.
        body: What is sent as JSON, if anything.
        query: What stands behind the question mark, if anything.
        job: Whether it may take time, so that the answer is available as a stream of events.
    """

    route: str
    answer: type
    body: object = None
    query: type | None = None
    job: bool = True


ENDPOINTS = (
    Endpoint(route="GET /api/study", answer=StudySummary, job=False),
    Endpoint(route="GET /api/files", answer=Listing, query=BrowseQuery, job=False),
    Endpoint(route="POST /api/open", answer=StudySummary, body=OpenRequest),
    Endpoint(route="POST /api/demo", answer=StudySummary),
    Endpoint(route="POST /api/resume", answer=StudySummary),
    Endpoint(route="GET /api/variables", answer=Variables),
    Endpoint(route="GET /api/variable", answer=VariableDetail, query=NameQuery),
    Endpoint(route="PUT /api/scenario", answer=StudySummary, body=Scenario),
    Endpoint(route="DELETE /api/scenario", answer=StudySummary, query=NameQuery),
    Endpoint(route="GET /api/risk", answer=RiskFigures, query=RiskQuery),
    Endpoint(route="POST /api/limit", answer=LimitFigures, body=LimitTarget),
    Endpoint(
        route="POST /api/household-limit",
        answer=HouseholdLimitFigures,
        body=HouseholdLimitTarget,
    ),
    Endpoint(route="GET /api/contributions", answer=Contributions, query=ScenarioQuery),
    Endpoint(route="GET /api/cells", answer=RiskyCells, query=CellsQuery),
    Endpoint(route="GET /api/file-risk", answer=FileRiskFigures, query=ScenarioQuery),
    Endpoint(route="GET /api/numeric-risk", answer=NumericFigures, query=ScenarioQuery),
    Endpoint(route="GET /api/population", answer=PopulationFigures, query=PopulationQuery),
    Endpoint(route="GET /api/suggestions", answer=SuggestionList, query=SuggestionQuery),
    Endpoint(route="GET /api/steps", answer=StepKinds, job=False),
    Endpoint(route="POST /api/preview", answer=PreviewFigures, body=Step, query=ScenarioQuery),
    Endpoint(route="POST /api/steps", answer=StudySummary, body=Step),
    Endpoint(route="POST /api/rollback", answer=StudySummary, body=RollbackRequest),
    Endpoint(route="GET /api/inventory", answer=InventoryList),
    Endpoint(route="PUT /api/keep", answer=StudySummary, body=Keep),
    Endpoint(route="PUT /api/order", answer=StudySummary, body=OrderRequest),
    Endpoint(route="POST /api/confirm", answer=StudySummary),
    Endpoint(route="GET /api/compare", answer=ComparisonFigures, query=ComparisonQuery),
    Endpoint(route="POST /api/plans", answer=StudySummary, body=NameQuery),
    Endpoint(route="DELETE /api/plans", answer=StudySummary, query=NameQuery),
    Endpoint(route="POST /api/plans/use", answer=StudySummary, body=NameQuery),
    Endpoint(route="GET /api/plans/compare", answer=PlanComparison, query=PlanComparisonQuery),
    Endpoint(route="PUT /api/policy", answer=StudySummary, body=Policy),
    Endpoint(route="GET /api/verdicts", answer=Verdicts),
    Endpoint(route="POST /api/release", answer=ReleaseResult, body=ReleaseRequest),
    Endpoint(route="PUT /api/cover", answer=StudySummary, body=ReportCover),
    Endpoint(route="GET /api/releases", answer=ReleaseList, query=BrowseQuery, job=False),
    Endpoint(route="POST /api/report", answer=ReportLink, body=ReportRequest),
    Endpoint(route="GET /api/plan", answer=PlanText),
    Endpoint(route="POST /api/grc", answer=GrcStep, body=GrcRequest),
    Endpoint(route="POST /api/grc/export", answer=GrcText, body=Recode),
    Endpoint(route="POST /api/cancel", answer=CancelAnswer, body=CancelRequest, job=False),
)
EVENTS = {"started": JobStarted, "progress": JobProgress, "failed": JobFailed}
