"""Pairs of numeric variables before and after, record by record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import InputError
from microsafe.sums import Floats

Places = NDArray[np.int64]
_LARGEST = 1e100  # beyond, squares have no sum
_GRID = 2.0**40  # steps of logarithms to 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeySubset:
    """Keys at which an intruder looks, besides the numbers.

    Attributes:
        group: Class of records with equal keys, from 0: true ones, in the codes of the release;
            None if he looks at no key.
        chance: For each record the chance that it still shows these keys; None if it surely does.
    """

    group: Places | None = None
    chance: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberPairs:
    """The same records in two states.

    Attributes:
        names: Of the variables.
        before: A column for each; NaN is missing.
        after: Likewise.
        group: Class of records with equal keys, from 0; None if there are no keys.
        weight: Of each record; None if the file is the population.
        source: What messages call the data.
    """

    names: Sequence[str]
    before: Sequence[Floats]
    after: Sequence[Floats]
    group: Places | None = None
    weight: Floats | None = None
    source: str = "the file"

    @property
    def records(self) -> int:
        """How many there are."""
        return len(self.before[0])

    def take(self, rows: Places) -> NumberPairs:
        """Return some of the records."""
        return replace(
            self,
            before=[column[rows] for column in self.before],
            after=[column[rows] for column in self.after],
            group=None if self.group is None else self.group[rows],
            weight=None if self.weight is None else self.weight[rows],
        )

    def spreads(self) -> list[float]:
        """Standard deviations of the originals.

        Raises:
            InputError: A variable has fewer than two different values.
        """
        found = []
        for name, column in zip(self.names, self.before, strict=True):
            known = column[~np.isnan(column)]
            if not len(known):
                raise InputError(
                    f"{name!r} of {self.source} has no value in any record, so nothing can be "
                    "compared. Leave it out."
                )
            if np.abs(known).max() > _LARGEST:
                raise InputError(
                    f"{name!r} of {self.source} holds infinite numbers or some above 1e100. Leave "
                    "it out, or correct them."
                )
            spread = float(known.std(ddof=1)) if known.min() < known.max() else 0.0
            if not spread:
                raise InputError(
                    f"{name!r} of {self.source} has one value only, so distances in it mean "
                    "nothing. Leave it out."
                )
            found.append(spread)
        return found


def take_logarithms(pairs: NumberPairs) -> NumberPairs:
    """Return the same with numbers whose differences are ratios of values.

    asinh(x / u) is the logarithm of large values but for a constant, keeps 0 and the sign, and is
    rounded, as last bits of logarithms differ between machines. u is exceeded by 99 % of the
    originals that are not 0.
    """
    before: list[Floats] = []
    after: list[Floats] = []
    for old, new in zip(pairs.before, pairs.after, strict=True):
        size = np.abs(old[~np.isnan(old) & (old != 0.0)])
        unit = float(np.quantile(size, 0.01)) if len(size) else 1.0
        for made, values in ((before, old), (after, new)):
            made.append(np.round(np.arcsinh(values / unit) * _GRID) / _GRID)
    return replace(pairs, before=before, after=after)


def find_outer(columns: Sequence[Floats], share: float) -> Places:
    """Return the records farthest out by robust distance, at least one, in their order.

    Every variable is centred at its median and divided by its interquartile range, or by its
    standard deviation where that is 0; missing values count as the median.
    """
    away = np.zeros(len(columns[0]))
    seen = np.zeros(len(columns[0]), np.bool_)
    for column in columns:
        known = ~np.isnan(column)
        if not known.any():
            continue
        low, middle, high = np.quantile(column[known], [0.25, 0.5, 0.75])
        spread = float(high - low) / 1.349 or float(column[known].std())
        seen |= known
        if spread:
            away += np.where(known, ((column - middle) / spread) ** 2, 0.0)
    away[~seen] = -1.0
    count = min(int(seen.sum()), max(1, int(np.ceil(share * len(away)))))
    return np.sort(np.argsort(-away, kind="stable")[:count])
