"""Households of a file for swapping: their members, and what all members share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from microsafe.draws import Words, number_identifiers
from microsafe.errors import InputError
from microsafe.risk import individual_risk
from microsafe.steps.record_table import Codes, RecordTable
from microsafe.steps.swap.kernel import Flags
from microsafe.sums import Floats, sum_by


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HouseholdRecords:
    """Households in the order of their numbers, so that the order of records does not matter.

    Attributes:
        name: Of the variable.
        numbers: That they draw by.
        of_record: Which one a record belongs to.
        records: Which records these are.
    """

    name: str
    numbers: Words
    of_record: Codes
    records: Codes

    @classmethod
    def of(cls, table: RecordTable, name: str) -> HouseholdRecords:
        """Find them.

        Raises:
            InputError: Records belong to none.
        """
        codes: Codes = table.columns[name]
        alone = int(np.count_nonzero(codes == 0))
        if alone:
            raise InputError(
                f"{alone:,} records have no household {name!r}, so that nobody can tell who moves "
                "with them. Give each a number of its own."
            )
        texts = table.engine.categories(name)
        whole = table.engine.schema[name].kind == "integer"
        known = number_identifiers(np.array(texts, np.int64) if whole else texts)
        numbers, of_record = np.unique(known[codes - 1], return_inverse=True)
        return cls(
            name=name,
            numbers=numbers,
            of_record=of_record.reshape(-1),
            records=np.arange(len(codes)),
        )

    @property
    def size(self) -> Codes:
        """Members of each."""
        return np.bincount(self.of_record, minlength=len(self.numbers))

    def restrict(self, some: Codes) -> HouseholdRecords:
        """Return some of them, numbered anew."""
        place = np.full(len(self.numbers), -1)
        place[some] = np.arange(len(some))
        inside = np.flatnonzero(place[self.of_record] >= 0)
        return HouseholdRecords(
            name=self.name,
            numbers=self.numbers[some],
            of_record=place[self.of_record[inside]],
            records=self.records[inside],
        )

    def find_shared(self, table: RecordTable, column: str, name: str | None = None) -> Codes:
        """Return the code that all members share; those who lack it do not count.

        Args:
            table: Of all records.
            column: Which.
            name: What messages call it; the same if None.

        Raises:
            InputError: It differs between members.
        """
        codes: Codes = table.columns[column]
        found = np.zeros(len(self.numbers), np.int64)
        np.maximum.at(found, self.of_record, codes)
        differs = (codes > 0) & (codes != found[self.of_record])
        if differs.any():
            count = len(np.unique(self.of_record[differs]))
            raise InputError(
                f"{name or column!r} differs between members in {count:,} households of "
                f"{self.name!r}. Name variables that all members share."
            )
        return found


def find_risky_homes(
    areas: Sequence[Codes],
    household: Codes,
    combination: Codes,
    weights: Floats | None,
    above: float,
) -> tuple[Flags, ...]:
    """Tell by level which households have a member whose risk in the area is above a limit.

    Args:
        areas: Code of the area of every household, by level.
        household: Number of the household of every record.
        combination: Code of what is known of every record.
        weights: Of the records; None if there are none.
        above: The limit.
    """
    found = []
    width = int(combination.max(initial=0)) + 1
    for area in areas:
        _, place, count = np.unique(
            area[household] * width + combination, return_inverse=True, return_counts=True
        )
        place = place.reshape(-1)
        people = count if weights is None else sum_by(place, weights, len(count))
        risky = individual_risk(count, np.maximum(people, count)) > above
        homes = np.zeros(len(area), np.bool_)
        homes[household[risky[place]]] = True
        found.append(homes)
    return tuple(found)
