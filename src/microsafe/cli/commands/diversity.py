"""`diversity`: measure l-diversity and t-closeness of sensitive variables."""

from __future__ import annotations

import argparse

from microsafe.cli.console import Console
from microsafe.cli.input import add_file
from microsafe.cli.option_values import parse_list, parse_number, parse_rate
from microsafe.cli.output import add_json, add_records, check_records, show_measure
from microsafe.cli.scenario import add_counting_scenario, open_study


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_counting_scenario(command, weight=False)
    command.add_argument(
        "--sensitive",
        type=parse_list,
        required=True,
        metavar="A,B",
        help="variables that nobody should learn about a person",
    )
    command.add_argument(
        "--ordered",
        type=parse_list,
        default=(),
        metavar="A,B",
        help="sensitive variables whose values are ordered",
    )
    command.add_argument("--l", type=parse_number, default=2, help="required diversity (default 2)")
    command.add_argument(
        "--c", type=parse_number, default=2.0, help="c of recursive (c,l)-diversity (default 2)"
    )
    command.add_argument(
        "--t", type=parse_rate, default=0.2, help="largest distance to tolerate (default 0.2)"
    )
    add_records(command, "the diversity of every record's cell")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Measure l-diversity and t-closeness of sensitive variables."""
    check_records(chosen)
    study = open_study(chosen, console.progress)
    found = study.diversity(
        chosen.sensitive,
        ordered=chosen.ordered,
        l=chosen.l,
        c=chosen.c,
        t=chosen.t,
        progress=console.progress,
    )
    show_measure(chosen, study, found, console)
    return 0
