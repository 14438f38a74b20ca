"""Long work: events, order, stopping."""

from __future__ import annotations

import json
import threading
from http.client import HTTPConnection

import pytest

import microsafe as ms
from app.client import PATIENCE, Page, events
from microsafe.progress import Progress
from microsafe.steps.tails.step import TopCode

STEP = {"do": "suppress", "above": 0.02}


def test_a_stream_tells_of_start_progress_and_end(opened: Page) -> None:
    scenario = {"keys": ["region", "age", "sex"], "weight": "weight"}
    told = opened.stream("PUT /api/scenario", scenario)
    assert [name for name, _ in told][:1] == ["started"]
    assert told[-1][0] == "done"
    assert told[-1][1]["scenarios"][0]["keys"] == scenario["keys"]
    stages = [data["stage"] for name, data in told if name == "progress"]
    assert "counting cells" in stages
    assert all(0 <= data["fraction"] <= 1 for name, data in told if name == "progress")


def test_a_stream_tells_of_failure_as_a_plain_answer_does(measured: Page) -> None:
    step = {"do": "recode", "variable": "age", "keep": 1, "labels": {"x": "y"}}
    plain = measured.ask("POST /api/steps", step, status=422)
    told = measured.stream("POST /api/steps", step)
    assert told[-1] == ("failed", {"status": 422} | plain)


def test_quick_answers_are_never_streams(measured: Page) -> None:
    for route in ("GET /api/study", "GET /api/files"):
        answer = measured.raw(route, accept="text/event-stream")
        assert answer.headers["content-type"] == "application/json"


class Slow:
    """A step that takes as long as it is let."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self.stopped = threading.Event()
        self._apply = ms.Study.apply  # as it is without the test

    def apply(self, study: ms.Study, step: object, *, progress: Progress) -> ms.Study:
        while not self.go.wait(0.01):
            try:
                progress("waiting for the test", 0.5)
            except ms.CancelledError:
                self.stopped.set()
                raise
            self.begun.set()
        return self._apply(study, TopCode(variable="age", limit=80))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    made = Slow()
    monkeypatch.setattr(ms.Study, "apply", lambda study, step, **o: made.apply(study, step, **o))
    return made


class Listener(threading.Thread):
    """Asks for a slow step on a stream and notes what comes."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page = page
        self.connection = HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
        self.job = threading.Event()
        self.text = ""
        self.start()

    def run(self) -> None:
        headers = self.page.headers("POST") | {"Accept": "text/event-stream"}
        self.connection.request("POST", "/api/steps", json.dumps(STEP), headers)
        answer = self.connection.getresponse()
        try:
            while line := answer.readline():
                self.text += line.decode()
                if "started" in self.text and self.text.count("\n\n"):
                    self.job.set()
        except OSError:
            pass  # the connection was closed on our side
        finally:
            answer.close()
            self.connection.close()

    @property
    def number(self) -> int:
        assert self.job.wait(PATIENCE)
        return int(next(events(self.text))[1]["job"])

    def last(self) -> tuple[str, dict[str, object]]:
        self.join(PATIENCE)
        return list(events(self.text))[-1]


def test_a_job_can_be_stopped(measured: Page, slow: Slow) -> None:
    listener = Listener(measured)
    assert slow.begun.wait(PATIENCE)
    assert measured.ask("POST /api/cancel", {"job": listener.number}) == {"running": True}
    name, told = listener.last()
    assert (name, told["status"]) == ("failed", 499)
    assert measured.ask("GET /api/study")["steps"] == []
    assert measured.ask("POST /api/cancel", {"job": listener.number}) == {"running": False}
    assert measured.ask("POST /api/cancel", {"job": 12345}) == {"running": False}


def test_a_job_that_waits_can_be_stopped(measured: Page, slow: Slow) -> None:
    first = Listener(measured)
    assert slow.begun.wait(PATIENCE)
    second = Listener(measured)
    assert measured.ask("POST /api/cancel", {"job": second.number}) == {"running": True}
    assert second.last()[1]["status"] == 499
    slow.go.set()
    assert first.last()[0] == "done"


def test_a_page_that_goes_away_stops_its_job(measured: Page, slow: Slow) -> None:
    listener = Listener(measured)
    assert slow.begun.wait(PATIENCE)
    assert listener.number
    assert listener.connection.sock is not None
    listener.connection.sock.shutdown(2)
    assert slow.stopped.wait(PATIENCE)  # nobody asked for that but the page that went
    assert measured.ask("GET /api/study")["steps"] == []
    listener.join(PATIENCE)


def test_what_was_measured_does_not_wait(measured: Page, slow: Slow) -> None:
    """The limit moves while something long is at work."""
    listener = Listener(measured)
    assert slow.begun.wait(PATIENCE)
    assert measured.ask("GET /api/risk")["records"] == 700
    assert measured.ask("POST /api/limit", {"risk": 0.05})["limit"] == 0.05
    assert measured.ask("GET /api/study")["limit"] == 0.05
    slow.go.set()
    name, told = listener.last()
    assert name == "done"
    assert told["limit"] == 0.05
    assert len(told["steps"]) == 1


def test_jobs_are_done_one_after_the_other(measured: Page, slow: Slow) -> None:
    listeners = [Listener(measured) for _ in range(3)]
    slow.go.set()
    assert all(each.last()[0] == "done" for each in listeners)
    assert len(measured.ask("GET /api/study")["steps"]) == 3
