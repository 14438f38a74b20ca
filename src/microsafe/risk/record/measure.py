"""From cells to risk: frequencies, base risk, chance of attack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.progress import Progress, silent
from microsafe.risk.record.attack import chance_of_agreement, chance_of_attack
from microsafe.risk.record.expected import expected_matches
from microsafe.risk.record.individual import Approximation, individual_risk
from microsafe.risk.record.limit import Curve
from microsafe.risk.record.population import Population
from microsafe.risk.record.reference import Reference
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
    reference: Reference | None = None,
    population: Population | None = None,
    progress: Progress = silent,
) -> Measured:
    """Compute the risk of every cell.

    Args:
        cells: As the engine counted them for the scenario.
        scenario: Missing rule, attack model, factor, errors of keys.
        approximation: A published formula instead of the exact base risk.
        reference: The file without blanks, if known: it tells the missing rule "expected" what
            they hide, and by its model, if it has one, the base risk is estimated.
        population: Known counts: F is theirs, and the base risk is 1/F. It has no gaps, so
            matches that rest on a gap of another record do not count.
        progress: Progress callback.

    Assumes:
        The file is a sample, and weights estimate how many people each record stands for.
        Without weights every risk is 1/f, which treats the file as the whole population.
    """
    merged, group = cells.project(cells.keys) if scenario.attack == "weight" else (cells, None)
    found = _matches(merged, reference, scenario, progress)
    f, F = found.frequencies(scenario.alpha)
    progress("computing risk", 0.0)
    base_risk = _base_risk(merged, scenario, found, approximation, reference)
    ways = [(f, F, base_risk(scenario.alpha))]
    if found.gap.any():
        ways.append((*found.frequencies(0.0), base_risk(0.0)))
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


def _base_risk(
    cells: Cells,
    scenario: Scenario,
    found: Matches,
    approximation: Approximation | None,
    reference: Reference | None,
) -> Callable[[float], Floats]:
    """What gives the base risk of every cell where a match through a gap counts so much."""
    gaps_are_categories = scenario.missing == "category"
    crowd = None
    if reference is not None:
        crowd = reference.look_up(cells, gaps_are_categories=gaps_are_categories)
    if crowd is not None:
        return partial(crowd.risk, crowd.find(found) if scenario.missing == "wildcard" else found)
    return lambda alpha: individual_risk(*found.frequencies(alpha), approximation=approximation)


def _matches(
    cells: Cells, reference: Reference | None, scenario: Scenario, progress: Progress
) -> Matches:
    if scenario.missing == "wildcard":
        return matches(cells, progress=progress)
    if scenario.missing == "expected":
        original = None if reference is None else reference.cells.project(cells.keys)[0]
        return expected_matches(cells, original=original, progress=progress)
    zeros = np.zeros(len(cells))
    return Matches(
        shown=cells.count.astype(np.float64), shown_weight=cells.weight, gap=zeros, gap_weight=zeros
    )


def expected_without(
    cells: Cells,
    scenario: Scenario,
    *,
    approximation: Approximation | None = None,
    reference: Reference | None = None,
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
        without = measure(
            left,
            scenario,
            approximation=approximation,
            reference=reference,
            population=population,
        )
        result.append((key, without.expected))
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
