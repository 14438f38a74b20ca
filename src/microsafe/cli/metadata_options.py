"""Commands on what variables are: `preview` and `codebook`."""

from __future__ import annotations

from typing import Any

from microsafe.cli.options import add_command, add_file, add_json, add_output
from microsafe.cli.values import parse_count, parse_list


def add_metadata(actions: Any) -> None:
    """Add the commands that show and write what variables are."""
    command = add_command(
        actions,
        "preview",
        "metadata.preview",
        "show variables as they are read: type, missing codes, first categories and counts",
    )
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
    command = add_command(
        actions,
        "codebook",
        "metadata.codebook",
        "write what is known of the variables as a codebook, to be completed and given back "
        "with --codebook",
    )
    add_file(command)
    add_output(command, "codebook to write (.csv, .xml as DDI-Codebook, .rda of mu-ARGUS)")
    command.add_argument(
        "--no-guess",
        action="store_true",
        help="write what the file says only: no guessed roles, no words that may mean missing",
    )
    add_json(command)
