"""`plan`: make, update or check a plan."""

from __future__ import annotations

import argparse

from microsafe.cli.commands import plan_check, plan_new, plan_update
from microsafe.cli.parser import add_command

_PARTS = {
    "new": ("write a plan with a decision to make on every variable", plan_new),
    "update": (
        "propose decisions on all that a plan leaves undecided",
        plan_update,
    ),
    "check": ("check a plan without running it; errors name the line", plan_check),
}


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the commands that it consists of."""
    parts = command.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, (text, module) in _PARTS.items():
        module.add_options(add_command(parts, name, text))
