"""`combinations` and `suppress`: JSON fields, exit codes, a file that differs in blanks only."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main

KEYS = ["--keys", "region,hsize,sex,age", "--weight", "weight"]


def test_combinations(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["combinations", str(survey), *KEYS, "--above", "0.02", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"by_size", "by_key", "by_key_and_size", "records", "estimator"}
    assert set(found["by_key"]) == {"region", "hsize", "sex", "age"}
    assert sum(found["by_key_and_size"]["age"].values()) == found["by_key"]["age"]
    assert main(["combinations", str(survey), *KEYS, "--k", "2", "--max-size", "2"]) == 0
    assert "By key, combinations it takes part in" in capsys.readouterr().out
    by_code = [*KEYS, "--k", "3", "--by-code", "region", "--levels", "region=1,age=2,sex=2"]
    assert main(["combinations", str(survey), *by_code, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["by_key"]["hsize"] == 0
    assert set(found["by_size"]) <= {"1", "2"}
    regions = found["by_code"]
    assert sum(each["records"] for each in regions) == pl.read_csv(survey).height
    assert sum(each["by_size"]["2"] for each in regions) == found["by_key_and_size"]["region"]["2"]
    assert main(["combinations", str(survey), *by_code]) == 0
    assert "By code of region:" in capsys.readouterr().out
    assert main(["combinations", str(survey), *KEYS, "--k", "3", "--by-code", "regoin"]) == 2
    assert "Did you mean 'region'?" in capsys.readouterr().err


@pytest.mark.parametrize("criterion", [["--above", "0.02"], ["--k", "3"]])
@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
def test_suppress(
    survey: Path,
    tmp_path: Path,
    criterion: list[str],
    guarantee: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "safe.csv"
    options = [*KEYS, *criterion, "--guarantee", guarantee, "-o", str(out), "--estimator", "cell"]
    assert main(["suppress", str(survey), *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"blanks", "total", "records_changed", "before", "after"} <= set(found)
    assert set(found["after"]) == {"max", "expected", "unsafe", "estimator", "model", "gaps"}
    assert found["after"]["estimator"] == "cell"
    assert found["before"]["unsafe"] > found["after"]["unsafe"] == 0
    before = pl.read_csv(survey, infer_schema=False)
    after = pl.read_csv(out, infer_schema=False)
    assert after.columns == before.columns
    changed = {name: int((before[name].ne_missing(after[name])).sum()) for name in before.columns}
    assert {name: count for name, count in changed.items() if count} == {
        name: count for name, count in found["blanks"].items() if count
    }
    assert sum(changed.values()) == found["total"]
    assert (
        after.null_count().sum_horizontal()[0] - before.null_count().sum_horizontal()[0]
        == (found["total"])
    )
    assert main(["suppress", str(survey), *options]) == 0
    assert "Cost of each guarantee" in capsys.readouterr().out


def test_costs_and_spared_keys(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path / "safe.csv"), "--json"]
    main(["suppress", str(survey), *KEYS, "--k", "2", "--cost", "age=9", *out])
    dear = json.loads(capsys.readouterr().out)
    main(["suppress", str(survey), *KEYS, "--k", "2", "--cost", "entropy", *out])
    entropy = json.loads(capsys.readouterr().out)
    assert entropy["blanks"]["sex"] > dear["blanks"]["sex"]
    assert dear["blanks"]["age"] < entropy["total"]
    spare = ["--spare", "age,region,hsize"]
    assert main(["suppress", str(survey), *KEYS, "--k", "2", *spare, *out]) == 1
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert found["stuck"] == found["after"]["unsafe"] > 0
    assert "stay unsafe because keys are spared (age, region, hsize)" in captured.err


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--k", "2"],
        ["--k", "1", "-o", "x.csv"],
        ["--above", "0", "-o", "x.csv"],
        ["--k", "2", "--above", "0.1", "-o", "x.csv"],
        ["--k", "2", "-o", "x.docx"],
        ["--k", "2", "-o", "x.csv", "--spare", "income"],
        ["--k", "2", "-o", "x.csv", "--cost", "age"],
        ["--k", "2", "-o", "x.csv", "--cost", "age=-1"],
        ["--k", "2", "-o", "x.csv", "--guarantee", "any"],
        ["--k", "2", "-o", "x.csv", "--missing", "category"],
    ],
)
def test_wrong_usage(
    survey: Path, options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["suppress", str(survey), *KEYS, *options])
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_every_format_can_be_protected(survey: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(survey)
    for suffix in ("parquet", "sav", "dta", "xpt", "csv"):
        source, target = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
        renamed = frame.rename({name: name[:8] for name in frame.columns})
        ms.study(renamed).write(source)
        keys = [
            "--keys",
            "region,hsize,sex,age",
            "--weight",
            "weight",
            "--k",
            "2",
            "--estimator",
            "cell",
        ]
        assert main(["suppress", str(source), *keys, "-o", str(target), "--json"]) == 0
        roles = {"keys": ["region", "hsize", "sex", "age"], "weight": "weight"}
        safe = ms.study(target, **roles, estimator="cell").risk()  # type: ignore[arg-type]
        assert safe.measured.f.min() >= 2


@pytest.mark.slow
def test_criteria_beyond_risk_and_k(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path / "safe.csv")]
    for options in (
        ["--k", "3", "--up-to", "2"],
        ["--k", "3", "--levels", "region=1,age=2"],
        ["--k", "300", "--people"],
        ["--above", "0.05", "--household-above", "0.1", "--household", "household"],
    ):
        assert main(["suppress", str(survey), *KEYS, *options, *out, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["before"]["unsafe"] > found["after"]["unsafe"] == found["stuck"] == 0
        assert main(["suppress", str(survey), *KEYS, *options, *out]) == 0
        assert "Cost of each guarantee" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "guessed"),
    [
        (["--k", "3", "--up-to", "2"], "–"),
        (["--k", "3", "--levels", "region=1,age=2"], "–"),
        (["--household-above", "0.1", "--household", "household"], "–"),
        (["--k", "300", "--people"], "0"),
        (["--k", "3"], "0"),
    ],
)
def test_unsafe_if_guessed_is_judged_by_the_criterion_or_not_at_all(
    survey: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    guessed: str,
) -> None:
    """Own blanks of complete keys: what records show was safe in the original."""
    out = ["-o", str(tmp_path / "safe.csv"), "--one-estimator"]
    assert main(["suppress", str(survey), *KEYS, *options, *out]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    told = {row[0]: row[-1] for row in rows if row and row[0] in ("own", "strict")}
    assert told == {"own": guessed, "strict": guessed}


def test_levels_are_those_of_python(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path / "safe.csv"), "--json"]
    assert (
        main(["suppress", str(survey), *KEYS, "--k", "5", "--levels", "region=1,age=2", *out]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    study = ms.study(survey, keys=["region", "hsize", "sex", "age"], weight="weight")
    step = study.suppress(k=5, levels={"region": 1, "age": 2}).steps[-1]
    assert found["blanks"] == step.blanks
    for wrong in ("region", "region=x", "region=1,region=2", "region=0", "income=1"):
        try:
            code = main(["suppress", str(survey), *KEYS, "--k", "5", "--levels", wrong, *out])
        except SystemExit as stop:
            code = int(stop.code or 0)
        assert code == 2


def test_no_blank_can_be_read_off_other_members(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--household", "household", "-o", str(tmp_path / "safe.csv")]
    for more in ([], ["--household-above", "0.5"]):
        main(["suppress", str(survey), *KEYS, "--k", "3", *more, *out])
        assert "Suppressed in some members" not in capsys.readouterr().err
        blank = (
            pl.read_csv(tmp_path / "safe.csv")
            .group_by("household")
            .agg(pl.col("region").is_null().mean())
        )
        assert set(blank["region"]) == {0.0, 1.0}


def test_combinations_need_a_size(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["combinations", str(survey), *KEYS, "--k", "2", "--max-size", "0"]) == 2
    assert "(max_size) must be at least 1" in capsys.readouterr().err


def test_sample(survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sample.csv"
    options = ["--fraction", "0.2", "--seed", "7", "--household", "household", "-o", str(out)]
    assert main(["sample", str(survey), *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [
        "fraction", "household", "weight",
        "records", "of_records", "households", "of_households", "unchanged",
    ]  # fmt: skip
    before, after = pl.read_csv(survey), pl.read_csv(out)
    assert (found["records"], found["of_records"]) == (len(after), len(before))
    assert found["households"] == after["household"].n_unique()
    kept = before.filter(pl.col("household").is_in(after["household"].unique().to_list()))
    assert after.drop("weight").equals(kept.drop("weight"))
    assert after["weight"].to_list() == (kept["weight"] * 5).to_list()
    first = out.read_bytes()
    assert main(["sample", str(survey), *options]) == 0
    assert out.read_bytes() == first
    shown = capsys.readouterr().out
    assert "Sample of survey.csv, written to sample.csv" in shown
    assert "sample of 20 % of households: " in shown
    assert "weight multiplied by 5" in shown
    wrong = [["--fraction", "1"], ["--seed", "-1"], ["--weight", "household"], ["-o", "x.docx"]]
    for other in wrong:
        try:
            code = main(["sample", str(survey), *options, *other])
        except SystemExit as stop:
            code = int(stop.code or 0)
        assert code == 2
    assert main(["sample", str(survey), *options, "--fraction", "1e-9"]) == 3
    assert main(["sample", str(survey), *options, "--household", "nobody"]) == 3
    assert main(["sample", str(survey), *options, "-o", str(survey)]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert out.read_bytes() == first


def test_linked_variables_are_blanked_and_told(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "safe.csv"
    command = ["suppress", str(survey), *KEYS, "--k", "3", "-o", str(out)]
    command += ["--linked", "age=income,marital", "--linked", "region=citizenship"]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    after, before = pl.read_csv(out), pl.read_csv(survey)
    lost = {name: after[name].null_count() - before[name].null_count() for name in after.columns}
    assert found["linked"] == {name: lost[name] for name in ("income", "marital", "citizenship")}
    assert after.filter(pl.col("age").is_null())["marital"].null_count() == lost["age"] > 0
    assert main(command) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert f"linked blanks income {lost['income']}" in words
    assert main([*command, "--linked", "agee=income"]) == 3


def test_what_is_declared_takes_effect_and_is_said(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = tmp_path / "book.csv"
    book.write_text(
        "variable,role,level,cost,linked\nregion,key,1,2,\nage,key,2,,income\nweight,weight,,,\n"
    )
    said = ["--codebook", str(book), "--k", "3"]
    assert main(["combinations", str(survey), *said]) == 0
    assert "identification levels (--levels): region 1, age 2" in capsys.readouterr().out
    assert main(["combinations", str(survey), *said, "--json"]) == 0
    declared = json.loads(capsys.readouterr().out)["declared"]
    assert declared == {"levels": {"region": 1, "age": 2}}
    command = ["suppress", str(survey), *said, "-o", str(tmp_path / "safe.csv")]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "costs of a blank (--cost): region 2" in told
    assert "linked variables (--linked): income with age" in told
    assert main([*command, "--levels", "age=1", "--cost", "entropy", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["declared"] == {"linked": {"age": ["income"]}}
    assert found["linked"] == {"income": found["blanks"]["age"]}


def test_prices_of_guarantees_by_the_model_with_gaps(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without `--json` every guarantee is priced; `shared` has no rule for gaps by the model."""
    keys = ["--keys", "region,age,citizenship", "--weight", "weight", "--estimator", "model"]
    out = ["--drop", "household", "-o", str(tmp_path / "safe.csv")]
    assert main(["suppress", str(survey), *keys, "--above", "0.05", *out]) == 0
    shown = capsys.readouterr().out
    assert [word for word in ("own *", "strict", "view", "shared") if f"\n  {word}" in shown] == [
        "own *", "strict", "view",
    ]  # fmt: skip
