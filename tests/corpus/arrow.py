"""Arrow and Feather by PyArrow, pandas and Polars."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.feather

from corpus import kinds
from corpus.case import Case
from corpus.parquet import MIXED
from corpus.readers import arrow


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".arrow", "look": arrow, **more}
    return Case(name=f"arrow-{name}", holds=holds, make=make, **more)


def written(table: pa.Table, **options: Any) -> Callable[[Path], object]:
    def make(path: Path) -> None:
        chosen = pa.ipc.IpcWriteOptions(**options)
        with (
            pa.OSFile(str(path), "wb") as file,
            pa.ipc.new_file(file, table.schema, options=chosen) as out,
        ):
            out.write_table(table, max_chunksize=70)

    return make


def _kinds() -> list[Case]:
    # Polars writes text as views, which is another type of Arrow; values are compared.
    return [
        case(f"pyarrow-{kind.replace(' ', '-')}", kind, written(kinds.table(kind)))
        for kind in kinds.KINDS
    ]


def _layouts() -> list[Case]:
    frame = MIXED.to_pandas()
    return [
        *[case(f"codec-{name}", "values and their types", written(MIXED, compression=name))
          for name in ("lz4", "zstd")],
        *[case(f"feather-{name}", "values and their types",
               lambda p, name=name: pyarrow.feather.write_feather(MIXED, p, compression=name),
               extension=".feather")
          for name in ("uncompressed", "lz4", "zstd")],
        case("ipc", "values and their types", written(MIXED), extension=".ipc"),
        case("pandas", "values and their types", frame.to_feather, extension=".feather"),
        case("polars", "values and their types", pl.DataFrame(pl.from_arrow(MIXED)).write_ipc),
        case("zones", "moments with a time zone", written(kinds.zoned("UTC", "America/New_York"))),
        case("refused-no-records", "no records", written(MIXED.slice(0, 0)), refused="no records"),
        case("refused-no-arrow", "damaged files", lambda p: p.write_bytes(b"ARROW1\0\0Zq7Marker"),
             refused="cannot be read as an Arrow file"),
    ]  # fmt: skip


CASES = [*_kinds(), *_layouts()]
