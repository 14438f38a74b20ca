"""`plan check`: check a plan without running it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.output import add_json
from microsafe.cli.plan_file import add_plan
from microsafe.display import show_count
from microsafe.options.reason import read_reason

if TYPE_CHECKING:
    from microsafe.plan.model import Plan


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_plan(command)
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Read a plan and say what is still to be decided in it; nothing is run."""
    from microsafe.plan.model import FORMAT
    from microsafe.plan.read import read_plan

    plan = read_plan(chosen.plan, draw_seeds=True, save_seeds=False)
    if chosen.json:
        console.print_json({"plan": chosen.plan.name, **summarise_plan(plan)})
        return 0
    lines = [
        f"{chosen.plan.name} is a plan of format {FORMAT} for {plan.input.file}: "
        f"{show_count(len(plan.scenarios), 'scenario')}, {show_count(len(plan.steps), 'step')}."
    ]
    if asked := find_undecided(plan):
        lines.append("To be decided, as the reason is empty:")
        lines += list_by_line(asked)
    console.say(lines)
    return 0


def find_undecided(plan: Plan) -> dict[str, int | None]:
    """Return the variables that wait for a reason, with the line where it is to be written."""
    found: dict[str, int | None] = {}
    for number, decision in enumerate(plan.keep, 1):
        lines = plan.lines.get(f"keep {number}", {})
        if not read_reason(decision.why, "to keep variables"):
            found |= dict.fromkeys(decision.variables, lines.get("why", lines.get("")))
    return found


def list_by_line(undecided: Mapping[str, int | None]) -> list[str]:
    """Return variables by the line of the plan on which their reason is to be written."""
    lines: dict[int | None, list[str]] = {}
    for name, line in undecided.items():
        lines.setdefault(line, []).append(name)
    return [f"  line {line}: {', '.join(names)}" for line, names in lines.items()]


def summarise_plan(plan: Plan) -> dict[str, Any]:
    """Return what a plan says, for JSON."""
    from microsafe.plan.model import FORMAT

    return {
        "format": FORMAT,
        "input": plan.input.file,
        "scenarios": {scenario.name: list(scenario.keys) for scenario in plan.scenarios},
        "policy": plan.policy.rules,
        "steps": [step.in_words() for step in plan.steps],
        "undecided": [{"name": n, "line": line} for n, line in find_undecided(plan).items()],
        "output": plan.output.file,
    }
