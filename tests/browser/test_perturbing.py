"""Keys and numbers perturbed by their forms, from the demo survey to the board's report."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.person import Person, looking, running

SHOTS = os.environ.get("MICROSAFE_SHOTS")


def shoot(person: Person, name: str) -> None:
    """Keep a picture of the whole page, if somebody wants to look at it."""
    if SHOTS:
        person.settled()
        width = person.page.viewport_size["width"]  # type: ignore[index]
        person.page.screenshot(path=f"{SHOTS}/{name}-{width}.png", full_page=True)


def perturb(person: Person, kind: str) -> None:
    """Choose a way to perturb."""
    person.step("Protect")
    person.tab("Perturb")
    person.press(kind)


@pytest.mark.parametrize("width", [1280, 390])
def test_keys_and_numbers_are_perturbed_and_released(
    chromium: Browser, folder: Path, width: int
) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, width=width) as person,
    ):
        page = person.page
        person.measure()
        person.fill("Largest risk of a record", "0.02")
        shoot(person, "01-risk")
        before = page.get_by_role("main").locator("dl.figures").first.inner_text()

        perturb(person, "PRAM")
        page.get_by_label("Variable", exact=True).select_option("region")
        page.get_by_label("Household", exact=True).select_option("household")
        person.fill("Least chance to stay", "0.8")
        shown = page.get_by_role("region", name="Preview")
        expect(shown).to_contain_text("Values kept")
        expect(shown).to_contain_text("not meaningful")
        expect(shown).to_contain_text("after PRAM of region")
        shoot(person, "02-pram")
        person.apply(steps=1)

        person.step("Risk")
        expect(page.get_by_role("heading", name="Risk after perturbation")).to_be_visible()
        figures = page.get_by_role("main").locator("dl.figures").first
        expect(figures).to_contain_text("not meaningful")
        assert figures.inner_text() != before
        expect(page.get_by_text("realised", exact=False).first).to_be_visible()
        expect(page.get_by_role("table", name="Realised against expected")).to_contain_text(
            "standard deviation"
        )
        shoot(person, "03-risk-after-pram")

        perturb(person, "Microaggregation")
        page.get_by_role("checkbox", name="income").check()
        expect(page.get_by_label("Strata that are too small")).to_have_count(0)
        shoot(person, "04-microaggregate")
        person.apply(steps=2)
        perturb(person, "Noise")
        page.get_by_role("checkbox", name="income").check()
        person.fill("Variance of the noise", "0.05")
        expect(shown).to_contain_text("Outer 1 %")
        shoot(person, "05-noise")
        person.apply(steps=3)
        person.suppress(steps=4)
        shoot(person, "06-suppress")

        person.step("Risk")
        table = page.get_by_role("table", name="Risk of numeric variables")
        expect(table).to_contain_text("the numbers alone")
        expect(page.get_by_text("Adjusted", exact=True).first).to_be_visible()
        shoot(person, "07-risk")
        assert person.violations() == []

        person.keep_all()
        person.step("Compare")
        expect(page.get_by_role("row", name="sample uniques")).to_contain_text("not meaningful")
        shoot(person, "08-compare")
        person.press("✓ Confirm")
        person.press("Next: Release")
        person.press("Require the limit in force (0.02)")
        person.fill("Records that share their keys, at least", "1")
        person.press("Save the policy")
        expect(page.get_by_text("not meaningful after it")).to_be_visible()
        shoot(person, "09-release")
        lacking = page.get_by_label("Release although it is not met: reason")
        for left in range(lacking.count(), 0, -1):
            expect(lacking).to_have_count(left)
            lacking.first.fill("For a test")
            page.get_by_role("button", name="Record the reason").first.click()
        expect(lacking).to_have_count(0)
        person.press("Write the release")
        expect(page.get_by_role("heading", name="Released")).to_be_visible()
        shoot(person, "10-released")
        report = (folder / "release" / "report.html").read_text()
        assert "PRAM of region" in report
        assert "not meaningful after it" in report
