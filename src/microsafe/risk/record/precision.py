"""Standard errors of what is expected of a file: how much another sample would change it.

Leaving out a record takes away its own risk and raises that of the others in its cell. What
that changes in all is the influence of the record, and the spread of the influences, over
households where these were drawn, is the variance (docs/methods/standard-errors.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.display import show_number
from microsafe.options.approximation import ApproximationOptions
from microsafe.risk.record.household import HouseholdRisk
from microsafe.risk.record.individual import individual_risk
from microsafe.risk.record.measure import CellRisk
from microsafe.sums import Floats, total

SumByHousehold = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardErrors:
    """Standard errors of sums over the file, by sampling.

    Attributes:
        expected: Of the expected re-identifications.
        rate: Of the re-identification rate.
        household_expected: Of the expected records whose household is re-identified; None
            without households.
        household_rate: Of these as a share of the records, likewise.
        expected_households: Of the expected households with a member re-identified, likewise.
    """

    expected: float
    rate: float
    household_expected: float | None = None
    household_rate: float | None = None
    expected_households: float | None = None


def show_error(errors: StandardErrors | None, of: str) -> str:
    """Return a standard error as it follows its figure; nothing if there is none."""
    error: float | None = getattr(errors, of, None)
    return "" if error is None else f" (standard error {show_number(error, 2)})"


def standard_errors(
    measured: CellRisk,
    *,
    approximation: ApproximationOptions | None = None,
    household: HouseholdRisk | None = None,
    by_household: SumByHousehold | None = None,
) -> StandardErrors | None:
    """Estimate how much the figures of a file would differ in another sample.

    Args:
        measured: Risk of every cell.
        approximation: The formula that was used instead of the exact base risk.
        household: Risk of every household, if they were drawn together.
        by_household: Sums a value of at least 0, known for each cell, over households.

    Returns:
        None if the file is the whole population, or a single unit: then nothing is known.

    Assumes:
        Records, or whole households, were drawn independently of each other, and in a cell all
        records have the same weight. With missing keys: who matches a record has its risk.

    References:
        Efron and Stein (1981), "The jackknife estimate of variance": it is cautious.
    """
    members = measured.cells.members
    records = int(members.sum())
    people = total(measured.cells.weight * members / measured.cells.count)
    left = 1.0 - records / people
    units = records if household is None else len(household.risk)
    if not left > 0.0 or units < 2:
        return None
    raised = _raised_risk(measured, approximation)
    if household is None or by_household is None:
        spread = _spread(measured.risk - raised, members, left)
        return StandardErrors(expected=spread, rate=spread / records)
    size, ones = household.size, np.ones(len(household.size), np.int64)
    own, others = by_household(measured.risk), by_household(raised)
    expected = own - others
    # A change of the members' risks changes that of households in proportion, on average.
    homes, inside = (
        figure - others * (part / measured.expected)
        for figure, part in (
            (household.risk, household.expected_households),
            (household.risk * size, household.expected),
        )
    )
    rate, household_rate = measured.expected / records, household.rate
    return StandardErrors(
        expected=_spread(expected, ones, left),
        rate=_spread(expected - rate * size, ones, left) / records,
        household_expected=_spread(inside, ones, left),
        household_rate=_spread(inside - household_rate * size, ones, left) / records,
        expected_households=_spread(homes, ones, left),
    )


def errors_in_proportion(
    measured: CellRisk, spread: float | None, *, household: HouseholdRisk | None = None
) -> StandardErrors | None:
    """Return standard errors that are the same part of every figure; None if it is not known."""
    if spread is None:
        return None
    expected = spread * measured.expected
    rate = expected / measured.cells.records
    if household is None:
        return StandardErrors(expected=expected, rate=rate)
    return StandardErrors(
        expected=expected,
        rate=rate,
        household_expected=spread * household.expected,
        household_rate=spread * household.rate,
        expected_households=spread * household.expected_households,
    )


def _raised_risk(measured: CellRisk, approximation: ApproximationOptions | None) -> Floats:
    """By how much the risks of the others in its cell would rise without a record, in all."""
    f, F, own = measured.deciding or (measured.f, measured.F, measured.base)
    fewer = np.maximum(f - 1.0, 1.0)
    base = individual_risk(
        fewer,
        np.maximum(fewer * (F / f), fewer),
        **({} if approximation is None else approximation.options()),
    )
    chance = measured.risk / own  # of attack, and the factor
    return chance * (f - 1.0) * np.maximum(base - own, 0.0)


def _spread(influence: Floats, count: NDArray[np.int64], left: float) -> float:
    """Standard error of a sum, from influences that so many units have each."""
    units = int(count.sum())
    mean = total(influence * count) / units
    squares = total((influence - mean) ** 2 * count)
    return math.sqrt(left * units / (units - 1) * squares)
