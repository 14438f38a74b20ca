"""Verbs of the embedded engine that go through the gate, record by record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, cast

from microsafe.engine.local.group_apply import map_blocks, map_groups
from microsafe.engine.local.record_access import Replacement, read_columns, take_in
from microsafe.engine.record_access import (
    BlockFunction,
    GroupFunction,
    Ranking,
    RecordBatch,
    RecordFunction,
    Selection,
    TogetherFunction,
    merge_batches,
)
from microsafe.passes import Found
from microsafe.progress import Progress, Tell, silent, tell_nobody
from microsafe.schema import Schema, Variable

if TYPE_CHECKING:
    from microsafe.engine.local.engine import Local
    from microsafe.engine.local.records import Records


class LocalGateVerbs:
    """What `Local` does with values by record."""

    _records: Records

    if TYPE_CHECKING:  # what it has of `Local`

        @property
        def schema(self) -> Schema: ...
        def _with_change(self, change: Replacement) -> Local: ...

    def columns(
        self, selection: Selection, *, progress: Progress = silent
    ) -> Iterator[RecordBatch]:
        selection.check(self.schema)
        return read_columns(self._records, selection, progress)

    def map_records(
        self, selection: Selection, after: Sequence[Variable], function: RecordFunction
    ) -> Local:
        made = (
            RecordBatch(numbers=each.numbers, columns=function(each))
            for each in self.columns(selection)
        )
        return self.replace_columns(selection, after, made)

    def map_groups(
        self,
        selection: Selection,
        after: Sequence[Variable],
        group: GroupFunction,
        function: TogetherFunction,
        tell: Tell = tell_nobody,
    ) -> Local:
        made = map_groups(list(self.columns(selection)), group, function, tell)
        return self.replace_columns(selection, after, made)

    def map_blocks(
        self,
        selection: Selection,
        after: Sequence[Variable],
        ranking: Ranking,
        function: BlockFunction,
    ) -> Local:
        made = map_blocks(list(self.columns(selection)), ranking, function)
        return self.replace_columns(selection, after, made)

    def reduce_records(
        self, selection: Selection, function: Callable[[RecordBatch], Found]
    ) -> Found:
        return merge_batches(map(function, self.columns(selection)), self.schema.source)

    def replace_columns(
        self, selection: Selection, after: Sequence[Variable], batches: Iterable[RecordBatch]
    ) -> Local:
        selection.check(self.schema, after)
        changes = take_in(self._records, selection, after, batches).values()
        made = reduce(lambda each, change: each._with_change(change), changes, self)
        return cast("Local", made)
