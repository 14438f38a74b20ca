"""Explore: one variable, two against each other, before protection and now; nobody is seen."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from browser.person import Person, Running, looking
from browser.seeing import WAYS, faults


def choose(page: Page, variable: str, against: str = "") -> None:
    page.get_by_label("Variable", exact=True).select_option(variable)
    page.get_by_label("Against").select_option(against)


def test_a_person_looks_at_variables(chromium: Browser, still: Running) -> None:
    with looking(chromium, still.link, width=390, csp=False) as person:
        page = person.page
        expect(page.get_by_role("row", name="marital Marital status")).to_be_visible()
        person.step("Explore")
        expect(page.get_by_role("heading", name="Explore the file")).to_be_focused()
        choose(page, "marital")
        bars = page.get_by_role("table", name="Distribution of marital")
        expect(bars.get_by_role("columnheader")).to_have_text(
            ["Category", "Records", "Share", "Weighted share"]
        )
        expect(bars.get_by_role("row", name=re.compile("married"))).to_be_visible()
        assert faults(person, "explore-bars", *WAYS, (1920, "light")) == {}

        choose(page, "income")
        histogram = page.get_by_role("img", name=re.compile("Histogram of income"))
        expect(histogram).to_be_visible()
        expect(histogram.locator("rect.bin").nth(10)).to_be_attached()
        person.press("Linear")
        expect(histogram).to_be_visible()
        person.press("Weighted")
        expect(histogram).to_contain_text("of the people")
        expect(page.get_by_text("median", exact=True)).to_be_visible()
        assert faults(person, "explore-numbers", *WAYS, (1920, "light")) == {}

        choose(page, "age", "marital")
        table = page.get_by_role("table", name="age by marital")
        expect(table).to_be_visible()
        cells = table.locator("tbody td[title]").all_inner_texts()
        assert "–" in cells
        assert not {"1", "2"} & set(cells)
        expect(page.get_by_text("masked (–)")).to_be_visible()
        person.press("Row shares")
        expect(table.locator("tbody td[title]").first).to_contain_text("%")
        assert faults(person, "explore-table", *WAYS, (1920, "light")) == {}
        person.press("Swap rows and columns")
        expect(page.get_by_role("table", name="marital by age")).to_be_visible()


def test_before_protection_and_now(person: Person) -> None:
    page = person.page
    person.measure()
    person.step("Explore")
    expect(page.get_by_role("button", name="Before protection")).to_have_count(0)
    person.step("Protect")
    person.tab("Recode")
    page.get_by_label("Variable", exact=True).select_option("age")
    person.press("10")
    person.apply(steps=1)
    person.step("Explore")
    choose(page, "age")
    bars = page.get_by_role("table", name="Distribution of age")
    expect(bars.get_by_role("row")).to_have_count(11)
    person.press("Before protection")
    expect(page.get_by_role("img", name=re.compile("Histogram of age"))).to_be_visible()


def test_what_tells_people_apart_is_not_offered(reader: Person) -> None:
    reader.step("Explore")
    choice = reader.page.get_by_label("Variable", exact=True)
    expect(choice).to_be_visible()
    options = choice.locator("option").all_inner_texts()
    names = {each.split(":")[0] for each in options}
    assert {"age", "region", "income"} <= names
    assert not {"household", "weight"} & names


def test_by_keyboard_alone(reader: Person) -> None:
    page = reader.page
    expect(page.get_by_role("row", name="marital Marital status")).to_be_visible()
    page.get_by_role("navigation").get_by_role("button", name="Explore").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Explore the file")).to_be_focused()
    variable = page.get_by_label("Variable", exact=True)
    for _ in range(5):  # help on the page and on the card comes first
        page.keyboard.press("Tab")
        if variable.evaluate("each => each === document.activeElement"):
            break
    expect(variable).to_be_focused()
    page.keyboard.press("s")  # one letter: what follows late would begin another word
    expect(page.get_by_role("table", name="Distribution of sex")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("r")
    expect(page.get_by_role("table", name="sex by region")).to_be_visible()


def test_only_the_last_of_many_choices_is_answered(reader: Person) -> None:
    page = reader.page
    reader.step("Explore")
    for _ in range(10):
        for name in ("age", "region", "income", "hsize", "marital", "sex"):
            choose(page, name)
    expect(page.get_by_role("table", name="Distribution of sex")).to_be_visible()
    reader.settled()
