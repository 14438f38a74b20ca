"""Apply functions to groups of records in the embedded engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.arrays import order_places
from microsafe.engine.record_access import (
    BlockFunction,
    GroupFunction,
    Ranking,
    RecordBatch,
    RecordValues,
    TogetherFunction,
)
from microsafe.progress import Tell, tell_after


def map_groups(
    batches: Sequence[RecordBatch], group: GroupFunction, function: TogetherFunction, tell: Tell
) -> Iterator[RecordBatch]:
    """Go through new values, in the batches of the old ones.

    Args:
        batches: All records.
        group: Number of the group of each record, or one below 0.
        function: What is done to a group.
        tell: Told how many records are done.
    """
    if not batches:
        return
    whole, groups = _join(batches), np.concatenate([group(batch) for batch in batches])
    order = np.lexsort((whole.numbers, groups))
    order = order[np.searchsorted(groups[order], 0) :]
    columns: dict[str, RecordValues] = {}
    done = 0
    for records in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        if len(records):
            tell(done)
            new = function(_take(whole, records), tell_after(tell, done))
            _put(columns, records, new, len(groups))
            done += len(records)
    yield from _part(columns, batches)


def map_blocks(
    batches: Sequence[RecordBatch], ranking: Ranking, function: BlockFunction
) -> Iterator[RecordBatch]:
    """Go through new values, in the batches of the old ones.

    Args:
        batches: All records.
        ranking: Which blocks there are.
        function: What is done to blocks.
    """
    if not batches:
        return
    whole, groups = _join(batches), np.concatenate([ranking.group(batch) for batch in batches])
    value = np.concatenate([ranking.value(batch) for batch in batches])
    word = np.concatenate([ranking.word(batch) for batch in batches])
    inside = np.flatnonzero(groups >= 0)
    inside = inside[np.argsort(whole.numbers[inside], kind="stable")]
    if (groups[inside] == groups[inside][:1]).all():
        order = inside[order_places(value[inside], word[inside])]
    else:
        order = inside[np.lexsort((word[inside], value[inside], groups[inside]))]
    group = groups[order]
    rank = np.arange(len(order)) - np.searchsorted(group, group)
    block = (rank - ranking.start[group]) // ranking.size[group]
    changes = (np.diff(group) != 0) | (np.diff(block) != 0)
    numbered = np.concatenate([[0], np.cumsum(changes)])[: len(order)]
    columns: dict[str, RecordValues] = {}
    _put(columns, order, function(_take(whole, order), numbered), len(groups))
    yield from _part(columns, batches)


def _join(batches: Sequence[RecordBatch]) -> RecordBatch:
    return RecordBatch(
        numbers=np.concatenate([batch.numbers for batch in batches]),
        columns={
            name: RecordValues(
                data=np.concatenate([batch.columns[name].data for batch in batches]),
                missing=np.concatenate([batch.columns[name].missing for batch in batches]),
            )
            for name in batches[0].columns
        },
    )


def _take(batch: RecordBatch, records: NDArray[Any]) -> RecordBatch:
    return RecordBatch(
        numbers=batch.numbers[records],
        columns={
            name: RecordValues(data=values.data[records], missing=values.missing[records])
            for name, values in batch.columns.items()
        },
    )


def _put(
    columns: dict[str, RecordValues],
    records: NDArray[Any],
    new: Mapping[str, RecordValues],
    count: int,
) -> None:
    """Put new values of some records among those of all; others keep what they have."""
    for name, values in new.items():
        if name not in columns:
            columns[name] = RecordValues(
                data=np.zeros(count, values.data.dtype), missing=np.ones(count, np.bool_)
            )
        columns[name].data[records], columns[name].missing[records] = values.data, values.missing


def _part(
    whole: Mapping[str, RecordValues], batches: Sequence[RecordBatch]
) -> Iterator[RecordBatch]:
    start = 0
    for batch in batches:
        here = slice(start, start + len(batch.numbers))
        columns = {
            name: RecordValues(data=values.data[here], missing=values.missing[here])
            for name, values in whole.items()
        }
        yield RecordBatch(numbers=batch.numbers, columns=columns)
        start = here.stop
