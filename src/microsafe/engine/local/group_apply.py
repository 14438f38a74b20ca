"""Functions of groups of records in the embedded engine."""

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
    whole, groups = _join(batches), np.concatenate([group(each) for each in batches])
    order = np.lexsort((whole.numbers, groups))
    order = order[np.searchsorted(groups[order], 0) :]
    made: dict[str, RecordValues] = {}
    done = 0
    for records in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        if len(records):
            tell(done)
            new = function(_take(whole, records), tell_after(tell, done))
            _put(made, records, new, len(groups))
            done += len(records)
    yield from _part(made, batches)


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
    whole, groups = _join(batches), np.concatenate([ranking.group(each) for each in batches])
    value = np.concatenate([ranking.value(each) for each in batches])
    word = np.concatenate([ranking.word(each) for each in batches])
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
    made: dict[str, RecordValues] = {}
    _put(made, order, function(_take(whole, order), numbered), len(groups))
    yield from _part(made, batches)


def _join(batches: Sequence[RecordBatch]) -> RecordBatch:
    return RecordBatch(
        numbers=np.concatenate([each.numbers for each in batches]),
        columns={
            name: RecordValues(
                data=np.concatenate([each.columns[name].data for each in batches]),
                missing=np.concatenate([each.columns[name].missing for each in batches]),
            )
            for name in batches[0].columns
        },
    )


def _take(batch: RecordBatch, records: NDArray[Any]) -> RecordBatch:
    return RecordBatch(
        numbers=batch.numbers[records],
        columns={
            name: RecordValues(data=each.data[records], missing=each.missing[records])
            for name, each in batch.columns.items()
        },
    )


def _put(
    made: dict[str, RecordValues],
    records: NDArray[Any],
    found: Mapping[str, RecordValues],
    count: int,
) -> None:
    """Put new values of some records among those of all; others keep what they have."""
    for name, values in found.items():
        if name not in made:
            made[name] = RecordValues(
                data=np.zeros(count, values.data.dtype), missing=np.ones(count, np.bool_)
            )
        made[name].data[records], made[name].missing[records] = values.data, values.missing


def _part(
    made: Mapping[str, RecordValues], batches: Sequence[RecordBatch]
) -> Iterator[RecordBatch]:
    start = 0
    for each in batches:
        here = slice(start, start + len(each.numbers))
        columns = {
            name: RecordValues(data=values.data[here], missing=values.missing[here])
            for name, values in made.items()
        }
        yield RecordBatch(numbers=each.numbers, columns=columns)
        start = here.stop
