"""Limits of SPSS, Stata and SAS files: numbers, text, dates and times.

Limits are checked here, before a library sees the data, so that messages name the variable
and never a value.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import InputError
from microsafe.io.column_types import EXACT
from microsafe.io.readstat.package_file import PackageDialect
from microsafe.io.write_verification import microseconds, whole_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microsafe.io.write_request import WriteRequest
    from microsafe.schema import Code, Schema, Variable

_DAY = 86_400
_MICRO = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StatPackage:
    """A statistical package: how it tells the time, and what it can hold.

    Attributes:
        name: What messages call it.
        epoch: Days from its day 0 to 1970-01-01.
        per_day: What a day counts in its dates.
        per_second: What a second counts in its moments.
        identifier: What names of variables look like.
        name_limit: Bytes of a name.
        caseless: Whether `AGE` and `age` are the same variable.
        label_limit: Bytes of a variable's label.
        title_limit: Bytes of the file label.
        text_limit: Bytes of a text.
    """

    name: str
    epoch: int
    per_day: int
    per_second: int
    identifier: re.Pattern[str]
    name_limit: int
    caseless: bool
    label_limit: int
    title_limit: int
    text_limit: int

    def check_schema(self, schema: Schema) -> None:
        """Refuse names and labels that the package cannot hold.

        Raises:
            InputError: Names the variable.
        """
        seen: set[str] = set()
        for variable in schema:
            name = variable.name
            if not self.identifier.fullmatch(name) or len(name.encode()) > self.name_limit:
                raise InputError(
                    f"{self.name} cannot have a variable named {name!r}: at most "
                    f"{self.name_limit} bytes, letters, digits and _, a letter first, no reserved "
                    "word. Rename it in the input, or write another format."
                )
            key = name.lower() if self.caseless else name
            if key in seen:
                raise InputError(
                    f"{self.name} cannot tell {name!r} from a variable that differs in letter "
                    "case only. Rename it in the input, or write another format."
                )
            seen.add(key)
            if len(variable.label.encode()) > self.label_limit:
                raise InputError(
                    f"{name} has a label of more than {self.label_limit} bytes, the most that "
                    f"{self.name} can hold. Shorten it in the input, or write another format."
                )

    def store_column(self, column: pl.Series) -> pl.Series:
        """Return the column as the package stores it: text, whole numbers or numbers.

        Raises:
            InputError: It cannot hold such values.
        """
        dtype = column.dtype
        if dtype == pl.String:
            return self._check_text(column)
        if dtype == pl.Date:
            return (column.cast(pl.Int64) + self.epoch) * self.per_day
        if dtype == pl.Datetime:
            moments = column.dt.cast_time_unit("us").dt.timestamp("us")
            seconds = moments // _MICRO + self.epoch * _DAY
            rest = (moments % _MICRO).cast(pl.Float64) / _MICRO
            return (seconds.cast(pl.Float64) + rest) * self.per_second
        if dtype in (pl.Time, pl.Duration):
            return microseconds(column).cast(pl.Float64) / _MICRO * self.per_second
        if dtype == pl.Boolean:
            return column.cast(pl.Int64)
        if not dtype.is_numeric():
            raise self.refusal(column.name, "lists or the like", "Drop the variable")
        numbers = column.cast(pl.Float64)
        if dtype.is_integer():
            if (numbers.abs() > EXACT).any():
                raise self.refusal(column.name, "whole numbers of 16 digits or more", "Recode it")
            return column.cast(pl.Int64)
        if numbers.is_infinite().any():
            raise self.refusal(column.name, "infinite values", "Make them missing")
        return numbers

    def compare_column(self, column: pl.Series) -> pl.Series:
        """Return the column as what was written and what is read back are compared."""
        if column.dtype in (pl.Date, pl.Datetime):
            return whole_seconds(column)
        if column.dtype != pl.String:
            return self.store_column(column)
        # Blanks behind a text are filled up or cut off, and an empty text is none.
        text = column.str.strip_chars_end(" ")
        return text.set(text == "", None)

    def _check_text(self, column: pl.Series) -> pl.Series:
        if column.str.contains("\0", literal=True).any():
            raise self.refusal(column.name, "NUL characters", "Remove them")
        longest = longest_width(column)
        if longest > self.text_limit:
            raise self.refusal(
                column.name, f"text of more than {self.text_limit} bytes", "Shorten it"
            )
        return column

    def refusal(self, name: str, what: str, remedy: str) -> InputError:
        """Return the error for values that the package cannot hold."""
        return InputError(
            f"{name} holds {what}, which {self.name} cannot. {remedy}, or write another format."
        )

    def split_notes(self, request: WriteRequest) -> tuple[str, tuple[str, ...]]:
        """Return the file label and the notes to write."""
        notes = request.schema.notes if request.notes else ()
        dialect = request.origin.dialect if request.origin else None
        if not notes or (isinstance(dialect, PackageDialect) and dialect.title != notes[0]):
            return "", notes
        if len(notes[0].encode()) > self.title_limit:
            return "", notes
        return notes[0], notes[1:]


def has_fractions(times: pl.Series) -> bool:
    """Tell whether some time or duration is not whole seconds."""
    return bool((microseconds(times) % _MICRO != 0).any())


def longest_width(column: pl.Series) -> int:
    """Return the bytes that the longest text takes, at least 1."""
    longest = column.str.len_bytes().max()
    return max(longest, 1) if isinstance(longest, int) else 1


def declared_width(variable: Variable) -> int:
    """Return the bytes that the schema keeps for a text."""
    width = variable.extra.get("storage_width", "")
    if not width.isdecimal():
        return variable.width or 1
    # For Stata, whose formats begin with %, ReadStat counts the NUL behind the text too.
    return int(width) - variable.format.startswith("%")


def pad_first_text(column: pl.Series, width: int) -> pl.Series:
    """Fill the first text up with blanks to a number of bytes.

    pyreadstat makes a text variable as wide as its longest value. SPSS and SAS fill text up
    with blanks anyway, so the value stays what it is and the variable keeps its width.
    """
    first = column[0] or ""
    # `scatter` would change the column that it is called on.
    return column.clone().scatter(0, first + " " * (width - len(first.encode())))


def numeric_labels(variable: Variable) -> Mapping[float, str]:
    """Return the labels of a variable that holds numbers."""
    return {parse_number(code, variable): label for code, label in variable.labels.items()}


def parse_number(code: Code, variable: Variable) -> float:
    """Return a code of a variable that holds numbers.

    Raises:
        InputError: It spells none.
    """
    with suppress(ValueError):
        return float(code)
    raise InputError(
        f"{variable.name} holds numbers, but has labels or missing codes that are text. "
        "Correct its labels and missing codes."
    )


def wrap_notes(notes: Sequence[str], limit: int) -> list[str]:
    """Return the notes in lines of at most so many bytes."""
    lines: list[str] = []
    for note in notes:
        line = ""
        for sign in note:
            if len((line + sign).encode()) > limit:
                lines.append(line)
                line = ""
            line += sign
        lines.append(line)
    return lines
