"""From cells to risk: frequencies, base risk, chance of attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.progress import Progress, silent
from microsafe.risk.record.attack import chance_of_agreement, chance_of_attack
from microsafe.risk.record.expected import expected_matches
from microsafe.risk.record.individual import Approximation, individual_risk
from microsafe.risk.record.limit import Curve
from microsafe.risk.record.population import Population
from microsafe.risk.record.wildcard import Matches, matches
from microsafe.scenario import Scenario
from microsafe.sums import Floats, total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """Risk of the records of every cell.

    Attributes:
        cells: What was measured.
        f: Sample frequency: records that an intruder could not tell apart.
        F: Estimated population frequency.
        base: Base individual risk.
        risk: Final risk: base risk x chance of attack x factor x chance that keys agree.
        gapless: Final risk if matches that rest on a gap of the other record did not count.
    """

    cells: Cells
    f: Floats
    F: Floats
    base: Floats
    risk: Floats
    gapless: Floats

    @property
    def expected(self) -> float:
        """Expected number of re-identifications."""
        return total(self.risk * self.cells.members)

    @property
    def curve(self) -> Curve:
        """The exceedance curve."""
        return Curve.of(self.risk, self.cells.members)

    def count(self, which: NDArray[np.bool_]) -> int:
        """Records in some of the cells."""
        return int(self.cells.members[which].sum())


def measure(
    cells: Cells,
    scenario: Scenario,
    *,
    approximation: Approximation | None = None,
    population: Population | None = None,
    progress: Progress = silent,
) -> Measured:
    """Compute the risk of every cell.

    Args:
        cells: As the engine counted them for the scenario.
        scenario: Missing rule, attack model, factor, errors of keys.
        approximation: A formula of the literature instead of the exact base risk.
        population: Known counts: F is theirs, and the base risk is 1/F. It has no gaps, so
            matches that rest on a gap of another record do not count.
        progress: Progress callback.

    Assumes:
        The file is a sample, and weights estimate how many people each record stands for.
        Without weights every risk is 1/f, which takes the file for the whole population.
    """
    merged, group = cells.project(cells.keys) if scenario.attack == "weight" else (cells, None)
    found = _matches(merged, scenario, progress)
    f, F = found.frequencies(scenario.alpha)
    progress("computing risk", 0.0)
    base = individual_risk(f, F, approximation=approximation)
    ways = [(f, F, base)]
    if found.gap.any():
        shown = found.frequencies(0.0)
        ways.append((*shown, individual_risk(*shown, approximation=approximation)))
    if group is not None:
        ways = [(f[group], F[group], base[group]) for f, F, base in ways]
    if population is not None:
        f = found.frequencies(0.0)[0]
        f = f if group is None else f[group]
        F = np.maximum(population.frequencies(cells), f)
        ways = [(f, F, 1.0 / F)]
    final = [
        scenario.factor
        * base
        * chance_of_attack(
            scenario.attack, f=f, F=F, weight=cells.weight / cells.count, records=cells.records
        )
        for f, F, base in ways
    ]
    if scenario.error:
        agreement = chance_of_agreement(scenario.error, cells)
        final = [risk * agreement for risk in final]
    progress("computing risk", 1.0)
    f, F, base = ways[0]
    return Measured(cells=cells, f=f, F=F, base=base, risk=final[0], gapless=final[-1])


def _matches(cells: Cells, scenario: Scenario, progress: Progress) -> Matches:
    if scenario.missing == "wildcard":
        return matches(cells, progress=progress)
    if scenario.missing == "expected":
        return expected_matches(cells, progress=progress)
    zeros = np.zeros(len(cells))
    return Matches(
        shown=cells.count.astype(np.float64), shown_weight=cells.weight, gap=zeros, gap_weight=zeros
    )


def expected_without(
    cells: Cells,
    scenario: Scenario,
    *,
    approximation: Approximation | None = None,
    population: Population | None = None,
    progress: Progress = silent,
) -> Sequence[tuple[str, float]]:
    """For each key the expected re-identifications if that key alone were left out.

    Keys come in the order of how much leaving them out helps.
    """
    result = []
    for done, key in enumerate(cells.keys):
        progress("leaving out keys in turn", done / len(cells.keys))
        others = [other for other in cells.keys if other != key]
        left = _without(cells, others, scenario)
        found = measure(left, scenario, approximation=approximation, population=population)
        result.append((key, found.expected))
    progress("leaving out keys in turn", 1.0)
    return sorted(result, key=lambda pair: pair[1])


def _without(cells: Cells, others: Sequence[str], scenario: Scenario) -> Cells:
    if scenario.attack != "weight":
        return cells.project(others)[0]
    places = [cells.keys.index(key) for key in others]
    return Cells(
        keys=tuple(others),
        categories=tuple(cells.categories[place] for place in places),
        codes=tuple(cells.codes[place] for place in places),
        count=cells.count,
        weights=cells.weights,
    )
