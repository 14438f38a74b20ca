"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe.cli.values import (
    parse_count,
    parse_errors,
    parse_levels,
    parse_list,
    parse_path,
    parse_rate,
    parse_reason,
)
from microsafe.io import readable_extensions

ATTACKS = ("all", "random", "ratio", "weight")
ENGINES = ("local", "spark")
ESTIMATORS = ("cell", "model")
MISSING = ("wildcard", "category", "expected")


def add_command(actions: Any, name: str, run: str, help_text: str) -> argparse.ArgumentParser:
    """Add a command that the function `run` ("module.function" of this package) carries out."""
    command: argparse.ArgumentParser = actions.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
    )
    command.set_defaults(run=run)
    return command


def group_of(command: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Return the group of options with a title; it is made when it is first asked for."""
    for group in command._action_groups:
        if group.title == title:
            return group
    return command.add_argument_group(title)


def add_file(command: argparse.ArgumentParser) -> None:
    """Add the data file, and how and where it is read."""
    command.add_argument(
        "file",
        type=parse_path,
        metavar="FILE",
        help="data file; the format is taken from its extension: "
        f"{', '.join(readable_extensions())}",
    )
    add_reading(command)
    add_engine(command)


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add how a file is read."""
    group = command.add_argument_group("reading")
    group.add_argument(
        "--meta",
        type=Path,
        metavar="FILE.rda",
        help="metadata of a fixed-width file (default: the .rda file beside it)",
    )
    group.add_argument("--encoding", help="encoding of a text file (default: detected)")
    group.add_argument("--separator", help="separator of a text file (default: detected)")
    group.add_argument(
        "--comment",
        metavar="MARK",
        help="leave out lines of a text file that begin with this character, such as '#'",
    )
    group.add_argument(
        "--na",
        type=parse_list,
        default=(),
        metavar="A,B",
        help='values that mean missing; "auto" for the usual words (NA, ., k.A. and so on) in '
        "variables that hold numbers otherwise",
    )
    group.add_argument(
        "--sheet",
        help="sheet of a workbook (default: the first), or data frame in an .RData file",
    )
    group.add_argument(
        "--decimal",
        choices=(".", ","),
        help="decimal mark of numbers in a text file; variables that hold nothing else are numbers",
    )
    group.add_argument("--thousands", metavar="MARK", help="thousands mark of numbers, likewise")
    group.add_argument(
        "--join",
        type=Path,
        metavar="FILE",
        help="households of the persons in the data file: each gets the variables of its household",
    )
    group.add_argument(
        "--on", metavar="NAME", help="variable of both files that tells households apart"
    )
    group.add_argument(
        "--join-sheet", metavar="SHEET", help="sheet of the workbook of households, likewise"
    )
    group.add_argument(
        "--codebook",
        type=Path,
        metavar="FILE",
        help="what variables are, and which are keys: a codebook (.csv), DDI-Codebook (.xml) or "
        ".rda; see microsafe codebook",
    )


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add where the work is done."""
    group = command.add_argument_group("engine")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default="local",
        help="compute on this machine (local, the default) or with Spark",
    )
    group.add_argument(
        "--master", metavar="URL", help="Spark master: local[4], yarn, spark://.., sc://.."
    )
    group.add_argument(
        "--memory", metavar="SIZE", help="memory limit on this machine, such as 4GB or 500MB"
    )
    group.add_argument(
        "--most-cells",
        type=parse_count,
        metavar="N",
        help="largest number of key combinations to bring from Spark to this machine",
    )


def add_scenario(command: argparse.ArgumentParser) -> None:
    """Add what an intruder knows and does."""
    group = command.add_argument_group("scenario")
    _add_roles(group)
    group.add_argument(
        "--missing",
        choices=MISSING,
        default="wildcard",
        help="a missing key matches any value (wildcard, the default), is a category of its own, "
        "or counts by the probability of a match (expected)",
    )
    group.add_argument(
        "--alpha",
        type=parse_rate,
        default=1.0,
        help="how much a match that rests on a missing key counts, from 0 to 1 (default 1)",
    )
    group.add_argument(
        "--attack",
        choices=ATTACKS,
        default="all",
        help="records that the intruder tries: all of them (default), one at random, or in "
        "proportion to f/F (ratio) or to the inverse weight",
    )
    group.add_argument(
        "--factor", type=parse_rate, default=1.0, help="multiply every risk by this (default 1)"
    )
    group.add_argument(
        "--error",
        type=parse_errors,
        default={},
        metavar="KEY=X,..",
        help="probability that a key is recorded with error (default 0); the risk is multiplied "
        "by the probability that the keys of the record have none",
    )
    group.add_argument("--clip-weights", action="store_true", help="raise weights below 1 to 1")
    group.add_argument(
        "--estimator",
        choices=ESTIMATORS,
        default="cell",
        help="estimate the risk of a record from its cell alone (default), or from a model of the "
        "population, which is more accurate where keys are sparse",
    )


def add_population(command: argparse.ArgumentParser) -> None:
    """Add known counts of the population."""
    group = command.add_argument_group("known population")
    group.add_argument(
        "--population",
        type=parse_path,
        metavar="FILE",
        help="known population: one row per person, or per combination of keys",
    )
    group.add_argument(
        "--population-count",
        metavar="NAME",
        help="variable with the number of people (default: each row is a person)",
    )
    group.add_argument(
        "--population-use",
        choices=("check", "F"),
        default="check",
        help="check: compare with the estimates (default); F: use the counts, so that the risk is "
        "1/F",
    )


def add_counting_scenario(command: argparse.ArgumentParser, *, weight: bool = True) -> None:
    """Add a scenario for measures that count, and have no use for attack models."""
    group = command.add_argument_group("scenario")
    _add_keys(group)
    if weight:
        group.add_argument("--weight", metavar="NAME", help="sampling weight")
        group.add_argument("--clip-weights", action="store_true", help="raise weights below 1 to 1")
    group.add_argument(
        "--missing",
        choices=("wildcard", "category"),
        default="wildcard",
        help="a missing key matches any value (wildcard, the default) or is a category of its own",
    )
    command.set_defaults(
        weight=None,
        household=None,
        alpha=1.0,
        attack="all",
        factor=1.0,
        error={},
        clip_weights=False,
        estimator="cell",
    )


def add_no_model(command: argparse.ArgumentParser) -> None:
    """Add the choice to show only one estimator."""
    command.add_argument(
        "--no-model",
        action="store_true",
        help="do not show the other estimator too (default: both are shown where many records are "
        "sample uniques)",
    )


def add_criterion(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add which records are unsafe."""
    criterion = command.add_mutually_exclusive_group(required=required)
    criterion.add_argument(
        "--above", type=parse_rate, metavar="R", help="records with a risk above R are unsafe"
    )
    criterion.add_argument(
        "--k",
        type=parse_count,
        metavar="K",
        help="records that share their keys with fewer than K records (themselves included) "
        "are unsafe",
    )


def add_levels(command: argparse.ArgumentParser, what: str) -> None:
    """Add identification levels of keys."""
    command.add_argument(
        "--level",
        type=parse_levels,
        default={},
        metavar="KEY=L,..",
        help=f"{what}, as mu-ARGUS does: one key of level 1, one of level at most 2, and so on",
    )


def add_plan(command: argparse.ArgumentParser) -> None:
    """Add the plan, and where it is run."""
    command.add_argument("plan", type=Path, metavar="PLAN.toml", help="plan file")
    add_engine(command)


def add_records(command: argparse.ArgumentParser, what: str) -> None:
    """Add the file of figures by record."""
    group_of(command, "output").add_argument(
        "--records", type=parse_path, metavar="OUT", help=f"write {what} (.csv or .parquet)"
    )


def add_output(command: argparse.ArgumentParser, what: str) -> None:
    """Add the file that is written."""
    group_of(command, "output").add_argument(
        "-o",
        "--output",
        type=parse_path,
        required=True,
        metavar="OUT",
        help=f"{what}; the format is taken from its extension",
    )


def add_exceptions(command: argparse.ArgumentParser, *, keep: str = "--keep") -> None:
    """Add what becomes of direct identifiers, which are refused otherwise.

    Args:
        command: To add it to.
        keep: Name of the option that keeps one, where `--keep` means something else.
    """
    group = group_of(command, "direct identifiers")
    group.add_argument(
        "--drop",
        type=parse_list,
        action="extend",
        default=[],
        metavar="A,B",
        help="variables to leave out of the file, such as direct identifiers",
    )
    group.add_argument(
        keep,
        dest="kept",
        type=parse_reason,
        action="append",
        default=[],
        metavar='NAME="reason"',
        help="keep a variable although it is a direct identifier; may be repeated",
    )


def add_json(command: argparse.ArgumentParser) -> None:
    """Add the choice of JSON."""
    group_of(command, "output").add_argument(
        "--json", action="store_true", help="print JSON and nothing else"
    )


def add_roles(command: argparse.ArgumentParser, *, required: bool) -> None:
    """Add what variables are for."""
    _add_roles(command.add_argument_group("scenario"), required=required)


def _add_roles(group: argparse._ArgumentGroup, *, required: bool = True) -> None:
    _add_keys(group, required=required)
    group.add_argument("--weight", metavar="NAME", help="sampling weight")
    group.add_argument("--household", metavar="NAME", help="household identifier")


def _add_keys(group: argparse._ArgumentGroup, *, required: bool = True) -> None:
    action = group.add_argument(
        "--keys",
        type=parse_list,
        default=(),
        metavar="A,B",
        help="key variables: what an intruder may know about a person"
        + (" (default: those that the codebook or the .rda declares)" if required else ""),
    )
    action.usual = required  # type: ignore[attr-defined]  # the usage names it
