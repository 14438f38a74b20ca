"""The time that a proposal may take, looked at before every piece of work."""

from __future__ import annotations

from math import inf
from time import monotonic

from microsafe.display import show_percent
from microsafe.progress import Progress, silent
from microsafe.propose.search import SearchResult

STAGE = "searching for the cheapest plan"
_OFTEN = 0.1  # seconds between two reports of a search


class OutOfTimeError(Exception):
    """The time for a search is over, or the number of plans that it may run."""


class SearchClock:
    """Tells how far a search is, and ends it when time is up.

    Args:
        seconds: That it may take from now on, on the wall.
        progress: Progress callback.
    """

    def __init__(self, seconds: float = inf, progress: Progress = silent) -> None:
        self._begun = monotonic()
        self._until = self._begun + seconds
        self._parent: SearchClock | None = None
        self._progress = progress
        self._stage, self._done = STAGE, 0.0
        self._told, self._left = -inf, 0.0

    @property
    def due(self) -> bool:
        """Whether the search is to be reported again."""
        return monotonic() >= self._told + _OFTEN

    @property
    def over(self) -> bool:
        """Whether time is up."""
        return monotonic() >= self._until

    @property
    def spent(self) -> float:
        """Seconds since it began."""
        return monotonic() - self._begun

    @property
    def share(self) -> float:
        """Share of the time that is over."""
        return 1.0 if self.over else self.spent / (self._until - self._begun)

    def stop(self) -> None:
        """Let time be up, also for what this is a part of."""
        self._until = self._begun
        if self._parent is not None:
            self._parent.stop()

    def leave(self, seconds: float) -> None:
        """Leave some of the time to what comes after the parts, most of it at the most."""
        self._left = seconds

    def part(self, share: float) -> SearchClock:
        """Return a clock for a share of the time that is left."""
        made = SearchClock(inf, self._progress)
        made._parent = self
        if self._until < inf:
            left = max(self._until - made._begun, 0.0)
            made._until = made._begun + min(share * left, max(left - self._left, left / 4))
        return made

    def report(self, stage: str, fraction: float) -> None:
        """Report work that has to be done, however long it takes."""
        self._progress(stage, fraction)

    def tell(self, stage: str, fraction: float) -> None:
        """Report other work than the search; raise if time is up."""
        self._progress(stage, fraction)
        if self.over:
            raise OutOfTimeError

    def tick(self) -> None:
        """Report the search, ten times a second; raise if time is up."""
        if self.due:
            self._told = monotonic()
            self.tell(self._stage, max(self._done, self.share))
        elif self.over:
            raise OutOfTimeError

    def notice(self, found: SearchResult) -> None:
        """Say what was found until now."""
        plan = found.plan
        if plan is not None:
            told = f"{show_percent(plan.loss)} lost, {plan.touched:,} records with blanks"
            least = f"; at least {show_percent(found.bound)}" if found.bound > 0 else ""
            self._stage, self._done = f"{STAGE}: {told}{least}", 1.0 - found.gap
