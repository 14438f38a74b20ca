"""Protect: try a step, take it, go back; recodes from and for mu-ARGUS."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from microsafe.app.folders import check_name
from microsafe.app.messages.numbers import describe_number, draw_number
from microsafe.app.messages.protect import (
    CorrelationEffect,
    GrcStep,
    GrcText,
    GuaranteePrices,
    InformationChange,
    PreviewFigures,
    PriceRow,
    StepField,
    StepKind,
    StepKinds,
    SuggestedStep,
    SuggestionList,
)
from microsafe.app.messages.questions import (
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
from microsafe.compare.preview import Preview
from microsafe.errors import UsageError
from microsafe.io.argus.grc import read_grc, write_grc
from microsafe.options.parameter import form_fields
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
            StepKind(
                do=kind.do,
                title=kind.title,
                help=(kind.__doc__ or "").partition("\n")[0],
                term=kind.term.name,
                meaning=kind.term.meaning,
                place=kind.place,
                touches=tuple(sorted(kind.touches)),
                fields=tuple(
                    StepField(
                        name=each.name,
                        control=each.control,
                        label=each.parameter.label,
                        help=each.parameter.help,
                        choices=each.parameter.choices,
                        numeric=each.parameter.numeric,
                        changed=each.parameter.changed,
                        ordered=each.parameter.ordered,
                        only_with=each.parameter.only_with,
                        way=each.parameter.way,
                        required=each.required,
                        default=each.default,
                    )
                    for each in form_fields(kind)
                ),
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
    return PreviewFigures(
        step=describe_step(len(after.steps), after.steps[-1]),
        before=found.before,
        after=found.after,
        information=_list_information(found),
        lost=found.lost,
        fall=found.fall,
        variable=shown,
        numbers=tuple(map(describe_number, found.numbers)),
        correlation=None
        if found.correlations is None
        else CorrelationEffect(
            largest=found.correlations.largest,
            where=found.correlations.where,
            weighted=found.correlations.weighted,
        ),
        pictures=tuple(map(draw_number, found.pictures)),
        notices=make_remarks(each for each in after.notices if each not in study.notices),
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


def _list_information(found: Preview) -> tuple[InformationChange, ...]:
    return tuple(
        InformationChange(
            variable=each.variable,
            bits_before=each.bits_before,
            bits_after=each.bits_after,
            lost=each.lost,
            share_lost=each.share_lost,
            categories_before=each.categories_before,
            categories_after=each.categories_after,
        )
        for each in found.information
    )


def price_guarantees(request: Request[None, Suppress]) -> GuaranteePrices:
    """Say what a suppression would cost under each guarantee, and change nothing."""
    study = request.session.study()
    study.scenario()  # there is one
    found = guarantees.price_guarantees(study, request.body, progress=request.progress)
    return GuaranteePrices(prices=tuple(map(_describe_price, found)))


def _describe_price(price: guarantees.GuaranteePrice) -> PriceRow:
    taken = price.taken
    return PriceRow(
        guarantee=price.guarantee,
        refusal=price.refusal,
        blanks=0 if taken is None else taken.total,
        records=0 if taken is None else taken.records,
        leaning=0 if taken is None else taken.leaning,
        stuck=0 if taken is None else taken.stuck,
        lost=price.lost,
        guessed=price.guessed,
    )


def apply_step(request: Request[None, Step]) -> StudySummary:
    """Take a step."""
    session = request.session
    after = _take_step(session, session.study(), request.body, request.progress)
    session.last_preview = None
    session.change_state(lambda state: replace(state, study=after))
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
            SuggestedStep(
                step=each.step,
                words=each.step.in_words(),
                before=each.before,
                after=each.after,
                information=_list_information(each),
                lost=each.lost,
                loss=each.loss,
                fall=each.fall,
                fall_per_loss=each.fall_per_loss,
            )
            for each in found
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
        notices=tuple(each.text for each in found.notices),
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
