"""Per-record access: read columns as arrays, and write arrays back.

The number of a record is its place in the input, counted from 0. It is the same on every engine,
whatever steps were taken, and in a sample of the input as well. A step that draws or moves values
record by record knows records by these numbers only, so that it does the same on every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import spell_code
from microsafe.draws import number_identifiers
from microsafe.engine.slices import Flags
from microsafe.engine.spelling import spell_numbers
from microsafe.engine.transformations import plain_column
from microsafe.errors import InputError, UsageError
from microsafe.passes import Merged, merge_found
from microsafe.progress import Tell
from microsafe.schema import Kind, Schema, Variable

Form = Literal["number", "code", "text"]
RecordNumbers = NDArray[np.uint64]

_TYPES: Mapping[Kind, pl.DataType] = {
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "text": pl.String(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which variables go through the gate, and by what records are known.

    Attributes:
        forms: How each variable goes out: as a `"number"`, as a `"code"` (see
            `Engine.categories`), or as `"text"`, spelled as in a plan, which shows declared
            missing codes as well.
        identifier: Variable whose values take the place of numbers of records (see
            `microsafe.draws`); each value occurs once.
    """

    forms: Mapping[str, Form] = field(default_factory=dict)
    identifier: str | None = None

    def check(self, schema: Schema, after: Sequence[Variable] = ()) -> None:
        """Refuse variables that are not there, and those without values that can be compared.

        Args:
            schema: What there is.
            after: What comes back; each of them went out.
        """
        for name in (*self.forms, *([self.identifier] if self.identifier else [])):
            if schema[name].kind == "other":
                raise InputError(
                    f"Variable {name!r} of {schema.source} holds lists or other compound values, "
                    "which cannot be compared. Leave it out."
                )
        for variable in after:
            if variable.name not in self.forms or variable.kind not in _TYPES:
                raise ValueError(f"{variable.name!r} cannot come back as {variable.kind}.")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordValues:
    """One variable in some records.

    Attributes:
        data: Floating-point numbers, codes from 1, or texts; anything where missing.
        missing: Which are missing. A record whose value comes back as missing keeps what it has.
    """

    data: NDArray[Any]
    missing: Flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordBatch:
    """Some records.

    Attributes:
        numbers: Of the records in the input, or what stands for them.
        columns: Their values by variable.
    """

    numbers: RecordNumbers
    columns: Mapping[str, RecordValues]

    def part(self, start: int, end: int) -> RecordBatch:
        """Return the records of some places."""
        return RecordBatch(
            numbers=self.numbers[start:end],
            columns={
                name: RecordValues(data=values.data[start:end], missing=values.missing[start:end])
                for name, values in self.columns.items()
            },
        )


RecordFunction = Callable[[RecordBatch], Mapping[str, RecordValues]]
GroupFunction = Callable[[RecordBatch], NDArray[np.int64]]
TogetherFunction = Callable[[RecordBatch, Tell], Mapping[str, RecordValues]]
BlockFunction = Callable[[RecordBatch, NDArray[np.int64]], Mapping[str, RecordValues]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """Records of each group in an order, cut into blocks.

    Attributes:
        group: Number of the group of each record; one below 0 for those of none.
        value: By which the records of a group are ordered.
        word: By which those of the same value are; then by their numbers.
        size: Records in a block, by group.
        start: Rank, from 0, at which a block begins, by group; below the size.
    """

    group: GroupFunction
    value: Callable[[RecordBatch], NDArray[np.float64]]
    word: Callable[[RecordBatch], NDArray[np.uint64]]
    size: NDArray[np.int64]
    start: NDArray[np.int64]


def merge_batches(parts: Iterable[Merged], source: str) -> Merged:
    """Put together what was found in batches of records.

    Raises:
        InputError: There are none.
    """
    merged = merge_found(parts)
    if merged is None:
        raise InputError(f"{source} has no records.")
    return merged


def read_values(column: pl.Series, form: Form) -> RecordValues:
    """Return a column as it goes out.

    Args:
        column: Numbers, or codes, null where missing; or any values if texts are asked for.
        form: What is asked for.
    """
    if form == "number":
        numbers = column.cast(pl.Float64).fill_null(np.nan).to_numpy()
        return RecordValues(data=numbers, missing=np.isnan(numbers))
    if form == "code":
        codes = column.fill_null(0).to_numpy()
        return RecordValues(data=codes, missing=codes == 0)
    texts = _spell_column(plain_column(column))
    return RecordValues(data=texts.to_numpy(), missing=texts.is_null().to_numpy())


def _spell_column(column: pl.Series) -> pl.Series:
    """Texts of a plain column."""
    if column.dtype == pl.String:
        return column
    if column.dtype.is_numeric():
        return spell_numbers(column)
    old = column.drop_nulls().unique()
    new = pl.Series([spell_code(value) for value in old.to_list()], dtype=pl.String)
    return column.replace_strict(old, new, default=None, return_dtype=pl.String)


def store_values(
    values: RecordValues, form: Form, kind: Kind, categories: Sequence[str] = ()
) -> pl.Series:
    """Return values as a variable of some kind stores them; null where they are missing.

    Args:
        values: As they come back. An empty text that is not missing makes a value missing.
        form: What they are.
        kind: Of the variable.
        categories: What codes stand for.
    """
    if form == "code":
        codes = np.where(values.missing, 0, values.data).astype(np.int64)
        return store_categories(categories, kind).gather(codes)
    if form == "text":
        texts = pl.Series(np.where(values.missing, "", values.data), dtype=pl.String)
        return store_texts(texts, kind)
    check_numbers(values, kind)
    numbers = pl.Series(np.where(values.missing, np.nan, values.data)).fill_nan(None)
    return _spell_column(numbers) if kind == "text" else numbers.cast(_TYPES[kind])


def store_categories(categories: Sequence[str], kind: Kind) -> pl.Series:
    """Return what each code stands for as a variable of some kind stores it; null for 0."""
    return pl.Series([None, *categories], dtype=pl.String).cast(_TYPES[kind])


def store_texts(texts: pl.Series, kind: Kind) -> pl.Series:
    """Return texts as a variable of some kind stores them; null for an empty one."""
    return texts.replace("", None).cast(_TYPES[kind])


def check_numbers(values: RecordValues, kind: Kind) -> None:
    """Refuse what a variable of some kind cannot hold.

    Raises:
        ValueError: A value is none, or a fraction of a whole number.
    """
    known = values.data[~values.missing]
    if np.isnan(known).any():
        raise ValueError("A number that is not missing must be one.")
    if kind == "integer" and bool(np.any(known != np.floor(known))):
        raise ValueError("A variable of whole numbers cannot take fractions.")


def keep_values(new: pl.Series, old: pl.Series, unchanged: Flags) -> pl.Series:
    """Return new values, and the old ones in records that keep what they have."""
    return new.zip_with(
        pl.Series(~unchanged), plain_column(old).cast(new.dtype, strict=False)
    ).alias(old.name)


def read_identifiers(column: pl.Series, variable: Variable, source: str) -> RecordNumbers:
    """Return what stands for the numbers of records.

    Raises:
        InputError: Some are missing, or are fractions.
    """
    if column.null_count():
        raise missing_identifiers(variable.name, source)
    column = plain_column(column)
    if column.dtype == pl.String:
        return number_identifiers(column)
    if column.dtype.is_float() and not bool((column == column.floor()).all()):
        raise fractional_identifiers(variable.name, source)
    return number_identifiers(column.cast(pl.Int64).to_numpy())


def missing_identifiers(name: str, source: str) -> InputError:
    """Return the error for records without an identifier."""
    return InputError(
        f"Identifier {name!r} of {source} is missing in some records. "
        "Name a variable that every record has."
    )


def fractional_identifiers(name: str, source: str) -> InputError:
    """Return the error for identifiers that are fractions."""
    return InputError(f"Identifier {name!r} of {source} holds fractions. Name another variable.")


def repeated_identifiers(name: str, source: str) -> InputError:
    """Return the error for identifiers that occur more than once."""
    return InputError(
        f"Identifier {name!r} of {source} has the same value in several records. "
        "Name a variable that tells all records apart."
    )


def unordered_records(source: str, remedy: str) -> UsageError:
    """Return the error for records that have no numbers."""
    return UsageError(f"{source} has no order, so its records have no numbers. {remedy}")
