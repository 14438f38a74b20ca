"""Frames, tables and files that Spark reads, and folders and files that it writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import polars as pl
from pyspark.sql import functions as sf

from microsafe.errors import InputError, UnreadableFileError, UsageError
from microsafe.io.atomic import arriving, replacing
from microsafe.io.columns import code_text
from microsafe.io.csv import Dialect
from microsafe.io.faults import rephrased, written
from microsafe.io.save import declared_blank
from microsafe.io.source import Source
from microsafe.notices import Notice
from microsafe.schema import Code, Kind, Schema, Variable

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession
    from pyspark.sql.types import DataType

T = TypeVar("T")

_PARQUET = (".parquet", ".pq")
_TEXT = (".csv", ".tsv", ".txt")
_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("string", "char", "varchar", "void"), "text"),
    **dict.fromkeys(("byte", "short", "integer", "long"), "integer"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(("date", "timestamp", "timestamp_ntz"), "date"),
    "boolean": "boolean",
}


class Run(Protocol):
    """Runs a query of Spark and waits for it."""

    def __call__(self, stage: str, query: Callable[[], T], /) -> T:
        """Return what the query returns; the stage says what it does."""


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
    return "/" in data or Path(data).suffix.lower() in (*_PARQUET, *_TEXT) or Path(data).exists()


def is_parquet(data: str) -> bool:
    """Tell whether a path is one of Parquet: by its suffix, or because it is a folder."""
    return _named(data)[1] in _PARQUET or "://" in data or Path(data).is_dir()


def is_text(source: Source) -> bool:
    """Tell whether a file that was opened is delimited text."""
    return isinstance(source.dialect, Dialect)


def from_frame(frame: DataFrame, name: str = "the data frame") -> SparkSource:
    """Use a Spark frame. Its records have no order of their own."""
    return SparkSource(schema=_schema(frame, name), frame=_plain(frame))


def from_table(spark: SparkSession, name: str) -> SparkSource:
    """Use a table that Spark knows by name."""
    with rephrased(f"Table {name}", "a table", "Check its name, and that Spark can see it."):
        frame = spark.table(name)
        frame.schema  # noqa: B018  # asks Spark, which may not know it
    return from_frame(frame, name)


def from_parquet(spark: SparkSession, path: str) -> SparkSource:
    """Open a Parquet file, or a folder of such files, anywhere that Spark reaches."""
    name = path.rstrip("/").rpartition("/")[2]
    if "://" not in path and not Path(path).exists():
        raise UnreadableFileError(f"{name} does not exist. Check the spelling and the folder.")
    with rephrased(name, "a Parquet file"):
        read = spark.read.parquet(_local(path))
        schema = _schema(read, name)
        places = (
            sf.col("_metadata.file_path").alias("o0"),
            sf.col("_metadata.row_index").alias("o1"),
        )
        frame = _plain(read, places)
    paths = () if "://" in path else (Path(path),)
    return SparkSource(schema=schema, frame=frame, order=("o0", "o1"), paths=paths)


def from_text(spark: SparkSession, source: Source) -> SparkSource:
    """Open delimited text whose form was found and checked on this machine."""
    dialect = source.dialect
    assert isinstance(dialect, Dialect)  # noqa: S101
    if dialect.text.returns:
        raise InputError(
            f"{source.schema.source} has lines that end in carriage returns only, which Spark does "
            "not read. Save it with line feeds, or use the embedded engine."
        )
    (path,) = source.paths
    names = [f"c{place}" for place in range(len(source.schema.names))]
    with rephrased(source.schema.source, "delimited text"):
        read = (
            spark.read.schema(", ".join(f"{name} string" for name in names))
            .option("sep", dialect.separator)
            .option("encoding", dialect.text.encoding)
            .option("header", True)
            .option("enforceSchema", True)
            .option("quote", '"')
            .option("escape", '"')
            .option("multiLine", True)  # a line may end inside quotation marks
            .option("mode", "FAILFAST")
            .csv(_local(str(path)))
        )
        tidy = [sf.when(sf.col(name) != "", sf.col(name)).alias(name) for name in names]
        frame = read.select(*tidy, sf.monotonically_increasing_id().alias("o0"))
    return SparkSource(
        schema=source.schema,
        frame=frame,
        order=("o0",),
        paths=source.paths,
        notices=source.notices,
    )


def handed_over(spark: SparkSession, source: Source) -> SparkSource:
    """Give the records of a file that only one machine can read to Spark."""
    table = source.load(source.schema.names)
    table.columns = [f"c{place}" for place in range(table.width)]
    unsigned = pl.col(pl.UInt8, pl.UInt16, pl.UInt32).cast(pl.Int64)  # which Spark does not have
    table = table.with_columns(unsigned, pl.int_range(pl.len()).alias("o0"))
    with rephrased(source.schema.source, "a table for Spark"):
        frame = spark.createDataFrame(table.to_arrow())
    return SparkSource(
        schema=source.schema,
        frame=frame,
        order=("o0",),
        origin=source,
        paths=source.paths,
        notices=source.notices,
    )


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
        _tidied(_quoted(frame, place), field.dataType).alias(f"c{place}")
        for place, field in enumerate(fields)
    ]
    return frame.select(*columns, *more)


def _quoted(frame: DataFrame, place: int) -> Column:
    return frame[f"`{frame.columns[place].replace('`', '``')}`"]


def _tidied(column: Column, dtype: DataType) -> Column:
    kind = dtype.typeName()
    if kind in ("char", "varchar", "void"):
        column, kind = column.cast("string"), "string"
    if kind == "string":
        return sf.when(column != "", column)
    return sf.when(~sf.isnan(column), column) if kind in ("float", "double") else column


def at_once(_: str, query: Callable[[], T]) -> T:
    """Run a query of Spark, telling nobody how far it is."""
    return query()


def write(
    frame: DataFrame,
    schema: Schema,
    path: str,
    *,
    paths: Sequence[Path] = (),
    blanks: Mapping[str, Code] | None = None,
    run: Run = at_once,
) -> None:
    """Write records through Spark to Parquet or CSV.

    A local path with a suffix (.parquet, .csv, .tsv) becomes one file, its records in order. A
    path that ends in "/" or lies elsewhere (hdfs://, s3://, ...) becomes a folder with a file for
    each partition, in no particular order; the suffix before the "/" names the format. On this
    machine both are there when they are complete, and for their owner only.

    Args:
        frame: The final values of every variable, in order of the schema; sorted, if they are
            to become one file.
        schema: Missing codes.
        path: Where to.
        paths: Files that the records were read from: they are never written to.
        blanks: By variable, the declared code to write for null.
        run: Runs each query, by what it does.
    """
    check_writable(path)
    name, suffix = _named(path)
    if path.endswith("/") and Path(path).exists():
        raise UsageError(f"{name} is there already. Choose another folder, or remove it first.")
    frame = _filled(frame, schema, blanks or {})
    if suffix in _TEXT:
        frame = _spelled(frame, name, run)

    def put(frame: DataFrame, where: str) -> None:
        def query() -> None:
            with written(name, "a table"):
                _write(frame, suffix, where)

        run("writing", query)

    if "://" in path:
        put(frame, path)
    elif is_folder(path):
        with arriving(path) as parts:
            put(frame, parts.as_uri())
            for checksum in parts.glob(".*.crc"):
                checksum.unlink()
    else:
        target = Path(path)
        _refuse_origin(target, paths)
        with (
            replacing(target) as temporary,
            TemporaryDirectory(prefix=".microsafe-", dir=target.parent) as folder,
        ):
            parts = Path(folder).resolve() / "parts"
            put(frame.coalesce(1), parts.as_uri())
            (part,) = (each for each in parts.iterdir() if each.name[0] == "p")
            os.replace(part, temporary)


def is_folder(path: str) -> bool:
    """Tell whether a path will be a folder of files, one for each partition."""
    return path.endswith("/") or "://" in path


def check_writable(path: str) -> None:
    """Raise UsageError if Spark does not write the format that the suffix of a path names."""
    if not writes(path):
        raise UsageError(
            f"{_named(path)[0]} cannot be written by Spark. Use a suffix of .parquet or .csv, and "
            "make other formats of that file."
        )


def writes(path: str) -> bool:
    """Tell whether Spark writes the format that the suffix of a path names."""
    return _named(path)[1] in (*_PARQUET, *_TEXT)


def _named(path: str) -> tuple[str, str]:
    name = path.rstrip("/").rpartition("/")[2]
    return name, Path(name).suffix.lower()


def _refuse_origin(target: Path, paths: Sequence[Path]) -> None:
    for read in paths:
        if target.exists() and read.exists() and os.path.samefile(target, read):
            raise UsageError(
                f"{target.name} is the file that the data were read from ({read.name}). "
                "Choose another name for the output."
            )


def _write(frame: DataFrame, suffix: str, where: str) -> None:
    writer: Any = frame.write.mode("error")
    if suffix in _PARQUET:
        writer.parquet(where)
        return
    writer = writer.option("header", True).option("quote", '"').option("escape", '"')
    writer.option("emptyValue", "").option("sep", "\t" if suffix == ".tsv" else ",").csv(where)


def _filled(frame: DataFrame, schema: Schema, blanks: Mapping[str, Code]) -> DataFrame:
    """Write declared missing codes for null."""
    made = []
    for place, variable in enumerate(schema):
        column = _quoted(frame, place)
        if variable.name in blanks:
            code = declared_blank(variable, blanks[variable.name])
            text = frame.schema.fields[place].dataType.typeName() == "string"
            column = sf.coalesce(column, sf.lit(code_text(code) if text else code))
        made.append(column.alias(variable.name))
    return frame.select(*made) if blanks else frame


def _spelled(frame: DataFrame, name: str, run: Run) -> DataFrame:
    """Return whole numbers without a decimal point, as other programs expect them in text."""
    fields = list(enumerate(frame.schema.fields))
    floats = [place for place, f in fields if f.dataType.typeName() in ("float", "double")]
    if not floats:
        return frame
    fraction = [
        sf.max(
            (_quoted(frame, p) != sf.floor(_quoted(frame, p)))
            | (sf.abs(_quoted(frame, p)) >= 2**53)
        )
        for p in floats
    ]
    tests = frame.agg(*(each.alias(f"c{p}") for each, p in zip(fraction, floats, strict=True)))

    def query() -> list[bool | None]:
        with written(name, "a table"):
            return list(tests.toArrow().to_pylist()[0].values())

    found = run("looking for fractions", query)
    whole = {p for p, broken in zip(floats, found, strict=True) if not broken}
    return frame.select(
        *(
            (_quoted(frame, p).cast("long") if p in whole else _quoted(frame, p)).alias(f.name)
            for p, f in fields
        )
    )
