"""The command itself, as a process: one line, one address, and an orderly end."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from app.client import PATIENCE, Page, decide
from microsafe.app import bundle as bundles
from microsafe.app import serve as serving
from microsafe.cli import main
from microsafe.errors import InputError

LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/#([\w-]{43})\n")

# The page itself may not be built where tests run; the command only has to find one.
STARTER = """
import sys
from microsafe.app import bundle, serve
page = bundle.PageFile(content=b"", type="text/html; charset=utf-8")
serve.bundle = lambda: {"/": page}
from microsafe.cli import main
sys.exit(main(sys.argv[1:]))
"""


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], Page]]:
    """Run the command in a folder until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", STARTER, "app", "--no-browser", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = LINK.fullmatch(line)
        assert found is not None, (line, process.communicate())
        yield process, Page(int(found[1]), found[2])
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.slow
def test_one_line_is_printed_and_ctrl_c_ends_well(folder: Path) -> None:
    with started(folder, "survey.sav") as (process, page):
        assert page.ask("GET /api/study")["file"]["name"] == "survey.sav"
        assert page.ask("GET /api/study")["folders"] == [str(folder)]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err) == (0, "", "")


@pytest.mark.slow
def test_a_polite_kill_ends_well_even_with_work_under_way(folder: Path) -> None:
    with started(folder, "survey.sav") as (process, page):
        scenario = {"keys": ["region", "age", "sex", "marital", "education", "occupation"]}
        page.ask("PUT /api/scenario", scenario)
        threading.Thread(target=_hung_up, args=(page,), daemon=True).start()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_signal_leaves_a_folder(
    name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for number in (getattr(signal, name), signal.SIGINT):  # the second sweeps what is left
        with started(folder, "survey.sav") as (process, _):
            process.send_signal(number)
            process.communicate(timeout=PATIENCE)
    assert [left for each in tmp_path.glob("microsafe-*") for left in each.iterdir()] == []


def _hung_up(page: Page) -> None:
    with suppress(OSError):  # as it should
        page.raw("GET /api/suggestions", accept="text/event-stream")


@pytest.mark.slow
def test_a_crash_loses_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], pages: None
) -> None:
    scenario = {"keys": ["region", "age", "sex"], "weight": "weight"}
    with started(folder, "survey.sav") as (process, page):
        page.ask("PUT /api/scenario", scenario)
        before = page.ask("POST /api/steps", {"do": "top_code", "variable": "age", "limit": 80})
        process.kill()
    for arguments in (("survey.sav", "--resume"), ("--resume",)):
        with started(folder, *arguments) as (process, page):
            after = page.ask("GET /api/study")
            assert after["steps"] == before["steps"]
            assert after["scenarios"] == before["scenarios"]
            process.kill()
    path = folder / "survey.sav"
    path.write_bytes(path.read_bytes() + b"\n")
    assert main(["app", str(path), "--resume", "--no-browser"]) == 3
    assert "its checksum differs" in " ".join(capsys.readouterr().err.split())


@pytest.mark.slow
def test_two_apps_on_one_file_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], pages: None
) -> None:
    with started(folder, "survey.sav"):
        assert main(["app", str(folder / "survey.sav"), "--no-browser"]) == 3
    assert "survey.sav is already open in another microsafe window." in capsys.readouterr().err


@pytest.mark.slow
def test_a_port_can_be_chosen_and_must_be_free(
    folder: Path, capsys: pytest.CaptureFixture[str], pages: None
) -> None:
    with started(folder) as (_, page):
        assert main(["app", "--no-browser", "--port", str(page.port)]) == 2
        assert "is in use" in capsys.readouterr().err
        port = page.port
    with started(folder, "--port", str(port)) as (_, page):
        assert page.port == port
    with pytest.raises(SystemExit):
        main(["app", "--port", "65536"])


@pytest.mark.slow
def test_folders_are_named_at_start(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with started(tmp_path, "--folder", "data", "--folder", "out") as (_, page):
        assert page.ask("GET /api/study")["folders"] == [str(folder), str(tmp_path / "out")]
        page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
        page.ask("PUT /api/scenario", {"keys": ["sex"], "weight": "weight"})
        decide(page)
        page.ask("POST /api/release", {"folder": 1, "file": "safe.sav"})
    assert (tmp_path / "out" / "safe.sav").is_file()
    plan = (tmp_path / "out" / "plan.toml").read_text()
    assert 'file = "../data/survey.sav"' in plan


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the page be there, built or not."""
    page = bundles.PageFile(content=b"", type="text/html; charset=utf-8")
    monkeypatch.setattr(serving, "read_bundle", lambda: {"/": page})


def test_wrong_files_and_folders_are_said(
    folder: Path, capsys: pytest.CaptureFixture[str], pages: None
) -> None:
    for arguments in (["nothing.sav"], ["--folder", "nowhere"], ["--resume"]):
        assert main(["app", "--no-browser", *arguments]) == 3
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith("microsafe: ")


def test_without_the_page_the_command_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundles, "FOLDER", tmp_path)
    monkeypatch.setattr(serving, "read_bundle", lambda: bundles.read_bundle(tmp_path))
    assert main(["app", "--no-browser"]) == 3
    assert "Node.js" in capsys.readouterr().err


def test_the_bundle_holds_files_of_the_page_only(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    for name in ("index.html", "assets/a.js", "assets/a.css", "assets/a.js.map", "notes.md"):
        (tmp_path / name).write_text(name)
    found = bundles.read_bundle(tmp_path)
    assert sorted(found) == ["/", "/assets/a.css", "/assets/a.js", "/index.html"]
    assert found["/assets/a.js"].type == "text/javascript; charset=utf-8"
    with pytest.raises(InputError, match="no web page for the app"):
        bundles.read_bundle(tmp_path / "assets")


def test_the_key_is_not_in_a_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other users of the machine can read command lines, but not this file."""
    shown: list[str] = []
    monkeypatch.setattr(serving.webbrowser, "open", shown.append)
    serving._open_browser("http://127.0.0.1:1/#secret", tmp_path)
    (link,) = shown
    assert "secret" not in link
    page = tmp_path / "open.html"
    assert page.as_uri() == link
    assert page.stat().st_mode & 0o777 == 0o600
    assert "#secret" in page.read_text()


def test_the_browser_is_opened_unless_told_otherwise(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], pages: None
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(serving.webbrowser, "open", shown.append)
    monkeypatch.setattr(serving.uvicorn.Server, "run", lambda *_, **__: None)
    monkeypatch.chdir(folder)
    assert main(["app"]) == 0
    assert len(shown) == 1
    assert main(["app", "--no-browser"]) == 0
    assert len(shown) == 1
    assert len(LINK.findall(capsys.readouterr().out)) == 2
