"""Odd files by the door of a plan: a figure or a sentence each, and nothing half written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microsafe.cli import main

CASES = ("one", "few", "weights", "record", "census", "plain")
REFUSED = {
    "everybody lives together": (pl.lit(1), "the same in all records"),
    "nobody is known to live anywhere": (pl.lit(None, pl.Int64), "missing in every record"),
}


def write_survey(folder: Path, case: str, **columns: pl.Expr) -> Path:
    """Write 50 households; the case says what is odd of them."""
    rng = np.random.default_rng(5)
    size = np.ones(80, int) if case == "one" else rng.integers(1, 5, 50)
    home = np.repeat(np.arange(len(size)), size)
    n = len(home)
    weight = np.full(n, 1.0 if case == "census" else 7.0)
    frame = pl.DataFrame(
        {
            "home": home,
            "w": rng.integers(2, 9, n) if case == "weights" else weight,
            "region": rng.integers(1, 4, len(size))[home],
            "sex": rng.integers(1, 3, n),
            "age": rng.integers(1, 60, n),
        }
    )
    if case == "record":
        shown = pl.int_range(pl.len()) != 3
        frame = frame.with_columns(pl.when(shown).then(pl.col("region", "sex", "age")))
    path = folder / "survey.csv"
    frame.with_columns(**columns).write_csv(path)
    return path


def make_plan(survey: Path, profile: str, *, weight: bool = True) -> Path:
    """Write the plan that a profile begins with."""
    plan = survey.with_name("plan.toml")
    options = ["--keys", "region,sex,age", "--household", "home", "--profile", profile]
    options += ["--weight", "w"] if weight else []
    assert main(["plan", "new", str(survey), *options, "-o", str(plan)]) == 0
    return plan


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["public", "scientific"])
@pytest.mark.parametrize("case", CASES)
def test_a_plan_is_judged_and_written_as_a_whole_or_not_at_all(
    case: str, profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = make_plan(write_survey(tmp_path, case), profile, weight=case != "plain")
    capsys.readouterr()
    code = main(["protect", str(plan)])
    said = capsys.readouterr()
    assert "Who could recognise whom" in said.out
    assert "nan" not in said.out
    made = {path.name for path in tmp_path.iterdir()} - {"survey.csv", "plan.toml", "plan.seeds"}
    if code == 0:
        assert made == {"survey-safe.csv", "report.html", "public.html", "plan.lock"}
        assert main(["replay", str(plan), "--check"]) == 0
    else:
        assert code == 1
        assert "Nothing was written" in said.err
        assert not made


def test_a_key_that_loses_all_values_goes_out_empty_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = make_plan(write_survey(tmp_path, "few"), "public")
    assert main(["protect", str(plan)]) == 0
    assert pl.read_csv(tmp_path / "survey-safe.csv")["age"].null_count() > 100
    assert "All values of age were blanked. Recode the key" in capsys.readouterr().err


@pytest.mark.parametrize("case", REFUSED)
def test_households_that_tell_nothing_are_refused(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, words = REFUSED[case]
    plan = make_plan(write_survey(tmp_path, "few", home=home), "scientific")
    capsys.readouterr()
    assert main(["protect", str(plan)]) == 3
    said = capsys.readouterr().err
    assert f"'home' of survey.csv is {words}" in said
    assert "limit the risk of records only" in said
    assert not list(tmp_path.glob("*safe*"))
