"""The verbs of a study that tell what a step would do, and which to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from microsafe.compare.preview import Figures, Preview
from microsafe.compare.suggest import Suggestions, suggestions
from microsafe.engine import Engine
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent
from microsafe.risk import measure
from microsafe.steps.base import Step, Taken
from microsafe.steps.loss import Loss

if TYPE_CHECKING:
    from microsafe.scenario import Scenario


class Previews:
    """What a step would do to risk and information."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def engine(self) -> Engine: ...  # noqa: D102
        @property
        def steps(self) -> tuple[Taken, ...]: ...  # noqa: D102
        def scenario(self, name: str | None = None) -> Scenario: ...  # noqa: D102
        def _take(self, step: Step, progress: Progress) -> Self: ...

    def preview(
        self,
        change: Step | Self,
        *,
        scenario: str | None = None,
        limit: float | None = None,
        progress: Progress = silent,
    ) -> Preview:
        """Return what a step would do to risk and information; this study does not change.

        Args:
            change: A step, or a study made from this one by a verb.
            scenario: Name of the scenario; the first if None.
            limit: Risk above which a record is unsafe, for the figures.
            progress: Progress callback.
        """
        after = change if isinstance(change, type(self)) else self._take(change, progress)  # type: ignore[arg-type]
        taken = after.steps[len(self.steps) :]
        if not taken or after.steps[: len(self.steps)] != self.steps:
            raise UsageError("The change was not made from this study. Preview a step instead.")
        losses: dict[Loss, dict[str, None]] = {}
        for each in taken:
            losses.setdefault(each.step.loss, {}).update(dict.fromkeys(each.step.changed(each)))
        figures = [
            Figures.of(measure(state.engine.cells(chosen, progress=progress), chosen), limit)
            for state in (self, after)
            for chosen in [state.scenario(scenario)]
        ]
        return Preview(
            steps=tuple(each.step for each in taken),
            before=figures[0],
            after=figures[1],
            information=tuple(
                found
                for loss, names in losses.items()
                for found in loss.measure(self.engine, after.engine, list(names))
            ),
        )

    def suggest(
        self,
        scenario: str | None = None,
        *,
        limit: float | None = None,
        most: int = 10,
        progress: Progress = silent,
    ) -> Suggestions:
        """Return recodes of the keys that lower risk most for the least loss, the best first.

        Args:
            scenario: Name of the scenario; the first if None.
            limit: Risk above which a record is unsafe, for the figures.
            most: How many to return.
            progress: Progress callback.
        """
        chosen = self.scenario(scenario)
        return suggestions(self.engine, chosen, limit=limit, most=most, progress=progress)
