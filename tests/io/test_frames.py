"""Data frames in, the same kind of frame out."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from microsafe.errors import InputError, UsageError
from microsafe.io import read_frame

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
    back = source.like(loaded)
    assert back.index.tolist() == [7, 8, 9]
    assert back["int"].tolist() == [1, pd.NA, 3]
    assert source.like(loaded.head(2)).index.tolist() == [0, 1]


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
    assert caught.value.__suppress_context__
