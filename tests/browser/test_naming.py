"""A table and a model that matter: named by hand, seen as pictures, and found in the report."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.person import Person, looking, running
from browser.seeing import faults


def protect(person: Person) -> None:
    """Recode ages, and suppress the rest."""
    person.measure()
    person.fill("Largest risk of a record", "0.02")
    person.step("Protect")
    person.tab("Recode")
    page = person.page
    page.get_by_label("Variable", exact=True).select_option("age")
    person.press("10")
    expect(page.get_by_text("99 → 10 categories")).to_be_visible()
    person.apply(steps=1)
    person.suppress(steps=2)


def test_a_table_and_a_model_are_named_and_seen(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, width=390) as person,
    ):
        page = person.page
        protect(person)
        person.step("Compare")
        page.get_by_label("Rows").select_option("region")
        page.get_by_label("Columns").select_option("region")
        expect(page.get_by_text("Choose two different variables.")).to_be_visible()
        page.get_by_label("Columns").select_option("marital")
        person.press("Add the table")
        expect(page.get_by_role("heading", name="region × marital")).to_be_visible()
        heat = page.get_by_role("img", name="Changes of the table region × marital")
        expect(heat).to_be_visible()
        expect(heat.locator("rect.rise, rect.fall").nth(10)).to_be_attached()

        page.get_by_label("Outcome").select_option("income")
        for term in ("age", "sex", "region"):
            page.get_by_label("Term", exact=True).select_option(term)
            person.press("Add the term")
        person.press("Remove region")
        expect(page.get_by_text("income ~ age + sex", exact=True)).to_be_visible()
        person.press("Add the model")
        expect(page.get_by_role("heading", name="income ~ age + sex")).to_be_visible()
        forest = page.get_by_role("img", name="Coefficients of income ~ age + sex")
        expect(forest).to_be_visible()
        expect(forest.locator(".interval").nth(10)).to_be_attached()

        page.get_by_label("Rows").select_option("sex")
        person.press("Add the table")
        expect(page.get_by_role("img", name="Changes of the table sex")).to_be_visible()
        assert faults(person, "naming") == {}

        said = heat.get_attribute("aria-label")
        person.press("Each record once")
        expect(heat).not_to_have_attribute("aria-label", str(said))
        person.press("relative, in %")
        for each in page.get_by_text("Show as a table").all():
            each.click()
        table = page.get_by_role("table", name="Table of region × marital")
        expect(table.get_by_role("columnheader")).to_have_text(
            [
                "region", "marital", "Records before", "Before, %", "After, %",
                "Change, percentage points", "Relative change, %",
            ]
        )  # fmt: skip
        assert faults(person, "naming-tables") == {}

        page.get_by_role("button", name="Remove sex").click()
        expect(page.get_by_role("heading", name="sex", exact=True)).to_have_count(0)
        page.reload()
        expect(page.get_by_role("heading", name="region × marital")).to_be_visible()
