"""What each guarantee of local suppression costs, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

import numpy as np

from microsafe.compare.step_loss import measure_mean
from microsafe.display import show_percent
from microsafe.errors import UsageError
from microsafe.options.suppression import Guarantee
from microsafe.progress import Progress, silent
from microsafe.results import ResultTable
from microsafe.risk import Risk
from microsafe.steps.base import AppliedStep
from microsafe.steps.suppress.step import Suppress
from microsafe.studies.measure import MeasureVerbs
from microsafe.svg import draw_bars

GUARANTEES: tuple[Guarantee, ...] = get_args(Guarantee)
_WEIGHED = " weighed"  # no scenario that a person names begins so


@dataclass(frozen=True, slots=True, kw_only=True)
class GuaranteePrice:
    """What suppression under one guarantee does.

    Attributes:
        guarantee: Its name.
        step: The suppression with it; None if it cannot be had.
        refusal: Why not.
        taken: What was blanked.
        lost: Share of the information lost, mean of the keys; each record counts once.
        guessed: Records that are unsafe if blanks count by what they hide, under the scenario in
            which most are; None unless all keys together are judged.
    """

    guarantee: Guarantee
    step: Suppress | None = None
    refusal: str = ""
    taken: AppliedStep | None = None
    lost: float = 0.0
    guessed: int | None = None


class PriceTable(ResultTable[GuaranteePrice]):
    """What each guarantee costs, side by side; apply the `step` of one to take it."""

    title = "What each guarantee costs"
    headings = ("guarantee", "blanks", "records changed", "lost", "only by others", "if guessed")
    right = (1, 2, 3, 4, 5)

    def _cells(self) -> list[tuple[str, ...]]:
        return [(price.guarantee, *_show(price)) for price in self]

    def _picture(self) -> str:
        bars = [
            (price.guarantee, price.taken.total, f"{price.taken.total:,}")
            for price in self
            if price.taken is not None
        ]
        return draw_bars("Blanks", bars)

    def _remarks(self) -> Sequence[str]:
        return [f"{price.guarantee}: {price.refusal}" for price in self if price.refusal]


def _show(price: GuaranteePrice) -> tuple[str, ...]:
    if price.taken is None:
        return ("–",) * 5
    return (
        f"{price.taken.total:,}",
        f"{price.taken.records:,}",
        show_percent(price.lost),
        f"{price.taken.leaning:,}",
        "–" if price.guessed is None else f"{price.guessed:,}",
    )


def price_guarantees(
    study: MeasureVerbs,
    step: Suppress,
    *,
    known: Mapping[Guarantee, MeasureVerbs] | None = None,
    only: tuple[Guarantee, ...] = GUARANTEES,
    progress: Progress = silent,
) -> Iterator[GuaranteePrice]:
    """Suppress under each guarantee, and say what it does.

    Args:
        study: Data and scenarios, not suppressed by the step yet.
        step: What to suppress, whatever its own guarantee is.
        known: Studies in which it was suppressed already, by guarantee.
        only: Guarantees to look at.
        progress: Progress callback.
    """
    for guarantee in only:
        try:
            asked = replace(step, guarantee=guarantee)
            after = (known or {}).get(guarantee) or study.apply(asked, progress=progress)
        except UsageError as error:
            yield GuaranteePrice(guarantee=guarantee, refusal=str(error))
            continue
        yield GuaranteePrice(
            guarantee=guarantee,
            step=asked,
            taken=after.steps[-1],
            lost=measure_mean(study, after, _list_keys(study, step)),
            guessed=count_guessed(after, step, progress),
        )


def _list_keys(study: MeasureVerbs, step: Suppress) -> tuple[str, ...]:
    """Return the keys of the scenarios that are met."""
    met = [
        scenario
        for scenario in study.scenarios
        if scenario.name in (step.scenarios or (scenario.name,))
    ]
    return tuple(dict.fromkeys(key for each in met for key in each.keys))


def count_guessed(study: MeasureVerbs, step: Suppress, progress: Progress = silent) -> int | None:
    """Return how many records fail if blanks count by what they hide; None where k is of few keys.

    Args:
        study: After the step.
        step: Says what is unsafe.
        progress: Progress callback.
    """
    if step.up_to or step.levels or step.household is not None:
        return None
    found = 0
    for scenario in study.scenarios:
        above, k = _limit_of(step.above, scenario.name), _limit_of(step.k, scenario.name)
        if scenario.name not in (step.scenarios or (scenario.name,)) or above is k is None:
            continue
        options: dict[str, Any] = asdict(scenario) | {"name": _WEIGHED + scenario.name}
        if scenario.estimator == "cell":  # the model knows what blanks hide
            options["missing"] = "expected"
        weighed = study.with_scenario(**options)
        risk = weighed.risk(options["name"], one_estimator=True, progress=progress)
        found = max(found, count_unsafe(risk, above, k, people=step.people))
    return found


def count_unsafe(risk: Risk, above: float | None, k: float | None, *, people: bool = False) -> int:
    """Return the number of records above a risk limit or in cells of fewer than k."""
    fails = np.zeros(len(risk.measured.f), np.bool_)
    if above is not None:
        fails |= risk.measured.risk > above
    if k is not None:
        fails |= (risk.measured.F if people else risk.measured.f) < k
    return risk.measured.count(fails)


def _limit_of(given: float | Mapping[str, float] | None, name: str) -> float | None:
    return given.get(name) if isinstance(given, Mapping) else given
