"""What is recognised, and what is not: headers and values in several languages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.engine.local import LocalEngine
from microsafe.io import Source
from microsafe.schema import Schema, Variable
from microsafe.variables.recognise import Finding

ROWS = 400
RNG = np.random.default_rng(13)
FIRST = ("Anna", "Åsa", "Piotr", "John", "Marie-Claire", "José", "Ole", "Łucja", "Zoë", "Jean")
LAST = ("Smith", "O'Neill", "Kowalski", "Müller", "García", "Hansen", "Dupont", "Rossi", "Ek")


def pick(choices: Sequence[Any], count: int = ROWS) -> list[Any]:
    return [choices[each] for each in RNG.integers(0, len(choices), count)]


def find(
    name: str, values: Sequence[Any] | np.ndarray, *, label: str = "", **more: Any
) -> tuple[Finding, ...]:
    """What is found about one variable of a file."""
    frame = pl.DataFrame({name: values}, strict=False)
    schema = ms.study(frame).schema
    variable = Variable(name=name, label=label, kind=schema[name].kind, **more)
    engine = LocalEngine(
        Source(
            schema=Schema(source="file", variables=(variable,)), load=frame.select, columnar=True
        )
    )
    (row,) = ms.Study(engine=engine).inventory().rows
    return row.findings


def kinds(*args: Any, **more: Any) -> list[str]:
    return [each.kind for each in find(*args, **more)]


NAMES = [f"{a} {b}" for a, b in zip(pick(FIRST), pick(LAST), strict=True)]
UNIQUE_NAMES = [f"{a} {chr(65 + i // 26 % 26)}{chr(97 + i % 26)}{b.lower()} {b}"
                for i, (a, b) in enumerate(zip(pick(FIRST), pick(LAST), strict=True))]  # fmt: skip
DAYS = [dt.date(1930, 1, 1) + dt.timedelta(int(each)) for each in RNG.integers(0, 25_000, ROWS)]
SWEDISH = [f"{day:%Y%m%d}{number:04d}" for day, number in zip(DAYS, RNG.integers(0, 9999, ROWS),
                                                              strict=True)]  # fmt: skip
STREETS = [f"{a} {number}" for a, number in
           zip(pick(("Hauptstraße", "rue de Lyon", "Calle Mayor", "Kerkstraat", "Storgatan")),
               RNG.integers(1, 200, ROWS), strict=True)]  # fmt: skip
SENTENCES = [
    f"I was looking for work near {a} since {b} closed the plant in {c}"
    for a, b, c in zip(pick(LAST), pick(FIRST), RNG.integers(1900, 2020, ROWS), strict=True)
]
NUMBERS = np.arange(ROWS) + 1
INCOME = RNG.integers(10, 400, ROWS) * 100


@pytest.mark.parametrize(
    "name",
    ["NAME", "name", "FullName", "first_name", "FIRSTNAME", "Surname", "LAST NAME", "Nachname",
     "Vorname", "Familienname", "prenom", "Prénom", "nom", "NOM_DE_FAMILLE", "apellidos",
     "Nombre", "cognome", "nome", "apelido", "sobrenome", "achternaam", "voornaam", "naam",
     "efternamn", "förnamn", "etternavn", "fornavn", "efternavn", "sukunimi", "etunimi",
     "nazwisko", "imię", "resp_name", "name1"],
)  # fmt: skip
def test_names_of_persons_by_header(name: str) -> None:
    assert kinds(name, NAMES) == ["direct identifier"]


@pytest.mark.parametrize(
    "label",
    ["Name of respondent", "Respondent's name", "Name of the head of household", "Child's name",
     "First name of person", "Nachname der Person", "Nom du répondant", "Nombre de la persona",
     "Nome della madre"],
)  # fmt: skip
def test_names_of_persons_by_label(label: str) -> None:
    assert kinds("Q17", NAMES, label=label) == ["direct identifier"]


@pytest.mark.parametrize(
    ("name", "label"),
    [("REGNAME", "Name of region"), ("region_name", ""), ("Q1", "Name of the municipality"),
     ("country", "Country name"), ("Q2", "Name of the school type"), ("nb", "Nombre de personnes")],
)  # fmt: skip
def test_names_of_places_are_no_names_of_persons(name: str, label: str) -> None:
    values = pick(["North", "South West", "Upper Austria", "New York", "Île de France"])
    assert "direct identifier" not in kinds(name, values, label=label)


def test_names_of_persons_by_their_look() -> None:
    assert kinds("Q17", UNIQUE_NAMES) == ["direct identifier"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Q1", [f"p{i}@example.org" for i in range(ROWS)]),
        ("Q1", [f"+49 30 {i:07d}" for i in range(ROWS)]),
        ("Q1", [f"(555) 123-{i:04d}" for i in range(ROWS)]),
        ("telefon", [f"30{i:07d}" for i in range(ROWS)]),
        ("Q1", STREETS),
        ("Adresse", [f"Dorf {i}" for i in range(ROWS)]),
        ("PNR", SWEDISH),
        ("Q1", [each[:8] + "-" + each[8:] for each in SWEDISH]),
        ("Q1", [int(each) for each in SWEDISH]),
        ("Q1", [f"{day:%d%m%y}-{i:04d}" for i, day in enumerate(DAYS)]),
        ("Q1", [f"{day:%d%m%y}A{i % 1000:03d}X" for i, day in enumerate(DAYS)]),
        ("Q1", [f"{day:%y%m%d}{i:05d}" for i, day in enumerate(DAYS)]),
        ("Q1", [f"{i % 900:03d}-12-{i:04d}" for i in range(ROWS)]),
        ("Q1", [f"RSSMRA{i % 100:02d}A01H{i % 999:03d}{'ABCD'[i // 100]}" for i in range(ROWS)]),
        ("Q1", [f"{12345678 + i}Z" for i in range(ROWS)]),
        ("SSN", [123456789 + i for i in range(ROWS)]),
        ("BSN", [f"{123456789 + i}" for i in range(ROWS)]),
        ("ref", [f"K{i:05d}x{i * 7919 % 977}" for i in range(ROWS)]),
    ],
)
def test_direct_identifiers_by_value_or_header(name: str, values: list[Any]) -> None:
    assert "direct identifier" in kinds(name, values)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("HV221", pick([0, 1])),  # has a telephone
        ("PNR", pick(range(1, 9))),  # number of a person in the household
        ("pers_id", pick(range(1, 9))),
        ("AGE", pick(range(100))),
        ("REGION", pick(range(12))),
        ("INCOME", INCOME),
        ("V1", NUMBERS * 3),
        ("Q1", [f"{each:.2f}".rstrip("0") for each in RNG.random(ROWS) * 900]),
        ("Q1", [f"{each:.2f}".replace(".", ",") for each in RNG.random(ROWS) * 900]),
        ("email", pick(["yes", "no"])),
        ("address_type", pick(["home", "work", "other"])),
        ("occupation", pick(["Chief executives, senior officials and legislators",
                             "Science and engineering professionals of all kinds"])),
    ],
)  # fmt: skip
def test_what_is_no_direct_identifier(name: str, values: Any) -> None:
    label = "Has telephone (land-line)" if name == "HV221" else ""
    assert "direct identifier" not in kinds(name, values, label=label)


@pytest.mark.parametrize("name", ["ID", "Q1", "CASEID", "lopnr", "serial"])
def test_a_unique_whole_number_is_a_record_number(name: str) -> None:
    assert kinds(name, NUMBERS) == ["record number"]
    assert kinds(name, RNG.permutation(NUMBERS)) == ["record number"]
    assert kinds(name, [f"{each:05d}" for each in NUMBERS]) == ["record number"]


def test_a_unique_amount_is_no_record_number() -> None:
    assert kinds("INCOME", NUMBERS * 137) == ["exact number"]
    assert kinds("PY010G", NUMBERS * 137, label="Employee cash or near cash income (gross)") == [
        "exact number"
    ]


@pytest.mark.parametrize(
    ("name", "label"),
    [("hhid", ""), ("HHNUM", ""), ("DB030", "Household ID"), ("HV002", "Household number"),
     ("hhnr", ""), ("Q1", "Haushaltsnummer"), ("Q1", "Numéro du ménage"), ("idhh", ""),
     ("Q1", "Identifier of the household")],
)  # fmt: skip
def test_household_numbers(name: str, label: str) -> None:
    assert "household number" in kinds(name, NUMBERS // 3, label=label)


def test_household_size_is_no_household_number() -> None:
    assert kinds("HSIZE", pick(range(1, 9)), label="Number of persons in household") == []


@pytest.mark.parametrize(
    "values",
    [
        DAYS,
        [f"{day:%Y-%m-%d}" for day in DAYS],
        [f"{day:%d.%m.%Y}" for day in DAYS],
        [f"{day:%m/%d/%Y}" for day in DAYS],
        [f"{day:%d-%b-%Y}" for day in DAYS],
        [f"{day:%Y%m%d}" for day in DAYS],
        [int(f"{day:%Y%m%d}") for day in DAYS],
    ],
)
def test_exact_dates(values: list[Any]) -> None:
    assert "exact date" in kinds("BIRTH", values, label="Date of birth")
    assert "exact date" in kinds("Q1", values)
    assert "direct identifier" not in kinds("BIRTH", values)


@pytest.mark.parametrize(
    "values",
    [
        [day.replace(day=1) for day in DAYS],  # a month
        [f"{day:%Y-%m}" for day in DAYS],
        [day.year for day in DAYS],
        [12 * (day.year - 1900) + day.month for day in DAYS],  # century month code of the DHS
    ],
)
def test_months_and_years_are_no_exact_dates(values: list[Any]) -> None:
    assert "exact date" not in kinds("V011", values, label="Date of birth (CMC)")


def test_a_day_of_birth() -> None:
    assert kinds("V1", [day.day for day in DAYS], label="Day of birth") == ["exact date"]


def test_free_text() -> None:
    assert kinds("Q9", SENTENCES) == ["free text"]
    assert kinds("Q9_oth", pick(["fishing", "hunting", "none"]), label="Other, please specify") == [
        "free text"
    ]
    assert kinds("Bemerkungen", pick(["ja", "nein", "krank"])) == ["free text"]


def test_fine_geography() -> None:
    assert kinds("PLZ", pick([f"{each:05d}" for each in range(10000, 10300)])) == ["fine geography"]
    assert kinds("zip", pick(range(10000, 10300))) == ["fine geography"]
    assert kinds("V001", pick(range(60)), label="Cluster number") == ["fine geography"]
    assert kinds("gem", pick(range(300)), label="Gemeinde des Wohnorts") == ["fine geography"]
    assert kinds("region", pick(range(12)), label="Region of residence") == []


def test_coordinates() -> None:
    assert kinds("LATNUM", RNG.random(ROWS) * 90, label="Latitude") == ["coordinates"]
    assert kinds("lon", RNG.random(ROWS) * 180) == ["coordinates"]
    assert "coordinates" in kinds("Q1", [f"{52 + i / 7919:.5f}, 13.40500" for i in range(ROWS)])
    assert kinds("ratio", RNG.random(ROWS)) == ["exact number"]


def test_exact_numbers() -> None:
    assert kinds("wage", np.round(RNG.lognormal(7, 1, ROWS), 2)) == ["exact number"]
    assert kinds("hours", np.round(RNG.random(ROWS) * 40, 1)) == []
    assert kinds("expend", RNG.permutation(ROWS) * 9973) == ["exact number"]
    assert kinds("savings", RNG.lognormal(9, 2, ROWS)) == ["exact number"]
    assert kinds("weeks", RNG.integers(0, 52, ROWS)) == []
    assert kinds("PWEIGHT", np.round(RNG.random(ROWS) * 400, 2)) == []


@pytest.mark.parametrize(
    "name",
    ["Unnamed: 0", "index", "level_0", "__index_level_0__", "rownames", "_merge", "filter_$"],
)
def test_leftovers(name: str) -> None:
    assert "leftover" in kinds(name, pick([0, 1]))


@pytest.mark.parametrize(
    ("name", "label", "values"),
    [
        # Labour force survey
        ("SEX", "Sex", pick([1, 2])), ("AGE", "Age in completed years", pick(range(90))),
        ("MARSTAT", "Marital status", pick(range(1, 5))),
        ("NATIONAL", "Nationality", pick(range(15))), ("ISCO4D", "Occupation", pick(range(90))),
        ("REGIONW", "Region of place of work", pick(range(20))),
        ("HWUSUAL", "Usual hours of work", pick(range(60))),
        ("YSTARTWK", "", pick(range(1960, 2020))),
        # EU-SILC
        ("RB080", "Year of birth", pick(range(1930, 2005))), ("PE041", "ISCED", pick(range(9))),
        ("HY020", "Total disposable household income", INCOME),
        ("DB040", "Region", pick(["AT1", "AT2", "AT3"])),
        ("PB040", "Personal cross-sectional weight", RNG.random(ROWS) * 900 + 1),
        # DHS
        ("V012", "Respondent's current age", pick(range(15, 50))),
        ("V024", "Region", pick(range(8))),
        ("V025", "Type of place of residence", pick([1, 2])),
        ("V106", "Highest educational level", pick(range(4))),
        ("V005", "Women's individual sample weight (6 decimals)", pick(range(500000, 600000, 777))),
        ("HV009", "Number of household members", pick(range(1, 15))),
        ("HV221", "Has telephone (land-line)", pick([0, 1])),
    ],
)  # fmt: skip
def test_answers_of_official_surveys_are_not_delicate(name: str, label: str, values: Any) -> None:
    assert find(name, values, label=label) == ()


def test_reasons_count_and_never_quote() -> None:
    for name, values in (("Q1", UNIQUE_NAMES), ("PNR", SWEDISH), ("Q9", SENTENCES)):
        (first, *_) = find(name, values)
        assert "400" in first.reason or "different" in first.reason
        assert not any(each in first.reason for each in values)
        assert first.reason.endswith(".")


def test_few_records_are_no_ground_for_recognition() -> None:
    assert find("Q1", [1, 2, 3]) == ()
    assert find("Q1", ["a", "b", "c"]) == ()
    assert find("Q1", [None, None]) == ()
