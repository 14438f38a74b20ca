"""What `protect`, `replay` and `report` do."""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.cli.console import Console
from microsafe.cli.output import check_targets
from microsafe.display import format_grid, show_number, show_risk
from microsafe.errors import InputError
from microsafe.io import is_unfinished
from microsafe.notices import Notice, make_notice
from microsafe.options.policy import INVENTORY, Verdict, show_rule_value
from microsafe.plan.file import Plan, read_plan, script
from microsafe.plan.reports import content_of, write_report
from microsafe.plan.run import (
    Release,
    finish_outputs,
    lock_of,
    lock_path,
    lock_text,
    output_folders,
    run,
)
from microsafe.plan.seeds import seeds_path
from microsafe.progress import Progress
from microsafe.report import check_report, plan_beside
from microsafe.report.formats import FORMATS
from microsafe.risk import GivenAway

_CLOSE = 1e-12  # relative difference of figures that are the same


def _step_notices(release: Release) -> Sequence[Notice]:
    """What steps and the inventory say, but for what is said of the risks."""
    said = {each.text for risk in release.after.values() for each in risk.notices}
    steps = release.study.notices[len(release.study.rollback(0).notices) :]
    told = [*steps, *(release.inventory.notices if release.inventory else ())]
    return [each for each in told if each.text not in said]


def protect(chosen: argparse.Namespace, console: Console) -> int:
    """Run a plan: write the safe file, reports and lock. 1 if the policy is not met."""
    plan = read_plan(chosen.plan, draw_seeds=not chosen.script)
    if chosen.script:
        made = script(plan)
        if chosen.json:
            console.print_json({"script": made})
        else:
            console.say(made.rstrip("\n"))
        return 0
    path = lock_path(chosen.plan)
    release = _run(chosen, plan, None, console.progress, lock=path, overwrite=chosen.overwrite)
    lock = lock_of(release)
    if chosen.json:
        console.print_json(lock)
    else:
        console.say(summarise_release(release))
        for risk in release.after.values():
            console.print_notices(risk.notices)
        console.print_notices(_step_notices(release))
    if release.replaced:
        console.print_notices([make_notice("outputs-replaced", names=", ".join(release.replaced))])
    stuck = sum(done.stuck for done in release.study.steps)
    if stuck:
        console.complain(
            f"{stuck:,} records stay unsafe: keys are spared, or the file is too small. "
            "Spare fewer keys, or recode them."
        )
    if not release.allowed:
        console.complain(explain_refusal(release, chosen.plan))
    return 0 if release.allowed and not stuck else 1


def replay(chosen: argparse.Namespace, console: Console) -> int:
    """Run a plan again and compare with its lock. 1 if anything differs."""
    plan = read_plan(chosen.plan)
    path = lock_path(chosen.plan)
    if not chosen.check:
        finish_outputs(plan, chosen.plan.parent)
    if not path.is_file():
        raise InputError(f"{path.name} does not exist. Run 'microsafe protect' first.")
    wanted = _read_lock(path)
    # What is written for comparison holds records: only this user may see it, briefly.
    with tempfile.TemporaryDirectory(prefix="microsafe-") as folder:
        release = _run(chosen, plan, Path(folder), console.progress)
    found = lock_of(release)
    differing = find_differences(wanted, json.loads(lock_text(found)))
    if not differing and not chosen.check:
        # Puts back what was lost or changed.
        _run(chosen, plan, None, console.progress, overwrite=True)
    if any(map(is_unfinished, output_folders(plan, chosen.plan.parent))):
        differing.append("files that a run was putting in place when it was killed")
    differing += [
        f"file {name} on disk"
        for name, checksum in wanted["files"].items()
        if chosen.check and read_checksum(chosen.plan.parent / name) != checksum
    ]
    if chosen.json:
        console.print_json({"same": not differing, "differs": differing})
    else:
        console.say("Nothing differs." if not differing else ["These differ:", *differing])
    return 1 if differing else 0


def explain_refusal(release: Release, plan: Path) -> str:
    """Say why nothing was written, and what to do."""
    for verdict in release.verdicts:
        if verdict.rule == INVENTORY and not verdict.allowed:
            return (
                f"Nothing was written: {verdict.note} {'is' if verdict.value == 1 else 'are'} not "
                f"decided on. Drop, change or keep each with a reason: microsafe plan update "
                f"{plan} proposes what to do."
            )
    return (
        "Nothing was written: the policy is not met. "
        "Protect the file further, or give a reason under override in the plan."
    )


def report(chosen: argparse.Namespace, console: Console) -> int:
    """Write a report on a plan, without writing the safe file."""
    beside = plan_beside(chosen.output, chosen.audience)
    check_targets([chosen.plan], {chosen.output: FORMATS, beside: ()})
    check_report(chosen.output)
    plan = read_plan(chosen.plan, draw_seeds=True)
    finish_outputs(plan, chosen.plan.parent)
    if chosen.language:
        plan = replace(plan, report=replace(plan.report, language=chosen.language))
    with tempfile.TemporaryDirectory(prefix="microsafe-") as folder:
        release = _run(chosen, plan, Path(folder), console.progress)
        if not release.allowed and chosen.audience == "public":
            console.complain(
                f"{chosen.output.name} was not written: the policy is not met or something is not "
                "decided on, so there is no release to tell the public of. Write the report for "
                "the board instead (--audience board)."
            )
            if chosen.json:
                nothing = {"audience": chosen.audience, "files": [], "allowed": False}
                console.print_json(nothing)
            return 1
        # While the file is there: some figures are measured when they are asked for.
        content = content_of(release, chosen.audience, progress=console.progress)
    made = write_report(content, chosen.audience, chosen.output)
    if chosen.json:
        files = [path.name for path in made]
        console.print_json(
            {"audience": chosen.audience, "files": files, "allowed": release.allowed}
        )
    else:
        names = " and ".join(path.name for path in made)
        console.say(f"Report for the {chosen.audience} written to {names}.")
    return 0 if release.allowed else 1


def _run(
    chosen: argparse.Namespace,
    plan: Plan,
    into: Path | None,
    progress: Progress,
    *,
    lock: Path | None = None,
    overwrite: bool = False,
) -> Release:
    path: Path = chosen.plan
    engine = {name: getattr(chosen, name) for name in ("engine", "master", "most_cells", "memory")}
    reserved = (path, lock_path(path), seeds_path(path))
    return run(
        plan,
        path.parent,
        into=into,
        lock=lock,
        reserved=reserved,
        overwrite=overwrite,
        progress=progress,
        **engine,
    )


def _read_lock(path: Path) -> dict[str, Any]:
    try:
        lock = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        lock = None
    if not isinstance(lock, dict) or not isinstance(lock.get("files"), dict):
        raise InputError(f"{path.name} is not a lock file. Run 'microsafe protect' again.")
    return lock


def summarise_release(release: Release) -> list[str]:
    """Return risk before and after, the verdicts and the files, for a terminal."""
    rows = [("scenario", "", "before", "after")]
    for name, before in release.before.items():
        after = release.after[name]
        rows += [
            (name, "largest risk", show_risk(before.max), show_risk(after.max)),
            (
                "",
                "expected re-identifications",
                show_number(before.expected),
                show_number(after.expected),
            ),
            ("", "sample uniques", f"{before.sample_uniques:,}", f"{after.sample_uniques:,}"),
        ]
        if after.perturbed is not None:
            rows.append(("", f"not meaningful after {after.perturbed.words}", "", ""))
        rows += []
    steps = [f"  {number}. {each.words}" for number, each in enumerate(release.study.steps, 1)]
    lines = [f"Plan for {release.plan.input.file}", *steps, *format_grid(rows, right=(2, 3))]
    if release.verdicts:
        table = [("rule", "scenario", "limit", "measured", "verdict")]
        table += [
            (
                each.rule,
                each.scenario,
                show_rule_value(each.rule, each.limit),
                show_rule_value(each.rule, each.value),
                describe_verdict(each),
            )
            for each in release.verdicts
        ]
        lines += ["", "Policy:", *format_grid(table, right=(2, 3))]
    if release.uses is not None:
        lines += ["", "Loss by the uses that matter:", *release.uses.lines()]
        lines += [f"  note: {note}" for note in release.uses.notes]
    if isinstance(release.given_away, GivenAway):
        lines += ["", *repr(release.given_away).splitlines()]
    if release.files:
        lines += ["", f"Written, read back and measured again: {', '.join(release.files)}"]
    return lines


def describe_verdict(verdict: Verdict) -> str:
    """Return a verdict in words."""
    why = f" ({verdict.note.rstrip('.')})" if verdict.note else ""
    if verdict.met:
        return f"met{why}"
    return f"not met{why}, overridden: {verdict.reason}" if verdict.reason else f"not met{why}"


def find_differences(lock: Mapping[str, Any], again: Mapping[str, Any]) -> list[str]:
    """Return the places in which the figures and files of two locks differ.

    Other versions may compute the last digit of a figure differently and have more to tell. Their
    reports name them, so those are compared only if no version has changed.
    """
    same = lock.get("versions") == again["versions"]

    def differ(one: Any, other: Any, *where: str) -> list[str]:
        if isinstance(one, dict) and isinstance(other, dict):
            names = [name for name in sorted({*one, *other}) if same or name in one]
            return [
                place
                for name in names
                for place in differ(one.get(name), other.get(name), *where, name)
            ]
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            pairs = enumerate(zip(one, other, strict=True), 1)
            return [
                place for number, (a, b) in pairs for place in differ(a, b, *where, str(number))
            ]
        if isinstance(one, float) and isinstance(other, float):
            return [] if math.isclose(one, other, rel_tol=_CLOSE) else [" ".join(where)]
        if where[0] == "files" and where[1].endswith(FORMATS) and not same:
            return []
        return [] if one == other else [" ".join(where)]

    return differ({**lock, "versions": {}}, {**again, "versions": {}})


def read_checksum(path: Path) -> str | None:
    """Return the checksum of a file, or None if it is not there."""
    from microsafe.io import digest

    return digest(path) if path.is_file() else None
