"""Look at one or two variables: records by category or bin, small counts masked.

Categories come from cells, numbers from one pass over the records; both stay on the server.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from microsafe.app.masking import LEAST, Counts, Mask, mask_line, mask_table
from microsafe.app.messages.explore import (
    AxisChoice,
    CrossCounts,
    ExploredCount,
    ExploredVariable,
    Quantile,
)
from microsafe.app.refusal import Refusal
from microsafe.compare.number_plot_data import Axis, make_axis
from microsafe.compare.record_columns import read_values
from microsafe.engine.record_access import Selection
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.studies.categories import is_telling, order_places, spell_labels
from microsafe.studies.study import Study
from microsafe.sums import Floats, sum_by
from microsafe.variables.roles import likely_measure

Places = NDArray[np.uint16]

FEW = 20  # values up to which a number is looked at as categories
MOST = 40  # categories or bins of a variable; the rarest are pooled
MOST_IN_TABLE = 12  # bins of a number
_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_ENOUGH = 100  # records, below which outer quantiles are of single people
_FINE = 500  # parts of the range: quantiles are not told any finer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grouping:
    """A variable by groups: categories, or bins of a number.

    Attributes:
        variable: As it is in that state.
        place: Group of each record; `len(texts)` is missing.
        texts: Of the groups.
        pooled: Categories that the last group stands for together.
        axis: Of bins.
        values: In ascending order, of bins.
    """

    variable: Variable
    place: Places
    texts: tuple[str, ...]
    pooled: int = 0
    axis: Axis | None = None
    values: Floats | None = None


def explore_variable(
    study: Study, name: str, weight: str | None, axis: AxisChoice, progress: Progress
) -> ExploredVariable:
    """Count the records of a variable by category or bin."""
    found = _group(study, name, progress, most=MOST, scale=axis)
    size = len(found.texts) + 1
    counts = np.bincount(found.place, minlength=size)
    hidden = mask_line(counts)
    shares = _weigh(found.place, _read_weights(study, weight, progress), size)
    made = [
        ExploredCount(
            text=text,
            records=None if gone else int(count),
            weighted=None if gone or shares is None else float(share),
        )
        for text, count, gone, share in zip(
            (*found.texts, ""),
            counts,
            hidden,
            counts if shares is None else shares,
            strict=True,
        )
    ]
    return ExploredVariable(
        name=name,
        label=found.variable.label,
        records=len(found.place),
        counts=tuple(made[:-1]),
        pooled=found.pooled,
        missing=made[-1],
        axis=found.axis,
        quantiles=() if found.values is None else tuple(list_quantiles(found.values)),
        least=LEAST,
    )


def explore_table(
    study: Study, rows: str, columns: str, weight: str | None, progress: Progress
) -> CrossCounts:
    """Count the records of two variables against each other.

    Raises:
        Refusal: No choice of cells would protect the small ones.
    """
    one, other = (_group(study, name, progress, most=MOST_IN_TABLE) for name in (rows, columns))
    high, wide = len(one.texts) + 1, len(other.texts) + 1
    place = one.place * np.uint16(wide) + other.place
    counts = np.bincount(place, minlength=high * wide).reshape(high, wide)
    weights = _weigh(place, _read_weights(study, weight, progress), high * wide)
    keep = _list_there(counts.sum(1)), _list_there(counts.sum(0))
    counts = counts[np.ix_(*keep)]
    sums = counts.sum(1), counts.sum(0)
    masks = mask_line(sums[0]), mask_line(sums[1])
    hidden = mask_table(counts, *masks)
    if hidden is None:
        raise Refusal(
            409,
            f"Almost every cell of {rows} by {columns} is of one or two people, so the table is "
            "not shown.",
            "Choose variables with fewer categories, or recode them first.",
        )
    shares = None
    if weights is not None:
        kept = weights.reshape(high, wide)[np.ix_(*keep)]
        with np.errstate(invalid="ignore"):
            shares = np.where(masks[0][:, None] | hidden, np.nan, kept / kept.sum(1)[:, None])
    return CrossCounts(
        names=(rows, columns),
        labels=(one.variable.label, other.variable.label),
        records=int(counts.sum()),
        rows=tuple((*one.texts, "")[at] for at in keep[0]),
        columns=tuple((*other.texts, "")[at] for at in keep[1]),
        counts=tuple(_tell(line, gone) for line, gone in zip(counts, hidden, strict=True)),
        weighted=None if shares is None else tuple(tuple(line) for line in shares.tolist()),
        row_totals=_tell(sums[0], masks[0]),
        column_totals=_tell(sums[1], masks[1]),
        least=LEAST,
    )


def _list_there(sums: Counts) -> list[int]:
    """Groups to show: all but those that nobody is in."""
    return np.flatnonzero(sums).tolist()


def _tell(counts: Counts, hidden: Mask) -> tuple[int | None, ...]:
    pairs = zip(counts.tolist(), hidden.tolist(), strict=True)
    return tuple(None if gone else count for count, gone in pairs)


def _group(
    study: Study, name: str, progress: Progress, *, most: int, scale: AxisChoice = "auto"
) -> Grouping:
    """Put every record into a category or bin of a variable.

    Raises:
        Refusal: Its values would tell people apart.
    """
    variable = study.schema[name]
    if variable.kind == "other":
        raise Refusal(409, f"{name} holds lists or other compound values, which are not counted.")
    numeric = variable.kind in ("integer", "number", "text") and not variable.labels
    if numeric or likely_measure(variable, numeric=True) == "scale":
        values = read_numbers(study, name, progress)
        if values is not None and (binned := _bin(variable, values, most, scale)):
            return binned
    return _categorise(study, variable, progress)


def _bin(variable: Variable, values: Floats, most: int, scale: AxisChoice) -> Grouping | None:
    known = np.sort(values[~np.isnan(values)])
    if np.count_nonzero(np.diff(known)) < FEW:
        return None
    axis = make_axis([known], most, scale=scale)
    if axis is None:
        return None
    place = np.full(len(values), axis.bins, np.uint16)
    there = ~np.isnan(values)
    place[there] = axis.place(values[there])
    return Grouping(
        variable=variable,
        place=place,
        texts=tuple(_spell_bins(axis)),
        axis=axis,
        values=known,
    )


def _spell_bins(axis: Axis) -> list[str]:
    """Bounds of bins; the outer ones are open."""
    edges = [f"{edge:,.6g}" for edge in axis.edges]
    inner = [f"{low} – {high}" for low, high in pairwise(edges[1:-1])]
    return [f"below {edges[1]}", *inner, f"{edges[-2]} or more"]


def _categorise(study: Study, variable: Variable, progress: Progress) -> Grouping:
    """Put every record into its category, the rarest together if there are many."""
    name = variable.name
    batches = study.engine.columns(Selection(forms={name: "code"}), progress=progress)
    parts = [batch.columns[name] for batch in batches]
    codes = np.concatenate([np.where(part.missing, 0, part.data) for part in parts])
    codes = codes.astype(np.int64)
    texts = study.engine.categories(name)
    counts = np.bincount(codes, minlength=len(texts) + 1)[1:]
    there = np.flatnonzero(counts)
    labels = spell_labels(variable)
    if is_telling([texts[at] for at in there.tolist()], labels, len(codes)):
        raise Refusal(
            409,
            f"{name} has {len(there):,} different values, which would tell people apart.",
            "Choose another variable, or recode it first.",
        )
    pooled = 0
    shown = there
    if len(there) > MOST:
        pooled = len(there) - MOST + 1
        order = np.lexsort((there, -counts[there]))
        shown = np.sort(there[order[: MOST - 1]])
    shown = np.array(order_places(variable, texts, shown.tolist()), np.intp)
    place = np.full(len(texts) + 1, len(shown), np.uint16)
    place[shown + 1] = np.arange(len(shown))
    groups = len(shown) + bool(pooled)
    place[0] = groups
    names = [f"{texts[at]} {labels.get(texts[at], '')}".strip() for at in shown.tolist()]
    return Grouping(
        variable=variable,
        place=place[codes],
        texts=(*names, *([f"{pooled:,} other categories"] if pooled else [])),
        pooled=pooled,
    )


def read_numbers(study: Study, name: str, progress: Progress) -> Floats | None:
    """Return values by record, NaN for missing and infinite; None if they are no numbers."""
    values = read_values(study.engine, name, progress=progress)
    return None if values is None else np.where(np.isfinite(values), values, np.nan)


def _read_weights(study: Study, weight: str | None, progress: Progress) -> Floats | None:
    if weight is None or weight not in study.schema:
        return None
    found = read_numbers(study, weight, progress)
    return None if found is None else np.nan_to_num(found)


def _weigh(place: Places, weights: Floats | None, size: int) -> Floats | None:
    """Return the share of the weight in each group."""
    if weights is None or not weights.sum() > 0:
        return None
    sums: Floats = sum_by(place, weights, size)
    shares: Floats = sums / sums.sum()
    return shares


def list_quantiles(values: Floats) -> list[Quantile]:
    """Some quantiles, so rounded that each stands for several records."""
    shares: Sequence[float] = _SHARES if len(values) >= _ENOUGH else _SHARES[1:-1]
    if len(values) < _ENOUGH / 5:
        return []
    places = [round(share * (len(values) - 1)) for share in shares]
    span = float(values[places[-1]] - values[places[0]]) or abs(float(values[places[0]])) or 1.0
    finest = 10.0 ** math.floor(math.log10(span / _FINE))
    return [
        Quantile(share=share, value=_round_for_many(values, float(values[at]), finest))
        for share, at in zip(shares, places, strict=True)
    ]


def _round_for_many(values: Floats, value: float, finest: float) -> float:
    """Round a number so far that at least three records are rounded to it."""
    step = finest
    while True:
        for digit in (1, 2, 5):
            width = digit * step
            rounded = float(f"{round(value / width) * width:.12g}")
            ends = np.searchsorted(values, [rounded - width / 2, rounded + width / 2])
            if ends[1] - ends[0] >= LEAST:
                return rounded
        step *= 10
