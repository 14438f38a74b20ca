"""SPSS: .sav, .zsav and .por."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from microsafe.errors import UnreadableFileError
from microsafe.io.dictionary import complaint
from microsafe.io.readstat import labels, open_package

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.schema import Code, Variable

# "LO THRU 0" is stored with the largest double as its open end.
_OPEN_END = 1.7e308


def read(path: Path, *, encoding: str | None = None) -> Source:
    """Open an SPSS file with all that its data dictionary says."""
    import pyreadstat

    if path.suffix.lower() == ".por":
        program = "an SPSS portable file"
        return open_package(path, _portable, _described, program=program, encoding=None)
    if remedy := complaint(path, encoding):
        raise UnreadableFileError(f"{path.name} cannot be read as an SPSS file. {remedy}")
    # User-missing codes stay in the data: whether they count as missing is the scenario's choice.
    reader = partial(pyreadstat.read_sav, user_missing=True)
    return open_package(path, reader, _described, program="an SPSS file", encoding=encoding)


def _portable(path: str, *, encoding: None, **options: Any) -> Any:  # noqa: ARG001
    # Portable files have a character table of their own, so there is nothing to choose.
    import pyreadstat

    return pyreadstat.read_por(path, **options)


def _described(meta: Any, variable: Variable) -> Variable:
    text = variable.kind == "text"
    codes: list[Code] = []
    ranges: list[tuple[float, float]] = []
    for low, high in _missing(meta, variable.name):
        if low == high:
            codes.append(_code(low, text))
        elif not text:
            ranges.append((_end(low), _end(high)))
    return replace(
        variable,
        labels={_code(code, text): label for code, label in labels(meta, variable.name).items()},
        missing=tuple(codes),
        missing_ranges=tuple(ranges),
    )


def _missing(meta: Any, name: str) -> Iterator[tuple[Code, Code]]:
    for item in meta.missing_ranges.get(name, ()):
        yield (item["lo"], item["hi"]) if isinstance(item, dict) else (item, item)


def _code(code: Code, text: bool) -> Code:
    """Return the code as the values have it: text without the blanks that fill it up."""
    return str(code).rstrip(" ") if text else float(code)


def _end(value: Code) -> float:
    number = float(value)
    return float("inf") * (1 if number > 0 else -1) if abs(number) > _OPEN_END else number
