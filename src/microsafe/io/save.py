"""Write files of every format that can be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from microsafe.codes import code_text, find_missing_code
from microsafe.display import shorten_list
from microsafe.errors import InputError, MicrosafeError, TornFileError, UsageError
from microsafe.io.atomic import replace_files
from microsafe.io.column_types import finish_frame, has_zone
from microsafe.io.formats import ARGUS, DELIMITED_TEXT, PARQUET, Format, check_writable
from microsafe.io.pruning import prune_schema
from microsafe.io.reader.faults import translate_write_errors
from microsafe.io.write_request import WriteRequest
from microsafe.io.write_verification import Fingerprint, as_it_is
from microsafe.notices import Notice, make_notice

if TYPE_CHECKING:
    import os

    from microsafe.io.source import Source
    from microsafe.schema import Code, Schema, Variable


Batches = Callable[[], Iterator[pl.DataFrame]]


def write(
    records: pl.DataFrame | Batches,
    schema: Schema,
    path: str | os.PathLike[str],
    *,
    origin: Source | None = None,
    blanks: Mapping[str, Code] | None = None,
    notes: bool = True,
    rows: Sequence[int] | pl.Series | None = None,
    unsorted: Batches | None = None,
    prune: bool = False,
) -> tuple[Notice, ...]:
    """Write records, entirely or not at all. The format is taken from the extension.

    The same input gives the same bytes, today and tomorrow. What was written is read back and
    compared before it takes the place of anything.

    Args:
        records: The final values of every variable, in order of the schema; null is missing.
            One frame, or what goes through them in several, as often as it is called.
        schema: Labels, missing codes, formats and measures.
        path: The file. mu-ARGUS metadata are written beside it.
        origin: What the records were made from. What the schema does not know (separator,
            encoding, columns outside the metadata, tagged missing values) is taken from it.
        blanks: By variable, the code to write for null, one that is declared as missing.
            In Stata files also a tagged missing value that has a label, such as ".a".
        notes: Whether the file label and notes are written.
        rows: Which record of the origin each row is, from 0; by default they are the same.
        unsorted: Goes through the same records in whatever order is quickest.
        prune: Whether labels and missing codes that no value needs are left out, and whatever
            else of the origin nobody has looked at.

    Returns:
        What a person should know of how the file was written.

    Raises:
        UsageError: The format cannot be written, the path is the origin's, or a blank is not
            declared.
        InputError: The format cannot hold the data; names the variable.
        FileError: The folder or the disk refuses, or what was read back differs.
    """
    target = Path(path)
    form = _choose_format(target, origin)
    codes = blanks or {}
    tags = _find_tags(codes, schema) if form.tags else {}

    writer = form.import_writer()
    fingerprint: Fingerprint | None = None
    zoned: dict[str, None] = {}

    def finish(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        nonlocal zoned
        for frame in frames:
            _check_frame(frame, schema, target)
            if not form.zones:
                zoned |= {name: None for name, dtype in frame.schema.items() if has_zone(dtype)}
                frame = frame.with_columns(
                    pl.col(name).dt.replace_time_zone(None) for name in zoned
                )
            yield _finish_frame(frame, schema, {n: c for n, c in codes.items() if n not in tags})

    def batches() -> Iterator[pl.DataFrame]:
        nonlocal fingerprint
        seen = Fingerprint(stored=getattr(writer, "as_stored", as_it_is))
        for plain in finish([records] if isinstance(records, pl.DataFrame) else records()):
            if (
                form.read_back and fingerprint is None
            ):  # a writer may go through them more than once
                seen.add(plain)
            yield plain
        fingerprint = fingerprint or seen

    quickest = batches if unsorted is None else lambda: finish(unsorted())
    with translate_write_errors(target.name, form.name):
        pruned = schema
        if prune:
            pruned = prune_schema(
                schema,
                quickest,
                blanks=codes,
                notes=notes,
                fills_gaps=form is ARGUS,
            )
        request = WriteRequest(
            path=target,
            folder=target.parent,
            batches=batches if form.batches else _hold(batches),
            unsorted=quickest,
            schema=pruned,
            origin=origin,
            notes=notes,
            rows=None
            if rows is None
            else _check_rows(rows, sum(batch.height for batch in batches())),
            tags=tags,
            prune=prune,
        )
        request.refuse_origin(target)
        with replace_files() as outputs:
            staged = outputs.stage(target)
            options = writer.write(replace(request, path=staged)) or {}
            if form.read_back and fingerprint is not None:
                _read_back(staged, form, options, fingerprint)
        notices = getattr(writer, "find_notices", _find_none)(request)
        return (*_tell_zones(target.name, zoned), *notices)


def _tell_zones(name: str, zoned: Mapping[str, None]) -> tuple[Notice, ...]:
    if not zoned:
        return ()
    names = shorten_list(list(zoned))
    return (make_notice("zone-left-out", name=name, names=names, count=len(zoned)),)


def _find_none(_: WriteRequest) -> tuple[Notice, ...]:
    return ()


def _read_back(
    path: Path, form: Format, options: Mapping[str, Any], fingerprint: Fingerprint
) -> None:
    """Compare a file with what went into it.

    Raises:
        TornFileError: It differs, or cannot be read.
    """
    try:
        difference = fingerprint.find_difference(form.import_reader().read(path, **options))
    except MicrosafeError:
        difference = "it cannot be read"
    if difference is not None:
        raise TornFileError(
            f"{path.name} was not written: read back from the disk, {difference}. Check the space "
            "and the state of the disk, or write another format, such as .parquet or .csv."
        )


def write_figures(batches: Iterator[pl.DataFrame], path: Path) -> None:
    """Write frames of figures, one after the other, as .csv or .parquet."""
    fingerprint = Fingerprint()

    def frames() -> Iterator[pl.DataFrame]:
        for frame in batches:
            fingerprint.add(frame)
            yield frame

    with translate_write_errors(path.name, "a table"), replace_files() as outputs:
        staged = outputs.stage(path)
        if path.suffix.lower() == ".csv":
            form, options = DELIMITED_TEXT, {"encoding": "utf-8", "separator": ","}
            fingerprint.stored = form.import_writer().as_stored
            with staged.open("wb") as file:
                for place, frame in enumerate(frames()):
                    frame.write_csv(file, include_header=not place)
        else:
            from microsafe.io.parquet import write_batches

            form, options = PARQUET, {}
            write_batches(staged, frames(), compression="snappy")  # risks hardly compress
        _read_back(staged, form, options, fingerprint)


def in_batches(path: Path, origin: Source | None) -> bool:
    """Tell whether a file of that name is written batch by batch, or from all records at once."""
    return _choose_format(path, origin).batches


def _check_frame(frame: pl.DataFrame, schema: Schema, target: Path) -> None:
    if tuple(frame.columns) != schema.names:
        raise UsageError("The columns of the frame are not the variables of the schema, in order.")
    if not frame.height or not frame.width:
        raise InputError(f"{target.name} would hold no records. There is nothing to write.")


def _finish_frame(frame: pl.DataFrame, schema: Schema, codes: Mapping[str, Code]) -> pl.DataFrame:
    """Return records as they are written: one way to say nothing, or the code for it."""
    frame = finish_frame(frame)
    return frame.with_columns(
        _fill_nulls(schema[name], frame, code) for name, code in codes.items()
    )


def _hold(batches: Batches) -> Batches:
    frame = pl.concat(batches())
    return lambda: iter((frame,))


def _choose_format(path: Path, origin: Source | None) -> Format:
    if path.suffix.lower() == ".txt" and origin is not None and origin.format is ARGUS:
        return ARGUS
    return check_writable(path)


def _check_rows(rows: Sequence[int] | pl.Series, height: int) -> pl.Series:
    places = pl.Series("rows", rows, dtype=pl.Int64)
    if places.len() != height:
        raise UsageError(f"rows has {places.len()} places for {height} records. Give one for each.")
    return places


def _find_tags(blanks: Mapping[str, Code], schema: Schema) -> Mapping[str, str]:
    """Return the letters of the blanks that are tagged missing values, such as .a."""
    return {
        name: code[1:]
        for name, code in blanks.items()
        if isinstance(code, str)
        and code.startswith(".")
        and f"missing.{code[1:]}" in schema[name].extra
    }


def _fill_nulls(variable: Variable, frame: pl.DataFrame, blank: Code) -> pl.Series:
    """Return the column of a variable with a declared missing code for null."""
    code = declared_blank(variable, blank)
    column = frame[variable.name]
    dtype = column.dtype
    if dtype == pl.String:
        return column.fill_null(code_text(code))
    if not dtype.is_numeric() or isinstance(code, str):
        raise UsageError(
            f"The blank for {variable.name} is a code of another kind than its values. "
            "Leave it out, so that blanks are empty."
        )
    if dtype.is_integer() and float(code).is_integer():
        return column.cast(pl.Int64).fill_null(int(code))
    return column.cast(pl.Float64).fill_null(float(code))


def declared_blank(variable: Variable, blank: Code) -> Code:
    """Return the blank as the schema has it.

    Raises:
        UsageError: It is not declared as missing there.
    """
    code = find_missing_code(variable, blank)
    if code is not None:
        return code
    known = ", ".join(code_text(c) for c in variable.missing)
    remedy = f"Use one of {known}" if known else "Leave it out, so that blanks are empty"
    raise UsageError(f"The blank for {variable.name} is not one of its missing codes. {remedy}.")
