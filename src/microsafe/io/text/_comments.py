"""Leave out comments and blank lines of a delimited text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


class CommentFilter:
    """Leaves out lines that begin with a mark, and empty lines above the first that is kept.

    A line inside quotation marks belongs to its field, whatever it begins with.
    """

    def __init__(self, mark: str) -> None:
        self.dropped: list[int] = []  # numbers of the lines that were left out, from 1
        self._pattern = re.compile(rb"(?m)^(?:" + re.escape(mark.encode()) + rb"[^\n]*\n?|\r?\n)")
        self._line = 1
        self._begun = self._quoted = False

    def filter(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Go through the text that is left, in pieces that end where lines end."""
        rest = b""
        for chunk in chunks:
            rest += chunk
            cut = rest.rfind(b"\n") + 1
            if piece := self._filter_lines(rest[:cut]):
                yield piece
            rest = rest[cut:]
        if piece := self._filter_lines(rest):
            yield piece

    def _filter_lines(self, text: bytes) -> bytes:
        pieces, start, counted = [], 0, 0
        for match in self._pattern.finditer(text):
            self._count(text, counted, match.start())
            counted = match.start()
            empty = not match[0].strip(b"\r\n")
            if self._quoted or (empty and (self._begun or counted > start)):
                continue
            pieces.append(text[start:counted])
            self._begun |= counted > start
            self.dropped.append(self._line)
            self._line += 1
            start = counted = match.end()
        self._count(text, counted, len(text))
        pieces.append(text[start:])
        self._begun |= len(text) > start
        return b"".join(pieces)

    def _count(self, text: bytes, start: int, end: int) -> None:
        """Count lines, and the quotation marks that they stand in."""
        self._quoted ^= bool(text.count(b'"', start, end) % 2)
        self._line += text.count(b"\n", start, end)
