"""A progress bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import os
import time
from typing import TextIO

from microsafe.cli.printable import make_printable

_WIDTH = 24
_EVERY = 0.1  # seconds between drawings
_PATIENCE = 0.5  # what is over in half a second needs no bar
_USUAL_COLUMNS = 80
_CLEAR = "\r\x1b[2K"


class ProgressBar:
    """Draws progress on a stream if it is a terminal; it is a `Progress` callback."""

    def __init__(self, stream: TextIO) -> None:
        """Remember the stream and whether a person watches it."""
        self._stream = stream
        self._shown = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + _PATIENCE
        self._drawn = False
        self._stage = ""
        self._fraction = 0.0
        self._began = 0.0

    def __call__(self, stage: str, fraction: float) -> None:
        """Draw, if it is time to."""
        if not self._shown:
            return
        now = time.monotonic()
        if stage != self._stage or fraction < self._fraction:  # a stage may come again
            self._stage, self._began = stage, now
        self._fraction = fraction
        if now < self._next:
            return
        self._next = now + _EVERY
        line = make_printable(format_line(stage, fraction, now - self._began), instead="?")
        self._stream.write(_CLEAR + line[: self._width() - 1])  # a wrapped line would stay
        self._stream.flush()
        self._drawn = True

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self._stream.fileno()).columns or _USUAL_COLUMNS
        except OSError:
            return _USUAL_COLUMNS

    def clear(self) -> None:
        """Remove what was drawn."""
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = False


def format_line(stage: str, fraction: float, elapsed: float) -> str:
    """Return the bar, the per cent of the stage that is done, the stage and its time left.

    Args:
        stage: What is being done.
        fraction: How much of it is done, from 0 to 1.
        elapsed: Seconds since it began.
    """
    done = min(max(fraction, 0.0), 1.0)
    full = int(_WIDTH * done)
    line = f"{'█' * full}{'░' * (_WIDTH - full)} {int(100 * done):3d} %  {stage}"
    if not 0 < done < 1:
        return line  # nothing to reckon from, or nothing left
    return f"{line}, {format_seconds(elapsed * (1 - done) / done)} left"


def format_seconds(seconds: float) -> str:
    """Return a duration in the two largest units that it has."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = whole // 60
    if minutes < 60:
        return f"{minutes} min {whole % 60} s"
    return f"{minutes // 60} h {minutes % 60} min"
