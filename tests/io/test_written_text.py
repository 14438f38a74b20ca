"""Delimited text, Parquet and worksheets: what is written is what was read."""

from __future__ import annotations

import codecs
import csv
import datetime as dt
import time

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from roundtrip import again, described, everything

from microsafe.errors import InputError
from microsafe.io import digest, read, write
from microsafe.schema import Schema, Variable
from profiles import examples


def schema_of(frame):
    return Schema(source="x", variables=tuple(Variable(name=name) for name in frame.columns))


SAME = [
    (b"id,sex\n01,1\n02,\n", {}),
    (b"id;sex\r\n1,5;1\r\n", {}),
    (b"id|sex\n1|2\n", {}),
    (b"id:sex\n1:2\n", {"separator": ":"}),
    (b'id,"a, b"\n1,"x, ""y""\nz"\n2, p \n', {}),
    (b"id\n1\n\n2\n", {}),
    (b"\xef\xbb\xbfid,sex\n1,\xc3\xa9\n", {}),
    ("id,town\n1,Zürich\n".encode("cp1252"), {}),
    (codecs.BOM_UTF16_LE + "id,sex\n1,é\n".encode("utf-16-le"), {}),
    (codecs.BOM_UTF16_BE + "id,sex\n1,é\n".encode("utf-16-be"), {"encoding": "utf-16"}),
    ("id,sex\n1,ł\n".encode("iso-8859-2"), {"encoding": "latin2"}),
    (b"id,sex\r1,2\r3,4\r", {}),
]


@pytest.mark.parametrize(("content", "options"), SAME)
def test_plain_files_come_back_byte_by_byte(tmp_path, content, options):
    (tmp_path / "a.csv").write_bytes(content)
    again(tmp_path / "a.csv", tmp_path / "b.csv", **options)
    assert (tmp_path / "b.csv").read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [b'"id","sex"\n"1","2"\n', b" id , sex \n1,2\n\n3,4", b'id,sex\n1,""\n', b"a\tb\n1\t2\n"],
)
def test_others_come_back_field_by_field(tmp_path, content):
    (tmp_path / "a.csv").write_bytes(content)
    before, after = again(tmp_path / "a.csv", tmp_path / "b.csv")
    assert everything(after).equals(everything(before))
    assert described(after.schema) == described(before.schema)


cell = st.text(alphabet='ab01 ,;"\n\té', max_size=6)


@given(st.data(), st.integers(1, 4), st.sampled_from([",", ";", "\t", "|"]))
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_python_reads_what_is_written(tmp_path, data, width, separator):
    rows = data.draw(
        st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=8)
    )
    names = [f"v{i}" for i in range(width)]
    (tmp_path / "a.csv").write_text(separator.join(names) + "\n" + separator.join("x" * width))
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    origin = read(tmp_path / "a.csv", separator=separator)
    write(frame, origin.schema, tmp_path / "b.csv", origin=origin)
    assert everything(read(tmp_path / "b.csv", separator=separator)).rows() == [
        tuple(value or None for value in row) for row in rows
    ]
    if width > 1:
        with (tmp_path / "b.csv").open(newline="", encoding="utf-8") as file:
            assert list(csv.reader(file, delimiter=separator)) == [names, *rows]


def test_signs_that_the_encoding_lacks_make_it_utf8(tmp_path):
    (tmp_path / "a.csv").write_bytes("id,town\n1,Zürich\n".encode("cp1252"))
    source = read(tmp_path / "a.csv")
    frame = everything(source).with_columns(town=pl.lit("Łódź"))
    write(frame, source.schema, tmp_path / "b.csv", origin=source)
    assert (tmp_path / "b.csv").read_bytes() == "id,town\n1,Łódź\n".encode()


def test_tabs_follow_the_suffix(tmp_path):
    (tmp_path / "a.tsv").write_text("a\tb\n1\t2\n")
    (tmp_path / "a.csv").write_text("a;b\n1;2\n")
    tsv, other = read(tmp_path / "a.tsv"), read(tmp_path / "a.csv")
    write(everything(tsv), tsv.schema, tmp_path / "b.csv", origin=tsv)
    write(everything(other), other.schema, tmp_path / "c.tsv", origin=other)
    write(everything(other), other.schema, tmp_path / "d.TXT", origin=other)
    assert (tmp_path / "b.csv").read_text() == "a,b\n1,2\n"
    assert (tmp_path / "c.tsv").read_text() == "a\tb\n1\t2\n"
    assert (tmp_path / "d.TXT").read_text() == "a;b\n1;2\n"


def test_values_as_people_write_them(tmp_path):
    frame = pl.DataFrame(
        {
            "code": [1.0, None],
            "num": [0.1, 2.0],
            "day": [dt.date(2020, 1, 2), None],
            "moment": [dt.datetime(2020, 1, 2, 3, 4, 5), None],
            "yes": [True, False],
            "cat": pl.Series(["x", None], dtype=pl.Categorical),
            "nan": [float("nan"), 1.0],
            "time": [dt.time(1, 2), None],
        }
    )
    write(frame, schema_of(frame), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().splitlines()[1:] == [
        "1,0.1,2020-01-02,2020-01-02 03:04:05,true,x,,01:02:00",
        ",2.0,,,false,,1,",
    ]


def test_lists_are_refused_by_name(tmp_path):
    frame = pl.DataFrame({"many": [[4711]]})
    for suffix in (".csv", ".xlsx", ".asc"):
        with pytest.raises(InputError, match="many") as caught:
            write(frame, schema_of(frame), tmp_path / f"a{suffix}")
        assert "4711" not in str(caught.value)
    write(frame, schema_of(frame), tmp_path / "a.parquet")
    assert everything(read(tmp_path / "a.parquet")).equals(frame)


FRAME = pl.DataFrame(
    {
        "text": ["01", None, "=1+1"],
        "int": [1, None, 3],
        "num": [0.1, None, 2.0],
        "flag": [True, None, False],
        "day": [dt.date(2020, 1, 1), None, dt.date(1900, 3, 1)],
        "moment": [dt.datetime(2020, 1, 1, 3, 4, 5), None, dt.datetime(1999, 1, 1)],
        "none": pl.Series([None] * 3, dtype=pl.String),
    }
)


@pytest.mark.parametrize("suffix", [".parquet", ".pq", ".xlsx"])
def test_tables_come_back_twice_alike(tmp_path, suffix):
    one, two, three = (tmp_path / f"{name}{suffix}" for name in ("one", "two", "three"))
    write(FRAME, schema_of(FRAME), one)
    before, after = again(one, two)
    assert everything(before).rows() == FRAME.rows()
    assert everything(after).equals(everything(before))
    assert described(after.schema) == described(before.schema)
    time.sleep(1.1 if suffix == ".xlsx" else 0)
    again(one, three)
    assert digest(two) == digest(three)


def test_parquet_keeps_types(tmp_path):
    frame = pl.DataFrame({"a": pl.Series([1, None], dtype=pl.Int8), "b": [b"x", b"y"]})
    write(frame, schema_of(frame), tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").equals(frame)


@pytest.mark.parametrize(
    "values",
    [["s" * 32768], [dt.date(1899, 1, 1)], [float("inf")], [2**60], [b"4711"]],
)
def test_limits_of_worksheets(tmp_path, values):
    frame = pl.DataFrame({"income": values})
    with pytest.raises(InputError, match="income"):
        write(frame, schema_of(frame), tmp_path / "a.xlsx")
    assert not (tmp_path / "a.xlsx").exists()
