"""Keys and numbers perturbed by their forms, from the demo survey to the board's report."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browser.person import FEWER, Person, looking, running
from browser.seeing import SHOTS, faults, shoot


def perturb(person: Person, kind: str) -> None:
    """Choose a way to perturb."""
    person.step("Protect")
    person.tab("Perturb")
    person.press(kind)


def test_keys_and_numbers_are_perturbed_and_released(chromium: Browser, folder: Path) -> None:
    with (
        running(folder, "survey.sav") as app,
        looking(chromium, app.link, width=390) as person,
    ):
        page = person.page
        person.measure(FEWER)
        person.fill("Largest risk of a record", "0.02")
        shoot(person, "01-risk")
        before = page.get_by_role("main").locator("dl.figures").first.inner_text()

        perturb(person, "PRAM")
        page.get_by_label("Variable", exact=True).select_option("region")
        page.get_by_label("Household", exact=True).select_option("household")
        person.fill("Least chance to stay", "0.8")
        shown = page.get_by_role("region", name="Preview")
        expect(shown).to_contain_text("Values kept")
        expect(shown).to_contain_text("not meaningful")
        expect(shown).to_contain_text("after PRAM of region")
        shoot(person, "02-pram")
        person.apply(steps=1)

        person.step("Risk")
        expect(page.get_by_role("heading", name="Risk after perturbation")).to_be_visible()
        figures = page.get_by_role("main").locator("dl.figures").first
        expect(figures).to_contain_text("not meaningful")
        assert figures.inner_text() != before
        expect(page.get_by_text("realised", exact=False).first).to_be_visible()
        expect(page.get_by_role("table", name="Realised against expected")).to_contain_text(
            "standard deviation"
        )
        shoot(person, "03-risk-after-pram")

        perturb(person, "Microaggregation")
        page.get_by_role("checkbox", name="income").check()
        expect(page.get_by_label("Strata that are too small")).to_have_count(0)
        shoot(person, "04-microaggregate")
        person.apply(steps=2)
        perturb(person, "Noise")
        page.get_by_role("checkbox", name="income").check()
        person.fill("Variance of the noise", "0.05")
        expect(shown).to_contain_text("Outer 1 %")
        shoot(person, "05-noise")
        person.apply(steps=3)
        person.suppress(steps=4)
        shoot(person, "06-suppress")

        person.step("Risk")
        table = page.get_by_role("table", name="Risk of numeric variables")
        expect(table).to_contain_text("the numbers alone")
        expect(page.get_by_text("Adjusted", exact=True).first).to_be_visible()
        assert faults(person, "07-risk") == {}

        person.keep_all()
        person.step("Compare")
        expect(page.get_by_role("row", name="sample uniques")).to_contain_text("not meaningful")
        shoot(person, "08-compare")
        person.press("✓ Confirm")
        person.press("Next: Release")
        person.press("Require the limit in force (0.02)")
        person.fill("Fewest records that share the keys of a record", "1")
        person.press("Save the policy")
        expect(page.get_by_text("not meaningful after it")).to_be_visible()
        shoot(person, "09-release")
        person.give_reasons("For a test")
        person.press("Write the release")
        expect(page.get_by_role("heading", name="Released")).to_be_visible()
        shoot(person, "10-released")
        with page.expect_popup() as opening:
            row = page.get_by_role("group", name="For the board")
            row.get_by_role("button", name="Open").click()
        report = opening.value
        expect(report.get_by_text("PRAM of region").first).to_be_visible()
        expect(report.get_by_text("not meaningful after it").first).to_be_attached()
        expect(report.get_by_text("Microaggregation").first).to_be_attached()
        if SHOTS:
            report.screenshot(path=f"{SHOTS}/16-report.png", full_page=True)


def test_chances_are_typed_and_pasted(person: Person) -> None:
    page = person.page
    person.measure(FEWER)
    perturb(person, "PRAM")
    page.get_by_label("by chances of your own").check()
    expect(page.get_by_text("Choose the variable first.")).to_be_visible()
    page.get_by_label("Variable", exact=True).select_option("sex")
    table = page.get_by_role("table", name="Chances of each category")
    expect(table.get_by_text("✓ 1")).to_have_count(2)
    person.fill("Chance that 1 becomes 1", "0.9")
    expect(table.get_by_text("✕ 0.9")).to_be_visible()
    expect(page.get_by_text("Every row must sum to 1.")).to_be_visible()
    expect(page.get_by_role("button", name="Apply this step")).to_have_count(0)
    person.fill("Chance that 1 becomes 2", "10 %")
    expect(table.get_by_text("✓ 1")).to_have_count(2)
    shoot(person, "11-chances")
    assert person.violations() == []
    page.get_by_text("Paste a table").click()
    page.get_by_label("Table from a spreadsheet").fill("0.8\t0.2\n0.1\t0.8")
    expect(page.get_by_text("Rows that do not sum to 1: 2.")).to_be_visible()
    page.get_by_label("Table from a spreadsheet").fill("\t2\t1\n1\t0.2\t0.8\n2\t0.9\t0.1")
    expect(page.get_by_label("Chance that 1 becomes 1", exact=True)).to_have_value("0.8")
    person.apply(steps=1)
    expect(person.steps_taken).to_contain_text("PRAM of sex: by a given matrix")


def test_groups_of_categories_and_sets_of_variables(person: Person) -> None:
    page = person.page
    person.measure(FEWER)
    perturb(person, "PRAM")
    page.get_by_label("Variable", exact=True).select_option("marital")
    page.get_by_text("Groups of categories that may be exchanged: none").click()
    for code in ("2", "3"):
        page.get_by_label(f"Group of {code}", exact=True).select_option("A")
    expect(page.get_by_text("exchanged: 2 + 3")).to_be_visible()
    assert person.violations() == []
    shoot(person, "12-groups")
    person.apply(steps=1)
    person.press("Undo from here (step 1 and later)")
    expect(person.steps_taken).to_have_count(0)

    person.press("Record swapping")
    page.get_by_text("Areas: none").click()
    areas = page.get_by_role("group", name="Areas")
    areas.get_by_role("checkbox", name="region").check()
    expect(areas).to_contain_text("1.")
    page.get_by_text("Partners agree on: none").click()
    page.get_by_role("group", name="Set 1").get_by_role("checkbox", name="hsize").check()
    person.press("Add another set")
    expect(page.get_by_role("group", name="Set 2")).to_be_visible()
    expect(page.get_by_label("Fewest alike in an area")).to_be_visible()
    page.get_by_label("by risk in the area").check()
    expect(page.get_by_label("Fewest alike in an area")).to_have_count(0)
    page.get_by_label("by how many are alike in the area").check()
    assert person.violations() == []
    expect(page.get_by_role("rowheader", name="Households that moved")).to_be_visible()
    expect(page.get_by_text("stayed with households that moved")).to_be_visible()
    shoot(person, "13-swap")
    person.apply(steps=1)
    person.step("Risk")
    expect(page.get_by_text("Chances of exchanges are known to nobody outside.")).to_be_visible()
    assert person.violations() == []
    shoot(person, "14-risk-after-swap")


def test_numbers_have_forms_that_anybody_can_use(person: Person) -> None:
    page = person.page
    person.measure(FEWER)
    for kind in ("Microaggregation", "Noise", "Rank swapping", "Data shuffling"):
        perturb(person, kind)
        names = page.get_by_role("group", name="Variables")
        names.get_by_role("checkbox", name="income").check()
        if kind == "Data shuffling":
            given = page.get_by_role("group", name="Given")
            given.get_by_role("checkbox", name="education").check()
        if kind == "Microaggregation":
            expect(page.get_by_text("Variables are divided by")).to_be_visible()
            page.get_by_label("each variable alone, at the least loss").check()
            expect(page.get_by_text("Variables are divided by")).to_have_count(0)
        shown = page.get_by_role("img", name="Distribution of income")
        expect(shown).to_be_visible()
        expect(page.get_by_role("img", name="income before and after")).to_be_visible()
        assert person.violations() == []
        shoot(person, f"15-{kind.split()[0].lower()}")
        person.apply(steps=1)
        person.press("Undo from here (step 1 and later)")
        expect(person.steps_taken).to_have_count(0)
