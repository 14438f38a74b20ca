"""The intruder of the papers: he knows the keys of one person, and uses nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from microsafe.intruders.base import AttackedFile, Hits, Intruder, IntruderResult
from microsafe.progress import Progress, silent
from microsafe.steps.base import GlossaryTerm
from microsafe.sums import total

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysIntruder(Intruder):
    """Knows the keys of one person, and looks for a record that matches."""

    name = "keys"
    title = "Knows your keys"
    brief = "Knows the keys of one person, but not who took part"
    knows = (
        "Someone who knows the keys of one person, but not whether that person took part, and who "
        "takes a matching record for theirs."
    )
    assumes = (
        "Nothing but the keys is used: neither who lives together, nor how blanks were chosen, nor "
        "other variables."
    )
    term = GlossaryTerm(
        name="intruder: knows your keys",
        meaning="Someone who knows the keys of one person and nothing else: the intruder of the "
        "papers, whom individual risk is about.",
        see="[Knows your keys](methods/intruder-keys.md)",
        sdcmicro="individual risk",
        muargus="individual risk",
    )
    unit = "records"
    rules = ("record_risk", "expected", "rate")

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:  # noqa: ARG002
        """Take the risk of records as it was measured."""
        measured = file.measured()
        hits = Hits.of_cells(measured.risk, measured.cells)
        uniques = file.population_uniques()
        return IntruderResult(
            unit=self.unit,
            units=hits.units,
            expected=hits.expected,
            largest=hits.largest,
            above=hits.count_above(self.find_limit(file.limits)),
            certain=_count_certain(measured, file) if uniques is None else uniques,
            figures={
                "record_risk": hits.largest,
                "expected": hits.expected,
                "rate": hits.expected / hits.units,
            },
            chances=measured.risk,
            chances_of="cells",
        )


def _count_certain(measured: CellRisk, file: AttackedFile) -> float:
    """Sum P(F = 1 | f = 1) where each cell stands for itself: F is geometric with p = 1/F̂."""
    alone = measured.f == 1
    if file.known_population:
        return float(measured.cells.members[alone & (measured.F == 1)].sum())
    return total(measured.cells.members[alone] / measured.F[alone])
