"""Check single plans against rules that the search cannot bound.

What is asked here need not be monotone in the recodes: the expected number of re-identifications
falls with blanks, of which a coarser node has fewer; an attack by ratio may gain by a merge; a
model that is fitted anew says what it says. So it never decides on a box. It is asked of single
plans, in the order of their loss, until none that could be better is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from microsafe.cells import Cells
from microsafe.errors import UsageError
from microsafe.options.proposal import ProposedGuarantee
from microsafe.options.scenario import Scenario
from microsafe.propose.household_lattice import HouseholdLattice
from microsafe.propose.lattice import Lattice, NodePlan
from microsafe.propose.node_tables import Rungs
from microsafe.propose.search import Settle
from microsafe.risk import measure
from microsafe.steps.suppress.blanks import CellBlanks
from microsafe.steps.suppress.own_guarantee import blank_strict

Check = Callable[[NodePlan], bool]


def settle_by(
    lattice: Lattice, *, guarantee: ProposedGuarantee = "own", checks: Sequence[Check] = ()
) -> Settle | None:
    """Return what a search asks of each plan; None if there is nothing to ask.

    Args:
        lattice: Of the plans.
        guarantee: `strict` adds blanks to those of `own`, so that `own` bounds what it costs.
        checks: Rules that a plan must meet besides, cheap ones first.
    """
    if guarantee == "own" and not checks:
        return None

    @cache  # for the next cap of a frontier
    def settle(plan: NodePlan) -> NodePlan | None:
        made = strict_plan(lattice, plan.rungs) if guarantee == "strict" else plan
        if made.stuck or not all(check(made) for check in checks):
            return None
        return made

    return settle


def strict_blanks(lattice: Lattice, rungs: Rungs) -> CellBlanks:
    """Return the blanks of a node under the guarantee `strict`."""
    cells = lattice.tables.cells_at(rungs)
    return blank_strict(
        cells,
        lattice.verdicts.demands_at(rungs),
        costs=lattice.problem.rates,
        prices=lattice.prices(rungs, np.arange(len(cells))),
        spared=lattice.problem.spared,
    )


def own_blanks(lattice: Lattice, rungs: Rungs) -> CellBlanks:
    """Return the blanks of a node under the guarantee `own`."""
    found = lattice.own(rungs)
    keys = np.zeros(len(lattice.tables.at(rungs)), np.int64)
    keys[found.rows] = found.keys
    stuck = found.rows[found.keys == 0]
    return CellBlanks.whole(lattice.tables.cells_at(rungs), keys, stuck)


def strict_plan(lattice: Lattice, rungs: Rungs) -> NodePlan:
    """Return what a node costs under the guarantee `strict`.

    Raises:
        UsageError: Members of households are blanked jointly.
    """
    _refuse_homes(lattice)
    found = strict_blanks(lattice, rungs)
    bits = found.keys >> np.arange(len(rungs))[:, None] & 1
    price = np.where(bits, lattice.prices(rungs, found.cell), 0.0).sum(axis=0)
    recoded = lattice.recode_loss(rungs)
    return NodePlan(
        rungs=rungs,
        loss=recoded + float((price * found.count).sum()) / lattice.records,
        recoded=recoded,
        blanks=tuple(int(each) for each in (bits * found.count).sum(axis=1)),
        touched=found.records,
        stuck=int(lattice.tables.at(rungs).f[found.stuck].sum()),
    )


def released_cells(lattice: Lattice, rungs: Rungs, guarantee: ProposedGuarantee = "own") -> Cells:
    """Return the cells of the file as a node releases it; categories are numbers of groups.

    Raises:
        UsageError: Members of households are blanked jointly.
    """
    _refuse_homes(lattice)
    find = strict_blanks if guarantee == "strict" else own_blanks
    cells = find(lattice, rungs).apply(lattice.tables.cells_at(rungs))
    return cells.project(cells.keys)[0]


def _refuse_homes(lattice: Lattice) -> None:
    """Refuse what cells do not tell: which records of a cell, of which weight, are blanked."""
    if isinstance(lattice, HouseholdLattice):
        raise UsageError(
            "Where members of households are blanked jointly, the guarantee is 'own', and rules "
            "on the released file are judged by running the plan."
        )


def expected_at_most(
    lattice: Lattice, scenario: Scenario, most: float, *, guarantee: ProposedGuarantee = "own"
) -> Check:
    """Return the rule that no more re-identifications are to be expected than that.

    Args:
        lattice: Of the plans.
        scenario: Whose keys an intruder knows, and how it attacks.
        most: The most; for a rate, times the number of records.
        guarantee: Of the blanks.
    """

    def check(plan: NodePlan) -> bool:
        released = released_cells(lattice, plan.rungs, guarantee).project(scenario.keys)[0]
        return measure(released, scenario).expected <= most

    return check
