"""Records in batches: what loads them, what goes through them, and another size of batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import polars as pl

Load = Callable[[Sequence[str]], pl.DataFrame]
Scan = Callable[[Sequence[str], int], Iterator[pl.DataFrame]]


def rebatch_frames(frames: Iterable[pl.DataFrame], size: int) -> Iterator[pl.DataFrame]:
    """Go through frames of any height in frames of so many rows, the last one of fewer."""
    waiting: list[pl.DataFrame] = []
    for frame in frames:
        waiting.append(frame)
        del frame
        while sum(each.height for each in waiting) >= size:
            waiting = [pl.concat(waiting)]
            waiting = [waiting[0].slice(size), waiting[0].head(size)]
            yield waiting.pop()  # and hold it no longer
    rest = [each for each in waiting if each.height]
    if rest:
        yield pl.concat(rest)
