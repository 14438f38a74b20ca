"""Which interactions a model needs: forward search on the counts of the sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from microsafe.progress import Progress, silent
from microsafe.risk.model.shrink import shrinkage
from microsafe.risk.model.stepwise import GrowingModel
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term
from microsafe.sums import Floats

_VAST = 1 << 23  # cells of a margin beyond which it is not even looked at
MOST_TERMS = 60  # terms: nobody reads more, and cost has to end

Effect = Callable[[Term], float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Addition:
    """A term that entered.

    Attributes:
        term: The keys.
        gain: By how much the criterion improved (half of BIC).
        trust: For each cell of its margin how far the sample is believed.
        shrunken: Whether it entered only because its margin is shrunken.
    """

    term: Term
    gain: float
    trust: Floats
    shrunken: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Search:
    """The model that was found, fitted to the counts.

    Attributes:
        model: The model.
        additions: Terms in the order in which they entered.
        passed_over: Terms that would have helped but make too large tables.
    """

    model: GrowingModel
    additions: tuple[Addition, ...]
    passed_over: tuple[Term, ...]


def no_effect(term: Term) -> float:  # noqa: ARG001
    """Records were drawn one by one."""
    return 1.0


def search_terms(
    counts: CrossTable,
    *,
    impossible: Sequence[ImpossibleCells] = (),
    effect: Effect = no_effect,
    most: int = MOST_TERMS,
    progress: Progress = silent,
) -> Search:
    """Add terms while they lower BIC, then pairs that help when shrunken.

    Args:
        counts: The sample, every record with the same weight.
        impossible: Cells that nobody can be in.
        effect: Design effect of the counts of a margin.
        most: Terms at most.
        progress: Progress callback.
    """
    model = GrowingModel(counts, impossible)
    found: list[Addition] = []
    over: set[Term] = set()
    for shrunken in (False, True):
        while len(found) < most:
            tell = partial(progress, "searching for interactions", len(found) / most)
            best = _best(model, over, effect, tell, shrunken=shrunken)
            if best is None:
                break
            model.add(best.term, best.trust)
            found.append(best)
    progress("searching for interactions", 1.0)
    return Search(model=model, additions=tuple(found), passed_over=tuple(sorted(over)))


def _best(
    model: GrowingModel,
    over: set[Term],
    effect: Effect,
    tell: Callable[[], None],
    *,
    shrunken: bool,
) -> Addition | None:
    """Return the term that gains most, if one gains; note those that are too large."""
    best: tuple[float, Term] | None = None
    for term in _candidates(len(model.table.keys), model.terms):
        if term in over or (shrunken and len(term) > 2):
            continue
        if math.prod(model.table.sizes[key] for key in term) > _VAST:
            over.add(term)
            continue
        tell()
        gain = _weigh(model, term, effect(term), shrunken=shrunken)
        if not gain > (0.0 if best is None else best[0]):  # nor if it is no number
            continue
        if model.room_for(term):
            best = gain, term
        else:
            over.add(term)
    if best is None:
        return None
    gain, term = best
    seen, expected = _margins(model, term, effect(term))
    dispersion, _ = shrinkage(seen, expected)
    trust = dispersion * expected / (1.0 + dispersion * expected)
    return Addition(term=term, gain=gain, trust=trust, shrunken=shrunken)


def _candidates(keys: int, terms: Sequence[Term]) -> Iterator[Term]:
    """Pairs, and those of three keys whose pairs are all in."""
    parts = {part for term in terms for size in (2, 3) for part in combinations(term, size)}
    yield from (pair for pair in combinations(range(keys), 2) if pair not in parts)
    for triple in combinations(range(keys), 3):
        if triple not in parts and all(pair in parts for pair in combinations(triple, 2)):
            yield triple


def _weigh(model: GrowingModel, term: Term, effect: float, *, shrunken: bool) -> float:
    """What a term gains; clustered records count for as many as they are worth."""
    table = model.table
    seen, expected = _margins(model, term, effect)
    if not table.share(term):  # nobody shows all its keys
        return 0.0
    cost = 0.5 * math.log(max(table.records * table.share(term) / effect, 1.0))
    if shrunken:
        return shrinkage(seen, expected)[1] - cost
    # Where margins nearly disagree a fit may leave nothing where records are: no gain tells that.
    there = (seen > 0) & (expected > 0)
    # One step of proportional fitting: the fitted term gains this or more.
    step = float((seen[there] * np.log(seen[there] / expected[there])).sum())
    return step - cost * freedom(table, term)


def _margins(model: GrowingModel, term: Term, effect: float) -> tuple[Floats, Floats]:
    """Records of a margin and how many the model expects, in effective records."""
    scale = model.table.fraction * model.table.share(term) / effect
    return scale * model.seen(term), scale * model.margin(term)


def freedom(table: CrossTable, term: Term) -> int:
    """Parameters of a term that those of fewer keys leave, empty margins not counted."""
    return sum(
        (-1) ** (len(term) - size) * (int(np.count_nonzero(table.margin(face))) if face else 1)
        for size in range(len(term) + 1)
        for face in combinations(term, size)
    )
