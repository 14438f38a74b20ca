"""One variable for the recode editor: its categories, or bins where those would be records."""

from __future__ import annotations

import math

import numpy as np

from microsafe.app.messages import MOST_CATEGORIES
from microsafe.app.messages.study import Bin, Category, KeyValue, VariableDetail
from microsafe.codes import spell_code
from microsafe.errors import InputError
from microsafe.progress import Progress
from microsafe.scenario import Scenario
from microsafe.schema import Variable, number_in
from microsafe.study import Study

_ENOUGH = 5  # records by category, on average; below that categories are people's own values
_FEW = 20  # a variable with no more categories than this is a classification in any file
_BINS = 40


def describe_variable(
    study: Study, name: str, progress: Progress, *, private: bool
) -> VariableDetail:
    """Return a variable as it now is.

    Args:
        study: That has it.
        name: Of the variable.
        progress: Progress callback.
        private: Whether its values tell people apart, as numbers of households do.
    """
    variable = study.schema[name]
    try:
        cells = study.engine.cells(Scenario(keys=(name,)), progress=progress)
        codes, count, texts = cells.codes[0], cells.count, cells.categories[0]
    except InputError:  # missing in every record, or nothing that has categories
        codes, count, texts = np.zeros(1, np.uint8), np.array([study.engine.rows()]), ()
    records = np.bincount(codes, count, len(texts) + 1).astype(np.int64)
    there = np.flatnonzero(records[1:])
    numbers = [number_in(texts[at]) for at in there.tolist()]
    numeric = bool(numbers) and all(n is not None and math.isfinite(n) for n in numbers)
    labels = read_labels(variable)
    known = all(texts[at] in labels for at in there.tolist())
    telling = not known and len(there) > max(_FEW, study.engine.rows() / _ENOUGH)
    hidden = private or telling or len(there) > MOST_CATEGORIES
    shown = () if hidden else tuple(there.tolist())
    bins: tuple[Bin, ...] = ()
    if numeric and hidden and not private:
        values = np.array(numbers, np.float64)
        bins = _count_bins(values, records[1:][there])
    return VariableDetail(
        name=name,
        label=variable.label,
        kind=variable.kind,
        numeric=numeric,
        total=len(there),
        categories=tuple(
            Category(code=texts[at], label=labels.get(texts[at], ""), records=int(records[at + 1]))
            for at in shown
        ),
        bins=bins,
        missing=0 if variable.kind == "other" else int(records[0]),
        missing_codes=tuple(
            KeyValue(code=code, label=labels.get(code, ""))
            for code in map(spell_code, variable.missing)
        ),
    )


def read_labels(variable: Variable) -> dict[str, str]:
    """Return the labels of a variable by code as text."""
    return {spell_code(code): label for code, label in variable.labels.items()}


def _count_bins(values: np.ndarray, records: np.ndarray) -> tuple[Bin, ...]:
    """Count numbers in bins with round bounds, so that no bound is anybody's number."""
    low, high = float(values.min()), float(values.max())
    width = 10.0 ** math.ceil(math.log10((high - low) / _BINS)) if high > low else 1.0
    if (high - low) / width < _BINS / 4:
        width /= 5 if (high - low) / width < _BINS / 10 else 2
    place = np.floor(values / width).astype(np.int64)
    first = int(place.min())
    counts = np.bincount(place - first, records).astype(np.int64).tolist()
    return tuple(
        Bin(low=(first + at) * width, high=(first + at + 1) * width, records=int(count))
        for at, count in enumerate(counts)
    )
