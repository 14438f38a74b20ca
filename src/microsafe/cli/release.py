"""What `protect`, `replay` and `report` do."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from microsafe.cli.output import check_targets, print_json, print_notices, say
from microsafe.errors import InputError
from microsafe.io import replace_file
from microsafe.plan.file import Plan, hide_seeds, read_plan, script
from microsafe.plan.release import Release, lock_of, lock_path, lock_text, report_of, run
from microsafe.plan.seeds import seeds_path
from microsafe.policy import Verdict
from microsafe.progress import Progress
from microsafe.text import align_columns


def protect(chosen: argparse.Namespace, progress: Progress) -> int:
    """Run a plan: safe file, reports, lock. 1 if the policy stands in the way."""
    plan = read_plan(chosen.plan, draw_seeds=not chosen.script)
    if chosen.script:
        say(script(plan).rstrip("\n"))
        return 0
    release = _run(chosen, plan, None, progress)
    lock = lock_of(release)
    if release.allowed:
        with replace_file(lock_path(chosen.plan)) as temporary:
            temporary.write_text(lock_text(lock), "utf-8")
    if chosen.json:
        print_json(lock)
    else:
        say(summary(release))
        for risk in release.after.values():
            print_notices(risk.notices)
    stuck = sum(done.stuck for done in release.study.steps)
    if stuck:
        _complain(f"{stuck:,} records stay unsafe: keys are spared, or the file is too small.")
    if not release.allowed:
        _complain("Nothing was written: the policy is not met, and no reason overrides it.")
    return 0 if release.allowed and not stuck else 1


def replay(chosen: argparse.Namespace, progress: Progress) -> int:
    """Run a plan again and compare with its lock. 1 if anything differs."""
    plan = read_plan(chosen.plan)
    path = lock_path(chosen.plan)
    if not path.is_file():
        raise InputError(f"There is no {path.name}: run 'microsafe protect' first.")
    wanted = _lock(path)
    # What is written for comparison holds records: only this user may see it, briefly.
    with tempfile.TemporaryDirectory(prefix="microsafe-") as folder:
        found = lock_of(_run(chosen, plan, Path(folder), progress))
    differing = differences(wanted, json.loads(lock_text(found)))
    if not differing and not chosen.check:
        _run(chosen, plan, None, progress)  # puts back what was lost or changed
    differing += [
        f"file {name} on disk"
        for name, checksum in wanted["files"].items()
        if chosen.check and on_disk(chosen.plan.parent / name) != checksum
    ]
    if chosen.json:
        print_json({"same": not differing, "differs": differing})
    else:
        say("Everything is the same." if not differing else ["These differ:", *differing])
    return 1 if differing else 0


def report(chosen: argparse.Namespace, progress: Progress) -> int:
    """Write a report on a plan, without writing the safe file."""
    check_targets([chosen.plan], {chosen.output: (".html",)})
    plan = read_plan(chosen.plan)
    with tempfile.TemporaryDirectory(prefix="microsafe-") as folder:
        release = _run(chosen, plan, Path(folder), progress)
    if not release.allowed and chosen.audience == "public":
        raise InputError("The policy is not met, so there is nothing to tell the public yet.")
    with replace_file(chosen.output) as temporary:
        temporary.write_text(report_of(release, chosen.audience, progress=progress), "utf-8")
    say(f"{chosen.output.name} is for the {chosen.audience}.")
    return 0 if release.allowed else 1


def _run(chosen: argparse.Namespace, plan: Plan, into: Path | None, progress: Progress) -> Release:
    path: Path = chosen.plan
    engine = {name: getattr(chosen, name) for name in ("engine", "master", "most_cells", "memory")}
    reserved = (path, lock_path(path), seeds_path(path))
    return run(plan, path.parent, into=into, reserved=reserved, progress=progress, **engine)


def _lock(path: Path) -> dict[str, Any]:
    """Read a lock; those of version 0.1.0 hold seeds, which are not compared as they are."""
    try:
        lock = json.loads(path.read_text("utf-8"))
        lock["plan"] = hide_seeds(lock["plan"])
    except (OSError, ValueError, KeyError, TypeError):
        lock = None
    if not isinstance(lock, dict) or not isinstance(lock.get("files"), dict):
        raise InputError(f"{path.name} is not a lock. Run 'microsafe protect' again.")
    return lock


def summary(release: Release) -> list[str]:
    """Return risk before and after, the verdicts and the files, for a terminal."""
    rows = [("scenario", "", "before", "after")]
    for name, before in release.before.items():
        after = release.after[name]
        rows += [
            (name, "largest risk", f"{before.max:.6g}", f"{after.max:.6g}"),
            (
                "",
                "expected re-identifications",
                f"{before.expected:,.6g}",
                f"{after.expected:,.6g}",
            ),
            ("", "sample uniques", f"{before.sample_uniques:,}", f"{after.sample_uniques:,}"),
        ]
    steps = [f"  {number}. {each.words}" for number, each in enumerate(release.study.steps, 1)]
    lines = [f"Plan for {release.plan.input.file}", *steps, *align_columns(rows, right=(2, 3))]
    if release.verdicts:
        table = [("rule", "scenario", "limit", "measured", "verdict")]
        table += [
            (each.rule, each.scenario, f"{each.limit:g}", f"{each.value:.6g}", said(each))
            for each in release.verdicts
        ]
        lines += ["", "Policy:", *align_columns(table, right=(2, 3))]
    if release.files:
        lines += ["", f"Written, read back and measured: {', '.join(release.files)}"]
    return lines


def said(verdict: Verdict) -> str:
    """Return a verdict in words."""
    if verdict.met:
        return "met"
    return f"not met, overridden: {verdict.reason}" if verdict.reason else "not met"


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Return the places in which two locks differ; versions may."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            place
            for name in sorted({*one, *other})
            if where or name != "versions"
            for place in differences(one.get(name), other.get(name), f"{where}{name} ")
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            place
            for number, (a, b) in enumerate(zip(one, other, strict=True), 1)
            for place in differences(a, b, f"{where}{number} ")
        ]
    return [] if one == other else [where.strip()]


def on_disk(path: Path) -> str | None:
    """Return the checksum of a file, or None if it is not there."""
    from microsafe.io import digest

    return digest(path) if path.is_file() else None


def _complain(text: str) -> None:
    print(f"microsafe: {text}", file=sys.stderr)
