"""`protect`: run a plan, and write the safe file, reports and lock."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.console import Console
from microsafe.cli.output import add_json
from microsafe.cli.plan_file import add_plan, run_plan
from microsafe.display import format_grid, show_number, show_risk

if TYPE_CHECKING:
    from microsafe.notices import Notice
    from microsafe.options.policy import Verdict
    from microsafe.plan.release import Release


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_plan(command)
    command.add_argument(
        "--script", action="store_true", help="print the plan as a Python script; run nothing"
    )
    command.add_argument(
        "--overwrite",
        action="store_true",
        help="also replace output files that this plan did not write, or that were changed since",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Run a plan: write the safe file, reports and lock. 1 if the policy is not met."""
    from microsafe.plan.read import read_plan
    from microsafe.plan.run import lock_path
    from microsafe.plan.script import script

    plan = read_plan(chosen.plan, draw_seeds=not chosen.script)
    if chosen.script:
        made = script(plan)
        if chosen.json:
            console.print_json({"script": made})
        else:
            console.say(made.rstrip("\n"))
        return 0
    path = lock_path(chosen.plan)
    release = run_plan(chosen, plan, None, console.progress, lock=path, overwrite=chosen.overwrite)
    if chosen.json:
        console.print_json(lock_with_families(release))
    return tell_release(release, chosen.plan, console, json=chosen.json)


def lock_with_families(release: Release) -> dict[str, Any]:
    """Return what the lock says, and what protects families, for JSON."""
    from microsafe.plan.run import lock_of

    families = {name: family.summary()["families"] for name, family in release.families.items()}
    return {**lock_of(release), **({"families": families} if families else {})}


def tell_release(release: Release, plan: Path, console: Console, *, json: bool) -> int:
    """Say what became of a plan; return 1 if its policy is not met.

    Args:
        release: What became of it.
        plan: Its file.
        console: Where to say it.
        json: Whether the figures were printed already.
    """
    from microsafe.notices import make_notice

    if not json:
        console.say(summarise_release(release))
        for risk in release.after.values():
            console.print_notices(risk.notices)
        console.print_notices(release.intruders.notices)
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
        console.complain(explain_refusal(release, plan))
    return 0 if release.allowed and not stuck else 1


def _step_notices(release: Release) -> Sequence[Notice]:
    """What steps and the inventory say, but for what is said of the risks."""
    said = {notice.text for risk in release.after.values() for notice in risk.notices}
    steps = release.study.notices[len(release.study.rollback(0).notices) :]
    told = [*steps, *(release.inventory.notices if release.inventory else ())]
    return [notice for notice in told if notice.text not in said]


def explain_refusal(release: Release, plan: Path) -> str:
    """Say why nothing was written, and what to do."""
    from microsafe.options.policy import INVENTORY, TELLING

    for verdict in release.verdicts:
        if verdict.rule == INVENTORY and not verdict.allowed:
            return (
                f"Nothing was written: {verdict.note} {'is' if verdict.value == 1 else 'are'} not "
                f"decided on. Drop, change or keep each with a reason: microsafe plan update "
                f"{plan} proposes what to do."
            )
        if verdict.rule == TELLING and verdict.value is None and not verdict.allowed:
            return (
                "Nothing was written: nobody could look whether what goes out gives back what was "
                f"hidden. {verdict.note} Or give a reason under override in the plan (telling)."
            )
        if verdict.rule == TELLING and verdict.scenario and not verdict.allowed:
            return (
                "Nothing was written: whoever guesses what is hidden of keys from the rest of the "
                "file finds many more records than by keys alone. Leave out what tells of keys, "
                f"recode it alike (microsafe plan update {plan} --like VARIABLE=KEY), or give a "
                "reason under override in the plan (telling)."
            )
        if verdict.rule == TELLING and not verdict.allowed:
            return (
                "Nothing was written: variables that go out give back what was hidden: "
                f"{verdict.note.partition(': ')[2]}. Leave them out, recode them alike (microsafe "
                f"plan update {plan} --like VARIABLE=KEY), or give a reason under override in the "
                "plan (telling)."
            )
    return (
        "Nothing was written: the policy is not met. Have steps searched that meet it (microsafe "
        f"propose {plan} -o NEW.toml), or give a reason under override in the plan."
    )


def summarise_release(release: Release) -> list[str]:
    """Return risk before and after, the verdicts and the files, for a terminal."""
    from microsafe.risk import RecoverableBlanks, TellingVariables

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
    steps = [f"  {number}. {step.words}" for number, step in enumerate(release.study.steps, 1)]
    who = ["", f"{release.intruders.title}:", *repr(release.intruders).splitlines(), ""]
    lines = [f"Plan for {release.plan.input.file}", *steps, *who, *format_grid(rows, right=(2, 3))]
    if release.verdicts:
        lines += ["", *summarise_verdicts(release)]
    for name, families in release.families.items():
        lines += ["", f"{families.title} (scenario {name}):", *repr(families).splitlines()]
    if release.uses is not None:
        lines += ["", "Loss by the uses that matter:", *release.uses.lines()]
        lines += [f"  note: {note}" for note in release.uses.notes]
    if isinstance(release.telling, TellingVariables) and release.telling.found:
        lines += ["", *repr(release.telling).splitlines()]
    if isinstance(release.given_away, RecoverableBlanks):
        lines += ["", *repr(release.given_away).splitlines()]
    if release.files:
        lines += ["", f"Written, read back and measured again: {', '.join(release.files)}"]
    return lines


def summarise_verdicts(release: Release) -> list[str]:
    """Return what each rule says, for a terminal."""
    from microsafe.options.policy import show_rule_value

    table = [("rule", "scenario", "limit", "measured", "verdict")]
    table += [
        (
            verdict.rule,
            verdict.scenario,
            show_rule_value(verdict.rule, verdict.limit, verdict.scenario),
            show_rule_value(verdict.rule, verdict.value, verdict.scenario),
            describe_verdict(verdict),
        )
        for verdict in release.verdicts
    ]
    return ["Policy:", *format_grid(table, right=(2, 3))]


def describe_verdict(verdict: Verdict) -> str:
    """Return a verdict in words."""
    why = f" ({verdict.note.rstrip('.')})" if verdict.note else ""
    if verdict.met:
        return f"met{why}"
    return f"not met{why}, overridden: {verdict.reason}" if verdict.reason else f"not met{why}"
