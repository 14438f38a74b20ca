"""Noise on a weight: the sum of weights is what it was, in the file or in each stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from microsafe.draws import Draws
from microsafe.engine import Engine
from microsafe.engine.record_access import Form, RecordValues, Selection
from microsafe.engine.weights import check_weights
from microsafe.errors import InputError
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress
from microsafe.risk.numeric.linkage import OUTER, measure_outer
from microsafe.risk.numeric.pairs import NumberPairs, find_outer
from microsafe.steps.noise.kernel import NoiseKind, NoiseModel, reflect
from microsafe.steps.noise.moments import find_moments
from microsafe.steps.number_format import avoid_missing_codes, renew_variable, room_for
from microsafe.steps.numeric_profile import NumericRange
from microsafe.steps.record_table import PerturbedUnits, RecordTable
from microsafe.steps.released_weights import shared_household
from microsafe.steps.risky_records import household_form, household_numbers
from microsafe.sums import Floats, sum_by, total

_EXACT = 1e-6  # of a unit: what is as near as that to a whole one is one


def noise_on_weight(
    engine: Engine,
    name: str,
    scenario: Scenario,
    progress: Progress,
    *,
    kind: NoiseKind,
    variance: float,
    draws: Draws,
    strata: Sequence[str],
    identifier: str | None,
    lowest: float,
    decimals: int | None,
) -> tuple[Engine, Mapping[str, object]]:
    """Move weights by what records draw, or households if their members share a weight.

    Args:
        engine: Has the records.
        name: Of the weight.
        scenario: Whose weight it is.
        progress: Progress callback.
        kind: Which noise it is.
        variance: Its ratio to that of the weight.
        draws: Random numbers.
        strata: Variables; sums are kept in each stratum.
        identifier: Variable by which records draw instead of their place in the file.
        lowest: Least weight that may be.
        decimals: Digits behind the point; as many as weights have if None.

    Returns:
        The data with the weights moved, and what came of it.

    Raises:
        InputError: Weights cannot be moved so.
    """
    home = shared_household(engine, scenario, name)
    forms: dict[str, Form] = {name: "number", **dict.fromkeys(strata, "code")}
    if home is not None:
        forms[home] = household_form(engine, home)
    table = RecordTable.read(engine, Selection(forms=forms, identifier=identifier), progress)
    weights = table.numbers_of(name)
    check_weights([weights], scenario.clip_weights, f"Weight {name!r} of {engine.schema.source}")
    variable = engine.schema[name]
    span = NumericRange.of(RecordValues(data=weights, missing=np.isnan(weights)))
    # Sums are kept to the last decimal, so these are those of the values, not of a display.
    shown = span.shown_decimals(replace(variable, decimals=None) if variable.format else variable)
    decimals = shown if decimals is None else decimals
    after = renew_variable(variable, decimals)
    _, highest = room_for(after, decimals, (span.lowest, span.highest))
    lowest = max(10.0**-decimals if scenario.clip_weights else 1.0, lowest)
    stratum = table.number_strata(strata)
    units, numbers = _units(table, home)
    if home is not None:
        for each in strata:
            units.check_constant(table.columns[each], each, home)
    size = np.bincount(units.of_record, minlength=len(units.first))
    first, among = weights[units.first], stratum[units.first]
    moments = find_moments([first], weight=None, stratum=among, strata=int(stratum.max()) + 1)
    model = NoiseModel.of(kind, variance, moments)
    (moved,) = model.add([first], [draws.normals(numbers)], among)
    moved, mirrored = reflect(moved, lowest, np.inf)
    made = restore_totals(
        moved,
        sum_by(stratum, weights, int(stratum.max()) + 1),
        among,
        size=size,
        lowest=lowest,
        decimals=decimals,
    )[units.of_record]
    if made.max() > highest or not np.array_equal(avoid_missing_codes(made, after, decimals), made):
        raise InputError(
            f"The field of {name!r} has no room for some of the weights with noise, or they would "
            "become missing codes. Take less noise, or read the data from another format."
        )
    outer = measure_outer(
        NumberPairs(names=(name,), before=[weights], after=[made]), find_outer([weights], OUTER)
    )
    alone = np.bincount(among)[stratum] == 1
    facts = {
        "moved": {name: int(np.count_nonzero(made != weights))},
        "mirrored": {name: int(size[mirrored].sum())},
        "still": {name: int(np.count_nonzero(alone))},
        "outer_linked": outer.rate,
        "outer_records": outer.records,
    }
    return table.replace({name: made}, {name: after}), facts


def _units(table: RecordTable, home: str | None) -> tuple[PerturbedUnits, np.ndarray]:
    """Records, or households, and the numbers that they draw by."""
    if home is None:
        return PerturbedUnits.by_record(len(table.numbers)), table.numbers
    column = table.columns[home]
    missing = np.isnan(column) if column.dtype.kind == "f" else column == ""
    _, codes = np.unique(column, return_inverse=True)
    units = PerturbedUnits.by_household(np.where(missing, 0, codes.reshape(-1) + 1))
    shared = household_numbers(RecordValues(data=column, missing=missing))
    return units, np.where(missing, table.numbers, shared)[units.first]


def restore_totals(
    values: Floats,
    totals: Floats,
    group: NDArray[np.int64],
    *,
    size: NDArray[np.int64],
    lowest: float,
    decimals: int,
) -> Floats:
    """Return values whose sum in each group is given, none of them below a bound.

    What a value has above the bound is multiplied by one factor in each group. Then values are
    rounded down, and up again where most was cut off, until the sum is reached: to a unit of the
    last decimal for values that count once, to fewer units than the largest size otherwise.

    Args:
        values: At least the bound.
        totals: By group, at least what the bound amounts to.
        group: Of each value, from 0.
        size: How often each value counts.
        lowest: The bound.
        decimals: Digits behind the point that are left.
    """
    unit = 10.0**decimals
    floor = np.ceil(lowest * unit - _EXACT)  # the lowest that can be written
    made = np.empty(len(values))
    order = np.argsort(group, kind="stable")
    for number, some in enumerate(np.split(order, np.cumsum(np.bincount(group))[:-1])):
        times = size[some].astype(np.float64)
        above = np.maximum(values[some] * unit - floor, 0.0)
        wanted = float(np.rint(totals[number] * unit)) - floor * float(times.sum())
        whole = total(times * above)
        if not whole:
            above, whole = np.ones(len(some)), float(times.sum())
        scaled = above * (max(wanted, 0.0) / whole)
        down = np.floor(scaled + _EXACT)
        left = wanted - total(times * down)
        most = np.argsort(down - scaled, kind="stable")
        up = np.zeros(len(some))
        up[most] = np.cumsum(times[most]) <= left
        made[some] = np.round((floor + down + up) / unit, decimals)
    return made
