"""Open data in the engine that is asked for, and import no other."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from microsafe.engine.contract import Engine, EngineName
from microsafe.engine.memory import Memory
from microsafe.errors import UsageError
from microsafe.progress import Progress, silent


def open_engine(
    data: object,
    *,
    engine: EngineName = "local",
    master: str | None = None,
    most_cells: int | None = None,
    memory: str | int | Memory | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> Engine:
    """Open data in one of the engines (see `study`).

    Raises:
        UsageError: An option or the data belong to another engine, or half of a join is missing.
    """
    check_join(reading)
    if engine == "spark":
        return _open_spark(data, master, most_cells, memory, **reading)
    if engine != "local":
        raise UsageError(f"There is no engine {engine!r}. Use 'local' or 'spark'.")
    if master is not None or most_cells is not None:
        raise UsageError("master and most_cells apply only to Spark: give engine='spark' too.")
    if type(data).__module__.startswith("pyspark.sql"):
        raise UsageError("The data are a Spark frame: give engine='spark' too.")
    from microsafe.engine.local import open_local

    return open_local(data, memory, progress=progress, **reading)


def check_join(reading: Mapping[str, Any]) -> None:
    """Raise UsageError if a file of households or its key is named without the other."""
    joined, key = (reading.get(name) is not None for name in ("join", "on"))
    if joined and not key:
        raise UsageError("Name the variable that tells households apart in both files (on).")
    if not joined and (key or reading.get("join_sheet") is not None):
        raise UsageError("Name the file of households to be joined (join), or leave out its key.")


def _open_spark(
    data: object,
    master: str | None,
    most_cells: int | None,
    memory: str | int | Memory | None,
    **reading: Any,
) -> Engine:
    if memory is not None:
        raise UsageError("memory limits the embedded engine. Spark has limits of its own.")
    if find_spec("pyspark") is None:
        raise UsageError("The Spark engine needs PySpark 4: pip install 'microsafe[spark]'.")
    from microsafe.engine.spark import open_spark

    return open_spark(data, master=master, most_cells=most_cells, **reading)
