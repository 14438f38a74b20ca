"""`preview`: show variables as they are read."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.option_values import parse_count, parse_list
from microsafe.cli.output import add_json
from microsafe.cli.reading import add_file, open_file

if TYPE_CHECKING:
    from microsafe.options.declaration import Declaration
    from microsafe.studies.variable_preview import VariablePreview


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    command.add_argument(
        "--variables",
        type=parse_list,
        default=None,
        metavar="A,B",
        help="variables to show (default: all)",
    )
    command.add_argument(
        "--most",
        type=parse_count,
        default=12,
        metavar="N",
        help="categories of a variable that are shown (default 12)",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Show variables as they are read and declared."""
    study = open_file(chosen, console.progress)
    found = study.preview_variables(chosen.variables, most=chosen.most, progress=console.progress)
    if chosen.json:
        told = [_summarise(each) for each in found]
        notices = [notice.text for notice in study.notices]
        console.print_json({"variables": told, "notices": notices})
        return 0
    console.say(repr(found))
    console.print_notices(study.notices)
    return 0


def _summarise(each: VariablePreview) -> dict[str, Any]:
    told = asdict(each)
    said = {"declaration": each.declaration, "proposed": each.proposed}
    return told | {name: None if one is None else _list_fields(one) for name, one in said.items()}


def _list_fields(said: Declaration) -> dict[str, Any]:
    from microsafe.options.declaration import Declaration

    nothing = asdict(Declaration())
    return {name: value for name, value in asdict(said).items() if value != nothing[name]}
