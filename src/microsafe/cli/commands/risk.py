"""`risk`: measure the risk of records, households and the file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields
from microsafe.cli.input import add_file, inputs_of
from microsafe.cli.option_values import parse_list, parse_rate
from microsafe.cli.output import (
    PICTURES,
    TABLES,
    add_json,
    add_plot,
    add_records,
    check_targets,
    find_label,
    write_plot,
    write_records,
)
from microsafe.cli.parser import group_of
from microsafe.cli.scenario import (
    add_one_estimator,
    add_population,
    add_scenario,
    limit_of,
    open_study,
    population_of,
)
from microsafe.display import format_grid, show_number, show_percent, show_risk
from microsafe.errors import UsageError
from microsafe.options.approximation import ApproximationOptions
from microsafe.options.profiles import ProfileOptions

if TYPE_CHECKING:
    from microsafe.intruders import IntruderTable
    from microsafe.progress import Progress
    from microsafe.risk import Risk
    from microsafe.schema import Schema
    from microsafe.studies.study import Study


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_scenario(command)
    add_population(command)
    command.add_argument(
        "--limit", type=parse_rate, metavar="R", help="records with a risk above R are unsafe"
    )
    command.add_argument(
        "--household-limit",
        type=parse_rate,
        metavar="R",
        help="households with a risk above R are unsafe",
    )
    add_fields(command, ProfileOptions)
    add_records(command, "f, F and the risk of every record")
    details = group_of(command, "details")
    details.add_argument(
        "--id",
        type=parse_list,
        default=(),
        metavar="A,B",
        help="variables that identify a record, written as the first columns of --records",
    )
    add_plot(command, "a histogram of the risks")
    add_plot(command, "a histogram of the household risks", option="--household-plot")
    details.add_argument(
        "--cumulative",
        action="store_true",
        help="plot the number of records or households above each risk instead",
    )
    command.add_argument(
        "--explain",
        action="store_true",
        help="show what each key contributes, and the riskiest combinations",
    )
    add_fields(details, ApproximationOptions)
    add_one_estimator(command)
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Measure the risk, and write the records and the plot if asked to."""
    if chosen.cumulative and chosen.plot is None and chosen.household_plot is None:
        raise UsageError("--cumulative needs --plot: it changes what the plot shows.")
    if chosen.explain and chosen.json:
        raise UsageError("--explain is not available with --json.")
    if chosen.household is None and (chosen.household_plot or chosen.household_limit is not None):
        raise UsageError("Name the household identifier with --household to measure households.")
    if chosen.id and chosen.records is None:
        raise UsageError("--id needs --records: it names the first columns of that file.")
    pictures = dict.fromkeys((chosen.plot, chosen.household_plot), PICTURES)
    targets = {chosen.records: TABLES, **pictures}
    inputs = [*inputs_of(chosen), chosen.population]
    check_targets(inputs, targets, engine=chosen.engine)
    chosen.limit = limit_of(chosen, chosen.limit)
    data = open_study(chosen, console.progress)
    for name in chosen.id:
        data.schema[name]
    measured = data.risk(
        limit=chosen.limit,
        household_limit=chosen.household_limit,
        approximation=chosen.approximation,
        accuracy=chosen.accuracy,
        one_estimator=chosen.one_estimator,
        progress=console.progress,
        **population_of(chosen),
    )
    if chosen.records is not None:
        write_records(
            data.engine, measured, chosen.records, console.progress, identifiers=chosen.id
        )
    if chosen.plot is not None:
        write_plot(measured, chosen.plot, cumulative=chosen.cumulative)
    if chosen.household_plot is not None:
        write_plot(measured, chosen.household_plot, cumulative=chosen.cumulative, households=True)
    table = _play(data, measured, chosen)
    if chosen.json:
        console.print_json(measured.summary() | table.summary())
        return 0
    console.say([repr(measured), f"{table.title} (microsafe intruders tries all):", repr(table)])
    if chosen.explain:
        console.say(explain_risk(measured, data.schema, console.progress))
    console.print_notices(measured.notices)
    return 0


def _play(data: Study, measured: Risk, chosen: argparse.Namespace) -> IntruderTable:
    """Try the intruders who cost next to nothing once risk is measured."""
    from microsafe.options.policy import Policy
    from microsafe.studies.intruder_table import costs_little, play_intruders

    name = measured.scenario.name
    return play_intruders(
        data,
        [name],
        policy=Policy(record_risk=chosen.limit, household_risk=chosen.household_limit),
        now={name: measured},
        choose=costs_little(measured),
    )


def explain_risk(measured: Risk, schema: Schema, progress: Progress) -> list[str]:
    """Return what each key contributes to the risk of the file, and the riskiest cells."""
    rows = [("without", "expected re-identifications", "decrease")]
    rows += [
        (
            contribution.key,
            show_number(contribution.without),
            show_percent(contribution.fall / measured.expected),
        )
        for contribution in measured.contributions(progress=progress)
    ]
    keys = measured.scenario.keys
    top = measured.top(10)
    cells = [(*keys, "records", "f", "F", "risk")]
    for *codes, records, f, F, value in top.iter_rows():
        shown = [find_label(schema[key], code) for key, code in zip(keys, codes, strict=True)]
        cells.append((*shown, f"{records:,}", f"{f:g}", show_number(F), show_risk(value)))
    apart = "; F is from the weights, the risk from the model"
    return [
        "", "If one key were left out:", *format_grid(rows, right=(1, 2)),
        "", "Riskiest combinations of keys (· is missing"
        f"{apart if measured.scenario.estimator == 'model' else ''}):",
        *format_grid(cells, right=tuple(range(len(keys), len(keys) + 4))),
    ]  # fmt: skip
