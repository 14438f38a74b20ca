"""The household number left out: when it is proposed, what it says, and what the gate asks then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import microsafe as ms
from microsafe.datasets import survey
from microsafe.engine.contract import NO_RECORDS
from microsafe.errors import InputError, UsageError
from microsafe.options.policy import REJOIN_LIMIT, Policy
from microsafe.plan.from_study import hold_input
from microsafe.plan.proposal import remember_proposal
from microsafe.plan.read import read_plan
from microsafe.plan.run import run
from microsafe.propose import make_proposal
from microsafe.steps import Drop, Round

KEYS = ["sex", "occupation", "education", "hsize"]
BOTH = Policy(record_risk=0.1, household_risk=0.05)


@pytest.fixture(scope="module")
def study() -> ms.Study:
    return ms.study(
        survey(households=300).frame.drop("income", "citizenship"),
        keys=KEYS, weight="weight", household="household", estimator="model",
    )  # fmt: skip


@pytest.fixture(scope="module")
def found(study: ms.Study) -> ms.Proposal:
    return study.propose(policy=BOTH, touched=0.05)


def test_rules_on_households_give_way_to_who_puts_members_together() -> None:
    asked = Policy(record_risk=0.1, household_risk=0.02, household_rate=0.1).without_households
    assert asked.rules == {"record_risk": 0.02, "rate": 0.1, "rejoin": REJOIN_LIMIT}
    given = Policy(household_risk=0.02, intruders={"rejoin": 0.2})
    assert given.without_households.rules == {"record_risk": 0.02, "rejoin": 0.2}
    excused = Policy(household_risk=0.02, override={"household_risk": "Agreed by the board"})
    assert excused.without_households == Policy()
    plain = Policy(record_risk=0.1)
    assert plain.without_households is plain


def test_the_number_is_left_out_where_keys_gain_more_than_it_counts(
    study: ms.Study, found: ms.Proposal
) -> None:
    best, kept = found.best, found.named["households"]
    assert best is not None
    assert best.met
    assert [step.left_out for step in best.first if step.left_out] == [("household",)]
    assert best.plan.loss + 1 / len(KEYS) < kept.plan.loss
    bare = study.drop(["household"]).propose(policy=Policy(record_risk=0.1), touched=0.05)
    assert bare.best is not None
    assert best.plan.loss >= bare.best.plan.loss  # which nobody asked who puts members together
    assert {verdict.rule for verdict in best.verdicts} == {"record_risk", "rejoin"}


def test_the_price_is_said(found: ms.Proposal) -> None:
    assert "the household number left out" in found.best.sentence
    assert found.words.startswith("The household number left out, ")
    assert "counts as much as a key left out (25" in found.households
    assert found.households in found.notes
    assert not found.named["households"].first
    assert "household number" not in found.named["households"].sentence


def test_what_is_promised_is_what_its_steps_do(found: ms.Proposal) -> None:
    for plan in found.candidates:
        suppressed = [done for done in plan.study.steps if done.blanks]
        assert sum(done.total for done in suppressed) == plan.blanks
        assert ("household" in plan.study.schema) is not bool(plan.first)
        assert plan.met


@pytest.mark.slow
def test_both_searches_go_on_from_one_file(
    study: ms.Study, found: ms.Proposal, tmp_path: Path
) -> None:
    path = tmp_path / "search.json"
    first = study.propose(policy=BOTH, touched=0.05, search=path)
    assert len(json.loads(path.read_text("utf-8"))["searches"]) == 2
    again = study.propose(policy=BOTH, touched=0.05, search=path)
    assert again.search.bounded == 0  # nothing was left to do
    assert first.best.plan == again.best.plan == found.best.plan
    assert again.named["households"].plan == found.named["households"].plan


def test_named_plans_say_as_much_as_the_answer(found: ms.Proposal) -> None:
    told = found.summary()
    for name, each in told["named"].items():
        assert each.keys() <= told.keys() | {"expected", "sentence"}
        assert any(step["do"] == "drop" for step in each["steps"]) is (name != "households")
        assert all(rule["met"] for rule in each["met"].values())
    same = ("loss", "blanks", "blanks_by_key", "records", "met", "steps", "sentence")
    assert all(told["named"]["detail"][name] == told[name] for name in same)


def bound_plans_with_it(monkeypatch: pytest.MonkeyPatch, bound: float) -> None:
    """Let the search with the number end where that is what no plan is known to be below."""
    search = make_proposal._search

    def stop_early(start: ms.Study, *args: Any, **options: Any) -> Any:
        made = search(start, *args, **options)
        if start.scenario().household is None:
            return made
        known, points = made.answer, made.answer.points
        known = replace(
            known,
            found=replace(known.found, bound=bound),
            points=tuple(replace(one, found=replace(one.found, bound=bound)) for one in points),
        )
        return replace(made, answer=known)

    monkeypatch.setattr(make_proposal, "_search", stop_early)


@pytest.mark.slow
def test_proved_means_by_both_searches(
    study: ms.Study, found: ms.Proposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    loss, price, own = found.best.plan.loss, 1 / len(KEYS), found.apart
    assert 0 < own < loss  # plans were run for who puts members together
    bound_plans_with_it(monkeypatch, price + 0.8 * own)
    cut = study.propose(policy=BOTH, touched=0.05)
    assert cut.best.plan == found.best.plan
    assert cut.bound == pytest.approx(0.8 * own)
    assert cut.gap == pytest.approx(1 - 0.8 * own / loss)
    assert "; without the household number none less than " in cut.words
    for point in cut.points:
        most = 1 - 0.8 * own / point.candidate.plan.loss
        assert cut.gap_of(point.candidate) >= most - 1e-12
    bound_plans_with_it(monkeypatch, price + 1.1 * own)
    sure = study.propose(policy=BOTH, touched=0.05)
    assert (sure.bound, sure.gap) == (own, 1 - own / loss)
    assert "none less than" not in sure.words
    bound_plans_with_it(monkeypatch, 0.9 * price)
    least = study.propose(policy=BOTH, touched=0.05)
    assert (least.bound, least.gap, least.status) == (0.0, 1.0, "found")


def test_a_plan_with_the_number_is_kept_with_what_was_found_of_such_plans(
    study: ms.Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound_plans_with_it(monkeypatch, 0.3)
    found = study.propose(policy=BOTH, touched=0.05)
    kept = found.named["households"]
    told = remember_proposal(found, kept.steps).result
    assert told.status == "found"
    assert told.gap == pytest.approx(1 - 0.3 / kept.plan.loss, rel=1e-5)
    assert told.cap == found.beside.cap
    assert told.taken.loss == pytest.approx(kept.loss, rel=1e-5)
    losses = [point.candidate.loss for point in found.beside.points]
    assert [point.loss for point in told.frontier] == pytest.approx(losses, rel=1e-5)
    best = remember_proposal(found, found.best.steps).result
    assert best.taken.loss == pytest.approx(found.best.loss, rel=1e-5)


def test_records_that_are_elsewhere_stay_with_their_number(
    study: ms.Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark = pytest.importorskip("microsafe.engine.spark.engine_gaps", reason="no Spark")
    gap, strict = spark.GAPS[NO_RECORDS], replace(BOTH, household_risk=0.002)
    monkeypatch.setattr(type(study.engine), "gaps", {NO_RECORDS: gap})
    plain = study.propose(policy=strict, touched=0.05, keep=["household"])
    found = study.propose(policy=strict, touched=0.05)
    assert found.best.plan == plain.best.plan
    assert any("Plans without household were not searched" in note for note in found.notes)
    monkeypatch.undo()
    dropped = study.drop(["household"])
    limited = Policy(record_risk=0.1, intruders={"rejoin": 0.5})
    monkeypatch.setattr(type(study.engine), "gaps", {NO_RECORDS: gap})
    later = dropped.propose(policy=limited, touched=0.05)
    assert {verdict.rule for verdict in later.best.verdicts} == {"record_risk"}
    assert "Judged when the plan is run: rejoin." in later.notes


@pytest.mark.parametrize("name", ["find_household_rung", "_search"])
def test_a_plan_that_was_found_is_not_lost_for_want_of_memory(
    study: ms.Study, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    do = getattr(make_proposal, name)

    def refuse(start: ms.Study, *args: Any, **options: Any) -> Any:
        if name == "_search" and start.scenario().household is not None:
            return do(start, *args, **options)
        raise InputError("The file needs about 5 GB of memory, and the limit is 2 GB.")

    monkeypatch.setattr(make_proposal, name, refuse)
    found = study.propose(policy=BOTH, touched=0.05)
    assert found.best.met
    assert not found.best.first
    (note,) = [note for note in found.notes if "were not searched" in note]
    assert "needs about 5 GB" in note


def test_a_number_that_is_kept_stays(study: ms.Study) -> None:
    found = study.propose(policy=BOTH, touched=0.05, keep=["household"])
    assert found.best is not None
    assert not found.best.first
    assert "households" not in found.named
    assert not found.households
    weighed = study.propose(policy=BOTH, touched=0.05, utility={"household": 1, "age": 2})
    assert not weighed.shown.first


def test_what_is_to_go_out_is_in_the_file(study: ms.Study) -> None:
    with pytest.raises(InputError, match=r"'houshold'.* Did you mean 'household'"):
        study.propose(policy=BOTH, touched=0.05, keep=["age", "houshold"])
    dropped = study.drop(["marital"])
    kept = dropped.propose(policy=BOTH, touched=0.05, keep=["household", "marital"])
    assert not kept.best.first  # that a step has dropped something that was kept is said elsewhere


def test_without_a_rule_on_households_nothing_is_left_out(study: ms.Study) -> None:
    found = study.propose(policy=Policy(record_risk=0.1), touched=0.05)
    assert found.best is not None
    assert not found.best.first


@pytest.mark.slow
def test_a_release_asks_who_puts_members_together(
    study: ms.Study, found: ms.Proposal, tmp_path: Path
) -> None:
    made = found.best.study.release(
        tmp_path, policy=replace(BOTH, override={"estimator": "A small file"}), proposal=found,
        shuffle=1,
        keep=dict.fromkeys([name for name in study.schema.names if name not in KEYS], "Answers"),
    )  # fmt: skip
    assert made.allowed
    rules = {verdict.rule: verdict for verdict in made.verdicts}
    assert "household_risk" not in rules
    assert rules["rejoin"].limit == REJOIN_LIMIT
    promised = {verdict.rule: verdict.value for verdict in found.best.verdicts}
    assert {rule: rules[rule].value for rule in promised} == pytest.approx(promised)
    assert rules["rejoin"].met
    plan, into = read_plan(tmp_path / "frame-safe.toml"), tmp_path / "again"
    into.mkdir()
    with hold_input(study) as file:
        again = run(plan, tmp_path, held=file, into=into)
    assert again.files["frame-safe.parquet"] == made.files["frame-safe.parquet"]


@pytest.mark.slow
def test_members_who_can_be_put_together_stand_in_the_way(study: ms.Study) -> None:
    table = study.frame.with_columns(address=study.frame["household"] % 271)
    told = ms.study(table, keys=KEYS, weight="weight", household="household", estimator="model")
    found = told.propose(policy=BOTH, touched=0.05)
    assert found.best is not None
    assert found.best.first
    assert {name for step in found.best.first for name in step.left_out} == {"address", "household"}
    spared = told.propose(policy=BOTH, touched=0.05, keep=["address"])
    assert not spared.shown.first


@pytest.mark.slow
def test_weights_that_members_share_are_rounded(study: ms.Study) -> None:
    table = study.frame.with_columns(weight=30.0 + study.frame["household"] % 271 / 100)
    told = ms.study(table, keys=KEYS, weight="weight", household="household", estimator="model")
    found = told.propose(policy=BOTH, touched=0.05)
    assert [type(step) for step in found.best.first] == [Round, Drop]
    assert "so that members stay apart: " in found.best.sentence


def test_no_household_at_all_is_still_refused() -> None:
    alone = ms.study(survey(households=60).frame, keys=KEYS, weight="weight", estimator="cell")
    with pytest.raises(UsageError, match="needs a scenario with households"):
        alone.propose(policy=BOTH)
