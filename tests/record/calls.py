"""What every command prints and writes, as text and as JSON, and what wrong calls are told."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from console import call
from folder import Folder

WORDS = tomllib.loads((Path(__file__).parent / "calls.toml").read_text("utf-8"))


def record(folder: Folder) -> None:
    place_plans()
    for file, calls in WORDS["calls"].items():
        for name, words in calls.items():
            _record_call(folder, f"{file}/{name}", words)
    remove(Path().glob("keep-*"))


def _record_call(folder: Folder, name: str, words: str) -> None:
    """Record a call as JSON and as text; what it wrote is gone behind it, unless it is kept."""
    words = words.format(**WORDS["files"])
    text = ""
    for more in (" --json", ""):
        if more and "--explain" in words:  # which is not for JSON
            continue
        answer = call(words + more)
        text += answer.with_files(folder) + "\n"
        kept = [path for path in answer.files if path.name.startswith("keep-") and not more]
        remove(path for path in answer.files if path not in kept)
    folder.put(name, text)


def record_errors(folder: Folder) -> None:
    place_plans()
    Path("ragged.csv").write_text("a,b\n1,2\n1,2,3\n", "ascii")
    Path("damaged.sav").write_bytes(Path("small.sav").read_bytes()[:5000])
    plan = Path("jobs-plan.toml").read_text("utf-8")
    Path("wrong-word.toml").write_text(plan.replace("record_risk", "recordrisk", 1), "utf-8")
    Path("wrong-format.toml").write_text(plan.replace("microsafe = ", "microsafe = 9", 1), "utf-8")
    twice = "[[step]]\ndo = 'recode'\nvariable = 'area'\nkeep = 1\nbreaks = [3]\n"
    Path("wrong-steps.toml").write_text(f"{plan}\n{twice}", "utf-8")
    for name, words in WORDS["errors"].items():
        answer = call(words)
        folder.put(name, answer.with_files(folder))


def place_plans() -> None:
    """Put the plans into the current folder, in the format that plans have now."""
    for path in sorted((Path(__file__).parent / "plans").iterdir()):
        first, rest = path.read_text("utf-8").split("\n", 1)
        first = present_format() if path.suffix == ".toml" else first
        Path(path.name).write_text(f"{first}\n{rest}", "utf-8")


@cache
def present_format() -> str:
    """Return the line of a new plan that says its format."""
    path = Path("format.toml")
    call(f"plan new people.csv --keys region -o {path}")
    (line,) = re.findall(r"(?m)^microsafe = .*", path.read_text("utf-8"))
    path.unlink()
    return str(line)


def remove(paths: Iterable[Path]) -> None:
    """Remove files, and folders that are empty then."""
    for path in list(paths):
        path.unlink()
        if path.parent != Path() and not any(path.parent.iterdir()):
            path.parent.rmdir()
