"""Playing intruders on a study, before and after protection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from microsafe.engine.contract import NO_RECORDS
from microsafe.errors import InputError, NoEstimateError
from microsafe.intruders import (
    INTRUDERS,
    LEAST_RULES,
    NOT_PLAYED,
    FamilyIntruder,
    Intruder,
    IntruderResult,
    IntruderRow,
    IntruderTable,
    KeysIntruder,
    UnplayedIntruder,
    check_limits,
    judge_row,
    order_rows,
    play_intruder,
)
from microsafe.intruders.base import Hits, Unit
from microsafe.options.policy import Policy
from microsafe.progress import Progress, silent
from microsafe.results import find_labels
from microsafe.risk import Risk
from microsafe.sentences import Sentence
from microsafe.studies.attacked_file import AttackedStudy
from microsafe.studies.core import StudyCore

Choice = Callable[[type[Intruder]], bool]
Risks = Mapping[str, Risk]


def play_intruders(
    study: StudyCore,
    scenarios: Sequence[str],
    *,
    policy: Policy,
    now: Risks | None = None,
    before: Risks | None = None,
    choose: Choice | None = None,
    ordered: bool = False,
    progress: Progress = silent,
) -> IntruderTable:
    """Play intruders on a study, under some scenarios.

    Args:
        study: Whose file is attacked.
        scenarios: Their names.
        policy: Whose limits they are judged by.
        now: Risk by scenario, where it was measured.
        before: The same of the study before protection.
        choose: Which intruders are played, the others are left out; all if None.
        ordered: Whether records go out in the order in which they came.
        progress: Progress callback.
    """
    check_limits(policy)
    kinds = [kind for kind in INTRUDERS.values() if choose is None or choose(kind)]
    rows = []
    for place, name in enumerate(scenarios):
        limits = study._asked(name, policy).rules_of(name)
        start = _attack_start(study, name, limits, before, progress)
        attacked = _attack(study, name, limits, now, progress, start=start, ordered=ordered)
        for done, kind in enumerate(kinds):
            progress("playing intruders", (place + done / len(kinds)) / len(scenarios))
            if kind.of_records and attacked.of_persons:
                alone = AttackedStudy(study, name, limits=limits, progress=progress)
                rows.append(_play(kind, alone, None, progress))
            else:
                rows.append(_play(kind, attacked, start, progress))
    untried = [_name_unplayed(each) for each in NOT_PLAYED] if choose is None else []
    variables = [name for scenario in scenarios for name in study.scenario(scenario).variables]
    return IntruderTable([*order_rows(rows), *untried], find_labels(study.schema, variables))


def decides(study: StudyCore, policy: Policy) -> Choice:
    """Return which intruders decide a rule of a policy, as it is asked of a study."""
    asked = {
        rule for scenario in study.scenarios for rule in study._asked(scenario.name, policy).rules
    }
    return lambda kind: bool(kind.standing) or not asked.isdisjoint(kind.judged_by())


def costs_little(measured: Risk) -> Choice:
    """Return which intruders cost next to nothing once risk is measured, families maybe with it."""
    families = measured.household is not None and measured.household.unique is not None
    return lambda kind: not kind.by_record or (families and kind is FamilyIntruder)


def _attack(
    study: StudyCore,
    scenario: str,
    limits: Mapping[str, float],
    risks: Risks | None,
    progress: Progress,
    *,
    start: AttackedStudy | None = None,
    ordered: bool = False,
) -> AttackedStudy:
    """Take a study as the file that is attacked, with the risk that was measured of it."""
    known = (risks or {}).get(scenario)
    attack = partial(
        AttackedStudy, study._of(scenario), limits=limits, ordered=ordered, progress=progress
    )
    made = attack(scenario, known=known, start=start)
    panel = study._of(scenario)._panel
    names = () if panel is None else panel.by_wave.get(scenario, ())
    if names:
        made.take_waves(study.scenario(scenario), [attack(name) for name in names])
    return made


def _attack_start(
    study: StudyCore,
    scenario: str,
    limits: Mapping[str, float],
    risks: Risks | None,
    progress: Progress,
) -> AttackedStudy | None:
    """Take the study before protection; None if nothing was done, or the keys were not there."""
    start, chosen = study._before(), study.scenario(scenario)
    if len(start.steps) == len(study.steps):
        return None
    if all(each.name != scenario for each in start.scenarios):  # added after some steps
        if any(name not in start.schema for name in chosen.variables):
            return None
        start = replace(start, scenarios=(*start.scenarios, chosen))
    return _attack(start, scenario, limits, risks, progress)


def _play(
    kind: type[Intruder], file: AttackedStudy, start: AttackedStudy | None, progress: Progress
) -> IntruderRow:
    """Play an intruder before and after protection."""
    now = _try_waves(kind, file, progress)
    before = None if start is None or now.not_tried else _try_waves(kind, start, progress)
    return IntruderRow(
        name=kind.name,
        title=kind.title,
        knows=kind.knows,
        scenario=file.scenario.name,
        unit=_find_unit(kind, file),
        now=now,
        before=None if before is None or before.not_tried else before,
        **judge_row(kind, now, file.limits),
    )


def _try_waves(kind: type[Intruder], file: AttackedStudy, progress: Progress) -> IntruderResult:
    """Play an intruder in each wave by itself, who finds each person in the riskiest of them."""
    if not file.waves or kind is KeysIntruder:  # whose figures are joined person by person anyhow
        return _try(kind, file, progress)
    results = [_try(kind, each, progress) for each in file.waves]
    first = next((each for each in results if each.not_tried), results[0])
    chances = [each.chances for each in results if each.chances is not None]
    if first.not_tried:
        return first
    hits = Hits(chance=file.find_riskiest(chances))
    certain = [each.certain for each in results if each.certain is not None]
    return replace(
        first,
        units=hits.units,
        expected=hits.expected,
        largest=hits.largest,
        above=hits.count_above(kind.find_limit(file.limits)),
        certain=max(certain) if len(certain) == len(results) else None,
        figures={
            rule: (min if rule in LEAST_RULES else max)(each.figures[rule] for each in results)
            for rule in first.figures
        },
        chances=hits.chance,
        chances_of="records",
        found={name: max(each.found[name] for each in results) for name in first.found},
        notices=tuple({notice.text: notice for r in results for notice in r.notices}.values()),
    )


def _find_unit(kind: type[Intruder], file: AttackedStudy) -> Unit:
    """Return what an intruder finds: persons where each has several records."""
    return "persons" if file.of_persons and kind.unit == "records" else kind.unit


def _try(kind: type[Intruder], file: AttackedStudy, progress: Progress) -> IntruderResult:
    """Play an intruder, unless there are no records, no room for them or no estimate."""
    if kind.by_record and NO_RECORDS in file.engine.gaps:
        return kind.skip(Sentence("records-apart"))
    if file.of_persons and kind.needs_household:
        return kind.skip(Sentence("untried-panel"))
    if file.of_persons and not kind.with_persons:
        return kind.skip(Sentence("persons-together"))
    if not kind.of_records:
        file.measured()  # without that there is no table at all
    try:
        if kind.by_record:
            file.afford_records()
        found = play_intruder(kind(), file, progress=progress)
        return replace(found, unit=_find_unit(kind, file))
    except (InputError, NoEstimateError) as error:
        return kind.skip(error.args[0])


def _name_unplayed(each: UnplayedIntruder) -> IntruderRow:
    result = IntruderResult(unit="records", not_tried=each.reason)
    return IntruderRow(
        name=each.name, title=each.title, knows=each.knows, scenario=None, unit=None, now=result
    )
