"""`check` and `guide`: the answer in one screen, and five questions."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import microsafe as ms
from files.labour_force import write_labour_force
from microsafe.cli import main
from microsafe.options.profiles import PROFILES
from person_oracle import make_panel

ROLES = ["--keys", "region,sex,age", "--weight", "weight", "--household", "household"]


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.slow
def test_check_fits_a_screen_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_labour_force(tmp_path / "lfs.csv", persons=600)
    assert main(["check", str(path)]) == 1
    said = capsys.readouterr().out
    assert len(said.splitlines()) <= 24
    for words in ("NAME", "could be recognised", "public use file", 'values are "NA"'):
        assert words in said
    assert [each.name for each in tmp_path.iterdir()] == ["lfs.csv"]


def test_check_measures_by_the_keys_and_the_profile(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, usual in PROFILES.items():
        code = main(["check", str(survey), *ROLES, "--profile", name, "--json"])
        found = json.loads(capsys.readouterr().out)
        study = ms.study(
            survey,
            keys=["region", "sex", "age"],
            weight="weight",
            household="household",
            estimator=found["estimator"],
        )
        risk = study.risk(profile=usual.name)
        assert risk.limit is not None
        assert (found["expected"], found["above"]) == (risk.expected, risk.limit.unsafe)
        assert (found["limit"], found["profile"]) == (usual.record_risk, name)
        assert code == (1 if found["first"] else 0)


@pytest.mark.slow
def test_guide_without_a_terminal_takes_what_is_filled_in(
    survey: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    into = tmp_path / "out"
    assert main(["guide", str(survey), *ROLES, "-o", str(into)]) == 0
    said = capsys.readouterr()
    assert "every decision is taken as it is filled in" in said.err
    names = {each.name for each in into.iterdir()}
    assert {"survey-safe.csv", "survey-safe.toml", "report.html", "public.html"} <= names
    plan = into / "survey-safe.toml"
    assert main(["replay", str(plan), "--check"]) == 0


def test_guide_asks_five_questions(
    survey: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = ["2", "", "income=out", "", "1", "n"]
    monkeypatch.setattr("sys.stdin", Terminal("\n".join(answers) + "\n"))
    into = tmp_path / "out"
    assert main(["guide", str(survey), *ROLES, "-o", str(into)]) == 0
    said = capsys.readouterr()
    for question in ("1. Is this your file?", "2. Who gets the file?", "3. What must not go out?",
                     "4. Which plan?"):  # fmt: skip
        assert question in said.out
    assert "5. Sign and write" in said.err
    assert "researchers under contract; risk at most 0.2" in said.out
    assert not into.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "extension",
    ["sav", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("xlsx", "csv"))],
)
def test_guide_reaches_a_file_that_meets_its_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], extension: str
) -> None:
    path = write_labour_force(tmp_path / f"lfs.{extension}")
    into = tmp_path / "out"
    assert main(["guide", str(path), "--yes", "--seconds", "60", "--json", "-o", str(into)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["allowed"]
    assert all(each["met"] for each in found["verdicts"])
    assert f"lfs-safe.{extension}" in found["files"]


@pytest.mark.slow
def test_tables_and_notes_know_the_width_of_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_labour_force(tmp_path / "lfs.csv", persons=300)
    for width in (80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        for command in (["describe"], ["inventory"], ["preview"], ["check"]):
            main([*command, str(path)])
            said = capsys.readouterr()
            for line in (said.out + said.err).splitlines():
                assert len(line) <= width, (command, line)


def test_quiet_prints_no_notes(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["risk", str(survey), *ROLES]) == 0
    assert "note:" in capsys.readouterr().err
    assert main(["risk", str(survey), *ROLES, "-q"]) == 0
    assert capsys.readouterr().err == ""


def test_plan_alone_is_help_and_a_data_file_is_no_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["plan"])
    assert (stop.value.code, "update" in capsys.readouterr().out) == (0, True)
    assert main(["protect", str(tmp_path / "lfs.sav")]) == 3
    assert "Make a plan from it: microsafe plan new lfs.sav" in capsys.readouterr().err


def test_a_plan_serves_instead_of_options(survey: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = survey.parent / "plan.toml"
    assert main(["plan", "new", str(survey), *ROLES, "--above", "5%", "-o", str(plan)]) == 0
    capsys.readouterr()
    assert main(["risk", str(plan), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["limit"]["limit"] == 0.05
    assert found["limit"]["unsafe"] == 0  # its steps were taken
    assert main(["risk", str(plan), "--keys", "sex"]) == 2


@pytest.mark.slow
def test_guide_takes_persons_of_a_panel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, into = tmp_path / "panel.csv", tmp_path / "out"
    make_panel(21, absent=0.2, persons=200).write_csv(path)
    assert main(["guide", str(path), "--yes", "--json", "-o", str(into)]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert (found["person"], found["wave"], found["allowed"]) == ("pid", "wave", True)
    assert "--by-record" in said.err
    assert (into / "panel-safe.csv").exists()
    again = ["guide", str(path), "--yes", "--by-record", "--seconds", "5", "--json"]
    main([*again, "-o", str(tmp_path / "other")])
    assert "person" not in json.loads(capsys.readouterr().out)


def test_guide_refuses_waves_that_only_the_order_tells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "panel.csv"
    make_panel(21).drop("wave").write_csv(path)
    into = tmp_path / "out"
    assert main(["guide", str(path), "--yes", "--person", "pid", "--json", "-o", str(into)]) == 3
    assert "plan new --person pid" in capsys.readouterr().err
    assert not into.exists()
    main(["guide", str(path), "--yes", "--seconds", "5", "--json", "-o", str(tmp_path / "other")])
    said = capsys.readouterr()
    assert json.loads(said.out)["repeated"] == "pid"
    assert "--person pid --wave NAME" in said.err
