"""`recode`: give a variable fewer categories."""

from __future__ import annotations

import argparse
from pathlib import Path

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields, values_of
from microsafe.cli.input import add_file, open_file
from microsafe.cli.option_values import parse_list
from microsafe.cli.output import (
    add_exceptions,
    add_json,
    add_output,
    check_working_file,
    file_notices,
    format_unchanged,
)
from microsafe.errors import UsageError
from microsafe.notices import Notice
from microsafe.options.recoding import RecodeOptions


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_fields(command, RecodeOptions, "variable", variable="the variable to recode")
    way = command.add_mutually_exclusive_group(required=True)
    parsers = {"groups": parse_groups, "labels": parse_labels}
    ways = ("breaks", "groups", "keep", "classification", "grc")
    add_fields(way, RecodeOptions, *ways, parsers=parsers)
    add_fields(command, RecodeOptions, but=["why"], parsers=parsers)
    add_exceptions(command, keep="--keep-variable")
    add_output(command, "a working file, not a release")
    add_json(command)


def parse_groups(text: str) -> dict[str, list[str | tuple[str | None, str | None]]]:
    """New codes from old: NEW=OLD|OLD|LOW..HIGH,NEW=OLD,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not pairs or not all(new.strip() and equals and old for new, equals, old in pairs):
        raise argparse.ArgumentTypeError("must be NEW=OLD|OLD|LOW..HIGH,NEW=OLD,..")
    return {new.strip(): [_code_or_range(part) for part in old.split("|")] for new, _, old in pairs}


def _code_or_range(text: str) -> str | tuple[str | None, str | None]:
    low, dots, high = (part.strip() for part in text.partition(".."))
    return (low or None, high or None) if dots else low


def parse_labels(text: str) -> dict[str, str]:
    """Labels by code: CODE=LABEL,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("must be CODE=LABEL,..")
    return {code.strip(): label.strip() for code, _, label in pairs}


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Give a variable fewer categories and write the file."""
    from microsafe.plan.step_text import write_step

    if chosen.names and chosen.breaks is None:
        raise UsageError("--names needs --breaks: it names their bands.")
    if chosen.other is not None and chosen.groups is None:
        raise UsageError("--other needs --groups: it is the code of what they do not name.")
    if chosen.labels and chosen.grc is not None:
        raise UsageError("--labels is not available with --grc, which has its own.")
    check_working_file(chosen)
    data = open_file(chosen, console.progress)
    data._check_output(chosen.output)
    made = data.recode(**values_of(chosen, RecodeOptions))
    written = made.write(
        chosen.output, drop=chosen.drop, keep=dict(chosen.kept), progress=console.progress
    )
    notices = (*_find_notices(chosen), *made.notices, *file_notices(written))
    taken = made.steps[-1]
    counts = [len(study.engine.categories(chosen.variable)) for study in (data, made)]
    if chosen.json:
        console.print_json(
            {
                "variable": chosen.variable,
                "words": taken.words,
                "step": write_step(taken.step),
                "categories": {"before": counts[0], "after": counts[1]},
                "unchanged": list(written.unchanged),
                "notices": [notice.text for notice in notices],
            }
        )
        return 0
    console.say(
        [
            f"{data.schema.source}, written to {Path(chosen.output).name}",
            f"  {taken.words}: {counts[0]:,} categories, now {counts[1]:,}",
            *format_unchanged(written),
        ]
    )
    console.print_notices(notices)
    return 0


def _find_notices(chosen: argparse.Namespace) -> tuple[Notice, ...]:
    """Return what to know of how a recode of mu-ARGUS was read."""
    if chosen.grc is None:
        return ()
    from microsafe.io.argus.grc import read_grc

    return read_grc(chosen.grc).notices
