"""Plans that can be opened: each is a study with its steps taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from microsafe.display import show_percent
from microsafe.measuring.rules import measure_rules
from microsafe.policy import Verdict
from microsafe.progress import Progress, silent
from microsafe.propose.nodes import NodePlan
from microsafe.propose.posing import Posed
from microsafe.risk import Risk
from microsafe.steps.base import Step

if TYPE_CHECKING:
    from microsafe.study import Study

_NUMBERS = (
    "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Candidate:
    """A plan that may be taken.

    Attributes:
        posed: The question that it answers.
        plan: Rungs, and what they cost.
    """

    posed: Posed
    plan: NodePlan

    @property
    def loss(self) -> float:
        """What recodes and blanks lose, as a share of what the keys tell."""
        return self.plan.loss

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
        return f"{first} and {many} blank{'' if self.blanks == 1 else 's'}"

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps, recodes first, with the reason that they were chosen for."""
        loss = show_percent(self.loss)
        return self.posed.steps(
            self.plan, why=f"chosen by microsafe propose: {self.words}, losing {loss}"
        )

    @cached_property
    def study(self) -> Study:
        """The study with the steps taken."""
        return self.take()

    def take(self, progress: Progress = silent) -> Study:
        """Return the study with the steps taken."""
        made = self.posed.start
        for step in self.steps:
            made = made.apply(step, progress=progress)
        return made

    @cached_property
    def risks(self) -> Mapping[str, Risk]:
        """Risk with the steps taken, by scenario."""
        return {each.name: self.study.risk(each.name, both=False) for each in self.study.scenarios}

    @property
    def expected(self) -> float:
        """Expected re-identifications under the first scenario."""
        return next(iter(self.risks.values())).expected

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What the rules of the policy say of it, one for each rule and scenario."""
        policy = self.posed.policy
        found: list[Verdict] = []
        for name, risk in self.risks.items():
            measured, note = measure_rules(self.study, name, risk, policy)
            found += policy.verdicts(name, measured, note=note)
        return tuple(each for each in found if each.rule in self.posed.rules)

    @property
    def met(self) -> bool:
        """Whether every rule is met."""
        return all(verdict.met for verdict in self.verdicts)

    def __repr__(self) -> str:
        """Say what it is and what it costs."""
        how = "; ".join(f"{key}: {words}" for key, words in self.recodes.items())
        more = f" ({how})" if how else ""
        return f"{self.words}{more}, {self.touched:,} records, loss {show_percent(self.loss)}"

    def summary(self) -> dict[str, Any]:
        """Return the figures that scripts rely on."""
        return {
            "loss": self.loss,
            "expected": self.expected,
            "blanks": self.blanks,
            "records": self.touched,
            "words": self.words,
            "steps": [step_table(step) for step in self.steps],
        }


def step_table(step: Step) -> dict[str, Any]:
    """Return a step as a plan has it, for JSON: the fields that were given, and its words."""
    given = {
        each.name: _plain(getattr(step, each.name))
        for each in fields(step)  # type: ignore[arg-type]
        if getattr(step, each.name) not in (each.default, None, (), {}, "")
    }
    return {"do": step.do, "words": step.in_words(), **given}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value
