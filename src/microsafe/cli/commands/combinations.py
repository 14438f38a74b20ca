"""`combinations`: find the combinations of values that make records unsafe."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from microsafe.cli.console import Console
from microsafe.cli.input import add_file
from microsafe.cli.option_values import parse_count
from microsafe.cli.output import add_json
from microsafe.cli.scenario import (
    add_criterion,
    add_levels,
    add_scenario,
    format_declared,
    limit_of,
    open_study,
)
from microsafe.display import format_grid


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_scenario(command)
    add_criterion(command)
    command.add_argument(
        "--max-size", type=parse_count, metavar="M", help="largest number of keys in a combination"
    )
    add_levels(command, "list only combinations by identification level")
    command.add_argument("--by-code", metavar="KEY", help="also list the codes of KEY")
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """List the combinations of values that make records unsafe."""
    study = open_study(chosen, console.progress)
    above = limit_of(chosen, chosen.above)
    levels = chosen.levels
    if not levels and chosen.k is not None and chosen.max_size is None:
        from microsafe.steps.suppress.key_defaults import usable_levels

        levels = usable_levels(study.roles.levels, study.scenarios)
    found = study.combinations(
        above=above,
        k=chosen.k,
        max_size=chosen.max_size,
        levels=levels,
        progress=console.progress,
    )
    codes = found.count_codes(chosen.by_code) if chosen.by_code else []
    if chosen.json:
        told: dict[str, Any] = {}
        if above is not None:
            told["estimator"] = study.scenario().estimator
        if chosen.by_code:
            told["by_code"] = [asdict(code) for code in codes]
        if levels and not chosen.levels:
            told["declared"] = {"levels": dict(levels)}
        console.print_json(found.summary() | told)
        return 0
    heads = [f"of {size}" for size in found.by_size]
    sizes = [("keys", "combinations")]
    sizes += [(str(size), f"{count:,}") for size, count in found.by_size.items()]
    keys = [("key", "combinations", *heads)]
    ranked = sorted(found.by_key.items(), key=lambda pair: -pair[1])
    for key, count in ranked:
        parts = found.by_key_and_size[key].values()
        keys.append((key, f"{count:,}", *(f"{part:,}" for part in parts)))
    console.say(
        [
            f"{len(found):,} minimal unsafe combinations in "
            f"{found.unsafe_records:,} unsafe records",
            *format_declared({} if chosen.levels else {"levels": levels}),
            "",
            "By number of keys:",
            *format_grid(sizes, right=(0, 1)),
            "",
            "By key, combinations it takes part in:",
            *format_grid(keys, right=range(1, len(heads) + 2)),
        ]
    )
    if codes:
        rows = [("code", "records", *heads)]
        for code in codes:
            counts = (code.records, *code.by_size.values())
            rows.append((code.code, *(f"{count:,}" for count in counts)))
        grid = format_grid(rows, right=range(1, len(heads) + 2))
        console.say(["", f"By code of {chosen.by_code}:", *grid])
    console.print_notices((*study.notices, *(() if above is None else study.estimator_notices)))
    return 0
