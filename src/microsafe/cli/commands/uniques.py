"""`uniques`: find minimal sample uniques and score every record (SUDA)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.input import add_file
from microsafe.cli.option_values import parse_count, parse_rate
from microsafe.cli.output import add_json, add_records, check_records, show_measure
from microsafe.cli.scenario import add_counting_scenario, open_study
from microsafe.display import format_grid, show_percent

if TYPE_CHECKING:
    from microsafe.risk import SpecialUniques


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_counting_scenario(command)
    command.add_argument(
        "--max-size",
        type=parse_count,
        metavar="M",
        help="largest number of keys in a minimal sample unique",
    )
    command.add_argument(
        "--fraction",
        type=parse_rate,
        metavar="X",
        help="sampling fraction (default: derived from the weights)",
    )
    add_records(command, "the scores of every record")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Find the minimal sample uniques and score every record."""
    check_records(chosen)
    study = open_study(chosen, console.progress)
    found = study.uniques(
        max_size=chosen.max_size, fraction=chosen.fraction, progress=console.progress
    )
    show_measure(chosen, study, found, console)
    if not chosen.json:
        console.say(_format_msus(found))
    return 0


def _format_msus(found: SpecialUniques) -> list[str]:
    """The number of MSUs by size, and the share of each key in the score."""
    sizes = [("keys", "MSUs"), *((str(k), f"{n:,}") for k, n in found.by_size.items())]
    ranked = sorted(found.by_key.items(), key=lambda pair: -pair[1])
    keys = [("key", "share"), *((key, show_percent(share)) for key, share in ranked)]
    return [
        "", "Minimal sample uniques (MSUs) by size:", *format_grid(sizes, right=(0, 1)),
        "", "Share of each key in the score:", *format_grid(keys, right=(1,)),
    ]  # fmt: skip
