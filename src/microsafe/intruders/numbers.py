"""Numbers: he knows the values of numeric variables, and looks for the record that has them."""

from __future__ import annotations

from dataclasses import dataclass

from microsafe.intruders.base import AttackedFile, Intruder, IntruderResult
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.steps.base import GlossaryTerm


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbersIntruder(Intruder):
    """Knows the keys and the numbers of persons who took part."""

    name = "numbers"
    title = "Numbers"
    brief = "Knows exact numbers, such as income"
    knows = (
        "Someone who knows the keys of persons who took part and, exactly, their numbers that "
        "were changed, such as income."
    )
    assumes = (
        "The intruder takes the nearest record with the same keys; where ranks were swapped, also "
        "the cheapest pairing of all persons with records inside the window. The better counts."
    )
    term = GlossaryTerm(
        name="intruder: numbers",
        meaning="Someone who knows numeric variables exactly, and looks for the record with the "
        "nearest values, or pairs all records inside the window of rank swapping.",
        see="[Numbers](methods/intruder-numbers.md)",
        sdcmicro="`dRisk` measures intervals instead",
        muargus="–",
    )
    unit = "records"
    rules = ("numbers",)
    by_record = True
    of_records = True

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
        """Link records by their numbers, the better of the two ways."""
        measured = file.numbers(progress)
        if measured is None:
            return self.skip(Sentence("numbers-unchanged"))
        found = measured.found
        window = {} if measured.window is None else {"window": measured.window.expected}
        return IntruderResult(
            unit=self.unit,
            units=found.records,
            expected=found.expected,
            figures={self.name: found.rate},
            found={"linked": measured.linkage.all.expected} | window,
        )
