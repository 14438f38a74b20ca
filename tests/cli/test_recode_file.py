"""suggest, recode, and a plan that is made by options alone."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from microsafe.cli import main
from microsafe.plan.read import read_plan
from microsafe.plan.step_text import write_step
from microsafe.plan.values import read_step

KEYS = ["--keys", "region,sex,age", "--weight", "weight"]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    assert main([*map(str, arguments), "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_suggestions_are_steps_that_can_be_taken(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["suggest", str(survey), *KEYS, "--most", "3"]) == 0
    assert "recode" in capsys.readouterr().out
    found = run(capsys, "suggest", survey, *KEYS, "--most", "3", "--limit", "5%")["suggestions"]
    assert isinstance(found, list)
    assert len(found) == 3
    out = survey.with_name("out.csv")
    for each in found:
        assert each["expected"]["after"] < each["expected"]["before"]
        done = run(capsys, "apply", survey, *KEYS, "--step", each["step"], "-o", out)
        assert done["steps"]


@pytest.mark.parametrize(
    ("options", "variable", "values"),
    [
        (["--breaks", "0,15,65"], "age", {"0-14", "15-64", "65+"}),
        (["--breaks", "0,15,65", "--names", "a,b,c"], "age", {"a", "b", "c"}),
        (["--groups", "n=1|2|3,s=4..9", "--other", "x"], "region", {"n", "s", "x"}),
        (["--groups", "1=..6,2=7.."], "region", {"1", "2"}),
        (["--keep", "1"], "region", {str(n) for n in range(1, 10)}),
    ],
)
def test_recodes(
    options: list[str],
    variable: str,
    values: set[str],
    survey: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = survey.with_name("out.csv")
    found = run(capsys, "recode", survey, "--variable", variable, *options, "-o", out)
    made = pl.read_csv(out, infer_schema=False)
    assert set(made[variable]) == values
    assert found["categories"]["after"] == len(values)  # type: ignore[index]
    before = pl.read_csv(survey, infer_schema=False)
    assert made.drop(variable).equals(before.drop(variable))
    again = survey.with_name("again.csv")
    run(capsys, "apply", survey, "--step", found["step"], "-o", again)
    assert again.read_bytes() == out.read_bytes()


def test_recode_by_grc(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grc = survey.with_name("region.grc")
    grc.write_text("1:1-6\n2:7-\n")
    out = survey.with_name("out.csv")
    run(capsys, "recode", survey, "--variable", "region", "--grc", grc, "-o", out)
    assert set(pl.read_csv(out, infer_schema=False)["region"]) == {"1", "2"}
    grc.write_text("1:1-6\n2:7-\n<CODELIST> ../labels.cdl\n")
    out.unlink()
    options = ["--variable", "region", "--grc", str(grc), "-o", str(out)]
    assert main(["recode", str(survey), *options]) == 0
    assert "labels.cdl" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--keep", "1", "--names", "a"], 2),
        (["--keep", "1", "--other", "a"], 2),
        (["--groups", "n"], 2),
        (["--breaks", "3,2"], 2),
        (["--breaks", "a"], 2),
    ],
)
def test_recodes_that_make_no_sense(options: list[str], code: int, survey: Path) -> None:
    out = survey.with_name("out.csv")
    try:
        got = main(["recode", str(survey), "--variable", "age", *options, "-o", str(out)])
    except SystemExit as stop:
        got = int(stop.code or 0)
    assert got == code
    assert not out.exists()


@pytest.mark.parametrize(
    "text",
    [
        "recode variable=age breaks=0,15,30",
        "recode variable=region 'groups={n=[1,2],s=[[3,9]]}' other=x",
        "drop variables=income,age",
        "suppress above=0.05 cost={region=2}",
        "top_code variable=age limit=80 label='80 and older'",
        "microaggregate variables=income,rent k=5",
    ],
)
def test_steps_in_words_are_read_again(text: str) -> None:
    step = read_step(text, "here")
    assert read_step(write_step(step), "here") == step


def test_a_plan_by_options(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = survey.with_name("plan.toml")
    made = run(
        capsys, "plan", "new", survey, *KEYS, "--household", "household", "--above", "10%",
        "--k", "2", "--rate", "5%", "--override", "rate=The board said so",
        "--step", "recode variable=age breaks=0,30,60", "--step", "noise variables=income",
        "--drop", "occupation", "--keep", "marital,hsize=Nobody knows it",
        "--keep", "education,citizenship=For analysis",
        "--keep-order", "It was shuffled before", "--file-name", "puf.csv",
        "--report", "board.html", "--why", "A neighbour", "-o", plan,
    )  # fmt: skip
    assert made["undecided"] == []
    found = read_plan(plan, draw_seeds=True, save_seeds=False)
    assert [step.do for step in found.steps] == ["drop", "recode", "noise", "renumber", "suppress"]
    assert "seed" not in plan.read_text()
    assert (found.policy.record_risk, found.policy.k, found.policy.rate) == (0.1, 2, 0.05)
    assert found.policy.override == {"rate": "The board said so"}
    assert (found.steps[-1].above, found.steps[-1].k) == (0.1, 2)
    assert {each.variables: each.why for each in found.keep} == {
        ("marital", "hsize"): "Nobody knows it",
        ("education", "citizenship"): "For analysis",
    }
    assert (found.output.file, found.output.report) == ("puf.csv", "board.html")
    assert found.output.keep_order == "It was shuffled before"
    assert found.scenarios[0].why == "A neighbour"


def test_what_is_left_to_decide_has_a_line(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = survey.with_name("plan.toml")
    run(capsys, "plan", "new", survey, *KEYS, "--household", "household", "-o", plan)
    found = run(capsys, "plan", "check", plan)
    lines = plan.read_text().splitlines()
    undecided = found["undecided"]
    assert isinstance(undecided, list)
    assert undecided
    for each in undecided:
        assert lines[each["line"] - 1] == 'why = ""'
    plan.write_text("\n".join([*lines, "[policy]", "recrod_risk = 0.1"]))
    assert main(["plan", "check", str(plan)]) == 2
    err = capsys.readouterr().err
    assert f"line {len(lines) + 2}" in err
    assert "Did you mean 'record_risk'?" in err
