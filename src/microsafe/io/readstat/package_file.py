"""Read and write SPSS, Stata and SAS files by ReadStat."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import polars as pl

from microsafe.io.column_types import guard_load, guard_scan, kind_of, no_records_error
from microsafe.io.reader.archive_size import unpacked_size
from microsafe.io.reader.faults import translate_read_errors
from microsafe.io.reader.process import Answer, run_in_reader
from microsafe.io.readstat.package_rows import PackageRows
from microsafe.io.readstat.readstat_worker import DATES
from microsafe.io.source import Source
from microsafe.io.text.encoding import check_encoding
from microsafe.schema import Code, Kind, Measure, Schema, Variable

Describe = Callable[[Any, Variable], Variable]

_PROBE = 1000
_WHOLE = 8  # bytes in memory for one unpacked: a number is an object for a while
_DAMAGED = "It may be damaged or cut short, or its text is not in the encoding that it declares."
_SHAPE = re.compile(r"^[A-Z%$-]*?(\d+)(?:\.(\d+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageDialect:
    """What the schema does not tell of a file of a statistical package."""

    title: str
    ask: Callable[..., Answer]


def open_package(
    path: Path,
    reader: str,
    describe: Describe,
    *,
    kind: str,
    encoding: str | None,
) -> Source:
    """Open a file of a statistical package.

    Args:
        path: The file.
        reader: The function of pyreadstat for its format.
        describe: Adds to a variable what only this format knows.
        kind: What the file should be, with its article.
        encoding: Encoding of its text, if the file says it wrongly or not at all.
    """
    remedy = _DAMAGED
    if encoding is not None:
        check_encoding(encoding)
        remedy = f"It may be damaged, or its text is not in {encoding}."
    unpacked = unpacked_size(path)
    ask = partial(
        run_in_reader,
        name=path.name,
        unpacked=unpacked,
        path=os.path.abspath(path),
        encoding=encoding,
    )

    guard = partial(translate_read_errors, path.name, kind, remedy)
    with guard():
        # The first rows settle the column types, which the metadata alone do not tell.
        facts, probe = ask(
            "microsafe.io.readstat.readstat_worker:survey", reader=reader, rows=_PROBE
        )
        assert probe is not None  # noqa: S101
        meta = SimpleNamespace(**facts)
        schema = _schema(path.name, probe, meta, describe)
    if not probe.height:
        raise no_records_error(path.name)
    rows = PackageRows(
        schema=schema,
        fetch=partial(_fetch, ask, reader),
        guard=guard,
        records=None if meta.whole else meta.records,
        whole=meta.whole,
    )
    return Source(
        schema=schema,
        load=guard_load(schema, rows.load),
        columnar=False,
        scan=None if meta.whole else guard_scan(schema, rows.scan),
        records=rows.records,
        held=_WHOLE * unpacked if meta.whole else 0,
        paths=(path,),
        dialect=PackageDialect(title=meta.file_label or "", ask=ask),
    )


def value_labels(meta: Any, name: str) -> Mapping[Code, str]:
    """Return the value labels of a variable as the file has them."""
    labels: Mapping[Code, str] = meta.variable_value_labels.get(name) or {}
    return labels


def _fetch(ask: Callable[..., Answer], reader: str, **options: Any) -> pl.DataFrame:
    _, frame = ask("microsafe.io.readstat.readstat_worker:fetch", reader=reader, **options)
    assert frame is not None  # noqa: S101
    return frame


def _schema(name: str, probe: pl.DataFrame, meta: Any, describe: Describe) -> Schema:
    variables = tuple(
        describe(meta, _variable(meta, column, probe[column].dtype)) for column in meta.column_names
    )
    about = (meta.file_label, *(meta.notes or ()))
    return Schema(source=name, variables=variables, notes=tuple(note for note in about if note))


def _variable(meta: Any, name: str, dtype: pl.DataType) -> Variable:
    shown = str(meta.original_variable_types.get(name) or "")
    measure = meta.variable_measure.get(name)
    shape = _SHAPE.match(shown)
    extra = {
        "alignment": str(meta.variable_alignment.get(name) or ""),
        "display_width": str(meta.variable_display_width.get(name) or ""),
        "storage_type": str(meta.readstat_variable_types.get(name) or ""),
        "storage_width": str(meta.variable_storage_width.get(name) or ""),
    }
    return Variable(
        name=name,
        label=meta.column_names_to_labels.get(name) or "",
        kind=_kind(extra["storage_type"], shown, dtype),
        measure=measure if measure in get_args(Measure) else "unknown",
        width=int(shape[1]) if shape else None,
        decimals=int(shape[2]) if shape and shape[2] else None,
        format=shown,
        extra={key: value for key, value in extra.items() if value not in ("", "unknown")},
    )


def _kind(storage: str, shown: str, dtype: pl.DataType) -> Kind:
    if storage == "string":
        return "text"
    if kind_of(dtype) == "date" or (dtype == pl.Null and DATES.search(shown)):
        return "date"
    return "integer" if storage.startswith("int") else "number"
