"""Numbers before and after as messages."""

from __future__ import annotations

import math

from microsafe.app.messages.numbers import CorrelationTable, NumberDrawing
from microsafe.app.messages.protect import NumberEffect
from microsafe.compare.number_pictures import NumberPicture
from microsafe.compare.utility import CorrelationChange, NumberChange


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
