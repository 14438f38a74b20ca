"""Hold back signals while something short must not be interrupted."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hold_signals() -> Iterator[None]:
    """Let signals to stop wait for the end of a block; afterwards they do what they did before."""
    waiting: list[int] = []
    handlers = {}
    if threading.current_thread() is threading.main_thread():  # which alone is interrupted
        numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
        for number in filter(None, numbers):
            if signal.getsignal(number) is not None:  # it could not be put back
                handlers[number] = signal.signal(
                    number, lambda received, _: waiting.append(received)
                )
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for received in waiting:
        signal.raise_signal(received)
