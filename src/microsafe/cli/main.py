"""Entry: arguments in, exit code out. Errors are sentences, never tracebacks."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from microsafe.cli.arguments import parser
from microsafe.cli.bar import Bar
from microsafe.errors import CancelledError, MicrosafeError, UsageError

DONE, NOT_MET, WRONG_USAGE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    chosen = parser().parse_args(arguments)
    bar = Bar(sys.stderr)
    try:
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
    except Exception as error:
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
