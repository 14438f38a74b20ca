"""Notices on the risk of the file: where a model is doubtful, and where models disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.cells import Cells
from microsafe.risk.file.crosstable import CrossTable
from microsafe.risk.file.opinion import Opinion
from microsafe.risk.file.tau import Bias, Tau
from microsafe.risk.record.advice import Notice

_APART = 1.5  # times: opinions that differ by more are worth a notice
_ONE = 0.5  # of a person: models that both expect less agree
_OVER = 100.0  # times: nobody needs a larger figure
_BIASED = 2.0  # standard errors


def file_notices(
    cells: Cells,
    table: CrossTable,
    chosen: Opinion,
    others: Sequence[Opinion],
    *,
    used: Tau | None,
    searched: bool,
) -> Iterator[Notice]:
    """Say what makes the figures doubtful."""
    if not cells.complete:
        yield Notice(
            topic="missing",
            text="A missing key counts as a category of its own here, not as a wildcard: there "
            "may be more sample uniques than the individual risk counts.",
        )
    if chosen.tau1 is None:
        remedy = "Let the search choose the interactions, take fewer, or ask another model."
        yield Notice(topic="file", text=f"{chosen.remark} {remedy}")
        return
    if table.fraction >= 1.0:
        yield Notice(
            topic="file",
            text="The sampling fraction is 1: the file is the population, and everybody who is "
            "alone in it is alone in the population.",
        )
        return
    if used is not None:
        yield from _bias_notice(used.B2, searched=searched)
    for other in others:
        yield from _disagreement(chosen, other)


def _bias_notice(bias: Bias, *, searched: bool) -> Iterator[Notice]:
    z = bias.standardised
    if z is None or abs(z) <= _BIASED:
        return
    how, what = (
        ("too simple and overstates the risk", "more interactions")
        if z > 0
        else ("too rich for this sample and understates the risk", "fewer interactions")
    )
    remedy = f"Try {what}, or let the search choose them."
    if searched:
        remedy = (
            "The search found no interaction of up to three keys that helps; "
            "see what latent classes say."
        )
    yield Notice(
        topic="file",
        text=f"B2 is {z:.1f} standard errors from 0: the model is probably {how}. {remedy}",
    )


def _disagreement(chosen: Opinion, other: Opinion) -> Iterator[Notice]:
    """Compare the expected right matches; where a model has none, the population uniques."""
    mine, theirs, what = chosen.tau2, other.tau2, "expected right matches"
    if mine is None or theirs is None:
        mine, theirs, what = chosen.tau1, other.tau1, "population uniques"
    if mine is None or theirs is None or max(mine, theirs) < _ONE:
        return
    times = max(mine, theirs) / max(min(mine, theirs), 1e-300)
    if times < _APART:
        return
    more = mine > theirs
    said = f"{times:.1f}" if times < _OVER else f"over {_OVER:.0f}"
    text = (
        f"{other.model} gives {said} times {'fewer' if more else 'more'} {what} than "
        f"{chosen.model}. "
    )
    if other.model == "benedetti-franconi" and more:
        text += (
            "It looks at one cell at a time; where keys are sparse it takes a weight for the size "
            "of the cell and is often several times too low. Choose a limit with that in mind, or "
            "from the model's record risks."
        )
    else:
        text += "At least one of them does not fit this file; the documentation says which may."
    yield Notice(topic="file", text=text)
