"""Risk of households under a scenario: what the sample tells, and the chance of the attack."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from microsafe.cells import Codes, number
from microsafe.notices import Notice
from microsafe.options.scenario import Scenario
from microsafe.risk.family.members import Families, FamilyView
from microsafe.risk.family.model import FamilyChances, FamilyModel
from microsafe.risk.family.tables import Flags
from microsafe.risk.record.attack import chance_of_attack
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredFamilies:
    """Chances of the households of a file, by the numbers that they have there.

    Attributes:
        risk: Chance that a match with the household is right.
        unique: Chance that it is right for certain, since no other household is like it.
        notices: What to know before trusting them.
        drawn: Which households were measured, if some were drawn at random; None if all were.
    """

    risk: Floats
    unique: Floats
    notices: tuple[Notice, ...] = ()
    drawn: Flags | None = None

    def multiply(self, chance: Floats) -> MeasuredFamilies:
        """Return the chances times another."""
        return replace(self, risk=self.risk * chance, unique=self.unique * chance)


def measure_families(
    families: Families,
    view: FamilyView,
    model: FamilyModel | None,
    scenario: Scenario,
    *,
    count: int,
) -> MeasuredFamilies:
    """Measure households, by the numbers that they have in the file.

    Args:
        families: As if nothing had been blanked.
        view: What is shown of them.
        model: Learnt from them; None if the file is the population.
        scenario: Attack model, factor, and errors of keys: all keys that are shown must agree,
            those that members share once.
        count: Households that the file has.
    """
    if model is None:
        f = count_alike(families, view)
        found = FamilyChances(risk=1.0 / f, unique=(f == 1.0).astype(np.float64))
        weight, F = np.ones(len(f)), f
    else:
        found, weight, f = model.measure_view(view), model.weight, model.f
        F = np.where(model.fraction > 0, f / np.maximum(model.fraction, 1e-300), f * weight)
    chance = scenario.factor * chance_of_attack(
        scenario.attack, f=f, F=F, weight=weight, records=len(families)
    )
    if scenario.error:
        chance = chance * _chance_of_agreement(families, view, scenario)
    return MeasuredFamilies(
        risk=families.give_back(found.risk * chance, count),
        unique=families.give_back(found.unique * chance, count),
        notices=model.find_notices() if model else (),
    )


def _chance_of_agreement(families: Families, view: FamilyView, scenario: Scenario) -> Floats:
    """Chance that all keys which a household shows are recorded without error."""
    right = {key: np.log1p(-scenario.error.get(key, 0.0)) for key in scenario.keys}
    members = view.members @ np.array([right[key] for key in families.keys])
    shared = view.shared @ np.array([right[key] for key in families.shared_keys])
    return np.asarray(np.exp(families.sum_members(members) + shared))


def count_alike(families: Families, view: FamilyView) -> Floats:
    """Count the households of a file that may be each household by what it shows.

    Members are compared place by place, and a gap of another household is no match: both leave
    out some, which is on the safe side.

    Args:
        families: As if nothing had been blanked.
        view: What is shown of them.
    """
    count = np.bincount(families.alike)[families.alike].astype(np.float64)
    for size in np.unique(families.size[~families.find_full(view.members, view.shared)]).tolist():
        homes = np.flatnonzero(families.size == size)
        places = families.first[homes][:, None] + np.arange(size)
        codes = np.hstack([families.shared[homes], families.codes[places].reshape(len(homes), -1)])
        seen = np.hstack([view.shared[homes], view.members[places].reshape(len(homes), -1)])
        count[homes] = _count_by_view(codes, seen)
    return count


def _count_by_view(codes: Codes, seen: Flags) -> Floats:
    """Count, for each row of codes, the rows that have what it shows."""
    count = np.empty(len(codes))
    view = number(list(seen.T.astype(np.uint8)), [1] * seen.shape[1], rows=len(seen))[0]
    order = np.argsort(view, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(view[order])) + 1):
        columns = [codes[:, column] for column in np.flatnonzero(seen[rows[0]])]
        sizes = [int(column.max()) for column in columns]
        group = number(columns, sizes, rows=len(codes))[0]
        count[rows] = np.bincount(group)[group[rows]]
    return count
