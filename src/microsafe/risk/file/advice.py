"""Notices on file risk: where a model is doubtful, and where models disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from microsafe.cells import Cells
from microsafe.notices import Notice, make_notice
from microsafe.risk.file.model_estimates import ModelEstimate
from microsafe.risk.model.advice import model_notices
from microsafe.risk.model.estimate import PopulationModel
from microsafe.risk.table.crosstable import CrossTable
from microsafe.risk.table.tau import Bias, Tau
from microsafe.sentences import Sentence

_APART = 1.5  # times: opinions that differ by more are worth a notice
_ONE = 0.5  # of a person: models that both expect less agree
_OVER = 100.0  # times: nobody needs a larger figure
_BIASED = 2.0  # standard errors


def file_notices(
    cells: Cells,
    table: CrossTable,
    chosen: ModelEstimate,
    others: Sequence[ModelEstimate],
    used: Tau | None,
    population: PopulationModel | None,
    shown: PopulationModel | None,
) -> Iterator[Notice]:
    """Say what makes the figures doubtful.

    Args:
        cells: The sample.
        table: The same, laid out.
        chosen: What the chosen model says.
        others: What others say.
        used: Criteria of a log-linear model whose interactions were given.
        population: The calibrated model, if it is that one.
        shown: The same where it has integrated gaps out.
    """
    if not cells.complete and shown is None:
        yield make_notice("file-missing")
    if chosen.tau1 is None:
        yield make_notice("file-no-estimate", remark=chosen.remark)
        return
    if table.fraction >= 1.0:
        yield make_notice("file-population")
        return
    if used is not None:
        yield from _bias_notice(used.B2)
    if population is not None and population.passed_over:
        terms = [population.name_term(term) for term in population.passed_over]
        yield make_notice("file-passed-over", count=len(terms), terms=terms)
    if population is not None:
        yield from model_notices(population)
    for other in others:
        yield from _disagreement_notice(chosen, other)


def _bias_notice(bias: Bias) -> Iterator[Notice]:
    z = bias.standardised
    if z is None or abs(z) <= _BIASED:
        return
    yield make_notice("file-too-simple" if z > 0 else "file-too-rich", z=z)


def _disagreement_notice(chosen: ModelEstimate, other: ModelEstimate) -> Iterator[Notice]:
    """Compare the expected correct matches; where a model has none, the population uniques."""
    mine, theirs, what = chosen.tau2, other.tau2, "matches"
    if mine is None or theirs is None:
        mine, theirs, what = chosen.tau1, other.tau1, "uniques"
    if mine is None or theirs is None or max(mine, theirs) < _ONE:
        return
    times = max(mine, theirs) / max(min(mine, theirs), 1e-300)
    if times < _APART:
        return
    fewer = mine > theirs
    cells = other.model == "benedetti-franconi" and fewer
    yield make_notice(
        "file-cells-differ" if cells else "file-models-differ",
        other=other.model,
        chosen=chosen.model,
        times=times if times < _OVER else Sentence("over", number=_OVER),
        direction=Sentence("fewer" if fewer else "more"),
        what=Sentence(what),
    )
