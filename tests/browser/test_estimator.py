"""The estimator: proposed with a reason, taken with one click, or overruled with a reason."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

import microsafe as ms
from browser.person import Person

KEYS = ("region", "age", "sex", "marital", "education", "occupation", "citizenship")
USE = "Use the estimator “model”"
TABLE = "Two estimators of the same risk"


def test_the_model_is_proposed_and_decides_from_then_on(person: Person, folder: Path) -> None:
    page = person.page
    person.measure({"hsize": "not used"})
    person.fill("Largest risk of a record", "0.02")
    beside = page.get_by_role("table", name=TABLE)
    expect(beside).to_contain_text("by cell (in use)")
    expect(page.get_by_text("of the records are sample uniques. The estimator")).to_be_visible()
    expect(page.get_by_text("times as many as “cell”. Use the").first).to_be_visible()
    study = ms.study(
        folder / "survey.sav",
        keys=KEYS,
        weight="weight",
        household="household",
        estimator="cell",
    )
    measured = study.risk(limit=0.02)
    told = measured.by_other(measured.limit)
    assert told is not None
    assert measured.limit is not None
    row = beside.get_by_role("row", name="records above the limit")
    expect(row.get_by_role("cell").nth(0)).to_have_text(f"{measured.limit.unsafe:,}")
    expect(row.get_by_role("cell").nth(1)).to_have_text(f"{told.above_limit:,}")
    assert person.violations() == []

    person.use_model()
    expect(page.get_by_role("button", name=USE)).to_have_count(0)
    expect(row.get_by_role("cell").nth(0)).to_have_text(f"{told.above_limit:,}")
    person.step("Scenario")
    expect(page.get_by_label("a model of the population")).to_be_checked()

    person.step("Protect")
    person.tab("Recode")
    page.get_by_label("Variable", exact=True).select_option("age")
    person.press("10")
    person.apply(steps=1)
    person.suppress(steps=2)
    person.keep_all()
    person.step("Compare")
    expect(
        page.get_by_role("row", name="records above the limit").get_by_role("cell").nth(1)
    ).to_have_text("0")
    person.press("✓ Confirm")
    person.press("Next: Release")
    person.press("Require the limit in force (0.02)")
    person.press("Save the policy")
    expect(person.verdicts.get_by_text("✓ met")).to_have_count(3)
    person.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()
    assert 'estimator = "model"' in (folder / "release" / "plan.toml").read_text()
    assert "“model” decides" in (folder / "release" / "report.html").read_text()


def test_cell_decides_only_with_a_reason(person: Person, folder: Path) -> None:
    page = person.page
    person.measure({"hsize": "not used"})
    person.keep_all()
    person.step("Release")
    rule = "Expected by the model, as a multiple of cell"
    expect(page.get_by_role("row", name=rule)).to_contain_text("✕ not met")
    assert person.violations() == []
    person.press("Write the release")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was written")
    page.get_by_label(f"{rule}. Release although it is not met: reason").fill("As in 2020")
    person.press("Record the reason")
    expect(page.get_by_role("row", name=rule)).to_contain_text("As in 2020")
    person.fill("Fewest records that share the keys of a record", "1")
    person.press("Save the policy")
    expect(person.verdicts.get_by_text("✓ met")).to_have_count(2)
    expect(page.get_by_role("row", name=rule)).to_contain_text("overridden")
    person.press("Write the release")
    expect(page.get_by_role("heading", name="Released")).to_be_visible()
    assert 'estimator" = "As in 2020"' in (folder / "release" / "plan.toml").read_text()
