"""The codebook for a spreadsheet: CSV with a row for each variable and a row for each code.

In the row of a variable the cell `code` is empty. A code has a row below it with its label, `yes`
under `missing` if it stands for missing, and its place under `order` if the codes have one.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from io import StringIO
from typing import TYPE_CHECKING, Any, NoReturn

from microsafe.codes import code_text
from microsafe.errors import InputError, UnreadableFileError, UsageError, did_you_mean
from microsafe.io.codebook._fields import NONE, is_number, read_code, read_field, write_field
from microsafe.options.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from microsafe.schema import Code

# The row of a variable may say all of these; that of a code the first three of its own.
_OF_CODES = ("label", "missing", "order")
_OF_VARIABLES = (
    "type", "role", "level", "cost", "linked", "household_level", "identifying",
    "decimals", "unit", "decimal", "thousands", "dates",
)  # fmt: skip
COLUMNS = ("variable", "code", *_OF_CODES, *_OF_VARIABLES)
_IGNORED = "note"
_NO = ("no", "n", "false")
_ALIASES = {"name": "variable", "value": "code", "notes": "note", "comment": "note"}
_SEPARATORS = (",", ";", "\t")
_MARK = "\ufeff"  # by which spreadsheets know UTF-8
_END = "\r\n"
_FIRST = 10_000  # characters among which the first row ends


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A row: on which line it begins, and its cells that say something, by column."""

    line: int
    cells: Mapping[str, str]


@dataclass(slots=True, kw_only=True)
class _Entry:
    """A variable while its rows are being read."""

    own: _Row | None = None
    codes: dict[str, _Row] = field(default_factory=dict)


def read_table(text: str, name: str) -> Mapping[str, Declaration]:
    """Read the text of a codebook.

    Raises:
        InputError: A cell cannot be meant; names line and column.
        UnreadableFileError: It is no table of this kind.
    """
    entries: dict[str, _Entry] = {}
    current = ""
    for row in _rows(text, name):
        current = row.cells.get("variable", current)
        if not current:
            _refuse(name, row, "variable", "It is empty. Write the name of the variable.")
        _add_row(entries.setdefault(current, _Entry()), row, name)
    return {variable: _declare(entry, name) for variable, entry in entries.items()}


def write_table(declarations: Mapping[str, Declaration]) -> bytes:
    """Return the text of a codebook."""
    out = StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator=_END)
    writer.writeheader()
    for name, declaration in declarations.items():
        if not name.strip() or name != name.strip():
            raise InputError(
                f"A codebook cannot hold a variable named {name!r}: blanks around a name are lost. "
                "Rename it in the data."
            )
        writer.writerows({"variable": name, **cells} for cells in _write_rows(declaration))
    content = (_MARK + out.getvalue()).encode(errors="replace")
    return content.replace(b"\0", b"?")


def _rows(text: str, name: str) -> Iterator[_Row]:
    """Go through the rows that say something."""
    text = text.removeprefix(_MARK)
    first = text.lstrip()[:_FIRST].split("\n", 1)[0]
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    columns: Sequence[str] = ()
    line = 1
    try:
        for cells in reader:
            row = [cell.strip() for cell in cells]
            if any(row) and not columns:
                columns = _find_columns(row, name, line)
            elif any(row):
                yield _make_row(columns, row, name, line)
            line = reader.line_num + 1
    except csv.Error:
        raise UnreadableFileError(
            f"{name} cannot be read as a table near line {line}. Check its quotation marks."
        ) from None
    if not columns:
        raise UnreadableFileError(f"{name} has no rows. Write a codebook, and edit that.")


def _find_columns(row: Sequence[str], name: str, line: int) -> Sequence[str]:
    named = [cell.lower().replace(" ", "_") for cell in row]
    columns = [_ALIASES.get(cell, cell) for cell in named]
    while columns and not columns[-1]:
        columns.pop()
    for place, column in enumerate(columns):
        if column not in (*COLUMNS, _IGNORED):
            hint = did_you_mean(column, COLUMNS)
            # Anything else may be data: it is not repeated.
            what = repr(row[place]) if hint else f"such as its column {place + 1}"
            hint = hint or f" Columns are {', '.join(COLUMNS)}."
            raise InputError(
                f"{name} line {line}: a codebook has no column {what}.{hint} What is only for "
                f"people belongs in a column named {_IGNORED}."
            )
        if column in columns[:place] and column != _IGNORED:
            raise InputError(f"{name} line {line}: two columns are named {column!r}. Delete one.")
    if "variable" not in columns:
        raise InputError(
            f"{name} line {line} has no column 'variable'. Its first row must name the columns: "
            f"{', '.join(COLUMNS)}."
        )
    return columns


def _make_row(columns: Sequence[str], row: Sequence[str], name: str, line: int) -> _Row:
    if any(row[len(columns) :]):
        raise InputError(
            f"{name} line {line} has more cells than there are columns. Put text that holds "
            "the separator in quotation marks."
        )
    cells = zip(columns, row, strict=False)
    return _Row(line=line, cells={column: cell for column, cell in cells if cell})


def _add_row(entry: _Entry, row: _Row, name: str) -> None:
    code = row.cells.get("code")
    if code is None:
        if entry.own is not None:
            _refuse(name, row, "variable", f"It is described on line {entry.own.line} already.")
        entry.own = row
        return
    if code in entry.codes:
        _refuse(name, row, "code", f"It occurs on line {entry.codes[code].line} already.")
    for column in _OF_VARIABLES:
        if column in row.cells:
            _refuse(name, row, column, "It belongs in the row of the variable, without code.")
    entry.codes[code] = row


def _declare(entry: _Entry, name: str) -> Declaration:
    own = entry.own or _Row(line=min(row.line for row in entry.codes.values()), cells={})
    values: dict[str, Any] = {
        column: _read_cell(name, own, column)
        for column in ("label", *_OF_VARIABLES)
        if column in own.cells
    }
    codes: dict[str, Code] = {}
    for text, row in entry.codes.items():
        # Words such as NA may stand for missing among numbers.
        word = row.cells.get("missing", "no").lower() not in _NO and not is_number(text)
        try:
            codes[text] = text if word else read_code(text, values.get("type"))
        except UsageError as error:
            if row.cells.get("missing", "no").lower() in _NO:
                _refuse(name, row, "code", f"{error} Or change the type of the variable.")
            codes[text] = text  # such as NA in a column of numbers
    values["labels"] = {
        codes[text]: row.cells["label"] for text, row in entry.codes.items() if "label" in row.cells
    }
    values["missing"] = _find_missing(entry, own, codes, name)
    values["order"] = _find_order(entry, own, codes, name)
    try:
        return Declaration(**values)
    except UsageError as error:
        raise InputError(f"{name} line {own.line}: {error}") from None


def _find_missing(
    entry: _Entry, own: _Row, codes: Mapping[str, Code], name: str
) -> tuple[Code, ...] | None:
    """Codes that stand for missing, in the order of their rows or of the numbers there."""
    places: dict[str, int] = {}
    for text, row in entry.codes.items():
        cell = row.cells.get("missing", "no").lower()
        if cell.isascii() and cell.isdecimal():
            places[text] = int(cell[:9])
        elif cell in ("yes", "y", "x", "true"):
            places[text] = 0
        elif cell not in _NO:
            _refuse(name, row, "missing", "It must be yes or no.")
    if places:
        return tuple(codes[text] for text in sorted(places, key=lambda text: places[text]))
    cell = own.cells.get("missing", "")
    if cell.lower() not in ("", NONE):
        _refuse(name, own, "missing", f"Give each missing code a row; {NONE!r} says there is none.")
    return () if cell else None


def _find_order(entry: _Entry, own: _Row, codes: Mapping[str, Code], name: str) -> tuple[Code, ...]:
    if "order" in own.cells:
        _refuse(name, own, "order", "Give each code its place, 1 and up, in its own row.")
    places: dict[int, str] = {}
    for text, row in entry.codes.items():
        if "order" in row.cells:
            place = _read_cell(name, row, "order", "level")
            if place in places:
                _refuse(name, row, "order", f"Place {place} is taken. Number the codes 1 and up.")
            places[place] = text
    return tuple(codes[places[place]] for place in sorted(places))


def _read_cell(name: str, row: _Row, column: str, like: str = "") -> Any:
    try:
        return read_field(like or column, row.cells[column])
    except UsageError as error:
        _refuse(name, row, column, str(error))


def _refuse(name: str, row: _Row, column: str, fault: str) -> NoReturn:
    raise InputError(f"{name} line {row.line}, column {column}: {fault}") from None


def _write_rows(declaration: Declaration) -> Iterator[dict[str, str]]:
    """Go through the rows of a variable, that of the variable first."""
    missing = _number_codes(declaration.missing or ())
    order = _number_codes(declaration.order)
    labels = {code_text(code).strip(): label for code, label in declaration.labels.items()}
    fields = ("label", *_OF_VARIABLES)
    own = {column: write_field(column, getattr(declaration, column)) for column in fields}
    yield own | {"missing": NONE if declaration.missing == () else ""}
    codes = [code for code in {**labels, **order, **missing} if code]
    in_order = [code for code in codes if code in missing] == list(missing)
    for code in codes:
        yield {
            "code": code,
            "label": labels.get(code, ""),
            "missing": "yes" if in_order and code in missing else str(missing.get(code, "")),
            "order": str(order.get(code, "")),
        }


def _number_codes(codes: Sequence[Code]) -> dict[str, int]:
    texts = dict.fromkeys(code_text(code).strip() for code in codes)
    return {code: place for place, code in enumerate(texts, start=1)}
