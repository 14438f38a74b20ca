"""Why this plan: what was proposed, and what else there was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from microsafe.report.document import Block, Paragraph, Picture, name
from microsafe.report.parts import note, table
from microsafe.report.proposed_plan import ProposedPlan, ProposedPoint
from microsafe.report.shown_numbers import count, show_number, show_percent
from microsafe.report.texts import say
from microsafe.steps.base import AppliedStep


def explain_plan(found: ProposedPlan | None, steps: Sequence[AppliedStep]) -> Iterator[Block]:
    """Yield why the steps were chosen; nothing if they were not proposed.

    Args:
        found: What the proposal found.
        steps: What was done.
    """
    if found is None or found.taken is None:
        return
    from microsafe.report.plots import plot_frontier  # matplotlib takes a while to load

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
    made = sum(step.total for step in steps)
    told = say("Promised were {blanks} blanks; the steps made {made}.",
               blanks=count(taken.blanks), made=count(made))  # fmt: skip
    if made != taken.blanks:
        told += " " + say("So the steps, or the file, were changed after they were proposed.")
    caption = say("Loss of the cheapest plan by the share of records that may lose a value.")
    yield Paragraph(f"{lead} {proof} {cap}")
    yield Picture(partial(plot_frontier, found), "why", caption, caption)
    yield from _list_plans(found)
    yield note(told)


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


def _list_plans(found: ProposedPlan) -> Iterator[Block]:
    both = any(point.loss_by_uses is not None for point in found.frontier)
    head = (
        say("Records that lose a value"),
        say("Values blanked"),
        *((say("Loss by uses"), say("Plain loss")) if both else (say("Loss"),)),
        say("Expected re-identifications"),
        say("Keys recoded"),
    )
    rows = [
        (
            _show_touched(point),
            count(point.blanks),
            *([_show_by_uses(point)] if both else []),
            show_percent(point.loss),
            "–" if point.expected is None else show_number(point.expected),
            name(", ".join(point.recodes)) if point.recodes else say("none"),
        )
        for point in found.frontier
    ]
    caption = say("The cheapest plans that meet the policy.")
    yield from table(caption, head, rows, numbers=range(1, len(head) - 1))


def _show_by_uses(plan: ProposedPoint) -> str:
    return "–" if plan.loss_by_uses is None else show_percent(plan.loss_by_uses)


def _show_touched(plan: ProposedPoint) -> str:
    many = count(plan.touched)
    return say("{count}, chosen", count=many) if plan.taken else many
