"""One thread for long work, so that answers come in the order of the questions."""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from microsafe.app.messages.endpoints import JobProgress
from microsafe.app.refusal import Refusal, make_refusal
from microsafe.errors import CancelledError, EnoughError
from microsafe.progress import Progress

_EVERY = 0.1  # seconds between reports of progress

Work = Callable[[Progress], Any]


class Job:
    """Work that waits, is being done, or is over; it is the `Progress` that the work reports to."""

    def __init__(self, number: int, work: Work) -> None:
        """Remember who is to be told."""
        self.number = number
        self.over = False
        self.news: asyncio.Queue[JobProgress | None] = asyncio.Queue()
        self.answer: Any = None
        self.refusal: Refusal | None = None
        self._work = work
        self._start = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._enough = threading.Event()
        self._next = 0.0
        self._stage = ""

    def __call__(self, stage: str, fraction: float) -> None:
        """Tell how far the work is; raise if nobody wants it any more."""
        if self._stop.is_set():
            raise CancelledError("Stopped.")
        if self._enough.is_set():
            self._enough.clear()  # what was found until now is still to be told
            raise EnoughError("Stopped.")
        now = time.monotonic()
        if stage != self._stage or now >= self._next:
            self._stage, self._next = stage, now + _EVERY
            told = min(max(fraction, 0.0), 1.0)
            self._report(JobProgress(job=self.number, stage=stage, fraction=told))

    def stop(self) -> None:
        """Let the work end at its next report, or never begin."""
        self._stop.set()
        if self._start.acquire(blocking=False):
            self._finish(make_refusal(CancelledError("Stopped.")))

    def end_search(self) -> None:
        """Let a search end at its next report with what it has found; other work ends there."""
        self._enough.set()

    def run(self) -> None:
        """Do the work, unless it was stopped; whatever goes wrong becomes a refusal."""
        if not self._start.acquire(blocking=False):
            return
        try:
            self.answer = self._work(self)
        except BaseException as error:  # a panic of Polars is no Exception
            self._finish(make_refusal(error))
        else:
            self._finish(None)

    def _finish(self, refusal: Refusal | None) -> None:
        self.refusal, self.over = refusal, True
        self._report(None)

    def _report(self, news: JobProgress | None) -> None:
        with suppress(RuntimeError):  # the server has gone, and nobody listens
            self._loop.call_soon_threadsafe(self.news.put_nowait, news)


class Worker:
    """The thread, and the jobs that wait for it."""

    def __init__(self) -> None:
        """Start the thread; it ends with the process."""
        self._jobs: dict[int, Job] = {}
        self._waiting: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._numbers = itertools.count(1)
        self._thread = threading.Thread(target=self._run_jobs, name="worker", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> Job:
        """Take on work; must be called where answers are awaited."""
        job = Job(next(self._numbers), work)
        self._jobs = {each: other for each, other in self._jobs.items() if not other.over}
        self._jobs[job.number] = job
        self._waiting.put(job)
        return job

    def cancel(self, number: int, *, keep: bool = False) -> bool:
        """Stop a job, or its search; return whether there was still something to stop."""
        job = self._jobs.get(number)
        if job is None or job.over:
            return False
        (job.end_search if keep else job.stop)()
        return True

    def close(self, timeout: float = 5.0) -> None:
        """Stop all jobs, and give the one at work time to leave no half file."""
        for job in self._jobs.values():
            job.stop()
        self._waiting.put(None)
        self._thread.join(timeout)

    def _run_jobs(self) -> None:
        while (job := self._waiting.get()) is not None:
            job.run()
