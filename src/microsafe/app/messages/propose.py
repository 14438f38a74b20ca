"""The cheapest way to a policy: ladders, the frontier, and plans to take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from microsafe.options.policy import Verdict
from microsafe.options.proposal import ProposalTerms
from microsafe.propose.solve import PlanName


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRequest:
    """Ladders that somebody has edited, by key; the others are as the data suggest.

    Attributes:
        ladders: Rungs of each key in any order: the words of a suggested rung, the width of bins,
            or a step that recodes the key. An empty list leaves the key as it is.
    """

    ladders: Mapping[str, tuple[object, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposeRequest(ProposalTerms):
    """Which plan to look for.

    Attributes:
        rules: What must be met, by the name that the policy has for it; some also by scenario.
        utility: How much keys matter, if not as the uses of the study say.
        ladders: As in `LadderRequest`.
    """

    rules: Mapping[str, float | Mapping[str, float]]
    utility: Mapping[str, float] = field(default_factory=dict)
    ladders: Mapping[str, tuple[object, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalQuery:
    """A proposal by its number; the last one if null."""

    proposal: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PointQuery:
    """A point of the frontier of a proposal, or the nearest plan."""

    proposal: int
    point: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepRequest:
    """Keep the plan of a point as a candidate, to compare it."""

    proposal: int
    point: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRung:
    """A recode that a key may get.

    Attributes:
        words: What to call it.
        source: What to ask for to have it, as in `LadderRequest`.
        categories: How many are left.
        loss: Share of what the key tells.
    """

    words: str
    source: object
    categories: int
    loss: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyLadder:
    """The recodes that a key may get, from the finest to the broadest.

    Attributes:
        key: Its name.
        label: What it means.
        categories: How many it has.
        numeric: Whether it can be put into bins.
        counted: Whether anybody can count it by the household number, so that it is left alone.
        rungs: Recodes that may be used; none if there is nothing to join.
    """

    key: str
    label: str
    categories: int
    numeric: bool
    counted: bool
    rungs: tuple[LadderRung, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderList:
    """The ladder of every key, in the order of the scenarios."""

    ladders: tuple[KeyLadder, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPoint:
    """A plan that can be opened, compared and taken.

    Attributes:
        words: What it is, such as "three recodes and 212 blanks".
        loss: Share of what the keys tell: the plain loss.
        loss_by_uses: Share of what the uses that matter need; null if nobody said which do.
        blanks: Values that are blanked.
        touched: Records that lose a value.
        recodes: What becomes of each key that is recoded.
        gap: Largest share of its loss that a better one could save; 0 if it is proved best.
    """

    words: str
    loss: float
    loss_by_uses: float | None
    blanks: int
    touched: int
    recodes: Mapping[str, str]
    gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPlan:
    """A plan that stands for a way to choose.

    Attributes:
        name: `detail` loses least, `blanks` touches the fewest records, `balanced` lies between.
        point: Its place among the plans.
        sentence: What it does.
    """

    name: PlanName
    point: int
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalFigures:
    """What a search has found.

    Attributes:
        proposal: Its number.
        asked: The question.
        stale: Whether scenarios or other steps have changed since, so that it cannot be taken.
        records: In the file.
        cap: Records that may lose a value; any number if null.
        share: The same as a share of all; 1 if any number may.
        gap: As in `PlanPoint`, for the plan that was asked for.
        bound: A loss that no plan within the cap is below; null if no plan keeps to it.
        words: What was found, and how sure that is, in a sentence.
        points: Plans, those of the frontier first.
        best: Place of the plan that was asked for; null if there is none.
        named: Plans to choose from, each once: the one of most detail first.
        nearest: Place of the nearest plan where none meets all that was asked.
        failing: Rules that the nearest does not meet.
        stuck: Records that stay unsafe whatever is done, if there is not even a near plan.
        taken: Place of the plan that the steps now begin with; null if it is none of these.
        notes: What to know of the question.
    """

    proposal: int
    asked: ProposeRequest
    stale: bool
    records: int
    cap: int | None
    share: float
    gap: float
    bound: float | None
    words: str
    points: tuple[PlanPoint, ...]
    best: int | None
    nearest: int | None
    named: tuple[NamedPlan, ...]
    failing: tuple[str, ...]
    stuck: int
    taken: int | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastProposal:
    """A proposal, if there is one."""

    found: ProposalFigures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyLoss:
    """What a plan takes of a key: share lost, values blanked, and how it is recoded, if it is."""

    key: str
    loss: float
    blanks: int
    recode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDetail:
    """One plan, opened.

    Attributes:
        steps: In words, as they would be taken.
        losses: By key.
        expected: Re-identifications under the first scenario.
        verdicts: What each rule says of it.
        replaced: Steps that would be left out for it, in words.
    """

    steps: tuple[str, ...]
    losses: tuple[KeyLoss, ...]
    expected: float
    verdicts: tuple[Verdict, ...]
    replaced: tuple[str, ...]
