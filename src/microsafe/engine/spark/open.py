"""Open frames, tables and files in Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.engine.spark import source
from microsafe.engine.spark.engine import MOST_CELLS, SparkEngine
from microsafe.engine.spark.session import session
from microsafe.errors import UsageError
from microsafe.io import read, with_missing


def open_spark(
    data: object,
    *,
    master: str | None = None,
    most_cells: int | None = None,
    na: Sequence[str] = (),
    **reading: Any,
) -> SparkEngine:
    """Open a Spark frame, a table by its name, or a file in Spark.

    Args:
        data: What to open. Parquet and delimited text are read by Spark; a file of another format
            is read on this machine and handed to Spark.
        master: Where Spark runs; the session in use if None, or all cores of this machine.
        most_cells: Combinations of keys that may come to this machine.
        na: Texts that stand for missing.
        **reading: Further options for reading a file.
    """
    if reading.get("join") is not None:
        raise UsageError(
            "Files are joined on this machine, not by Spark. Join the tables of persons and "
            "households in Spark, and open the result."
        )
    if most_cells is not None and most_cells < 1:
        raise UsageError("most_cells must be at least 1.")
    opened = _open_source(data, master, {name: value for name, value in reading.items() if value})
    if na:
        codes = (na,) if isinstance(na, str) else na
        opened = replace(opened, schema=with_missing(opened.schema, codes))
    return SparkEngine(opened, most_cells=most_cells or MOST_CELLS)


def _open_source(
    data: object, master: str | None, reading: Mapping[str, Any]
) -> source.SparkSource:
    if type(data).__module__.startswith("pyspark.sql"):
        _refuse_options(reading, "a frame")
        return source.open_frame(data)
    if not isinstance(data, str | Path):
        raise UsageError(
            f"{type(data).__name__} is not a Spark frame, the name of a table or the path of a "
            "file. Give one of these."
        )
    name = str(data)
    if isinstance(data, str) and not source.is_file(name):
        _refuse_options(reading, "a table")
        return source.open_table(session(master), name)
    if source.is_parquet(name):
        _refuse_options(reading, "Parquet")
        return source.open_parquet(session(master), name)
    opened = read(Path(name), **reading)
    if source.is_delimited(opened):
        return source.open_text(session(master), opened)
    return source.hand_over(session(master), opened)


def _refuse_options(reading: Mapping[str, Any], what: str) -> None:
    if reading:
        raise UsageError(f"{', '.join(reading)} cannot be given for {what}. Leave it out.")
