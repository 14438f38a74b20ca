"""Risk: the picture, the limit, and where the risk comes from."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from microsafe.app.ask import Ask
from microsafe.app.curve import curve_points
from microsafe.app.detail import labels_of
from microsafe.app.messages import MOST_CELLS
from microsafe.app.messages.questions import TopCells, Under, Which, Wish
from microsafe.app.messages.risk import (
    Band,
    Contributions,
    FileRisk,
    HouseholdFigures,
    KeyContribution,
    LimitFigures,
    RiskFigures,
    RiskyCell,
    RiskyCells,
)
from microsafe.app.messages.study import KeyValue
from microsafe.app.refusal import Refused
from microsafe.app.session import Session
from microsafe.app.views.study import remarks
from microsafe.codes import spell_code
from microsafe.progress import Progress
from microsafe.risk import Curve, HouseholdRisk, Risk
from microsafe.study import Study


def risk(ask: Ask[Which, None]) -> RiskFigures:
    """Return figures and curve of a scenario."""
    study = ask.session.study(ask.query.steps)
    return figures(ask.session, study, ask.query.scenario, ask.progress)


def risk_known(ask: Ask[Which, None]) -> bool:
    """Tell whether that risk was measured already."""
    study = ask.session.study(ask.query.steps)
    return ask.session.known(study, ask.query.scenario) is not None


def figures(session: Session, study: Study, scenario: str, progress: Progress) -> RiskFigures:
    """Measure a scenario and put the result into a message."""
    measured = session.measured(study, scenario, progress)
    if measured.figures is None:
        progress("drawing the curve", 0.0)
        measured.figures = _figures(measured.risk, len(study.steps))
    return measured.figures


def _figures(found: Risk, steps: int) -> RiskFigures:
    return RiskFigures(
        scenario=found.scenario.name,
        steps=steps,
        title=found.title,
        records=found.n,
        cells=found.n_cells,
        sample_uniques=found.sample_uniques,
        max=found.max,
        expected=found.expected,
        rate=found.rate,
        household=None if found.household is None else _household(found.household),
        curve=curve_points(found.curve),
        notices=remarks(found.notices),
    )


def _household(found: HouseholdRisk) -> HouseholdFigures:
    curve = Curve.of(found.risk, np.ones(len(found.risk), np.int64))
    return HouseholdFigures(
        max=found.max,
        expected=found.expected,
        rate=found.rate,
        households=len(found.risk),
        expected_households=found.expected_households,
        curve=curve_points(curve),
    )


def limit(ask: Ask[None, Wish]) -> LimitFigures:
    """Say exactly what a limit means, and remember it."""
    wish, study = ask.body, ask.session.study()
    found = ask.session.risk(study, wish.scenario, ask.progress)
    chosen = found.choose(
        risk=wish.risk, rate=wish.rate, expected=wish.expected, unsafe=wish.unsafe
    )
    ask.session.choose(chosen.limit)
    return LimitFigures(
        limit=chosen.limit,
        unsafe=chosen.unsafe,
        records=chosen.records,
        expected=chosen.expected_bound,
        rate=chosen.rate_bound,
        households=None if found.household is None else found.household.unsafe(chosen.limit),
    )


def limit_known(ask: Ask[None, Wish]) -> bool:
    """Tell whether the risk that the limit is for was measured already."""
    return ask.session.known(ask.session.study(), ask.body.scenario) is not None


def contributions(ask: Ask[Under, None]) -> Contributions:
    """Say what each key adds."""
    found = ask.session.risk(ask.session.study(), ask.query.scenario, ask.progress)
    return Contributions(
        expected=found.expected,
        keys=tuple(
            KeyContribution(key=each.key, without=each.without, fall=each.fall)
            for each in found.contributions(progress=ask.progress)
        ),
    )


def cells(ask: Ask[TopCells, None]) -> RiskyCells:
    """Return the riskiest cells with their labels."""
    study = ask.session.study()
    found = ask.session.risk(study, ask.query.scenario, ask.progress)
    return RiskyCells(keys=found.scenario.keys, cells=_top(found, study, ask.query.most))


def _top(found: Risk, study: Study, most: int) -> tuple[RiskyCell, ...]:
    keys = found.scenario.keys
    labels = [labels_of(study.schema[key]) for key in keys]
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


def file_risk(ask: Ask[Under, None]) -> FileRisk:
    """Return the risk of the file as a whole."""
    study = ask.session.study()
    name = study.scenario(ask.query.scenario or None).name
    told = study.file_risk(name, progress=ask.progress).summary()
    if told["tau1"] is None or told["tau2"] is None:
        reason = told["opinions"][told["model"]]["remark"]
        raise Refused(422, f"The model has no answer for this file. {reason}".strip())
    band = told.pop("interval")
    return FileRisk(
        **{each.name: told[each.name] for each in fields(FileRisk) if each.name in told},
        interval=None if band is None else Band(tau1=tuple(band["tau1"]), tau2=tuple(band["tau2"])),
    )
