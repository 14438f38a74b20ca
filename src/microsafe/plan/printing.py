"""How a release prints itself: what was judged, and what was written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from microsafe.options.policy import Verdict, show_rule_value
from microsafe.results import Result
from microsafe.svg import draw_bars

if TYPE_CHECKING:
    from microsafe.plan.file import Plan
    from microsafe.risk import Risk


class ReleasePage(Result):
    """The printed side of `Release`."""

    __slots__ = ()

    if TYPE_CHECKING:  # what it has of `Release`
        plan: Plan
        verdicts: Sequence[Verdict]
        files: Mapping[str, str]
        before: Mapping[str, Risk]
        after: Mapping[str, Risk]

        @property
        def allowed(self) -> bool:
            """Whether every rule is met, or overridden with a reason."""

    @property
    def title(self) -> str:
        """One line that says what became of the plan."""
        name = self.plan.output.file
        if not self.allowed:
            return f"Not released: {name}. A rule is not met, so nothing was written"
        return f"Released: {name}" if self.files else f"Ready to be released: {name}"

    def _rows(self) -> Iterator[tuple[str, str]]:
        for each in self.verdicts:
            words = (
                "met" if each.met else f"overridden: {each.reason}" if each.reason else "not met"
            )
            name = f"{each.rule} ({each.scenario})" if each.scenario else each.rule
            figures = (each.value, each.limit)
            value, limit = (show_rule_value(each.rule, figure) for figure in figures)
            bound = "at least" if each.rule == "k" else "at most"
            yield name, f"{value}, {bound} {limit}: {words}"
        for name in self.files:
            yield "written", name

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "allowed": self.allowed,
            "verdicts": [
                {
                    "rule": each.rule,
                    "scenario": each.scenario,
                    "limit": each.limit,
                    "value": each.value,
                    "met": each.met,
                    "reason": each.reason,
                }
                for each in self.verdicts
            ],
            "files": dict(self.files),
        }

    def _picture(self) -> str:
        states = (("before", self.before), ("after", self.after))
        bars = [
            (f"{name} ({scenario})", found[scenario].expected, f"{found[scenario].expected:,.3g}")
            for scenario in self.before
            for name, found in states
            if scenario in found
        ]
        return draw_bars("Expected re-identifications", bars)

    def _remarks(self) -> Sequence[str]:
        return [each.note for each in self.verdicts if each.note]
