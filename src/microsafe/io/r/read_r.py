"""Reading data frames of R: `.rds` has one object, `.RData` and `.rda` have named ones."""

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
    """Open a data frame that R wrote.

    Args:
        path: The file.
        sheet: Name of the data frame, if the file has several.
        encoding: Of texts that do not say theirs, which files of old versions of R have.
    """
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
    opener = next((each for mark, each in _PACKED.items() if raw.startswith(mark)), None)
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
    found = parser.read()
    if not saved:
        return {"": found}, parser.guessed
    if not isinstance(found, list | None):
        raise DamagedError
    return {name: each for name, each in found or () if name is not None}, parser.guessed


def _find_frames(objects: Mapping[str, object]) -> Mapping[str, RVector]:
    return {
        name: each
        for name, each in objects.items()
        if isinstance(each, RVector) and each.kind == LIST and "data.frame" in each.texts("class")
    }


def _choose_frame(source: str, frames: Mapping[str, RVector], wanted: str | None) -> RVector:
    if not frames:
        raise InputError(
            f"{source} has no data frame. Save one in R, with saveRDS(data, file) or save()."
        )
    if wanted is not None:
        if wanted not in frames:
            hint = did_you_mean(wanted, frames)
            raise UsageError(f"{source} has no data frame {wanted!r}.{hint}")
        return frames[wanted]
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
    made = [
        make_column(str(name), each)
        for name, each in zip(names, frame.values, strict=True)
        if is_column(each)
    ]
    notices = [*_tell_left_out(path, names, frame.values), *_tell_rows(path, frame)]
    if guessed:
        notices.append(make_notice("file-encoding", name=path.name, encoding=guessed))
    records = _count_rows(frame)
    if any(len(column) != records for _, column in made):
        raise DamagedError
    if not records or not made:
        raise no_records_error(path.name)
    label, notes = frame.texts("label"), frame.texts("notes")
    schema = Schema(
        source=path.name,
        variables=tuple(variable for variable, _ in made),
        notes=tuple(each for each in (*label[:1], *notes) if each),
    )
    table = pl.DataFrame([column for _, column in made])

    def load(wanted: Sequence[str]) -> pl.DataFrame:
        return table.select(wanted)

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
    if all(each is not None and each.isdecimal() for each in rows.values):
        return []  # numbers of records
    return [make_notice("r-row-names", name=path.name)]


def _tell_left_out(
    path: Path, names: Sequence[str | None], columns: Sequence[object]
) -> list[Notice]:
    gone = [str(n) for n, each in zip(names, columns, strict=True) if not is_column(each)]
    told = ", ".join(map(repr, gone))
    return [make_notice("r-left-out", name=path.name, names=told)] if gone else []
