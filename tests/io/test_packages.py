"""SPSS, Stata and SAS: values and everything that the file says about them."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import polars as pl
import pyreadstat
import pytest

from microsafe.io import read

FRAME = pl.DataFrame(
    {
        "id": [1.0, 2.0, 3.0],
        "sex": [1.0, 9.0, None],
        "town": ["a  ", "", "bé"],
        "born": [dt.date(1980, 5, 1), None, dt.date(1999, 12, 31)],
        "seen": [dt.datetime(2020, 1, 1, 3)] * 3,
        "none": pl.Series([None] * 3, dtype=pl.Float64),
    }
)


@pytest.mark.parametrize(("suffix", "compress"), [(".sav", False), (".zsav", True)])
def test_spss_keeps_its_dictionary(tmp_path, suffix, compress):
    path = tmp_path / f"survey{suffix}"
    pyreadstat.write_sav(
        FRAME,
        str(path),
        compress=compress,
        file_label="Survey 2020",
        note=["first", "second"],
        column_labels={"sex": "Sex of the person"},
        variable_value_labels={"sex": {1: "male", 9: "refused"}, "town": {"a": "A town"}},
        missing_ranges={"sex": [9, {"lo": 97, "hi": 99}], "town": ["zz"]},
        variable_measure={"sex": "nominal"},
        variable_format={"id": "F6.1"},
    )
    source = read(path)
    assert source.schema.names == tuple(FRAME.columns)
    assert source.schema.notes == ("Survey 2020", "first", "second")
    sex, town, id_ = (source.schema[name] for name in ("sex", "town", "id"))
    assert (sex.label, sex.measure, sex.kind) == ("Sex of the person", "nominal", "number")
    assert sex.labels == {1.0: "male", 9.0: "refused"}
    assert (sex.missing, sex.missing_ranges) == ((9.0,), ((97.0, 99.0),))
    assert (town.kind, town.missing, town.labels) == ("text", ("zz",), {"a": "A town"})
    assert (id_.format, id_.width, id_.decimals) == ("F6.1", 6, 1)
    frame = source.load(["town", "sex", "born", "seen", "none"])
    assert frame.columns == ["town", "sex", "born", "seen", "none"]
    assert frame["town"].to_list() == ["a", None, "bé"]
    assert frame["sex"].to_list() == [1.0, 9.0, None]
    assert frame["born"].to_list() == FRAME["born"].to_list()
    assert frame["seen"].to_list() == FRAME["seen"].to_list()
    assert frame["none"].dtype == pl.Float64
    assert [source.schema[n].kind for n in ("born", "seen", "none")] == ["date", "date", "number"]


def test_spss_dates_that_are_none_stay_numbers(tmp_path):
    path = tmp_path / "survey.sav"
    frame = pl.DataFrame({"far": [1e15, 1.0], "fine": [1.3e10, None], "long": [3600.0, 90000.0]})
    formats = {"far": "DATETIME20", "fine": "DATE11", "long": "TIME8"}
    pyreadstat.write_sav(frame, str(path), variable_format=formats)
    loaded = read(path).load(["far", "fine", "long"])
    assert loaded["far"].to_list() == [1e15, 1.0]
    assert loaded["fine"].dtype == pl.Date
    assert loaded["long"].to_list() == [3600.0, 90000.0]


def test_spss_open_ranges(tmp_path):
    path = tmp_path / "survey.sav"
    ranges = {"x": [{"lo": float("-inf"), "hi": 0}]}
    pyreadstat.write_sav(pl.DataFrame({"x": [1.0, -1.0]}), str(path), missing_ranges=ranges)
    assert read(path).schema["x"].missing_ranges == ((float("-inf"), 0.0),)


def test_spss_portable(tmp_path):
    path = tmp_path / "survey.por"
    frame = FRAME.select("id", "sex", town=pl.lit("a"))
    pyreadstat.write_por(frame, str(path))
    source = read(path)
    assert source.load(["SEX", "TOWN"]).rows()[0] == (1.0, "a")


def test_stata_keeps_labels_and_what_tagged_missings_mean(tmp_path):
    path = tmp_path / "survey.dta"
    frame = pd.DataFrame({"x": pd.Series([1.0, "a", None, "b"], dtype=object), "s": list("q rs")})
    frame["i"] = pd.Series([1, 2, 3, 4], dtype="int16")
    pyreadstat.write_dta(
        frame,
        str(path),
        version=15,
        file_label="Panel",
        column_labels={"x": "An answer"},
        missing_user_values={"x": ["a", "b"]},
        variable_value_labels={
            "x": {1: "one", "a": "refused", "b": "do not know"},
            "i": {1: "yes"},
        },
    )
    source = read(path)
    x = source.schema["x"]
    assert (x.label, x.labels, x.kind) == ("An answer", {1.0: "one"}, "number")
    assert x.extra["missing.a"] == "refused"
    assert x.extra["missing.b"] == "do not know"
    assert source.schema["i"].kind == "integer"
    assert source.schema["i"].labels == {1: "yes"}
    assert source.schema.notes == ("Panel",)
    loaded = source.load(["x", "i", "s"])
    assert loaded["x"].to_list() == [1.0, None, None, None]
    assert loaded["i"].dtype == pl.Int64
    assert loaded["s"].to_list() == ["q", None, "r", "s"]


def test_sas_transport(tmp_path):
    path = tmp_path / "survey.xpt"
    pyreadstat.write_xport(
        FRAME.drop("seen"), str(path), file_label="AE", column_labels={"sex": "Sex"}
    )
    source = read(path)
    assert source.schema["sex"].label == "Sex"
    frame = source.load(["born", "sex", "town", "none"])
    assert frame["born"].to_list() == FRAME["born"].to_list()
    assert frame["sex"].to_list() == [1.0, 9.0, None]
    assert frame["town"].to_list() == ["a", None, "bé"]


def test_one_record(tmp_path):
    path = tmp_path / "one.dta"
    pyreadstat.write_dta(FRAME.head(1), str(path))
    assert read(path).load(["id", "none"]).rows() == [(1.0, None)]
