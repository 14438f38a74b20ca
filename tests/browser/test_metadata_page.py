"""Variables: a messy file is described in the page until it is read as it is meant."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.person import Person, looking, running
from browser.seeing import WAYS, faults, shoot

RECORDS = 600


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    """A folder with a text file as people get it."""
    rng = np.random.default_rng(5)
    ages = rng.integers(15, 90, RECORDS).astype(str)
    ages[:12] = "NA"
    made = tmp_path / "data"
    made.mkdir()
    pl.DataFrame(
        {
            "nr": np.arange(RECORDS),
            "region": rng.integers(1, 9, RECORDS),
            "age": ages,
            "sex": rng.choice([1, 2, 9], RECORDS, p=[0.49, 0.49, 0.02]),
            "education": rng.choice(["low", "middle", "high"], RECORDS),
            "income": [f"{a}.{b:03},50" for a, b in rng.integers(1, 99, (RECORDS, 2))],
            "born": [f"{d:02}.{m:02}.1990" for d, m in rng.integers(1, 13, (RECORDS, 2))],
            "weight": np.round(rng.uniform(1, 9, RECORDS), 3),
        }
    ).write_csv(made / "messy.csv", separator=";")
    return made


def choose(person: Person, name: str) -> Locator:
    """Describe another variable; what it would be is shown."""
    listed = person.page.get_by_role("list", name="Variables of the file")
    listed.get_by_role("button", name=re.compile(f"^{name}")).click()
    expect(person.page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    return person.page.get_by_role("region", name="As it would be read")


def to_page(person: Person) -> Page:
    expect(person.page.get_by_role("button", name="Describe the variables")).to_be_visible()
    person.step("Variables")
    expect(person.page.get_by_role("heading", name="Variables", level=1)).to_be_focused()
    return person.page


def test_a_messy_file_is_described(chromium: Browser, messy: Path) -> None:
    with (
        running(messy, "messy.csv") as app,
        looking(chromium, app.link, width=390, csp=False) as person,
    ):
        page = to_page(person)
        expect(page.get_by_text("values are “NA”. Treat them as missing?")).to_be_visible()
        shoot(person, "variables-first")
        page.get_by_role("button", name="Treat as missing age").click()
        seen = choose(person, "age")
        expect(seen.get_by_role("table")).to_be_visible()
        expect(page.get_by_label("Codes that stand for missing")).to_have_value("NA")
        page.get_by_label("Role", exact=True).select_option("key")
        person.fill("Identification level", "2")

        seen = choose(person, "income")
        page.get_by_label("Type").select_option("number")
        expect(seen.get_by_role("alert")).to_contain_text("are not a number")
        shoot(person, "variables-fault")
        editor = page.locator(".describe")
        editor.get_by_label("Decimal mark").select_option(",")
        editor.get_by_label("Thousands mark").select_option(".")
        expect(seen.get_by_role("alert")).to_have_count(0)
        person.fill("Unit", "EUR a month")

        seen = choose(person, "sex")
        page.get_by_label("Type").select_option("category")
        person.fill("Label of 1", "men")
        person.fill("Label of 2", "women")
        page.get_by_label("9 stands for missing").check()
        expect(seen.locator("tr.gone")).to_have_count(1)
        page.get_by_label("Role", exact=True).select_option("key")

        seen = choose(person, "education")
        page.get_by_label("The codes have an order").check()
        page.get_by_role("button", name="Move low up").click()
        expect(seen.get_by_role("rowheader").first).to_have_text("low")
        assert faults(person, "variables-order", *WAYS, (1920, "light")) == {}

        person.press("Apply 4 changes")
        expect(page.get_by_role("button", name=re.compile("^Apply$"))).to_have_attribute(
            "aria-disabled", "true"
        )
        person.step("Scenario")
        expect(page.get_by_label("Role of age", exact=True)).to_have_value("key")
        expect(page.get_by_label("Role of sex", exact=True)).to_have_value("key")
        expect(page.get_by_label("Role of education", exact=True)).to_have_value("none")
        person.press("Measure the risk")
        expect(page.get_by_role("heading", name="Choose the limit", level=1)).to_be_visible()
        person.step("Variables")
        expect(page.get_by_role("button", name=re.compile("Described 4"))).to_be_visible()
        shoot(person, "variables-applied")


def test_a_codebook_goes_out_and_comes_in(chromium: Browser, messy: Path) -> None:
    with running(messy, "messy.csv") as app, looking(chromium, app.link) as person:
        page = to_page(person)
        choose(person, "education")
        person.fill("Label", "Highest level of education")
        person.press("Apply 1 change")
        expect(page.get_by_role("button", name=re.compile("^Apply$"))).to_be_visible()
        with page.expect_download() as waiting:
            person.press("CSV")
        waiting.value.save_as(messy / "book.csv")
        text = (messy / "book.csv").read_text()
        assert "Highest level of education" in text
        (messy / "book.csv").write_text(text.replace("Highest", "Completed"))
        person.press("Read a codebook")
        page.get_by_role("button", name="book.csv").click()
        expect(page.get_by_text("The codebook describes 8 variables")).to_be_visible()
        choose(person, "education")
        expect(page.get_by_label("Label", exact=True)).to_have_value("Completed level of education")


def test_a_sheet_is_chosen(chromium: Browser, tmp_path: Path) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    folder = tmp_path / "data"
    folder.mkdir()
    with xlsxwriter.Workbook(folder / "book.xlsx") as book:
        for sheet, names in (("Notes", ["remark", "by"]), ("Data", ["sex", "region"])):
            made = book.add_worksheet(sheet)
            made.write_row(0, 0, names)
            for row in range(1, 60):
                made.write_row(row, 0, [row % 2, row % 3])
    with running(folder, "book.xlsx") as app, looking(chromium, app.link) as person:
        page = to_page(person)
        page.get_by_label("Sheet").select_option("Data")
        person.press("Apply 1 change")
        listed = page.get_by_role("list", name="Variables of the file")
        expect(listed.get_by_role("button", name=re.compile("^sex"))).to_be_visible()
        expect(page.get_by_label("Sheet")).to_have_value("Data")


def test_by_keyboard_alone(chromium: Browser, messy: Path) -> None:
    with running(messy, "messy.csv") as app, looking(chromium, app.link) as person:
        page = to_page(person)
        take = page.get_by_role("button", name="Treat as missing age")
        take.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text("values are “NA”. Treat them as missing?")).to_have_count(0)
        listed = page.get_by_role("list", name="Variables of the file")
        listed.get_by_role("button", name=re.compile("^born")).focus()
        page.keyboard.press("Enter")
        page.get_by_label("Type").focus()
        page.keyboard.press("d")  # one letter: what follows late would begin another word
        expect(page.get_by_role("alert")).to_be_visible()
        page.get_by_label("How dates are written").focus()
        page.keyboard.press("ArrowDown")
        expect(page.get_by_label("How dates are written")).to_have_value("%d.%m.%Y")
        expect(page.get_by_role("alert")).to_have_count(0)
        page.get_by_role("button", name="Apply 2 changes").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=re.compile("^Apply$"))).to_be_visible()
