"""`sample`: draw a random sample of households or records."""

from __future__ import annotations

import argparse
from pathlib import Path

from microsafe.cli.console import Console
from microsafe.cli.option_values import parse_count, parse_rate
from microsafe.cli.output import (
    add_exceptions,
    add_json,
    add_output,
    check_working_file,
    file_notices,
    format_unchanged,
)
from microsafe.cli.reading import add_file, open_file


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    command.add_argument(
        "--fraction",
        type=parse_rate,
        required=True,
        metavar="X",
        help="probability that a household or record is selected",
    )
    command.add_argument(
        "--seed", type=parse_count, required=True, metavar="N", help="seed of the random draw"
    )
    command.add_argument(
        "--household",
        metavar="NAME",
        help="household identifier: draw whole households (default: draw records)",
    )
    command.add_argument(
        "--weight",
        default="weight",
        metavar="NAME",
        help="sampling weight to divide by the fraction; added if the file has none",
    )
    add_exceptions(command)
    add_output(command, "the sample: a working file, not a release")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Draw a sample and write it."""
    from microsafe.steps.sample import Sample

    check_working_file(chosen)
    step = Sample(
        fraction=chosen.fraction,
        seed=chosen.seed,
        household=chosen.household,
        weight=chosen.weight,
    )
    study = open_file(chosen, console.progress)
    study._check_output(chosen.output)
    study = study.apply(step, progress=console.progress)
    taken = study.steps[-1]
    written = study.write(
        chosen.output, drop=chosen.drop, keep=dict(chosen.kept), progress=console.progress
    )
    if chosen.json:
        console.print_json(
            {"fraction": step.fraction, "household": step.household, "weight": step.weight}
            | taken.figures()["drawn"]
            | {"unchanged": list(written.unchanged)}
        )
        return 0
    console.say(
        [
            f"Sample of {study.schema.source}, written to {Path(chosen.output).name}",
            f"  {taken.words}",
            *format_unchanged(written),
        ]
    )
    console.print_notices((*study.notices, *file_notices(written)))
    return 0
