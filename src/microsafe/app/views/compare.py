"""Compare: before and after, one candidate plan against another; confirm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from microsafe.app.ask import Ask
from microsafe.app.detail import labels_of
from microsafe.app.messages import MOST_ROWS, questions
from microsafe.app.messages import compare as told
from microsafe.app.messages.compare import (
    Cost,
    GroupRow,
    LossRow,
    MeanRow,
    PlanComparison,
    PlanFigures,
    RiskPair,
    TableRow,
)
from microsafe.app.messages.questions import ComparePlans, Named
from microsafe.app.messages.study import StudySummary
from microsafe.app.refusal import Refused
from microsafe.app.session import Candidate, Session, rebuilt, scenarios_of
from microsafe.app.views.risk import figures
from microsafe.app.views.study import summary, taken
from microsafe.compare import Comparison
from microsafe.compare.result import Means
from microsafe.errors import UsageError, did_you_mean
from microsafe.progress import Progress
from microsafe.study import Study

_MOST_PLANS = 20


def compare(ask: Ask[questions.Compare, None]) -> told.Comparison:
    """Compare an earlier state with the present one."""
    session, to = ask.session, ask.query.to
    study = session.study()
    before = study.before(to)
    left = [each.name for each in study.scenarios]
    return told.Comparison(
        to=to,
        risks=tuple(
            RiskPair(
                scenario=name,
                before=figures(session, before, name, ask.progress),
                after=figures(session, study, name, ask.progress),
            )
            for name in left
        ),
        cost=_cost(study.compare(to, by=ask.query.by, progress=ask.progress), before),
    )


def _cost(found: Comparison, before: Study) -> Cost:
    tables = [*found.one_way(), *found.two_way()[:MOST_ROWS]]
    hit = found.touched
    return Cost(
        records=found.records,
        blanks=found.blanks,
        replaced=hit.values - found.blanks,
        touched=hit.records,
        touched_weight=hit.weight,
        losses=tuple(
            LossRow(
                name=each.name,
                key=each.key,
                known=each.known,
                blanks=each.blanks,
                blank_share=each.blank_share,
                replaced=each.replaced,
                categories=each.categories,
                categories_after=each.categories_after,
                entropy=each.entropy,
                lost=each.lost,
                lost_share=each.lost_share,
                dropped=each.dropped,
            )
            for each in found.losses
        ),
        groups=_groups(found, before),
        tables=tuple(
            TableRow(
                names=each.names,
                cells=each.cells,
                lost=each.lost,
                largest=each.largest,
                where=each.where,
                mean=each.mean,
                hellinger=each.hellinger,
            )
            for each in tables
        ),
        tables_left_out=len(found.tables) - len(tables),
        means=tuple(_means(found.means))[:MOST_ROWS],
        dropped=found.dropped,
        notes=found.notes,
    )


def _groups(found: Comparison, before: Study) -> tuple[GroupRow, ...]:
    return tuple(
        GroupRow(
            name=each.name,
            by=each.by,
            category=each.category,
            label=labels_of(before.schema[each.by]).get(each.category, ""),
            known=each.known,
            blanks=each.blanks,
            share=each.share,
        )
        for each in found.worst_groups(MOST_ROWS)
    )


def _means(found: Sequence[Means]) -> Iterator[MeanRow]:
    for each in found:
        mean, total = each.worst("mean_change"), each.worst("total_change")
        yield MeanRow(
            name=each.name,
            by=each.by,
            mean_change=None if mean is None else mean.mean_change,
            mean_where="" if mean is None else mean.category,
            total_change=None if total is None else total.total_change,
            total_where="" if total is None else total.category,
        )


def confirm(ask: Ask[None, None]) -> StudySummary:
    """Confirm the steps taken so far."""
    number = len(ask.session.study().steps)
    ask.session.change(lambda state: replace(state, confirmed=number))
    return summary(ask)


def keep(ask: Ask[None, Named]) -> StudySummary:
    """Keep the present steps as a candidate."""
    name, study = ask.body.name.strip(), ask.session.study()
    if not name or len(name) > 80:
        raise UsageError("A candidate plan needs a name of 1 to 80 characters.")
    plans = dict(ask.session.state.plans)
    plans[name] = Candidate(steps=tuple(done.step for done in study.steps), study=study)
    if len(plans) > _MOST_PLANS:
        raise Refused(409, f"There are {_MOST_PLANS} candidates already.", "Delete one first.")
    ask.session.change(lambda state: replace(state, plans=plans))
    return summary(ask)


def delete(ask: Ask[Named, None]) -> StudySummary:
    """Forget a candidate."""
    _candidate(ask.session, ask.query.name)
    plans = {name: each for name, each in ask.session.state.plans.items() if name != ask.query.name}
    ask.session.change(lambda state: replace(state, plans=plans))
    return summary(ask)


def use(ask: Ask[None, Named]) -> StudySummary:
    """Go over to a candidate; its steps are to be confirmed anew."""
    made = _study(ask.session, ask.body.name, ask.progress)
    ask.session.change(lambda state: replace(state, study=made, confirmed=0))
    return summary(ask)


def compare_plans(ask: Ask[ComparePlans, None]) -> PlanComparison:
    """Put two candidates side by side."""
    one, other = (_plan(ask, name) for name in (ask.query.one, ask.query.other))
    return PlanComparison(one=one, other=other)


def _plan(ask: Ask[ComparePlans, None], name: str) -> PlanFigures:
    session = ask.session
    study = _study(session, name, ask.progress) if name else session.study()
    return PlanFigures(
        name=name,
        steps=taken(study),
        risks=tuple(figures(session, study, each.name, ask.progress) for each in study.scenarios),
        cost=_cost(study.compare(progress=ask.progress), study.before()),
    )


def _candidate(session: Session, name: str) -> Candidate:
    plans = session.state.plans
    if name not in plans:
        raise Refused(404, f"There is no candidate plan {name!r}.{did_you_mean(name, plans)}")
    return plans[name]


def _study(session: Session, name: str, progress: Progress) -> Study:
    """Return the study of a candidate, and keep it once it was made."""
    found, now = _candidate(session, name), session.study()
    if found.study is None:
        found.study = rebuilt(now, scenarios_of(now), found.steps, progress)
    return found.study
