"""The gate: a file with names is refused on every way out, and goes through with decisions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InventoryError
from microsafe.io import write
from microsafe.options.profiles import PROFILES
from microsafe.plan.model import plan_text
from microsafe.plan.read import read_plan
from microsafe.plan.run import run
from microsafe.schema import Variable
from microsafe.variables.decide import Keep, reasons_to_keep

ROLES = ["--keys", "region,hsize,sex,age", "--weight", "weight", "--household", "household"]
KEYS = ["region", "hsize", "sex", "age"]
FIRST, LAST = ("Anna", "Åsa", "José", "Ole"), ("Ek", "Rossi", "Smith")
ANSWERS = dict.fromkeys(
    ("marital", "education", "occupation", "citizenship", "income"),
    "answers that nobody outside knows",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A survey of SPSS with names, national ids and exact dates of birth."""
    survey, rng = ms.survey(1, households=200), np.random.default_rng(2)
    rows = len(survey.frame)
    days = [date(1930, 1, 1) + timedelta(int(each)) for each in rng.integers(0, 25_000, rows)]
    first, last = rng.integers(0, 4, rows), rng.integers(0, 3, rows)
    frame = survey.frame.with_columns(
        pl.Series("NAME", [f"{FIRST[a]} {LAST[b]}"
                           for a, b in zip(first, last, strict=True)]),
        pl.Series("PNR", [f"{day:%Y%m%d}{number:04d}"
                          for number, day in enumerate(days)]),
        pl.Series("BIRTH", days),
    )  # fmt: skip
    more = (Variable(name="NAME"), Variable(name="PNR"), Variable(name="BIRTH", kind="date"))
    schema = replace(survey.schema, variables=(*survey.schema.variables, *more))
    path = tmp_path_factory.mktemp("made") / "survey.sav"
    write(frame, schema, path)
    return path


@pytest.fixture
def survey(made: Path, tmp_path: Path) -> Path:
    path = tmp_path / "survey.sav"
    path.write_bytes(made.read_bytes())
    return path


def open_survey(path: Path) -> ms.Study:
    return ms.study(path, keys=KEYS, weight="weight", household="household", estimator="model")


def protect_survey(path: Path) -> ms.Study:
    study = open_survey(path).drop(["NAME", "PNR", "BIRTH"]).renumber("household", seed=3)
    return study.suppress(above=0.05)


def files(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


def decide(plan: Path, answers: Mapping[str, str] = ANSWERS) -> None:
    """Fill in what `plan new` leaves to a person."""
    text = plan.read_text()
    assert 'variables = ["NAME", "PNR"]\nwhy = "by microsafe: nobody needs them"' in text
    assert '# [[keep]]\n# variables = ["BIRTH"]\n# why = ""' in text
    assert text.count('\nwhy = ""') == len(answers)
    plan.write_text(text.replace('\nwhy = ""', f'\nwhy = "{next(iter(answers.values()))}"'))


def test_the_inventory_of_the_file(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inventory", str(survey), *ROLES, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["barred"] == ["NAME", "PNR"]
    assert found["undecided"] == ["household", *ANSWERS, "NAME", "PNR", "BIRTH"]
    kinds = {each["name"]: [f["kind"] for f in each["findings"]] for each in found["variables"]}
    assert kinds["BIRTH"] == ["exact date"]
    assert kinds["household"] == ["household number"]
    assert main(["inventory", str(survey), *ROLES]) == 0
    out = capsys.readouterr().out
    assert "refused: direct identifier" in out
    assert "Its name says that it is a person's name" in out
    assert main(["inventory", str(survey)]) == 0  # without a scenario nothing has a role


def suppress_command(survey: Path) -> list[str]:
    out = str(survey.parent / "o.sav")
    return ["suppress", str(survey), *ROLES, "--above", "0.05", "-o", out]


def test_suppress_refuses_direct_identifiers(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = suppress_command(survey)
    assert main([*command, "--json"]) == 1
    captured = capsys.readouterr()
    assert "NAME, PNR of survey.sav are direct identifiers" in captured.err
    assert files(survey.parent) == {"survey.sav"}
    assert (
        main([*command, "--json", "--drop", "NAME", "--keep", "PNR=linked in the safe room"]) == 0
    )
    unchanged = json.loads(capsys.readouterr().out)["unchanged"]
    assert "PNR" in unchanged
    assert "BIRTH" in unchanged
    assert not {"NAME", "age"} & set(unchanged)
    assert "NAME" not in ms.study(survey.parent / "o.sav").schema
    assert main([*command, "--drop", "NAME,PNR"]) == 0
    out = capsys.readouterr().out
    assert "A working file, not a release: records are in the order of the input" in out


def test_a_reason_must_be_one(survey: Path) -> None:
    command = suppress_command(survey)
    with pytest.raises(SystemExit, match="2"):
        main([*command, "--keep", "NAME="])


def test_sample_refuses_direct_identifiers(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = survey.parent / "out.sav"
    command = ["sample", str(survey), "--fraction", "50%", "--seed", "1", "-o", str(out), "--json"]
    assert main(command) == 1
    assert not out.exists()
    capsys.readouterr()
    assert main([*command, "--drop", "NAME", "--drop", "PNR"]) == 0
    assert "income" in json.loads(capsys.readouterr().out)["unchanged"]


def test_writing_in_python_refuses_direct_identifiers(survey: Path) -> None:
    study, out = open_survey(survey), survey.parent / "out.sav"
    with pytest.raises(InventoryError, match=r"NAME, PNR of survey\.sav are direct identifiers"):
        study.write(out)
    with pytest.raises(InventoryError, match=r"PNR of survey\.sav is a direct identifier"):
        study.write(out, drop="NAME")
    assert not out.exists()
    found = study.write(out, drop="NAME", keep={"PNR": "linked in the safe room"})
    assert "PNR" in found.unchanged
    with pytest.raises(ms.InputError, match="no variable 'PRN'"):
        study.write(out, drop="NAME", keep={"PRN": "test"})


@pytest.mark.slow
def test_a_plan_is_refused_until_all_is_decided(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = survey.parent / "plan.toml"
    assert main(["plan", "new", str(survey), *ROLES, "--above", "5%", "-o", str(plan)]) == 0
    assert main(["plan", "new", str(survey), *ROLES, "-o", str(plan)]) == 2  # not overwritten
    assert main(["plan", "check", str(plan)]) == 0
    assert "income\n" in capsys.readouterr().out
    assert files(survey.parent) == {"survey.sav", "plan.toml"}
    assert main(["protect", str(plan)]) == 1
    captured = capsys.readouterr()
    assert "income are not decided on" in captured.err
    assert files(survey.parent) == {"survey.sav", "plan.toml", "plan.seeds"}
    decide(plan)
    assert main(["protect", str(plan), "--json"]) == 0
    lock = json.loads(capsys.readouterr().out)
    (verdict,) = (each for each in lock["verdicts"] if each["rule"] == "inventory")
    assert (verdict["value"], verdict["met"]) == (0, True)
    assert main(["replay", str(plan), "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["differs"] == []
    safe = ms.study(survey.parent / "survey-safe.sav")
    assert not {"NAME", "PNR", "BIRTH"} & set(safe.schema.names)


def test_a_profile_says_who_gets_the_file_and_proposes_a_limit(survey: Path) -> None:
    plan = survey.parent / "plan.toml"
    for name, usual in PROFILES.items():
        for more, limit in (([], usual.record_risk), (["--above", "1%"], 0.01)):
            plan.unlink(missing_ok=True)
            command = ["plan", "new", str(survey), *ROLES, "--profile", name, *more]
            assert main([*command, "--estimator", "cell", "-o", str(plan)]) == 0
            made = read_plan(plan, draw_seeds=True, save_seeds=False)
            assert made.report.release_type == usual.release_type
            (blanks,) = (step for step in made.steps if isinstance(step, ms.Suppress))
            assert made.policy.record_risk == blanks.above == limit
            assert ("# To begin with" in plan.read_text()) == (not more)
    with pytest.raises(SystemExit):
        main(["plan", "new", str(survey), *ROLES, "--profile", "friends", "-o", str(plan)])


@pytest.mark.slow
def test_records_are_shuffled_by_default(survey: Path) -> None:
    plan, safe = survey.parent / "plan.toml", survey.parent / "survey-safe.sav"
    main(["plan", "new", str(survey), *ROLES, "--above", "5%", "-o", str(plan)])
    decide(plan)
    text = plan.read_text()
    kept = text.replace("[output]\n", '[output]\nkeep_order = "panel of the interviewers"\n')
    incomes = []
    for each in (text, kept):
        plan.write_text(each)
        assert main(["protect", str(plan)]) == 0
        incomes.append(ms.study(safe).engine.table()["income"].to_list())  # type: ignore[attr-defined]
    assert incomes[0] != incomes[1]
    assert sorted(incomes[0]) == sorted(incomes[1])
    seeds = json.loads(plan.with_suffix(".seeds").read_text())
    assert set(seeds) == {"3 renumber seed", "output shuffle"}
    assert str(seeds["output shuffle"]) not in plan.with_suffix(".lock").read_text()


def test_a_direct_identifier_needs_a_reason_even_as_a_key(survey: Path) -> None:
    study = ms.study(survey, keys=["region", "NAME"], weight="weight")
    row = next(row for row in study.inventory().rows if row.name == "NAME")
    assert (row.decision.role, row.barred) == ("key", True)
    linked = study.suppress(k=2, linked={"region": ("PNR",)})
    row = next(row for row in linked.inventory().rows if row.name == "PNR")
    assert (row.decision.role, row.barred) == ("protected", True)
    kept = linked.inventory(keep={"PNR": "a reason", "NAME": "another"})
    assert kept.barred == ()
    assert "PNR" not in kept.undecided


def test_the_inventory_can_be_overridden_by_the_board(survey: Path) -> None:
    plan = protect_survey(survey).plan(survey.parent / "safe.sav", report="board.html")
    done = run(plan, survey.parent)
    assert not done.allowed
    assert done.inventory is not None
    assert done.inventory.undecided == tuple(ANSWERS)
    reason = {"inventory": "researchers in the safe room"}
    policy = replace(plan.policy, override=reason)
    assert run(replace(plan, policy=policy), survey.parent).allowed
    assert "researchers in the safe room" in (survey.parent / "board.html").read_text()


@pytest.mark.slow
def test_a_release_in_python(survey: Path) -> None:
    folder = survey.parent
    study = protect_survey(survey)
    with pytest.raises(InventoryError, match="marital, education"):
        study.release(folder, file="safe.sav")
    with pytest.raises(InventoryError, match="NAME, PNR"):
        open_survey(survey).release(folder, file="safe.sav", keep={**ANSWERS, "BIRTH": "a test"})
    assert files(folder) == {"survey.sav"}
    options = {"file": "safe.sav", "report": "", "public_report": "", "keep": ANSWERS}
    policy = ms.Policy(record_risk=0.0001)
    refused = study.release(folder, policy=policy, **options)  # type: ignore[arg-type]
    assert not refused.allowed
    assert files(folder) == {"survey.sav"}
    done = study.release(folder, policy=ms.Policy(record_risk=0.05), **options)  # type: ignore[arg-type]
    assert done.allowed
    assert files(folder) == {"survey.sav", "safe.sav", "safe.toml", "safe.lock", "safe.seeds"}
    assert main(["replay", str(folder / "safe.toml"), "--check"]) == 0
    frame = ms.survey(1, households=30).frame
    assert ms.study(frame, keys=KEYS).plan("safe.csv").input.file == "frame.parquet"


@pytest.mark.slow
def test_a_release_in_python_has_a_cover(survey: Path) -> None:
    folder, study = survey.parent, protect_survey(survey)
    cover = {"institution": "Our office", "signatories": ("Head of unit",), "language": "de"}
    done = study.release(folder, file="safe.sav", keep=ANSWERS, cover=cover)
    assert done.allowed
    assert 'signatories = ["Head of unit"]' in (folder / "safe.toml").read_text()
    for report in ("report.html", "public.html"):
        page = (folder / report).read_text("utf-8")
        assert "Our office" in page
        assert '<html lang="de"' in page
        assert ("Head of unit" in page) == (report == "report.html")
    assert main(["replay", str(folder / "safe.toml"), "--check"]) == 0
    again = folder / "again.html"
    assert main(["report", str(folder / "safe.toml"), "-o", str(again)]) == 0
    assert "Our office" in again.read_text("utf-8")
    with pytest.raises(ms.UsageError, match="Did you mean 'institution'"):
        study.plan(folder / "safe.sav", cover={"instituton": "x"})
    with pytest.raises(ms.UsageError, match="language 'fr'"):
        study.plan(folder / "safe.sav", cover={"language": "fr"})


def test_a_plan_in_python_spells_out_every_decision(survey: Path) -> None:
    keep = dict(list(ANSWERS.items())[:3])
    plan = protect_survey(survey).plan(survey.parent / "safe.sav", keep=keep)
    assert plan.keep == (
        Keep(variables=tuple(keep), why="answers that nobody outside knows"),
        Keep(variables=("citizenship", "income"), why=""),
    )
    path = survey.parent / "plan.toml"
    path.write_text(plan_text(plan))
    assert read_plan(path) == plan
    assert set(reasons_to_keep(plan.keep)) == set(keep)


BARE = """# A plan without decisions.
microsafe = 1

[input]
file = "survey.sav"

[scenario]
keys = ["region", "hsize", "sex", "age"]
weight = "weight"
household = "household"
estimator = "model"

[[step]]
do = "suppress"
above = 0.05

[output]
file = "survey-safe.sav"
"""


def test_a_bare_plan_is_asked_and_updated(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = survey.parent / "plan.toml"
    plan.write_text(BARE)
    assert main(["protect", str(plan)]) == 1
    err = capsys.readouterr().err
    assert "BIRTH are not decided on" in err
    assert f"microsafe plan update {plan}" in err
    assert files(survey.parent) == {"survey.sav", "plan.toml", "plan.seeds"}
    assert main(["plan", "update", str(plan)]) == 0
    assert plan.with_name("plan.before.toml").read_text() == BARE
    assert plan.read_text().startswith(BARE)
    decide(plan)
    assert main(["protect", str(plan)]) == 0
    assert main(["plan", "update", str(plan), "-o", str(plan.with_name("new.toml"))]) == 3
    assert main(["plan", "check", str(plan)]) == 0


def test_a_weight_that_tells_the_stratum_needs_a_reason() -> None:
    rng = np.random.default_rng(1)
    region = rng.integers(0, 4, 400)
    frame = pl.DataFrame(
        {"region": region, "w": region * 10.0 + 10, "sex": rng.integers(0, 2, 400)}
    )
    study = ms.study(frame, keys=["region", "sex"], weight="w")
    row = study.inventory().rows[1]
    assert [each.kind for each in row.findings] == ["telling weight"]
    assert "one category of region only" in row.findings[0].reason
    assert row.decision.role == "undecided"
    assert study.inventory(keep={"w": "needed for every estimate"}).undecided == ()
    fine = frame.with_columns(w=pl.Series(rng.random(400) * 100 + 1))
    assert ms.study(fine, keys=["region", "sex"], weight="w").inventory().undecided == ()


def test_delicate_keys_must_be_changed_or_kept() -> None:
    rows = 300
    frame = pl.DataFrame(
        {
            "index": range(rows),
            "day": [f"2020-01-{2 + each % 20:02d}" for each in range(rows)],
            "sex": [each % 2 for each in range(rows)],
        }
    )
    study = ms.study(frame, keys=["day", "sex"])
    assert study.inventory().undecided == ("index", "day")
    study = study.recode("day", keep=7).drop("index")
    rows_by_name = {row.name: row for row in study.inventory().rows}
    assert rows_by_name["day"].decision.role == "key"
    assert rows_by_name["day"].decision.by
    assert rows_by_name["index"].decision.role == "dropped"
    assert study.inventory().open == ()


def test_reasons_are_named_once_and_not_empty() -> None:
    assert reasons_to_keep({"a": "\u200b \u3164", "b": " why "}) == {"b": "why"}
    twice = (Keep(variables=("a",), why="one"), Keep(variables=("a",), why="two"))
    with pytest.raises(ms.UsageError, match="kept twice"):
        reasons_to_keep(twice)
    with pytest.raises(ms.UsageError, match="Name the variables"):
        Keep(variables=(), why="one")


def test_names_of_variables_are_hostile_input() -> None:
    frame = pl.DataFrame({"<b>": range(30), "sex": [1, 2] * 15})
    page = ms.study(frame, keys=["sex"]).inventory()._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def day_by_person(rows: int = 60) -> pl.DataFrame:
    days = [str(date(1930, 1, 2) + timedelta(400 * each)) for each in range(rows)]
    return pl.DataFrame(
        {
            "region": [1 + each % 4 for each in range(rows)],
            "stratum": [10 * (1 + each % 4) + 1 for each in range(rows)],
            "born": days,
            "number": range(rows),
            "trust": [each % 5 for each in range(rows)],
        }
    )


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (ms.Recode("born", keep=10), "born"),
        (ms.Round("number", base=1), "number"),
        (ms.Suppress(above=1.0, linked={"region": ("born",)}), "born"),
    ],
)
def test_a_step_that_changes_no_value_decides_nothing(step: ms.Step, name: str) -> None:
    study = ms.study(day_by_person(), keys=["region"]).apply(step)
    row = next(row for row in study.inventory().rows if row.name == name)
    assert (row.decision.role, row.changed) == ("undecided", False)


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (ms.Recode("born", keep=4), "born"),
        (ms.Renumber("number", seed=3), "number"),
        (ms.Suppress(k=16, linked={"region": ("born",)}), "born"),
    ],
)
def test_a_step_that_changes_values_decides(step: ms.Step, name: str) -> None:
    study = ms.study(day_by_person(), keys=["region"]).apply(step)
    row = next(row for row in study.inventory().rows if row.name == name)
    assert (row.decision.role, row.changed) == ("protected", True)


def test_what_tells_a_key_is_said_and_left_out_by_a_new_plan(tmp_path: Path) -> None:
    frame = pl.concat([day_by_person(120)] * 3)
    study = ms.study(frame, keys=["region"]).recode("region", groups={"1": [1, 2], "2": [3, 4]})
    rows = {row.name: row for row in study.inventory().rows}
    assert rows["stratum"].group == "tells a key"
    assert [finding.kind for finding in rows["stratum"].findings] == ["tells a key"]
    path, plan = tmp_path / "file.csv", tmp_path / "plan.toml"
    frame.with_columns(weight=pl.col("region") * 7.5).write_csv(path)
    more = ["--weight", "weight", "--estimator", "cell", "-o", str(plan)]
    assert main(["plan", "new", str(path), "--keys", "region", *more]) == 0
    made = read_plan(plan, draw_seeds=True, save_seeds=False)
    dropped = {name for step in made.steps if isinstance(step, ms.Drop) for name in step.variables}
    assert {"stratum", "born"} <= dropped
    assert "weight" not in dropped
    assert any(step.reweighs and "weight" in step.targets for step in made.steps)
    assert [each.variables for each in made.keep] == [("number", "trust")]


@pytest.mark.parametrize("reason", ["\u200b", "\u3164\u3164\u3164", " \t"])
def test_what_cannot_be_seen_is_no_reason(reason: str) -> None:
    rows = ms.study(day_by_person(), keys=["region"]).inventory(keep={"born": reason}).rows
    assert next(row for row in rows if row.name == "born").decision.role == "undecided"


@pytest.mark.parametrize("reason", ["ok", "...", "1234", "a\u200bb"])
def test_a_reason_has_three_letters(reason: str) -> None:
    with pytest.raises(ms.UsageError, match="three letters"):
        ms.study(day_by_person(), keys=["region"]).inventory(keep={"born": reason})
    with pytest.raises(ms.UsageError, match="three letters"):
        ms.Policy(override={"inventory": reason})


def test_one_reason_for_the_rest_is_for_answers_only(tmp_path: Path) -> None:
    path, plan = tmp_path / "file.csv", tmp_path / "plan.toml"
    frame = day_by_person().with_columns(marital=pl.col("trust") % 3, income=pl.col("number") * 997)
    frame.write_csv(path)
    more = ["--keep-rest", "nothing delicate", "-o", str(plan)]
    assert main(["plan", "new", str(path), "--keys", "region", "--estimator", "cell", *more]) == 0
    kept = reasons_to_keep(read_plan(plan, draw_seeds=True, save_seeds=False).keep)
    assert set(kept) == {"trust"}
