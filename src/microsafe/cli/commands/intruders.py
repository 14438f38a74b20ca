"""`intruders`: try who could recognise whom in a file, or in what a plan makes of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields
from microsafe.cli.input import add_file, engine_of
from microsafe.cli.option_values import parse_count, parse_rate
from microsafe.cli.output import add_json
from microsafe.cli.scenario import add_scenario, open_study
from microsafe.errors import UsageError
from microsafe.options.profiles import ProfileOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microsafe.intruders import IntruderTable
    from microsafe.notices import Notice
    from microsafe.progress import Progress

_PLAN = ".toml"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(
        command,
        metavar="FILE|PLAN.toml",
        also="; or a plan, whose steps are taken and whose limits hold",
    )
    add_scenario(command, required=False)
    command.add_argument(
        "--limit", type=parse_rate, metavar="R", help="records with a risk above R are unsafe"
    )
    command.add_argument(
        "--household-limit",
        type=parse_rate,
        metavar="R",
        help="households with a risk above R are unsafe",
    )
    command.add_argument(
        "--k",
        type=parse_count,
        metavar="K",
        help="fewest participants who must share the keys of a record (itself included)",
    )
    add_fields(command, ProfileOptions)
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Try every intruder. 1 if one finds more than a limit allows."""
    table, told = _play(chosen, console.progress)
    if chosen.json:
        console.print_json(table.summary())
    else:
        console.say([table.title, *repr(table).splitlines()])
        console.print_notices((*table.notices, *told))
    return 1 if any(row.met is False for row in table) else 0


def _play(chosen: argparse.Namespace, progress: Progress) -> tuple[IntruderTable, Sequence[Notice]]:
    """Try every intruder; return why the file chose the estimator too, if it did."""
    from microsafe.options.policy import Policy

    limits = {
        "record_risk": chosen.limit,
        "household_risk": chosen.household_limit,
        "k": chosen.k,
    }
    if str(chosen.file).lower().endswith(_PLAN):
        return _play_plan(chosen, [*limits.values(), chosen.profile, chosen.keys], progress), ()
    study = open_study(chosen, progress)
    table = study.intruders(policy=Policy(**limits), profile=chosen.profile, progress=progress)
    return table, study.estimator_notices


def _play_plan(
    chosen: argparse.Namespace, given: list[object], progress: Progress
) -> IntruderTable:
    """Take the steps of a plan, and try who could recognise whom in what would be written."""
    from pathlib import Path

    from microsafe.plan.open import open_plan
    from microsafe.plan.read import read_plan

    if any(given):
        raise UsageError("A plan has its own keys and limits. Change them in the plan.")
    path = Path(chosen.file)
    plan, study = open_plan(
        read_plan(path, draw_seeds=True, save_seeds=False),
        path.parent,
        progress=progress,
        **engine_of(chosen),
    )
    for step in plan.steps:
        study = study.apply(step, progress=progress)
    return study.intruders(policy=plan.policy, progress=progress)
