"""Running a plan again: nothing is overwritten silently."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InputError
from microsafe.plan.read import read_plan
from microsafe.plan.run import lock_path, run

PLAN = """
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex"]
weight = "weight"
estimator = "cell"
[[step]]
do = "suppress"
k = 3
[output]
file = "safe.asc"
public_report = "public.html"
keep_order = "to compare records"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    survey = ms.survey(1, households=60).frame
    survey.select("region", "sex", "weight").write_csv(tmp_path / "survey.csv")
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def read_all(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def test_files_of_this_plan_are_replaced_with_a_notice(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["protect", str(plan)]) == 0
    assert "were replaced" not in capsys.readouterr().err
    plan.write_text(PLAN.replace("k = 3", "k = 8"))
    before = read_all(plan.parent)
    assert main(["protect", str(plan)]) == 0
    told = capsys.readouterr().err
    assert "were there before and were replaced: " in told
    for name in ("safe.asc", "safe.rda", "public.html", "plan.lock"):
        assert name in told
    assert read_all(plan.parent)["plan.lock"] != before["plan.lock"]


@pytest.mark.parametrize("name", ["safe.asc", "safe.rda", "public.html", "plan.lock"])
def test_files_of_others_stay(plan: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    other = plan.with_name(name)
    other.write_text("somebody else's")
    before = read_all(plan.parent)
    assert main(["protect", str(plan)]) == 3
    told = capsys.readouterr().err
    assert f"they were changed since: {name}. " in told
    assert "--overwrite" in told
    assert read_all(plan.parent) == before
    assert sorted(os.listdir(plan.parent)) == sorted(before)
    assert main(["protect", str(plan), "--overwrite"]) == 0
    assert f"were replaced: {name}." in capsys.readouterr().err
    assert main(["replay", str(plan), "--check"]) == 0


@pytest.mark.parametrize("name", ["safe.asc", "safe.rda", "public.html"])
def test_files_that_were_changed_since_stay(
    plan: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["protect", str(plan)]) == 0
    changed = plan.with_name(name)
    changed.write_bytes(changed.read_bytes() + b" ")
    before = read_all(plan.parent)
    assert main(["protect", str(plan)]) == 3
    assert f"since: {name}." in capsys.readouterr().err
    assert main(["replay", str(plan), "--check"]) == 1
    assert read_all(plan.parent) == before
    assert main(["replay", str(plan)]) == 0  # which puts back what was changed
    assert main(["replay", str(plan), "--check"]) == 0


def test_in_python(plan: Path) -> None:
    folder, lock = plan.parent, lock_path(plan)
    first = run(read_plan(plan), folder, lock=lock)
    assert first.replaced == ()
    assert json.loads(lock.read_text())["files"] == dict(first.files)
    again = run(read_plan(plan), folder, lock=lock)
    assert set(again.replaced) == {"safe.asc", "safe.rda", "public.html", "plan.lock"}
    with pytest.raises(InputError, match="already exist"):
        run(read_plan(plan), folder)
    run(read_plan(plan), folder, overwrite=True)


def test_an_output_that_is_no_file_is_refused_before_any_work(
    plan: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("pipes of POSIX")
    os.mkfifo(plan.with_name("public.html"))
    assert main(["protect", str(plan), "--overwrite"]) == 3
    assert "public.html is a pipe and cannot be written to" in capsys.readouterr().err
    assert main(["report", str(plan), "-o", str(plan.with_name("public.html"))]) == 3
    assert "is a pipe" in capsys.readouterr().err
    assert sorted(os.listdir(plan.parent)) == ["plan.toml", "public.html", "survey.csv"]
