"""SAS: .sas7bdat and transport files (.xpt)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from microsafe.errors import UnreadableFileError
from microsafe.io.faults import DAMAGED
from microsafe.io.readstat import Reader, labels, open_package

if TYPE_CHECKING:
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.schema import Variable

_CARD = 80


def read(path: Path, *, encoding: str | None = None) -> Source:
    """Open a SAS file. Special missing values (.A to .Z, ._) are null."""
    import pyreadstat

    if path.suffix.lower() == ".xpt":
        # A transport file does not say how many records it has, but it is written in
        # cards of 80 bytes, so one that was cut short gives itself away.
        if path.stat().st_size % _CARD:
            raise UnreadableFileError(
                f"{path.name} cannot be read as a SAS transport file. {DAMAGED}"
            )
        reader: Reader = pyreadstat.read_xport
        program = "a SAS transport file"
    else:
        reader = pyreadstat.read_sas7bdat
        program = "a SAS file"
    return open_package(path, reader, _described, program=program, encoding=encoding)


def _described(meta: Any, variable: Variable) -> Variable:
    table = {"table": str(meta.table_name)} if meta.table_name else {}
    return replace(variable, labels=labels(meta, variable.name), extra={**variable.extra, **table})
