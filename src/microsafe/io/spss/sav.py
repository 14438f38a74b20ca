"""Read .sav, .zsav and .por, and write the first two."""

from __future__ import annotations

import re
import struct
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from microsafe.errors import InputError, UnreadableFileError
from microsafe.io.column_types import is_whole
from microsafe.io.readstat.package_file import open_package, value_labels
from microsafe.io.readstat.package_limits import (
    StatPackage,
    declared_width,
    has_fractions,
    longest_width,
    numeric_labels,
    pad_first_text,
    parse_number,
    wrap_notes,
)
from microsafe.io.spss.dictionary import find_remedy, survey_dictionary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from microsafe.io.source import Source
    from microsafe.io.write_request import WriteRequest
    from microsafe.schema import Code, Variable

_PACKAGE = StatPackage(
    name="SPSS",
    epoch=141_428,
    per_day=86_400,
    per_second=1,
    identifier=re.compile(
        r"(?i:(?!(?:all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with)$))[^\W\d_][\w.$#@]*"
    ),
    name_limit=64,
    caseless=True,
    label_limit=255,
    title_limit=64,
    text_limit=32_767,
)
_FORMAT = re.compile(
    r"(?:F|N|Z|E|COMMA|DOT|DOLLAR|PCT|CC[A-E]|I?B|PIB(?:HEX)?|PK?|RB(?:HEX)?|[AEJS]?DATE|D?TIME|"
    r"DATETIME|YMDHMS|MTIME|MOYR|QYR|WKYR|WKDAY|MONTH)\d+(?:\.\d+)?"
)
_MOMENT = re.compile(r"DATETIME|YMDHMS")
_DAY = re.compile(r"[AEJS]?DATE\d")
_CLOCK = re.compile(r"[DM]?TIME\d")
_VALUE_LABEL, _MISSING_TEXT, _NOTE = 120, 8, 80
_ENCRYPTED = (b"ENCRYPTEDSAV", 8)  # and where that stands
_ALIGNMENTS = {"left": 0, "right": 1, "center": 2}
_SHORT, _PIECE = 255, 252  # bytes of text in one variable of the file, and of a longer one's pieces
# "15 Nov 26" and "21:58:38" of when the file was made.
_MADE, _NEVER = 92, b"01 Jan 7000:00:00"

# "LO THRU 0" is stored with the largest double as its open end.
_OPEN_END = 1.7e308


def read(path: Path, *, encoding: str | None = None) -> Source:
    """Open an SPSS file with all that its data dictionary says."""
    if path.suffix.lower() == ".por":
        kind = "an SPSS portable file"
        return open_package(path, "read_por", _describe, kind=kind, encoding=None)
    _refuse_encrypted(path)
    if remedy := find_remedy(path, encoding):
        raise UnreadableFileError(f"{path.name} cannot be read as an SPSS file. {remedy}")
    return open_package(path, "read_sav", _describe, kind="an SPSS file", encoding=encoding)


def _refuse_encrypted(path: Path) -> None:
    """Refuse a file with a password, which begins in its own way."""
    with path.open("rb") as file:
        start = file.read(20)
    if start.startswith(*_ENCRYPTED):
        raise UnreadableFileError(
            f"{path.name} is an SPSS file that is encrypted with a password. Open it in SPSS with "
            "the password, and save it without one."
        )


def _describe(meta: Any, variable: Variable) -> Variable:
    text = variable.kind == "text"
    codes: list[Code] = []
    ranges: list[tuple[float, float]] = []
    for low, high in _missing_pairs(meta, variable.name):
        if low == high:
            codes.append(_code(low, text))
        elif not text:
            ranges.append((_open_end(low), _open_end(high)))
    return replace(
        variable,
        labels={
            _code(code, text): label for code, label in value_labels(meta, variable.name).items()
        },
        missing=tuple(codes),
        missing_ranges=tuple(ranges),
    )


def _missing_pairs(meta: Any, name: str) -> Iterator[tuple[Code, Code]]:
    for item in meta.missing_ranges.get(name, ()):
        yield (item["lo"], item["hi"]) if isinstance(item, dict) else (item, item)


def _code(code: Code, text: bool) -> Code:
    """Return the code as the values have it: text without the blanks that fill it up."""
    return str(code).rstrip(" ") if text else float(code)


def _open_end(value: Code) -> float:
    number = float(value)
    return float("inf") * (1 if number > 0 else -1) if abs(number) > _OPEN_END else number


def write(request: WriteRequest) -> None:
    """Write .sav or .zsav with all that the schema knows."""
    import pyreadstat

    _PACKAGE.check_schema(request.schema)
    columns = [_store_column(column) for column in request.frame]
    frame = pl.DataFrame([_lay_out(c, request.schema[c.name]) for c in columns])
    title, notes = _PACKAGE.split_notes(request)
    variables = list(zip(request.schema, columns, request.frame, strict=True))
    compressed = request.path.suffix.lower() == ".zsav"
    pyreadstat.write_sav(
        frame,
        str(request.path),
        file_label=title,
        note=wrap_notes(notes, _NOTE) or None,
        compress=compressed,
        row_compress=not compressed,
        column_labels={v.name: v.label for v in request.schema if v.label},
        variable_value_labels={v.name: _code_labels(v, c) for v, c, _ in variables if v.labels},
        missing_ranges={v.name: codes for v, c, _ in variables if (codes := _missing_values(v, c))},
        variable_measure={v.name: v.measure for v in request.schema},
        variable_display_width={
            v.name: int(shown)
            for v in request.schema
            if (shown := v.extra.get("display_width", "")).isdecimal()
        },
        variable_format={
            v.name: _format(v, c, original) for v, c, original in variables if c.dtype != pl.String
        },
    )
    places = survey_dictionary(request.path).display
    with request.path.open("r+b") as file:
        # The time of writing would make equal releases differ, and a replay look wrong.
        file.seek(_MADE)
        file.write(_NEVER)
        if places:
            _write_alignment(file, places, [(c, request.schema[c.name]) for c in frame])


def _write_alignment(
    file: BinaryIO, place: int, variables: Sequence[tuple[pl.Series, Variable]]
) -> None:
    """Write how values are aligned, for which pyreadstat has no option."""
    for column, variable in variables:
        code = _ALIGNMENTS.get(variable.extra.get("alignment", ""))
        for _ in range(_count_pieces(column)):
            if code is not None:
                file.seek(place + 8)
                file.write(struct.pack("=i", code))
            place += 12


def _store_column(column: pl.Series) -> pl.Series:
    stored = _PACKAGE.store_column(column)
    if stored.dtype.is_float() and (stored.abs() == sys.float_info.max).any():
        raise _PACKAGE.refusal(column.name, "the largest number that there is", "Change its unit")
    return stored


def as_stored(column: pl.Series) -> pl.Series:
    """Return a column as the file holds it."""
    return _PACKAGE.compare_column(column)


def _count_pieces(column: pl.Series) -> int:
    """Return how many variables of the file make one up: a long text is cut into pieces."""
    width = longest_width(column) if column.dtype == pl.String else 0
    return 1 if width <= _SHORT else -(-width // _PIECE)


def _lay_out(column: pl.Series, variable: Variable) -> pl.Series:
    if column.dtype != pl.String:
        return column.cast(pl.Float64)
    codes = [str(code) for code in (*variable.labels, *variable.missing)]
    needed = max(longest_width(column), longest_width(pl.Series(codes, dtype=pl.String)))
    return pad_first_text(column, min(max(declared_width(variable), needed), _PACKAGE.text_limit))


def _code_labels(variable: Variable, column: pl.Series) -> dict[Any, str]:
    for label in variable.labels.values():
        if len(label.encode()) > _VALUE_LABEL:
            raise InputError(
                f"{variable.name} has a value label of more than {_VALUE_LABEL} bytes, the most "
                "that SPSS can hold. Shorten it in the input, or write another format."
            )
    if column.dtype == pl.String:
        return {str(code): label for code, label in variable.labels.items()}
    return dict(numeric_labels(variable))


def _missing_values(variable: Variable, column: pl.Series) -> list[Any]:
    """Return the missing codes and ranges, of which SPSS knows few."""
    text = column.dtype == pl.String
    codes: list[Code] = [
        str(code) if text else parse_number(code, variable)
        for code in dict.fromkeys(variable.missing)
    ]
    ranges = [] if text else [{"lo": low, "hi": high} for low, high in variable.missing_ranges]
    most = 1 if ranges else 3
    if len(codes) > most or any(isinstance(c, str) and len(c) > _MISSING_TEXT for c in codes):
        # Codes that a person named for all variables need not occur in this one.
        present = set(column.unique())
        codes = [code for code in codes if code in present]
    if len(ranges) > 1 or len(codes) > most:
        raise InputError(
            f"{variable.name} has more missing codes than SPSS can hold: three, or a range and "
            "one. Recode some of them into one, or write another format."
        )
    if any(isinstance(code, str) and len(code.encode()) > _MISSING_TEXT for code in codes):
        raise InputError(
            f"{variable.name} has a missing code of more than {_MISSING_TEXT} bytes, the most that "
            "SPSS can hold. Recode it to a shorter one, or write another format."
        )
    return [*codes, *ranges]


def _format(variable: Variable, column: pl.Series, original: pl.Series) -> str:
    """Return the display format: the file's own if SPSS has such a thing and it suits."""
    own, dtype = variable.format.upper(), original.dtype
    if dtype == pl.Date:
        return own if _FORMAT.fullmatch(own) and _DAY.match(own) else "DATE11"
    if dtype == pl.Datetime:
        return own if _FORMAT.fullmatch(own) and _MOMENT.match(own) else "DATETIME20"
    if dtype in (pl.Time, pl.Duration):
        suits = _FORMAT.fullmatch(own) and _CLOCK.match(own)
        return own if suits else "TIME15.3" if has_fractions(original) else "TIME11"
    if _FORMAT.fullmatch(own):
        return own
    decimals = variable.decimals or (0 if is_whole(column) else 2)
    return f"F{min(max(variable.width or 8, decimals + 2), 40)}.{min(decimals, 16)}"
