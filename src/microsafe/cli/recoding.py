"""What `suggest` and `recode` do."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe.cli.commands import inputs_of, open_file, open_study
from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.cli.protect import file_notices, format_unchanged
from microsafe.compare.preview import Preview
from microsafe.errors import UsageError
from microsafe.io import check_writable
from microsafe.plan.step_text import write_step


def suggest(chosen: argparse.Namespace, console: Console) -> int:
    """Rank recodes of the keys by what their loss buys."""
    data = open_study(chosen, console.progress)
    found = data.suggest(limit=chosen.limit, most=chosen.most, progress=console.progress)
    if chosen.json:
        console.print_json(
            {
                "suggestions": [_summarise(each) for each in found],
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


def recode(chosen: argparse.Namespace, console: Console) -> int:
    """Give a variable fewer categories and write the file."""
    if chosen.names and chosen.breaks is None:
        raise UsageError("--names needs --breaks: it names their bands.")
    if chosen.other is not None and chosen.groups is None:
        raise UsageError("--other needs --groups: it is the code of what they do not name.")
    if chosen.labels and chosen.grc is not None:
        raise UsageError("--labels is not available with --grc, which has its own.")
    check_targets(inputs_of(chosen), {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))
    data = open_file(chosen, console.progress)
    data._check_output(chosen.output)
    ways = ("breaks", "groups", "keep", "grc", "names", "other", "labels")
    made = data.recode(chosen.variable, **{name: getattr(chosen, name) for name in ways})
    written = made.write(
        chosen.output, drop=chosen.drop, keep=dict(chosen.kept), progress=console.progress
    )
    taken = made.steps[-1]
    counts = [len(each.engine.categories(chosen.variable)) for each in (data, made)]
    if chosen.json:
        console.print_json(
            {
                "variable": chosen.variable,
                "words": taken.words,
                "step": write_step(taken.step),
                "categories": {"before": counts[0], "after": counts[1]},
                "unchanged": list(written.unchanged),
                "notices": [each.text for each in (*made.notices, *file_notices(written))],
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
    console.print_notices((*made.notices, *file_notices(written)))
    return 0
