"""What `propose` does."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.output import check_targets, write_figure
from microsafe.errors import UsageError
from microsafe.io import replace_file
from microsafe.plan.edit import splice_plan
from microsafe.plan.file import Plan, plan_text, read_plan
from microsafe.plan.open import open_plan
from microsafe.plan.proposal_section import find_kept, propose_plan
from microsafe.plan.seeds import fill_seeds_from, keep_seeds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from microsafe.propose.proposal import Proposal
    from microsafe.studies.study import Study


def propose(chosen: argparse.Namespace, console: Console) -> int:
    """Find the cheapest steps that meet the policy of a plan; 1 if there are none."""
    path: Path = chosen.plan
    _check_output(path, chosen.output)
    check_targets([path], {chosen.frontier: (".svg", ".png", ".pdf")})
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    if chosen.output is not None and plan.format == 1:
        raise UsageError(
            f"{path.name} is a plan of format 1, which cannot hold what is proposed. Begin it with "
            "'microsafe = 2', and decide on what that asks for."
        )
    inputs = [path.parent / name for name in plan.input.checksums]
    check_targets(inputs, {chosen.frontier: (), chosen.output: ()})
    engine = {name: getattr(chosen, name) for name in ("engine", "master", "most_cells", "memory")}
    opened, data = open_plan(plan, path.parent, progress=console.progress, **engine)
    found, made = propose_plan(
        opened, data, folder=path.parent, seconds=chosen.seconds, progress=console.progress
    )
    summary = found.summary() if chosen.json else {}
    said = "" if chosen.json else repr(found)
    if chosen.frontier is not None and found.points:
        write_figure(lambda: _draw(found), chosen.frontier)
    if chosen.output is not None and found.best is not None:
        _write(chosen.output, path, made, find_kept(plan))
    if chosen.json:
        console.print_json(summary)
    else:
        written = chosen.output is not None and found.best is not None
        console.say([said, *_tell_next(chosen, written=written)])
    if found.best is None:
        reason = found.words.rstrip(".")
        console.complain(
            f"Nothing is proposed: {reason}. Change [propose] or the policy of the plan."
        )
        return 1
    return 0


def _check_output(plan: Path, output: Path | None) -> None:
    """Refuse a plan that could not be written, before any work."""
    if output is None:
        return
    check_targets([plan], {output: (".toml",)})
    if output.resolve().parent != plan.resolve().parent:
        raise UsageError(
            f"{output.name} must be in the folder of {plan.name}: names in a plan are relative to "
            "its folder."
        )
    if output.exists():
        raise UsageError(f"{output.name} exists already. Choose another name, or remove it.")


def _draw(found: Proposal[Study]) -> Figure:
    from matplotlib.figure import Figure as NewFigure

    figure = NewFigure(figsize=(7, 4.5), layout="constrained")
    found.plot(figure.subplots())
    return figure


def _write(path: Path, old: Path, made: Plan, kept: list[int]) -> None:
    """Write the plan in the words of the old one, and what its steps drew beside it."""
    import tomllib

    words = old.read_text("utf-8")
    if "shuffle" not in tomllib.loads(words).get("output", {}):
        made = replace(made, output=replace(made.output, shuffle=None))
    text = splice_plan(words, made, kept) or plan_text(made)
    seeds = fill_seeds_from(tomllib.loads(text), made.steps)
    with replace_file(path) as temporary:
        temporary.write_text(text, "utf-8")
    if seeds:
        keep_seeds(seeds, path)


def _tell_next(chosen: argparse.Namespace, *, written: bool) -> list[str]:
    if not written:
        return []
    return [
        "",
        f"Plan written to {chosen.output.name}. Read it, and run",
        f"  microsafe protect {chosen.output}",
    ]
