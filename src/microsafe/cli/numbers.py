"""What `numeric-risk` does."""

from __future__ import annotations

import argparse
from pathlib import Path

from microsafe.cli.commands import RELEASED, reading_of
from microsafe.cli.console import Console
from microsafe.errors import InputError, UsageError
from microsafe.io import digest
from microsafe.plan.file import read_plan
from microsafe.plan.open import open_plan
from microsafe.risk import NumericRisk
from microsafe.studies.describe import declare_alike
from microsafe.studies.numeric_risk import compare_numbers
from microsafe.studies.study import Study, study


def numeric_risk(chosen: argparse.Namespace, console: Console) -> int:
    """Measure whether records can be found again by their numeric variables."""
    by_ranks = chosen.ranks is not None
    width = chosen.ranks if by_ranks else chosen.width
    if str(chosen.after).endswith(".toml"):
        found = _run_plan(chosen, console).numeric_risk(
            chosen.variables,
            width=width,
            by_ranks=by_ranks,
            repeats=chosen.repeats,
            progress=console.progress,
        )
    else:
        found = _compare_files(chosen, console, width, by_ranks)
    if chosen.json:
        console.print_json(found.summary())
    else:
        console.say(repr(found))
        for remark in found._remarks():
            console.say(f"  {remark}")
    return 0


def _compare_files(
    chosen: argparse.Namespace, console: Console, width: float, by_ranks: bool
) -> NumericRisk:
    if chosen.repeats:
        raise UsageError(
            "--repeats draws anew, which needs the plan: name it in place of the released file."
        )
    options = reading_of(chosen)
    before = study(chosen.before, keys=(), progress=console.progress, **options)
    after = study(chosen.after, progress=console.progress, **(options | RELEASED))
    after = declare_alike(before, after)
    return compare_numbers(
        before.engine,
        after.engine,
        chosen.variables,
        keys=chosen.keys,
        weight=chosen.weight,
        identifier=chosen.id,
        width=width,
        by_ranks=by_ranks,
        progress=console.progress,
    )


def _run_plan(chosen: argparse.Namespace, console: Console) -> Study:
    """The data of a plan after its steps; nothing is written."""
    if chosen.id or chosen.keys or chosen.weight:
        raise UsageError("The plan names keys and weight. Leave out --keys, --weight and --id.")
    path = Path(chosen.after)
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    names = ("engine", "master", "most_cells", "memory")
    engine = {name: getattr(chosen, name) for name in names}
    read, data = open_plan(plan, path.parent, progress=console.progress, **engine)
    if digest(Path(chosen.before)) != read.input.sha256:
        raise InputError(
            f"{Path(chosen.before).name} is not the input of {path.name}. Name the file that the "
            "plan protects."
        )
    for step in plan.steps:
        data = data.apply(step, progress=console.progress)
    return data
