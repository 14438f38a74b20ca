"""The commands and their options: names that others script against.

Nothing heavy is imported here, so that help and usage errors come at once: a command is named by
module and function, and choices are spelled out (a test compares them with the types they are of).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NoReturn

from microsafe import __version__
from microsafe.cli.measure_options import add_measuring
from microsafe.cli.options import add_command, add_reading
from microsafe.cli.printable import make_printable
from microsafe.cli.release_options import add_releasing
from microsafe.cli.values import parse_count, parse_port


class Parser(argparse.ArgumentParser):
    """A parser that repeats what it was given, such as names of files, without harm."""

    def error(self, message: str) -> NoReturn:
        """Print usage and message, and exit."""
        super().error(make_printable(message, instead="?"))


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = Parser(
        prog="microsafe",
        description="Measure the disclosure risk of survey microdata, and make the file safe to "
        "release.",
        epilog="A risk or rate may be written as 0.01, 1% or '1 in 100'. Exit codes: 0 done; "
        "1 done, but the policy is not met, records stay unsafe or a replay differs; 2 wrong "
        "usage; 3 unreadable or invalid input.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"microsafe {__version__}",
        help="print the version and exit",
    )
    actions = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add_measuring(actions)
    add_releasing(actions)
    _add_app(actions)
    _add_demo(actions)
    return parser


def _add_app(actions: Any) -> None:
    command = add_command(actions, "app", "app.app", "do the whole job in the browser")
    command.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="data file to open; the format is taken from its extension",
    )
    add_reading(command)
    command.add_argument(
        "--folder",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="folder in which files may be opened and written; may be repeated "
        "(default: the current folder)",
    )
    command.add_argument("--resume", action="store_true", help="resume the last session")
    command.add_argument(
        "--no-browser", action="store_true", help="print the link without opening a browser"
    )
    command.add_argument(
        "--port",
        type=parse_port,
        default=0,
        metavar="N",
        help="port to listen on (default: any that is free)",
    )


def _add_demo(actions: Any) -> None:
    command = add_command(actions, "demo", "demo.demo", "do the whole job on a synthetic survey")
    command.add_argument(
        "--folder",
        type=Path,
        default=Path("microsafe-demo"),
        metavar="DIR",
        help="folder for the results (default microsafe-demo)",
    )
    command.add_argument(
        "--seed", type=parse_count, default=1, metavar="N", help="seed of the survey (default 1)"
    )
