"""One variable, whatever is known of it: all lists of variables show some columns of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from microsafe.codes import missing_texts
from microsafe.options.declaration import Declaration, Type
from microsafe.schema import Kind, Measure, Role, Variable
from microsafe.sentences import Sentence
from microsafe.variables.decide import Decision
from microsafe.variables.groups import GROUPS, Group, Way, find_group
from microsafe.variables.recognise import Finding

_UNDECIDED = Decision(role="undecided")


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryCount:
    """A category, and how many records have it.

    Attributes:
        code: As in the file.
        label: What it means; empty if nothing tells.
        records: That have it.
        weighted: People they stand for; None if nobody asked, or without a weight.
    """

    code: str
    label: str
    records: int
    weighted: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Records with a number from `low` (included) to `high` (not included)."""

    low: float
    high: float
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableProfile:
    """One variable. What nobody looked at has its default.

    Attributes:
        name: Of the variable.
        label: What it means.
        kind: How its values are stored.
        measure: Level of measurement as the file declares it.
        distinct: Different values that are not missing.
        missing: Records in which it is missing.
        missing_codes: Codes that mean so.
        numeric: Whether all its values are numbers, or spell one.
        numbers: Records with a number, if it is text and holds numbers mostly; None otherwise.
        texts: Records with another text then.
        categories: The values that occur, in order; none if they are too many or would tell people
            apart.
        bins: The same of numbers.
        type: What it is, as declared or found.
        declaration: What is said of it so far.
        proposed: What the values suggest to declare.
        why_proposed: Why that is proposed.
        fault: Why its values are not what they are declared to be.
        role: What it is for, as declared or guessed.
        meaning: What it is about, in words; empty if nothing tells.
        sensitive: Whether people have a right that it stays with them.
        reason: What role and meaning were recognised by; never a value.
        place: Its place among the keys that are proposed, from 1; None if it is none of them.
        combinations: Of this key and those before it, as many as occur.
        uniques: Share of the records that are alone with theirs, missing being a category.
        adds: How much of that share this key adds to those before it.
        findings: What makes it delicate.
        decision: What becomes of it.
        barred: Whether it is a direct identifier that goes out without a reason.
        changed: Whether a step changed values of it.
        homes: Whether households of a scenario are counted by it.
    """

    name: str
    label: str = ""
    kind: Kind = "text"
    measure: Measure = "unknown"
    distinct: int = 0
    missing: int = 0
    missing_codes: tuple[str, ...] = ()
    numeric: bool = False
    numbers: int | None = None
    texts: int | None = None
    categories: tuple[CategoryCount, ...] = ()
    bins: tuple[Bin, ...] = ()
    type: Type | None = None
    declaration: Declaration | None = None
    proposed: Declaration | None = None
    why_proposed: str = ""
    fault: str = ""
    role: Role = "other"
    meaning: str = ""
    sensitive: bool = False
    reason: str = ""
    place: int | None = None
    combinations: int | None = None
    uniques: float | None = None
    adds: float | None = None
    findings: tuple[Finding, ...] = ()
    decision: Decision = _UNDECIDED
    barred: bool = False
    changed: bool = False
    homes: bool = False

    @property
    def mixture(self) -> str:
        """How many records hold what, if it is of mixed kinds; empty otherwise."""
        if self.numbers is None or self.texts is None:
            return ""
        numbers = Sentence("one-number" if self.numbers == 1 else "numbers", count=self.numbers)
        texts = Sentence("one-text" if self.texts == 1 else "texts", count=self.texts)
        return Sentence("mixture", numbers=numbers, texts=texts, missing=self.missing)

    @property
    def group(self) -> Group:
        """What it is to somebody who releases the file."""
        return find_group(
            {finding.kind for finding in self.findings},
            meaning=self.meaning,
            role=self.role,
            sensitive=self.sensitive,
            measured=self.decision.role in ("key", "weight", "household"),
        )

    @property
    def ways(self) -> tuple[Way, ...]:
        """What can be done with it, the safest first; nothing once it is left out.

        A weight is rounded or given noise, and households are counted by their number: neither is
        left out.
        """
        role = self.decision.role
        if role == "dropped":
            return ()
        if role == "weight":
            return ("coarsen", "keep")
        if role == "household" or self.homes:
            return ("renumber", "keep")
        return GROUPS[self.group].ways

    @property
    def open(self) -> bool:
        """Whether it stands in the way of a release."""
        return self.barred or self.decision.role == "undecided"

    @property
    def is_unchanged(self) -> bool:
        """Whether it goes out as it came in."""
        return self.decision.role != "dropped" and not self.changed

    @property
    def outcome(self) -> str:
        """The decision in a word or two."""
        return "refused: direct identifier" if self.barred else self.decision.role


def profile_variable(variable: Variable, distinct: int = 0, missing: int = 0) -> VariableProfile:
    """Return what the file says of a variable, and counts of its values.

    Args:
        variable: What is known of it.
        distinct: Different values that are not missing.
        missing: Records in which it is missing.
    """
    return VariableProfile(
        name=variable.name,
        label=variable.label,
        kind=variable.kind,
        measure=variable.measure,
        distinct=distinct,
        missing=missing,
        missing_codes=tuple(missing_texts(variable)),
        role=variable.role or "other",
    )


def order_keys(variables: Iterable[VariableProfile]) -> tuple[VariableProfile, ...]:
    """Return the keys that are proposed, the best known first."""
    placed = [variable for variable in variables if variable.place is not None]
    return tuple(sorted(placed, key=lambda each: each.place or 0))
