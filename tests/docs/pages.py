"""Markdown pages as programs: their fenced blocks, and how to run them."""

from __future__ import annotations

import doctest
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from microsafe.cli import main

ROOT = Path(__file__).parents[2]
MADE = ROOT / "docs/reference/messages.md"  # written when the site is built, not kept
PAGES = sorted([*{*(ROOT / "docs").rglob("*.md")} - {MADE}, ROOT / "README.md"])

_FENCE = re.compile(r"^```(\w*) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INSTALLS = ("pip ", "uv ", "pipx ", "python ")
_FLAGS = doctest.ELLIPSIS


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it is saved as, its text, the line it starts on."""

    language: str
    file: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A line behind a `$` and what the page shows below it."""

    line: str
    shown: str


def blocks(page: Path) -> Iterator[Block]:
    """Go through the fenced blocks of a page."""
    text = page.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        yield Block(found[1], found[2], found[3], text.count("\n", 0, found.start()) + 2)


def has_examples(page: Path) -> bool:
    """Tell whether a page has anything to run."""
    return any(block.language in ("python", "console", "sh") for block in blocks(page))


def run(page: Path) -> None:
    """Run the examples of a page in order, in one namespace, and compare what they show."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(page):
        where = f"{page.name}, line {block.line}"
        if block.language == "python":
            run_python(block, names, where)
        elif block.language == "console":
            run_console(block, where)
        elif block.language == "sh":
            run_script(block, where)
        elif block.language == "toml" and block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")


def run_python(block: Block, names: dict[str, Any], where: str) -> None:
    """Run a block of Python: a session with prompts is compared, a program just runs."""
    if ">>>" not in block.text:
        exec(compile(block.text, where, "exec"), names)  # noqa: S102
        return
    session = doctest.DocTestParser().get_doctest(block.text, names, where, where, block.line)
    session.globs = names
    report = StringIO()
    runner = doctest.DocTestRunner(optionflags=_FLAGS)
    runner.run(session, out=report.write, clear_globs=False)
    assert not runner.failures, report.getvalue()


def commands(text: str) -> Iterator[Command]:
    """Cut a console block into commands and what they show."""
    for part in re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield Command(line.strip(), shown)


def run_console(block: Block, where: str) -> None:
    """Run the commands of a block; each must end well unless the page asks for its code."""
    code = 0
    for command in commands(block.text):
        if command.line == "echo $?":
            assert str(code) == command.shown.strip(), f"{where}: exit code {code}"
            code = 0
            continue
        assert code == 0, f"{where}: exit code {code} before: {command.line}"
        code, got = run_command(command.line, where)
        if command.shown.strip():
            compare(command.shown, got, f"{where}: {command.line}")
    assert code == 0, f"{where}: exit code {code}"


def run_script(block: Block, where: str) -> None:
    """Run the lines of a shell script that call microsafe; each must end well."""
    for line in block.text.splitlines():
        call = line.removeprefix("uv run ")
        if call.startswith("microsafe "):
            code, got = run_command(call, where)
            assert code == 0, f"{where}: {line}\n{got}"


def run_command(line: str, where: str) -> tuple[int, str]:
    """Run one command line and return its exit code and all that it printed."""
    if line.startswith(_INSTALLS):
        return 0, ""
    program, *arguments = shlex.split(line, comments=True)
    if program == "cd":
        os.chdir(arguments[0])
        return 0, ""
    assert program == "microsafe", f"{where}: cannot run {line}"
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, out.getvalue() + err.getvalue()


def compare(shown: str, got: str, where: str) -> None:
    """Compare as doctest does; an ellipsis stands for anything."""
    checker = doctest.OutputChecker()
    example = doctest.Example(where, shown)
    want = shown.rstrip() + "\n"
    if not checker.check_output(want, got.rstrip() + "\n", _FLAGS):
        raise AssertionError(f"{where}\n{checker.output_difference(example, got, _FLAGS)}")
