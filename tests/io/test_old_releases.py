"""Stata files of releases 102 to 105, and binary data in later ones."""

from __future__ import annotations

import io
import struct

import pandas as pd
import pytest
from roundtrip import again, everything

from microsafe.errors import UnreadableFileError
from microsafe.io import read

# Before version 3 it reads few old releases, and writes long texts of big-endian files wrongly.
later_pandas = pytest.mark.skipif(
    int(pd.__version__.split(".")[0]) < 3, reason="pandas before version 3 has no such files"
)

NAMES = ("b", "i", "l", "f", "d", "s")
WIDE = 2.0**333  # . as a double, until release 105
ROWS = (
    (1, 2, 3, 0.5, 1.25, b"ab"),
    (127, 32_767, 2_147_483_647, 2.0**127, WIDE, b""),
    (126, 32_766, 2_147_483_646, 1e38, -WIDE, b"x"),
    (-127, -32_768, -2_147_483_648, -1.0, 1e99, b"y"),
)


def old_stata(release, order, *, day="%8.0g"):
    """Return a file as the format was then; pandas reads it too."""
    count = len(NAMES)
    width = 12 if release == 105 else 7
    mark = 1 if order == ">" else 2 * (release > 102)
    return b"".join(
        (
            struct.pack(f"{order}4B", release, mark, 1, 0),
            struct.pack(f"{order}{'HH' if release == 102 else 'Hi'}", count, len(ROWS)),
            b"An old file".ljust(32, b"\0"),
            b"01 Jan 1995 10:00\0" if release == 105 else b"",
            b"bilfd" + bytes([127 + 8]),
            *(name.encode().ljust(9, b"\0") for name in NAMES),
            bytes(2 * (count + 1)),
            *(
                {"s": b"%8s", "d": day.encode()}.get(name, b"%8.0g").ljust(width, b"\0")
                for name in NAMES
            ),
            *((b"set" if name == "b" else b"").ljust(9, b"\0") for name in NAMES),
            *(f"label {name}".encode().ljust(32, b"\0") for name in NAMES),
            # A characteristic, and the end of them.
            struct.pack(f"{order}BH", 1, 4) + b"note" + bytes(3) if release == 105 else b"",
            *(struct.pack(f"{order}bhifd8s", *row) for row in ROWS),
            struct.pack(f"{order}H", 1) + b"set".ljust(10, b"\0") + struct.pack(f"{order}h", 1),
            b"one".ljust(8, b"\0"),
        )
    )


@later_pandas
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("release", [102, 103, 104, 105])
def test_old_releases_are_read_and_what_was_missing_is(tmp_path, release, order):
    content = old_stata(release, order)
    path = tmp_path / "a.dta"
    path.write_bytes(content)
    before, after = again(path, tmp_path / "b.dta")
    frame = everything(before)
    other = pd.read_stata(io.BytesIO(content), convert_categoricals=False)
    for name in NAMES[:-1]:
        expected = [None if pd.isna(value) else float(value) for value in other[name]]
        assert frame[name].cast(float).to_list() == expected
        assert expected[1] is None
    assert frame["s"].to_list() == ["ab", None, "x", "y"]
    assert before.schema["b"].labels == {1: "one"}
    assert before.schema["d"].label == "label d"
    assert before.schema.notes == ("An old file",)
    assert everything(after).equals(frame)


def test_a_missing_date_leaves_the_others_dates(tmp_path):
    content = old_stata(105, "<", day="%d").replace(
        struct.pack("<d", 1e99), struct.pack("<d", 10.0)
    )
    content = content.replace(struct.pack("<d", -WIDE), struct.pack("<d", 11.0))
    content = content.replace(struct.pack("<d", 1.25), struct.pack("<d", 1.0))
    (tmp_path / "a.dta").write_bytes(content)
    days = everything(read(tmp_path / "a.dta"))["d"]
    assert [day and day.isoformat() for day in days] == [
        "1960-01-02",
        None,
        "1960-01-12",
        "1960-01-11",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("release", [102, 105])
def test_an_old_file_that_was_cut_short_is_refused(tmp_path, release):
    path = tmp_path / "a.dta"
    for size in (1, 4, 11, 60, 200, 400):
        path.write_bytes(old_stata(release, "<")[:size])
        with pytest.raises(UnreadableFileError, match=r"a\.dta"):
            read(path)


def later_stata(version, *, byteorder="little"):
    frame = pd.DataFrame(
        {
            "a": [1, 2, 3],
            "picture": ["first", "x" * 10, "x" * 10],
            "same": ["x" * 10, "p", "q"],
            "story": ["y" * 3000, "text", "é" if version > 117 else "e"],
        }
    )
    memory = io.BytesIO()
    frame.to_stata(
        memory,
        version=version,
        convert_strl=["picture", "same", "story"],
        write_index=False,
        byteorder=byteorder,
    )
    return bytearray(memory.getvalue())


@pytest.mark.parametrize("byteorder", ["little", pytest.param("big", marks=later_pandas)])
@pytest.mark.parametrize("version", [117, 118, 119])
def test_binary_data_are_refused_by_name(tmp_path, version, byteorder):
    content = later_stata(version, byteorder=byteorder)
    path = tmp_path / "a.dta"
    path.write_bytes(content)
    assert everything(read(path)).height == 3
    for text in (b"first\0", b"text\0"):
        place = content.index(text)
        assert content[place - 5] == 130  # the kind of the long text
        content[place - 5] = 129
        content[place : place + 3] = b"\xff\0\xfe"
        path.write_bytes(content)
        gone = "picture" if text == b"first\0" else "picture, story"
        said = rf"a\.dta has binary data, such as pictures, in {gone}\. Drop such variables"
        with pytest.raises(UnreadableFileError, match=said):
            read(path)
