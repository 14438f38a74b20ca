"""Risk: the picture, the limit, and where the risk comes from."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.app.messages import MOST_CELLS, MOST_POINTS
from microsafe.app.messages.diagnostics import NumericQuery
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.questions import (
    CellsQuery,
    HouseholdLimitTarget,
    LimitTarget,
    PopulationQuery,
    RiskQuery,
    ScenarioQuery,
)
from microsafe.app.messages.risk import (
    Band,
    Contributions,
    CurvePoints,
    FileRiskFigures,
    HouseholdFigures,
    HouseholdLimitFigures,
    LimitFigures,
    NumericFigures,
    NumericLinkage,
    OtherEstimator,
    PopulationFigures,
    RiskFigures,
    RiskyCell,
    RiskyCells,
)
from microsafe.app.messages.study import KeyValue
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import Session
from microsafe.app.views.study import make_remarks
from microsafe.codes import spell_code
from microsafe.options.policy import MUCH_HIGHER
from microsafe.progress import Progress
from microsafe.risk import Curve, HouseholdRisk, Risk
from microsafe.risk.numeric.result import NumericRisk
from microsafe.studies.categories import spell_labels
from microsafe.studies.numeric_risk import compare_numbers, find_changed_numbers, find_windows
from microsafe.studies.perturbed_keys import perturbed_notices
from microsafe.studies.study import Study

# What the other estimator says and what perturbation did have places of their own on the page.
_PLACED = ("estimator-cell", "estimator-model", "model-higher", "perturbed-keys")


def measure_risk(request: Request[RiskQuery, None]) -> RiskFigures:
    """Return figures and curve of a scenario."""
    study = request.session.study(request.query.steps)
    return measure_figures(request.session, study, request.query.scenario, request.progress)


def is_risk_measured(request: Request[RiskQuery, None]) -> bool:
    """Tell whether that risk was measured already."""
    study = request.session.study(request.query.steps)
    return request.session.find_measurement(study, request.query.scenario) is not None


def measure_figures(
    session: Session, study: Study, scenario: str, progress: Progress
) -> RiskFigures:
    """Measure a scenario and put the result into a message."""
    measured = session.measure(study, scenario, progress)
    if measured.figures is None:
        progress("drawing the curve", 0.0)
        measured.figures = _make_figures(measured.risk, len(study.steps))
    return measured.figures


def _make_figures(found: Risk, steps: int) -> RiskFigures:
    return build_message(
        RiskFigures,
        found,
        scenario=found.scenario.name,
        steps=steps,
        records=found.n,
        cells=found.n_cells,
        household=None if found.household is None else _make_household_figures(found.household),
        estimator=found.scenario.estimator,
        proposed=found.proposed_estimator,
        other=_make_other_figures(found),
        curve=thin_curve(found.curve),
        notices=make_remarks(notice for notice in found.notices if notice.id not in _PLACED),
        perturbed="" if found.perturbed is None else found.perturbed.words,
        perturbation=found.perturbed,
    )


def _make_other_figures(found: Risk) -> OtherEstimator | None:
    told, other = found.by_other(), found.other
    if told is None or other is None:
        return None
    return build_message(
        OtherEstimator,
        told,
        estimator=found.other_estimator,
        much_higher=found.scenario.estimator == "cell" and told.ratio > MUCH_HIGHER,
        curve=thin_curve(other.curve),
    )


def _make_household_figures(found: HouseholdRisk) -> HouseholdFigures:
    return build_message(
        HouseholdFigures,
        found,
        households=len(found.risk),
        curve=thin_curve(found.curve),
    )


def set_limit(request: Request[None, LimitTarget]) -> LimitFigures:
    """Say exactly what a limit means, and remember it."""
    target, study = request.body, request.session.study()
    found = request.session.measure_risk(study, target.scenario, request.progress)
    chosen = found.choose(
        risk=target.risk, rate=target.rate, expected=target.expected, unsafe=target.unsafe
    )
    request.session.set_limit(chosen.limit, found.scenario.name)
    beside = found.by_other(chosen)
    return build_message(
        LimitFigures,
        chosen,
        expected=chosen.expected_bound,
        rate=chosen.rate_bound,
        households=None if found.household is None else found.household.unsafe(chosen.limit),
        other=None if beside is None else beside.above_limit,
    )


def set_household_limit(
    request: Request[None, HouseholdLimitTarget],
) -> HouseholdLimitFigures:
    """Say exactly what a limit on household risk means, and remember it."""
    target, study = request.body, request.session.study()
    risk = request.session.measure_risk(study, target.scenario, request.progress)
    found = risk.household
    if found is None:
        raise Refusal(409, "The scenario has no household number.", "Mark it in Scenario.")
    chosen = found.choose(
        risk=target.risk, rate=target.rate, expected_households=target.expected_households
    )
    request.session.set_household_limit(chosen.limit, risk.scenario.name)
    return build_message(
        HouseholdLimitFigures,
        chosen,
        expected_households=chosen.households_bound,
        expected=chosen.expected_bound,
        rate=chosen.rate_bound,
        members={str(size): each for size, each in chosen.members.items()},
    )


def is_limit_measured(request: Request[None, LimitTarget]) -> bool:
    """Tell whether the risk that the limit is for was measured already."""
    return (
        request.session.find_measurement(request.session.study(), request.body.scenario) is not None
    )


def list_contributions(request: Request[ScenarioQuery, None]) -> Contributions:
    """Say what each key adds."""
    found = request.session.measure_risk(
        request.session.study(), request.query.scenario, request.progress
    )
    return Contributions(
        expected=found.expected, keys=tuple(found.contributions(progress=request.progress))
    )


def list_cells(request: Request[CellsQuery, None]) -> RiskyCells:
    """Return the riskiest cells with their labels."""
    study = request.session.study()
    found = request.session.measure_risk(study, request.query.scenario, request.progress)
    name, keys = found.scenario.name, found.scenario.keys
    shown = study if keys == study.scenario(name).keys else study._of(name)  # persons have others
    return RiskyCells(keys=keys, cells=_list_top_cells(found, shown, request.query.most))


def _list_top_cells(found: Risk, study: Study, most: int) -> tuple[RiskyCell, ...]:
    keys = found.scenario.keys
    labels = [spell_labels(study.schema[key]) for key in keys]
    frame = found.top(min(most, MOST_CELLS))
    return tuple(
        RiskyCell(
            values=tuple(
                KeyValue(code=code, label="" if code is None else known.get(spell_code(code), ""))
                for code, known in zip(row[: len(keys)], labels, strict=True)
            ),
            records=row[-4],
            f=float(row[-3]),
            F=row[-2],
            risk=row[-1],
        )
        for row in frame.iter_rows()
    )


def check_population(request: Request[PopulationQuery, None]) -> PopulationFigures:
    """Put known counts beside the estimates for the file before any protection."""
    query, study = request.query, request.session.study()._before()
    path = request.session.folders.find_file(query.folder, query.path)
    found = study.risk(
        study.scenario(query.scenario or None).name,
        population=path,
        population_count=query.count or None,
        progress=request.progress,
    )
    told = found.summary()["population"]
    return PopulationFigures(
        **{
            field.name: told[field.name]
            for field in fields(PopulationFigures)
            if field.name in told
        },
        notices=tuple(notice.text for notice in found.notices if notice.topic == "population"),
    )


def estimate_file_risk(request: Request[ScenarioQuery, None]) -> FileRiskFigures:
    """Return the risk of the file as a whole."""
    study = request.session.study()
    name = study.scenario(request.query.scenario or None).name
    told = study.file_risk(name, progress=request.progress).summary()
    if told["tau1"] is None or told["tau2"] is None:
        reason = told["opinions"][told["model"]]["remark"]
        raise Refusal(422, f"The model gives no estimate for this file. {reason}".strip())
    band = told.pop("interval")
    placed = {notice.text for notice in perturbed_notices(study, study.scenario(name))}
    told["notices"] = tuple(each for each in told["notices"] if each not in placed)
    return FileRiskFigures(
        **{field.name: told[field.name] for field in fields(FileRiskFigures) if field.name in told},
        interval=None if band is None else Band(tau1=tuple(band["tau1"]), tau2=tuple(band["tau2"])),
    )


def measure_numbers(request: Request[NumericQuery, None]) -> NumericFigures:
    """Say whether records can be found again by their numbers."""
    query, study = request.query, request.session.study()
    before = study._before(query.to)
    names = query.variables or find_changed_numbers(before, study)
    if not names:
        return NumericFigures(variables=(), linkages=(), width=0.0, inside=0.0, by_variable={})
    scenario = study.scenario(query.scenario or None)
    options: dict[str, Any] = {"width": query.width, "by_ranks": query.by == "ranks"}
    found = [
        study.numeric_risk(
            names,
            scenario=scenario.name,
            to=query.to,
            repeats=query.repeats,
            progress=request.progress,
            **options,
        )
    ]
    if not query.repeats:
        alone = compare_numbers(
            before.engine,
            study.engine,
            names,
            weight=scenario.weight,
            windows=find_windows(before, study),
            progress=request.progress,
            **options,
        )
        found.insert(0, alone)
    near = found[0].intervals
    return NumericFigures(
        variables=names,
        linkages=tuple(map(_make_linkage, found)),
        width=near.width,
        inside=near.share,
        by_variable=near.by_variable,
    )


def _make_linkage(found: NumericRisk) -> NumericLinkage:
    linked = found.linkage
    return NumericLinkage(
        keys=found.keys,
        all=linked.all,
        outer=linked.outer,
        adjusted=None if found.weight is None else linked.adjusted,
        window=found.window,
    )


PER_DECADE = 200  # limits at which a thinned curve is exact
_RISKIEST = 500  # distinct risks at the upper end, where single records count
_SMALLEST = 1e-30  # risks below this all look alike


def thin_curve(curve: Curve) -> CurvePoints:
    """Return the curve, thinned if it has too many points."""
    exact = len(curve.risk) <= MOST_POINTS
    chosen = np.arange(len(curve.risk)) if exact else _choose_points(curve)
    return CurvePoints(
        exact=exact,
        records=curve.records,
        risk=tuple(curve.risk[chosen].tolist()),
        up_to=tuple(curve.up_to[chosen].tolist()),
        sum_up_to=tuple(curve.sum_up_to[chosen].tolist()),
    )


def _choose_points(curve: Curve) -> NDArray[np.intp]:
    """Points for the picture's grid, the riskiest ones, and the rest by records above them."""
    last = len(curve.risk) - 1
    grid = np.searchsorted(curve.risk, _make_grid(curve), side="right") - 1
    riskiest = np.arange(last + 1 - _RISKIEST, last + 1)
    taken = np.union1d(grid[grid >= 0], np.concatenate([[0], riskiest]))
    left = (MOST_POINTS - len(taken)) // 2
    above = [np.geomspace(curve.records, 1, left), np.linspace(curve.records, 1, left)]
    rest = np.searchsorted(curve.up_to, curve.records - np.concatenate(above))
    taken = np.union1d(taken, rest)
    return np.asarray(np.minimum(taken, last), np.intp)


def _make_grid(curve: Curve) -> NDArray[np.float64]:
    """The limits 10^(i/200) within the curve; every second one if it spans many decades."""
    low, high = np.log10(np.maximum(curve.risk[[0, -1]], _SMALLEST)) * PER_DECADE
    step = 1 + int(high - low) // (MOST_POINTS - 2 * _RISKIEST)
    places = np.arange(np.floor(low / step) * step, np.ceil(high) + 1, step)
    return np.asarray(10.0 ** (places / PER_DECADE))
