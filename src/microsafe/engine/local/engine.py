"""The embedded engine: Polars reads, numpy counts, everything on this machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.cells import Cells, Codes, Index, Membership
from microsafe.engine.coding import make_empty_key_error
from microsafe.engine.contract import EngineGap, Figures, Households, SampleSize, WeightFacts
from microsafe.engine.counting import merge_sorted, number_combinations
from microsafe.engine.local.blanks import BlankWriter, count_changed_records, find_blanks
from microsafe.engine.local.figures import figure_batches, insert_variables
from microsafe.engine.local.group_apply import map_blocks, map_groups
from microsafe.engine.local.households import HouseholdIndex
from microsafe.engine.local.record_access import read_columns, take_in
from microsafe.engine.local.records import Change, Records
from microsafe.engine.local.sampling import draw_sample, keep_records
from microsafe.engine.local.state_pairs import LocalPairs
from microsafe.engine.local.value_traits import can_walk, find_traits, look_at, walk_values
from microsafe.engine.local.writing import read_table, write_records
from microsafe.engine.memory import (
    PER_CELL,
    PER_CELL_AT_WORK,
    PER_HOUSEHOLD,
    PER_HOUSEHOLD_AT_WORK,
    PER_MEMBER_AT_WORK,
    PER_VALUE,
    Batches,
    Memory,
    room_for_combinations,
)
from microsafe.engine.record_access import (
    BlockFunction,
    GroupFunction,
    Ranking,
    RecordBatch,
    RecordFunction,
    RecordNumbers,
    Selection,
    TogetherFunction,
    merge_batches,
)
from microsafe.engine.record_order import NewOrder
from microsafe.engine.sampling import Sampling
from microsafe.engine.slices import batch_lengths, median, scan_slices
from microsafe.engine.transformations import Transformation
from microsafe.engine.weights import add_up_cells, check_weights, rough_total, usable_weights
from microsafe.io import Source, check_writable, write_figures
from microsafe.io.atomic import check_regular
from microsafe.io.column_types import finish_frame
from microsafe.notices import Notice
from microsafe.options.declaration import Declarations
from microsafe.options.scenario import Scenario
from microsafe.passes import Merged
from microsafe.progress import Progress, Tell, silent, tell_nobody
from microsafe.schema import Code, Schema, Variable
from microsafe.sums import Floats, Sums, add_ones
from microsafe.variables.profile import VariableProfile, profile_variable
from microsafe.variables.traits import Traits

_AT_ONCE = 64  # variables whose values are looked at together


class LocalEngine:
    """Records of one file, coded key by key when first asked for and kept that way.

    Args:
        source: The file or frame.
        memory: The limit on memory; none by default.
    """

    gaps: ClassVar[Mapping[str, EngineGap]] = {}

    def __init__(self, source: Source, *, memory: Memory | None = None) -> None:
        self._source = source
        self._records = Records(
            source.schema,
            source.scan or scan_slices(source.load),
            columnar=source.columnar,
            count=source.records,
            memory=memory or Memory(None, source.schema.source),
        )
        self._checked: set[tuple[str, bool]] = set()
        self._cells: dict[tuple[object, ...], tuple[Cells, Batches]] = {}
        self._traits: dict[str, Traits] = {}
        self._may_be_blank = False

    @property
    def schema(self) -> Schema:
        return self._records.schema

    @property
    def notices(self) -> tuple[Notice, ...]:
        return self._source.notices

    @property
    def declarations(self) -> Declarations:
        return self._source.declarations

    @property
    def memory(self) -> Memory:
        """How much may be used, and by what it is used."""
        return self._records.memory

    @property
    def options(self) -> Mapping[str, Any]:
        return {"engine": "local", "memory": self.memory}

    def afford(self, size: int, what: str, remedy: str) -> None:
        self.memory.need(size, what, remedy)

    def convert_table(self, frame: pl.DataFrame) -> object:
        return self._source.like(frame)

    def check_output(self, path: str) -> None:
        check_writable(Path(path))
        check_regular(Path(path))

    def write(
        self,
        path: str,
        *,
        notes: bool = True,
        blanks: Mapping[str, Code] | None = None,
        shuffle: NewOrder | None = None,
        prune: bool = False,
        progress: Progress = silent,
    ) -> tuple[Notice, ...]:
        return write_records(
            self._records,
            self._source,
            path,
            notes=notes,
            blanks=blanks,
            shuffle=shuffle,
            prune=prune,
            progress=progress,
        )

    def write_figures(
        self, frames: Iterator[Any], path: str, *, progress: Progress = silent
    ) -> None:
        write_figures(frames, Path(path))
        progress("writing records", 1.0)

    def rows(self) -> int:
        return self._records.count

    def describe(self, *, progress: Progress = silent) -> tuple[VariableProfile, ...]:
        seen = self._records.recall_traits(self.schema.names)
        new = [v.name for v in self.schema if v.kind != "other" and v.name not in seen]
        self._records.fetch(new, [], progress)
        return tuple(
            profile_variable(v, seen[v.name].distinct, seen[v.name].missing)
            if v.name in seen
            else look_at(self._records, v.name)
            for v in self.schema
        )

    def traits(
        self, names: Sequence[str] | None = None, *, progress: Progress = silent
    ) -> tuple[Traits, ...]:
        names = self.schema.names if names is None else names
        self._traits = self._records.recall_traits(names) | self._traits
        walked = [n for n in names if n not in self._traits and can_walk(self._records, n)]
        if walked:
            part = len(walked) / len(self.schema.names)
            tell = partial(_tell_reading, progress, part)
            self._traits |= walk_values(self._records, walked, tell)
        new = [name for name in names if name not in self._traits]
        coded = [name for name in new if name in self._records.coded]
        groups: list[Sequence[str]] = [
            coded[start : start + _AT_ONCE] for start in range(0, len(coded), _AT_ONCE)
        ]
        groups += self._records.together([name for name in new if name not in coded])
        for some in groups:
            self._traits |= find_traits(self._records, some)
            progress("reading", len(self._traits) / len(self.schema.names))
        self._records.share_traits(self._traits[name] for name in names)
        return tuple(self._traits[name] for name in names)

    def cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        cells, _ = self._tally(scenario, progress)
        self.memory.need(len(cells) * PER_CELL_AT_WORK, *room_for_combinations(len(cells)))
        return cells

    def cells_each(
        self, scenarios: Sequence[Scenario], *, progress: Progress = silent
    ) -> tuple[Cells, ...]:
        return tuple(self.cells(scenario, progress=progress) for scenario in scenarios)

    def risk_cells(self, scenario: Scenario, *, progress: Progress = silent) -> Cells:
        return self.cells(scenario, progress=progress)

    def weight_facts(self, scenario: Scenario) -> WeightFacts | None:
        if scenario.weight is None:
            return None
        self._records.fetch([], [scenario.weight], silent)
        raw = self._records.numbers[scenario.weight]
        return WeightFacts(
            median=median(lambda: self._weights(scenario), self.rows()),
            all_one=all(bool(np.all(part == 1.0)) for part in self._weights(scenario)),
            clipped=sum(int(np.count_nonzero(part < 1.0)) for part in raw),
        )

    def households(self, scenario: Scenario, values: Floats) -> Households:
        _, groups = self._tally(scenario, silent)
        homes = self._household_index(scenario)
        number = homes.count
        reason = (f"for {number:,} households", "Leave out the household,")
        self.memory.need(number * (PER_HOUSEHOLD + PER_HOUSEHOLD_AT_WORK), *reason)
        size = np.zeros(number, np.int64)
        self.memory.keep(number * PER_HOUSEHOLD, *reason, of=size)
        for household in homes.batches():
            add_ones(size, household)
        sums = Sums(number, rough_total(values[group] for group in groups))
        for group, household in zip(groups, homes.batches(), strict=True):
            sums.add(household, values[group])
        return Households(
            total=sums.exact.value,
            size=size,
            unassigned=homes.unassigned,
            size_key=homes.find_size_key(scenario.keys, size),
        )

    def membership(self, scenario: Scenario) -> Membership:
        cells, groups = self._tally(scenario, silent)
        rows = self._records.count
        what = f"for the households of {rows:,} records"
        self.memory.need(rows * PER_MEMBER_AT_WORK, what, "Leave out the household,")
        homes = self._household_index(scenario).batches()
        packed = [home * len(cells) + group for group, home in zip(groups, homes, strict=True)]
        place, records = np.unique(np.concatenate(packed), return_counts=True)
        household, cell = np.divmod(place, len(cells))
        return Membership(household=household, cell=cell, records=records)

    def find_lowest(self, scenario: Scenario, by_household: Floats, *, homes: Scenario) -> Floats:
        cells, groups = self._tally(scenario, silent)
        result = np.full(len(cells), np.inf)
        batches = self._household_index(homes).batches()
        for group, household in zip(groups, batches, strict=True):
            np.minimum.at(result, group, by_household[household])
        return result

    def find_constant_keys(self, scenario: Scenario) -> tuple[str, ...]:
        self._records.fetch(scenario.keys, [])
        homes = self._household_index(scenario)
        return tuple(key for key in scenario.keys if homes.is_constant(key))

    def _household_index(self, scenario: Scenario) -> HouseholdIndex:
        assert scenario.household is not None  # noqa: S101
        return HouseholdIndex(self._records, scenario.household)

    def blank_keys(
        self,
        scenario: Scenario,
        cell: Index,
        keys: NDArray[np.int64],
        count: NDArray[np.int64],
        *,
        linked: Mapping[str, Sequence[str]],
        together: Sequence[tuple[str, Collection[str]]] = (),
    ) -> LocalEngine:
        cells, groups = self._tally(scenario, silent)
        blanked = {*scenario.keys, *(name for names in linked.values() for name in names)}
        self._records.fetch(sorted(blanked), [])
        blanking = BlankWriter(cell, keys, count, cells=len(cells))
        blanked_bits = find_blanks(self._records, scenario.keys, groups, blanking, together)
        changed = self._copy(self.schema, blanked)
        for key, bits in blanked_bits.items():
            for name in (key, *linked.get(key, ())):
                changed._records.blank_values(name, bits)
        return changed

    def blank_records(self, blanks: Mapping[str, NDArray[np.bool_]]) -> LocalEngine:
        self._records.fetch(sorted(blanks), [])
        changed = self._copy(self.schema, blanks)
        ends = np.cumsum(batch_lengths(self.rows()))[:-1]
        for name, flags in blanks.items():
            parts = [np.packbits(part) for part in np.split(flags, ends)]
            changed._records.blank_values(name, parts)
        return changed

    def values(self, name: str) -> pl.Series:
        return self._records.values(name)

    def transform_variable(self, change: Transformation) -> LocalEngine:
        return self._with_change(change)

    def _with_change(self, change: Change) -> LocalEngine:
        name = change.after.name
        variables = tuple(change.after if v.name == name else v for v in self.schema)
        changed = self._copy(replace(self.schema, variables=variables), (name,))
        changed._records.change(change)
        changed._checked = {label for label in changed._checked if label[0] != name}
        return changed

    def categories(self, name: str) -> Sequence[str]:
        return self._records.categories(name)

    def columns(
        self, selection: Selection, *, progress: Progress = silent
    ) -> Iterator[RecordBatch]:
        selection.check(self.schema)
        return read_columns(self._records, selection, progress)

    def map_records(
        self, selection: Selection, after: Sequence[Variable], function: RecordFunction
    ) -> LocalEngine:
        new_batches = (
            RecordBatch(numbers=batch.numbers, columns=function(batch))
            for batch in self.columns(selection)
        )
        return self.replace_columns(selection, after, new_batches)

    def map_groups(
        self,
        selection: Selection,
        after: Sequence[Variable],
        group: GroupFunction,
        function: TogetherFunction,
        tell: Tell = tell_nobody,
    ) -> LocalEngine:
        new_batches = map_groups(list(self.columns(selection)), group, function, tell)
        return self.replace_columns(selection, after, new_batches)

    def map_blocks(
        self,
        selection: Selection,
        after: Sequence[Variable],
        ranking: Ranking,
        function: BlockFunction,
    ) -> LocalEngine:
        new_batches = map_blocks(list(self.columns(selection)), ranking, function)
        return self.replace_columns(selection, after, new_batches)

    def reduce_records(
        self, selection: Selection, function: Callable[[RecordBatch], Merged]
    ) -> Merged:
        return merge_batches(map(function, self.columns(selection)), self.schema.source)

    def replace_columns(
        self, selection: Selection, after: Sequence[Variable], batches: Iterable[RecordBatch]
    ) -> LocalEngine:
        selection.check(self.schema, after)
        changes = take_in(self._records, selection, after, batches).values()
        return reduce(LocalEngine._with_change, changes, self)

    def redefine_variables(self, variables: Sequence[Variable]) -> LocalEngine:
        by_name = {variable.name: variable for variable in variables}
        schema = replace(self.schema, variables=tuple(by_name.get(v.name, v) for v in self.schema))
        changed = self._copy(schema, by_name)
        changed._records.forget(by_name)
        changed._checked = {label for label in changed._checked if label[0] not in by_name}
        return changed

    def drop_variables(self, names: Collection[str]) -> LocalEngine:
        variables = tuple(v for v in self.schema if v.name not in names)
        changed = self._copy(replace(self.schema, variables=variables), names)
        changed._records.drop(names)
        return changed

    def copy_variable(self, name: str, copy: Variable) -> LocalEngine:
        changed = self._copy(replace(self.schema, variables=(*self.schema, copy)), (copy.name,))
        changed._records.copy_variable(name, copy.name)
        return changed

    def replace_variable(self, name: str, by: str) -> LocalEngine:
        schema = self.schema.replace_variable(name, by)
        changed = self._copy(schema, (name, by))
        changed._records.copy_variable(by, name)
        changed._records.drop((by,))
        return changed

    def draw_sample(
        self, sampling: Sampling, *, progress: Progress = silent
    ) -> tuple[LocalEngine, SampleSize]:
        records, size = draw_sample(self._records, sampling, progress)
        return self._keep(records, sampling.weight, progress), size

    def keep_records(
        self,
        kept: RecordNumbers,
        *,
        weight: Variable | None,
        factor: Floats,
        progress: Progress = silent,
    ) -> LocalEngine:
        return self._keep(keep_records(self._records, kept, weight, factor), weight, progress)

    def _keep(self, records: Records, weight: Variable | None, progress: Progress) -> LocalEngine:
        """An engine with some of the records; a weight that is no number is refused now."""
        part = copy(self)
        part._records = records
        part._checked, part._cells, part._traits = set(), {}, {}
        known = self.schema[weight.name] if weight and weight.name in self.schema else None
        if known is not None and known.kind not in ("integer", "number"):
            records.fetch([], [known.name], progress)
        return part

    def _copy(self, schema: Schema, touched: Collection[str]) -> LocalEngine:
        """An engine that shares whatever does not rest on the variables that are touched."""
        duplicate = copy(self)
        duplicate._records = self._records.copy(schema)
        duplicate._checked, duplicate._traits = set(self._checked), {}
        duplicate._cells = {
            label: counted
            for label, counted in self._cells.items()
            if not {*counted[0].keys, label[1]}.intersection(touched)
        }
        return duplicate

    def count_blanks(self) -> Mapping[str, int]:
        return {
            name: sum(int(np.bitwise_count(part).sum()) for part in bits)
            for name, bits in self._records.blank.items()
        }

    def count_changed_records(self, since: LocalEngine) -> int:
        return count_changed_records(self._records, since._records)

    def pair_with(
        self, after: LocalEngine, scenario: Scenario | None, *, progress: Progress = silent
    ) -> LocalPairs:
        return LocalPairs(self._records, after._records, scenario, progress)

    def find_records(self, scenario: Scenario, cell: Index, *, most: int) -> list[int]:
        cells, groups = self._tally(scenario, silent)
        is_wanted = np.zeros(len(cells), np.bool_)
        is_wanted[cell] = True
        places: list[int] = []
        for numbers, group in zip(self._records.record_numbers(), groups, strict=True):
            places += (1 + numbers[is_wanted[group]][: most - len(places)]).tolist()
            if len(places) == most:
                break
        return places

    def table(self) -> pl.DataFrame:
        return finish_frame(read_table(self._records, "Write them to a file,"))

    def frame(self) -> object:
        table, places = self.table(), self._records.places()
        if places is None or self._source.like_sample is None:
            return self._source.like_records(table)
        return self._source.like_sample(table, places)

    def batches(self, *, progress: Progress = silent) -> Iterator[pl.DataFrame]:
        return self._records.table(progress)

    def records(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
        *,
        identifiers: Sequence[str] = (),
    ) -> object:
        size = 8 * (len(by_cell) + len(by_household)) + PER_VALUE * len(identifiers)
        reason = ("to hold all records at once", "Go through record_batches(),")
        self.memory.need(self.rows() * size, *reason)
        batches = self.record_batches(scenario, by_cell, by_household, identifiers=identifiers)
        return self._source.like_records(pl.concat(batches))

    def record_batches(
        self,
        scenario: Scenario,
        by_cell: Figures,
        by_household: Mapping[str, Floats],
        *,
        identifiers: Sequence[str] = (),
        progress: Progress = silent,
    ) -> Iterator[pl.DataFrame]:
        _, groups = self._tally(scenario, silent)
        homes = self._household_index(scenario).batches() if by_household else iter(())
        figures = figure_batches(groups, homes, by_cell, by_household, progress)
        return insert_variables(self._records, figures, identifiers, {*by_cell, *by_household})

    def allow_blank_keys(self) -> LocalEngine:
        allowed = copy(self)
        allowed._may_be_blank = True
        return allowed

    def _tally(self, scenario: Scenario, progress: Progress) -> tuple[Cells, Batches]:
        """Cells, and for each record the number of its cell."""
        split = scenario.attack == "weight"
        label = (scenario.keys, scenario.weight, scenario.clip_weights, split)
        if label not in self._cells:
            self._cells[label] = self._count_cells(scenario, progress, split=split)
        return self._cells[label]

    def _count_cells(
        self, scenario: Scenario, progress: Progress, *, split: bool
    ) -> tuple[Cells, Batches]:
        texts = [*scenario.keys, *([scenario.household] if scenario.household else [])]
        self._records.fetch(texts, [scenario.weight] if scenario.weight else [], progress)
        known = [self._records.coded[key] for key in scenario.keys]
        for key, coded in zip(scenario.keys, known, strict=True):
            if not len(coded.categories) and not self._may_be_blank:
                raise make_empty_key_error(key, self.schema.source)
        self._check_weights(scenario)
        sizes = [len(coded.categories) for coded in known]
        weights = self._distinct_weights(scenario) if split else np.empty(0)

        def codes(column: int, batch: int) -> Codes:
            if column < len(scenario.keys):
                return self._records.code(scenario.keys[column], batch)
            return np.searchsorted(weights, self._weight(scenario, batch)).astype(np.uint32)

        columns, groups = number_combinations(
            codes,
            [*sizes, len(weights)] if split else sizes,
            batch_lengths(self.rows()),
            parts=self.memory.new_batches,
            afford=self._afford,
            tell=lambda fraction: progress("counting cells", fraction),
            threads=self._records.threads,
        )
        count = np.zeros(len(columns[0]), np.int64)
        what, remedy = room_for_combinations(len(count))
        self.memory.keep(len(count) * PER_CELL, what, remedy, of=count)
        weights_of = add_up_cells(
            count,
            groups,
            None if scenario.weight is None else lambda: self._weights(scenario),
            threads=self._records.threads,
        )
        cells = Cells(
            keys=scenario.keys,
            categories=tuple(coded.categories for coded in known),
            codes=tuple(columns[: len(known)]),
            count=count,
            weights=weights_of,
        )
        progress("counting cells", 1.0)
        return cells, groups

    def _afford(self, cells: int) -> None:
        self.memory.need(cells * (PER_CELL + PER_CELL_AT_WORK), *room_for_combinations(cells))

    def _check_weights(self, scenario: Scenario) -> None:
        label = (scenario.weight or "", scenario.clip_weights)
        if scenario.weight is not None and label not in self._checked:
            where = f"Weight {scenario.weight!r} of {self.schema.source}"
            check_weights(self._records.numbers[scenario.weight], scenario.clip_weights, where)
            self._checked.add(label)

    def _weights(self, scenario: Scenario) -> Iterator[Floats]:
        """Sampling weights, every one at least 1, by batch; all one if the file has none."""
        return (self._weight(scenario, batch) for batch in range(len(batch_lengths(self.rows()))))

    def _weight(self, scenario: Scenario, batch: int) -> Floats:
        if scenario.weight is None:
            return np.ones(batch_lengths(self.rows())[batch])
        return usable_weights(self._records.numbers[scenario.weight][batch], scenario.clip_weights)

    def _distinct_weights(self, scenario: Scenario) -> Floats:
        return merge_sorted([merge_sorted([np.sort(part)]) for part in self._weights(scenario)])


def _tell_reading(progress: Progress, part: float, fraction: float) -> None:
    progress("reading", part * fraction)
