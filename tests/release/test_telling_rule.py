"""What tells a key: the rule `telling`, from the data to the board's report."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.risk import TellingVariables
from microsafe.studies.telling_variables import (
    find_determining_variables,
    find_telling_variables,
)

PLAN = """microsafe = 1

[input]
file = "survey.csv"

[scenario]
keys = ["region", "sex"]
weight = "weight"
estimator = "cell"

[policy]
record_risk = 0.5
override = { estimator = "a test" }

[[step]]
do = "recode"
variable = "region"
groups = { north = ["1", "2", "3", "4", "5", "6"], south = ["7", "8", "9", "10", "11", "12"] }

[[keep]]
variables = ["stratum", "income", "weight"]
why = "a test"

[output]
file = "safe.csv"
report = "board.html"
shuffle = 5
"""


def make_survey(n: int = 3000) -> pl.DataFrame:
    draw = np.random.default_rng(4)
    region = draw.integers(1, 13, n)
    return pl.DataFrame(
        {
            "region": region,
            "sex": draw.integers(1, 3, n),
            "stratum": region * 10 + 1,
            "income": draw.integers(0, 5000, n),
            "weight": draw.integers(40, 60, n),
        }
    )


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    make_survey().write_csv(tmp_path / "survey.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def protect(plan: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    code = main(["protect", str(plan), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out), said.err


def find_verdict(lock: dict[str, Any]) -> dict[str, Any]:
    (found,) = (each for each in lock["verdicts"] if each["rule"] == "telling")
    return dict(found)


def test_a_stratum_that_gives_the_region_back_is_no_release(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lock, said = protect(plan, capsys)
    assert code == 1
    assert not (plan.parent / "safe.csv").exists()
    verdict = find_verdict(lock)
    assert (verdict["value"], verdict["limit"], verdict["met"]) == (1.0, 0.9, False)
    assert lock["telling"] == {"region": {"stratum": 1.0}}
    assert "stratum → region" in said
    assert "--like" in said


@pytest.mark.slow
def test_a_reason_for_the_rule_lets_it_out_and_page_one_says_so(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(PLAN.replace('"a test" }', '"a test", telling = "Users sign a contract" }'))
    code, lock, _ = protect(plan, capsys)
    assert (code, find_verdict(lock)["reason"]) == (0, "Users sign a contract")
    page = (plan.parent / "board.html").read_text("utf-8")
    first = page[page.index('id="decision"') : page.index('id="intruders"')]
    plain = re.sub("<[^>]*>", "", first)
    assert "other variables tell: region 100.0 % (stratum)" in plain
    assert main(["replay", str(plan), "--check"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("remedy", ["drop", "like"])
def test_left_out_or_recoded_alike_the_rule_is_met(
    plan: Path, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if remedy == "drop":
        step = '[[step]]\ndo = "drop"\nvariables = ["stratum"]\n\n'
        made = PLAN.replace('"stratum", "income"', '"income"')
        plan.write_text(made.replace("[[keep]]", step + "[[keep]]", 1))
    else:
        assert main(["plan", "update", str(plan), "--like", "stratum=region"]) == 0
        capsys.readouterr()
        text = plan.read_text()
        assert '"11", "21", "31", "41", "51", "61"' in text
        assert text.index('variable = "region"') < text.index('variable = "stratum"')
    code, lock, _ = protect(plan, capsys)
    assert code == 0
    assert find_verdict(lock)["met"]
    assert lock["telling"] == {"region": {}}


def make_study(**more: np.ndarray) -> ms.Study:
    frame = make_survey().with_columns(**{name: pl.Series(each) for name, each in more.items()})
    return ms.study(frame, keys=["region", "sex"], weight="weight", estimator="cell")


def test_dropped_blanked_and_perturbed_keys_are_looked_at_and_others_not() -> None:
    study = make_study()
    assert find_telling_variables(study).keys == ()
    assert find_telling_variables(study.drop(["income"])).keys == ()
    for made in (
        study.drop(["region"], from_keys=True),
        study.suppress(k=140, guarantee="own", cost={"sex": 9}),
        study.pram("region", keep=0.7, seed=1),
    ):
        found = find_telling_variables(made)
        assert "region" in found.keys
        row = next(each for each in found.determining if each.key == "region")
        assert (row.words, row.share) == ("stratum", 1.0)


def test_what_is_a_key_beside_it_is_counted_by_risk_and_stands_in_no_way() -> None:
    study = make_study().with_scenario("other", keys=["region", "stratum"])
    assert [
        each.counted
        for each in find_telling_variables(study.drop(["region"], from_keys=True)).found
    ] == [False]
    only = ms.study(make_survey(), keys=["region", "stratum"], estimator="cell")
    found = find_telling_variables(only.drop(["region"], from_keys=True))
    assert [each.counted for each in found.found] == [True]
    assert not found.determining
    assert not found.notable
    assert found.share == 0.0


def test_two_variables_together_and_numbers_in_groups() -> None:
    region = make_survey()["region"].to_numpy()
    noise = np.random.default_rng(1).random(len(region))
    study = make_study(tens=(region - 1) // 4, ones=(region - 1) % 4, near=region + noise / 9)
    found = find_telling_variables(study.drop(["region", "stratum", "near"], from_keys=True))
    assert [each.words for each in found.determining] in (["tens + ones"], ["ones + tens"])
    near = find_telling_variables(study.drop(["region", "stratum", "tens", "ones"], from_keys=True))
    assert near.found[0].words == "near"  # each value occurs once; its group tells
    assert near.found[0].share > 0.5


def test_households_that_go_out_are_held_out_together() -> None:
    home = np.repeat(np.arange(1000), 3)
    region = np.random.default_rng(2).integers(1, 13, 1000)[home]
    frame = pl.DataFrame({"home": home, "region": region, "sex": home % 2})
    study = ms.study(frame, keys=["region", "sex"], household="home", estimator="cell")
    assert not find_telling_variables(study.drop(["region"], from_keys=True)).found


def test_what_tells_much_is_a_notice_and_no_verdict() -> None:
    region = make_survey()["region"].to_numpy()
    some = np.random.default_rng(3).random(len(region)) < 0.5
    study = make_study(language=np.where(some, region, 0)).drop(
        ["region", "stratum"], from_keys=True
    )
    (notice,) = (each for each in study.inventory().notices if each.id.startswith("variable-"))
    assert notice.id == "variable-tells"
    assert "language 4" in notice.text or "language 5" in notice.text
    assert isinstance(find_telling_variables(study), TellingVariables)


def test_before_a_plan_the_base_is_nothing() -> None:
    found = find_determining_variables(make_study(), ["region"])
    assert [each.words for each in found.determining] == ["stratum"]


def test_recoded_like_a_key_it_shows_what_is_released_of_the_key() -> None:
    study = make_study().recode("region", into={"north": ["1", "2"], "south": ["3"]}, other="rest")
    made = study.recode_like("stratum", "region")
    frame = made.frame
    assert frame["stratum"].equals(frame["region"], check_dtypes=False, check_names=False)
    assert not find_telling_variables(made).found
    blanked = study.suppress(k=800, guarantee="own", cost={"sex": 9}).recode_like(
        "stratum", "region"
    )
    assert {*blanked.frame["stratum"].unique()} <= {"north", "south", "rest", "other"}
    dropped = make_study().drop(["region"], from_keys=True).recode_like("stratum", "region")
    assert "stratum" not in dropped.schema
    with pytest.raises(ms.UsageError, match="is a weight and is not recoded"):
        study.recode_like("weight", "region")


def test_a_limit_on_memory_is_no_way_around_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ms.InputError("survey.csv needs more memory.")

    ms.survey(1, households=60).frame.select("region", "sex", "weight").write_csv(
        tmp_path / "survey.csv"
    )
    plan = tmp_path / "plan.toml"
    text = """microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex"]
weight = "weight"
estimator = "cell"
[policy]
override = { estimator = "a test" }
[[step]]
do = "suppress"
k = 3
[output]
file = "safe.csv"
"""
    for place in (
        "microsafe.plan.verdicts.find_telling_variables",
        "microsafe.studies.attacked_file.AttackedStudy.afford_records",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(place, refuse)
            plan.write_text(text)
            assert main(["protect", str(plan)]) == 1
            assert "survey.csv needs more memory." in capsys.readouterr().err
            assert not (tmp_path / "safe.csv").exists()
            plan.write_text(text.replace('"a test" }', '"a test", telling = "a test" }'))
            assert main(["protect", str(plan)]) == 0
            (tmp_path / "safe.csv").unlink()
            capsys.readouterr()
