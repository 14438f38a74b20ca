"""Which numeric variables measure something, rather than name categories or records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from microsafe.engine.local.records import Records
from microsafe.engine.number_columns import declared_numbers
from microsafe.engine.state_pairs import FEW, is_measurement
from microsafe.schema import Variable
from microsafe.sums import Floats
from microsafe.variables.named_roles import named_role

_PLENTY = 500  # categories beyond which it does not matter how many they are


def find_measurements(records: Records, variables: Sequence[Variable]) -> tuple[str, ...]:
    """Return the names of those that are no categories, identifiers or weights.

    The file is read until that is known of all, which seldom takes more than its beginning.
    """
    looks = [_Look(variable=each) for each in variables]
    left = [each for each in looks if not each.named]
    frames = records.table(names=[each.variable.name for each in left]) if left else ()
    for frame in frames:
        for look in left:
            look.add(frame[look.variable.name])
        left = [look for look in left if not look.plenty]
        if not left:
            break
    return tuple(look.variable.name for look in looks if _is_measurement(look, records))


def _is_measurement(look: _Look, records: Records) -> bool:
    if look.named:
        return False
    categories = len(look.values)
    if not look.fractions and not look.repeated:  # unless it was, far apart
        records.fetch([look.variable.name], [])
        categories = len(records.coded[look.variable.name].categories)
    return is_measurement(look.variable, categories, records.count, fractions=look.fractions)


@dataclass(slots=True, kw_only=True, eq=False)
class _Look:
    """What has been seen of a variable.

    Attributes:
        variable: What is known of it.
        values: Those that were met, missing ones left out, until there are plenty.
        fractions: Whether one is no whole number.
        repeated: Whether one was met twice in a row of records, or is missing.
    """

    variable: Variable
    values: Floats = field(default_factory=lambda: np.empty(0))
    fractions: bool = False
    repeated: bool = False

    @property
    def named(self) -> bool:
        """Whether its name or metadata say that it measures nothing."""
        return named_role(self.variable) is not None

    @property
    def plenty(self) -> bool:
        """Whether no other record could change the answer."""
        enough = FEW if self.fractions else _PLENTY
        return len(self.values) > enough and (self.fractions or self.repeated)

    def add(self, column: pl.Series) -> None:
        """Look at the next values."""
        self.fractions = self.fractions or not is_whole(column)
        distinct = column.drop_nulls().unique().cast(pl.Float64).to_numpy()
        known = distinct[~declared_numbers(distinct, self.variable)]
        self.repeated |= len(known) < len(column)
        if len(self.values) <= _PLENTY:
            self.values = np.union1d(self.values, known)


def is_whole(values: pl.Series) -> bool:
    """Tell whether there are no fractions: fractions measure, they do not number."""
    return not values.dtype.is_float() or bool((values == values.floor()).all())
