"""An officer who knows SPSS, in the app alone: from a messy workbook to a report that is signed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.person import Person, looking, running
from microsafe.datasets import survey

BOOK = "Labour survey 2026.xlsx"
NAMES = ("Berger", "Novak", "Rossi", "Dubois", "Jensen", "Kowalska", "Silva")


def write_book(path: Path) -> int:
    """Write a workbook as people get it: remarks first, names, words and commas in numbers."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    made = survey(households=700).frame.drop("education", "occupation", "citizenship")
    frame = made.with_columns(
        pl.Series("surname", [NAMES[at % 7] + str(at) for at in range(made.height)]),
        pl.col("age").cast(pl.String),
        pl.Series("income", [f"{int(v) // 1000}.{int(v) % 1000:03},50" for v in made["income"]]),
        pl.Series("weight", [f"{v:.2f}".replace(".", ",") for v in made["weight"]]),
    ).with_columns(
        pl.when(pl.int_range(pl.len()) % 90 == 7)
        .then(pl.lit("NA"))
        .otherwise(pl.col("age"))
        .alias("age")
    )
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("Read me").write_column(0, 0, ["Labour survey", "Ask Ms K."])
        sheet = book.add_worksheet("Persons")
        sheet.write_row(0, 0, frame.columns)
        for number, row in enumerate(frame.iter_rows(), 1):
            sheet.write_row(number, 0, row)
    return frame.height


def describe(person: Person, name: str) -> None:
    listed = person.page.get_by_role("list", name="Variables of the file")
    listed.get_by_role("button", name=re.compile(f"^{name}")).click()
    expect(person.page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def say_what_variables_are(person: Person) -> None:
    """Choose the sheet; numbers with commas, and words among them, are read as they are meant."""
    page = person.page
    person.step("Variables")
    page.get_by_label("Sheet").select_option("Persons")
    person.press("Apply 1 change")
    listed = page.get_by_role("list", name="Variables of the file")
    expect(listed.get_by_role("button", name=re.compile("^surname"))).to_be_visible()
    page.get_by_role("button", name="Treat as missing age").click()
    for name, thousands, role in (("income", ".", None), ("weight", None, "weight")):
        describe(person, name)
        page.get_by_label("Type").select_option("number")
        editor = page.locator(".describe")
        editor.get_by_label("Decimal mark").select_option(",")
        if thousands:
            editor.get_by_label("Thousands mark").select_option(thousands)
        if role:
            page.get_by_label("Role", exact=True).select_option(role)
    describe(person, "sex")
    page.get_by_label("Type").select_option("category")
    person.fill("Label of 1", "men")
    person.fill("Label of 2", "women")
    person.press("Apply 4 changes")
    expect(page.get_by_role("button", name="Apply", exact=True)).to_be_visible()


def look_at_ages(person: Person) -> None:
    person.step("Explore")
    person.page.get_by_label("Variable", exact=True).select_option("age")
    picture = person.page.get_by_role("img", name=re.compile("Histogram of age"))
    table = person.page.get_by_role("table", name="Distribution of age")
    expect(picture.or_(table).first).to_be_visible()


def propose(person: Person) -> None:
    page = person.page
    person.step("Propose")
    person.take_time()
    person.press("Propose")
    expect(page.get_by_role("button", name="Take this plan")).to_be_visible()
    person.settled()
    person.press("Take this plan")
    expect(page.get_by_text("These are the steps now.")).to_be_visible()


def decide(person: Person) -> None:
    """Names go; the rest is kept for a reason."""
    page = person.page
    person.step("Inventory")
    page.get_by_label("Mark surname").check()
    person.press("Leave it out")
    expect(page.get_by_label("Mark surname")).to_have_count(0)
    person.keep_all()


def sign(page: Page, person: Person) -> None:
    person.fill("Institution", "Office of Examples")
    page.get_by_label("Who signs, one in each line").fill("A. Officer\nHead of unit")
    person.press("Save the cover")
    expect(page.get_by_text("Saved.").first).to_be_visible()


def test_from_a_messy_workbook_to_a_signed_report(chromium: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    records = write_book(folder / BOOK)
    with running(folder) as app, looking(chromium, app.link) as person:
        page = person.page
        page.get_by_role("button", name=re.compile(f"^{BOOK}")).click()
        say_what_variables_are(person)
        look_at_ages(person)
        person.step("Scenario")
        person.press("Use the proposed keys")
        person.measure({"surname": "not used"})
        offer = page.get_by_role("button", name="Use the estimator “model”")
        person.settled()
        if offer.count():
            person.use_model()
        person.fill("Largest risk of a record", "1 in 50")
        propose(person)
        decide(person)
        person.step("Compare")
        person.press("✓ Confirm")
        person.press("Next: Release")
        sign(page, person)
        expect(page.get_by_role("table", name="Verdicts")).to_be_visible()
        person.give_reasons("As in earlier years")
        person.press("Write the release")
        expect(page.get_by_role("heading", name="Released")).to_be_visible()
        row = page.get_by_role("group", name="For the board")
        row.get_by_role("button", name="Read").click()
        report = page.frame_locator("dialog iframe")
        expect(report.get_by_text("Head of unit").first).to_be_visible()
        expect(report.get_by_text("Office of Examples").first).to_be_visible()
    plan = tomllib.loads((folder / "release" / "plan.toml").read_text())
    assert plan["input"]["sheet"] == "Persons"
    assert plan["variables"]["age"]["missing"] == ["NA"]
    (safe,) = (folder / "release").glob("*-safe.*")
    assert safe.suffix == ".xlsx"
    written = pl.read_excel(safe)
    assert written.height == records
    assert "surname" not in written.columns
