"""Writing files of every format that can be written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import InputError, UsageError
from microsafe.io.columns import code_text, tidied
from microsafe.io.faults import written
from microsafe.io.target import Target

if TYPE_CHECKING:
    import os

    from microsafe.io.source import Source
    from microsafe.schema import Code, Schema, Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    name: str
    module: str


_CSV = _Form(name="delimited text", module="csv")
_PARQUET = _Form(name="a Parquet file", module="parquet")
_SPSS = _Form(name="an SPSS file", module="spss")
_STATA = _Form(name="a Stata file", module="stata")
_SAS = _Form(name="a SAS transport file", module="sas")
_EXCEL = _Form(name="a workbook", module="excel")
_ARGUS = _Form(name="data of mu-ARGUS", module="records")
_FORMS: Mapping[str, _Form] = {
    ".csv": _CSV,
    ".tsv": _CSV,
    ".txt": _CSV,
    ".parquet": _PARQUET,
    ".pq": _PARQUET,
    ".sav": _SPSS,
    ".zsav": _SPSS,
    ".dta": _STATA,
    ".xpt": _SAS,
    ".xlsx": _EXCEL,
    ".asc": _ARGUS,
    ".dat": _ARGUS,
    ".prn": _ARGUS,
}


def write(
    frame: pl.DataFrame,
    schema: Schema,
    path: str | os.PathLike[str],
    *,
    origin: Source | None = None,
    blanks: Mapping[str, Code] | None = None,
    notes: bool = True,
    rows: Sequence[int] | pl.Series | None = None,
) -> None:
    """Write records in the format that the suffix of the path names, entirely or not at all.

    The same input gives the same bytes, today and tomorrow.

    Args:
        frame: The final values of every variable, in order of the schema; null is missing.
        schema: Labels, missing codes, formats and measures.
        path: The file. mu-ARGUS metadata are written beside it.
        origin: What the records were made from. What the schema does not know (separator,
            encoding, columns outside the metadata, tagged missing values) is taken from it.
        blanks: By variable, the code to write for null, one that is declared as missing.
            In Stata files also a tagged missing value that has a label, such as ".a".
        notes: Whether the file label and notes are written.
        rows: Which record of the origin each row is, from 0; by default they are the same.

    Raises:
        UsageError: The format cannot be written, the path is the origin's, or a blank is not
            declared.
        InputError: The format cannot hold the data; names the variable.
        UnreadableFileError: The folder or the disk refuses.
    """
    target = Path(path)
    form = _form(target, origin)
    if tuple(frame.columns) != schema.names:
        raise UsageError("The columns of the frame are not the variables of the schema, in order.")
    if not frame.height or not frame.width:
        raise InputError(f"{target.name} would hold no records. There is nothing to write.")
    codes = blanks or {}
    tags = _tags(codes, schema, form)
    with written(target.name, form.name):
        frame = frame.select(tidied(name, dtype) for name, dtype in frame.schema.items())
        request = Target(
            path=target,
            frame=frame.with_columns(
                _filled(schema[name], frame, code)
                for name, code in codes.items()
                if name not in tags
            ),
            schema=schema,
            origin=origin,
            notes=notes,
            rows=None if rows is None else _places(rows, frame.height),
            tags=tags,
        )
        request.refuse_origin(target)
        # A format is imported when a file of it is written: some bring large libraries.
        import_module(f"microsafe.io.{form.module}").write(request)


def check_writable(path: Path) -> None:
    """Raise UsageError if no format that can be written has the suffix of a path."""
    _form(path, None)


def _form(path: Path, origin: Source | None) -> _Form:
    suffix = path.suffix.lower()
    if suffix == ".txt" and origin is not None and _is_argus(origin):
        return _ARGUS
    if suffix in _FORMS:
        return _FORMS[suffix]
    if suffix == ".sas7bdat":
        raise UsageError(
            f"{path.name} cannot be written: only SAS itself writes .sas7bdat. "
            "Use a SAS transport file (.xpt)."
        )
    raise UsageError(
        f"{path.name} has a suffix that cannot be written. Use one of {', '.join(_FORMS)}."
    )


def _is_argus(origin: Source) -> bool:
    from microsafe.io.argus import Dialect

    return isinstance(origin.dialect, Dialect)


def _places(rows: Sequence[int] | pl.Series, height: int) -> pl.Series:
    places = pl.Series("rows", rows, dtype=pl.Int64)
    if places.len() != height:
        raise UsageError(f"rows has {places.len()} places for {height} records. Give one for each.")
    return places


def _tags(blanks: Mapping[str, Code], schema: Schema, form: _Form) -> Mapping[str, str]:
    """Return the blanks that are tagged missing values of Stata."""
    if form is not _STATA:
        return {}
    return {
        name: code[1:]
        for name, code in blanks.items()
        if isinstance(code, str)
        and code.startswith(".")
        and f"missing.{code[1:]}" in schema[name].extra
    }


def _filled(variable: Variable, frame: pl.DataFrame, blank: Code) -> pl.Series:
    """Return the column of a variable with a declared missing code for null."""
    code = _declared(variable, blank)
    if code is None:
        known = ", ".join(code_text(c) for c in variable.missing)
        remedy = f"Use one of {known}" if known else "Leave it out, so that blanks are empty"
        raise UsageError(
            f"The blank for {variable.name} is not one of its missing codes. {remedy}."
        )
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


def _declared(variable: Variable, blank: Code) -> Code | None:
    """Return the blank as the schema has it, if it is declared as missing there."""
    for code in variable.missing:
        if code_text(code) == code_text(blank):
            return code
    if isinstance(blank, str):
        return None
    return blank if any(low <= blank <= high for low, high in variable.missing_ranges) else None
