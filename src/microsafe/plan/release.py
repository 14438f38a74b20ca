"""Result of running a plan: verdicts, figures and files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from microsafe.compare.cost_figures import LossByUses
from microsafe.compare.family_protection import FamilyMeasures
from microsafe.intruders import IntruderTable
from microsafe.options.policy import Verdict, show_rule_value
from microsafe.plan.model import Plan
from microsafe.results import Result
from microsafe.risk import RecoverableBlanks, Risk, TellingVariables
from microsafe.studies.study import Study
from microsafe.svg import draw_bars
from microsafe.variables.inventory import Inventory


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Release(Result):
    """What became of a plan.

    Attributes:
        plan: What was asked for, with the checksum of the input filled in.
        study: The data with all steps taken.
        before: Risk of the input, or of the sample as drawn, by scenario.
        after: Risk of the file as it was read back, or would have been written.
        verdicts: Of the policy, rule by rule and scenario by scenario.
        files: What was written, with checksums.
        engine: Which engine was used, as `study` has it.
        intruders: Who could recognise whom, before and after.
        inventory: All variables with their decisions.
        telling: What variables that go out tell of changed keys, or why that is not known.
        given_away: Suppressed values that the file as written gives away, or why that could not be
            measured; None if nothing was suppressed or written.
        replaced: Names of the files that were there before and are no longer what they were.
        uses: The loss by uses, with the plain one; None if the plan does not say which matter.
        families: What protects families, by scenario of which a rule about them is not met.
    """

    plan: Plan
    study: Study
    before: Mapping[str, Risk]
    after: Mapping[str, Risk]
    verdicts: Sequence[Verdict]
    files: Mapping[str, str]
    engine: Mapping[str, Any]
    intruders: IntruderTable
    inventory: Inventory
    telling: TellingVariables | str
    given_away: RecoverableBlanks | str | None = None
    replaced: tuple[str, ...] = ()
    uses: LossByUses | None = None
    families: Mapping[str, FamilyMeasures] = field(default_factory=dict)

    @property
    def allowed(self) -> bool:
        """Whether every rule is met, or overridden with a reason."""
        return all(verdict.allowed for verdict in self.verdicts)

    @property
    def title(self) -> str:
        """One line that says what became of the plan."""
        name = self.plan.output.file
        if not self.allowed:
            return f"Not released: {name}. A rule is not met, so nothing was written"
        return f"Released: {name}" if self.files else f"Ready to be released: {name}"

    def _rows(self) -> Iterator[tuple[str, str]]:
        for verdict in self.verdicts:
            words = (
                "met"
                if verdict.met
                else f"overridden: {verdict.reason}"
                if verdict.reason
                else "not met"
            )
            name = f"{verdict.rule} ({verdict.scenario})" if verdict.scenario else verdict.rule
            figures = (verdict.value, verdict.limit)
            value, limit = (
                show_rule_value(verdict.rule, figure, verdict.scenario) for figure in figures
            )
            bound = "at least" if verdict.rule == "k" else "at most"
            yield name, f"{value}, {bound} {limit}: {words}"
        for name in self.files:
            yield "written", name

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "allowed": self.allowed,
            **self.intruders.summary(),
            "verdicts": [
                {
                    "rule": verdict.rule,
                    "scenario": verdict.scenario,
                    "limit": verdict.limit,
                    "value": verdict.value,
                    "met": verdict.met,
                    "reason": verdict.reason,
                }
                for verdict in self.verdicts
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

    def __repr__(self) -> str:
        """Return who could recognise whom, and the summary, for a terminal."""
        table = f"{self.intruders.title}\n{self.intruders!r}"
        return f"{table}\n\n{super(Release, self).__repr__()}"

    def _repr_html_(self) -> str:
        """Return the same for a notebook."""
        return self.intruders._repr_html_() + super(Release, self)._repr_html_()

    def _remarks(self) -> Sequence[str]:
        return [verdict.note for verdict in self.verdicts if verdict.note]
