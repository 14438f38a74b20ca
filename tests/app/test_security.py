"""What the door and the rooms behind it refuse. Every request here is hostile or careless."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from app.client import KEY, PATIENCE, SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.messages.endpoints import ENDPOINTS
from microsafe.app.request import Request
from microsafe.app.security import HEADERS
from microsafe.app.serve import PatientProtocol
from microsafe.app.session import Session
from microsafe.app.views import VIEWS
from microsafe.app.views.open import enter_file
from microsafe.plan.model import Input


@pytest.fixture(scope="module")
def still(survey_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """An app that is asked for much and does not change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        session = Session(Folders(roots=(survey_file.parent,)))
        enter_file(session, Input(file=str(survey_file)))
        with running(session) as page:
            before = page.ask("PUT /api/scenario", SCENARIO)
            yield page
            assert page.ask("GET /api/study") == before


HOSTS = (
    "evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example",
    "evil.example:{port}", "[::1]:{port}", "0.0.0.0:{port}", "127.1:{port}",
    "user@127.0.0.1:{port}", "",
)  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_another_name_for_this_machine_is_refused_first(still: Page, host: str) -> None:
    """A page whose name was made to point here has its own name in Host."""
    for target in ("/", "/api/study", "/nothing"):
        answer = still.send("GET", target, headers={"Host": host.format(port=still.port)})
        assert answer.status == 421
        assert "error" in answer.json()


def test_no_host_or_two_are_refused(still: Page) -> None:
    assert still.send("GET", "/api/study", headers={"Host": None}).status in (400, 421)
    second = (("Host", f"127.0.0.1:{still.port}"),)
    assert still.send("GET", "/api/study", more=second).status in (400, 421)


def test_localhost_is_this_machine_too(still: Page) -> None:
    answer = still.send("GET", "/api/study", headers={"Host": f"localhost:{still.port}"})
    assert answer.status == 200


KEYS = (
    None, "", "Bearer", "Bearer ", "Bearer wrong", f"Bearer {KEY}x", f"Bearer {KEY[:-1]}",
    f"Basic {KEY}", KEY, f"Bearer  {KEY}", f"Bearer {KEY} {KEY}", "Bearer \xe9\xff",
)  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_without_the_key_nothing_is_answered(still: Page, key: str | None) -> None:
    for endpoint in ENDPOINTS:
        method, _, path = endpoint.route.partition(" ")
        body = b"{}" if method in ("POST", "PUT") else None
        answer = still.send(method, path, body=body, headers={"Authorization": key})
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_key_does_not_count_in_the_address(still: Page) -> None:
    for target in (f"/api/study?key={KEY}", f"/api/study?Authorization=Bearer%20{KEY}"):
        assert still.send("GET", target, headers={"Authorization": None}).status == 401


def test_two_keys_are_one_too_many(still: Page) -> None:
    answer = still.send("GET", "/api/study", more=(("Authorization", "Bearer other"),))
    assert answer.status == 401


def test_an_unknown_path_needs_the_key_too(still: Page) -> None:
    for target in ("/api/", "/api/nothing", "/api/study/", "/%61pi/study", "/api/../api/study"):
        assert still.send("GET", target, headers={"Authorization": None}).status in (401, 404)


FOREIGN = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "nonsense"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://127.0.0.1:{port}"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1:{port}.evil.example"},
    {"Origin": "file://"},
    {"Origin": ""},
)
WRITES = [each.route for each in ENDPOINTS if not each.route.startswith("GET")]


@pytest.mark.parametrize("headers", FOREIGN, ids=lambda each: str(*each.items()))
def test_another_site_cannot_write(still: Page, headers: dict[str, str]) -> None:
    sent = {name: value.format(port=still.port) for name, value in headers.items()}
    for route in WRITES:
        method, _, path = route.partition(" ")
        body = b"{}" if method in ("POST", "PUT") else None
        assert still.send(method, path, body=body, headers=sent).status == 403


def test_other_programs_need_not_say_where_they_come_from(page: Page) -> None:
    answer = page.send(
        "POST", "/api/demo", body=b"{}", headers={"Origin": None, "Sec-Fetch-Site": None}
    )
    assert answer.status == 200


BODIES = (
    (b"", 400), (b"{", 400), (b"[]", 400), (b"null", 400), (b'"text"', 400), (b"1", 400),
    (b'{"folder": NaN, "path": ""}', 400), (b'{"folder": 1e999, "path": ""}', 400),
    (b'{"folder": Infinity, "path": ""}', 400), (b"\xff\xfe{}", 400), (b'{"path": "\xe9"}', 400),
    (b'{"folder": 0, "path": "\\ud800"}', 400), (b'{"a":' * 50_000, 400),
    (b'{"folder": ' + b"9" * 5000 + b', "path": ""}', 400),
    (b" " * (1 << 20) + b"{}", 413),
    (b'{"folder": 0}', 422), (b'{"folder": "0", "path": "survey.sav"}', 422),
    (b'{"folder": true, "path": "survey.sav"}', 422), (b'{"folder": 0, "path": []}', 422),
    (b'{"folder": 0, "path": "survey.sav", "command": "ls"}', 422),
    (b'{"folder": 0, "path": {"$ne": ""}}', 422), (b'{"__class__": "Open"}', 422),
    (b'{"folder": 7, "path": ""}', 404), (b'{"folder": -1, "path": "survey.sav"}', 404),
)  # fmt: skip


@pytest.mark.parametrize(("body", "status"), BODIES, ids=lambda each: str(each)[:40])
def test_what_is_no_message_is_refused(still: Page, body: bytes, status: int) -> None:
    answer = still.send("POST", "/api/open", body=body)
    assert answer.status == status
    assert set(answer.json()) <= {"error", "remedy"}


KINDS = (
    None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
    "application/jsonp", "text/json", "application/json-seq", "text/plain; application/json",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_only_json_is_taken(still: Page, kind: str | None) -> None:
    """Forms of other sites can send these kinds without asking first."""
    body = b'{"folder": 0, "path": "survey.sav"}'
    assert still.send("POST", "/api/open", body=body, headers={"Content-Type": kind}).status == 415


METHODS = ("OPTIONS", "PATCH", "TRACE", "DELETE", "PUT", "POST", "CONNECT", "BREW")


@pytest.mark.parametrize("method", METHODS)
def test_other_methods_are_refused(still: Page, method: str) -> None:
    for target in ("/api/study", "/"):
        answer = still.send(method, target, headers={"Origin": still.origin})
        assert answer.status in (400, 405)
        assert "access-control-allow-origin" not in answer.headers


PATHS = (
    "../secret.csv", "a/../../secret.csv", "/etc/passwd", "//etc/passwd", "..", ".", "./survey.sav",
    "survey.sav/", "a//survey.sav", "..\\secret.csv", "C:\\secret.csv", "C:secret.csv",
    "%2e%2e/secret.csv", "survey.sav\0.csv", "~/secret.csv", "link.csv", "away/secret.csv",
    ".hidden.csv", "survey.sav\n", "file:///etc/passwd", "x" * 300, "a/" * 200 + "b", "pipe.csv",
)  # fmt: skip


@pytest.fixture
def traps(folder: Path) -> Path:
    """Ways out of the folder."""
    (folder.parent / "secret.csv").write_text("a,b\n1,2\n")
    (folder / "link.csv").symlink_to(folder.parent / "secret.csv")
    (folder / "away").symlink_to(folder.parent, target_is_directory=True)
    (folder / ".hidden.csv").write_text("a,b\n1,2\n")
    os.mkfifo(folder / "pipe.csv")
    return folder


@pytest.mark.parametrize("path", PATHS, ids=lambda each: repr(each)[:30])
def test_no_way_leads_out_of_the_folders(page: Page, traps: Path, path: str) -> None:
    assert page.raw("POST /api/open", {"folder": 0, "path": path}).status in (403, 404)
    assert page.raw("GET /api/files", folder=0, path=path).status in (403, 404)
    assert page.ask("GET /api/study")["file"] is None


def test_what_cannot_be_opened_is_not_listed(page: Page, traps: Path) -> None:
    entries = page.ask("GET /api/files")["entries"]
    assert [each["name"] for each in entries] == ["survey.sav"]


NAMES = (
    "../safe.sav", "/safe.sav", "a/safe.sav", "..", "", ".safe.sav", "safe.sav\0", "C:safe.sav",
    "survey.sav", "link.csv",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_written_elsewhere_or_over_the_input(
    measured: Page, traps: Path, name: str
) -> None:
    before = _tree(traps.parent)
    for field in ("file", "report", "public_report", "plan"):
        wish = {"file": "safe.sav", "overwrite": True, field: name}
        if field in ("report", "public_report") and not name:
            continue  # no report is a fair wish
        assert measured.raw("POST /api/release", wish).status in (403, 409, 422)
    assert _tree(traps.parent) == before


def _tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and "state" not in path.parts
    }


@pytest.mark.parametrize("path", ["away", "away/new", "../new", "a/b/c", "survey.sav", "/etc"])
def test_nothing_is_written_into_other_folders(measured: Page, traps: Path, path: str) -> None:
    before = _tree(traps.parent)
    answer = measured.raw("POST /api/release", {"path": path, "file": "safe.sav"})
    assert answer.status in (403, 404)
    assert _tree(traps.parent) == before
    assert not (traps.parent / "new").exists()


def test_every_answer_carries_the_headers(still: Page) -> None:
    wrong = {"Authorization": "Bearer no"}
    answers = [
        still.send("GET", "/"),
        still.send("GET", "/assets/still.js"),
        still.send("GET", "/nothing"),
        still.send("GET", "/api/study"),
        still.send("GET", "/api/study", headers=wrong),
        still.send("GET", "/api/study", headers={"Host": "evil.example"}),
        still.send("PATCH", "/api/study"),
        still.raw("GET /api/suggestions", accept="text/event-stream"),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert not {"server", "access-control-allow-origin", "set-cookie"} & set(answer.headers)


def test_the_policy_of_the_page_allows_its_own_files_only() -> None:
    policy = dict(
        each.strip().partition(" ")[::2] for each in HEADERS["content-security-policy"].split(";")
    )
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert not re.search(r"unsafe|https?:|\*", HEADERS["content-security-policy"])


FILES = (
    "/../conftest.py", "/..%2fconftest.py", "/%2e%2e/%2e%2e/pyproject.toml", "/assets/../page.js",
    "/assets/", "/index.py", "//", "/static/index.html", "/assets/page.js.map", "/etc/passwd",
    "/assets/page.js%00.html", "/.git/config",
)  # fmt: skip


@pytest.mark.parametrize("target", FILES)
def test_only_files_of_the_page_are_served(still: Page, target: str) -> None:
    assert still.send("GET", target).status == 404


STEPS = (
    {}, {"do": None}, {"do": "eval"}, {"do": "__import__('os').system('ls')"}, {"do": ["recode"]},
    {"do": "recode"}, {"do": "recode", "variable": "age", "code": "print(1)"},
    {"do": "recode", "variable": "age", "breaks": "0,1"},
    {"do": "recode", "variable": "age", "breaks": [3, 2]},
    {"do": "recode", "variable": {"age": 1}, "keep": 1},
    {"do": "recode", "variable": "nobody", "keep": 1},
    {"do": "recode", "variable": "weight", "keep": 1},
    {"do": "recode", "variable": "age", "grc": "/etc/passwd"},
    {"do": "top_code", "variable": "age", "limit": "80"},
    {"do": "top_code", "variable": "age", "limit": None},
    {"do": "round", "variable": "age", "base": 0},
    {"do": "round", "variable": "age", "base": -1e308},
    {"do": "drop", "variables": []}, {"do": "drop", "variables": ["weight"]},
    {"do": "renumber", "variable": "household", "seed": -1},
    {"do": "suppress"}, {"do": "suppress", "above": 2}, {"do": "suppress", "above": -1},
    {"do": "suppress", "k": 1.5}, {"do": "suppress", "k": True},
    {"do": "suppress", "above": 0.1, "guarantee": "none"},
    {"do": "suppress", "above": {"nobody": 0.1}},
    {"do": "suppress", "above": 0.1, "spare": ["nobody"]},
)  # fmt: skip


@pytest.mark.parametrize("step", STEPS, ids=lambda each: json.dumps(each)[:50])
def test_what_is_no_step_is_refused_in_words(still: Page, step: object) -> None:
    for route in ("POST /api/steps", "POST /api/preview"):
        answer = still.ask(route, step, status=422)
        assert answer["error"].endswith((".", "?"))
        assert "Traceback" not in answer["error"]
    assert still.ask("GET /api/study")["steps"] == []


QUERIES = (
    ("GET /api/risk", {"scenario": "nobody"}), ("GET /api/risk", {"steps": "-1"}),
    ("GET /api/risk", {"steps": "9" * 30}), ("GET /api/risk", {"code": "1"}),
    ("GET /api/risk", {"scenario": ["main", "main"]}), ("GET /api/cells", {"most": "0"}),
    ("GET /api/cells", {"most": "ten"}), ("GET /api/variable", {"name": "../etc/passwd"}),
    ("GET /api/variable", {}), ("GET /api/study", {"a": "b"}), ("GET /api/compare", {"to": "5"}),
    ("GET /api/compare", {"by": "nobody"}), ("GET /api/suggestions", {"most": "0"}),
)  # fmt: skip


@pytest.mark.parametrize(("route", "query"), QUERIES, ids=str)
def test_wrong_queries_are_refused_in_words(still: Page, route: str, query: Any) -> None:
    assert still.ask(route, status=422, **query)["error"]


def test_hostile_names_and_labels_come_as_text(page: Page, folder: Path) -> None:
    """They are JSON, never HTML: what they hold is for the page to show as text."""
    hostile = '<img src=x onerror="alert(1)">'
    rows = "".join(f"{1 + at % 2},\u202e</script>,{at}\n" for at in range(40))
    (folder / "hostile.csv").write_text(f"sex,{hostile.replace(chr(34), '')},id\n{rows}")
    page.ask("POST /api/open", {"folder": 0, "path": "hostile.csv"})
    name = hostile.replace('"', "")
    answer = page.raw("GET /api/variable", name=name)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["categories"][0]["code"] == "\u202e</script>"
    refused = page.raw("GET /api/variable", name="<script>")
    assert refused.headers["content-type"] == "application/json"


def test_no_answer_holds_values_that_tell_people_apart(still: Page) -> None:
    for name in ("household", "weight"):
        found = still.ask("GET /api/variable", name=name)
        assert found["categories"] == found["bins"] == []
    income = still.ask("GET /api/variable", name="income")
    assert income["categories"] == []
    assert sum(each["records"] for each in income["bins"]) == 700


def test_answers_are_small(still: Page) -> None:
    assert len(still.ask("GET /api/cells", most=100_000)["cells"]) <= 100
    for route in ("GET /api/risk", "GET /api/compare", "GET /api/study"):
        assert len(still.raw(route).body) < 500_000


def test_only_this_machine_can_connect(session: Session) -> None:
    with running(session) as page:
        for name in {socket.gethostbyname(socket.gethostname()), "127.0.0.2"} - {"127.0.0.1"}:
            with pytest.raises(OSError, match=r"refused|timed out"):
                socket.create_connection((name, page.port), timeout=1)


def test_broken_requests_do_not_stop_the_app(still: Page) -> None:
    for junk in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02",
        b"GET " + b"a" * 100_000 + b"\r\n",
    ):
        with socket.create_connection(("127.0.0.1", still.port), timeout=PATIENCE) as connection:
            connection.sendall(junk)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1000)
    assert still.ask("GET /api/study")["file"]


def test_sockets_of_the_web_are_refused(still: Page) -> None:
    upgrade = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    with suppress(HTTPException):  # hung up on
        assert still.send("GET", "/api/study", headers=upgrade).status != 101


def test_an_unforeseen_error_quotes_nothing(
    measured: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("Mrs Smith, born 1931")

    monkeypatch.setattr("microsafe.app.views.risk._list_top_cells", broken)
    answer = measured.raw("GET /api/cells")
    assert answer.status == 500
    assert answer.json()["error"] == "Unexpected error (RuntimeError). Nothing was changed."
    assert b"Smith" not in answer.body


def test_folders_without_a_file_open_give_nothing(folder: Path) -> None:
    with running(Session(Folders(roots=(folder,)))) as page:
        for route in ("GET /api/variables", "GET /api/risk", "POST /api/confirm", "GET /api/plan"):
            assert page.ask(route, status=409)["remedy"]


PIECES = {
    "nothing": b"",
    "half a head": b"GET /api/study HTTP/1.1\r\nHost: 127.0.0.1",
    "half a body": b"POST /api/open HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer "
    b"{key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    "half of the next": b"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\nGET / HT",
}


@pytest.mark.parametrize("piece", PIECES)
def test_an_unfinished_request_is_given_up(
    still: Page, piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microsafe.app.serve.PATIENCE", 0.5)
    sent = PIECES[piece].replace(b"{port}", b"%d" % still.port).replace(b"{key}", KEY.encode())
    with socket.create_connection(("127.0.0.1", still.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        connection.settimeout(0.2)
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE:
            with suppress(TimeoutError):
                if not connection.recv(1 << 16):
                    break
            with suppress(OSError):  # drop by drop is no better
                connection.sendall(b"x" if piece != "nothing" else b"")
        else:
            pytest.fail("still open")
    assert still.send("GET", "/").status == 200


def test_slow_answers_are_waited_for(still: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[PatientProtocol] = []
    waiting: list[bool] = []
    begin = PatientProtocol.connection_made
    view = VIEWS["GET /api/suggestions"]

    def connection_made(self: PatientProtocol, transport: asyncio.Transport) -> None:
        begin(self, transport)
        made.append(self)
        waiting.append(self._end is not None)

    def suggestions(request: Request) -> object:
        waiting.append(made[-1]._end is not None)
        return view(request)

    monkeypatch.setattr(PatientProtocol, "connection_made", connection_made)
    monkeypatch.setitem(VIEWS, "GET /api/suggestions", suggestions)
    assert still.raw("GET /api/suggestions", most=3).status == 200
    assert waiting == [True, False]  # for the request, and no longer while it is answered


def test_the_app_survives_a_file_that_kills_its_reader(
    opened: Page, folder: Path, peers: Path
) -> None:
    for name, words in {"segfault.sav": "reader crashed", "abort.xlsx": "549.8 GB"}.items():
        shutil.copy(peers / "damaged" / name, folder)
        answer = opened.raw("POST /api/open", {"folder": 0, "path": name})
        assert answer.status == 422
        assert words in answer.json()["error"]
    assert opened.ask("GET /api/study")["file"]["name"] == "survey.sav"
    opened.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})


def test_nothing_but_a_file_is_replaced(measured: Page, folder: Path) -> None:
    os.mkfifo(folder / "safe.sav")
    (folder / "report.html").mkdir()
    for wish in ({"file": "safe.sav", "report": ""}, {"file": "other.sav"}):
        refused = measured.ask("POST /api/release", wish | {"overwrite": True}, status=403)
        assert "is not a regular file" in refused["error"]
    assert (folder / "safe.sav").is_fifo()
