"""`uniques`, `tabulate` and `diversity`: JSON fields, exit codes, tables of records."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main

KEYS = ["--keys", "region,sex,age"]
COMMANDS = {
    "uniques": [*KEYS, "--weight", "weight"],
    "tabulate": [*KEYS, "--weight", "weight"],
    "diversity": [*KEYS, "--sensitive", "marital,income"],
}
SECRET = "Kowalski"


def run(*arguments: object) -> int:
    try:
        return main([str(each) for each in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)


def test_uniques(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("uniques", survey, *COMMANDS["uniques"], "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {
        "records", "sample_uniques", "special", "msus", "max_size", "by_size", "by_key", "score",
        "dis", "notices",
    }  # fmt: skip
    assert found["msus"] == sum(found["by_size"].values())
    assert run("uniques", survey, *COMMANDS["uniques"], "--max-size", 2, "--fraction", 0.1) == 0
    text = capsys.readouterr().out
    assert "up to 2 keys" in text
    assert "Share of each key in the score" in text


def test_tabulate(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--dimensions", "1,3", "--min-count", 0, "--min-weight", 500]
    assert run("tabulate", survey, *COMMANDS["tabulate"], *options, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["by_dimension"]) == {"1", "3"}
    assert found["thresholds"] == {"count": None, "weight": 500}
    assert run("tabulate", survey, *COMMANDS["tabulate"], "--dimensions", "2-99") == 0
    text = capsys.readouterr().out
    assert "3-way tables" in text
    assert "1-way tables" not in text


def test_diversity(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--ordered", "income", "--l", 3, "--c", 4, "--t", 0.3]
    assert run("diversity", survey, *COMMANDS["diversity"], *options, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["sensitive"]) == {"marital", "income"}
    assert (found["l"], found["c"], found["t"]) == (3, 4, 0.3)
    assert run("diversity", survey, *COMMANDS["diversity"], *options) == 0
    assert "records below 3" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_records(survey: Path, tmp_path: Path, command: str, suffix: str) -> None:
    out = tmp_path / f"records.{suffix}"
    assert run(command, survey, *COMMANDS[command], "--records", out, "--json") == 0
    written = pl.read_csv(out) if suffix == "csv" else pl.read_parquet(out)
    assert written.height == pl.read_csv(survey).height
    assert written.null_count().sum_horizontal()[0] == 0


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "options",
    [
        ["--keys", ""],
        ["--attack", "random"],
        ["--missing", "expected"],
        ["--records", "out.docx"],
        ["--max-size", "0"],
        ["--fraction", "0"],
        ["--dimensions", "0"],
        ["--dimensions", "3-1"],
        ["--dimensions", "x"],
        ["--min-weight", "0"],
        ["--sensitive", "sex"],
        ["--sensitive", ""],
        ["--ordered", "age"],
        ["--c", "0"],
    ],
)
def test_wrong_usage(
    survey: Path, command: str, options: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Every option is out of range, or not one of the command's."""
    monkeypatch.chdir(tmp_path)
    assert run(command, survey, *COMMANDS[command], *options) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("content", "options", "named"),
    [
        (f"region,sex,age,marital,income\n1,1,{SECRET},1,1\n", ["--keys", "regoin"], "'regoin'"),
        (f"region,sex,age,marital,income\n,1,{SECRET},1,1\n", [], "'region'"),
        ("region,sex,age,marital,income\n", [], "file.csv"),
        (f"region,sex,age,marital,income\n1,1,{SECRET},1,1,7\n", [], "file.csv"),
        (f"region,sex,age,marital,income\n1,1,{SECRET},1,1\n", ["--records", "no/out.csv"], "no"),
    ],
    ids=["key absent", "key missing", "no records", "too many fields", "no folder"],
)
def test_bad_input(
    command: str, content: str, options: list[str], named: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file.csv").write_text(content)
    usual = [*KEYS, "--sensitive", "marital"] if command == "diversity" else KEYS
    assert run(command, "file.csv", *usual, *options, "--json") == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert named in err
    assert SECRET not in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["maritla", "empty"])
def test_sensitive_variables_that_are_not_there(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.csv"
    path.write_text(f"region,marital,empty\n1,{SECRET},\n2,x,\n")
    assert run("diversity", path, "--keys", "region", "--sensitive", name) == 3
    err = capsys.readouterr().err
    assert repr(name) in err
    assert SECRET not in err


@pytest.mark.slow
def test_labels_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("demo", "--folder", tmp_path / "demo") == 0
    path = tmp_path / "demo" / "survey.sav"
    assert run("tabulate", path, "--keys", "region,marital", "--min-count", 50) == 0
    labels = ms.survey(households=30).schema["marital"].labels.values()
    shown = capsys.readouterr().out.partition("Records in sparse cells")[2]
    assert any(label in shown for label in labels)
