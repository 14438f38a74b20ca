"""Map the column types of Polars to those of the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import polars as pl

from microsafe.batches import Load, ReadTexts, Scan, TextScan, Types
from microsafe.errors import InputError

if TYPE_CHECKING:
    from microsafe.schema import Kind, Schema

EXACT = float(2**53)
SPELLED_TIME = r"^(?P<sign>-?)(?P<h>\d+):(?P<m>\d\d):(?P<s>\d\d(?:\.\d+)?)$"
_TICKS = {"ns": 1_000_000_000, "us": 1_000_000, "ms": 1000}  # in a second
# Polars had neither of them at first.
_WIDE = tuple(getattr(pl, name) for name in ("Int128", "UInt128") if hasattr(pl, name))


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
    if dtype == pl.Time:
        return "time"
    return "duration" if dtype == pl.Duration else "other"


def has_zone(dtype: pl.DataType) -> bool:
    """Tell whether values are moments in a time zone."""
    return isinstance(dtype, pl.Datetime) and dtype.time_zone is not None


def normalise_missing(name: str, dtype: pl.DataType) -> pl.Expr:
    """Return the column with every way to say "nothing" turned into null."""
    column = pl.col(name)
    if dtype in (pl.Categorical, pl.Enum, pl.Null):
        column, dtype = column.cast(pl.String), pl.String()
    if dtype == pl.String:
        return pl.when(column != "").then(column).alias(name)
    if dtype.is_float():
        return column.fill_nan(None)
    return column


def finish_frame(frame: pl.DataFrame) -> pl.DataFrame:
    """Return records as they are written and handed out: one way to say nothing."""
    return frame.select(normalise_missing(name, dtype) for name, dtype in frame.schema.items())


def narrow_integers(frame: pl.DataFrame, source: str) -> pl.DataFrame:
    """Return the frame with whole numbers of 128 bits, which NumPy lacks, in 64.

    Raises:
        InputError: One of them does not fit.
    """
    wide = [column for column in frame if column.dtype in _WIDE]
    for column in wide:
        narrow = column.cast(pl.Int64, strict=False)
        if narrow.null_count() > column.null_count():
            raise InputError(
                f"Variable {column.name!r} of {source} holds whole numbers of more than 64 bits. "
                "Store it as text, or leave it out."
            )
        frame = frame.with_columns(narrow)
    return frame


def guard_load(schema: Schema, load: Load) -> Load:
    """Return `load`, preceded by a check that every name is a variable of the schema."""

    def load_checked(names: Sequence[str]) -> pl.DataFrame:
        spelled = [schema[name].name for name in dict.fromkeys(names)]
        return load(spelled).select(spelled) if spelled else pl.DataFrame()

    return load_checked


def guard_scan(schema: Schema, scan: Scan) -> Scan:
    """Return `scan`, preceded by the same check."""

    def scan_checked(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        spelled = [schema[name].name for name in dict.fromkeys(names)]
        return scan(spelled, size)

    return scan_checked


def guard_text_scan(schema: Schema, read: ReadTexts) -> TextScan:
    """Return the same for text, which may be numbered while it is parsed."""

    def read_checked(names: Sequence[str], size: int, types: Types) -> Iterator[pl.DataFrame]:
        spelled = [schema[name].name for name in dict.fromkeys(names)]
        return read(spelled, size, types)

    return TextScan(read=read_checked)


def is_whole(column: pl.Series) -> bool:
    """Tell whether all numbers of a column are whole and small enough to be exact."""
    if not column.dtype.is_float():
        return column.dtype.is_integer()
    return bool(((column == column.round()) & (column.abs() < EXACT)).fill_null(True).all())


def spell_column(column: pl.Series, *, fractions: bool | None = None) -> pl.Series:
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
    if dtype.is_float() and (is_whole(column) if fractions is None else not fractions):
        return column.cast(pl.Int64).cast(pl.String)
    if dtype in (pl.Time, pl.Duration):
        return spell_times(column)
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
        raise InputError(
            f"{column.name} holds values that text cannot hold. "
            "Drop the variable, or write a Parquet file (.parquet)."
        )
    return column.cast(pl.String)


def spell_times(column: pl.Series) -> pl.Series:
    """Return times of day and durations as text: 09:30:00, 26:15:00, -00:00:01.5."""
    second = _TICKS["ns" if column.dtype == pl.Time else _unit(column)]
    ticks = pl.col("ticks")
    size = ticks.abs()
    digits = len(str(second)) - 1
    rest = (size % second).cast(pl.String).str.zfill(digits).str.strip_chars_end("0")
    parts = [size // (3600 * second), size // (60 * second) % 60, size // second % 60]
    clock = pl.concat_str([p.cast(pl.String).str.zfill(2) for p in parts], separator=":")
    text = (
        pl.when(ticks < 0).then(pl.lit("-")).otherwise(pl.lit(""))
        + clock
        + pl.when(rest != "").then(pl.lit(".") + rest).otherwise(pl.lit(""))
    )
    return column.to_physical().to_frame("ticks").select(text.alias(column.name)).to_series()


def parse_times(texts: pl.Series) -> pl.Series:
    """Return the durations that texts spell, to the microsecond, null where they spell none."""
    groups = pl.col("text").str.extract_groups(SPELLED_TIME)
    parts = texts.to_frame("text").select(groups).unnest("text")
    seconds = pl.lit(0, pl.Int64)
    for part, size in (("h", 3600), ("m", 60)):
        seconds += pl.col(part).cast(pl.Int64, strict=False).fill_null(0) * size
    fine = (pl.col("s").cast(pl.Float64, strict=False).fill_null(0) * 1e6).round().cast(pl.Int64)
    ticks = pl.when(pl.col("sign") == "-").then(-1).otherwise(1) * (seconds * 1_000_000 + fine)
    known = pl.col("sign").is_not_null()
    duration = pl.when(known).then(ticks).cast(pl.Duration("us")).alias(texts.name)
    return parts.select(duration).to_series()


def as_time(durations: pl.Series) -> pl.Series:
    """Return durations since midnight as times of day."""
    return durations.dt.total_nanoseconds().cast(pl.Time)


def restore_times(frame: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    """Return times and durations that were spelled as what they are."""
    spelled = [v for v in schema if frame[v.name].dtype == pl.String]
    return frame.with_columns(
        *(as_time(parse_times(frame[v.name])) for v in spelled if v.kind == "time"),
        *(parse_times(frame[v.name]) for v in spelled if v.kind == "duration"),
    )


def _unit(column: pl.Series) -> str:
    assert isinstance(column.dtype, pl.Duration)  # noqa: S101
    return column.dtype.time_unit


def no_records_error(name: str) -> InputError:
    """Return the error for a file that names variables but has no records."""
    return InputError(f"{name} has no records, only variables. Export it again with its data.")
