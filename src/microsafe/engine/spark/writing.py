"""Write folders and files from Spark, and verify them.

Hadoop keeps a checksum of every 512 bytes beside each file, made before they went to the disk. If
bytes differ from theirs, or records are fewer or more than were meant, nothing is replaced.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pyspark.sql import functions as sf

from microsafe import io
from microsafe.codes import code_text
from microsafe.engine.record_order import NewOrder
from microsafe.engine.spark.data import Data
from microsafe.engine.spark.frames import make_frame
from microsafe.engine.spark.queries import watch_query
from microsafe.engine.spark.rows import fetch, rephrase_errors
from microsafe.engine.spark.source import PARQUET, TEXT, SparkSource, quote_column, split_name
from microsafe.errors import MicrosafeError, TornFileError, UsageError
from microsafe.io.atomic import create_folder, replace_file
from microsafe.io.column_types import restore_times
from microsafe.io.reader.faults import translate_write_errors
from microsafe.io.save import declared_blank
from microsafe.notices import Notice
from microsafe.progress import Progress, silent
from microsafe.schema import Code, Schema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


T = TypeVar("T")


def check_output(source: SparkSource, path: str) -> None:
    """Raise UsageError if records that came from somewhere cannot be written in a format."""
    if _goes_back(source, path):
        io.check_writable(Path(path))
    else:
        check_writable(path)


def _goes_back(source: SparkSource, path: str) -> bool:
    """Whether records are written by this machine, which also read them."""
    return source.origin is not None and not (writes(path) or is_folder(path))


def write_data(
    data: Data,
    source: SparkSource,
    path: str,
    *,
    count: Callable[[], int],
    notes: bool,
    blanks: Mapping[str, Code] | None,
    shuffle: NewOrder | None,
    prune: bool,
    progress: Progress,
) -> tuple[Notice, ...]:
    """Write records as they now are (see `Study.write`); return what to know of the file.

    Formats that one machine writes (SPSS, Stata, ...) can be had for records that came from a
    file of such a format: they go back the way they came.
    """
    progress("writing", 0.0)
    notices: tuple[Notice, ...] = ()
    if _goes_back(source, path):
        # Without a number of their own, shuffled records must not be looked up in the origin.
        numbered = make_frame(data, ordered=True, order=shuffle, number=True)
        table = fetch(numbered, data.schema.source, tell=partial(progress, "writing"))
        rows = table.drop_in_place(table.columns[-1])
        notices = io.write(
            restore_times(table, data.schema),
            data.schema,
            path,
            origin=source.origin,
            blanks=blanks,
            notes=notes,
            rows=rows,
            prune=prune,
        )
    else:
        ordered = not is_folder(path) or shuffle is not None
        write_frame(
            make_frame(data, ordered=ordered, order=shuffle),
            data.schema,
            path,
            count=count,
            paths=source.paths,
            blanks=blanks,
            progress=progress,
        )
    progress("writing", 1.0)
    return notices


def write_frame(
    records: DataFrame,
    schema: Schema,
    path: str,
    *,
    count: Callable[[], int],
    paths: Sequence[Path] = (),
    blanks: Mapping[str, Code] | None = None,
    progress: Progress = silent,
) -> None:
    """Write records through Spark to Parquet or CSV.

    A local path with an extension (.parquet, .csv, .tsv) becomes one file, its records in order. A
    path that ends in "/" or lies elsewhere (hdfs://, s3://, ...) becomes a folder with a file for
    each partition, in no particular order; the extension before the "/" names the format. On this
    machine both are there when they are complete and were read back, and for their owner only.

    Args:
        records: The final values of every variable, in order of the schema; sorted, if they are
            to become one file.
        schema: Missing codes.
        path: Where to.
        count: Tells how many records there are.
        paths: Files that the records were read from: they are never written to.
        blanks: By variable, the declared code to write for null.
        progress: Progress callback.
    """
    check_writable(path)
    name, suffix = split_name(path)
    if path.endswith("/") and Path(path).exists():
        raise UsageError(f"{name} already exists. Choose another folder, or remove it first.")
    records = _fill_blanks(records, schema, blanks or {})
    if suffix in TEXT:
        records = _spell_whole_numbers(records, name, progress)

    def put(frame: DataFrame, where: str) -> None:
        def query() -> None:
            with translate_write_errors(name, "a table"):
                _write(frame, suffix, where)

        _run(frame, "writing", query, progress)

    if "://" in path:
        put(records, path)
    elif is_folder(path):
        with create_folder(path) as parts:
            put(records, parts.as_uri())
            check_parts(parts, partial(_read, records.sparkSession, suffix), name, count)
            for checksum in parts.glob(".*.crc"):
                checksum.unlink()
    else:
        target = Path(path)
        _refuse_origin(target, paths)
        with replace_file(target) as temporary:
            parts = temporary.parent.resolve() / "parts"  # only its owner can enter that folder
            put(records.coalesce(1), parts.as_uri())
            check_parts(parts, partial(_read, records.sparkSession, suffix), name, count)
            (part,) = (file for file in parts.iterdir() if file.name[0] == "p")
            os.replace(part, temporary)


def is_folder(path: str) -> bool:
    """Tell whether a path will be a folder of files, one for each partition."""
    return path.endswith("/") or "://" in path


def check_writable(path: str) -> None:
    """Raise UsageError if Spark does not write the format that the extension of a path names."""
    if not writes(path):
        raise UsageError(
            f"{split_name(path)[0]} cannot be written by Spark. Use the extension .parquet or "
            ".csv, and make other formats of that file."
        )


def writes(path: str) -> bool:
    """Tell whether Spark writes the format that the extension of a path names."""
    return split_name(path)[1] in (*PARQUET, *TEXT)


def _refuse_origin(target: Path, paths: Sequence[Path]) -> None:
    for read in paths:
        if target.exists() and read.exists() and os.path.samefile(target, read):
            raise UsageError(
                f"{target.name} is the file that the data were read from ({read.name}). "
                "Choose another name for the output."
            )


def _write(frame: DataFrame, suffix: str, where: str) -> None:
    writer: Any = frame.write.mode("error")
    if suffix in PARQUET:
        writer.parquet(where)
        return
    writer = writer.option("header", True).option("quote", '"').option("escape", '"')
    writer.option("emptyValue", "").option("sep", "\t" if suffix == ".tsv" else ",").csv(where)


def _read(spark: SparkSession, suffix: str, where: str) -> DataFrame:
    """Read records that were just written, to be counted."""
    if suffix in PARQUET:
        return spark.read.parquet(where)
    reader = spark.read.schema("first string").option("header", True).option("multiLine", True)
    return reader.option("quote", '"').option("escape", '"').csv(where)


def _fill_blanks(frame: DataFrame, schema: Schema, blanks: Mapping[str, Code]) -> DataFrame:
    """Write declared missing codes for null."""
    columns = []
    for place, variable in enumerate(schema):
        column = quote_column(frame, place)
        if variable.name in blanks:
            code = declared_blank(variable, blanks[variable.name])
            text = frame.schema.fields[place].dataType.typeName() == "string"
            column = sf.coalesce(column, sf.lit(code_text(code) if text else code))
        columns.append(column.alias(variable.name))
    return frame.select(*columns) if blanks else frame


def _spell_whole_numbers(frame: DataFrame, name: str, progress: Progress) -> DataFrame:
    """Return whole numbers without a decimal point, as other programs expect them in text."""
    fields = list(enumerate(frame.schema.fields))
    floats = [place for place, f in fields if f.dataType.typeName() in ("float", "double")]
    if not floats:
        return frame
    fraction = [
        sf.max(
            (quote_column(frame, p) != sf.floor(quote_column(frame, p)))
            | (sf.abs(quote_column(frame, p)) >= 2**53)
        )
        for p in floats
    ]
    tests = frame.agg(*(test.alias(f"c{p}") for test, p in zip(fraction, floats, strict=True)))

    def query() -> list[bool | None]:
        with translate_write_errors(name, "a table"):
            return list(tests.toArrow().to_pylist()[0].values())

    has_fractions = _run(frame, "looking for fractions", query, progress)
    whole = {p for p, broken in zip(floats, has_fractions, strict=True) if not broken}
    return frame.select(
        *(
            (quote_column(frame, p).cast("long") if p in whole else quote_column(frame, p)).alias(
                f.name
            )
            for p, f in fields
        )
    )


def _run(frame: DataFrame, stage: str, query: Callable[[], T], progress: Progress) -> T:
    """Run a query and tell how far it is."""
    progress(stage, 0.0)
    result = watch_query(frame.sparkSession, query, partial(progress, stage))
    progress(stage, 1.0)
    return result


_MAGIC = b"crc\0"
_HEADER = 8  # bytes: the above, and how many bytes a checksum is of
_READ = 4096  # checksums at once


def check_parts(
    parts: Path, read: Callable[[str], DataFrame], name: str, count: Callable[[], int]
) -> None:
    """Compare files with their checksums, and their records with those that were meant.

    Args:
        parts: The folder that Spark wrote to.
        read: Reads records from a folder.
        name: What messages call the output.
        count: Tells how many records there should be.

    Raises:
        TornFileError: Something differs.
    """
    if any(is_torn(file) for file in parts.iterdir() if file.name[0] not in "._"):
        raise _torn(name, "it has other bytes")
    try:
        with rephrase_errors(name):
            again = read(parts.as_uri())
        read_back = int(fetch(again.agg(sf.count("*").alias("n")), name).item())
    except MicrosafeError:
        read_back = -1
    if read_back != (records := count()):
        what = (
            "it cannot be read" if read_back < 0 else f"it has {read_back:,} of {records:,} records"
        )
        raise _torn(name, what)


def is_torn(file: Path) -> bool:
    """Tell whether a file differs from the checksums that Hadoop keeps beside it, if it does."""
    beside = file.with_name(f".{file.name}.crc")
    if not beside.exists():
        return False
    sums = beside.read_bytes()
    size = int.from_bytes(sums[4:_HEADER], "big")
    if sums[:4] != _MAGIC or not size:
        return True
    place = _HEADER
    with file.open("rb") as data:
        while block := data.read(size * _READ):
            checksums = b"".join(
                zlib.crc32(block[start : start + size]).to_bytes(4, "big")
                for start in range(0, len(block), size)
            )
            if sums[place : place + len(checksums)] != checksums:
                return True
            place += len(checksums)
    return place != len(sums)


def _torn(name: str, what: str) -> TornFileError:
    return TornFileError(
        f"{name} was not written: read back from the disk, {what}. Check the space and the state "
        "of the disk."
    )
