"""The site: built without a warning, nothing from outside, and questions find their answers."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pages
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("sphinx") is None and os.environ.get("MICROSAFE_CI") != "1",
        reason="Sphinx is not installed (the group 'docs')",
    ),
]

# What newcomers ask, in their words, and the page that answers.
QUESTIONS = {
    "Which keys?": "guides/keys",
    "Which limit, and who gets the file?": "guides/limit",
    "public use file limit": "guides/limit",
    "Which estimator?": "guides/estimator",
    "Which method for what?": "guides/which-method",
    "No weights": "guides/no-weights",
    "A whole population or census": "guides/census",
    "Panels and waves": "guides/panels",
    "The same plan next year": "guides/next-year",
    "A second release of the same survey": "guides/second-release",
    "Households and families": "guides/families",
    "Business surveys": "guides/business",
    "Health data": "guides/health",
    "HIPAA expert determination": "guides/health",
    "k-anonymity in one line": "guides/k-anonymity",
    "Income must not be recognisable": "guides/income",
    "Birth dates": "guides/birth-dates",
    "Free text": "guides/free-text",
    "Geography and small areas": "guides/geography",
    "How to treat blanks in an analysis": "guides/blanks",
    "What to write in the methods report": "guides/methods-report",
    "GDPR law": "guides/law",
    "Checklist before release": "guides/checklist",
    "Undo": "guides/undo",
    "Large files": "guides/large-files",
    "Spark": "guides/spark",
    "Databricks": "guides/databricks",
    "Calling it from R": "guides/r",
    "Installing without internet": "guides/offline",
    "Containers": "guides/containers",
    "Windows and macOS": "guides/windows",
    "Several people, a shared server": "guides/server",
    "How long will it take": "guides/how-fast",
    "How to cite": "guides/cite",
    "sdcMicro": "coming-from/sdcmicro",
    "mu-ARGUS": "coming-from/mu-argus",
    "ARX": "coming-from/arx",
}


_DONE = re.compile("Search finished|did not match")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"]
    built = subprocess.run(
        [*command, str(pages.ROOT / "docs"), str(target)], capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    return target


@pytest.fixture
def browser_page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


def test_nothing_comes_from_outside(site: Path) -> None:
    loaded = re.compile(r"<(?:script|img|link|iframe)[^>]+(?:src|href)=\"(?:https?:)?//")
    pages_of_site = list(site.rglob("*.html"))
    assert len(pages_of_site) > 100
    assert [str(page) for page in pages_of_site if loaded.search(page.read_text("utf-8"))] == []


def test_questions_find_the_page_that_answers(site: Path, browser_page: Page) -> None:
    missed = {}
    for question, answer in QUESTIONS.items():
        browser_page.goto(f"file://{site}/search.html?q={question}")
        browser_page.locator("p.search-summary").filter(has_text=_DONE).wait_for()
        links = browser_page.locator("ul.search > li > a").all()[:3]
        first = [str(link.get_attribute("href")).split(".html")[0] for link in links]
        if answer not in first:
            missed[question] = first
    assert missed == {}
