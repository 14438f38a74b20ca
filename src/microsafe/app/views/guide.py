"""The guided way: the same study and the same plan, by five decisions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from microsafe.app.messages.guide import (
    GuideColumn,
    GuideFigures,
    GuidePlan,
    GuideProfile,
    GuideRequest,
    GuideWord,
)
from microsafe.app.messages.message_builder import build_message
from microsafe.app.reading import read_again
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import GuidedStudy, Session, State
from microsafe.app.views.study import summarise_study
from microsafe.guides.guide import Guide, begin_guide
from microsafe.guides.persons import tell_persons
from microsafe.options.profiles import PROFILES, find_profile
from microsafe.progress import Progress
from microsafe.propose.proposal import NAMES
from microsafe.schema import Code, Variable

_FIRST = 10  # records that are shown


def put_guide(request: Request[None, GuideRequest]) -> GuideFigures:
    """Take decisions otherwise; a file that nothing was done to is begun with."""
    session, asked = request.session, request.body
    guided = _find_guided(session)
    if guided is None and not asked.anew and session.study().steps:
        raise Refusal(
            409,
            "This study has steps that the five decisions do not show.",
            "Go on in All steps, or begin the five decisions anew.",
        )
    if guided is None or asked.anew:
        start = replace(session.study(0), scenarios=())
        guided = _enter(
            session, begin_guide(start, progress=request.progress), (), request.progress
        )
    guide = _take_decisions(guided.guide, asked, request.progress)
    if guide is not guided.guide:
        columns = () if asked.answer or asked.by_record else guided.columns
        guided = _enter(session, guide, columns, request.progress)
    return _describe_guide(request, guided)


def _take_decisions(guide: Guide, asked: GuideRequest, progress: Progress) -> Guide:
    if asked.answer:
        guide = guide.keep_word(asked.answer, progress)
    if asked.by_record:
        guide = guide.count_records(progress)
    if asked.profile is not None:
        guide = guide.for_profile(asked.profile, progress)
    if asked.keys is not None:
        guide = guide.with_keys(asked.keys, progress)
    if asked.move:
        guide = guide.move(asked.move, asked.place, asked.why.strip(), progress)
    return guide if asked.choice is None else guide.choose(asked.choice, progress)


def search_guide(request: Request[None, None]) -> GuideFigures:
    """Search for plans to choose from."""
    guided = _find_guided(request.session)
    if guided is None:
        raise Refusal(409, "The study was changed elsewhere.", "Begin the five decisions anew.")
    found = guided.guide.search(progress=request.progress)
    made = _enter(request.session, found, guided.columns, request.progress)
    return _describe_guide(request, made)


def _find_guided(session: Session) -> GuidedStudy | None:
    """Return the decisions, if the study is still what they make."""
    guided = session.guided
    if guided is None or guided.study is not session.state.study:
        return None
    session.current_file()
    return guided


def _enter(
    session: Session, guide: Guide, columns: tuple[GuideColumn, ...], progress: Progress
) -> GuidedStudy:
    """Make the study what the decisions say: as far as they are taken, until a plan is found."""
    opened, known = session.current_file()
    said = guide.study.declarations
    opened, _ = read_again(opened, known.rollback(0), opened.input, said, progress)
    made = guide.study
    for step in guide.steps if guide.plan else guide.first:
        made = made.apply(step, progress=progress)
    usual = find_profile(guide.profile)

    def change(state: State) -> State:
        return replace(
            state.for_profile(usual, guide.policy),
            opened=opened,
            study=made,
            confirmed=len(made.steps),
            proposed=(),
            keep=dict(guide.keep),
        )

    session.change_state(change)
    found = columns or _read_columns(session, guide)
    session.guided = GuidedStudy(guide=guide, study=made, columns=found)
    return session.guided


def _read_columns(session: Session, guide: Guide) -> tuple[GuideColumn, ...]:
    """Return the variables with the values of the first records.

    What tells people apart is masked, and stands last: it shows nothing.
    """
    study = guide.study
    left_out = set(guide.lists.names("out"))
    shown = [
        row.name
        for row in guide.inventory.rows
        if row.name not in left_out and not session.is_private(row.name)
    ]
    first = np.arange(
        min(_FIRST, study.engine.rows()), dtype=np.uint64
    )  # so that no others need be held
    table = study.engine.keep_records(first, weight=None, factor=np.ones(len(first))).table()
    rows = sorted(guide.inventory.rows, key=lambda row: row.name not in shown)
    return tuple(
        GuideColumn(
            name=row.name,
            label=row.label,
            kind="number" if row.numeric else row.kind,
            missing=row.missing,
            masked=row.name not in shown,
            values=tuple(_spell(study.schema[row.name], value) for value in table[row.name])
            if row.name in shown
            else (),
        )
        for row in rows
    )


def _spell(variable: Variable, value: Code | None) -> str:
    """Return a value as people read it: by its label if it has one."""
    if value is None:
        return ""
    plain = f"{value:g}" if isinstance(value, float) else str(value)
    return variable.labels.get(value, plain)


def _describe_guide(
    request: Request[None, GuideRequest] | Request[None, None], guided: GuidedStudy
) -> GuideFigures:
    guide = guided.guide
    scenario = guide.study.scenario()
    return build_message(
        GuideFigures,
        guide,
        study=summarise_study(request),
        revision=request.session.state.revision,
        records=guide.study.engine.rows(),
        columns=guided.columns,
        words=tuple(build_message(GuideWord, each) for each in guide.words),
        profiles=tuple(
            build_message(GuideProfile, each, limit=each.record_risk) for each in PROFILES.values()
        ),
        keys=scenario.keys,
        weight=scenario.weight,
        household=scenario.household,
        household_left_out=guide.household_left_out is not None,
        variables=guide.lists.variables,
        persons=tell_persons(guide.study),
        searched=bool(guide.words_found),
        plans=tuple(
            GuidePlan(name=name, touched=each.touched, loss=each.loss, sentence=each.sentence)
            for name in NAMES
            if (each := guide.plans.get(name)) is not None
        ),
        steps=tuple(done.step.in_words() for done in guided.study.steps),
    )
