"""Several scenarios from the start, limits of their own, and every word of suppression."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.person import Person, looking, running
from browser.seeing import faults, shoot


def test_scenarios_are_listed_compared_and_met(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, width=390, csp=False) as person,
    ):
        page = person.page
        person.step("Scenario")
        ready = page.get_by_role("region", name="Ready-made")
        ready.get_by_role("button", name="Add neighbour").click()
        listed = page.get_by_role("list", name="Scenarios", exact=True).get_by_role("listitem")
        expect(listed).to_have_count(2)
        expect(ready.get_by_text("neighbour")).to_have_count(0)
        expect(page.get_by_label("Why this intruder")).to_have_value(
            "A neighbour sees who lives next door, and knows how many they are, but not who took "
            "part."
        )
        person.press("Copy scenario neighbour")
        person.fill("Name of the scenario", "neighbour")
        expect(page.get_by_text("already exists").first).to_be_visible()
        person.fill("Name of the scenario", "friend")
        page.get_by_label("Role of household", exact=True).select_option(label="not used")
        assert faults(person, "1-scenarios") == {}
        page.get_by_role("button", name="main").first.click()
        expect(page.get_by_label("Name of the scenario")).to_have_count(0)
        person.press("Measure the risk")
        expect(person.slider).to_be_visible()

        table = page.get_by_role("table", name="Scenarios side by side")
        expect(table.get_by_role("row")).to_have_count(4)
        row = table.get_by_role("row", name="friend")
        person.fill("Largest risk of a record", "0.02")
        expect(row).to_contain_text("0.02")
        row.get_by_role("button", name="Limit of its own").click()
        expect(row.get_by_role("button", name="As for all")).to_be_visible()
        row.get_by_role("button", name="friend", exact=True).click()
        expect(row).to_have_attribute("aria-current", "true")
        person.fill("Largest risk of a record", "0.05")
        expect(row).to_contain_text("0.05")
        expect(table.get_by_role("row", name="main")).to_contain_text("0.02")
        assert faults(person, "2-risk") == {}

        person.step("Protect")
        person.tab("Suppress")
        limits = page.get_by_role("group", name="Limit", exact=True)
        expect(limits.get_by_label("friend")).to_have_value("0.05")
        expect(limits.get_by_label("main")).to_have_value("0.02")
        person.press("Compare the guarantees")
        prices = page.get_by_role("table", name="What each guarantee costs")
        row = prices.get_by_role("row", name="blanks", exact=False).first
        blanks = row.get_by_role("cell").nth(1).inner_text()
        assert faults(person, "3-prices") == {}
        prices.get_by_role("button", name="Take strict").click()
        expect(page.get_by_role("radio", name="strict")).to_be_checked()
        expect(page.get_by_role("region", name="Preview")).to_contain_text(f"{blanks} values")
        person.apply(steps=1)
        shoot(person, "4-suppressed")

        person.step("Scenario")
        page.get_by_role("button", name="friend").first.click()
        person.fill("Name of the scenario", "colleague")
        person.press("Measure the risk")
        expect(table.get_by_role("row", name="colleague")).to_contain_text("0.05")
        person.step("Protect")
        expect(person.steps_taken).to_have_count(1)
        person.step("Release")
        person.press("Require the limits in force, each scenario its own")
        asked = page.get_by_role("group", name="Largest risk of a record")
        expect(asked.get_by_label("colleague")).to_have_value("0.05")
        person.press("Save the policy")
        verdicts = page.get_by_role("row", name="Largest risk of a record")
        expect(verdicts).to_have_count(3)
        shoot(person, "5-release")


def test_every_word_of_suppression(person: Person) -> None:
    page = person.page
    person.measure()
    person.step("Protect")
    person.tab("Suppress")
    page.get_by_role("radio", name="either of the two").check()
    person.fill("Records that must share the keys", "2")
    page.get_by_role("checkbox", name="Count people of the population").check()
    page.get_by_role("radio", name="combinations by identification level").check()
    person.fill("Identification level of region", "1")
    person.fill("Identification level of age", "2")
    person.fill("Limit on the risk of a household", "0.2")
    page.get_by_text("Members of a household:").click()
    page.get_by_role("checkbox", name="The cheapest blanks for all members together").check()
    page.get_by_text("Cost of suppressing a key:").click()
    page.get_by_role("radio", name="your own costs").check()
    person.fill("Cost of blanking age", "2")
    page.get_by_role("checkbox", name="Rare values cost more").check()
    page.get_by_text("Never blank: none").click()
    page.get_by_role("group", name="Never blank").get_by_role("checkbox", name="sex").check()
    page.get_by_text("Linked variables: none").click()
    page.get_by_label("Wherever this key is blanked").select_option("age")
    page.get_by_label("this variable is blanked too").select_option("income")
    person.press("Link them")
    expect(page.get_by_role("button", name="Unlink income from age")).to_be_visible()
    sent: list[dict[str, object]] = []
    page.on(
        "request",
        lambda asked: sent.append(asked.post_data_json) if "/api/preview" in asked.url else None,
    )
    shoot(person, "6-every-word")
    person.press("Count the blanks")
    expect(page.get_by_text("values in")).to_be_visible()
    (step,) = sent
    assert step["levels"] == {"region": 1, "age": 2}
    assert (step["k"], step["people"], step["joint"], step["by_value"]) == (2, True, True, True)
    assert (step["household"], step["spare"]) == (0.2, ["sex"])
    assert (step["cost"], step["linked"]) == ({"age": 2}, {"age": ["income"]})
    person.apply(steps=1)


def test_prices_can_be_stopped(person: Person) -> None:
    page = person.page
    person.measure()
    person.step("Protect")
    person.tab("Suppress")
    page.route("**/api/guarantees", lambda route: None)  # never answered
    person.press("Compare the guarantees")
    page.get_by_role("main").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Compare the guarantees")).to_be_visible()


def test_families_are_protected_by_a_button(person: Person) -> None:
    page = person.page
    person.measure()
    person.step("Protect")
    person.tab("Suppress")
    person.press("What is cheaper than blanks")
    table = page.get_by_role("table", name="What protects families")
    row = table.get_by_role("row", name="one person of each household")
    expect(row).to_be_visible()
    assert faults(person, "families") == {}
    row.get_by_role("button", name="Do it").click()
    expect(page.get_by_text("one person of each of").first).to_be_visible()
