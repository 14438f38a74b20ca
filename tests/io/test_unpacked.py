"""Files that would unpack to far more than they are: refused by a number, before they do."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import polars as pl
import pyreadstat
import pytest
import xlsxwriter

import microsafe as ms
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io import read
from microsafe.io.excel import _workbook_xml
from microsafe.io.reader import archive_size, process
from microsafe.io.reader.archive_size import unpacked_size

SHEET = "xl/worksheets/sheet1.xml"


def workbook(rows: list[list[object]]) -> bytes:
    memory = io.BytesIO()
    with xlsxwriter.Workbook(memory, {"in_memory": True}) as book:
        for name in ("Persons", "Notes & more"):
            page = book.add_worksheet(name)
            for number, row in enumerate(rows):
                page.write_row(number, 0, row)
    return memory.getvalue()


def with_sheet(content: bytes, change: dict[bytes, bytes], part: str = SHEET) -> bytes:
    """Return a workbook with something else on a sheet."""
    memory = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(memory, "w", 8) as new:
        for name in old.namelist():
            text = old.read(name)
            for one, other in change.items() if name == part else ():
                assert one in text
                text = text.replace(one, other)
            new.writestr(name, text)
    return memory.getvalue()


def refused(path: Path) -> str:
    with pytest.raises(UnreadableFileError) as caught:
        read(path)
    assert path.name in str(caught.value)
    return str(caught.value)


FAR = {b"</sheetData>": b'<row r="999999"><c r="XFD999999"><v>1</v></c></row></sheetData>'}


@pytest.mark.parametrize("dimension", ["right", "absent", "wrong"])
def test_a_stray_cell(tmp_path: Path, dimension: str) -> None:
    path = tmp_path / "stray.xlsx"
    change = dict(FAR)
    if dimension != "wrong":
        change[b'<dimension ref="A1:A3"/>'] = (
            b'<dimension ref="A1:XFD999999"/>' if dimension == "right" else b""
        )
    path.write_bytes(with_sheet(workbook([["a"], [1], [2]]), change))
    said = refused(path)
    assert "row 999,999 and column 16,384" in said
    assert "524.3 GB" in said


def test_only_the_sheet_that_is_read_counts(tmp_path: Path) -> None:
    path = tmp_path / "stray.xlsx"
    other = "xl/worksheets/sheet2.xml"
    wide = {b'ref="A1:A3"': b'ref="A1:XFD999999"'}
    path.write_bytes(with_sheet(workbook([["a"], [1], [2]]), FAR | wide, other))
    assert read(path).load(["a"])["a"].to_list() == [1, 2]
    with pytest.raises(UnreadableFileError, match="999,999"):
        read(path, sheet="Notes & more")


def test_a_formatted_column_is_no_stray_cell(tmp_path: Path) -> None:
    """Excel declares cells that have a format and nothing else."""
    path = tmp_path / "formatted.xlsx"
    empty = b'<row r="999999"><c r="XFD999999" s="1"/></row></sheetData>'
    change = {b"</sheetData>": empty, b'ref="A1:A3"': b'ref="A1:XFD999999"'}
    path.write_bytes(with_sheet(workbook([["a"], [1], [2]]), change))
    assert read(path).load(["a"])["a"].to_list() == [1, 2]


def test_references_across_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_workbook_xml, "_CHUNK", 7)
    path = tmp_path / "file.xlsx"
    path.write_bytes(workbook([["a", "b"], [1, 2], [3, 4]]))
    with zipfile.ZipFile(path) as packed:
        monkeypatch.setattr(_workbook_xml, "_CHUNK", 60)
        assert _workbook_xml._find_farthest(packed, packed.getinfo(SHEET)) == (2, 3)


@pytest.mark.parametrize("tail", [[None], [""], [" "], [None, " "]])
def test_empty_rows_at_the_end_are_no_records(tmp_path: Path, tail: list[object]) -> None:
    path = tmp_path / "tail.xlsx"
    path.write_bytes(workbook([["a", "b"], [1, "x"], [None, None], [2, "y"], *[tail] * 5]))
    assert read(path).load(["a", "b"])["a"].to_list() == [1, None, 2]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".xlsx", ".ods", ".xlsb"])
def test_a_bomb_in_a_workbook(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bomb{suffix}"
    blanks = {b"</sheetData>": b" " * 250_000_000 + b"</sheetData>"}
    path.write_bytes(with_sheet(workbook([["a"], [1]]), blanks))
    said = refused(path)
    assert "unpacks to 0.3 GB" in said
    assert "times its size" in said


def test_records_that_cannot_be_there(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0]})
    path = tmp_path / "many.sav"
    for pack in (False, True):
        pyreadstat.write_sav(frame, path, compress=pack)
        content = bytearray(path.read_bytes())
        content[80:84] = struct.pack("<i", 2_000_000_000)
        path.write_bytes(content)
        assert "2,000,000,000 records" in refused(path)
    path = tmp_path / "many.dta"
    for version in (8, 12, 15):
        pyreadstat.write_dta(frame, path, version=version)
        content = bytearray(path.read_bytes())
        place = content.find(b"<N>") + 3 if version == 15 else 6
        content[place : place + 4] = struct.pack("<i", 2_000_000_000)
        path.write_bytes(content)
        assert "2,000,000,000 records of 1 variables" in refused(path)


def test_a_bomb_of_spss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bomb.zsav"
    pyreadstat.write_sav(pl.DataFrame({"x": [1.0] * 200_000}), path, compress=True)
    size = path.stat().st_size
    assert unpacked_size(path) == 1_600_000 > 250 * size
    assert read(path).records == 200_000
    monkeypatch.setattr(archive_size, "_machine_memory", lambda: 1_000_000)
    assert "unpacks to 0.0 GB" in refused(path)


def test_records_that_a_parquet_file_cannot_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microsafe.io.reader import probe

    path = tmp_path / "many.parquet"
    pl.DataFrame({"x": [1] * 100_000}).write_parquet(path)
    assert read(path).records == 100_000
    probe._probed.clear()
    monkeypatch.setattr(probe, "_PER_BYTE", 1)
    assert "says that it has 100,000 records" in refused(path)


def test_a_limit_on_memory_counts_what_unpacks(tmp_path: Path) -> None:
    path = tmp_path / "packed.xlsx"
    change = {b"</sheetData>": b" " * 40_000_000 + b"</sheetData>"}
    path.write_bytes(with_sheet(workbook([["a"], [1]]), change))
    assert path.stat().st_size < 1_000_000
    with pytest.raises(InputError, match=r"needs about 0\.[67] GB .* limit is 0\.5 GB"):
        ms.study(path, memory="500MB")
    ms.study(path, memory="2GB")


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\x08abcd", b"\x28\xb5\x2f\xfdabcd"])
def test_packed_text_is_not_unpacked(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "survey.csv"
    path.write_bytes(content + b"," * 99)
    assert "packed" in refused(path)


@pytest.mark.slow
def test_pages_that_unpack_to_more_than_may_be_are_refused_by_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pages.parquet"
    texts = [each * 40_000_000 for each in "abcdefghij"]
    pl.DataFrame({"x": texts, "y": range(10)}).write_parquet(
        path, compression="zstd", statistics=False
    )
    source = read(path)
    assert source.load(["y"]).height == 10
    monkeypatch.setattr(process, "_BYTES", 150_000_000)
    with pytest.raises(UnreadableFileError, match=r"pages\.parquet .* 0\.2 GB of memory, which a"):
        source.load(["x"])
