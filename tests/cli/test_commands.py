"""The command line: names, JSON fields, exit codes and files that others script against."""

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

KEYS = "region,hsize,sex,age"
OPTIONS = ["--keys", KEYS, "--weight", "weight"]


Capture = pytest.CaptureFixture[str]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_risk_json(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "risk", survey, *OPTIONS, "--household", "household", "--limit", 0.01, "--json"
    )
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert {"records", "cells", "sample_uniques", "risk", "household", "limit"} <= set(found)
    assert set(found["risk"]) == {"max", "expected", "rate"}
    assert {"max", "expected", "rate"} <= set(found["household"])
    assert set(found["limit"]) == {"limit", "unsafe", "bound"}
    assert set(found["limit"]["bound"]) == {"expected", "rate"}
    study = ms.study(survey, keys=KEYS.split(","), weight="weight", household="household")
    assert found["estimator"] == "model"
    assert found["risk"]["expected"] == study.risk().expected


def test_absent_parts_are_null(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "risk", survey, *OPTIONS, "--json")
    assert json.loads(out)["household"] is None
    assert json.loads(out)["limit"] is None


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_records_file_with_identifiers(
    survey: Path, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"records{suffix}"
    named = ["--records", out, "--id", "household,occupation"]
    assert run(capsys, "risk", survey, *OPTIONS, *named)[0] == 0
    frame = pl.read_csv(out) if suffix == ".csv" else pl.read_parquet(out)
    assert frame.columns == ["household", "occupation", "f", "F", "risk", "risk_cell"]
    values = pl.read_csv(survey).select("household", "occupation")
    assert frame.select(values.columns).cast(pl.String).equals(values.cast(pl.String))
    plain = ms.study(survey, keys=KEYS.split(","), weight="weight").risk().records()
    assert frame.select(plain.columns).equals(plain)
    out.unlink()
    code, _, err = run(capsys, "risk", survey, *OPTIONS, "--records", out, "--id", "houshold")
    assert code == 3
    assert "'houshold'" in err
    assert not out.exists()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_records_file(
    survey: Path, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"records{suffix}"
    code, *_ = run(capsys, "risk", survey, *OPTIONS, "--household", "household", "--records", out)
    assert code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    frame = pl.read_csv(out) if suffix == ".csv" else pl.read_parquet(out)
    assert frame.columns == ["f", "F", "risk", "risk_cell", "household_risk"]
    direct = ms.study(survey, keys=KEYS.split(","), weight="weight", household="household").risk()
    assert frame.equals(direct.records())
    first = out.read_bytes()
    run(capsys, "risk", survey, *OPTIONS, "--household", "household", "--records", out)
    assert out.read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
@pytest.mark.parametrize("cumulative", [[], ["--cumulative"]])
def test_plot_file_has_the_same_bytes_each_time(
    survey: Path,
    suffix: str,
    cumulative: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paths = [tmp_path / f"{name}{suffix}" for name in "ab"]
    for path in paths:
        plot = ["--limit", 0.01, "--plot", path, *cumulative]
        assert run(capsys, "risk", survey, *OPTIONS, *plot)[0] == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_limit(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wish, value in (("--risk", 0.01), ("--rate", 0.005), ("--expected", 2), ("--unsafe", 50)):
        code, out, _ = run(capsys, "limit", survey, *OPTIONS, wish, value, "--json")
        assert code == 0
        found = json.loads(out)
        assert {"limit", "unsafe", "bound"} <= set(found)
        code, text, _ = run(capsys, "limit", survey, *OPTIONS, wish, value)
        assert f"{found['unsafe']:,}" in text
    _, out, _ = run(capsys, "limit", survey, *OPTIONS, "--unsafe", 50, "--json")
    assert json.loads(out)["unsafe"] <= 50


def test_a_known_population(survey: Path, tmp_path: Path, capsys: Capture) -> None:
    frame = pl.read_csv(survey)
    register = tmp_path / "register.csv"
    pl.concat([frame] * 3).write_csv(register)
    counts = tmp_path / "counts.parquet"
    frame.group_by(KEYS.split(",")).len("people").write_parquet(counts)
    code, out, _ = run(capsys, "risk", survey, *OPTIONS, "--population", register, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["population"]["people"] == 3 * len(frame)
    assert found["population"]["use"] == "check"
    given = ["--population", counts, "--population-count", "people", "--population-use", "F"]
    _, out, _ = run(capsys, "risk", survey, *OPTIONS, *given, "--json")
    assert json.loads(out)["risk"]["max"] == 1.0
    _, out, _ = run(capsys, "limit", survey, *OPTIONS, *given, "--risk", 0.4, "--json")
    assert json.loads(out)["unsafe"] > 0
    frame[5:].write_csv(register)
    given = ["--population", register, "--population-use", "F"]
    code, _, err = run(capsys, "risk", survey, *OPTIONS, *given)
    assert code == 3
    assert "register.csv has fewer people than the sample" in err
    code, *_ = run(capsys, "risk", survey, *OPTIONS, *given[:2], "--records", register)
    assert code == 2


def test_limit_on_households(survey: Path, tmp_path: Path, capsys: Capture) -> None:
    named = [survey, *OPTIONS, "--household", "household", "--estimator", "cell"]
    for wish, value in (("--household-risk", 0.05), ("--household-rate", 0.02),
                        ("--household-expected", 5), ("--expected-households", 5)):  # fmt: skip
        code, out, _ = run(capsys, "limit", *named, wish, value, "--json")
        found = json.loads(out)
        assert code == 0
        assert {"limit", "unsafe", "bound", "households", "members"} <= set(found)
    _, _, err = run(capsys, "limit", *named, "--rate", 0.005)
    assert "The limit is on the risk of a record" in err
    _, out, _ = run(capsys, "limit", *named, "--rate", 0.005, "--json")
    assert any(
        "--" not in text and "households have" in text for text in json.loads(out)["notices"]
    )
    safe, limit = tmp_path / "safe.csv", found["limit"]
    code, _, _ = run(capsys, "suppress", *named, "--household-above", limit, "-o", safe)
    assert code == 0
    picture = tmp_path / "homes.svg"
    code, out, _ = run(
        capsys, "risk", safe, *named[1:], "--household-limit", limit, "--household-plot", picture,
        "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["household_limit"]["unsafe"] == 0
    assert json.loads(out)["limit"] is None
    assert picture.stat().st_size


def test_describe(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "describe", survey, "--json")
    found = json.loads(out)
    assert code == 0
    assert {"records", "variables"} <= set(found)
    assert set(found["variables"][0]) == {
        "name", "label", "type", "categories", "missing", "numbers", "texts", "role",
        "meaning", "sensitive", "reason", "place", "combinations", "uniques", "adds"
    }  # fmt: skip
    code, out, _ = run(capsys, "describe", survey)
    assert "citizenship" in out


def test_missing_and_attack_options(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["risk", survey, "--keys", "region,citizenship,age", "--weight", "weight", "--json"]
    figures = set()
    for more in ([], ["--missing", "category"], ["--alpha", 0.5], ["--attack", "ratio"],
                 ["--attack", "weight"], ["--attack", "random"], ["--factor", 0.5],
                 ["--error", "age=5%,region=0.01"],
                 ["--approximation", "series2"], ["--na", "1"]):  # fmt: skip
        code, out, _ = run(capsys, *base, *more)
        assert code == 0
        figures.add(json.loads(out)["risk"]["expected"])
    assert len(figures) == 10


def test_explain(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "risk", survey, *OPTIONS, "--explain")
    assert code == 0
    assert "If one key were left out" in out
    assert "Riskiest combinations of keys" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["risk"],
        ["risk", "survey.csv"],
        ["rsik", "survey.csv"],
        ["risk", "survey.csv", "--keys", ""],
        ["risk", "survey.csv", "--keys", "sex,sex"],
        ["risk", "survey.csv", "--keys", "sex", "--limit", "2"],
        ["risk", "survey.csv", "--keys", "sex", "--limit", "nan"],
        ["risk", "survey.csv", "--keys", "sex", "--alpha", "-1"],
        ["risk", "survey.csv", "--keys", "sex", "--alpha", "0.5", "--missing", "category"],
        ["risk", "survey.csv", "--keys", "sex", "--factor", "0"],
        ["risk", "survey.csv", "--keys", "sex", "--attack", "ratio"],
        ["risk", "survey.csv", "--keys", "sex", "--error", "age=0.1"],
        ["risk", "survey.csv", "--keys", "sex", "--error", "sex"],
        ["risk", "survey.csv", "--keys", "sex", "--error", "sex=1"],
        ["risk", "survey.csv", "--keys", "sex", "--weight", "sex"],
        ["risk", "survey.csv", "--keys", "sex", "--records", "out.doc"],
        ["risk", "survey.csv", "--keys", "sex", "--id", "household"],
        ["risk", "survey.csv", "--keys", "sex", "--plot", "out.csv"],
        ["risk", "survey.csv", "--keys", "sex", "--cumulative"],
        ["risk", "survey.csv", "--keys", "sex", "--explain", "--json"],
        ["risk", "survey.csv", "--keys", "sex", "--sheet", "one"],
        ["risk", "survey.csv", "--keys", "sex", "--encoding", "nonsense"],
        ["limit", "survey.csv", "--keys", "sex"],
        ["limit", "survey.csv", "--keys", "sex", "--risk", "0.1", "--rate", "0.1"],
        ["limit", "survey.csv", "--keys", "sex", "--unsafe", "1.5"],
        ["limit", "survey.csv", "--keys", "sex", "--household-rate", "0.1"],
        ["risk", "survey.csv", "--keys", "sex", "--household-limit", "0.1"],
        ["suppress", "survey.csv", "--keys", "sex", "-o", "out.csv"],
        ["risk", "survey.csv", "--keys", "sex", "--population-use", "F"],
    ],
)
def test_wrong_usage_is_2(
    arguments: list[str],
    survey: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(survey.parent)
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err
    assert "Traceback" not in err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"microsafe {ms.__version__}\n"


@pytest.mark.slow
def test_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "there"
    code, out, _ = run(capsys, "demo", "--folder", folder)
    assert code == 0
    left = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(left) == {
        "survey.sav", "risk.svg", "records.csv", "plan.toml", "plan.lock", "safe.sav",
        "report.html", "public.html",
    }  # fmt: skip
    assert "expected re-identifications" in out
    hand = next(line for line in out.splitlines() if line.startswith("  microsafe risk"))
    code, again, _ = run(capsys, *hand.split()[1:])
    assert code == 0
    assert again.splitlines()[1:5] == out.splitlines()[1:5]
    assert run(capsys, "replay", folder / "plan.toml", "--check")[0] == 0
    assert run(capsys, "demo", "--folder", folder)[0] == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == left


def test_stopping_leaves_no_file(
    survey: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "records.csv"
    out.write_text("old")

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pl.DataFrame, "write_csv", stop)
    code, _, err = run(capsys, "risk", survey, *OPTIONS, "--records", out)
    assert code == 130
    assert "no output file was changed" in err
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["records.csv"]


def test_an_unforeseen_error_does_not_quote_data(
    survey: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("value secret in row 5")

    monkeypatch.setattr(ms.Study, "risk", fail)
    code, out, err = run(capsys, "risk", survey, *OPTIONS)
    assert (code, out) == (3, "")
    assert "secret" not in err
    assert "RuntimeError" in err


def test_as_a_process(survey: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "microsafe", "risk", survey, *OPTIONS, "--json"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
        text=True,
    )
    assert json.loads(done.stdout)["records"] > 0
    assert done.stderr == ""
