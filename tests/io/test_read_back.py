"""What a format can hold comes back: reading a file back refuses nothing that was written well."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.errors import InputError, TornFileError
from microsafe.io import write
from microsafe.io.column_types import kind_of
from microsafe.io.formats import writable_extensions
from microsafe.schema import Schema, Variable
from profiles import examples

# Worksheets cannot end in records without values: there always is one.
LAST = pl.Series("last", [1, 2, 3, 4, 5])
ODD = ("a ", " a", "\t", "\r", "\r\n", '"', "_x000D_", "=1", "01", "1e5", "NA", "1,5", "-")
MOMENTS = st.datetimes(dt.datetime(1901, 1, 1), dt.datetime(2200, 1, 1))


def column(values: st.SearchStrategy[object], dtype: object) -> st.SearchStrategy[pl.Series]:
    listed = st.lists(st.none() | values, min_size=5, max_size=5)
    return listed.map(lambda found: pl.Series("x", found, dtype=dtype, strict=False))  # type: ignore[arg-type]


def whole_milliseconds(moment: dt.datetime) -> dt.datetime:
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


MILLI = dt.timedelta(milliseconds=1)
LENGTHS = st.timedeltas(dt.timedelta(days=-100), dt.timedelta(days=100))
COLUMNS = st.one_of(
    column(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6), pl.String),
    column(st.sampled_from(ODD), pl.String),
    column(st.integers(-(2**62), 2**62), pl.Int64),
    column(st.integers(-100, 100), pl.Int8),
    column(st.floats(), pl.Float64),
    column(st.floats(width=32), pl.Float32),
    column(st.sampled_from([0.1, 0.1 + 0.2, -0.0, 1e300, 5e-324, 1 / 3, 2.0**60]), pl.Float64),
    column(st.decimals(-1000, 1000, places=2), pl.Decimal(10, 2)),
    column(st.booleans(), pl.Boolean),
    column(st.dates(dt.date(1901, 1, 1), dt.date(2200, 1, 1)), pl.Date),
    column(MOMENTS, pl.Datetime("us")),
    column(MOMENTS.map(whole_milliseconds), pl.Datetime("ms")),
    column(st.times(), pl.Time),
    column(MOMENTS.map(lambda moment: whole_milliseconds(moment).time()), pl.Time),
    column(LENGTHS, pl.Duration("us")),
    column(LENGTHS.map(lambda length: length // MILLI * MILLI), pl.Duration("ms")),
    column(st.sampled_from(["_x000D_", "_x005F_x000D_", "a\r\nb", "1899-12-31 09:30"]), pl.String),
    column(st.sampled_from(["a", "b"]), pl.Categorical),
    column(st.lists(st.integers(0, 9)), pl.List(pl.Int64)),
)  # fmt: skip


@pytest.mark.parametrize(
    "suffix", sorted({*writable_extensions()} - {".pq", ".dat", ".prn", ".txt"})
)
@given(one=COLUMNS, other=COLUMNS)
@examples(30)
def test_what_was_written_is_not_refused(suffix: str, one: pl.Series, other: pl.Series) -> None:
    frame = pl.DataFrame([one.alias("one"), other.alias("other"), LAST])
    schema = Schema(
        source="x",
        variables=tuple(Variable(name=n, kind=kind_of(t)) for n, t in frame.schema.items()),
    )
    with TemporaryDirectory() as folder:
        try:
            write(frame, schema, Path(folder) / f"out{suffix}")
        except InputError as error:
            refused: InputError | None = error
        else:
            refused = None
    assert not isinstance(refused, TornFileError), (refused, frame)
