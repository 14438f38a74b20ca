"""Rungs made by joining categories: neighbours, rare ones, those that share a name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from microsafe.codes import missing_texts, spell_code
from microsafe.propose.ladders.ladder import Rung
from microsafe.schema import Variable
from microsafe.steps.changed_variable import number
from microsafe.steps.recode import Recode

MOST_LISTED = 5000  # categories; nobody would read a longer list of what becomes of them
MOST_RUNGS = 4  # besides the categories as they are
_SHARES = (0.05, 0.10, 0.25, 0.50)  # of the records that rare categories may hold together
_SEPARATORS = (": ", " - ", " – ", " / ", "; ", ", ", ":", "/", "|", "_", ".", "-")

Part = tuple[str, Sequence[int]]  # name of a group, and places of its categories


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeyCategories:
    """The categories of a key, in order, with what is known of them.

    Attributes:
        variable: The key.
        codes: Of its categories, as they are compared.
        labels: What each is called; its code if it has no label.
        count: Records of each.
    """

    variable: Variable
    codes: tuple[str, ...]
    labels: tuple[str, ...]
    count: NDArray[np.int64]

    @classmethod
    def of(cls, variable: Variable, categories: Iterable[str], count: NDArray[np.int64]) -> Self:
        """Look up labels; codes that differ by blanks around them are one category."""
        found: dict[str, int] = {}
        for text, records in zip(categories, count.tolist(), strict=True):
            found[text.strip()] = found.get(text.strip(), 0) + records
        labels = {spell_code(code): label for code, label in variable.labels.items()}
        return cls(
            variable=variable,
            codes=tuple(found),
            labels=tuple(labels.get(code) or code for code in found),
            count=np.array(list(found.values()), np.int64),
        )

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.codes)

    @property
    def labelled(self) -> bool:
        """Whether every category has a label."""
        return all(code != label for code, label in zip(self.codes, self.labels, strict=True))

    @property
    def numeric(self) -> bool:
        """Whether all codes are numbers, or spell one."""
        return all(number(code) is not None for code in self.codes)

    def apart(self) -> list[Part]:
        """Return each category as a group of its own."""
        return [(label, [place]) for place, label in enumerate(self.labels)]

    def merge(self, parts: Iterable[Part]) -> Recode:
        """Return the step that joins categories; those in no group of several stay.

        A group gets the code of its first category, and its name as label: numbers stay numbers.
        Texts without labels get the name as code, for nothing else would say what they are.
        """
        groups: dict[str, tuple[str, ...]] = {}
        labels: dict[str, str] = {}
        by_name = self.variable.kind == "text" and not self.variable.labels
        taken: dict[str, set[int]] = {code: {-1} for code in missing_texts(self.variable)}
        for place, names in enumerate(zip(self.codes, self.labels, strict=True)):
            for each in names:
                taken.setdefault(each, set()).add(place)
        for name, part in parts:
            if len(part) < 2:
                continue
            told = name if taken.get(name, set()) <= {*part} else f"{name} (joined)"
            code = told if by_name else self.codes[part[0]]
            groups[code] = tuple(self.codes[each] for each in part)
            if not by_name:
                labels[code] = told
        return Recode(variable=self.variable.name, groups=groups, labels=labels)


def neighbour_rungs(
    keys: KeyCategories, order: Sequence[int], name: Callable[[Sequence[int]], str]
) -> Iterator[Rung]:
    """Yield rungs of ever fewer groups of neighbours.

    Of all pairs of neighbours the one is joined that loses least, the first of equals; again and
    again, so each rung joins groups of the one below.

    Args:
        keys: The categories.
        order: Their places in order.
        name: What a group of such places is called.
    """
    parts = [[place] for place in order]
    wanted = _sizes(len(parts))
    while len(parts) > min(wanted, default=len(parts)):
        count = [int(keys.count[part].sum()) for part in parts]
        costs = [_bits(a, b) for a, b in pairwise(count)]
        at = int(np.argmin(np.round(costs, 6)))  # not by the last bit of a logarithm
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        if len(parts) in wanted:
            named = [(name(part), part) for part in parts]
            yield Rung(keys.merge(named), f"neighbours in {len(parts)} groups")


def parent_rungs(
    keys: KeyCategories, parents: Iterable[tuple[str, Sequence[str]]]
) -> Iterator[Rung]:
    """Yield rungs by variables that the key determines, from the finest to the broadest.

    Of parents that part each other the finest is taken, and what is broader and nests.

    Args:
        keys: The categories.
        parents: Names of the variables, and what each category has there.
    """
    kept: Sequence[str] = [str(place) for place in range(len(keys))]
    for name, group_of in sorted(parents, key=lambda each: (-len(set(each[1])), each[0])):
        pairs = set(zip(kept, group_of, strict=True))
        if len(pairs) > len(set(kept)) or len(set(group_of)) == len(set(kept)):
            continue
        kept = group_of
        parts: dict[str, list[int]] = {}
        for place, group in enumerate(group_of):
            parts.setdefault(group, []).append(place)
        yield Rung(keys.merge(list(parts.items())), f"by {name}")


def leave_out(keys: KeyCategories) -> Rung:
    """Return the rung above all others: every record gets the same."""
    return Rung(keys.merge([("left out", range(len(keys)))]), "left out for all")


def pool_rungs(keys: KeyCategories, parts: Sequence[Part] | None = None) -> Iterator[Rung]:
    """Yield rungs that pool the rarest categories, up to shares of the records that rise.

    Args:
        keys: The categories.
        parts: Groups that rungs below have made of them; each by itself if None.
    """
    parts = keys.apart() if parts is None else parts
    count = np.array([keys.count[list(places)].sum() for _, places in parts])
    rarest = np.argsort(count, kind="stable")
    share = np.cumsum(count[rarest]) / max(1, count.sum())
    for most in _SHARES:
        pooled = set(rarest[: int(np.count_nonzero(share <= most))].tolist())
        if len(pooled) < 2:
            continue
        rare = sorted(place for each in pooled for place in parts[each][1])
        kept = [part for each, part in enumerate(parts) if each not in pooled]
        step = keys.merge([*kept, ("other", rare)])
        yield Rung(step, f"rarest {100 * most:g} % pooled")


def prefix_rungs(keys: KeyCategories) -> list[Rung]:
    """Return rungs by what names have in common before a separator: "Europe: France".

    Names are labels, or codes that are text. At least half of them must share their beginning
    with another, or the separator is only a part of words.
    """
    if not keys.labelled and (keys.variable.kind != "text" or keys.numeric):
        return []
    for separator in _SEPARATORS:
        pieces = [label.split(separator) for label in keys.labels]
        deepest = max(map(len, pieces))
        levels = [_by_beginning(pieces, depth, separator) for depth in range(1, deepest)]
        if not levels or not _is_system(levels[0], len(keys)):
            continue
        rungs = [
            Rung(keys.merge(level), f"names before {separator.strip()!r}")
            for level in reversed(levels)
        ]
        return [*rungs, *pool_rungs(keys, levels[0])]
    return []


def _by_beginning(pieces: Sequence[Sequence[str]], depth: int, separator: str) -> list[Part]:
    """Groups of names whose first pieces are the same."""
    found: dict[str, list[int]] = {}
    for place, piece in enumerate(pieces):
        found.setdefault(separator.join(piece[:depth]).strip(), []).append(place)
    return list(found.items())


def _is_system(parts: Sequence[Part], size: int) -> bool:
    shared = sum(len(places) for name, places in parts if name and len(places) > 1)
    return len(parts) > 1 and 2 * shared >= size


def _sizes(categories: int) -> set[int]:
    """How many groups rungs should have, down to 2, each by about the same factor fewer."""
    if categories <= MOST_RUNGS + 2:
        return set(range(2, categories))
    steps = range(1, MOST_RUNGS + 1)
    return {round(categories * (2 / categories) ** (step / MOST_RUNGS)) for step in steps}


def _bits(one: int, other: int) -> float:
    """What is lost by joining two groups, over all their records."""
    both = one + other
    return sum(n * math.log2(both / n) for n in (one, other) if n)
