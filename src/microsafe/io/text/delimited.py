"""Read the records of delimited text block by block, within memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microsafe.batches import AS_TEXT, Types, rebatch_frames
from microsafe.errors import UnreadableFileError
from microsafe.io.column_types import normalise_missing
from microsafe.io.reader.faults import translate_read_errors
from microsafe.io.text._lines import (
    Positions,
    count_lines,
    find_first_fault,
    split_blocks,
    survey_lines,
)
from microsafe.io.text.encoding import ignore_progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from microsafe.io.text.encoding import DecodedText, Tell

_BLOCK = 1 << 23  # bytes
_REMEDY = "Check its quotation marks and separator."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """The records of a text whose lines were checked."""

    text: DecodedText
    names: Sequence[str]
    separator: str
    header: int
    lines: int
    blank: Positions

    @property
    def records(self) -> int:
        """Lines that hold a record."""
        return self.lines - len(self.blank)

    def load(self, names: Sequence[str]) -> pl.DataFrame:
        """Return some variables of all records."""
        return pl.concat(self._frames(names))

    def scan(self, names: Sequence[str], size: int, types: Types) -> Iterator[pl.DataFrame]:
        """Go through some variables, so many records at a time, some as categorical types."""
        return rebatch_frames(self._frames(names, types), size)

    def is_empty(self, name: str) -> bool:
        """Tell whether no record has a value of a variable."""
        return not any(
            (frame[name].str.strip_chars() != "").any() for frame in self._frames([name])
        )

    def numbers_records(self, name: str) -> bool:
        """Tell whether all records have values of a variable, and no two the same."""
        column = self.load([name])[name]
        return not column.null_count() and column.n_unique() == column.len()

    def _frames(self, names: Sequence[str], types: Types = AS_TEXT) -> Iterator[pl.DataFrame]:
        place, header = 0, self.header
        for block in split_blocks(self.text.chunks(_BLOCK)):
            empty = self._count_blank(place)
            if empty or header:
                # Polars would take an empty line for the first record, and miss all variables
                # but one; and it refuses a text that has no record at all.
                below = count_lines(block, self.separator) - header
                empty = min(empty, below)
                if empty == below:
                    place, header = place + empty, 0
                    continue
            if empty and not header:
                block = block.lstrip(b"\r\n")
            frame = self._parse_block(block, names, types, header + empty if header else 0)
            place, header = place + empty, 0
            yield self._drop_blank(frame, place)
            place += frame.height
        if place != self.lines:
            raise UnreadableFileError(
                f"{self.text.name} changed since it was opened, or its quotation marks do not "
                "pair up. Open it again."
            )

    def _count_blank(self, place: int) -> int:
        """How many lines from a place on are empty."""
        later = self.blank[np.searchsorted(self.blank, place) :]
        gap = np.flatnonzero(later != place + np.arange(len(later)))
        return int(gap[0]) if len(gap) else len(later)

    def _drop_blank(self, frame: pl.DataFrame, place: int) -> pl.DataFrame:
        first, last = np.searchsorted(self.blank, [place, place + frame.height])
        if first == last:
            return frame
        kept = np.ones(frame.height, np.bool_)
        kept[self.blank[first:last] - place] = False
        return frame.filter(pl.Series(kept))

    def _parse_block(
        self, block: bytes, names: Sequence[str], types: Types, skip: int
    ) -> pl.DataFrame:
        if not block.lstrip(b"\r\n"):  # of a file with one variable, which is missing there
            nothing = [None] * block.count(b"\n")
            return pl.DataFrame(
                [pl.Series(name, nothing, dtype=types.get(name, pl.String())) for name in names]
            )
        # Numbering texts while they are parsed is quicker, but lets wrong quotations pass.
        plain = AS_TEXT if b'"' in block else types
        failed = None
        try:
            with translate_read_errors(self.text.name, "delimited text", _REMEDY):
                scan = pl.scan_csv(
                    block,
                    separator=self.separator,
                    # The file's own names may differ from ours by blanks or case, so they are
                    # passed over.
                    has_header=False,
                    skip_rows=skip,
                    schema={**dict.fromkeys(self.names, pl.String()), **plain},
                    glob=False,
                )
                return scan.select(
                    pl.col(name).cast(types[name])
                    if name in types
                    else normalise_missing(name, pl.String())
                    for name in names
                ).collect()
        except UnreadableFileError as error:
            failed = error
        fault = find_first_fault(
            self.text.name,
            self.text.chunks(),
            separator=self.separator,
            fields=len(self.names),
            dropped=self.text.dropped,
        )
        raise fault or failed


def open_table(
    text: DecodedText,
    names: Sequence[str],
    *,
    separator: str,
    header: bool,
    tell: Tell = ignore_progress,
) -> Table:
    """Check the lines of a text, and return how to read its records."""
    chunks = text.chunks(tell=tell)
    lines = survey_lines(
        text.name, chunks, separator=separator, fields=len(names), dropped=text.dropped
    )
    return Table(
        text=text,
        names=names,
        separator=separator,
        header=int(header),
        lines=lines.records - header,
        blank=lines.blank - header,
    )
