"""`plan new`: write a plan with a decision to make on every variable."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.commands.plan_check import find_undecided, list_by_line, summarise_plan
from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields, given_values_of, values_of
from microsafe.cli.input import add_file, open_file
from microsafe.cli.option_values import (
    parse_list,
    parse_reason,
)
from microsafe.cli.output import add_json
from microsafe.cli.parser import group_of
from microsafe.cli.plan_file import write_plan
from microsafe.cli.scenario import add_roles, open_roles
from microsafe.display import show_count
from microsafe.errors import UsageError
from microsafe.options.policy import Policy
from microsafe.options.profiles import ProfileOptions
from microsafe.options.release import Output, ReleaseOptions
from microsafe.options.scenario import Assumptions

if TYPE_CHECKING:
    from microsafe.plan.model import Plan
    from microsafe.steps.base import Step
    from microsafe.variables.profile import VariableProfile


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_roles(command, required=False)
    group = group_of(command, "scenario")
    add_fields(group, Assumptions, "estimator")
    add_fields(group_of(command, "assumptions"), Assumptions)
    _add_policy(command)
    _add_decisions(command)
    output = group_of(command, "output")
    output.add_argument(
        "-o", "--output", type=Path, required=True, metavar="PLAN.toml", help="the plan"
    )
    details = group_of(command, "details")
    called = "what the safe file will be called (default: that of the input with -safe)"
    add_fields(details, ReleaseOptions, "file", "report", "public_report", file=called)
    add_fields(details, Output)
    add_json(command)


def _add_policy(command: argparse.ArgumentParser) -> None:
    group, details = group_of(command, "policy"), group_of(command, "details")
    add_fields(group, ProfileOptions)
    add_fields(
        group,
        Policy,
        *("record_risk", "household_risk", "k"),
        record_risk="records with a risk above R are unsafe; a rule, and a step that suppresses",
        household_risk="households with a risk above R are unsafe; likewise",
        k="fewest records that share the keys of a record; likewise",
    )
    add_fields(details, Policy)


def _add_decisions(command: argparse.ArgumentParser) -> None:
    group = group_of(command, "decisions")
    group.add_argument(
        "--step",
        action="append",
        default=[],
        metavar="'DO WORD=VALUE'",
        help="a step before suppression; such as 'recode variable=age breaks=0,15,30,65'; may be "
        "repeated",
    )
    group.add_argument(
        "--drop",
        type=parse_list,
        action="extend",
        default=[],
        metavar="A,B",
        help="variables to leave out (direct identifiers are left out by default)",
    )
    group.add_argument(
        "--keep",
        dest="kept",
        type=parse_reason,
        action="append",
        default=[],
        metavar='A,B="reason"',
        help="variables to release as they are; may be repeated",
    )
    group.add_argument(
        "--keep-rest",
        default="",
        metavar="REASON",
        help="reason to release all answers: variables in which nothing delicate was found",
    )


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Write a plan with every decision spelled out."""
    from microsafe.guides.missing_words import find_missing_values
    from microsafe.io import digest
    from microsafe.io.formats import find_stem, writable_extension
    from microsafe.plan.read import read_plan
    from microsafe.plan.scaffold import input_of, new_plan_text
    from microsafe.steps.suppress.key_defaults import find_declared
    from microsafe.studies.telling_variables import find_future_tellers
    from microsafe.studies.telling_weights import suggest_weight_step
    from microsafe.variables.decide import Keep

    target: Path = chosen.output
    if target.suffix != ".toml":
        raise UsageError(f"{target.name} must have the extension .toml.")
    if target.exists():
        raise UsageError(f"{target.name} exists already. Choose another name, or remove it.")
    policy = Policy(**values_of(chosen, Policy))
    steps = _read_steps(chosen)
    proposed = () if chosen.keys else _propose_roles(chosen, console)
    data = open_roles(chosen, console.progress, **given_values_of(chosen, Assumptions))
    scenario, reading = data.scenario(), dict(data._input)
    if chosen.household_above is not None and scenario.household is None:
        raise UsageError("Name the household identifier with --household to limit household risk.")
    for word in find_missing_values(data, progress=console.progress):
        console.note(f"{word.question} Add --na {shlex.quote(word.word)}.")
    for step, _ in steps:
        data = data.apply(step, progress=console.progress)
    keep = tuple(Keep(variables=parse_list(names), why=why) for names, why in chosen.kept)
    found = data.inventory(keep=keep, progress=console.progress)
    told = find_future_tellers(data, scenario.keys, progress=console.progress)
    weight = scenario.weight if scenario.weight in told else None
    path = Path(chosen.file)
    name = chosen.file_name or f"{find_stem(path)}-safe{writable_extension(path)}"
    output = Output(**{**values_of(chosen, Output), "file": name})
    text = new_plan_text(
        input_of(reading, target.parent, digest(path)),
        scenario,
        found,
        output,
        policy=policy,
        profile=chosen.profile,
        steps=steps,
        keep=keep,
        told=told,
        reweigh=suggest_weight_step(data, weight, scenario.keys) if weight else "",
        rest=chosen.keep_rest,
        proposed=proposed,
        variables=data.declarations,
        suppression=find_declared({}, data),
    )
    write_plan(target, text)
    made = read_plan(target, draw_seeds=True, save_seeds=False)
    asked = find_undecided(made)
    if chosen.json:
        console.print_json({"plan": target.name, **summarise_plan(made)})
        return 0
    rest = "To be decided, as the reason is empty:" if asked else "Nothing is left to be decided."
    console.say(
        [
            f"Plan written to {target.name}: {show_count(len(made.scenarios[0].keys), 'key')}, "
            f"{show_count(len(made.steps), 'step')}. {rest}",
            *list_by_line(asked),
            "Read it, fill in every empty 'why', and run" if asked else "Read it, and run",
            *_tell_next(made, target),
        ]
    )
    return 0


def _tell_next(plan: Plan, path: Path) -> list[str]:
    """Say how to go on: blanks by several limits may undo what one of them promised."""
    protect = f"  microsafe protect {path}"
    if sum(step.do == "suppress" for step in plan.steps) < 2:
        return [protect]
    better = path.with_name(f"{path.stem}-proposed.toml")
    return [
        f"  microsafe propose {path} -o {better} --protect",
        "which looks for steps that meet all rules and lose least, and runs them; as it is, run",
        protect,
    ]


def _read_steps(chosen: argparse.Namespace) -> list[tuple[Step, Sequence[str]]]:
    """The steps that were named, each with the seeds that were not: they are drawn later."""
    from microsafe.options.parameter import secrets
    from microsafe.plan.values import read_step
    from microsafe.steps import Drop

    steps: list[tuple[Step, Sequence[str]]] = []
    if chosen.drop:
        steps.append((Drop(variables=tuple(chosen.drop), why="Left out on request"), ()))
    for number, text in enumerate(chosen.step, 1):
        step = read_step(text, f"--step {number}", {"seed": 0})
        named = {word.partition("=")[0] for word in shlex.split(text)}
        steps.append((step, [name for name in secrets(type(step)) if name not in named]))
    return steps


def _propose_roles(chosen: argparse.Namespace, console: Console) -> tuple[VariableProfile, ...]:
    """Take the keys that the file proposes, and its weight and household unless they are given."""
    from microsafe.variables.profile import order_keys

    found = open_file(chosen, console.progress).describe(progress=console.progress)
    keys = order_keys(found) or tuple(each for each in found if each.role == "key")
    if not keys:
        raise UsageError(
            f"{Path(chosen.file).name} proposes no keys. Name what an intruder may know (--keys)."
        )
    chosen.keys = tuple(key.name for key in keys)
    named = {each.role: each.name for each in reversed(found)}
    chosen.weight = chosen.weight or named.get("weight")
    chosen.household = chosen.household or named.get("household")
    return keys
