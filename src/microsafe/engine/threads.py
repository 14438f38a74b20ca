"""Run several tasks at once in threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from threading import Event
from typing import TypeVar

Tell = Callable[[float], None]
Task = Callable[[Tell], None]
T = TypeVar("T")

_MOST = 4  # threads: each holds a batch of its own
_LISTEN = 0.05  # seconds between looks at who wants to stop


class _StoppedError(Exception):
    """Another task failed, or nobody wants the result any more."""


def _tell_within(tell: Tell, place: int, count: int, part: float) -> None:
    tell((place + part) / count)


def work_ahead(items: Iterator[T]) -> Iterator[T]:
    """Go through items; each is made while the one before is still in use."""
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(list, islice(items, 1))
        while result := waiting.result():
            waiting = pool.submit(list, islice(items, 1))
            yield result.pop()  # and hold it no longer


def run_for_each(
    work: Callable[[int], None], count: int, tell: Tell, *, threads: int | None = None
) -> None:
    """Do the same with each of some batches, which do not depend on each other.

    Args:
        work: Given the place of a batch.
        count: Number of batches.
        tell: Progress callback, as in `run_together`.
        threads: Likewise.
    """

    def run(place: int, note: Tell) -> None:
        note(0.0)
        work(place)

    run_together([partial(run, place) for place in range(count)], tell, threads=threads)


def run_together(tasks: Sequence[Task], tell: Tell, *, threads: int | None = None) -> None:
    """Run tasks that do not depend on each other, some at a time.

    Args:
        tasks: Each is given what tells its progress, which stops it if it should.
        tell: Progress callback, with the fraction done; called in this thread, and may raise.
        threads: How many at a time; by default as many as there are cores, up to four.

    Raises:
        Exception: What the first task that failed raised, in the order of the tasks, however
            soon others did.
    """
    threads = min(threads or min(_MOST, os.cpu_count() or 1), len(tasks))
    if threads < 2:
        for place, task in enumerate(tasks):
            task(partial(_tell_within, tell, place, len(tasks)))
        return
    stop, done = Event(), [0.0] * len(tasks)

    def run(place: int) -> None:
        def note(part: float) -> None:
            if stop.is_set():
                raise _StoppedError
            done[place] = part

        note(0.0)
        tasks[place](note)
        done[place] = 1.0

    with ThreadPoolExecutor(threads) as pool:
        futures: list[Future[None]] = [pool.submit(run, place) for place in range(len(tasks))]
        try:
            for future in futures:
                while wait([future], timeout=_LISTEN).not_done:
                    tell(sum(done) / len(done))
                future.result()
        finally:
            stop.set()
