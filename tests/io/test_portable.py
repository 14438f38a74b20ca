"""SPSS portable files: the missing codes that they declare."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import polars as pl
import pyreadstat
import pytest
from roundtrip import again, everything

from microsafe.errors import UnreadableFileError
from microsafe.io import read
from microsafe.io.spss.portable import cut_missing
from microsafe.studies.study import study

FRAME = pl.DataFrame(
    {
        "codes": [1.0, 8.0, 9.0, None],
        "up": [-5.0, 0.0, 0.5, 3.0],
        "down": [0.1, 96.0, 97.5, 1e9],
        "both": [1.0, 97.0, 99.0, 0.1],
        "text": ["a", "zz", "y", "b"],
    }
)
# Numbers are to base 30: 37/ is 97, and 33/3 of 30 is 0.1.
DECLARED = {
    "CODES": b"88/89/",
    "UP": b"90/",
    "DOWN": b"A36/",
    "BOTH": b"B37/39/8.3/",
    # Behind the last variable stand value labels, of numbers and of text.
    "TEXT": b"82/zz81/yD1/5/CODES1/8/5/eightD1/4/TEXT1/2/zz3/two",
}


def portable(*, cut_blanks=False, ends=b"\r\n"):
    """Return a file with missing codes, which pyreadstat cannot write."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.por"
        pyreadstat.write_por(FRAME, str(path))
        content = path.read_bytes().replace(b"\r\n", b"")
    start = content.index(b"SPSSPORT")
    for name, said in DECLARED.items():
        # Name and two formats of three numbers each.
        place = content.index(name.encode(), start) + len(name)
        for _ in range(6):
            place = content.index(b"/", place) + 1
        content = content[:place] + said + content[place:]
    lines = [content[place : place + 80] for place in range(0, len(content), 80)]
    return ends.join(line.rstrip(b" ") if cut_blanks else line for line in lines) + ends


@pytest.mark.parametrize(
    "options", [{}, {"ends": b"\n"}, {"ends": b"\n", "cut_blanks": True}, {"ends": b"\r"}]
)
def test_missing_codes_are_declared_and_values_stay(tmp_path, options):
    path = tmp_path / "a.por"
    path.write_bytes(portable(**options))
    before, after = again(path, tmp_path / "b.sav")
    assert everything(before).rename(str.lower).equals(FRAME)
    assert everything(after).equals(everything(before))
    for schema in (before.schema, after.schema):
        assert schema["CODES"].missing == (8.0, 9.0)
        assert schema["CODES"].labels == {8.0: "eight"}
        assert schema["UP"].missing_ranges == ((-math.inf, 0.0),)
        assert schema["DOWN"].missing_ranges == ((96.0, math.inf),)
        assert schema["BOTH"].missing == (0.1,)
        assert schema["BOTH"].missing_ranges == ((97.0, 99.0),)
        assert schema["TEXT"].missing == ("zz", "y")
        assert schema["TEXT"].labels == {"zz": "two"}


def test_they_are_missing_when_risk_is_measured(tmp_path):
    (tmp_path / "a.por").write_bytes(portable())
    (found,) = (each for each in study(tmp_path / "a.por").describe() if each.name == "CODES")
    assert found.missing == 3


def test_another_set_of_characters(tmp_path):
    content = portable()
    # As if 0 to 9 and + had other places, say of EBCDIC; the header says which.
    table = bytes.maketrans(b"0123456789+", bytes(range(0xF0, 0xFA)) + b"\x4e")
    path = tmp_path / "a.por"
    path.write_bytes(content[:200] + content[200:].translate(table))
    missing, kept = cut_missing(path.read_bytes())
    assert missing["CODES"] == [8.0, 9.0]
    assert len(kept) < path.stat().st_size


@pytest.mark.parametrize("size", [100, 450, 500, 560, 640])
def test_a_file_that_was_cut_short_is_refused(tmp_path, size):
    path = tmp_path / "a.por"
    path.write_bytes(portable()[:size])
    with pytest.raises(UnreadableFileError, match=r"a\.por"):
        everything(read(path))
