"""Every exception of microsafe: the fact, where it was met, the remedy.

No message ever holds a value of a record. Names of files and variables, counts and
positions of columns are fine; what a respondent answered is not.
"""

from __future__ import annotations

from collections.abc import Iterable


class MicrosafeError(Exception):
    """Base of everything that microsafe raises on purpose."""


class UsageError(MicrosafeError, ValueError):
    """The call itself is wrong: options that contradict each other or are out of range."""


class InputError(MicrosafeError, ValueError):
    """The data cannot be used as asked."""


class UnreadableFileError(InputError, OSError):
    """A file is missing, damaged, or not what its name says."""


class UnknownVariableError(InputError, KeyError):
    """A variable that the file does not have."""

    def __init__(self, source: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"{source} has no variable {name!r}.{did_you_mean(name, known)}")

    def __str__(self) -> str:  # KeyError would print the repr of its argument
        return str(self.args[0])


class TooManyCellsError(InputError):
    """More combinations of keys than may come to this machine."""


class NotNumericError(InputError):
    """A variable that holds something else than numbers."""


class WeightError(InputError):
    """The sampling weights cannot be what the method needs."""


class CancelledError(MicrosafeError):
    """The person stopped the work; no file was changed."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `" Did you mean 'region'?"`, or the list of what there is, or nothing."""
    from difflib import get_close_matches  # only errors need it

    names = list(known)
    lowered = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), lowered, n=1, cutoff=0.6)
    if close:
        return f" Did you mean {lowered[close[0]]!r}?"
    if 0 < len(names) <= 12:
        return " It has " + ", ".join(names) + "."
    return ""
