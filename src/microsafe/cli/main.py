"""Entry: arguments in, exit code out. Errors are sentences, never tracebacks."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from types import FrameType
from typing import TextIO

from polars.exceptions import PanicException

from microsafe.cli.arguments import parser
from microsafe.cli.bar import Bar
from microsafe.errors import CancelledError, MicrosafeError, UsageError

DONE, NOT_MET, WRONG_USAGE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    bar = Bar(_usable_streams())
    try:
        with _stopping_cleanly():
            chosen = parser().parse_args(arguments)
            code: int = chosen.run(chosen, bar)
            sys.stdout.flush()
    except UsageError as error:
        return _failed(bar, str(error), WRONG_USAGE)
    except (KeyboardInterrupt, CancelledError):
        return _failed(bar, "Stopped. No file was left half written.", INTERRUPTED)
    except MicrosafeError as error:
        return _failed(bar, str(error), BAD_INPUT)
    except BrokenPipeError:
        # The reader of our output left (as `head` does); nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except MemoryError:
        return _failed(bar, "There is not enough memory for this file on this machine.", BAD_INPUT)
    except OSError as error:
        # The system's own words name the trouble (no space left, ...), never a record.
        return _failed(bar, f"A file could not be used: {error.strerror or 'unknown'}.", BAD_INPUT)
    except (Exception, PanicException) as error:
        if os.environ.get("MICROSAFE_DEBUG"):
            raise
        # The text of a foreign exception may quote a record; its type cannot.
        return _failed(
            bar,
            f"An unforeseen {type(error).__name__} stopped the work. "
            "Set MICROSAFE_DEBUG=1 to see where; the details may quote records.",
            BAD_INPUT,
        )
    bar.clear()
    return code


def _failed(bar: Bar, message: str, code: int) -> int:
    bar.clear()
    print(f"microsafe: {message}", file=sys.stderr)
    return code


def _usable_streams() -> TextIO:
    """Make sure that there is something to print to, in any encoding; return standard error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    return sys.stderr


@contextmanager
def _stopping_cleanly() -> Iterator[None]:
    """Treat a polite kill or a closed terminal as Ctrl-C, so that temporary files go."""

    def stop(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    main_thread = threading.current_thread() is threading.main_thread()
    before = {each: signal.signal(each, stop) for each in signals if main_thread}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
