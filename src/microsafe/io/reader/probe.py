"""Probe files that Polars reads: each column is read in the reader process before it is read here.

What is damaged, or of a type that Polars does not know, fails there and not here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.column_types import (
    guard_load,
    guard_scan,
    kind_of,
    narrow_integers,
    no_records_error,
    normalise_missing,
)
from microsafe.io.reader.faults import translate_read_errors
from microsafe.io.reader.process import run_in_reader
from microsafe.io.source import Source
from microsafe.notices import Notice, make_notice
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_VALUE = 8  # bytes
_PER_BYTE = 10_000  # records; a million equal values take some hundred bytes
_ROWS, _COLUMNS = 1 << 20, 4  # that are probed at once
_CONTROLS = r"[\x00-\x08\x0B\x0C\x0E-\x1F]"  # which text does not have
_MOST_DIGITS = 38
_ANY_ZONE = "POLARS_IGNORE_TIMEZONE_PARSE_ERROR"
_REMEDY = (
    "It may be damaged, or have variables of a type that is not read, such as intervals or "
    "geometries, so export it again with such variables as numbers, text or dates."
)

Types = Mapping[str, pl.DataType]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnarFormat:
    """What such a format is."""

    kind: str
    scan: Literal["scan_parquet", "scan_ipc"]


@dataclass(slots=True, kw_only=True)
class _ProbedFile:
    """A file whose columns were read once: its types, its records, which columns are text."""

    types: Types
    records: int
    texts: Sequence[str] = ()
    columns: set[str] = field(default_factory=set)


# By path, size, time and number of the file.
_probed: dict[tuple[str, int, int, int], _ProbedFile] = {}
_probing = RLock()  # nothing is probed twice


def open_columns(path: Path, form: ColumnarFormat, *, part_of: str = "") -> Source:
    """Open a file. Whatever is read of it, another process has read before.

    Args:
        path: The file.
        form: Its format.
        part_of: What notices call what it is a part of; parts may be without records.

    Raises:
        UnreadableFileError: It cannot be read.
        InputError: It has no records, or variables that cannot be read.
    """
    types = read_types(path, form)
    probed = _probe(path, form, ())
    if not probed.records and not part_of:
        raise no_records_error(path.name)
    schema = Schema(
        source=path.name,
        variables=tuple(Variable(name=name, kind=kind_of(t)) for name, t in types.items()),
    )

    def collect(names: Sequence[str], start: int, size: int | None = None) -> pl.DataFrame:
        with translate_read_errors(path.name, form.kind):
            now = _probe(path, form, names)
            rows = now.records if size is None else size
            query = _query_columns(_scan(path, form.scan), now.types, now.texts, names, start, rows)
            return narrow_integers(query.collect(), path.name)

    def load(names: Sequence[str]) -> pl.DataFrame:
        return collect(names, 0)

    def scan(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        for start in range(0, probed.records, size):
            yield collect(names, start, size)

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=True,
        scan=guard_scan(schema, scan),
        records=probed.records,
        notices=_make_notices(part_of or path.name, probed.texts),
        paths=(path,),
    )


def read_types(path: Path, form: ColumnarFormat) -> Types:
    """Return the types of the columns of a file, before every way to say "nothing" is null."""
    with translate_read_errors(path.name, form.kind, _REMEDY):
        probed = _probe(path, form, ())
        return _convert_types(probed.types, probed.texts, probed.types)


def _query_columns(
    file: pl.LazyFrame,
    types: Types,
    texts: Collection[str],
    names: Sequence[str],
    start: int,
    rows: int,
    *,
    normalise: Callable[[str, pl.DataType], pl.Expr] = normalise_missing,
) -> pl.LazyFrame:
    """Return columns of so many records from a place on, as the package has them."""
    converted = _convert_types(types, texts, names)
    # Only the pages that hold these rows are decoded.
    read = file.select(names).slice(start, rows)
    read = read.select(_convert_column(name, types[name], texts) for name in names)
    return read.select(normalise(name, converted[name]) for name in names)


def _convert_types(types: Types, texts: Collection[str], names: Iterable[str]) -> Types:
    """Return the types that columns have when they were read."""
    empty = pl.LazyFrame(schema={name: types[name] for name in names})
    columns = (_convert_column(name, types[name], texts) for name in names)
    return empty.select(columns).collect_schema()


def _convert_column(name: str, dtype: pl.DataType, texts: Collection[str]) -> pl.Expr:
    column = pl.col(name)
    if hasattr(dtype, "ext_storage"):  # a type that somebody added to Arrow's
        column = column.ext.storage()
    return column.cast(pl.String) if name in texts else column


def probe_ahead(path: Path, form: ColumnarFormat, names: Sequence[str]) -> None:
    """Probe columns that will be asked for; what is wrong with them is told then."""
    with suppress(Exception, pl.exceptions.PanicException):
        known = _probe(path, form, ())
        for name in names:
            if name in known.types:
                _probe(path, form, [name])


def _probe(path: Path, form: ColumnarFormat, names: Sequence[str]) -> _ProbedFile:
    """Probe columns, unless they were; return what is known of the file."""
    status = path.stat()
    file = (os.path.abspath(path), status.st_size, status.st_mtime_ns, status.st_ino)
    known = _probed.get(file)
    if known is not None and known.columns.issuperset(names):
        return known
    with _probing:
        return _probe_new(path, form, names, file)


def _probe_new(
    path: Path, form: ColumnarFormat, names: Sequence[str], file: tuple[str, int, int, int]
) -> _ProbedFile:
    """Ask the reader process for what is not known."""
    size = file[1]

    def ask(work: str, **more: Any) -> Any:
        facts, _ = run_in_reader(
            f"{__name__}:{work}",
            name=path.name,
            unpacked=size,
            path=file[0],
            scan=form.scan,
            **more,
        )
        return facts

    if file not in _probed:
        records = ask("count_records")
        if records > _PER_BYTE * size:
            raise UnreadableFileError(
                f"{path.name} says that it has {records:,} records, {records // size:,} "
                "for each of its bytes. It may be damaged, so fetch or export it again."
            )
        new = _ProbedFile(types=_scan(path, form.scan).collect_schema(), records=records)
        if unclear := [name for name, dtype in new.types.items() if dtype == pl.Binary]:
            decoded = _VALUE * records * len(unclear)
            new.texts = ask("find_texts", decoded=decoded, names=unclear)
            new.columns.update(new.texts)  # others were read until it was clear
        _probed[file] = new
    known = _probed[file]
    if new_names := [name for name in dict.fromkeys(names) if name not in known.columns]:
        decoded = _VALUE * known.records * len(new_names)
        ask("probe_columns", decoded=decoded, names=new_names, texts=known.texts)
        known.columns.update(new_names)
    return known


def _scan(path: str | Path, scan: str) -> pl.LazyFrame:
    frame: pl.LazyFrame = getattr(pl, scan)(path, glob=False)
    return frame


def count_records(path: str, scan: str) -> tuple[int, None]:
    """Return the number of records; called in the process that reads.

    Raises:
        InputError: It has variables of types that cannot be read.
    """
    file = _scan(path, scan)
    with _any_zone():
        types = file.collect_schema()
    unknown = {name: _find_reason(dtype) for name, dtype in types.items()}
    listed = ", ".join(f"{name} ({reason})" for name, reason in unknown.items() if reason)
    if listed:
        raise InputError(
            f"{os.path.basename(path)} has variables of types that cannot be read: {listed}. Write "
            "the file again without them, or store them as numbers, text, dates or moments in UTC."
        )
    return file.select(pl.len()).collect().item(), None


@contextmanager
def _any_zone() -> Iterator[None]:
    """Have Polars tell time zones that it does not know, where it would panic."""
    before = os.environ.get(_ANY_ZONE)
    os.environ[_ANY_ZONE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_ANY_ZONE]
        else:
            os.environ[_ANY_ZONE] = before


def _find_reason(dtype: object) -> str:
    """Return why Polars cannot read a column, or a part of it; empty if it can."""
    if isinstance(dtype, pl.Decimal) and (dtype.precision or 0) > _MOST_DIGITS:
        return f"numbers of more than {_MOST_DIGITS} digits"
    if isinstance(dtype, pl.Datetime) and dtype.time_zone and not _is_zone(dtype.time_zone):
        return f"moments in the time zone {dtype.time_zone}"
    if isinstance(dtype, pl.List | pl.Array):
        return _find_reason(dtype.inner)
    if isinstance(dtype, pl.Struct):
        return next(filter(None, (_find_reason(part.dtype) for part in dtype.fields)), "")
    return ""


def _is_zone(zone: str) -> bool:
    try:
        pl.Series([0]).cast(pl.Datetime).dt.replace_time_zone(zone)
    except pl.exceptions.ComputeError:
        return False
    return True


def find_texts(path: str, scan: str, names: list[str]) -> tuple[list[str], None]:
    """Return the columns of bytes that are text in every record; called where it is read."""
    file = _scan(path, scan)
    records = file.select(pl.len()).collect().item()

    def is_text(name: str) -> bool:
        return all(
            _is_text(file.select(name).slice(start, _ROWS).collect()[name])
            for start in range(0, records, _ROWS)
        )

    return [name for name in names if is_text(name)], None


def _is_text(column: pl.Series) -> bool:
    try:
        text = column.cast(pl.String)
    except pl.exceptions.PolarsError:
        return False
    return not text.str.contains(_CONTROLS).any()


def probe_columns(path: str, scan: str, names: list[str], texts: list[str]) -> tuple[None, None]:
    """Read columns, a few at a time, and forget them; called in the process that reads."""
    file = _scan(path, scan)
    types, records = file.collect_schema(), file.select(pl.len()).collect().item()

    def normalise(name: str, kind: pl.DataType) -> pl.Expr:  # what was read as text is sound
        return pl.col(name) if kind == pl.String else normalise_missing(name, kind)

    for first in range(0, len(names), _COLUMNS):
        some = names[first : first + _COLUMNS]
        for start in range(0, records, _ROWS):
            _query_columns(file, types, texts, some, start, _ROWS, normalise=normalise).collect()
    return None, None


def _make_notices(name: str, texts: Sequence[str]) -> tuple[Notice, ...]:
    if not texts:
        return ()
    return (make_notice("bytes-text", name=name, count=len(texts), columns=", ".join(texts)),)
