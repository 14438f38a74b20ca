"""In a terminal a command ends with what is usually done next; scripts are not told."""

from __future__ import annotations

import string
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest

from microsafe.cli import main
from microsafe.cli.command_list import COMMANDS, NEXT, NEXT_IF_NOT_MET
from microsafe.cli.main import _PLACES

KEYS = ("--keys", "sex,age", "--weight", "w")


class Terminal(StringIO):
    """A standard error that somebody watches."""

    def isatty(self) -> bool:
        return True


def run(*arguments: object) -> str:
    """What a command that does its job prints on standard error in a terminal."""
    terminal = Terminal()
    with redirect_stderr(terminal):
        assert main(list(map(str, arguments))) == 0
    return terminal.getvalue()


def write(folder: Path) -> Path:
    path = folder / "in.csv"
    path.write_text("sex,age,w\n" + "f,30,9\nm,40,9\nf,50,9\n" * 9)
    return path


def test_next_is_the_last_line(tmp_path: Path) -> None:
    path, out = write(tmp_path), tmp_path / "out.csv"
    told = run("risk", path, *KEYS)
    assert told.splitlines()[-1].endswith(f"next: microsafe plan new {path} -o plan.toml")
    told = run("recode", path, "--variable", "age", "--breaks", "40", "-o", out)
    assert told.splitlines()[-1].endswith(f"next: microsafe risk {out}")


@pytest.mark.parametrize("option", ["-q", "--json"])
def test_scripts_and_quiet_people_are_told_nothing(tmp_path: Path, option: str) -> None:
    assert "next:" not in run("risk", write(tmp_path), *KEYS, option)


def test_a_log_is_told_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", str(write(tmp_path))]) == 0
    printed = capsys.readouterr()
    assert "next:" not in printed.out + printed.err


def test_a_plan_is_protected_next(tmp_path: Path) -> None:
    path, plan = write(tmp_path), tmp_path / "plan.toml"
    run("plan", "new", path, *KEYS, "--above", "0.5", "-o", plan)
    assert run("risk", plan).splitlines()[-1].endswith(f"next: microsafe protect {plan}")


def test_every_next_step_is_of_a_command_and_can_be_filled() -> None:
    for name, text in (*NEXT.items(), *NEXT_IF_NOT_MET.items()):
        assert name.split()[0] in COMMANDS, name
        named = {place for _, place, _, _ in string.Formatter().parse(text) if place}
        assert named <= set(_PLACES), name
        words = text.split()
        assert words[0] != "microsafe" or words[1] in COMMANDS, text


def test_a_new_plan_with_limits_that_pull_apart_is_proposed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Blanks for households undo what blanks for records promised; a search meets both."""
    from microsafe import survey
    from microsafe.io import write as write_file

    made = survey(2, households=60)
    write_file(made.frame, made.schema, tmp_path / "survey.sav")
    keys = ["--keys", "region,sex,age", "--weight", "weight", "--household", "household"]
    plan = tmp_path / "plan.toml"
    said = ["plan", "new", str(tmp_path / "survey.sav"), *keys, "-o", str(plan)]
    assert main([*said, "--profile", "scientific", "--estimator", "model"]) == 0
    better = tmp_path / "plan-proposed.toml"
    assert f"microsafe propose {plan} -o {better} --protect" in capsys.readouterr().out
