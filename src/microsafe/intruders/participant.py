"""The acquaintance: he knows the keys of a person, and that the person took part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from microsafe.cells import Cells
from microsafe.intruders.base import AttackedFile, Hits, Intruder, IntruderResult
from microsafe.progress import Progress, silent
from microsafe.risk.record.subset_frequencies import Subsets
from microsafe.steps.base import GlossaryTerm
from microsafe.sums import Floats, total


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantIntruder(Intruder):
    """Knows the keys of one person, and that this person took part in the survey."""

    name = "participant"
    title = "Acquaintance"
    brief = "Knows the keys, and that the person took part"
    knows = (
        "Someone who knows the keys of one person and that this person took part in the survey, "
        "such as a neighbour who saw the interviewer."
    )
    assumes = "The intruder looks for the person among the participants, and at nothing but keys."
    term = GlossaryTerm(
        name="intruder: acquaintance",
        meaning="Someone who knows that a person took part: the chance of a match is one over the "
        "participants who share the keys shown, and sampling protects nobody.",
        see="[Acquaintance](methods/intruder-participant.md)",
        sdcmicro="k-anonymity (prosecutor)",
        muargus="–",
    )
    unit = "records"
    rules = ("k",)
    when_perturbed = False

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:  # noqa: ARG002
        """Count the participants who share what a record shows."""
        cells = file.measured().cells
        sharing = count_sharing(cells, file.whole())
        chance, alone = 1.0 / sharing, np.where(sharing == 1, 1.0, 0.0)
        reference = file.reference()
        if reference is not None and cells.alike is None:
            people = reference.look_up(cells, gap_categories=file.scenario.gap_categories)
            if people is not None and people.has_gaps:
                chance, alone = people.participants()
        hits = Hits.of_cells(chance, cells)
        return IntruderResult(
            unit=self.unit,
            units=hits.units,
            expected=hits.expected,
            largest=hits.largest,
            above=hits.count_above(self.find_limit(file.limits)),
            certain=total(alone * cells.members),
            figures={"k": float(sharing.min(initial=np.inf))},
            chances=hits.chance,
            chances_of="cells",
        )


def count_sharing(cells: Cells, whole: Cells) -> Floats:
    """Count, for each cell, the participants whose values agree with all that it shows.

    Args:
        cells: As they are shown.
        whole: The same records as if nothing had been suppressed, in the same coding. Those who do
            not show a key there, since the file came with a gap, are not counted.
    """
    if cells.alike is not None:  # only counts of whole cells are known, and nothing is hidden
        return cells.count.astype(np.float64)
    every = np.arange(len(cells))
    return Subsets(whole, asking=cells).frequencies(every, -1, gaps_count=False)[0]
