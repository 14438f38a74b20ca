"""`propose`: find the recodes and blanks that meet a plan's policy at the least loss."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields, values_of
from microsafe.cli.input import engine_of
from microsafe.cli.output import PICTURES, add_json, check_targets, write_figure
from microsafe.cli.parser import group_of
from microsafe.cli.plan_file import add_plan, run_plan, write_plan
from microsafe.errors import UsageError
from microsafe.options.proposal import ProposalTerms

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from microsafe.plan.model import Plan
    from microsafe.propose.proposal import Proposal
    from microsafe.studies.study import Study


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_plan(command)
    group_of(command, "output").add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="NEW.toml",
        help="write the plan with the proposed steps, in the folder of the plan",
    )
    group_of(command, "output").add_argument(
        "--frontier",
        type=Path,
        metavar="OUT.svg",
        help="draw what plans lose by how many records they touch (.svg, .png or .pdf)",
    )
    group_of(command, "output").add_argument(
        "--search",
        type=Path,
        metavar="FILE.json",
        help="keep the search in a file; if it keeps one for the same question, that goes on",
    )
    group_of(command, "output").add_argument(
        "--protect",
        action="store_true",
        help="run the plan that was written, as the command protect does; of the frontier only "
        "the plan that is taken is measured then, unless the plan asks for a report",
    )
    add_fields(
        command,
        ProposalTerms,
        unset="as the plan says",
        seconds="take S seconds at most (default: those of the plan, which are 30 unless it says "
        "so)",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Find the cheapest steps that meet the policy of a plan; 1 if none keep to the cap."""
    from microsafe.plan.model import Propose
    from microsafe.plan.open import open_plan
    from microsafe.plan.proposal import find_kept, propose_plan
    from microsafe.plan.read import read_plan

    path: Path = chosen.plan
    _check_output(path, chosen.output)
    if chosen.protect and chosen.output is None:
        raise UsageError("--protect runs the plan that is written. Name it (-o NEW.toml).")
    check_targets([path], {chosen.frontier: PICTURES, chosen.search: (".json",)})
    plan = read_plan(path, draw_seeds=True, save_seeds=False)
    inputs = [path.parent / name for name in plan.input.checksums]
    check_targets(inputs, {chosen.frontier: (), chosen.output: (), chosen.search: ()})
    opened, data = open_plan(plan, path.parent, progress=console.progress, **engine_of(chosen))
    asked = replace(opened.propose or Propose(), **values_of(chosen, ProposalTerms))
    opened = replace(opened, propose=asked)
    found, made = propose_plan(
        opened,
        data,
        folder=path.parent,
        kept=chosen.search,
        whole=not chosen.protect or bool(plan.output.report),
        progress=console.progress,
    )
    summary = found.summary() if chosen.json else {}
    said = "" if chosen.json else repr(found)
    if chosen.frontier is not None and found.points:
        write_figure(lambda: _draw(found), chosen.frontier)
    written = chosen.output is not None and found.shown is not None
    if written:
        _write(chosen.output, path, made, find_kept(plan))
    if chosen.protect and found.best is not None:
        return _protect(chosen, data, console, summary=summary, said=said)
    if chosen.json:
        console.print_json(summary)
    else:
        console.say([said, *_tell_next(chosen, written=written)])
    if found.best is None:
        what = "Only the nearest plan is proposed" if found.shown else "Nothing is proposed"
        reason = found.words.rstrip(".")
        console.complain(f"{what}: {reason}. Change [propose] or the policy of the plan.")
        return 1
    return 0


def _protect(
    chosen: argparse.Namespace,
    data: Study,
    console: Console,
    *,
    summary: dict[str, Any],
    said: str,
) -> int:
    """Run the plan that was written on the data that are open already."""
    from microsafe.cli.commands.protect import lock_with_families, tell_release
    from microsafe.plan.read import read_plan
    from microsafe.plan.run import lock_path

    path: Path = chosen.output
    lock = lock_path(path)
    plan = read_plan(path, draw_seeds=True)
    if not chosen.json:
        console.say([said, "", f"Plan written to {path.name}.", ""])
    release = run_plan(chosen, plan, None, console.progress, lock=lock, path=path, opened=data)
    if chosen.json:
        console.print_json({**summary, "release": lock_with_families(release)})
    return tell_release(release, path, console, json=chosen.json)


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
    from microsafe.io.control_file import parse_toml, read_control_text
    from microsafe.plan.edit import splice_plan
    from microsafe.plan.model import plan_text
    from microsafe.plan.seeds import fill_seeds_from, keep_seeds

    words = read_control_text(old)
    if "shuffle" not in parse_toml(words).get("output", {}):
        made = replace(made, output=replace(made.output, shuffle=None))
    text = splice_plan(words, made, kept) or plan_text(made)
    seeds = fill_seeds_from(parse_toml(text), made.steps)
    write_plan(path, text)
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
