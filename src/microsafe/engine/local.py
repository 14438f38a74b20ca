"""The embedded engine: Polars reads, numpy counts, everything on this machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Cells, Index, number
from microsafe.engine.base import Households, Summary, WeightFacts
from microsafe.engine.coding import Coded, coded, numeric
from microsafe.engine.roles import suggested_role
from microsafe.engine.rules import Transformation, distinct, plain, transformed
from microsafe.engine.weights import checked_weights
from microsafe.errors import InputError
from microsafe.progress import Progress, silent
from microsafe.scenario import LowWeights, Scenario
from microsafe.schema import Schema
from microsafe.sums import Exact, Floats

Load = Callable[[Sequence[str]], pl.DataFrame]


class Local:
    """Records of one file, coded key by key when first asked for and kept that way.

    Args:
        schema: What is known of the variables.
        load: Gives the named columns.
        columnar: Whether to load one column at a time.
        like: Makes the kind of frame that the caller works with.
    """

    def __init__(
        self,
        schema: Schema,
        load: Load,
        *,
        columnar: bool,
        like: Callable[[pl.DataFrame], object] = lambda frame: frame,
    ) -> None:
        self.schema = schema
        self._load = load
        self._columnar = columnar
        self._like = like
        self._coded: dict[str, Coded] = {}
        self._numbers: dict[str, Floats] = {}
        self._checked: dict[tuple[str, LowWeights], Floats] = {}
        self._cells: dict[tuple[object, ...], tuple[Cells, Index]] = {}
        self._rows: int | None = None
        self._blank: dict[str, NDArray[np.bool_]] = {}
        self._changes: dict[str, tuple[Transformation, ...]] = {}

    def rows(self) -> int:
        if self._rows is None:
            self._fetch([self.schema.names[0]], [], silent)
        assert self._rows is not None  # noqa: S101
        return self._rows

    def describe(self, *, progress: Progress = silent) -> tuple[Summary, ...]:
        self._fetch([v.name for v in self.schema if v.kind != "other"], [], progress)
        return tuple(self._summary(name) for name in self.schema.names)

    def _summary(self, name: str) -> Summary:
        variable = self.schema[name]
        known = self._coded.get(name)
        categories = len(known.categories) if known else 0
        missing = int(np.count_nonzero(known.codes == 0)) if known else 0
        return Summary(
            name=name,
            label=variable.label,
            kind=variable.kind,
            categories=categories,
            missing=missing,
            role=suggested_role(variable, known.categories if known else (), self.rows()),
        )

    def cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        return self._tally(scenario, progress)[0]

    def weight_facts(self, scenario: Scenario) -> WeightFacts | None:
        if scenario.weight is None:
            return None
        raw = self._numbers[scenario.weight]
        weights = self._weights(scenario)
        return WeightFacts(
            median=float(np.median(weights)),
            all_one=bool(np.all(weights == 1.0)),
            clipped=int(np.count_nonzero(raw < 1.0)),
        )

    def households(self, scenario: Scenario, values: Floats) -> Households:
        _, group = self._tally(scenario, silent)
        household, unassigned = self._household(scenario)
        size = np.bincount(household)
        return Households(
            total=Exact.split(values[group]).grouped(household, len(size)).value,
            size=size,
            unassigned=unassigned,
            size_key=self._size_key(scenario, size[household]),
        )

    def lowest(self, scenario: Scenario, by_household: Floats) -> Floats:
        cells, group = self._tally(scenario, silent)
        household, _ = self._household(scenario)
        result = np.full(len(cells), np.inf)
        np.minimum.at(result, group, by_household[household])
        return result

    def constant(self, scenario: Scenario) -> tuple[str, ...]:
        household, _ = self._household(scenario)
        order = np.argsort(household, kind="stable")
        same = np.diff(household[order]) == 0
        codes = {key: self._coded[key].codes[order] for key in scenario.keys}
        return tuple(
            key for key, code in codes.items() if bool(np.all(code[1:][same] == code[:-1][same]))
        )

    def blanked(
        self,
        scenario: Scenario,
        cell: Index,
        keys: NDArray[np.int64],
        count: NDArray[np.int64],
        *,
        linked: Mapping[str, Sequence[str]],
        together: Collection[str] = (),
    ) -> Local:
        cells, group = self._tally(scenario, silent)
        masks = _masks_of_rows(group, cell, keys, count, cells=len(cells))
        blanked = {*scenario.keys, *(name for names in linked.values() for name in names)}
        self._fetch(sorted(blanked), [], silent)
        made = self._copy(self.schema, blanked)
        for place, key in enumerate(scenario.keys):
            blank = (masks >> place & 1) == 1
            if key in together:
                household, _ = self._household(scenario)
                blank = (np.bincount(household, blank) > 0)[household]
            if blank.any():
                for name in (key, *linked.get(key, ())):
                    made._hide(name, blank)
        return made

    def values(self, name: str) -> pl.Series:
        return distinct(plain(self._column(name)))

    def transformed(self, change: Transformation) -> Local:
        name = change.after.name
        variables = tuple(change.after if v.name == name else v for v in self.schema)
        made = self._copy(replace(self.schema, variables=variables), (name,))
        made._changes[name] = (*self._changes.get(name, ()), change)
        made._forget(name)
        return made

    def without(self, names: Collection[str]) -> Local:
        variables = tuple(v for v in self.schema if v.name not in names)
        made = self._copy(replace(self.schema, variables=variables), names)
        for name in names:
            made._forget(name)
            made._blank.pop(name, None)
            made._changes.pop(name, None)
        return made

    def _copy(self, schema: Schema, touched: Collection[str]) -> Local:
        """An engine that shares whatever does not rest on the variables that are touched."""
        made = Local(schema, self._load, columnar=self._columnar, like=self._like)
        made._coded, made._numbers = dict(self._coded), dict(self._numbers)
        made._checked, made._rows = dict(self._checked), self._rows
        made._blank, made._changes = dict(self._blank), dict(self._changes)
        made._cells = {
            label: found
            for label, found in self._cells.items()
            if not {*found[0].keys, label[1]}.intersection(touched)
        }
        return made

    def _forget(self, name: str) -> None:
        """Let go of what was known of a variable's values, so that it is coded again."""
        self._coded.pop(name, None)
        self._numbers.pop(name, None)
        self._checked = {label: each for label, each in self._checked.items() if label[0] != name}

    def _hide(self, name: str, blank: NDArray[np.bool_]) -> None:
        """Blank a variable in some records; what is missing anyway is no blank."""
        known = self._coded[name]
        lost = blank & (known.codes > 0)
        self._coded[name] = _without_blanks(known, blank)
        self._blank[name] = lost | self._blank.get(name, False)

    def blanks(self) -> Mapping[str, int]:
        return {name: int(np.count_nonzero(blank)) for name, blank in self._blank.items()}

    def changed(self, since: Local) -> int:
        lost = np.zeros(self.rows(), np.bool_)
        for name, blank in self._blank.items():
            lost |= blank & ~since._blank.get(name, np.False_)
        return int(np.count_nonzero(lost))

    def rows_of(self, scenario: Scenario, cell: Index, *, most: int) -> list[int]:
        cells, group = self._tally(scenario, silent)
        wanted = np.zeros(len(cells), np.bool_)
        wanted[cell] = True
        return [1 + row for row in np.flatnonzero(wanted[group])[:most].tolist()]

    def table(self) -> pl.DataFrame:
        frame = self._load(self.schema.names)
        frame = frame.with_columns(self._changed(frame[name]) for name in self._changes)
        return frame.with_columns(
            pl.when(~pl.Series(blank)).then(pl.col(name)).alias(name)
            for name, blank in self._blank.items()
        )

    def records(
        self,
        scenario: Scenario,
        by_cell: Mapping[str, Floats | NDArray[np.int64]],
        by_household: Mapping[str, Floats],
    ) -> object:
        _, group = self._tally(scenario, silent)
        columns: dict[str, NDArray[Any]] = {name: each[group] for name, each in by_cell.items()}
        if by_household:
            household, _ = self._household(scenario)
            columns |= {name: each[household] for name, each in by_household.items()}
        return self._like(pl.DataFrame(columns))

    def _tally(self, scenario: Scenario, progress: Progress) -> tuple[Cells, Index]:
        """Cells, and for each record the number of its cell."""
        split = scenario.attack == "weight"
        label = (scenario.keys, scenario.weight, scenario.low_weights, split)
        if label not in self._cells:
            self._cells[label] = self._counted(scenario, progress, split=split)
        return self._cells[label]

    def _counted(
        self, scenario: Scenario, progress: Progress, *, split: bool
    ) -> tuple[Cells, Index]:
        texts = [*scenario.keys, *([scenario.household] if scenario.household else [])]
        self._fetch(texts, [scenario.weight] if scenario.weight else [], progress)
        known = [self._coded[key] for key in scenario.keys]
        for key, each in zip(scenario.keys, known, strict=True):
            if not len(each.categories):
                raise InputError(
                    f"Key variable {key!r} is missing in every record of {self.schema.source}. "
                    "Leave it out of the keys."
                )
        weights = self._weights(scenario)
        progress("counting cells", 0.0)
        codes, sizes = [each.codes for each in known], [len(each.categories) for each in known]
        if split:
            distinct, place = np.unique(weights, return_inverse=True)
            codes, sizes = [*codes, place.astype(np.uint32)], [*sizes, len(distinct)]
        group, first = number(codes, sizes, rows=self.rows())
        cells = Cells(
            keys=scenario.keys,
            categories=tuple(each.categories for each in known),
            codes=tuple(each.codes[first] for each in known),
            count=np.bincount(group, minlength=len(first)).astype(np.int64),
            weights=Exact.split(weights).grouped(group, len(first)),
        )
        progress("counting cells", 1.0)
        return cells, group

    def _weights(self, scenario: Scenario) -> Floats:
        """Sampling weights, every one at least 1; all one if the file has none."""
        if scenario.weight is None:
            return np.ones(self.rows())
        label = (scenario.weight, scenario.low_weights)
        if label not in self._checked:
            where = f"Weight {scenario.weight!r} of {self.schema.source}"
            known = self._numbers[scenario.weight]
            self._checked[label] = checked_weights(known, scenario.low_weights, where)
        return self._checked[label]

    def _household(self, scenario: Scenario) -> tuple[Index, int]:
        """Number of each record's household; records without an id get one of their own."""
        assert scenario.household is not None  # noqa: S101
        self._fetch([scenario.household], [], silent)
        known = self._coded[scenario.household]
        household = known.codes.astype(np.intp) - 1
        alone = np.flatnonzero(household < 0)
        household[alone] = len(known.categories) + np.arange(len(alone))
        return household, len(alone)

    def _size_key(self, scenario: Scenario, size: NDArray[np.int64]) -> str | None:
        """Find a key that holds the number of members in at least nine of ten records."""
        for key in scenario.keys:
            categories = list(self._coded[key].categories) if self._few_categories(key) else []
            if categories and all(_whole_number(text) for text in categories):
                numbers = np.array([-1, *(int(text) for text in categories)], np.float64)
                if float(np.mean(numbers[self._coded[key].codes] == size)) >= 0.9:
                    return key
        return None

    def _few_categories(self, key: str) -> bool:
        return len(self._coded[key].categories) <= 100

    def _fetch(self, texts: Sequence[str], numbers: Sequence[str], progress: Progress) -> None:
        """Load and code what is not there yet; columns are let go as soon as they are coded."""
        texts = [name for name in texts if name not in self._coded]
        numbers = [name for name in numbers if name not in self._numbers]
        wanted = [*texts, *(name for name in numbers if name not in texts)]
        frame = None if self._columnar or not wanted else self._load(wanted)
        for done, name in enumerate(wanted):
            progress("reading", done / len(wanted))
            column = self._column(name, frame)
            variable = self.schema[name]
            if name in texts:
                known = coded(column, variable, source=self.schema.source)
                blank = self._blank.get(name)
                self._coded[name] = known if blank is None else _without_blanks(known, blank)
            if name in numbers:
                self._numbers[name] = numeric(column, variable, source=self.schema.source)
        progress("reading", 1.0)

    def _column(self, name: str, frame: pl.DataFrame | None = None) -> pl.Series:
        """A variable as it now is, but for blanks."""
        column = (self._load([name]) if frame is None else frame).get_column(name)
        self._check_rows(len(column))
        return self._changed(column)

    def _changed(self, column: pl.Series) -> pl.Series:
        for change in self._changes.get(column.name, ()):
            column = transformed(column, change)
        return column

    def _check_rows(self, rows: int) -> None:
        if not rows:
            raise InputError(f"{self.schema.source} has no records.")
        if self._rows not in (None, rows):
            raise InputError(f"{self.schema.source} changed while it was read. Start again.")
        self._rows = rows


def _masks_of_rows(
    group: Index, cell: Index, keys: NDArray[np.int64], count: NDArray[np.int64], *, cells: int
) -> NDArray[np.int64]:
    """The keys to blank in each record: those of its cell go to the first in input order."""
    order = np.argsort(cell, kind="stable")
    cell, keys, count = cell[order], keys[order], count[order]
    taken = np.bincount(cell, count, cells).astype(np.int64)
    rows = np.flatnonzero(taken[group])
    rows = rows[np.argsort(group[rows], kind="stable")]
    of = group[rows]
    first = np.flatnonzero(np.concatenate([[True], of[1:] != of[:-1]]))
    rank = np.arange(len(rows)) - np.repeat(first, np.diff([*first, len(rows)]))
    masks = np.zeros(len(group), np.int64)
    masks[rows[rank < taken[of]]] = np.repeat(keys, count)
    return masks


def _without_blanks(known: Coded, blank: NDArray[np.bool_]) -> Coded:
    codes = np.where(blank, 0, known.codes).astype(known.codes.dtype)
    return Coded(codes=codes, categories=known.categories)


def _whole_number(text: str) -> bool:
    return text.isascii() and text.strip().isdecimal()
