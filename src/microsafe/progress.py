"""Progress is one callback: a stage and the fraction of it that is done.

The command line, a notebook and the app each draw it their own way. A callback that
raises (`CancelledError`, `KeyboardInterrupt`) stops the work at that point.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float], None]
Tell = Callable[[int], None]  # how many records are done; may raise as well


def silent(stage: str, fraction: float) -> None:
    """Draw nothing."""


def name_stage(progress: Progress, stage: str) -> Progress:
    """Return what tells of a part of the work under a name of its own."""
    return lambda _, fraction: progress(stage, fraction)


def tell_nobody(records: int) -> None:
    """Say nothing."""


def tell_after(tell: Tell, before: int) -> Tell:
    """Return what tells of records that come after some others."""
    return lambda records: tell(before + records)
