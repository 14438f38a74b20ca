"""Measure what the rules of a policy are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microsafe.errors import NoEstimateError
from microsafe.options.policy import FILE_RULES, Policy
from microsafe.progress import Progress, silent
from microsafe.sentences import Sentence
from microsafe.studies.measure import MeasureVerbs

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import Risk


def measure_rules(
    data: MeasureVerbs, scenario: str, risk: Risk, policy: Policy, *, progress: Progress = silent
) -> tuple[dict[str, float | None], str]:
    """Return what was measured by rule, None where it cannot be, and why there is no estimate.

    Args:
        data: What was measured; the risk of the file is estimated only if a rule is about it.
        scenario: Name of the scenario.
        risk: As measured under it.
        policy: Has the rules.
        progress: Progress callback.
    """
    home = risk.household
    measured: dict[str, float | None] = {
        "record_risk": max(risk.max, 0.0 if risk.views is None else float(risk.views.max())),
        "expected": risk.expected,
        "rate": risk.rate,
        "household_risk": None if home is None else home.max,
        "household_rate": None if home is None else home.rate,
        "expected_households": None if home is None else home.expected_households,
        "k": float(risk.measured.f.min()),
    }
    if not policy.asks_of_file:
        return measured, ""
    found, note = _measure_file(data, scenario, progress)
    return measured | found, note


def _measure_file(
    data: MeasureVerbs, scenario: str, progress: Progress
) -> tuple[dict[str, float | None], str]:
    """Estimate the risk of the file as a whole, and say why if that is not possible.

    Blanks say nothing of the population. Where there are some, those count who are alone with what
    they still show, by the model of the file without blanks.
    """
    weighted = data.scenario(scenario).weight is not None
    if weighted and data._is_blanked(scenario):
        try:
            alone, tau1, tau2 = data.tau(scenario, progress=progress)
        except NoEstimateError as error:
            return dict.fromkeys(FILE_RULES), error.args[0]
        return {"tau1": tau1, "tau1_share": tau1 / alone if alone else 0.0, "tau2": tau2}, ""
    # Without a weight the file is the population, as it is for the risk of records.
    fraction = None if weighted else 1.0
    whole = data.file_risk(scenario, fraction=fraction, opinions=(), progress=progress)
    note = whole.opinion.remark or Sentence("no-estimate")
    return {"tau1": whole.tau1, "tau1_share": whole.share_unique, "tau2": whole.tau2}, note
