"""Parquet and worksheets."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pytest
import xlsxwriter

import microsafe as ms
from microsafe.errors import InputError
from microsafe.io import list_sheets, read, write
from microsafe.schema import Schema, Variable


def sheet(path, rows, name="Data"):
    book = xlsxwriter.Workbook(str(path))
    page = book.add_worksheet(name)
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            if value is not None:
                page.write(r, c, value)
    page.write_blank(len(rows) + 3, 0, None, book.add_format({"bold": True}))
    book.add_worksheet("Second").write_row(0, 0, ["z"])
    book.close()


def test_parquet_kinds_and_nulls(tmp_path):
    path = tmp_path / "survey.parquet"
    frame = pl.DataFrame(
        {
            "text": ["a", "", None],
            "cat": pl.Series(["x", "y", None], dtype=pl.Categorical),
            "enum": pl.Series(["x", "y", None], dtype=pl.Enum(["x", "y"])),
            "int": [1, None, 3],
            "big": pl.Series([2**63, 2**64 - 1, 0], dtype=pl.UInt64),
            "num": [float("nan"), float("inf"), 1.5],
            "flag": [True, None, False],
            "day": [dt.date(2020, 1, 1), None, None],
            "list": [[1], None, [2]],
            "bytes": [b"\xff", None, b"2"],
            "null": pl.Series([None] * 3),
        }
    )
    frame.write_parquet(path)
    source = read(path)
    assert source.columnar
    assert [v.kind for v in source.schema] == (
        [
            "text",
            "text",
            "text",
            "integer",
            "integer",
            "number",
            "boolean",
            "date",
            "other",
            "other",
            "text",
        ]
    )
    loaded = source.load(["num", "text", "cat", "enum", "null", "big"])
    assert loaded["num"].to_list() == [None, float("inf"), 1.5]
    assert loaded["text"].to_list() == ["a", None, None]
    assert loaded.schema["cat"] == loaded.schema["enum"] == loaded.schema["null"] == pl.String
    assert loaded["big"][1] == 2**64 - 1


def test_worksheet(tmp_path):
    path = tmp_path / "survey.xlsx"
    rows = [
        [" id ", "code", "mixed", "num", None, "yes", "none"],
        [1, "01", 1, 1.5, None, True, None],
        [2, "02", "x", None, None, False, None],
        [3, None, 2.5, 2, None, None, None],
    ]
    sheet(path, rows)
    source = read(path, na=("x",))
    assert source.schema.names == ("id", "code", "mixed", "num", "yes", "none")
    frame = source.load(source.schema.names)
    assert frame["id"].to_list() == [1, 2, 3]
    assert frame["id"].dtype == pl.Int64
    assert frame["code"].to_list() == ["01", "02", None]
    assert frame["mixed"].to_list() == ["1", "x", "2.5"]
    assert frame["num"].to_list() == [1.5, None, 2.0]
    assert frame["none"].to_list() == [None] * 3
    assert source.schema["mixed"].missing == ("x",)


def test_worksheet_that_begins_further_down(tmp_path):
    path = tmp_path / "survey.xlsx"
    sheet(path, [[], [], [None, "a", "b"], [None, 1, None], [None, None, None], [None, None, "x"]])
    source = read(path)
    assert source.schema.names == ("a", "b")
    assert source.load(["a", "b"]).rows() == [(1, None), (None, None), (None, "x")]


def test_named_worksheet(tmp_path):
    path = tmp_path / "survey.xlsx"
    sheet(path, [["a"], [1]], name="Persons")
    assert read(path, sheet="Persons").load(["a"]).item() == 1


def test_sheets_are_listed_and_the_one_that_was_read_is_named(tmp_path):
    path = tmp_path / "survey.xlsx"
    sheet(path, [["a"], [1]], name="Persons")
    assert list_sheets(path) == ("Persons", "Second")
    (notice,) = read(path).notices
    assert notice.id == "file-sheets"
    assert "'Persons', the first, was read; not 'Second'" in notice.text
    assert read(path, sheet="Persons").notices == ()
    plain = tmp_path / "plain.csv"
    plain.write_text("a\n1\n")
    assert list_sheets(plain) == ()


def test_ages_with_a_word_for_missing_can_be_banded(tmp_path):
    path = tmp_path / "survey.xlsx"
    sheet(path, [["age", "sex"], [34, 1], ["k.A.", 2], [71.5, 1], [34, 2]])
    study = ms.study(path, na="auto", keys=["age"])
    assert study.declarations["age"].missing == ("k.A.",)
    assert list(study.recode("age", breaks=(40,)).engine.categories("age")) == ["40+", "under 40"]


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="a Polars without such numbers")
@pytest.mark.parametrize("way", ["file", "frame"])
def test_numbers_of_128_bits(tmp_path, way):
    frame = pl.DataFrame({"a": pl.Series([1, None, 2**62], dtype=pl.Int128), "b": ["x", "y", "z"]})

    def study(made):
        made.write_parquet(tmp_path / "wide.parquet")
        return ms.study(tmp_path / "wide.parquet" if way == "file" else made, keys=["a"])

    assert study(frame).engine.schema["a"].kind == "integer"
    assert {each.name: each.distinct for each in study(frame).describe()} == {"a": 2, "b": 3}
    wider = frame.with_columns(pl.col("a") * 4)
    with pytest.raises(InputError, match=r"'a' of .* more than 64 bits"):
        study(wider).describe()


def test_a_worksheet_cannot_end_in_an_empty_record(tmp_path):
    path = tmp_path / "safe.xlsx"
    schema = Schema(source="x", variables=(Variable(name="a"), Variable(name="b")))
    with pytest.raises(InputError, match="end in a record without any value"):
        write(pl.DataFrame({"a": [1, None], "b": ["x", ""]}), schema, path)
    write(pl.DataFrame({"a": [1, None, 2], "b": ["x", None, None]}), schema, path)
    assert read(path).load(["a"])["a"].to_list() == [1, None, 2]
