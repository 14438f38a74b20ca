from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.client import SCENARIO, Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.datasets import survey
from microsafe.io import write


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sessions of tests are kept where tests keep things."""
    folder = tmp_path / "state"
    folder.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder / "microsafe"


@pytest.fixture(scope="session")
def survey_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A survey of 700 people."""
    path = tmp_path_factory.mktemp("survey") / "survey.sav"
    found = survey(households=300)
    write(found.frame, found.schema, path)
    return path


@pytest.fixture
def folder(tmp_path: Path, survey_file: Path) -> Path:
    """A folder with a survey in it, as somebody names it at start."""
    made = tmp_path / "data"
    made.mkdir()
    shutil.copy(survey_file, made)
    return made


@pytest.fixture
def session(folder: Path) -> Session:
    return Session(Folders(roots=(folder.resolve(),)))


@pytest.fixture
def page(session: Session) -> Iterator[Page]:
    with running(session) as page:
        yield page


@pytest.fixture
def opened(page: Page) -> Page:
    """The app with the survey open."""
    page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    return page


@pytest.fixture
def measured(opened: Page) -> Page:
    """The app with the survey open and a scenario."""
    opened.ask("PUT /api/scenario", SCENARIO)
    return opened
