"""mu-ARGUS data and metadata."""

from __future__ import annotations

import polars as pl
import pytest

from microsafe.errors import InputError
from microsafe.io import read
from microsafe.io.argus.rda import ArgusField, parse_codes, parse_metadata

RDA = """\
REGION 1 3 "999" 998
  <RECODABLE>
  <CODELIST> "REGION.CDL"
  <IDLEVEL> 1
  <SUPPRESSWEIGHT> 50
  <TRUNCABLE>
hh 4 2
  <HOUSE_ID>
w 6 5
  <numeric>
  <DECIMALS> 2
  <WEIGHT>
inc 12 4 9999 X
  <NUMERIC>
  <RELATED> hh
size 16 1
  <RECODEABLE>
  <HOUSEHOLD>
  <SUPPRESSPRIORITY> 20
  <COLOUR> red
"""
LINES = ["  1 1 2.50. 1201", " 12 110.25.   X2", "999 2 1.00.9999 "]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Survey.RDA").write_text(RDA, newline="\r\n")
    (tmp_path / "region.cdl").write_text('  1,North\n 12,"South, far"\n\x1a')
    return tmp_path


RAGGED = "\n".join(line + "#" * number for number, line in enumerate(LINES))


@pytest.mark.parametrize(
    "content",
    ["\r\n".join(LINES), "\n".join(LINES) + "\n", "\r\n".join(LINES) + "\r\n\x1a", RAGGED],
)
def test_fixed_width(folder, content):
    path = folder / "survey.asc"
    path.write_text(content, newline="")
    source = read(path)
    assert source.columnar
    frame = source.load(["size", "REGION", "hh", "w", "inc"])
    assert frame["REGION"].to_list() == ["1", "12", "999"]
    assert frame["hh"].to_list() == ["1", "1", "2"]
    assert frame["w"].to_list() == [2.5, 10.25, 1.0]
    assert frame["inc"].to_list() == [120.0, None, 9999.0]
    assert frame["size"].to_list() == ["1", "2", None]


def test_metadata(folder):
    (folder / "survey.asc").write_text("\n".join(LINES))
    source = read(folder / "survey.asc")
    region, hh, w, inc, size = source.schema
    assert (region.role, hh.role, w.role, inc.role, size.role) == (
        ("key", "household", "weight", None, "key")
    )
    assert region.labels == {"1": "North", "12": "South, far"}
    assert region.missing == ("999", "998")
    assert region.extra["idlevel"] == "1"
    assert region.extra["suppressweight"] == "50"
    assert "truncable" in region.extra
    assert (w.kind, w.decimals, w.width) == ("number", 2, 5)
    assert inc.missing == (9999.0,)
    assert inc.extra["related"] == "hh"
    assert size.extra == {"household": "", "suppresspriority": "20"}
    assert any("COLOUR" in notice.text for notice in source.notices)


def test_letters_beyond_ascii_take_one_place(tmp_path):
    (tmp_path / "a.rda").write_text("town 1 3\nsex 4 1\n")
    for encoding in ("cp1252", "utf-8"):
        (tmp_path / "a.dat").write_bytes("Zür1\nUlm2\n".encode(encoding))
        assert read(tmp_path / "a.dat").load(["town", "sex"]).rows() == [("Zür", "1"), ("Ulm", "2")]


@pytest.mark.parametrize(
    ("head", "data"),
    [
        ('<SEPARATOR> ","\n', " 1,F, 2\n10,M,\n"),
        ('<SEPARATOR> ";"\n', ' 1;"F";2\r\n10;M;\r\n\x1a'),
        ('<NAMESINFRONT>\n<SEPARATOR> ","\n', "Sex,age,n\nF,1,2\nM,10,\n"),
    ],
)
def test_free_format(tmp_path, head, data):
    (tmp_path / "other.rda").write_text(f"{head}age 3 99\nsex 1\nn 2\n<NUMERIC>\n")
    path = tmp_path / "a.csv"
    path.write_text(data, newline="")
    frame = read(path, meta=tmp_path / "other.rda").load(["age", "sex", "n"])
    assert frame.rows() == [("1", "F", 2.0), ("10", "M", None)]


def test_absent_code_list_is_a_notice(folder):
    (folder / "region.cdl").unlink()
    (folder / "survey.asc").write_text("\n".join(LINES))
    assert any("REGION.CDL" in notice.text for notice in read(folder / "survey.asc").notices)


def test_txt_with_metadata_beside_is_fixed_width(folder):
    (folder / "survey.txt").write_text("\n".join(LINES))
    assert read(folder / "survey.txt").schema.names == ("REGION", "hh", "w", "inc", "size")


def test_many_equal_lines(tmp_path):
    (tmp_path / "a.rda").write_text("x 2 3\ny 5 6\n<NUMERIC>\n")
    (tmp_path / "a.asc").write_text("".join(f".{i % 100:3d}{i:6d}\n" for i in range(5000)))
    frame = read(tmp_path / "a.asc").load(["x", "y"])
    assert frame["y"].to_list() == list(range(5000))
    assert frame["x"].cast(pl.Int64).to_list() == [i % 100 for i in range(5000)]


def test_parse_is_pure():
    metadata = parse_metadata("<SPSS>\nsex 1 9\n", "a.rda")
    assert metadata.layout.spss
    assert metadata.layout.fields == (ArgusField(name="sex", start=0, width=1),)
    assert parse_codes("") == {}


@pytest.mark.parametrize("text", ["", "sex\n", "sex 0 1\n", "sex a b\n", "<SEPARATOR> ''\nsex 1\n"])
def test_bad_metadata(text):
    with pytest.raises(InputError, match=r"a\.rda"):
        parse_metadata(text, "a.rda")


@pytest.mark.parametrize("end", ["\r\n", "\n\n", ""])
def test_a_mark_of_the_end_at_the_border_of_a_chunk(folder, end):
    (folder / "survey.rda").write_text('<SEPARATOR> ","\nx 1\n<RECODEABLE>\ny 3\n<RECODEABLE>\n')
    body = "1,a\n" * ((1 << 18) - 1)
    body += "2," + "b" * ((1 << 20) - len(body) - 4) + "\n\x1a"
    assert len(body) == 1 << 20
    (folder / "survey.asc").write_text(body + end, newline="")
    frame = read(folder / "survey.asc", meta=folder / "survey.rda").load(["x", "y"])
    assert frame.height == 1 << 18
    assert frame["x"][-1] == "2"
