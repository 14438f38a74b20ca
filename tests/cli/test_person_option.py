"""`--person` on the command line and in plans: figures, files, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from microsafe.cli import main
from person_oracle import make_panel

KEYS = ["--keys", "sex,born,region", "--weight", "w"]
PERSON = [*KEYS, "--person", "pid", "--wave", "wave"]


@pytest.fixture
def panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pl.DataFrame:
    monkeypatch.chdir(tmp_path)
    made = make_panel(21, absent=0.2).with_columns(income=pl.int_range(pl.len()) % 7)
    made.write_csv("panel.csv")
    return made


def ask(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict:
    assert main([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_risk_is_of_persons(panel: pl.DataFrame, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--estimator", "cell", "--one-estimator"]
    plain = ask(capsys, "risk", "panel.csv", *KEYS, *options)
    told = ask(
        capsys, "risk", "panel.csv", *PERSON, *options, "--limit", "0.1", "--records", "o.csv"
    )
    persons = panel["pid"].n_unique()
    assert (plain["records"], told["records"]) == (len(panel), persons)
    assert "unit" not in plain
    assert (told["unit"], told["household"]) == ("persons", None)
    rows = pl.read_csv("o.csv")
    assert rows.columns == ["f", "F", "risk"]
    assert len(rows) == len(panel)
    whole = ask(capsys, "risk", "panel.csv", *PERSON, *options, "--person-weights", "file")
    assert whole["risk"]["expected"] < told["risk"]["expected"]
    assert {row["unit"] for row in told["intruders"] if row["not_tried"] is None} == {"persons"}


@pytest.mark.parametrize(
    "command",
    [
        ["limit", "--risk", "0.1"],
        ["combinations", "--k", "2", "--max-size", "2"],
        ["uniques", "--max-size", "2"],
        ["tabulate"],
        ["file-risk"],
    ],
)
def test_other_commands_take_persons(
    command: list[str], panel: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(capsys, command[0], "panel.csv", *PERSON, *command[1:])


def test_suppression_writes_all_records(
    panel: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = ["--keep", "pid=links the waves"]
    told = ask(capsys, "suppress", "panel.csv", *PERSON, "--above", "0.05", *keep, "-o", "safe.csv",
               "--estimator", "cell")  # fmt: skip
    after = pl.read_csv("safe.csv")
    assert after["pid"].to_list() == panel["pid"].to_list()
    assert told["after"]["unsafe"] == 0
    assert told["total"] == sum(
        after[key].null_count() - panel[key].null_count() for key in told["blanks"]
    )


@pytest.mark.slow
def test_a_plan_protects_and_replays_by_person(
    panel: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "new", "panel.csv", *PERSON, "--above", "0.2", "-o", "plan.toml"]) == 0
    text = Path("plan.toml").read_text()
    assert 'person = "pid"' in text
    assert 'do = "renumber"\nvariable = "pid"' in text
    recode = '[[step]]\ndo = "recode"\nvariable = "born"\nbreaks = [2]\n\n[[step]]\ndo = "suppress"'
    text = text.replace('[[step]]\ndo = "suppress"', recode)
    Path("plan.toml").write_text(text.replace('why = ""', 'why = "Analysis of change"'))
    capsys.readouterr()
    assert main(["protect", "plan.toml"]) == 0, capsys.readouterr().err
    safe = pl.read_csv("panel-safe.csv")
    assert len(safe) == len(panel)
    assert safe["pid"].n_unique() == panel["pid"].n_unique()
    report = Path("report.html").read_text()
    assert "persons, each with several records" in report
    assert "region@2" in report
    assert "Persons above it" in report
    assert "Largest risk of a person" in report
    assert "Largest risk of a record" not in report
    assert main(["replay", "plan.toml", "--check"]) == 0
    assert main(["propose", "plan.toml"]) == 2
    assert "proposed by record" in capsys.readouterr().err


def test_waves_that_only_order_tells_are_not_shuffled(
    panel: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    panel.sort("pid", "wave").drop("wave").write_csv("panel.csv")
    roles = ["--keys", "sex,region", "--weight", "w", "--person", "pid"]
    assert main(["plan", "new", "panel.csv", *roles, "--above", "0.2", "-o", "plan.toml"]) == 0
    text = Path("plan.toml").read_text()
    Path("plan.toml").write_text(text.replace('why = ""', 'why = "Analysis of change"'))
    capsys.readouterr()
    assert main(["protect", "plan.toml"]) == 2
    assert "Name the variable that tells waves apart" in capsys.readouterr().err
    assert not Path("panel-safe.csv").exists()


def test_bad_persons_are_a_sentence(
    panel: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    panel.with_columns(pid=pl.lit(1)).write_csv("panel.csv")
    assert main(["risk", "panel.csv", *PERSON]) == 3
    assert "'pid' of panel.csv is the same in all records" in capsys.readouterr().err
    assert main(["risk", "panel.csv", *KEYS, "--wave", "wave"]) == 2
    assert "(person)" in capsys.readouterr().err


def test_describe_and_check_tell_panels(
    panel: pl.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(capsys, "describe", "panel.csv")["panel"] == {"person": "pid", "wave": "wave"}
    assert main(["describe", "panel.csv"]) == 0
    assert "person pid (--person), wave wave (--wave)" in capsys.readouterr().out
    told = ask(capsys, "check", "panel.csv", *KEYS, code=1)
    assert any("Say whether pid is the person" in line for line in told["first"])
    named = ask(capsys, "check", "panel.csv", *PERSON, code=1)
    assert (told.get("unit"), named["unit"]) == (None, "persons")
    assert not any("Say whether pid" in line for line in named["first"])
    panel.filter(pl.col("wave") == 1).write_csv("one.csv")
    assert "panel" not in ask(capsys, "describe", "one.csv")
