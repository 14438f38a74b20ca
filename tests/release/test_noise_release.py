"""A release with noise, random rounding and a coded tail: lock, replay, script, both reports."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.io import write

SEEDS = (918273645546372819, 112358132134558914)
PLAN = f"""
microsafe = 1
[input]
file = "survey.EXT"
[scenario]
keys = ["region", "sex"]
weight = "weight"
estimator = "cell"
household = "household"
[policy]
override = {{ estimator = "it is a test" }}
[[step]]
do = "top_code"
variable = "income"
share = "1 %"
[[step]]
do = "noise"
variables = ["income"]
strata = ["sex"]
seed = {SEEDS[0]}
[[step]]
do = "round"
variable = "income"
base = 10
random = true
seed = {SEEDS[1]}
[[step]]
do = "suppress"
k = 3
[[keep]]
variables = ["household", "hsize", "age", "marital", "education", "occupation", "citizenship"]
why = "nobody knows them"
[output]
file = "safe.EXT"
keep_order = "it is a test"
report = "board.html"
public_report = "public.html"
"""


@pytest.mark.slow
@pytest.mark.parametrize("extension", ["sav", "csv", "parquet"])
def test_release(
    extension: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = ms.survey(1, households=250)
    if extension == "csv":
        made.frame.write_csv(tmp_path / "survey.csv")
    else:
        write(made.frame, made.schema, tmp_path / f"survey.{extension}")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace("EXT", extension))
    assert main(["protect", str(plan)]) == 0
    out = capsys.readouterr().out
    assert "multiplicative noise on income, variance 0.1" in out
    safe = tmp_path / f"safe.{extension}"
    content = safe.read_bytes()
    income = ms.study(safe, keys=["region"]).engine.table()["income"].cast(pl.Float64)  # type: ignore[attr-defined]
    assert (income % 10 == 0).all()
    assert ((income == 0) >= (made.frame["income"] == 0)).all()
    board, public, lock = (
        (tmp_path / name).read_text("utf-8") for name in ("board.html", "public.html", "plan.lock")
    )
    for text in (board, public, lock):
        assert not any(str(seed) in text for seed in SEEDS)
    assert "Variance of the noise" in board
    assert "still link" in board
    assert "Variance of the noise" not in public
    assert "not published" in public
    found = json.loads(lock)["steps"]
    assert found[0]["coded"] >= 3
    assert set(found[1]) >= {"moved", "mirrored", "outer_linked", "outer_records"}
    assert main(["replay", str(plan), "--check"]) == 0
    capsys.readouterr()
    assert main(["protect", str(plan), "--script"]) == 0
    script = capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    safe.unlink()
    exec(compile(script, "script", "exec"), {})  # noqa: S102
    assert safe.read_bytes() == content


def test_a_variance_that_is_published(tmp_path: Path) -> None:
    made = ms.survey(1, households=250)
    write(made.frame, made.schema, tmp_path / "survey.sav")
    plan = tmp_path / "plan.toml"
    text = PLAN.replace("EXT", "sav").replace('strata = ["sex"]', "publish_variance = true")
    plan.write_text(text)
    assert main(["protect", str(plan)]) == 0
    public = (tmp_path / "public.html").read_text("utf-8")
    assert "Variance of the noise" in public
    assert "not published" not in public
