"""Argument parser: one-line errors with a hint, and help that fits 80 columns."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from microsafe import __version__
from microsafe.cli.colour import paint_error
from microsafe.cli.command_list import CHAPTERS, COMMANDS
from microsafe.cli.printable import make_printable
from microsafe.errors import did_you_mean, shorten

WIDTH = 80
_FIRST_CLAUSE = re.compile(r"; |(?<!\(default): | \((?!default)")
_NUMBER = re.compile(r"-\d*\.?\d+$")
_REQUIRED = "the following arguments are required: "
_ONE_OF = re.compile(r"one of the arguments (.+) is required")
_LAST = (
    "options", "output", "details", "assumptions", "known population", "reading", "engine",
)  # groups  # fmt: skip
_FOLDED = _LAST[2:]  # groups of which only the names are shown, but for --help-all
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


class HelpFormatter(argparse.HelpFormatter):
    """Help in at most eighty columns."""

    def __init__(self, prog: str) -> None:
        columns = min(WIDTH, shutil.get_terminal_size().columns)
        super().__init__(prog, max_help_position=26, width=max(columns, 40) - 2)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Return the names of an option, and once what stands for its value."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


class HelpAll(argparse.Action):
    """Print the help with every option, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Print it."""
        assert isinstance(parser, Parser)  # noqa: S101
        print(parser.format_help_all(), end="")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """A parser that repeats what it was given, such as names of files, without harm."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": HelpFormatter, **options})

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse; what is not known is an error of the command that it was given to."""
        given = list(sys.argv[1:] if args is None else args)
        self._refuse_unknown_options(given)
        found, rest = super().parse_known_args(given, namespace)
        if rest:
            self.error(f"{rest[0]!r} is one word too many")
        return found, rest

    def error(self, message: str) -> NoReturn:
        """Print one line, and exit."""
        text = make_printable(shorten(_rephrase(message).replace("\n", "?")), instead="?")
        stop = "" if text.endswith((".", "?")) else "."
        self.exit(2, paint_error(f"{self.prog}: {text}{stop} See {self.prog} --help.") + "\n")

    def format_usage(self) -> str:
        """Return what must be given, in short."""
        first = f"usage: {self.prog} "
        text = textwrap.fill(
            first + self.signature(),
            WIDTH,
            subsequent_indent=" " * len(first),
            break_long_words=False,
            break_on_hyphens=False,
        )
        return f"{text}\n"

    def signature(self) -> str:
        """Return what must be given: arguments, options that are required, choices of one."""
        asked = [group for group in self._mutually_exclusive_groups if group.required]
        grouped = {action for each in asked for action in each._group_actions}
        parts = [_spell(action) for action in self._actions if not action.option_strings]
        needed = [action for action in self._actions if action.option_strings and is_needed(action)]
        parts += map(_spell, needed)
        parts += [f"({' | '.join(map(_spell, each._group_actions))})" for each in asked]
        optional = [
            action
            for action in self._actions
            if action.option_strings and action not in needed and action not in grouped
        ]
        return " ".join([*parts, "[options]"] if len(optional) > 1 else parts)

    def format_help(self) -> str:
        """Return usage, and the options in groups; those that few need are only named."""
        return self._format_help((*_FOLDED, "help_all"))

    def format_help_all(self) -> str:
        """Return usage, and all options with all that is said of them."""
        return self._format_help(())

    def _format_help(self, folded: Collection[str]) -> str:
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        ranks = {title: rank for rank, title in enumerate(_LAST, 1)}
        groups = sorted(self._action_groups, key=lambda group: ranks.get(group.title or "", 0))
        for group in groups:
            if group.title not in folded:
                formatter.start_section(group.title)
                actions = [part for part in group._group_actions if part.dest not in folded]
                if folded and [part.dest for part in actions] == ["help"]:
                    actions = []
                shown = [self._with_default(part, bool(folded)) for part in actions]
                formatter.add_arguments(shown)
                formatter.end_section()
        more = [group for group in groups if group.title in folded]
        names = "".join(_name_options(group) for group in more)
        heading = "more options, which --help-all explains:\n" if names else ""
        formatter.add_text(self.epilog)
        return (
            f"{self.format_usage()}\n{formatter.format_help()}{names and chr(10)}{heading}{names}"
        )

    def _with_default(self, action: argparse.Action, brief: bool) -> argparse.Action:
        """Say in the help of an option what holds without it."""
        shown = copy(action)
        shown.help = _shorten_help(action) if brief else action.help or ""
        if action.choices is not None and action.metavar is None:
            shown.metavar = "|".join(map(str, action.choices))
        grouped = any(
            action in group._group_actions for group in self._mutually_exclusive_groups
        )  # one of them is required, or none holds
        default = _show_default(action.default)
        if action.nargs == 0 or action.required or grouped or "default" in shown.help:
            return shown
        if action.option_strings and default:
            shown.help = f"{shown.help} (default: {default})"
        return shown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        hint = did_you_mean(str(value), map(str, action.choices))
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, f"There is no command {value!r}.{hint}")
        raise argparse.ArgumentError(action, f"{value!r} is not one of the choices.{hint}")

    def _refuse_unknown_options(self, given: Sequence[str]) -> None:
        """Name an unknown option before what is missing: it may be the same, misspelled."""
        known = self._option_string_actions
        has_commands = self._subparsers is not None
        for word in given:
            if word == "--" or (has_commands and not word.startswith("-")):
                return
            if not word.startswith("-") or len(word) == 1 or " " in word or _NUMBER.match(word):
                continue
            name = word.partition("=")[0] if word.startswith("--") else word[:2]
            if name not in known:
                hint = did_you_mean(name, [each for each in known if each.startswith("--")])
                self.error(f"There is no option {name!r}.{hint}")


class MainParser(Parser):
    """The whole command line, whose help lists the commands by what they are for."""

    def signature(self) -> str:
        """Return what is given to it."""
        return "COMMAND ..."

    def format_help(self) -> str:
        """Return what there is, with examples."""
        parts = [self.format_usage(), textwrap.fill(self.description or "", WIDTH) + "\n"]
        for chapter, commands in CHAPTERS.items():
            lines = [_lay_out(name, text) for name, text in commands.items()]
            parts.append("\n".join([f"{chapter}:", *lines, ""]))
        options = [action for action in self._actions if action.option_strings]
        lines = [
            _lay_out(", ".join(option.option_strings), option.help or "") for option in options
        ]
        parts += ["\n".join(["options:", *lines, ""]), _EXAMPLES]
        return "\n".join([*parts, textwrap.fill(self.epilog or "", WIDTH) + "\n"])


def _lay_out(name: str, text: str) -> str:
    first, later = f"  {name:{_NAME_WIDTH}}", " " * (_NAME_WIDTH + 2)
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=later)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    Args:
        only: The command whose options are wanted: no other is loaded. All of them if None.
    """
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
    for name, text in COMMANDS.items():
        command = add_command(actions, name, text)
        if only is None or only == name:
            module = import_module(f"microsafe.cli.commands.{name.replace('-', '_')}")
            module.add_options(command)
    return parser


def add_command(actions: Any, name: str, help_text: str) -> argparse.ArgumentParser:
    """Add a command without options, and return its parser."""
    command: argparse.ArgumentParser = actions.add_parser(
        name, help=help_text, description=help_text[0].upper() + help_text[1:] + "."
    )
    command.add_argument(
        "--help-all", action=HelpAll, nargs=0, help="explain all options, and exit"
    )
    group_of(command, "details").add_argument(
        "-q", "--quiet", action="store_true", help="print no notes, and not what is done next"
    )
    command.set_defaults(needs="")  # the module to load before it is run
    return command


def group_of(command: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Return the group of options with a title; it is made when it is first asked for."""
    for group in command._action_groups:
        if group.title == title:
            return group
    return command.add_argument_group(title)


def is_needed(action: argparse.Action) -> bool:
    """Tell whether an option is required, or is but for files that say it themselves."""
    return action.required or getattr(action, "usual", False)


def _spell(action: argparse.Action) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"[{metavar}]" if action.nargs == "?" else metavar
    return action.option_strings[0] + ("" if action.nargs == 0 else f" {metavar}")


def _rephrase(message: str) -> str:
    """Say in our words what `argparse` says in its own."""
    if message.startswith(_REQUIRED):
        names = message.removeprefix(_REQUIRED).split(", ")
        *first, last = (name.rpartition("/")[0] or name for name in names)
        return f"{', '.join(first)} and {last} are missing" if first else f"{last} is missing"
    if found := _ONE_OF.match(message):
        return f"One of {', '.join(found[1].split())} is missing"
    return message.removeprefix("argument ")


def _shorten_help(action: argparse.Action) -> str:
    """Return the first clause of the help of an option."""
    brief: str = getattr(action, "brief", "")
    return brief or _FIRST_CLAUSE.split(action.help or "", maxsplit=1)[0]


def _name_options(group: argparse._ArgumentGroup) -> str:
    """Return the options of a group in a line or two."""
    names = ", ".join(action.option_strings[-1] for action in group._group_actions)
    lines = textwrap.wrap(
        f"{group.title}: {names}",
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )
    return "".join(f"{line}\n" for line in lines)


def _show_default(value: object) -> str:
    """Return a default in words; nothing if there is none."""
    if value is None or value == "" or (isinstance(value, Iterable) and not value):
        return ""
    if isinstance(value, tuple | list):
        return ",".join(map(_show_default, value))
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("%", "%%")


def is_file(action: argparse.Action) -> bool:
    """Tell whether an option or argument takes the name of a file."""
    return action.type is Path or getattr(action.type, "__name__", "") == "parse_path"
