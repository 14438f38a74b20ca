"""Write what the examples of the pages show today into the pages.

    uv run python tests/docs/update.py [PAGE ...]

For a change of words or figures that is meant: look at the difference before you commit it. A line
of three dots stays where it is.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import sys
import tempfile
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "Agg"

import pages
from pages import ROOT, Block
from test_examples import write_lfs

_COMMAND = re.compile(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n(.*?)(?=^\$ |\Z)", re.MULTILINE | re.DOTALL)


def update(page: Path) -> None:
    """Run a page, and put what it shows now in place of what it showed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    text = page.read_text("utf-8")
    for block in pages.blocks(page):
        new = block.text
        if block.language == "python":
            new = _session(block, names) if ">>>" in block.text else block.text
            if ">>>" not in block.text:
                exec(compile(block.text, page.name, "exec"), names)  # noqa: S102
        elif block.language == "console":
            new = _COMMAND.sub(_run, block.text)
        elif block.language == "sh":
            pages.run_script(block, page.name)
        elif block.language == "toml" and block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")
        text = text.replace(block.text, new, 1)
    page.write_text(text, "utf-8", newline="\n")


def _session(block: Block, names: dict[str, Any]) -> str:
    text = block.text
    for example in doctest.DocTestParser().get_examples(block.text):
        out = StringIO()
        try:
            with redirect_stdout(out):
                exec(compile(example.source, "example", "single"), names)  # noqa: S102
            got = out.getvalue()
        except Exception as error:
            kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
            got = f"Traceback (most recent call last):\n    ...\n{kind}: {error}\n"
        text = (
            text.replace(example.want, _merge_output(example.want, got), 1)
            if example.want
            else text
        )
    return text


def _run(found: re.Match[str]) -> str:
    line, shown = found[1].replace("\\\n", " ").strip(), found[2]
    if line == "echo $?":
        return found[0]
    _, got = pages.run_command(line, line)
    new = _merge_output(shown.rstrip() + "\n", got.rstrip() + "\n") if shown.strip() else shown
    end = shown[len(shown.rstrip()) :]
    return f"$ {found[1]}\n{new.rstrip()}{end}" if shown.strip() else found[0]


def _merge_output(want: str, got: str) -> str:
    """Return what was got, with the dots that the page has, in lines and between them."""
    if doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
        return want
    if want.startswith("Traceback"):
        return got
    lines = got.splitlines()
    for dotted in (line for line in want.splitlines() if "..." in line.strip().strip(".")):
        pattern = ".*".join(map(re.escape, dotted.split("...")))
        hits = [at for at, line in enumerate(lines) if re.fullmatch(pattern, line)]
        if hits:
            lines[hits[0]] = dotted
    head, *rest = re.split(r"^\.\.\.$\n?", want, flags=re.MULTILINE)
    if rest and not rest[-1].strip():  # dots at the end: as many lines as there were before them
        middle = sum(len(part.splitlines()) for part in rest)
        first = len(head.splitlines())
        start = next((at for at, line in enumerate(lines) if _alike(line, rest[0])), len(lines))
        dots = ["..."] if len(rest) > 1 else []
        return "\n".join([*lines[:first], *dots, *lines[start : start + middle], "..."]) + "\n"
    if len(rest) == 1:
        tail = len(rest[0].splitlines())
        lines = [*lines[: len(head.splitlines())], "...", *lines[len(lines) - tail :]]
    return "\n".join(lines) + "\n"


def _alike(line: str, part: str) -> bool:
    """Tell whether a line begins like the part of a page behind a line of dots."""
    return bool(part.split()) and line.split()[:1] == part.split()[:1]


def main() -> None:
    """Update the pages that are named, or all that have examples."""
    chosen = [Path(each).resolve() for each in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        demo = Path(folder) / "origin" / "microsafe-demo"
        pages.run_command(f"microsafe demo --folder {demo}", "demo")
        survey = write_lfs(demo)
        for page in chosen or [each for each in pages.PAGES if pages.has_examples(each)]:
            if page.name == "spark.md" and find_spec("pyspark") is None:
                print(f"{page.relative_to(ROOT)}: left as it is, as PySpark is not installed")
                continue
            place = Path(folder) / "work"
            shutil.copytree(demo, place / demo.name)
            shutil.copy(survey, place)
            os.chdir(place)
            update(page)
            os.chdir(ROOT)
            shutil.rmtree(place)
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
