"""What steps would do."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.app.messages.study import StepTaken, VariableDetail
from microsafe.compare.preview import Figures
from microsafe.steps.kinds import Recode, Step


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
class SuggestedStep:
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
class SuggestionList:
    """Recodes, the best first."""

    suggestions: tuple[SuggestedStep, ...]


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
