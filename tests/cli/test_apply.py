"""Steps of any kind on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.plan.values import read_step
from microsafe.steps import (
    Drop,
    Microaggregate,
    Pram,
    RankSwap,
    Recode,
    Round,
    Sample,
    Shuffle,
    Step,
    Swap,
)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("microaggregate variables=income", Microaggregate(variables=("income",))),
        (
            "microaggregate variables='a b,income' k=5 method=one weights=true why='as agreed'",
            Microaggregate(
                variables=("a b", "income"), k=5, method="one", weights=True, why="as agreed"
            ),
        ),
        ("microaggregate variables=2020,2021", Microaggregate(variables=("2020", "2021"))),
        (
            "rank_swap variables=income percent=7 seed=3",
            RankSwap(variables=("income",), percent=7, seed=3),
        ),
        (
            "shuffle variables=income given=age,sex seed=3",
            Shuffle(variables=("income",), given=("age", "sex"), seed=3),
        ),
        (
            "swap household=hh areas=region,town rate=10% seed=3 "
            '\'profile=[["size", "type"], ["size"]]\'',
            Swap(
                household="hh",
                areas=("region", "town"),
                profile=(("size", "type"), ("size",)),
                rate=0.1,
                seed=3,
            ),
        ),
        ("round variable=income base=10", Round(variable="income", base=10)),
        ("round variable=2020 base=0.5", Round(variable="2020", base=0.5)),
        ("recode variable=age breaks=0,20,60", Recode(variable="age", breaks=(0, 20, 60))),
        ("recode variable=sex 'groups={9 = [1, 2]}'", Recode(variable="sex", groups={"9": (1, 2)})),
        (
            "pram variable=region within=[[A,B],[C,D]] seed=3",
            Pram(variable="region", within=(("A", "B"), ("C", "D")), seed=3),
        ),
        ("drop variables=income", Drop(variables=("income",))),
        ("sample fraction=10% seed=1", Sample(fraction=0.1, seed=1)),
    ],
)
def test_steps_are_written_as_in_plans(text: str, step: Step) -> None:
    assert read_step(text, "--step 1") == step


def test_a_working_file(survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.csv"
    steps = ["--step", "microaggregate variables=income k=4 weights=true strata=sex"]
    steps += ["--step", "rank_swap variables=age seed=918273645"]
    roles = ["--keys", "region,sex", "--weight", "weight", "--household", "household"]
    assert main(["apply", str(survey), *roles, *steps, "-o", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "Steps on survey.csv, written to out.csv" in shown
    assert "microaggregate income in groups of 4 or more: " in shown
    assert "Values that changed places: age: " in shown
    assert "A working file, not a release" in shown
    study = ms.study(survey, keys=["region", "sex"], weight="weight", household="household")
    made = study.microaggregate("income", k=4, weights=True, strata="sex")
    made.rank_swap("age", seed=918273645).write(tmp_path / "same.csv")
    assert out.read_bytes() == (tmp_path / "same.csv").read_bytes()
    assert pl.read_csv(out)["age"].sort().equals(pl.read_csv(survey)["age"].sort())
    assert main(["apply", str(survey), *roles, *steps, "-o", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["do"] for each in found["steps"]] == ["microaggregate", "rank_swap"]
    assert 0 < found["steps"][0]["variance_lost"] < 0.1
    assert "income" not in found["unchanged"]
    assert "hsize" in found["unchanged"]
    assert "918273645" not in json.dumps(found) + shown


@pytest.mark.parametrize(
    ("step", "code", "words"),
    [
        ("microagregate variables=income", 2, "Did you mean 'microaggregate'"),
        ("microaggregate variables=income kk=3", 2, "--step 1: unknown field 'kk'"),
        ("microaggregate variables=income k", 2, "write 'k' as WORD=VALUE"),
        ("microaggregate variables=income k=three", 2, "It must be a whole number."),
        ("microaggregate", 2, "--step 1 lacks 'variables'"),
        ("rank_swap variables=income", 2, "--step 1 lacks 'seed', a whole number."),
        ("", 2, "must begin with the kind of step"),
        ("drop variables='income", 2, "must begin with the kind of step"),
        ("microaggregate variables=incme", 3, "Did you mean 'income'"),
        ("microaggregate variables=income k=5000", 3, "do not make two groups of 5,000"),
        ("microaggregate variables=income weights=true", 2, "no weight to average by"),
    ],
)
def test_what_is_refused_writes_nothing(
    survey: Path, step: str, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = survey.with_name("out.csv")
    assert main(["apply", str(survey), "--step", step, "-o", str(out)]) == code
    assert words in capsys.readouterr().err
    assert not out.exists()


def test_a_weight_needs_keys(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(survey.with_name("out.csv"))
    step = ["--step", "drop variables=income", "-o", out]
    assert main(["apply", str(survey), "--weight", "weight", *step]) == 2
    assert "Name the keys as well" in capsys.readouterr().err


@pytest.mark.slow
def test_threads_make_no_difference(survey: Path) -> None:
    found = set()
    for threads in ("1", "3"):
        out = survey.with_name(f"out{threads}.csv")
        given = {"POLARS_MAX_THREADS": threads, "OMP_NUM_THREADS": threads}
        steps = [
            "microaggregate variables=income,age k=4",
            "rank_swap variables=income seed=5",
            "shuffle variables=age given=income,education seed=5",
        ]
        command = [sys.executable, "-m", "microsafe", "apply", str(survey), "-o", str(out)]
        command += [word for step in steps for word in ("--step", step)]
        subprocess.run(command, check=True, env=os.environ | given, capture_output=True)
        found.add(out.read_bytes())
    assert len(found) == 1
