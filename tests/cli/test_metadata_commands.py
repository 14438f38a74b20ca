"""What variables are, on the command line: codebooks, marks, words for missing, previews."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microsafe.app.folders import Folders
from microsafe.app.session import Session
from microsafe.app.views.open import enter_file
from microsafe.cli import main
from microsafe.io import read_codebook, write_codebook
from microsafe.options.declaration import Declaration
from microsafe.plan.model import Input
from microsafe.plan.read import read_plan

MARKS = ("--decimal", ",", "--thousands", ".")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    rows = ["age;sex;income;w"]
    rows += [f"{20 + n % 40};{1 + n % 2};1.{n:03d},5;{n % 3 + 2}" for n in range(80)]
    rows += ["NA;9;100,25;2", "34;2;;3"]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


@pytest.fixture
def codebook(people: Path) -> Path:
    path = people.with_name("codebook.csv")
    said = {
        "age": Declaration(type="number", missing=("NA",), role="key", decimals=0, cost=2.0),
        "sex": Declaration(missing=("9",), labels={"1": "male", "2": "female"}, role="key"),
        "w": Declaration(role="weight"),
    }
    write_codebook(path, said)
    return path


def ask(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    assert main([str(each) for each in arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_keys_and_weight_come_from_the_codebook(
    capsys: pytest.CaptureFixture[str], people: Path, codebook: Path
) -> None:
    named = ask(
        capsys, "risk", people, "--keys", "age,sex", "--weight", "w", "--na", "NA,9", "--json"
    )
    found = ask(capsys, "risk", people, "--codebook", codebook, "--json")
    assert found["risk"] == named["risk"]


def test_without_keys_the_remedy_is_one_line(
    capsys: pytest.CaptureFixture[str], people: Path
) -> None:
    assert main(["risk", str(people)]) == 2
    assert capsys.readouterr().err.strip() == (
        "microsafe: Name the key variables (--keys), or a codebook that declares them (--codebook)."
    )


def test_preview_shows_what_is_read(
    capsys: pytest.CaptureFixture[str], people: Path, codebook: Path
) -> None:
    plain = ask(capsys, "preview", people, "--json")["variables"]
    age = next(each for each in plain if each["name"] == "age")
    assert (age["kind"], age["missing"], age["proposed"]) == ("text", 0, {"missing": ["NA"]})
    declared = ask(
        capsys, "preview", people, "--codebook", codebook, "--decimal", ",", "--thousands", ".",
        "--json",
    )["variables"]  # fmt: skip
    by_name = {each["name"]: each for each in declared}
    assert (by_name["age"]["type"], by_name["age"]["missing"]) == ("number", 1)
    assert by_name["income"]["kind"] == "number"
    assert [(each["label"], each["records"]) for each in by_name["sex"]["categories"]] == [
        ("male", 40),
        ("female", 41),
    ]


def test_a_preview_says_which_values_are_not_as_declared(
    capsys: pytest.CaptureFixture[str], people: Path
) -> None:
    book = people.with_name("wrong.csv")
    write_codebook(book, {"age": Declaration(type="number")})
    (age,) = ask(capsys, "preview", people, "--codebook", book, "--variables", "age", "--json")[
        "variables"
    ]
    assert "1 of 41 different values of 'age' are not a number" in age["fault"]


def test_a_codebook_is_written_with_guesses_and_taken_back(
    capsys: pytest.CaptureFixture[str], people: Path
) -> None:
    book = people.with_name("new.csv")
    assert main(["codebook", str(people), "-o", str(book)]) == 0
    said = read_codebook(book)
    assert tuple(said) == ("age", "sex", "income", "w")
    assert said["age"].missing == ("NA",)
    assert said["age"].role == said["sex"].role == "key"
    capsys.readouterr()
    found = ask(capsys, "risk", people, "--codebook", book, "--json")
    assert found["records"] == 82
    assert main(["codebook", str(people), "-o", str(book), "--no-guess"]) == 0
    assert read_codebook(book)["age"] == Declaration()


def test_a_codebook_does_not_replace_the_metadata_of_the_data(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "lfs.asc").write_text("1\n2\n1\n")
    rda = 'SEX 1 1\n  <RECODEABLE>\n  <CODELIST> "lfs_SEX.cdl"\n'
    (tmp_path / "lfs.rda").write_text(rda)
    (tmp_path / "lfs_SEX.cdl").write_text("1,men\n2,women\n")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    arguments = ["codebook", str(tmp_path / "lfs.asc"), "-o", str(tmp_path / "lfs.rda")]
    assert main(arguments) == 2
    assert "lfs.rda belongs to the data. Choose another name" in capsys.readouterr().err
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_a_new_plan_has_what_the_codebook_says(people: Path, codebook: Path) -> None:
    target = people.with_name("plan.toml")
    told = ["plan", "new", people, "--codebook", codebook, "--above", "0.1", "-o", target]
    assert main([str(each) for each in told]) == 0
    plan = read_plan(target, draw_seeds=True, save_seeds=False)
    assert plan.variables["age"].missing == ("NA",)
    assert plan.scenarios[0].keys == ("age", "sex")
    assert plan.scenarios[0].weight == "w"
    assert plan.steps[-1].cost == {"age": 2.0}


def test_costs_of_the_codebook_are_those_of_suppression(
    capsys: pytest.CaptureFixture[str], people: Path, codebook: Path
) -> None:
    out = people.with_name("out.csv")
    options = ["suppress", people, *MARKS, "--above", "0.4", "-o", out, "--json"]
    found = ask(capsys, *options, "--codebook", codebook)
    named = ask(
        capsys, *options, "--keys", "age,sex", "--weight", "w", "--na", "NA,9", "--cost", "age=2"
    )
    assert found["blanks"] == named["blanks"]


def test_a_file_is_compared_with_its_release_under_the_codebook(
    capsys: pytest.CaptureFixture[str], people: Path, codebook: Path
) -> None:
    out = people.with_name("banded.csv")
    options = [people, "--codebook", codebook, *MARKS]
    step = "recode variable=age breaks=30,40"
    told = ["apply", *options, "--step", step, "-o", out]
    assert main([str(each) for each in told]) == 0
    capsys.readouterr()
    found = ask(capsys, "compare", people, out, "--codebook", codebook, *MARKS, "--json")
    replaced = {each["name"]: each["replaced"] for each in found["losses"]}
    assert replaced == {"age": 81, "sex": 0}


def test_the_app_opens_a_file_with_its_codebook(people: Path, codebook: Path) -> None:
    session = Session(Folders(roots=(people.parent,)))
    enter_file(session, Input(file=str(people), decimal=",", thousands="."), codebook=codebook)
    opened, study = session.current_file()
    session.close()
    assert opened.declarations["age"].missing == ("NA",)
    assert (study.schema["income"].kind, study.schema["age"].kind) == ("number", "integer")


def test_a_codebook_of_another_file_is_refused(
    capsys: pytest.CaptureFixture[str], people: Path
) -> None:
    book = people.with_name("other.csv")
    write_codebook(book, {"height": Declaration(type="number")})
    assert main(["describe", str(people), "--codebook", str(book)]) == 3
    assert "says nothing of the variables of people.csv" in capsys.readouterr().err
    write_codebook(book, {"height": Declaration(type="number"), "sex": Declaration(role="key")})
    assert main(["describe", str(people), "--codebook", str(book)]) == 0
    told = capsys.readouterr()
    assert "height" in told.out + told.err
