"""Guess a sensitive value from keys by the records of a file that agree with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.cells import Index, number
from microsafe.sums import Floats

_AT_ONCE = 1 << 22  # numbers of a table of records by value
_MOST_VALUES = 200  # values that are told apart; rarer ones are never guessed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleasedValues:
    """What a file shows of some records: keys, a sensitive value, and their weight.

    Attributes:
        keys: Codes by record and key; 0 where a key is not shown.
        value: Code of the sensitive value; 0 where it is not shown.
        weight: Of each record.
    """

    keys: NDArray[np.intp]
    value: Index
    weight: Floats

    def guess(self, targets: NDArray[np.intp]) -> Index:
        """Return the likeliest value of persons whose keys are known.

        That is the heaviest among records that agree on all they show; if there is none, the key
        that tells least is left out, and so on. Of equals the lowest code is guessed.

        Args:
            targets: Codes of the keys by person; 0 where a key is not known, which agrees with
                records that do not show it.
        """
        known = self.value > 0
        keys, value, weight = self.keys[known], self.value[known], self.weight[known]
        if not len(value):
            return np.zeros(len(targets), np.intp)
        classes, place = _find_common(value, weight)
        shown = place >= 0
        released = ReleasedValues(keys=keys[shown], value=place[shown], weight=weight[shown])
        person, first = number(
            list(targets.T), targets.max(axis=0, initial=0).tolist(), rows=len(targets)
        )
        asked = targets[first]
        found = np.full(len(asked), -1, np.intp)
        by_gain = released.order_keys()
        for used in range(len(by_gain), -1, -1):
            rest = np.flatnonzero(found < 0)
            step = max(1, _AT_ONCE // len(classes))
            for start in range(0, len(rest), step):
                some = rest[start : start + step]
                found[some] = released.find_modes(asked[some], by_gain[:used], len(classes))
        guesses: Index = classes[np.maximum(found, 0)][person]
        return guesses

    def order_keys(self) -> list[int]:
        """Return the keys, the one first that tells most of the value (bits of information)."""
        values = int(self.value.max(initial=0)) + 1
        gains = []
        for column in self.keys.T:
            table = np.bincount(
                column * values + self.value,
                self.weight,
                minlength=(int(column.max(initial=0)) + 1) * values,
            ).reshape(-1, values)
            gains.append(
                _entropy(table.sum(axis=0)) + _entropy(table.sum(axis=1)) - _entropy(table)
            )
        return sorted(range(len(gains)), key=lambda key: (-round(gains[key], 12), key))

    def find_modes(self, asked: NDArray[np.intp], keys: list[int], values: int) -> Index:
        """Return the heaviest value among records that agree on some keys; -1 where none does."""
        table = np.zeros((len(asked), values))
        mask = (self.keys[:, keys] > 0) @ (1 << np.arange(len(keys)))
        for shown in np.unique(mask):
            rows = np.flatnonzero(mask == shown)
            columns = [key for place, key in enumerate(keys) if int(shown) >> place & 1]
            both = [np.concatenate([asked[:, key], self.keys[rows, key]]) for key in columns]
            sizes = [int(codes.max(initial=0)) for codes in both]
            group, first = number(both, sizes, rows=len(asked) + len(rows))
            mine, theirs = group[: len(asked)], group[len(asked) :]
            wanted = np.full(len(first), -1, np.intp)
            wanted[np.unique(mine)] = np.arange(len(np.unique(mine)))
            theirs_wanted = wanted[theirs]
            there = theirs_wanted >= 0
            counts = np.bincount(
                theirs_wanted[there] * values + self.value[rows[there]],
                self.weight[rows[there]],
                minlength=len(np.unique(mine)) * values,
            ).reshape(-1, values)
            table += counts[wanted[mine]]
        found: Index = np.where(table.max(axis=1, initial=0.0) > 0, table.argmax(axis=1), -1)
        return found


def _find_common(value: Index, weight: Floats) -> tuple[Index, Index]:
    """Return the heaviest values, in order, and for each record the place of its own, or -1."""
    total = np.bincount(value, weight)
    order = np.argsort(-total, kind="stable")[:_MOST_VALUES]
    classes: Index = np.sort(order[total[order] > 0])
    place = np.full(len(total), -1, np.intp)
    place[classes] = np.arange(len(classes))
    return classes, place[value]


def _entropy(count: NDArray[Any]) -> float:
    share = count[count > 0] / count.sum()
    return float(-(share * np.log2(share)).sum())
