"""The endpoints, and the events on the stream that answers a question which takes time."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.app.messages.compare import (
    ComparisonFigures,
    ModelDetail,
    PlanComparison,
    TableDetail,
)
from microsafe.app.messages.diagnostics import (
    AreaFigures,
    AreasQuery,
    CombinationFigures,
    CombinationsQuery,
    DiversityFigures,
    DiversityQuery,
    FileModels,
    FileRiskQuery,
    NumericQuery,
    TabulationFigures,
    TabulationQuery,
    UniqueFigures,
    UniquesQuery,
)
from microsafe.app.messages.explore import CrossCounts, CrossQuery, ExploredVariable, ExploreQuery
from microsafe.app.messages.guide import GuideFigures, GuideRequest
from microsafe.app.messages.intruders import IntruderList
from microsafe.app.messages.inventory import InventoryList
from microsafe.app.messages.metadata import (
    Codebook,
    CodebookFiles,
    CodebookQuery,
    CodebookRequest,
    DeclarationRequest,
    FileMetadata,
    MetadataRequest,
    VariableReading,
)
from microsafe.app.messages.propose import (
    KeepRequest,
    LadderList,
    LadderRequest,
    LastProposal,
    PlanDetail,
    PointQuery,
    ProposalFigures,
    ProposalQuery,
    ProposeRequest,
)
from microsafe.app.messages.protect import (
    FamilyList,
    GrcStep,
    GrcText,
    GuaranteePrices,
    PreviewFigures,
    StepKinds,
    SuggestionList,
)
from microsafe.app.messages.questions import (
    BrowseQuery,
    CancelRequest,
    CellsQuery,
    ComparisonQuery,
    FamilyQuery,
    GrcRequest,
    HouseholdLimitTarget,
    JoinRequest,
    LimitTarget,
    ModelQuery,
    NameQuery,
    OpenRequest,
    OrderRequest,
    PlanComparisonQuery,
    PlanRequest,
    PopulationQuery,
    ProfileRequest,
    ReleaseRequest,
    ReportRequest,
    RiskQuery,
    RollbackRequest,
    SavePlanRequest,
    ScenarioQuery,
    SuggestionQuery,
    TableQuery,
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
from microsafe.app.messages.scenario import ProposedScenarios, ScenarioLimits, ScenarioList
from microsafe.app.messages.study import (
    Listing,
    OpenedPlan,
    PlanText,
    SavedPlan,
    StudySummary,
    Variables,
)
from microsafe.compare.cost_figures import LossByUses
from microsafe.options.policy import Policy
from microsafe.options.scenario import Scenario
from microsafe.options.uses import Uses
from microsafe.report import ReportCover
from microsafe.steps.base import Step
from microsafe.steps.recode import Recode
from microsafe.steps.suppress.step import Suppress
from microsafe.variables.decide import Keep
from microsafe.variables.profile import VariableProfile


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
    Endpoint(route="POST /api/join", answer=StudySummary, body=JoinRequest),
    Endpoint(route="POST /api/demo", answer=StudySummary),
    Endpoint(route="POST /api/resume", answer=StudySummary),
    Endpoint(route="PUT /api/guide", answer=GuideFigures, body=GuideRequest),
    Endpoint(route="POST /api/guide", answer=GuideFigures),
    Endpoint(route="GET /api/variables", answer=Variables),
    Endpoint(route="GET /api/variable", answer=VariableProfile, query=NameQuery),
    Endpoint(route="GET /api/metadata", answer=FileMetadata),
    Endpoint(route="PUT /api/metadata", answer=StudySummary, body=MetadataRequest),
    Endpoint(route="POST /api/metadata/preview", answer=VariableReading, body=DeclarationRequest),
    Endpoint(route="POST /api/codebook", answer=Codebook, body=CodebookRequest),
    Endpoint(route="GET /api/codebook", answer=CodebookFiles, query=CodebookQuery),
    Endpoint(route="GET /api/explore", answer=ExploredVariable, query=ExploreQuery),
    Endpoint(route="GET /api/explore/table", answer=CrossCounts, query=CrossQuery),
    Endpoint(route="PUT /api/scenario", answer=StudySummary, body=Scenario),
    Endpoint(route="DELETE /api/scenario", answer=StudySummary, query=NameQuery),
    Endpoint(route="PUT /api/scenarios", answer=StudySummary, body=ScenarioList),
    Endpoint(route="GET /api/scenarios/proposed", answer=ProposedScenarios, job=False),
    Endpoint(route="PUT /api/scenario/limits", answer=StudySummary, body=ScenarioLimits),
    Endpoint(route="GET /api/risk", answer=RiskFigures, query=RiskQuery),
    Endpoint(route="GET /api/intruders", answer=IntruderList),
    Endpoint(route="POST /api/limit", answer=LimitFigures, body=LimitTarget),
    Endpoint(
        route="POST /api/household-limit",
        answer=HouseholdLimitFigures,
        body=HouseholdLimitTarget,
    ),
    Endpoint(route="GET /api/contributions", answer=Contributions, query=ScenarioQuery),
    Endpoint(route="GET /api/cells", answer=RiskyCells, query=CellsQuery),
    Endpoint(route="GET /api/file-risk", answer=FileRiskFigures, query=ScenarioQuery),
    Endpoint(route="GET /api/numeric-risk", answer=NumericFigures, query=NumericQuery),
    Endpoint(route="GET /api/combinations", answer=CombinationFigures, query=CombinationsQuery),
    Endpoint(route="GET /api/uniques", answer=UniqueFigures, query=UniquesQuery),
    Endpoint(route="GET /api/areas", answer=AreaFigures, query=AreasQuery),
    Endpoint(route="GET /api/tabulation", answer=TabulationFigures, query=TabulationQuery),
    Endpoint(route="GET /api/diversity", answer=DiversityFigures, query=DiversityQuery),
    Endpoint(route="GET /api/file-models", answer=FileModels, query=FileRiskQuery),
    Endpoint(route="GET /api/population", answer=PopulationFigures, query=PopulationQuery),
    Endpoint(route="POST /api/ladders", answer=LadderList, body=LadderRequest),
    Endpoint(route="GET /api/ladders/variable", answer=VariableProfile, query=NameQuery),
    Endpoint(route="POST /api/propose", answer=ProposalFigures, body=ProposeRequest),
    Endpoint(route="GET /api/proposal", answer=LastProposal, query=ProposalQuery, job=False),
    Endpoint(route="GET /api/proposal/plan", answer=PlanDetail, query=PointQuery),
    Endpoint(route="POST /api/proposal/take", answer=StudySummary, body=PointQuery),
    Endpoint(route="POST /api/proposal/keep", answer=StudySummary, body=KeepRequest),
    Endpoint(route="GET /api/suggestions", answer=SuggestionList, query=SuggestionQuery),
    Endpoint(route="GET /api/steps", answer=StepKinds, job=False),
    Endpoint(route="POST /api/preview", answer=PreviewFigures, body=Step, query=ScenarioQuery),
    Endpoint(route="GET /api/families", answer=FamilyList, query=FamilyQuery),
    Endpoint(route="POST /api/guarantees", answer=GuaranteePrices, body=Suppress),
    Endpoint(route="POST /api/steps", answer=StudySummary, body=Step),
    Endpoint(route="POST /api/rollback", answer=StudySummary, body=RollbackRequest),
    Endpoint(route="GET /api/inventory", answer=InventoryList),
    Endpoint(route="PUT /api/keep", answer=StudySummary, body=Keep),
    Endpoint(route="PUT /api/order", answer=StudySummary, body=OrderRequest),
    Endpoint(route="POST /api/confirm", answer=StudySummary),
    Endpoint(route="GET /api/compare", answer=ComparisonFigures, query=ComparisonQuery),
    Endpoint(route="PUT /api/uses", answer=StudySummary, body=Uses),
    Endpoint(route="GET /api/compare/uses", answer=LossByUses, query=ComparisonQuery),
    Endpoint(route="GET /api/compare/table", answer=TableDetail, query=TableQuery),
    Endpoint(route="GET /api/compare/model", answer=ModelDetail, query=ModelQuery),
    Endpoint(route="POST /api/plans", answer=StudySummary, body=NameQuery),
    Endpoint(route="DELETE /api/plans", answer=StudySummary, query=NameQuery),
    Endpoint(route="POST /api/plans/use", answer=StudySummary, body=NameQuery),
    Endpoint(route="GET /api/plans/compare", answer=PlanComparison, query=PlanComparisonQuery),
    Endpoint(route="PUT /api/profile", answer=StudySummary, body=ProfileRequest),
    Endpoint(route="PUT /api/policy", answer=StudySummary, body=Policy),
    Endpoint(route="GET /api/verdicts", answer=Verdicts),
    Endpoint(route="POST /api/release", answer=ReleaseResult, body=ReleaseRequest),
    Endpoint(route="PUT /api/cover", answer=StudySummary, body=ReportCover),
    Endpoint(route="GET /api/releases", answer=ReleaseList, query=BrowseQuery, job=False),
    Endpoint(route="POST /api/report", answer=ReportLink, body=ReportRequest),
    Endpoint(route="GET /api/plan", answer=PlanText),
    Endpoint(route="POST /api/plan/open", answer=OpenedPlan, body=PlanRequest),
    Endpoint(route="POST /api/plan/save", answer=SavedPlan, body=SavePlanRequest),
    Endpoint(route="POST /api/grc", answer=GrcStep, body=GrcRequest),
    Endpoint(route="POST /api/grc/export", answer=GrcText, body=Recode),
    Endpoint(route="POST /api/cancel", answer=CancelAnswer, body=CancelRequest, job=False),
)
EVENTS = {"started": JobStarted, "progress": JobProgress, "failed": JobFailed}
