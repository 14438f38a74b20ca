"""Inventory: every variable, what was found about it, and what was decided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from microsafe.app.messages.inventory import InventoryList, TellingRow
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.questions import OrderRequest
from microsafe.app.messages.study import StudySummary
from microsafe.app.request import Request
from microsafe.app.session import State
from microsafe.app.views.study import summarise_study
from microsafe.errors import UsageError
from microsafe.options.reason import read_reason
from microsafe.plan.verdicts import find_telling
from microsafe.progress import Progress
from microsafe.steps import Recode
from microsafe.steps.base import Step
from microsafe.studies.recode_like import make_recode_like
from microsafe.studies.study import Study
from microsafe.variables.decide import Keep


def list_inventory(request: Request[None, None]) -> InventoryList:
    """List all variables."""
    study = request.session.study()
    found = study.inventory(keep=request.session.state.keep, progress=request.progress)
    return build_message(
        InventoryList,
        found,
        variables=tuple(row for rows in found.by_group().values() for row in rows),
        telling=tuple(_list_telling(study, request.progress)),
    )


def _list_telling(study: Study, progress: Progress) -> Iterator[TellingRow]:
    """Say which variables tell changed keys, and how each would be recoded alike."""
    found = find_telling(study, progress)
    if isinstance(found, str):  # a notice of the risk says so
        return
    for row in (*found.determining, *found.notable):
        alike = tuple(_recode_alike(study, name, row.key) for name in row.variables)
        yield build_message(TellingRow, row, alike=alike)


def _recode_alike(study: Study, variable: str, key: str) -> Step | None:
    """The step that recodes a variable like a key; None if it would be left out, or cannot be."""
    try:
        step = make_recode_like(study, variable, key)
    except UsageError:
        return None
    return step if step.do == Recode.do else None


def keep_variables(request: Request[None, Keep]) -> StudySummary:
    """Record why some variables go out; without a reason the decision is taken back."""
    start, given = request.session.study().rollback(0), request.body
    why = read_reason(given.why, "to keep variables")
    names = [start.schema[name].name for name in given.variables]

    def keep_names(state: State) -> State:
        reasons = {**state.keep, **dict.fromkeys(names, why)}
        order = [name for name in start.schema.names if reasons.get(name)]
        return replace(state, keep={name: reasons[name] for name in order})

    request.session.change_state(keep_names)
    return summarise_study(request)


def set_order(request: Request[None, OrderRequest]) -> StudySummary:
    """Record why the order of the records is kept; without a reason they are shuffled."""
    request.session.study()
    reason = read_reason(request.body.keep_order, "to keep the order of the records")
    request.session.change_state(lambda state: replace(state, keep_order=reason))
    return summarise_study(request)
