"""Metadata of a variable after its codes have changed: kind, labels, missing codes, format."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from microsafe.codes import find_missing_words, missing_texts, spell_code
from microsafe.engine.transformations import declared_missing, numbers_of
from microsafe.errors import UsageError
from microsafe.schema import Code, Kind, Measure, Variable, number_in
from microsafe.sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DistinctValues:
    """The distinct values of a variable, those that mean missing apart."""

    valid: pl.Series
    missing: pl.Series

    @classmethod
    def of(cls, values: pl.Series, variable: Variable) -> DistinctValues:
        """Part the distinct values of a variable."""
        missing = pl.Series(declared_missing(values, variable))
        return cls(valid=values.filter(~missing), missing=values.filter(missing))

    @property
    def codes(self) -> list[str]:
        """The valid ones as text."""
        return [spell_code(value) for value in self.valid]

    def has(self, code: str) -> bool:
        """Tell whether a code is among the valid ones."""
        if self.valid.dtype == pl.String:
            return bool((self.valid.str.strip_chars() == code).any())
        value = number(code)
        return value is not None and bool((self.valid == value).any())


def remake_variable(
    before: Variable,
    known: DistinctValues,
    renew: Callable[[str], str],
    into: Collection[str],
    *,
    labels: Mapping[str, str],
    targets: Collection[str] = (),
    missing: Sequence[str] | None = None,
    measure: Measure | None = None,
) -> tuple[Variable, Mapping[str, str | None]]:
    """Return the variable with new codes, and what becomes of its missing codes.

    A label stays with a code that stays and takes in no other one; all others go.

    Args:
        before: The variable as it is.
        known: Its values.
        renew: New code by old code.
        into: New codes that other codes become.
        labels: Of new codes, given by a person.
        targets: Further new codes, which may have no record.
        missing: New missing codes; the old ones if None.
        measure: New level of measurement; the old one if None.

    Raises:
        UsageError: A new code is one of the missing codes, or a label is for no code.
    """
    old = missing_codes(before, known)
    moved = _moved_missing(old, missing)
    gone = missing_texts(before) if missing is None else tuple(missing)
    ranges = before.missing_ranges if missing is None else ()
    by_old = {spell_code(code): label for code, label in before.labels.items()}

    def stays(code: str) -> bool:
        there = code in by_old or known.has(code)
        return there and code not in moved and renew(code) == code

    made = {*into, *targets}
    if made.intersection(gone) or _within(made, ranges) or any(map(stays, gone)):
        raise UsageError(
            f"Values of {before.name!r} would become one of its missing codes. "
            "Choose other codes, or other missing codes (missing=...)."
        )
    _refuse_labels(before, (c for c in labels if c not in made.union(gone) and not stays(c)))
    kind = _kind(before, [*made, *gone])
    if kind == "text" and ranges:
        gone, ranges = old, ()  # text has no ranges
    kept = {code: label for code, label in by_old.items() if stays(code) and code not in into}
    for code, label in by_old.items():
        if (becomes := moved.get(code)) is not None:
            kept.setdefault(becomes, label)
    after = replace(
        before,
        kind=kind,
        measure=measure or before.measure,
        labels={type_code(code, kind): label for code, label in (kept | dict(labels)).items()},
        order=tuple(
            type_code(code, kind)
            for code in dict.fromkeys(renew(spell_code(code)) for code in before.order)
        ),
        missing=tuple(type_code(code, kind) for code in gone),
        missing_ranges=ranges,
    )
    changes = {code: becomes for code, becomes in moved.items() if code != becomes}
    return after if kind == before.kind else reset_storage(after), changes


def _refuse_labels(before: Variable, wrong: Iterable[str]) -> None:
    for code in wrong:
        raise UsageError(
            f"There is a label for {code!r}, which {before.name!r} will not have. "
            "Correct the code, or leave the label out."
        )


def missing_codes(variable: Variable, known: DistinctValues) -> tuple[str, ...]:
    """Return the codes that mean missing: or with a value or label in a range."""
    others = [spell_code(code) for code in (*known.missing, *variable.labels)]
    in_ranges = [code for code in others if _within([code], variable.missing_ranges)]
    return tuple(dict.fromkeys([*missing_texts(variable), *in_ranges]))


def type_code(code: str, kind: Kind) -> Code:
    """Return a code as values of that kind have it."""
    if kind == "integer":
        return int(float(code))
    return float(code) if kind == "number" else code


def number(code: str) -> float | None:
    """Return the finite number that a code spells, or None."""
    found = number_in(code)
    return found if found is not None and math.isfinite(found) else None


def finite_number(value: object, what: str) -> float:
    """Return a finite number as it was given to a step, or refuse it by what it is for."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{what} must be a finite number.")
    return float(value)


def known_numbers(before: Variable, values: pl.Series) -> tuple[DistinctValues, Floats]:
    """Return the distinct values of a variable, and those that are not missing as numbers.

    Raises:
        UsageError: Some are text.
    """
    known = DistinctValues.of(values, before)
    numbers = numbers_of(known.valid)
    if numbers is None:
        raise text_besides_numbers(before, known)
    return known, numbers


def text_besides_numbers(before: Variable, known: DistinctValues) -> UsageError:
    """Return the error for a variable some of whose values are not numbers.

    Words that stand for missing in any file are named; other values are counted.
    """
    odd = [code for code in known.codes if number_in(code) is None]
    words = find_missing_words(known.codes)
    told = f" ({', '.join(words)})" if words else ""
    remedy = ", take the usual words as missing (na = auto)" if words else ""
    return UsageError(
        f"{before.name!r} holds text besides numbers: {len(odd):,} of {len(known.codes):,} "
        f"different values{told}. Declare what stands for missing{remedy}, or recode it by groups."
    )


def _moved_missing(old: Sequence[str], new: Sequence[str] | None) -> dict[str, str | None]:
    """Old missing codes become new ones in their order, those beyond the last the last."""
    if new is None:
        return {code: code for code in old}
    return {code: new[min(place, len(new) - 1)] if new else None for place, code in enumerate(old)}


def _within(codes: Collection[str], ranges: Sequence[tuple[float, float]]) -> bool:
    numbers = [each for code in codes if (each := number(code)) is not None]
    return any(low <= each <= high for low, high in ranges for each in numbers)


def _kind(before: Variable, codes: Collection[str]) -> Kind:
    """Numbers stay numbers if all new codes are, everything else is text."""
    if before.kind not in ("integer", "number"):
        return "text"
    numbers = [each for code in codes if (each := number(code)) is not None]
    if len(numbers) < len(codes):
        return "text"
    return before.kind if all(each.is_integer() for each in numbers) else "number"


def reset_storage(after: Variable) -> Variable:
    """Return a variable of another kind: what was said of storage held for the old one only."""
    about_storage = ("storage_", "display_", "alignment", "missing")
    extra = {k: v for k, v in after.extra.items() if not k.startswith(about_storage)}
    return replace(after, width=None, decimals=None, format="", extra=extra)
