from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browser.person import AXE, Person, Running, looking, running
from chromium import do_without
from microsafe.datasets import survey
from microsafe.io import write

BUNDLE = Path(__file__).parents[2] / "src" / "microsafe" / "app" / "static" / "index.html"


@pytest.fixture(scope="session", autouse=True)
def app_is_installed() -> None:
    """The page and its server, without which there is nothing to look at."""
    if not BUNDLE.exists() or not AXE.exists():
        do_without("the page is not built (npm ci && npm run build, in web)")
    if find_spec("starlette") is None:
        do_without("the app's server is not installed")


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
