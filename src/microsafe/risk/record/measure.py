"""From cells to risk: frequencies, base risk, chance of attack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells
from microsafe.options.approximation import ApproximationOptions
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.risk.record.attack import chance_of_agreement, chance_of_attack
from microsafe.risk.record.expected_matches import expected_matches
from microsafe.risk.record.individual import individual_risk
from microsafe.risk.record.limit import Curve
from microsafe.risk.record.population import Population
from microsafe.risk.record.reference import MatchingPeople, Reference
from microsafe.risk.record.retention import KeptKeys, restrict_keys
from microsafe.risk.record.wildcard import Matches, matches
from microsafe.sums import Floats, total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class CellRisk:
    """Risk of the records of every cell.

    Attributes:
        cells: What was measured.
        f: Sample frequency: records that an intruder could not tell apart.
        F: Estimated population frequency.
        base: Base individual risk.
        risk: Final risk: base risk x chance of attack x factor x chance that keys agree.
        gapless: Final risk if matches that rest on a gap of the other record did not count.
        unperturbed: The same before keys were perturbed; None if none were.
        deciding: f, F and base risk for the keys that the intruder does best to look at, where
            some were perturbed.
    """

    cells: Cells
    f: Floats
    F: Floats
    base: Floats
    risk: Floats
    gapless: Floats
    unperturbed: CellRisk | None = None
    deciding: tuple[Floats, Floats, Floats] | None = None
    _sums: list[float] = field(default_factory=list, init=False, repr=False)

    @property
    def expected(self) -> float:
        """Expected number of re-identifications."""
        if not self._sums:  # it is asked for again and again
            self._sums.append(total(self.risk * self.cells.members))
        return self._sums[0]

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
    approximation: ApproximationOptions | None = None,
    reference: Reference | None = None,
    population: Population | None = None,
    kept: KeptKeys | None = None,
    progress: Progress = silent,
) -> CellRisk:
    """Compute the risk of every cell.

    Args:
        cells: As the engine counted them for the scenario.
        scenario: Missing rule, attack model, factor, errors of keys.
        approximation: A published formula instead of the exact base risk.
        reference: The file without blanks, if known: it tells the missing rule "expected" what
            they hide, and by its model, if it has one, the base risk is estimated.
        population: Known counts: F is theirs, and the base risk is 1/F. It has no gaps, so
            matches that rest on a gap of another record do not count.
        kept: Chances that keys which were perturbed are as they were. The cells are then those of
            the file before perturbation, and several may have the same keys.
        progress: Progress callback.

    Assumes:
        The file is a sample, and weights estimate how many people each record stands for.
        Without weights every risk is 1/f, which treats the file as the whole population.
    """
    measure_keys = partial(
        _measure,
        scenario=scenario,
        approximation=approximation,
        reference=reference,
        population=population,
        progress=progress,
    )
    if kept is not None:
        modelled = reference is not None and reference.model is not None
        return _measure_perturbed(cells, kept, measure_keys, modelled=modelled)
    return measure_keys(cells, split=scenario.attack == "weight")


def _measure_perturbed(
    cells: Cells, kept: KeptKeys, measure_keys: Callable[..., CellRisk], *, modelled: bool
) -> CellRisk:
    """Measure by all keys, and by fewer where leaving out perturbed ones helps the intruder.

    Fewer keys never tell more. By a model they may seem to, where those who show them are others.
    """
    plain = measure_keys(cells, split=True)
    chance = kept.chance(cells.keys)
    risk, gapless = chance * plain.risk, chance * plain.gapless
    deciding = [plain.f.copy(), plain.F.copy(), plain.base.copy()]
    for keys in kept.fewer_keys(cells.keys):
        fewer = kept.chance(keys)
        where = np.flatnonzero(fewer > chance)  # else leaving them out gains nothing
        if not len(where):
            continue
        seen = measure_keys(restrict_keys(cells, keys), split=True)
        if modelled:
            seen = replace(
                seen,
                risk=np.minimum(seen.risk, plain.risk),
                gapless=np.minimum(seen.gapless, plain.gapless),
            )
        better = where[(fewer * seen.risk)[where] > risk[where]]
        for made, found in zip(deciding, (seen.f, seen.F, seen.base), strict=True):
            made[better] = found[better]
        risk[better] = (fewer * seen.risk)[better]
        gapless[where] = np.maximum(gapless, fewer * seen.gapless)[where]
    f, F, base = deciding
    return replace(plain, risk=risk, gapless=gapless, unperturbed=plain, deciding=(f, F, base))


def _measure(
    cells: Cells,
    scenario: Scenario,
    *,
    approximation: ApproximationOptions | None,
    reference: Reference | None,
    population: Population | None,
    split: bool,
    progress: Progress = silent,
) -> CellRisk:
    """Compute the risk of every cell; where they are split, several have the same keys."""
    merged, group = cells.project(cells.keys) if split else (cells, None)
    people = None
    if reference is not None:
        people = reference.look_up(merged, gap_categories=scenario.gap_categories)
    found = _matches(merged, reference, people, scenario, progress)
    f, F = found.frequencies(scenario.alpha)
    progress("computing risk", 0.0)
    base_risk = _base_risk(found, people, approximation)
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
    return CellRisk(
        cells=cells,
        f=f,
        F=F,
        base=base,
        risk=final[0],
        gapless=final[-1],
    )


def _base_risk(
    found: Matches, people: MatchingPeople | None, approximation: ApproximationOptions | None
) -> Callable[[float], Floats]:
    """What gives the base risk of every cell where a match through a gap counts so much."""
    if people is not None:
        return partial(people.risk, found)
    chosen = {} if approximation is None else approximation.options()
    return lambda alpha: individual_risk(*found.frequencies(alpha), **chosen)


def _matches(
    cells: Cells,
    reference: Reference | None,
    people: MatchingPeople | None,
    scenario: Scenario,
    progress: Progress,
) -> Matches:
    if scenario.missing == "category":
        shown = np.stack([cells.count.astype(np.float64), cells.weight])
        return Matches.of(shown, np.zeros_like(shown))
    if scenario.missing == "expected":
        original = None if reference is None else reference.find_original(cells)
        expect = None if reference is None else reference.expect(cells)
        return expected_matches(cells, original=original, expect=expect, progress=progress)
    count = partial(matches, cells, progress=progress)
    return count() if people is None else people.find(count)


def expected_without(
    cells: Cells,
    scenario: Scenario,
    *,
    approximation: ApproximationOptions | None = None,
    reference: Reference | None = None,
    population: Population | None = None,
    kept: KeptKeys | None = None,
    progress: Progress = silent,
) -> Sequence[tuple[str, float]]:
    """For each key the expected re-identifications if that key alone were left out.

    Keys come in the order of how much leaving them out helps.
    """
    result = []
    for done, key in enumerate(cells.keys):
        progress("leaving out keys in turn", done / len(cells.keys))
        others = [other for other in cells.keys if other != key]
        split = scenario.attack == "weight" or kept is not None
        left = restrict_keys(cells, others) if split else cells.project(others)[0]
        without = measure(
            left,
            scenario,
            approximation=approximation,
            reference=reference,
            population=population,
            kept=kept,
        )
        result.append((key, without.expected))
    progress("leaving out keys in turn", 1.0)
    return sorted(result, key=lambda pair: pair[1])
