"""Read and write delimited text. Every column is text: a code 01 is not the number 1."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO, StringIO
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING

import polars as pl

from microsafe.codes import MISSING_WORDS
from microsafe.display import shorten_list
from microsafe.errors import InputError, UsageError
from microsafe.io.column_types import (
    guard_load,
    guard_text_scan,
    is_whole,
    no_records_error,
    spell_column,
)
from microsafe.io.formats import name_unpacked
from microsafe.io.source import Source
from microsafe.io.text._lines import find_first_fault, number_line, unclosed_quote_error
from microsafe.io.text.delimited import open_table
from microsafe.io.text.encoding import DecodedText, open_text
from microsafe.io.text.header import Columns, check_names, fill_names
from microsafe.io.text.packed import PackedText, pack_pieces
from microsafe.notices import Notice, make_notice
from microsafe.progress import Progress, silent
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from microsafe.io.write_request import WriteRequest

SEPARATORS = ",;\t|"
_SAMPLE = 1 << 20
_FIRST = 1000  # records that tell whether the first line is one
_WITH_COMMA = re.compile(r"[-+]?\d+(,\d+)?")
_GROUPED = re.compile(r"[-+]?\d{1,3},\d{3}")  # thousands, perhaps
_SPELLED = {"\\t": "\t", "tab": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvDialect:
    """How a delimited text is written.

    Attributes:
        text: The file, which knows its encoding.
        separator: Between fields.
        end: Of lines.
        decimal: Decimal mark of numbers.
        kept: Of each field of a line, whether it is a variable.
    """

    text: DecodedText
    separator: str
    end: str
    decimal: str = "."
    kept: tuple[bool, ...] = ()


_PLAIN = CsvDialect(text=DecodedText(name="", content=b""), separator=",", end="\n")


def read(
    path: Path,
    *,
    encoding: str | None = None,
    separator: str | None = None,
    comment: str | None = None,
    progress: Progress = silent,
) -> Source:
    """Open a delimited text file; its first line names the variables."""
    chosen = None if separator is None else parse_separator(separator)
    mark = None if comment is None else parse_comment(comment, chosen)
    checked_text = open_text(path, encoding, tell=lambda part: progress("opening", part / 2))
    text = convert_returns(checked_text)
    try:
        return _open_text(path, text, chosen, mark, progress)
    except InputError as error:
        fault = error
    if mark or not _begins_lines(text, b"#"):
        raise fault
    raise type(fault)(
        f"{fault} If lines that begin with # are comments, say so (--comment '#')."
    ) from None


def _open_text(
    path: Path, text: DecodedText, separator: str | None, mark: str | None, progress: Progress
) -> Source:
    text = text.without_comments(mark) if mark else text
    sample = next(text.chunks(_SAMPLE), b"").decode("utf-8", errors="ignore")
    inner = text.content.name if isinstance(text.content, PackedText) else path.name
    tabs = inner.lower().endswith(".tsv")
    chosen = separator or ("\t" if tabs else detect_separator(sample, but=mark))
    text, names, read_notices = _read_names(text, sample, chosen)
    fields = [name or f"\0{place}" for place, name in enumerate(names)]
    table = open_table(
        text,
        fields,
        separator=chosen,
        header=True,
        tell=lambda part: progress("opening", (1 + part) / 2),
    )
    if not table.records:
        raise no_records_error(text.name)
    if text.before and (not table.numbers_records(fields[0]) or table.is_empty(fields[-1])):
        # No row names, so the first line is right and others have a field too many.
        chunks = replace(text, before=b"").chunks()
        fault = find_first_fault(
            text.name,
            chunks,
            separator=chosen,
            fields=len(fields) - 1,
            dropped=text.dropped,
        )
        if fault:
            raise fault
    names, named = fill_names(text.name, names, "line", lambda place: table.is_empty(fields[place]))
    table = replace(table, names=[name or fields[place] for place, name in enumerate(names)])
    rows = names[0] if named and table.numbers_records(names[0]) else None
    schema = Schema(
        source=text.name,
        variables=tuple(
            Variable(name=name, role="identifier" if name == rows else None)
            for name in names
            if name
        ),
    )
    return Source(
        schema=schema,
        load=guard_load(schema, table.load),
        columnar=False,
        scan=guard_text_scan(schema, table.scan),
        records=table.records,
        held=len(text.content) if isinstance(text.content, bytes) else 0,
        notices=(*text.notices, *read_notices, *named, *_tell_left_out(text.name, names)),
        paths=(path,),
        dialect=CsvDialect(
            text=text,
            separator=chosen,
            end=find_line_end(sample),
            kept=tuple(bool(name) for name in names),
        ),
    )


def _tell_left_out(source: str, names: Sequence[str]) -> tuple[Notice, ...]:
    count = sum(not name for name in names)
    return (make_notice("file-left-out", name=source, count=count),) if count else ()


def _begins_lines(text: DecodedText, mark: bytes) -> bool:
    """Tell whether some line begins with a mark."""
    last = b"\n"
    for chunk in text.chunks():
        if b"\n" + mark in last + chunk:
            return True
        last = chunk[-1:]
    return False


def write(request: WriteRequest) -> dict[str, str]:
    """Write delimited text as the origin has it: separator, encoding, mark and line ends.

    Returns:
        With which options it is read.
    """
    dialect = request.origin.dialect if request.origin else None
    like = dialect if isinstance(dialect, CsvDialect) else _PLAIN
    name, origin = (
        name_unpacked(PurePath(name)).lower() for name in (request.path.name, like.text.name)
    )
    separator = like.separator
    if name.endswith(".tsv"):
        separator = "\t"
    elif name.endswith(".csv") and origin.endswith(".tsv"):
        separator = ","
    text = like.text
    try:
        _write_lines(request, separator, like, text)
    except UnicodeEncodeError:
        # New codes may have characters that the origin's encoding lacks: UTF-8 has them all.
        text = _PLAIN.text
        _write_lines(request, separator, like, text)
    return {"encoding": text.encoding, "separator": separator}


def as_stored(column: pl.Series) -> pl.Series:
    """Return a column as text holds it; numbers are compared as such, however they are spelt."""
    if column.dtype.is_integer() or column.dtype == pl.Float64:
        return column
    text = spell_column(column)
    return text.cast(pl.Float64) if column.dtype.is_numeric() else text


def _write_lines(
    request: WriteRequest, separator: str, like: CsvDialect, text: DecodedText
) -> None:
    fractions = _find_fractions(request)

    def spell(column: pl.Series) -> pl.Series:
        spelled = spell_column(column, fractions=column.name in fractions)
        if like.decimal == "." or not column.dtype.is_float():
            return spelled
        return spelled.str.replace(".", like.decimal, literal=True)

    def pieces() -> Iterator[bytes]:
        for place, frame in enumerate(request.batches()):
            if not place:
                _check_header(request, frame.head(_FIRST))
            texts = pl.DataFrame([spell(column) for column in frame])
            yield format_delimited(texts, separator, like.end, header=not place)

    pack_pieces(request.path, text.encode_pieces(pieces()))


def _check_header(request: WriteRequest, first: pl.DataFrame) -> None:
    """Refuse names that nobody could tell from a record when the file is read."""
    below = [spell_column(column).to_list() for column in first]
    try:
        check_names(request.path.name, first.columns, "line", below)
    except InputError:
        fault = InputError(
            f"{request.path.name} would have numbers or dates for names of variables, which look "
            "like a record when it is read. Write another format, such as .parquet."
        )
    else:
        return
    raise fault


def _find_fractions(request: WriteRequest) -> set[str]:
    """Return the variables of which some number is not whole; one such shows in all numbers."""
    fractional: set[str] = set()
    for frame in request.unsorted():
        floats = [column for column in frame if column.dtype.is_float()]
        if not floats:
            break
        fractional |= {column.name for column in floats if not is_whole(column)}
    return fractional


def format_delimited(
    frame: pl.DataFrame, separator: str, end: str, *, header: bool = True
) -> bytes:
    """Return columns of text as delimited text, quotation marks only where they are needed."""
    memory = BytesIO()
    frame.write_csv(
        memory,
        include_header=header,
        separator=separator,
        line_terminator=end,
        quote_style="necessary",
    )
    return memory.getvalue()


def find_line_end(sample: str) -> str:
    """Return how the first line ends."""
    return "\r\n" if sample.partition("\n")[0].endswith("\r") else "\n"


def parse_separator(separator: str) -> str:
    """Return the separator as one character.

    Raises:
        UsageError: It cannot separate fields.
    """
    chosen = _SPELLED.get(separator, separator)
    if len(chosen) != 1 or not chosen.isascii() or chosen.isalnum() or chosen in '"\r\n\0':
        raise UsageError(
            f"separator {separator!r} cannot separate fields. "
            "Use one character such as ',' ';' '|' or 'tab'."
        )
    return chosen


def parse_comment(comment: str, separator: str | None) -> str:
    """Return the mark that comments begin with.

    Raises:
        UsageError: No comment can begin with it.
    """
    plain = comment.isascii() and comment.isprintable() and not comment.isalnum()
    if len(comment) != 1 or not plain or comment in f'"- {separator or ""}':
        raise UsageError(
            f"comment {comment!r} cannot begin a comment. Use one character such as '#' or '%', "
            "other than the separator."
        )
    return comment


def detect_separator(sample: str, *, but: str | None = None) -> str:
    """Return the separator that cuts the most lines into as many fields as the first."""

    def score(candidate: str) -> tuple[bool, int, int]:
        rows = _read_rows(sample, candidate, 50)
        if not rows:
            return (False, 0, 0)
        fields = len(rows[0])
        if _lacks_name(sample, candidate, rows):
            return (True, len(rows) - 2, fields)  # unless another fits all lines
        if candidate == " ":
            return (False, 0, 0)
        # The sample may end within a line, so the last row is no witness if there are others.
        alike = sum(len(row) == fields for row in (rows[:-1] or rows))
        return (fields > 1, alike, fields)

    # R separates by blanks unless told otherwise. Elsewhere they stand inside of fields.
    return max((separator for separator in f"{SEPARATORS} " if separator != but), key=score)


def _read_rows(sample: str, separator: str, most: int) -> list[list[str]]:
    """Return the fields of the first lines that are not empty."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for row in csv.reader(_lines(sample), delimiter=separator):
            rows += [row] if row else []
            if len(rows) == most:
                break
    return rows


def _lacks_name(sample: str, separator: str, rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first line has one field fewer than all others, as tables of R have.

    A single record with a field too many is no witness.
    One name alone, and names separated by blanks, must be in quotation marks, as R writes them:
    otherwise the others may be one field with a separator inside.
    """
    below = rows[1:-1] or rows[1:]  # the sample may end within a line
    if len(rows) < 3 or any(len(row) != len(rows[0]) + 1 for row in below):
        return False
    if len(rows[0]) > 1 and separator != " ":
        return True
    first = sample.partition("\n")[0].rstrip("\r")
    quoted = '"[^"]*"'
    return bool(re.fullmatch(f"{quoted}(?:{re.escape(separator)}{quoted})*", first))


def convert_returns(text: DecodedText) -> DecodedText:
    """Return the text with line feeds if it has carriage returns only, as old Macs wrote."""
    first = next(text.chunks(_SAMPLE), b"")
    if b"\n" in first or b"\r" not in first:
        return text
    content = text.read()
    if b"\n" in content:
        return text
    return replace(text, content=content.replace(b"\r", b"\n"), returns=True)


def _read_names(
    text: DecodedText, sample: str, separator: str
) -> tuple[DecodedText, Sequence[str], tuple[Notice, ...]]:
    """Return the names of the variables as the file gives them, duplicates and all.

    They are empty where there are none. The text gets what its first line lacks.
    """
    source = text.name
    names: list[str] = []
    reader = csv.reader(_lines(sample), delimiter=separator)
    unread = False
    try:
        names = [name.strip() for name in next(reader, ())]
    except csv.Error:
        unread = True
    if "".join(islice(_lines(sample), reader.line_num)).count('"') % 2:
        raise unclosed_quote_error(source, number_line(1, text.dropped))
    if unread:
        raise InputError(
            f"The first line of {source} cannot be read: a name is far too long, or breaks the "
            "line. Check it."
        )
    if not any(names):
        raise InputError(f"{source} has no names of variables on its first line. Put them there.")
    rows = _read_rows(sample, separator, _FIRST)
    if _lacks_name(sample, separator, rows):
        text, names = replace(text, before=separator.encode()), ["", *names]
    below = list(zip(*(row for row in rows[1:] if len(row) == len(names)), strict=True))
    notices = check_names(source, names, "line", below)
    if separator in ";\t" and (commas := _find_decimal_commas(names, below)):
        notices = (*notices, make_notice("decimal-comma", name=source, names=shorten_list(commas)))
    if names[0].startswith("#") and text.comment != "#":
        if len(names) == 1 or not names[0][1:2].isalnum() or any(r[0][:1] == "#" for r in rows[1:]):
            raise InputError(f"{source} has a comment on its first line. Put names there.")
        notices = (*notices, make_notice("file-comment", name=source))
    return text, names, notices


def _find_decimal_commas(names: Sequence[str], below: Columns) -> list[str]:
    """Return the variables whose first values are numbers, some with a comma for decimals only."""
    names_with_commas = []
    for name, column in zip(names, below, strict=False):
        texts = {text.strip() for text in column if text}
        known = [text for text in texts if text and text.casefold() not in MISSING_WORDS]
        commas = [text for text in known if "," in text]
        spelled = all(_WITH_COMMA.fullmatch(text) for text in known)
        if name and spelled and not all(_GROUPED.fullmatch(text) for text in commas):
            names_with_commas.append(name)
    return names_with_commas


def _lines(sample: str) -> StringIO:
    return StringIO(sample, newline="")
