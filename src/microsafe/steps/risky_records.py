"""Select the records that a step is for: those with a risk above a limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import RowLookup
from microsafe.draws import number_identifiers
from microsafe.engine import Engine
from microsafe.engine.record_access import Form, RecordBatch, RecordValues, Selection
from microsafe.errors import UsageError
from microsafe.progress import Progress
from microsafe.risk import measure
from microsafe.schema import Variable
from microsafe.steps.base import StepContext
from microsafe.steps.perturbation import find_subject, flag_name, hide_variable

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskyRows:
    """Combinations of keys whose records are above a limit.

    Attributes:
        keys: Names of the variables.
        codes: For each of them, what codes of the engine are in the cells.
        lookup: Finds combinations.
    """

    keys: tuple[str, ...]
    codes: tuple[NDArray[np.int64], ...]
    lookup: RowLookup

    def find(self, batch: RecordBatch) -> Flags:
        """Tell which records are above the limit."""
        coded = [
            table[batch.columns[name].data]
            for name, table in zip(self.keys, self.codes, strict=True)
        ]
        return self.lookup.find(coded, len(batch.numbers)) >= 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskFlag:
    """Tells which records a step is for, as "1" or "0"."""

    flag: str
    risky: tuple[RiskyRows, ...]
    household: str | None = None
    homes: NDArray[np.uint64] | None = None

    def __call__(self, batch: RecordBatch) -> Mapping[str, RecordValues]:
        """Return the flags."""
        chosen = find_risky(self.risky, batch)
        if self.household is not None and self.homes is not None:
            home = batch.columns[self.household]
            chosen |= np.isin(household_numbers(home), self.homes) & ~home.missing
        texts = np.where(chosen, "1", "0").astype(object)
        none = np.zeros(len(texts), np.bool_)
        return {self.flag: RecordValues(data=texts, missing=none)}


def find_risky(risky: Sequence[RiskyRows], batch: RecordBatch) -> Flags:
    """Tell which records are above the limit under some scenario."""
    chosen = np.zeros(len(batch.numbers), np.bool_)
    for each in risky:
        chosen |= each.find(batch)
    return chosen


def household_numbers(homes: RecordValues) -> NDArray[np.uint64]:
    """Return what members draw by: the number of their household, or its hash if it is text."""
    if homes.data.dtype.kind == "f":
        return number_identifiers(np.where(homes.missing, 0, homes.data).astype(np.int64))
    distinct, place = np.unique(
        np.where(homes.missing, "", homes.data).astype(str), return_inverse=True
    )
    return number_identifiers(distinct.tolist())[place]


def household_form(engine: Engine, name: str) -> Form:
    """Return how the number of a household goes out."""
    return "number" if engine.schema[name].kind == "integer" else "text"


def flag_records(
    before: StepContext,
    engine: Engine,
    variable: str,
    number: int,
    *,
    above: float,
    household: str | None,
    identifier: str | None,
    progress: Progress,
) -> tuple[Engine, str]:
    """Add a hidden variable that tells whose risk is above a limit under some scenario.

    Args:
        before: The data.
        engine: Where the variable is added; it has all variables of the data.
        variable: That the step is about.
        number: Of the step.
        above: The limit.
        household: Members are chosen together, if one of them is above the limit.
        identifier: Variable by which records are known.
        progress: Progress callback.

    Raises:
        UsageError: There is no scenario.
    """
    if not before.scenarios:
        raise UsageError("A limit on risk needs a scenario: name the key variables first.")
    risky = tuple(
        _find_rows(before, scenario.name, above, progress) for scenario in before.scenarios
    )
    flag = flag_name(variable, number)
    hidden = hide_variable(engine.schema[variable], flag)
    engine = engine.copy_variable(variable, hidden)
    forms: dict[str, Form] = {key: "code" for each in risky for key in each.keys}
    homes = None
    if household is not None:
        forms[household] = household_form(engine, household)
        asked = Selection(forms=forms, identifier=identifier)
        homes = _risky_homes(engine, asked, risky, household)
    kernel = RiskFlag(flag=flag, risky=risky, household=household, homes=homes)
    selection = Selection(forms={**forms, flag: "text"}, identifier=identifier)
    return engine.map_records(selection, [Variable(name=flag)], kernel), flag


def _find_rows(before: StepContext, name: str, above: float, progress: Progress) -> RiskyRows:
    """The combinations of keys that are above the limit, as if every record were attacked."""
    scenario = replace(before.scenario(name), attack="all")
    subject = find_subject(before.engine, before.perturbation, scenario, progress=progress)
    found = measure(
        subject.cells,
        scenario,
        reference=before.reference(scenario, progress=progress),
        kept=subject.kept,
        progress=progress,
    )
    rows = found.risk > above
    cells = subject.counted
    codes = [code[rows].astype(np.int64) for code in cells.codes]
    sizes = [len(category) for category in cells.categories]
    tables = tuple(
        translate_codes(subject.engine, key, known)
        for key, known in zip(cells.keys, cells.categories, strict=True)
    )
    lookup = RowLookup.of(codes, sizes, int(np.count_nonzero(rows)))
    return RiskyRows(keys=cells.keys, codes=tables, lookup=lookup)


def translate_codes(engine: Engine, name: str, categories: Sequence[str]) -> NDArray[np.int64]:
    """Return by code of a variable, as it leaves the engine, that among some categories.

    What is not among them gets a code that is too large, so that it is not found.
    """
    place = {category: code for code, category in enumerate(categories, 1)}
    known = engine.categories(name)
    return np.array([0, *(place.get(each, len(categories) + 1) for each in known)], np.int64)


def _risky_homes(
    engine: Engine, selection: Selection, risky: Sequence[RiskyRows], household: str
) -> NDArray[np.uint64]:
    search = _RiskyHouseholdPass(risky=tuple(risky), household=household)
    return engine.reduce_records(selection, search).numbers


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _HouseholdNumbers:
    """Numbers of households, in order."""

    numbers: NDArray[np.uint64]

    def merge(self, other: _HouseholdNumbers) -> _HouseholdNumbers:
        return _HouseholdNumbers(numbers=np.union1d(self.numbers, other.numbers))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RiskyHouseholdPass:
    """Finds households with a member above the limit."""

    risky: tuple[RiskyRows, ...]
    household: str

    def __call__(self, batch: RecordBatch) -> _HouseholdNumbers:
        home = batch.columns[self.household]
        some = find_risky(self.risky, batch) & ~home.missing
        return _HouseholdNumbers(numbers=np.unique(household_numbers(home)[some]))
