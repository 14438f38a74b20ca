"""What is recognised of 81 identifiers and 106 harmless columns, with telling names and without."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.errors import InventoryError
from microsafe.schema import Variable
from microsafe.variables.recognise import recognise
from variables.columns import PEOPLE, TIMES, Column, list_columns, repeat

PAGE = Path(__file__).parents[2] / "docs" / "methods" / "inventory.md"
HOW_OFTEN = {1: "in its own record", 3: "in three records", 8: "in eight records"}


@cache
def look(times: int) -> list[tuple[Column, str, str]]:
    """What is found of each column under its telling name, and as `v17`."""
    columns = list_columns()
    frame = pl.DataFrame(
        {f"c{place}": repeat(each.values, times) for place, each in enumerate(columns)},
        strict=False,
    )
    engine = ms.study(frame).engine
    found = []
    for column, traits in zip(columns, engine.traits(), strict=True):
        kind = engine.schema[traits.name].kind
        findings = [
            recognise(Variable(name=name, kind=kind), replace(traits, name=name), len(frame))
            for name in (column.name, "v17")
        ]
        found.append((column, *(name_finding({each.kind for each in some}) for some in findings)))
    return found


def name_finding(kinds: set[str]) -> str:
    if "direct identifier" in kinds:
        return "found"
    return "other finding" if kinds else "nothing"


@pytest.mark.slow
@pytest.mark.parametrize("times", TIMES)
def test_identifiers_are_found_however_often_they_are_repeated(times: int) -> None:
    found = look(times)
    assert len(found) == 81 + 106
    missed = [c.kind for c, named, _ in found if c.identifies and named != "found"]
    assert len(missed) <= 3, missed
    shapes = [c.kind for c, _, bare in found if c.by_shape and bare != "found"]
    assert shapes == []
    for place in (1, 2):
        false = [row[0].name for row in found if not row[0].identifies and row[place] == "found"]
        assert len(false) <= 2, false


@pytest.mark.slow
def test_the_page_has_the_table() -> None:
    assert make_table() in PAGE.read_text("utf-8")


def make_table() -> str:
    """The table of the page."""
    lines = [
        "| each value | called | identifiers: found | other finding | nothing | "
        "harmless: found | other finding | nothing |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for times in TIMES:
        for place, name in ((1, "by a telling name"), (2, "`v17`")):
            counts = Counter((row[0].identifies, row[place]) for row in look(times))
            cells = [
                counts[identifies, what]
                for identifies in (True, False)
                for what in ("found", "other finding", "nothing")
            ]
            lines.append(f"| {HOW_OFTEN[times]} | {name} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def test_values_of_a_panel_are_judged_by_person() -> None:
    codes = [f"{each:07d}x{each * 7 % 13}" for each in range(PEOPLE)]
    frame = pl.DataFrame({"pid": repeat(range(PEOPLE), 3), "v17": repeat(codes, 3)})
    rows = {row.name: row for row in ms.study(frame).inventory().rows}
    assert rows["v17"].barred
    (alone,) = ms.study(frame.select("v17")).inventory().rows
    assert not alone.barred  # nothing tells who has several records


def test_labels_of_codes_are_looked_at_as_values() -> None:
    names = list_columns()[44].values[:58]
    labels = dict(enumerate(names, 1))
    variable = Variable(name="v17", kind="integer", labels=labels)
    frame = pl.DataFrame({"v17": repeat(range(1, 59), 4)})
    traits = ms.study(frame, variables={"v17": ms.Declaration(labels=labels)}).engine.traits()
    (finding,) = recognise(variable, traits[0], len(frame))
    assert finding.kind == "direct identifier"
    assert "labels of its codes" in finding.reason
    assert not any(name in finding.reason for name in names)


def test_a_person_says_once_that_something_is_no_identifier(tmp_path: Path) -> None:
    frame = pl.DataFrame({"tin": [f"{each:010d}" for each in range(PEOPLE)]})
    assert ms.study(frame).inventory().barred == ("tin",)
    book = tmp_path / "book.csv"
    book.write_text("variable,identifying\ntin,no\n")
    (row,) = ms.study(frame, codebook=book).inventory().rows
    assert (row.barred, row.findings, row.group) == (False, (), "answer")
    assert row.reason == "It is declared to be no identifier."
    book.write_text("variable,identifying\ntin,yes\n")
    (row,) = ms.study(frame.head(10), codebook=book).inventory().rows
    assert row.barred


@pytest.mark.parametrize(
    "name",
    ["fname", "lname", "q1_name", "respondent", "Jméno", "Příjmení", "Priezvisko", "Név",
     "Vezetéknév", "Prenume", "Nume", "Ad", "Soyadı", "Имя", "Фамилия", "Отчество", "Ім'я",
     "Прізвище", "Име", "Όνομα", "ΕΠΩΝΥΜΟ", "Prezime", "Priimek", "Vārds", "Uzvārds", "Pavardė",
     "Eesnimi", "Kunjom", "Sloinne", "Nafn", "الاسم", "姓名", "氏名", "이름", "受访者姓名"],
)  # fmt: skip
def test_names_of_persons_by_headers_in_every_script(name: str) -> None:
    frame = pl.DataFrame({name: repeat(list_columns()[44].values, 3)})
    assert ms.study(frame).inventory().barred == (name,)


def test_a_panel_with_identifiers_is_refused(tmp_path: Path) -> None:
    kinds = ("German tax number", "IBAN", "name", "surname", "passport", "IP")
    columns = {each.kind: each for each in list_columns() if each.identifies}
    panel = {columns[kind].name: repeat(columns[kind].values, 3) for kind in kinds}
    frame = pl.DataFrame(panel).with_columns(
        region=pl.int_range(pl.len()) % 4, sex=pl.int_range(pl.len()) % 2
    )
    frame.write_csv(tmp_path / "panel.csv")
    study = ms.study(tmp_path / "panel.csv", keys=["region", "sex"])
    assert set(study.inventory().barred) == set(panel)
    with pytest.raises(InventoryError, match="direct identifiers"):
        study.suppress(k=2).write(tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
