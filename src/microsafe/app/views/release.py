"""Release: what the policy says, and the files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from microsafe.app.ask import Ask
from microsafe.app.folders import plain_name
from microsafe.app.messages import questions
from microsafe.app.messages.release import Released, Verdicts, WrittenFile
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refused
from microsafe.app.session import Opened
from microsafe.app.views.study import plan_of, remarks, safe_name, summary
from microsafe.errors import UsageError
from microsafe.io import digest
from microsafe.plan.file import Output, plan_text
from microsafe.plan.release import (
    Release,
    judge_risks,
    lock_of,
    lock_path,
    lock_text,
    private_folder,
    run,
)
from microsafe.policy import Policy


def policy(ask: Ask[None, Policy]) -> StudySummary:
    """Say what the board asks."""
    ask.session.study()
    ask.session.change(lambda state: replace(state, policy=ask.body))
    return summary(ask)


def verdicts(ask: Ask[None, None]) -> Verdicts:
    """Judge the present state."""
    session = ask.session
    opened, study = session.opened()
    if not study.scenarios:
        raise Refused(409, "There is no scenario yet.", "Name the key variables first.")
    risks = {each.name: session.risk(study, each.name, ask.progress) for each in study.scenarios}
    plan = plan_of(session.state, opened.path.parent, Output(file=safe_name(opened.path)))
    found = judge_risks(plan, risks)
    return Verdicts(allowed=all(each.allowed for each in found), verdicts=tuple(found))


def release(ask: Ask[None, questions.Release]) -> Released:
    """Write the safe file, both reports, the plan and its lock: all of them, or none."""
    wish, session = ask.body, ask.session
    opened, study = session.opened()
    if not study.scenarios:
        raise Refused(409, "There is no scenario yet.", "Name the key variables first.")
    if session.state.confirmed < len(study.steps):
        raise Refused(409, "Not all steps are confirmed.", "Compare, then confirm or roll back.")
    names = _names(wish)
    folder = session.folders.made(wish.folder, wish.path)
    _check_free(folder, names, opened, overwrite=wish.overwrite)
    output = Output(
        file=wish.file,
        report=wish.report,
        public_report=wish.public_report,
        notes=wish.notes,
        shuffle=wish.shuffle,
    )
    plan = plan_of(session.state, folder, output)
    reserved = [folder / name for name in names[-2:]]
    with private_folder(folder) as aside:
        done = run(plan, folder, into=aside, reserved=reserved, progress=ask.progress)
        if not done.allowed:
            return _released(done, folder, ())
        (aside / names[-2]).write_text(plan_text(done.plan), "utf-8")
        (aside / names[-1]).write_text(lock_text(lock_of(done)), "utf-8")
        made = sorted(aside.iterdir())
        _check_free(folder, [each.name for each in made], opened, overwrite=wish.overwrite)
        ask.progress("putting files into place", 0.0)  # the last moment to stop
        for each in made:
            each.chmod(0o600)
            os.replace(each, folder / each.name)
    return _released(done, folder, [folder / each.name for each in made])


def _names(wish: questions.Release) -> list[str]:
    """Return the names of the files to be written, the plan and its lock last."""
    if not wish.file or not wish.plan.endswith(".toml"):
        raise UsageError("The safe file needs a name, and the plan one that ends in .toml.")
    given = [wish.file, wish.report, wish.public_report, wish.plan]
    names = [plain_name(name) for name in given if name]
    return [*names, lock_path(Path(wish.plan)).name]


def _check_free(folder: Path, names: Iterable[str], opened: Opened, *, overwrite: bool) -> None:
    """Refuse to write over anything, unless it was said; links and the input never."""
    meta = opened.reading.meta
    inputs = {opened.path, Path(meta).resolve() if meta else opened.path.with_suffix(".rda")}
    there = [name for name in names if os.path.lexists(folder / name)]
    for name in there:
        if (folder / name).is_symlink():
            raise Refused(403, f"{name} is a symbolic link.", "Choose another name.")
        if (folder / name).resolve() in inputs:
            raise Refused(409, f"{name} belongs to the input.", "Choose another name or folder.")
    if there and not overwrite:
        raise Refused(
            409,
            "Files of these names are there already.",
            "Choose other names, or say that they may be replaced.",
            names=tuple(there),
        )


def _released(done: Release, folder: Path, files: Iterable[Path]) -> Released:
    notices = dict.fromkeys(each for risk in done.after.values() for each in remarks(risk.notices))
    return Released(
        allowed=done.allowed,
        verdicts=tuple(done.verdicts),
        folder=str(folder),
        files=tuple(WrittenFile(name=path.name, sha256=digest(path)) for path in files),
        notices=tuple(notices),
    )
