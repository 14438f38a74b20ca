"""Delimited text. Every column is text: a code 01 is not the number 1."""

from __future__ import annotations

import csv
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO, StringIO
from itertools import islice
from typing import TYPE_CHECKING

import polars as pl

from microsafe.errors import InputError, UsageError
from microsafe.io.columns import guard_load, guard_scan, is_whole, no_records_error, spell_column
from microsafe.io.delimited import open_table
from microsafe.io.encoding import Text, open_text
from microsafe.io.header import check_names
from microsafe.io.lines import unclosed_quote_error
from microsafe.io.source import Source
from microsafe.progress import Progress, silent
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from microsafe.io.target import Target

SEPARATORS = ",;\t|"
_SAMPLE = 1 << 20
_SPELLED = {"\\t": "\t", "tab": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvDialect:
    """How a delimited text is written.

    Attributes:
        text: The file, which knows its encoding.
        separator: Between fields.
        end: Of lines.
        decimal: Decimal mark of numbers.
    """

    text: Text
    separator: str
    end: str
    decimal: str = "."


_PLAIN = CsvDialect(text=Text(name="", content=b""), separator=",", end="\n")


def read(
    path: Path,
    *,
    encoding: str | None = None,
    separator: str | None = None,
    progress: Progress = silent,
) -> Source:
    """Open a delimited text file; its first line names the variables."""
    chosen = None if separator is None else parse_separator(separator)
    checked_text = open_text(path, encoding, tell=lambda part: progress("opening", part / 2))
    text = convert_returns(checked_text)
    sample = next(text.chunks(_SAMPLE), b"").decode("utf-8", errors="ignore")
    chosen = chosen or ("\t" if path.suffix.lower() == ".tsv" else detect_separator(sample))
    names = _read_names(text.name, sample, chosen)
    schema = Schema(source=text.name, variables=tuple(Variable(name=name) for name in names))
    table = open_table(
        text,
        names,
        separator=chosen,
        header=True,
        tell=lambda part: progress("opening", (1 + part) / 2),
    )
    if not table.records:
        raise no_records_error(text.name)
    return Source(
        schema=schema,
        load=guard_load(schema, table.load),
        columnar=False,
        scan=guard_scan(schema, table.scan),
        records=table.records,
        held=len(text.content) if isinstance(text.content, bytes) else 0,
        notices=text.notices,
        paths=(path,),
        dialect=CsvDialect(text=text, separator=chosen, end=find_line_end(sample)),
    )


def write(target: Target) -> dict[str, str]:
    """Write delimited text as the origin has it: separator, encoding, mark and line ends.

    Returns:
        With which options it is read.
    """
    found = target.origin.dialect if target.origin else None
    like = found if isinstance(found, CsvDialect) else _PLAIN
    suffix = target.path.suffix.lower()
    separator = like.separator
    if suffix == ".tsv":
        separator = "\t"
    elif suffix == ".csv" and like.text.name.lower().endswith(".tsv"):
        separator = ","
    text = like.text
    try:
        _write_lines(target, separator, like, text)
    except UnicodeEncodeError:
        # New codes may have characters that the origin's encoding lacks: UTF-8 has them all.
        text = _PLAIN.text
        _write_lines(target, separator, like, text)
    return {"encoding": text.encoding, "separator": separator}


def as_stored(column: pl.Series) -> pl.Series:
    """Return a column as text holds it; numbers are compared as such, however they are spelt."""
    if column.dtype.is_integer() or column.dtype == pl.Float64:
        return column
    text = spell_column(column)
    return text.cast(pl.Float64) if column.dtype.is_numeric() else text


def _write_lines(target: Target, separator: str, like: CsvDialect, text: Text) -> None:
    fractions = _find_fractions(target)

    def spell(column: pl.Series) -> pl.Series:
        spelled = spell_column(column, fractions=column.name in fractions)
        if like.decimal == "." or not column.dtype.is_float():
            return spelled
        return spelled.str.replace(".", like.decimal, literal=True)

    def pieces() -> Iterator[bytes]:
        for place, frame in enumerate(target.batches()):
            texts = pl.DataFrame([spell(column) for column in frame])
            yield format_delimited(texts, separator, like.end, header=not place)

    with target.path.open("wb") as file:
        for piece in text.encode_pieces(pieces()):
            file.write(piece)


def _find_fractions(target: Target) -> set[str]:
    """Return the variables of which some number is not whole; one such shows in all numbers."""
    found: set[str] = set()
    for frame in target.batches():
        floats = [column for column in frame if column.dtype.is_float()]
        if not floats:
            break
        found |= {column.name for column in floats if not is_whole(column)}
    return found


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


def detect_separator(sample: str) -> str:
    """Return the separator that cuts the most lines into as many fields as the first."""

    def score(candidate: str) -> tuple[bool, int, int]:
        try:
            rows = [
                row for row in islice(csv.reader(_lines(sample), delimiter=candidate), 50) if row
            ]
        except csv.Error:
            rows = []
        if not rows:
            return (False, 0, 0)
        # The sample may end within a line, so the last row is no witness if there are others.
        alike = sum(len(row) == len(rows[0]) for row in (rows[:-1] or rows))
        return (len(rows[0]) > 1, alike, len(rows[0]))

    return max(SEPARATORS, key=score)


def convert_returns(text: Text) -> Text:
    """Return the text with line feeds if it has carriage returns only, as old Macs wrote."""
    first = next(text.chunks(_SAMPLE), b"")
    if b"\n" in first or b"\r" not in first:
        return text
    content = text.read()
    if b"\n" in content:
        return text
    return replace(text, content=content.replace(b"\r", b"\n"), returns=True)


def _read_names(source: str, sample: str, separator: str) -> Sequence[str]:
    """Return the names of the variables as the file gives them, duplicates and all."""
    names: list[str] = []
    rows = csv.reader(_lines(sample), delimiter=separator)
    with suppress(csv.Error, StopIteration):
        names = [name.strip() for name in next(rows)]
    if "".join(islice(_lines(sample), rows.line_num)).count('"') % 2:
        raise unclosed_quote_error(source, 1)
    if not any(names):
        raise InputError(f"{source} has no names of variables on its first line. Put them there.")
    check_names(source, names, "line")
    if "" in names:
        raise InputError(
            f"{source} has no name for the variable in column {names.index('') + 1}. "
            "Give it one on the first line."
        )
    return names


def _lines(sample: str) -> StringIO:
    return StringIO(sample, newline="")
