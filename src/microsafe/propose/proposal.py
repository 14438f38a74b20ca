"""What a proposal says: the plan, how sure it is, and the frontier."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal

from microsafe.compare.cost_figures import BY_USES, PLAIN
from microsafe.compare.frontier_plot import FrontierWords, draw_frontier
from microsafe.display import format_grid, show_number, show_percent
from microsafe.options.policy import show_rule_value
from microsafe.options.uses import Uses
from microsafe.propose.candidates import AnyStudy, Candidate
from microsafe.propose.search import SearchResult
from microsafe.propose.solve import PlanName
from microsafe.results import Result
from microsafe.svg import draw_bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes


NAMES: Mapping[PlanName, str] = {
    "detail": "most detail",
    "balanced": "balanced",
    "blanks": "fewest blanks",
    "households": "households kept",
}


# What a proposal without any plan says of it.
_NOTHING: Mapping[str, Any] = {
    **dict.fromkeys(("loss", "uses", "expected", "blanks", "records", "sentence")),
    "blanks_by_key": {},
    "met": {},
    "steps": [],
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrontierPoint(Generic[AnyStudy]):
    """The cheapest plan for a number of records that may lose a value.

    Attributes:
        most: How many may; any number if None.
        candidate: The plan; None if there is none, or none was found in time.
        gap: Largest share of its loss that a better one could save; 0 if it is proved best.
    """

    most: int | None
    candidate: Candidate[AnyStudy] | None
    gap: float


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Proposal(Result, Generic[AnyStudy]):
    """The cheapest plan that meets a policy.

    Attributes:
        best: The plan; None if none meets all that was asked, or none was found in time.
        gap: Largest share of its loss that a better one could save; 0 if it is proved best.
        frontier: The cheapest plan for each of several caps, the loosest first.
        nearest: Where no plan meets all that was asked: one that comes near.
        named: Three plans to choose from: `detail` is the best, `blanks` touches the fewest
            records, `balanced` lies between them. None where no plan keeps to the cap. Where these
            leave out the household number, `households` is the best that was found with it.
        beside: Where these leave out the household number: all that was found with it.
        apart: A loss that no plan is below that leaves out the household number, if these do.
        seconds: That the proposal took.
        records: In the file.
        cap: Records that may lose a value; any number if None.
        share: The same as a share of all; 1 if any number may.
        notes: What to know of the question.
        source: Name of the file.
        held: Limit on the risk of records that was chosen for the sake of other rules, if any; the
            plan is the best for that limit.
        stuck: If there is not even a near plan: records that stay unsafe at the highest rungs.
        utility: Which uses matter; None if all keys matter alike.
        search: How much of the lattice was looked at for the plan.
        ran: Plans that were run for what the search leaves out, if any.
        households: What it means that the household number is left out, if it is.
        labels: Of the variables, by name.
    """

    best: Candidate[AnyStudy] | None
    gap: float
    frontier: tuple[FrontierPoint[AnyStudy], ...]
    nearest: Candidate[AnyStudy] | None = None
    named: Mapping[PlanName, Candidate[AnyStudy]] = field(default_factory=dict)
    beside: Proposal[AnyStudy] | None = None
    apart: float = 0.0
    seconds: float = 0.0
    records: int
    cap: int | None
    share: float
    notes: Sequence[str] = ()
    source: str = ""
    stuck: int = 0
    utility: Uses | None = None
    search: SearchResult
    held: float | None = None
    ran: int = 0
    households: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> Literal["proved", "found"]:
        """Whether it is proved that no plan is better, or that there is none."""
        return "found" if self.gap else "proved"

    @property
    def candidates(self) -> tuple[Candidate[AnyStudy], ...]:
        """All plans of the frontier, the best first, then the cheapest; then others with a name."""
        first = [self.best] if self.best else []
        rest = sorted(self._plans, key=lambda each: each.plan.loss)
        return tuple(dict.fromkeys((*first, *rest, *self.named.values())))

    def gap_of(self, plan: Candidate[AnyStudy]) -> float:
        """Return the largest share of a plan's loss that a better one within its cap could save.

        The cap is that of its point on the frontier; the one asked for if it has none. Plans with
        the household number, where it is left out, are compared with each other.
        """
        if plan is self.best:
            return self.gap
        if self.beside is not None and plan in self.beside.candidates:
            return self.beside.gap_of(plan)
        known = [point.gap for point in self.points if point.candidate is plan]
        loss = plan.plan.loss
        most = max(0.0, 1.0 - self.search.bound / loss) if loss else 0.0
        return known[0] if known else most

    @property
    def points(self) -> tuple[FrontierPoint[AnyStudy], ...]:
        """The points of the frontier that have a plan, each plan once, at the tightest cap."""
        found: dict[tuple[int, ...], FrontierPoint[AnyStudy]] = {}
        for each in self.frontier:
            if each.candidate is not None:
                found[each.candidate.plan.rungs] = each
        return tuple(found.values())

    @property
    def distinct_names(self) -> Mapping[PlanName, Candidate[AnyStudy]]:
        """The named plans, each plan once; none if they are all the same."""
        found: dict[Candidate[AnyStudy], tuple[PlanName, Candidate[AnyStudy]]] = {}
        for name, value in self.named.items():
            found.setdefault(value, (name, value))
        return dict(found.values()) if len(found) > 1 else {}

    @property
    def _plans(self) -> list[Candidate[AnyStudy]]:
        return [point.candidate for point in self.points if point.candidate is not None]

    @property
    def shown(self) -> Candidate[AnyStudy] | None:
        """The plan to take: the best, or the nearest where there is none."""
        return self.best or self.nearest

    @property
    def bound(self) -> float | None:
        """A loss by weights of keys that no plan within the cap is below; None if there is none.

        Where plans with the household number and without it were searched, those of the other kind
        count with the price of the number.
        """
        return None if math.isinf(self.search.bound) else self.search.bound

    @property
    def words(self) -> str:
        """What is proposed, in a sentence; or why nothing is."""
        if self.best is None:
            return self._explain_none()
        sure = "proved best"
        if self.gap:
            ran = f"best of {self.ran:,} plans that were run"
            sure = ran if self.ran else f"best found in {self._took}"
            if self.search.bound > 0:
                sure += f"; no plan loses less than {show_percent(self.search.bound)}"
            if self.apart > self.search.bound:
                sure += f"; without the household number none less than {show_percent(self.apart)}"
        if self.held is not None:
            sure += f" for a record risk of {self.held:.4g}"
        said = f"{self.best.words[0].upper()}{self.best.words[1:]}"
        if self.best.uses is not None:
            return f"{said}: {self.best.uses.words} ({sure})."
        loss = show_percent(self.best.loss)
        return f"{said}, losing {loss} of what the keys tell ({sure})."

    @property
    def _took(self) -> str:
        return f"{self.seconds:.0f} s" if self.seconds >= 1 else "less than a second"

    def _explain_none(self) -> str:
        if self.nearest is None:
            if self.gap:
                return "No plan was found in time. Give it more seconds, or shorter ladders."
            several = "1 record stays" if self.stuck == 1 else f"{self.stuck:,} records stay"
            return (
                f"No plan meets the policy: {several} unsafe under the broadest recodes, whatever "
                "is blanked. Spare fewer keys, or allow broader recodes."
            )
        near, cap = self.nearest, self.cap
        if cap is not None and near.touched > cap:
            share = show_percent(near.touched / self.records)
            none = f"No plan keeps to {cap:,} records with blanks, which is proved."
            if self.gap:
                none = (
                    f"No plan was found in {self._took} that keeps to {cap:,} records with blanks."
                )
            return (
                f"{none} The nearest has {near.touched:,} ({share}) and loses "
                f"{show_percent(near.loss)}: let as many lose a value, or allow broader recodes."
            )
        failing = ", ".join(near.failing)
        if not failing:  # no plan was run yet, so it is not known what the other rules take
            return (
                f"In {self._took} no plan was tried with all rules. The nearest keeps to those of "
                "records: search on, or give it more seconds."
            )
        found = f" was found in {self._took} that" if self.gap else ""
        return (
            f"No plan{found} meets {failing} as well. The nearest meets the other rules: "
            "allow broader recodes, or ask for a lower risk of a record."
        )

    @property
    def title(self) -> str:
        """One line that says what is proposed."""
        return f"Proposal for {self.source}: {self.words}"

    def _rows(self) -> Iterator[tuple[str, str]]:
        shown = self.shown
        if shown is None:
            return
        if self.best is None:
            yield "nearest", f"{shown.words}, {shown.lost_words}"
        for step in shown.first:
            yield "first", step.in_words()
        for key, words in shown.recodes.items():
            yield f"recode {key}", words
        told = ", ".join(f"{key} {many:,}" for key, many in shown.blanks_by_key.items() if many)
        yield "blanks", f"{shown.blanks:,} ({told})" if told else "0"
        cap = "any number may" if self.cap is None else f"at most {self.cap:,} may"
        share = show_percent(shown.touched / self.records)
        yield "records that lose a value", f"{shown.touched:,} ({share}); {cap}"
        for verdict in shown.verdicts if shown.measured else ():
            name = f"{verdict.rule} ({verdict.scenario})"
            bound = "at least" if verdict.rule == "k" else "at most"
            figures = (verdict.value, verdict.limit)
            value, limit = (
                show_rule_value(verdict.rule, figure, verdict.scenario) for figure in figures
            )
            yield name, f"{value}, {bound} {limit}: {'met' if verdict.met else 'not met'}"

    def _picture(self) -> str:
        bars = [
            (f"{e.touched:,} records with blanks", e.loss, show_percent(e.loss))
            for e in self._plans
        ]
        return draw_bars("Loss of the cheapest plans, by records with blanks", bars)

    def _remarks(self) -> Sequence[str]:
        return self.notes

    def __repr__(self) -> str:
        """Return the summary for a terminal, with the frontier."""
        parts = [Result.__repr__(self)]
        parts += [f"  {note}" for note in self.notes]
        both = self.utility is not None
        losses = (BY_USES, PLAIN) if both else ("loss",)
        rows: list[tuple[str, ...]] = [
            ("records with blanks", "blanks", *losses, "expected", "recodes")
        ]
        rows += [
            (
                f"{plan.touched:,}",
                f"{plan.blanks:,}",
                *([show_percent(plan.loss_by_uses or 0.0)] if both else []),
                show_percent(plan.loss),
                show_number(plan.expected) if plan.measured else "not measured",
                ", ".join(plan.recodes) or "none",
            )
            for plan in self._plans
        ]
        for name, each in self.distinct_names.items():
            told = f"{NAMES[name]} ({each.lost_words}): {each.sentence}"
            parts += textwrap.wrap(told, 100, initial_indent="  ", subsequent_indent="    ")
        if len(rows) > 1:
            parts += ["", "Frontier: the cheapest plan for each number of records with blanks"]
            parts += format_grid(rows, right=range(len(rows[0]) - 1))
        return "\n".join(parts)

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        shown = self.shown
        return {
            "status": self.status,
            "within_cap": self.best is not None,
            "gap": self.gap,
            "bound": self.bound,
            "cap": self.cap,
            **(_NOTHING if shown is None else shown.summary()),
            "words": self.words,
            "named": {name: value.summary() for name, value in self.named.items()},
            "frontier": [
                {"most": point.most, "gap": point.gap, **point.candidate.summary()}
                for point in self.points
                if point.candidate is not None
            ],
            "notes": list(self.notes),
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the frontier: records that lose a value against loss, by uses if some matter.

        Args:
            ax: Where to draw; a new figure if None.
        """
        best, records = self.best, self.records

        def place(each: Candidate[AnyStudy]) -> tuple[float, float]:
            loss = each.loss if each.loss_by_uses is None else each.loss_by_uses
            return each.touched / records, loss

        return draw_frontier(
            [place(plan) for plan in self._plans],
            taken=None if best is None else place(best),
            cap=None if self.cap is None else self.cap / records,
            words=None if self.utility is None else FrontierWords(loss=f"{BY_USES}, %"),
            ax=ax,
        )
