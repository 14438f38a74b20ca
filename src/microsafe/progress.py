"""Progress is one callback: a stage and the fraction of it that is done.

The command line, a notebook and the app each draw it their own way. A callback that
raises (`CancelledError`, `KeyboardInterrupt`) stops the work at that point.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]


def silent(stage: str, fraction: float) -> None:
    """Draw nothing."""
