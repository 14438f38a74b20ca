"""`microsafe compare`: two files, in place or paired by an identifier."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main

Capture = pytest.CaptureFixture[str]
SURVEY = ms.survey(1, households=200)
SCENARIO = ("--keys", "region,sex", "--weight", "weight")


def run(capsys: Capture, *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    frame = SURVEY.frame.with_row_index("id").cast({"id": pl.Int64})
    study = ms.study(frame, keys=["region", "sex"], weight="weight")
    done = study.noise("income", seed=4).recode("region", breaks=(5, 9)).suppress(k=3)
    paths = tmp_path / "before.parquet", tmp_path / "after.parquet"
    for path, each in zip(paths, (study, done), strict=True):
        each.engine.table().write_parquet(path)  # type: ignore[attr-defined]
    return paths


def test_json_is_what_python_says(files: tuple[Path, Path], capsys: Capture) -> None:
    models = ["income ~ age + sex", "sex = 2 ~ age + region"]
    tables = ["region,sex", "marital"]
    asked = [*(each for name in models for each in ("--model", name))]
    asked += [each for name in tables for each in ("--table", name)]
    code, out, err = run(capsys, "compare", *files, *SCENARIO, *asked, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    frame = pl.read_parquet(files[0])
    study = ms.study(frame, keys=["region", "sex"], weight="weight")
    done = study.noise("income", seed=4).recode("region", breaks=(5, 9)).suppress(k=3)
    expected = done.compare(models=models, tables=tables).summary()
    for name in ("blanks", "lost", "touched", "losses", "hardest", "tables", "means", "utility"):
        assert found[name] == json.loads(json.dumps(expected[name]))


def test_paired_by_an_identifier(files: tuple[Path, Path], capsys: Capture) -> None:
    before, after = files
    asked = ("--table", "region,sex", "--model", "sex ~ region + income", "--json")
    _, in_place, _ = run(capsys, "compare", *files, *SCENARIO, *asked)
    pl.read_parquet(after).sample(fraction=1.0, shuffle=True, seed=1).write_parquet(after)
    code, out, _ = run(capsys, "compare", *files, *SCENARIO, "--id", "id", *asked)
    assert code == 0
    assert json.loads(out) == json.loads(in_place)
    code, out, _ = run(capsys, "compare", *files, *SCENARIO, "--by", "marital", "--id", "id")
    assert code == 0
    assert "sex x marital" in out
    pl.read_parquet(after).head(100).write_parquet(after)
    for options, words in (
        ([], "records can only be compared one by one"),
        (["--id", "id"], "do not have the same values of 'id'"),
        (["--id", "sex"], "tells all records apart"),
        (["--id", "nothing"], "has no variable 'nothing'"),
        (["--table", "nothing"], "has no variable 'nothing'"),
        (["--table", "sex,sex"], "names a variable twice"),
        (["--model", "income"], "is no formula"),
        (["--model", "sex = ~ age"], "is no formula"),
    ):
        code, _, err = run(capsys, "compare", before, after, *SCENARIO, *options)
        assert code in (2, 3)
        assert words in err


@pytest.mark.slow
def test_pictures(files: tuple[Path, Path], capsys: Capture, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.svg", "two.svg", "three.png")]
    asked = ("--table", "region,marital", "--table", "sex", "--model", "sex ~ age + region")
    for path in paths:
        code, out, err = run(capsys, "compare", *files, *SCENARIO, *asked, "--plot", path)
        assert (code, err) == (0, "")
        assert "numbers changed" in out
    assert "region x marital" in out
    assert "sex ~ age + region (logistic, weighted; log odds of sex = 2; " in out
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert "percentage points" in paths[0].read_text()
    assert paths[2].read_bytes().startswith(b"\x89PNG")
    for wrong, exit_code in (("x.txt", 2), ("nowhere/x.svg", 3)):
        code, out, err = run(capsys, "compare", *files, *SCENARIO, "--plot", tmp_path / wrong)
        assert (code, out) == (exit_code, "")
        assert err
