"""A log-linear model to which terms are added one by one, each fitted to a shrunken margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from microsafe.progress import Progress, silent
from microsafe.risk.model.gaps import GappedTable
from microsafe.risk.model.marginal import Factor, sum_out
from microsafe.risk.table.cliques import CliqueTree, cliques_of, tree_size
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells, Term, ratio
from microsafe.risk.table.loglinear import Parameters, carry, iterate, terms_of
from microsafe.risk.table.poisson import match_chance, unique_chance
from microsafe.sums import Floats

LARGEST = 400_000  # cells of the small tables of a model together

_JOINED = 1 << 22  # cells of a table made on the way to a margin
_ROUGH = 1e-3  # of a margin: close enough to choose the next term
_ROUNDS = 25
_FINE = 1e-6
_PERIOD, _PERIODS = 20, 20  # iterations between two looks at tau, and how many looks
_REST = 1e-4  # of tau: it no longer moves
_WITHIN = 0.02  # standard errors of a margin
_RAKING = 100, 10_000  # rounds for large tables and for small ones
_WORK = 1 << 23  # cells times rounds
_RAKED = 1e-9
_LOOK = 100  # rounds between two looks at whether it still comes nearer,
_NEARER = 1e-6  # by this share: margins that disagree are met in turns from some round on
_FITTED = 15  # rounds of fitting to fewer keys what only those who show all of them tell
_AGAIN = 3  # rounds of fitting between two fillings of gaps


class GrowingModel:
    """A log-linear model that takes terms one by one.

    Attributes:
        table: The sample.
        terms: Interactions, in the order in which they came.
        at_rest: Whether the last fit came to rest.
    """

    def __init__(self, table: CrossTable, impossible: Sequence[ImpossibleCells] = ()) -> None:
        self.table = table
        self.terms: list[Term] = []
        self._impossible = impossible
        self._goals: dict[Term, Floats] = {}
        self._seen: dict[Term, Floats] = {}
        self._entered: dict[Term, tuple[Floats, Floats]] = {}
        self.at_rest = False
        self._fit({})

    def room_for(self, term: Term) -> bool:
        """Whether the small tables stay small with one term more."""
        keys = [*self.terms, term, *(each.keys for each in self._impossible)]
        terms = terms_of(len(self.table.keys), keys)
        return tree_size(self.table.sizes, cliques_of(self.table.sizes, terms)) <= LARGEST

    def margin(self, term: Term) -> Floats:
        """Return the margin of a few keys as the model has it."""
        return sum_out(self.factors, term, self.table.sizes, _JOINED).table(term)

    def add(self, term: Term, trust: Floats) -> None:
        """Add a term whose margin is drawn from what the model has towards what the sample has.

        Args:
            term: The keys.
            trust: For each cell of the margin the share of the way.
        """
        expected = self.margin(term)
        goal = expected + (self.seen(term) - expected) * trust
        self._goals[term] = self._rake(term, goal)
        self._entered[term] = expected, trust
        self.terms.append(term)
        self._fit(dict(zip(self.model.terms, self.model.parameters, strict=True)))

    def seen(self, term: Term) -> Floats:
        """Return the margin of a few keys as the sample has it.

        Records that show all of them may have other values of fewer keys than the others, so their
        margin is fitted to what is known of those.
        """
        margin = self.table.margin(term)
        if not isinstance(self.table, GappedTable) or self.table.filled or len(term) == 1:
            return margin
        if term not in self._seen:  # nor do the goals of fewer keys change once they are in
            self._seen[term] = self._rake(term, margin, rounds=_FITTED)
        return self._seen[term]

    @np.errstate(all="ignore")
    def refit(self, completed: Mapping[Term, Floats]) -> None:
        """Draw all terms anew, towards margins of the sample with its gaps filled.

        Gaps filled by the model agree with it, so trust is raised: else they shrink twice.

        Args:
            completed: The margin of every key and every term.
        """
        self._goals = {(key,): completed[(key,)] for key in range(len(self.table.keys))}
        for term, (expected, _) in self._entered.items():
            goal = expected + (completed[term] - expected) * self.raise_trust(term)
            self._goals[term] = self._rake(term, np.maximum(goal, 0.0))
        before = dict(zip(self.model.terms, self.model.parameters, strict=True))
        self._aim(before)
        for _ in range(_AGAIN):
            self.model.round()
        self.factors = self._factors()

    def raise_trust(self, term: Term) -> Floats:
        """Return how far the completed margin of a term is believed."""
        _, trust = self._entered[term]
        share = self.table.share(term)
        return ratio(trust, share + trust * (1.0 - share))

    def effects(self) -> list[Factor]:
        """Return a table for each term, whose product is the model; up to a constant."""
        parts = zip(self.model.terms, self.model.parameters, self.model.targets, strict=True)
        found = [
            Factor(term, np.where(target > 0, np.exp(each - each[target > 0].max()), 0.0))
            for term, each, target in parts
        ]
        sizes = self.table.sizes
        return [*found, *(Factor(e.keys, e.mask(sizes, e.keys)) for e in self._impossible)]

    @np.errstate(all="ignore")  # a fit that goes astray is told by its risk
    def settle(self, progress: Progress = silent) -> None:
        """Fit on until the risk of the file no longer moves and margins are within their error."""
        start = [parameter.copy() for parameter in self.model.parameters]
        # Where hardly anybody is in a margin the acceleration may go astray: then without it.
        for plain in (False, True):
            if plain:
                self.model.restart(start)
            self._settle(plain=plain, progress=progress)
            if self.at_rest:
                break
        self.factors = self._factors()
        progress("fitting the model", 1.0)

    def _settle(self, *, plain: bool, progress: Progress) -> None:
        last = self._risk()
        for number in range(_PERIODS):
            progress("fitting the model", number / _PERIODS)
            self.distances += iterate(
                self.model, self.model.table, tolerance=_FINE, iterations=_PERIOD, plain=plain
            )
            now = self._risk()
            still = bool((np.abs(now - last) <= _REST * last).all())
            last = now
            if still and self._off() <= _WITHIN:
                break
        self.at_rest = still

    def _risk(self) -> Floats:
        """The risk of the file without scatter: tau1 and tau2."""
        rest = (1.0 - self.table.fraction) * self.model.fitted_values()[self.table.uniques]
        if not np.isfinite(rest).all():
            return np.full(2, np.nan)  # which is never at rest
        return np.array([unique_chance(rest).sum(), match_chance(np.ones_like(rest), rest).sum()])

    def _off(self) -> float:
        """Largest distance from a margin, in standard errors of a count."""
        worst = 0.0
        for term, goal in zip(self.model.terms, self.model.targets, strict=True):
            records = self.table.fraction * goal
            off = self.table.fraction * np.abs(self.margin(term) - goal)
            worst = max(worst, float((off / np.sqrt(np.maximum(records, 1.0))).max()))
        return worst

    def _rake(self, term: Term, goal: Floats, rounds: int | None = None) -> Floats:
        """Fit a margin to those of fewer keys that it must agree with."""
        goal = goal.copy()
        faces = [(face, self._goal(face)) for face in combinations(term, len(term) - 1)]
        # No model has margins that disagree, and its fit would wander: so rather too long.
        last = np.inf
        for done in range(rounds or int(np.clip(_WORK // goal.size, *_RAKING))):
            worst = 0.0
            for face, target in faces:
                away = tuple(axis for axis, key in enumerate(term) if key not in face)
                change = ratio(target, goal.sum(axis=away, keepdims=True).reshape(target.shape))
                worst = max(worst, float(np.abs(np.where(target > 0, change - 1.0, 0.0)).max()))
                goal *= np.expand_dims(change, away)
            if worst < _RAKED:
                break
            if done % _LOOK == 0:
                if worst > last * (1.0 - _NEARER):
                    break
                last = worst
        goal.flags.writeable = False
        return goal

    def _goal(self, term: Term) -> Floats:
        return self._goals[term] if term in self._goals else self.table.margin(term)

    @np.errstate(all="ignore")
    def _fit(self, parameters: Parameters) -> None:
        aimed = self._aim(parameters)
        self.distances = iterate(self.model, aimed, tolerance=_ROUGH, iterations=_ROUNDS)
        self.factors = self._factors()

    def _aim(self, parameters: Parameters) -> CrossTable:
        """Set the model to the goals, beginning with some parameters."""
        aimed = self.table.with_margins(self._goals)
        self.model = CliqueTree(aimed, terms_of(len(aimed.keys), self.terms), self._impossible)
        if parameters:
            carry(self.model, parameters)
        return aimed

    def _factors(self) -> list[Factor]:
        return [Factor(*factor) for factor in self.model.factors()]
