"""Ladders of recodes: each rung joins whole groups of the one below.

A search over recodes bounds many of them at once, and its bounds hold only if going up a ladder
never parts what was together. So a ladder that does is refused, whoever made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import code_text, spell_code
from microsafe.engine.transformations import Lookup, Transformation, declared_missing, renew_values
from microsafe.errors import UsageError
from microsafe.schema import Variable
from microsafe.steps.change import Change

Groups = NDArray[np.int64]

_NUMBERS = ("integer", "number")


@dataclass(frozen=True, slots=True)
class Rung:
    """A recode that a ladder may have.

    Attributes:
        step: What makes it, from the categories as they are.
        words: What to call it, such as "bins of 5".
    """

    step: Change
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """The recodes that a key may get, from the finest to the broadest.

    Attributes:
        key: Name of the key.
        rungs: For each rung the group of every code; rung 0 is the codes themselves. Code 0 is
            missing and stays 0.
        steps: What makes each rung; none for rung 0.
        words: What to call each rung.
        labels: For each rung what its groups are called; group g is `labels[rung][g - 1]`.
    """

    key: str
    rungs: tuple[Groups, ...]
    steps: tuple[Change | None, ...] = field(default=(), kw_only=True)
    words: tuple[str, ...] = field(default=(), kw_only=True)
    labels: tuple[tuple[str, ...], ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what is no ladder.

        Raises:
            UsageError: Rung 0 joins or renames codes, code 0 does not stay, or a rung parts a
                group of the one below.
        """
        if not self.rungs or not np.array_equal(self.rungs[0], np.arange(len(self.rungs[0]))):
            raise UsageError(f"Rung 0 of {self.key!r} must be its codes as they are, from 0.")
        for place, groups in enumerate(self.rungs):
            if len(groups) != len(self.rungs[0]) or groups[0] or not groups[1:].all():
                raise UsageError(
                    f"Rung {place} of {self.key!r} must give every code a group from 1, and leave "
                    "0, which is missing, alone."
                )
            if place:
                refuse_parting(self.key, place, self.rungs[place - 1], groups, self.words)

    def __len__(self) -> int:
        """Return the number of rungs, that of the codes themselves included."""
        return len(self.rungs)

    def extend(self, variable: Variable, categories: Sequence[str], rung: Rung) -> Ladder:
        """Return the ladder with one more rung above all others, if that suits the variable."""
        try:
            groups, labels = apply_rung(variable, categories, rung, len(self))
        except UsageError:
            return self
        if len(labels) == int(self.rungs[-1].max(initial=0)):
            return self
        return Ladder(
            self.key,
            (*self.rungs, groups),
            steps=(*self.steps, rung.step),
            words=(*self.words, rung.words),
            labels=(*self.labels, labels),
        )

    def describe(self, rung: int) -> str:
        """Say what a rung makes of the key, such as "region: 14 categories become 6"."""
        before, after = (int(groups.max(initial=0)) for groups in (self.rungs[0], self.rungs[rung]))
        words = self.words[rung] if self.words else f"rung {rung}"
        if after == 1:
            return f"{self.key} left out"
        if "pooled" in words:
            return f"{self.key}: the {before - after + 1:,} rarest of {before:,} categories pooled"
        if words.startswith("bins"):
            return f"{self.key} in {words}"
        return f"{self.key}: {before:,} categories become {after:,}"

    def __repr__(self) -> str:
        """Say what each rung is and how many groups it has."""
        words = self.words or tuple(f"rung {place}" for place in range(len(self)))
        sizes = [int(groups.max(initial=0)) for groups in self.rungs]
        told = (f"{word} ({size:,})" for word, size in zip(words, sizes, strict=True))
        return f"{self.key}: {' < '.join(told)}"


def refuse_parting(
    key: str, place: int, below: Groups, groups: Groups, words: Sequence[str] = ()
) -> None:
    """Raise UsageError if a rung does not join whole groups of the one below."""
    joined = np.zeros(int(below.max(initial=0)) + 1, np.int64)
    joined[below] = groups
    parted = len(np.unique(below[joined[below] != groups]))
    if parted:
        name, lower = (f" ({words[each]})" if words else "" for each in (place, place - 1))
        several = f"{parted:,} groups" if parted > 1 else "a group"
        raise UsageError(
            f"Rung {place} of {key!r}{name} parts {several} of rung {place - 1}{lower}. "
            "Each rung must join whole groups of the one below, as bins of 5, 10 and 20 do and "
            "bins of 2 and 5 do not: change one of the two, or leave it out."
        )


def build_ladder(
    variable: Variable,
    categories: Sequence[str],
    rungs: Sequence[Rung],
    *,
    optional: bool = False,
) -> Ladder:
    """Put a ladder together from the recodes that make its rungs.

    A rung that joins nothing is left out. One that joins everything is another way to drop the
    key: it is for a person to give, not for the data to suggest.

    Args:
        variable: The key.
        categories: Its categories in order; code c is `categories[c - 1]`.
        rungs: From the finest to the broadest.
        optional: Whether to leave out recodes that join everything, or do not suit the variable;
            a code that is shortened may become one that means missing.

    Raises:
        UsageError: A recode does not suit the variable, or parts what one below it joins. The
            message names key and rung.
    """
    labels = {spell_code(code): label for code, label in variable.labels.items()}
    identity = np.arange(len(categories) + 1)
    own = tuple(labels.get(text.strip(), text) for text in categories)
    found: list[tuple[Groups, Change | None, str, tuple[str, ...]]] = [
        (identity, None, "as it is", own)
    ]
    below, words, least = identity, ["as it is"], 2 if optional else 1
    for place, rung in enumerate(rungs, 1):
        words.append(rung.words)
        try:
            groups, names = apply_rung(variable, categories, rung, place)
        except UsageError:
            if not optional:
                raise
            continue
        refuse_parting(variable.name, place, below, groups, words)
        below, kept = groups, int(found[-1][0].max(initial=0))
        if least <= len(names) < kept:
            told = rung.words if len(names) > 1 else f"{rung.words}, all as one"
            found.append((groups, rung.step, told, names))
    arrays, steps, words_of, names_of = zip(*found, strict=True)
    return Ladder(variable.name, arrays, steps=steps, words=words_of, labels=names_of)


def apply_rung(
    variable: Variable, categories: Sequence[str], rung: Rung, place: int
) -> tuple[Groups, tuple[str, ...]]:
    """Return the group of each code, numbered in the order of the categories, and their labels.

    Raises:
        UsageError: The recode does not suit the variable; the message names key and rung.
    """
    try:
        change, new = _renew_categories(variable, categories, rung.step)
    except UsageError as error:
        raise UsageError(f"Rung {place} of {variable.name!r} ({rung.words}): {error}") from None
    number = {text: code for code, text in enumerate(dict.fromkeys(new), 1)}
    labels = {spell_code(code): label for code, label in change.after.labels.items()}
    groups = np.array([0, *(number[text] for text in new)], np.int64)
    return groups, tuple(labels.get(text.strip(), text) for text in number)


def _renew_categories(
    variable: Variable, categories: Sequence[str], step: Change
) -> tuple[Transformation, list[str]]:
    """What a step makes of each category, if that is the same for all records that have it."""
    if step.variable != variable.name:
        raise UsageError(f"It recodes {step.variable!r}. Name the key that the ladder is for.")
    if step.new_categories(variable, categories) is None:
        raise UsageError(
            "It does not do the same to all records of a category. Choose a recode by groups, "
            "bins or a limit."
        )
    values = as_values(variable, categories)
    change = step.transformation(variable, values)
    if isinstance(change.rule, Lookup):
        named = as_values(variable, list(change.rule.table))
        if declared_missing(named.drop_nulls(), variable).any():
            raise UsageError(
                "It makes an answer of a missing code, which must stay missing. Take that code "
                "out of its group."
            )
    return change, [code_text(value) for value in renew_values(values, change)]


def has_huge(variable: Variable, categories: Sequence[str]) -> bool:
    """Tell whether some numbers are infinite or too large to be told apart exactly."""
    if variable.kind not in _NUMBERS:
        return False
    values = as_values(variable, categories).drop_nulls().to_numpy()
    return bool((np.abs(values) >= 2.0**53).any())


def as_values(variable: Variable, categories: Sequence[str]) -> pl.Series:
    """Categories as the engine has them in the data."""
    values = pl.Series(list(categories), dtype=pl.String)
    return values.cast(pl.Float64, strict=False) if variable.kind in _NUMBERS else values
