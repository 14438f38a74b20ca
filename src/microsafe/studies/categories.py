"""List the categories of a variable with their records, or bins where those would be people."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from microsafe.codes import spell_code
from microsafe.engine import Engine
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.schema import Variable, number_in
from microsafe.variables.profile import Bin, CategoryCount, VariableProfile, profile_variable

_ENOUGH = 5  # records by category, on average; below that categories are people's own values
_FEW = 20  # a variable with no more categories than this is a classification in any file
_BINS = 40


def count_categories(
    engine: Engine, name: str, *, most: int, private: bool, progress: Progress = silent
) -> VariableProfile:
    """Return a variable with its categories, or with bins where those would be records.

    Values that tell people apart are not shown, nor are bins of them.

    Args:
        engine: The data.
        name: Of the variable.
        most: If there are more categories, none is shown.
        private: Whether its values tell people apart, as numbers of households do.
        progress: Progress callback.
    """
    variable = engine.schema[name]
    try:
        cells = engine.cells(Scenario(keys=(name,)), progress=progress)
        codes, count, texts = cells.codes[0], cells.count, cells.categories[0]
    except InputError:  # missing in every record, or nothing that has categories
        codes, count, texts = np.zeros(1, np.uint8), np.array([engine.rows()]), ()
    records = np.bincount(codes, count, len(texts) + 1).astype(np.int64)
    there = np.flatnonzero(records[1:])
    numbers = [number_in(texts[at]) for at in there.tolist()]
    numeric = bool(numbers) and all(n is not None and math.isfinite(n) for n in numbers)
    labels = spell_labels(variable)
    telling = is_telling([texts[at] for at in there.tolist()], labels, engine.rows())
    hidden = private or telling or len(there) > most
    bins: tuple[Bin, ...] = ()
    if numeric and not private:
        bins = _count_bins(np.array(numbers, np.float64), records[1:][there])
    return replace(
        profile_variable(variable, len(there), 0 if variable.kind == "other" else int(records[0])),
        numeric=numeric,
        categories=tuple(
            CategoryCount(
                code=texts[at], label=labels.get(texts[at], ""), records=int(records[at + 1])
            )
            for at in order_places(variable, texts, () if hidden else there.tolist())
        ),
        bins=bins,
    )


def is_telling(categories: Sequence[str], labels: Mapping[str, str], records: int) -> bool:
    """Tell whether categories are people's own values rather than those of a classification."""
    known = all(category in labels for category in categories)
    return not known and len(categories) > max(_FEW, records / _ENOUGH)


def spell_labels(variable: Variable) -> dict[str, str]:
    """Return the labels of a variable by code as text."""
    return {spell_code(code): label for code, label in variable.labels.items()}


def order_places(variable: Variable, texts: Sequence[str], there: Sequence[int]) -> Sequence[int]:
    """Places of categories in the order that is declared, others behind."""
    order = {spell_code(code): place for place, code in enumerate(variable.order)}
    return sorted(there, key=lambda at: order.get(texts[at].strip(), len(order)))


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
