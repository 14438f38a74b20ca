"""`check`: say in one screen what a file would give away, and what to do first."""

from __future__ import annotations

import argparse

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields, values_of
from microsafe.cli.input import add_file, open_file
from microsafe.cli.output import add_json
from microsafe.cli.scenario import add_roles
from microsafe.options.profiles import USUAL_PROFILE, ProfileOptions
from microsafe.options.scenario import Roles


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_fields(command, ProfileOptions)
    command.set_defaults(profile=USUAL_PROFILE)
    add_roles(command, required=False)
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Check a file; nothing is written. 1 if there is something to do."""
    from microsafe.guides.file_check import check_file

    found = check_file(
        open_file(chosen, console.progress),
        chosen.profile,
        progress=console.progress,
        **values_of(chosen, Roles),
    )
    if chosen.json:
        console.print_json(found.summary())
    else:
        console.say([repr(found), *found.advice])
    return 0 if found.clean else 1
