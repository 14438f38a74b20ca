"""`limit`: find the risk limit that meets a target."""

from __future__ import annotations

import argparse

from microsafe.cli.console import Console
from microsafe.cli.input import add_file
from microsafe.cli.option_values import parse_amount, parse_count, parse_rate
from microsafe.cli.output import add_json
from microsafe.cli.scenario import (
    add_one_estimator,
    add_population,
    add_scenario,
    open_study,
    population_of,
)
from microsafe.display import format_rows
from microsafe.errors import UsageError

_TARGETS = (
    "risk",
    "rate",
    "expected",
    "unsafe",
    "household_risk",
    "household_rate",
    "expected_households",
)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_scenario(command)
    add_population(command)
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("--risk", type=parse_rate, metavar="R", help="the limit itself")
    target.add_argument(
        "--rate", type=parse_rate, metavar="X", help="highest re-identification rate"
    )
    target.add_argument(
        "--expected",
        type=parse_amount,
        metavar="E",
        help="highest expected number of re-identifications",
    )
    target.add_argument(
        "--unsafe", type=parse_count, metavar="N", help="largest number of unsafe records"
    )
    target.add_argument(
        "--household-risk", type=parse_rate, metavar="R", help="the limit on household risk itself"
    )
    target.add_argument(
        "--household-rate",
        type=parse_rate,
        metavar="X",
        help="highest household re-identification rate; gives a limit on household risk",
    )
    target.add_argument(
        "--household-expected",
        "--expected-households",
        dest="expected_households",
        type=parse_amount,
        metavar="E",
        help="highest expected number of re-identified households; gives a limit on household risk",
    )
    add_one_estimator(command)
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Find the risk limit that meets a target."""
    from microsafe.risk import limit_notices, limit_rows, other_rows, other_summary

    targets = {name: getattr(chosen, name) for name in _TARGETS}
    if chosen.household is None and any(
        targets[name] is not None for name in _TARGETS if "household" in name
    ):
        raise UsageError("Name the household identifier with --household to limit household risk.")
    data = open_study(chosen, console.progress)
    measured = data.risk(
        one_estimator=chosen.one_estimator, progress=console.progress, **population_of(chosen)
    )
    found = measured.choose(**targets)
    notices = (*measured.notices, *limit_notices(found, measured.household))
    if chosen.json:
        texts = [notice.text for notice in notices]
        console.print_json(
            found.summary()
            | {"estimator": measured.scenario.estimator}
            | other_summary(measured, found)
            | {"notices": texts}
        )
        return 0
    rows = [*limit_rows(found, measured.unit), *other_rows(measured, found)]
    console.say([measured.title, *format_rows(rows)])
    console.print_notices(notices)
    return 0
