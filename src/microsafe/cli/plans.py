"""What `inventory`, `plan new`, `plan update` and `plan check` do."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microsafe.cli.commands import data_of, open_file, reading_of
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.engine import Summary
from microsafe.errors import UsageError
from microsafe.io import digest, replace_file
from microsafe.io.formats import find_stem, writable_extension
from microsafe.options.parameter import secrets
from microsafe.options.policy import Policy
from microsafe.plan.file import Output, Plan, read_plan
from microsafe.plan.open import open_plan
from microsafe.plan.scaffold import PROFILES, input_of, new_plan_text, updated_plan_text
from microsafe.plan.values import read_step
from microsafe.steps import Drop
from microsafe.steps.base import Step
from microsafe.studies.declared_options import fill_suppression
from microsafe.studies.study import Study, study
from microsafe.variables.decide import Keep
from microsafe.variables.roles import order_keys


def inventory(chosen: argparse.Namespace, console: Console) -> int:
    """List all variables with what was found and what is to be decided."""
    found = _open(chosen, console).inventory(progress=console.progress)
    if chosen.json:
        console.print_json(found.summary())
    else:
        console.say(repr(found))
    return 0


def new_plan(chosen: argparse.Namespace, console: Console) -> int:
    """Write a plan with every decision spelled out."""
    target: Path = chosen.output
    if target.suffix != ".toml":
        raise UsageError(f"{target.name} must have the extension .toml.")
    if target.exists():
        raise UsageError(f"{target.name} exists already. Choose another name, or remove it.")
    policy = _read_policy(chosen)
    steps = _read_steps(chosen)
    proposed = () if chosen.keys else _propose_roles(chosen, console)
    data = _open(chosen, console, why=chosen.why)
    estimator = chosen.estimator or _propose_estimator(data, console)
    if estimator == "model":
        data = _open(chosen, console, estimator=estimator, why=chosen.why)
    scenario, reading = data.scenario(), dict(data._input)
    if chosen.household_above is not None and scenario.household is None:
        raise UsageError("Name the household identifier with --household to limit household risk.")
    for step, _ in steps:
        data = data.apply(step, progress=console.progress)
    keep = tuple(Keep(variables=(name,), why=why) for name, why in chosen.kept)
    found = data.inventory(keep=keep, progress=console.progress)
    path = Path(chosen.file)
    output = Output(
        file=chosen.file_name or f"{find_stem(path)}-safe{writable_extension(path)}",
        report=chosen.report,
        public_report=chosen.public_report,
        keep_order=chosen.keep_order,
    )
    text = new_plan_text(
        input_of(reading, target.parent, digest(path)),
        scenario,
        found,
        output,
        policy=policy,
        profile=chosen.profile,
        precedent=chosen.above is None and chosen.profile is not None,
        steps=steps,
        keep=keep,
        rest=chosen.keep_rest,
        proposed=proposed,
        variables=data.declarations,
        suppression=fill_suppression(data, costs=None, linked=None, levels=None, by_k=False),
    )
    _write(target, text)
    made = read_plan(target, draw_seeds=True, save_seeds=False)
    asked = _find_undecided(made)
    if chosen.json:
        console.print_json({"plan": target.name, **_summarise_plan(made)})
        return 0
    rest = "To be decided, as the reason is empty:" if asked else "Nothing is left to be decided."
    console.say(
        [
            f"Plan written to {target.name}: {len(made.scenarios[0].keys)} keys, "
            f"{len(made.steps)} steps. {rest}",
            *_list_by_line(asked),
            "Read it, fill in every empty 'why', and run" if asked else "Read it, and run",
            f"  microsafe protect {target}",
        ]
    )
    return 0


def _read_policy(chosen: argparse.Namespace) -> Policy:
    """What is asked for, by options or else by the profile."""
    above = chosen.above
    if above is None and chosen.profile is not None:
        above = PROFILES[chosen.profile][1]
    return Policy(
        record_risk=above,
        rate=chosen.rate,
        expected=chosen.expected,
        household_risk=chosen.household_above,
        k=chosen.k,
        override=dict(chosen.override),
    )


def _read_steps(chosen: argparse.Namespace) -> list[tuple[Step, Sequence[str]]]:
    """The steps that were named, each with the seeds that were not: they are drawn later."""
    steps: list[tuple[Step, Sequence[str]]] = []
    if chosen.drop:
        steps.append((Drop(variables=tuple(chosen.drop), why="Left out on request"), ()))
    for number, text in enumerate(chosen.step, 1):
        step = read_step(text, f"--step {number}", {"seed": 0})
        named = {word.partition("=")[0] for word in shlex.split(text)}
        steps.append((step, [name for name in secrets(type(step)) if name not in named]))
    return steps


def update_plan(chosen: argparse.Namespace, console: Console) -> int:
    """Write a plan as format 2, with decisions proposed on what it leaves undecided."""
    path: Path = chosen.plan
    target: Path = chosen.output or path
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    backup = path.with_suffix(f".format-{plan.format}.toml")
    if target == path and backup.exists():
        raise UsageError(f"{backup.name} exists already. Name the new plan with -o.")
    check_targets([], {target: ()})
    engine = {name: getattr(chosen, name) for name in ("engine", "master", "most_cells", "memory")}
    _, data = open_plan(plan, path.parent, progress=console.progress, **engine)
    for step in plan.steps:
        data = data.apply(step, progress=console.progress)
    found = data.inventory(keep=plan.keep, progress=console.progress)
    old = path.read_text("utf-8")
    text = updated_plan_text(old, found, plan.keep)
    if target == path:
        _write(backup, old)
    _write(target, text)
    made = read_plan(target, draw_seeds=True, save_seeds=False)
    if chosen.json:
        console.print_json({"plan": target.name, **_summarise_plan(made)})
        return 0
    kept = f" The plan as it was is {backup.name}." if target == path else ""
    console.say(
        f"Plan written to {target.name}.{kept} Fill in every empty 'why'; its records will be "
        "shuffled unless [output] has a keep_order."
    )
    return 0


def check_plan(chosen: argparse.Namespace, console: Console) -> int:
    """Read a plan and say what is still to be decided in it; nothing is run."""
    plan = read_plan(chosen.plan, draw_seeds=True, save_seeds=False)
    if chosen.json:
        console.print_json({"plan": chosen.plan.name, **_summarise_plan(plan)})
        return 0
    lines = [
        f"{chosen.plan.name} is a plan of format {plan.format} for {plan.input.file}: "
        f"{len(plan.scenarios)} scenarios, {len(plan.steps)} steps."
    ]
    if asked := _find_undecided(plan):
        lines.append("To be decided, as the reason is empty:")
        lines += _list_by_line(asked)
    if plan.format == 1:
        lines.append(
            "It says nothing of the other variables and of the order of the records. "
            f"Write it anew with: microsafe plan update {chosen.plan}"
        )
    console.say(lines)
    return 0


def _find_undecided(plan: Plan) -> dict[str, int | None]:
    """Variables that wait for a reason, with the line where it is to be written."""
    found: dict[str, int | None] = {}
    for number, each in enumerate(plan.keep, 1):
        lines = plan.lines.get(f"keep {number}", {})
        if not each.why.strip():
            found |= dict.fromkeys(each.variables, lines.get("why", lines.get("")))
    return found


def _list_by_line(undecided: Mapping[str, int | None]) -> list[str]:
    lines: dict[int | None, list[str]] = {}
    for name, line in undecided.items():
        lines.setdefault(line, []).append(name)
    return [f"  line {line}: {', '.join(names)}" for line, names in lines.items()]


def _summarise_plan(plan: Plan) -> dict[str, Any]:
    return {
        "format": plan.format,
        "input": plan.input.file,
        "scenarios": {each.name: list(each.keys) for each in plan.scenarios},
        "policy": plan.policy.rules,
        "steps": [each.in_words() for each in plan.steps],
        "undecided": [{"name": n, "line": line} for n, line in _find_undecided(plan).items()],
        "output": plan.output.file,
    }


def _open(chosen: argparse.Namespace, console: Console, **scenario: Any) -> Study:
    roles = {name: getattr(chosen, name) for name in ("keys", "weight", "household")}
    return study(
        data_of(chosen), progress=console.progress, **roles, **scenario, **reading_of(chosen)
    )


def _propose_roles(chosen: argparse.Namespace, console: Console) -> tuple[Summary, ...]:
    """Take the keys that the file proposes, and its weight and household unless they are given."""
    found = open_file(chosen, console.progress).describe(progress=console.progress)
    keys = order_keys(found) or tuple(each for each in found if each.role == "key")
    if not keys:
        raise UsageError(
            f"{Path(chosen.file).name} proposes no keys. Name what an intruder may know (--keys)."
        )
    chosen.keys = tuple(each.name for each in keys)
    named = {each.role: each.name for each in reversed(found)}
    chosen.weight = chosen.weight or named.get("weight")
    chosen.household = chosen.household or named.get("household")
    return keys


def _propose_estimator(data: Study, console: Console) -> str:
    return data.risk(both=False, progress=console.progress).proposed_estimator


def _write(path: Path, text: str) -> None:
    with replace_file(path) as temporary:
        temporary.write_text(text, "utf-8")
