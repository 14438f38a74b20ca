"""What `inventory`, `plan new`, `plan update` and `plan check` do."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe.cli.commands import data_of, reading_of
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.errors import UsageError
from microsafe.io import digest, replace_file
from microsafe.io.formats import writable_extension
from microsafe.plan.file import Output, read_plan
from microsafe.plan.release import open_plan
from microsafe.plan.scaffold import input_of, new_plan_text, updated_plan_text
from microsafe.study import Study, study


def inventory(chosen: argparse.Namespace, console: Console) -> int:
    """List all variables with what was found and what is to be decided."""
    found = _open(chosen, console).inventory(progress=console.progress)
    if chosen.json:
        console.print_json(found.summary())
    else:
        console.say(repr(found))
    return 0


def new_plan(chosen: argparse.Namespace, console: Console) -> int:
    """Write a plan with every decision spelled out."""
    target: Path = chosen.output
    if target.suffix != ".toml":
        raise UsageError(f"{target.name} must have the extension .toml.")
    if target.exists():
        raise UsageError(f"{target.name} exists already. Choose another name, or remove it.")
    data = _open(chosen, console)
    estimator = chosen.estimator or _propose_estimator(data, console)
    if estimator == "model":
        data = _open(chosen, console, estimator=estimator)
    found = data.inventory(progress=console.progress)
    path = Path(chosen.file)
    name = f"{path.stem}-safe{writable_extension(path)}"
    text = new_plan_text(
        input_of(dict(data._input), target.parent, digest(path)),
        data.scenario(),
        found,
        Output(file=name, report="report.html", public_report="public.html"),
        above=chosen.above,
        profile=chosen.profile,
    )
    _write(target, text)
    console.say(
        [
            f"Plan written to {target.name}. {len(found.open)} of {len(found.rows)} variables had "
            "no decision: read what is proposed, fill in every empty 'why', and run",
            f"  microsafe protect {target}",
        ]
    )
    return 0


def update_plan(chosen: argparse.Namespace, console: Console) -> int:
    """Write a plan as format 2, with decisions proposed on what it leaves undecided."""
    path: Path = chosen.plan
    target: Path = chosen.output or path
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    backup = path.with_suffix(f".format-{plan.format}.toml")
    if target == path and backup.exists():
        raise UsageError(f"{backup.name} exists already. Name the new plan with -o.")
    check_targets([], {target: ()})
    engine = {name: getattr(chosen, name) for name in ("engine", "master", "most_cells", "memory")}
    _, data = open_plan(plan, path.parent, progress=console.progress, **engine)
    for step in plan.steps:
        data = data.apply(step, progress=console.progress)
    found = data.inventory(keep=plan.keep, progress=console.progress)
    old = path.read_text("utf-8")
    text = updated_plan_text(old, found, plan.keep)
    if target == path:
        _write(backup, old)
    _write(target, text)
    kept = f" The plan as it was is {backup.name}." if target == path else ""
    console.say(
        f"Plan written to {target.name}.{kept} Fill in every empty 'why'; its records will be "
        "shuffled unless [output] has a keep_order."
    )
    return 0


def check_plan(chosen: argparse.Namespace, console: Console) -> int:
    """Read a plan and say what is still to be decided in it; nothing is run."""
    plan = read_plan(chosen.plan, draw_seeds=True, save_seeds=False)
    lines = [
        f"{chosen.plan.name} is a plan of format {plan.format} for {plan.input.file}: "
        f"{len(plan.scenarios)} scenarios, {len(plan.steps)} steps."
    ]
    empty = [name for each in plan.keep if not each.why.strip() for name in each.variables]
    if empty:
        lines.append(f"To be decided, as the reason is empty: {', '.join(empty)}.")
    if plan.format == 1:
        lines.append(
            "It says nothing of the other variables and of the order of the records. "
            f"Write it anew with: microsafe plan update {chosen.plan}"
        )
    console.say(lines)
    return 0


def _open(chosen: argparse.Namespace, console: Console, **scenario: Any) -> Study:
    roles = {name: getattr(chosen, name) for name in ("keys", "weight", "household")}
    return study(
        data_of(chosen), progress=console.progress, **roles, **scenario, **reading_of(chosen)
    )


def _propose_estimator(data: Study, console: Console) -> str:
    return data.risk(both=False, progress=console.progress).proposed_estimator


def _write(path: Path, text: str) -> None:
    with replace_file(path) as temporary:
        temporary.write_text(text, "utf-8")
