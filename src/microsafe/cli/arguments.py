"""The commands and their options: names that others script against.

Nothing heavy is imported here, so that help and usage errors come at once: a command is named by
module and function, and choices are spelled out (a test compares them with the types they are of).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe import __version__
from microsafe.cli.options import (
    add_counting_scenario,
    add_criterion,
    add_file,
    add_json,
    add_output,
    add_plan,
    add_reading,
    add_records,
    add_scenario,
)
from microsafe.cli.values import (
    parse_amount,
    parse_combination,
    parse_costs,
    parse_count,
    parse_interactions,
    parse_list,
    parse_number,
    parse_port,
    parse_range,
    parse_rate,
    parse_rates,
)

APPROXIMATIONS = ("strategy", "series1", "series2", "series8")
AUDIENCES = ("board", "public")
GUARANTEES = ("own", "strict", "shared")
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


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="microsafe",
        description="Measure the disclosure risk of survey microdata, and make the file safe to "
        "release.",
        epilog="A risk or rate may be written as 0.01, 1% or '1 in 100'. Exit codes: 0 done; "
        "1 done, but the policy is not met, records stay unsafe or a replay differs; 2 wrong "
        "usage; 3 unreadable or invalid input.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"microsafe {__version__}",
        help="print the version and exit",
    )
    actions = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (
        _add_describe,
        _add_risk,
        _add_limit,
        _add_combinations,
        _add_file_risk,
        _add_uniques,
        _add_tabulate,
        _add_diversity,
        _add_sample,
        _add_suppress,
        _add_protect,
        _add_replay,
        _add_report,
        _add_app,
        _add_demo,
    ):
        add(actions)
    return parser


def _add_command(actions: Any, name: str, run: str, help_text: str) -> argparse.ArgumentParser:
    """Add a command that the function `run` ("module.function" of this package) carries out."""
    command: argparse.ArgumentParser = actions.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
        allow_abbrev=False,
    )
    command.set_defaults(run=run)
    return command


def _add_describe(actions: Any) -> None:
    command = _add_command(
        actions, "describe", "commands.describe", "list the variables and their probable roles"
    )
    add_file(command)
    add_json(command)


def _add_risk(actions: Any) -> None:
    command = _add_command(
        actions, "risk", "commands.risk", "measure the risk of records, households and the file"
    )
    add_file(command)
    add_scenario(command)
    command.add_argument(
        "--limit", type=parse_rate, metavar="R", help="records with a risk above R are unsafe"
    )
    add_records(command, "f, F and the risk of every record")
    command.add_argument(
        "--plot", type=Path, metavar="OUT", help=f"write a histogram of the risks {_PICTURE}"
    )
    command.add_argument(
        "--cumulative",
        action="store_true",
        help="plot the number of records above each risk instead",
    )
    command.add_argument(
        "--explain",
        action="store_true",
        help="show what each key contributes, and the riskiest combinations",
    )
    command.add_argument(
        "--approximation",
        choices=APPROXIMATIONS,
        help="use a formula of the literature instead of the exact risk",
    )
    add_json(command)


def _add_limit(actions: Any) -> None:
    command = _add_command(
        actions,
        "limit",
        "commands.limit",
        "find the risk limit that meets a target (rate, expected number or number of records)",
    )
    add_file(command)
    add_scenario(command)
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
    add_json(command)


def _add_combinations(actions: Any) -> None:
    command = _add_command(
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
    add_json(command)


def _add_file_risk(actions: Any) -> None:
    command = _add_command(
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
    group.add_argument("--clip-weights", action="store_true", help="raise weights below 1 to 1")
    _add_model(command)
    add_records(command, "the risk of every record under each model")
    command.add_argument(
        "--plot", type=Path, metavar="OUT", help=f"write plots of the models {_PICTURE}"
    )
    add_json(command)
    command.set_defaults(household=None, missing="wildcard", alpha=1.0, attack="all", factor=1.0)


def _add_model(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--model", choices=MODELS, default="loglinear", help="model of the population"
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
    command = _add_command(
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
    command = _add_command(
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
    command = _add_command(
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
    command.add_argument(
        "--l", type=parse_number, default=2, help="diversity that is required (default 2)"
    )
    command.add_argument(
        "--c", type=parse_number, default=2.0, help="c of recursive (c,l)-diversity (default 2)"
    )
    command.add_argument(
        "--t", type=parse_rate, default=0.2, help="largest distance to tolerate (default 0.2)"
    )
    add_records(command, "the diversity of every record's cell")
    add_json(command)


def _add_sample(actions: Any) -> None:
    command = _add_command(
        actions, "sample", "protect.sample", "draw a random sample of households or records"
    )
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
    add_output(command, "the sample")
    add_json(command)


def _add_suppress(actions: Any) -> None:
    command = _add_command(
        actions, "suppress", "protect.suppress", "suppress key values until no record is unsafe"
    )
    add_file(command)
    add_scenario(command)
    add_criterion(command)
    command.add_argument(
        "--guarantee",
        choices=GUARANTEES,
        default="own",
        help="own: each record is safe by its own suppressions (default); strict: also if records "
        "with suppressed keys are ignored; shared: suppressions in other records count too",
    )
    command.add_argument(
        "--cost",
        type=parse_costs,
        metavar="KEY=C,..",
        help='cost of suppressing each key (default 1), or "entropy"',
    )
    command.add_argument(
        "--household-above",
        type=parse_rate,
        metavar="R",
        help="also treat households with a risk above R as unsafe",
    )
    command.add_argument(
        "--up-to",
        type=parse_count,
        metavar="M",
        help="apply --k to every combination of at most M keys",
    )
    command.add_argument(
        "--people",
        action="store_true",
        help="apply --k to the estimated number of people instead of records",
    )
    command.add_argument(
        "--spare", type=parse_list, default=(), metavar="A,B", help="keys that are not suppressed"
    )
    add_output(command, "the protected file")
    add_json(command)


def _add_protect(actions: Any) -> None:
    command = _add_command(
        actions, "protect", "release.protect", "run a plan: write the safe file, reports and lock"
    )
    add_plan(command)
    command.add_argument(
        "--script", action="store_true", help="print the plan as a Python script; run nothing"
    )
    add_json(command)


def _add_replay(actions: Any) -> None:
    command = _add_command(
        actions,
        "replay",
        "release.replay",
        "run a plan again, and restore its files if nothing differs from the lock",
    )
    add_plan(command)
    command.add_argument(
        "--check",
        action="store_true",
        help="compare only, including the files on disk; write nothing",
    )
    add_json(command)


def _add_report(actions: Any) -> None:
    command = _add_command(actions, "report", "release.report", "write a report on a plan")
    add_plan(command)
    command.add_argument(
        "-o", "--output", type=Path, required=True, metavar="OUT.html", help="the report"
    )
    command.add_argument(
        "--audience",
        choices=AUDIENCES,
        default="board",
        help="whom the report is for (default board)",
    )


def _add_app(actions: Any) -> None:
    command = _add_command(actions, "app", "app.app", "do the whole job in the browser")
    command.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="data file to open; the format is taken from its extension",
    )
    add_reading(command)
    command.add_argument(
        "--folder",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="folder in which files may be opened and written; may be repeated "
        "(default: the current folder)",
    )
    command.add_argument("--resume", action="store_true", help="resume the last session")
    command.add_argument(
        "--no-browser", action="store_true", help="print the link; open no browser"
    )
    command.add_argument(
        "--port",
        type=parse_port,
        default=0,
        metavar="N",
        help="port to listen on (default: any that is free)",
    )


def _add_demo(actions: Any) -> None:
    command = _add_command(actions, "demo", "demo.demo", "do the whole job on a synthetic survey")
    command.add_argument(
        "--folder",
        type=Path,
        default=Path("microsafe-demo"),
        metavar="DIR",
        help="folder for the results (default microsafe-demo)",
    )
    command.add_argument(
        "--seed", type=parse_count, default=1, metavar="N", help="seed of the survey (default 1)"
    )
