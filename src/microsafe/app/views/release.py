"""Release: what the policy says, and the files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from microsafe.app.folders import check_name
from microsafe.app.messages.message_builder import values_of
from microsafe.app.messages.questions import ProfileRequest, ReleaseRequest
from microsafe.app.messages.release import ReleaseResult, Verdicts, WrittenFile
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import OpenFile, build_plan, original_scenarios, safe_name
from microsafe.app.views.study import make_remarks, summarise_study
from microsafe.errors import UsageError
from microsafe.intruders import add_profile
from microsafe.io import digest
from microsafe.options.policy import Policy, Verdict
from microsafe.options.profiles import find_profile
from microsafe.options.release import Output, OutputFiles
from microsafe.plan.release import Release
from microsafe.plan.run import lock_path, run
from microsafe.plan.verdicts import find_telling, judge_inventory, judge_risks, judge_telling


def set_policy(request: Request[None, Policy]) -> StudySummary:
    """Set the policy."""
    study = request.session.study()
    request.body.check_scenarios([scenario.name for scenario in study.scenarios])
    request.session.change_state(lambda state: replace(state, policy=request.body))
    return summarise_study(request)


def set_profile(request: Request[None, ProfileRequest]) -> StudySummary:
    """Say who gets the file: limits, rules and type of release are those of the profile."""
    study = request.session.study()
    if not study.scenarios:
        raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
    usual = find_profile(request.body.profile)
    policy = add_profile(Policy(), usual.name, original_scenarios(study)[0])
    request.session.change_state(lambda state: state.for_profile(usual, policy))
    return summarise_study(request)


def judge_policy(request: Request[None, None]) -> Verdicts:
    """Judge the present state."""
    session = request.session
    opened, study = session.current_file()
    if not study.scenarios:
        raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
    risks = {
        scenario.name: session.measure_risk(study, scenario.name, request.progress)
        for scenario in study.scenarios
    }
    table = session.try_intruders(study, request.progress)
    plan = build_plan(session.state, Output(file=safe_name(opened.path)), opened.path.parent)
    gate, undecided = _judge_gate(request)
    told = judge_telling(plan, find_telling(study, request.progress), table)
    risky = judge_risks(plan, risks, study, table, progress=request.progress)
    verdicts = (gate, *told, *risky)
    return Verdicts(
        allowed=all(verdict.allowed for verdict in verdicts), verdicts=verdicts, open=undecided
    )


def _judge_gate(request: Request[object, object]) -> tuple[Verdict, tuple[str, ...]]:
    """Judge the inventory, and name what stands in the way."""
    opened, study = request.session.current_file()
    plan = build_plan(
        request.session.state, Output(file=safe_name(opened.path)), opened.path.parent
    )
    found = study.inventory(keep=plan.keep, progress=request.progress)
    return judge_inventory(plan, found), found.open


def write_release(request: Request[None, ReleaseRequest]) -> ReleaseResult:
    """Write the safe file, both reports, the plan and its lock: all of them, or none."""
    body, session = request.body, request.session
    _, study = session.current_file()
    if not study.scenarios:
        raise Refusal(409, "There is no scenario yet.", "Choose the key variables first.")
    if session.state.confirmed < len(study.steps):
        raise Refusal(409, "Not all steps are confirmed.", "Confirm them in Compare, or roll back.")
    names = _list_names(body)
    with session.folders.make_folder(body.folder, body.path) as folder:
        return _write_files(request, folder, names)


def _write_files(
    request: Request[None, ReleaseRequest], folder: Path, names: Sequence[str]
) -> ReleaseResult:
    body, session = request.body, request.session
    opened, _ = session.current_file()
    check_free(folder, names, opened, overwrite=body.overwrite)
    gate, undecided = _judge_gate(request)  # before long work; it is judged again on the way
    if not gate.allowed:
        return ReleaseResult(
            allowed=False,
            verdicts=(gate,),
            open=undecided,
            folder=str(folder),
            files=(),
            notices=(),
        )
    output = Output(**values_of(body, OutputFiles))
    plan = build_plan(session.state, output, folder)
    made: list[Path] = []

    def confirm(targets: Sequence[Path]) -> None:
        check_free(folder, [target.name for target in targets], opened, overwrite=body.overwrite)
        made.extend(targets)
        request.progress("moving files into place", 0.0)  # the last moment to stop

    done = run(
        plan,
        folder,
        lock=folder / names[-1],
        plan_file=folder / names[-2],
        overwrite=True,  # whoever may not replace files was refused, and will be once more
        confirm=confirm,
        progress=request.progress,
    )
    return _summarise_release(done, folder, sorted(made))


def _list_names(body: ReleaseRequest) -> list[str]:
    """Return the names of the files to be written, the plan and its lock last."""
    if not body.file or not body.plan.endswith(".toml"):
        raise UsageError(
            "Enter a name for the safe file, and a name with the extension .toml for the plan."
        )
    given = [body.file, body.report, body.public_report, body.codebook, body.plan]
    names = [check_name(name) for name in given if name]
    return [*names, lock_path(Path(body.plan)).name]


def check_free(folder: Path, names: Iterable[str], opened: OpenFile, *, overwrite: bool) -> None:
    """Refuse to replace files unless allowed to; never replace links and input files."""
    meta = opened.input.meta
    inputs = {opened.path, Path(meta).resolve() if meta else opened.path.with_suffix(".rda")}
    if opened.input.join:
        inputs.add(Path(opened.input.join).resolve())
    there = [name for name in names if os.path.lexists(folder / name)]
    for name in there:
        if (folder / name).is_symlink():
            raise Refusal(403, f"{name} is a symbolic link.", "Choose another name.")
        if (folder / name).resolve() in inputs:
            raise Refusal(409, f"{name} is an input file.", "Choose another name or folder.")
        if not (folder / name).is_file():
            raise Refusal(403, f"{name} is not a regular file.", "Choose another name.")
    if there and not overwrite:
        raise Refusal(
            409,
            "These files already exist.",
            "Choose other names, or replace them.",
            names=tuple(there),
        )


def _summarise_release(done: Release, folder: Path, files: Iterable[Path]) -> ReleaseResult:
    listed = done.inventory.notices if done.inventory else ()
    told = [notice for risk in done.after.values() for notice in risk.notices]
    told += [each for each in listed if each.topic == "file"]
    notices = dict.fromkeys(make_remarks(told))
    return ReleaseResult(
        allowed=done.allowed,
        verdicts=tuple(done.verdicts),
        open=done.inventory.open,
        folder=str(folder),
        files=tuple(WrittenFile(name=path.name, sha256=digest(path)) for path in files),
        notices=tuple(notices),
    )
