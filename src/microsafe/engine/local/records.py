"""State of each record in the embedded engine: codes, numbers, blanks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from itertools import islice
from typing import Any
from weakref import ref

import numpy as np
import polars as pl

from microsafe.batches import AS_TEXT, TextScan, Types, rebatch_frames
from microsafe.cells import Codes
from microsafe.engine.coding import CodedColumn, Coder
from microsafe.engine.local.replacement import Replacement
from microsafe.engine.memory import PER_VALUE, Batches, Memory
from microsafe.engine.number_columns import Numbers
from microsafe.engine.record_access import RecordNumbers
from microsafe.engine.slices import (
    BATCH,
    Bits,
    Flags,
    Scan,
    batch_lengths,
    records_at_once,
    unpack_flags,
)
from microsafe.engine.threads import run_together, work_ahead
from microsafe.engine.transformations import (
    ShuffledValues,
    Transformation,
    plain_column,
    renew_values,
    sort_distinct,
    transform_column,
)
from microsafe.errors import InputError
from microsafe.progress import Progress, silent
from microsafe.schema import Schema
from microsafe.sums import Floats
from microsafe.variables.traits import Traits

Change = Transformation | Replacement

_MANY = 1 << 18  # records; for fewer, threads are not worth their start
_PER_FIRST, _FEWEST_FIRST = 200, 1 << 17  # bytes of a text that is coded; records


class Records:
    """Records of one file, read and coded variable by variable when first asked for.

    Args:
        schema: What is known of the variables.
        scan: Gives the named columns in frames of so many records.
        columnar: Whether to read one column at a time.
        count: Number of records, if that is known.
        memory: Where to keep what is known of each record.
        kept: Which records of the input these are, one bit for each; all of them if None.
    """

    def __init__(
        self,
        schema: Schema,
        scan: Scan,
        *,
        columnar: bool,
        count: int | None,
        memory: Memory,
        kept: Bits | None = None,
    ) -> None:
        self.schema = schema
        self.memory = memory
        self.coded: dict[str, CodedColumn] = {}
        self.numbers: dict[str, Batches] = {}
        self.blank: dict[str, list[Bits]] = {}
        self._scan = scan
        self._columnar = columnar
        self._count = count
        self._kept = kept
        self._changes: dict[str, tuple[Change, ...]] = {}
        self._copied: dict[str, str] = {}  # columns of the input that copies are made of
        self._renewals: dict[tuple[str, int], tuple[pl.Series, pl.Series]] = {}
        # What was coded last, for all states of these records as long as one of them holds it.
        self._shared_codes: dict[str, tuple[object, ref[CodedColumn]]] = {}
        self._shared_traits: dict[str, tuple[object, Traits]] = {}  # found last, likewise

    @property
    def count(self) -> int:
        """How many there are."""
        if self._count is None:
            self.fetch([self.schema.names[0]], [])
        assert self._count is not None  # noqa: S101
        return self._count

    @property
    def threads(self) -> int | None:
        """How many threads may work on them; None for as many as there are cores."""
        if (self._count or 0) < _MANY:
            return 1
        return self.memory.threads if self.memory.limited else None

    def copy(self, schema: Schema) -> Records:
        """Return records that may be changed; what is known of them is shared until then."""
        duplicate = copy(self)
        duplicate.schema = schema
        duplicate.coded, duplicate.numbers = dict(self.coded), dict(self.numbers)
        duplicate.blank, duplicate._changes = dict(self.blank), dict(self._changes)
        duplicate._copied = dict(self._copied)
        duplicate._renewals = dict(self._renewals)
        return duplicate

    def unblanked(self) -> Records:
        """Return the records as if nothing had been blanked."""
        duplicate = self.copy(self.schema)
        duplicate.blank.clear()
        return duplicate

    def take_part(self, schema: Schema, scan: Scan, kept: Bits, count: int) -> Records:
        """Return some of the records, as if the others had never been there.

        Args:
            schema: What is known of the variables.
            scan: Gives their values.
            kept: Which of these records they are, one bit for each.
            count: How many they are.
        """
        if self._kept is not None:  # which records of the input they are
            flags = np.unpackbits(self._kept)
            flags[flags == 1] = np.unpackbits(kept, count=self.count)
            kept = np.packbits(flags)
        return Records(
            schema,
            scan,
            columnar=self._columnar,
            count=count,
            memory=self.memory,
            kept=kept,
        )

    def first(self) -> Records:
        """Return the first records as they now are: as many as there is room for, and some always.

        Nothing else limits the memory that they take.
        """
        most = BATCH
        if self.memory.limited:
            most = min(BATCH, max(_FEWEST_FIRST, self.memory.room // _PER_FIRST))

        def scan(names: Sequence[str], _: int) -> Iterator[pl.DataFrame]:
            return islice(rebatch_frames(self.table(names=names), most), 1)

        memory = Memory(None, self.schema.source)
        return Records(self.schema, scan, columnar=self._columnar, count=None, memory=memory)

    def record_numbers(self) -> Iterator[RecordNumbers]:
        """Go through the numbers of the records in the input, from 0, by batch."""
        if self._kept is None:
            starts = range(0, self.count, BATCH)
            for start, length in zip(starts, batch_lengths(self.count), strict=True):
                yield np.arange(start, start + length, dtype=np.uint64)
            return
        parts = (
            self._kept[start : start + BATCH // 8]
            for start in range(0, len(self._kept), BATCH // 8)
        )
        frames = (
            pl.DataFrame({"number": np.flatnonzero(np.unpackbits(part)) + place * BATCH})
            for place, part in enumerate(parts)
        )
        for frame in rebatch_frames(frames, BATCH):
            yield frame["number"].to_numpy().astype(np.uint64)

    def places(self) -> pl.Series | None:
        """Return the place in the input of each record, from 0; None if all are there."""
        if self._kept is None:
            return None
        return pl.Series(np.concatenate(list(self.record_numbers())).astype(np.int64))

    def categories(self, name: str) -> Sequence[str]:
        """Return the categories of a variable, in order."""
        self.fetch([name], [])
        return self.coded[name].categories

    def change(self, change: Change) -> None:
        """Give a variable other values."""
        name = change.after.name
        self._changes[name] = (*self._changes.get(name, ()), change)
        self.forget((name,))

    def drop(self, names: Collection[str]) -> None:
        """Let go of some variables."""
        self.forget(names)
        for name in names:
            for known in (self.blank, self._changes, self._copied):
                known.pop(name, None)

    def copy_variable(self, name: str, other: str) -> None:
        """Let another variable, which is new or of no further use, be what a variable is now."""
        self.drop((other,))
        self._renewals = {
            key: renewal for key, renewal in self._renewals.items() if key[0] != other
        }
        column = self._copied.get(name, name)
        if column != other:
            self._copied[other] = column
        by_name: list[dict[str, Any]] = [self.coded, self.numbers, self.blank, self._changes]
        for known in by_name:
            if name in known:
                known[other] = known[name]

    def forget(self, names: Iterable[str]) -> None:
        """Let go of what was known of the values of variables, so that they are coded again."""
        for name in names:
            self.coded.pop(name, None)
            self.numbers.pop(name, None)

    def blank_values(self, name: str, bits: Sequence[Bits]) -> None:
        """Blank a variable in some records; what is missing anyway is no blank."""
        lost = [part & np.packbits(c > 0) for part, c in zip(bits, self.codes(name), strict=True)]
        before = self.blank.get(name)
        if before is not None:
            lost = [one | other for one, other in zip(lost, before, strict=True)]
        self.blank[name] = lost

    def codes(self, name: str) -> Iterator[Codes]:
        """Go through the codes of a variable as it now is, by batch."""
        return (self.code(name, batch) for batch in range(len(self.coded[name].parts)))

    def code(self, name: str, batch: int) -> Codes:
        """Return the codes of a variable in one batch."""
        code: Codes = self.coded[name].parts[batch]
        if name not in self.blank:
            return code
        return np.where(self._blanks_in(name, batch * BATCH, len(code)), 0, code)

    def number(self, name: str, batch: int) -> Floats:
        """Return the numbers of a variable in one batch; what is missing or blank is NaN."""
        number: Floats = self.numbers[name][batch]
        if name not in self.blank:
            return number
        return np.where(self._blanks_in(name, batch * BATCH, len(number)), np.nan, number)

    def _blanks_in(self, name: str, start: int, count: int) -> Flags:
        """Which of some records of one batch have a blank."""
        return unpack_flags(self.blank[name][start // BATCH], start % BATCH, count)

    def values(self, name: str) -> pl.Series:
        """Return the distinct values of a variable, null not."""
        return self._values(name, self._changes.get(name, ()))

    def _values(self, name: str, changes: Sequence[Change]) -> pl.Series:
        """The distinct values of a variable after some changes."""
        distinct = [
            sort_distinct(
                plain_column(self._apply_changes(frame.get_column(name), changes, place * BATCH))
            )
            for place, frame in enumerate(self.frames([name], BATCH))
        ]
        return distinct[0] if len(distinct) == 1 else sort_distinct(pl.concat(distinct))

    def is_unchanged(self, name: str, since: Records) -> bool:
        """Tell whether a variable is known to be what it was in an earlier state."""
        return (
            self._scan is since._scan
            and self._copied.get(name) == since._copied.get(name)
            and self._changes.get(name) == since._changes.get(name)
            and self.blank.get(name) is since.blank.get(name)
        )

    def table(
        self, progress: Progress = silent, names: Sequence[str] = ()
    ) -> Iterator[pl.DataFrame]:
        """Go through some variables, or all, as they now are, some records at a time."""
        names = names or self.schema.names
        start = 0
        for frame in self.frames(names, records_at_once(len(names))):
            progress("writing", start / self.count)
            frame = frame.with_columns(
                self._apply_changes(frame[name], changes, start)
                for name, changes in self._changes.items()
                if name in names
            )
            yield frame.with_columns(
                pl.when(~pl.Series(self._blanks_in(name, start, frame.height)))
                .then(pl.col(name))
                .alias(name)
                for name in self.blank
                if name in names
            )
            start += frame.height

    def together(self, names: Sequence[str]) -> list[Sequence[str]]:
        """Return which variables are best read at once.

        If the file goes by records, as text does, as many as there is room for; else as many as
        take no more room than a batch of one.
        """
        if self._columnar:
            most = 1 if self.memory.limited else BATCH // (self._count or BATCH)
        elif self.memory.limited:  # what is known of the values needs room, too
            most = 1 + self.memory.room // 2 // self._batch_size()
        else:
            most = len(names)
        most = max(1, most)
        return [names[start : start + most] for start in range(0, len(names), most)]

    def _batch_size(self) -> int:
        """The bytes that a batch of one variable takes as it is in the file."""
        return min(self._count or BATCH, BATCH) * PER_VALUE

    @contextmanager
    def holding(self, names: Sequence[str]) -> Iterator[None]:
        """Read and code variables, and let go again of those that nobody had asked for."""
        new = [name for name in names if name not in self.coded]
        self.fetch(names, [])
        try:
            yield
        finally:
            for name in new:
                self.coded.pop(name, None)

    def fetch(
        self, texts: Sequence[str], numbers: Sequence[str], progress: Progress = silent
    ) -> None:
        """Read and code what is not there yet; columns are let go as soon as they are coded."""
        texts = [
            name for name in texts if name not in self.coded and not self._take_shared_codes(name)
        ]
        numbers = [name for name in numbers if name not in self.numbers]
        wanted = [*texts, *(name for name in numbers if name not in texts)]
        together = self.together(wanted)
        tasks = [partial(self._read_within, names, texts, numbers) for names in together]

        def tell(fraction: float) -> None:
            progress("reading", fraction)

        changed = any(name in self._changes for name in wanted)
        run_together(tasks, tell, threads=1 if changed else self.threads)
        progress("reading", 1.0)

    def _read_within(
        self,
        names: Sequence[str],
        texts: Sequence[str],
        numbers: Sequence[str],
        tell: Callable[[float], None],
    ) -> None:
        """Read and code variables; room for a batch of one variable is always there."""
        more = 0 if self._columnar else (len(names) - 1) * self._batch_size()
        what = f"to read {len(names)} variables at once"
        with self.memory.holding(more, what, "Save it as Parquet,"):
            self._read(names, texts, numbers, tell)

    def _read(
        self,
        names: Sequence[str],
        texts: Sequence[str],
        numbers: Sequence[str],
        tell: Callable[[float], None],
    ) -> None:
        source = self.schema.source
        coders = {
            name: Coder(self.schema[name], source=source, memory=self.memory)
            for name in names
            if name in texts
        }
        readers = {
            name: (Numbers(self.schema[name], source=source), self.memory.new_batches())
            for name in names
            if name in numbers
        }
        known = {*readers, *self._changes, *self._copied, *self._copied.values()}
        types = {name: coder.text_type for name, coder in coders.items() if name not in known}
        for column in self.columns(names, tell, types):
            if column.name in coders:
                coders[column.name].add(column)
            if column.name in readers:
                reader, parts = readers[column.name]
                parts.append(reader.read(column))
            del column  # before the next batch is read
        for name, (reader, parts) in readers.items():
            reader.check()
            self.numbers[name] = parts
        for name, coder in coders.items():
            self.coded[name] = coder.column()
            self._share_codes(name)

    def _share_codes(self, name: str) -> None:
        """Let other states take over the codes of a variable, as long as one of them has these."""
        references = self._shared_codes

        def let_go(gone: ref[CodedColumn]) -> None:
            if name in references and references[name][1] is gone:
                del references[name]

        references[name] = self._state_of(name), ref(self.coded[name], let_go)

    def _take_shared_codes(self, name: str) -> bool:
        """Take over the codes of a variable from another state that has them."""
        state, reference = self._shared_codes.get(name, (None, None))
        column = None if reference is None or state != self._state_of(name) else reference()
        if column is None:
            return False
        self.coded[name] = column
        if self._count is None:
            self._count = sum(map(len, column.parts))
        return True

    def share_traits(self, found: Iterable[Traits]) -> None:
        """Let other states know what variables of the file look like.

        All records were looked at, and no step has changed them.
        """
        for traits in found:
            name, whole = traits.name, traits.records + traits.missing == self._count
            if traits.records and whole and not (name in self.blank or name in self._changes):
                self._shared_traits[name] = self._state_of(name), traits

    def recall_traits(self, names: Iterable[str]) -> dict[str, Traits]:
        """Return what states in which variables are the same have found of them."""
        known = {name: self._shared_traits[name] for name in names if name in self._shared_traits}
        return {
            name: traits
            for name, (state, traits) in known.items()
            if name not in self.blank and state == self._state_of(name)
        }

    def _state_of(self, name: str) -> object:
        """What the values of a variable rest on, besides the file and blanks."""
        return self.schema[name], self._copied.get(name), self._changes.get(name)

    def columns(
        self, names: Sequence[str], tell: Callable[[float], None], types: Types = AS_TEXT
    ) -> Iterator[pl.Series]:
        """Go through variables as they now are, but for blanks: batch by batch, each by itself.

        Args:
            names: Which.
            tell: Progress callback, with the fraction done.
            types: Categorical types that texts are best read as.
        """
        rows = 0
        frames = self.frames(names, BATCH, types)
        if self.threads != 1 and not self.memory.limited and isinstance(self._scan, TextScan):
            frames = work_ahead(frames)
        for columns in map(pl.DataFrame.get_columns, frames):
            tell(rows / self._count if self._count else 0.0)
            start, rows = rows, rows + len(columns[0])
            while columns:  # each is let go before the next batch is read
                changes = self._changes.get(columns[-1].name, ())
                yield self._apply_changes(columns.pop(), changes, start)

    def frames(
        self, names: Sequence[str], size: int, types: Types = AS_TEXT
    ) -> Iterator[pl.DataFrame]:
        """Go through variables as the file has them, by batch; all records or an error.

        Args:
            names: Which.
            size: Records of a batch.
            types: Categorical types that texts are best read as.
        """
        rows = 0

        def count_rows(frame: pl.DataFrame) -> pl.DataFrame:
            nonlocal rows
            rows += frame.height
            return frame

        read = list(dict.fromkeys(self._copied.get(name, name) for name in names))
        scan = self._scan
        frames = scan.read(read, size, types) if isinstance(scan, TextScan) else scan(read, size)
        for frame in map(count_rows, frames):
            if read == list(names):
                yield frame
            else:
                columns = (frame[self._copied.get(name, name)].alias(name) for name in names)
                yield pl.DataFrame(list(columns))
        if not rows:
            raise InputError(f"{self.schema.source} has no records.")
        if self._count not in (None, rows):
            raise InputError(f"{self.schema.source} changed while it was read. Start again.")
        self._count = rows

    def _apply_changes(self, column: pl.Series, changes: Sequence[Change], start: int) -> pl.Series:
        """Some values of a variable after some changes; `start` is the place of the first."""
        for place, change in enumerate(changes):
            if isinstance(change, Replacement):
                column = change.apply(column, start)
                continue
            known = None
            if isinstance(change.rule, ShuffledValues):
                known = self._renewal(column.name, place, changes)
            column = transform_column(column, change, known)
        return column

    def _renewal(
        self, name: str, place: int, changes: Sequence[Change]
    ) -> tuple[pl.Series, pl.Series]:
        """The distinct values before a change, and what becomes of each."""
        if (name, place) not in self._renewals:
            change = changes[place]
            assert isinstance(change, Transformation)  # noqa: S101
            old = self._values(name, changes[:place])
            size = 2 * int(old.estimated_size())
            reason = f"to renumber {len(old):,} values of {name!r}", "Drop the variable,"
            self.memory.need(2 * size, *reason)
            self._renewals[name, place] = (old, renew_values(old, change))
            self.memory.keep(size, *reason)
        return self._renewals[name, place]
