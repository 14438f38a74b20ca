"""Uses that matter: tables and models that somebody named, before and after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from microsafe.app.messages.compare import (
    ModelDetail,
    ModelSide,
    TableDetail,
    TableSide,
)
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.questions import ComparisonQuery, ModelQuery, TableQuery
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import Session
from microsafe.app.views.study import summarise_study
from microsafe.compare.cost_figures import LossByUses
from microsafe.compare.regression import ModelChange
from microsafe.compare.tables import Shares, TableFigures
from microsafe.compare.use_loss import measure_uses
from microsafe.errors import UsageError
from microsafe.options.uses import ModelUse, TableUse, Uses

_CONSTANT = "(constant)"


def set_uses(request: Request[None, Uses]) -> StudySummary:
    """Set which variables, tables and models matter; nothing named is nothing said."""
    session, uses = request.session, request.body
    study = session.study()
    if not study.scenarios:
        raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
    uses.check(study._before().schema)
    _refuse_private(session, uses.names)
    kept = uses if uses.names else None
    session.change_state(lambda state: replace(state, uses=kept))
    return summarise_study(request)


def _refuse_private(session: Session, names: Iterable[str]) -> None:
    for name in names:
        if session.is_private(name):
            raise UsageError(f"{name} tells people apart, so nobody tabulates it. Name another.")


def weigh_uses(request: Request[ComparisonQuery, None]) -> LossByUses:
    """Measure the loss by the uses that matter."""
    study, uses = request.session.study(), request.session.state.uses
    if uses is None:
        raise Refusal(409, "Nobody said which uses matter.", "Name a table or a model first.")
    start = study._before(request.query.to)
    return measure_uses(start, study, uses, progress=request.progress)


def compare_table(request: Request[TableQuery, None]) -> TableDetail:
    """Compare one table."""
    session, of, to = request.session, request.query.of, request.query.to
    if len(of) > 2 or not of:
        raise UsageError("A table to look at has one or two variables.")
    if len(of) == 2:
        TableUse(of=of)  # refuses what is no table
    study = session.study()
    before = study._before(to)
    for name in of:
        before.schema[name]
    _refuse_private(session, of)
    found = study.compare(to, tables=(of,), progress=request.progress)
    change = next((table for table in found.tables if table.named and table.names == of), None)
    if change is None or change.grid is None:
        raise Refusal(
            409,
            f"Nothing of {' and '.join(of)} is left to be compared.",
            "What was dropped or has no category in common makes no table.",
        )
    grid = change.grid
    plain = (grid.plain_before or grid.before, grid.plain_after or grid.after)
    return TableDetail(
        names=of,
        rows=grid.rows,
        columns=grid.columns if len(of) == 2 else (),
        all_rows=grid.all_rows,
        all_columns=grid.all_columns if len(of) == 2 else 0,
        records=tuple(tuple(round(share * change.records) for share in row) for row in plain[0]),
        plain=_make_side(change.plain or change, *plain),
        weighted=None if change.plain is None else _make_side(change, grid.before, grid.after),
        recoded=tuple(loss for loss in found.losses if loss.name in change.recoded),
    )


def _make_side(found: TableFigures, before: Shares, after: Shares) -> TableSide:
    return build_message(TableSide, found, before=before, after=after)


def compare_model(request: Request[ModelQuery, None]) -> ModelDetail:
    """Compare one regression."""
    session, formula, to = request.session, request.query.formula, request.query.to
    names = ModelUse(formula=formula).names
    study = session.study()
    before = study._before(to)
    for name in names:
        before.schema[name]
    _refuse_private(session, names)
    found = study.compare(to, models=(formula,), progress=request.progress)
    models = found.utility.models if found.utility else ()
    plain = next(model for model in models if not model.weighted)
    weighted = next((model for model in models if model.weighted), None)
    return build_message(
        ModelDetail,
        plain,
        formula=formula,
        plain=_make_model(plain),
        weighted=None if weighted is None else _make_model(weighted),
    )


def _make_model(found: ModelChange) -> ModelSide:
    rows = {coefficient.term: coefficient for coefficient in found.coefficients}
    constant = rows.pop(_CONSTANT, None)
    return build_message(ModelSide, found, constant=constant, coefficients=tuple(rows.values()))
