"""Read a variable as numbers, batch by batch."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import missing_numbers, missing_texts
from microsafe.errors import NotNumericError
from microsafe.schema import Variable
from microsafe.sums import Floats

_FIRST = 1000  # values


class Numbers:
    """Reads numbers; those that are written as text may have a point or a comma.

    Which of the two it is shows only when all were read, so commas are taken for decimal ones
    at first, and `check` refuses the variable if that was wrong.

    Args:
        variable: What is known of it.
        source: What messages call the file.
    """

    def __init__(self, variable: Variable, *, source: str) -> None:
        self._variable = variable
        self._where = f"Variable {variable.name!r} of {source}"
        self._points = self._commas = False
        self._grouped = True  # every comma so far may separate thousands
        self._wrong = self._wrong_with_points = 0

    def read(self, values: pl.Series) -> Floats:
        """Return the next values as numbers; missing, unknown and not-a-number are NaN."""
        if values.dtype == pl.String:
            values = self._parse_texts(values)
        elif not (values.dtype.is_numeric() or values.dtype == pl.Null):
            raise NotNumericError(f"{self._where} does not hold numbers.")
        numbers: Floats = values.cast(pl.Float64).fill_null(math.nan).to_numpy(writable=True)
        numbers[declared_numbers(numbers, self._variable)] = math.nan
        return numbers

    def check(self) -> None:
        """Raise NotNumericError if something that was read is no number."""
        if self._commas and not self._points and self._grouped:
            raise NotNumericError(
                f"{self._where} contains commas that could be thousands or decimal separators. "
                "Say which (--decimal, --thousands), or write its numbers with a point alone."
            )
        wrong = self._wrong_with_points if self._points else self._wrong
        if wrong:
            raise NotNumericError(
                f"{self._where} holds text instead of a number in {wrong:,} records. "
                "Correct them, or declare what stands for missing (--na)."
            )

    def _parse_texts(self, values: pl.Series) -> pl.Series:
        declared = missing_texts(self._variable)
        if not declared:
            numbers = values.cast(pl.Float64, strict=False)
            if numbers.null_count() == values.null_count():  # so there is no comma either
                self._points = self._points or _have_points(values)
                return numbers
        text = values.str.strip_chars().replace("", None)
        text = pl.select(pl.when(~text.is_in(declared)).then(text)).to_series()
        self._points |= bool(text.str.contains(".", literal=True).any())
        commas = text.filter(text.str.contains(",", literal=True))
        numbers = text.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
        wrong = numbers.null_count() - text.null_count()
        self._wrong += wrong
        self._wrong_with_points += wrong
        if len(commas):
            self._commas = True
            self._grouped &= bool(commas.str.contains(r"^[-+]?\d{1,3}(,\d{3})+$").all())
            spelled = commas.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
            self._wrong_with_points += len(spelled) - spelled.null_count()
        return numbers


def _have_points(values: pl.Series) -> bool:
    """Tell whether a number has a decimal point; the first ones mostly show it."""
    parts = (values.head(_FIRST), values.slice(_FIRST))
    return any(part.str.contains(".", literal=True).any() for part in parts)


def declared_numbers(numbers: Floats, variable: Variable) -> NDArray[np.bool_]:
    """Tell which numbers are missing by declaration."""
    known = missing_numbers(variable)
    result = np.isin(numbers, known) if known else np.zeros(numbers.shape, np.bool_)
    for low, high in variable.missing_ranges:
        result |= (numbers >= low) & (numbers <= high)
    return result
