"""The study at a glance, one variable of it, and the plan that it amounts to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes
from typing import cast

from microsafe import __version__
from microsafe.app.messages import MOST_CATEGORIES
from microsafe.app.messages.study import (
    Category,
    FileInfo,
    KeyValue,
    PlanInfo,
    Remark,
    SavedSession,
    StepTaken,
    StudySummary,
    VariableDetail,
)
from microsafe.app.request import Request
from microsafe.app.session import OpenFile, State, original_scenarios
from microsafe.codes import spell_code
from microsafe.io.formats import find_stem, writable_extension
from microsafe.options.declaration import RoleDefaults
from microsafe.options.parameter import secrets
from microsafe.options.reading import Decimal
from microsafe.plan.model import Input, Output, Plan
from microsafe.plan.scaffold import relative_path
from microsafe.progress import Progress
from microsafe.risk import Notice
from microsafe.steps.base import AppliedStep, Step
from microsafe.studies.categories import count_categories, spell_labels
from microsafe.studies.study import Study

_KEY = token_bytes(32)


def summarise_study(request: Request[object, object]) -> StudySummary:
    """Return the state of the session."""
    state, folders = request.session.state, request.session.folders
    opened, study = state.opened, state.study
    return StudySummary(
        revision=state.revision,
        version=__version__,
        folders=tuple(str(root) for root in folders.roots),
        file=None if opened is None else _describe_file(opened),
        names=() if study is None else study.schema.names,
        scenarios=() if study is None else original_scenarios(study),
        policy=state.policy,
        limit=state.limit,
        household_limit=state.household_limit,
        limits=state.limits,
        household_limits=state.household_limits,
        steps=() if study is None else list_steps(study),
        confirmed=state.confirmed,
        proposed=state.propose is not None,
        plans=tuple(
            PlanInfo(name=name, steps=tuple(step.in_words() for step in each.steps))
            for name, each in state.plans.items()
        ),
        keep=state.kept,
        keep_order=state.keep_order,
        cover=state.cover,
        uses=state.uses,
        notices=() if study is None else make_remarks(study.notices),
        saved=_describe_saved(state),
        roles=RoleDefaults() if study is None else study.roles,
    )


def _describe_file(opened: OpenFile) -> FileInfo:
    return FileInfo(
        name=opened.path.name,
        folder=str(opened.path.parent),
        size=opened.stamp[0],
        sha256=opened.sha256,
        records=opened.variables.records,
        safe_name=safe_name(opened.path),
        metadata=_mark_metadata(opened),
        declared=len(opened.declarations),
        joined=Path(opened.reading.join).name,
    )


def _mark_metadata(opened: OpenFile) -> str:
    """Tell ways to read a file apart."""
    said = repr((opened.reading, *opened.declarations.items()))
    return blake2b(said.encode(), digest_size=8).hexdigest()


def _describe_saved(state: State) -> SavedSession | None:
    if state.saved is None:
        return None
    journal, when = state.saved
    keys = journal.scenarios[0].keys if journal.scenarios else ()
    return SavedSession(
        keys=keys, steps=len(journal.steps), declared=len(journal.declarations), saved=when
    )


def list_steps(study: Study) -> tuple[StepTaken, ...]:
    """Return the steps of a study and what they did."""
    return tuple(describe_step(number, done) for number, done in enumerate(study.steps, 1))


def describe_step(number: int, done: AppliedStep) -> StepTaken:
    """Return one step and what it did; numbers of records stay here."""
    return StepTaken(
        number=number,
        step=done.step,
        words=done.words,
        blanks=done.blanks,
        total=done.total,
        records=done.records,
        stuck=done.stuck,
        leaning=done.leaning,
        readable=done.readable,
        results=tuple(done.step.results(done)),
        draw=_mark_draw(done.step),
    )


def _mark_draw(step: Step) -> str:
    """Tell draws of different seeds apart, while nobody can find out a seed from it."""
    seeds = [getattr(step, name) for name in secrets(type(step))]
    return blake2b(repr(seeds).encode(), key=_KEY, digest_size=8).hexdigest() if seeds else ""


def make_remarks(notices: Iterable[Notice]) -> tuple[Remark, ...]:
    """Return notices as messages."""
    return tuple(Remark(topic=each.topic, text=each.text) for each in notices)


def safe_name(path: Path) -> str:
    """Return a name for the safe file: of the same format, if that can be written."""
    return f"{find_stem(path)}-safe{writable_extension(path)}"


def build_plan(state: State, folder: Path, output: Output) -> Plan:
    """Return the plan of a session, with names relative to a folder."""
    opened, study = state.opened, state.study
    assert opened is not None  # noqa: S101
    assert study is not None  # noqa: S101
    reading = opened.reading
    return Plan(
        input=Input(
            file=relative_path(opened.path, folder),
            sha256=opened.sha256,
            meta=relative_path(Path(reading.meta), folder) if reading.meta else "",
            encoding=reading.encoding,
            separator=reading.separator,
            comment=reading.comment,
            na=reading.na,
            sheet=reading.sheet,
            decimal=cast("Decimal | None", reading.decimal),
            thousands=reading.thousands,
            join=relative_path(Path(reading.join), folder) if reading.join else "",
            on=reading.on,
            join_sheet=reading.join_sheet,
            join_sha256=reading.join_sha256,
        ),
        variables=study.declarations,
        scenarios=original_scenarios(study),
        policy=state.policy,
        propose=state.propose,
        steps=tuple(done.step for done in study.steps),
        keep=state.kept,
        report=state.cover,
        utility=state.uses,
        output=replace(
            output,
            shuffle=None if state.keep_order else state.shuffle,
            keep_order=state.keep_order,
        ),
    )


def describe_variable(
    study: Study, name: str, progress: Progress, *, private: bool
) -> VariableDetail:
    """Return a variable as it now is.

    Args:
        study: That has it.
        name: Of the variable.
        progress: Progress callback.
        private: Whether its values tell people apart, as numbers of households do.
    """
    variable = study.schema[name]
    table = count_categories(
        study.engine, name, most=MOST_CATEGORIES, private=private, progress=progress
    )
    labels = spell_labels(variable)
    return VariableDetail(
        name=name,
        label=variable.label,
        kind=variable.kind,
        numeric=table.numeric,
        total=table.distinct,
        categories=tuple(
            Category(code=each.code, label=each.label, records=each.records)
            for each in table.categories
        ),
        bins=() if table.categories else table.bins,
        missing=table.missing,
        missing_codes=tuple(
            KeyValue(code=code, label=labels.get(code, ""))
            for code in map(spell_code, variable.missing)
        ),
    )
