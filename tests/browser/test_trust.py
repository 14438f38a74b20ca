"""Confidential data in a browser: the key, foreign names, and nothing that leaves the machine."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from playwright.sync_api import Browser, expect

from browser.person import Running, looking, running
from microsafe.io import write
from microsafe.schema import Schema, Variable

ATTACK = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'


def test_the_key_is_neither_shown_nor_kept(chromium: Browser, still: Running) -> None:
    with looking(chromium, still.link) as person:
        page, key = person.page, still.link.split("#")[1]
        expect(page.get_by_role("heading", name="survey.sav")).to_be_visible()
        assert "#" not in page.url
        assert key not in page.content()
        assert page.evaluate("Object.values(localStorage).join()") in ("auto", "")
        assert page.evaluate("document.cookie") == ""


def test_without_the_key_nothing_is_told(chromium: Browser, still: Running) -> None:
    address = still.link.split("#")[0]
    with looking(chromium, address) as person:
        expect(person.page.get_by_text("This page needs its key.")).to_be_visible()
        expect(person.page.get_by_text("survey.sav")).to_have_count(0)
    with looking(chromium, f"{address}#wrong") as person:
        expect(person.page.get_by_role("alert")).to_be_visible()
        expect(person.page.get_by_text("survey.sav")).to_have_count(0)


def test_hostile_names_and_labels_are_text(chromium: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    hostile = Variable(
        name="x", label=ATTACK, kind="integer", labels={1: ATTACK, 2: "]]>'\"&amp;{{7*7}}"}
    )
    other = Variable(name="y", label="</title>", kind="integer", labels={1: "a", 2: "b"})
    weight = Variable(name="w", kind="number")
    frame = pl.DataFrame(
        {"x": [1, 2, 1, 2, 1] * 20, "y": [1, 1, 2, 2, 1] * 20, "w": [9.0, 8.0, 7.0, 30.0, 2.0] * 20}
    ).cast({"x": pl.Int32, "y": pl.Int32})
    name = "<b onclick=alert(1)>&.sav"
    write(frame, Schema(source="s", variables=(hostile, other, weight)), folder / name)
    with running(folder) as app, looking(chromium, app.link) as person:
        page = person.page
        page.get_by_role("main").get_by_role("button", name=name).click()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        expect(page.get_by_text(ATTACK).first).to_be_visible()
        person.measure({"x": "key variable", "y": "key variable", "w": "weight"})
        expect(page.get_by_role("cell", name=ATTACK).first).to_be_visible()
        person.step("Protect")
        person.tab("Recode")
        page.get_by_label("Variable", exact=True).select_option("x")
        expect(page.get_by_role("cell", name=ATTACK).first).to_be_visible()
        assert page.evaluate("window.hacked") is None
        assert page.locator("main img, main script, main b[onclick]").count() == 0
