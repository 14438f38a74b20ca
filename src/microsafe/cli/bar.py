"""A progress bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import time
from typing import TextIO

_WIDTH = 24
_EVERY = 0.1  # seconds between drawings


class Bar:
    """Draws progress on a stream if it is a terminal; it is a `Progress` callback."""

    def __init__(self, stream: TextIO) -> None:
        """Remember the stream and whether a person watches it."""
        self._stream = stream
        self._shown = stream.isatty()
        self._next = time.monotonic() + 0.5  # what is over in half a second needs no bar
        self._drawn = False

    def __call__(self, stage: str, fraction: float) -> None:
        """Draw, if it is time to."""
        if not self._shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _EVERY
        full = round(_WIDTH * min(max(fraction, 0.0), 1.0))
        bar = "█" * full + "░" * (_WIDTH - full)
        self._stream.write(f"\r\x1b[2K{bar} {stage}")
        self._stream.flush()
        self._drawn = True

    def clear(self) -> None:
        """Remove what was drawn."""
        if self._drawn:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
            self._drawn = False
