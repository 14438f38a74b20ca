"""`replay`: run a plan again, and restore its files if nothing differs from the lock."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from microsafe.cli.console import Console
from microsafe.cli.output import add_json
from microsafe.cli.plan_file import add_plan, run_plan
from microsafe.errors import InputError

_CLOSE = 1e-12  # relative difference of figures that are the same


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_plan(command)
    command.add_argument(
        "--check",
        action="store_true",
        help="compare only, including the files on disk; write nothing",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Run a plan again and compare with its lock. 1 if anything differs."""
    from microsafe.io import is_unfinished
    from microsafe.io.atomic import private_folder
    from microsafe.plan.read import read_plan
    from microsafe.plan.run import finish_outputs, lock_of, lock_path, lock_text, output_folders

    plan = read_plan(chosen.plan)
    path = lock_path(chosen.plan)
    if not chosen.check:
        finish_outputs(plan, chosen.plan.parent)
    if not path.is_file():
        raise InputError(f"{path.name} does not exist. Run 'microsafe protect' first.")
    wanted = _read_lock(path)
    # What is written for comparison holds records: only this user may see it, briefly.
    with private_folder() as folder:
        release = run_plan(chosen, plan, folder, console.progress, decisive=chosen.check)
    found = json.loads(lock_text(lock_of(release)))
    differing = find_differences(wanted, found)
    if not differing and not chosen.check:
        # Puts back what was lost or changed.
        run_plan(chosen, plan, None, console.progress, overwrite=True)
    if any(map(is_unfinished, output_folders(plan, chosen.plan.parent))):
        differing.append("files that a run was putting in place when it was killed")
    differing += [
        f"file {name} on disk"
        for name, checksum in wanted["files"].items()
        if chosen.check and read_checksum(chosen.plan.parent / name) != checksum
    ]
    if chosen.json:
        console.print_json({"same": not differing, "differs": differing})
    else:
        console.say("Nothing differs." if not differing else ["These differ:", *differing])
    return 1 if differing else 0


def _read_lock(path: Path) -> dict[str, Any]:
    from microsafe.io.control_file import parse_json, read_control_text

    try:
        lock = parse_json(read_control_text(path))
    except InputError:
        raise
    except (OSError, ValueError):
        lock = None
    if not isinstance(lock, dict) or not isinstance(lock.get("files"), dict):
        raise InputError(f"{path.name} is not a lock file. Run 'microsafe protect' again.")
    return lock


def find_common_intruders(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the intruders that two locks have figures of.

    A check tries only those who decide a rule, and verdicts on rules are compared anyway; another
    version may know more intruders.
    """
    return sorted(one.get("intruders", {}).keys() & other.get("intruders", {}).keys())


def find_differences(lock: Mapping[str, Any], again: Mapping[str, Any]) -> list[str]:
    """Return the places in which the figures and files of two locks differ.

    Other versions may compute the last digit of a figure differently and have more to tell. Their
    reports name them, so those are compared only if no version has changed.
    """
    from microsafe.report.formats import FORMATS

    same = lock.get("versions") == again["versions"]

    def differ(one: Any, other: Any, *where: str) -> list[str]:
        if isinstance(one, dict) and isinstance(other, dict):
            names = [name for name in sorted({*one, *other}) if same or name in one]
            return [
                place
                for name in names
                for place in differ(one.get(name), other.get(name), *where, name)
            ]
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            pairs = enumerate(zip(one, other, strict=True), 1)
            return [
                place for number, (a, b) in pairs for place in differ(a, b, *where, str(number))
            ]
        if isinstance(one, float) and isinstance(other, float):
            return [] if math.isclose(one, other, rel_tol=_CLOSE) else [" ".join(where)]
        if where[0] == "files" and where[1].endswith(FORMATS) and not same:
            return []
        return [] if one == other else [" ".join(where)]

    common = find_common_intruders(lock, again)
    one, other = (
        {**each, "versions": {}, "intruders": {name: each["intruders"][name] for name in common}}
        for each in (lock, again)
    )
    return differ(one, other)


def read_checksum(path: Path) -> str | None:
    """Return the checksum of a file, or None if it is not there."""
    from microsafe.io import digest

    return digest(path) if path.is_file() else None
