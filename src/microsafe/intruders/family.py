"""The family intruder: he knows who lives with whom, and the keys of all members."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from microsafe.intruders.base import AttackedFile, Hits, Intruder, IntruderResult, find_sum_error
from microsafe.notices import Notice, make_notice
from microsafe.options.policy import HOUSEHOLD_RULES
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.steps.base import GlossaryTerm
from microsafe.sums import total


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyIntruder(Intruder):
    """Knows who lives with whom, and the keys of all members of a household."""

    name = "family"
    title = "Family"
    brief = "Knows the keys of a whole household"
    knows = (
        "Someone who knows the keys of all members of a household and who lives with whom, such as "
        "a relative, but not whether they took part."
    )
    assumes = (
        "The household number goes out, so that members are seen together; all keys of all members "
        "are compared, and nothing else."
    )
    term = GlossaryTerm(
        name="intruder: family",
        meaning="Someone who knows who lives with whom and compares the joint keys of all members: "
        "the chance is one over the households of the population that look alike.",
        see="[Families](methods/family.md)",
        sdcmicro="–",
        muargus="–",
    )
    unit = "households"
    rules = tuple(HOUSEHOLD_RULES)
    needs_household = True
    by_record = True
    with_population = False

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:  # noqa: ARG002
        """Measure households by the joint keys of their members."""
        household, name = file.households(), file.scenario.household
        if household is None:
            return self.skip(Sentence("household-unnamed"))
        if name not in file.schema:
            return self.skip(Sentence("household-withheld"))
        families = file.families()
        assert families is not None  # noqa: S101
        size = np.bincount(household, minlength=len(families.risk))
        there = size > 0
        looked_at = there if families.drawn is None else there & families.drawn
        share = float(looked_at.sum() / there.sum())
        chance = families.risk[looked_at]
        hits = Hits(chance=chance)
        expected = hits.expected / share
        above = hits.count_above(self.find_limit(file.limits))
        return IntruderResult(
            unit=self.unit,
            units=int(there.sum()),
            expected=expected,
            largest=hits.largest,
            above=None if above is None else round(above / share),
            certain=total(families.unique[looked_at]) / share,
            figures={
                "household_risk": hits.largest,
                "household_rate": total(chance * size[looked_at]) / share / len(household),
                "expected_households": expected,
            },
            chances=families.risk if share == 1.0 else None,
            chances_of="households",
            notices=(*families.notices, *_find_other_formula(file)),
            share=share,
            standard_error=find_sum_error(chance, share),
        )


def _find_other_formula(file: AttackedFile) -> Iterator[Notice]:
    """Say that the policy judges households by another formula, where it does."""
    by_cell = file.scenario.estimator == "cell"
    if by_cell and any(rule in file.limits for rule in FamilyIntruder.rules):
        yield make_notice("family-formula")
