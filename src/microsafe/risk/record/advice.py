"""Notices on the risk of records: what in the file or the scenario makes it doubtful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from microsafe.notices import Notice, make_notice
from microsafe.options.policy import MUCH_HIGHER
from microsafe.options.scenario import Scenario
from microsafe.risk.record.household import HouseholdLimit, HouseholdRisk
from microsafe.risk.record.limit import Limit
from microsafe.risk.record.measure import CellRisk

_FEW_GAPS, _DECIDED = 20, 0.95
_ENORMOUS = 10.0  # times the median weight
_ALMOST_IDENTIFIER = 0.5  # categories per record
_ENOUGH_RECORDS = 20


def weight_notices(
    measured: CellRisk, scenario: Scenario, *, median: float, all_one: bool, clipped: int
) -> Iterator[Notice]:
    """Look at the weights."""
    if scenario.weight is None or all_one:
        yield make_notice("weight-none" if scenario.weight is None else "weight-all-one")
        return
    if clipped:
        yield make_notice("weight-clipped", count=clipped)
    heavy = (measured.f == 1) & (measured.F / median > _ENORMOUS)
    if heavy.any():
        yield make_notice("weight-heavy", count=measured.count(heavy), times=_ENORMOUS)


def missing_notices(
    measured: CellRisk, scenario: Scenario, limit: Limit | None
) -> Iterator[Notice]:
    """Look at what rests on missing keys."""
    if scenario.missing == "category":
        return
    helped = measured.gapless > measured.risk
    if not helped.any():
        return
    if limit is not None:
        owing = measured.count((measured.gapless > limit.limit) & (measured.risk <= limit.limit))
    else:
        owing = measured.count(helped & (measured.gapless > 2 * measured.risk))
    if owing:
        yield make_notice("missing-half" if limit is None else "missing-limit", count=owing)


def gap_notices(measured: CellRisk, scenario: Scenario, *, known: bool) -> Iterator[Notice]:
    """Look at what is assumed of gaps that are weighed, unless it is known what they hide."""
    helped = measured.gapless > measured.risk
    if scenario.missing == "expected" and not known and helped.any():
        yield make_notice("missing-unknown")


def gap_answer_notices(measured: CellRisk, scenario: Scenario) -> Iterator[Notice]:
    """Look for gaps that are an answer, as another key decides where they are."""
    cells = measured.cells
    if scenario.estimator != "model" or cells.alike is not None:
        return
    for place, key in enumerate(cells.keys):
        gaps = np.where(cells.codes[place] == 0, cells.count, 0)
        found = gaps.sum()
        if key in scenario.gap_categories or not _FEW_GAPS <= found < _DECIDED * cells.records:
            continue
        for code, other in zip(cells.codes, cells.keys, strict=True):
            missing, records = np.bincount(code, gaps), np.bincount(code, cells.count)
            if other != key and missing[missing >= _DECIDED * records].sum() >= _DECIDED * found:
                yield make_notice("missing-answer", key=key, other=other)
                break


def key_notices(measured: CellRisk) -> Iterator[Notice]:
    """Look for keys that tell nearly every record apart."""
    records = measured.cells.records
    for key, categories in zip(measured.cells.keys, measured.cells.categories, strict=True):
        if records >= _ENOUGH_RECORDS and len(categories) > _ALMOST_IDENTIFIER * records:
            yield make_notice(
                "key-identifier", key=key, categories=len(categories), records=records
            )


def model_ratio(scenario: Scenario, measured: CellRisk, other: CellRisk) -> float:
    """Return the expected re-identifications by the model as a multiple of those by cell."""
    by_model, by_cell = measured.expected, other.expected
    if scenario.estimator == "cell":
        by_model, by_cell = by_cell, by_model
    return by_model / by_cell


def estimator_notices(
    scenario: Scenario, measured: CellRisk, other: CellRisk | None
) -> Iterator[Notice]:
    """Look at what the other estimator says."""
    if other is None or scenario.estimator == "model":
        return
    ratio = model_ratio(scenario, measured, other)
    if ratio > MUCH_HIGHER:
        yield make_notice("model-higher", expected=other.expected, times=ratio)


def readable_notice(keys: Sequence[str]) -> Notice:
    """Say that blanks can be filled in from other members of the household."""
    return make_notice("household-readable", keys=keys)


def household_notices(
    scenario: Scenario, *, unassigned: int, size_key: str | None, largest: int
) -> Iterator[Notice]:
    """Look at the households."""
    if unassigned:
        yield make_notice("household-unassigned", count=unassigned)
    if size_key is None and largest > 1:
        yield make_notice("household-size", household=scenario.household)


def limit_notices(limit: Limit, household: HouseholdRisk | None) -> Iterator[Notice]:
    """Say that a limit on the risk of records leaves households above it, if it does."""
    if household is None or isinstance(limit, HouseholdLimit):
        return
    if unsafe := household.unsafe(limit.limit):
        yield make_notice("household-limit", count=unsafe, households=len(household.risk))
