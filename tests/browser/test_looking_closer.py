"""A closer look: figures of `Study` in the window, marks that tell, work that can be stopped."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import microsafe as ms
from browser.person import Person, Running, looking, running
from browser.seeing import faults

KEYS = ("hsize", "region", "age", "sex", "marital", "education", "occupation", "citizenship")
TABS = (
    "Combinations",
    "Special uniques",
    "Tables",
    "How sure",
    "Diversity",
    "Numbers",
    "Whole file",
)


@pytest.fixture(scope="module")
def study(survey_file: Path) -> ms.Study:
    """The same study by hand."""
    return ms.study(
        survey_file, keys=KEYS, weight="weight", household="household", estimator="cell"
    )


@pytest.fixture(scope="module")
def measured(
    chromium: Browser, survey_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    """An app in which the survey was measured, for all who only look."""
    folder = tmp_path_factory.mktemp("measured") / "data"
    folder.mkdir()
    shutil.copy(survey_file, folder)
    with running(folder, "survey.sav") as app:
        with looking(chromium, app.link) as somebody:
            somebody.measure()
        yield app


@pytest.fixture
def onlooker(chromium: Browser, measured: Running) -> Iterator[Person]:
    """Somebody who sees what was measured."""
    with looking(chromium, measured.link, csp=False) as somebody:
        expect(somebody.slider).to_be_visible()
        yield somebody


def expect_cells(page: Page, table: str, row: str, counts: Iterable[int]) -> None:
    found = page.get_by_role("table", name=table).get_by_role("row", name=row).first
    expect(found.get_by_role("cell")).to_have_text([f"{each:,}" for each in counts])


def look(person: Person, tab: str) -> None:
    person.step("Look closer")
    person.tab(tab)
    person.settled()


def test_unsafe_combinations_lead_to_a_recode(onlooker: Person, study: ms.Study) -> None:
    page, caption = onlooker.page, "Unsafe combinations by variable and dimension"
    look(onlooker, "Combinations")
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

    onlooker.press("the risk is above a limit")
    onlooker.fill("Risk above", "0.02")
    onlooker.settled()
    by_risk = study.combinations(above=0.02, max_size=3)
    expect(page.get_by_text(f"{by_risk.unsafe_records:,}").first).to_be_visible()
    onlooker.press("few records, by identification level")
    expect(page.get_by_text("Give at least one key level 1.")).to_be_visible()
    for key, level in (("region", 1), ("age", 2), ("sex", 2)):
        onlooker.fill(f"Level of {key}", str(level))
    onlooker.settled()
    by_level = study.combinations(k=3, levels={"region": 1, "age": 2, "sex": 2})
    counts = by_level.by_key_and_size["age"].values()
    expect_cells(page, caption, "age", (*counts, by_level.by_key["age"]))

    expect(page.get_by_role("button", name="Recode region …")).to_be_visible()  # still the same
    page.get_by_role("button", name="age", exact=True).click()
    onlooker.press("Recode age …")
    expect(page.get_by_role("heading", name="Protect the file")).to_be_visible()
    expect(page.get_by_role("tab", name="Recode")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_label("Variable", exact=True)).to_have_value("age")


def test_every_tab_tells_what_the_library_does(onlooker: Person, study: ms.Study) -> None:
    page = onlooker.page
    look(onlooker, "Special uniques")
    uniques = study.uniques(max_size=4)
    shares = page.get_by_role("table", name="Share of the scores with each variable")
    expect(shares.get_by_role("row", name="age").get_by_role("cell").first).to_have_text(
        f"{100 * uniques.by_key['age']:.1f} %"
    )
    look(onlooker, "Tables")
    onlooker.fill("Variables in a table, at most", "2")
    onlooker.settled()
    sparse = study.tabulation(dimensions=(1, 2))
    expect(page.get_by_text(f"{sparse.in_violation:,}").first).to_be_visible()
    two = sparse.by_dimension[2]
    expect(page.get_by_role("row", name=f"2 28 {two['cells']:,}")).to_contain_text(
        f"{two['violations']:,}"
    )
    look(onlooker, "Diversity")
    page.get_by_role("group", name="Sensitive variables").get_by_label("income").check()
    onlooker.settled()
    below = study.diversity("income").figures("income")["distinct"]["below"]
    expect(page.get_by_role("row", name="distinct l-diversity")).to_contain_text(f"{below:,}")
    look(onlooker, "Numbers")
    page.get_by_label("income").check()
    onlooker.settled()
    expect(page.get_by_role("row", name="the numbers alone")).to_contain_text("%")
    look(onlooker, "Whole file")
    page.get_by_role("button", name="all of so many keys").click()
    onlooker.fill("Keys in an interaction, at most", "1")
    page.get_by_label("Pitman").check()
    onlooker.settled()
    said = page.get_by_role("table", name="What each model says")
    expect(said.get_by_role("row", name="log-linear model (chosen)")).to_be_visible()
    expect(said.get_by_role("row", name="Pitman")).to_be_visible()


def test_everybody_can_look(onlooker: Person) -> None:
    found = {}
    for tab in TABS:
        look(onlooker, tab)
        found[tab] = faults(onlooker, tab)
    assert {tab: each for tab, each in found.items() if each} == {}


def test_marks_tell_their_figures(chromium: Browser, measured: Running) -> None:
    with looking(chromium, measured.link, width=390, height=700, csp=False) as person:
        page = person.page
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
    onlooker: Person, study: ms.Study
) -> None:
    page = onlooker.page
    held: list[Route] = []
    page.route("**/api/uniques*", lambda route: held.append(route))
    onlooker.step("Look closer")
    onlooker.settled()
    onlooker.tab("Special uniques")
    onlooker.press("Cancel")
    expect(page.get_by_text("Stopped.")).to_be_visible()
    page.unroute("**/api/uniques*")
    onlooker.press("Measure")
    expect(page.get_by_role("table", name="Records by score")).to_be_visible()

    onlooker.tab("Combinations")
    onlooker.settled()
    for k in range(4, 54):
        page.get_by_label("Records that must share it, at least").fill(str(k))
    onlooker.settled()
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
    expect(page.get_by_label("a model of the population")).to_be_checked()


def test_small_areas_are_merged_by_one_button(person: Person) -> None:
    person.measure()
    look(person, "How sure")
    page = person.page
    page.get_by_label("Geography").select_option("region")
    page.get_by_label("Coefficient of variation, at most").fill("0.08")
    person.settled()
    row = page.get_by_role("table").get_by_role("row", name="region", exact=False).first
    expect(row).to_contain_text("of 12")
    page.get_by_role("button", name="Recode region so").first.click()
    expect(page.get_by_role("status").first).to_contain_text("region was recoded")
