"""Read a folder of Parquet files as one table.

Programs that compute in parallel write such folders, with marks and checksums beside the data,
whose names begin with `_` or `.`; or with a folder for each value of a variable, `year=2020`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

import polars as pl

from microsafe.batches import rebatch_frames
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.column_types import (
    guard_load,
    guard_scan,
    kind_of,
    narrow_integers,
    no_records_error,
    normalise_missing,
)
from microsafe.io.formats import PARQUET
from microsafe.io.parquet import open_part
from microsafe.io.reader.faults import check_readable, translate_read_errors
from microsafe.io.source import Source
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_NOTHING = "__HIVE_DEFAULT_PARTITION__"
_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}")
_PERMISSION = "Check your permission to list it."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One of the files."""

    path: Path
    name: str
    values: Mapping[str, str | None]
    source: Source
    types: Mapping[str, pl.DataType]


def read_folder(path: Path) -> Source:
    """Open a folder of Parquet files.

    Raises:
        UnreadableFileError: The folder has no such files, or others, or one cannot be read.
        InputError: They differ in their variables, or have no records.
    """
    folder = path.name or path.resolve().name
    with translate_read_errors(folder, "a folder of Parquet files", _PERMISSION):
        files, others = _list_files(path)
    if not files:
        raise UnreadableFileError(
            f"{folder} is a folder without Parquet files ({', '.join(PARQUET.extensions)}). Name a "
            "file inside it."
        )
    if others:
        raise UnreadableFileError(
            f"{folder} is opened as a folder of Parquet files, but {others[0].name} in it is none. "
            "Move it elsewhere, or name a file inside the folder."
        )
    parts = [_open(path, file, folder) for file in files]
    types = _join_types(parts, folder)
    parts = [part for part in parts if part.source.records]
    if not parts:
        raise no_records_error(folder)
    schema = Schema(
        source=folder,
        variables=tuple(Variable(name=name, kind=kind_of(t)) for name, t in types.items()),
    )

    def load(names: Sequence[str]) -> pl.DataFrame:
        return pl.concat(
            _complete(part, part.source.load(_within(part, names)), names, types) for part in parts
        )

    def frames(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        for part in parts:
            inside = _within(part, names) or list(part.types)[:1]
            assert part.source.scan is not None  # noqa: S101
            for frame in part.source.scan(inside, size):
                yield _complete(part, frame, names, types)

    def scan(names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        return rebatch_frames(frames(names, size), size)

    return Source(
        schema=schema,
        load=guard_load(schema, load),
        columnar=True,
        scan=guard_scan(schema, scan),
        records=sum(part.source.records or 0 for part in parts),
        held=max(part.source.held for part in parts),
        notices=tuple(dict.fromkeys(n for part in parts for n in part.source.notices)),
        paths=(*(part.path for part in parts), path),
    )


def _list_files(path: Path) -> tuple[list[Path], list[Path]]:
    """Return the files of a folder that are data, and what is neither data nor a mark."""
    files: list[Path] = []
    others: list[Path] = []
    for entry in sorted(path.iterdir()):
        if entry.name.startswith(".") or (entry.name.startswith("_") and "=" not in entry.name):
            continue
        if entry.is_dir() and not entry.is_symlink() and "=" in entry.name:
            inside, beside = _list_files(entry)
            files += inside
            others += beside
        elif entry.is_file() and entry.suffix.lower() in PARQUET.extensions:
            files.append(check_readable(entry))
        else:
            others.append(entry)
    # Numbers in names in order of their size.
    return sorted(files, key=lambda file: _natural(file.relative_to(path).as_posix())), others


def _natural(name: str) -> list[tuple[str, int, str]]:
    """Return what puts part-2 before part-10."""
    pieces = re.findall(r"(\D*)(\d*)", name)
    return [(text, int(number or -1), number) for text, number in pieces]


def _open(path: Path, file: Path, folder: str) -> _Part:
    inside = file.relative_to(path)
    values = {}
    for folder_name in inside.parts[:-1]:
        name, _, value = folder_name.partition("=")
        values[unquote(name)] = None if value == _NOTHING else unquote(value)
    source, read = open_part(file, folder)
    empty = pl.DataFrame(schema=read).select(normalise_missing(n, t) for n, t in read.items())
    narrowed = narrow_integers(empty, folder).schema
    types = {name: dtype if dtype == pl.Null else narrowed[name] for name, dtype in read.items()}
    return _Part(path=file, name=inside.as_posix(), values=values, source=source, types=types)


def _join_types(parts: Sequence[_Part], folder: str) -> dict[str, pl.DataType]:
    """Return the types of the variables of all files.

    Raises:
        InputError: Files have other variables, or such of another kind.
    """
    for name in dict.fromkeys(name for part in parts for name in part.values):
        if any(name in part.types for part in parts):
            raise InputError(
                f"{name!r} is a variable of the files in {folder} and in the names of its folders. "
                "Rename one of them."
            )
    first = parts[0]
    for part in parts[1:]:
        for one, other in ((first, part), (part, first)):
            for name in (*one.types, *one.values):
                if name not in other.types and name not in other.values:
                    raise InputError(
                        f"The files in {folder} have different variables: {other.name} has no "
                        f"{name!r}, but {one.name} has. Write them again with the same variables."
                    )
    joined = {name: _join_type(name, parts, folder) for name in first.types}
    from_names = {name: _find_type(part.values[name] for part in parts) for name in first.values}
    return joined | from_names


def _join_type(name: str, parts: Sequence[_Part], folder: str) -> pl.DataType:
    """Return the type of a variable that holds its values in all files; without any it is text."""
    typed = [part for part in parts if part.types[name] != pl.Null]
    if not typed:
        return pl.String()
    common = typed[0].types[name]
    for part in typed[1:]:
        joined = _find_common(common, part.types[name])
        if joined is None:
            raise InputError(
                f"The files in {folder} differ in the kind of {name!r}: that of {part.name} is not "
                f"that of {typed[0].name}. Write them again with the same kinds."
            )
        common = joined
    return common


def _find_common(one: pl.DataType, other: pl.DataType) -> pl.DataType | None:
    if one == other:
        return one
    if kind_of(one) != kind_of(other) or kind_of(one) == "other":
        return None
    try:
        empty = [pl.DataFrame(schema={"x": dtype}) for dtype in (one, other)]
        common = pl.concat(empty, how="vertical_relaxed").schema["x"]
    except pl.exceptions.PolarsError:
        return None
    return common if kind_of(common) == kind_of(one) else None


def _find_type(values: Iterator[str | None]) -> pl.DataType:
    """Return the type of what names of folders say."""
    whole = all(value is None or _WHOLE.fullmatch(value) for value in values)
    return pl.Int64() if whole else pl.String()


def _within(part: _Part, names: Sequence[str]) -> list[str]:
    return [name for name in names if name in part.types]


def _complete(
    part: _Part, frame: pl.DataFrame, names: Sequence[str], types: Mapping[str, pl.DataType]
) -> pl.DataFrame:
    """Return records of a file with all variables, of the same types in all files."""
    height = frame.height if frame.width else part.source.records or 0

    def column(name: str) -> pl.Series:
        if part.types.get(name, pl.Null) != pl.Null:
            return frame[name].cast(types[name])
        text = pl.Series(name, [part.values.get(name)], dtype=pl.String)
        return text.cast(types[name]).new_from_index(0, height)

    return pl.DataFrame([column(name) for name in names])
