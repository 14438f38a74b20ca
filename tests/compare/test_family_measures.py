"""What protects families, with figures: each as if its steps had been taken by hand."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.compare.family_protection import FamilyMeasure
from microsafe.errors import UsageError

KEYS = ["region", "sex", "age", "hsize"]


def opened(frame: pl.DataFrame | None = None, **roles: str) -> ms.Study:
    frame = ms.survey(4, households=300).frame if frame is None else frame
    return ms.study(frame, keys=KEYS, weight="weight", household="household", **roles)  # type: ignore[arg-type]


def row_of(study: ms.Study, name: str) -> tuple[float, float, int | None, float | None]:
    (row,) = [row for row in study.intruders() if row.name == name]
    found = row.now
    assert found.expected is not None
    assert found.largest is not None
    return found.expected, found.largest, found.above, found.figures.get("rejoin")


def figures(row: FamilyMeasure) -> tuple[float, float, float | None]:
    assert row.found is not None
    assert row.found.expected is not None
    assert row.found.largest is not None
    return row.found.expected, row.found.largest, row.rejoined


@pytest.mark.parametrize("estimator", ["cell", "model"])
def test_each_is_what_its_steps_do(estimator: str) -> None:
    study = opened(estimator=estimator).recode("region", groups={1: [(1, 6)]}, other=2)
    found = study.family_measures(limit=0.05)
    by_hand = {
        "nothing": (study, "family"),
        "age in bands of 10": (study.recode("age", breaks=range(0, 91, 10)), "family"),
        "drop household": (study.drop("household"), "rejoin"),
        "drop household, hsize": (
            study.drop(["household", "hsize"], from_keys=True),
            "rejoin",
        ),
        "one person of each household": (
            study.undo().members("one", seed=0).apply(study.steps[-1].step),
            "keys",
        ),
    }
    rows = {row.words: row for row in found}
    for words, (made, name) in by_hand.items():
        expected, largest, _, rejoin = row_of(made, name)
        got = figures(rows[words])
        assert got[:2] == (expected, largest), words
        assert got[2] == (0.0 if name == "keys" else rejoin), words
    assert rows["drop household"].met == ((rows["drop household"].rejoined or 0.0) <= 0.05)
    blanked = study.suppress(household=0.05)
    assert rows["blanks until no household is above 0.05"].blanks == blanked.steps[-1].total
    assert found.summary() == study.suppress(k=2).family_measures(limit=0.05).summary()
    assert "put together by" in repr(found)
    assert study.drop("household").family_measures(limit=0.05).summary() == found.summary()


def test_weights_that_put_members_together_again_get_noise() -> None:
    frame = ms.survey(4, households=300).frame
    shared = pl.col("weight").first().over("household") + pl.col("household") / 1e3
    found = opened(frame.with_columns(shared)).family_measures()
    rows = {row.words: row for row in found}
    dropped = rows["drop household, hsize"]
    assert dropped.rejoined == 1.0
    assert "weight" in dropped.rejoined_by
    noisy = next(row for row in found if [step.do for step in row.steps] == ["drop", "noise"])
    assert noisy.rejoined is not None
    assert noisy.rejoined < 0.05
    assert noisy.met


def test_one_is_taken_in_its_place() -> None:
    study = opened().recode("age", breaks=range(0, 91, 10))
    (one,) = [row for row in study.family_measures() if row.steps[:1] and "one" in row.words]
    made = study.insert(one.steps[0])
    assert [taken.step.do for taken in made.steps] == ["members", "recode"]
    assert row_of(made, "keys")[0] == figures(one)[0]
    assert [each.step.do for each in study.insert(ms.Drop("income")).steps] == ["recode", "drop"]


def test_what_cannot_be_had_says_why() -> None:
    with pytest.raises(UsageError, match=r"names no household\. Name .*--household"):
        ms.study(ms.survey(4, households=50).frame, keys=KEYS).family_measures()
    single = ms.survey(4, households=200).frame.unique("household", keep="first")
    rows = {row.words: row for row in opened(single).family_measures(limit=0.5)}
    refused = rows["one person of each household"]
    assert "nobody would be left out" in refused.refusal
    assert refused.found is None


PLAN = """
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age", "hsize"]
weight = "weight"
household = "household"
estimator = "model"
[policy]
household_risk = 0.05
[[keep]]
variables = ["household", "hsize", "education", "occupation", "citizenship", "income", "marital"]
why = "nobody knows them"
[output]
file = "safe.csv"
keep_order = "it is a test"
"""


def test_the_command_line_says_so_before_and_instead_of_blanks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ms.survey(4, households=250).frame.write_csv(tmp_path / "survey.csv")
    plan, safe = tmp_path / "plan.toml", tmp_path / "safe.csv"
    plan.write_text(PLAN)
    assert main(["protect", str(plan)]) == 1
    shown = capsys.readouterr().out
    assert "What protects families, before any blank (scenario main):" in shown
    assert "one person of each household" in shown
    assert not safe.exists()
    plan.write_text(
        PLAN.replace("[[keep]]", 'override = { household_risk = "on site" }\n[[keep]]', 1)
        + 'report = "board.html"\n[report]\nlanguage = "de"\n'
    )
    assert main(["protect", str(plan)]) == 0
    page = (tmp_path / "board.html").read_text()
    assert "Was Familien schützt" in page
    assert "ohne household, hsize" in page
    safe = tmp_path / "other.csv"
    asked = ["--keys", "region,sex,age", "--weight", "weight", "--household", "household"]
    wanted = ["suppress", str(tmp_path / "survey.csv"), *asked, "--household-above", "0.1"]
    assert main([*wanted, "-o", str(safe)]) in (0, 1)
    assert "What protects families, before any blank:" in capsys.readouterr().out


def test_blanks_for_families_that_tell_the_method_bring_it_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ms.survey(4, households=250).frame.write_csv(tmp_path / "survey.csv")
    plan = tmp_path / "plan.toml"
    steps = (
        "[policy]\nhousehold_risk = 0.2\nmethod = 0.05\n"
        '[[step]]\ndo = "suppress"\nabove = 0.2\nguarantee = "view"\n'
        '[[step]]\ndo = "suppress"\nhousehold = 0.2\n'
    )
    plan.write_text(PLAN.replace("[policy]\nhousehold_risk = 0.05\n", steps))
    assert main(["protect", str(plan)]) == 1
    shown = capsys.readouterr().out
    assert "Not safe against: Knows the method." in shown
    assert "What protects families, before any blank (scenario main):" in shown
