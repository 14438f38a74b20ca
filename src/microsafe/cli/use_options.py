"""Options that say which uses matter."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.values import parse_list
from microsafe.errors import UsageError

if TYPE_CHECKING:
    from microsafe.options.uses import Uses


def add_uses(command: argparse.ArgumentParser) -> None:
    """Add the options that say which uses matter."""
    which = command.add_mutually_exclusive_group()
    which.add_argument(
        "--use",
        type=parse_use,
        action="append",
        default=[],
        metavar="WHAT=WEIGHT",
        help="what the file is used for, and how much that matters: a variable (region=3), a table "
        "(region,age=2) or a model ('income ~ age + sex=1'); keys that are not named count 1. The "
        "loss is measured by these uses, beside the plain one; may be repeated",
    )
    which.add_argument(
        "--uses", type=Path, metavar="PLAN", help="take the uses from [utility] of a plan"
    )


def parse_use(text: str) -> tuple[str, float]:
    """A use and its weight: WHAT=WEIGHT, or WHAT alone if it counts 1."""
    what, equals, weight = text.rpartition("=")
    try:
        found = (what.strip(), float(weight)) if equals else (text.strip(), 1.0)
    except ValueError:  # "work = yes ~ age" has an equals sign of its own
        if "~" not in weight:
            raise argparse.ArgumentTypeError(
                "must be WHAT=WEIGHT, such as region=3 or region,age=2"
            ) from None
        found = text.strip(), 1.0
    if not found[0]:
        raise argparse.ArgumentTypeError("must be WHAT=WEIGHT, such as region=3 or region,age=2")
    return found


def find_uses(chosen: argparse.Namespace) -> Uses | None:
    """Return the uses that options name; None if they name none."""
    if chosen.uses is not None:
        from microsafe.plan.file import read_plan

        found = read_plan(chosen.uses, draw_seeds=True, save_seeds=False).utility
        if found is None:
            raise UsageError(
                f"{chosen.uses.name} does not say which uses matter. Write them under [utility]."
            )
        return found
    return build_uses(chosen.use) if chosen.use else None


def build_uses(given: Sequence[tuple[str, float]]) -> Uses:
    """Return uses from what options say: variables, tables (a comma) and models (a tilde)."""
    from microsafe.options.uses import ModelUse, TableUse, Uses

    variables: dict[str, float] = {}
    tables, models = [], []
    for what, weight in given:
        names = parse_list(what)
        if "~" in what:
            models.append(ModelUse(formula=what, weight=weight))
        elif len(names) > 1:
            tables.append(TableUse(of=names, weight=weight))
        elif what in variables:
            raise UsageError(f"--use names {what!r} twice. Give it one weight.")
        else:
            variables[names[0]] = weight
    return Uses(variables=variables, tables=tuple(tables), models=tuple(models))
