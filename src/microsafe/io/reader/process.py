"""Run native readers in a subprocess; a crash there is an error message here.

ReadStat, calamine and the readers of Polars are native code. One damaged byte makes them
follow a wild pointer or ask for more memory than there is, and either ends the process that they
run in. So they run in another one, under limits on memory and computing time. It says nothing on
a terminal and leaves no core. It is started once and asked again until it dies.

What it was asked for comes back through a pipe: facts as JSON, columns one by one as Arrow.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

from microsafe import errors
from microsafe.errors import InputError, MicrosafeError, UnreadableFileError

if TYPE_CHECKING:
    import polars as pl

resource: Any
try:
    import resource
except ImportError:  # Windows: there the limit on time is the only one
    resource = None

Answer = tuple[Any, "pl.DataFrame | None"]

# A small file may take so much; a large one more, according to what it unpacks to.
_BYTES, _BYTES_PER_BYTE = 1_000_000_000, 16
_SECONDS, _BYTES_PER_SECOND = 15, 2_000_000
_WALL = 20  # seconds on the clock for each of computing, where only the clock can be limited
_LISTEN = 0.1  # seconds between looks at the clock
_LARGE = 50_000_000  # bytes; memory that was used for so much is given back

# Fewer threads and heaps reserve less of the memory that is allowed.
_SURROUNDINGS = {
    "RUST_BACKTRACE": "0",
    "MALLOC_ARENA_MAX": "2",
    "OPENBLAS_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": str(min(4, os.cpu_count() or 1)),
}
_DONE, _REFUSED, _FAILED, _NO_MEMORY = "done", "refused", "failed", "memory"
_DIED, _LATE, _UNSTARTED = "died", "late", "unstarted"
_SOUND = {_DONE, _REFUSED}
_START = (
    "import sys; sys.path[:] = {path!r}; from microsafe.io.reader.process import serve; serve()"
)


class ReaderError(Exception):
    """The reader raised something; whoever called it says what that means for the file."""


def run_in_reader(
    work: str,
    name: str,
    *,
    unpacked: int,
    decoded: int = 0,
    **arguments: Any,
) -> Answer:
    """Run a function in the reader process, and return what it returns.

    Args:
        work: The function as "module:name"; it gives facts, of plain types, and a frame or None.
        name: What messages call the file.
        unpacked: Bytes that the file unpacks to, by which the limits are set.
        decoded: Bytes that pass by without being held, if they are more.
        **arguments: Of plain types too.

    Raises:
        ReaderError: The function raised something that is not ours.
        UnreadableFileError: It brought the process down, or took too much memory or time.
        InputError: It refused the file.
    """
    if not sys.executable or hasattr(sys, "frozen"):  # there is no interpreter to start
        facts, frame = _find_work(work)(**arguments)
        return _restore(_flatten(facts)), frame
    with _lock:
        return _ask(work, name, unpacked, max(decoded, unpacked), arguments)


def start_reader() -> None:
    """Start the reader process now, so that it is ready when a file is opened."""
    with _lock, suppress(OSError):
        _get_reader()


def _ask(
    work: str,
    name: str,
    unpacked: int,
    decoded: int,
    arguments: dict[str, Any],
) -> Answer:
    seconds = _SECONDS + decoded // _BYTES_PER_SECOND
    limit = _BYTES + _BYTES_PER_BYTE * unpacked
    question = {"work": work, "arguments": arguments, "memory": limit, "seconds": seconds}
    try:
        reader = _get_reader()
    except OSError:
        raise InputError(
            f"{name} cannot be read: no process can be started to read it in. Close other "
            "programs, or raise the limits of this session."
        ) from None
    finished = False
    try:
        kind, facts, frame = reader.ask(question, _WALL * seconds)
        finished = kind in _SOUND and (frame is None or frame.estimated_size() < _LARGE)
    finally:
        if not finished:
            # It is dead, or was left in the middle of an answer; or a library failed in it and
            # may have spoilt its memory; or it holds a lot of it.
            _stop_reader()
    if kind == _DONE:
        return facts, frame
    if kind == _REFUSED:
        raise getattr(errors, facts[0], InputError)(facts[1])
    if kind == _UNSTARTED:
        raise InputError(
            f"{name} cannot be read: the process that reads it ended at its start, for want of "
            "memory perhaps. Raise the limits of this session (ulimit -v)."
        )
    if kind == _NO_MEMORY:
        raise UnreadableFileError(
            f"{name} cannot be read with {limit / 1e9:.1f} GB of memory, which a file of its size "
            "should not need. It may be damaged, so fetch or export it again."
        )
    if kind == _LATE:
        raise UnreadableFileError(
            f"{name} cannot be read in {seconds:,} s, which a file of its size should not take. "
            "It may be damaged, so fetch or export it again."
        )
    if kind == _DIED:
        raise UnreadableFileError(
            f"{name} cannot be read: its reader crashed, or needed more than {limit / 1e9:.1f} GB "
            "of memory, which a file of its size should not. It may be damaged, so fetch or export "
            "it again."
        )
    raise ReaderError


class _Reader:
    """The other process, seen from ours."""

    def __init__(self) -> None:
        """Start it; that it is there shows when it is first asked."""
        path = [os.path.abspath(folder) for folder in sys.path]
        self.owner = os.getpid()
        self._ready = False
        self._thread: threading.Thread | None = None
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-W", "ignore", "-c", _START.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_SURROUNDINGS},
        )

    @property
    def has_ended(self) -> bool:
        """Whether it is no longer there."""
        return self._process.poll() is not None

    def ask(self, question: dict[str, Any], wall: float) -> tuple[str, Any, pl.DataFrame | None]:
        """Return how it ended, the facts and the frame."""
        answers: list[tuple[str, Any, pl.DataFrame | None]] = []

        def converse() -> None:
            with suppress(EOFError, OSError):
                answers.append(self._converse(question))

        # In a thread: while a pipe is read, neither Ctrl-C nor the clock is heard.
        self._thread = threading.Thread(target=converse, name="reader", daemon=True)
        self._thread.start()
        end = time.monotonic() + wall
        while self._thread.is_alive():
            self._thread.join(_LISTEN)
            if time.monotonic() > end:
                self.stop()
                return _LATE, None, None
        if answers:
            return answers[0]
        code = self._process.wait()
        if not self._ready:
            return _UNSTARTED, None, None
        return _LATE if code == -getattr(signal, "SIGXCPU", 0) else _DIED, None, None

    def _converse(self, question: dict[str, Any]) -> tuple[str, Any, pl.DataFrame | None]:
        import polars as pl

        there, back = self._process.stdin, self._process.stdout
        assert there is not None and back is not None  # noqa: PT018, S101
        if not self._ready:
            _receive(back)
            self._ready = True
        _send(there, json.dumps(question).encode())
        kind, facts, columns = json.loads(_receive(back))
        if columns is None:
            return kind, _restore(facts), None
        parts = [pl.read_ipc_stream(BytesIO(_receive(back))) for _ in range(columns)]
        return kind, _restore(facts), pl.DataFrame([part.to_series() for part in parts])

    def stop(self) -> None:
        """End it, whatever it is doing."""
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()
        if self._thread is not None:
            with suppress(RuntimeError):  # it was stopped before it began
                self._thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


_lock = threading.RLock()
_reader: _Reader | None = None


def _get_reader() -> _Reader:
    global _reader
    # It may belong to our parent, or have been killed while nobody asked it.
    if _reader is not None and (_reader.owner != os.getpid() or _reader.has_ended):
        _stop_reader()
    if _reader is None:
        _reader = _Reader()
    return _reader


def _stop_reader() -> None:
    global _reader
    if _reader is not None:
        _reader.stop()
    _reader = None


atexit.register(_stop_reader)


def serve() -> None:
    """Answer questions until there are no more; this is what runs in the other process."""
    import polars as pl  # noqa: F401  # what takes long to load is there before the first question

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asks
    # Whatever a library prints goes nowhere, and never between two answers.
    with os.fdopen(os.dup(0), "rb") as questions, os.fdopen(os.dup(1), "wb") as answers:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        if resource is not None:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _send(answers, b"ready")
        with suppress(EOFError, BrokenPipeError):
            while True:
                _answer(json.loads(_receive(questions)), answers)


def _answer(question: dict[str, Any], answers: IO[bytes]) -> None:
    frame = None
    try:
        _limit_usage(question["memory"], question["seconds"])
        facts, frame = _find_work(question["work"])(**question["arguments"])
        kind = _DONE
    except MemoryError:
        kind, facts = _NO_MEMORY, None
    except MicrosafeError as error:
        kind, facts = _REFUSED, [type(error).__name__, str(error)]
    except BaseException:  # its text may quote a record: it stays here
        kind, facts = _FAILED, None
    head = [kind, _flatten(facts), None if frame is None else frame.width]
    _send(answers, json.dumps(head).encode())
    for column in () if frame is None else frame:
        buffer = BytesIO()
        column.to_frame().write_ipc_stream(buffer)
        _send(answers, buffer.getvalue())


def _limit_usage(memory: int, seconds: int) -> None:
    """Allow so much more than was used until now, but never more than was allowed at the start."""
    if resource is None:
        return
    spent = int(time.process_time()) + 1
    _limit(resource.RLIMIT_CPU, spent + seconds)
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
        _limit(resource.RLIMIT_AS, used + memory)


def _limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(
            which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
        )


def _find_work(work: str) -> Any:
    module, _, function = work.partition(":")
    return getattr(import_module(module), function)


def _send(pipe: IO[bytes], content: bytes | memoryview) -> None:
    pipe.write(len(content).to_bytes(8, "little"))
    pipe.write(content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    head = pipe.read(8)
    size = int.from_bytes(head, "little")
    content = pipe.read(size) if len(head) == 8 else b""
    if len(head) < 8 or len(content) < size:
        raise EOFError
    return content


def _flatten(value: Any) -> Any:
    """Return a value as JSON can hold it: keys of tables need not be text."""
    if isinstance(value, dict):
        return {"": [[_flatten(key), _flatten(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple | set):
        return [_flatten(item) for item in value]
    return value if isinstance(value, str | int | float | None) else str(value)


def _restore(value: Any) -> Any:
    if isinstance(value, dict):
        return {_restore(key): _restore(item) for key, item in value[""]}
    if isinstance(value, list):
        return [_restore(item) for item in value]
    return value
