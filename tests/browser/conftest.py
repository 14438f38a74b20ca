from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.person import AXE, Person, Running, looking, running
from microsafe.datasets import survey
from microsafe.io import write

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
BUNDLE = Path(__file__).parents[2] / "src" / "microsafe" / "app" / "static" / "index.html"


def lacking() -> str | None:
    """Say what is missing for tests in a browser, if anything."""
    if not Path(CHROMIUM).exists():
        return "Chromium is not installed (on Debian: apt install chromium)"
    if not BUNDLE.exists() or not AXE.exists():
        return "the page is not built (npm ci && npm run build, in web)"
    if find_spec("starlette") is None:
        return "the app's server is not installed"
    return None


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, for which no name but this machine's can be looked up."""
    missing = lacking()
    if missing is not None and os.environ.get("MICROSAFE_CI") == "1":
        pytest.fail(f"Browser tests must run here, but {missing}.")
    if missing is not None:
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def survey_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's survey."""
    path = tmp_path_factory.mktemp("survey") / "survey.sav"
    made = survey()
    write(made.frame, made.schema, path)
    return path


@pytest.fixture(scope="session")
def still(survey_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """An app with the survey open, for all who change nothing."""
    folder = tmp_path_factory.mktemp("still") / "data"
    folder.mkdir()
    shutil.copy(survey_file, folder)
    with running(folder, "survey.sav") as app:
        yield app


@pytest.fixture
def reader(chromium: Browser, still: Running) -> Iterator[Person]:
    """Somebody who looks at the survey and changes nothing."""
    with looking(chromium, still.link, csp=False) as somebody:
        yield somebody


@pytest.fixture
def folder(tmp_path: Path, survey_file: Path) -> Path:
    """A folder with the survey in it."""
    made = tmp_path / "data"
    made.mkdir()
    shutil.copy(survey_file, made)
    return made


@pytest.fixture
def person(chromium: Browser, folder: Path) -> Iterator[Person]:
    """Somebody who opened the survey."""
    with running(folder, "survey.sav") as app, looking(chromium, app.link) as somebody:
        yield somebody
