"""What a policy asks of a file whose household number was dropped."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.options.policy import REJOIN_LIMIT, Policy, Verdict

KEYS = ("region", "sex", "age")
SMALL = {"estimator": "A small file"}


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return ms.survey(households=300).frame.drop("income", "hsize")


def open_study(frame: pl.DataFrame) -> ms.Study:
    return ms.study(frame, keys=KEYS, weight="weight", household="household", estimator="cell")


def judge(
    study: ms.Study, folder: Path, policy: Policy, **options: object
) -> tuple[bool, dict[str, Verdict]]:
    """Return whether a file may go out, and the verdict on each rule."""
    left = [name for name in study.columns if name not in KEYS]
    order = options or {"shuffle": 1}
    made = study.release(folder, policy=policy, keep=dict.fromkeys(left, "Answers"), **order)  # type: ignore[arg-type]
    return made.allowed, {verdict.rule: verdict for verdict in made.verdicts}


@pytest.mark.parametrize(
    ("policy", "scenarios", "expected"),
    [
        (Policy(household_risk=0.01), (), {"record_risk": 0.01}),
        (Policy(household_risk=0.2, record_risk=0.1), (), {"record_risk": 0.1}),
        (Policy(household_rate=0.01, rate=0.1), (), {"rate": 0.01}),
        (Policy(expected_households=3), (), {"expected": 3}),
        (
            Policy(household_risk={"a": 0.01}, record_risk={"a": 0.1, "b": 0.2}),
            (),
            {"record_risk": {"a": 0.01, "b": 0.2}},
        ),
        (
            Policy(household_risk={"a": 0.01}, record_risk=0.1),
            ("a", "b"),
            {"record_risk": {"a": 0.01, "b": 0.1}},
        ),
        (
            Policy(household_risk=0.05, record_risk={"a": 0.01}),
            ("a", "b"),
            {"record_risk": {"a": 0.01, "b": 0.05}},
        ),
        (Policy(household_risk={"a": 0.01}, record_risk=0.1), (), {"record_risk": 0.01}),
    ],
)
def test_limits_on_households_hold_for_records(
    policy: Policy, scenarios: tuple[str, ...], expected: dict[str, object]
) -> None:
    assert policy.leave_households(scenarios).rules == expected | {"rejoin": REJOIN_LIMIT}


def test_what_is_overridden_asks_nothing_of_records() -> None:
    policy = Policy(
        record_risk=0.1, household_risk=0.01, household_rate=0.02,
        override={"household_risk": "Agreed", "record_risk": "Agreed too"},
    )  # fmt: skip
    asked = policy.without_households
    assert asked.rules == {"record_risk": 0.1, "rate": 0.02, "rejoin": REJOIN_LIMIT}
    assert asked.override == {"record_risk": "Agreed too"}


def test_a_reason_may_be_given_for_members_put_together() -> None:
    policy = Policy(household_risk=0.1, override={"rejoin": "Agreed"})
    assert policy.without_households.override == {"rejoin": "Agreed"}
    both = {"household_risk": "Agreed", "rejoin": "Agreed"}
    assert Policy(household_risk=0.1, override=both).without_households == Policy()
    with pytest.raises(ms.UsageError, match="no rule 'rejoin' to override"):
        Policy(record_risk=0.1, override={"rejoin": "Agreed"})


def test_dropping_the_number_does_not_leave_its_limit(frame: pl.DataFrame, tmp_path: Path) -> None:
    policy = Policy(household_risk=0.005, override=SMALL)
    study = open_study(frame).drop(["household"])
    allowed, told = judge(study, tmp_path, policy)
    assert not allowed
    largest = study.risk(one_estimator=True).max
    assert (told["record_risk"].limit, told["record_risk"].value) == (0.005, largest)
    assert "the limit is that of household_risk" in told["record_risk"].note
    own, told = judge(study, tmp_path, Policy(record_risk=1.0, household_rate=1.0, override=SMALL))
    assert own
    assert not told["record_risk"].note
    assert "household_rate" in told["rate"].note


@pytest.mark.slow
def test_an_order_that_is_kept_stops_a_release(frame: pl.DataFrame, tmp_path: Path) -> None:
    study = open_study(frame).drop(["household"])
    policy = Policy(household_risk=1.0, override=SMALL)
    allowed, told = judge(study, tmp_path, policy, keep_order="Users know it")
    assert not allowed
    assert told["rejoin"].value == 1.0
    shuffled = tmp_path / "shuffled"
    shuffled.mkdir()
    assert judge(study, shuffled, policy)[0]
    reasons = {**SMALL, "rejoin": "Agreed by the board"}
    policy = Policy(household_risk=1.0, override=reasons)
    allowed, told = judge(study, tmp_path, policy, keep_order="Users know it")
    assert allowed
    assert told["rejoin"].reason == "Agreed by the board"


def test_a_number_of_another_scenario_is_no_way_around(frame: pl.DataFrame, tmp_path: Path) -> None:
    study = open_study(frame.with_columns(family=pl.col("household") * 3))
    study = study.with_scenario("b", keys=KEYS[:1], household="family", estimator="cell")
    policy = Policy(household_risk={"main": 1.0}, override=SMALL)
    allowed, told = judge(study.drop(["household"]), tmp_path, policy)
    assert not allowed
    assert told["rejoin"].value == 1.0
