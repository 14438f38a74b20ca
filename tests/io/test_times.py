"""Times of day, durations and dates: in worksheets, which hold all of them as numbers, and out."""

from __future__ import annotations

import datetime as dt
import io
import re
import struct
import zipfile

import openpyxl
import polars as pl
import pyreadstat
import pytest
import xlsxwriter
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from openpyxl.utils.datetime import CALENDAR_MAC_1904

import microsafe as ms
from fuzz import seeds
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io import read, read_frame, write
from microsafe.io.column_types import as_time, parse_times, spell_times

DAYS = [dt.date(2020, 1, 31), dt.date(1950, 2, 28), None, dt.date(2000, 2, 29)]
MOMENTS = [
    dt.datetime(2020, 1, 31, 9, 30),
    dt.datetime(1999, 12, 31),
    None,
    dt.datetime(1950, 1, 1),
]
TIMES = [dt.time(9, 30), dt.time(0, 0), dt.time(23, 59, 59, 500_000), None]
DURATIONS = [
    dt.timedelta(hours=26, minutes=15),
    dt.timedelta(seconds=1.5),
    None,
    dt.timedelta(hours=126),
]
FRAME = pl.DataFrame({"day": DAYS, "moment": MOMENTS, "time": TIMES, "length": DURATIONS})
KINDS = ["date", "date", "time", "duration"]
X14 = (
    b'<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    b'<mc:Choice Requires="x14"><x14:workbookPr xmlns:x14="http://schemas.microsoft.com/office/'
    b'spreadsheetml/2009/9/main" defaultImageDpi="32767"/></mc:Choice></mc:AlternateContent>'
)


def everything(path, **options):
    source = read(path, **options)
    return source.load(source.schema.names)


def write_openpyxl(path, epoch=None):
    book = openpyxl.Workbook()
    if epoch is not None:
        book.epoch = epoch
    book.active.append(FRAME.columns)
    for row in FRAME.iter_rows():
        book.active.append(row)
    book.save(path)


def write_sheet(path, columns, *, at=(0, 0), **options):
    """Write columns of cells from a place on; a pair is a value and its number format."""
    book = xlsxwriter.Workbook(str(path), options)
    sheet = book.add_worksheet()
    for place, (name, cells) in enumerate(columns.items(), start=at[1]):
        sheet.write_string(at[0], place, name)
        for row, cell in enumerate(cells, start=at[0] + 1):
            value, shown = cell if isinstance(cell, tuple) else (cell, None)
            style = book.add_format({"num_format": shown}) if shown else None
            if isinstance(value, str) and value.startswith("="):
                sheet.write_formula(row, place, "=1/0", style, value[1:])
            elif isinstance(value, str):
                sheet.write_string(row, place, value)
            elif isinstance(value, (dt.date, dt.time, dt.timedelta)):
                sheet.write_datetime(row, place, value, style)
            elif value is not None:
                sheet.write(row, place, value, style)
    book.close()


def rewrite(path, part, change):
    memory = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(memory) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, change(content) if name == part else content)


def test_times_are_told_from_moments_as_openpyxl_tells_them(tmp_path):
    path = tmp_path / "a.xlsx"
    write_openpyxl(path)
    source = read(path)
    assert [v.kind for v in source.schema] == KINDS
    assert source.load(FRAME.columns).rows() == FRAME.rows()
    cells = openpyxl.load_workbook(path).active.iter_rows(min_row=2, values_only=True)
    assert [row[2] for row in cells] == TIMES


@pytest.mark.parametrize("place", ["none", "before", "after", "true"])
@pytest.mark.parametrize("writer", ["openpyxl", "xlsxwriter"])
def test_days_that_count_from_1904(tmp_path, writer, place):
    path = tmp_path / "mac.xlsx"
    if writer == "openpyxl":
        write_openpyxl(path, CALENDAR_MAC_1904)
    else:
        shown = ["yyyy-mm-dd", "yyyy-mm-dd hh:mm", "hh:mm", "[h]:mm:ss"]
        columns = {
            c.name: [None if v is None else (v, f) for v in c]
            for c, f in zip(FRAME, shown, strict=True)
        }
        write_sheet(path, columns, date_1904=True)
    new = {
        "none": rb"\1",
        "before": X14 + rb"\1",
        "after": rb"\1" + X14,
        "true": rb"\1",
    }[place]
    rewrite(path, "xl/workbook.xml", lambda c: re.sub(rb"(<workbookPr[^>]*>)", new, c))
    if place == "true":
        rewrite(path, "xl/workbook.xml", lambda c: c.replace(b'date1904="1"', b'date1904="true"'))
    assert everything(path).rows() == FRAME.rows()


def test_a_first_of_january_1904_is_a_date_in_such_a_workbook(tmp_path):
    path = tmp_path / "mac.xlsx"
    write_sheet(path, {"day": [(dt.date(1904, 1, 1), "yyyy-mm-dd")]}, date_1904=True)
    assert everything(path)["day"].to_list() == [dt.date(1904, 1, 1)]


def test_durations_whose_format_hides_the_days(tmp_path):
    path = tmp_path / "a.xlsx"
    clock = "hh:mm"
    write_sheet(path, {"x": [(0.25, clock), (1.25, clock)], "y": [(0.0, clock), (0.5, clock)]})
    found = everything(path)
    assert found["x"].to_list() == [dt.timedelta(hours=6), dt.timedelta(hours=30)]
    assert found["y"].to_list() == [dt.time(0), dt.time(12)]


@pytest.mark.parametrize("at", [(0, 0), (2, 1)])
def test_times_and_dates_among_text_and_numbers(tmp_path, at):
    path = tmp_path / "a.xlsx"
    day, clock, long = "yyyy-mm-dd", "hh:mm", "[h]:mm"
    write_sheet(
        path,
        {
            "times": [(0.5, clock), "unknown", (0.25, clock), "1899-12-31 09:30:00"],
            "lengths": [(1.25, long), (0.5, clock), None, None],
            "both": [(1.25, long), (43862, day), "x", None],
            "days": [(43862, day), 99, (43863, day), "2020-02-01 00:00:00"],
            "numbers": [(1.25, long), 3, None, "=#N/A"],
        },
        at=at,
    )
    source = read(path)
    assert [v.kind for v in source.schema] == ["text", "duration", "text", "text", "text"]
    found = source.load(source.schema.names)
    assert found["times"].to_list() == ["12:00:00", "unknown", "06:00:00", "1899-12-31 09:30:00"]
    assert found["lengths"][0] == dt.timedelta(hours=30)
    assert found["both"].to_list() == ["30:00:00", "2020-02-01", "x", None]
    assert found["days"].to_list() == ["2020-02-01", "99", "2020-02-02", "2020-02-01 00:00:00"]
    assert found["numbers"].to_list() == ["30:00:00", "3", None, None]
    assert "numbers (1)" in source.notices[0].text


@pytest.mark.parametrize("word", ["NA", "N/A", "null", "NaN", "None", "#N/A", "k.A."])
def test_words_beside_numbers_are_text_unless_declared(tmp_path, word):
    path = tmp_path / "a.xlsx"
    columns = {
        "number": [1, word, 2.5],
        "flag": [True, word, False],
        "day": [(dt.date(2020, 1, 31), "yyyy-mm-dd"), word, None],
        "gap": [1, None, 2],
    }
    write_sheet(path, columns)
    source = read(path, na=(word,))
    assert [v.kind for v in source.schema] == ["text", "text", "text", "integer"]
    found = source.load(source.schema.names)
    assert found["number"].to_list() == ["1", word, "2.5"]
    assert found["day"].to_list() == ["2020-01-31", word, None]
    assert source.schema["number"].missing == (word,)


def test_errors_are_missing_and_counted(tmp_path):
    path = tmp_path / "a.xlsx"
    write_sheet(
        path, {"x": [1, "=#DIV/0!", "=#N/A", 4], "y": ["a", "=#REF!", "b", "#N/A"], "z": [1]}
    )
    source = read(path)
    found = source.load(["x", "y"])
    assert found["x"].to_list() == [1, None, None, 4]
    assert found["y"].to_list() == ["a", None, "b", "#N/A"]
    (notice,) = source.notices
    assert notice.id == "file-errors"
    assert "3 cells that hold an error" in notice.text
    assert "x (2), y (1)" in notice.text
    assert [c.data_type for c in openpyxl.load_workbook(path, data_only=True).active["A"]][2] == "e"


def test_line_ends_and_escapes_in_a_worksheet(tmp_path):
    path = tmp_path / "a.xlsx"
    texts = ["a\r\nb", "_x000D_", "c\rd\n", "\t_x00e9_ x005F_", "_X000D_", "x_x0041"]
    frame = pl.DataFrame({"x": texts})
    write(frame, read_frame(frame).schema, path)
    assert everything(path)["x"].to_list() == texts
    for wrong in ("_x005F_x000D_", "<r><t>a</t></r>"):
        frame = pl.DataFrame({"x": [wrong]})
        with pytest.raises(InputError, match="x holds text that looks like markup of Excel"):
            write(frame, read_frame(frame).schema, path)
    write_sheet(path, {"x": ["=a_x000D_\nb_x005F_x000D_", "_x000D_", "=&lt;_x0001_"]})
    sheet = "xl/worksheets/sheet1.xml"
    rewrite(path, sheet, lambda content: content.replace(b"\nb_x005F_", b"&#10;b_x005F_"))
    found = everything(path)["x"].to_list()
    # What escapes stand for is known of texts, not of results of formulas.
    assert found == ["a_x000D_\nb_x005F_x000D_", "_x000D_", "&lt;_x0001_"]


def open_document(path, rows):
    document = OpenDocumentSpreadsheet()
    table = Table(name="Data")
    for row in rows:
        line = TableRow()
        for kind, value in row:
            about = {
                "time": {"timevalue": value},
                "date": {"datevalue": value},
                "float": {"value": value},
            }.get(kind, {})
            cell = TableCell(valuetype=kind, **about) if kind else TableCell()
            cell.addElement(P(text=value))
            line.addElement(cell)
        table.addElement(line)
    document.spreadsheet.addElement(table)
    document.save(str(path))


def test_open_document_with_times(tmp_path):
    path = tmp_path / "a.ods"
    names = [("string", name) for name in ("clock", "text", "day", "number")]
    day, gap = ("date", "2020-01-31"), ("", "")
    open_document(
        path,
        [
            names,
            [("time", "PT09H30M00S"), ("string", "x"), day, ("float", "1")],
            [("time", "PT23H59M59.5S"), ("string", "y"), day, ("float", "7")],
            [gap, gap, gap, ("string", "NA")],
        ],
    )
    source = read(path)
    assert [v.kind for v in source.schema] == ["time", "text", "date", "text"]
    found = source.load(source.schema.names)
    assert found["clock"].to_list() == [dt.time(9, 30), dt.time(23, 59, 59, 500_000), None]
    assert found["day"].to_list() == [dt.date(2020, 1, 31)] * 2 + [None]
    assert found["number"].to_list() == ["1", "7", "NA"]


@pytest.mark.parametrize("length", ["PT26H15M00S", "-PT01H00M00S", "P1DT1H", "PT24H00M00S"])
def test_times_of_an_open_document_that_are_not_of_the_day_are_refused(tmp_path, length):
    path = tmp_path / "a.ods"
    open_document(path, [[("string", "x")], [("time", "PT09H30M00S")], [("time", length)]])
    with pytest.raises(UnreadableFileError, match=r"a\.ods has cells with times .* as \.xlsx\."):
        read(path)


@pytest.mark.parametrize("other", [("string", "x"), ("float", "3"), ("date", "2020-01-31")])
def test_times_among_other_values_of_an_open_document_are_refused(tmp_path, other):
    path = tmp_path / "a.ods"
    rows = [[("float", "1"), ("time", "PT09H30M00S")], [("float", "2"), other]]
    open_document(path, [[("string", "n"), ("string", "start")], *rows])
    with pytest.raises(UnreadableFileError, match=r"start of a\.ods has times among other values"):
        read(path)


def test_dates_and_moments_in_a_column_of_an_open_document(tmp_path):
    path = tmp_path / "a.ods"
    day, moment = "2020-01-31", "2020-01-31T09:30:00"
    names = [("string", name) for name in ("moment", "text", "mixed")]
    first = [("date", day), ("string", day), ("date", day)]
    second = [("date", moment), ("string", moment), ("string", moment)]
    open_document(path, [names, first, second])
    found = everything(path)
    assert found["moment"].to_list() == [dt.datetime(2020, 1, 31), dt.datetime(2020, 1, 31, 9, 30)]
    assert found["text"].to_list() == found["mixed"].to_list() == [day, moment]


def test_errors_in_open_documents_are_refused(tmp_path):
    path = tmp_path / "a.ods"
    open_document(path, [[("string", "x")], [("float", "1")], [("float", "0")], [("float", "3")]])
    old, new = b'office:value="0"', b'office:value="0" calcext:value-type="error"'
    rewrite(path, "content.xml", lambda content: content.replace(old, new))
    with pytest.raises(UnreadableFileError, match=r"a\.ods has cells with errors .* as \.xlsx\."):
        read(path)


def test_only_the_sheet_of_an_open_document_that_is_read_counts(tmp_path):
    path = tmp_path / "a.ods"
    open_document(path, [[("string", "x")], [("float", "1")]])
    other = (
        b'<table:table table:name="A &amp; B"><table:table-row><table:table-cell '
        b'office:value-type="string"><text:p>y</text:p></table:table-cell></table:table-row>'
        b'<table:table-row><table:table-cell office:value-type="time" '
        b'office:time-value="PT99H00M00S"/></table:table-row></table:table>'
    )
    end = b"</office:spreadsheet>"
    rewrite(path, "content.xml", lambda content: content.replace(end, other + end))
    assert everything(path)["x"].to_list() == [1]
    with pytest.raises(UnreadableFileError, match="24 hours"):
        read(path, sheet="A & B")


def old_workbook(rows, *, more=b"", style=0):
    """Return the bytes of an .xls; numbers have the style of that number."""

    def record(number, content=b""):
        return struct.pack("<HH", number, len(content)) + content

    def cell(row, column, value):
        place = struct.pack("<HHH", row, column, 0 if isinstance(value, str) else style)
        if isinstance(value, str):
            return record(0x0204, place + struct.pack("<HB", len(value), 0) + value.encode())
        return record(0x0203, place + struct.pack("<d", value))

    kind = struct.pack("<HHII", 1997, 0, 0, 0)[:-2]
    sheet = record(0x0809, struct.pack("<HH", 0x0600, 0x0010) + kind)
    sheet += record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, len(rows[0]), 0))
    for number, row in enumerate(rows):
        sheet += b"".join(cell(number, place, value) for place, value in enumerate(row))
    sheet += record(0x000A)
    start = record(0x0809, struct.pack("<HH", 0x0600, 0x0005) + kind)
    start += record(0x0042, struct.pack("<H", 1200)) + more
    bundle = struct.pack("<IBBBB", len(start) + 4 + 8 + 4 + 4, 0, 0, 4, 0) + b"Data"
    return seeds._compound("Workbook", start + record(0x0085, bundle) + record(0x000A) + sheet)


def styles(*formats):
    """Return records of cell styles, the first of them plain."""
    return b"".join(
        struct.pack("<HH", 0x00E0, 20) + struct.pack("<HH", 0, each) + bytes(16)
        for each in (0, *formats)
    )


@pytest.mark.parametrize("mac", [False, True])
def test_old_workbooks_count_days_as_they_say(tmp_path, mac):
    path = tmp_path / "a.xls"
    flag = b"\x22\x00\x02\x00\x01\x00" if mac else b""
    serial = 43861.0 - 1462 * mac
    path.write_bytes(old_workbook([["day"], [serial]], more=flag + styles(14), style=1))
    assert everything(path)["day"].to_list() == [dt.date(2020, 1, 31)]
    path.write_bytes(old_workbook([["t"], [0.25]], more=flag + styles(20), style=1))
    assert everything(path)["t"].to_list() == [dt.time(6)]


def binary_workbook(serial, *, mac, shown):
    """Return the bytes of an .xlsb of one number with a number format."""

    def record(number, content=b""):
        head = bytes([number]) if number < 128 else bytes([number & 0x7F | 0x80, number >> 7])
        return head + bytes([len(content)]) + content

    def wide(text):
        return struct.pack("<I", len(text)) + text.encode("utf-16-le")

    def row(number):
        return record(0x00, struct.pack("<I", number) + bytes(13))

    sheet = record(0x81) + record(0x94, struct.pack("<4I", 0, 1, 0, 0)) + record(0x91)
    sheet += row(0) + record(0x06, struct.pack("<II", 0, 0) + wide("x"))
    sheet += row(1) + record(0x05, struct.pack("<IId", 0, 1, serial)) + record(0x92) + record(0x82)
    bundle = record(0x9C, struct.pack("<II", 0, 1) + wide("rId1") + wide("Data"))
    book = record(0x83) + record(0x99, struct.pack("<III", int(mac), 0, 0)) + record(0x8F) + bundle
    styles = record(0x116) + record(0x269, struct.pack("<I", 2))
    styles += b"".join(record(0x2F, struct.pack("<HH", 0, n) + bytes(12)) for n in (0, shown))
    parts = {
        "xl/workbook.bin": book + record(0x90) + record(0x84),
        "xl/styles.bin": styles + record(0x26A),
        "xl/worksheets/sheet1.bin": sheet,
    }
    memory = io.BytesIO(seeds._binary_workbook())
    with zipfile.ZipFile(memory) as packed:
        others = {name: packed.read(name) for name in packed.namelist() if name not in parts}
    return seeds._zipped({**others, **parts})


@pytest.mark.parametrize("mac", [False, True])
def test_binary_workbooks_count_days_as_they_say(tmp_path, mac):
    path = tmp_path / "a.xlsb"
    path.write_bytes(binary_workbook(43861.0 - 1462 * mac, mac=mac, shown=14))
    assert everything(path)["x"].to_list() == [dt.date(2020, 1, 31)]
    path.write_bytes(binary_workbook(0.25, mac=mac, shown=20))
    assert everything(path)["x"].to_list() == [dt.time(6)]


def test_names_and_texts_with_a_nul_behind_each_letter(tmp_path):
    path = tmp_path / "cars.xls"
    path.write_bytes(old_workbook([["m\0p\0g\0", "name"], [21.0, "V\0W\0"], [22.0, "Fiat"]]))
    source = read(path)
    assert source.schema.names == ("mpg", "name")
    assert source.load(["name"])["name"].to_list() == ["VW", "Fiat"]
    path.write_bytes(old_workbook([["m\0pg", "name"], [21.0, "x"]]))
    with pytest.raises(InputError, match=r"cars\.xls has NUL characters in the name .* column 1"):
        read(path)


@pytest.mark.parametrize(
    "extension", [".csv", ".parquet", ".sav", ".zsav", ".dta", ".xpt", ".xlsx", ".asc"]
)
def test_times_are_written_in_every_format(tmp_path, extension):
    path = tmp_path / f"safe{extension}"
    frame = FRAME.with_columns(neg=-FRAME["length"], fine=pl.Series([dt.time(1, 2, 3, 456789)] * 4))
    frame = frame if extension != ".asc" else frame.drop("moment")
    schema = read_frame(frame).schema
    write(frame, schema, path)
    first = path.read_bytes()
    write(frame, schema, path)
    assert path.read_bytes() == first
    found = everything(path)
    unit = {".sav": 1, ".zsav": 1, ".xpt": 1, ".dta": 1000}.get(extension)
    if unit:
        seconds = [34200.0, 0.0, 86399.5, None]
        assert found["time"].to_list() == [None if s is None else s * unit for s in seconds]
        assert found["length"][0] == 94500 * unit
        assert found["neg"][0] == -94500 * unit
    elif extension in (".csv", ".asc"):
        assert found["time"].to_list() == ["09:30:00", "00:00:00", "23:59:59.5", None]
        assert found["length"].to_list() == ["26:15:00", "00:00:01.5", None, "126:00:00"]
        assert found["neg"][1] == "-00:00:01.5"
        assert found["fine"][0] == "01:02:03.456789"
    else:
        assert found["time"].to_list() == TIMES
        assert found["length"].to_list() == DURATIONS
        assert found["neg"][3] == -dt.timedelta(hours=126)


def test_display_formats_of_times(tmp_path):
    whole = FRAME.with_columns(pl.lit(dt.time(9, 30)).alias("time")).head(1)
    schema = read_frame(whole).schema
    readers = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta, "xpt": pyreadstat.read_xport}
    shown = {"sav": "TIME11", "dta": "%tcHH:MM:SS", "xpt": "TIME11"}
    for extension, reader in readers.items():
        path = tmp_path / f"a.{extension}"
        write(whole, schema, path)
        frame, meta = reader(str(path))
        assert meta.original_variable_types["time"] == shown[extension]
        assert frame["time"][0] == dt.time(9, 30)
    path = tmp_path / "a.xlsx"
    write(whole, schema, path)
    row = next(openpyxl.load_workbook(path).active.iter_rows(min_row=2))
    assert [cell.value for cell in row][2:] == [dt.time(9, 30), dt.timedelta(hours=26, minutes=15)]
    assert [cell.number_format for cell in row][2:] == ["hh:mm:ss", "[h]:mm:ss"]


def test_spelled_times_are_read_back():
    ticks = [0, 1, -1, 999_999, 1_500_000, 86_399_999_999, -360_000_000_000, 10**15 + 1, None]
    lengths = pl.Series(ticks, dtype=pl.Duration("us"))
    for unit in ("us", "ns"):
        assert (
            parse_times(spell_times(lengths.cast(pl.Duration(unit)))).to_list() == lengths.to_list()
        )
    clock = pl.Series([0, 1000, 86_399_999_999_000, None]).cast(pl.Time)
    assert as_time(parse_times(spell_times(clock))).to_list() == clock.to_list()
    assert parse_times(pl.Series(["x", "1:2:3", ""])).null_count() == 3


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_times_as_keys(kind):
    frame = FRAME.select("time", "length", pl.Series("n", [1, 1, 2, 2]))
    given = {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}[kind]
    study = ms.study(given, keys=["time", "length"])
    assert [v.kind for v in study.schema][:2] == ["time", "duration"]
    assert list(study.engine.categories("time")) == ["00:00:00", "09:30:00", "23:59:59.5"]
    assert list(study.engine.categories("length")) == ["00:00:01.5", "26:15:00", "126:00:00"]
    coarse = study.recode("length", groups={"over a day": ["26:15:00", "126:00:00"]})
    assert list(coarse.engine.categories("length")) == ["00:00:01.5", "over a day"]
    found = {each.name: each for each in study.describe()}
    assert found["time"].role == "other"
    assert found["time"].reason == "It is stored as a time of day."
    assert found["length"].kind == "duration"
    back = read_frame(coarse.frame)
    assert back.load(["time"])["time"].to_list() == TIMES
