"""Open files and frames in the embedded engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.engine.local.engine import LocalEngine
from microsafe.engine.memory import Memory, size_of
from microsafe.errors import UsageError
from microsafe.io import Source, join_sources, read, read_frame, with_missing
from microsafe.io.formats import find_format
from microsafe.progress import Progress, silent

_ALIKE = ("encoding", "separator")  # options that hold for two files of one format


def open_local(
    data: object,
    limit: str | int | Memory | None = None,
    *,
    join: object = None,
    on: str | None = None,
    join_sheet: str | None = None,
    progress: Progress = silent,
    **reading: Any,
) -> LocalEngine:
    """Open a file or a data frame.

    Args:
        data: Path of a file, one that is open, or a pandas, Polars or PyArrow frame.
        limit: On memory; none if None.
        join: Households of the persons that the data are, likewise.
        on: Variable of both that says which household it is.
        join_sheet: Of the workbook of households.
        progress: Progress callback.
        **reading: Options for reading a file.
    """
    size = size_of(limit) if isinstance(limit, str | int) else None
    if join is None:
        source = _read(data, progress, **reading)
    else:
        source = _read_joined(data, join, on, join_sheet, progress, **reading)
    name = source.schema.source
    memory = limit.share(name) if isinstance(limit, Memory) else Memory(size, name)
    if source.held:
        memory.keep(
            source.held,
            "because its format is read as a whole"
            if join is None
            else "to hold the households that are joined",
            "Save it as Parquet, or as CSV in UTF-8,",
        )
    return LocalEngine(source, memory=memory)


def _read_joined(
    data: object,
    join: object,
    on: str | None,
    join_sheet: str | None,
    progress: Progress,
    *,
    na: Sequence[str] = (),
    **options: Any,
) -> Source:
    """Read persons and their households; words for missing hold for both."""
    assert on is not None  # noqa: S101
    persons = _read(data, progress, **options)
    more: dict[str, Any] = {"sheet": join_sheet}
    if isinstance(join, str | Path) and find_format(Path(join)) is persons.format:
        more |= {name: options.get(name) for name in _ALIKE}
    households = _read(join, progress, **more)
    joined = join_sources(persons, households, on, progress=progress)
    return replace(joined, schema=with_missing(joined.schema, na)) if na else joined


def _read(data: object, progress: Progress, **options: Any) -> Source:
    if isinstance(data, str | Path):
        return read(Path(data), progress=progress, **options)
    file_only = [name for name, value in options.items() if value]
    if file_only:
        raise UsageError(f"{', '.join(file_only)} can be given for a file only, not for a frame.")
    return data if isinstance(data, Source) else read_frame(data)
