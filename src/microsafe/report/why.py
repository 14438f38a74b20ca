"""Why this plan: what was proposed, and what else there was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from microsafe.compare.frontier_plot import FrontierWords, draw_frontier
from microsafe.report import templates as t
from microsafe.report.markup import Html, fill, join, name
from microsafe.report.parts import note, paragraph, table
from microsafe.report.shown_numbers import count, show_number, show_percent
from microsafe.report.texts import say
from microsafe.steps.base import AppliedStep


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPoint:
    """A plan that could have been taken.

    Attributes:
        touched: Records that lose a value.
        blanks: Values that are blanked.
        loss: Plain loss: share of what the keys tell.
        loss_by_uses: Share of what the uses that matter need; None if nobody said which do.
        expected: Expected re-identifications under the first scenario.
        recodes: Keys that are recoded.
        taken: Whether it is the one that was proposed.
    """

    touched: int
    blanks: int
    loss: float
    loss_by_uses: float | None = None
    expected: float
    recodes: tuple[str, ...] = ()
    taken: bool = False

    @property
    def drawn(self) -> float:
        """The loss in a picture: by uses, if some matter."""
        return self.loss if self.loss_by_uses is None else self.loss_by_uses


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPlan:
    """What a proposal found, as a plan keeps it.

    Attributes:
        status: `proved` best, or best `found`.
        gap: Largest share of its loss that a better plan could save.
        records: In the file.
        cap: Records that might lose a value; any number if None.
        frontier: The cheapest plan for each of several caps.
    """

    status: Literal["proved", "found"]
    gap: float = 0.0
    records: int
    cap: int | None = None
    frontier: tuple[ProposedPoint, ...] = ()

    @property
    def taken(self) -> ProposedPoint | None:
        """The plan that was proposed."""
        return next((each for each in self.frontier if each.taken), None)


def explain_plan(found: ProposedPlan | None, steps: Sequence[AppliedStep]) -> Html:
    """Return why the steps were chosen; nothing if they were not proposed.

    Args:
        found: What the proposal found.
        steps: What was done.
    """
    if found is None or found.taken is None:
        return Html("")
    from matplotlib import rc_context

    from microsafe.report.figures import STYLE, new_figure, render

    taken = found.taken
    lead = _tell_loss(taken, found.records)
    proof = (
        say("No plan with these recodes to choose from loses less.")
        if found.status == "proved"
        else say("The search was stopped: a better plan could save at most {gap} of the loss.",
                 gap=show_percent(found.gap))
    )  # fmt: skip
    cap = (
        say("Any number of records might lose a value.")
        if found.cap is None
        else say("At most {cap} records might lose a value.", cap=count(found.cap))
    )
    made = sum(each.total for each in steps)
    told = say("Promised were {blanks} blanks; the steps made {made}.",
               blanks=count(taken.blanks), made=count(made))  # fmt: skip
    if made != taken.blanks:
        told += " " + say("So the steps, or the file, were changed after they were proposed.")
    with rc_context(STYLE | {"svg.hashsalt": "why"}):
        figure = new_figure(3.2)
        draw_frontier(
            [(each.touched / found.records, each.drawn) for each in found.frontier],
            taken=(taken.touched / found.records, taken.drawn),
            cap=None if found.cap is None else found.cap / found.records,
            words=FrontierWords(
                touched=say("records that lose a value, %"),
                loss=say("loss, % of what the keys tell")
                if taken.loss_by_uses is None
                else say("loss by uses, %"),
                taken=say("chosen"),
            ),
            ax=figure.subplots(),
        )
        picture = render(figure, "why")
    caption = say("Loss of the cheapest plan by the share of records that may lose a value.")
    return join(
        [
            paragraph(f"{lead} {proof} {cap}"),
            fill(t.FIGURE, label=caption, picture=picture, caption=caption),
            _list_plans(found),
            note(told),
        ]
    )


def _tell_loss(taken: ProposedPoint, records: int) -> str:
    places = {"part": count(taken.touched), "all": count(records), "loss": show_percent(taken.loss)}
    if taken.loss_by_uses is None:
        return say(
            "The recodes and the suppression were chosen by a search for the plan that meets the "
            "policy at the least loss: {loss} of what the keys tell, with blanks in {part} of "
            "{all} records.",
            **places,
        )
    return say(
        "The recodes and the suppression were chosen by a search for the plan that meets the "
        "policy at the least loss, the keys weighed by the uses that matter: loss by uses {uses}, "
        "plain loss {loss} (mean of the keys, all alike), with blanks in {part} of {all} records.",
        uses=show_percent(taken.loss_by_uses),
        **places,
    )


def _list_plans(found: ProposedPlan) -> Html:
    both = any(each.loss_by_uses is not None for each in found.frontier)
    head = (
        say("Records that lose a value"),
        say("Values blanked"),
        *((say("Loss by uses"), say("Plain loss")) if both else (say("Loss"),)),
        say("Expected re-identifications"),
        say("Keys recoded"),
    )
    rows = [
        (
            _show_touched(each),
            count(each.blanks),
            *([_show_by_uses(each)] if both else []),
            show_percent(each.loss),
            show_number(each.expected),
            name(", ".join(each.recodes)) if each.recodes else say("none"),
        )
        for each in found.frontier
    ]
    caption = say("The cheapest plans that meet the policy.")
    return table(caption, head, rows, numbers=range(1, len(head) - 1))


def _show_by_uses(plan: ProposedPoint) -> str:
    return "–" if plan.loss_by_uses is None else show_percent(plan.loss_by_uses)


def _show_touched(plan: ProposedPoint) -> str:
    many = count(plan.touched)
    return say("{count}, chosen", count=many) if plan.taken else many
