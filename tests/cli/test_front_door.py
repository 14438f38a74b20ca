"""What a shell user meets first: help, errors of one line, completion, colour, JSON."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from microsafe.cli import main
from microsafe.cli.command_list import CHAPTERS
from microsafe.cli.commands.completion import FILES, SCRIPTS, complete
from microsafe.cli.parser import Parser, build_parser

PROGRAM = Path(sys.executable).with_name("microsafe")


def commands(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, Parser]]:
    """Every command that does something, by its whole name."""
    parts = [e for e in parser._actions if isinstance(e, argparse._SubParsersAction)]
    if not parts:
        assert isinstance(parser, Parser)
        yield name, parser
    for part in parts:
        for word, each in part.choices.items():
            yield from commands(each, f"{name} {word}".strip())


COMMANDS = dict(commands(build_parser()))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("region,sex,w\n" + "".join(f"{n % 7},{n % 2},{2 + n % 3}\n" for n in range(90)))
    return path


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    return err


def test_alone_it_shows_help_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    examples = re.findall(r"^  microsafe (.+)$", out, re.MULTILINE)
    assert len(examples) >= 5
    parser = build_parser()
    for example in examples:
        assert parser.parse_args(example.split()).run
    (choice,) = (e for e in parser._actions if isinstance(e, argparse._SubParsersAction))
    listed = [name for names in CHAPTERS.values() for name in names]
    assert sorted(listed) == sorted(choice.choices)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rsik"], "There is no command 'rsik'. Did you mean 'risk'?"),
        (["plan", "nwe"], "There is no command 'nwe'. Did you mean 'new'?"),
        (["risk"], "FILE is missing."),
        (["sample", "f.csv"], "--fraction, --seed and -o are missing."),
        (["risk", "f.csv", "--key", "a"], "There is no option '--key'. Did you mean '--keys'?"),
        (["risk", "f.csv", "--keys=a", "--limti=1"], "Did you mean '--limit'?"),
        (["risk", "f.csv", "--keys", "a", "--missing", "wild"], "Did you mean 'wildcard'?"),
        (["risk", "f.csv", "--keys", "a", "--limit", "2"], "--limit: must lie between 0 and 1"),
        (["risk", "f.csv", "g.csv", "--keys", "a"], "'g.csv' is one word too many."),
        (["limit", "f.csv", "--keys", "a"], "One of --risk, --rate,"),
        (["--verbose"], "There is no option '--verbose'. Did you mean '--version'?"),
        (["completion", "bsh"], "Did you mean 'bash'?"),
    ],
)
def test_errors_of_one_line_say_what_was_meant(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    err = fail(capsys, *arguments)
    assert said in err
    assert "usage:" not in err
    assert err.rstrip().endswith("--help.")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_alone_is_one_line_or_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if COMMANDS[name].signature() in ("[options]", "[FILE] [options]"):
        return  # it needs nothing
    assert "missing" in fail(capsys, *name.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_screen_and_names_every_option(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    lines = COMMANDS[name].format_help().splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    named = set(re.findall(r"--[a-z][a-z0-9-]*", "\n".join(lines)))
    assert {action.option_strings[-1] for action in options_of(name)} <= {
        *named,
        "--help",
        "--help-all",
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_all_help_explains_every_option_and_its_default(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = COMMANDS[name].format_help_all()
    assert max(map(len, shown.splitlines())) <= 80
    _, *parts = re.split(r"\n(?:  (?=-)|\n)", shown)
    entries = [" ".join(part.split()) for part in parts]
    exclusive = COMMANDS[name]._mutually_exclusive_groups
    grouped = {action for group in exclusive for action in group._group_actions}
    for action in options_of(name):
        (entry,) = (entry for entry in entries if action.option_strings[-1] in entry.split()[:2])
        assert action.help
        assert len(entry.split()) > 2
        has_default = action.default not in (None, "", (), [], {}, False, argparse.SUPPRESS)
        assert "default" in entry or not has_default or action in grouped, entry


def options_of(name: str) -> list[argparse.Action]:
    return [action for action in COMMANDS[name]._actions if action.option_strings]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json(name: str) -> None:
    assert "--json" in COMMANDS[name]._option_string_actions


def test_the_reference_has_the_usage_of_every_command() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "cli.md").read_text("utf-8")
    block = " ".join(page.split("```text")[1].split("```")[0].split())
    for name, command in COMMANDS.items():
        assert " ".join(f"microsafe {name} {command.signature()}".split()) in block


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ris"], ["risk"]),
        (["plan", ""], ["new", "update", "check"]),
        (["risk", "--mi"], ["--missing"]),
        (["risk", "--missing", "w"], ["wildcard"]),
        (["risk", ""], [FILES]),
        (["protect", ""], [FILES]),
        (["risk", "in.csv", "--keys", ""], ["region", "sex", "w"]),
        (["risk", "in.csv", "--keys", "region,s"], ["region,sex"]),
        (["risk", "none.csv", "--keys", ""], []),
        (["risk", "in.csv", "--weight", "w"], ["w"]),
    ],
)
def test_completion(
    words: list[str], expected: list[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    assert complete(build_parser(), words) == expected


@pytest.mark.skipif(not shutil.which("bash") or not PROGRAM.exists(), reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["comb"], {"combinations"}),
        (["risk", "in"], {"in.csv"}),
        (["risk", "in.csv", "--keys", "re"], {"region"}),
        (["suppress", "in.csv", "--guarantee", "s"], {"strict", "shared"}),
    ],
)
def test_bash_completes(words: list[str], expected: set[str], file: Path) -> None:
    script = (
        f"source <(microsafe completion bash); complete -p microsafe >&2\n"
        f"COMP_WORDS=(microsafe {' '.join(words)}); COMP_CWORD={len(words)}\n"
        '_microsafe; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=file.parent,
        env={**os.environ, "PATH": path},
    )
    assert set(done.stdout.split()) == expected
    assert "complete -F _microsafe microsafe" in done.stderr


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_are_sound(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert script.rstrip("\n") == SCRIPTS[shell].rstrip("\n")
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
    assert main(["completion", shell, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["shell"] == shell


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_no_colour_in_pipes_unless_asked_for(
    environment: dict[str, str],
    coloured: bool,
    file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    options = ["risk", str(file), "--keys", "region,sex", "--weight", "w", "--limit", "1%"]
    assert main(options) == 0
    out = capsys.readouterr().out
    assert ("\x1b[1mRisk of" in out) is coloured
    assert ("\x1b[" in out) is coloured
    assert main([*options, "--json"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert main(["risk", str(file), "--keys", "regoin"]) == 3
    assert ("\x1b[31mmicrosafe:\x1b[0m" in capsys.readouterr().err) is coloured


def test_colour_on_a_terminal() -> None:
    from microsafe.cli.colour import wants_colour

    class Terminal:
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    assert wants_colour(terminal, {"TERM": "xterm", "WT_SESSION": ""})  # type: ignore[arg-type]
    assert not wants_colour(terminal, {"TERM": "dumb"})  # type: ignore[arg-type]
    assert not wants_colour(terminal, {"TERM": "xterm", "NO_COLOR": "1"})  # type: ignore[arg-type]
