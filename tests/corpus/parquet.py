"""Parquet by PyArrow, pandas and Polars, with every codec, version and encoding."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from corpus import kinds
from corpus.case import MARK, Case
from corpus.readers import parquet
from corpus.values import Columns, settle_arrow, settle_columns

MIXED = pa.table(
    {
        "age": pa.array([30, 41, None, 30] * 50, pa.int16()),
        "income": pa.array([0.1, 2.5, None, -3.25] * 50),
        "town": pa.array(["Köln", "Łódź", None, "Köln"] * 50),
        "born": pa.array([dt.date(1980, 5, 1), None, dt.date(1999, 12, 31), None] * 50),
    }
)


def types(path: Path) -> dict[str, Any]:
    """What PyArrow says of the columns; its signed and large kinds are others' plain ones."""
    with path.open("rb") as file:
        schema = pq.read_schema(file)
    return {
        "types": {field.name: _plain(field.type) for field in schema},
        "categories as such": {f.name for f in schema if pa.types.is_dictionary(f.type)},
        "metadata of the writer": dict(schema.metadata or {}),
    }


def _plain(kind: pa.DataType) -> str:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return str(kind).replace("large_", "").replace("_view", "")


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".parquet", "look": parquet, **more}
    return Case(name=f"parquet-{name}", holds=holds, make=make, **more)


def written(table: pa.Table, **options: Any) -> Callable[[Path], object]:
    return lambda path: pq.write_table(table, path, **options)


def _kinds() -> list[Case]:
    return [
        case(f"pyarrow-{kind.replace(' ', '-')}", kind, written(kinds.table(kind)))
        for kind in kinds.KINDS
    ]


def _layouts() -> list[Case]:
    layouts: dict[str, dict[str, Any]] = {
        **{f"codec-{name}": {"compression": name}
           for name in ("none", "snappy", "gzip", "brotli", "lz4", "zstd")},
        **{f"version-{v}": {"version": v} for v in ("1.0", "2.4", "2.6")},
        "pages-2": {"data_page_version": "2.0"},
        "no-dictionary": {"use_dictionary": False},
        "small-groups": {"row_group_size": 7},
        "small-pages": {"data_page_size": 64, "write_page_index": True},
        "checksums": {"write_page_checksum": True},
        "no-statistics": {"write_statistics": False},
        "delta": {"use_dictionary": False, "column_encoding": {
            "age": "DELTA_BINARY_PACKED", "town": "DELTA_BYTE_ARRAY",
            "income": "BYTE_STREAM_SPLIT", "born": "DELTA_BINARY_PACKED"}},
        "delta-length": {"use_dictionary": False,
                         "column_encoding": {"town": "DELTA_LENGTH_BYTE_ARRAY"}},
    }  # fmt: skip
    return [
        case(f"pyarrow-{name}", "values and their types", written(MIXED, **options), facts=_values)
        for name, options in layouts.items()
    ]


def _values(path: Path) -> dict[str, Any]:
    return {"types": types(path)["types"]}


def _others() -> list[Case]:
    frame = MIXED.to_pandas()
    grouped = frame.assign(town=frame["town"].astype("category"))
    indexed = frame.set_index(pd.Index(range(100, 300), name="person"))
    nullable = pd.DataFrame(
        {"n": pd.array([1, None], "Int64"), "b": pd.array([True, None], "boolean")}
    )
    polars = pl.DataFrame(pl.from_arrow(MIXED))
    made = {
        "pandas": ("values and their types", frame.to_parquet, _values, ()),
        "pandas-categories": ("categories", grouped.to_parquet, _kinds_of, ("categories as such",)),
        "pandas-index": ("index of pandas", indexed.to_parquet, _values, ()),
        "pandas-nullable": ("values and their types", nullable.to_parquet, _values, ()),
        "polars": ("values and their types", polars.write_parquet, _values, ()),
    }  # fmt: skip
    found = [
        case(name, holds, lambda path, save=save: save(path), facts=facts, lost=lost)
        for name, (holds, save, facts, lost) in made.items()
    ]
    told = MIXED.replace_schema_metadata({"survey": "2020"})
    found.append(
        case(
            "metadata",
            "metadata of the writer",
            written(told),
            facts=lambda path: {"metadata of the writer": types(path)["metadata of the writer"]},
            lost=("metadata of the writer",),
        )
    )
    return found


def _kinds_of(path: Path) -> dict[str, Any]:
    return {name: each for name, each in types(path).items() if name != "metadata of the writer"}


def _hard() -> list[Case]:
    text = pa.table({"raw": pa.array([b"M\xc3\xbcller", b"a", None], pa.binary()), "n": [1, 2, 3]})
    return [
        case("all-units", "moments", written(kinds.zoned(None))),
        case("zones", "moments with a time zone", written(kinds.zoned("UTC", "America/New_York"))),
        case("refused-zone-offset", "moments with an offset such as +05:30",
             written(pa.table({"n": [MARK, "a"], "at": pa.array(
                 [dt.datetime(2020, 7, 1, 12), None], pa.timestamp("ms", tz="+05:30"))})),
             refused=r"cannot be read: at \(moments in the time zone \+05:30\)"),
        case("text-as-bytes", "text stored as bytes", written(text), look=_bytes_as_text,
             look_back=parquet),
        case("folder", "folder of Parquet files", _folder, look=_parts, look_back=parquet),
        case("int96", "moments", written(kinds.zoned(None), use_deprecated_int96_timestamps=True)),
        case("nested-deep", "lists and structures", written(pa.table({"x": pa.array(
            [[{"a": [1, 2]}], [], None], pa.list_(pa.struct({"a": pa.list_(pa.int32())})))}))),
        case("map", "lists and structures", written(pa.table({"n": [1, 2], "m": pa.array(
            [[("a", 1)], []], pa.map_(pa.string(), pa.int32()))}))),
        case("fixed-size", "lists and structures", written(pa.table(
            {"x": pa.array([[1, 2], None], pa.list_(pa.int32(), 2))}))),
        case("decimal-256", "decimals", written(pa.table(
            {"d": pa.array([1, None, 3], pa.int64()).cast(pa.decimal256(30, 0))}))),
        case("pq", "values and their types", written(MIXED), extension=".pq"),
        case("name-with-dots", "names of any script", written(pa.table(
            {"a.b": [1, 2], "größe": ["x", "y"], "net income": [1.5, None]}))),
        case("refused-no-records", "no records", written(MIXED.slice(0, 0)), refused="no records"),
        case("refused-no-parquet", "damaged files", lambda p: p.write_bytes(b"PAR1 Zq7Marker PAR1"),
             refused="cannot be read as a Parquet file"),
    ]  # fmt: skip


def _bytes_as_text(path: Path) -> Columns:
    with path.open("rb") as file:
        found = pq.read_table(file).to_pydict()
    return settle_columns({
        name: [each.decode() if isinstance(each, bytes) else each for each in values]
        for name, values in found.items()
    })  # fmt: skip


def _folder(path: Path) -> None:
    path.mkdir()
    for place, start in enumerate((0, 120)):
        pq.write_table(MIXED.slice(start, 120), path / f"part-{place}.parquet")


def _parts(path: Path) -> Columns:
    return settle_arrow(pa.concat_tables(pq.read_table(part) for part in sorted(path.iterdir())))


CASES = [*_kinds(), *_layouts(), *_others(), *_hard()]
