"""Reorder records in the embedded engine, at once or within a limit on memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from io import BytesIO
from tempfile import TemporaryFile

import numpy as np
import polars as pl

from microsafe.draws import Words
from microsafe.engine.local.households import HouseholdIndex
from microsafe.engine.local.records import Records
from microsafe.engine.memory import PER_VALUE, Batches
from microsafe.engine.record_order import NewOrder, sort_places
from microsafe.engine.slices import BATCH, records_at_once
from microsafe.progress import Progress, name_stage

_VALUES = 1 << 22  # that are sorted at once where memory is limited, or fewer if it is short
_MOST_BITS = 10  # of parts into which records are split then
_PER_HOUSEHOLD = 16  # bytes: number of the first record
_REMEDY = "Keep the order (keep_order),"


class SortedRecords:
    """Records in a new order.

    Under a limit on memory records are dealt out by the first bits of what they are sorted by,
    parts wait in a file without a name, and each is sorted by itself.

    Args:
        records: In the order of the input.
        order: The new one.
    """

    def __init__(self, records: Records, order: NewOrder) -> None:
        self._records, self._order = records, order
        self._numbers = [self._first_numbers(name) for name in order.households]
        self._numbers.append(records.memory.new_batches())
        for batch in records.record_numbers():
            self._numbers[-1].append(batch)
        names = records.schema.names
        self._place = _free_name("place", names)
        self._keys = [_free_name(f"key {j}", names) for j in range(2 * len(self._numbers))]

    def _first_numbers(self, name: str) -> Batches:
        """For each record the number of the first record of its household."""
        records = self._records
        with records.holding([name]):
            homes = HouseholdIndex(records, name)
            what = f"for {homes.count:,} households"
            with records.memory.holding(homes.count * _PER_HOUSEHOLD, what, _REMEDY):
                first = np.full(homes.count, np.iinfo(np.uint64).max, np.uint64)
                for home, numbers in zip(homes.batches(), records.record_numbers(), strict=True):
                    np.minimum.at(first, home, numbers)
                lowest = records.memory.new_batches()
                for home in homes.batches():
                    lowest.append(first[home])
        return lowest

    def table(self, progress: Progress) -> tuple[pl.DataFrame, pl.Series]:
        """Return all records at once, and the place of each in the input."""
        size = self._records.count * len(self._records.schema.names) * PER_VALUE
        self._records.memory.need(size, "to hold all records at once", "Write Parquet or CSV,")
        ordered = pl.concat(self._sorted_parts(progress))
        return ordered, ordered.drop_in_place(self._place)

    def frames(self, progress: Progress) -> Iterator[pl.DataFrame]:
        """Go through the records."""
        return (part.drop(self._place) for part in self._sorted_parts(progress))

    def _sorted_parts(self, progress: Progress) -> Iterator[pl.DataFrame]:
        """Go through the records; the last column is the place in the input."""
        values = self._records.count * len(self._records.schema.names)
        memory, bits = self._records.memory, 0
        if memory.limited:
            most = max(1, min(_VALUES, memory.room // (2 * PER_VALUE)))
            bits = min(_MOST_BITS, (values // most).bit_length())
        what = "to sort records"
        memory.need((values >> bits) * PER_VALUE, what, _REMEDY)
        if not bits:
            yield from self._gather_parts(progress)
            return
        with closing(_Parts(1 << bits)) as parts:
            self._deal_out(parts, bits, progress)
            for part in range(1 << bits):
                frame = parts.take(part)
                if frame is not None:
                    ordered = frame.sort(self._keys).drop(self._keys[:-1])
                    yield ordered.rename({self._keys[-1]: self._place})

    def _gather_parts(self, progress: Progress) -> Iterator[pl.DataFrame]:
        """Hold all records as they came, and put together those that follow each other."""
        whole = _concat_columns(list(self._records.table(name_stage(progress, "sorting"))))
        keys = [self._order.keys(batch) for batch in zip(*self._numbers, strict=True)]
        places = sort_places([np.concatenate(columns) for columns in zip(*keys, strict=True)])
        numbers = np.concatenate([batch[-1] for batch in keys])
        del keys
        size = records_at_once(whole.width)
        for start in range(0, len(places), size):
            progress("writing", start / len(places))
            some = places[start : start + size]
            yield whole[some].with_columns(pl.Series(self._place, numbers[some]))

    def _deal_out(self, parts: _Parts, bits: int, progress: Progress) -> None:
        start = 0
        for frame in self._records.table(progress):
            keyed = self._add_keys(frame, start)
            start += frame.height
            bucket = pl.col(self._keys[0]) // (1 << (63 - bits))
            for (part,), some in keyed.group_by(bucket):
                parts.add(int(str(part)), some)

    def _add_keys(self, frame: pl.DataFrame, start: int) -> pl.DataFrame:
        batch, first = divmod(start, BATCH)
        numbers: list[Words] = [
            level[batch][first : first + frame.height] for level in self._numbers
        ]
        keys = zip(self._keys, self._order.keys(numbers), strict=True)
        return frame.with_columns(pl.Series(name, values) for name, values in keys)


class _Parts:
    """Records by part, in a file that nobody can open and that is gone with the process."""

    def __init__(self, count: int) -> None:
        self._spans: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        self._file = TemporaryFile()  # noqa: SIM115

    def close(self) -> None:
        """Let go of everything."""
        self._file.close()

    def add(self, part: int, frame: pl.DataFrame) -> None:
        """Add records to a part."""
        start = self._file.seek(0, 2)
        frame.write_ipc_stream(self._file)
        self._spans[part].append((start, self._file.tell() - start))

    def take(self, part: int) -> pl.DataFrame | None:
        """Return a part."""
        frames = []
        for start, size in self._spans[part]:
            self._file.seek(start)
            frames.append(pl.read_ipc_stream(BytesIO(self._file.read(size))))
        return pl.concat(frames) if frames else None


def _concat_columns(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """One frame of several; their columns are let go one by one."""
    columns = [frame.get_columns()[::-1] for frame in frames]
    frames.clear()
    joined = []
    while columns[0]:
        joined.append(pl.concat([parts.pop() for parts in columns], rechunk=True))
    return pl.DataFrame(joined)


def _free_name(stem: str, used: Sequence[str]) -> str:
    while stem in used:
        stem += "_"
    return stem
