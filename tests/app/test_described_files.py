"""Variables: how a file is read, what is said of each variable, and what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from app.client import Page, running
from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.plan.model import Input

NUMBER = {"type": "number", "missing": ["NA"]}


@pytest.fixture
def messy(page: Page, folder: Path) -> Page:
    """A text file as people get it."""
    rng = np.random.default_rng(5)
    records = 400
    ages = rng.integers(15, 90, records).astype(str)
    ages[:12] = "NA"
    pl.DataFrame(
        {
            "age": ages,
            "sex": rng.integers(1, 3, records),
            "income": [f"{a}.{b:03},50" for a, b in rng.integers(1, 999, (records, 2))],
            "born": [f"{d:02}.{m:02}.1990" for d, m in rng.integers(1, 13, (records, 2))],
            "w": np.round(rng.uniform(1, 9, records), 3),
            "edu": rng.choice(["low", "mid", "high"], records),
        }
    ).write_csv(folder / "messy.csv", separator=";")
    page.ask("POST /api/open", {"folder": 0, "path": "messy.csv"})
    return page


def apply(page: Page, declarations: dict[str, Any], **more: Any) -> Any:
    return page.ask("PUT /api/metadata", {"declarations": declarations, **more})


def preview(page: Page, name: str, **said: Any) -> Any:
    return page.ask("POST /api/metadata/preview", {"name": name, "declaration": said})


def test_words_that_look_like_missing_are_proposed(messy: Page) -> None:
    found = messy.ask("GET /api/metadata")
    assert found["options"] == ["encoding", "separator", "comment"]
    (proposal,) = found["proposals"]
    assert (proposal["name"], proposal["words"]) == ("age", ["NA"])
    apply(messy, {"age": proposal["declaration"]})
    found = messy.ask("GET /api/metadata")
    assert found["proposals"] == []
    assert found["declarations"]["age"]["missing"] == ["NA"]
    age = next(e for e in messy.ask("GET /api/variables")["variables"] if e["name"] == "age")
    assert (age["numeric"], age["missing"]) == (True, 12)


def test_a_variable_is_seen_as_it_would_be_read(messy: Page) -> None:
    found = preview(messy, "age", type="number")
    assert "not a number" in found["fault"]
    assert found["odd"] == [{"code": "NA", "label": "", "records": 12, "weighted": None}]
    found = preview(messy, "age", **NUMBER)
    assert found["fault"] == ""
    assert found["missing"] == 12
    assert sum(each["records"] for each in found["bins"]) == 388
    found = preview(messy, "born", type="date", dates="%d.%m.%Y")
    assert (found["type"], found["fault"]) == ("date", "")
    found = preview(messy, "sex", type="category", labels={"1": "men", "2": "women"})
    assert [each["label"] for each in found["categories"]] == ["men", "women"]
    assert messy.ask("GET /api/metadata")["declarations"] == {}


def test_values_of_few_records_are_not_shown_as_odd(page: Page, folder: Path) -> None:
    lines = ["age", *map(str, range(20, 60)), "about thirty", *["k.A."] * 5]
    (folder / "a.csv").write_text("\n".join(lines) + "\n")
    page.ask("POST /api/open", {"folder": 0, "path": "a.csv"})
    found = preview(page, "age", type="number")
    assert [each["code"] for each in found["odd"]] == ["k.A."]
    assert found["odd_others"] == 1
    refused = page.ask(
        "PUT /api/metadata", {"declarations": {"age": {"type": "number"}}}, status=422
    )
    assert "2 of 42 different values of 'age' are not a number" in refused["error"]
    assert "thirty" not in str(refused)


def test_many_odd_values_are_people_and_not_shown(page: Page, folder: Path) -> None:
    names = [f"firm {number % 250}" for number in range(1000)]
    pl.DataFrame({"employer": names, "sex": [1, 2] * 500}).write_csv(folder / "firms.csv")
    page.ask("POST /api/open", {"folder": 0, "path": "firms.csv"})
    found = preview(page, "employer", type="number")
    assert found["odd"] == []
    assert found["odd_others"] == 250


def test_order_labels_and_marks_are_applied(messy: Page) -> None:
    apply(
        messy,
        {
            "edu": {"type": "category", "order": ["low", "mid", "high"], "label": "Education"},
            "income": {"type": "number", "decimal": ",", "thousands": ".", "unit": "EUR"},
        },
    )
    known = {each["name"]: each for each in messy.ask("GET /api/variables")["variables"]}
    assert known["edu"]["label"] == "Education"
    assert known["income"]["kind"] == "number"
    assert known["income"]["label"] == "income (EUR)"
    edu = messy.ask("GET /api/explore", name="edu")
    assert [each["text"] for each in edu["counts"]] == ["low", "mid", "high"]


def test_marks_for_the_whole_file(messy: Page) -> None:
    apply(messy, {}, reading={"decimal": ",", "thousands": ".", "na": ["auto"]})
    known = {each["name"]: each["kind"] for each in messy.ask("GET /api/variables")["variables"]}
    assert known["income"] == "number"
    assert messy.ask("GET /api/metadata")["reading"]["decimal"] == ","


def test_roles_prefill_the_scenario(messy: Page) -> None:
    before = messy.ask("GET /api/study")
    found = apply(
        messy,
        {
            "sex": {"role": "key"},
            "age": {**NUMBER, "role": "key", "level": 2},
            "w": {"role": "weight"},
        },
    )
    assert found["scenarios"] == []
    assert found["roles"]["keys"] == ["sex", "age"]
    assert found["roles"]["levels"] == {"age": 2}
    assert found["file"]["metadata"] != before["file"]["metadata"]
    roles = {each["name"]: each["role"] for each in messy.ask("GET /api/variables")["variables"]}
    assert {name for name, role in roles.items() if role == "key"} == {"age", "sex"}
    assert roles["w"] == "weight"


def test_scenario_and_steps_are_taken_again(messy: Page) -> None:
    messy.ask("PUT /api/scenario", {"keys": ["sex", "edu"]})
    messy.ask("POST /api/steps", {"do": "drop", "variables": ["born"]})
    found = apply(messy, {"sex": {"labels": {"1": "men", "2": "women"}}})
    assert [each["step"]["do"] for each in found["steps"]] == ["drop"]
    assert found["scenarios"][0]["keys"] == ["sex", "edu"]
    found = apply(messy, {})
    assert messy.ask("GET /api/metadata")["declarations"] == {}


def test_another_sheet_asks_before_it_gives_up_steps(page: Page, folder: Path) -> None:
    pytest.importorskip("xlsxwriter")
    import xlsxwriter

    with xlsxwriter.Workbook(folder / "b.xlsx") as book:
        for sheet, names in (("Notes", ["remark", "by"]), ("Data", ["sex", "edu"])):
            made = book.add_worksheet(sheet)
            made.write_row(0, 0, names)
            for row in range(1, 60):
                made.write_row(row, 0, [row % 2, row % 3])
    page.ask("POST /api/open", {"folder": 0, "path": "b.xlsx"})
    found = page.ask("GET /api/metadata")
    assert found["sheets"] == ["Notes", "Data"]
    assert found["options"] == ["sheet"]
    page.ask("PUT /api/scenario", {"keys": ["remark", "by"]})
    change = {"reading": {"sheet": "Data"}}
    refused = page.ask("PUT /api/metadata", change, status=409)
    assert "do not fit" in refused["error"]
    assert page.ask("GET /api/study")["names"] == ["remark", "by"]
    found = page.ask("PUT /api/metadata", change | {"fresh": True})
    assert (found["names"], found["scenarios"]) == (["sex", "edu"], [])


def test_it_outlives_a_crash(messy: Page, session: Session, folder: Path) -> None:
    apply(messy, {"age": NUMBER}, reading={"thousands": "'"})
    session.close()
    again = Session(Folders(roots=(folder.resolve(),)))
    enter_file(again, Input(file=str(folder / "messy.csv")), resuming=True)
    with running(again) as page:
        found = page.ask("GET /api/metadata")
        assert found["declarations"]["age"]["type"] == "number"
        assert found["reading"]["thousands"] == "'"
        age = page.ask("GET /api/variables")["variables"][0]
        assert (age["kind"], age["missing"]) == ("number", 12)
    again.close()


def test_an_earlier_session_is_resumed_as_it_was_read(messy: Page, folder: Path) -> None:
    apply(messy, {"age": NUMBER})
    found = messy.ask("POST /api/open", {"folder": 0, "path": "messy.csv"})
    assert found["saved"]["declared"] == 1
    assert messy.ask("GET /api/metadata")["declarations"] == {}
    messy.ask("POST /api/resume")
    assert set(messy.ask("GET /api/metadata")["declarations"]) == {"age"}
    assert (folder / "messy.csv").exists()


@pytest.mark.parametrize("form", ["csv", "xml", "rda"])
def test_codebooks_go_out_and_come_in(messy: Page, folder: Path, form: str) -> None:
    apply(
        messy,
        {
            "age": {**NUMBER, "role": "key", "level": 2},
            "sex": {"type": "category", "labels": {"1": "men", "2": "women"}, "role": "key"},
        },
    )
    files = messy.ask("GET /api/codebook", format=form)["files"]
    assert files[0]["name"] == f"messy-codebook.{form}"
    for each in files:
        (folder / each["name"]).write_text(each["text"])
    names = [each["name"] for each in messy.ask("GET /api/files", files="codebook")["entries"]]
    assert f"messy-codebook.{form}" in names
    found = messy.ask("POST /api/codebook", {"folder": 0, "path": f"messy-codebook.{form}"})
    assert found["unknown"] == []
    said = found["declarations"]
    assert said["sex"]["labels"] == {"1": "men", "2": "women"}
    assert said["age"]["role"] == "key"
    apply(messy, said)


def test_a_codebook_of_another_file_is_told(messy: Page, folder: Path) -> None:
    (folder / "c.csv").write_text("variable,label\nsex,Sex\nheight,Height\n")
    found = messy.ask("POST /api/codebook", {"folder": 0, "path": "c.csv"})
    assert found["unknown"] == ["height"]
    assert set(found["declarations"]) == {"sex"}


def test_it_becomes_part_of_the_plan(messy: Page) -> None:
    apply(messy, {"age": NUMBER}, reading={"thousands": "'"})
    messy.ask("PUT /api/scenario", {"keys": ["sex", "edu"]})
    plan = messy.ask("GET /api/plan")["plan"]
    assert "[variables.age]" in plan
    assert 'thousands = "\'"' in plan


def test_what_is_not_understood_is_refused(messy: Page) -> None:
    for said, told in (
        ({"agee": NUMBER}, "Did you mean 'age'?"),
        ({"age": {"type": "numbr"}}, "number"),
        ({"age": {"order": ["1", "1"]}}, "twice"),
        ({"age": {"type": "text", "decimals": 2}}, "does not apply"),
    ):
        refused = messy.raw("PUT /api/metadata", {"declarations": said})
        assert refused.status == 422
        assert told in refused.json()["error"]
    assert messy.ask("GET /api/metadata")["declarations"] == {}


def test_a_text_with_comments_and_mixed_kinds(page: Page, folder: Path) -> None:
    ages = [*map(str, range(20, 60)), "unsure", ""]
    text = "# made by hand\nage,sex\n" + "# more\n".join(f"{age},m\n" for age in ages)
    (folder / "noted.csv").write_text(text)
    page.ask("POST /api/open", {"folder": 0, "path": "noted.csv", "comment": "#"})
    found = page.ask("GET /api/metadata")
    assert (found["reading"]["comment"], "comment" in found["options"]) == ("#", True)
    age = page.ask("GET /api/variables")["variables"][0]
    assert (age["numbers"], age["texts"], age["missing"]) == (40, 1, 1)
    assert preview(page, "age")["mixture"] == "40 numbers, 1 text, 1 missing"
    assert preview(page, "sex")["mixture"] == ""
    apply(page, {}, reading={"comment": "#", "na": ["unsure"]})
    assert preview(page, "age")["mixture"] == ""
    page.ask("PUT /api/scenario", {"keys": ["age", "sex"]})
    assert 'comment = "#"' in page.ask("GET /api/plan")["plan"]
