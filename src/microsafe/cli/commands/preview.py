"""`preview`: show variables as they are read."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.input import add_file, open_file
from microsafe.cli.option_values import parse_count, parse_list
from microsafe.cli.output import add_json

if TYPE_CHECKING:
    from microsafe.options.declaration import Declaration
    from microsafe.variables.profile import VariableProfile


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
        told = [_summarise(variable) for variable in found]
        notices = [notice.text for notice in study.notices]
        console.print_json({"variables": told, "notices": notices})
        return 0
    console.say(repr(found))
    console.print_notices(study.notices)
    return 0


def _summarise(each: VariableProfile) -> dict[str, Any]:
    return {
        "name": each.name,
        "label": each.label,
        "kind": each.kind,
        "type": each.type,
        "measure": each.measure,
        "role": each.role,
        "declaration": each.declaration and _list_fields(each.declaration),
        "total": each.distinct,
        "categories": [
            {"code": one.code, "label": one.label, "records": one.records}
            for one in each.categories
        ],
        "bins": [asdict(one) for one in each.bins],
        "missing": each.missing,
        "missing_codes": each.missing_codes,
        "numbers": each.numbers,
        "texts": each.texts,
        "proposed": each.proposed and _list_fields(each.proposed),
        "reason": each.why_proposed,
        "fault": each.fault,
    }


def _list_fields(said: Declaration) -> dict[str, Any]:
    from microsafe.options.declaration import Declaration

    nothing = asdict(Declaration())
    return {name: value for name, value in asdict(said).items() if value != nothing[name]}
