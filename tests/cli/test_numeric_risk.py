"""`microsafe numeric-risk`: JSON fields, pairing, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main

Capture = pytest.CaptureFixture[str]
SURVEY = ms.survey(1, households=300).frame.with_row_index("id")


def run(capsys: Capture, *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    SURVEY.write_csv(before)
    done = protected(ms.study(SURVEY, keys=["region", "sex"], weight="weight"))
    done.engine.table().write_csv(after)  # type: ignore[attr-defined]
    return before, after


def protected(study: ms.Study) -> ms.Study:
    return study.noise("income", seed=4).recode("region", breaks=(4, 8))


def test_json_is_what_python_says(files: tuple[Path, Path], capsys: Capture) -> None:
    given = ("numeric-risk", *files, "--variables", "income", "--weight", "weight")
    code, out, err = run(capsys, *given, "--keys", "region,sex", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert {"rate", "expected", "outer"} <= set(found["linkage"])
    assert set(found["linkage"]["outer"]) >= {"rate", "expected", "records"}
    assert found["intervals"]["width"] == 0.05
    study = protected(ms.study(SURVEY, keys=["region", "sex"], weight="weight"))
    assert found == study.numeric_risk("income").summary()
    assert study.numeric_risk() == study.numeric_risk(["income"])
    code, out, _ = run(capsys, *given, "--ranks", "1%", "--json")
    assert json.loads(out)["intervals"]["by"] == "ranks"


def test_records_are_paired_by_an_identifier(files: tuple[Path, Path], capsys: Capture) -> None:
    before, after = files
    given = ("--variables", "income", "--json")
    _, in_place, _ = run(capsys, "numeric-risk", before, after, *given)
    pl.read_csv(after).sample(fraction=1.0, shuffle=True, seed=1).write_csv(after)
    code, out, _ = run(capsys, "numeric-risk", before, after, *given, "--id", "id")
    assert code == 0
    assert json.loads(out) == json.loads(in_place)
    _, out, _ = run(capsys, "numeric-risk", before, after, *given)
    assert json.loads(out)["linkage"]["rate"] < json.loads(in_place)["linkage"]["rate"]


def test_text(files: tuple[Path, Path], capsys: Capture) -> None:
    code, out, _ = run(capsys, "numeric-risk", *files, "--variables", "income")
    assert code == 0
    assert "linked to their own original" in out
    assert "an upper bound for others" in out


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--variables", "incom"], 3, "Did you mean 'income'"),
        (["--variables", "const"], 3, "one value only"),
        (["--variables", "empty"], 3, "has no value in any record"),
        (["--variables", "text"], 3, "holds text instead of a number"),
        (["--variables", "income", "--id", "region"], 3, "same value in several records"),
        (["--variables", "income", "--repeats", "3"], 2, "needs the plan"),
        (["--variables", "income", "--width", "2"], 2, "between 0 and 1"),
        ([], 2, "--variables"),
    ],
)
def test_bad_input(
    options: list[str], code: int, words: str, files: tuple[Path, Path], capsys: Capture
) -> None:
    for path in files:
        pl.read_csv(path).with_columns(
            pl.lit(1).alias("const"), pl.lit(None).alias("empty"), pl.lit("a").alias("text")
        ).write_csv(path)
    try:
        found = run(capsys, "numeric-risk", *files, *options)
    except SystemExit as stopped:
        found = (int(str(stopped.code)), *capsys.readouterr())
    assert found[0] == code
    assert words in found[2]


def test_files_of_other_records(files: tuple[Path, Path], capsys: Capture) -> None:
    before, after = files
    pl.read_csv(after).head(100).write_csv(after)
    code, _, err = run(capsys, "numeric-risk", before, after, "--variables", "income")
    assert code == 3
    assert "cannot be paired by their place" in err
    code, *_ = run(capsys, "numeric-risk", before, after, "--variables", "income", "--id", "id")
    assert code == 0
    pl.read_csv(after).with_columns(pl.col("id") + 10**6).write_csv(after)
    code, _, err = run(capsys, "numeric-risk", before, after, "--variables", "income", "--id", "id")
    assert code == 3
    assert "that no record of before.csv has" in err


PLAN = """
microsafe = 1
[input]
file = "before.csv"
[scenario]
keys = ["region", "sex"]
weight = "weight"
estimator = "cell"
[[step]]
do = "noise"
variables = ["income"]
[output]
file = "safe.csv"
"""


def test_chances_of_keys_are_those_of_the_plan(files: tuple[Path, Path], capsys: Capture) -> None:
    before = files[0]
    plan, after = (before.with_name(name) for name in ("plan.toml", "noisy.csv"))
    pram = '[[step]]\ndo = "pram"\nvariable = "region"\nkeep = 0.4\nseed = 7\n[output]'
    plan.write_text(PLAN.replace('["income"]', '["income"]\nseed = 5').replace("[output]", pram))
    given = ("--variables", "income", "--json")
    code, out, _ = run(capsys, "numeric-risk", before, plan, *given)
    assert code == 0
    found = json.loads(out)
    study = ms.study(before, keys=["region", "sex"], weight="weight")
    done = study.noise("income", seed=5).pram("region", keep=0.4, seed=7)
    assert found == done.numeric_risk("income").summary()
    assert found["perturbed"] == "PRAM of region"
    done.engine.table().write_csv(after)  # type: ignore[attr-defined]
    code, out, _ = run(capsys, "numeric-risk", before, after, *given, "--keys", "region,sex")
    assert code == 0
    assert json.loads(out)["perturbed"] is None  # and all keys count as kept
    assert json.loads(out)["linkage"]["rate"] > found["linkage"]["rate"]


def test_repeats_over_a_plan(files: tuple[Path, Path], capsys: Capture) -> None:
    before = files[0]
    plan = before.with_name("plan.toml")
    plan.write_text(PLAN)
    given = ("numeric-risk", before, plan, "--variables", "income", "--json")
    code, out, _ = run(capsys, *given, "--repeats", "4")
    assert code == 0
    found = json.loads(out)
    assert found["repeats"] == 4
    study = ms.study(before, keys=["region", "sex"], weight="weight")
    draws = [study.noise("income", seed=seed).numeric_risk() for seed in range(4)]
    several = [each.linkage.all.rate for each in draws]
    assert found["linkage"]["rate"] == pytest.approx(sum(several) / 4, abs=0.02)
    assert not before.with_name("safe.csv").exists()
    code, _, err = run(capsys, "numeric-risk", files[1], plan, "--variables", "income")
    assert code == 3
    assert "is not the input of plan.toml" in err
    with pytest.raises(ms.UsageError, match="nothing to repeat"):
        study.round("income", 100).numeric_risk(repeats=2)
    with pytest.raises(ms.UsageError, match="No step has changed a numeric variable"):
        study.numeric_risk()


def test_two_files_are_told_how_far_values_were_swapped(tmp_path: Path, capsys: Capture) -> None:
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    SURVEY.write_csv(before)
    swapped = ms.study(SURVEY, keys=[]).rank_swap(["income", "age"], percent=10, seed=1)
    swapped.engine.table().write_csv(after)  # type: ignore[attr-defined]
    given = ("numeric-risk", before, after, "--variables", "income,age", "--json")
    code, out, _ = run(capsys, *given, "--window", "10")
    assert code == 0
    assert json.loads(out) == swapped.numeric_risk(["income", "age"]).summary()
    _, out, _ = run(capsys, *given)
    assert json.loads(out)["linkage"]["window"] is None
    code, _, err = run(capsys, *given, "--window", "101")
    assert (code, "from above 0 to 100" in err) == (2, True)
