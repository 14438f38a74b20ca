"""Open: choose a file, look at its variables, take up an earlier session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.app.ask import Ask
from microsafe.app.detail import detail
from microsafe.app.journal import Desk, Journal, Reading
from microsafe.app.messages.questions import Browse, Named, Open
from microsafe.app.messages.study import (
    Listing,
    StudySummary,
    VariableDetail,
    VariableInfo,
    Variables,
)
from microsafe.app.refusal import Refused
from microsafe.app.session import Candidate, Opened, Session, State, rebuilt, stamp_of
from microsafe.app.views.study import summary
from microsafe.datasets import survey
from microsafe.errors import InputError
from microsafe.io import digest, write
from microsafe.progress import Progress, silent
from microsafe.study import Study, study

DEMO = "microsafe-demo"


def files(ask: Ask[Browse, None]) -> Listing:
    """List a folder."""
    return ask.session.folders.listing(ask.query.folder, ask.query.path)


def open_file(ask: Ask[None, Open]) -> StudySummary:
    """Open a file below one of the folders named at start."""
    wish = ask.body
    path = ask.session.folders.file(wish.folder, wish.path)
    reading = Reading(
        encoding=wish.encoding, separator=wish.separator, na=wish.na, sheet=wish.sheet
    )
    enter(ask.session, path, reading, progress=ask.progress)
    return summary(ask)


def demo(ask: Ask[None, None]) -> StudySummary:
    """Open the synthetic survey; make it first if it is not there."""
    folder = ask.session.folders.made(0, DEMO)
    path = folder / "survey.sav"
    if path.is_symlink():
        raise Refused(403, "Symbolic links are not followed.", "Remove survey.sav there.")
    if not path.exists():
        ask.progress("making a survey", 0.0)
        made = survey()
        write(made.frame, made.schema, path)
    enter(ask.session, path, Reading(), progress=ask.progress)
    return summary(ask)


def resume(ask: Ask[None, None]) -> StudySummary:
    """Take up the earlier session on this file."""
    session = ask.session
    opened, data = session.opened()
    if session.state.saved is None or session.desk is None:
        raise Refused(409, "There is no earlier session on this file.")
    journal, _ = session.state.saved
    session.enter(session.desk, taken_up(opened, data, journal, ask.progress))
    return summary(ask)


def variables(ask: Ask[None, None]) -> Variables:
    """Return what is in the file."""
    return ask.session.opened()[0].variables


def variable(ask: Ask[Named, None]) -> VariableDetail:
    """Return one variable as it now is."""
    name = ask.query.name
    private = ask.session.private(name)
    return detail(ask.session.study(), name, ask.progress, private=private)


def enter(
    session: Session,
    path: Path,
    reading: Reading,
    *,
    resuming: bool = False,
    progress: Progress = silent,
) -> None:
    """Open a file for the session, and take up the earlier session on it if asked to.

    Raises:
        InputError: The file cannot be read, another app is at work on it, or it is not what it
            was when the earlier session was left.
    """
    path = path.resolve()
    here = session.state.opened is not None and session.state.opened.path == path
    desk = session.desk if here and session.desk is not None else Desk(path)
    try:
        opened, data = _read(path, reading, progress)
        journal = desk.read()
        if resuming:
            if journal is None:
                raise InputError(f"There is no session on {path.name} to take up.")
            if journal.sha256 != opened.sha256:
                raise InputError(
                    f"{path.name} is not what it was when the session was left: its checksum "
                    "differs. Put that file back, or start without --resume."
                )
            state = taken_up(opened, data, journal, progress)
        else:
            same = journal is not None and journal.sha256 == opened.sha256
            saved = (journal, desk.path.stat().st_mtime) if journal and same else None
            state = State(opened=opened, study=data, saved=saved)
    except BaseException:
        if desk is not session.desk:
            desk.close()
        raise
    session.enter(desk, state)


def _read(path: Path, reading: Reading, progress: Progress) -> tuple[Opened, Study]:
    stamp = stamp_of(path)
    data = study(path, progress=progress, **_options(reading))
    summaries = data.describe(progress=progress)
    sha256 = digest(path, progress=progress)
    known = Variables(
        records=data.engine.rows(),
        variables=tuple(
            VariableInfo(
                name=each.name,
                label=each.label,
                kind=each.kind,
                measure=data.schema[each.name].measure,
                categories=each.categories,
                missing=each.missing,
                role=each.role,
            )
            for each in summaries
        ),
    )
    opened = Opened(path=path, reading=reading, sha256=sha256, stamp=stamp, variables=known)
    return opened, data


def _options(reading: Reading) -> Mapping[str, Any]:
    return {
        "meta": reading.meta or None,
        "encoding": reading.encoding or None,
        "separator": reading.separator or None,
        "na": reading.na,
        "sheet": reading.sheet or None,
    }


def taken_up(opened: Opened, data: Study, journal: Journal, progress: Progress) -> State:
    """Return the state that a journal tells of."""
    made = rebuilt(data, journal.scenarios, journal.steps, progress)
    return State(
        opened=replace(opened, reading=journal.reading),
        study=made,
        policy=journal.policy,
        limit=journal.limit,
        confirmed=min(journal.confirmed, len(made.steps)),
        plans={name: Candidate(steps=steps) for name, steps in journal.plans.items()},
    )
