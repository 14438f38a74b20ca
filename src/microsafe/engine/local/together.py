"""Functions of groups of records in the embedded engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.engine.gate import GroupFunction, RecordBatch, RecordFunction, RecordValues


def map_groups(
    batches: Sequence[RecordBatch], group: GroupFunction, function: RecordFunction
) -> Iterator[RecordBatch]:
    """Go through new values, in the batches of the old ones.

    Args:
        batches: All records.
        group: Number of the group of each record, or one below 0.
        function: What is done to a group.
    """
    if not batches:
        return
    groups = np.concatenate([group(each) for each in batches])
    numbers = np.concatenate([each.numbers for each in batches])
    columns = {
        name: RecordValues(
            data=np.concatenate([each.columns[name].data for each in batches]),
            missing=np.concatenate([each.columns[name].missing for each in batches]),
        )
        for name in batches[0].columns
    }
    order = np.lexsort((numbers, groups))
    order = order[np.searchsorted(groups[order], 0) :]
    cuts = np.flatnonzero(np.diff(groups[order])) + 1
    made: dict[str, RecordValues] = {}
    for records in np.split(order, cuts) if len(order) else []:
        found = function(RecordBatch(numbers=numbers[records], columns=_take(columns, records)))
        for name, values in found.items():
            into = made.setdefault(name, _nothing(len(groups), values.data))
            into.data[records], into.missing[records] = values.data, values.missing
    start = 0
    for each in batches:
        here = np.arange(start, start + len(each.numbers))
        yield RecordBatch(numbers=each.numbers, columns=_take(made, here))
        start += len(each.numbers)


def _take(columns: Mapping[str, RecordValues], records: NDArray[Any]) -> dict[str, RecordValues]:
    return {
        name: RecordValues(data=each.data[records], missing=each.missing[records])
        for name, each in columns.items()
    }


def _nothing(count: int, like: NDArray[Any]) -> RecordValues:
    return RecordValues(data=np.zeros(count, like.dtype), missing=np.ones(count, np.bool_))
