"""Opening files and frames in the embedded engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microsafe.engine.local.engine import Local
from microsafe.engine.memory import Memory, size_of
from microsafe.errors import UsageError
from microsafe.io import Source, read, read_frame
from microsafe.progress import Progress, silent


def open_local(
    data: object,
    limit: str | int | Memory | None = None,
    *,
    progress: Progress = silent,
    **reading: Any,
) -> Local:
    """Open a file or a data frame.

    Args:
        data: Path of a file, one that is open, or a pandas, Polars or PyArrow frame.
        limit: On memory; none if None.
        progress: Progress callback.
        **reading: Options for reading a file.
    """
    size = size_of(limit) if isinstance(limit, str | int) else None
    source = _read(data, progress, **reading)
    name = source.schema.source
    memory = limit.share(name) if isinstance(limit, Memory) else Memory(size, name)
    if source.held:
        memory.keep(
            source.held,
            "because its format is read as a whole",
            "Save it as Parquet, or as CSV in UTF-8,",
        )
    return Local(source, memory=memory)


def _read(data: object, progress: Progress, **options: Any) -> Source:
    if isinstance(data, str | Path):
        return read(Path(data), progress=progress, **options)
    given = [name for name, value in options.items() if value]
    if given:
        raise UsageError(f"{', '.join(given)} can be given for a file only, not for a frame.")
    return data if isinstance(data, Source) else read_frame(data)
