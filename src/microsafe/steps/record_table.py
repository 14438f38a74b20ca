"""Columns of all records together, for steps that sort or group them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import count_characters
from microsafe.codes import find_missing_code, spell_code
from microsafe.engine import Engine
from microsafe.engine.record_access import RecordBatch, RecordNumbers, RecordValues, Selection
from microsafe.errors import InputError
from microsafe.progress import Progress
from microsafe.schema import Variable
from microsafe.steps.changed_variable import reset_storage, type_code
from microsafe.sums import Floats, sum_by

Codes = NDArray[np.int64]

_LARGEST = 1e100  # number whose square can be calculated with
_PER_VALUE = 40  # bytes: a value as it comes, as it goes, and while it is sorted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordTable:
    """Values of all records, in the order of their numbers.

    That is the order of the input, unless an identifier stands for numbers: then the order of rows
    makes no difference to what is done with them.

    Attributes:
        engine: Where they are from.
        selection: What they are.
        numbers: Of the records.
        columns: Numbers, NaN where missing; codes, 0 where missing; texts, empty where missing.
        order: Place of each record among those that came.
        sizes: How many came together.
    """

    engine: Engine
    selection: Selection
    numbers: RecordNumbers
    columns: Mapping[str, NDArray[Any]]
    order: Codes
    sizes: tuple[int, ...]

    @classmethod
    def read(cls, engine: Engine, selection: Selection, progress: Progress) -> RecordTable:
        """Read them.

        Raises:
            InputError: There is no room for them, or a number is none.
        """
        count = len(selection.forms) + 1
        engine.afford(
            engine.rows() * count * _PER_VALUE,
            f"for {count:,} variables of all records",
            "Name fewer variables at a time,",
        )
        batches = list(engine.columns(selection, progress=progress))
        if not batches:
            raise InputError(f"{engine.schema.source} has no records.")
        numbers = np.concatenate([batch.numbers for batch in batches])
        order = np.argsort(numbers, kind="stable")
        return cls(
            engine=engine,
            selection=selection,
            numbers=numbers[order],
            columns={
                name: np.concatenate([_plain(batch.columns[name], form) for batch in batches])[
                    order
                ]
                for name, form in selection.forms.items()
            },
            order=order,
            sizes=tuple(len(batch.numbers) for batch in batches),
        )

    def numbers_of(self, name: str) -> Floats:
        """Return a variable that can be perturbed: it has numbers, and not always the same.

        Raises:
            InputError: It is not so.
        """
        values: Floats = self.columns[name]
        known = values[~np.isnan(values)]
        where = f"Variable {name!r} of {self.engine.schema.source}"
        if not len(known):
            raise InputError(f"{where} is missing in all records. Leave it out.")
        if np.abs(known).max() > _LARGEST:
            raise InputError(
                f"{where} holds infinite numbers, or some beyond {_LARGEST:g}. Declare them "
                "missing (--na)."
            )
        if len(known) > 1 and bool((known == known[0]).all()):
            raise InputError(
                f"{where} has the same value in all records, so that there is nothing to protect. "
                "Leave it out."
            )
        return values

    def number_strata(self, names: Sequence[str]) -> Codes:
        """Return the number of the stratum of each record, in the order of categories."""
        strata = np.zeros(len(self.numbers), np.int64)
        for name in names:
            codes = self.columns[name]
            both = strata * (int(codes.max(initial=0)) + 1) + codes
            strata = np.unique(both, return_inverse=True)[1].reshape(-1)
        return strata

    def replace(
        self, values: Mapping[str, NDArray[Any]], after: Mapping[str, Variable] | None = None
    ) -> Engine:
        """Return the engine with other values; where they are missing, records keep what they have.

        Args:
            values: By variable.
            after: What variables are from then on; the same if None.
        """
        schema = after or {name: self.engine.schema[name] for name in values}
        return self.engine.replace_columns(
            self.selection, [schema[name] for name in values], self._batches(values)
        )

    def _batches(self, values: Mapping[str, NDArray[Any]]) -> Iterator[RecordBatch]:
        """Values in the order and the batches in which they came."""
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(place))
        for part in np.split(place, np.cumsum(self.sizes)[:-1]):
            yield RecordBatch(
                numbers=self.numbers[part],
                columns={
                    name: RecordValues(data=value[part], missing=_is_missing(value[part]))
                    for name, value in values.items()
                },
            )


def _plain(values: RecordValues, form: str) -> NDArray[Any]:
    if form == "number":
        return np.where(values.missing, np.nan, values.data)
    if form == "text":
        return np.where(values.missing, "", values.data)
    return np.where(values.missing, 0, values.data).astype(np.int64)


def _is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values), np.bool_)
    return np.asarray(values == ("" if values.dtype.kind == "O" else 0), np.bool_)


def average_variable(before: Variable, decimals: int | None) -> Variable:
    """Return what a variable is with averages for values: only missing codes keep labels.

    Args:
        before: As it is.
        decimals: Digits behind the point that values have at most; any if None.
    """
    labels = {
        code: label
        for code, label in before.labels.items()
        if find_missing_code(before, code) is not None
    }
    if before.kind != "integer" or decimals == 0:
        return replace(before, labels=labels)
    return reset_storage(
        replace(
            before,
            kind="number",
            labels={type_code(spell_code(code), "number"): text for code, text in labels.items()},
            missing=tuple(type_code(spell_code(code), "number") for code in before.missing),
        )
    )


def check_room(before: Variable, values: Floats, decimals: int | None) -> None:
    """Refuse decimals that a field of fixed width has no room for.

    Args:
        before: The variable; a format tells that its width is only one of display.
        values: Between which new ones will lie.
        decimals: Digits behind the point that they will have.

    Raises:
        InputError: There is no room.
    """
    if before.width is None or before.format or not decimals:
        return
    width, known = before.width, values[~np.isnan(values)]
    room = [each for each in range(decimals) if count_characters(known, each) <= width]
    if count_characters(known, decimals) > width:
        remedy = f"Ask for at most {max(room)}." if room else "Write another format."
        raise InputError(
            f"{before.name!r} has room for {width} characters in the file, too few for numbers "
            f"with {decimals} decimals. {remedy}"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PerturbedUnits:
    """What is perturbed once: records, or households of which all members have the same values.

    Attributes:
        first: The first record of each.
        of_record: Which one a record belongs to.
    """

    first: Codes
    of_record: Codes

    @classmethod
    def by_record(cls, count: int) -> PerturbedUnits:
        """Return units of one record each."""
        return cls(first=np.arange(count), of_record=np.arange(count))

    @classmethod
    def by_household(cls, households: Codes) -> PerturbedUnits:
        """Return households; a record without one is a household of its own."""
        alone = np.flatnonzero(households == 0)
        keys = households.copy()
        keys[alone] = -1 - alone
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(first)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return cls(first=first[order], of_record=place[inverse.reshape(-1)])

    def check_constant(self, values: Codes, name: str, household: str) -> None:
        """Refuse values that differ between members.

        Raises:
            InputError: Some do.
        """
        differs = values != values[self.first][self.of_record]
        if differs.any():
            count = len(np.unique(self.of_record[differs]))
            raise InputError(
                f"{name!r} differs between members in {count:,} households of {household!r}. "
                "Name variables that all members share."
            )

    def add_up(self, weights: Floats) -> Floats:
        """Return the weight of each: that of all its records; none where it is missing."""
        known = np.where(weights > 0, weights, 0.0)
        return sum_by(self.of_record, known, len(self.first))
