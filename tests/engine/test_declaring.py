"""What is said of variables: values and metadata are as declared, alike in both engines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import microsafe as ms
from microsafe.errors import UnknownVariableError

pytestmark = pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")

LINES = [
    "age;income;born;sex;edu;w",
    "34;1.234,50;31.12.1990;1;low;2",
    "NA;250,00;01.02.1985;2;high;3",
    "-9;1.000.000,25;.;1;middle;1,5",
    "41;;15.07.1979;9;low;2",
    "34;99,5;15.07.1979;2;high;4",
]
SAID = {
    "age": ms.Declaration(type="number", missing=("NA", "-9"), decimals=0, label="Age in years"),
    "income": ms.Declaration(type="number", decimal=",", thousands=".", unit="EUR"),
    "born": ms.Declaration(type="date", dates="%d.%m.%Y", missing=(".",)),
    "sex": ms.Declaration(type="category", missing=(9,), labels={1: "male", 2: "female"}),
    "edu": ms.Declaration(type="category", order=("low", "middle", "high")),
}
Open = Callable[..., ms.Study]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "people.csv"
    found.write_text("\n".join(LINES) + "\n", "utf-8")
    return found


@pytest.fixture(params=["local", "spark"])
def opened(request: pytest.FixtureRequest, path: Path) -> Open:
    if request.param == "spark":
        request.getfixturevalue("spark")

    def open_study(**options: Any) -> ms.Study:
        return ms.study(path, engine=request.param, **options)

    return open_study


def test_values_are_as_declared(opened: Open) -> None:
    table = opened(variables=SAID).engine.table()
    assert table["age"].to_list() == [34, None, -9, 41, 34]
    assert table["income"].to_list() == [1234.5, 250.0, 1000000.25, None, 99.5]
    assert table["born"].to_list() == [
        date(1990, 12, 31),
        date(1985, 2, 1),
        None,
        date(1979, 7, 15),
        date(1979, 7, 15),
    ]
    assert table["sex"].to_list() == ["1", "2", "1", "9", "2"]


def test_metadata_are_as_declared(opened: Open) -> None:
    schema = opened(variables=SAID).schema
    age, income, sex, edu = (schema[name] for name in ("age", "income", "sex", "edu"))
    assert (age.kind, age.measure, age.missing, age.label) == (
        "integer",
        "scale",
        (-9,),
        "Age in years",
    )
    assert (income.kind, income.label) == ("number", "income (EUR)")
    assert schema["born"].kind == "date"
    assert (sex.missing, sex.labels, sex.measure) == (
        ("9",),
        {"1": "male", "2": "female"},
        "nominal",
    )
    assert (edu.measure, edu.order) == ("ordinal", ("low", "middle", "high"))


def test_missing_codes_are_missing_in_risk_and_bands(opened: Open) -> None:
    study = opened(variables=SAID, keys=["age", "sex"])
    assert {each.name: each.missing for each in study.describe()}["age"] == 2
    banded = study.recode("age", breaks=(40,))
    assert list(banded.engine.categories("age")) == ["40+", "under 40"]


def test_text_that_is_no_number_is_counted_and_never_quoted(opened: Open) -> None:
    said = {"age": ms.Declaration(type="number", missing=("NA",))}
    assert opened(variables=said).engine.values("age").to_list() == [-9.0, 34.0, 41.0]
    with pytest.raises(ms.InputError, match=r"1 of 4 different values of 'age' are not a number"):
        opened(variables={"age": ms.Declaration(type="number")}).engine.values("age")


def test_declaring_again_starts_from_the_data_as_read(opened: Open) -> None:
    first = opened(variables={"age": ms.Declaration(type="number", missing=("NA",))})
    again = first.declare({"age": ms.Declaration(missing=("NA", "41"))})
    assert again.schema["age"].kind == "text"
    assert {each.name: each.missing for each in again.describe()}["age"] == 2
    back = again.declare({"age": ms.Declaration()})
    assert back.declarations == {}
    assert back.schema["age"].missing == ()


def test_usual_words_are_found_and_taken_by_one_word(opened: Open) -> None:
    plain = opened()
    proposed = plain.propose_declarations()
    assert proposed == {"age": ms.Declaration(missing=("NA",))}
    study = opened(na="auto")
    assert study.declarations == {"age": ms.Declaration(missing=("NA",))}
    assert {each.name: each.missing for each in study.describe()}["age"] == 1


def test_words_among_numbers_with_marks(opened: Open) -> None:
    study = opened(na="auto", decimal=",", thousands=".")
    assert study.declarations["age"].missing == ("NA",)
    assert study.declarations["income"].type == "number"


def test_marks_of_the_whole_file(opened: Open) -> None:
    study = opened(decimal=",", thousands=".")
    assert study.schema["income"].kind == study.schema["w"].kind == "number"
    assert study.schema["age"].kind == study.schema["born"].kind == "text"
    assert study.engine.table()["income"].to_list() == [1234.5, 250.0, 1000000.25, None, 99.5]


def test_roles_make_the_scenario(opened: Open) -> None:
    roles = {
        "age": ms.Declaration(role="key", missing=("NA",)),
        "sex": ms.Declaration(role="key"),
        "w": ms.Declaration(role="weight"),
    }
    (made,) = opened(variables=roles).scenarios
    assert (made.keys, made.weight, made.household) == (("age", "sex"), "w", None)
    assert opened(variables=roles, keys=["edu"]).scenario().keys == ("edu",)


def test_an_unknown_variable_is_refused_with_a_hint(opened: Open) -> None:
    with pytest.raises(UnknownVariableError, match="age"):
        opened(variables={"aeg": ms.Declaration(type="number")})


def test_variables_are_declared_before_the_first_step(opened: Open) -> None:
    study = opened().drop("w")
    with pytest.raises(ms.UsageError, match="before the first step"):
        study.declare(SAID)
