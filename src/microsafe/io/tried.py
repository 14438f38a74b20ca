"""Files that Polars reads column by column: each is read in another process before it is here.

What differs between such formats is in a `ColumnLayout`, which a function `survey` of the format's
module makes, in both processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import polars as pl

from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.apart import run_apart
from microsafe.io.columns import (
    guard_load,
    guard_scan,
    kind_of,
    narrow_integers,
    no_records_error,
    normalise_missing,
)
from microsafe.io.faults import translate_read_errors
from microsafe.io.source import Source
from microsafe.notices import Notice, make_notice
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_VALUE = 8  # bytes
_PER_BYTE = 10_000  # records; a million equal values take some hundred bytes
_ROWS, _COLUMNS = 1 << 20, 4  # that are tried at once
_CONTROLS = r"[\x00-\x08\x0B\x0C\x0E-\x1F]"  # which text does not have
_UUID = (0, 8, 12, 16, 20, 32)  # where hyphens stand between hexadecimal digits


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLayout:
    """How a file can be read.

    Attributes:
        types: Of its columns, as Polars reads them.
        scan: Gives columns of the records from one place up to another.
        count: Gives the number of records.
        left_out: Columns that cannot be read, and what they hold.
        utc: Columns in time zones that are not known, which become UTC.
        uuids: Columns that hold identifiers of 128 bits.
        held: Bytes that it keeps in memory.
    """

    types: Mapping[str, pl.DataType]
    scan: Callable[[Sequence[str], int, int], pl.LazyFrame]
    count: Callable[[], int]
    left_out: Mapping[str, str] = field(default_factory=dict)
    utc: tuple[str, ...] = ()
    uuids: frozenset[str] = frozenset()
    held: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnarFormat:
    """What such a format is.

    Attributes:
        kind: What messages call a file of it, with its article.
        module: That has `survey`.
        unpacked: Gives the bytes that some columns unpack to, as the file says.
    """

    kind: str
    module: str
    unpacked: Callable[[Path, Collection[str]], int]


@dataclass(slots=True, kw_only=True)
class _Tried:
    """What is known of a file: its records, and which columns could be read, which of them as text.

    Attributes:
        layout: How it is read.
        records: How many there are.
        texts: Columns of bytes that are all text.
        columns: Those that could be read.
    """

    layout: ColumnLayout
    records: int
    texts: Sequence[str] = ()
    columns: set[str] = field(default_factory=set)


# By path, size, time and number of the file.
_tried: dict[tuple[str, int, int, int], _Tried] = {}
_trying = RLock()  # nothing is tried twice


def open_columns(path: Path, form: ColumnarFormat, *, part_of: str = "") -> Source:
    """Open a file. Whatever is read of it, another process has read before.

    Args:
        path: The file.
        form: Its format.
        part_of: What notices call what it is a part of; parts may be without records.

    Raises:
        UnreadableFileError: It cannot be read.
        InputError: It has no records, or nothing that can be read.
    """
    types = read_types(path, form)
    with translate_read_errors(path.name, form.kind):
        found = _try(path, form, ())
    if not types:
        raise InputError(
            f"{path.name} has no variables that can be read: {', '.join(found.layout.left_out)}. "
            "Store them as numbers, text or dates."
        )
    if not found.records and not part_of:
        raise no_records_error(path.name)
    schema = Schema(
        source=path.name,
        variables=tuple(Variable(name=name, kind=kind_of(t)) for name, t in types.items()),
    )

    def collect(names: Sequence[str], start: int, size: int | None = None) -> pl.DataFrame:
        with translate_read_errors(path.name, form.kind):
            now = _try(path, form, names)
            stop = now.records if size is None else start + size
            frame = _query_columns(now.layout, now.texts, names, start, stop).collect()
            return narrow_integers(frame, path.name)

    def load(names: Sequence[str]) -> pl.DataFrame:
        return collect(names, 0)

    def scan(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        for start in range(0, found.records, size):
            yield collect(names, start, size)

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=True,
        scan=guard_scan(schema, scan),
        records=found.records,
        held=found.layout.held,
        notices=tuple(_make_notices(part_of or path.name, found)),
        paths=(path,),
    )


def read_types(path: Path, form: ColumnarFormat) -> Mapping[str, pl.DataType]:
    """Return the types of the columns of a file, before every way to say "nothing" is null."""
    with translate_read_errors(path.name, form.kind):
        found = _try(path, form, ())
        return _convert_types(found.layout, found.texts, found.layout.types)


def _query_columns(
    layout: ColumnLayout,
    texts: Collection[str],
    names: Sequence[str],
    start: int,
    stop: int,
    *,
    normalise: Callable[[str, pl.DataType], pl.Expr] = normalise_missing,
) -> pl.LazyFrame:
    """Return columns of the records from one place up to another, as the package has them."""
    types = _convert_types(layout, texts, names)
    read = layout.scan(names, start, stop).select(
        _convert_column(name, layout, texts) for name in names
    )
    return read.select(normalise(name, types[name]) for name in names)


def _convert_types(
    layout: ColumnLayout, texts: Collection[str], names: Iterable[str]
) -> Mapping[str, pl.DataType]:
    """Return the types that columns have when they were read."""
    empty = pl.LazyFrame(schema={name: layout.types[name] for name in names})
    return empty.select(_convert_column(name, layout, texts) for name in names).collect_schema()


def _convert_column(name: str, layout: ColumnLayout, texts: Collection[str]) -> pl.Expr:
    column = pl.col(name)
    if hasattr(layout.types[name], "ext_storage"):  # a type that somebody added to Arrow's
        column = column.ext.storage()
    if name in layout.uuids:
        digits = column.bin.encode("hex")
        parts = [digits.str.slice(start, stop - start) for start, stop in pairwise(_UUID)]
        return pl.concat_str(parts, separator="-").alias(name)
    return column.cast(pl.String) if name in texts else column


def try_ahead(path: Path, form: ColumnarFormat, names: Sequence[str]) -> None:
    """Have columns tried that will be asked for; what is wrong with them is told then."""
    with suppress(Exception, pl.exceptions.PanicException):
        known = _try(path, form, ())
        for name in names:
            if name in known.layout.types:
                _try(path, form, [name])


def _try(path: Path, form: ColumnarFormat, names: Sequence[str]) -> _Tried:
    """Have columns read in another process, unless they were; return what is known of the file."""
    told = path.stat()
    file = (os.path.abspath(path), told.st_size, told.st_mtime_ns, told.st_ino)
    known = _tried.get(file)
    if known is not None and known.columns.issuperset(names):
        return known
    with _trying:
        return _try_new(path, form, names, file)


def _try_new(
    path: Path, form: ColumnarFormat, names: Sequence[str], file: tuple[str, int, int, int]
) -> _Tried:
    """Have the other process asked for what is not known."""
    size = file[1]

    def ask(work: str, **more: Any) -> Any:
        facts, _ = run_apart(
            f"{__name__}:{work}",
            name=path.name,
            unpacked=size,
            path=file[0],
            module=form.module,
            **more,
        )
        return facts

    def ask_columns(work: str, names: Sequence[str], records: int, **more: Any) -> Any:
        return ask(
            work,
            decoded=_VALUE * records * len(names),
            declared=partial(form.unpacked, path, names),
            names=names,
            **more,
        )

    if file not in _tried:
        records = ask("count_records")
        if records > _PER_BYTE * size:
            raise UnreadableFileError(
                f"{path.name} says that it has {records:,} records, {records // size:,} "
                "for each of its bytes. It may be damaged, so fetch or export it again."
            )
        layout = _survey(path, form.module)
        new = _Tried(layout=layout, records=records)
        if unclear := _list_bytes(layout):
            new.texts = ask_columns("find_texts", unclear, records)
            new.columns.update(new.texts)  # others were read until it was clear
        _tried[file] = new
    known = _tried[file]
    if new_names := [name for name in dict.fromkeys(names) if name not in known.columns]:
        ask_columns("try_columns", new_names, known.records, texts=known.texts)
        known.columns.update(new_names)
    return known


def _survey(path: Path, module: str) -> ColumnLayout:
    found: ColumnLayout = import_module(module).survey(path)
    return found


def _list_bytes(layout: ColumnLayout) -> list[str]:
    return [n for n, t in layout.types.items() if t == pl.Binary and n not in layout.uuids]


def count_records(path: str, module: str) -> tuple[int, None]:
    """Return the number of records; called in the process that reads."""
    return _survey(Path(path), module).count(), None


def find_texts(path: str, module: str, names: list[str]) -> tuple[list[str], None]:
    """Return the columns of bytes that are text in every record; called where it is read."""
    layout = _survey(Path(path), module)
    records = layout.count()

    def is_text(name: str) -> bool:
        return all(
            _is_text(layout.scan([name], start, start + _ROWS).collect()[name])
            for start in range(0, records, _ROWS)
        )

    return [name for name in names if is_text(name)], None


def _is_text(column: pl.Series) -> bool:
    try:
        text = column.cast(pl.String)
    except pl.exceptions.PolarsError:
        return False
    return not text.str.contains(_CONTROLS).any()


def try_columns(path: str, module: str, names: list[str], texts: list[str]) -> tuple[None, None]:
    """Read columns, a few at a time, and forget them; called in the process that reads."""
    layout = _survey(Path(path), module)
    records = layout.count()

    def normalise(name: str, kind: pl.DataType) -> pl.Expr:  # what was read as text is sound
        return pl.col(name) if kind == pl.String else normalise_missing(name, kind)

    for first in range(0, len(names), _COLUMNS):
        some = names[first : first + _COLUMNS]
        for start in range(0, records, _ROWS):
            stop = start + _ROWS
            _query_columns(layout, texts, some, start, stop, normalise=normalise).collect()
    return None, None


def _make_notices(name: str, found: _Tried) -> Iterator[Notice]:
    told = {
        "columns-left-out": [f"{n} ({reason})" for n, reason in found.layout.left_out.items()],
        "times-utc": found.layout.utc,
        "bytes-text": found.texts,
    }
    for kind, columns in told.items():
        if columns:
            yield make_notice(kind, name=name, count=len(columns), columns=", ".join(columns))
