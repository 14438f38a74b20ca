"""Run a plan: protect, judge, write, read back, measure again, report, lock.

Nothing is called safe that was not measured after it was written: the file is read back as a
recipient would read it, and its risk is what the verdicts are about.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from microsafe.compare.use_loss import measure_uses
from microsafe.engine.record_order import NewOrder
from microsafe.errors import InputError, TornFileError, UsageError
from microsafe.intruders import IntruderTable
from microsafe.io import check_writable, digest, finish_sets, replace_files
from microsafe.io.atomic import OutputSet, check_regular
from microsafe.io.codebook import check_released, describe_released
from microsafe.options.declaration import merge_declarations
from microsafe.options.policy import Policy, Verdict
from microsafe.plan.model import Plan, plan_text
from microsafe.plan.open import open_output, open_plan
from microsafe.plan.owned_outputs import OwnedOutputs
from microsafe.plan.release import Release
from microsafe.plan.reports import (
    ReleaseAssessment,
    assess_release,
    content_of,
    render_files,
    versions,
)
from microsafe.plan.verdicts import (
    find_telling,
    judge_guesses,
    judge_inventory,
    judge_risks,
    judge_telling,
    measure_refused_families,
    shows_released,
)
from microsafe.progress import Progress, silent
from microsafe.report import Audience, check_report, plan_beside
from microsafe.risk import RecoverableBlanks, Risk, TellingVariables
from microsafe.studies.intruder_table import decides, play_intruders
from microsafe.studies.recoverable_blanks import measure_given_away
from microsafe.studies.study import Study

_SAME = 1e-9  # relative difference of two measurements of the same file that formats may cause


def run(
    plan: Plan,
    folder: Path,
    *,
    into: Path | None = None,
    held: Path | None = None,
    opened: Study | None = None,
    lock: Path | None = None,
    plan_file: Path | None = None,
    reserved: Sequence[Path] = (),
    overwrite: bool = False,
    confirm: Callable[[Sequence[Path]], None] = lambda _: None,
    decisive: bool = False,
    progress: Progress = silent,
    **engine: Any,
) -> Release:
    """Run a plan. Its outputs are replaced together: all of them, or none.

    Args:
        plan: As read from its file.
        folder: That names in the plan are relative to.
        into: Folder for the outputs, if not `folder`.
        held: Where the input is for now, if not where the plan has it.
        opened: The input under the scenarios of the plan, if it was opened just now.
        lock: Where to write the lock. Outputs that the lock there knows, and that were not changed
            since, may be replaced.
        plan_file: Where to write the plan, with the checksum of the input, if it is to be written.
        reserved: Further files that must not be written over: the plan and its seeds.
        overwrite: Whether other files that are there may be replaced, too.
        confirm: Told which files are about to be put in place; may refuse by an exception.
        decisive: Whether to try only the intruders who decide a rule, if no report has the others.
        progress: Progress callback.
        **engine: Which engine, as `study` has it: `engine`, `master`, `most_cells`.

    Returns:
        The release; if the policy is not met and not overridden, nothing was written.

    Raises:
        InputError: An output is there already, and is not this plan's, or was changed since.
    """
    beside = [path for path in (lock, plan_file) if path is not None]
    _check_outputs(plan, folder, [*beside, *reserved], elsewhere=into)
    known = None if overwrite or into is not None else OwnedOutputs(lock, folder)
    if into is None:
        finish_outputs(plan, folder)
        if known is not None:
            known.check([*_output_paths(plan, folder), *beside])
    plan, data = open_plan(plan, folder, held=held, opened=opened, progress=progress, **engine)
    data._check_output((into or folder) / plan.output.file)
    for step in plan.steps:
        data = data.apply(step, progress=progress)
    counted = _known_population(plan, folder)
    before = measure_scenarios(data._before(), plan.policy, progress, **counted)
    after = measure_scenarios(data, plan.policy, progress)
    release = Release(
        plan=plan,
        study=data,
        before=before,
        after=after,
        verdicts=(),
        files={},
        engine=engine,
        intruders=_play(plan, data, before, after, progress, decisive=decisive),
        inventory=data.inventory(keep=plan.keep, progress=progress),
        telling=find_telling(data, progress),
        uses=None
        if plan.utility is None
        else measure_uses(data._before(), data, plan.utility, progress=progress),
    )
    release = replace(release, verdicts=_judge(release, after, data, progress))
    release = replace(release, families=measure_refused_families(release, progress))
    if not release.allowed:
        return release
    with replace_files() as outputs:
        release = _write_release(release, into or folder, outputs, progress)
        if not release.allowed:  # a model may see the file as read back differently
            outputs.discard()
            return release
        if plan_file is not None:
            _put_bytes(outputs, plan_file, plan_text(release.plan).encode("utf-8"))
        if lock is not None:
            _put_bytes(outputs, lock, lock_text(lock_of(release)).encode("utf-8"))
        targets = list(outputs.targets.values())
        if known is not None:
            known.check(targets)
        confirm(targets)
        there = tuple(target.name for target in targets if target.exists())
    return replace(release, replaced=there)


def _play(
    plan: Plan,
    data: Study,
    before: Mapping[str, Risk],
    after: Mapping[str, Risk],
    progress: Progress,
    *,
    decisive: bool,
) -> IntruderTable:
    """Try who could recognise whom in the file that will be written."""
    some = decisive and not (plan.output.report or plan.output.public_report)
    return play_intruders(
        data,
        [scenario.name for scenario in data.scenarios],
        policy=plan.policy,
        now=after,
        before=before,
        choose=decides(data, plan.policy) if some else None,
        ordered=plan.output.shuffle is None,
        progress=progress,
    )


def finish_outputs(plan: Plan, folder: Path) -> None:
    """Finish what a run of the plan that was killed had begun to put in place."""
    for each in output_folders(plan, folder):
        finish_sets(each)


def output_folders(plan: Plan, folder: Path) -> list[Path]:
    """Return the folders that a plan writes to, its own first."""
    return list(dict.fromkeys([folder, *(path.parent for path in _output_paths(plan, folder))]))


def _output_paths(plan: Plan, folder: Path) -> list[Path]:
    out = plan.output
    beside = plan_beside(out.report, "board")
    names = (out.file, out.report, out.public_report, out.codebook, beside)
    return [folder / name for name in names if name]


def _put_bytes(outputs: OutputSet, path: Path, content: bytes) -> str:
    """Write what is to become `path`, and return its checksum as it is on the disk."""
    staged = outputs.stage(path)
    staged.write_bytes(content)
    found = digest(staged)
    if found != hashlib.sha256(content).hexdigest():
        raise TornFileError(
            f"{path.name} was not written: what is on the disk differs. Check the space and the "
            "state of the disk."
        )
    return found


def _judge(
    release: Release, risks: Mapping[str, Risk], data: Study, progress: Progress
) -> list[Verdict]:
    """Judge the inventory, then the risks of the data, or of the file as read back."""
    plan = release.plan
    first = [
        judge_inventory(plan, release.inventory),
        *judge_telling(plan, release.telling, release.intruders),
    ]
    if data is not release.study:  # only what was written can be guessed from
        first += judge_guesses(plan, release.given_away)
    return [*first, *judge_risks(plan, risks, data, release.intruders, progress=progress)]


def _check_outputs(
    plan: Plan, folder: Path, reserved: Sequence[Path], *, elsewhere: Path | None
) -> None:
    """Refuse, before any work, outputs that would fall on each other or on something else."""
    out = plan.output
    taken = {(folder / plan.input.file).resolve(), *(path.resolve() for path in reserved)}
    for other in filter(None, (plan.input.meta, plan.input.join, plan.input.population)):
        taken.add((folder / other).resolve())
    check_writable(Path(out.file))
    if out.codebook:
        check_released(out.codebook, out.file)
    beside = str(plan_beside(out.report, "board") or "")
    for name in filter(None, (out.file, out.report, out.public_report, out.codebook, beside)):
        path = Path(name)
        if path.is_absolute() or ".." in path.parts:
            raise UsageError(f"Output {name!r} must be in the folder of the plan or below it.")
        if name in (out.report, out.public_report):
            check_report(name)
        target = (folder / path).resolve()
        if elsewhere is None:
            check_regular(folder / path)
        if target in taken:
            raise UsageError(f"Output {name!r} is the name of another file. Choose another name.")
        taken.add(target)
        if elsewhere is not None:
            (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
        elif not target.parent.is_dir():
            raise InputError(f"There is no folder {path.parent} to write to. Create it first.")


def measure_scenarios(
    data: Study, policy: Policy, progress: Progress = silent, **known: Any
) -> dict[str, Risk]:
    """Measure every scenario of a study; the policy's limits go into tables and pictures.

    Args:
        data: What to measure.
        policy: Has the limits.
        progress: Progress callback.
        **known: Known population counts, as `Study.risk` has them.
    """
    rules = {scenario.name: policy.rules_of(scenario.name) for scenario in data.scenarios}
    return {
        scenario.name: data.risk(
            scenario.name,
            limit=rules[scenario.name].get("record_risk"),
            household_limit=rules[scenario.name].get("household_risk")
            if scenario.household
            else None,
            progress=progress,
            **known,
        )
        for scenario in data.scenarios
    }


def _known_population(plan: Plan, folder: Path) -> dict[str, Any]:
    """Counts that the input is checked by: later steps may recode what they are of."""
    given = plan.input
    if not given.population:
        if given.population_count:
            raise UsageError("[input]: population_count needs a population.")
        return {}
    path = folder / given.population
    return {"population": path, "population_count": given.population_count or None}


def _write_release(
    release: Release, folder: Path, outputs: OutputSet, progress: Progress
) -> Release:
    """Write the safe file, read it back, measure it, and write the reports on it."""
    out = release.plan.output
    # Before anything is written, as it may be refused.
    known = (
        assess_release(release, whole=bool(out.report), progress=progress)
        if out.report or out.public_report
        else None
    )
    path = outputs.stage(folder / out.file)
    told = release.study._write_file(
        path,
        notes=out.notes,
        blanks=out.blanks,
        shuffle=_order(release),
        prune=True,
        progress=progress,
    )
    listed = replace(release.inventory, notices=(*release.inventory.notices, *told))
    release = replace(release, inventory=listed)
    progress("reading back", 0.0)
    written = open_output(release.plan, release.study, path, progress=progress, **release.engine)
    again = measure_scenarios(written, release.plan.policy, progress)
    for name, risk in release.after.items():
        again[name].summary()  # every figure, before the file is moved to its place
        if not _same(risk, again[name]) or not shows_released(release.study, written, name):
            raise InputError(
                f"{path.name} was not written: read back, its risk differs from that of the "
                "data. Choose a format that keeps declared missing codes, such as the input's."
            )
    given = _guess_blanks(release, written, progress)
    release = replace(release, after=again, given_away=given)
    release = replace(release, verdicts=_judge(release, again, written, progress))
    if not release.allowed:
        return release
    files = {
        str(Path(out.file).with_name(target.name)): digest(target, progress=progress)
        for target in outputs.targets
    }
    files |= _write_codebook(release, path, folder, outputs)
    return _write_reports(replace(release, files=files), folder, known, outputs, progress)


def _write_codebook(
    release: Release, written: Path, folder: Path, outputs: OutputSet
) -> dict[str, str]:
    """Write the codebook if one is asked for; return checksums by name."""
    name, data = release.plan.output.codebook, release.study
    if not name:
        return {}
    said = merge_declarations(data.engine.declarations, data.declarations)
    made = describe_released(Path(name).name, written, data.schema, said)
    return {
        str(Path(name).with_name(each)): _put_bytes(outputs, (folder / name).with_name(each), text)
        for each, text in made.items()
    }


def _write_reports(
    release: Release,
    folder: Path,
    known: ReleaseAssessment | None,
    outputs: OutputSet,
    progress: Progress,
) -> Release:
    out = release.plan.output
    reports: list[tuple[str, Audience]] = [(out.report, "board"), (out.public_report, "public")]
    for done, (name, audience) in enumerate(reports):
        if name:
            progress("writing reports", done / len(reports))
            content = content_of(release, audience, known=known, progress=progress)
            made = render_files(content, audience, folder / name)
            found = {
                str(Path(name).with_name(path.name)): _put_bytes(outputs, path, data)
                for path, data in made.items()
            }
            release = replace(release, files={**release.files, **found})
    return release


def _guess_blanks(
    release: Release, written: Study, progress: Progress
) -> RecoverableBlanks | str | None:
    """Measure what the file gives away, if there is room for it."""
    try:
        return measure_given_away(release.study, written, _order(release), progress=progress)
    except InputError as error:
        reason: str = error.args[0]  # a sentence keeps its id
        return reason


def _order(release: Release) -> NewOrder | None:
    """The order of the records; None if that of the input is kept."""
    seed = release.plan.output.shuffle
    return None if seed is None else release.study._new_order(seed)


def _same(one: Risk, other: Risk) -> bool:
    pairs = [(one.expected, other.expected), (one.max, other.max)]
    if one.household is not None and other.household is not None:
        pairs.append((one.household.expected, other.household.expected))
    close = all(abs(a - b) <= _SAME * abs(a) for a, b in pairs)
    return close and one.n == other.n and one.n_cells == other.n_cells


def lock_of(release: Release) -> dict[str, Any]:
    """Return what proves a release: versions, checksums, figures and verdicts."""
    given = release.given_away
    told: dict[str, Any] = (
        {"given_away": given.summary()} if isinstance(given, RecoverableBlanks) else {}
    )
    if isinstance(release.telling, TellingVariables) and release.telling.keys:
        told["telling"] = release.telling.round_figures()
    if release.uses is not None:
        told["loss"] = release.uses.round_figures().summary()
    return {
        "microsafe": 1,
        "versions": versions(),
        "input": release.plan.input.checksums,
        "plan": plan_text(release.plan, hide_seeds=True),
        "files": dict(release.files),
        "steps": [taken.figures() for taken in release.study.steps],
        "risk": {
            name: {"before": _figures(release.before[name]), "after": _figures(after)}
            for name, after in release.after.items()
        },
        "intruders": release.intruders.round_figures(),
        "verdicts": [
            {name: value for name, value in asdict(verdict).items() if name != "note" or value}
            for verdict in release.verdicts
        ],
        **told,
    }


def lock_path(plan: Path) -> Path:
    """Return where the lock of a plan lies: beside it."""
    return plan.with_suffix(".lock")


def lock_text(lock: Mapping[str, Any]) -> str:
    """Return a lock as the text of its file."""
    return json.dumps(lock, indent=2, ensure_ascii=False) + "\n"


def _figures(risk: Risk) -> dict[str, Any]:
    figures = risk.summary()
    told = ("records", "cells", "sample_uniques", "risk", "household")
    words = {} if risk.perturbed is None else {"perturbed_by": risk.perturbed.words}
    return {**{name: figures[name] for name in told}, **words}
