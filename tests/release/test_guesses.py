"""What a release gives away of the values it suppressed: measured on the file as written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main

KEPT = ("household", "hsize", "marital", "education", "occupation", "citizenship", "income")
KEEP = json.dumps([*KEPT, "weight"])
PLAN = f"""microsafe = 1

[input]
file = "survey.csv"

[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "cell"
household = "household"

[policy]
given_away = 0.05
override = {{ estimator = "a test" }}

[[step]]
do = "recode"
variable = "age"
breaks = [0, 10, 20, 30, 40, 50, 60, 70, 80]

[[step]]
do = "renumber"
variable = "household"
seed = 3

[[step]]
do = "suppress"
k = 8
cost = {{ age = 9, sex = 9 }}

[[keep]]
variables = {KEEP}
why = "a test"

[output]
file = "safe.csv"
report = "board.html"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A survey sorted by region and household, as surveys come from the field."""
    survey = ms.survey(1, households=1200).frame.sort("region", "household")
    survey.write_csv(tmp_path / "survey.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    # As drawn by an earlier run: guesses of a new order would be right more or less often.
    path.with_suffix(".seeds").write_text(json.dumps({"output shuffle": 7}))
    return path


def protect(plan: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = main(["protect", str(plan), "--json"])
    return code, json.loads(capsys.readouterr().out)


def verdict(lock: dict[str, Any]) -> dict[str, Any]:
    (found,) = (each for each in lock["verdicts"] if each["rule"] == "given_away")
    return dict(found)


@pytest.mark.slow
def test_the_order_of_the_input_gives_regions_away(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = PLAN + 'keep_order = "The order means something"\n'
    apart = kept.replace("k = 8", "k = 8\ntogether = false")
    plan.write_text(apart)
    code, lock = protect(plan, capsys)
    assert code == 1
    assert not (plan.parent / "safe.csv").exists()
    found = lock["given_away"]["keys"]["region"]
    assert found["blanks"] > 100
    assert found["before"] > 0.95 * found["blanks"]
    assert found["member"] > 0.5 * found["blanks"]
    assert verdict(lock)["value"] > 0.5
    assert not verdict(lock)["met"]
    plan.write_text(apart.replace('"a test" }', '"a test", given_away = "Nobody minds" }'))
    assert protect(plan, capsys)[0] == 0
    assert "Nobody minds" in (plan.parent / "board.html").read_text("utf-8")


@pytest.mark.slow
def test_neighbours_and_members_give_nothing_away_by_default(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lock = protect(plan, capsys)
    assert code == 0
    found = lock["given_away"]["keys"]["region"]
    assert found["blanks"] > 100
    assert found["before"] < found["chance"] + 0.05 * found["blanks"]
    assert found["member"] == found["chance"]
    assert verdict(lock)["met"]
    safe = pl.read_csv(plan.parent / "safe.csv")
    runs = safe["household"].rle_id().max()
    assert runs == safe["household"].n_unique() - 1
    blank = safe.group_by("household").agg(pl.col("region").is_null().mean())["region"]
    assert set(blank) == {0.0, 1.0}
    page = (plan.parent / "board.html").read_text("utf-8")
    assert "What the file gives away" in page
    assert "at most 5.0 %" in page
    assert main(["replay", str(plan)]) == 0
    assert main(["protect", str(plan)]) == 0
    assert "record before" in capsys.readouterr().out


def test_another_variable_gives_a_key_away(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    survey = pl.read_csv(plan.parent / "survey.csv")
    survey.with_columns(office=pl.col("region") + 100).write_csv(plan.parent / "survey.csv")
    plan.write_text(
        PLAN.replace('"hsize"', '"office", "hsize"').replace(
            '"a test" }', '"a test", telling = "a test" }'
        )
    )
    code, lock = protect(plan, capsys)
    found = lock["given_away"]["keys"]["region"]
    assert (code, found["by"], found["variable"]) == (1, "office", found["blanks"])
    assert lock["given_away"]["total"]["variable"] >= found["variable"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["sav", "dta", "xlsx", "parquet", "tsv"])
def test_it_is_found_in_every_format(
    plan: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(
        PLAN.replace("safe.csv", f"safe.{suffix}").replace('report = "board.html"', "shuffle = 5")
    )
    found = protect(plan, capsys)[1]["given_away"]
    plan.write_text(PLAN.replace('report = "board.html"', "shuffle = 5"))
    assert found == protect(plan, capsys)[1]["given_away"]


@pytest.mark.slow
def test_where_there_is_no_room_it_is_told(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ms.InputError("Too many records.")

    monkeypatch.setattr("microsafe.plan.run.measure_given_away", refuse)
    code, lock = protect(plan, capsys)
    assert (code, verdict(lock)["value"], verdict(lock)["note"]) == (1, None, "Too many records.")
    plan.write_text(PLAN.replace("given_away = 0.05\n", ""))
    assert protect(plan, capsys)[0] == 0
    assert "could not be measured. Too many records." in (plan.parent / "board.html").read_text()
