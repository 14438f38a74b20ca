"""Limit memory: keep within it, spill to private files, or refuse with a number.

What is known of each record is needed batch after batch only, so it can wait in a file while
there is no room for it. What is known of each cell cannot.
"""

from __future__ import annotations

import os
import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from threading import RLock
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import InputError, UsageError
from microsafe.io.system import map_memory

OWN = 450_000_000  # bytes: the program, its libraries, and a few batches at work
PER_CELL = 120  # that stay: codes, count, weight, frequencies, risk
PER_CELL_AT_WORK = 150
PER_HOUSEHOLD = 16  # size, risk
PER_HOUSEHOLD_AT_WORK = 32
PER_MEMBER_AT_WORK = 64  # number of household and cell, sorted and split again
PER_VALUE = 24  # of a record that is held as it is in the file
PER_THREAD = 160_000_000  # batches at work in a second thread

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


class Batches(Protocol):
    """Something known of each record, batch by batch."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[NDArray[Any]]: ...
    def __getitem__(self, place: int, /) -> NDArray[Any]: ...
    def __setitem__(self, place: int, part: NDArray[Any], /) -> None: ...
    def append(self, part: NDArray[Any], /) -> None:
        """Add what is known of the next batch."""


def size_of(limit: str | int) -> int:
    """Return the bytes that a limit such as "4GB", "1.5 GiB" or a whole number means.

    Raises:
        UsageError: It cannot be read, or nothing could be done with so little.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", str(limit).strip().lower())
    if match is None:
        raise UsageError(f"{limit!r} is not an amount of memory. Write it as '4GB' or '500MB'.")
    number, unit, binary = match.groups()
    size = int(float(number) * (_BINARY if binary and unit else _UNITS)[unit])
    if size < OWN:
        raise UsageError(
            f"The limit is {format_size(size)}, and microsafe itself needs about "
            f"{format_size(OWN)}. Raise the limit (--memory, memory=)."
        )
    return size


def format_size(size: float) -> str:
    """Return a number of bytes as people say it."""
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"


def room_for_combinations(cells: int) -> tuple[str, str]:
    """Return what memory is for, and what would take less."""
    return f"for {cells:,} combinations of keys or more", "Recode or leave out keys,"


@dataclass(slots=True, eq=False)
class MemoryUse:
    """What memory is used by.

    Attributes:
        stays: Bytes that stay.
        kept: What is known of each record, which may wait in files.
        lock: Held by the thread that changes any of this.
    """

    stays: int = 0
    kept: weakref.WeakSet[SpillBuffer] = field(default_factory=weakref.WeakSet)
    lock: RLock = field(default_factory=RLock)


class Memory:
    """How much may be used, and by what it is used.

    Args:
        limit: Bytes, or None if there is no limit.
        source: What messages call the data.
        used: By what it is used, if other data are under the same limit.
    """

    def __init__(self, limit: int | None, source: str, used: MemoryUse | None = None) -> None:
        self._limit = limit
        self._source = source
        self._used = used or MemoryUse()

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self._limit is not None

    @property
    def room(self) -> int:
        """Bytes that are left beside what stays, if there is a limit."""
        assert self._limit is not None  # noqa: S101
        return max(0, self._limit - OWN - self._used.stays)

    @property
    def threads(self) -> int:
        """How many threads may work at a time: as many as there are cores, if there is room.

        At most half of the room is for batches that others than the first have at work.
        """
        cores = os.cpu_count() or 1
        return cores if self._limit is None else min(cores, 1 + self.room // (2 * PER_THREAD))

    def share(self, source: str) -> Memory:
        """Return the same memory for further data."""
        return Memory(self._limit, source, self._used)

    def new_batches(self) -> Batches:
        """Return a place for something that is known of each record."""
        if self._limit is None:
            return []
        buffer = SpillBuffer(self, self._used.lock)
        with self._used.lock:
            self._used.kept.add(buffer)
        return buffer

    def keep(self, size: int, what: str, remedy: str, *, of: object = None) -> None:
        """Count in something that stays.

        Args:
            size: Bytes.
            what: What it is for.
            remedy: What the person can do.
            of: As long as this is there; as long as the study if None.

        Raises:
            InputError: There is no room for it.
        """
        if self._limit is None:
            return
        with self._used.lock:
            self.need(size, what, remedy)
            self._used.stays += size
        if of is not None:
            weakref.finalize(of, self._leave, size).atexit = False

    def _leave(self, size: int) -> None:
        with self._used.lock:
            self._used.stays -= size if self._limit is not None else 0

    @contextmanager
    def holding(self, size: int, what: str, remedy: str) -> Iterator[None]:
        """Count in something while a block lasts.

        Raises:
            InputError: There is no room for it.
        """
        self.keep(size, what, remedy)
        try:
            yield
        finally:
            self._leave(size)

    def need(self, size: int, what: str, remedy: str) -> None:
        """Make room for something, by moving what is known of each record into files.

        Args:
            size: Bytes.
            what: What it is for, such as "to hold 3 combinations".
            remedy: What the person can do.

        Raises:
            InputError: There is no room for it.
        """
        if self._limit is None:
            return
        total = OWN + self._used.stays + size
        if total > self._limit:
            needed, allowed = format_size(total), format_size(self._limit)
            if needed == allowed:
                needed, allowed = f"{total / 1e6:,.0f} MB", f"{self._limit / 1e6:,.0f} MB"
            raise InputError(
                f"{self._source} needs about {needed} of memory {what}, and the limit is "
                f"{allowed}. {remedy} or raise the limit (--memory, memory=)."
            )
        self.settle(size)

    def settle(self, size: int = 0) -> None:
        """Move parts into files until the rest fits beside something of a size."""
        with self._used.lock:
            others = (self.threads - 1) * PER_THREAD
            over = sum(buffer.held for buffer in self._used.kept) - (self.room - others - size)
            for buffer in self._used.kept:
                if over > 0:
                    over -= buffer.file(over)


class SpillBuffer:
    """Parts that are in memory while there is room, and otherwise in a file without a name.

    The file belongs to this user alone, cannot be opened by anybody, and is gone when the
    process is, however it ends. Several threads may use it at a time, each its own parts.
    """

    def __init__(self, memory: Memory, lock: RLock) -> None:
        self._memory, self._lock = memory, lock
        self._parts: list[NDArray[Any] | tuple[int, int, np.dtype[Any]]] = []
        self._file: IO[bytes] | None = None
        self._places: dict[int, tuple[int, int]] = {}  # where in the file each part was last

    @property
    def held(self) -> int:
        """Bytes in memory."""
        return sum(part.nbytes for part in self._parts if isinstance(part, np.ndarray))

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[place] for place in range(len(self)))

    def __getitem__(self, place: int) -> NDArray[Any]:
        part = self._parts[place]
        if isinstance(part, np.ndarray):
            return part
        start, size, dtype = part
        assert self._file is not None  # noqa: S101
        values = np.empty(size // dtype.itemsize, dtype)
        rest = values.view(np.uint8).data
        with self._lock:
            self._file.seek(start)
            while len(rest):
                rest = rest[self._file.readinto(rest) :]  # type: ignore[attr-defined]
        return values

    def __setitem__(self, place: int, part: NDArray[Any]) -> None:
        held = _copy_apart(part)
        with self._lock:
            self._parts[place] = held
            self._memory.settle()

    def append(self, part: NDArray[Any]) -> None:
        """Add what is known of the next batch."""
        held = _copy_apart(part)
        with self._lock:
            self._parts.append(held)
            self._memory.settle()

    def file(self, size: int) -> int:
        """Move so many bytes, or all there are, into the file; return how many it were."""
        moved = 0
        for place, part in enumerate(self._parts):
            if moved < size and isinstance(part, np.ndarray):
                self._parts[place] = self._write_part(place, part)
                moved += part.nbytes
        return moved

    def _write_part(self, place: int, part: NDArray[Any]) -> tuple[int, int, np.dtype[Any]]:
        if self._file is None:
            self._file = TemporaryFile(buffering=0)  # noqa: SIM115  # lives as long as the parts do
            weakref.finalize(self, self._file.close)
        start, room = self._places.get(place, (0, -1))
        if room < part.nbytes:
            start, room = self._file.seek(0, 2), part.nbytes
            self._places[place] = start, room
        self._file.seek(start)
        rest = np.ascontiguousarray(part).view(np.uint8).data
        while len(rest):
            rest = rest[self._file.write(rest) :]
        return start, part.nbytes, part.dtype


def _copy_apart(part: NDArray[Any]) -> NDArray[Any]:
    """Copy a part into memory that is given back as soon as it is let go.

    The heap would keep the gap that it leaves between others, where nothing larger fits.
    """
    if not part.nbytes:
        return part
    held = np.frombuffer(map_memory(part.nbytes), part.dtype)
    held[:] = part
    return held
