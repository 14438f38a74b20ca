"""`describe`: list the variables and their probable roles."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.input import add_file, open_file
from microsafe.cli.output import add_json
from microsafe.display import format_grid, show_percent

if TYPE_CHECKING:
    from microsafe.studies.study import Study
    from microsafe.variables.description import Description
    from microsafe.variables.profile import VariableProfile


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    command.add_argument(
        "--quick",
        action="store_true",
        help="of a large text or Parquet file, tell what its first records say and no more",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """List the variables; of a large file those of its first records at first."""
    if chosen.quick or (console.is_watched and not chosen.json):
        from microsafe.cli.quick_look import describe_first

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
    found: Description,
    *,
    sample: int | None = None,
) -> None:
    records = data.engine.rows()
    if chosen.json:
        variables = [
            {
                "name": variable.name,
                "label": variable.label,
                "type": variable.kind,
                "categories": variable.distinct,
                "missing": variable.missing,
                "numbers": variable.numbers,
                "texts": variable.texts,
                "role": variable.role,
                "meaning": variable.meaning,
                "sensitive": variable.sensitive,
                "reason": variable.reason,
                "place": variable.place,
                "combinations": variable.combinations,
                "uniques": variable.uniques,
                "adds": variable.adds,
            }
            for variable in found
        ]
        notices = [notice.text for notice in data.notices]
        console.print_json(
            {
                "records": None if sample else records,
                "sample": sample,
                "variables": variables,
                **(
                    {"panel": dict(zip(("person", "wave"), found.panel, strict=True))}
                    if found.panel
                    else {}
                ),
                "notices": notices,
            }
        )
        return
    source = Path(chosen.file).name if sample else data.schema.source
    count = f"from a sample of {sample:,} records (the first)" if sample else f"{records:,} records"
    rows = [("variable", "type", "categories", "missing", "role", "label")]
    rows += [
        (
            variable.name,
            variable.kind,
            f"{variable.distinct:,}",
            f"{variable.missing:,}",
            variable.role,
            variable.label,
        )
        for variable in found
    ]
    lines = [f"{source}: {count}, {len(found)} variables"]
    lines += [*format_grid(rows, right=(2, 3)), *_list_mixtures(found), *_list_keys(found)]
    lines += [found.panel_words] if found.panel else []
    if sample and not chosen.quick:
        console.say_for_now([*lines, "All records are being read."])
        return
    console.say(lines)
    console.print_notices(data.notices)


def _list_mixtures(found: Sequence[VariableProfile]) -> list[str]:
    """The variables that hold numbers mostly, and texts: how many of each."""
    told = [(variable.name, variable.mixture) for variable in found if variable.mixture]
    return ["Text among numbers:", *format_grid(told, right=())] if told else []


def _list_keys(found: Sequence[VariableProfile]) -> list[str]:
    """The keys that are proposed: what each adds to those before it, and why it is one."""
    from microsafe.variables.profile import order_keys

    keys = order_keys(found)
    if not keys:
        return ["Keys proposed: none. Name those that an intruder may know (--keys)."]
    rows = [("key", "combinations", "alone", "adds", "reason")]
    for key in keys:
        count = "–" if key.combinations is None else f"{key.combinations:,}"
        alone, adds = (
            "–" if share is None else show_percent(share) for share in (key.uniques, key.adds)
        )
        rows.append((key.name, count, alone, adds, key.reason))
    return [
        "Keys proposed, with the records that are alone with this key and those above it:",
        *format_grid(rows, right=(1, 2, 3)),
    ]
