"""Files of every extension that can be written: bytes, what is read back, what describe says."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from calls import remove
from console import call
from folder import Folder
from lookups import writable_formats

import microsafe as ms

SOURCES = {"people": "people.csv --na NA --drop person", "jobs": "jobs.dta --drop id,born"}
STEPS = {
    "people": "--step 'recode variable=age breaks=0,20,40,60'",
    "jobs": "--step 'round variable=rent base=10' --step 'top_code variable=wage limit=5000'",
}


def record(folder: Folder) -> None:
    for extensions in writable_formats().values():
        for extension in extensions:
            for name in SOURCES:
                _record_file(folder, name, extension)


def _record_file(folder: Folder, name: str, extension: str) -> None:
    path = Path(f"{name}-written{extension}")
    answer = call(f"apply {SOURCES[name]} {STEPS[name]} -o {path}")
    text = answer.with_files(folder, most=60_000)
    text += call(f"describe {path} --json").as_text()
    text += content(path)
    folder.put(f"{name}{extension}", text)
    remove(answer.files)


def content(path: Path) -> str:
    """Return what a file holds, as it is read back: variables, then records."""
    study = ms.study(path)
    lines = [repr(variable) for variable in study.schema]
    frame = study.to_polars()
    nested = [name for name, kind in frame.schema.items() if kind.is_nested()]
    assert not nested, nested
    spelled = frame.with_columns(pl.all().cast(pl.String))
    return "\n".join([f"--- content of {path.name}", *lines, spelled.write_csv()])
