"""Open and run the plan file that commands take."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.input import add_engine, engine_of
from microsafe.io import replace_file

if TYPE_CHECKING:
    from microsafe.plan.model import Plan
    from microsafe.plan.release import Release
    from microsafe.progress import Progress
    from microsafe.studies.study import Study


def add_plan(command: argparse.ArgumentParser) -> None:
    """Add the plan, and where it is run."""
    command.add_argument("plan", type=Path, metavar="PLAN.toml", help="plan file")
    add_engine(command)
    command.set_defaults(needs="microsafe.plan.run")


def run_plan(
    chosen: argparse.Namespace,
    plan: Plan,
    into: Path | None,
    progress: Progress,
    *,
    lock: Path | None = None,
    overwrite: bool = False,
    decisive: bool = False,
    path: Path | None = None,
    opened: Study | None = None,
) -> Release:
    """Run the plan of a command.

    Args:
        chosen: Options of the command.
        plan: The plan as it was read.
        into: Folder to write into instead of that of the plan.
        progress: Progress callback.
        lock: Where to write the lock, if at all.
        overwrite: Whether to replace files that the plan did not write.
        decisive: Whether to try only the intruders who decide a rule.
        path: File of the plan, if not the one that the command was given.
        opened: Its input, if that was opened just now.
    """
    from microsafe.plan.run import lock_path, run
    from microsafe.plan.seeds import seeds_path

    path = path or chosen.plan
    reserved = (path, lock_path(path), seeds_path(path))
    return run(
        plan,
        path.parent,
        into=into,
        lock=lock,
        reserved=reserved,
        overwrite=overwrite,
        decisive=decisive,
        opened=opened,
        progress=progress,
        **engine_of(chosen),
    )


def write_plan(path: Path, text: str) -> None:
    """Write a plan, all of it or nothing."""
    with replace_file(path) as temporary:
        temporary.write_text(text, "utf-8")
