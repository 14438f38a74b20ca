"""Steps: what is done to the data, as values that Python, command line and plan file share.

A step says what to do, never to which records: the same step on the same data does the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import ClassVar, Literal, get_args

from microsafe.codes import Range, spell_code
from microsafe.errors import UsageError, did_you_mean
from microsafe.schema import Code

Guarantee = Literal["own", "strict", "shared"]
Costs = Mapping[str, float] | Literal["entropy"] | None
Old = Code | tuple[Code | None, Code | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suppress:
    """Blank keys until no record is unsafe.

    Attributes:
        above: Risk above which a record is unsafe, for all scenarios or by scenario.
        k: Number of records that must share its keys, likewise.
        guarantee: `"own"`, safe by its own blanks; `"strict"`, safe even if records with gaps
            are ignored; `"shared"`, others' blanks count.
        costs: Of blanking a key: numbers by key (1 if not named), or `"entropy"`.
        spare: Keys that must not be blanked.
        scenarios: Names of the scenarios to meet; all if empty.
        linked: Variables that lose their value wherever a key does, by key.
        household: Household risk above which a household is unsafe (own and strict only).
        up_to: Apply `k` to all combinations of at most so many keys, not to all keys at once.
        levels: Apply `k` to combinations by identification level, as mu-ARGUS does: one key
            of level 1, one of level at most 2, and so on.
        people: Apply `k` to people in the population as estimated, not to records.
        why: The reason, for the record.
    """

    do: ClassVar[str] = "suppress"
    above: float | Mapping[str, float] | None = None
    k: int | Mapping[str, int] | None = None
    guarantee: Guarantee = "own"
    costs: Costs = None
    spare: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    linked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    household: float | None = None
    up_to: int | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    people: bool = False
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse words that mean nothing."""
        for k in self.k.values() if isinstance(self.k, Mapping) else (self.k,):
            if k is not None and (not isinstance(k, int) or isinstance(k, bool)):
                raise UsageError("k is a whole number of records.")
        if self.household is not None:
            if not 0 < self.household <= 1:
                raise UsageError("The limit on household risk must be above 0 and at most 1.")
            if self.guarantee == "shared":
                raise UsageError("Household risk can be met by 'own' or 'strict' blanks only.")
        if self.up_to is not None and self.levels:
            raise UsageError("Name combinations by size (up_to) or by levels, not both.")
        if (self.up_to is not None or self.levels or self.people) and self.k is None:
            raise UsageError("Combinations and people need a count (k) to be compared with.")
        if self.up_to is not None and self.up_to < 1:
            raise UsageError("Combinations have at least one key: up_to must be at least 1.")
        if any(level < 1 for level in self.levels.values()):
            raise UsageError("Identification levels are 1, 2, 3 and so on.")
        if self.guarantee not in get_args(Guarantee):
            hint = did_you_mean(self.guarantee, get_args(Guarantee))
            raise UsageError(f"There is no guarantee {self.guarantee!r}.{hint}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recode:
    """Give a variable fewer categories, in one of four ways.

    Codes are kept as text, 3 as `"3"`. A pair is a range of codes, both ends included, an empty
    end open. Declared missing codes fall into no range and no bin.

    Attributes:
        variable: What to recode.
        groups: New code by its old codes and ranges of them; codes not named stay.
        other: Code for all that is not named in `groups` or `classification`.
        breaks: Lower bounds of bins, rising; the last bin is open.
        names: Codes of the bins, one for each break, or one more if the first is for what lies
            below all breaks; `"20-29"` and the like if empty.
        keep: How many characters of a code to keep, from the left.
        classification: Parent by code, one mapping for each level upward.
        level: How many levels to climb; all if None.
        labels: Of the new codes.
        missing: New missing codes, in the order of the old; those if None.
        why: The reason, for the record.
    """

    do: ClassVar[str] = "recode"
    variable: str
    groups: Mapping[str, tuple[Old, ...]] | None = None
    other: Code | None = None
    breaks: tuple[float, ...] | None = None
    names: tuple[Code, ...] = ()
    keep: int | None = None
    classification: tuple[Mapping[str, Code], ...] | None = None
    level: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[Code, ...] | None = None
    why: str = ""

    def __post_init__(self) -> None:
        """Bring codes into one spelling, and refuse what contradicts itself."""
        ways = ("groups", "breaks", "keep", "classification")
        if sum(getattr(self, way) is not None for way in ways) != 1:
            raise UsageError(f"Recode {self.variable!r} by one of {', '.join(ways)}.")
        put = partial(object.__setattr__, self)
        put("labels", {spell_code(code): label for code, label in self.labels.items()})
        put("names", tuple(spell_code(name) for name in self.names))
        if self.other is not None:
            put("other", spell_code(self.other))
        if self.missing is not None:
            put("missing", _codes(self.missing))
        if self.groups is not None:
            put("groups", self._grouped())
        if self.breaks is not None:
            put("breaks", self._bounds())
        if self.classification is not None:
            put("classification", self._levels())
        self._check()

    def _grouped(self) -> Mapping[str, tuple[str | Range, ...]]:
        groups = {spell_code(new): _codes(old) for new, old in (self.groups or {}).items()}
        if not groups:
            raise UsageError(f"There is no group to recode {self.variable!r} into. Name one.")
        seen: dict[str, str] = {}
        for new, old in groups.items():
            for code in old:
                if isinstance(code, str) and seen.setdefault(code, new) != new:
                    raise UsageError(
                        f"Code {code!r} of {self.variable!r} is in two groups. Take it out of one."
                    )
        return groups

    def _bounds(self) -> tuple[float, ...]:
        breaks = tuple(_number(b, f"A break of {self.variable!r}") for b in self.breaks or ())
        if not breaks or not all(a < b for a, b in pairwise(breaks)):
            raise UsageError(f"The breaks of {self.variable!r} must rise; give at least one.")
        return breaks

    def _levels(self) -> tuple[Mapping[str, str], ...]:
        given: object = self.classification
        levels = (given,) if isinstance(given, Mapping) else tuple(self.classification or ())
        if self.level is not None and not 1 <= self.level <= len(levels):
            raise UsageError(
                f"The classification of {self.variable!r} has {len(levels)} levels above its "
                "codes: climb 1 up to that."
            )
        return tuple(
            {spell_code(code): spell_code(parent) for code, parent in level.items()}
            for level in levels
        )

    def _check(self) -> None:
        if self.keep is not None and _number(self.keep, "keep") < 1:
            raise UsageError(f"Keep at least 1 character of the codes of {self.variable!r}.")
        if self.other is not None and self.groups is None and self.classification is None:
            raise UsageError("other goes with groups or a classification only. Leave it out.")
        if self.level is not None and self.classification is None:
            raise UsageError("level goes with a classification only. Leave it out.")
        if self.names and self.breaks is None:
            raise UsageError("names goes with breaks only. Leave it out.")
        bins = len(self.breaks or ())
        if self.names and len(self.names) not in (bins, bins + 1):
            raise UsageError(
                f"{self.variable!r} has {bins} breaks: give as many names, or one "
                "more, the first for what lies below all breaks."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tail:
    variable: str
    limit: float
    code: Code | None = None
    label: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        """Bring the code into one spelling."""
        limit = _number(self.limit, f"The limit for {self.variable!r}")
        object.__setattr__(self, "code", spell_code(limit if self.code is None else self.code))


@dataclass(frozen=True, slots=True, kw_only=True)
class TopCode(_Tail):
    """Replace all numbers from a limit upward by one code.

    Attributes:
        variable: What to code.
        limit: The smallest number that is replaced.
        code: What it becomes; the limit itself if None.
        label: Of that code, such as "85 and over".
        why: The reason, for the record.
    """

    do: ClassVar[str] = "top_code"


@dataclass(frozen=True, slots=True, kw_only=True)
class BottomCode(_Tail):
    """Replace all numbers from a limit downward by one code; see `TopCode`."""

    do: ClassVar[str] = "bottom_code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Round numbers to the nearest multiple of a base, halves to the even one.

    Attributes:
        variable: What to round.
        base: 10 rounds to tens, 0.5 to halves.
        why: The reason, for the record.
    """

    do: ClassVar[str] = "round"
    variable: str
    base: float
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse what nothing is a multiple of."""
        if _number(self.base, f"The base to round {self.variable!r} to") <= 0:
            raise UsageError(f"The base to round {self.variable!r} to must be above 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Leave variables out of the file.

    Attributes:
        variables: Which.
        from_keys: Whether keys may be among them: they leave their scenarios too, as no
            intruder can compare what is not in the file.
        why: The reason, for the record.
    """

    do: ClassVar[str] = "drop"
    variables: tuple[str, ...]
    from_keys: bool = False
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse to drop nothing."""
        given: object = self.variables
        names = (given,) if isinstance(given, str) else tuple(self.variables)
        object.__setattr__(self, "variables", names)
        if not names:
            raise UsageError("Name at least one variable to drop.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Renumber:
    """Replace identifiers by random whole numbers, equal ones by equal ones.

    Attributes:
        variable: The identifier.
        seed: Of the random numbers. Who knows it and the old identifiers can go back.
        why: The reason, for the record.
    """

    do: ClassVar[str] = "renumber"
    variable: str
    seed: int
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse what no generator takes."""
        if not isinstance(self.seed, int) or self.seed < 0:
            raise UsageError(f"The seed for {self.variable!r} must be a whole number, 0 or above.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Keep a random sample of the households or of the records; the first step of all.

    Attributes:
        fraction: Chance of each to be kept, above 0 and below 1.
        seed: Of the draw. Who knows it and the order of the input knows who is in the sample.
        household: Variable whose records are kept or left together; None draws records.
        weight: Variable that is divided by the fraction; added if there is none of that name.
        why: The reason, for the record.
    """

    do: ClassVar[str] = "sample"
    fraction: float
    seed: int
    household: str | None = None
    weight: str = "weight"
    why: str = ""

    def __post_init__(self) -> None:
        """Refuse what is no sample."""
        if not 0 < _number(self.fraction, "The fraction to sample") < 1:
            raise UsageError("The fraction to sample must be above 0 and below 1.")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise UsageError("The seed of a sample must be a whole number, 0 or above.")
        if not self.weight:
            raise UsageError("The weight of a sample needs a name.")
        if self.household == self.weight:
            raise UsageError(f"{self.weight!r} cannot be both the weight and the household.")


Change = Recode | TopCode | BottomCode | Round | Renumber
Step = Suppress | Change | Drop | Sample
STEPS: Mapping[str, type[Step]] = {kind.do: kind for kind in get_args(Step)}


def _number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{what} must be a finite number.")
    return float(value)


def _codes(given: object) -> tuple[str | Range, ...]:
    """Return one or more codes and ranges."""
    if isinstance(given, str | int | float):
        given = (given,)
    codes: list[str | Range] = []
    for each in given:  # type: ignore[attr-defined]
        if isinstance(each, tuple):
            ends = ["" if end is None else spell_code(end) for end in each]
            if len(ends) != 2 or not any(ends):
                raise UsageError("A range of codes is a pair, and one of its ends is not empty.")
            codes.append((ends[0], ends[1]))
        else:
            codes.append(spell_code(each))
    return tuple(codes)
