"""Work that takes time: cancelled, interrupted by a crash, and on a million records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.person import Person, looking, running
from microsafe.datasets import survey
from microsafe.io import write

HOUSEHOLDS = 425_000
ROLES = {
    "household": "not used",
    "region": "key variable",
    "age": "key variable",
    "sex": "key variable",
    "marital": "key variable",
    "education": "key variable",
    "occupation": "key variable",
    "citizenship": "key variable",
    "weight": "weight",
}


def test_a_crash_loses_nothing(chromium: Browser, folder: Path) -> None:
    with running(folder, "survey.sav") as app, looking(chromium, app.link) as person:
        person.measure()
        person.fill("Largest risk of a record", "0.02")
        person.step("Protect")
        person.suppress(steps=1)
        person.settled()
        app.crash()
        person.tab("Leave out and more")
        expect(person.page.get_by_text("The app does not answer.")).to_be_visible()
    with running(folder, "survey.sav") as app, looking(chromium, app.link) as person:
        expect(
            person.page.get_by_text("You have an unfinished session on this file")
        ).to_be_visible()
        person.press("Resume the session")
        expect(person.steps_taken).to_have_count(1)
        app.crash()
    with (
        running(folder, "survey.sav", "--resume") as app,
        looking(chromium, app.link) as person,
    ):
        person.step("Protect")
        expect(person.steps_taken).to_have_count(1)
        expect(person.page.get_by_text("limit 0.02 (1 in 50)")).to_be_visible()


def test_the_page_can_be_loaded_again(person: Person) -> None:
    person.measure()
    person.page.reload()
    expect(person.slider).to_be_visible()


@pytest.fixture(scope="module")
def million(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Person, Path]]:
    """Somebody who opened a file of a million records and measured it."""
    folder = tmp_path_factory.mktemp("million") / "data"
    folder.mkdir()
    made = survey(households=HOUSEHOLDS)
    assert made.frame.height > 1_000_000
    write(made.frame, made.schema, folder / "million.parquet")
    with (
        running(folder, "million.parquet") as app,
        looking(chromium, app.link) as person,
    ):
        person.measure(ROLES)
        yield person, folder


def test_a_million_records(million: tuple[Person, Path]) -> None:
    person, _ = million
    page = person.page
    person.step("Risk")
    person.fill("Largest risk of a record", "0.01")
    exact = page.get_by_text("Exact figures.")
    expect(exact).to_be_visible()
    above = page.get_by_label("Records above the limit")

    def is_dragged() -> bool:
        x, top = person.grip()
        page.mouse.up()
        page.mouse.move(x, top + 60)
        page.mouse.down()
        page.mouse.move(x - 40, top + 60)
        page.mouse.move(x - 60, top + 60)
        return "≈" in above.input_value()

    # Not all of so many different risks are sent: about, while it moves.
    person.until(is_dragged, "the limit is dragged")
    page.mouse.up()
    expect(exact).to_be_visible()
    expect(above).not_to_have_value(re.compile("≈"))


def test_work_is_cancelled(million: tuple[Person, Path]) -> None:
    person, folder = million
    page = person.page
    person.step("Protect")
    person.tab("Suppress")
    page.get_by_role("radio", name="strict").check()
    person.press("Count the blanks")
    preview = page.get_by_role("region", name="Preview")
    preview.get_by_role("button", name="Cancel").click()
    expect(preview).to_contain_text("Change something to see what it would do.")

    person.keep_all()
    person.step("Release")
    person.press("Write the release")
    person.press("Cancel")
    expect(page.get_by_role("status").get_by_text("Nothing was changed.")).to_be_attached()
    # What lies aside goes as soon as the work stops.
    person.until(lambda: not list(folder.glob("release/*")), "nothing is left")
