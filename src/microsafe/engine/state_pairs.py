"""Pair two states of the data: variables before and after, by group of equal records.

Every engine groups its own records (`Engine.pair_with`); what comes out is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.codes import spell_code
from microsafe.engine.coding import CodedVariable, code_column
from microsafe.schema import Schema, Variable
from microsafe.sums import Floats
from microsafe.variables.roles import named_role, names_something

NEVER_RELEASED = "never released"  # stands for categories of which no record is left
ALL_RECODED = "all recoded"  # stands for categories that no longer agree
FEW = 20  # categories up to which a number is read as a category
_MANY = 500  # beyond which it is not, however often each occurs
SPELLED = r"^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$"  # a number as text; "007" is a code
MANY = 1000  # categories from which on records are not grouped by a variable

Places = NDArray[Any]  # whole numbers of as few bytes as they need
Flags = NDArray[np.bool_]
Count = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """One variable before and after; 0 is missing, code c is `categories[c - 1]`.

    Attributes:
        name: Of the variable.
        before: Code of every group of records that are alike.
        after: Likewise, in the same coding.
        categories: Of both, those before first.
        counts: Number of categories before and after.
        dropped: Whether the variable is no longer there.
        pool: Whether the last category stands for all that no longer agree.
        texts: The categories as steps read them, without labels.
        mapped: Whether `before` is by what a recode made of the categories that there were.
        released: The categories as the released file calls them, where that has other labels.
    """

    name: str
    before: Places
    after: Places
    categories: tuple[str, ...]
    counts: tuple[int, int]
    dropped: bool = False
    pool: bool = False
    texts: tuple[str, ...] = ()
    mapped: bool = False
    released: tuple[str, ...] = ()

    @property
    def known(self) -> Flags:
        """Records in which there was a value to lose."""
        return self.before > 0

    @property
    def blank(self) -> Flags:
        """Records in which the value was blanked."""
        blank: Flags = (self.before > 0) & (self.after == 0)
        return blank

    @property
    def changed(self) -> Flags:
        """Records in which there is another value now."""
        changed: Flags = (self.after > 0) & (self.after != self.before)
        return changed

    def differing(self) -> Flags:
        """For each code whether it no longer means what it meant.

        A category agrees if every record that had it still has it or is blank, and no other
        record has got it. Judged by records, not by names: after a recode to 1, 2, 3 a "1" may
        well be another "1".
        """
        differs = np.zeros(len(self.categories) + 1, np.bool_)
        changed = self.changed & self.known
        differs[self.before[changed]] = True
        differs[self.after[changed]] = True
        differs[0] = False
        return differs

    def map_recoded(self, group: NDArray[np.int64] | None = None) -> Pair | None:
        """Return the pair with the categories before as a recode has made them.

        Then only blanks make the two sides differ. None if some category has become several.

        Args:
            group: Of each category before, from code 1: those that were made one. Categories that
                are blank in all records became what the others of their group did.
        """
        size = len(self.categories) + 1
        shown = self.known & (self.after > 0)
        move = np.zeros(size, np.int64)
        move[self.before[shown]] = self.after[shown]
        if (move[self.before[shown]] != self.after[shown]).any():
            return None
        before = np.unique(self.before[self.known])
        if group is not None:
            became = np.zeros(int(group.max(initial=0)) + 1, np.int64)
            had = before[move[before] > 0]
            became[group[had - 1]] = move[had]
            move[before] = np.where(move[before] > 0, move[before], became[group[before - 1]])
        return self._move_before(move)

    def map_texts(self, texts: Sequence[str]) -> Pair:
        """Return the pair with the categories before as steps by a rule have made them.

        Args:
            texts: What each category before, from code 1, has become.
        """
        places = {self.texts[code - 1]: code for code in np.unique(self.after).tolist() if code}
        move = np.zeros(len(self.categories) + 1, np.int64)
        move[1 : len(texts) + 1] = [places.get(text, 0) for text in texts]
        return self._move_before(move)

    def _move_before(self, move: Places) -> Pair:
        """The pair with other codes before, and no category that does not occur."""
        names, size = (*(self.released or self.categories), NEVER_RELEASED), len(move)
        texts = (*self.texts, NEVER_RELEASED) if self.texts else names
        before = np.unique(self.before[self.known])
        move[before[move[before] == 0]] = size
        # In the order of what they were made of: bins in that of their numbers.
        moved, first = np.unique(move[before], return_index=True)
        new = np.setdiff1d(np.unique(self.after[self.after > 0]), moved)
        order = np.concatenate([moved[np.argsort(first)], new])
        place = np.zeros(size + 1, np.int64)
        place[order] = np.arange(1, len(order) + 1)
        return Pair(
            name=self.name,
            before=place[move][self.before],
            after=place[self.after],
            categories=tuple(names[code - 1] for code in order.tolist()),
            counts=self.counts,
            texts=tuple(texts[code - 1] for code in order.tolist()),
            mapped=True,
        )

    def pool_changed(self) -> Pair:
        """Return the pair with all categories that no longer agree as one.

        A record in one of them before is in one of them after, or blank: so tables of the
        pooled variable can be compared.
        """
        differs = self.differing()
        if not differs.any():
            return self
        agreeing = np.flatnonzero(~differs[1:])
        place = np.full(len(differs), len(agreeing) + 1, np.min_scalar_type(len(agreeing) + 1))
        place[0] = 0
        place[agreeing + 1] = np.arange(1, len(agreeing) + 1)
        names = tuple(self.categories[place] for place in agreeing.tolist())
        return Pair(
            name=self.name,
            before=place[self.before],
            after=place[self.after],
            categories=(*names, ALL_RECODED),
            counts=self.counts,
            pool=True,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupSums:
    """A numeric variable by group of records, in one state of the data.

    Attributes:
        total: Sum of weight x value over the records in which it is known.
        weight: Sum of their weights.
        count: Their number.
    """

    total: Floats
    weight: Floats
    count: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairGroups:
    """Groups of records that are alike in what is compared.

    Attributes:
        pairs: The variables that are compared, all by the same groups.
        weight: Of each group.
        count: Records in each group.
        records: In all.
        sums: A numeric variable before and after; None if it does not hold numbers on both sides.
        apart: Variables with so many categories that records are not grouped by them, with groups
            of their own. In `pairs` these tell only whether they are missing, kept or changed.
    """

    pairs: Sequence[Pair]
    weight: Floats
    count: Count
    records: int
    sums: Callable[[str], tuple[GroupSums, GroupSums] | None]
    apart: Mapping[str, tuple[Pair, Floats, Count]] = field(default_factory=dict)


class StatePairs(Protocol):
    """The data before and after."""

    @property
    def old(self) -> Schema:
        """Variables before."""

    @property
    def new(self) -> Schema:
        """Variables after."""

    def find_altered(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the variables besides some that were changed but are still there."""

    def find_numeric(self, leave: Sequence[str]) -> tuple[str, ...]:
        """Return the numeric variables besides some that are no categories or identifiers."""

    def find_spelled(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return those of some variables that a file without types spells out, but that measure.

        All their categories before and after are numbers.
        """

    def group_records(
        self, named: Sequence[str], others: Sequence[str], numbers: Sequence[str]
    ) -> PairGroups:
        """Group the records by what variables say before and after."""


def state_pair(name: str, before: Places, after: Places) -> Pair:
    """Return a variable that tells only whether it is missing, kept or changed."""
    return Pair(
        name=name, before=before, after=after, categories=("kept", "changed"), counts=(1, 2)
    )


def is_measurement(variable: Variable, categories: int, records: int, *, fractions: bool) -> bool:
    """Tell whether a numeric variable measures something, rather than names it."""
    if categories <= FEW or named_role(variable) is not None or names_something(variable):
        return False
    if fractions:
        return True
    numbered = records > FEW and categories == records  # all different
    shared = categories <= min(_MANY, max(FEW, records / 10)) and variable.measure != "scale"
    return not numbered and not shared


def is_spelled_measurement(
    variable: Variable, before: Sequence[str], after: Sequence[str], records: int
) -> bool:
    """Tell whether all categories of a text variable are numbers that measure something."""
    first, second = (pl.Series(list(texts), dtype=pl.String) for texts in (before, after))
    if not (first.str.contains(SPELLED).all() and second.str.contains(SPELLED).all()):
        return False
    fractions = bool(first.str.contains(".", literal=True).any())
    return is_measurement(variable, len(first), records, fractions=fractions)


def pair_columns(
    name: str, before: pl.DataFrame, after: pl.DataFrame, old: Schema, new: Schema
) -> Pair:
    """Code one variable of both tables alike."""
    first = code_column(before.get_column(name), old[name], source=old.source)
    if name not in new:
        return pair_codes(name, first, None, old, new)
    return pair_codes(
        name, first, code_column(after.get_column(name), new[name], source=new.source), old, new
    )


def pair_codes(
    name: str, first: CodedVariable, second: CodedVariable | None, old: Schema, new: Schema
) -> Pair:
    """Bring the codes of a variable before and after into one coding.

    Args:
        name: Of the variable.
        first: Codes before; every category occurs.
        second: Codes after, likewise; None if the variable is no longer there. The same object as
            before if nothing was changed.
        old: Variables before.
        new: Variables after.
    """
    names = _identity(first, old, name)
    shown = _label_categories(first, old[name])
    if second is None:
        return Pair(
            name=name,
            before=first.codes,
            after=np.zeros_like(first.codes),
            categories=shown,
            counts=(len(names), 0),
            dropped=True,
            texts=tuple(first.categories),
        )
    if second is first:
        return Pair(
            name=name,
            before=first.codes,
            after=first.codes,
            categories=shown,
            counts=(len(names), len(names)),
            texts=tuple(first.categories),
        )
    later = _identity(second, new, name)
    places = {identity: place for place, identity in enumerate(names, 1)}
    added = [at for at, identity in enumerate(later) if identity not in places]
    for at in added:
        places[later[at]] = len(places) + 1
    move = np.array([0, *(places[identity] for identity in later)], np.min_scalar_type(len(places)))
    labelled = _label_categories(second, new[name])
    categories = (*shown, *(labelled[at] for at in added))
    released = dict(enumerate(categories, 1)) | {
        places[identity]: label for identity, label in zip(later, labelled, strict=True)
    }
    return Pair(
        name=name,
        before=first.codes,
        after=move[second.codes],
        categories=categories,
        counts=(len(names), len(set(later))),
        texts=(*first.categories, *(second.categories[at] for at in added)),
        released=tuple(released.values()),
    )


def keep_used_categories(codes: Places, categories: Sequence[str]) -> CodedVariable:
    """Leave out the categories that do not occur."""
    used = np.bincount(codes, minlength=len(categories) + 1) > 0
    used[0] = True
    if used.all():
        return CodedVariable(codes=codes, categories=categories)
    place = (np.cumsum(used) - 1).astype(codes.dtype)
    occurring = np.flatnonzero(used[1:]).tolist()
    return CodedVariable(codes=place[codes], categories=[categories[place] for place in occurring])


def _identity(values: CodedVariable, schema: Schema, name: str) -> Sequence[str]:
    """What tells categories apart: numbers by value, so that 5 and 5.0 are the same."""
    if schema[name].kind not in ("number", "integer"):
        return list(values.categories)
    numbers = pl.Series(list(values.categories), dtype=pl.String).cast(pl.Float64, strict=False)
    pairs = zip(numbers.to_list(), values.categories, strict=True)
    return [text if number is None else repr(number) for number, text in pairs]


def _label_categories(values: CodedVariable, variable: Variable) -> tuple[str, ...]:
    """Categories as people read them: the code, and its label if it has one."""
    labels = {spell_code(code): label for code, label in variable.labels.items()}
    return tuple(
        f"{category} {labels[category.strip()]}" if labels.get(category.strip()) else category
        for category in values.categories
    )
