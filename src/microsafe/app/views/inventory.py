"""Inventory: every variable, what was found about it, and what was decided."""

from __future__ import annotations

from dataclasses import replace

from microsafe.app.messages.inventory import InventoryList, InventoryRow, Way
from microsafe.app.messages.questions import OrderRequest
from microsafe.app.messages.results import build_message
from microsafe.app.messages.study import StudySummary
from microsafe.app.request import Request
from microsafe.app.session import State
from microsafe.app.views.study import summarise_study
from microsafe.studies.study import Study
from microsafe.variables.decide import Keep
from microsafe.variables.profile import VariableProfile
from microsafe.variables.recognise import FindingKind

_RENUMBERED: frozenset[FindingKind] = frozenset(
    {"direct identifier", "record number", "household number"}
)
_BEST_DROPPED: frozenset[FindingKind] = frozenset(
    {"direct identifier", "exact date", "free text", "coordinates", "leftover"}
)


def list_inventory(request: Request[None, None]) -> InventoryList:
    """List all variables."""
    study = request.session.study()
    found = study.inventory(keep=request.session.state.keep, progress=request.progress)
    return build_message(
        InventoryList,
        found,
        variables=tuple(
            build_message(InventoryRow, row, ways=_list_ways(row, study)) for row in found.rows
        ),
    )


def _list_ways(row: VariableProfile, study: Study) -> tuple[Way, ...]:
    """What can be decided about a variable, the best first."""
    if row.decision.role == "dropped":
        return ()
    if any(row.name == scenario.weight for scenario in study.scenarios):
        return ("keep",)
    kinds = {finding.kind for finding in row.findings}
    home = any(row.name == scenario.household for scenario in study.scenarios)
    drop: tuple[Way, ...] = () if home else ("drop",)
    renumber: tuple[Way, ...] = ("renumber",) if home or kinds & _RENUMBERED else ()
    if kinds & _BEST_DROPPED:
        return (*drop, *renumber, "keep")
    return (*renumber, *drop, "keep") if renumber else ("keep", *drop)


def keep_variables(request: Request[None, Keep]) -> StudySummary:
    """Record why some variables go out; without a reason the decision is taken back."""
    start, given = request.session.study().rollback(0), request.body
    why = given.why.strip()
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
    reason = request.body.keep_order.strip()
    request.session.change_state(lambda state: replace(state, keep_order=reason))
    return summarise_study(request)
