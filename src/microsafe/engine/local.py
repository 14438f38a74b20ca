"""The embedded engine: Polars reads, numpy counts, everything on this machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as counting
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index
from microsafe.engine.base import Households, Summary, WeightFacts
from microsafe.engine.batches import (
    BATCH,
    Bits,
    Flags,
    Load,
    Scan,
    lengths,
    median,
    records_at_once,
    sliced,
    unpacked,
)
from microsafe.engine.blanking import Blanking
from microsafe.engine.coding import Coder, Column
from microsafe.engine.counting import merged, numbered
from microsafe.engine.memory import PER_CELL, PER_CELL_AT_WORK, PER_VALUE, Memory, Parts
from microsafe.engine.numbers import Numbers
from microsafe.engine.roles import suggested_role
from microsafe.engine.rules import Shuffled, Transformation, distinct, plain, renewed, transformed
from microsafe.engine.weights import check_weights, usable
from microsafe.errors import InputError
from microsafe.progress import Progress, silent
from microsafe.scenario import LowWeights, Scenario
from microsafe.schema import Schema
from microsafe.sums import Floats, Sums

Values = Floats | NDArray[np.int64]


class Local:
    """Records of one file, coded key by key when first asked for and kept that way.

    Args:
        schema: What is known of the variables.
        load: Gives the named columns.
        columnar: Whether to load one column at a time.
        like: Makes the kind of frame that the caller works with.
        scan: Gives the named columns in frames of so many records; by default slices of what
            is loaded.
        records: Number of records, if that is known.
        memory: The limit on memory; none by default.
    """

    def __init__(
        self,
        schema: Schema,
        load: Load,
        *,
        columnar: bool,
        like: Callable[[pl.DataFrame], object] = lambda frame: frame,
        scan: Scan | None = None,
        records: int | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.schema = schema
        self._memory = memory or Memory(None, schema.source)
        self._scan = scan or sliced(load)
        self._columnar = columnar
        self._like = like
        self._coded: dict[str, Column] = {}
        self._numbers: dict[str, Parts] = {}
        self._checked: set[tuple[str, LowWeights]] = set()
        self._cells: dict[tuple[object, ...], tuple[Cells, Parts]] = {}
        self._rows = records
        self._blank: dict[str, list[Bits]] = {}
        self._changes: dict[str, tuple[Transformation, ...]] = {}
        self._renewals: dict[tuple[str, int], tuple[pl.Series, pl.Series]] = {}

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
        categories = known.categories if known else ()
        missing = [np.count_nonzero(code == 0) for code in self._codes(name)] if known else []
        return Summary(
            name=name,
            label=variable.label,
            kind=variable.kind,
            categories=len(categories),
            missing=int(sum(missing)),
            role=suggested_role(variable, categories, self.rows()),
        )

    def cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        return self._tally(scenario, progress)[0]

    def weight_facts(self, scenario: Scenario) -> WeightFacts | None:
        if scenario.weight is None:
            return None
        self._fetch([], [scenario.weight], silent)
        raw = self._numbers[scenario.weight]
        return WeightFacts(
            median=median(lambda: self._weights(scenario), self.rows()),
            all_one=all(bool(np.all(part == 1.0)) for part in self._weights(scenario)),
            clipped=sum(int(np.count_nonzero(part < 1.0)) for part in raw),
        )

    def households(self, scenario: Scenario, values: Floats) -> Households:
        _, groups = self._tally(scenario, silent)
        number, unassigned = self._households(scenario)
        what = f"for {number:,} households"
        self._memory.need(number * PER_CELL, what, "Leave out the household,")
        size = np.zeros(number, np.int64)
        for household in self._household(scenario):
            np.add.at(size, household, 1)
        sums = Sums(number, _total(values[group] for group in groups))
        for group, household in zip(groups, self._household(scenario), strict=True):
            sums.add(household, values[group])
        return Households(
            total=sums.exact.value,
            size=size,
            unassigned=unassigned,
            size_key=self._size_key(scenario, size),
        )

    def lowest(self, scenario: Scenario, by_household: Floats) -> Floats:
        cells, groups = self._tally(scenario, silent)
        result = np.full(len(cells), np.inf)
        for group, household in zip(groups, self._household(scenario), strict=True):
            np.minimum.at(result, group, by_household[household])
        return result

    def constant(self, scenario: Scenario) -> tuple[str, ...]:
        self._fetch(scenario.keys, [], silent)
        return tuple(key for key in scenario.keys if self._is_constant(scenario, key))

    def _is_constant(self, scenario: Scenario, key: str) -> bool:
        seen = np.full(self._households(scenario)[0], -1, np.int64)
        for code, household in zip(self._codes(key), self._household(scenario), strict=True):
            before = seen[household]
            seen[household] = code  # of several members in the batch one stays
            if bool(np.any((seen[household] != code) | ((before >= 0) & (before != code)))):
                return False
        return True

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
        cells, groups = self._tally(scenario, silent)
        blanked = {*scenario.keys, *(name for names in linked.values() for name in names)}
        self._fetch(sorted(blanked), [], silent)
        blanking = Blanking(cell, keys, count, cells=len(cells))
        blank: dict[str, list[Bits]] = {key: [] for key in scenario.keys}
        for group in groups:
            masks = blanking.masks(group)
            for place, key in enumerate(scenario.keys):
                blank[key].append(np.packbits((masks >> place & 1) == 1))
        made = self._copy(self.schema, blanked)
        for key, bits in blank.items():
            if key in together:
                bits = self._for_all_members(scenario, bits)
            if any(part.any() for part in bits):
                for name in (key, *linked.get(key, ())):
                    made._hide(name, bits)
        return made

    def _for_all_members(self, scenario: Scenario, bits: Sequence[Bits]) -> list[Bits]:
        """Flags that hold for all members of a household if they hold for one."""
        hit = np.zeros(self._households(scenario)[0], np.bool_)
        for part, household in zip(bits, self._household(scenario), strict=True):
            hit[household[unpacked(part, 0, len(household))]] = True
        return [np.packbits(hit[household]) for household in self._household(scenario)]

    def values(self, name: str) -> pl.Series:
        return self._values(name, self._changes.get(name, ()))

    def _values(self, name: str, changes: Sequence[Transformation]) -> pl.Series:
        """The distinct values of a variable after some changes."""
        found = [
            distinct(plain(self._changed(frame.get_column(name), changes)))
            for frame in self._frames([name])
        ]
        return found[0] if len(found) == 1 else distinct(pl.concat(found))

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
        made = Local.__new__(Local)
        made.schema, made._memory = schema, self._memory
        made._scan, made._columnar, made._like = self._scan, self._columnar, self._like
        made._coded, made._numbers = dict(self._coded), dict(self._numbers)
        made._checked, made._rows = set(self._checked), self._rows
        made._blank, made._changes = dict(self._blank), dict(self._changes)
        made._renewals = dict(self._renewals)
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
        self._checked = {label for label in self._checked if label[0] != name}

    def _hide(self, name: str, bits: Sequence[Bits]) -> None:
        """Blank a variable in some records; what is missing anyway is no blank."""
        lost = [part & np.packbits(c > 0) for part, c in zip(bits, self._codes(name), strict=True)]
        before = self._blank.get(name)
        if before is not None:
            lost = [one | other for one, other in zip(lost, before, strict=True)]
        self._blank[name] = lost

    def blanks(self) -> Mapping[str, int]:
        return {
            name: sum(int(np.bitwise_count(part).sum()) for part in bits)
            for name, bits in self._blank.items()
        }

    def changed(self, since: Local) -> int:
        records = 0
        for batch in range(len(lengths(self.rows()))):
            lost = np.zeros(1, np.uint8)
            for name, bits in self._blank.items():
                before = since._blank.get(name)
                lost = lost | (bits[batch] if before is None else bits[batch] & ~before[batch])
            records += int(np.bitwise_count(lost).sum())
        return records

    def rows_of(self, scenario: Scenario, cell: Index, *, most: int) -> list[int]:
        cells, groups = self._tally(scenario, silent)
        wanted = np.zeros(len(cells), np.bool_)
        wanted[cell] = True
        found: list[int] = []
        for start, group in zip(counting(1, BATCH), groups, strict=False):
            found += (np.flatnonzero(wanted[group])[: most - len(found)] + start).tolist()
            if len(found) == most:
                break
        return found

    def table(self) -> pl.DataFrame:
        size = self.rows() * len(self.schema.names) * PER_VALUE
        self._memory.need(size, "to hold all records at once", "Write Parquet or CSV unshuffled,")
        return pl.concat(self.batches())

    def batches(self, *, progress: Progress = silent) -> Iterator[pl.DataFrame]:
        names = self.schema.names
        start = 0
        for frame in self._frames(names, records_at_once(len(names))):
            progress("writing", start / self.rows())
            frame = frame.with_columns(
                self._changed(frame[name], changes) for name, changes in self._changes.items()
            )
            yield frame.with_columns(
                pl.when(~pl.Series(self._blanks_in(name, start, frame.height)))
                .then(pl.col(name))
                .alias(name)
                for name in self._blank
            )
            start += frame.height

    def _blanks_in(self, name: str, start: int, count: int) -> Flags:
        """Which of some records of one batch have a blank."""
        return unpacked(self._blank[name][start // BATCH], start % BATCH, count)

    def records(
        self,
        scenario: Scenario,
        by_cell: Mapping[str, Values],
        by_household: Mapping[str, Floats],
    ) -> object:
        size = self.rows() * 8 * (len(by_cell) + len(by_household))
        self._memory.need(size, "to hold all records at once", "Go through record_batches(),")
        return self._like(pl.concat(self.record_batches(scenario, by_cell, by_household)))

    def record_batches(
        self,
        scenario: Scenario,
        by_cell: Mapping[str, Values],
        by_household: Mapping[str, Floats],
        *,
        progress: Progress = silent,
    ) -> Iterator[pl.DataFrame]:
        _, groups = self._tally(scenario, silent)
        households = self._household(scenario) if by_household else iter(())
        for done, group in enumerate(groups):
            progress("writing records", done / len(groups))
            columns: dict[str, NDArray[Any]] = {name: v[group] for name, v in by_cell.items()}
            if by_household:
                household = next(households)
                columns |= {name: each[household] for name, each in by_household.items()}
            yield pl.DataFrame(columns)

    def _tally(self, scenario: Scenario, progress: Progress) -> tuple[Cells, Parts]:
        """Cells, and for each record the number of its cell."""
        split = scenario.attack == "weight"
        label = (scenario.keys, scenario.weight, scenario.low_weights, split)
        if label not in self._cells:
            self._cells[label] = self._counted(scenario, progress, split=split)
        return self._cells[label]

    def _counted(
        self, scenario: Scenario, progress: Progress, *, split: bool
    ) -> tuple[Cells, Parts]:
        texts = [*scenario.keys, *([scenario.household] if scenario.household else [])]
        self._fetch(texts, [scenario.weight] if scenario.weight else [], progress)
        known = [self._coded[key] for key in scenario.keys]
        for key, each in zip(scenario.keys, known, strict=True):
            if not len(each.categories):
                raise InputError(
                    f"Key variable {key!r} is missing in every record of {self.schema.source}. "
                    "Leave it out of the keys."
                )
        self._check_weights(scenario)
        sizes = [len(each.categories) for each in known]
        weights = self._distinct_weights(scenario) if split else np.empty(0)

        def codes(column: int, batch: int) -> Codes:
            if column < len(scenario.keys):
                return self._code(scenario.keys[column], batch)
            return np.searchsorted(weights, self._weight(scenario, batch)).astype(np.uint32)

        groups = self._memory.parts()
        found = numbered(
            codes,
            [*sizes, len(weights)] if split else sizes,
            lengths(self.rows()),
            groups=groups,
            tell=lambda fraction: progress("counting cells", fraction),
        )
        self._afford(len(found[0]))
        count = np.zeros(len(found[0]), np.int64)
        sums = Sums(len(count), _total(self._weights(scenario)))
        for group, weight in zip(groups, self._weights(scenario), strict=True):
            np.add.at(count, group, 1)
            sums.add(group, weight)
        cells = Cells(
            keys=scenario.keys,
            categories=tuple(each.categories for each in known),
            codes=tuple(found[: len(known)]),
            count=count,
            weights=sums.exact,
        )
        progress("counting cells", 1.0)
        return cells, groups

    def _afford(self, cells: int) -> None:
        what = f"for {cells:,} combinations of keys"
        remedy = "Recode or leave out keys,"
        self._memory.need(cells * (PER_CELL + PER_CELL_AT_WORK), what, remedy)
        self._memory.keep(cells * PER_CELL, what, remedy)

    def _check_weights(self, scenario: Scenario) -> None:
        label = (scenario.weight or "", scenario.low_weights)
        if scenario.weight is not None and label not in self._checked:
            where = f"Weight {scenario.weight!r} of {self.schema.source}"
            check_weights(self._numbers[scenario.weight], scenario.low_weights, where)
            self._checked.add(label)

    def _weights(self, scenario: Scenario) -> Iterator[Floats]:
        """Sampling weights, every one at least 1, by batch; all one if the file has none."""
        return (self._weight(scenario, batch) for batch in range(len(lengths(self.rows()))))

    def _weight(self, scenario: Scenario, batch: int) -> Floats:
        if scenario.weight is None:
            return np.ones(lengths(self.rows())[batch])
        return usable(self._numbers[scenario.weight][batch], scenario.low_weights)

    def _distinct_weights(self, scenario: Scenario) -> Floats:
        return merged([merged([np.sort(part)]) for part in self._weights(scenario)])

    def _households(self, scenario: Scenario) -> tuple[int, int]:
        """Number of households, and how many of them are records without an id."""
        assert scenario.household is not None  # noqa: S101
        self._fetch([scenario.household], [], silent)
        codes = self._codes(scenario.household)
        alone = sum(int(np.count_nonzero(code == 0)) for code in codes)
        return len(self._coded[scenario.household].categories) + alone, alone

    def _household(self, scenario: Scenario) -> Iterator[Index]:
        """Each record's household by batch; records without an id get one of their own."""
        assert scenario.household is not None  # noqa: S101
        free = len(self._coded[scenario.household].categories)
        for code in self._codes(scenario.household):
            household = code.astype(np.intp) - 1
            alone = np.flatnonzero(household < 0)
            household[alone] = free + np.arange(len(alone))
            free += len(alone)
            yield household

    def _size_key(self, scenario: Scenario, size: NDArray[np.int64]) -> str | None:
        """Find a key that holds the number of members in at least nine of ten records."""
        for key in scenario.keys:
            categories = self._coded[key].categories
            few = list(categories) if len(categories) <= 100 else []
            if few and all(_whole_number(text) for text in few):
                numbers = np.array([-1, *(int(text) for text in few)], np.float64)
                pairs = zip(self._codes(key), self._household(scenario), strict=True)
                agreeing = sum(
                    int(np.count_nonzero(numbers[code] == size[household]))
                    for code, household in pairs
                )
                if agreeing / self.rows() >= 0.9:
                    return key
        return None

    def _codes(self, name: str) -> Iterator[Codes]:
        """The codes of a variable as it now is, by batch."""
        return (self._code(name, batch) for batch in range(len(self._coded[name].parts)))

    def _code(self, name: str, batch: int) -> Codes:
        code: Codes = self._coded[name].parts[batch]
        if name not in self._blank:
            return code
        return np.where(self._blanks_in(name, batch * BATCH, len(code)), 0, code)

    def _fetch(self, texts: Sequence[str], numbers: Sequence[str], progress: Progress) -> None:
        """Read and code what is not there yet; columns are let go as soon as they are coded."""
        texts = [name for name in texts if name not in self._coded]
        numbers = [name for name in numbers if name not in self._numbers]
        wanted = [*texts, *(name for name in numbers if name not in texts)]
        together = [[name] for name in wanted] if self._columnar else [wanted] if wanted else []
        for done, names in enumerate(together):

            def tell(fraction: float, done: int = done) -> None:
                progress("reading", (done + fraction) / len(together))

            self._read(
                [name for name in texts if name in names],
                [name for name in numbers if name in names],
                tell,
            )
        progress("reading", 1.0)

    def _read(
        self, texts: Sequence[str], numbers: Sequence[str], tell: Callable[[float], None]
    ) -> None:
        source = self.schema.source
        coders = {
            name: Coder(self.schema[name], source=source, parts=self._memory.parts())
            for name in texts
        }
        readers = {name: Numbers(self.schema[name], source=source) for name in numbers}
        parts = {name: self._memory.parts() for name in numbers}
        rows = 0
        for frame in self._frames([*dict.fromkeys((*texts, *numbers))]):
            tell(rows / self._rows if self._rows else 0.0)
            rows += frame.height
            for column in frame:
                column = self._changed(column, self._changes.get(column.name, ()))
                if column.name in coders:
                    coders[column.name].add(column)
                if column.name in readers:
                    parts[column.name].append(readers[column.name].read(column))
        for name, reader in readers.items():
            reader.check()
            self._numbers[name] = parts[name]
        for name, coder in coders.items():
            self._coded[name] = coder.column()

    def _frames(self, names: Sequence[str], size: int | None = None) -> Iterator[pl.DataFrame]:
        """Variables as the file has them, by batch; all records or an error."""
        rows = 0
        for frame in self._scan(names, size or BATCH):
            rows += frame.height
            yield frame
        if not rows:
            raise InputError(f"{self.schema.source} has no records.")
        if self._rows not in (None, rows):
            raise InputError(f"{self.schema.source} changed while it was read. Start again.")
        self._rows = rows

    def _changed(self, column: pl.Series, changes: Sequence[Transformation]) -> pl.Series:
        for place, change in enumerate(changes):
            known = None
            if isinstance(change.rule, Shuffled):
                known = self._renewal(column.name, place, changes)
            column = transformed(column, change, known)
        return column

    def _renewal(
        self, name: str, place: int, changes: Sequence[Transformation]
    ) -> tuple[pl.Series, pl.Series]:
        """The distinct values before a change, and what becomes of each."""
        if (name, place) not in self._renewals:
            old = self._values(name, changes[:place])
            self._renewals[name, place] = (old, renewed(old, changes[place]))
        return self._renewals[name, place]


def _total(parts: Iterator[Floats]) -> float:
    """Sum of numbers, near enough to choose the unit of exact sums by."""
    return float(sum(float(part.sum()) for part in parts))


def _whole_number(text: str) -> bool:
    return text.isascii() and text.strip().isdecimal()
