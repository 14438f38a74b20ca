"""What the server refuses, and how any error becomes a status and a sentence."""

from __future__ import annotations

import os
import traceback

from microsafe.app.messages.study import Problem
from microsafe.errors import CancelledError, MicrosafeError

STOPPED = 499  # as others call a question that was taken back


class Refusal(Exception):  # noqa: N818  # a refusal, with the status that HTTP has for it
    """Something that the server does not do, now or ever."""

    def __init__(
        self, status: int, error: str, remedy: str | None = None, *, names: tuple[str, ...] = ()
    ) -> None:
        super().__init__(error)
        self.status = status
        self.problem = Problem(error=error, remedy=remedy, names=names)


def make_refusal(error: BaseException) -> Refusal:
    """Return any error as a refusal that quotes no record."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, CancelledError):
        return Refusal(STOPPED, "Cancelled. Nothing was changed.")
    if isinstance(error, MicrosafeError):
        return Refusal(422, str(error))
    if isinstance(error, MemoryError):
        return Refusal(
            507, "Not enough memory for this file.", "Use the command line with --memory."
        )
    if os.environ.get("MICROSAFE_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, OSError):
        # The system's own words name the trouble (no space left, ...), never a record.
        reason = error.strerror or "unknown"
        return Refusal(500, f"File error: {reason}.", "Check the disk and your permissions.")
    # The text of a foreign exception may quote a record; its type cannot.
    return Refusal(
        500,
        f"Unexpected error ({type(error).__name__}). Nothing was changed.",
        "Start the app with MICROSAFE_DEBUG=1 to see the traceback; it may quote records.",
    )
