"""Numbers before and after, as messages."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.app.messages.message_builder import build_message
from microsafe.compare.number_changes import NumberChange


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberEffect:
    """How a number would change; null is what cannot be told.

    Attributes:
        variable: Its name.
        weighted: Whether means and standard deviations are.
        mean_before: Mean without the step.
        mean_after: And with it.
        deviation_before: Standard deviation without it.
        deviation_after: And with it.
        sse: Σ (x - z)² over Σ (x - mean)².
        il1s: Mean of |x - z| over sqrt(2) standard deviations.
        rank_correlation: Of the number before and after.
    """

    variable: str
    weighted: bool
    mean_before: float
    mean_after: float
    deviation_before: float
    deviation_after: float
    sse: float | None
    il1s: float | None
    rank_correlation: float


def describe_number(change: NumberChange) -> NumberEffect:
    """Return how a number changed, by weight if there is one."""
    old, new = change.weighted or change.plain
    return build_message(
        NumberEffect,
        change,
        variable=change.name,
        weighted=change.weighted is not None,
        mean_before=old.mean,
        mean_after=new.mean,
        deviation_before=old.deviation,
        deviation_after=new.deviation,
    )
