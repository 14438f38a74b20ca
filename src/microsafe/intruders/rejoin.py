"""The re-joiner: he puts members together again where the household number does not go out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
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
_MOSTLY = 0.8  # the same for one by which records are joined alone
_BY_CHANCE = 2.0  # times as many neighbours of one household as in a random order may be chance
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
        "Records with the same values of what members of a household share, or side by side in a "
        "file whose order is kept, are taken for one household; those that are put together "
        "wrongly are known by their own keys only."
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
        several = np.bincount(household)[household] > 1
        if not np.any(several):
            return self.skip(Sentence("household-single"), rejoin=0.0)
        found, names = find_traits(file, household, progress).join()
        told = make_notice("rejoined", share=_share(found, several), names=names[:_MOST_NAMED])
        beside = find_neighbours(household) & several
        if file.ordered and np.count_nonzero(beside) > np.count_nonzero(found):
            found = beside
            told = make_notice("rejoined-by-order", share=_share(found, several))
        families = file.families()
        assert families is not None  # noqa: S101
        return replace(
            _count_hits(household, found, families, file.record_risk()),
            figures={"rejoin": _share(found, several)},
            found={"rejoined": float(found.sum())},
            notices=(told, *families.notices) if found.any() else (),
        )


def _share(found: NDArray[np.bool_], several: NDArray[np.bool_]) -> float:
    return float(found.sum() / np.count_nonzero(several))


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharedTraits:
    """What the file shows that members of a household have in common.

    Attributes:
        household: Of each record.
        together: Codes of variables by which records are joined together, by name: those that are
            the same in nearly all households, and those that are but for gaps.
        alone: Members who are found by one variable alone, or by what is left of its values when
            their ends are cut off, by name.
    """

    household: Index
    together: Sequence[Mapping[str, Index]]
    alone: Mapping[str, NDArray[np.bool_]]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(dict.fromkeys(name for part in (*self.together, self.alone) for name in part))

    def join(self, without: Collection[str] = ()) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
        """Return which members are put together, in the way that finds most, and by what.

        Args:
            without: Variables that do not go out after all.
        """
        several = np.bincount(self.household)[self.household] > 1
        best = np.zeros(len(several), np.bool_)
        names: tuple[str, ...] = ()
        ways: list[tuple[tuple[str, ...], NDArray[np.bool_]]] = []
        for part in self.together:
            left = tuple(name for name in part if name not in without)
            codes = [part[name] for name in left]
            ways.append((left, find_rejoined(self.household, codes) & several))
        ways += [((name,), found) for name, found in self.alone.items() if name not in without]
        for left, found in ways:
            if np.count_nonzero(found) > np.count_nonzero(best):
                best, names = found, left
        return best, names


def find_traits(file: AttackedFile, household: Index, progress: Progress) -> SharedTraits:
    """Look for what nearly all members of households have in common.

    Args:
        file: That is attacked.
        household: Of each record.
        progress: Progress callback.
    """
    homes = _Homes(household)
    strict: dict[str, Index] = {}
    loose: dict[str, Index] = {}
    alone: dict[str, NDArray[np.bool_]] = {}
    names = [variable.name for variable in file.schema if variable.kind != "other"]
    for done, name in enumerate(names):
        progress("looking for what members share", done / len(names))
        codes = file.shown(name)
        exact = homes.measure_sameness(codes)
        but_for_gaps = homes.measure_sameness(codes, gaps=True)
        if exact >= _CONSTANT:
            strict[name] = codes
        if but_for_gaps >= _CONSTANT and exact >= _MOSTLY:
            loose[name] = codes
        linked = name in file.linking
        tried = [codes] if but_for_gaps >= _MOSTLY or linked else []
        if 2 * codes.max(initial=0) >= homes.several:  # else it tells hardly any of them apart
            tried += [part for part in file.beginnings(name) if homes.is_mostly_same(part)]
        found = [find_joined_alone(household, each) for each in tried]
        best = max(found, key=np.count_nonzero, default=None)
        if best is not None and best.any():
            alone[name] = best
    together = [strict] if loose.keys() == strict.keys() else [strict, loose]
    return SharedTraits(household=household, together=together, alone=alone)


class _Homes:
    """Records in the order of their households, to see what is the same within them."""

    def __init__(self, household: Index) -> None:
        self._order = np.argsort(household, kind="stable")
        self._first = np.flatnonzero(np.r_[True, np.diff(household[self._order]) > 0])
        self._several = np.diff(np.r_[self._first, len(household)]) > 1

    @property
    def several(self) -> int:
        """How many have two members or more."""
        return int(self._several.sum())

    def measure_sameness(self, codes: Index, *, gaps: bool = False) -> float:
        """Return the share of the households of two or more in which a variable is the same.

        Args:
            codes: Of each record; 0 is a gap.
            gaps: Whether gaps agree with all values. Only households in which two members show one
                are looked at then.
        """
        ordered, asked = codes[self._order], self._several
        least = ordered
        if gaps:
            least = np.where(ordered == 0, np.iinfo(ordered.dtype).max, ordered)
            asked = np.add.reduceat((ordered > 0).astype(np.intp), self._first) > 1
        if not asked.any():
            return 0.0
        largest = np.maximum.reduceat(ordered, self._first)
        same = np.minimum.reduceat(least, self._first) == largest
        return float(np.mean(same[asked]))

    def is_mostly_same(self, codes: Index) -> bool:
        """Tell whether members of most households have the same, but for gaps."""
        return self.measure_sameness(codes, gaps=True) >= _MOSTLY


def find_joined_alone(household: Index, codes: Index) -> NDArray[np.bool_]:
    """Tell which records are in a group of two or more that is all that a household shows.

    Args:
        household: Of each record.
        codes: Of the variable by whose equal values records are grouped; gaps (0) join nobody.
    """
    shown = np.flatnonzero(codes)
    found = np.zeros(len(codes), np.bool_)
    if len(shown):
        home = household[shown]
        right = find_rejoined(home, [codes[shown]])
        found[shown] = right & (np.bincount(home)[home] > 1)
    return found


def find_neighbours(household: Index) -> NDArray[np.bool_]:
    """Tell which records lie beside all others of their household, and nobody between them.

    None do if there are hardly more neighbours of one household than in a random order.

    Args:
        household: Of each record, in the order of the file.
    """
    count, place = np.bincount(household), np.arange(len(household))
    neighbours = np.count_nonzero(household[1:] == household[:-1])
    if neighbours <= _BY_CHANCE * (1.0 + (count * (count - 1)).sum() / max(len(household), 1)):
        return np.zeros(len(household), np.bool_)
    first = np.full(len(count), len(household))
    last = np.zeros(len(count), np.intp)
    np.minimum.at(first, household, place)
    np.maximum.at(last, household, place)
    beside: NDArray[np.bool_] = (last - first + 1 == count)[household]
    return beside
