"""Options of the commands that measure: names that others script against."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe.cli.options import (
    add_command,
    add_counting_scenario,
    add_criterion,
    add_engine,
    add_file,
    add_json,
    add_levels,
    add_no_model,
    add_population,
    add_reading,
    add_records,
    add_roles,
    add_scenario,
    group_of,
)
from microsafe.cli.use_options import add_uses
from microsafe.cli.values import (
    parse_amount,
    parse_combination,
    parse_count,
    parse_interactions,
    parse_list,
    parse_number,
    parse_path,
    parse_range,
    parse_rate,
    parse_rates,
)

APPROXIMATIONS = ("strategy", "sdcmicro", "series1", "series2", "series8")
MODELS = (
    "loglinear",
    "latent",
    "negative-binomial",
    "benedetti-franconi",
    "pitman",
    "zayatz",
    "snb",
    "dankar",
)
BANDS = (0.01, 0.03, 0.06)
_PICTURE = "(.svg, .png or .pdf)"


def add_measuring(actions: Any) -> None:
    """Add the commands that measure."""
    for add in (
        _add_describe,
        _add_inventory,
        _add_risk,
        _add_limit,
        _add_combinations,
        _add_file_risk,
        _add_uniques,
        _add_tabulate,
        _add_diversity,
        _add_numeric_risk,
        _add_compare,
    ):
        add(actions)


def _add_describe(actions: Any) -> None:
    command = add_command(
        actions, "describe", "describing.describe", "list the variables and their probable roles"
    )
    add_file(command)
    command.add_argument(
        "--quick",
        action="store_true",
        help="of a large text or Parquet file, tell what its first records say and no more",
    )
    add_json(command)


def _add_inventory(actions: Any) -> None:
    command = add_command(
        actions,
        "inventory",
        "plans.inventory",
        "list all variables, what makes each delicate, and the decision that a release asks for",
    )
    add_file(command)
    add_roles(command, required=False)
    add_json(command)


def _add_risk(actions: Any) -> None:
    command = add_command(
        actions, "risk", "commands.risk", "measure the risk of records, households and the file"
    )
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
    add_records(command, "f, F and the risk of every record")
    command.add_argument(
        "--id",
        type=parse_list,
        default=(),
        metavar="A,B",
        help="with --records: variables that identify a record, written as the first columns",
    )
    group_of(command, "output").add_argument(
        "--plot", type=Path, metavar="OUT", help=f"write a histogram of the risks {_PICTURE}"
    )
    group_of(command, "output").add_argument(
        "--household-plot",
        type=Path,
        metavar="OUT",
        help=f"write a histogram of the household risks {_PICTURE}",
    )
    command.add_argument(
        "--cumulative",
        action="store_true",
        help="plot the number of records or households above each risk instead",
    )
    command.add_argument(
        "--explain",
        action="store_true",
        help="show what each key contributes, and the riskiest combinations",
    )
    command.add_argument(
        "--approximation",
        choices=APPROXIMATIONS,
        help="use a published approximation instead of the exact risk",
    )
    add_no_model(command)
    add_json(command)


def _add_limit(actions: Any) -> None:
    command = add_command(
        actions,
        "limit",
        "commands.limit",
        "find the risk limit that meets a target (rate, expected number or number of records)",
    )
    add_file(command)
    add_scenario(command)
    add_population(command)
    target = command.add_mutually_exclusive_group(required=True)
    target.add_argument("--risk", type=parse_rate, metavar="R", help="the limit itself")
    target.add_argument(
        "--rate", type=parse_rate, metavar="X", help="highest re-identification rate to tolerate"
    )
    target.add_argument(
        "--expected",
        type=parse_amount,
        metavar="E",
        help="highest expected number of re-identifications to tolerate",
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
        help="highest household re-identification rate to tolerate; gives a limit on household "
        "risk",
    )
    target.add_argument(
        "--household-expected",
        "--expected-households",
        dest="expected_households",
        type=parse_amount,
        metavar="E",
        help="highest expected number of re-identified households to tolerate; gives a limit on "
        "household risk",
    )
    add_no_model(command)
    add_json(command)


def _add_combinations(actions: Any) -> None:
    command = add_command(
        actions,
        "combinations",
        "protect.combinations",
        "find the combinations of values that make records unsafe",
    )
    add_file(command)
    add_scenario(command)
    add_criterion(command)
    command.add_argument(
        "--max-size", type=parse_count, metavar="M", help="largest number of keys in a combination"
    )
    add_levels(command, "list only combinations by identification level")
    command.add_argument("--by-code", metavar="KEY", help="also list the codes of KEY")
    add_json(command)


def _add_file_risk(actions: Any) -> None:
    command = add_command(
        actions,
        "file-risk",
        "filerisk.file_risk",
        "estimate how many sample uniques are population uniques",
    )
    add_file(command)
    group = command.add_argument_group("scenario")
    group.add_argument(
        "--keys", type=parse_list, required=True, metavar="A,B", help="key variables"
    )
    size = group.add_mutually_exclusive_group(required=True)
    size.add_argument("--weight", metavar="NAME", help="sampling weight")
    size.add_argument("--fraction", type=parse_rate, metavar="X", help="sampling fraction")
    group.add_argument(
        "--household",
        metavar="NAME",
        help="household identifier, if whole households were drawn: their members are no "
        "independent draws",
    )
    group.add_argument("--clip-weights", action="store_true", help="raise weights below 1 to 1")
    _add_model(command)
    add_records(command, "the risk of every record under each model")
    group_of(command, "output").add_argument(
        "--plot", type=Path, metavar="OUT", help=f"write plots of the models {_PICTURE}"
    )
    add_json(command)
    command.set_defaults(
        missing="wildcard",
        alpha=1.0,
        attack="all",
        factor=1.0,
        error={},
        estimator="cell",
    )


def _add_model(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--model",
        choices=MODELS,
        default="loglinear",
        metavar="MODEL",
        help=f"model of the population: {', '.join(MODELS)}",
    )
    command.add_argument(
        "--interactions",
        type=parse_interactions,
        default="auto",
        metavar="1|2|auto|A*B,..",
        help="interactions in the log-linear model: none (1), all pairs of keys (2), chosen by a "
        "search (auto, the default), or the pairs listed",
    )
    command.add_argument(
        "--pi",
        choices=("cell", "file"),
        default="cell",
        help="use the sampling fraction of each cell or of the whole file",
    )
    command.add_argument(
        "--impossible",
        type=parse_combination,
        action="append",
        default=[],
        metavar="A=1|2,B=3",
        help="a combination that nobody can have; may be repeated",
    )
    command.add_argument(
        "--opinions",
        type=parse_list,
        default=("benedetti-franconi", "negative-binomial"),
        metavar="MODEL,..",
        help="further models to compare with",
    )
    command.add_argument(
        "--bands",
        type=parse_rates,
        default=BANDS,
        metavar="A,B,C",
        help="share of population uniques up to which the risk is called very low, low and "
        "moderate (default 1%%,3%%,6%%)",
    )
    command.add_argument(
        "--seed", type=parse_count, default=1, metavar="N", help="seed of the random draws"
    )


def _add_uniques(actions: Any) -> None:
    command = add_command(
        actions,
        "uniques",
        "uniqueness.uniques",
        "find minimal sample uniques and score every record (SUDA)",
    )
    add_file(command)
    add_counting_scenario(command)
    command.add_argument(
        "--max-size",
        type=parse_count,
        metavar="M",
        help="largest number of keys in a minimal sample unique",
    )
    command.add_argument(
        "--fraction",
        type=parse_rate,
        metavar="X",
        help="sampling fraction (default: derived from the weights)",
    )
    add_records(command, "the scores of every record")
    add_json(command)


def _add_tabulate(actions: Any) -> None:
    command = add_command(
        actions,
        "tabulate",
        "uniqueness.tabulate",
        "list sparse cells in all one-, two- and three-way tables of the keys",
    )
    add_file(command)
    add_counting_scenario(command)
    command.add_argument(
        "--dimensions",
        type=parse_range,
        default=(1, 2, 3),
        metavar="A-B",
        help="number of keys in a table (default 1-3)",
    )
    command.add_argument(
        "--min-count",
        type=parse_count,
        default=3,
        metavar="N",
        help="a cell with fewer than N records is sparse (default 3; 0 for no such rule)",
    )
    command.add_argument(
        "--min-weight",
        type=parse_amount,
        metavar="W",
        help="a cell that stands for fewer than W people is sparse",
    )
    add_records(command, "the number of sparse cells of every record")
    add_json(command)


def _add_diversity(actions: Any) -> None:
    command = add_command(
        actions,
        "diversity",
        "uniqueness.diversity",
        "measure l-diversity and t-closeness of sensitive variables",
    )
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


def _add_numeric_risk(actions: Any) -> None:
    command = add_command(
        actions,
        "numeric-risk",
        "numbers.numeric_risk",
        "measure whether records can be found again by their numeric variables",
    )
    _add_two_files(command, "data file as it is released, or the plan (.toml) that makes it")
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
    _add_pairing(command)
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
        "--repeats",
        type=parse_count,
        default=0,
        metavar="R",
        help="with a plan: average over R draws of other seeds, so that the figures are those of "
        "the method and not of one draw",
    )
    add_json(command)


def _add_compare(actions: Any) -> None:
    command = add_command(
        actions,
        "compare",
        "comparing.compare",
        "compare two files with the same records: what protection cost",
    )
    _add_two_files(command, "data file as it is released")
    add_roles(command, required=False)
    _add_pairing(command)
    command.add_argument(
        "--by",
        type=parse_list,
        default=(),
        metavar="A,B",
        help="further categorical variables for tables and groups, alone and in pairs with keys",
    )
    command.add_argument(
        "--table",
        type=parse_list,
        action="append",
        default=[],
        metavar="A,B",
        help="a table of one variable or more to compare cell by cell; may be repeated",
    )
    command.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="'Y ~ A + B'",
        help="regression to compare: linear, or logistic if Y has two values or 'Y = CATEGORY ~ A' "
        "names one; may be repeated",
    )
    add_uses(command)
    group_of(command, "output").add_argument(
        "--plot",
        type=Path,
        metavar="OUT",
        help=f"write pictures of blanks, tables, and numbers before and after {_PICTURE}",
    )
    add_json(command)


def _add_two_files(command: argparse.ArgumentParser, after: str) -> None:
    command.add_argument(
        "before", type=parse_path, metavar="BEFORE", help="data file with the original values"
    )
    command.add_argument("after", type=parse_path, metavar="AFTER", help=after)
    add_reading(command)
    add_engine(command)


def _add_pairing(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--id",
        metavar="NAME",
        help="variable that pairs the records of both files (default: their place)",
    )
