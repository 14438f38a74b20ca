"""What steps would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.numbers import NumberEffect
from microsafe.app.messages.study import Remark, StepTaken
from microsafe.compare.number_changes import CorrelationChange
from microsafe.compare.number_plot_data import NumberPicture
from microsafe.compare.preview import Figures
from microsafe.options.parameter import Control, form_fields
from microsafe.options.suppression import Guarantee
from microsafe.steps.base import Place, Step, Touch
from microsafe.steps.loss import InformationLoss
from microsafe.steps.recode import Recode
from microsafe.variables.profile import VariableProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class FormEntry:
    """One field of a form.

    Attributes:
        name: Of the field.
        control: What asks for it; null if only a form made for the step can.
        label: What to call it.
        help: One more sentence.
        choices: What each word means, where there are only some.
        numeric: Whether only numeric variables can be chosen.
        changed: Whether the step changes the variables that are chosen.
        ordered: Whether the order in which they are chosen matters.
        only_with: Field that must be given for this one to matter, or `field=word`.
        way: One of several ways to say the same; empty if it goes with all of them.
        required: Whether it must be given.
        default: Its value otherwise.
    """

    name: str
    control: Control | None
    label: str
    help: str
    choices: Mapping[str, str]
    numeric: bool
    changed: bool
    ordered: bool
    only_with: str
    way: str
    required: bool
    default: object

    @classmethod
    def list_of(cls, kind: type) -> tuple[FormEntry, ...]:
        """Return the fields of the form for a dataclass."""
        return tuple(
            build_message(
                cls,
                field.parameter,
                name=field.name,
                control=field.control,
                required=field.required,
                default=field.default,
            )
            for field in form_fields(kind)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepKind:
    """A kind of step as a form asks for it.

    Attributes:
        do: Its name in plans.
        title: Its name for people.
        help: What it does, in a sentence.
        term: What the field calls it, for the glossary.
        meaning: And what that is.
        place: Where it may stand among the steps.
        touches: What it may change.
        fields: Of its form; every form asks for the reason besides.
    """

    do: str
    title: str
    help: str
    term: str
    meaning: str
    place: Place
    touches: tuple[Touch, ...]
    fields: tuple[FormEntry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepKinds:
    """Every kind of step that there is."""

    kinds: tuple[StepKind, ...]


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
        numbers: How each number that it changes would change.
        correlations: How correlations of numeric variables would change; null if there are none.
        pictures: Of numbers that it changes.
        notices: What to know about it.
    """

    step: StepTaken
    before: Figures
    after: Figures
    information: tuple[InformationLoss, ...]
    lost: float
    fall: float
    variable: VariableProfile | None
    numbers: tuple[NumberEffect, ...]
    correlations: CorrelationChange | None
    pictures: tuple[NumberPicture, ...]
    notices: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """What a suppression would cost under one guarantee.

    Attributes:
        guarantee: Its name.
        refusal: Why it cannot be had; empty if it can.
        blanks: Values blanked.
        records: Records in which something is.
        leaning: Records that are safe only through others' blanks.
        stuck: Records that stay unsafe.
        lost: Share of the information lost, mean of the keys.
        guessed: Records unsafe if blanks count by what they hide, under the scenario with the
            most; null where that is not judged.
    """

    guarantee: Guarantee
    refusal: str
    blanks: int
    records: int
    leaning: int
    stuck: int
    lost: float
    guessed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuaranteePrices:
    """Every guarantee, the usual one first."""

    prices: tuple[PriceRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRow:
    """What one way to protect families does, before any blank.

    Attributes:
        steps: To be taken one after the other; none for the file as it is.
        words: What they do.
        refusal: Why they cannot be taken; empty if they can.
        unit: What is found: households, or records where nobody sees households.
        expected: How many are found; null if it could not be tried.
        share: Of all of them.
        above: Households above the limit; null without a limit.
        rejoined: Share of the members who can be put together again; null where the household
            number goes out.
        rejoined_by: By what.
        blanks: Values blanked.
        met: Whether limits are met; null if there is none.
    """

    steps: tuple[Step, ...]
    words: str
    refusal: str
    unit: str
    expected: float | None
    share: float | None
    above: int | None
    rejoined: float | None
    rejoined_by: tuple[str, ...]
    blanks: int
    met: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyList:
    """What protects families, the file as it is first."""

    measures: tuple[FamilyRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedStep:
    """A recode that may be worth its loss: bits, and a share of what its variable told."""

    step: Step
    words: str
    before: Figures
    after: Figures
    information: tuple[InformationLoss, ...]
    lost: float
    loss: float
    fall: float
    fall_per_loss: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionList:
    """Recodes, the best first; figures are those before keys were perturbed, if any was."""

    suggestions: tuple[SuggestedStep, ...]
    perturbed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GrcStep:
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
