"""Leaving variables out of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

from microsafe.errors import UsageError
from microsafe.options.parameter import Parameter, Why
from microsafe.options.scenario import Scenario
from microsafe.options.signature import list_fields
from microsafe.progress import Progress
from microsafe.steps.base import AppliedStep, GlossaryTerm, Step, StepContext, StepOutcome, Touch
from microsafe.steps.loss import CATEGORIES

_NEEDED = "{name!r} is the weight of scenario {scenario!r}. Keep it."


@list_fields
@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Step):
    """Leave variables out of the file.

    A household number leaves its scenarios too: the file no longer shows who lives with whom.
    """

    do = "drop"
    title = "Variables left out"
    public = "Removal of variables. Some variables are not part of the released file."
    term = GlossaryTerm(
        name="drop",
        meaning="Leave variables out of the file, such as names and addresses.",
        sdcmicro="`removeDirectID`",
        muargus="variable not written to the safe file",
    )
    place = "any"
    touches = frozenset({"key", "other", "household"})
    loss = CATEGORIES
    refusals: ClassVar[Mapping[Touch, str]] = {
        **Step.refusals,
        "weight": _NEEDED,
    }

    variables: Annotated[Sequence[str], Parameter(label="Variables")] = field(kw_only=False)
    from_keys: Annotated[
        bool,
        Parameter(
            label="Allow keys to be left out",
            help="They leave their scenarios too, as no intruder can compare what is not in the "
            "file.",
        ),
    ] = False
    why: Why = ""

    def __post_init__(self) -> None:
        """Validate the fields."""
        Step.__post_init__(self)
        if not self.variables:
            raise UsageError("Name at least one variable to drop.")

    @property
    def targets(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.variables)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.variables)

    def in_words(self, taken: AppliedStep | None = None) -> str:  # noqa: ARG002
        """Name the variables."""
        return f"drop {', '.join(self.variables)}"

    def apply(self, before: StepContext, progress: Progress) -> StepOutcome:  # noqa: ARG002
        """Take the variables out of the data, and keys among them out of the scenarios."""
        gone = {before.engine.schema[name].name for name in self.variables}
        if len(gone) == len(before.engine.schema.variables):
            raise UsageError("No variable would be left. Keep at least one.")
        return StepOutcome(
            engine=before.engine.drop_variables(gone),
            scenarios=self._scenarios_left(before.scenarios),
            taken=AppliedStep(step=self),
        )

    def _scenarios_left(self, scenarios: Sequence[Scenario]) -> tuple[Scenario, ...]:
        left = []
        for scenario in scenarios:
            keys = tuple(key for key in scenario.keys if key not in self.variables)
            needed = [key for key in scenario.keys if key in self.variables]
            if needed and not self.from_keys:
                raise UsageError(
                    f"{needed[0]!r} is a key of scenario {scenario.name!r}. Keep it, or allow "
                    "keys to be left out (from_keys)."
                )
            if not keys:
                raise UsageError(f"No key of scenario {scenario.name!r} would be left. Keep one.")
            household = None if scenario.household in self.variables else scenario.household
            left.append(replace(scenario.with_keys(keys), household=household))
        return tuple(left)
