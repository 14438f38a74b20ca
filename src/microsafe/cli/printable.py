"""Strip control characters from everything that is printed.

Names, labels and categories come from files. An escape sequence in them could clear the screen or
forge a line, and marks of direction could make a name read as another.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST = 1000  # characters of a line


def make_printable(text: str, *, instead: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """Return text without control characters and marks of direction, in lines of bounded length."""
    return "\n".join(
        "".join(each if each.isprintable() else instead for each in _cut(line))
        for line in text.split("\n")
    )


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


@contextmanager
def own_words_only() -> Iterator[None]:
    """Keep what native libraries print on standard error, such as panics, from a person's sight.

    They write to its file descriptor. Ours becomes another one, and theirs leads nowhere.
    """
    stream = sys.stderr
    try:
        shared = stream is not None and stream.fileno() == 2
    except (OSError, ValueError):
        shared = False
    if not shared or os.environ.get("MICROSAFE_DEBUG"):
        yield
        return
    stream.flush()
    own, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    sys.stderr = open(  # noqa: SIM115
        own, "w", buffering=1, encoding=stream.encoding, errors="replace", closefd=False
    )
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stderr = stream
        os.dup2(own, 2)
        os.close(own)
