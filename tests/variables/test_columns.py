"""What is recognised of 81 identifiers and 106 harmless columns, with telling names and without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.errors import InventoryError
from microsafe.schema import Variable
from microsafe.variables.recognise import recognise
from variables.columns import (
    HEX,
    PEOPLE,
    RNG,
    TIMES,
    Column,
    digits,
    given,
    letters,
    list_columns,
    luhn,
    number,
    repeat,
    some,
    surname,
    until,
    weighted,
)

HEADERS = Path(__file__).with_name("identifier_headers.txt")
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


def find_kinds(name: str, values: Sequence[Any]) -> set[str]:
    """What is found of a column whose values stand in three records each."""
    (row,) = ms.study(pl.DataFrame({name: repeat(values, 3)})).inventory().rows
    return {each.kind for each in row.findings}


def read_headers() -> Iterator[tuple[str, str]]:
    kind = ""
    for line in HEADERS.read_text("utf-8").splitlines()[1:]:
        kind = line[2:] if line.startswith("#") else kind
        yield from ((kind, name) for name in ("" if line.startswith("#") else line).split())


def test_usual_headers_over_identifiers() -> None:
    """More than six hundred headers: names, telephones, addresses, and numbers of people."""
    values = {
        "name": [surname() for _ in range(300)],
        "phone": some(lambda: str(number(10**9, 10**10))),
        "address": some(lambda: f"Pl {surname()} {number(1, 99)}"),
        "natid": some(lambda: str(number(10**9, 10**10))),
        "account": some(lambda: "K" + digits(7)),
    }
    headers = list(read_headers())
    assert len(headers) > 600
    looks = {}
    for kind, each in values.items():
        engine = ms.study(pl.DataFrame({"v": repeat(each, 3)})).engine
        looks[kind] = (engine.schema["v"].kind, engine.traits()[0], engine.rows())
    missed = []
    for kind, name in headers:
        stored, traits, records = looks[kind]
        variable = Variable(name=name.replace("_", " "), kind=stored)
        found = recognise(variable, replace(traits, name=name), records)
        if name_finding({each.kind for each in found}) != "found":
            missed.append(name)
    assert len(missed) <= 3, missed


def cnpj() -> str:
    body = digits(8) + "0001"
    for weights in ((5, 4, 3, 2), (6, 5, 4, 3, 2)):
        rest = weighted(body, (*weights, 9, 8, 7, 6, 5, 4, 3, 2)) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return f"{body[:2]}.{body[2:5]}.{body[5:8]}/{body[8:12]}-{body[12:]}"


def chinese() -> str:
    body = f"110101{number(1940, 2005)}{number(1, 13):02d}{number(1, 29):02d}{digits(3)}"
    return body + "10X98765432"[weighted(body, [2**n % 11 for n in range(17, 0, -1)]) % 11]


def nhs_in_groups() -> str | None:
    body = digits(9)
    check = -weighted(body, range(10, 1, -1)) % 11
    return None if check == 10 else f"{body[:3]} {body[3:6]} {body[6:]}{check}"


def passport_line() -> str:
    holder = f"{surname()}<<{given()}".upper()
    return f"P<D<<{holder}".ljust(44, "<")


def position() -> str:
    north, east = (f"{number(1, 60)}°{number(0, 60):02d}'{number(0, 60):02d}\"" for _ in "ab")
    return f"{north}N {east}E"


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (cnpj, "direct identifier"),
        (chinese, "direct identifier"),
        (until(nhs_in_groups), "direct identifier"),
        (lambda: f"'{luhn('4' + digits(14))}", "direct identifier"),  # as spreadsheets quote
        (lambda: f"{luhn('4' + digits(14))}.0", "direct identifier"),  # a fraction, by programs
        (passport_line, "direct identifier"),
        (lambda: f"{given()} <{letters(7, HEX)}@example.org>", "direct identifier"),
        (lambda: "@" + letters(9, HEX), "direct identifier"),
        (lambda: f"10.{number(0, 256)}.0.{number(1, 256)}:{number(1024, 9999)}",
         "direct identifier"),
        (lambda: f"{letters(43)}=", "direct identifier"),
        (lambda: f"1-555-{number(200, 999)}-{digits(4)}", "direct identifier"),
        (lambda: f"600 {digits(3)} {digits(3)}", "direct identifier"),
        (lambda: f"06{digits(8)}", "direct identifier"),
        (lambda: f"HH-{letters(2)} {number(100, 9999)}", "direct identifier"),
        (lambda: f"{letters(2)}-{digits(3)}-{letters(2)}", "direct identifier"),
        (position, "coordinates"),
        (lambda: f"POINT({number(1, 15)}.{digits(5)} {number(40, 55)}.{digits(5)})", "coordinates"),
        (lambda: f"SW{number(1, 20)} {number(1, 9)}{letters(2)}", "fine geography"),
    ],
)  # fmt: skip
def test_shapes_tell_without_a_name(make: Callable[[], str], kind: str) -> None:
    assert find_kinds("v17", some(make)) == {kind}


@pytest.mark.parametrize("name", ["pid", "person_id", "respondent_id", "case_no", "patient_id"])
def test_numbers_of_persons_that_are_repeated(name: str) -> None:
    long, short = some(lambda: number(100_000, 999_999)), some(lambda: number(1, 9999))
    assert find_kinds(name, long) == {"direct identifier"}
    assert find_kinds("v17", long) == set()
    assert "record number" in find_kinds(name, short) or name in ("case_no", "patient_id")


@pytest.mark.parametrize(
    "make",
    [
        lambda: f"{number(0, 1000) / 10} %",
        lambda: f"€ {number(1, 20_000)}",
        lambda: f"{number(1, 99)},{digits(3)},{digits(3)}",
        lambda: f"{number(8, 21):02d}:{number(0, 60):02d}:{number(0, 60):02d}",
        lambda: f"{number(100, 180)}/{number(60, 110)}",
        lambda: f"{letters(1, 'ABCDEFGH')}{digits(2)}.{digits(1)}",
        lambda: f"{letters(1, 'ABC')}{digits(2)}{letters(2)}{digits(2)}",
        lambda: f"{number(1, 13):02d}.{number(1, 9)}.{number(1, 9)}.{number(1, 9)}",
        lambda: f"DE{letters(1, '123456789ABC')}{digits(2)}",
    ],
)
def test_quantities_and_classes_are_no_identifiers_though_all_differ(
    make: Callable[[], str],
) -> None:
    (row,) = ms.study(pl.DataFrame({"v17": some(make)})).inventory().rows
    assert not row.barred


@pytest.mark.parametrize("name", ["account_balance", "phone_minutes", "mobile_bill", "card_fees"])
def test_amounts_under_names_that_mislead(name: str) -> None:
    assert find_kinds(name, [int(each) for each in RNG.integers(0, 10**6, 300)]) == set()


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
