"""The reports: their cover is written in the app, and they are opened from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.person import Person, looking, running, unwanted
from people import save_people, survey_with_gaps

ROLES = {"REGION": "key variable", "SEX": "key variable", "W": "weight"}


@pytest.fixture
def author(chromium: Browser, tmp_path: Path) -> Iterator[tuple[Person, Path]]:
    """Somebody who decided on everything."""
    folder = tmp_path / "data"
    folder.mkdir()
    save_people(folder / "people.sav")
    with running(folder, "people.sav") as app, looking(chromium, app.link) as person:
        person.step("Scenario")
        for name in ("NAME", "PNR", "BIRTH", "HOURS"):
            person.role(name, "not used")
        person.measure(ROLES)
        person.keep_all()
        person.step("Release")
        yield person, folder


def write_release(person: Person) -> None:
    person.press("Write the release")
    expect(person.page.get_by_role("heading", name="Released")).to_be_visible()


def open_report(person: Person, audience: str) -> tuple[Page, list[str]]:
    """Open a report, and collect what the browser complains of."""
    faults: list[str] = []
    person.page.context.on(
        "console", lambda said: faults.append(said.text) if unwanted(said) else None
    )
    with person.page.expect_popup() as opening:
        row = person.page.get_by_role("group", name=audience)
        row.get_by_role("button", name="Open").click()
    report = opening.value
    report.wait_for_load_state()
    return report, faults


def test_reports_have_a_cover_and_open(author: tuple[Person, Path]) -> None:
    person, folder = author
    page = person.page
    expect(page.get_by_role("heading", name="Reports", exact=True)).to_have_count(0)
    person.fill("Institution", "National Statistical Office")
    person.fill("Who signs, one in each line", "Head of the survey\n\nChair of the board\n")
    page.get_by_label("Language of both reports").select_option(label="German")
    write_release(person)  # saves the cover first
    plan = (folder / "release" / "plan.toml").read_text()
    assert 'signatories = ["Head of the survey", "Chair of the board"]' in plan
    assert 'language = "de"' in plan

    report, faults = open_report(person, "For the board")
    expect(report.get_by_role("heading", level=1)).to_be_visible()
    expect(report.get_by_text("National Statistical Office").first).to_be_visible()
    expect(report.get_by_text("Chair of the board").first).to_be_visible()
    assert report.locator("html").get_attribute("lang") == "de"
    assert report.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != "none"
    assert report.evaluate("self.origin") == "null"  # of no origin: it cannot ask the app
    with report.expect_download() as saving:  # what is attached
        report.get_by_role("link", name="plan.toml").click()
    assert "Head of the survey" in saving.value.path().read_text()
    assert faults == []
    report, faults = open_report(person, "For the public")
    expect(report.get_by_text("National Statistical Office").first).to_be_visible()
    expect(report.get_by_text("Chair of the board")).to_have_count(0)
    assert faults == []

    with page.expect_download() as saving:
        row = page.get_by_role("group", name="For the board")
        row.get_by_role("button", name="PDF").click()
    assert saving.value.suggested_filename == "report.pdf"
    assert saving.value.path().read_bytes().startswith(b"%PDF-")


def test_a_released_plan_has_its_reports_later(author: tuple[Person, Path]) -> None:
    person, folder = author
    write_release(person)
    page = person.page
    page.reload()
    person.step("Release")
    report, faults = open_report(person, "For the public")
    expect(report.get_by_role("heading", level=1)).to_be_visible()
    assert faults == []
    (folder / "release" / "report.html").write_text("<p>another")
    row = page.get_by_role("group", name="For the board")
    row.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_contain_text("changed since the release")
    page.get_by_label("Folder, below").fill("elsewhere")
    expect(row).to_have_count(0)


def test_gaps_stand_side_by_side_before_a_release(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, csp=False) as person,
    ):
        page = person.page
        person.measure()
        person.fill("Largest risk of a record", "0.01")
        beside = page.get_by_role("table", name="Missing keys under each rule")
        person.step("Protect")
        person.suppress(steps=1)
        for step in ("Risk", "Compare", "Release"):
            person.step(step)
            expect(beside.get_by_role("row")).to_have_count(4)
            expect(beside).to_contain_text("matches any value (in use)")
            expect(beside).to_contain_text("is a category of its own")
            assert person.violations() == []
        person.step("Risk")
        person.fill("Largest risk of a record", "0.002")
        calm = page.get_by_text("This is no contradiction")
        expect(calm).to_contain_text("above the limit")
        person.step("Release")
        person.fill("Largest risk of a record", "0.002")
        person.fill("Largest share of the sample uniques that are population uniques", "0.5")
        person.fill(
            "Largest share of the suppressed values that are guessed right from the file", "0.0001"
        )
        person.press("Save the policy")
        expect(calm).to_be_visible()
        expect(page.get_by_text("measured on the file as written")).to_be_visible()
        expect(page.get_by_text("Every variable, and the order of the records")).to_be_visible()

        # What only the file as written can tell is judged then, and can be overridden.
        person.fill("Largest risk of a record", "")
        person.press("Save the policy")
        expect(calm).to_have_count(0)
        person.give_reasons("As in earlier years")
        person.keep_all()
        person.press("Next: Compare")
        person.press("✓ Confirm")
        person.press("Next: Release")
        person.press("Write the release")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text(
            "Not met: Largest share of the suppressed values that are guessed right"
        )
        page.get_by_label("Release although it is not met: reason").fill("Under contract")
        person.press("Record the reason")
        expect(alert).to_have_count(0)
        write_release(person)


def test_safety_by_gaps_needs_a_reason(chromium: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    survey_with_gaps(0.3).write_csv(folder / "gaps.csv")
    with running(folder, "gaps.csv") as app, looking(chromium, app.link) as person:
        page = person.page
        person.measure(dict.fromkeys(("region", "age", "sex"), "key variable"))
        expect(page.get_by_text("part of the safety rests on gaps")).to_be_visible()
        person.step("Release")
        person.fill("Largest risk of a record", "0.3")
        person.press("Save the policy")
        told = "Would not be met if missing keys were weighed: Largest risk of a record."
        expect(page.get_by_text(told)).to_be_visible()
        person.press("Write the release")
        expect(page.get_by_role("alert")).to_contain_text(
            "How much riskier the file is if blanks can be guessed"
        )
        page.get_by_label("Release although it is not met: reason").fill("Refused at random")
        person.press("Record the reason")
        expect(page.get_by_text("not met, overridden")).to_be_visible()
        person.fill("Fewest records that share the keys of a record", "1")
        person.press("Save the policy")  # the reason stays
        expect(page.get_by_text("not met, overridden")).to_be_visible()
        write_release(person)
