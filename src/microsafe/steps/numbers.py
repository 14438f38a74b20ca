"""Numeric variables of all records, for steps that look at them before they change them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from microsafe.codes import spell_code
from microsafe.engine import Engine
from microsafe.engine.gate import Form, RecordNumbers, RecordValues, Selection
from microsafe.engine.numbers import declared_numbers
from microsafe.engine.weights import check_weights
from microsafe.errors import InputError, UsageError
from microsafe.perturb.moments import Strata
from microsafe.perturb.noise import count_decimals
from microsafe.progress import Progress, silent
from microsafe.scenario import Scenario
from microsafe.schema import Code, Variable, number_in
from microsafe.sums import Floats

_PER_VALUE = 96  # bytes of a value, what is made of it, and of its place in a tree
_MOST_DECIMALS = 9
LARGEST = 1e100  # beyond, squares have no sum


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrataIndex:
    """Numbers of strata by the codes of the variables that make them; missing is a code too.

    Attributes:
        names: The variables.
        sizes: How many codes each has, missing included.
        packed: Combinations that occur, in order.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    packed: Strata

    def __len__(self) -> int:
        """How many strata there are, at least one."""
        return max(1, len(self.packed))

    def pack(self, columns: Mapping[str, RecordValues], records: int) -> Strata:
        """Return the combination of each record as one number."""
        packed = np.zeros(records, np.int64)
        for name, size in zip(self.names, self.sizes, strict=True):
            values = columns[name]
            packed = packed * size + np.where(values.missing, 0, values.data).astype(np.int64)
        return packed

    def number(self, columns: Mapping[str, RecordValues], records: int) -> Strata:
        """Return the number of the stratum of each record, from 0."""
        if not self.names:
            return np.zeros(records, np.int64)
        return np.searchsorted(self.packed, self.pack(columns, records))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberTable:
    """Numeric variables of all records.

    Attributes:
        selection: By which they went out.
        numbers: Of the records.
        columns: Values by variable; NaN is missing.
        weight: Of each record; None if there is none.
        index: Of the strata.
        stratum: Of each record.
    """

    selection: Selection
    numbers: RecordNumbers
    columns: Mapping[str, Floats]
    weight: Floats | None
    index: StrataIndex
    stratum: Strata


def read_numbers(
    engine: Engine,
    names: Sequence[str],
    *,
    strata: Sequence[str] = (),
    scenarios: Sequence[Scenario] = (),
    identifier: str | None = None,
    progress: Progress = silent,
) -> NumberTable:
    """Read numeric variables of all records.

    Args:
        engine: Where they are.
        names: The variables.
        strata: Categorical variables by which records are parted.
        scenarios: The first that has a weight gives it.
        identifier: Variable that stands for numbers of records.
        progress: Progress callback.

    Raises:
        InputError: There are no records, or a variable has fewer than two different values.
        NotNumericError: A variable holds text.
    """
    if both := set(names).intersection(strata):
        raise UsageError(f"{min(both)!r} cannot be both a stratum and what is changed.")
    weighted = next((each for each in scenarios if each.weight), None)
    forms: dict[str, Form] = dict.fromkeys(names, "number")
    forms |= dict.fromkeys(strata, "code")
    selection = Selection(forms=forms, identifier=identifier)
    extra = {} if weighted is None else {str(weighted.weight): "number"}
    asked = replace(selection, forms=extra | forms)  # type: ignore[arg-type]
    size = engine.rows() * _PER_VALUE * (len(names) + 1)
    engine.afford(size, f"for the values of {len(names)} variables", "Take fewer at a time,")
    sizes = tuple(len(engine.categories(name)) + 1 for name in strata)
    index = StrataIndex(names=tuple(strata), sizes=sizes, packed=np.zeros(0, np.int64))
    numbers, columns, packed, weights = [], {name: [] for name in names}, [], []  # type: ignore[var-annotated]
    for batch in engine.columns(asked, progress=progress):
        numbers.append(batch.numbers)
        packed.append(index.pack(batch.columns, len(batch.numbers)))
        for name in names:
            values = batch.columns[name]
            columns[name].append(np.where(values.missing, np.nan, values.data))
        if weighted is not None:
            weights.append(batch.columns[str(weighted.weight)].data)
    if not numbers:
        raise InputError(f"{engine.schema.source} has no records.")
    weight = None
    if weighted is not None:
        where = f"Weight {weighted.weight!r} of {engine.schema.source}"
        check_weights(weights, "clip", where)
        weight = np.concatenate(weights)
    occurring, stratum = np.unique(np.concatenate(packed), return_inverse=True)
    return NumberTable(
        selection=selection,
        numbers=np.concatenate(numbers),
        columns={name: np.concatenate(parts) for name, parts in columns.items()},
        weight=weight,
        index=replace(index, packed=occurring),
        stratum=stratum.reshape(-1),
    )


def refuse_constant(engine: Engine, columns: Mapping[str, Floats]) -> None:
    """Refuse variables that have no two different values, and values beyond calculation.

    Raises:
        InputError: One has not.
    """
    source = engine.schema.source
    for name, column in columns.items():
        known = column[~np.isnan(column)]
        if count := int(np.count_nonzero(np.abs(known) > LARGEST)):
            raise InputError(
                f"{name!r} of {source} is infinite or above 1e100 in {count:,} records. Correct "
                "them, or declare what stands for missing."
            )
        if not len(known):
            raise InputError(f"{name!r} of {source} is missing in all records. Leave it out.")
        if known.min() == known.max():
            raise InputError(
                f"{name!r} of {source} has the same value in every record, so there is nothing to "
                "protect in it. Leave it out, or drop it."
            )


def shown_decimals(variable: Variable, values: Floats) -> int:
    """Return how many digits behind the point a variable shows."""
    if variable.kind == "integer":
        return 0
    found = count_decimals(values[~np.isnan(values)], most=_MOST_DECIMALS)
    return found if variable.decimals is None else min(found, variable.decimals)


def check_names(names: Sequence[str], what: str) -> None:
    """Refuse no variables, and one that is named twice."""
    if not names:
        raise UsageError(f"Name the variables to {what}.")
    if len(set(names)) < len(names):
        raise UsageError("A variable is named twice. Name each once.")


def check_decimals(decimals: object) -> None:
    """Refuse a number of decimals that is none."""
    if decimals is None:
        return
    whole = isinstance(decimals, int) and not isinstance(decimals, bool)
    if not whole or not 0 <= decimals <= _MOST_DECIMALS:  # type: ignore[operator]
        raise UsageError(f"Decimals must be a whole number from 0 to {_MOST_DECIMALS}.")


def room_for(variable: Variable, decimals: int, values: Floats) -> tuple[float, float]:
    """Return the lowest and highest number that a field of fixed width can hold.

    Args:
        variable: Whose field it is.
        decimals: Digits behind the point that numbers will have.
        values: The numbers as they are.

    Raises:
        InputError: Not even they have room with so many decimals.
    """
    if variable.width is None or variable.format:  # a width of display holds nothing back
        return -np.inf, np.inf
    digits = variable.width - (decimals + 1 if decimals else 0)
    unit = 10.0**-decimals
    highest = 10.0**digits - unit if digits > 0 else -np.inf
    lowest = -(10.0 ** (digits - 1) - unit) if digits > 1 else 0.0
    known = values[~np.isnan(values)]
    if digits < 1 or (len(known) and (known.max() > highest or known.min() < lowest)):
        raise InputError(
            f"The field of {variable.name!r} has room for {variable.width} characters, too few for "
            f"its values with {decimals} decimals. Ask for fewer decimals, or read the data from "
            "another format."
        )
    return lowest, highest


def avoid_missing_codes(values: Floats, variable: Variable, decimals: int) -> Floats:
    """Return values of which none is a missing code: those that are move by the last digit.

    Raises:
        InputError: Missing codes leave no place beside them.
    """
    codes, ranges = _missing_numbers(variable), variable.missing_ranges
    if not codes and not ranges:
        return values
    unit = 10.0**-decimals
    for _ in range(1 + len(codes) + len(ranges)):  # each time one of them at least is passed
        hit = np.isin(values, codes)
        values = np.where(hit, np.round(values + unit, decimals), values)
        for low, high in ranges:
            within = (values >= low) & (values <= high)
            beside = high + unit if np.isfinite(high) else low - unit
            values = np.where(within, np.round(beside, decimals), values)
            hit |= within
        if not hit.any():
            return values
    raise InputError(
        f"Values of {variable.name!r} would become one of its missing codes. Give it other missing "
        "codes first, by a recode."
    )


def _missing_numbers(variable: Variable) -> list[float]:
    found = [number_in(spell_code(code)) for code in variable.missing]
    return [each for each in found if each is not None]


def renew_variable(before: Variable, decimals: int) -> Variable:
    """Return what a numeric variable is once its values were replaced by other numbers.

    Labels stay with missing codes only.
    """
    kept = {
        code: label
        for code, label in before.labels.items()
        if code in before.missing or _is_missing_number(code, before)
    }
    kind = before.kind
    if kind == "integer" and decimals:
        kind = "number"
    shown = before.decimals
    if shown is not None and decimals > shown:
        shown = decimals
    return replace(before, kind=kind, labels=kept, decimals=shown)


def _is_missing_number(code: Code, variable: Variable) -> bool:
    number = number_in(spell_code(code))
    return number is not None and bool(declared_numbers(np.array([number]), variable)[0])
