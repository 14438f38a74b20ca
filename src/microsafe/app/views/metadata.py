"""Variables: how the file is read, and what each variable is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import get_args

import numpy as np

from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.metadata import (
    Codebook,
    CodebookFile,
    CodebookFiles,
    CodebookQuery,
    CodebookRequest,
    DeclarationRequest,
    FileMetadata,
    MetadataRequest,
    MissingProposal,
    ReadingOption,
    VariableReading,
)
from microsafe.app.messages.study import StudySummary
from microsafe.app.reading import preview_reading, read_again
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import CandidatePlan, OpenFile, State, original_scenarios, rebuild_study
from microsafe.app.views.study import summarise_study
from microsafe.errors import MicrosafeError
from microsafe.io import list_sheets
from microsafe.io.codebook import declare_schema, format_codebook, read_codebook
from microsafe.io.formats import find_format, find_stem
from microsafe.options.declaration import Declaration, Declarations
from microsafe.options.reading import ReadingOptions
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Input
from microsafe.progress import Progress
from microsafe.studies.study import Study


def show_metadata(request: Request[None, None]) -> FileMetadata:
    """Return what is said so far, and what the values suggest."""
    opened, study = request.session.current_file()
    start = study.rollback(0)
    proposed = start.propose_declarations(progress=request.progress)
    return FileMetadata(
        reading=_tell_reading(opened.input),
        options=_list_options(opened.path),
        sheets=list_sheets(opened.path),
        declarations=opened.declarations,
        proposals=tuple(_list_proposals(start, proposed, request.progress)),
    )


def _list_proposals(
    start: Study, proposed: Declarations, progress: Progress
) -> Iterator[MissingProposal]:
    cells = start.engine.cells_each(
        [Scenario(keys=(name,)) for name in proposed], progress=progress
    )
    for (name, declaration), counted in zip(proposed.items(), cells, strict=True):
        known = start.schema[name].missing
        words = [str(word) for word in declaration.missing or () if word not in known]
        is_word = [False, *(text.strip() in words for text in counted.categories[0])]
        records = int(counted.count[np.array(is_word)[counted.codes[0]]].sum())
        yield MissingProposal(
            name=name, words=tuple(words), records=records, declaration=declaration
        )


def put_metadata(request: Request[None, MetadataRequest]) -> StudySummary:
    """Read the file so, and take all steps again; all of it or nothing."""
    session, body = request.session, request.body
    opened, study = session.current_file()
    reading = replace(opened.input, **asdict(body.reading))
    made, data = read_again(opened, study.rollback(0), reading, body.declarations, request.progress)
    scenarios = () if body.fresh else original_scenarios(study)
    steps = () if body.fresh else tuple(done.step for done in study.steps)
    try:
        changed = rebuild_study(data, scenarios, steps, request.progress)
    except MicrosafeError as error:
        raise Refusal(
            409,
            f"Scenarios and steps do not fit the file as it would be read: {error}",
            "Apply and start again, or change what does not fit. Nothing was changed.",
        ) from None
    session.change_state(lambda state: _move_state(state, made, changed, fresh=body.fresh))
    return summarise_study(request)


def preview_variable(request: Request[None, DeclarationRequest]) -> VariableReading:
    """Return one variable as it would be read."""
    session, body = request.session, request.body
    start = session.study(0)
    return preview_reading(
        start,
        body.name,
        body.declaration,
        request.progress,
        private=session.is_private(body.name),
    )


def import_codebook(request: Request[None, CodebookRequest]) -> Codebook:
    """Read what a codebook says of the variables of the file; nothing changes yet."""
    path = request.session.folders.find_file(request.body.folder, request.body.path)
    names = request.session.study(0).schema.names
    said = read_codebook(path)
    return Codebook(
        declarations={name: value for name, value in said.items() if name in names},
        unknown=tuple(name for name in said if name not in names),
    )


def export_codebook(request: Request[CodebookQuery, None]) -> CodebookFiles:
    """Return the codebook of the file as read and declared."""
    opened, study = request.session.current_file()
    start = study.rollback(0)
    told = declare_schema(start.schema, start.declarations)
    said = {name: _add_reading(value, start.declarations.get(name)) for name, value in told.items()}
    stem = find_stem(opened.path)
    name = f"{stem}-codebook.{request.query.format}"
    files = format_codebook(name, said, title=stem)
    return CodebookFiles(
        files=tuple(CodebookFile(name=each, text=text.decode()) for each, text in files.items())
    )


def _add_reading(told: Declaration, said: Declaration | None) -> Declaration:
    """Return what a codebook says of a variable of the input, with how its values are written."""
    if said is None:
        return told
    missing = told.missing if said.missing is None else said.missing
    return replace(
        told,
        missing=missing,
        decimal=said.decimal,
        thousands=said.thousands,
        dates=said.dates,
    )


def _tell_reading(given: Input) -> ReadingOptions:
    return build_message(ReadingOptions, given)


def _list_options(path: Path) -> tuple[ReadingOption, ...]:
    form = find_format(path)
    known = () if form is None else form.options
    return tuple(arg for arg in get_args(ReadingOption) if arg in known)


def _move_state(state: State, opened: OpenFile, made: Study, *, fresh: bool) -> State:
    """What was confirmed or proposed was so of other data, so it is not any more."""
    plans = {name: CandidatePlan(steps=plan.steps) for name, plan in state.plans.items()}
    state = replace(state, opened=opened, study=made, confirmed=0, plans=plans, proposed=())
    if not fresh:
        return state
    return State(
        opened=opened, study=made, policy=state.policy, cover=state.cover, shuffle=state.shuffle
    )
