"""The study at a glance, one variable of it, and the plan that it amounts to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes

from microsafe import __version__
from microsafe.app.messages import MOST_CATEGORIES
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.study import (
    FileInfo,
    PlanInfo,
    Remark,
    SavedSession,
    StepTaken,
    StudySummary,
)
from microsafe.app.request import Request
from microsafe.app.session import OpenFile, State, original_scenarios, safe_name
from microsafe.options.declaration import RoleDefaults
from microsafe.options.parameter import secrets
from microsafe.options.profiles import name_profile
from microsafe.progress import Progress
from microsafe.risk import Notice
from microsafe.steps.base import AppliedStep, Step
from microsafe.studies.categories import count_categories
from microsafe.studies.study import Study
from microsafe.variables.profile import VariableProfile

_KEY = token_bytes(32)


def summarise_study(request: Request[object, object]) -> StudySummary:
    """Return the state of the session."""
    state, folders = request.session.state, request.session.folders
    opened, study = state.opened, state.study
    return build_message(
        StudySummary,
        state,
        version=__version__,
        profile=name_profile(state.cover.release_type),
        folders=tuple(str(root) for root in folders.roots),
        file=None if opened is None else _describe_file(opened),
        names=() if study is None else study.schema.names,
        scenarios=() if study is None else original_scenarios(study),
        steps=() if study is None else list_steps(study),
        proposed=state.propose is not None,
        plans=tuple(
            PlanInfo(name=name, steps=tuple(step.in_words() for step in plan.steps))
            for name, plan in state.plans.items()
        ),
        keep=state.kept,
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
        joined=Path(opened.input.join or "").name,
    )


def _mark_metadata(opened: OpenFile) -> str:
    """Tell ways to read a file apart."""
    said = repr((opened.input, *opened.declarations.items()))
    return blake2b(said.encode(), digest_size=8).hexdigest()


def _describe_saved(state: State) -> SavedSession | None:
    if state.saved is None:
        return None
    journal, when = state.saved
    plan = journal.plan
    keys = plan.scenarios[0].keys if plan.scenarios else ()
    return SavedSession(keys=keys, steps=len(plan.steps), declared=len(plan.variables), saved=when)


def list_steps(study: Study) -> tuple[StepTaken, ...]:
    """Return the steps of a study and what they did."""
    return tuple(describe_step(number, done) for number, done in enumerate(study.steps, 1))


def describe_step(number: int, done: AppliedStep) -> StepTaken:
    """Return one step and what it did; numbers of records stay here."""
    return build_message(
        StepTaken,
        done,
        number=number,
        results=tuple(done.step.results(done)),
        draw=_mark_draw(done.step),
    )


def _mark_draw(step: Step) -> str:
    """Tell draws of different seeds apart, while nobody can find out a seed from it."""
    seeds = [getattr(step, name) for name in secrets(type(step))]
    return blake2b(repr(seeds).encode(), key=_KEY, digest_size=8).hexdigest() if seeds else ""


def make_remarks(notices: Iterable[Notice]) -> tuple[Remark, ...]:
    """Return notices as messages."""
    return tuple(build_message(Remark, notice) for notice in notices)


def describe_variable(
    study: Study, name: str, progress: Progress, *, private: bool
) -> VariableProfile:
    """Return a variable as it now is.

    Args:
        study: That has it.
        name: Of the variable.
        progress: Progress callback.
        private: Whether its values tell people apart, as numbers of households do.
    """
    table = count_categories(
        study.engine, name, most=MOST_CATEGORIES, private=private, progress=progress
    )
    return replace(table, bins=() if table.categories else table.bins)
