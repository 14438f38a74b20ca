"""`inventory`: list all variables, and the decision that a release asks for on each."""

from __future__ import annotations

import argparse
from dataclasses import replace

from microsafe.cli.console import Console
from microsafe.cli.input import add_file
from microsafe.cli.output import add_json
from microsafe.cli.scenario import add_roles, open_roles


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_roles(command, required=False)
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """List all variables with what was found and what is to be decided."""
    found = open_roles(chosen, console.progress).inventory(progress=console.progress)
    if chosen.json:
        console.print_json(found.summary())
    else:
        console.say(repr(replace(found, notices=())))
        console.print_notices(found.notices)
    return 0
