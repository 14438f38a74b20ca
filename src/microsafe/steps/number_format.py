"""Digits, ranges and missing codes of numeric variables that a step changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from microsafe.codes import spell_code
from microsafe.engine.number_columns import declared_numbers
from microsafe.errors import InputError, UsageError
from microsafe.schema import Code, Variable, number_in
from microsafe.sums import Floats

MOST_DECIMALS = 9  # that somebody may have meant
_ASKED = 15  # decimals that somebody may ask for


def check_names(names: Sequence[str], others: Mapping[str, Sequence[str]] | None = None) -> None:
    """Refuse a step that names no variable, or one for two purposes.

    Args:
        names: Variables that it changes.
        others: Further variables by what they are for.

    Raises:
        UsageError: It does.
    """
    if not names:
        raise UsageError("Name at least one variable.")
    seen: set[str] = set()
    for name in (*names, *(each for more in (others or {}).values() for each in more)):
        if name in seen:
            raise UsageError(f"{name!r} is named twice. Name each variable once.")
        seen.add(name)


def check_decimals(decimals: object) -> None:
    """Refuse a number of decimals that is none."""
    if decimals is None:
        return
    whole = isinstance(decimals, int) and not isinstance(decimals, bool)
    if not whole or not 0 <= decimals <= _ASKED:  # type: ignore[operator]
        raise UsageError(f"Decimals must be a whole number from 0 to {_ASKED}.")


def room_for(variable: Variable, decimals: int, ends: tuple[float, float]) -> tuple[float, float]:
    """Return the lowest and highest number that a field of fixed width can hold.

    Args:
        variable: Whose field it is.
        decimals: Digits behind the point that numbers will have.
        ends: The lowest and highest number as they are.

    Raises:
        InputError: Not even they have room with so many decimals.
    """
    if variable.width is None or variable.format:  # a width of display holds nothing back
        return -np.inf, np.inf
    digits = variable.width - (decimals + 1 if decimals else 0)
    unit = 10.0**-decimals
    highest = 10.0**digits - unit if digits > 0 else -np.inf
    lowest = -(10.0 ** (digits - 1) - unit) if digits > 1 else 0.0
    if digits < 1 or ends[1] > highest or ends[0] < lowest:
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


def meets_missing_codes(values: Floats, variable: Variable) -> bool:
    """Tell whether one of some values is a missing code."""
    within = [
        bool(np.any((values >= low) & (values <= high))) for low, high in variable.missing_ranges
    ]
    return any(within) or bool(np.isin(values, _missing_numbers(variable)).any())


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
