"""Batches of records: load them, pass them through functions, change their size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import polars as pl

Load = Callable[[Sequence[str]], pl.DataFrame]
Scan = Callable[[Sequence[str], int], Iterator[pl.DataFrame]]
Types = Mapping[str, pl.DataType]

ReadTexts = Callable[[Sequence[str], int, Types], Iterator[pl.DataFrame]]

AS_TEXT: Types = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class TextScan:
    """Goes through text by batch; texts can be numbered while it is parsed.

    Attributes:
        read: Gives variables in frames of so many rows, some of them as the categorical types
            that are named; null and empty text both mean missing in these.
    """

    read: ReadTexts

    def __call__(self, names: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        """Go through variables, every one as text."""
        return self.read(names, size, AS_TEXT)


def rebatch_frames(frames: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """Go through frames of any height in frames of so many rows, the last one of fewer."""
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        waiting.append(frame)
        del frame
        while sum(frame.height for frame in waiting) >= size:
            waiting = [pl.concat(waiting)]
            waiting = [waiting[0].slice(size), waiting[0].head(size)]
            yield waiting.pop()  # and hold it no longer
    rest = [frame for frame in waiting if frame.height]
    if rest:
        yield pl.concat(rest)
