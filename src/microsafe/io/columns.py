"""From the column types of Polars to what the rest of the package relies on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import InputError

if TYPE_CHECKING:
    from microsafe.schema import Code, Kind, Schema

Load = Callable[[Sequence[str]], pl.DataFrame]
Scan = Callable[[Sequence[str], int], Iterator[pl.DataFrame]]
EXACT = float(2**53)


def kind_of(dtype: pl.DataType) -> Kind:
    """Return how values of a Polars type are stored, in the words of the schema."""
    if dtype in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        return "text"
    if dtype.is_integer():
        return "integer"
    if dtype.is_numeric():
        return "number"
    if dtype == pl.Boolean:
        return "boolean"
    if dtype in (pl.Date, pl.Datetime):
        return "date"
    return "other"


def tidied(name: str, dtype: pl.DataType) -> pl.Expr:
    """Return the column with every way to say "nothing" turned into null."""
    column = pl.col(name)
    if dtype in (pl.Categorical, pl.Enum, pl.Null):
        column, dtype = column.cast(pl.String), pl.String()
    if dtype == pl.String:
        return pl.when(column != "").then(column).alias(name)
    if dtype.is_float():
        return column.fill_nan(None)
    return column


def checked(schema: Schema, load: Load) -> Load:
    """Return `load`, preceded by a check that every name is a variable of the schema."""

    def loaded(names: Sequence[str]) -> pl.DataFrame:
        wanted = [schema[name].name for name in dict.fromkeys(names)]
        return load(wanted).select(wanted) if wanted else pl.DataFrame()

    return loaded


def checked_scan(schema: Schema, scan: Scan) -> Scan:
    """Return `scan`, preceded by the same check."""

    def scanned(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        wanted = [schema[name].name for name in dict.fromkeys(names)]
        return scan(wanted, size)

    return scanned


def even(frames: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """Cut frames of any height into frames of one height, the last one of less."""
    held: list[pl.DataFrame] = []
    for frame in frames:
        held.append(frame)
        del frame
        while sum(each.height for each in held) >= size:
            held = [pl.concat(held)]
            held = [held[0].slice(size), held[0].head(size)]
            yield held.pop()  # and hold it no longer
    rest = [each for each in held if each.height]
    if rest:
        yield pl.concat(rest)


def whole(column: pl.Series) -> bool:
    """Tell whether all numbers of a column are whole and small enough to be exact."""
    if not column.dtype.is_float():
        return column.dtype.is_integer()
    return bool(((column == column.round()) & (column.abs() < EXACT)).fill_null(True).all())


def spelled(column: pl.Series, *, fractions: bool | None = None) -> pl.Series:
    """Return the values as text, whole numbers without a decimal point.

    Args:
        column: All values of a variable, or some of them.
        fractions: Whether some number of the variable is not whole, if these are not all.

    Raises:
        InputError: The column holds lists or the like.
    """
    dtype = column.dtype
    if dtype == pl.Datetime:
        return column.dt.to_string("%Y-%m-%d %H:%M:%S%.f")
    if dtype.is_float() and (whole(column) if fractions is None else not fractions):
        return column.cast(pl.Int64).cast(pl.String)
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object, pl.Duration):
        raise InputError(
            f"{column.name} holds values that text cannot hold. "
            "Drop the variable, or write a Parquet file (.parquet)."
        )
    return column.cast(pl.String)


def code_text(code: Code) -> str:
    """Return a code as it stands in text, 9 rather than 9.0."""
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def without_records(name: str) -> InputError:
    """Return the error for a file in which nobody answered anything."""
    return InputError(f"{name} has no records, only variables. Export it again with its data.")
