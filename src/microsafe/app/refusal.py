"""What the server refuses, and how any error becomes a status and a sentence."""

from __future__ import annotations

import os
import traceback

from microsafe.app.messages.study import Problem
from microsafe.errors import CancelledError, MicrosafeError

STOPPED = 499  # as others call a question that was taken back


class Refused(Exception):  # noqa: N818  # a refusal, with the status that HTTP has for it
    """Something that the server does not do, now or ever."""

    def __init__(
        self, status: int, error: str, remedy: str | None = None, *, names: tuple[str, ...] = ()
    ) -> None:
        super().__init__(error)
        self.status = status
        self.problem = Problem(error=error, remedy=remedy, names=names)


def refusal(error: BaseException) -> Refused:
    """Return any error as a refusal that quotes no record."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, CancelledError):
        return Refused(STOPPED, "Stopped. Nothing was changed.")
    if isinstance(error, MicrosafeError):
        return Refused(422, str(error))
    if isinstance(error, MemoryError):
        return Refused(507, "There is not enough memory for this file on this machine.")
    if os.environ.get("MICROSAFE_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, OSError):
        # The system's own words name the trouble (no space left, ...), never a record.
        return Refused(500, f"A file could not be used: {error.strerror or 'unknown'}.")
    # The text of a foreign exception may quote a record; its type cannot.
    return Refused(
        500,
        f"An unforeseen {type(error).__name__} stopped the work.",
        "Start the app with MICROSAFE_DEBUG=1 to see where; the details may quote records.",
    )
