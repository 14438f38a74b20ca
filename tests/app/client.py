"""A small page for tests: asks the app, which runs as it always does, over a real connection."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

from microsafe.app.bundle import PageFile as File
from microsafe.app.routes import build_app
from microsafe.app.serve import make_server
from microsafe.app.session import Session

KEY = "the-key-of-the-tests"
PATIENCE = 300  # seconds until an answer is given up; the machine may be busy
SCENARIO = {
    "keys": ["region", "hsize", "sex", "age", "marital"],
    "weight": "weight",
    "household": "household",
}
FILES = {
    "/": File(content=b"<!doctype html>", type="text/html; charset=utf-8"),
    "/assets/page.js": File(content=b"0", type="text/javascript; charset=utf-8"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Page:
    """Asks as the browser does, unless told otherwise."""

    def __init__(self, port: int, key: str = KEY) -> None:
        self.port = port
        self.key = key
        self.origin = f"http://127.0.0.1:{port}"

    def send(
        self,
        method: str,
        target: str,
        *,
        body: bytes | None = None,
        headers: Mapping[str, str | None] | None = None,
        more: tuple[tuple[str, str], ...] = (),
    ) -> Answer:
        """Request with headers changed, left out (None) or sent more than once."""
        sent = {**self.headers(method), **(headers or {})}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            for name, value in (*sent.items(), *more):
                if value is not None:
                    connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            found = connection.getresponse()
            names = {name.lower(): value for name, value in found.getheaders()}
            return Answer(status=found.status, headers=names, body=found.read())
        finally:
            connection.close()

    def headers(self, method: str) -> dict[str, str]:
        usual = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.key}",
            "Sec-Fetch-Site": "same-origin",
        }
        if method in ("POST", "PUT"):
            usual["Content-Type"] = "application/json"
        return usual if method == "GET" else usual | {"Origin": self.origin}

    def raw(self, route: str, body: Any = None, *, accept: str = "", **query: Any) -> Answer:
        method, _, path = route.partition(" ")
        content = json.dumps({} if body is None else body).encode()
        target = f"{path}?{urlencode(query, doseq=True)}" if query else path
        return self.send(
            method,
            target,
            body=content if method in ("POST", "PUT") else None,
            headers={"Accept": accept} if accept else None,
        )

    def ask(self, route: str, body: Any = None, *, status: int = 200, **query: Any) -> Any:
        answer = self.raw(route, body, **query)
        assert answer.status == status, answer.body[:2000]
        assert answer.headers["content-type"] == "application/json"
        return answer.json()

    def stream(self, route: str, body: Any = None, **query: Any) -> list[tuple[str, Any]]:
        answer = self.raw(route, body, accept="text/event-stream", **query)
        assert answer.status == 200, answer.body[:2000]
        assert answer.headers["content-type"] == "text/event-stream"
        return list(events(answer.body.decode()))


def decide(page: Page) -> None:
    """Keep whatever is undecided, with a reason, as a release asks."""
    if names := page.ask("GET /api/inventory")["open"]:
        page.ask("PUT /api/keep", {"variables": names, "why": "for a test"})


def events(text: str) -> Iterator[tuple[str, Any]]:
    """Go through the events of a stream."""
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if lines:
            yield lines["event"], json.loads(lines["data"])


@contextmanager
def running(session: Session) -> Iterator[Page]:
    """Run the app on a thread of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        serving = make_server(build_app(session, FILES, port=port, key=KEY))
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not serving.started:
                time.sleep(0.005)
            yield Page(port)
        finally:
            serving.should_exit = True
            thread.join()
