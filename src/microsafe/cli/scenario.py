"""How commands say what an intruder knows, and which records are unsafe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from microsafe.cli.option_values import (
    parse_count,
    parse_errors,
    parse_levels,
    parse_list,
    parse_path,
    parse_rate,
)
from microsafe.cli.reading import data_of, open_file, reading_of
from microsafe.errors import UsageError

if TYPE_CHECKING:
    from microsafe.progress import Progress
    from microsafe.studies.study import Study

ATTACKS = ("all", "random", "ratio", "weight")
ESTIMATORS = ("cell", "model")
MISSING = ("wildcard", "category", "expected")


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


def add_roles(command: argparse.ArgumentParser, *, required: bool) -> None:
    """Add what variables are for."""
    _add_roles(command.add_argument_group("scenario"), required=required)


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


def open_study(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file under the scenario that the options name, or that is declared."""
    from microsafe.options.declaration import find_defaults

    opened = open_file(chosen, progress)
    # What the file itself declares counts where nobody names keys.
    roles = find_defaults(opened.declarations) if chosen.keys else opened.roles
    keys = chosen.keys or roles.keys
    if not keys:
        raise UsageError(
            "Name the key variables (--keys), or a codebook that declares them (--codebook)."
        )
    return replace(opened, scenarios=()).with_scenario(
        "main",
        keys=keys,
        weight=chosen.weight or roles.weight,
        household=chosen.household or roles.household,
        missing=chosen.missing,
        alpha=chosen.alpha,
        attack=chosen.attack,
        factor=chosen.factor,
        error=chosen.error,
        low_weights="clip" if chosen.clip_weights else "refuse",
        estimator=chosen.estimator,
    )


def open_roles(chosen: argparse.Namespace, progress: Progress, **scenario: Any) -> Study:
    """Open the file with the roles that the options name: keys, weight and household."""
    from microsafe.studies.study import study

    roles = {name: getattr(chosen, name) for name in ("keys", "weight", "household")}
    return study(data_of(chosen), progress=progress, **roles, **scenario, **reading_of(chosen))


def population_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return known counts, if there are any, as options of `risk`."""
    if chosen.population is None and (
        chosen.population_count is not None or chosen.population_use != "check"
    ):
        raise UsageError("Name the known population with --population.")
    names = ("population", "population_count", "population_use")
    return {name: getattr(chosen, name) for name in names}


def format_declared(declared: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what was taken from declarations of the variables, as no option says otherwise."""
    levels = [f"{key} {level}" for key, level in declared.get("levels", {}).items()]
    costs = [f"{key} {cost:g}" for key, cost in declared.get("costs", {}).items() if cost != 1]
    linked = [f"{', '.join(names)} with {key}" for key, names in declared.get("linked", {}).items()]
    parts = {
        "identification levels (--level)": levels,
        "costs of a blank (--cost)": costs,
        "linked variables (--linked)": linked,
    }
    lines = [f"  {words}: {', '.join(each)}" for words, each in parts.items() if each]
    return ["As the variables are declared:", *lines] if lines else []
