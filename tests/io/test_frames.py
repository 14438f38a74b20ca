"""Data frames in, the same kind of frame out."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from itertools import count

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from microsafe.errors import InputError, UsageError
from microsafe.io import Source, read_frame
from microsafe.io.column_types import kind_of

PLAIN = {"sex": ["m", "", None], "age": [1, 2, 3], "w": [1.5, float("nan"), 2.0]}


@pytest.mark.parametrize(
    ("frame", "back"),
    [
        (pl.DataFrame(PLAIN), pl.DataFrame),
        (pl.LazyFrame(PLAIN), pl.DataFrame),
        (pa.table(PLAIN), pa.Table),
        (pd.DataFrame(PLAIN), pd.DataFrame),
    ],
)
def test_every_kind_of_frame(frame, back):
    source = read_frame(frame)
    assert source.schema.source == "the data frame"
    assert [v.kind for v in source.schema] == ["text", "integer", "number"]
    loaded = source.load(["w", "sex", "age"])
    assert loaded.rows() == [(1.5, "m", 1), (None, None, 2), (2.0, None, 3)]
    assert isinstance(source.like(loaded), back)


def test_pandas_columns_of_every_type():
    moment = pd.Timestamp("2020-01-01 12:00", tz="Europe/Rome")
    frame = pd.DataFrame(
        {
            "cat": pd.Categorical(["b", None, "a"]),
            "codes": pd.Categorical([2, None, 1]),
            "int": pd.array([1, pd.NA, 3], dtype="Int64"),
            "bool": pd.array([True, pd.NA, False], dtype="boolean"),
            "time": [pd.Timestamp("2020-01-01"), pd.NaT, pd.NaT],
            "zone": [moment, pd.NaT, moment],
            "day": pd.Series([dt.date(2020, 1, 1), None, None], dtype=object),
            "mixed": pd.Series(["a", 1.0, None], dtype=object),
            "huge": pd.Series([2**70, 2**200, None], dtype=object),
            "real": pd.Series([1, 2.5, np.nan], dtype=object),
            "none": pd.Series([None] * 3, dtype=object),
            "small": np.array([1, 2, 3], dtype="uint8"),
            "str": pd.Series(["x", pd.NA, ""], dtype="string"),
        }
    ).set_axis([7, 8, 9])
    source = read_frame(frame)
    loaded = source.load(source.schema.names)
    assert loaded["cat"].to_list() == ["b", None, "a"]
    assert loaded["codes"].to_list() == ["2", None, "1"]
    assert loaded["int"].to_list() == [1, None, 3]
    assert loaded["bool"].to_list() == [True, None, False]
    assert loaded["time"].to_list() == [dt.datetime(2020, 1, 1), None, None]
    assert loaded["zone"][0] == moment.to_pydatetime()
    assert loaded["day"].to_list() == [dt.date(2020, 1, 1), None, None]
    assert loaded["mixed"].to_list() == ["a", "1", None]
    assert loaded["huge"].to_list() == [str(2**70), str(2**200), None]
    assert loaded["real"].to_list() == [1.0, 2.5, None]
    assert loaded["none"].dtype == pl.String
    assert loaded["small"].to_list() == [1, 2, 3]
    assert loaded["str"].to_list() == ["x", None, None]
    back = source.like_records(loaded)
    assert back.index.tolist() == [7, 8, 9]
    assert back["int"].tolist() == [1, pd.NA, 3]
    assert source.like_records(loaded.head(2)).index.tolist() == [0, 1]


def test_a_table_that_is_as_long_as_the_input_bears_no_labels_of_records():
    source = read_frame(pd.DataFrame({"x": [1, 2]}, index=["anna", "bert"]))
    cells = pl.DataFrame({"cell": ["a", "b"], "n": [1, 1]})
    assert source.like(cells).index.tolist() == [0, 1]
    assert source.like_records(cells).index.tolist() == ["anna", "bert"]


def test_records_come_back_like_any_table_unless_said_otherwise():
    for frame in (pl.DataFrame(PLAIN), pa.table(PLAIN)):
        source = read_frame(frame)
        assert source.like_records is source.like
        assert replace(source, columnar=False).like_records is source.like
    schema = source.schema
    own = Source(schema=schema, load=source.load, columnar=True, like_records=lambda f: [f])
    assert own.like(1) == 1
    assert own.like_records(1) == [1]


ROWS = pl.LazyFrame({"a": range(1000), "b": range(1000)})
SEEDS = count()


def shuffled(frame):
    """Return the rows in an order of their own each time, as unordered queries may."""
    return frame.sample(fraction=1, shuffle=True, seed=next(SEEDS))


@pytest.mark.parametrize(
    "frame",
    [
        ROWS.group_by("a").agg(pl.col("b").first()),
        ROWS.unique(),
        ROWS.map_batches(shuffled, projection_pushdown=False),
    ],
    ids=["group_by", "unique", "shuffled"],
)
def test_columns_of_a_query_without_order_belong_together(frame):
    source = read_frame(frame)
    first, second = source.load(["a"])["a"], source.load(["b"])["b"]
    assert first.to_list() == second.to_list()
    assert source.load(["a", "b"]).rows() == list(zip(first, second, strict=True))


CHANGES = {
    "a column replaced": lambda f: f.__setitem__("k", [9, 9, 9]),
    "records dropped": lambda f: f.drop(index=[7], inplace=True),
    "a column dropped": lambda f: f.drop(columns=["k"], inplace=True),
    "a cell": lambda f: f.loc.__setitem__((7, "k"), 9),
    "a cell with a mask": lambda f: f.loc.__setitem__((7, "n"), 9),
    "the order": lambda f: f.sort_values("k", ascending=False, inplace=True),
    "the index": lambda f: setattr(f, "index", [1, 2, 3]),
    "the names": lambda f: setattr(f, "columns", ["x", "y", "z"]),
}


@pytest.mark.filterwarnings("ignore:The inplace keyword")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_pandas_frames_are_read_as_they_were_when_opened(change):
    frame = pd.DataFrame(
        {"k": [1, 2, 3], "s": ["a", "b", "c"], "n": pd.array([1, None, 3], dtype="Int64")},
        index=[7, 8, 9],
    )
    source = read_frame(frame)
    change(frame)
    loaded = source.load(["k", "s", "n"])
    assert loaded.rows() == [(1, "a", 1), (2, "b", None), (3, "c", 3)]
    assert source.like_records(loaded).index.tolist() == [7, 8, 9]


def test_polars_frames_are_read_as_they_were_when_opened():
    frame = pl.DataFrame({"k": [1, 2], "s": ["a", "b"]})
    source = read_frame(frame)
    frame[0, "k"] = 9
    frame.replace_column(1, pl.Series("s", ["x", "y"]))
    frame.extend(pl.DataFrame({"k": [3], "s": ["c"]}))
    frame.columns = ["p", "q"]
    assert source.load(["k", "s"]).rows() == [(1, "a"), (2, "b")]


DAY, MOMENT = dt.date(2020, 1, 31), dt.datetime(2020, 1, 31, 12)
ARROW = [
    (pa.date32(), DAY, "date", DAY),
    (pa.date64(), DAY, "date", DAY),
    (pa.timestamp("s"), MOMENT, "date", MOMENT),
    (pa.timestamp("ns"), MOMENT, "date", MOMENT),
    (pa.timestamp("us", tz="Europe/Rome"), MOMENT, "date", MOMENT.replace(tzinfo=dt.UTC)),
    (pa.string(), "a", "text", "a"),
    (pa.large_string(), "a", "text", "a"),
    (pa.dictionary(pa.int32(), pa.string()), "a", "text", "a"),
    (pa.time64("us"), dt.time(1, 2), "time", dt.time(1, 2)),
    (pa.duration("ms"), dt.timedelta(hours=26), "duration", dt.timedelta(hours=26)),
    (pa.int8(), -1, "integer", -1),
    (pa.uint64(), 2**64 - 1, "integer", 2**64 - 1),
    (pa.bool_(), False, "boolean", False),
    (pa.float32(), 1.5, "number", 1.5),
    (pa.decimal128(5, 2), Decimal("1.50"), "number", 1.5),
    (pa.decimal256(50, 2), Decimal("1.50"), "number", 1.5),
]


@pytest.mark.parametrize(("dtype", "value", "kind", "expected"), ARROW, ids=lambda v: str(v))
@pytest.mark.parametrize("gaps", [0, 1])
def test_pandas_columns_of_arrow_types(dtype, value, kind, expected, gaps):
    array = pa.array([value, *[None] * gaps, value], type=dtype)
    frame = pd.DataFrame({"x": pd.Series(array, dtype=pd.ArrowDtype(dtype))})
    source = read_frame(frame)
    assert source.schema["x"].kind == kind
    loaded = source.load(["x"])["x"]
    assert kind_of(loaded.dtype) == kind
    assert loaded.to_list() == [expected, *[None] * gaps, expected]


def test_pandas_object_frames_hold_back_in_like():
    frame = pl.DataFrame({"i": [1, None], "d": [dt.date(2020, 1, 1), None], "s": ["a", None]})
    back = read_frame(pd.DataFrame({"x": [1, 2]})).like(frame)
    assert back["i"].dtype == "Int64"
    assert back["d"].iloc[0] == dt.date(2020, 1, 1)
    assert back["s"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("frame", "error", "match"),
    [
        ({"a": [1]}, UsageError, "pandas, Polars or PyArrow"),
        ([1, 2], UsageError, "list"),
        (pd.DataFrame({"a": []}), InputError, "no records"),
        (pl.DataFrame({"a": []}), InputError, "no records"),
        (pl.LazyFrame({"a": []}), InputError, "no records"),
        (pl.DataFrame(), InputError, "no records"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), InputError, "'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), InputError, "'a'"),
        (pd.DataFrame([[1, 2]]), InputError, "column 1"),
    ],
)
def test_what_is_no_table_of_records(frame, error, match):
    with pytest.raises(error, match=match):
        read_frame(frame)


def test_a_failing_lazy_frame_does_not_quote_data():
    frame = pl.LazyFrame({"a": ["4711x"]}).with_columns(pl.col("a").cast(pl.Int64))
    with pytest.raises(InputError) as caught:
        read_frame(frame).load(["a"])
    assert "4711x" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
