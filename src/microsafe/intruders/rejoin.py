"""The re-joiner: he puts members together again where the household number does not go out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number
from microsafe.intruders.base import (
    AttackedFile,
    Hits,
    Intruder,
    IntruderResult,
    find_sum_error,
)
from microsafe.notices import make_notice
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.steps.base import GlossaryTerm
from microsafe.sums import Floats, sum_by, total

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import MeasuredFamilies

_CONSTANT = 0.99  # share of the households of two or more in which a variable must be the same
_MOST_NAMED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinIntruder(Intruder):
    """Puts members of households together again by what they have in common."""

    name = "rejoin"
    title = "Re-joiner"
    brief = "Puts the members of a household together again"
    knows = (
        "Someone who knows a family, and puts its members together again by what all members of a "
        "household have in common: weight, size, rooms."
    )
    assumes = (
        "Records with the same values of everything that members of a household share are taken "
        "for one household; those that are put together wrongly are known by their own keys only."
    )
    term = GlossaryTerm(
        name="intruder: re-joiner",
        meaning="Someone who puts members of a household together again where its number was "
        "dropped, by equal weights and other values that members share.",
        see="[Re-joiner](methods/rejoin.md)",
        sdcmicro="–",
        muargus="–",
    )
    unit = "records"
    rules = ("rejoin",)
    needs_household = True
    by_record = True
    when_perturbed = False
    with_population = False

    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
        """Group records by what members share, and count the groups that are households."""
        household, name = file.households(), file.scenario.household
        if household is None:
            return self.skip(Sentence("household-unnamed"))
        if name in file.schema:
            return self.skip(Sentence("household-released"), rejoin=0.0)
        size = np.bincount(household)[household]
        if not np.any(size > 1):
            return self.skip(Sentence("household-single"), rejoin=0.0)
        shared = find_shared(file, household, progress)
        found = find_rejoined(household, list(shared.values())) & (size > 1)
        families = file.families()
        assert families is not None  # noqa: S101
        together = float(found.sum() / np.count_nonzero(size > 1))
        names = list(shared)[:_MOST_NAMED]
        told = make_notice("rejoined", share=together, names=names)
        return replace(
            _count_hits(household, found, families, file.record_risk()),
            figures={"rejoin": together},
            found={"rejoined": float(found.sum())},
            notices=(told, *families.notices) if found.any() else (),
        )


def _count_hits(
    household: Index, found: NDArray[np.bool_], families: MeasuredFamilies, risk: Floats
) -> IntruderResult:
    """Count who is found, of households that are put together by their family.

    What the family tells beyond the record is known of those that were drawn.

    Args:
        household: Of each record.
        found: Which records are in a group that is their household.
        families: Chances of households.
        risk: Of each record alone.
    """
    there = np.bincount(household) > 0
    drawn = there if families.drawn is None else there & families.drawn[: len(there)]
    share = float(drawn.sum() / there.sum())
    known = found & drawn[household]
    chance = np.where(known, families.risk[household], risk)
    gain = sum_by(household, chance - risk, len(there))[drawn]
    hits = Hits(chance=chance)
    return IntruderResult(
        unit="records",
        units=hits.units,
        expected=total(risk) + total(gain) / share if share < 1.0 else hits.expected,
        largest=hits.largest,
        chances=chance if share == 1.0 else None,
        share=share,
        standard_error=find_sum_error(gain, share),
    )


def find_rejoined(household: Index, shared: list[Index]) -> NDArray[np.bool_]:
    """Tell which records are in a group that is exactly their household.

    Args:
        household: Of each record.
        shared: Codes of the variables by whose equal values records are grouped.
    """
    sizes = [int(codes.max(initial=0)) for codes in shared]
    group, _ = number(shared, sizes, rows=len(household))
    both, _ = number([group, household], [int(group.max()), int(household.max())], rows=len(group))
    together = np.bincount(both)[both]
    found: NDArray[np.bool_] = (np.bincount(group)[group] == together) & (
        np.bincount(household)[household] == together
    )
    return found


def find_shared(file: AttackedFile, household: Index, progress: Progress) -> dict[str, Index]:
    """Return what the file shows of every variable that nearly all households have in common."""
    order = np.argsort(household, kind="stable")
    first = np.flatnonzero(np.r_[True, np.diff(household[order]) > 0])
    several = np.diff(np.r_[first, len(order)]) > 1
    shared, names = {}, [variable.name for variable in file.schema if variable.kind != "other"]
    for done, name in enumerate(names):
        progress("looking for what members share", done / len(names))
        codes = file.shown(name)
        ordered = codes[order]
        same = np.minimum.reduceat(ordered, first) == np.maximum.reduceat(ordered, first)
        if np.mean(same[several]) >= _CONSTANT:
            shared[name] = codes
    return shared
