"""Plans that can be opened: each is a study with its steps taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from microsafe.compare.cost_figures import LossByUses
from microsafe.compare.household_separation import count_rejoined
from microsafe.compare.use_loss import measure_uses
from microsafe.display import show_percent
from microsafe.options.policy import HOUSEHOLD_RULES, REJOIN, Verdict
from microsafe.options.reason import PROPOSED
from microsafe.progress import Progress, silent
from microsafe.propose.lattice import NodePlan
from microsafe.propose.problem import SearchProblem
from microsafe.sentences import Sentence
from microsafe.steps.base import Step
from microsafe.studies.measure import MeasureVerbs
from microsafe.studies.policy_rules import measure_rules

AnyStudy = TypeVar("AnyStudy", bound=MeasureVerbs)

_SEVERAL = 1.2  # values a record, from which on the number is told
_NUMBERS = (
    "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPlan:
    """What is known of a plan once its steps are taken.

    Attributes:
        expected: Expected re-identifications under the first scenario.
        verdicts: What the rules that were asked for say, one for each rule and scenario.
    """

    expected: float
    verdicts: tuple[Verdict, ...]

    @property
    def met(self) -> bool:
        """Whether every rule is met."""
        return all(verdict.met for verdict in self.verdicts)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Candidate(Generic[AnyStudy]):
    """A plan that may be taken.

    Attributes:
        start: The study that its steps are taken on.
        posed: The question that it answers.
        plan: Rungs, and what they cost.
        first: Steps by which the household number is left out, taken before all others; none if
            it stays.
        known: What is known of it, if it was run for that.
    """

    start: AnyStudy
    posed: SearchProblem
    plan: NodePlan
    first: tuple[Step, ...] = ()
    known: JudgedPlan | None = None

    @property
    def loss(self) -> float:
        """Plain loss: what recodes and blanks lose of what the keys tell, all keys alike."""
        return self.plan.loss if self.uses is None else self.uses.plain

    @property
    def loss_by_uses(self) -> float | None:
        """What they lose of the uses that matter; None if nobody said which do."""
        return None if self.uses is None else self.uses.loss

    @cached_property
    def uses(self) -> LossByUses | None:
        """The loss by uses, use by use, measured with the steps taken."""
        asked = self.posed.wish.uses
        return None if asked is None else measure_uses(self.start, self.study, asked)

    @property
    def touched(self) -> int:
        """Records that lose a value."""
        return self.plan.touched

    @property
    def blanks(self) -> int:
        """Values that are blanked."""
        return sum(self.plan.blanks)

    @property
    def blanks_by_key(self) -> Mapping[str, int]:
        """Values that are blanked, by key."""
        keys = self.posed.lattice.problem.cells.keys
        return dict(zip(keys, self.plan.blanks, strict=True))

    @property
    def recodes(self) -> Mapping[str, str]:
        """What becomes of each key that is recoded, in words."""
        ladders = self.posed.lattice.problem.ladders
        return {
            ladder.key: ladder.words[rung]
            for ladder, rung in zip(ladders, self.plan.rungs, strict=True)
            if rung
        }

    @property
    def words(self) -> str:
        """What it is, such as "three recodes and 212 blanks"."""
        recodes = len(self.recodes)
        number = _NUMBERS[recodes] if recodes < len(_NUMBERS) else f"{recodes:,}"
        first = f"{number} recode{'' if recodes == 1 else 's'}"
        many = f"{self.blanks:,}" if self.blanks else "no"
        without = "the household number left out, " if self.first else ""
        return f"{without}{first} and {many} blank{'' if self.blanks == 1 else 's'}"

    @property
    def measured(self) -> bool:
        """Whether its risk is known, which takes as long as taking its steps."""
        return self.known is not None or "judged" in vars(self)

    @property
    def sentence(self) -> str:
        """What it does, such as "age in bins of 5; 2.1 % of the records lose one value"."""
        ladders = self.posed.lattice.problem.ladders
        parts = ["the household number left out"] if self.first else []
        others = [step.in_words() for step in self.first[:-1]]
        parts += [f"so that members stay apart: {', '.join(others)}"] if others else []
        parts += [
            ladder.describe(rung)
            for ladder, rung in zip(ladders, self.plan.rungs, strict=True)
            if rung
        ]
        records = self.posed.lattice.records
        if self.touched:
            each = self.blanks / self.touched
            values = "one value" if self.blanks == self.touched else "a value or two"
            if each >= _SEVERAL:
                values = f"{each:.1f} values on average"
            lose = "loses" if self.touched == 1 else "lose"
            parts.append(f"{show_percent(self.touched / records)} of the records {lose} {values}")
        else:
            parts.append("no value is blanked")
        if self.measured:
            known = 1000 * self.expected / records
            parts.append(f"of 1,000 people {known:,.2g} could be recognised")
        return "; ".join(parts)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps, with the reason that they were chosen for: recodes, then blanks."""
        plain = self.posed.wish.uses is None
        why = Sentence(
            "because-proposed" if plain else "because-proposed-weighed",
            recodes=len(self.recodes), blanks=self.blanks, lost=self.plan.loss,
        )  # fmt: skip
        return (*self.first, *self.posed.steps(self.plan, why=f"{PROPOSED}: {why}"))

    @cached_property
    def study(self) -> AnyStudy:
        """The study with the steps taken."""
        return self.take()

    def take(self, progress: Progress = silent) -> AnyStudy:
        """Return the study with the steps taken."""
        made = self.start
        for step in self.steps:
            made = made.apply(step, progress=progress)
        return made

    def judge(self, progress: Progress = silent) -> None:
        """Take its steps and judge it, unless that was done; whoever interrupts that loses it."""
        if not self.measured:
            made = vars(self).get("study") or self.take(progress)
            vars(self)["judged"] = judge(self.posed, made, progress)
            vars(self)["study"] = made

    @cached_property
    def judged(self) -> JudgedPlan:
        """What is known of it once its steps are taken."""
        return self.known or judge(self.posed, self.study)

    @property
    def expected(self) -> float:
        """Expected re-identifications under the first scenario."""
        return self.judged.expected

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What the rules of the policy say of it, one for each rule and scenario."""
        return self.judged.verdicts

    @property
    def met(self) -> bool:
        """Whether every rule is met."""
        return self.judged.met

    @property
    def failing(self) -> tuple[str, ...]:
        """Rules that are not met, each once; none if that is not known."""
        failed = (verdict.rule for verdict in self.verdicts if not verdict.met)
        return tuple(dict.fromkeys(failed)) if self.measured else ()

    def __repr__(self) -> str:
        """Say what it is and what it costs."""
        how = "; ".join(f"{key}: {words}" for key, words in self.recodes.items())
        more = f" ({how})" if how else ""
        return f"{self.words}{more}, {self.touched:,} records, {self.lost_words}"

    @property
    def lost_words(self) -> str:
        """What is lost, in a few words: by uses and plain, if some uses matter."""
        return f"loss {show_percent(self.loss)}" if self.uses is None else self.uses.words

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "loss": self.loss,
            **({} if self.uses is None else {"loss_by_uses": self.uses.loss}),
            "uses": None if self.uses is None else self.uses.summary(),
            "expected": self.expected if self.measured else None,
            "blanks": self.blanks,
            "blanks_by_key": dict(self.blanks_by_key),
            "records": self.touched,
            "words": self.words,
            "sentence": self.sentence,
            "met": summarise_verdicts(self.verdicts) if self.measured else {},
            "steps": [step_table(step) for step in self.steps],
        }


def judge(posed: SearchProblem, study: MeasureVerbs, progress: Progress = silent) -> JudgedPlan:
    """Return what the rules that were asked for say of a study, by rule and scenario."""
    found: list[Verdict] = []
    expected: list[float] = []
    for scenario in study.scenarios:
        name = scenario.name
        asked = study._asked(name, posed.policy)
        by_home = any(rule in HOUSEHOLD_RULES for rule in asked.rules)
        seen = study if by_home else _look_at_records(study)
        risk = seen.risk(name, one_estimator=True, progress=progress)
        measured, note = measure_rules(study, name, risk, asked, progress=progress)
        found += asked.verdicts(name, measured, note=note)
        if posed.parted:
            together, _ = count_rejoined(study, progress=progress)
            found += asked.intruder_verdicts(name, {REJOIN: together}, {})
        expected.append(risk.expected)
    rules = {*posed.rules, *posed.parted}
    verdicts = tuple(verdict for verdict in found if verdict.rule in rules)
    return JudgedPlan(expected=expected[0], verdicts=verdicts)


def _look_at_records(study: AnyStudy) -> AnyStudy:
    """Return a study whose households are not measured, which takes its time.

    As of a file that was written without its household number, it is still known who was drawn
    together: the model of the population rests on that.
    """
    alone = tuple(replace(each, household=None) for each in study.scenarios)
    return replace(study, scenarios=alone, _written_by=study._written_by or study)


def step_table(step: Step) -> dict[str, Any]:
    """Return a step as a plan has it, for JSON: the fields that were given, and its words."""
    given = {
        field.name: _plain(getattr(step, field.name))
        for field in fields(step)  # type: ignore[arg-type]
        if getattr(step, field.name) not in (field.default, None, (), {}, "")
    }
    return {"do": step.do, "words": step.in_words(), **given}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def summarise_verdicts(verdicts: Sequence[Verdict]) -> Mapping[str, Mapping[str, Any]]:
    """Return by rule what was measured under the scenario that is worst off."""
    found: dict[str, Verdict] = {}
    for each in verdicts:
        held = found.get(each.rule)
        if held is None or (held.met and not each.met) or _is_worse(each, held):
            found[each.rule] = each
    return {
        rule: {"limit": value.limit, "value": value.value, "met": value.met}
        for rule, value in found.items()
    }


def _is_worse(one: Verdict, other: Verdict) -> bool:
    if one.met != other.met or one.value is None or other.value is None:
        return False
    return one.value < other.value if one.rule == "k" else one.value > other.value
