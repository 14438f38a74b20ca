"""Frames, tables and files that Spark reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from pyspark.errors import AnalysisException
from pyspark.sql import functions as sf

from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.column_types import spell_times
from microsafe.io.formats import PACKINGS
from microsafe.io.reader.faults import DAMAGED, translate_read_errors
from microsafe.io.source import Source
from microsafe.io.text.csv import CsvDialect
from microsafe.io.text.packed import PackedText
from microsafe.notices import Notice
from microsafe.schema import Kind, Schema, Variable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType

PARQUET = (".parquet", ".pq")
TEXT = (".csv", ".tsv", ".txt")
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("string", "char", "varchar", "void"), "text"),
    **dict.fromkeys(("byte", "short", "integer", "long"), "integer"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(("date", "timestamp", "timestamp_ntz"), "date"),
    "boolean": "boolean",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SparkSource:
    """Records in Spark.

    Attributes:
        schema: What is known of the variables.
        frame: Their columns as `c0`, `c1`, ... in order, then those of `order`.
        order: Columns by which the records are in input order; none if they have no order.
        origin: The file that was read on this machine and handed to Spark, if it was.
        paths: Local files that the records were read from.
        notices: What a person should know about how they were read.
    """

    schema: Schema
    frame: DataFrame
    order: tuple[str, ...] = ()
    origin: Source | None = None
    paths: tuple[Path, ...] = ()
    notices: tuple[Notice, ...] = ()


def is_file(data: str) -> bool:
    """Tell whether a text names files rather than a table."""
    known = Path(data).suffix.lower() in (*PARQUET, *TEXT, *PACKINGS)
    return "/" in data or known or Path(data).exists()


def is_parquet(data: str) -> bool:
    """Tell whether a path is one of Parquet: by its extension, or because it is a folder."""
    return split_name(data)[1] in PARQUET or "://" in data or Path(data).is_dir()


def is_delimited(source: Source) -> bool:
    """Tell whether a file that was opened is delimited text."""
    return isinstance(source.dialect, CsvDialect)


def open_frame(frame: DataFrame, name: str = "the data frame") -> SparkSource:
    """Open a Spark frame. Its records have no order of their own."""
    return SparkSource(schema=_schema(frame, name), frame=_plain(frame))


def open_table(spark: SparkSession, name: str) -> SparkSource:
    """Open a table that Spark knows by name."""
    with translate_read_errors(
        f"Table {name}", "a table", "Check its name, and that Spark can see it."
    ):
        frame = spark.table(name)
        frame.schema  # noqa: B018  # asks Spark, which may not know it
    return open_frame(frame, name)


def open_parquet(spark: SparkSession, path: str) -> SparkSource:
    """Open a Parquet file, or a folder of such files, anywhere that Spark reaches."""
    name = path.rstrip("/").rpartition("/")[2]
    if "://" not in path and not Path(path).exists():
        raise UnreadableFileError(f"{name} does not exist. Check the spelling and the folder.")
    with translate_read_errors(name, "a Parquet file"):
        read = _read_parquet(spark, path, name)
        schema = _schema(read, name)
        places = (
            sf.col("_metadata.file_path").alias("o0"),
            sf.col("_metadata.row_index").alias("o1"),
        )
        frame = _plain(read, places)
    paths = () if "://" in path else (Path(path),)
    return SparkSource(schema=schema, frame=frame, order=("o0", "o1"), paths=paths)


def _read_parquet(spark: SparkSession, path: str, name: str) -> DataFrame:
    try:
        return spark.read.parquet(_local(path))
    except AnalysisException as error:
        timed = "TIME_TYPE" in str(error) or "(TIME(" in str(error)
    if timed:
        raise InputError(
            f"{name} has times of day, which Spark does not read. Store them as text, or use the "
            "embedded engine."
        )
    raise UnreadableFileError(f"{name} cannot be read as a Parquet file. {DAMAGED}")


def open_text(spark: SparkSession, source: Source) -> SparkSource:
    """Open delimited text whose form was found and checked on this machine."""
    dialect = source.dialect
    assert isinstance(dialect, CsvDialect)  # noqa: S101
    if dialect.text.returns:
        raise InputError(
            f"{source.schema.source} has lines that end in carriage returns only, which Spark does "
            "not read. Save it with line feeds, or use the embedded engine."
        )
    (path,) = source.paths
    if isinstance(dialect.text.content, PackedText) and path.suffix != ".gz":
        raise InputError(
            f"{source.schema.source} is packed in a way that Spark does not read. Unpack it, pack "
            "it by gzip (.csv.gz), or use the embedded engine."
        )
    fields = [f"f{place}" for place in range(len(dialect.kept))]
    variables = [name for name, is_kept in zip(fields, dialect.kept, strict=True) if is_kept]
    with translate_read_errors(source.schema.source, "delimited text"):
        read = (
            spark.read.schema(", ".join(f"{name} string" for name in fields))
            .option("sep", dialect.separator)
            .option("encoding", dialect.text.encoding)
            .option("comment", dialect.text.comment)
            .option("header", True)
            .option("enforceSchema", True)
            .option("quote", '"')
            .option("escape", '"')
            .option("multiLine", True)  # a line may end inside quotation marks
            .option("mode", "FAILFAST")
            .csv(_local(str(path)))
        )
        tidy = [
            sf.when(sf.col(name) != "", sf.col(name)).alias(f"c{place}")
            for place, name in enumerate(variables)
        ]
        frame = read.select(*tidy, sf.monotonically_increasing_id().alias("o0"))
    return SparkSource(
        schema=source.schema,
        frame=frame,
        order=("o0",),
        paths=source.paths,
        notices=source.notices,
    )


def hand_over(spark: SparkSession, source: Source) -> SparkSource:
    """Give the records of a file that only one machine can read to Spark."""
    table = source.load(source.schema.names)
    table.columns = [f"c{place}" for place in range(table.width)]
    unsigned = pl.col(pl.UInt8, pl.UInt16, pl.UInt32).cast(pl.Int64)  # which Spark does not have
    # Not every Spark has times of day, and its intervals have no text that we know.
    times = [spell_times(column) for column in table if column.dtype in (pl.Time, pl.Duration)]
    table = table.with_columns(unsigned, *times, pl.int_range(pl.len()).alias("o0"))
    with translate_read_errors(source.schema.source, "a table for Spark"):
        frame = spark.createDataFrame(table.to_arrow())
    return SparkSource(
        schema=source.schema,
        frame=frame,
        order=("o0",),
        origin=source,
        paths=source.paths,
        notices=source.notices,
    )


def split_name(path: str) -> tuple[str, str]:
    """Return the name at the end of a path, and its extension."""
    name = path.rstrip("/").rpartition("/")[2]
    return name, Path(name).suffix.lower()


def _local(path: str) -> str:
    """Name a path so that Spark takes it as it is: no glob, no default file system."""
    return path if "://" in path else Path(path).resolve().as_uri()


def _schema(frame: DataFrame, name: str) -> Schema:
    fields = frame.schema.fields
    kinds = [_KINDS.get(field.dataType.typeName(), "other") for field in fields]
    pairs = zip(fields, kinds, strict=True)
    return Schema(
        source=name, variables=tuple(Variable(name=field.name, kind=kind) for field, kind in pairs)
    )


def _plain(frame: DataFrame, more: Sequence[Column] = ()) -> DataFrame:
    """Name the columns by their places, and turn every way to say "nothing" into null."""
    fields = frame.schema.fields
    columns = [
        _tidy_column(quote_column(frame, place), field.dataType).alias(f"c{place}")
        for place, field in enumerate(fields)
    ]
    return frame.select(*columns, *more)


def quote_column(frame: DataFrame, place: int) -> Column:
    """Return a column by its place; names may hold anything."""
    return frame[f"`{frame.columns[place].replace('`', '``')}`"]


def _tidy_column(column: Column, dtype: DataType) -> Column:
    kind = dtype.typeName()
    if kind in ("char", "varchar", "void"):
        column, kind = column.cast("string"), "string"
    if kind == "string":
        return sf.when(column != "", column)
    return sf.when(~sf.isnan(column), column) if kind in ("float", "double") else column
