"""The intruder who knows how blanks are chosen: a blank tells him that the value was rare."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.intruders.base import AttackedFile, Hits, Intruder, IntruderResult
from microsafe.notices import make_notice
from microsafe.progress import Progress, silent
from microsafe.steps.base import GlossaryTerm


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodIntruder(Intruder):
    """Knows the keys of one person, and how blanks were chosen."""

    name = "method"
    title = "Knows the method"
    brief = "Knows the keys, and how values to blank are chosen"
    knows = (
        "Someone who knows the keys of one person and how blanks are chosen, and so that a blanked "
        "value was rare."
    )
    assumes = (
        "The model of the population is right, and the intruder knows of every combination of keys "
        "which of them would be blanked."
    )
    term = GlossaryTerm(
        name="intruder: knows the method",
        meaning="Someone who runs the method of suppression on a register of his own: behind a "
        "blank he looks only for people who would be blanked in the same way.",
        see="[Knows the method](methods/intruder-method.md)",
        sdcmicro="–",
        muargus="–",
    )
    unit = "records"
    rules = ("method",)
    needs_model = True
    when_perturbed = False
    with_population = False

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:  # noqa: ARG002
        """Count, for each view, the people who would be shown so."""
        found = file.views()
        if isinstance(found, str):
            return self.skip(found)
        cells = file.measured().cells
        hits = Hits.of_cells(found.risk, cells)
        blanked = Hits(chance=found.risk[found.blanked], count=cells.members[found.blanked])
        return IntruderResult(
            unit=self.unit,
            units=hits.units,
            expected=hits.expected,
            largest=hits.largest,
            above=hits.count_above(self.find_limit(file.limits)),
            figures={"method": hits.largest},
            chances=hits.chance,
            chances_of="cells",
            found={"blanked": blanked.expected},
            notices=(make_notice("method-about"),) if found.about else (),
        )
