"""Plans say of variables what the file does not: read, printed, replayed, and found in the file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli.main import main
from microsafe.plan.model import plan_text
from microsafe.plan.open import open_plan
from microsafe.plan.read import read_plan
from microsafe.plan.run import run
from microsafe.plan.script import script

HEAD = """microsafe = 1

[input]
file = "people.csv"
decimal = ","
thousands = "."
"""
PLAN = (
    HEAD
    + """
[variables.age]
type = "number"
label = "Age in years"
missing = ["NA", -9]
decimals = 0
role = "key"

[variables.sex]
missing = 9
labels = { 1 = "male", 2 = "female", 9 = "refused" }
role = "key"

[variables.w]
role = "weight"

[[step]]
do = "recode"
variable = "age"
breaks = [18, 65]

[[keep]]
variables = ["income"]
why = "Needed"

[output]
file = "safe.FORMAT"
keep_order = "A test"
"""
)


def make_people(folder: Path) -> None:
    rows = ["age;sex;income;w"]
    rows += [f"{20 + n % 50};{1 + n % 2};1.2{n:02d},5;{n % 3 + 1},5" for n in range(60)]
    rows += ["NA;9;100,25;2", "-9;1;1.000.000,5;2", "34;2;;1"]
    (folder / "people.csv").write_text("\n".join(rows) + "\n", "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_people(tmp_path)
    return tmp_path


def write_plan(folder: Path, text: str = PLAN, form: str = "csv") -> Path:
    path = folder / "plan.toml"
    path.write_text(text.replace("FORMAT", form), "utf-8")
    return path


def test_a_plan_reads_what_is_said_and_prints_it_again(folder: Path) -> None:
    plan = read_plan(write_plan(folder))
    assert plan.variables["age"] == ms.Declaration(
        type="number", label="Age in years", missing=("NA", -9), decimals=0, role="key"
    )
    assert plan.scenarios[0].keys == ("age", "sex")
    assert plan.scenarios[0].weight == "w"
    again = write_plan(folder, plan_text(plan))
    assert read_plan(again) == plan
    assert "variables={'age': ms.Declaration(type='number'" in script(plan)


@pytest.mark.parametrize("form", ["csv", "sav", "parquet"])
def test_a_release_is_read_back_and_replayed_to_the_same_bytes(folder: Path, form: str) -> None:
    path = write_plan(folder, form=form)
    assert main(["protect", str(path)]) == 0
    first = (folder / f"safe.{form}").read_bytes()
    assert main(["replay", str(path), "--check"]) == 0
    assert (folder / f"safe.{form}").read_bytes() == first


def test_numbers_are_written_with_the_marks_of_the_file(folder: Path) -> None:
    path = write_plan(folder)
    run(read_plan(path), folder)
    lines = (folder / "safe.csv").read_text().splitlines()
    assert lines[1] == "18-64;1;1200,5;1,5"
    assert lines[61:] == [";9;100,25;2,0", "-9;1;1000000,5;2,0", "18-64;2;;1,0"]


def test_labels_and_missing_codes_are_written(folder: Path) -> None:
    path = write_plan(folder, form="sav")
    run(read_plan(path), folder)
    written = ms.study(folder / "safe.sav").schema
    assert written["sex"].labels == {"1": "male", "2": "female", "9": "refused"}
    assert written["sex"].missing == ("9",)
    assert written["age"].label == "Age in years"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'type = "number"',
            'tipe = "number"',
            r"line 9: unknown field 'tipe'. Did you mean 'type'",
        ),
        ('type = "number"', 'type = "numbr"', r"line 9.*Did you mean 'number'"),
        ('role = "weight"', 'role = "wieght"', r"line 21.*Did you mean 'weight'"),
        ("decimals = 0", "decimals = -1", r"\[variables.age\], line 8: decimals must lie"),
    ],
)
def test_errors_name_the_line(folder: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(ms.UsageError, match=message):
        read_plan(write_plan(folder, PLAN.replace(old, new)))


def test_a_variable_that_is_not_there_names_the_line(folder: Path) -> None:
    plan = read_plan(write_plan(folder, PLAN.replace("[variables.w]", "[variables.ww]")))
    with pytest.raises(ms.UsageError, match=r"\[variables.ww\], line 20: .* has no variable 'ww'"):
        open_plan(plan, folder)


def test_a_study_plans_what_was_declared(folder: Path) -> None:
    said = {"age": ms.Declaration(type="number", missing=("NA",), role="key")}
    study = ms.study(folder / "people.csv", variables=said, decimal=",", thousands=".")
    plan = study.plan()
    assert plan.variables["age"].missing == ("NA",)
    assert plan.variables["income"].type == "number"
    assert (plan.input.decimal, plan.input.thousands) == (",", ".")
    _, again = open_plan(plan, folder)
    assert again.engine.table().equals(study.engine.table())


def test_words_that_were_found_are_written_down(folder: Path) -> None:
    plan = ms.study(folder / "people.csv", keys=["sex"], na="auto").plan()
    assert plan.input.na == ()
    assert plan.variables == {"age": ms.Declaration(missing=("NA",))}


def test_frames_come_back_as_declared() -> None:
    frame = pl.DataFrame({"age": ["34", "NA", "7"], "sex": ["m", "f", "m"]})
    study = ms.study(frame, variables={"age": ms.Declaration(type="number", missing="NA")})
    assert study.frame["age"].to_list() == [34.0, None, 7.0]
