"""`plan update`: propose decisions on all that a plan leaves undecided."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.commands.plan_check import summarise_plan
from microsafe.cli.console import Console
from microsafe.cli.input import engine_of
from microsafe.cli.output import add_json, check_targets
from microsafe.cli.parser import group_of
from microsafe.cli.plan_file import add_plan, write_plan
from microsafe.errors import UsageError

if TYPE_CHECKING:
    from microsafe.plan.model import Plan
    from microsafe.studies.study import Study


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_plan(command)
    group_of(command, "output").add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="NEW.toml",
        help="where to write it (default: in place; the plan as it was is kept beside it)",
    )
    group_of(command, "output").add_argument(
        "--like",
        action="append",
        default=[],
        metavar="VARIABLE=KEY",
        help="add a step that recodes a variable like a key that it tells; may be repeated",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Write a plan with decisions proposed on what it leaves undecided."""
    from microsafe.io.control_file import read_control_text
    from microsafe.plan.edit import splice_plan
    from microsafe.plan.model import plan_text
    from microsafe.plan.open import open_plan
    from microsafe.plan.read import read_plan
    from microsafe.plan.scaffold import updated_plan_text

    path: Path = chosen.plan
    target: Path = chosen.output or path
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    backup = path.with_suffix(".before.toml")
    if target == path and backup.exists():
        raise UsageError(f"{backup.name} exists already. Name the new plan with -o.")
    check_targets([], {target: ()})
    _, data = open_plan(plan, path.parent, progress=console.progress, **engine_of(chosen))
    for step in plan.steps:
        data = data.apply(step, progress=console.progress)
    old = read_control_text(path)
    if chosen.like:
        plan, data = _recode_alike(plan, data, chosen.like)
        old = splice_plan(old, plan, range(1, len(plan.steps) - len(chosen.like) + 1)) or plan_text(
            plan
        )
    found = data.inventory(keep=plan.keep, progress=console.progress)
    text = old if chosen.like and not found.open else updated_plan_text(old, found, plan.keep)
    if target == path:
        write_plan(backup, read_control_text(path))
    write_plan(target, text)
    made = read_plan(target, draw_seeds=True, save_seeds=False)
    if chosen.json:
        console.print_json({"plan": target.name, **summarise_plan(made)})
        return 0
    kept = f" The plan as it was is {backup.name}." if target == path else ""
    console.say(
        f"Plan written to {target.name}.{kept} Fill in every empty 'why'; its records will be "
        "shuffled unless [output] has a keep_order."
    )
    return 0


def _recode_alike(plan: Plan, data: Study, pairs: Sequence[str]) -> tuple[Plan, Study]:
    """Return the plan with a step more for each variable, and what they give."""
    from microsafe.studies.recode_like import make_recode_like

    for pair in pairs:
        variable, equals, key = (part.strip() for part in pair.partition("="))
        if not (variable and equals and key):
            raise UsageError("Write --like VARIABLE=KEY, such as --like stratum=region.")
        step = make_recode_like(data, variable, key)
        data, plan = data.apply(step), replace(plan, steps=(*plan.steps, step))
    return plan, data
