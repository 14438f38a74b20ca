"""Read data frames of R: `.rds` has one object, `.RData` and `.rda` have named ones."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microsafe.errors import InputError, UnreadableFileError, UsageError, did_you_mean
from microsafe.io.column_types import guard_load, no_records_error
from microsafe.io.r._serial import LIST, NA_INTEGER, TEXT, DamagedError, ObjectReader, RVector
from microsafe.io.r._vectors import is_column, make_column
from microsafe.io.reader.faults import DAMAGED, translate_read_errors
from microsafe.io.source import Source
from microsafe.io.text.encoding import check_encoding
from microsafe.notices import Notice, make_notice
from microsafe.schema import Schema

_WHAT = "R data"
_PACKED: Mapping[bytes, Callable[[BytesIO], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}
_SAVED, _OBJECT = (b"RDX2\n", b"RDX3\n"), b"X\n"
_OTHERS = (b"A\n", b"B\n", b"RDA", b"RDB", b"RDX1")
_BOMB, _RATIO = 200_000_000, 250
_CHUNK = 1 << 22


def read(path: Path, *, sheet: str | None = None, encoding: str | None = None) -> Source:
    """Open a data frame that R wrote."""
    if encoding is not None:
        check_encoding(encoding)
    content = unpack_file(path)
    with translate_read_errors(path.name, _WHAT, _tell_remedy(encoding)):
        objects, guessed = _parse(content, encoding, _limit(path))
    frame = _choose_frame(path.name, _find_frames(objects), sheet)
    with translate_read_errors(path.name, _WHAT):
        return _open_frame(path, frame, guessed, held=2 * len(content))


def list_sheets(path: Path) -> tuple[str, ...]:
    """Return the names of the data frames of a file."""
    content = unpack_file(path)
    with translate_read_errors(path.name, _WHAT):
        objects, _ = _parse(content, None, _limit(path))
    return tuple(_find_frames(objects))


def unpack_file(path: Path) -> bytes:
    """Return what is in a file of R, unpacked.

    Raises:
        UnreadableFileError: It is none, or is packed into far less than it holds.
    """
    raw = path.read_bytes()
    opener = next((opener for mark, opener in _PACKED.items() if raw.startswith(mark)), None)
    if opener is not None:
        with translate_read_errors(path.name, _WHAT), opener(BytesIO(raw)) as file:
            raw = _read_bounded(file, path)
    if raw.startswith(_OTHERS):
        raise UnreadableFileError(
            f"{path.name} is R data in a form that is not read: as text, of another machine or of "
            "a very old version. Save it in R with saveRDS(data, file), without further options."
        )
    if not raw.startswith((*_SAVED, _OBJECT)):
        remedy = DAMAGED
        if path.suffix.lower() == ".rda":
            remedy = "If it is metadata of mu-ARGUS, name the data file that it describes."
        raise UnreadableFileError(f"{path.name} cannot be read as {_WHAT}. {remedy}")
    return raw


def _read_bounded(file: Any, path: Path) -> bytes:
    parts, size, most = [], 0, _limit(path)
    while part := file.read(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > most:
            raise UnreadableFileError(
                f"{path.name} unpacks to more than {most / 1e9:,.1f} GB, which is more than can be "
                "read. Check where it comes from, or export it again with fewer variables."
            )
    return b"".join(parts)


def _limit(path: Path) -> int:
    return max(_BOMB, _RATIO * path.stat().st_size)


def _tell_remedy(encoding: str | None) -> str:
    return DAMAGED if encoding is None else f"It may be damaged, or its text is not in {encoding}."


def _parse(content: bytes, encoding: str | None, most: int) -> tuple[Mapping[str, object], str]:
    """Return the objects of a file by name, and the encoding that had to be guessed."""
    saved = content.startswith(_SAVED)
    start = content[5:] if saved else content
    if not start.startswith(_OBJECT):
        raise DamagedError
    parser = ObjectReader(start, encoding=encoding, most=most)
    content_value = parser.read()
    if not saved:
        return {"": content_value}, parser.guessed
    if not isinstance(content_value, list | None):
        raise DamagedError
    return {name: value for name, value in content_value or () if name is not None}, parser.guessed


def _find_frames(objects: Mapping[str, object]) -> Mapping[str, RVector]:
    return {
        name: value
        for name, value in objects.items()
        if isinstance(value, RVector)
        and value.kind == LIST
        and "data.frame" in value.texts("class")
    }


def _choose_frame(source: str, frames: Mapping[str, RVector], name: str | None) -> RVector:
    if not frames:
        raise InputError(
            f"{source} has no data frame. Save one in R, with saveRDS(data, file) or save()."
        )
    if name is not None:
        if name not in frames:
            hint = did_you_mean(name, frames)
            raise UsageError(f"{source} has no data frame {name!r}.{hint}")
        return frames[name]
    if len(frames) > 1:
        raise InputError(
            f"{source} has {len(frames)} data frames: {', '.join(frames)}. Name the one to read "
            "(sheet)."
        )
    return next(iter(frames.values()))


def _open_frame(path: Path, frame: RVector, guessed: str, *, held: int) -> Source:
    names = frame.texts("names")
    if len(names) != len(frame.values):
        raise DamagedError
    for place, name in enumerate(names, 1):
        if not name:
            raise InputError(
                f"{path.name} has no name for the variable in column {place}. Give it one in R."
            )
    columns = [
        make_column(str(name), vector)
        for name, vector in zip(names, frame.values, strict=True)
        if is_column(vector)
    ]
    notices = [*_tell_left_out(path, names, frame.values), *_tell_rows(path, frame)]
    if guessed:
        notices.append(make_notice("file-encoding", name=path.name, encoding=guessed))
    records = _count_rows(frame)
    if any(len(column) != records for _, column in columns):
        raise DamagedError
    if not records or not columns:
        raise no_records_error(path.name)
    label, notes = frame.texts("label"), frame.texts("notes")
    schema = Schema(
        source=path.name,
        variables=tuple(variable for variable, _ in columns),
        notes=tuple(note for note in (*label[:1], *notes) if note),
    )
    table = pl.DataFrame([column for _, column in columns])

    def load(names: Sequence[str]) -> pl.DataFrame:
        return table.select(names)

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=True,
        records=records,
        held=held,
        notices=tuple(notices),
        paths=(path,),
    )


def _count_rows(frame: RVector) -> int:
    """Return the number of records; those without names of their own are only counted."""
    rows = frame.attributes.get("row.names")
    if not isinstance(rows, RVector):
        raise DamagedError
    values = rows.values
    if rows.kind != TEXT and len(values) == 2 and _is_missing(values[0]):
        return abs(int(values[1]))
    return len(values)


def _is_missing(value: Any) -> bool:
    return bool(np.isnan(value)) or value == NA_INTEGER


def _tell_rows(path: Path, frame: RVector) -> list[Notice]:
    rows = frame.attributes.get("row.names")
    if not isinstance(rows, RVector) or rows.kind != TEXT or not rows.values:
        return []
    if all(name is not None and name.isdecimal() for name in rows.values):
        return []  # numbers of records
    return [make_notice("r-row-names", name=path.name)]


def _tell_left_out(
    path: Path, names: Sequence[str | None], columns: Sequence[object]
) -> list[Notice]:
    left_out = [str(n) for n, column in zip(names, columns, strict=True) if not is_column(column)]
    quoted = ", ".join(map(repr, left_out))
    return [make_notice("r-left-out", name=path.name, names=quoted)] if left_out else []
