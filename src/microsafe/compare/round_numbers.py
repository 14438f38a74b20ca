"""What numbers are rounded to multiples of: 1, 2 or 5 times a power of ten."""

from __future__ import annotations

import math

import numpy as np

from microsafe.compare.record_columns import read_numbers
from microsafe.studies.state import StudyState
from microsafe.sums import Floats

_WEIGHT_PARTS = 5  # of the usual weight


def find_base(study: StudyState, variable: str, parts: int) -> float:
    """Return the base below a part of the usual value of a variable.

    Args:
        study: Where it is.
        variable: Of numbers.
        parts: How many of them make the usual value.
    """
    values = np.abs(_read_values(study, variable))
    return _take_below(float(np.median(values[values > 0])) / parts)


def find_weight_base(study: StudyState, weight: str) -> float:
    """Return the base for weights; no smaller than the smallest, so that none becomes 0."""
    values = _read_values(study, weight)
    return _take_below(min(float(np.median(values)) / _WEIGHT_PARTS, float(values.min())))


def _read_values(study: StudyState, variable: str) -> Floats:
    values = read_numbers(study.engine, variable)
    assert values is not None  # noqa: S101  # numbers were found, or a weight was checked
    return values[~np.isnan(values)]


def _take_below(most: float) -> float:
    power = 10.0 ** math.floor(math.log10(most))
    return max(times * power for times in (1, 2, 5) if times * power <= most)
