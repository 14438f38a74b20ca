"""What an intruder is. Each kind is one file that holds all that is known and said of it.

A scenario says who and which keys; an intruder says what he makes of them. He has the file as it
will be written before him. The office, which counts how often he is right, has the original.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Cells, Index
from microsafe.notices import Notice
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.schema import Schema
from microsafe.sentences import Sentence
from microsafe.steps.base import GlossaryTerm
from microsafe.sums import Floats, total

if TYPE_CHECKING:  # who measures a file does not wait for them
    from microsafe.risk import CellRisk, MeasuredFamilies, NumericRisk, Reference

Unit = Literal["persons", "households", "records"]
ChancesOf = Literal["cells", "households", "records"]

LEAST_RULES = ("k",)  # rules whose limit is the least that is allowed; others say the most


class AttackedFile(Protocol):
    """A file that will be written, under one scenario, and what the office knows of it.

    A study fills it. Whatever costs something is a method, asked for only by those who need it.
    Values by record come in input order, as codes: records with the same value have the same
    code, 0 is missing. An engine that has no records here answers those methods by raising; it is
    not asked if `Intruder.by_record` is looked at first.
    """

    @property
    def scenario(self) -> Scenario:
        """Who, which keys, and how risk is estimated."""

    @property
    def schema(self) -> Schema:
        """The variables that will be written; a household number that is dropped is not there."""

    @property
    def limits(self) -> Mapping[str, float]:
        """Limits of the policy for this scenario, by rule.

        A limit of `[policy.intruders]` stands under the name of its intruder.
        """

    @property
    def perturbed(self) -> tuple[str, ...]:
        """Variables whose values were perturbed (PRAM, swapping)."""

    @property
    def known_population(self) -> bool:
        """Whether F is counted in a known population instead of estimated."""

    @property
    def ordered(self) -> bool:
        """Whether records go out in the order in which they came."""

    @property
    def linking(self) -> Collection[str]:
        """Household numbers of all scenarios, which put members together where they go out."""

    def earlier(self) -> Sequence[AttackedFile] | None:
        """The file as it came, and as if nothing had been suppressed; nothing if it is the same.

        None if steps made the keys, so that nobody knows what they were before.
        """

    def afford_guesses(self, size: int) -> None:
        """Make room for tables of so many bytes that hidden keys are guessed by.

        Raises:
            InputError: There is none.
        """

    def told(self) -> Collection[str]:
        """Keys that were changed and of which variables that will be written tell much."""

    def sensitive(self) -> Sequence[str]:
        """Variables that will be written, that were called sensitive and are no keys."""

    def attribute(self, variable: str) -> tuple[Index, Index]:
        """What the file shows of a variable by record, and what is true, in one coding.

        Numbers are known by their quarter of the values shown; 0 is missing.
        """

    def measured(self) -> CellRisk:
        """Risk of every cell that is shown, by the estimator that decides."""

    def reference(self) -> Reference | None:
        """What risk by a model is looked up in; None if each cell stands for itself."""

    def population_uniques(self) -> float | None:
        """Records expected to be unique in the population by what they show (tau1 by the model).

        None if each cell stands for itself.
        """

    def whole(self) -> Cells:
        """Cells of the keys as if nothing had been suppressed, in the coding of `measured`.

        Recodes are done, and gaps that the file came with are gaps.
        """

    def views(self) -> ViewRisk | str:
        """Risk of cells among people who would be shown in the same way; else why nobody knows."""

    def shown(self, variable: str) -> Index:
        """What the file that will be written shows of a variable, by record."""

    def beginnings(self, variable: str) -> Iterator[Index]:
        """Codes by record of what is left of values without their ends, cut in several ways."""

    def unsuppressed(self, key: str) -> Index:
        """Codes of a key by record as in `shown`, as if nothing had been suppressed."""

    def kept(self, key: str) -> Floats:
        """Chance by record that a perturbed key is as it was; 1 where it is not shown."""

    def weights(self) -> Floats | None:
        """Sampling weight of each record; None if the file is treated as the population."""

    def households(self) -> Index | None:
        """Number of each record's household, from 0, in the order of `Engine.households`.

        None if the scenario names none. A record without an identifier is a household of one. They
        are those of the original, whether or not their number will be written.
        """

    def families(self) -> MeasuredFamilies | None:
        """Chances of households by the joint keys of their members, in the order of `households`.

        None if the scenario names no household. Of a very large file, unless they were measured
        anyway, those of some households that were drawn (`MeasuredFamilies.drawn`).
        """

    def record_risk(self) -> Floats:
        """Risk of each record, as in `measured`."""

    def numbers(self, progress: Progress = silent) -> NumericRisk | None:
        """Risk of the numbers that steps have changed; None if none were."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ViewRisk:
    """Risk of the records of each cell among people who would be shown in the same way.

    Attributes:
        risk: Of each cell.
        blanked: Which cells hold blanks.
        about: Whether it was learnt from the file who loses more than was decided.
    """

    risk: Floats
    blanked: NDArray[np.bool_]
    about: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntruderResult:
    """What an intruder would find in a file.

    Attributes:
        unit: What is counted.
        units: How many there are of them in the file.
        expected: How many he would find, on average; None if he was not tried.
        largest: Largest chance of one of them.
        above: How many have a chance above the limit; None without a limit.
        certain: How many he would find for certain, on average; None if nobody can say.
        figures: What was measured for each rule that he is judged by.
        chances: Chance of each cell, household or record, where there are any.
        chances_of: Which of them: cells in the order of `AttackedFile.measured`, households in
            that of `AttackedFile.households`, records in that of the input; persons of several
            waves are records in the order of their numbers.
        found: Further figures by name, for tables and the lock.
        notices: What to know before trusting the figures.
        share: Of the households that were looked at, drawn at random; 1 if all were.
        standard_error: Of `expected`, where not all were; None if all were.
        not_tried: Why he was not tried; empty if he was.
    """

    unit: Unit
    units: int = 0
    expected: float | None = None
    largest: float | None = None
    above: int | None = None
    certain: float | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    chances: Floats | None = None
    chances_of: ChancesOf = "records"
    found: Mapping[str, float] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    share: float = 1.0
    standard_error: float | None = None
    not_tried: str = ""

    def meets(self, rule: str, limit: float) -> bool:
        """Tell whether what was measured for a rule is within its limit."""
        value = self.figures[rule]
        return value >= limit if rule in LEAST_RULES else value <= limit


class Intruder(ABC):
    """Base of all intruders: frozen dataclasses, each field annotated by a `Parameter`.

    Attributes:
        name: In plans and on the command line.
        title: In tables, reports and the app.
        brief: What he knows, in half a line.
        knows: One sentence: who, knows what, of whom.
        assumes: What the figures rest on.
        term: Entry of the glossary.
        unit: What he finds.
        rules: Rules of the policy that he is judged by. The first limits the chance of one unit.
            One without rules is judged by `[policy.intruders]`, under his name.
        standing: Limits of rules that hold in every policy.
        needs_model: Whether profiles have a limit for him only under the estimator `model`.
        needs_household: Whether nothing can be said of him unless the scenario names a household.
        by_record: Whether he looks at values by record, so that cells are not enough.
        of_records: Whether he looks at single records, also where persons have several.
        when_perturbed: Whether he can be played where keys were perturbed.
        with_population: Whether he can be played where F is known.
        with_persons: Whether he can be played where persons have several records.
    """

    __slots__ = ()

    name: ClassVar[str]
    title: ClassVar[str]
    brief: ClassVar[str]
    knows: ClassVar[str]
    assumes: ClassVar[str]
    term: ClassVar[GlossaryTerm]
    unit: ClassVar[Unit]
    rules: ClassVar[tuple[str, ...]] = ()
    standing: ClassVar[Mapping[str, float]] = {}
    needs_model: ClassVar[bool] = False
    needs_household: ClassVar[bool] = False
    by_record: ClassVar[bool] = False
    of_records: ClassVar[bool] = False
    when_perturbed: ClassVar[bool] = True
    with_population: ClassVar[bool] = True
    with_persons: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        """Refuse a kind that lacks a part; a class without a name of its own is none yet."""
        if "name" not in cls.__dict__:
            return
        parts = ("name", "title", "brief", "knows", "assumes", "term", "unit", "__doc__")
        lacking = [part for part in parts if not getattr(cls, part, None)]
        if sys.flags.optimize > 1:  # then nothing has a docstring
            lacking = [part for part in lacking if part != "__doc__"]
        if getattr(cls.play, "__isabstractmethod__", False):
            lacking.append("play")
        if lacking:
            raise TypeError(f"The intruder {cls.__name__} lacks {', '.join(lacking)}.")

    @abstractmethod
    def play(self, file: AttackedFile, progress: Progress = silent) -> IntruderResult:
        """Try to find people in a file, and return how many would be found.

        It is a function of the file alone: the same file gives the same figures, in whatever order
        its records are.
        """

    @classmethod
    def judged_by(cls) -> tuple[str, ...]:
        """Return the names of the limits that he is judged by."""
        return cls.rules or (cls.name,)

    @classmethod
    def find_limit(cls, limits: Mapping[str, float]) -> float | None:
        """Return the largest chance that one unit may have; None if the policy does not say."""
        rule = cls.judged_by()[0]
        limit = limits.get(rule)
        if limit is None or rule not in LEAST_RULES:
            return limit
        return 1.0 / limit if limit else None

    @classmethod
    def skip(cls, reason: str, **figures: float) -> IntruderResult:
        """Return that he was not tried, and why.

        Args:
            reason: Why.
            **figures: What holds for his rules all the same: 0 where there is nothing to find.
        """
        return IntruderResult(unit=cls.unit, not_tried=reason, figures=figures)


def find_sum_error(values: Floats, share: float) -> float | None:
    """Return the standard error of a sum over all, known from a share of them drawn at random.

    Args:
        values: Of those drawn.
        share: Of all that they are.
    """
    if share >= 1.0 or len(values) < 2:
        return None
    return float(np.sqrt(len(values) * (1.0 - share)) * values.std(ddof=1) / share)


def find_reason_to_skip(kind: type[Intruder], file: AttackedFile) -> str:
    """Say why an intruder cannot be played on a file; empty if he can."""
    changed = [key for key in file.scenario.keys if key in file.perturbed]
    if changed and not kind.when_perturbed:
        one = len(changed) == 1
        return Sentence("key-perturbed" if one else "keys-perturbed", names=changed)
    if file.known_population and not kind.with_population:
        return Sentence("households-uncounted")
    return ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hits:
    """Chances of some units, each of which may stand for several.

    Attributes:
        chance: Of each.
        count: How many have it; one each if None.
    """

    chance: Floats
    count: NDArray[np.int64] | None = None

    @classmethod
    def of_cells(cls, chance: Floats, cells: Cells) -> Self:
        """Return the chances of the records of cells."""
        return cls(chance=chance, count=cells.members)

    @property
    def units(self) -> int:
        """How many units there are."""
        return len(self.chance) if self.count is None else int(self.count.sum())

    @property
    def expected(self) -> float:
        """How many are found, on average."""
        return total(self.chance if self.count is None else self.chance * self.count)

    @property
    def largest(self) -> float:
        """Largest chance; 0 if there is no unit."""
        return float(self.chance.max(initial=0.0))

    def count_above(self, limit: float | None) -> int | None:
        """How many units have a chance above a limit, if there is one."""
        if limit is None:
            return None
        above = self.chance > limit
        return int(np.count_nonzero(above) if self.count is None else self.count[above].sum())
