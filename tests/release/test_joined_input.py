"""Plans, commands and the app on two files: persons, and their households."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import UsageError
from microsafe.io import digest
from microsafe.plan.read import read_plan
from microsafe.plan.script import script

Capture = pytest.CaptureFixture[str]
OF_HOUSEHOLDS = ["region", "hsize"]
JOIN = ("--join", "households.csv", "--on", "household")
REASONS = {"override": {"estimator": "a test", "gaps": "a test"}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    frame = ms.survey(1, households=150).frame
    homes = frame.select("household", *OF_HOUSEHOLDS).unique("household", maintain_order=True)
    frame.drop(OF_HOUSEHOLDS).write_csv(tmp_path / "persons.csv")
    homes.reverse().write_csv(tmp_path / "households.csv")
    frame.write_csv(tmp_path / "whole.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def risk_of(capsys: Capture, *files: str) -> object:
    keys = ("--keys", "region,sex,hsize", "--weight", "weight", "--household", "household")
    assert main(["risk", *files, *keys, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return {name: each for name, each in found.items() if name != "source"}


@pytest.mark.usefixtures("folder")
def test_the_risk_is_that_of_one_file(capsys: Capture) -> None:
    assert risk_of(capsys, "persons.csv", *JOIN) == risk_of(capsys, "whole.csv")


@pytest.mark.usefixtures("folder")
def test_commands_refuse_to_write_onto_either(capsys: Capture) -> None:
    before = Path("households.csv").read_bytes()
    keys = ("--keys", "region,sex")
    for command in (
        ("risk", "persons.csv", *JOIN, *keys, "--records", "households.csv"),
        ("codebook", "persons.csv", *JOIN, "-o", "households.csv"),
        ("suppress", "persons.csv", *JOIN, *keys, "--k", "2", "-o", "households.csv"),
    ):
        assert main(list(command)) == 2, command
        assert "households.csv is the input file" in capsys.readouterr().err
    assert main(["preview", "persons.csv", "--join", "households.csv"]) == 2
    assert "(on)" in capsys.readouterr().err
    assert main(["preview", "persons.csv", "--join", "nowhere.csv", "--on", "household"]) == 3
    assert Path("households.csv").read_bytes() == before


def make_plan(folder: Path) -> Path:
    target = folder / "plan.toml"
    options = ["--keys", "region,sex", "--weight", "weight", "--household", "household"]
    options += ["--above", "0.5", "--estimator", "cell", "--file-name", "safe.csv"]
    options += ["--override", "estimator=a test", "--override", "gaps=a test"]
    assert main(["plan", "new", "persons.csv", *JOIN, *options, "-o", str(target)]) == 0
    target.write_text(target.read_text().replace('why = ""', 'why = "a test"'))
    return target


@pytest.mark.slow
def test_a_plan_locks_both_files(folder: Path, capsys: Capture) -> None:
    plan = make_plan(folder)
    given = read_plan(plan, draw_seeds=True).input
    assert (given.join, given.on) == ("households.csv", "household")
    assert given.checksums == {name: digest(folder / name) for name in given.checksums}
    assert main(["protect", str(plan)]) == 0, capsys.readouterr().err
    lock = json.loads(plan.with_suffix(".lock").read_text())
    assert lock["input"] == given.checksums
    safe = pl.read_csv(folder / "safe.csv", infer_schema=False)
    assert set(OF_HOUSEHOLDS) <= set(safe.columns)
    assert main(["replay", str(plan), "--check"]) == 0
    capsys.readouterr()
    shutil.copy("households.csv", "kept.csv")
    homes = pl.read_csv("households.csv", infer_schema=False)
    homes.reverse().write_csv("households.csv")
    assert main(["replay", str(plan), "--check"]) == 3
    assert "households.csv is not the file that the plan was made for" in capsys.readouterr().err
    text = plan.read_text().replace(f'join_sha256 = "{given.join_sha256}"\n', "")
    plan.write_text(text)
    assert main(["replay", str(plan), "--check"]) == 1
    assert "input" in capsys.readouterr().out
    shutil.copy("kept.csv", "households.csv")
    assert main(["replay", str(plan), "--check"]) == 0


def test_what_a_plan_may_not_say(folder: Path) -> None:
    plan = make_plan(folder)
    text = plan.read_text()
    plan.write_text(text.replace('on = "household"\n', ""))
    with pytest.raises(UsageError, match="'join' names the file of households and 'on' its key"):
        read_plan(plan, draw_seeds=True)
    plan.write_text(text.replace('file = "safe.csv"', 'file = "households.csv"'))
    assert main(["protect", str(plan)]) == 2


def test_the_script_of_a_plan_joins_too(folder: Path) -> None:
    text = script(read_plan(make_plan(folder), draw_seeds=True))
    assert "join='households.csv', on='household'" in text
    assert "sha256" not in text
    (folder / "safe.csv").unlink(missing_ok=True)
    exec(compile(text, "script", "exec"), {})  # noqa: S102
    assert (folder / "safe.csv").exists()


def test_python_releases_both(folder: Path) -> None:
    keys = ["region", "sex"]
    study = ms.study("persons.csv", join=Path("households.csv"), on="household", keys=keys)
    (folder / "out").mkdir()
    keep = dict.fromkeys(study.schema.names, "a test")
    done = study.release("out", keep=keep, policy=ms.Policy(**REASONS))
    assert done.allowed, done
    given = read_plan(folder / "out" / "persons-safe.toml").input
    assert (given.join, given.join_sha256) == ("../households.csv", digest(Path("households.csv")))
    assert main(["replay", "out/persons-safe.toml", "--check"]) == 0


def test_frames_become_one_input(folder: Path) -> None:
    persons = pl.read_csv("persons.csv")
    study = ms.study(persons, join="households.csv", on="household", keys=["region", "sex"])
    keep = dict.fromkeys(study.schema.names, "a test")
    done = study.release("out", keep=keep, policy=ms.Policy(**REASONS), input=Path("in.parquet"))
    assert done.allowed
    assert set(OF_HOUSEHOLDS) <= set(pl.read_parquet("in.parquet").columns)
    assert read_plan(folder / "out" / "frame-safe.toml").input.join is None


def test_compare_joins_the_original_only(folder: Path, capsys: Capture) -> None:
    shutil.copy("whole.csv", "after.csv")
    names = ["--keys", "region,sex", "--json"]
    assert main(["compare", "persons.csv", "after.csv", *JOIN, *names]) == 0
    assert json.loads(capsys.readouterr().out)["blanks"] == 0
