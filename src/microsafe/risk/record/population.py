"""Known population counts: a register, or a table of counts by keys, beside the estimates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, number
from microsafe.display import show_number
from microsafe.errors import InputError
from microsafe.sums import Floats, sum_by, total

PopulationUse = Literal["check", "F"]

_FAR_OFF = 2.0  # times too large or too small: an estimate that differs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """People of the population by their keys.

    Attributes:
        source: What messages call it.
        cells: Combinations of keys that occur; none has a missing key.
        people: In each of them.
    """

    source: str
    cells: Cells
    people: Floats

    @property
    def size(self) -> float:
        """People in all."""
        return total(self.people)

    def frequencies(self, cells: Cells) -> Floats:
        """Return for each cell of a sample how many people have the keys that it shows."""
        places = [self.cells.keys.index(key) for key in cells.keys]
        codes = [self._translate(place, cells, key) for key, place in enumerate(places)]
        shown = np.zeros(len(cells), np.int64)
        for key, code in enumerate(cells.codes):
            shown |= (code > 0).astype(np.int64) << key
        result = np.zeros(len(cells))
        for mask in np.unique(shown).tolist():
            rows = np.flatnonzero(shown == mask)
            keys = [key for key in range(len(codes)) if mask >> key & 1]
            group, first = number(
                [np.concatenate([cells.codes[key][rows], codes[key]]) for key in keys],
                [len(cells.categories[key]) + 1 for key in keys],
                rows=len(rows) + len(self.people),
            )
            sums = sum_by(group[len(rows) :], self.people, len(first))
            result[rows] = sums[group[: len(rows)]]
        return result

    def _translate(self, place: int, cells: Cells, key: int) -> NDArray[np.int64]:
        """Codes of a key as the sample has them; one more for categories that it lacks."""
        known = {category: code for code, category in enumerate(cells.categories[key], 1)}
        other = len(known) + 1
        codes = [0, *(known.get(category, other) for category in self.cells.categories[place])]
        return np.array(codes, np.int64)[self.cells.codes[place]]

    def require(self, f: Floats, known: Floats, cells: Cells) -> None:
        """Refuse counts that the sample contradicts.

        Raises:
            InputError: Some records have fewer people in the population than in the file.
        """
        if records := int(cells.members[f > known].sum()):
            raise InputError(
                f"{self.source} has fewer people than the sample for the keys of {records:,} "
                "records. Check that both code the keys alike and are of the same population and "
                "time, or use the counts as a check only."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationCheck:
    """Estimates beside known counts.

    Attributes:
        source: Where the counts come from.
        use: `"check"`, or `"F"` if the risk itself is 1/F by the counts.
        people: Known, in all.
        estimated_people: By the weights.
        expected: Re-identifications to expect by the counts.
        estimated: The same by the weights.
        population_uniques: Records that are alone in the population.
        differing: Records whose estimated number of people is more than twice the known one, or
            less than half of it.
        contradicted: Records with fewer people in the population than in the file.
    """

    source: str
    use: PopulationUse
    people: float
    estimated_people: float
    expected: float
    estimated: float
    population_uniques: int
    differing: int
    contradicted: int

    @property
    def ratio(self) -> float:
        """How many times as much is to be expected by the counts as by the weights."""
        return self.expected / self.estimated


def check_population(
    population: Population,
    cells: Cells,
    *,
    use: PopulationUse,
    f: Floats,
    F: Floats,
    by_counts: Floats,
    estimated: float,
) -> PopulationCheck:
    """Compare estimates with known counts.

    Args:
        population: The counts.
        cells: Of the sample.
        use: What the counts are used for.
        f: Records that show the keys of each cell.
        F: Estimated number of people who have them.
        by_counts: Risk of each cell by the counts.
        estimated: Expected re-identifications by the weights.
    """
    known, members = population.frequencies(cells), cells.members
    far_off = (known * _FAR_OFF < F) | (known > F * _FAR_OFF)
    return PopulationCheck(
        source=population.source,
        use=use,
        people=population.size,
        estimated_people=total(cells.weight * members / cells.count),
        expected=total(by_counts * members),
        estimated=estimated,
        population_uniques=int(members[(known == 1) & (f == 1)].sum()),
        differing=int(members[far_off].sum()),
        contradicted=int(members[f > known].sum()),
    )


def population_rows(found: PopulationCheck) -> list[tuple[str, str]]:
    """Return the figures by known counts as names and texts."""
    other = f"{show_number(found.estimated)} by the weights" if found.use == "F" else ""
    times = other or f"{show_number(found.ratio, 3)} times the estimate"
    people = f"{show_number(found.people)} (by the weights {show_number(found.estimated_people)})"
    return [
        ("people in the population", people),
        ("expected by known counts", f"{show_number(found.expected)} ({times})"),
        ("population uniques by known counts", f"{found.population_uniques:,}"),
        ("records with F off by more than a factor of 2", f"{found.differing:,}"),
    ]
