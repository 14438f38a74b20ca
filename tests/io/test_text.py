"""Delimited text: encodings, separators, quotation marks, lines."""

from __future__ import annotations

import csv
from io import StringIO
from random import Random

import polars as pl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from microsafe.errors import InputError
from microsafe.io import read
from microsafe.io.text import delimited
from microsafe.io.text._lines import survey_lines
from profiles import examples


def everything(path, **options):
    source = read(path, **options)
    return source.load(source.schema.names)


@pytest.mark.parametrize(
    ("content", "options", "expected"),
    [
        (b"id,sex\n01,1\n02,\n", {}, {"id": ["01", "02"], "sex": ["1", None]}),
        (b"id;sex\r\n1,5;1\r\n", {}, {"id": ["1,5"], "sex": ["1"]}),
        (b"id\tsex\n1\t2", {}, {"id": ["1"], "sex": ["2"]}),
        (b"id|sex\n1|2", {}, {"id": ["1"], "sex": ["2"]}),
        (b"id:sex\n1:2", {"separator": ":"}, {"id": ["1"], "sex": ["2"]}),
        (b"id\tsex\n1\t2", {"separator": "tab"}, {"id": ["1"], "sex": ["2"]}),
        (b" id , sex \n1,2\n", {}, {"id": ["1"], "sex": ["2"]}),
        (
            b'id,"a, b"\n1,"x, ""y""\nz"\n2,""\n',
            {},
            {"id": ["1", "2"], "a, b": ['x, "y"\nz', None]},
        ),
        (b"id,sex\n1,2\n\n3,4\n\n\n", {}, {"id": ["1", "3"], "sex": ["2", "4"]}),
        (b"id,sex\r\n1,2\r\n\r\n3,4\r\n\r\n", {}, {"id": ["1", "3"], "sex": ["2", "4"]}),
        (b"id,sex\n\n1,2\n", {}, {"id": ["1"], "sex": ["2"]}),
        (b"id,sex\n\n\n1,2\n\n3,4\n", {}, {"id": ["1", "3"], "sex": ["2", "4"]}),
        (b"id,sex\r\n\r\n\r\n1,2\r\n", {}, {"id": ["1"], "sex": ["2"]}),
        (b'"i\nd",sex\n\n1,2\n', {}, {"i\nd": ["1"], "sex": ["2"]}),
        (b"id\n1\n\n2\n", {}, {"id": ["1", None, "2"]}),
        (b"id\n1\n\n", {}, {"id": ["1", None]}),
        (b"id\r\n\r\n1\r\n", {}, {"id": [None, "1"]}),
        (b'"i\nd",sex\n1,2\n', {}, {"i\nd": ["1"], "sex": ["2"]}),
        (b'\xef\xbb\xbf"i\nd",sex\n1,2\n', {}, {"i\nd": ["1"], "sex": ["2"]}),
        (b"id,sex\r1,2\r3,4\r", {}, {"id": ["1", "3"], "sex": ["2", "4"]}),
        (b"\xef\xbb\xbfid,sex\n1,\xc3\xa9\n", {}, {"id": ["1"], "sex": ["é"]}),
        ("id,sex\n1,é\n".encode("utf-16"), {}, {"id": ["1"], "sex": ["é"]}),
        ("id,sex\n1,ł\n".encode("iso-8859-2"), {"encoding": "latin2"}, {"id": ["1"], "sex": ["ł"]}),
        (b"id,n\n1,99999999999999999999999\n2,NaN\n3,inf\n", {}, None),
    ],
)
def test_csv_is_read_as_text(tmp_path, content, options, expected):
    path = tmp_path / "survey.csv"
    path.write_bytes(content)
    frame = everything(path, **options)
    assert set(frame.dtypes) == {pl.String}
    if expected is not None:
        assert frame.to_dict(as_series=False) == expected


def test_windows_encoding_is_guessed_and_said(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_bytes("id,town\n1,Zürich\n".encode("cp1252"))
    source = read(path)
    assert source.load(["town"]).item() == "Zürich"
    (notice,) = source.notices
    assert "survey.csv" in notice.text
    assert "windows-1252" in notice.text


def test_only_the_named_columns_come_in_the_named_order(tmp_path):
    path = tmp_path / "survey.TXT"
    path.write_text("a,b,c\n1,2,3\n")
    assert read(path).load(["c", "a"]).rows() == [("3", "1")]


def test_na_codes_are_declared_and_stay_in_the_data(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text("a,b\nNA,2\n")
    source = read(path, na=(".", "NA"))
    assert source.schema["a"].missing == (".", "NA")
    assert source.load(["a"]).item() == "NA"


def test_a_name_that_no_reader_takes_is_said(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text("x" * 150_000 + ",sex\n1,2\n")
    with pytest.raises(InputError, match="a name is far too long"):
        read(path)


def test_tsv_has_tabs_even_where_commas_abound(tmp_path):
    path = tmp_path / "survey.tsv"
    path.write_text("a,a\tb\n1,2\t3\n")
    assert read(path).schema.names == ("a,a", "b")


cell = st.text(alphabet='ab1 ,;"\n\r\té', max_size=6).filter(lambda t: "\r" not in t)


@given(st.data(), st.integers(2, 5), st.sampled_from(["\n", "\r\n"]), st.booleans())
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_python_writes_comes_back(tmp_path, data, width, end, last):
    rows = data.draw(
        st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=8)
    )
    out = StringIO()
    names = [f"v{i}" for i in range(width)]
    csv.writer(out, lineterminator=end).writerows([names, *rows])
    text = out.getvalue()
    path = tmp_path / "made.csv"
    path.write_text(text if last else text.removesuffix(end), newline="", encoding="utf-8")
    expected = [tuple(value or None for value in row) for row in rows]
    assert everything(path, separator=",").rows() == expected


@given(st.lists(st.sampled_from(["1,2", '"a,\nb",2', "", '"",""']), min_size=1), st.integers(1, 7))
def test_the_survey_does_not_depend_on_the_chunks(lines, size):
    text = "\n".join(["x,y", *lines]).encode()
    pieces = [text[i : i + size] for i in range(0, len(text), size)]
    whole = survey_lines("f", [text], separator=",", fields=2)
    parts = survey_lines("f", pieces, separator=",", fields=2)
    assert parts.records == whole.records
    assert parts.blank.tolist() == whole.blank.tolist()


FIELDS = ["a", "", " ", "ä", "01", "NA", "b" * 20, "x,y", 'say "so"', "two\nlines"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("most", [7, len(FIELDS)])  # without and with quotation marks
def test_texts_are_numbered_while_they_are_parsed(tmp_path, monkeypatch, end, most):
    monkeypatch.setattr(delimited, "_BLOCK", 100)
    rng = Random(most)
    path = tmp_path / "f.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator=end)
        writer.writerow(["a", "b", "c"])
        writer.writerows([rng.choice(FIELDS[:most]) for _ in "abc"] for _ in range(300))
    source = read(path)
    plain = pl.concat(source.scan(["c", "a"], 64))
    held = pl.Series([], dtype=pl.Categorical(pl.Categories.random()))
    frames = list(source.scan.read(["c", "a"], 64, {"a": held.dtype}))
    assert {frame["a"].dtype == held.dtype for frame in frames} == {True}
    numbered = pl.concat(frames).with_columns(pl.col("a").cast(pl.String).replace("", None))
    assert [frame.height for frame in frames] == [64] * 4 + [44]
    assert numbered.equals(plain)
