"""What `apply` does: steps of any kind, and a working file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe.cli.commands import data_of, inputs_of, reading_of
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.cli.protect import file_notices, format_unchanged
from microsafe.errors import UsageError
from microsafe.io import check_writable
from microsafe.plan.values import read_step
from microsafe.progress import Progress
from microsafe.steps.base import Taken
from microsafe.studies.study import Study, study


def apply(chosen: argparse.Namespace, console: Console) -> int:
    """Take the steps in their order and write the file."""
    steps = [read_step(text, f"--step {number}") for number, text in enumerate(chosen.step, 1)]
    check_targets(inputs_of(chosen), {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
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
                "steps": [_summarise(each) for each in made.steps],
                "unchanged": list(written.unchanged),
                "notices": [each.text for each in (*made.notices, *file_notices(written))],
            }
        )
        return 0
    console.say(
        [
            f"Steps on {made.schema.source}, written to {Path(chosen.output).name}",
            *(line for each in made.steps for line in _tell(each)),
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
    roles: dict[str, Any] = {}
    if chosen.keys:
        roles = {"keys": chosen.keys, "weight": chosen.weight, "household": chosen.household}
    return study(data_of(chosen), progress=progress, **roles, **reading_of(chosen))


def _summarise(taken: Taken) -> dict[str, Any]:
    return {"words": taken.words, **taken.figures()}


def _tell(taken: Taken) -> list[str]:
    return [
        f"  {taken.words}",
        *(f"    {what}: {text}" for what, text in taken.step.results(taken)),
    ]
