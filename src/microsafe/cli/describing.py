"""What `describe` does."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from microsafe.cli.commands import open_file
from microsafe.cli.console import Console
from microsafe.cli.glance import describe_first
from microsafe.display import format_grid, show_percent
from microsafe.engine import Summary
from microsafe.engine.summaries import describe_mixture
from microsafe.studies.study import Study
from microsafe.variables.roles import order_keys


def describe(chosen: argparse.Namespace, console: Console) -> int:
    """List the variables; of a large file those of its first records at first."""
    if chosen.quick or (console.is_watched and not chosen.json):
        first = describe_first(chosen)
        if first is not None:
            _describe(chosen, console, *first, sample=first[0].engine.rows())
            if chosen.quick:
                return 0
    data = open_file(chosen, console.progress)
    found = data.describe(progress=console.progress)
    console.take_back()
    _describe(chosen, console, data, found)
    return 0


def _describe(
    chosen: argparse.Namespace,
    console: Console,
    data: Study,
    summaries: Sequence[Summary],
    *,
    sample: int | None = None,
) -> None:
    records = data.engine.rows()
    if chosen.json:
        variables = [
            {
                "name": each.name,
                "label": each.label,
                "type": each.kind,
                "categories": each.categories,
                "missing": each.missing,
                "numbers": each.numbers,
                "texts": each.texts,
                "role": each.role,
                "meaning": each.meaning,
                "sensitive": each.sensitive,
                "reason": each.reason,
                "place": each.place,
                "combinations": each.combinations,
                "uniques": each.uniques,
                "adds": each.adds,
            }
            for each in summaries
        ]
        notices = [notice.text for notice in data.notices]
        console.print_json(
            {
                "records": None if sample else records,
                "sample": sample,
                "variables": variables,
                "notices": notices,
            }
        )
        return
    source = Path(chosen.file).name if sample else data.schema.source
    count = f"from a sample of {sample:,} records (the first)" if sample else f"{records:,} records"
    rows = [("variable", "type", "categories", "missing", "role", "label")]
    rows += [
        (each.name, each.kind, f"{each.categories:,}", f"{each.missing:,}", each.role, each.label)
        for each in summaries
    ]
    lines = [f"{source}: {count}, {len(summaries)} variables"]
    lines += [*format_grid(rows, right=(2, 3)), *_list_mixtures(summaries), *_list_keys(summaries)]
    if sample and not chosen.quick:
        console.say_for_now([*lines, "All records are being read."])
        return
    console.say(lines)
    console.print_notices(data.notices)


def _list_mixtures(summaries: Sequence[Summary]) -> list[str]:
    """The variables that hold numbers mostly, and texts: how many of each."""
    found = [
        (each.name, mixture)
        for each in summaries
        if (mixture := describe_mixture(each.numbers, each.texts, each.missing))
    ]
    return ["Text among numbers:", *format_grid(found, right=())] if found else []


def _list_keys(summaries: Sequence[Summary]) -> list[str]:
    """The keys that are proposed: what each adds to those before it, and why it is one."""
    keys = order_keys(summaries)
    if not keys:
        return ["Keys proposed: none. Name those that an intruder may know (--keys)."]
    rows = [("key", "combinations", "alone", "adds", "reason")]
    for each in keys:
        count = "–" if each.combinations is None else f"{each.combinations:,}"
        alone, adds = (
            "–" if share is None else show_percent(share) for share in (each.uniques, each.adds)
        )
        rows.append((each.name, count, alone, adds, each.reason))
    return [
        "Keys proposed, with the records that are alone with this key and those above it:",
        *format_grid(rows, right=(1, 2, 3)),
    ]
