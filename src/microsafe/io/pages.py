"""What the pages of a Parquet file unpack to, as their heads say."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from microsafe.io.footer import FAULTS, find_foot
from microsafe.io.thrift import ThriftReader

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

_HEAD = 1 << 16  # bytes that the head of a page has at most; statistics may be long
_PAGES = 10_000  # whose heads are read


def pages_size(path: Path, names: Collection[str]) -> int:
    """Return the bytes that the pages of some columns unpack to; 0 if that cannot be read."""
    try:
        with path.open("rb") as file:
            return sum(_page_sizes(file, set(names)))
    except FAULTS:
        return 0


def _page_sizes(file: IO[bytes], names: Collection[str]) -> Iterator[int]:
    start, content = find_foot(file)
    end = start + len(content)
    foot = ThriftReader(content).read_struct()
    left = _PAGES
    for group in foot[4]:
        for chunk in group[1]:
            column = chunk[3]
            if column[3][0].decode("utf-8") not in names:
                continue
            start = min(column.get(11) or column[9], column[9])
            stop = min(start + column[7], end)
            said = 0
            while start < stop and left:
                file.seek(start)
                head = ThriftReader(file.read(min(_HEAD, stop - start)))
                page = head.read_struct()
                said += max(page[2], 0)
                start += head.place + max(page[3], 0)
                left -= 1
            # The foot sums up what heads say, unless one of them is wrong.
            yield max(said, column[6])
