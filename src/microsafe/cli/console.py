"""What the command line prints: results on standard output, the rest on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from microsafe.cli.bar import Bar
from microsafe.cli.printable import make_printable
from microsafe.errors import shorten

if TYPE_CHECKING:
    from microsafe.risk import Notice


class Console:
    """The two streams and the progress bar, which goes away before anything is printed.

    Attributes:
        progress: The bar, as a progress callback.
    """

    def __init__(self) -> None:
        """Make sure that there is something to print to, in any encoding."""
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None:
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
            elif isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.progress = Bar(sys.stderr)

    def say(self, lines: str | Iterable[str]) -> None:
        """Print text; names and labels come from files: control characters are made visible."""
        self.progress.clear()
        print(make_printable(lines if isinstance(lines, str) else "\n".join(lines)))

    def print_json(self, value: dict[str, Any]) -> None:
        """Print JSON; plain ASCII, so that it is valid in every locale."""
        import json  # neither help nor usage errors need it

        self.progress.clear()
        # It escapes every control character but one.
        print(json.dumps(value, indent=2, allow_nan=False).replace("\x7f", "\\u007f"))

    def print_notices(self, notices: Iterable[Notice]) -> None:
        """Print what to know before trusting the figures, apart from the figures."""
        for notice in notices:
            self._warn(f"note: {notice.text}")

    def complain(self, text: str) -> None:
        """Print what went wrong."""
        self._warn(f"microsafe: {text}")

    def _warn(self, text: str) -> None:
        self.progress.clear()
        print(make_printable(shorten(text.replace("\n", "?")), instead="?"), file=sys.stderr)
