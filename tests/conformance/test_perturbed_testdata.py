"""sdcMicro's testdata from end to end: recode, PRAM, microaggregation, noise, suppression."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from microsafe.cli import main

PLAN = """
microsafe = 1

[input]
file = "testdata.csv"

[scenario]
keys = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "age", "hhcivil"]
weight = "sampling_weight"
household = "ori_hid"
estimator = "model"

[policy]
record_risk = 0.05
k = 2

[[step]]
do = "recode"
variable = "age"
breaks = [0, 15, 30, 45, 60, 75]

[[step]]
do = "pram"
variable = "roof"
keep = 0.8
together = "ori_hid"
seed = 1

[[step]]
do = "microaggregate"
variables = ["expend", "income"]
k = 5

[[step]]
do = "noise"
variables = ["savings"]
variance = 0.2
seed = 2

[[step]]
do = "renumber"
variable = "ori_hid"
seed = 3

[[step]]
do = "suppress"
above = 0.05

[[step]]
do = "drop"
variables = ["household_weights"]

[output]
file = "safe.csv"
report = "board.html"
public_report = "public.html"
shuffle = 4
"""


@pytest.mark.slow
def test_from_testdata_to_the_boards_report(
    peers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(peers / "sdcmicro/in_testdata.csv", tmp_path / "testdata.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    # Risks are within the limit, but k is judged on the file before PRAM.
    assert main(["protect", str(plan)]) == 1
    assert "not met (before PRAM of roof; not meaningful after it)" in capsys.readouterr().out
    assert not (tmp_path / "safe.csv").exists()

    plan.write_text(PLAN.replace("above = 0.05\n\n[[step]]", "above = 0.05\nk = 2\n\n[[step]]"))
    assert main(["protect", str(plan)]) == 0
    assert main(["replay", str(plan), "--check"]) == 0

    verdicts = json.loads((tmp_path / "plan.lock").read_text())["verdicts"]
    assert all(each["met"] for each in verdicts)
    board = (tmp_path / "board.html").read_text()
    assert "before PRAM of roof; not meaningful after it" in board
    public = (tmp_path / "public.html").read_text()
    assert "Variance of the noise" not in public

    before, after = (pl.read_csv(tmp_path / name) for name in ("testdata.csv", "safe.csv"))
    groups = after.group_by("expend", "income").len()
    assert groups["len"].min() >= 5
    for name in ("expend", "income"):
        assert after[name].mean() == pytest.approx(before[name].mean(), rel=1e-6)
    homes = after.drop_nulls("roof").group_by("ori_hid").agg(pl.col("roof").n_unique())
    assert homes["roof"].max() == 1
    assert not set(after["savings"]) & (set(before["savings"]) - {0.0})
