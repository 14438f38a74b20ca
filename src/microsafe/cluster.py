"""Studies whose records are in Spark: opening them, and writing what became of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from microsafe.cells import Cells
from microsafe.engine import Engine
from microsafe.errors import TooManyCellsError, UsageError
from microsafe.io import check_writable, read, with_missing, write
from microsafe.progress import Progress, silent
from microsafe.scenario import Scenario
from microsafe.schema import Code

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from microsafe.engine.spark import Spark
    from microsafe.io.spark import Run, SparkSource

T = TypeVar("T")


def is_spark_frame(data: object) -> bool:
    """Tell whether something is a Spark frame, without importing Spark."""
    return type(data).__module__.startswith("pyspark.sql")


def refuse_spark(data: object, engine: str, master: str | None, most_cells: int | None) -> None:
    """Refuse what belongs to the Spark engine."""
    if engine != "local":
        raise UsageError(f"There is no engine {engine!r}. Use 'local' or 'spark'.")
    if master is not None or most_cells is not None:
        raise UsageError("master and most_cells belong to Spark: give engine='spark' too.")
    if is_spark_frame(data):
        raise UsageError("The data are a Spark frame: give engine='spark' too.")


def cells_or_profile(engine: Engine, scenario: Scenario, progress: Progress) -> Cells:
    """Return the cells; if they are too many to come here, what risk can be measured from."""
    try:
        return engine.cells(scenario, progress=progress)
    except TooManyCellsError:
        profile = getattr(engine, "profile", None)
        if profile is None:
            raise
        made: Cells = profile(scenario, progress=progress)
        return made


def open_in_spark(
    data: object,
    *,
    master: str | None = None,
    most_cells: int | None = None,
    na: Sequence[str] = (),
    **reading: Any,
) -> tuple[Spark, SparkSource]:
    """Open a Spark frame, a table by its name, or a file in Spark.

    Args:
        data: What to open. Parquet and delimited text are read by Spark; a file of another format
            is read on this machine and handed to Spark.
        master: Where Spark runs; the session in use if None, or all cores of this machine.
        most_cells: Combinations of keys that may come to this machine.
        na: Texts that stand for missing.
        **reading: Further options for reading a file.
    """
    if find_spec("pyspark") is None:
        raise UsageError("The Spark engine needs PySpark 4: pip install 'microsafe[spark]'.")
    from microsafe.engine.spark import MOST_CELLS, Spark

    if most_cells is not None and most_cells < 1:
        raise UsageError("The number of cells that may come here must be at least 1.")
    source = _opened(data, master, {name: value for name, value in reading.items() if value})
    if na:
        source = replace(
            source, schema=with_missing(source.schema, (na,) if isinstance(na, str) else na)
        )
    engine = Spark(
        source.schema, source.frame, order=source.order, most_cells=most_cells or MOST_CELLS
    )
    return engine, source


def _opened(data: object, master: str | None, reading: Mapping[str, Any]) -> SparkSource:
    from microsafe.engine.spark import session
    from microsafe.io import spark

    if is_spark_frame(data):
        _refuse_options(reading, "a frame")
        return spark.from_frame(data)
    if not isinstance(data, str | Path):
        raise UsageError(
            f"{type(data).__name__} is not a Spark frame, the name of a table or the path of a "
            "file. Give one of these."
        )
    name = str(data)
    if isinstance(data, str) and not spark.is_file(name):
        _refuse_options(reading, "a table")
        return spark.from_table(session(master), name)
    if spark.is_parquet(name):
        _refuse_options(reading, "Parquet")
        return spark.from_parquet(session(master), name)
    found = read(Path(name), **reading)
    if spark.is_text(found):
        return spark.from_text(session(master), found)
    return spark.handed_over(session(master), found)


def _refuse_options(reading: Mapping[str, Any], what: str) -> None:
    if reading:
        raise UsageError(f"{', '.join(reading)} cannot be given for {what}. Leave it out.")


def check_output_of_spark(source: SparkSource, path: str) -> None:
    """Raise UsageError if records that came from somewhere cannot be written in a format."""
    from microsafe.io import spark

    if _goes_back(source, path):
        check_writable(Path(path))
    else:
        spark.check_writable(path)


def _goes_back(source: SparkSource, path: str) -> bool:
    """Tell whether records are written by this machine, which also read them."""
    from microsafe.io import spark

    return source.origin is not None and not (spark.writes(path) or spark.is_folder(path))


def write_from_spark(
    engine: Spark,
    source: SparkSource,
    path: str,
    *,
    notes: bool = True,
    blanks: Mapping[str, Code] | None = None,
    shuffle: int | None = None,
    progress: Progress = silent,
) -> None:
    """Write the records as they now are, through Spark.

    Formats that one machine writes (SPSS, Stata, ...) can be had for records that came from a file
    of such a format: they go back the way they came.
    """
    from microsafe.engine.spark.rows import fetched
    from microsafe.io import spark

    if _goes_back(source, path):
        # Without a place of their own, shuffled records must not be looked up in the origin.
        places = engine.frame(ordered=True, seed=shuffle, places=True)
        frame = fetched(places, engine.schema.source, tell=partial(progress, "writing"))
        rows = frame.drop_in_place("place")
        write(
            frame, engine.schema, path, origin=source.origin, blanks=blanks, notes=notes, rows=rows
        )
        return
    one = not spark.is_folder(path)
    rows = engine.frame(ordered=one or shuffle is not None, seed=shuffle)
    run = _watching(rows.sparkSession, progress)
    spark.write(rows, engine.schema, path, paths=source.paths, blanks=blanks, run=run)


def write_records_from_spark(frame: DataFrame, path: str, progress: Progress = silent) -> None:
    """Write records with their risk, as `Risk.records` returns them."""
    from microsafe.io import spark

    run = _watching(frame.sparkSession, progress)
    spark.write(frame, spark.from_frame(frame).schema, path, run=run)


def _watching(session: SparkSession, progress: Progress) -> Run:
    """Return what runs queries and tells how far they are."""
    from microsafe.engine.spark.watching import watched

    def run(stage: str, query: Callable[[], T], /) -> T:
        progress(stage, 0.0)
        found = watched(session, query, partial(progress, stage))
        progress(stage, 1.0)
        return found

    return run
