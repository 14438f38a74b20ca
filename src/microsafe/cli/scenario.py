"""Options for the scenario, and for which records are unsafe."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.fields import add_fields, values_of
from microsafe.cli.input import data_of, engine_of, open_file, reading_of
from microsafe.cli.parser import group_of
from microsafe.errors import UsageError
from microsafe.options.profiles import ProfileOptions, find_profile
from microsafe.options.reading import PopulationOptions
from microsafe.options.scenario import PERSON_ROLES, Assumptions, Roles
from microsafe.options.suppression import SuppressOptions

if TYPE_CHECKING:
    from microsafe.progress import Progress
    from microsafe.studies.study import Study


_PLAN = ".toml"


def add_scenario(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add what an intruder knows and does; a plan may say it as well if it is not required."""
    add_roles(command, required=required)
    add_fields(group_of(command, "scenario"), Assumptions, "estimator")
    add_fields(group_of(command, "assumptions"), Assumptions, but=["why"])


def add_roles(command: argparse.ArgumentParser, *names: str, required: bool) -> None:
    """Add what variables are for.

    Args:
        command: Whose options they are.
        *names: Of roles; all if none is named.
        required: Whether a file must name keys if no option does.
    """
    chosen = names or tuple(field.name for field in fields(Roles))
    add_fields(group_of(command, "scenario"), Roles, *(n for n in chosen if n not in PERSON_ROLES))
    if panels := [name for name in chosen if name in PERSON_ROLES]:
        add_fields(group_of(command, "assumptions"), Roles, *panels)
    for action in command._actions:
        if action.dest == "keys":
            action.usual = required  # type: ignore[attr-defined]  # the usage names it


def add_counting_scenario(command: argparse.ArgumentParser, *, weight: bool = True) -> None:
    """Add a scenario for measures that count, and have no use for attack models."""
    weighed = ("weight", *PERSON_ROLES) if weight else ()
    add_roles(command, "keys", *weighed, required=True)
    assumptions = group_of(command, "assumptions")
    add_fields(assumptions, Assumptions, "missing", *(("clip_weights",) if weight else ()))
    (missing,) = [action for action in command._actions if action.dest == "missing"]
    missing.choices = ("wildcard", "category")


def add_population(command: argparse.ArgumentParser) -> None:
    """Add known counts of the population."""
    add_fields(group_of(command, "known population"), PopulationOptions)


def add_one_estimator(command: argparse.ArgumentParser) -> None:
    """Add the choice to show only one estimator."""
    group_of(command, "assumptions").add_argument(
        "--one-estimator",
        action="store_true",
        help="do not show the other estimator too (default: both are shown where many records are "
        "sample uniques)",
    )


def add_criterion(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add which records are unsafe."""
    criterion = command.add_mutually_exclusive_group(required=required)
    add_fields(criterion, SuppressOptions, "above", above="records with a risk above R are unsafe")
    add_fields(criterion, ProfileOptions)
    add_fields(
        criterion,
        SuppressOptions,
        "k",
        k="fewest records that must share the keys of a record (itself included)",
    )


def limit_of(chosen: argparse.Namespace, given: float | None) -> float | None:
    """Return the limit on the risk of a record that was given, or that of who gets the file."""
    if given is None and chosen.profile is not None:
        return find_profile(chosen.profile).record_risk
    return given


def add_levels(command: argparse.ArgumentParser, what: str) -> None:
    """Add identification levels of keys."""
    more = "as mu-ARGUS does: one key of level 1, one of level at most 2, and so on"
    add_fields(group_of(command, "details"), SuppressOptions, "levels", levels=f"{what}, {more}")


def open_study(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file under the scenario that the options name, or that is declared."""
    from microsafe.options.declaration import find_defaults

    if str(chosen.file).lower().endswith(_PLAN):
        return _open_planned(chosen, progress)
    opened = open_file(chosen, progress)
    # What the file itself declares counts where nobody names keys.
    roles = find_defaults(opened.declarations) if chosen.keys else opened.roles
    areas = getattr(chosen, "areas", None)  # which may be all that is asked for
    keys = chosen.keys or roles.keys or ((areas,) if areas else ())
    if not keys:
        raise UsageError(
            "Name the key variables (--keys), or a codebook that declares them (--codebook)."
        )
    options = {"weight": None, "household": None, **values_of(chosen, Assumptions), "keys": keys}
    for name in ("weight", "household"):
        options[name] = options[name] or getattr(roles, name)
    if getattr(chosen, "approximation", None) and options.get("estimator") is None:
        options["estimator"] = "cell"  # they are formulas of that one
    return replace(opened, scenarios=()).with_scenario("main", **options, progress=progress)


def _open_planned(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file of a plan, with its scenarios and its steps taken; its limit holds too."""
    from microsafe.plan.open import open_plan
    from microsafe.plan.read import read_plan

    if chosen.keys:
        raise UsageError("A plan has its own keys. Change them in the plan.")
    path = Path(chosen.file)
    plan, study = open_plan(
        read_plan(path, draw_seeds=True, save_seeds=False),
        path.parent,
        progress=progress,
        **engine_of(chosen),
    )
    for step in plan.steps:
        study = study.apply(step, progress=progress)
    if "limit" in chosen and chosen.limit is None and isinstance(plan.policy.record_risk, float):
        chosen.limit = plan.policy.record_risk
    return study


def open_roles(chosen: argparse.Namespace, progress: Progress, **scenario: Any) -> Study:
    """Open the file with the roles that the options name: keys, weight and household."""
    from microsafe.studies.study import study

    said = values_of(chosen, Roles) | scenario | reading_of(chosen)
    return study(data_of(chosen), progress=progress, **said)


def population_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return known counts, if there are any, as options of `risk`."""
    if chosen.population is None and (
        chosen.population_count is not None or chosen.population_use != "check"
    ):
        raise UsageError("Name the known population with --population.")
    return values_of(chosen, PopulationOptions)


def format_declared(declared: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return what was taken from declarations of the variables, as no option says otherwise."""
    levels = [f"{key} {level}" for key, level in declared.get("levels", {}).items()]
    costs = [f"{key} {cost:g}" for key, cost in declared.get("cost", {}).items() if cost != 1]
    linked = [f"{', '.join(names)} with {key}" for key, names in declared.get("linked", {}).items()]
    parts = {
        "identification levels (--levels)": levels,
        "costs of a blank (--cost)": costs,
        "linked variables (--linked)": linked,
    }
    lines = [f"  {words}: {', '.join(each)}" for words, each in parts.items() if each]
    return ["As the variables are declared:", *lines] if lines else []
