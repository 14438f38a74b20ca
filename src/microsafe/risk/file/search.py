"""Which interactions a log-linear model needs: forward search by the bias criterion B2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from microsafe.progress import Progress, silent
from microsafe.risk.table.cliques import cliques_of, tree_size
from microsafe.risk.table.crosstable import CrossTable, Impossible, Term
from microsafe.risk.table.loglinear import (
    Fit,
    Model,
    Parameters,
    carry,
    fit,
    freedom,
    iterate,
    judge_fit,
    likelihood,
    model_of,
    terms_of,
)

_ROUGH = 1e-5  # of a margin: close enough to tell candidates apart
_ITERATIONS = 60
_AREA = 50_000  # cells of small tables beyond which a candidate is passed over

# Interactions that did not help, with those that bear on them: no need to try them again.
Useless = set[tuple[Term, frozenset[Term]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SearchStep:
    """One model on the way.

    Attributes:
        added: The interaction that it has more than the model before it; None at the start.
        fit: The model.
    """

    added: Term | None
    fit: Fit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A model with one interaction more, fitted roughly."""

    added: Term
    model: Model
    distances: list[float]
    aic: float


def search(
    table: CrossTable, *, impossible: Sequence[Impossible] = (), progress: Progress = silent
) -> list[SearchStep]:
    """Add interactions to the model of main effects while they lower |B2|.

    Of the interactions that improve the likelihood by more than their parameters cost (AIC) and
    bring the standardised B2 closer to 0, the one with the lowest AIC enters. Interactions of
    three keys are tried once all their pairs are in. The last step is the model to use.

    Args:
        table: The sample.
        impossible: Cells that nobody can be in.
        progress: Progress callback.

    Assumes:
        What a log-linear model assumes; interactions of more than three keys are negligible.

    References:
        Skinner and Shlomo (2008), JASA 103, 989-1001, section 4, for the search by B2.
    """
    steps = [SearchStep(added=None, fit=fit(table, [], impossible=impossible))]
    if table.fraction >= 1.0 or not table.uniques.any():
        return steps
    parameters: Parameters = {}
    useless: Useless = set()
    while True:
        stage = f"searching for interactions, step {len(steps)}"
        now = steps[-1].fit
        better = [
            candidate
            for term in _report_terms(_candidates(len(table.keys), now.terms), stage, progress)
            if (candidate := _candidate(table, now, term, parameters, impossible, useless))
        ]
        found = _closer(table, now, better)
        if found is None:
            return [*steps[:-1], _finish_fit(table, steps[-1], parameters, impossible, progress)]
        chosen, judgement = found
        parameters = dict(zip(chosen.model.terms, chosen.model.parameters, strict=True))
        steps.append(SearchStep(added=chosen.added, fit=judgement))


def _report_terms(terms: Sequence[Term], stage: str, progress: Progress) -> Iterator[Term]:
    for number, term in enumerate(terms):
        progress(stage, number / len(terms))
        yield term
    progress(stage, 1.0)


def _closer(
    table: CrossTable, now: Fit, candidates: Sequence[Candidate]
) -> tuple[Candidate, Fit] | None:
    """Return the candidate of lowest AIC that brings B2 closer to 0."""
    bias = abs(now.cell.B2.standardised or 0.0)
    for candidate in sorted(candidates, key=lambda each: (each.aic, each.added)):
        judgement = judge_fit(candidate.model, table, candidate.distances)
        if abs(judgement.cell.B2.standardised or 0.0) < bias:
            return candidate, judgement
    return None


def _candidates(keys: int, terms: Sequence[Term]) -> list[Term]:
    """Interactions that may enter: pairs, and those of three keys whose pairs are all in."""
    parts = {part for term in terms for size in (2, 3) for part in combinations(term, size)}
    pairs: list[Term] = [pair for pair in combinations(range(keys), 2) if pair not in parts]
    triples: list[Term] = [
        triple
        for triple in combinations(range(keys), 3)
        if triple not in parts and all(pair in parts for pair in combinations(triple, 2))
    ]
    return pairs + triples


def _candidate(
    table: CrossTable,
    now: Fit,
    term: Term,
    parameters: Parameters,
    impossible: Sequence[Impossible],
    useless: Useless,
) -> Candidate | None:
    """Fit the model with one interaction more, if that lowers AIC."""
    around = term, _around(now.terms, term)
    if around in useless:
        return None
    larger = terms_of(len(table.keys), [*now.terms, term])
    forbidden = [each.keys for each in impossible]
    if tree_size(table.sizes, cliques_of(table.sizes, [*larger, *forbidden])) > _AREA:
        return None
    model = model_of(table, larger, impossible)
    carry(model, parameters)
    distances = iterate(model, table, tolerance=_ROUGH, iterations=_ITERATIONS)
    aic = 2.0 * (freedom(table, larger) - likelihood(table, model))
    if aic >= now.aic:
        useless.add(around)
        return None
    return Candidate(added=term, model=model, distances=distances, aic=aic)


def _around(terms: Sequence[Term], term: Term) -> frozenset[Term]:
    """The interactions that bear on what a term gains: those connected with its keys."""
    keys = set(term)
    while True:
        near = {each for each in terms if keys & set(each)}
        wider = keys.union(*near)
        if wider == keys:
            return frozenset(near)
        keys = wider


def _finish_fit(
    table: CrossTable,
    step: SearchStep,
    parameters: Parameters,
    impossible: Sequence[Impossible],
    progress: Progress,
) -> SearchStep:
    """Fit the model that was found to the end."""
    model = model_of(table, terms_of(len(table.keys), step.fit.terms), impossible)
    carry(model, parameters)
    distances = iterate(model, table, progress=progress)
    return SearchStep(added=step.added, fit=judge_fit(model, table, distances))
