"""Numbers before and after, as messages."""

from __future__ import annotations

import math
from dataclasses import dataclass

from microsafe.compare.number_pictures import Axis, JointCounts, NumberPicture
from microsafe.compare.utility import CorrelationChange, NumberChange


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberDrawing:
    """A numeric variable before and after, in bins with round edges.

    Attributes:
        variable: Its name.
        weighted: Whether shares are of the weight; of the records if not.
        axis: Of both distributions.
        before: Share in each bin before.
        after: And after.
        joint: Records by their value before (rows) and after (columns).
    """

    variable: str
    weighted: bool
    axis: Axis
    before: tuple[float, ...]
    after: tuple[float, ...]
    joint: JointCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationTable:
    """How correlations of numeric variables changed.

    Attributes:
        weighted: Whether they are weighted.
        pairs: How many there are.
        largest: Largest absolute difference.
        where: Of which two variables.
        mean: Mean absolute difference.
        names: Variables of both matrices: those that changed most.
        before: Correlations before, a row for each of them.
        after: And after.
    """

    weighted: bool
    pairs: int
    largest: float
    where: tuple[str, str]
    mean: float
    names: tuple[str, ...]
    before: tuple[tuple[float, ...], ...]
    after: tuple[tuple[float, ...], ...]


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
    return NumberEffect(
        variable=change.name,
        weighted=change.weighted is not None,
        mean_before=old.mean,
        mean_after=new.mean,
        deviation_before=old.deviation,
        deviation_after=new.deviation,
        sse=change.sse if math.isfinite(change.sse) else None,
        il1s=change.il1s if math.isfinite(change.il1s) else None,
        rank_correlation=change.rank_correlation,
    )


def describe_correlations(change: CorrelationChange) -> CorrelationTable:
    """Return how correlations changed."""
    return CorrelationTable(
        weighted=change.weighted,
        pairs=change.pairs,
        largest=change.largest,
        where=change.where,
        mean=change.mean,
        names=change.names,
        before=change.before,
        after=change.after,
    )


def draw_number(picture: NumberPicture) -> NumberDrawing:
    """Return what is drawn of a number."""
    return NumberDrawing(
        variable=picture.name,
        weighted=picture.weighted,
        axis=picture.axis,
        before=picture.before,
        after=picture.after,
        joint=picture.joint,
    )
