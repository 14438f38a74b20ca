"""Protect: try a step, take it, go back; recodes from and for mu-ARGUS."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from microsafe.app.folders import check_name
from microsafe.app.messages.message_builder import build_message
from microsafe.app.messages.numbers import describe_number
from microsafe.app.messages.protect import (
    FamilyList,
    FamilyRow,
    FormEntry,
    GrcStep,
    GrcText,
    GuaranteePrices,
    PreviewFigures,
    PriceRow,
    StepKind,
    StepKinds,
    SuggestedStep,
    SuggestionList,
)
from microsafe.app.messages.questions import (
    FamilyQuery,
    GrcRequest,
    RollbackRequest,
    ScenarioQuery,
    SuggestionQuery,
)
from microsafe.app.messages.study import StudySummary
from microsafe.app.request import Request
from microsafe.app.session import Session
from microsafe.app.views.study import (
    describe_step,
    describe_variable,
    make_remarks,
    summarise_study,
)
from microsafe.compare import guarantees
from microsafe.errors import UsageError
from microsafe.io.argus.grc import read_grc, write_grc
from microsafe.progress import Progress
from microsafe.steps import STEPS
from microsafe.steps.base import Step
from microsafe.steps.recode import Recode, grc_from_recode, recode_from_grc
from microsafe.steps.suppress.step import Suppress
from microsafe.studies.perturbed_keys import perturbed_words
from microsafe.studies.study import Study

_MOST_SUGGESTIONS = 50


def list_kinds(request: Request[None, None]) -> StepKinds:  # noqa: ARG001
    """Describe every kind of step, so that the page has a form for it."""
    return StepKinds(
        kinds=tuple(
            build_message(
                StepKind,
                kind,
                help=(kind.__doc__ or "").partition("\n")[0],
                term=kind.term.name,
                meaning=kind.term.meaning,
                touches=tuple(sorted(kind.touches)),
                fields=FormEntry.list_of(kind),
            )
            for kind in STEPS.values()
        )
    )


def preview_step(request: Request[ScenarioQuery, Step]) -> PreviewFigures:
    """Say what a step would do, and change nothing."""
    session, step = request.session, request.body
    study = session.study()
    after = _take_step(session, study, step, request.progress)
    scenario = study.scenario(request.query.scenario or None).name
    found = study.preview(
        after,
        scenario=scenario,
        limit=session.state.limit_of(scenario),
        progress=request.progress,
    )
    shown = None
    if step.subject:
        private = session.is_private(step.subject)
        shown = describe_variable(after, step.subject, request.progress, private=private)
    return build_message(
        PreviewFigures,
        found,
        step=describe_step(len(after.steps), after.steps[-1]),
        variable=shown,
        numbers=tuple(map(describe_number, found.numbers)),
        notices=make_remarks(notice for notice in after.notices if notice not in study.notices),
    )


def _take_step(session: Session, study: Study, step: Step, progress: Progress) -> Study:
    """Take a step; what was previewed last is not computed twice."""
    if session.last_preview is not None:
        before, after = session.last_preview
        if before is study and after.steps[-1].step == step:
            return after
    after = study.apply(step, progress=progress)
    session.last_preview = (study, after)
    return after


def price_guarantees(request: Request[None, Suppress]) -> GuaranteePrices:
    """Say what a suppression would cost under each guarantee, and change nothing."""
    study = request.session.study()
    study.scenario()  # there is one
    found = guarantees.price_guarantees(study, request.body, progress=request.progress)
    return GuaranteePrices(prices=tuple(map(_describe_price, found)))


def _describe_price(price: guarantees.GuaranteePrice) -> PriceRow:
    taken = price.taken
    return build_message(
        PriceRow,
        price,
        blanks=0 if taken is None else taken.total,
        records=0 if taken is None else taken.records,
        leaning=0 if taken is None else taken.leaning,
        stuck=0 if taken is None else taken.stuck,
    )


def measure_families(request: Request[FamilyQuery, None]) -> FamilyList:
    """Say what protects families, and change nothing."""
    query, study = request.query, request.session.study()
    found = study.family_measures(
        study.scenario(query.scenario or None).name,
        limit=query.limit,
        progress=request.progress,
    )
    return FamilyList(
        measures=tuple(
            build_message(
                FamilyRow,
                measure,
                unit="" if measure.found is None else measure.found.unit,
                expected=None if measure.found is None else measure.found.expected,
                above=None if measure.found is None else measure.found.above,
            )
            for measure in found
        )
    )


def apply_step(request: Request[None, Step]) -> StudySummary:
    """Take a step where it may stand; what is confirmed is so of the steps before it."""
    session, step = request.session, request.body
    study = session.study()
    if step.place == "first" and study.steps:
        after = study.insert(step, progress=request.progress)
    else:
        after = _take_step(session, study, step, request.progress)
    same = len(study.steps) if after.steps[: len(study.steps)] == study.steps else 0
    session.last_preview = None
    session.change_state(
        lambda state: replace(state, study=after, confirmed=min(state.confirmed, same))
    )
    return summarise_study(request)


def roll_back(request: Request[None, RollbackRequest]) -> StudySummary:
    """Go back to an earlier state."""
    to = request.body.to
    made = request.session.study(to)
    request.session.change_state(
        lambda state: replace(state, study=made, confirmed=min(state.confirmed, to))
    )
    return summarise_study(request)


def suggest_steps(request: Request[SuggestionQuery, None]) -> SuggestionList:
    """Return recodes that may be worth their loss."""
    study = request.session.study()
    scenario = study.scenario(request.query.scenario or None).name
    found = study.suggest(
        scenario,
        limit=request.session.state.limit_of(scenario),
        most=min(request.query.most, _MOST_SUGGESTIONS),
        progress=request.progress,
    )
    return SuggestionList(
        suggestions=tuple(
            build_message(SuggestedStep, preview, words=preview.step.in_words())
            for preview in found
        ),
        perturbed=perturbed_words(study, study.scenario(scenario)),
    )


def read_recode(request: Request[None, GrcRequest]) -> GrcStep:
    """Return the step that a recode of mu-ARGUS stands for."""
    given = request.body
    request.session.study().schema[given.variable]
    with TemporaryDirectory(prefix="microsafe-") as folder:
        path = Path(folder) / check_name(given.name)
        if given.codelist_name:
            beside = path.with_name(check_name(given.codelist_name))
            if beside == path:
                raise UsageError("The recode and its code list must have different names.")
            beside.write_text(given.codelist, "utf-8")
        path.write_text(given.text, "utf-8")
        found = read_grc(path)
    return GrcStep(
        step=recode_from_grc(found, given.variable),
        notices=tuple(notice.text for notice in found.notices),
    )


def export_recode(request: Request[None, Recode]) -> GrcText:
    """Return a recode as files of mu-ARGUS."""
    with TemporaryDirectory(prefix="microsafe-") as folder:
        path = Path(folder) / "recode.grc"
        write_grc(grc_from_recode(request.body), path)
        codelist = path.with_suffix(".cdl")
        labels = codelist.read_bytes().decode() if codelist.exists() else ""
        return GrcText(
            name=path.name,
            text=path.read_bytes().decode(),
            codelist_name=codelist.name if labels else "",
            codelist=labels,
        )
