"""Open: choose a file, look at its variables, resume an earlier session."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

from microsafe.app.journal import Journal, JournalFile
from microsafe.app.messages.questions import (
    BrowseQuery,
    JoinRequest,
    NameQuery,
    OpenRequest,
)
from microsafe.app.messages.study import (
    Listing,
    StudySummary,
    Variables,
)
from microsafe.app.reading import read_again, read_file
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import CandidatePlan, OpenFile, Session, State, rebuild_study
from microsafe.app.views.study import describe_variable, summarise_study
from microsafe.datasets import survey
from microsafe.errors import InputError
from microsafe.io import can_read, finish_sets, write
from microsafe.io.codebook import EXTENSIONS
from microsafe.plan.model import Input
from microsafe.progress import Progress, silent
from microsafe.studies.declarations import read_declarations
from microsafe.studies.study import Study
from microsafe.variables.decide import reasons_to_keep
from microsafe.variables.profile import VariableProfile

DEMO = "microsafe-demo"


def list_files(request: Request[BrowseQuery, None]) -> Listing:
    """List a folder."""
    query = request.query
    wanted = {"data": can_read, "plan": is_plan, "codebook": is_codebook}[query.files]
    return request.session.folders.list_folder(query.folder, query.path, wanted)


def open_file(request: Request[None, OpenRequest]) -> StudySummary:
    """Open a file below one of the folders named at start."""
    body = request.body
    path = request.session.folders.find_file(body.folder, body.path)
    said = {word: value for word, value in asdict(body).items() if word not in ("folder", "path")}
    enter_file(request.session, Input(file=str(path), **said), progress=request.progress)
    return summarise_study(request)


def join_file(request: Request[None, JoinRequest]) -> StudySummary:
    """Open the file again with the households of its persons; the session starts anew."""
    body, session = request.body, request.session
    opened, _ = session.current_file()
    path = session.folders.find_file(body.folder, body.path)
    given = replace(opened.input, join=str(path), on=body.on, join_sheet=body.sheet, join_sha256="")
    enter_file(session, given, progress=request.progress)
    return summarise_study(request)


def open_demo(request: Request[None, None]) -> StudySummary:
    """Open the synthetic survey; make it first if it is not there."""
    with request.session.folders.make_folder(0, DEMO) as folder:
        path = folder / "survey.sav"
        if path.is_symlink():
            raise Refusal(403, "Symbolic links are not followed.", "Remove survey.sav there.")
        if not path.exists():
            request.progress("making a survey", 0.0)
            made = survey()
            write(made.frame, made.schema, path)
    enter_file(request.session, Input(file=str(path)), progress=request.progress)
    return summarise_study(request)


def resume_session(request: Request[None, None]) -> StudySummary:
    """Resume the earlier session on this file."""
    session = request.session
    opened, data = session.current_file()
    if session.state.saved is None or session.journal_file is None:
        raise Refusal(409, "There is no earlier session on this file.")
    journal, _ = session.state.saved
    session.enter_file(session.journal_file, restore_state(opened, data, journal, request.progress))
    return summarise_study(request)


def is_plan(path: Path) -> bool:
    """Tell whether a file is a plan, by its name."""
    return path.suffix == ".toml"


def is_codebook(path: Path) -> bool:
    """Tell whether a file may be a codebook, by its name."""
    return path.suffix.lower() in EXTENSIONS


def list_variables(request: Request[None, None]) -> Variables:
    """Return what is in the file."""
    return request.session.current_file()[0].variables


def show_variable(request: Request[NameQuery, None]) -> VariableProfile:
    """Return one variable as it now is."""
    name = request.query.name
    private = request.session.is_private(name)
    return describe_variable(request.session.study(), name, request.progress, private=private)


def enter_file(
    session: Session,
    given: Input,
    *,
    codebook: Path | None = None,
    resuming: bool = False,
    progress: Progress = silent,
) -> None:
    """Open a file for the session, and resume the earlier session on it if asked to.

    A codebook says what variables are, unless a session is resumed, which knows it.

    Raises:
        InputError: The file cannot be read, it is open in another window, or it has
            changed since the session was saved.
    """
    path = Path(given.file).resolve()
    given = replace(given, file=str(path))
    finish_sets(path.parent)
    here = session.state.opened is not None and session.state.opened.path == path
    journal_file = (
        session.journal_file if here and session.journal_file is not None else JournalFile(path)
    )
    try:
        opened, data = read_file(given, progress)
        journal = journal_file.read()
        if resuming:
            if journal is None:
                raise InputError(
                    f"There is no session on {path.name} to resume. Start without --resume."
                )
            if journal.plan.input.sha256 != opened.sha256:
                raise InputError(
                    f"{path.name} has changed since the session was saved: its checksum differs. "
                    "Restore the file, or start without --resume."
                )
            state = restore_state(opened, data, journal, progress)
        else:
            same = journal is not None and journal.plan.input.sha256 == opened.sha256
            saved = (journal, journal_file.path.stat().st_mtime) if journal and same else None
            if codebook is not None:
                _, said = read_declarations(codebook, data.schema)
                opened, data = read_again(opened, data, opened.input, said, progress)
            state = State(opened=opened, study=data, saved=saved)
    except BaseException:
        if journal_file is not session.journal_file:
            journal_file.close()
        raise
    session.enter_file(journal_file, state)


def restore_state(opened: OpenFile, data: Study, journal: Journal, progress: Progress) -> State:
    """Return the state that a journal tells of."""
    plan = journal.plan
    opened, data = read_again(opened, data, plan.input, plan.variables, progress)
    made = rebuild_study(data, plan.scenarios, plan.steps, progress)
    reasons = reasons_to_keep(plan.keep)
    state = State(
        opened=opened,
        study=made,
        policy=plan.policy,
        limit=journal.limit,
        household_limit=journal.household_limit,
        limits=journal.limits,
        household_limits=journal.household_limits,
        confirmed=min(journal.confirmed, len(made.steps)),
        plans={name: CandidatePlan(steps=steps) for name, steps in journal.candidates.items()},
        proposed=journal.proposed,
        keep={name: why for name, why in reasons.items() if why},
        keep_order=plan.output.keep_order,
        cover=plan.report,
        uses=plan.utility,
    )
    return state if journal.shuffle is None else replace(state, shuffle=journal.shuffle)
