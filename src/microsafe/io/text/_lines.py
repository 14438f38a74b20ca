"""Check that every line of a delimited text has as many fields as it should.

Polars fills a short line with nulls and never says so, hence a file that was cut short
would lose answers in silence. Counting is done on bytes, many lines at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from microsafe.errors import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NEWLINE, _RETURN, _QUOTE = b"\n"[0], b"\r"[0], b'"'[0]
Positions = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """What the lines of a delimited text look like.

    Attributes:
        records: Number of lines, a line break inside quotation marks not counting.
        blank: Which of them have nothing on them, from 0.
    """

    records: int
    blank: Positions


def survey_lines(
    name: str,
    chunks: Iterable[bytes],
    *,
    separator: str,
    fields: int,
    dropped: Sequence[int] = (),
) -> Lines:
    """Count the fields of every line.

    Args:
        name: What messages call the file.
        chunks: The text as UTF-8.
        separator: One ASCII character.
        fields: How many there should be on a line.
        dropped: Numbers of lines of the file that are not in the text, from 1.

    Raises:
        UnreadableFileError: A line has too many or too few, or a quotation stays open.
    """
    records = breaks = 0
    blank: list[Positions] = []
    for block in split_blocks(chunks):
        separators, ends = _count_outside_quotes(block, separator)
        quoted = b'"' in block
        # Where a quotation stays open, nothing stands outside it and any sum is right.
        if separators != (fields - 1) * ends or (quoted and block.count(b'"') % 2):
            blank_lines = _find_blank_lines(name, block, separator, fields, breaks, dropped)
            blank.append(blank_lines + records)
        # Else the sum is right. Lines that are too long would make up for short ones, but
        # those Polars does report, and then `find_first_fault` finds the line.
        records += ends
        breaks += _count_breaks(block) if quoted else ends
    return Lines(records=records, blank=np.concatenate(blank) if blank else np.empty(0, np.intp))


def find_first_fault(
    name: str,
    chunks: Iterable[bytes],
    *,
    separator: str,
    fields: int,
    dropped: Sequence[int] = (),
) -> UnreadableFileError | None:
    """Look at each line by itself, and return the error of the first that is wrong."""
    breaks = 0
    try:
        for block in split_blocks(chunks):
            _find_blank_lines(name, block, separator, fields, breaks, dropped)
            breaks += block.count(b"\n")
    except UnreadableFileError as fault:
        return fault
    return None


def unclosed_quote_error(name: str, line: int) -> UnreadableFileError:
    """Return the error for a quotation that begins on that line or later and never ends."""
    return UnreadableFileError(
        f"{name} has a quotation mark that is never closed, somewhere from line {line} on. "
        "It may be cut short, or a mark inside a field is not doubled."
    )


def split_blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut the text behind line ends that stand outside quotation marks."""
    rest = b""
    for chunk in chunks:
        if b'"' not in chunk and b'"' not in rest:
            if cut := chunk.rfind(b"\n") + 1:
                yield b"".join((rest, memoryview(chunk)[:cut]))
                rest = b""
            rest += chunk[cut:]
            continue
        rest += chunk
        cut = rest.rfind(b"\n") + 1
        inside = rest.count(b'"', 0, cut) % 2
        while cut and inside:
            # The quotation began at the last mark, so the line end before that counts.
            before = rest.rfind(b"\n", 0, rest.rfind(b'"', 0, cut)) + 1
            inside ^= rest.count(b'"', before, cut) % 2
            cut = before
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def count_lines(block: bytes, separator: str) -> int:
    """Return how many lines a block has."""
    return _count_outside_quotes(block, separator)[1]


def _count_breaks(block: bytes) -> int:
    """Return how many line ends a block has, in quotation marks too."""
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == _NEWLINE))


def _count_outside_quotes(block: bytes, separator: str) -> tuple[int, int]:
    """Return how many separators and line ends stand outside quotation marks."""
    text = np.frombuffer(block, np.uint8)
    if b'"' not in block:  # comparing all bytes is quicker than finding one after the other
        return (
            int(np.count_nonzero(text == ord(separator))),
            int(np.count_nonzero(text == _NEWLINE)),
        )
    outside = ~np.logical_xor.accumulate(text == _QUOTE)
    return (
        int(np.count_nonzero(outside & (text == ord(separator)))),
        int(np.count_nonzero(outside & (text == _NEWLINE))),
    )


def number_line(line: int, dropped: Sequence[int]) -> int:
    """Return the number that a line of the text has in the file, of which lines were dropped."""
    before = np.asarray(dropped, np.int64) - np.arange(len(dropped))
    return line + int(np.searchsorted(before, line, side="right"))


def _find_blank_lines(
    name: str, block: bytes, separator: str, fields: int, breaks: int, dropped: Sequence[int]
) -> Positions:
    """Return which lines are blank; refuse lines of a wrong length."""
    text = np.frombuffer(block, np.uint8)
    quotes = np.flatnonzero(text == _QUOTE)
    if quotes.size % 2:
        raise unclosed_quote_error(name, number_line(breaks + 1, dropped))
    ends = _drop_quoted(np.flatnonzero(text == _NEWLINE), quotes)
    marks = _drop_quoted(np.flatnonzero(text == ord(separator)), quotes)
    starts = np.concatenate(([0], ends[:-1] + 1))
    lengths = ends - starts
    empty = (lengths == 0) | ((lengths == 1) & (text[starts] == _RETURN))
    widths = np.diff(np.searchsorted(marks, ends), prepend=0) + 1
    # In a file of one variable an empty line is a record with nothing in it.
    wrong = widths != fields if fields == 1 else (widths != fields) & ~empty
    if wrong.any():
        first = int(np.argmax(wrong))
        line = number_line(breaks + block.count(b"\n", 0, int(starts[first])) + 1, dropped)
        raise UnreadableFileError(
            f"{name} has {_say_fields(int(widths[first]))} on line {line}, "
            f"where {_say_fields(fields)} "
            f"{'is' if fields == 1 else 'are'} expected. "
            "The file may be cut short or use another separator, so check that line."
        )
    return np.flatnonzero(empty) if fields > 1 else np.empty(0, np.intp)


def _drop_quoted(positions: Positions, quotes: Positions) -> Positions:
    """Leave out the positions that stand between quotation marks."""
    if not quotes.size:
        return positions
    outside: Positions = positions[np.searchsorted(quotes, positions) % 2 == 0]
    return outside


def _say_fields(fields: int) -> str:
    return f"{fields} field" if fields == 1 else f"{fields} fields"
