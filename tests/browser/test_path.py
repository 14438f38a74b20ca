"""The whole path, from opening the demo file to a released file, and its branches."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.person import Person, looking, running


def test_from_the_demo_file_to_a_released_file(chromium: Browser, folder: Path) -> None:
    with running(folder) as app, looking(chromium, app.link) as person:
        page = person.page
        person.press("survey.sav 215 kB")
        expect(page.get_by_role("heading", name="survey.sav")).to_be_visible()
        expect(page.get_by_role("row", name="marital Marital status")).to_contain_text("nominal")
        person.press("Next: Scenario")
        expect(page.get_by_label("Role of region")).to_have_value("key")
        person.role("age", "key variable")
        person.fill("Why this intruder", "A neighbour who knows these facts, but not who took part")
        expect(page.get_by_text("age has 99 categories")).to_be_visible()
        person.by_cell()
        person.press("Measure the risk")
        person.use_model()

        person.fill("Largest risk of a record", "1 in 50")
        expect(page.get_by_label("Largest risk of a record")).to_have_value("0.02")
        person.press("Next: Propose")
        person.press("Next: Protect")
        person.tab("Recode")
        page.get_by_label("Variable", exact=True).select_option("age")
        person.press("10")
        expect(page.get_by_text("99 → 10 categories")).to_be_visible()
        page.get_by_label("Reason").fill("Neighbours know the age to the year")
        person.apply(steps=1)
        person.suppress(steps=2)
        person.keep_all()

        person.step("Compare")
        expect(page.get_by_role("img", name="After: risk of the records")).to_be_visible()
        row = page.get_by_role("row", name="records above the limit")
        assert int(row.get_by_role("cell").nth(0).inner_text().strip("≈ ").replace(",", "")) > 100
        expect(row.get_by_role("cell").nth(1)).to_have_text("0")
        person.step("Release")
        write = page.get_by_role("button", name="Write the release")
        expect(write).to_be_disabled()
        expect(write).to_have_accessible_description("Confirm the steps in Compare first.")
        person.step("Compare")
        person.press("✓ Confirm")
        expect(page.get_by_text("All steps are confirmed.")).to_be_visible()

        person.press("Next: Release")
        person.press("Require the limit in force (0.02)")
        person.press("Save the policy")
        expect(person.verdicts.get_by_text("✓ met")).to_have_count(3)
        person.press("Write the release")
        expect(page.get_by_role("heading", name="Released")).to_be_visible()
        written = sorted(each.name for each in (folder / "release").iterdir())
        assert written == [
            "plan.lock",
            "plan.toml",
            "public.html",
            "report.html",
            "survey-safe.sav",
        ]
        safe = folder / "release" / "survey-safe.sav"
        lock = json.loads((folder / "release" / "plan.lock").read_text())
        assert 0 < lock["risk"]["main"]["after"]["risk"]["max"] <= 0.02
        assert "A neighbour" in (folder / "release" / "plan.toml").read_text()

        person.press("Write the release")
        dialog = page.get_by_role("dialog", name="Replace these files?")
        expect(dialog).to_contain_text("survey-safe.sav")
        before = safe.stat().st_mtime_ns
        dialog.get_by_role("button", name="Cancel").click()
        assert safe.stat().st_mtime_ns == before
        person.press("Write the release")
        dialog.get_by_role("button", name="Replace them").click()
        person.until(lambda: safe.stat().st_mtime_ns > before, "the file is written again")


def test_a_rule_that_is_not_met_stops_the_release(person: Person, folder: Path) -> None:
    page = person.page
    person.measure()
    person.use_model()
    person.keep_all()
    person.step("Release")
    person.fill("Largest risk of a record", "0.0001")
    person.press("Save the policy")
    expect(person.verdicts.get_by_text("✕ not met")).to_be_visible()
    person.press("Write the release")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was written")
    assert not (folder / "release").exists() or not list((folder / "release").iterdir())
    reason = page.get_by_label("Largest risk of a record. Release although it is not met: reason")
    reason.fill("For our own desk only")
    person.press("Record the reason")
    expect(page.get_by_text("not met, overridden")).to_be_visible()
    person.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()


def test_steps_are_undone_to_any_point_and_rolled_back(person: Person) -> None:
    page = person.page
    person.measure()
    person.step("Protect")
    person.tab("Top and bottom")
    page.get_by_label("Variable", exact=True).select_option("hsize")
    person.fill("Bound", "5")
    person.apply(steps=1)
    person.suppress(steps=2)
    person.tab("Leave out and more")
    page.get_by_role("checkbox", name="income").check()
    person.apply(steps=3)
    person.press("Undo from here (step 2 and later)")
    expect(person.steps_taken).to_have_count(1)
    person.step("Compare")
    person.press("✓ Confirm")
    person.step("Protect")
    person.suppress(steps=2)
    person.step("Compare")
    person.press("↩ Roll back")
    page.get_by_role("dialog").get_by_role("button", name="Roll back").click()
    expect(page.get_by_role("heading", name="Protect the file")).to_be_visible()
    expect(person.steps_taken).to_have_count(1)
    expect(person.steps_taken).to_contain_text("confirmed")


def test_two_candidates_are_compared(person: Person) -> None:
    page = person.page
    person.measure()
    person.step("Protect")
    person.suppress(steps=1)
    person.step("Compare")
    page.get_by_label("Name for the present steps").fill("blanks only")
    person.press("Keep as a candidate")
    expect(page.get_by_text("blanks only").first).to_be_visible()
    person.step("Protect")
    person.press("Undo from here (step 1 and later)")
    expect(person.steps_taken).to_have_count(0)
    person.tab("Suggestions")
    page.get_by_role("button", name="Preview").first.click()
    person.apply(steps=1)
    person.suppress(steps=2)
    person.step("Compare")
    person.press("Compare the two")
    expect(page.get_by_role("img", name="blanks only: risk of the records")).to_be_visible()
    table = page.get_by_role("table", name="Compare the two")
    blanks = table.get_by_role("row", name="values blanked").get_by_role("cell").all_inner_texts()
    assert int(blanks[0].replace(",", "")) > int(blanks[1].replace(",", ""))
    person.press("Use blanks only")
    expect(page.get_by_text("1 step to decide on")).to_be_visible()


def test_groups_go_out_and_come_back_as_grc(person: Person, tmp_path: Path) -> None:
    page = person.page
    person.measure()
    person.step("Protect")
    person.tab("Recode")
    page.get_by_label("Variable", exact=True).select_option("marital")
    for category in ("4 divorced", "5 widowed"):
        page.get_by_label(f"Mark {category}").check()
    person.press("Merge the marked categories")
    expect(page.get_by_text("5 → 4 categories")).to_be_visible()
    with page.expect_download() as download:
        person.press("Export .grc")
    kept = tmp_path / "marital.grc"
    download.value.save_as(kept)
    page.get_by_label("Variable", exact=True).select_option("sex")
    page.get_by_label("Variable", exact=True).select_option("marital")
    expect(page.get_by_text("5 → 4 categories")).to_have_count(0)
    page.locator("input[type=file]").set_input_files(kept)
    expect(page.get_by_text("5 → 4 categories")).to_be_visible()
    person.apply(steps=1)


def test_a_sample_is_drawn_by_its_form(person: Person) -> None:
    person.measure()
    person.step("Protect")
    person.tab("Leave out and more")
    person.press("Sample")
    expect(person.page.get_by_label("Household", exact=True)).to_have_value("household")
    person.fill("Sampling fraction", "50 %")
    person.apply(steps=1)
    expect(person.steps_taken).to_contain_text("sample of 50 % of households")
    expect(person.steps_taken).to_contain_text("of 5,892 records; weight multiplied by 2")


def test_a_second_scenario_is_measured_and_met(person: Person) -> None:
    page = person.page
    person.measure()
    person.step("Scenario")
    person.press("Add a scenario")
    page.get_by_label("Name of the scenario").fill("employer")
    for name in ("age", "sex", "occupation"):
        person.role(name, "key variable")
    person.press("Measure the risk")
    chosen = page.get_by_role("group", name="Scenario").get_by_role("button", name="employer")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(person.slider).to_be_visible()


def test_the_risk_of_the_file_is_shown_with_its_band(person: Person) -> None:
    page = person.page
    figures = {
        "model": "loglinear", "sample_uniques": 1079, "tau1": 21.4, "tau2": 60.2,
        "share_unique": 0.0198, "level": "low", "cells": 95040, "average_cell_size": 0.062,
        "fit": {}, "interval": {"tau1": [15.1, 29.3], "tau2": [50.0, 71.5]}, "notices": [],
    }  # fmt: skip
    page.route("**/api/file-risk*", lambda route: route.fulfill(json=figures))
    person.measure()
    card = page.locator(".card", has_text="Risk of the file as a whole")
    expect(card).to_contain_text("low 2.0 % of the sample uniques")
    expect(card).to_contain_text("21.4 15.1 to 29.3")
