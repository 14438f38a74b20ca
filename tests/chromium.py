"""A browser for all tests that look at a page: one process can drive one only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


def do_without(missing: str) -> NoReturn:
    """Skip a test for what this machine lacks; where everything must be tested, fail."""
    if os.environ.get("MICROSAFE_CI") == "1":
        pytest.fail(f"This must be tested here, but {missing}.")
    pytest.skip(missing)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, for which no name but this machine's can be looked up."""
    if not Path(CHROMIUM).exists():
        do_without("Chromium is not installed (on Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

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
