"""The gate: names, national ids and birthdays do not leave by accident."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.person import Person, looking, running
from browser.seeing import faults
from people import save_people

ROLES = {"REGION": "key variable", "SEX": "key variable", "W": "weight"}


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("row").filter(has=page.locator("th code", has_text=name))


@pytest.fixture
def steward(chromium: Browser, tmp_path: Path) -> Iterator[tuple[Person, Path]]:
    """Somebody who measured a survey that still has names."""
    folder = tmp_path / "data"
    folder.mkdir()
    save_people(folder / "people.sav")
    with (
        running(folder, "people.sav") as app,
        looking(chromium, app.link, csp=False) as person,
    ):
        person.step("Scenario")
        for name in ("NAME", "PNR", "BIRTH", "HOURS"):
            person.role(name, "not used")
        person.measure(ROLES)
        yield person, folder


def test_names_are_refused_and_go_through_with_decisions(steward: tuple[Person, Path]) -> None:
    person, folder = steward
    page = person.page
    person.step("Release")
    expect(page.get_by_text("4 variables without a decision: NAME, PNR, BIRTH")).to_be_visible()
    person.press("Write the release")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Nothing was written.")
    expect(alert).to_contain_text("NAME, PNR, BIRTH, HOURS")
    alert.get_by_role("button", name="Go to Inventory").click()

    expect(page.get_by_role("heading", name="Inventory", level=1)).to_be_focused()
    expect(row(page, "NAME")).to_contain_text("direct identifier")
    assert person.violations() == []
    page.get_by_role("button", name="New numbers for PNR").click()
    expect(row(page, "PNR")).to_have_count(0)
    for name in ("NAME", "BIRTH"):
        page.get_by_label(f"Mark {name}").check()
    person.press("Leave out all 2")
    expect(row(page, "NAME")).to_have_count(0)
    page.get_by_role("button", name="Keep … HOURS").click()
    expect(page.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("Answers that nobody outside knows")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Every variable has been decided on.")).to_be_visible()
    rail = page.get_by_role("navigation")
    expect(rail.get_by_role("button", name="Inventory (done)")).to_be_visible()
    page.get_by_role("button", name="All (7)").click()
    expect(row(page, "NAME")).to_contain_text("left out")
    expect(row(page, "PNR")).to_contain_text("renumber PNR")
    expect(row(page, "HOURS")).to_contain_text("nobody outside knows")
    assert person.violations() == []

    person.press("Next: Compare")
    person.press("✓ Confirm")
    person.press("Next: Release")
    expect(person.verdicts.get_by_text("✓ met")).to_be_visible()
    person.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()
    plan = (folder / "release" / "plan.toml").read_text()
    assert 'why = "Answers that nobody outside knows"' in plan
    assert 'why = "by microsafe: direct identifier"' in plan
    assert "shuffle = " in plan


def test_a_decision_is_taken_back(steward: tuple[Person, Path]) -> None:
    person, _ = steward
    page = person.page
    person.step("Inventory")
    page.get_by_label("Mark all undecided").check()
    expect(page.get_by_text("Say why.")).to_be_visible()
    assert faults(person, "inventory", (400, "dark")) == {}
    person.fill("Reason", "For our own desk only")
    person.press("Keep all 4")
    expect(page.get_by_text("Every variable has been decided on.")).to_be_visible()
    page.get_by_role("button", name="All (7)").click()
    page.get_by_role("button", name="Take back the reason to keep PNR").click()
    expect(row(page, "PNR")).to_contain_text("refused")
    expect(page.get_by_role("button", name="Undecided (1)")).to_be_visible()


def test_the_order_is_kept_for_a_reason_only(steward: tuple[Person, Path]) -> None:
    person, folder = steward
    page = person.page
    person.keep_all()
    person.step("Release")
    page.get_by_role("radio", name="Keep the order of the input").check()
    write = page.get_by_role("button", name="Write the release")
    expect(write).to_have_accessible_description(
        "Record why the order is kept, or shuffle the records."
    )
    page.get_by_label("Reason to keep the order").fill("Panel users join by row")
    person.press("Record the reason")
    expect(write).to_be_enabled()
    person.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()
    plan = (folder / "release" / "plan.toml").read_text()
    assert 'keep_order = "Panel users join by row"' in plan
    page.get_by_role("radio", name="Shuffle the records").check()
    expect(page.get_by_label("Reason to keep the order")).to_have_count(0)


def test_a_reason_for_the_rule_lets_all_through(steward: tuple[Person, Path]) -> None:
    person, folder = steward
    page = person.page
    person.step("Release")
    reason = page.get_by_label("Variables without a decision. Release although it is not met")
    reason.fill("For our own desk only")
    person.press("Record the reason")
    expect(page.get_by_text("not met, overridden")).to_be_visible()
    person.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()
    assert "For our own desk only" in (folder / "release" / "report.html").read_text()
