"""`sample`: draw a random sample of households or records."""

from __future__ import annotations

import argparse
from pathlib import Path

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields, values_of
from microsafe.cli.input import add_file, open_file
from microsafe.cli.output import (
    add_exceptions,
    add_json,
    add_output,
    check_working_file,
    file_notices,
    format_unchanged,
)
from microsafe.options.sampling import SampleOptions


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_fields(command, SampleOptions, "fraction", "seed", seed="seed of the random draw")
    drawn = "household identifier; households are drawn as a whole (default: draw records)"
    add_fields(command, SampleOptions, but=["why"], household=drawn)
    add_exceptions(command)
    add_output(command, "the sample: a working file, not a release")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Draw a sample and write it."""
    from microsafe.steps.sample import Sample

    check_working_file(chosen)
    step = Sample(**values_of(chosen, SampleOptions))
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
