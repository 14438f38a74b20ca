"""Entry point: parse arguments, run a command, return its exit code."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import FrameType

from microsafe.cli.command_list import COMMANDS, NEXT, NEXT_IF_NOT_MET
from microsafe.cli.console import Console
from microsafe.cli.parser import build_parser
from microsafe.cli.printable import own_words_only
from microsafe.errors import (
    CancelledError,
    InputError,
    InventoryError,
    MicrosafeError,
    NoEstimateError,
    UsageError,
)
from microsafe.io.atomic import sweep_private, watch_files
from microsafe.io.signals import hold_signals

_LEAST, _LEAST_PER_CORE = 900_000_000, 50_000_000  # bytes of addresses, for libraries and threads
# Read once, when NumPy and Polars are loaded. No sum may depend on the number of threads, and those
# of BLAS, which turn while they wait for work, cost a quarter of a small command. Under a limit on
# memory Polars has one heap: of several, those that no thread works on keep what was let go. It is
# given back within half a second; at once would cost half the CPU time again, as the next batch
# takes as much.
_ONE_THREAD = ("OPENBLAS_NUM_THREADS", "1")
_ONE_HEAP = ("_RJEM_MALLOC_CONF", "narenas:1,dirty_decay_ms:500,muzzy_decay_ms:0")
_SEVERAL = ("plan",)  # commands that consist of others
_PLACES = ("file", "plan", "output")  # arguments that the next step may name
_COMPLETE = "--complete"  # how a script of a shell asks; hidden, as nobody types it
DONE, NOT_MET, WRONG_USAGE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    with own_words_only():
        return _run(arguments)


def _run(arguments: Sequence[str] | None) -> int:
    console = Console()
    with watch_files() as changed:
        return _run_command(arguments, console, changed)


def _run_command(arguments: Sequence[str] | None, console: Console, changed: Sequence[Path]) -> int:
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with _stop_cleanly():
            # The options of one command suffice, or of none.
            parser = build_parser(next((word for word in given if word in COMMANDS), ""))
            if not given:
                parser.print_help()
                return DONE
            if given[0] == _COMPLETE:
                from microsafe.cli.commands.completion import complete

                print(*complete(parser, given[1:]), sep="\n")
                return DONE
            if given in ([each] for each in _SEVERAL):
                given.append("--help")
            chosen = parser.parse_args(given)
            console.quiet = chosen.quiet
            _check_limits()
            os.environ.setdefault(*_ONE_THREAD)
            if getattr(chosen, "memory", None) is not None:
                os.environ.setdefault(*_ONE_HEAP)
            sweep_private()
            with hold_signals():  # two threads load modules: neither may be left halfway
                _prepare_reading(chosen)
                load_library(chosen.needs)
            code: int = chosen.run(chosen, console)
            sys.stdout.flush()
            _say_next(console, chosen, given, code)
    except BrokenPipeError:
        # The reader of our output left (as `head` does); nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except BaseException as error:
        explained = explain_error(error, changed)
        if explained is None:
            raise
        code, message = explained
        console.complain(message)
    finally:
        console.progress.clear()
    return code


def _say_next(
    console: Console, chosen: argparse.Namespace, given: Sequence[str], code: int
) -> None:
    """Say what is usually done next; a plan that served instead of options is protected."""
    if getattr(chosen, "json", False) or code not in (DONE, NOT_MET):
        return
    name = " ".join(given[:2]) if given[0] in _SEVERAL else given[0]
    text = (NEXT if code == DONE else NEXT_IF_NOT_MET).get(name)
    if text is None:
        return
    places = {place: getattr(chosen, place, None) or place.upper() for place in _PLACES}
    if str(places["file"]).endswith(".toml") and text.startswith("microsafe plan new"):
        text = NEXT["plan check"].replace("{plan}", "{file}")
    console.say_next(text.format(**places))


def _check_limits() -> None:
    """Refuse to begin where libraries would end the process while they are loaded."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    needed = _LEAST + _LEAST_PER_CORE * (os.cpu_count() or 1)
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raise InputError(
            f"This session allows {allowed / 1e9:.2f} GB of memory, and microsafe itself needs "
            f"{needed / 1e9:.2f} GB on this machine. Raise the limit (ulimit -v)."
        )


def _prepare_reading(chosen: argparse.Namespace) -> None:
    """Start the process that reads foreign files while this one loads what it needs."""
    file = getattr(chosen, "file", None)
    if isinstance(file, Path) and file.is_file() and getattr(chosen, "engine", "local") == "local":
        from microsafe.io.formats import PARQUET, find_format

        form = find_format(file)
        if form is not None and form.own_process:
            from microsafe.io.reader.process import start_reader

            start_reader()
        if form is PARQUET:
            keys = getattr(chosen, "keys", None) or ()
            roles = (getattr(chosen, "weight", None), getattr(chosen, "household", None))
            names = [*keys, *(name for name in roles if name)]
            threading.Thread(target=_prepare_columns, args=(file, names), daemon=True).start()


def _prepare_columns(file: Path, names: Sequence[str]) -> None:
    with suppress(Exception):  # what is wrong is told when the file is opened
        from microsafe.io.parquet import prepare

        prepare(file, names)


def load_library(name: str) -> None:
    """Load at once what a command needs: a module, which imports the rest; "" if nothing."""
    if not name or name in sys.modules:
        return
    collects = gc.isenabled()
    gc.disable()  # nothing of what is loaded becomes garbage
    try:
        import_module(name)
        gc.freeze()  # nor later, so no collection need look at it
    finally:
        if collects:
            gc.enable()


def explain_error(error: BaseException, changed: Sequence[Path]) -> tuple[int, str] | None:
    """Return the exit code and the sentences for an exception; None if it is to go on.

    Args:
        error: What was raised.
        changed: Files that were put in place before; what was made to be looked at is gone.
    """
    files = ", ".join(dict.fromkeys(path.name for path in changed if path.exists()))
    match error:
        case UsageError():
            return WRONG_USAGE, str(error)
        case KeyboardInterrupt() | CancelledError():
            done = f"Interrupted; already written: {files}."
            return INTERRUPTED, done if files else "Interrupted; no output file was changed."
        case NoEstimateError() | InventoryError():
            return NOT_MET, str(error)
        case MicrosafeError():
            return BAD_INPUT, str(error)
        case MemoryError():
            return BAD_INPUT, "Not enough memory for this file. Set a limit with --memory."
        case OSError():
            # The system's own words name the trouble (no space left, ...), never a record.
            reason = error.strerror or "unknown"
            done = f" Already written: {files}." if files else ""
            return BAD_INPUT, f"File error: {reason}. Check the disk and your permissions.{done}"
    # A panic of Polars is no Exception, and is known by name: Polars may not be loaded yet.
    ours = isinstance(error, Exception) or type(error).__name__ == "PanicException"
    if not ours or os.environ.get("MICROSAFE_DEBUG"):
        return None
    # The text of a foreign exception may quote a record; its type cannot.
    kind = type(error).__name__
    return BAD_INPUT, (
        (
            f"Unexpected error ({kind}). Already written: {files}. "
            if files
            else f"Unexpected error ({kind}). Nothing was written. "
        )
        + "Set MICROSAFE_DEBUG=1 to see the traceback; it may quote records."
    )


@contextmanager
def _stop_cleanly() -> Iterator[None]:
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
