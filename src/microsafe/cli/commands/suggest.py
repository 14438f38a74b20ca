"""`suggest`: rank recodes of the keys by how much they lower risk for what they lose."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.input import add_file
from microsafe.cli.option_values import parse_count, parse_rate
from microsafe.cli.output import add_json
from microsafe.cli.scenario import add_scenario, open_study

if TYPE_CHECKING:
    from microsafe.compare.preview import Preview


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_scenario(command)
    command.add_argument(
        "--limit", type=parse_rate, metavar="R", help="count records with a risk above R as unsafe"
    )
    command.add_argument(
        "--most",
        type=parse_count,
        default=10,
        metavar="N",
        help="largest number of suggestions",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Rank recodes of the keys by what their loss buys."""
    data = open_study(chosen, console.progress)
    found = data.suggest(limit=chosen.limit, most=chosen.most, progress=console.progress)
    if chosen.json:
        console.print_json(
            {
                "suggestions": [_summarise(preview) for preview in found],
                "notices": [notice.text for notice in data.notices],
            }
        )
        return 0
    if not found:
        console.say("No recode lowers the risk.")
        return 0
    console.say([found.title, repr(found)])
    console.print_notices(data.notices)
    return 0


def _summarise(each: Preview) -> dict[str, Any]:
    from microsafe.plan.step_text import write_step

    before, after = each.before, each.after
    return {
        "words": each.step.in_words(),
        "step": write_step(each.step),
        "expected": {"before": before.expected, "after": after.expected},
        "max": {"before": before.max, "after": after.max},
        "unsafe": {"before": before.unsafe, "after": after.unsafe},
        "lost": each.loss,
        "decrease_per_loss": each.fall_per_loss,
    }
