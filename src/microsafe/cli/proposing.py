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
from microsafe.plan.file import Plan, plan_text, read_plan
from microsafe.plan.proposing import propose_plan
from microsafe.plan.release import open_plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from microsafe.propose.proposal import Proposal


def propose(chosen: argparse.Namespace, console: Console) -> int:
    """Find the cheapest steps that meet the policy of a plan; 1 if there are none."""
    path: Path = chosen.plan
    _check_output(path, chosen.output)
    check_targets([path], {chosen.frontier: (".svg", ".png", ".pdf")})
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    check_targets([path.parent / plan.input.file], {chosen.frontier: (), chosen.output: ()})
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
        _write(chosen.output, _leave_order(made, path))
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


def _leave_order(made: Plan, path: Path) -> Plan:
    """Leave the seed of the order to be drawn, if the plan leaves it."""
    import tomllib

    told = "shuffle" in tomllib.loads(path.read_text("utf-8")).get("output", {})
    return made if told else replace(made, output=replace(made.output, shuffle=None))


def _draw(found: Proposal) -> Figure:
    from matplotlib.figure import Figure as NewFigure

    figure = NewFigure(figsize=(7, 4.5), layout="constrained")
    found.plot(figure.subplots())
    return figure


def _write(path: Path, plan: Plan) -> None:
    with replace_file(path) as temporary:
        temporary.write_text(plan_text(plan), "utf-8")


def _tell_next(chosen: argparse.Namespace, *, written: bool) -> list[str]:
    if not written:
        return []
    return [
        "",
        f"Plan written to {chosen.output.name}. Read it, and run",
        f"  microsafe protect {chosen.output}",
    ]
