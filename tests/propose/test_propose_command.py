"""`microsafe propose`, `[propose]` of plans, and what the board is told."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli.main import main
from microsafe.datasets import survey
from microsafe.errors import EnoughError, UsageError
from microsafe.plan.model import plan_text
from microsafe.plan.read import read_plan
from microsafe.plan.run import run
from microsafe.propose.search import PlanSearch

PLAN = """microsafe = 1

[input]
file = "people.csv"

[scenario]
keys = ["region", "age", "marital"]
weight = "weight"
estimator = "model"

[policy]
record_risk = 0.02

[utility]
variables = { age = 2.0 }

[propose]
touched = "10%"

[propose.ladders]
age = [5, 10, 20]
region = "regions.csv"
marital = [{ groups = { "9" = ["3", "4", "5"] } }]

[[step]]
do = "drop"
variables = ["income"]
why = "nobody asked for it"

[[step]]
do = "suppress"
above = 0.02

[[keep]]
variables = ["sex"]
why = "it is what the file is for"

[output]
file = "safe.csv"
report = "report.html"
keep_order = "test"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    frame = survey(households=300).frame
    names = ["region", "age", "marital", "weight", "sex", "income"]
    frame.select(names).write_csv(tmp_path / "people.csv")
    regions = frame["region"].unique().sort().to_list()
    rows = [f"{region};{'north' if region < 6 else 'south'}" for region in regions]
    (tmp_path / "regions.csv").write_text("\n".join(rows) + "\n", "utf-8")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, "utf-8")
    return path


def test_a_proposed_plan_keeps_its_promise(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, picture = plan.with_name("new.toml"), plan.with_name("frontier.svg")
    assert main(["propose", str(plan), "-o", str(new), "--frontier", str(picture), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "proved"
    assert found["gap"] == 0
    assert found["met"]["record_risk"]["met"] is True
    assert found["steps"][-1]["do"] == "suppress"
    assert picture.read_text("utf-8").startswith("<?xml")
    assert {"loss", "expected", "blanks", "steps"} <= set(found["frontier"][0])
    made = read_plan(new)
    assert [step.do for step in made.steps].count("suppress") == 1
    assert made.steps[0].do == "drop"
    assert all(step.why.startswith("chosen by microsafe propose") for step in made.steps[1:])
    assert made.propose is not None
    assert made.propose.result is not None
    assert plan_text(read_plan(new)) == plan_text(made)
    done = run(made, new.parent)
    assert done.allowed
    assert done.study.steps[-1].total == found["blanks"]
    assert done.study.steps[-1].records == found["records"]
    assert done.after["main"].expected == pytest.approx(
        next(each["expected"] for each in found["frontier"] if each["loss"] == found["loss"])
    )
    page = (plan.parent / "report.html").read_text("utf-8")
    assert "Why this plan" in page
    assert "were changed after they were proposed" not in page


@pytest.mark.slow
def test_protecting_at_once_gives_what_both_commands_give(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = plan.with_name("one.toml"), plan.with_name("other.toml")
    safe, report = plan.with_name("safe.csv"), plan.with_name("report.html")
    assert main(["propose", str(plan), "-o", str(one), "--json"]) == 0
    proposed = json.loads(capsys.readouterr().out)
    assert main(["protect", str(one), "--json"]) == 0
    lock = json.loads(capsys.readouterr().out)
    written = safe.read_bytes()
    safe.unlink()
    report.unlink()
    assert main(["propose", str(plan), "-o", str(other), "--protect", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert other.read_text("utf-8") == one.read_text("utf-8")
    assert safe.read_bytes() == written
    assert made.pop("release") == lock
    assert made == proposed  # a report shows the frontier, so it was measured
    assert json.loads(other.with_suffix(".lock").read_text("utf-8")) == lock


def test_without_a_report_the_plan_to_take_is_measured_alone(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = plan.with_name("new.toml")
    plan.write_text(PLAN.replace('report = "report.html"\n', ""), "utf-8")
    assert main(["propose", str(plan), "-o", str(new), "--protect", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    known = {each["loss"]: each["expected"] for each in found["frontier"]}
    assert known.pop(found["loss"]) is not None
    assert known
    assert set(known.values()) == {None}
    assert found["release"]["files"].keys() == {"safe.csv"}
    plan.with_name("safe.csv").unlink()
    new.unlink()
    assert main(["propose", str(plan), "-o", str(new), "--protect"]) == 0
    told = capsys.readouterr().out
    assert "not measured" in told
    assert "Written, read back and measured again: safe.csv" in told


def test_protecting_at_once_needs_a_plan_that_is_written(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["propose", str(plan), "--protect"]) == 2
    assert "-o NEW.toml" in capsys.readouterr().err
    assert not plan.with_name("safe.csv").exists()


def test_nothing_is_protected_if_no_plan_keeps_to_what_was_asked(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = plan.with_name("new.toml")
    plan.write_text(PLAN.replace("record_risk = 0.02", "k = 100_000"), "utf-8")
    assert main(["propose", str(plan), "-o", str(new), "--protect"]) == 1
    assert not plan.with_name("safe.csv").exists()
    assert "proposed" in capsys.readouterr().err


def test_proposing_again_replaces_what_was_proposed(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = plan.with_name("first.toml"), plan.with_name("second.toml")
    assert main(["propose", str(plan), "-o", str(first)]) == 0
    assert "Plan written to first.toml" in capsys.readouterr().out
    assert main(["propose", str(first), "-o", str(second)]) == 0
    assert first.read_text("utf-8") == second.read_text("utf-8")
    assert main(["propose", str(first), "-o", str(second)]) == 2
    assert "second.toml exists already" in capsys.readouterr().err


def test_the_nearest_plan_is_written_if_none_keeps_to_the_cap(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(PLAN.replace('"10%"', "0").replace("0.02", "0.002"), "utf-8")
    new = plan.with_name("new.toml")
    assert main(["propose", str(plan), "-o", str(new), "--json"]) == 1
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["within_cap"] is False
    assert found["status"] == "proved"
    assert found["bound"] is None
    assert found["records"] > 0
    assert not found["named"]
    assert "No plan keeps to 0 records with blanks, which is proved." in said.err
    done = run(read_plan(new), new.parent)
    assert done.allowed
    assert done.study.steps[-1].records == found["records"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('touched = "10%"', "touchd = 0.1", "line 18: unknown field 'touchd'. Did you mean"),
        ('touched = "10%"', "touched = 7", "from 0 to 1"),
        ("age = [5, 10, 20]", "age = [true]", "rung 1 of 'age' must be the width of bins"),
        ('touched = "10%"', 'guarantee = "shared"', "'guarantee' has a value of the wrong kind"),
    ],
)
def test_wishes_are_checked_when_a_plan_is_read(
    plan: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    plan.write_text(PLAN.replace(old, new), "utf-8")
    assert main(["plan", "check", str(plan)]) == 2
    assert said in capsys.readouterr().err


def test_what_cannot_be_searched_for_is_refused(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.write_text(PLAN.replace("age = [5, 10, 20]", "age = [2, 5]"), "utf-8")
    assert main(["propose", str(plan)]) == 2
    assert "Rung 2 of 'age' (bins of 5) parts groups" in capsys.readouterr().err
    other = plan.parent / "other"
    other.mkdir()
    assert main(["propose", str(plan), "-o", str(other / "new.toml")]) == 2
    assert "must be in the folder of plan.toml" in capsys.readouterr().err
    plan.write_text(PLAN.replace("record_risk = 0.02", ""), "utf-8")
    assert main(["propose", str(plan)]) == 2
    assert "asks for nothing that recodes and blanks can see to" in capsys.readouterr().err


def test_protect_does_not_run_a_wish(plan: Path) -> None:
    done = run(read_plan(plan), plan.parent)
    assert [taken.step.do for taken in done.study.steps] == ["drop", "suppress"]
    assert "Why this plan" not in (plan.parent / "report.html").read_text("utf-8")
    table = tomllib.loads(plan_text(read_plan(plan)))
    for name in ("utility", "propose"):
        assert table[name] == tomllib.loads(PLAN.replace('"10%"', "0.1"))[name]
    assert pl.read_csv(plan.parent / "safe.csv").height > 0


def test_the_same_question_gives_the_same_bytes(plan: Path) -> None:
    texts = []
    for name in ("one", "two"):
        new, picture = plan.with_name(f"{name}.toml"), plan.with_name(f"{name}.svg")
        assert main(["propose", str(plan), "-o", str(new), "--frontier", str(picture)]) == 0
        texts.append(new.read_bytes() + picture.read_bytes())
    assert texts[0] == texts[1]


def test_rows_in_another_order_give_the_same_plan(plan: Path) -> None:
    texts = []
    for name in ("one", "two"):
        new = plan.with_name(f"{name}.toml")
        assert main(["propose", str(plan), "-o", str(new)]) == 0
        lines = new.read_text("utf-8").splitlines()
        texts.append([line for line in lines if not line.startswith("sha256")])
        people = pl.read_csv(plan.parent / "people.csv")
        people.sample(fraction=1.0, shuffle=True, seed=5).write_csv(plan.parent / "people.csv")
    assert texts[0] == texts[1]


def test_a_release_from_python_tells_why(plan: Path) -> None:
    study = ms.study(
        plan.parent / "people.csv", keys=["region", "age"], weight="weight", estimator="model"
    )
    policy = ms.Policy(record_risk=0.05)
    found = study.propose(policy=policy, touched=0.2)
    other = found.candidates[-1]
    assert other is not found.best
    names = ("marital", "sex", "income")
    done = other.study.release(
        plan.parent,
        file="out.csv",
        policy=policy,
        keep=dict.fromkeys(names, "test"),
        proposal=found,
    )
    assert done.allowed
    kept = read_plan(plan.parent / "out.toml").propose
    assert kept is not None
    assert kept.result is not None
    assert kept.result.taken is not None
    assert kept.result.taken.touched == other.touched
    assert "Why this plan" in (plan.parent / "report.html").read_text("utf-8")
    with pytest.raises(UsageError, match="not those of a plan of the proposal"):
        study.plan(plan.parent / "out.csv", proposal=found)


def test_an_interrupted_search_changes_nothing(
    plan: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PlanSearch, "run", stop)
    new = plan.with_name("new.toml")
    assert main(["propose", str(plan), "-o", str(new)]) == 130
    assert "Interrupted; no output file was changed" in capsys.readouterr().err
    assert not new.exists()


@pytest.mark.parametrize("reason", [KeyboardInterrupt, EnoughError])
def test_an_interrupted_search_keeps_the_best_so_far(
    plan: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    reason: type[BaseException],
) -> None:
    def stop(*_: object) -> None:
        raise reason

    monkeypatch.setattr(PlanSearch, "_open", stop)
    new = plan.with_name("new.toml")
    assert main(["propose", str(plan), "-o", str(new), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "found"
    assert 0 < found["gap"] <= 1
    assert found["bound"] < found["loss"]
    done = run(read_plan(new), new.parent)
    assert done.allowed
    assert done.study.steps[-1].total == found["blanks"]


def test_a_search_that_is_stopped_says_how_far_it_came(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["propose", str(plan), "--seconds", "0.000001", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "found"
    assert 0 < found["gap"] <= 1
    assert "found in " in found["words"]
    assert code == (0 if found["within_cap"] else 1)
