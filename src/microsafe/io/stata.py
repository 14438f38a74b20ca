"""Stata: .dta."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from microsafe.io.readstat import labels, open_package

if TYPE_CHECKING:
    from pathlib import Path

    from microsafe.io.source import Source
    from microsafe.schema import Code, Variable


def read(path: Path, *, encoding: str | None = None) -> Source:
    """Open a Stata file.

    The missing values . and .a to .z are all null in the data. What .a to .z stand for is
    kept in `Variable.extra` under "missing.a" to "missing.z".
    """
    import pyreadstat

    return open_package(
        path, pyreadstat.read_dta, _described, program="a Stata file", encoding=encoding
    )


def _described(meta: Any, variable: Variable) -> Variable:
    number = int if variable.kind == "integer" else float
    codes: dict[Code, str] = {}
    tags: dict[str, str] = {}
    for code, label in labels(meta, variable.name).items():
        if isinstance(code, str):
            tags[f"missing.{code}"] = label
        else:
            codes[number(code)] = label
    return replace(variable, labels=codes, extra={**variable.extra, **tags})
