"""Keys that the file proposes: why, how much each adds, and taking them at once or one by one."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

import microsafe as ms
from browser.person import Person
from browser.seeing import faults


def expect_keys(person: Person, names: set[str]) -> None:
    """The keys that are chosen, once the page has drawn them."""
    zone = person.page.get_by_role("region", name="Key variables")
    codes = zone.get_by_role("listitem").locator("code")
    expect(codes).to_have_count(len(names))
    for name in names:
        expect(codes.filter(has_text=re.compile(f"^{name}$"))).to_have_count(1)


def test_the_file_page_tells_roles_and_why(reader: Person) -> None:
    page = reader.page
    age = page.get_by_role("row", name="age Age in years")
    expect(age).to_contain_text("proposed key 3")
    expect(age).to_contain_text("it can be estimated at sight")
    expect(page.get_by_role("row", name="income Monthly net income")).to_contain_text("sensitive")
    expect(page.get_by_role("row", name="weight Sampling weight")).to_contain_text(
        "Its name and its label say that it is the weight."
    )
    assert faults(reader, "open", (390, "light"), (800, "dark")) == {}


def test_proposed_keys_are_taken_at_once_and_one_by_one(person: Person, folder: Path) -> None:
    page = person.page
    person.step("Scenario")
    table = page.get_by_role("table").filter(has_text="Combinations")
    rows = table.get_by_role("row")
    described = ms.study(folder / "survey.sav").describe().proposed
    expect(rows).to_have_count(1 + len(described))
    assert len(described) == 8
    for place, each in enumerate(described, 1):
        row = rows.nth(place)
        expect(row).to_contain_text(each.name)
        expect(row).to_contain_text(each.reason)
        expect(row).to_contain_text(f"{each.combinations:,}")
        adds = f"{100 * (each.adds or 0):.1f} %"
        expect(row.get_by_role("cell").last).to_have_text(re.compile(rf"\+ {adds}$"))
    names = {each.name for each in described}
    expect_keys(person, names)
    assert faults(person, "scenario", (390, "light"), (800, "dark")) == {}

    page.get_by_label("Use occupation as a key").uncheck()
    expect_keys(person, names - {"occupation"})
    expect(page.get_by_label("Role of occupation")).to_have_value("none")
    page.get_by_label("Use occupation as a key").press("Space")
    expect_keys(person, names)
    for name in ("region", "weight", "hsize"):
        person.role(name, "not used")
    person.role("income", "key variable")
    expect(page.get_by_label("Use region as a key")).not_to_be_checked()
    person.press("Use the proposed keys")
    expect_keys(person, names)
    expect(page.get_by_label("Role of weight")).to_have_value("weight")
    person.press("Measure the risk")
    expect(person.slider).to_be_visible()
