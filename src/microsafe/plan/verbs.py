"""The verbs of a study that make and run a plan; `Study` mounts them by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING

from microsafe.errors import InventoryError, UsageError
from microsafe.inventory import Keep
from microsafe.io import digest, replace_file
from microsafe.plan.file import Output, Plan, plan_text
from microsafe.plan.proposing import remember_proposal
from microsafe.plan.release import Release, lock_of, lock_path, lock_text, run
from microsafe.plan.scaffold import input_of, list_undecided
from microsafe.plan.seeds import SEED_BITS, keep_seeds, seeds_path
from microsafe.plan.tables import build_value
from microsafe.policy import INVENTORY, Policy
from microsafe.progress import Progress, silent
from microsafe.report import ReportCover

if TYPE_CHECKING:
    from microsafe.propose.proposal import Proposal
    from microsafe.study import Study


def make_plan(
    study: Study,
    output: str | Path,
    *,
    policy: Policy | None = None,
    keep: Mapping[str, str] | None = None,
    report: str = "",
    public_report: str = "",
    cover: Mapping[str, object] | None = None,
    shuffle: int | None = None,
    keep_order: str = "",
    proposal: Proposal | None = None,
) -> Plan:
    """Return what was done as a plan (see `Study.plan`)."""
    if not study._input:
        raise UsageError(
            "A plan names the file that it is made for. Write the data to one, and open that."
        )
    start, path = study.rollback(0), Path(output)
    first_page = _make_cover(cover or {})  # before any work, as it may be refused
    kept = _group_reasons(keep or {})
    steps = tuple(taken.step for taken in study.steps)
    asked = None if proposal is None else remember_proposal(proposal, steps)
    if shuffle is None and not keep_order:
        shuffle = randbits(SEED_BITS)
    return Plan(
        input=input_of(dict(study._input), path.parent, digest(Path(study._input["file"]))),
        scenarios=start.scenarios,
        policy=policy or Policy(),
        steps=steps,
        keep=list_undecided(study.inventory(keep=kept), kept),
        report=first_page,
        output=Output(
            file=path.name,
            report=report,
            public_report=public_report,
            shuffle=shuffle,
            keep_order=keep_order,
        ),
        propose=asked,
    )


def release(
    study: Study, folder: Path, *, file: str, progress: Progress = silent, **options: object
) -> Release:
    """Make a plan, run it, and write it down with its lock (see `Study.release`)."""
    plan = make_plan(study, folder / file, **options)  # type: ignore[arg-type]
    path = (folder / file).with_suffix(".toml")
    reserved = (path, lock_path(path), seeds_path(path))
    engine = study.engine.options
    done = run(plan, folder, reserved=reserved, progress=progress, **engine)
    for verdict in done.verdicts:
        if verdict.rule == INVENTORY and not verdict.allowed:
            raise InventoryError(
                f"Nothing was written: {verdict.note} "
                f"{'is' if verdict.value == 1 else 'are'} not decided on. Drop or change what "
                "must not go out, and keep the rest with a reason (keep={name: reason})."
            )
    if done.allowed:
        _write_plan(plan, done, path)
    return done


def _write_plan(plan: Plan, done: Release, path: Path) -> None:
    """Write plan and lock; the seed of the order is kept apart, as those of plans are."""
    if plan.output.shuffle is not None:
        keep_seeds({"output shuffle": plan.output.shuffle}, path)
    plan = replace(plan, output=replace(plan.output, shuffle=None))
    for target, text in ((path, plan_text(plan)), (lock_path(path), lock_text(lock_of(done)))):
        with replace_file(target) as temporary:
            temporary.write_text(text, "utf-8")


def _make_cover(words: Mapping[str, object]) -> ReportCover:
    """Return the cover that the words of a plan's `[report]` stand for."""
    table = {word: list(each) if isinstance(each, tuple) else each for word, each in words.items()}
    return build_value(ReportCover, table, "The cover")


def _group_reasons(keep: Mapping[str, str]) -> tuple[Keep, ...]:
    """Return decisions with the variables of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for name, why in keep.items():
        by_reason.setdefault(why, []).append(name)
    return tuple(Keep(variables=tuple(names), why=why) for why, names in by_reason.items())
