"""`numeric-risk`: measure whether records can be found again by their numeric variables."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.input import RELEASED, add_pairing, add_two_files, engine_of, reading_of
from microsafe.cli.option_values import parse_amount, parse_count, parse_list, parse_rate
from microsafe.cli.output import add_json
from microsafe.errors import InputError, UsageError

if TYPE_CHECKING:
    from microsafe.risk import NumericRisk
    from microsafe.studies.study import Study


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_two_files(command, "data file as it is released, or the plan (.toml) that makes it")
    command.add_argument(
        "--variables",
        type=parse_list,
        required=True,
        metavar="A,B",
        help="numeric variables that an intruder may know exactly",
    )
    command.add_argument(
        "--keys",
        type=parse_list,
        default=(),
        metavar="A,B",
        help="released key variables: records are compared within equal ones",
    )
    command.add_argument(
        "--weight", metavar="NAME", help="sampling weight, to adjust for people outside the file"
    )
    add_pairing(command)
    width = command.add_mutually_exclusive_group()
    width.add_argument(
        "--width",
        type=parse_rate,
        default=0.05,
        metavar="X",
        help="half the interval around a released value, as a share of the standard deviation of "
        "the original values (default 0.05)",
    )
    width.add_argument(
        "--ranks", type=parse_rate, metavar="X", help="the same as a share of the ranks"
    )
    command.add_argument(
        "--window",
        type=parse_amount,
        metavar="P",
        help="with two files: values were swapped within P per cent of the ranks; a plan says so "
        "itself",
    )
    command.add_argument(
        "--repeats",
        type=parse_count,
        default=0,
        metavar="R",
        help="with a plan: average over R draws of other seeds, so that the figures are those of "
        "the method and not of one draw",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Measure whether records can be found again by their numeric variables."""
    by_ranks = chosen.ranks is not None
    width = chosen.ranks if by_ranks else chosen.width
    if str(chosen.after).endswith(".toml"):
        found = _run_plan(chosen, console).numeric_risk(
            chosen.variables,
            width=width,
            by_ranks=by_ranks,
            repeats=chosen.repeats,
            progress=console.progress,
        )
    else:
        found = _compare_files(chosen, console, width, by_ranks)
    if chosen.json:
        console.print_json(found.summary())
    else:
        console.say(repr(found))
        for remark in found._remarks():
            console.say(f"  {remark}")
    return 0


def _compare_files(
    chosen: argparse.Namespace, console: Console, width: float, by_ranks: bool
) -> NumericRisk:
    if chosen.repeats:
        raise UsageError(
            "--repeats draws anew, which needs the plan: name it in place of the released file."
        )
    from microsafe.risk.numeric.window import SwapWindow
    from microsafe.studies.describe import declare_alike
    from microsafe.studies.numeric_risk import compare_numbers
    from microsafe.studies.study import study

    options = reading_of(chosen)
    before = study(chosen.before, keys=(), progress=console.progress, **options)
    after = study(chosen.after, progress=console.progress, **(options | RELEASED))
    after = declare_alike(before, after)
    return compare_numbers(
        before.engine,
        after.engine,
        chosen.variables,
        keys=chosen.keys,
        weight=chosen.weight,
        identifier=chosen.id,
        windows=[
            SwapWindow(variable=name, percent=chosen.window)
            for name in chosen.variables
            if chosen.window is not None
        ],
        width=width,
        by_ranks=by_ranks,
        progress=console.progress,
    )


def _run_plan(chosen: argparse.Namespace, console: Console) -> Study:
    """The data of a plan after its steps; nothing is written."""
    if chosen.id or chosen.keys or chosen.weight or chosen.window is not None:
        raise UsageError(
            "The plan names keys, weight and steps. Leave out --keys, --weight, --id and --window."
        )
    from microsafe.io import digest
    from microsafe.plan.open import open_plan
    from microsafe.plan.read import read_plan

    path = Path(chosen.after)
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    read, data = open_plan(plan, path.parent, progress=console.progress, **engine_of(chosen))
    if digest(Path(chosen.before)) != read.input.sha256:
        raise InputError(
            f"{Path(chosen.before).name} is not the input of {path.name}. Name the file that the "
            "plan protects."
        )
    for step in plan.steps:
        data = data.apply(step, progress=console.progress)
    return data
