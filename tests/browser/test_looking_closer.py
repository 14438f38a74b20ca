"""A closer look: figures of `Study` in the window, marks that tell, work that can be stopped."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import microsafe as ms
from browser.person import Person, looking, running
from browser.seeing import faults

KEYS = ("hsize", "region", "age", "sex", "marital", "education", "occupation", "citizenship")
TABS = ("Combinations", "Special uniques", "Tables", "Diversity", "Numbers", "Whole file")


@pytest.fixture
def study(folder: Path) -> ms.Study:
    """The same study by hand."""
    return ms.study(folder / "survey.sav", keys=KEYS, weight="weight", household="household")


def expect_cells(page: Page, table: str, row: str, counts: Iterable[int]) -> None:
    found = page.get_by_role("table", name=table).get_by_role("row", name=row).first
    expect(found.get_by_role("cell")).to_have_text([f"{each:,}" for each in counts])


def look(person: Person, tab: str) -> None:
    person.step("Look closer")
    person.tab(tab)
    person.settled()


def test_unsafe_combinations_lead_to_a_recode(person: Person, study: ms.Study) -> None:
    page, caption = person.page, "Unsafe combinations by variable and dimension"
    person.measure()
    look(person, "Combinations")
    found = study.combinations(k=3, max_size=3)
    for key, counts in found.by_key_and_size.items():
        expect_cells(page, caption, key, (*counts.values(), found.by_key[key]))

    page.get_by_role("button", name="region", exact=True).click()
    expect(page.get_by_role("heading", name="Codes of region")).to_be_visible()
    rows = found.by_code("region").rows()
    code, *counts = max(rows, key=lambda row: sum(row[2:]))
    codes = page.get_by_role("table", name="Codes of region")
    first = codes.get_by_role("row").nth(1)
    expect(first.get_by_role("rowheader")).to_contain_text(f"{code} ")  # with its label
    expect(first.get_by_role("cell")).to_have_text(
        [f"{each:,}" for each in (*counts, sum(counts[1:]))]
    )
    codes.get_by_role("button", name="Records").click()
    expect(codes.get_by_role("columnheader", name="Records")).to_have_attribute(
        "aria-sort", "descending"
    )
    most = max(row[1] for row in rows)
    expect(codes.get_by_role("row").nth(1).get_by_role("cell").first).to_have_text(f"{most:,}")

    person.press("the risk is above a limit")
    person.fill("Risk above", "0.02")
    person.settled()
    by_risk = study.combinations(above=0.02, max_size=3)
    expect(page.get_by_text(f"{by_risk.unsafe_records:,}").first).to_be_visible()
    person.press("few records, by identification level")
    expect(page.get_by_text("Give at least one key level 1.")).to_be_visible()
    for key, level in (("region", 1), ("age", 2), ("sex", 2)):
        person.fill(f"Level of {key}", str(level))
    person.settled()
    by_level = study.combinations(k=3, levels={"region": 1, "age": 2, "sex": 2})
    counts = by_level.by_key_and_size["age"].values()
    expect_cells(page, caption, "age", (*counts, by_level.by_key["age"]))

    expect(page.get_by_role("button", name="Recode region …")).to_be_visible()  # still the same
    page.get_by_role("button", name="age", exact=True).click()
    person.press("Recode age …")
    expect(page.get_by_role("heading", name="Protect the file")).to_be_visible()
    expect(page.get_by_role("tab", name="Recode")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_label("Variable", exact=True)).to_have_value("age")


def test_every_tab_tells_what_the_library_does(person: Person, study: ms.Study) -> None:
    page = person.page
    person.measure()
    look(person, "Special uniques")
    uniques = study.uniques(max_size=4)
    shares = page.get_by_role("table", name="Share of the scores with each variable")
    expect(shares.get_by_role("row", name="age").get_by_role("cell").first).to_have_text(
        f"{100 * uniques.by_key['age']:.1f} %"
    )
    look(person, "Tables")
    person.fill("Variables in a table, at most", "2")
    person.settled()
    sparse = study.tabulation(dimensions=(1, 2))
    expect(page.get_by_text(f"{sparse.in_violation:,}").first).to_be_visible()
    two = sparse.by_dimension[2]
    expect(page.get_by_role("row", name=f"2 28 {two['cells']:,}")).to_contain_text(
        f"{two['violations']:,}"
    )
    look(person, "Diversity")
    page.get_by_role("group", name="Sensitive variables").get_by_label("income").check()
    person.settled()
    below = study.diversity("income").figures("income")["distinct"]["below"]
    expect(page.get_by_role("row", name="distinct l-diversity")).to_contain_text(f"{below:,}")
    look(person, "Numbers")
    page.get_by_label("income").check()
    person.settled()
    expect(page.get_by_role("row", name="the numbers alone")).to_contain_text("%")
    look(person, "Whole file")
    page.get_by_role("button", name="all of so many keys").click()
    person.fill("Keys in an interaction, at most", "1")
    page.get_by_label("Pitman").check()
    person.settled()
    said = page.get_by_role("table", name="What each model says")
    expect(said.get_by_role("row", name="log-linear model (chosen)")).to_be_visible()
    expect(said.get_by_role("row", name="Pitman")).to_be_visible()


def test_everybody_can_look(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, csp=False) as person,
    ):
        person.measure()
        found = {}
        for tab in TABS:
            look(person, tab)
            found[tab] = faults(person, tab)
        assert {tab: each for tab, each in found.items() if each} == {}


def test_marks_tell_their_figures(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, width=390, height=700, csp=False) as person,
    ):
        page = person.page
        person.measure()
        tip = page.get_by_role("tooltip")
        marks = page.get_by_role("slider", name="Risk of the records, mark by mark")
        expect(tip).to_have_count(0)
        person.settled()  # so that nothing pushes the picture away
        marks.scroll_into_view_if_needed()
        box = marks.bounding_box()
        assert box is not None
        for share in (0.01, 0.5, 0.99):  # at both ends, too, it is not cut
            page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.9 * box["height"])
            expect(tip).to_contain_text("records (")
            told = tip.bounding_box()
            assert told is not None
            assert told["x"] >= 0
            assert told["x"] + told["width"] <= 390
        page.keyboard.press("Escape")
        expect(tip).to_have_count(0)
        page.mouse.move(2, 2)
        marks.focus()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        expect(marks).to_be_focused()
        first = marks.get_attribute("aria-valuetext")
        page.keyboard.press("End")
        expect(marks).not_to_have_attribute("aria-valuetext", str(first))
        expect(tip).to_be_visible()
        assert person.violations() == []
        page.keyboard.press("Escape")
        expect(tip).to_have_count(0)
        limit = person.slider.get_attribute("aria-valuenow")
        page.keyboard.press("ArrowLeft")  # goes to another mark and leaves the limit alone
        expect(tip).to_be_visible()
        expect(person.slider).to_have_attribute("aria-valuenow", str(limit))

        bars = page.get_by_role("table", name="Contribution of each key").get_by_role("row")
        bars.nth(1).hover()
        expect(tip).to_contain_text("Fewer expected: ")
        page.mouse.move(2, 2)
        bars.nth(1).focus()
        page.keyboard.press("ArrowDown")
        expect(bars.nth(2)).to_be_focused()
        expect(tip).to_contain_text("Of all: ")


def test_what_takes_long_can_be_stopped_and_the_last_question_wins(
    person: Person, study: ms.Study
) -> None:
    page = person.page
    person.measure()
    held: list[Route] = []
    page.route("**/api/uniques*", lambda route: held.append(route))
    person.step("Look closer")
    person.settled()
    person.tab("Special uniques")
    person.press("Cancel")
    expect(page.get_by_text("Stopped.")).to_be_visible()
    page.unroute("**/api/uniques*")
    person.press("Measure")
    expect(page.get_by_role("table", name="Records by score")).to_be_visible()

    person.tab("Combinations")
    person.settled()
    for k in range(4, 54):
        page.get_by_label("Records that must share it, at least").fill(str(k))
    person.settled()
    found = study.combinations(k=53, max_size=3)
    table = page.get_by_role("table", name="Unsafe combinations by variable and dimension")
    region = table.get_by_role("row", name="region").first
    expect(region.get_by_role("cell").last).to_have_text(f"{found.by_key['region']:,}")


def test_the_estimator_can_be_changed_where_few_are_unique(person: Person) -> None:
    page = person.page
    others = set(KEYS) - {"region", "sex"}
    person.measure(dict.fromkeys(others, "not used"))
    choice = page.get_by_role("group", name="Estimator", exact=True)
    expect(choice.get_by_role("button", name="by cell")).to_have_attribute("aria-pressed", "true")
    choice.get_by_role("button", name="by model").click()
    expect(choice.get_by_role("button", name="by model")).to_have_attribute("aria-pressed", "true")
    person.step("Scenario")
    expect(page.get_by_label("from a model of the population (model)")).to_be_checked()
