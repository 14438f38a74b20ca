"""A hundred changes at once leave no queue: what nobody waits for is not worked on."""

from __future__ import annotations

import json
import threading
from http.client import HTTPConnection

import pytest

import microsafe as ms
from app.client import PATIENCE, Page, events
from microsafe.app.worker import Job

MANY = 100


class Counter:
    """Counts the steps that are worked on, and those that were given up; the first is held."""

    def __init__(self) -> None:
        self.count = 0
        self.left = threading.Semaphore(0)
        self.go = threading.Event()
        self.apply = ms.Study.apply
        self.stop = Job.stop

    def work(self, study: ms.Study, step: object, **options: object) -> ms.Study:
        self.count += 1
        assert self.go.wait(PATIENCE)
        return self.apply(study, step, **options)  # type: ignore[arg-type]

    def leave(self, job: Job) -> None:
        self.stop(job)
        self.left.release()


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> Counter:
    made = Counter()
    monkeypatch.setattr(ms.Study, "apply", lambda *given, **options: made.work(*given, **options))
    monkeypatch.setattr(Job, "stop", lambda job: made.leave(job))
    return made


def ask_and_leave(page: Page, step: object) -> None:
    """Ask for a preview as the page does, and take it back once it is taken on."""
    connection = HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
    headers = page.headers("POST") | {"Accept": "text/event-stream"}
    connection.request("POST", "/api/preview", json.dumps(step), headers)
    connection.getresponse().readline()
    connection.close()


def test_previews_that_nobody_waits_for_are_not_computed(measured: Page, worked: Counter) -> None:
    for number in range(MANY):
        ask_and_leave(measured, {"do": "top_code", "variable": "age", "limit": 50 + number % 40})
    for _ in range(MANY):
        assert worked.left.acquire(timeout=PATIENCE)
    worked.go.set()
    last = {"do": "top_code", "variable": "age", "limit": 65}
    told = list(
        events(measured.raw("POST /api/preview", last, accept="text/event-stream").body.decode())
    )
    assert told[-1][0] == "done"
    assert told[-1][1]["step"]["step"]["limit"] == 65
    assert worked.count == 2  # the one that was begun before it was left, and the last


def test_the_last_of_many_limits_holds(measured: Page) -> None:
    measured.ask("GET /api/risk")
    for number in range(MANY):
        measured.ask("POST /api/limit", {"risk": 0.01 + number / 1000})
    assert measured.ask("GET /api/study")["limit"] == pytest.approx(0.01 + (MANY - 1) / 1000)
