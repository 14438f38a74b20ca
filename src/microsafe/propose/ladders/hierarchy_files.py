"""Hierarchy files: one row a code, and beside it the group that it is in on each level.

That is what ARX and many statistical offices keep, with any separator, with or without a line of
names. Codes that the data do not have do no harm, so a line of names does none either.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from microsafe.codes import spell_code
from microsafe.errors import InputError, UsageError
from microsafe.io.reader.faults import check_readable, translate_read_errors
from microsafe.io.text.csv import detect_separator
from microsafe.io.text.encoding import open_text
from microsafe.propose.ladders.ladder import Rung
from microsafe.schema import Variable
from microsafe.steps.changed_variable import number
from microsafe.steps.recode import Recode

_SAMPLE = 1 << 16  # characters that tell the separator


def read_hierarchy(
    path: str | os.PathLike[str], variable: Variable, *, encoding: str | None = None
) -> list[Rung]:
    """Read the rungs that a hierarchy file has for a key, one for each level.

    Args:
        path: Of the file.
        variable: The key; its codes are in the first column.
        encoding: Of the file; detected if None.

    Raises:
        UnreadableFileError: The file is missing or not text.
        InputError: A line lacks a level, or a code is there twice with different groups.
        UsageError: A group of one level is in two of the next.
    """
    rows = _read_rows(check_readable(Path(path)), encoding)
    name = Path(path).name
    levels = [
        _climb(rows, level, variable, name) for level in range(1, len(next(iter(rows.values()))))
    ]
    return classification_rungs(variable.name, levels, name)


def classification_rungs(
    key: str,
    levels: Sequence[Mapping[str, str]],
    source: str = "its classification",
    *,
    other: str | None = None,
) -> list[Rung]:
    """Return a rung for each level of a classification, parents by code or lower parent."""
    return [
        Rung(
            Recode(variable=key, classification=tuple(levels[:height]), other=other),
            f"level {height} of {source}",
        )
        for height in range(1, len(levels) + 1)
    ]


def _read_rows(path: Path, encoding: str | None) -> dict[int, list[str]]:
    """The fields of each line that has some, by line number."""
    text = open_text(path, encoding).read().decode()
    with translate_read_errors(path.name, "a hierarchy file"):
        found = csv.reader(StringIO(text, newline=""), delimiter=detect_separator(text[:_SAMPLE]))
        lines = [(found.line_num, [each.strip() for each in row]) for row in found]
    rows = {line: row for line, row in lines if any(row)}
    if not rows:
        raise InputError(f"{path.name} has no codes. Write one code a line, then its groups.")
    wide = max(map(len, rows.values()))
    if wide < 2:
        raise InputError(
            f"{path.name} has a single column. Write each code, then its group on each level, "
            "separated by commas or semicolons."
        )
    for line, row in rows.items():
        if len(row) < wide or "" in row:
            raise InputError(
                f"{path.name} line {line} does not have {wide} fields. Give the code its group on "
                "every level; repeat the group of the level before where nothing is joined."
            )
    return rows


def _climb(
    rows: Mapping[int, Sequence[str]], level: int, variable: Variable, name: str
) -> Mapping[str, str]:
    """What codes, or groups of the level below, become on a level."""
    parents: dict[str, str] = {}
    for line, row in rows.items():
        child = row[level - 1] if level > 1 else _spell(row[0], variable)
        if parents.setdefault(child, row[level]) == row[level]:
            continue
        if level == 1:
            raise InputError(
                f"{name} line {line} has a code that stands further up with another group. Keep "
                "one of the two lines."
            )
        raise UsageError(
            f"Rung {level} of {variable.name!r} (level {level} of {name}) parts a group of rung "
            f"{level - 1}: line {line} puts it into another group than a line further up. Each "
            "group must be inside one group of the next level: change the line, or give one of "
            "the two parts another name."
        )
    return parents


def _spell(code: str, variable: Variable) -> str:
    """A code as the data have it: numbers by their value, so that 01 is 1."""
    value = number(code) if variable.kind in ("integer", "number") else None
    return spell_code(code if value is None else value)
