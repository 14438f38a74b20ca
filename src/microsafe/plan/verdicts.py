"""Judge a release: compare what was measured with the policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from microsafe.compare.family_protection import FamilyMeasures
from microsafe.engine.contract import NO_RECORDS
from microsafe.errors import InputError
from microsafe.intruders import (
    FamilyIntruder,
    GuesserIntruder,
    IntruderTable,
    MethodIntruder,
    RejoinIntruder,
)
from microsafe.options.policy import FILE_RULES, REJOIN_LIMIT, Policy, Verdict
from microsafe.options.reason import read_reason
from microsafe.plan.model import Plan
from microsafe.plan.release import Release
from microsafe.progress import Progress, silent
from microsafe.risk import RecoverableBlanks, Risk, TellingVariables
from microsafe.sentences import Sentence
from microsafe.steps import Suppress
from microsafe.studies.policy_rules import measure_rules
from microsafe.studies.study import Study
from microsafe.studies.telling_variables import find_telling_variables
from microsafe.variables.inventory import Inventory

# Why the model does not say what it expects in a file in which `cell` is often too low, by notice.
_UNTOLD = {
    "model-none": "no-estimate",
    "model-skipped": "not-fitted",
}
_SAME = 1e-9  # relative difference of weights that formats may cause


def judge_inventory(plan: Plan, found: Inventory) -> Verdict:
    """Say whether all variables, and the order of the records, were decided on."""
    out = plan.output
    order = out.shuffle is None and not read_reason(
        out.keep_order, "to keep the order of the records"
    )
    note = ""
    if found.open:
        note = Sentence("names-and-order" if order else "names", names=found.open)
    elif order:
        note = Sentence("order")
    return plan.policy.inventory_verdict(len(found.open) + order, note)


def judge_guesses(plan: Plan, found: RecoverableBlanks | str | None) -> list[Verdict]:
    """Say whether too many suppressed values can be guessed, if the policy has a rule on that."""
    if plan.policy.given_away is None:
        return []
    if isinstance(found, str):
        return [plan.policy.given_away_verdict(None, found)]
    return [plan.policy.given_away_verdict(0.0 if found is None else found.share)]


def find_telling(data: Study, progress: Progress) -> TellingVariables | str:
    """Find variables that tell of changed keys, if there is room for it."""
    try:
        return find_telling_variables(data, progress=progress)
    except InputError as error:
        reason: str = error.args[0]  # a sentence keeps its id
        return reason


def judge_telling(plan: Plan, found: TellingVariables | str, table: IntruderTable) -> list[Verdict]:
    """Say whether what goes out gives a changed key back, if any key was changed.

    A variable may determine it; else guesses may find many more records than keys do. What there
    was no room to look at is not met: a limit on memory is no way around the rule.
    """
    if isinstance(found, Sentence):  # records are elsewhere, which the report says
        return []
    if isinstance(found, str):
        return [replace(plan.policy.telling_verdict(0.0, found), value=None)]
    if not found.keys:
        return []
    for row in table:
        reason = row.now.not_tried
        # Intruders who do not apply say so by a sentence, engines by an error.
        if row.name == GuesserIntruder.name and reason and not isinstance(reason, Sentence):
            return [replace(plan.policy.telling_verdict(found.share, reason), value=None)]
    named = [f"{row.words} → {row.key}" for row in found.determining]
    note = Sentence("determining", pairs=named) if named else ""
    guessed = [
        plan.policy.guesses_verdict(str(row.scenario), row.now.figures, row.now.found)
        for row in table.tried
        if row.name == GuesserIntruder.name and row.met is False
    ]
    return [plan.policy.telling_verdict(found.share, note), *([] if named else guessed)]


def judge_risks(
    plan: Plan,
    risks: Mapping[str, Risk],
    data: Study,
    table: IntruderTable,
    *,
    progress: Progress = silent,
) -> list[Verdict]:
    """Compare every scenario with every rule of the policy, and `cell` with the model.

    Args:
        plan: Has the policy.
        risks: As measured, by scenario.
        data: What was measured; the risk of the file is estimated only if a rule is about it.
        table: Who could recognise whom; those who decide a rule were tried.
        progress: Progress callback.
    """
    verdicts = []
    for name, risk in risks.items():
        asked = data._asked(name, plan.policy)
        measured, note = measure_rules(data, name, risk, asked, progress=progress)
        told = asked.verdicts(name, measured, note=note)
        verdicts += [_say_origin(_say_before(verdict, risk), plan) for verdict in told]
        verdicts += asked.intruder_verdicts(name, table.measured(name), table.reasons(name))
        verdicts += _judge_gaps(asked, risk)
        verdicts += _judge_estimator(plan, name, risk)
    return verdicts


def _judge_estimator(plan: Plan, scenario: str, risk: Risk) -> list[Verdict]:
    """Say whether the estimator `cell` may not decide: the model says more, or cannot say."""
    told = {notice.id for notice in risk.notices}
    untold = next((Sentence(why) for each, why in _UNTOLD.items() if each in told), "")
    if risk.scenario.estimator != "cell" or (risk.ratio is None and not untold):
        return []
    verdict = plan.policy.estimator_verdict(scenario, risk.ratio, untold)
    return [] if verdict.met else [verdict]


def _say_before(verdict: Verdict, risk: Risk) -> Verdict:
    """Say that a count is that of the file before keys were perturbed: it means nothing after."""
    if risk.perturbed is None or verdict.rule not in ("k", *FILE_RULES) or verdict.note:
        return verdict
    return replace(verdict, note=Sentence("before-perturbation", words=risk.perturbed.words))


def _say_origin(verdict: Verdict, plan: Plan) -> Verdict:
    """Say that a limit on records is one on households, whose number was dropped."""
    rule = plan.policy.find_origin(verdict)
    return replace(verdict, note=Sentence("limit-of-households", rule=rule)) if rule else verdict


def _judge_gaps(asked: Policy, risk: Risk) -> list[Verdict]:
    """Say whether what the policy asks of records is met only because keys are missing."""
    told, weighed = (risk.gaps.get(str(rule)) for rule in (risk.scenario.missing, "expected"))
    if told is None or weighed is None:
        return []
    one, other = (
        {"record_risk": figures.max, "expected": figures.expected, "rate": figures.rate}
        for figures in (told, weighed)
    )
    verdict = asked.gaps_verdict(risk.scenario.name, one, other)
    return [] if verdict is None else [verdict]


def measure_refused_families(release: Release, progress: Progress) -> dict[str, FamilyMeasures]:
    """Try what protects families under scenarios of which a rule about them is not met.

    Blanks for families tell who knows the method that the family was rare, so his rule counts, too.
    """
    rules = {*FamilyIntruder.rules, *RejoinIntruder.rules}
    blanking = Suppress.find_taken(release.study.steps)
    if any(step.household is not None and taken.total for step, taken in blanking):
        rules.update(MethodIntruder.rules)
    refused = [verdict for verdict in release.verdicts if verdict.rule in rules and not verdict.met]
    if NO_RECORDS in release.study.engine.gaps:
        return {}
    found = {}
    for name in dict.fromkeys(verdict.scenario for verdict in refused):
        limits = release.plan.policy.rules_of(name)
        found[name] = release.study.family_measures(
            name,
            limit=limits.get("household_risk"),
            rejoin=limits.get("rejoin", REJOIN_LIMIT),
            progress=progress,
        )
    return found


def shows_released(data: Study, written: Study, name: str) -> bool:
    """Tell whether keys or weights that were changed were written so: risk is that of others."""
    scenario = replace(data.scenario(name), attack="all")
    if data._perturbation is None or not data._perturbation.concerns(scenario):
        return True
    ours = data.engine.cells(scenario)
    theirs = written.engine.cells(scenario).coded_as(ours).project(ours.keys)[0]
    return (
        np.array_equal(ours.count, theirs.count)
        and all(map(np.array_equal, ours.codes, theirs.codes))
        and np.allclose(ours.weight, theirs.weight, rtol=_SAME, atol=0.0)
    )
