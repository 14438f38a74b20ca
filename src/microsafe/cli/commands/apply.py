"""`apply`: apply one or more steps of any kind."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.input import add_file, open_file
from microsafe.cli.output import (
    add_exceptions,
    add_json,
    add_output,
    check_working_file,
    file_notices,
    format_unchanged,
)
from microsafe.cli.scenario import add_roles, open_roles
from microsafe.errors import UsageError

if TYPE_CHECKING:
    from microsafe.progress import Progress
    from microsafe.steps.base import AppliedStep
    from microsafe.studies.study import Study


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_roles(command, required=False)
    command.add_argument(
        "--step",
        action="append",
        required=True,
        metavar="'DO WORD=VALUE'",
        help="a step as plans name it, such as 'microaggregate variables=income,rent k=5'; may be "
        "repeated, and steps are taken in this order",
    )
    add_exceptions(command)
    add_output(command, "a working file, not a release")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Take the steps in their order and write the file."""
    from microsafe.plan.values import read_step

    steps = [read_step(text, f"--step {number}") for number, text in enumerate(chosen.step, 1)]
    check_working_file(chosen)
    made = _open(chosen, console.progress)
    made._check_output(chosen.output)
    for step in steps:
        made = made.apply(step, progress=console.progress)
    written = made.write(
        chosen.output, drop=chosen.drop, keep=dict(chosen.kept), progress=console.progress
    )
    if chosen.json:
        console.print_json(
            {
                "steps": [_summarise(step) for step in made.steps],
                "unchanged": list(written.unchanged),
                "notices": [notice.text for notice in (*made.notices, *file_notices(written))],
            }
        )
        return 0
    console.say(
        [
            f"Steps on {made.schema.source}, written to {Path(chosen.output).name}",
            *(line for step in made.steps for line in _tell(step)),
            *format_unchanged(written),
        ]
    )
    console.print_notices((*made.notices, *file_notices(written)))
    return 0


def _open(chosen: argparse.Namespace, progress: Progress) -> Study:
    """The file, under a scenario if keys are named."""
    if not chosen.keys and (chosen.weight or chosen.household):
        raise UsageError(
            "Name the keys as well (--keys): weight and household are part of a scenario."
        )
    return open_roles(chosen, progress) if chosen.keys else open_file(chosen, progress)


def _summarise(taken: AppliedStep) -> dict[str, Any]:
    return {"words": taken.words, **taken.figures()}


def _tell(taken: AppliedStep) -> list[str]:
    return [
        f"  {taken.words}",
        *(f"    {what}: {text}" for what, text in taken.step.results(taken)),
    ]
