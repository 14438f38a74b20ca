"""A plan to begin with: decisions proposed where the data speak for themselves, asked elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.display import keep_on_one_line
from microsafe.errors import InputError
from microsafe.inventory import Inventory, InventoryRow, Keep
from microsafe.plan.file import Input, Output, quote_text, table_text
from microsafe.policy import Policy
from microsafe.report.cover import ReportCover
from microsafe.scenario import Scenario
from microsafe.steps import Drop, Suppress

_FORMAT_1 = re.compile(r"^(\s*microsafe\s*=\s*)1(\s*(#.*)?)$", re.MULTILINE)
_PRECEDENT = "# To begin with; what the board allows counts: see docs/plans.md, Profiles."
# By who gets the file: the type of release, and the largest risk of a record.
PROFILES = {
    "public": ("public use file", 0.05),
    "scientific": ("scientific use file", 0.2),
    "secure": ("file for use on site", 0.33),
}
_ORDER = (
    '# Records are shuffled; the seed is drawn and kept beside the plan. Or: keep_order = "why"'
)


def new_plan_text(
    input: Input,  # noqa: A002
    scenario: Scenario,
    found: Inventory,
    output: Output,
    *,
    above: float | None = None,
    profile: str | None = None,
) -> str:
    """Return a new plan.

    Args:
        input: The file.
        scenario: What an intruder knows.
        found: The inventory of the file.
        output: What to write.
        above: Records with a risk above it are unsafe; what the profile says if None.
        profile: Who gets the file: a name in `PROFILES`.
    """
    release_type, usual = PROFILES[profile] if profile is not None else ("", None)
    remark = f"{_PRECEDENT}\n" if above is None and usual is not None else ""
    above = usual if above is None else above
    parts = ["microsafe = 2", table_text("[input]", input)]
    parts.append(table_text("[scenario]", scenario, leave=("name",)))
    if above is not None:
        parts.append(remark + table_text("[policy]", Policy(record_risk=above)))
    if release_type:
        parts.append(table_text("[report]", ReportCover(release_type=release_type)))
    parts += _propose_steps(found)
    if above is not None:
        parts.append(table_text('[[step]]\ndo = "suppress"', Suppress(above=above)))
    parts += _ask_reasons(found)
    return "\n\n".join([*parts, f"{table_text('[output]', output)}\n{_ORDER}"]) + "\n"


def updated_plan_text(text: str, found: Inventory, keep: Sequence[Keep]) -> str:
    """Return the text of a plan as format 2, with decisions on what it leaves undecided.

    Steps are added behind those that there are: their seeds are known by their place.

    Args:
        text: The plan as it is.
        found: The inventory after its steps.
        keep: What it names already, be the reason empty.
    """
    named = {name for each in keep for name in each.variables}
    found = replace(found, rows=tuple(row for row in found.rows if row.name not in named))
    changed, count = _FORMAT_1.subn(r"\g<1>2\g<2>", text)
    parts = [*_propose_steps(found), *_ask_reasons(found)]
    if not count and not parts:
        raise InputError("The plan is of format 2 and leaves nothing undecided.")
    return "\n\n".join([changed.rstrip("\n"), *parts]) + "\n"


def input_of(reading: dict[str, Any], folder: Path, sha256: str = "") -> Input:
    """Return the table of a file as it was read, its names relative to a folder."""
    given = {name: each for name, each in reading.items() if each}
    for name in ("file", "meta"):
        if name in given:
            given[name] = relative_path(Path(given[name]), folder)
    return Input(**{**given, "na": tuple(given.get("na", ())), "sha256": sha256})


def relative_path(path: Path, folder: Path) -> str:
    """Return a path as it is named in a plan that lies in a folder."""
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive of Windows
        return str(path)


def list_undecided(found: Inventory, keep: Sequence[Keep]) -> tuple[Keep, ...]:
    """Return decisions that are spelled out, those to be made with an empty reason."""
    named = {name for each in keep for name in each.variables}
    rest = tuple(name for name in found.open if name not in named)
    return (*keep, Keep(variables=rest, why="")) if rest else tuple(keep)


def _propose_steps(found: Inventory) -> list[str]:
    dropped = [row for row in found.rows if _is_dropped(row)]
    made = []
    if dropped:
        step = Drop(variables=tuple(row.name for row in dropped), why="Nobody needs them")
        made.append(_with_comments(table_text('[[step]]\ndo = "drop"', step), dropped))
    made += [
        _with_comments(
            f'[[step]]\ndo = "renumber"\nvariable = {quote_text(row.name)}\n'
            'why = "Its numbers may be known outside, and carry the order of the file"',
            [row],
        )
        for row in found.rows
        if _is_renumbered(row)
    ]
    return made


def _ask_reasons(found: Inventory) -> list[str]:
    """Leave to a person what only a person can say: the reason is empty, so nothing is decided."""
    asked = [row for row in found.rows if row.open and not _is_dropped(row)]
    asked = [row for row in asked if not _is_renumbered(row)]
    delicate = [row for row in asked if row.findings]
    plain = [row for row in asked if not row.findings]
    made = [
        _with_comments(table_text("[[keep]]", Keep(variables=(row.name,), why="")), [row])
        for row in delicate
    ]
    if plain:
        keep = Keep(variables=tuple(row.name for row in plain), why="")
        text = "# Say why these go out, or drop or change some of them by a step."
        made.append(f"{text}\n{table_text('[[keep]]', keep)}")
    return made


def _is_dropped(row: InventoryRow) -> bool:
    leftover = any(each.kind == "leftover" for each in row.findings)
    return row.open and row.decision.role == "undecided" and (row.barred or leftover)


def _is_renumbered(row: InventoryRow) -> bool:
    numbers = ("record number", "household number")
    known = any(each.kind in numbers for each in row.findings)
    return row.open and not _is_dropped(row) and not row.barred and known


def _with_comments(text: str, rows: Sequence[InventoryRow]) -> str:
    """Say above a table what was recognised, and by what."""
    comments = [
        f"# {keep_on_one_line(row.name)} ({each.kind}): {each.reason}"
        for row in rows
        for each in row.findings
    ]
    return "\n".join([*comments, text])
