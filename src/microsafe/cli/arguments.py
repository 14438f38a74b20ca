"""The commands and their options: names that others script against.

Nothing heavy is imported here, so that help and usage errors come at once: a command is named by
module and function, and choices are spelled out (a test compares them with the types they are of).
"""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import Any

from microsafe import __version__
from microsafe.cli.measure_options import add_measuring
from microsafe.cli.metadata_options import add_metadata
from microsafe.cli.options import add_command, add_json, add_reading
from microsafe.cli.parser import WIDTH, Parser
from microsafe.cli.release_options import add_releasing
from microsafe.cli.values import parse_count, parse_port

SHELLS = ("bash", "zsh", "fish")
# What the help of the program lists, in the order in which people need it.
CHAPTERS = {
    "look at a file": ("describe", "preview", "codebook", "inventory"),
    "measure risk": (
        "risk", "limit", "combinations", "file-risk", "uniques", "tabulate", "diversity",
        "numeric-risk",
    ),
    "protect": ("suggest", "recode", "suppress", "sample", "apply", "compare"),
    "release": ("plan", "propose", "protect", "replay", "report"),
    "more": ("app", "demo", "completion"),
}  # fmt: skip
_EXAMPLES = """\
examples:
  microsafe describe survey.csv
  microsafe risk survey.csv --keys region,age,sex --weight weight --limit 1%
  microsafe plan new survey.csv --profile scientific -o plan.toml
  microsafe protect plan.toml
  microsafe replay plan.toml --check
  microsafe app survey.csv
"""
_NAME_WIDTH = 16


class MainParser(Parser):
    """The whole command line, whose help lists the commands by what they are for."""

    def signature(self) -> str:
        """Return what is given to it."""
        return "COMMAND ..."

    def format_help(self) -> str:
        """Return what there is, with examples."""
        (commands,) = (e for e in self._actions if isinstance(e, argparse._SubParsersAction))
        helps = {each.dest: each.help or "" for each in commands._choices_actions}
        parts = [self.format_usage(), textwrap.fill(self.description or "", WIDTH) + "\n"]
        for chapter, names in CHAPTERS.items():
            lines = [_lay_out(name, helps[name]) for name in names if name in helps]
            parts.append("\n".join([f"{chapter}:", *lines, ""]))
        options = [each for each in self._actions if each.option_strings]
        lines = [_lay_out(", ".join(each.option_strings), each.help or "") for each in options]
        parts += ["\n".join(["options:", *lines, ""]), _EXAMPLES]
        return "\n".join([*parts, textwrap.fill(self.epilog or "", WIDTH) + "\n"])


def _lay_out(name: str, text: str) -> str:
    first, later = f"  {name:{_NAME_WIDTH}}", " " * (_NAME_WIDTH + 2)
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=later)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = MainParser(
        prog="microsafe",
        description="Measure the disclosure risk of survey microdata, and make the file safe to "
        "release.",
        epilog="microsafe COMMAND --help tells more. A risk or rate may be written as 0.01, 1% or "
        "'1 in 100'. Exit codes: 0 done; 1 done, but the policy is not met, records stay unsafe "
        "or a replay differs; 2 wrong usage; 3 unreadable or invalid input.",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"microsafe {__version__}",
        help="print the version and exit",
    )
    actions = parser.add_subparsers(
        title="commands", required=True, metavar="COMMAND", parser_class=Parser
    )
    add_measuring(actions)
    add_metadata(actions)
    add_releasing(actions)
    _add_app(actions)
    _add_demo(actions)
    _add_completion(actions)
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
    add_json(command)


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
    add_json(command)


def _add_completion(actions: Any) -> None:
    command = add_command(
        actions,
        "completion",
        "completing.completion",
        "print a script that lets a shell complete commands, options, files and variables",
    )
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    add_json(command)
