"""What protects families at less cost than blanks, with the figures of this file.

Each measure is a step or two. It is taken on the file as it would be without any blank, and whoever
knows a family is played on what comes out: as the family intruder where the household number goes
out, else as the re-joiner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from microsafe.display import show_number, show_percent
from microsafe.engine import Engine
from microsafe.errors import MicrosafeError, UsageError
from microsafe.intruders import (
    FamilyIntruder,
    IntruderResult,
    KeysIntruder,
    RejoinIntruder,
    play_intruder,
)
from microsafe.options.policy import REJOIN_LIMIT
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.results import ResultTable, find_labels
from microsafe.sentences import Sentence
from microsafe.steps import Drop, Members, Noise, Recode, Step, Suppress
from microsafe.studies.attacked_file import AttackedStudy
from microsafe.studies.core import StudyCore
from microsafe.svg import draw_bars
from microsafe.variables.roles import guess_roles

_WIDTHS = (10, 20)  # years of an age band


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyMeasure:
    """What one way to protect families does, found by whoever knows them.

    Attributes:
        words: What is done.
        steps: To be taken, in this order; none for the file as it is.
        refusal: Why they cannot be taken; empty if they can.
        found: What somebody finds who knows families, or persons where nobody sees families.
        rejoined: Share of the members of households that can be put together again; None where
            the household number goes out.
        rejoined_by: By what.
        blanks: Values that are blanked.
        met: Whether limits are met; None if there is none.
    """

    words: str
    steps: tuple[Step, ...] = ()
    refusal: str = ""
    found: IntruderResult | None = None
    rejoined: float | None = None
    rejoined_by: tuple[str, ...] = ()
    blanks: int = 0
    met: bool | None = None

    @property
    def share(self) -> float | None:
        """Share of the households, or of the persons, who are found."""
        if self.found is None or self.found.expected is None or not self.found.units:
            return None
        return self.found.expected / self.found.units

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        found = self.found
        return {
            "steps": [step.do for step in self.steps],
            "words": self.words,
            "refusal": self.refusal,
            "unit": None if found is None else found.unit,
            "expected": None if found is None else found.expected,
            "share": self.share,
            "largest": None if found is None else found.largest,
            "above": None if found is None else found.above,
            "rejoined": self.rejoined,
            "rejoined_by": list(self.rejoined_by),
            "blanks": self.blanks,
            "met": self.met,
        }


class FamilyMeasures(ResultTable[FamilyMeasure]):
    """Ways to protect families side by side; apply the `steps` of one to take it."""

    title = "What protects families, before any blank"
    headings = ("what is done", "found", "share", "above", "put together again", "blanks", "limit")
    right = (1, 2, 3, 4, 5)

    def _cells(self) -> list[tuple[str, ...]]:
        return [(row.words, *_show(row)) for row in self]

    def _picture(self) -> str:
        bars = [
            (row.words, row.share, show_percent(row.share)) for row in self if row.share is not None
        ]
        return draw_bars("Share of households or persons who are found", bars)

    def _remarks(self) -> Sequence[str]:
        refused = [f"{row.words}: {row.refusal}" for row in self if row.refusal]
        joined = [
            f"{row.words}: members are put together by {', '.join(row.rejoined_by)}"
            for row in self
            if row.rejoined_by
        ]
        return (*joined, *refused)

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {"families": [row.summary() for row in self]}


def _show(row: FamilyMeasure) -> tuple[str, ...]:
    found = row.found
    if found is None or found.expected is None:
        return "–", "–", "–", "–", "–", "not possible"
    return (
        f"{show_number(found.expected)} {found.unit}",
        "–" if row.share is None else show_percent(row.share),
        "–" if found.above is None else f"{found.above:,}",
        "–" if row.rejoined is None else show_percent(row.rejoined),
        f"{row.blanks:,}" if row.blanks else "–",
        "none" if row.met is None else "met" if row.met else "not met",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyLimits:
    """What protects families well enough.

    Attributes:
        risk: Largest risk of a household, or of a person where nobody sees households; None if
            there is no limit.
        rejoin: Largest share of the members who may be put together again.
    """

    risk: float | None = None
    rejoin: float = REJOIN_LIMIT


def measure_families(
    study: StudyCore,
    scenario: str | None = None,
    *,
    limits: FamilyLimits,
    seed: int = 0,
    progress: Progress = silent,
) -> FamilyMeasures:
    """Try what protects families, and blanks beside it if there is a limit on their risk.

    Args:
        study: Data and scenarios; what was suppressed counts as shown.
        scenario: Name of the scenario; the first if None.
        limits: What is well enough.
        seed: Of steps that draw.
        progress: Progress callback.

    Raises:
        UsageError: The scenario names no household.
    """
    start = _restore_number(study._without_suppression(progress=progress), scenario, progress)
    chosen = start.scenario(scenario)
    trial = _Trial(study=start, scenario=chosen.name, limits=limits, progress=progress)
    about = _find_meanings(start._before().engine)
    rows = [trial.take(Sentence("family-nothing"))]
    rows += _broaden(trial, start.engine, chosen, about)
    rows += _drop_number(trial, chosen, about.get("household size", ()), seed)
    rows += _keep_members(trial, chosen, about, seed)
    if limits.risk is not None:
        words = Sentence("family-blanks", limit=limits.risk)
        rows.append(trial.take(words, Suppress(household=limits.risk)))
    return FamilyMeasures(rows, labels=find_labels(study.schema, chosen.keys))


def _restore_number(study: StudyCore, scenario: str | None, progress: Progress) -> StudyCore:
    """Return the study without the steps by which the household number went.

    Raises:
        UsageError: The scenario never named one.
    """
    if study.scenario(scenario).household is not None:
        return study
    made = study.rollback(0)
    for taken in study.steps:
        after = made.apply(taken.step, progress=progress)
        goes = made.scenario(scenario).household and not after.scenario(scenario).household
        made = made if goes else after
    if made.scenario(scenario).household is None:
        raise UsageError(
            f"Scenario {made.scenario(scenario).name!r} names no household. Name the variable with "
            "its number (household, --household)."
        )
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """A study on which measures are tried."""

    study: StudyCore
    scenario: str
    limits: FamilyLimits
    progress: Progress

    def take(self, words: str, *steps: Step) -> FamilyMeasure:
        """Take steps, and play who knows families on what comes out."""
        self.progress("trying what protects families", 0.0)
        try:
            made = self.study
            for step in steps:
                made = made.insert(step, progress=self.progress)
            return self._measure(made, words, steps)
        except MicrosafeError as error:
            if not steps:
                raise
            return FamilyMeasure(words=words, steps=steps, refusal=str(error))

    def _measure(self, made: StudyCore, words: str, steps: tuple[Step, ...]) -> FamilyMeasure:
        risk = self.limits.risk
        asked = {} if risk is None else {"household_risk": risk}
        file = AttackedStudy(made, self.scenario, limits=asked, progress=self.progress)
        family, rejoin = (play_intruder(kind(), file) for kind in (FamilyIntruder, RejoinIntruder))
        found = next((result for result in (family, rejoin) if not result.not_tried), None)
        if found is None:  # nobody is seen with anybody
            found = play_intruder(KeysIntruder(), file)
        rejoined = None if found is family else rejoin.figures.get("rejoin")
        told = [notice.figures["names"] for notice in rejoin.notices if notice.id == "rejoined"]
        return FamilyMeasure(
            words=words,
            steps=steps,
            found=found,
            rejoined=rejoined,
            rejoined_by=tuple(told[0]) if told and found is rejoin else (),
            blanks=sum(taken.total for taken in made.steps),
            met=self._is_met(found, rejoined),
        )

    def _is_met(self, found: IntruderResult, rejoined: float | None) -> bool | None:
        if rejoined is not None:
            return rejoined <= self.limits.rejoin
        if self.limits.risk is None or found.largest is None:
            return None
        return found.largest <= self.limits.risk


def _find_meanings(engine: Engine) -> Mapping[str, Sequence[str]]:
    """Return variables by what they are about."""
    found: dict[str, list[str]] = {}
    for guess in guess_roles(engine.schema, engine.traits(), engine.rows()):
        found.setdefault(guess.meaning, []).append(guess.name)
    return found


def _broaden(
    trial: _Trial, engine: Engine, scenario: Scenario, about: Mapping[str, Sequence[str]]
) -> Iterator[FamilyMeasure]:
    """Put ages that are numbers in broader bands, if they have more values than there are bands."""
    for name in about.get("age", ()):
        if name not in scenario.keys or engine.schema[name].kind not in ("integer", "number"):
            continue
        ages = np.array(engine.values(name).to_list(), np.float64)
        for width in _WIDTHS:
            breaks = np.arange(ages.min() // width * width, ages.max() + 1, width)
            if 1 < len(breaks) < len(ages):
                words = Sentence("family-ages", key=name, width=width)
                yield trial.take(words, Recode(name, breaks=tuple(map(int, breaks))))


def _drop_number(
    trial: _Trial, scenario: Scenario, sizes: Sequence[str], seed: int
) -> Iterator[FamilyMeasure]:
    """Drop the household number; the size too; and what else puts members together again."""
    assert scenario.household is not None  # noqa: S101
    hidden: tuple[str, ...] = (scenario.household,)
    last = trial.take(_say_dropped(hidden), Drop(hidden))
    yield last
    if sizes:
        hidden = (*hidden, *sizes)
        last = trial.take(_say_dropped(hidden), Drop(hidden, from_keys=True))
        yield last
    more = tuple(
        name for name in last.rejoined_by if name not in (*hidden, *scenario.keys, scenario.weight)
    )
    weighed = scenario.weight is not None and scenario.weight in last.rejoined_by
    if last.met is not False or not (more or weighed):
        return
    words, drop = _say_dropped((*hidden, *more)), Drop((*hidden, *more), from_keys=True)
    if weighed and scenario.weight is not None:
        noisy = Sentence("family-noise", name=scenario.weight)
        words = Sentence("and", first=words, second=noisy)
        yield trial.take(words, drop, Noise((scenario.weight,), seed=seed))
    else:
        yield trial.take(words, drop)


def _keep_members(
    trial: _Trial, scenario: Scenario, about: Mapping[str, Sequence[str]], seed: int
) -> Iterator[FamilyMeasure]:
    """Keep the two oldest, without the size of the household, or one person."""
    assert scenario.household is not None  # noqa: S101
    weight = scenario.weight or "weight"
    number = scenario.household
    sizes = tuple(about.get("household size", ()))
    for age in about.get("age", ())[:1]:
        oldest = Members("oldest", seed=seed, household=number, age=age, weight=weight)
        if sizes:
            words = Sentence("and", first=oldest.in_words(), second=_say_dropped(sizes))
            yield trial.take(words, oldest, Drop(sizes, from_keys=True))
        else:
            yield trial.take(oldest.in_words(), oldest)
    one = Members("one", seed=seed, household=number, weight=weight)
    yield trial.take(one.in_words(), one)


def _say_dropped(names: Sequence[str]) -> Sentence:
    return Sentence("family-drop", names=list(names))
