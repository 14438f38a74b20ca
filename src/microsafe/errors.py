"""Every exception of microsafe: what is wrong, where, and what to do.

No message contains a value of a record. Names of files and variables, counts and positions are
fine; what a respondent answered is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from microsafe.sentences import Sentence

_LONG_NAME, _LONG_MESSAGE = 120, 2000  # characters
# In quotation marks, of which the first follows no letter, or without blanks.
_NAMES = re.compile(rf"(?<!\w)'(?=\S)[^'\n]{{{_LONG_NAME},}}'|\S{{{_LONG_NAME},}}")


class MicrosafeError(Exception):
    """Base class of all errors of microsafe. Its message has a bounded length."""

    def __init__(self, *parts: object) -> None:
        super().__init__(*map(_shorten_part, parts))


class UsageError(MicrosafeError, ValueError):
    """The call is wrong: options contradict each other or are out of range."""


class InputError(MicrosafeError, ValueError):
    """The data cannot be used in this way."""


class NoEstimateError(MicrosafeError, ArithmeticError):
    """A model gives no estimate for the data."""


class FileError(InputError, OSError):
    """A file cannot be read or written."""


class UnreadableFileError(FileError):
    """A file is missing, damaged, or not what its name says."""


class TornFileError(FileError):
    """What is on the disk is not what was written to it."""


class UnknownVariableError(InputError, KeyError):
    """The file has no such variable."""

    def __init__(self, source: str, name: str, known: Iterable[str]) -> None:
        hint = did_you_mean(name, known)
        super().__init__(Sentence("unknown-variable", source=source, name=name, hint=hint))
        self.name = name

    def __str__(self) -> str:  # KeyError would print the repr of its argument
        return str(self.args[0])


class TooManyCellsError(InputError):
    """There are more combinations of keys than may be brought to this machine."""


class InventoryError(InputError):
    """A direct identifier would go out, or a variable was not decided on."""


class NotNumericError(InputError):
    """A variable has values that are not numbers."""


class WeightError(InputError):
    """The sampling weights are not valid."""


class CancelledError(MicrosafeError):
    """The work was cancelled; no file was changed."""


class EnoughError(CancelledError):
    """Who asked has enough of a search, and wants what was found until now."""


def _shorten_part(part: object) -> object:
    """Shorten a message; one that is short keeps what it knows of itself, as a sentence does."""
    short = shorten(part) if isinstance(part, str) else part
    return part if short == part else short


def shorten(text: str) -> str:
    """Return a message with … in the middle of long names, and of itself if it is still long."""
    text = _NAMES.sub(lambda name: _cut_middle(name[0], _LONG_NAME), text)
    return _cut_middle(text, _LONG_MESSAGE)


def _cut_middle(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[: 2 * most // 3]}…{text[-most // 3 + 1 :]}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `" Did you mean 'region'?"`, or the list of names if it is short, or nothing."""
    from difflib import get_close_matches  # only errors need it

    names = list(known)
    lowered = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    if close:
        return f" Did you mean {lowered[close[0]]!r}?"
    if 0 < len(names) <= 12:
        return " Available: " + ", ".join(names) + "."
    return ""
