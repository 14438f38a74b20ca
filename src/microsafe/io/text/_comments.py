"""Lines of a delimited text that are no part of it: comments, and what is empty above the names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


class CommentFilter:
    """Leaves out lines that begin with a mark, and empty lines above the first that is kept.

    A line inside quotation marks belongs to its field, whatever it begins with.

    Args:
        mark: One ASCII character.
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
            if kept := self._filter_lines(rest[:cut]):
                yield kept
            rest = rest[cut:]
        if kept := self._filter_lines(rest):
            yield kept

    def _filter_lines(self, text: bytes) -> bytes:
        kept, start, counted = [], 0, 0
        for found in self._pattern.finditer(text):
            self._count(text, counted, found.start())
            counted = found.start()
            empty = not found[0].strip(b"\r\n")
            if self._quoted or (empty and (self._begun or counted > start)):
                continue
            kept.append(text[start:counted])
            self._begun |= counted > start
            self.dropped.append(self._line)
            self._line += 1
            start = counted = found.end()
        self._count(text, counted, len(text))
        kept.append(text[start:])
        self._begun |= len(text) > start
        return b"".join(kept)

    def _count(self, text: bytes, start: int, end: int) -> None:
        """Count lines, and the quotation marks that they stand in."""
        self._quoted ^= bool(text.count(b'"', start, end) % 2)
        self._line += text.count(b"\n", start, end)
