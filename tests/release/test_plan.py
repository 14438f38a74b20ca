"""Plans: the same in TOML and Python, unknown words refused, replayed to the same bytes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xlsxwriter import Workbook

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import NoEstimateError
from microsafe.options import policy
from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Input, Plan, plan_text
from microsafe.plan.read import read_plan
from microsafe.plan.run import run as run_plan
from microsafe.plan.script import script
from microsafe.plan.seeds import seed_hash
from microsafe.plan.values import build_step, build_value
from microsafe.risk.file.estimate import LEVELS
from microsafe.risk.file.options import USUAL_BANDS
from microsafe.steps import (
    BottomCode,
    Drop,
    Recode,
    Renumber,
    Round,
    Sample,
    Suppress,
    TopCode,
)
from microsafe.studies import estimator_choice
from microsafe.variables.decide import Keep

PLAN = """
microsafe = 1

[input]
file = "survey.csv"

[scenario]
keys = ["region", "hsize", "sex", "age"]
weight = "weight"
estimator = "cell"
household = "household"
why = "neighbours"

[scenarios.register]
keys = ["region", "sex", "age", "marital"]
weight = "weight"
estimator = "cell"

[policy]
record_risk = 0.02
k = 2
override.estimator = "as in earlier years"

[[step]]
do = "recode"
variable = "age"
breaks = [0, 20, 40, 60]
why = "neighbours know the age"

[[step]]
do = "renumber"
variable = "household"
seed = 5

[[step]]
do = "suppress"
above = 0.02
k = 2

[[keep]]
variables = ["education", "occupation", "citizenship", "income", "weight"]
why = "answers that nobody outside knows"

[output]
file = "safe.csv"
keep_order = "so that records can be compared"
report = "board.html"
public_report = "public.html"
"""
REASON = 'override.estimator = "as in earlier years"'
SHORT = PLAN[: PLAN.index("report =")]  # without reports, whose models take most of the time


@pytest.fixture
def plan(survey: Path, tmp_path: Path) -> Path:
    shutil.copy(survey, tmp_path)
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


TEXTS = st.text(max_size=12)
STEPS = st.one_of(
    st.builds(
        Suppress,
        above=st.none()
        | st.floats(0.001, 1)
        | st.dictionaries(TEXTS, st.floats(0.1, 1), max_size=2),
        k=st.none() | st.integers(2, 9),
        guarantee=st.sampled_from(["own", "strict", "shared"]),
        cost=st.none() | st.just("entropy") | st.dictionaries(TEXTS, st.floats(0.5, 3), max_size=2),
        spare=st.lists(TEXTS, max_size=2).map(tuple),
        why=TEXTS,
    ),
    st.builds(Recode, variable=TEXTS, breaks=st.just((0.0, 10.0)), why=TEXTS),
    st.builds(Recode, variable=TEXTS, keep=st.integers(1, 4)),
    st.builds(
        Recode, variable=TEXTS, groups=st.just({"1": ("2", ("3", "9")), "5": ("6",)}), why=TEXTS
    ),
    st.builds(TopCode, variable=TEXTS, limit=st.floats(0, 99)),
    st.builds(BottomCode, variable=TEXTS, limit=st.floats(0, 99)),
    st.builds(Round, variable=TEXTS, base=st.floats(0.5, 10)),
    st.builds(Drop, variables=st.lists(TEXTS, min_size=1, max_size=2, unique=True).map(tuple)),
    st.builds(Renumber, variable=TEXTS, seed=st.integers(0, 99)),
    st.builds(
        Sample,
        fraction=st.floats(0.001, 0.999),
        seed=st.integers(0, 99),
        household=st.none() | TEXTS.map("h{}".format),
        weight=TEXTS.map("w{}".format),
        why=TEXTS,
    ),
)


@pytest.mark.slow
@given(st.lists(STEPS, max_size=4), TEXTS, st.floats(0.1, 1))
def test_every_plan_survives_toml(
    tmp_path_factory: pytest.TempPathFactory, steps: list[object], name: str, factor: float
) -> None:
    made = Plan(
        input=Input(file='a "b" \\ c.csv', na=(".", "NA")),
        scenarios=(
            Scenario(keys=("a", "b"), weight="w", factor=factor),
            Scenario(keys=("c",), name="other " + name),
        ),
        policy=Policy(record_risk=0.1, k=3, override={"k": "a reason"}),
        steps=tuple(steps),  # type: ignore[arg-type]
        keep=(Keep(variables=("d", "e"), why="because " + name), Keep(variables=("f",), why="")),
        output=Output(file="out.csv", shuffle=3, blanks={"a": 9}),
    )
    path = tmp_path_factory.mktemp("plan") / "plan.toml"
    path.write_text(plan_text(made), "utf-8")
    assert read_plan(path) == made
    compile(script(made), "script", "exec")


@pytest.mark.parametrize(
    ("do", "word", "text", "number"),
    [
        (None, "record_risk", "1%", 0.01),
        (None, "household_risk", "0.5 %", 0.005),
        (None, "rate", "1 in 1,000", 0.001),
        ("suppress", "above", "1 in 100", 0.01),
        ("suppress", "above", {"main": "2%", "register": 0.03}, {"main": 0.02, "register": 0.03}),
        ("suppress", "household", "5%", 0.05),
        ("sample", "fraction", "10%", 0.1),
    ],
)
def test_rates_may_be_written_as_on_the_command_line(
    do: str | None, word: str, text: object, number: object
) -> None:
    if do is None:
        made: object = build_value(Policy, {word: text}, "plan")
    else:
        rest = {"seed": 1} if do == "sample" else {"above": 0.5}
        made = build_step({"do": do, **rest, word: text}, "plan")
    assert getattr(made, word) == number


def test_errors_of_keys_in_a_plan(plan: Path) -> None:
    plan.write_text(SHORT.replace('why = "neighbours"', 'error = { age = "5%", sex = 0.01 }'))
    found = read_plan(plan)
    assert found.scenarios[0].error == {"age": 0.05, "sex": 0.01}
    assert "error={'age': 0.05, 'sex': 0.01}" in script(found)
    again = plan.with_name("again.toml")
    again.write_text(plan_text(found))
    assert read_plan(again) == found
    assert main(["protect", str(plan)]) == 0


def test_scenarios_take_rates_too() -> None:
    made = build_value(Scenario, {"keys": ["a"], "alpha": "50%", "factor": "1 in 4"}, "plan")
    assert (made.alpha, made.factor) == (0.5, 0.25)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("microsafe = 1", "microsafe = 2", "format"),
        ("microsafe = 1", "", "format"),
        ("microsafe = 1", "microsafe = true", "format"),
        ("[[keep]]", "[[keeep]]", "Did you mean 'keep'"),
        ('variables = ["education", ', 'variables = ["educatoin", ', "Did you mean 'education'"),
        ('why = "answers', 'wy = "answers', "line 42: unknown field 'wy'. Did you mean 'why'"),
        ("k = 2\n\n[[keep]]", "k = 2.5\n\n[[keep]]", "[[step]] 3, line 38: 'k'"),
        ("[input]\n", "[input]\nfil = 3\n", "[input], line 5: unknown field 'fil'"),
        ("[scenarios.register]", "[scenarios.main]", "a name of its own"),
        ("[scenario]", '[scenario]\nname = "x"', "heading"),
        ('file = "safe.csv"', 'file = "safe.csv"\nshuffle = -1', "seed"),
        ("[policy]", "[polcy]", "Did you mean 'policy'"),
        ("weight =", "wieght =", "Did you mean 'weight'"),
        ('do = "recode"', 'do = "recod"', "Did you mean 'recode'"),
        ('do = "recode"', "", "must name the kind of step in 'do'"),
        ("breaks =", "braeks =", "Did you mean 'breaks'"),
        ('estimator = "cell"', 'estimator = "modell"', "Did you mean 'model'"),
        ('estimator = "cell"', 'estimator = "x"', "Available: cell, model"),
        ('estimator = "cell"', "estimator = 1", "Available: cell, model"),
        ("k = 2", 'k = "two"', "wrong kind"),
        ("seed = 5", "seed = 5.5", "wrong kind"),
        ("above = 0.02", 'above = "a little"', "written as 0.01, '1%' or '1 in 100'"),
        ('file = "safe.csv"', "", "lacks 'file'"),
        ("above = 0.02", "above = 7", "above 0 and at most 1"),
        ("[input]", "[input", "syntax (line 4)"),
        ('file = "survey.csv"', 'file = "survey.csv"\nsha256 = "00"', "checksum differs"),
        ('file = "survey.csv"', 'file = "surve.csv"', "surve.csv"),
    ],
)
def test_wrong_plans_are_refused(
    plan: Path, old: str, new: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(PLAN.replace(old, new, 1))
    code = main(["protect", str(plan)])
    err = capsys.readouterr().err
    assert code in (2, 3)
    assert said in err
    assert "Traceback" not in err
    assert {each.name for each in plan.parent.iterdir()} == {"plan.toml", "survey.csv"}


@pytest.mark.slow
def test_seeds_that_are_left_out_are_drawn_once(plan: Path) -> None:
    plan.write_text(SHORT.replace("seed = 5\n", ""))
    with pytest.raises(ms.UsageError, match="lacks 'seed'"):
        read_plan(plan)
    assert main(["protect", str(plan)]) == 0
    first = (plan.parent / "safe.csv").read_bytes()
    seeds = plan.with_suffix(".seeds")
    assert list(json.loads(seeds.read_text())) == ["2 renumber seed"]
    assert main(["protect", str(plan)]) == 0
    assert (plan.parent / "safe.csv").read_bytes() == first
    seeds.write_text("{}")
    assert main(["protect", str(plan)]) == 0
    assert (plan.parent / "safe.csv").read_bytes() != first
    seeds.write_text('{"2 renumber seed": "five"}')
    with pytest.raises(ms.InputError, match="does not hold the seeds of a plan"):
        read_plan(plan)


def test_no_seed_is_kept_for_a_wrong_plan(plan: Path) -> None:
    plan.write_text(PLAN.replace("seed = 5\n", "").replace("[policy]", "[polcy]"))
    assert main(["protect", str(plan)]) == 2
    assert not plan.with_suffix(".seeds").exists()


def test_hashes_of_seeds_tell_them_apart() -> None:
    hashes = {seed_hash(seed, salt) for seed in (5, 6) for salt in ("step 1", "step 2")}
    assert len(hashes) == 4
    assert seed_hash(5, "step 1") in hashes


@pytest.mark.slow
def test_protect_and_replay(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["protect", str(plan), "--json"]) == 0
    lock = json.loads(capsys.readouterr().out)
    written = {each.name: each.read_bytes() for each in plan.parent.iterdir()}
    assert set(written) == {
        "plan.toml", "plan.lock", "survey.csv", "safe.csv", "board.html", "public.html"
    }  # fmt: skip
    assert json.loads(written["plan.lock"]) == lock
    assert all(each["met"] for each in lock["verdicts"] if each["rule"] != "estimator")
    assert main(["replay", str(plan), "--check"]) == 0
    assert main(["protect", str(plan)]) == 0
    assert {each.name: each.read_bytes() for each in plan.parent.iterdir()} == written
    safe = ms.study(
        plan.parent / "safe.csv", keys=["region", "hsize", "sex", "age"], weight="weight"
    )
    assert safe.risk(limit=0.02).limit.unsafe == 0  # type: ignore[union-attr]


@pytest.mark.slow
def test_replay_notices_changes(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.write_text(SHORT)
    assert main(["replay", str(plan), "--check"]) == 3
    main(["protect", str(plan)])
    safe = plan.parent / "safe.csv"
    safe.write_text(safe.read_text().replace("male", "x", 1) + "\n")
    assert main(["replay", str(plan), "--check"]) == 1
    assert "safe.csv on disk" in capsys.readouterr().out
    main(["protect", str(plan)])
    plan.write_text(SHORT.replace("above = 0.02", "above = 0.01"))
    assert main(["replay", str(plan), "--check", "--json"]) == 1


@pytest.mark.slow
def test_the_script_does_the_same(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main(["protect", str(plan)])
    wanted = (plan.parent / "safe.csv").read_bytes()
    (plan.parent / "safe.csv").unlink()
    monkeypatch.chdir(plan.parent)
    exec(compile(script(read_plan(plan)), "script", "exec"), {})  # noqa: S102
    assert (plan.parent / "safe.csv").read_bytes() == wanted


@pytest.mark.slow
def test_a_policy_that_is_not_met_stops_the_release(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(PLAN.replace("record_risk = 0.02", "record_risk = 0.0001"))
    assert main(["protect", str(plan)]) == 1
    captured = capsys.readouterr()
    assert "not met" in captured.out
    assert "Nothing was written" in captured.err
    assert not (plan.parent / "safe.csv").exists()
    reason = 'record_risk = 0.0001\noverride.record_risk = "researchers under contract"'
    plan.write_text(PLAN.replace("record_risk = 0.02", reason))
    assert main(["protect", str(plan)]) == 0
    assert "neighbours" in (plan.parent / "board.html").read_text()
    assert "researchers under contract" in (plan.parent / "board.html").read_text()
    assert "researchers under contract" not in (plan.parent / "public.html").read_text()


HOMES = SHORT.replace("[scenarios.register]\n", "[scenarios.register]\nhousehold = 'household'\n")


@pytest.mark.slow
def test_rules_for_households_and_for_the_file(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = "household_rate = 0.9\nexpected_households = '50'\n"
    plan.write_text(HOMES.replace("[policy]", "[policy]\n" + rules))
    assert main(["protect", str(plan)]) == 2  # a number of households is no rate
    rules = "household_rate = '90%'\nexpected_households = 50\ntau1 = 900\ntau1_share = 1\n"
    homes = HOMES.replace("record_risk = 0.02\nk = 2\n", "").replace("0.02\nk = 2", "0.05")
    plan.write_text(homes.replace("[policy]", f"[policy]\n{rules}tau2 = 0.001\n"))
    assert main(["protect", str(plan)]) == 1
    assert not (plan.parent / "safe.csv").exists()
    reason = "override.tau2 = 'under contract'\n"
    plan.write_text(homes.replace("[policy]", f"[policy]\n{rules}tau2 = 0.001\n{reason}"))
    assert main(["protect", str(plan)]) == 0
    assert main(["replay", str(plan), "--check"]) == 0
    lock = json.loads(plan.with_suffix(".lock").read_text())
    found = {each["rule"]: each for each in lock["verdicts"] if each["scenario"] == "register"}
    safe = ms.study(
        plan.parent / "safe.csv",
        keys=["region", "sex", "age", "marital"],
        weight="weight",
        household="household",
        estimator="cell",
    )
    risk = safe.risk()
    release = run_plan(read_plan(plan), plan.parent, overwrite=True)
    alone, tau1, tau2 = release.study.tau("register")
    assert risk.household is not None
    assert found["household_rate"]["value"] == risk.household.rate
    assert found["expected_households"]["value"] == risk.household.expected_households
    assert found["tau1"]["value"] == pytest.approx(tau1, rel=1e-12)
    assert found["tau1_share"]["value"] == pytest.approx(tau1 / alone, rel=1e-12)
    assert found["tau2"]["value"] == pytest.approx(tau2, rel=1e-12)
    assert not found["tau2"]["met"]
    assert found["tau2"]["reason"]
    assert "note" not in found["tau2"]
    out = capsys.readouterr().out
    assert "(very low)" in out or "(low)" in out or "(moderate)" in out or "(high)" in out


def test_the_file_is_modelled_only_if_a_rule_asks_for_it(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(ms.Study, "file_risk", refuse)
    monkeypatch.setattr(ms.Study, "tau", refuse)
    plan.write_text(SHORT)
    assert main(["protect", str(plan)]) == 0


@pytest.mark.slow
def test_without_an_estimate_the_rule_is_not_met(
    plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def silent(*_: object, **__: object) -> None:
        raise NoEstimateError("It did not converge.")

    monkeypatch.setattr(ms.Study, "tau", silent)
    plan.write_text(SHORT.replace("k = 2", "tau1_share = 0.5\nk = 2", 1))
    assert main(["protect", str(plan)]) == 1
    assert "no estimate  not met (It did not converge)" in capsys.readouterr().out
    out = plan.parent / "x.html"
    assert main(["report", str(plan), "-o", str(out)]) == 1
    assert "It did not converge." in out.read_text()


def test_the_levels_of_verdicts_are_those_of_the_risk_of_the_file() -> None:
    assert [share for share, _ in policy._LEVELS[:3]] == list(USUAL_BANDS)
    assert tuple(level for _, level in policy._LEVELS) == LEVELS
    assert policy.show_rule_value("tau1_share", 0.02) == "2 % (low)"
    assert policy.show_rule_value("telling", 0.9) == "90.0 %"  # of the values of a key
    assert policy.show_rule_value("telling", 0.9, "main") == "0.9 times"  # of records found


def test_a_census_is_judged_as_the_population(plan: Path) -> None:
    plan.write_text(SHORT.replace('weight = "weight"\n', "").replace("k = 2", "tau1 = 0\nk = 2", 1))
    release = run_plan(read_plan(plan, draw_seeds=True), plan.parent)
    verdicts = [each for each in release.verdicts if each.rule == "tau1"]
    assert all(each.value == int(each.value or 0) for each in verdicts)


@pytest.mark.slow
def test_the_input_is_checked_by_known_counts(plan: Path) -> None:
    frame = pl.read_csv(plan.parent / "survey.csv")
    counts = frame.group_by(["region", "hsize", "sex", "age", "marital"]).len("people")
    counts.with_columns(pl.col("people") * 9).write_csv(plan.parent / "census.csv")
    given = 'file = "survey.csv"\npopulation = "census.csv"\npopulation_count = "people"'
    plan.write_text(SHORT.replace('file = "survey.csv"', given) + 'report = "board.html"\n')
    assert main(["protect", str(plan)]) == 0
    report = (plan.parent / "board.html").read_text()
    assert "Expected by known population counts" in report
    assert "By the counts of census.csv" in report or "census.csv has" in report
    assert "population" not in script(read_plan(plan))
    plan.write_text(SHORT.replace('file = "survey.csv"', given).replace("safe.csv", "census.csv"))
    assert main(["protect", str(plan)]) == 2
    plan.write_text(SHORT.replace('file = "survey.csv"', given.replace("census", "nothing")))
    assert main(["protect", str(plan)]) == 3


@pytest.mark.slow
def test_report_alone(plan: Path) -> None:
    for audience in ("board", "public"):
        out = plan.parent / f"{audience}-only.html"
        assert main(["report", str(plan), "-o", str(out), "--audience", audience]) == 0
        assert out.read_text().startswith("<!DOCTYPE html>")
    assert not (plan.parent / "safe.csv").exists()


def whole_file(plan: Path, steps: list[str]) -> str:
    """What the board reads of the file as a whole, with these steps behind age and household."""
    text = plan.read_text()
    first, last = text.index('[[step]]\ndo = "suppress"'), text.index("[[keep]]")
    made = "\n".join(f"[[step]]\n{each}\n" for each in steps)
    other = plan.with_name("other.toml")
    other.write_text(text[:first] + made + text[last:])
    assert main(["protect", str(other)]) == 0
    report = plan.with_name("board.html").read_text()
    begins = report.index('id="whole"')
    return report[begins : report.index("</section>", begins)]


@pytest.mark.slow
def test_the_file_as_a_whole_does_not_depend_on_the_order_of_steps(plan: Path) -> None:
    suppress, drop = 'do = "suppress"\nabove = 0.02\nk = 2', 'do = "drop"\nvariables = ["income"]'
    recode = 'do = "recode"\nvariable = "marital"\ngroups = { 2 = ["2", "3"] }'
    last = whole_file(plan, [recode, drop, suppress])
    assert "After, without suppression" in last
    released = plan.with_name("safe.csv").read_bytes()
    assert whole_file(plan, [recode, suppress, drop]) == last
    assert plan.with_name("safe.csv").read_bytes() == released
    # What was suppressed may be recoded later: the model is of the data as if it had not been.
    early = whole_file(plan, [suppress, recode, drop])
    rows = [text.split("Sample uniques that suppression left")[0] for text in (early, last)]
    assert rows[0] == rows[1]


def test_the_seed_of_a_shuffle_is_a_secret_too() -> None:
    assert "918273" not in repr(Output(file="out.csv", shuffle=918273))


@pytest.mark.parametrize("shuffle", [-1, 0.5, True])
def test_a_shuffle_without_a_seed_is_refused(tmp_path: Path, shuffle: Any) -> None:
    with pytest.raises(ms.UsageError, match="seed of a shuffle must be a whole number"):
        ms.study(ms.survey(1, households=5).frame).write(tmp_path / "out.csv", shuffle=shuffle)
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_shuffled_and_coded_output(plan: Path) -> None:
    kept = SHORT.splitlines()[-1]
    plan.write_text(SHORT.replace(kept, "shuffle = 4"))
    assert main(["protect", str(plan)]) == 0
    shuffled = pl.read_csv(plan.parent / "safe.csv", infer_schema=False)
    plan.write_text(SHORT)
    assert main(["protect", str(plan)]) == 0
    plain = pl.read_csv(plan.parent / "safe.csv", infer_schema=False)
    assert not shuffled.equals(plain)
    assert shuffled.sort(shuffled.columns).equals(plain.sort(plain.columns))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('report = "board.html"', 'report = "survey.csv"'),
        ('report = "board.html"', 'report = "safe.csv"'),
        ('report = "board.html"', 'report = "plan.toml"'),
        ('report = "board.html"', 'report = "public.html"'),
        ('report = "board.html"', 'report = "nowhere/board.html"'),
        ('file = "safe.csv"', 'file = "survey.csv"'),
        ('file = "safe.csv"', 'file = "plan.lock"'),
        ('file = "safe.csv"', 'file = "../safe.csv"'),
        ('file = "safe.csv"', 'file = "/tmp/safe.csv"'),
        ('file = "safe.csv"', 'file = "safe.docx"'),
        ("[[step]]", "step = 3\n[[stap]]"),
        ("[scenarios.register]", "[scenarios]\nregister = 3\n[policy.x]"),
    ],
)
def test_outputs_never_fall_on_something_else(
    plan: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(PLAN.replace(old, new, 1))
    before = {each.name: each.read_bytes() for each in plan.parent.iterdir()}
    commands = [["protect"], ["report", "-o", str(plan.parent / "x.html")]]
    for command in commands[:1] if "nowhere" in new else commands:
        assert main([command[0], str(plan), *command[1:]]) in (2, 3)
        err = capsys.readouterr().err
        assert "Unexpected error" not in err
        assert {each.name: each.read_bytes() for each in plan.parent.iterdir()} == before


@pytest.mark.slow
def test_outputs_in_a_folder_below(plan: Path) -> None:
    plan.write_text(PLAN.replace('file = "safe.csv"', 'file = "out/safe.csv"'))
    (plan.parent / "out").mkdir()
    assert main(["protect", str(plan)]) == 0
    assert main(["replay", str(plan), "--check"]) == 0
    (plan.parent / "plan.lock").write_text("[]")
    assert main(["replay", str(plan), "--check"]) == 3


@pytest.mark.parametrize("suffix", ["csv", "parquet", "sav", "dta", "xlsx"])
def test_what_blanks_hide_is_known_when_the_file_is_read_back(plan: Path, suffix: str) -> None:
    weighed = '\n[scenarios.weighed]\nkeys = ["region", "sex", "age"]\nmissing = "expected"\n'
    text = SHORT.replace("\n[policy]", f"{weighed}\n[policy]").replace("safe.csv", f"safe.{suffix}")
    text = text.replace("[[keep]]", 'guarantee = "shared"\nscenarios = ["main"]\n\n[[keep]]')
    plan.write_text(text.replace("record_risk = 0.02\nk = 2", "k = 1"))
    found = run_plan(read_plan(plan), plan.parent)
    assert found.files
    weighed_risk = found.after["weighed"]
    assert weighed_risk.source == f"safe.{suffix}"
    assert weighed_risk.expected == pytest.approx(found.study.risk("weighed").expected, rel=1e-9)
    assert "missing-unknown" not in [notice.id for notice in weighed_risk.notices]


def test_scenarios_of_a_script_do_not_inherit(plan: Path) -> None:
    made = read_plan(plan)
    first, second = made.scenarios
    assert "household=None" in script(made)
    assert second.household is None
    assert first.household == "household"


@pytest.mark.slow
def test_a_failed_read_back_leaves_the_old_release(
    plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["protect", str(plan)]) == 0
    before = {each.name: each.read_bytes() for each in plan.parent.iterdir()}
    monkeypatch.setattr("microsafe.plan.run._same", lambda *_: False)
    assert main(["protect", str(plan)]) == 3
    assert "was not written" in capsys.readouterr().err
    assert {each.name: each.read_bytes() for each in plan.parent.iterdir()} == before


@pytest.mark.slow
def test_replay_by_another_version(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["protect", str(plan)]) == 0
    path = plan.with_suffix(".lock")
    lock = json.loads(path.read_text())
    figures = lock["risk"]["main"]["after"]["risk"]
    largest = figures["max"]
    figures["max"] = largest * (1 + 1e-14)
    del figures["expected"]
    lock["files"]["board.html"] = "0" * 64
    path.write_text(json.dumps(lock))
    capsys.readouterr()
    assert main(["replay", str(plan)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        "files board.html",
        "risk main after risk expected",
    ]
    lock["versions"]["microsafe"] = "0.0.1"
    path.write_text(json.dumps(lock))
    assert main(["replay", str(plan)]) == 0
    figures["max"] = largest * (1 + 1e-9)
    lock["files"]["safe.csv"] = "0" * 64
    path.write_text(json.dumps(lock))
    capsys.readouterr()
    assert main(["replay", str(plan)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        "files safe.csv",
        "risk main after risk max",
    ]


def test_a_sheet_that_is_not_the_first_is_released_as_a_workbook(plan: Path) -> None:
    frame = pl.read_csv(plan.with_name("survey.csv"))
    with Workbook(plan.with_name("survey.xlsx")) as book:
        book.add_worksheet("notes")
        frame.write_excel(book, worksheet="people")
    text = SHORT.replace("survey.csv", 'survey.xlsx"\nsheet = "people').replace(
        "safe.csv", "safe.xlsx"
    )
    plan.write_text(text)
    assert main(["protect", str(plan)]) == 0
    assert len(pl.read_excel(plan.with_name("safe.xlsx"))) == len(frame)


@pytest.mark.slow
def test_replay_puts_back_what_was_lost(plan: Path) -> None:
    plan.write_text(SHORT)
    assert main(["protect", str(plan)]) == 0
    safe = plan.parent / "safe.csv"
    wanted = safe.read_bytes()
    safe.unlink()
    assert main(["replay", str(plan), "--check"]) == 1
    assert main(["replay", str(plan)]) == 0
    assert safe.read_bytes() == wanted
    plan.write_text(SHORT.replace("above = 0.02", "above = 0.01"))
    assert main(["replay", str(plan)]) == 1
    assert safe.read_bytes() == wanted


@pytest.mark.slow
def test_metadata_beside_the_data_are_locked(plan: Path) -> None:
    plan.write_text(SHORT.replace('"safe.csv"', '"safe.asc"'))
    assert main(["protect", str(plan)]) == 0
    lock = json.loads((plan.parent / "plan.lock").read_text())
    assert {"safe.asc", "safe.rda"} <= set(lock["files"])
    rda = plan.parent / "safe.rda"
    rda.write_text(rda.read_text().replace("sex", "sx"))
    assert main(["replay", str(plan), "--check"]) == 1


@pytest.mark.slow
def test_a_report_says_if_the_policy_is_not_met(plan: Path) -> None:
    plan.write_text(PLAN.replace("record_risk = 0.02", "record_risk = 0.0001"))
    out = plan.parent / "x.html"
    assert main(["report", str(plan), "-o", str(out), "--audience", "public"]) == 1
    assert not out.exists()
    assert main(["report", str(plan), "-o", str(out)]) == 1
    assert "Not to be released" in out.read_text()


SAMPLE = """
[[step]]
do = "sample"
fraction = 0.4
seed = 7
household = "household"
why = "fewer will do for teaching"
"""


def sampled(plan: Path, sample: str = SAMPLE) -> None:
    plan.write_text(PLAN.replace("[[step]]", f"{sample.strip()}\n\n[[step]]", 1))


def no_estimate(*args: Any, **options: Any) -> object:
    """Have a model of the population only for whom it is not asked of."""
    if args[1].estimator == "model":
        raise NoEstimateError("It did not converge.")
    return REFERENCE(*args, **options)


REFERENCE = ms.Study._reference


def estimator_verdicts(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    verdicts = json.loads(capsys.readouterr().out)["verdicts"]
    return [each for each in verdicts if each["rule"] == "estimator"]


@pytest.mark.slow
def test_cell_needs_a_reason_where_the_model_says_more(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sampled(plan)
    text = plan.read_text()[: plan.read_text().index("report =")]
    there = set(plan.parent.iterdir())
    plan.write_text(text.replace(REASON, ""))
    assert main(["protect", str(plan), "--json"]) == 1
    refused = estimator_verdicts(capsys)
    assert "main" in [each["scenario"] for each in refused]
    assert {(each["limit"], each["met"]) for each in refused} == {(1.25, False)}
    assert all(each["value"] > 1.25 for each in refused)
    assert set(plan.parent.iterdir()) == there
    plan.write_text(text)
    assert main(["protect", str(plan), "--json"]) == 0
    assert {each["reason"] for each in estimator_verdicts(capsys)} == {"as in earlier years"}
    assert main(["replay", str(plan), "--check", "--json"]) == 0
    capsys.readouterr()
    asked = text.replace(REASON, "").replace('estimator = "cell"\n', 'estimator = "model"\n')
    plan.write_text(asked)
    assert main(["protect", str(plan), "--json"]) == 0
    assert estimator_verdicts(capsys) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "name", "value", "told"),
    [
        (estimator_choice, "MOST_CELLS", 1, "The model was not fitted"),
        (ms.Study, "_reference", no_estimate, "The model gives no estimate"),
    ],
)
def test_cell_needs_a_reason_where_the_model_cannot_say(
    where: object,
    name: str,
    value: object,
    told: str,
    plan: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sampled(plan)
    text = plan.read_text()[: plan.read_text().index("report =")]
    monkeypatch.setattr(where, name, value)
    plan.write_text(text.replace(REASON, ""))
    assert main(["protect", str(plan), "--json"]) == 1
    refused = estimator_verdicts(capsys)
    assert {(each["value"], each["met"], each["reason"]) for each in refused} == {(None, False, "")}
    assert all(told in each["note"] for each in refused)
    public = plan.parent / "public-only.html"
    assert main(["report", str(plan), "-o", str(public), "--audience", "public"]) == 1
    assert "no release to tell the public of" in capsys.readouterr().err
    assert not public.exists()
    plan.write_text(text)
    assert main(["protect", str(plan)]) == 0
    assert f"no estimate  not met ({told}" in capsys.readouterr().out
    assert main(["report", str(plan), "-o", str(plan.parent / "x.html")]) == 0
    assert told in (plan.parent / "x.html").read_text()
    assert main(["replay", str(plan), "--check"]) == 0


@pytest.mark.slow
def test_a_sample_is_released_replayed_and_told(
    plan: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sampled(plan)
    assert main(["protect", str(plan)]) == 0
    told = "sample of 40 % of households: "
    shown = capsys.readouterr().out
    (line,) = (line.strip().removeprefix("1. ") for line in shown.splitlines() if told in line)
    lock = json.loads((plan.parent / "plan.lock").read_text())
    drawn = lock["steps"][0]["drawn"]
    assert line == (
        f"{told}{drawn['households']} of {drawn['of_households']}, {drawn['records']} of "
        f"{drawn['of_records']} records; weight multiplied by 2.5"
    )
    assert "drawn" not in lock["steps"][1]
    safe = pl.read_csv(plan.parent / "safe.csv", infer_schema=False)
    assert len(safe) == drawn["records"] < drawn["of_records"]
    for figures in lock["risk"].values():  # before is the sample as drawn, not the whole file
        assert figures["before"]["records"] == figures["after"]["records"] == len(safe)
    board = (plan.parent / "board.html").read_text()
    assert line in board
    assert "fewer will do for teaching" in board
    public = (plan.parent / "public.html").read_text()
    assert "random sample of the original" in public
    assert not re.search(rf"\b{drawn['of_records']:,}\b", public)
    assert main(["replay", str(plan), "--check"]) == 0
    assert "seed = 7" not in board + public + lock["plan"]
    (plan.parent / "safe.csv").rename(plan.parent / "wanted.csv")
    monkeypatch.chdir(plan.parent)
    exec(compile(script(read_plan(plan)), "script", "exec"), {})  # noqa: S102
    assert Path("safe.csv").read_bytes() == Path("wanted.csv").read_bytes()


@pytest.mark.slow
def test_a_sample_of_records_in_a_script(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sampled(plan, SAMPLE.replace('household = "household"', ""))
    assert main(["protect", str(plan)]) == 0
    wanted = (plan.parent / "safe.csv").read_bytes()
    monkeypatch.chdir(plan.parent)
    assert "study.sample(fraction=0.4, seed=7, " in script(read_plan(plan))
    exec(compile(script(read_plan(plan)), "script", "exec"), {})  # noqa: S102
    assert Path("safe.csv").read_bytes() == wanted


@pytest.mark.slow
def test_a_sample_gives_a_census_its_weight(plan: Path) -> None:
    census = pl.read_csv(plan.parent / "survey.csv").drop("weight")
    census.write_csv(plan.parent / "survey.csv")
    sampled(plan)
    text = plan.read_text().replace('weight = "weight"\n', "")
    plan.write_text(text.replace("record_risk = 0.02\n", "").replace("above = 0.02\n", ""))
    assert main(["protect", str(plan)]) == 0
    safe = pl.read_csv(plan.parent / "safe.csv")
    assert set(safe["weight"]) == {2.5}
    assert "weight" in (plan.parent / "board.html").read_text()


def test_a_sample_comes_first(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.write_text(PLAN.replace("[output]", f"{SAMPLE.strip()}\n\n[output]"))
    assert main(["protect", str(plan)]) == 2
    assert "Take the sample before other steps" in capsys.readouterr().err
