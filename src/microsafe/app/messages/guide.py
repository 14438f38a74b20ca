"""The guided way: five decisions from a file to a release, filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from microsafe.app.messages.study import StudySummary
from microsafe.guides.lists import ListedVariable, Place
from microsafe.options.profiles import ProfileName
from microsafe.propose.solve import PlanName
from microsafe.variables.scenarios import ProposedScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideRequest:
    """A decision that somebody takes otherwise; what is null stays as it is.

    Attributes:
        profile: Who gets the file.
        keys: What somebody may know of a person.
        move: A variable that comes into another list.
        place: That list.
        why: Why it goes out although it is delicate.
        choice: Which plan is taken.
        answer: A word that is an answer, though it looks like missing.
        by_record: Each record is somebody else, though an identifier repeats as in a panel.
        anew: Begin again with the file as it was read.
    """

    profile: ProfileName | None = None
    keys: tuple[str, ...] | None = None
    move: str = ""
    place: Place = "out"
    why: str = ""
    choice: PlanName | None = None
    answer: str = ""
    by_record: bool = False
    anew: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideColumn:
    """A variable as it was read, with its first values; none where they tell people apart."""

    name: str
    label: str
    kind: str
    missing: int
    masked: bool
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideWord:
    """A word that is taken as missing: how often it stands where."""

    word: str
    values: int
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideProfile:
    """Somebody who may get the file, and what is usual then."""

    name: ProfileName
    who: str
    release_type: str
    limit: float
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePlan:
    """A plan to choose from: records that lose a value, what the keys lose, and a sentence."""

    name: PlanName
    touched: int
    loss: float
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideFigures:
    """The five decisions as they stand.

    Attributes:
        study: The study, which has them.
        revision: Of the study.
        records: In the file.
        columns: Its variables.
        words: What is taken as missing.
        persons: Whose the records are, in words; empty where each is somebody else.
        profile: Who gets the file.
        profiles: Who may.
        cards: Who might recognise people, and by which keys.
        keys: Of the scenario.
        weight: Its sampling weight.
        household: Its household number.
        household_left_out: Whether that does not go out.
        variables: In three lists.
        reasons: Why a person lets variables go out.
        searched: Whether plans were searched.
        words_found: What was found, in a sentence.
        met: Whether a plan keeps to all that was asked.
        plans: To choose from.
        choice: Which is taken.
        steps: All that is done to the file, in words.
    """

    study: StudySummary
    revision: int
    records: int
    columns: tuple[GuideColumn, ...]
    words: tuple[GuideWord, ...]
    persons: str
    profile: ProfileName
    profiles: tuple[GuideProfile, ...]
    cards: tuple[ProposedScenario, ...]
    keys: tuple[str, ...]
    weight: str | None
    household: str | None
    household_left_out: bool
    variables: tuple[ListedVariable, ...]
    reasons: Mapping[str, str]
    searched: bool
    words_found: str
    met: bool
    plans: tuple[GuidePlan, ...]
    choice: PlanName
    steps: tuple[str, ...]
