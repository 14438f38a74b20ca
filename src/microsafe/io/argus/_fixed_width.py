"""Read and change text of fixed width by line and position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

from microsafe.errors import UnreadableFileError
from microsafe.io.argus.rda import ArgusField
from microsafe.io.column_types import no_records_error

if TYPE_CHECKING:
    from microsafe.io.argus.rda import ArgusLayout
    from microsafe.io.text.encoding import DecodedText

_NEWLINE, _RETURN, _BLANK = 10, 13, 32
_POINTS = "<u4"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FixedWidthLines:
    """The lines of a fixed-width text.

    Attributes:
        characters: One number each, line ends included.
        starts: Where each line starts.
        tail: What follows the last character of the last line, as UTF-8.
        fields: What stands where on a line.
    """

    characters: npt.NDArray[np.generic]
    starts: npt.NDArray[np.intp]
    tail: bytes
    fields: tuple[ArgusField, ...]

    def load(self, names: Sequence[str]) -> pl.DataFrame:
        """Return columns as they stand there, blanks and all."""
        places = {field.name: field for field in self.fields}
        return pl.DataFrame([_column(self.characters, self.starts, places[n]) for n in names])

    def put(
        self, field: ArgusField, lines: npt.NDArray[np.intp], texts: Sequence[str]
    ) -> FixedWidthLines:
        """Return the page with other texts in a field of some lines, aligned to the right."""
        aligned = np.array([text.rjust(field.width) for text in texts], f"<U{field.width}")
        points = aligned.view(_POINTS).reshape(-1, field.width)
        narrow = self.characters.dtype == np.uint8 and (points < 128).all()
        characters = self.characters.astype(np.uint8 if narrow else _POINTS)
        places = np.arange(field.start, field.start + field.width)
        characters[self.starts[lines][:, None] + places] = points
        return replace(self, characters=characters)

    def blank_places(self, places: Sequence[int]) -> FixedWidthLines:
        """Return the page with blanks in some places of every line."""
        characters = self.characters.copy()
        characters[self.starts[:, None] + np.array(places, np.intp)] = _BLANK
        return replace(self, characters=characters)

    def keep_places(self, places: Sequence[int]) -> FixedWidthLines:
        """Return the page with blanks in all but some places of every line."""
        line = np.zeros(self.characters.size, np.intp)
        line[self.starts[1:]] = 1
        offset = np.arange(self.characters.size) - self.starts[np.cumsum(line)]
        ends = (self.characters == _NEWLINE) | (self.characters == _RETURN)
        characters = self.characters.copy()
        characters[~ends & ~np.isin(offset, np.array(places, np.intp))] = _BLANK
        return replace(self, characters=characters)

    def content(self) -> bytes:
        """Return the text as UTF-8."""
        if self.characters.dtype == np.uint8:
            return self.characters.tobytes() + self.tail
        return self.characters.tobytes().decode("utf-32-le").encode() + self.tail


def open_page(text: DecodedText, layout: ArgusLayout) -> FixedWidthLines:
    """Find the lines of a fixed-width text.

    Raises:
        InputError: There are none.
        UnreadableFileError: A line is too short for the layout.
    """
    whole = text.read()
    content = whole.rstrip(b"\x1a\r\n")
    if not content.strip(b" \r\n"):
        raise no_records_error(text.name)
    if content.isascii():
        characters: npt.NDArray[np.generic] = np.frombuffer(content, np.uint8)
    else:
        # Positions count characters, and UTF-8 has several bytes for some.
        characters = np.frombuffer(content.decode().encode("utf-32-le"), "<u4")
    starts, lengths = _lines(characters)
    needed = max(field.start + field.width for field in layout.fields)
    short = lengths < needed
    if short.any():
        raise UnreadableFileError(
            f"{text.name} has {int(short.sum())} of {short.size} lines that are shorter than the "
            f"{needed} characters its metadata ask for, the first is line {np.argmax(short) + 1}. "
            "Check that data and metadata belong together and that the file is not cut short."
        )
    return FixedWidthLines(
        characters=characters, starts=starts, tail=whole[len(content) :], fields=layout.fields
    )


def _lines(
    characters: npt.NDArray[np.generic],
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return where lines start and how long they are without their ends."""
    breaks = np.flatnonzero(characters == _NEWLINE)
    starts = np.concatenate(([0], breaks + 1))
    ends = np.concatenate((breaks, [characters.size]))
    returned = (ends > starts) & (characters[np.maximum(ends - 1, 0)] == _RETURN)
    return starts, ends - starts - returned


def _column(
    characters: npt.NDArray[np.generic], starts: npt.NDArray[np.intp], field: ArgusField
) -> pl.Series:
    first, width = field.start, field.width
    stride = int(starts[1]) if starts.size > 1 else characters.size
    cells: npt.NDArray[np.generic]
    if starts.size > 1 and np.all(np.diff(starts) == stride):
        # All lines are equally long: the file is a matrix, but for the end of its last line.
        whole = characters[: stride * (starts.size - 1)].reshape(-1, stride)
        last = characters[starts[-1] + first : starts[-1] + first + width]
        cells = np.vstack((whole[:, first : first + width], last))
    else:
        cells = characters[starts[:, None] + np.arange(first, first + width)]
    cells = np.ascontiguousarray(cells)
    if characters.dtype == np.uint8:
        values = cells.view(f"S{width}").ravel()
        return pl.Series(field.name, values, dtype=pl.Binary).cast(pl.String)
    return pl.Series(field.name, cells.view(f"<U{width}").ravel().tolist(), dtype=pl.String)
