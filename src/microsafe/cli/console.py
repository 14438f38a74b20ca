"""Print results on standard output, and messages and progress on standard error."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from microsafe.cli.colour import paint_error, paint_result
from microsafe.cli.printable import make_printable
from microsafe.cli.progress_bar import ProgressBar
from microsafe.display import page_width
from microsafe.errors import shorten

if TYPE_CHECKING:
    from microsafe.risk import Notice

_NARROWEST = 40  # columns of a terminal


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
        self.progress = ProgressBar(sys.stderr)
        self.quiet = False  # no notes, no next step
        width = find_width()
        self._width = width
        page_width.set(width)
        self._for_now = 0  # rows of the terminal with what is to be replaced

    @property
    def is_watched(self) -> bool:
        """Whether a person looks at the results as they come."""
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def say_for_now(self, lines: Sequence[str]) -> None:
        """Print text that a better answer will replace, or follow if it does not fit."""
        self.say(lines)
        sys.stdout.flush()
        columns, rows = shutil.get_terminal_size()
        taken = sum(1 + max(len(line) - 1, 0) // columns for line in lines)
        self._for_now = taken if taken < rows else 0

    def take_back(self) -> None:
        """Remove what was printed for now."""
        self.progress.clear()
        if self._for_now:
            print(f"\x1b[{self._for_now}F\x1b[J", end="", flush=True)
            self._for_now = 0

    def say(self, lines: str | Iterable[str]) -> None:
        """Print text; names and labels come from files: control characters are made visible."""
        self.progress.clear()
        text = make_printable(lines if isinstance(lines, str) else "\n".join(lines))
        text = wrap_lines(text, self._width)
        print(paint_result(text))

    def print_json(self, value: dict[str, Any]) -> None:
        """Print JSON; plain ASCII, so that it is valid in every locale."""
        import json  # neither help nor usage errors need it

        self.progress.clear()
        # It escapes every control character but one.
        print(json.dumps(value, indent=2, allow_nan=False).replace("\x7f", "\\u007f"))

    def print_notices(self, notices: Iterable[Notice]) -> None:
        """Print what to know before trusting the figures, apart from the figures."""
        for notice in () if self.quiet else notices:
            self._warn(f"note: {notice.text}")

    def note(self, text: str) -> None:
        """Print what to know, apart from the results, unless notes are not wanted."""
        if not self.quiet:
            self._warn(f"note: {text}")

    def say_next(self, text: str) -> None:
        """Print what is usually done next to whoever watches; nothing if notes are not wanted."""
        if not self.quiet and sys.stderr.isatty():
            self._warn(f"next: {text}")

    def ask(self, question: str) -> str:
        """Ask on the terminal; an empty answer takes what is filled in."""
        self.progress.clear()
        print(make_printable(question), end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip()

    def confirm(self, question: str) -> bool:
        """Ask a question that is answered by yes unless somebody says no."""
        return not self.ask(f"{question} [Y/n] ").casefold().startswith("n")

    def choose(self, words: Sequence[str], usual: int) -> int:
        """Ask for one of several choices by number, and return its place."""
        self.say([f"   {number} {each}" for number, each in enumerate(words, 1)])
        while True:
            given = self.ask(f"   Number, or Enter for {usual + 1}: ")
            if not given:
                return usual
            if given.isdecimal() and 1 <= int(given) <= len(words):
                return int(given) - 1

    def complain(self, text: str) -> None:
        """Print what went wrong."""
        self._warn(f"microsafe: {text}")

    def _warn(self, text: str) -> None:
        self.progress.clear()
        line = make_printable(shorten(text.replace("\n", "?")), instead="?")
        print(paint_error(wrap_lines(line, self._width)), file=sys.stderr)


def find_width() -> int | None:
    """Return how wide the terminal is; None where nobody reads in one."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return None
    return max(shutil.get_terminal_size().columns, _NARROWEST)


def wrap_lines(text: str, width: int | None) -> str:
    """Return a text with longer lines wrapped, later ones under the first word.

    Lines of tables were cut before, and have gaps between their columns: they stay.
    """
    if width is None:
        return text
    made = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if len(line) <= width or "  " in line.strip():
            made.append(line)
            continue
        later = " " * (indent + (2 if indent else 0))
        made += textwrap.wrap(
            line, width, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
        )
    return "\n".join(made)
