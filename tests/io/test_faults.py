"""Bad input: the right exception, the file's name, two sentences, no record."""

from __future__ import annotations

import datetime as dt
import io
import os
import re
import struct
import subprocess
import sys
import tempfile

import polars as pl
import pyreadstat
import pytest
import xlsxwriter

from microsafe.errors import InputError, UnknownVariableError, UnreadableFileError, UsageError
from microsafe.io import read
from microsafe.io.reader.faults import translate_read_errors, translate_write_errors

VALUE = "4711"
TABLE = pl.DataFrame({"x": [float(VALUE)] * 500, "s": [VALUE] * 500})


def made(suffix):
    """Return a sound file of that format as bytes."""
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        write = {
            ".sav": pyreadstat.write_sav,
            ".zsav": lambda f, p: pyreadstat.write_sav(f, p, compress=True),
            ".dta": pyreadstat.write_dta,
            ".por": pyreadstat.write_por,
            ".parquet": lambda f, p: f.write_parquet(p),
            ".xpt": pyreadstat.write_xport,
        }[suffix]
        write(TABLE, file.name)
        with open(file.name, "rb") as whole:
            return whole.read()


def mislabelled():
    """Return an SPSS file whose value labels are for the 200th of two variables."""
    with tempfile.NamedTemporaryFile(suffix=".sav") as file:
        pyreadstat.write_sav(TABLE, file.name, variable_value_labels={"x": {1: "one"}})
        with open(file.name, "rb") as whole:
            record = struct.pack("<3i", 4, 1, 1)
            content = whole.read()
    assert record in content
    return content.replace(record, struct.pack("<3i", 4, 1, 200))


def misencoded():
    """Return an SPSS file that declares UTF-8, with a labelled code in another encoding."""
    with tempfile.NamedTemporaryFile(suffix=".sav") as file:
        frame = pl.DataFrame({"s": ["éa", "b"]})
        pyreadstat.write_sav(frame, file.name, variable_value_labels={"s": {"éa": "one"}})
        with open(file.name, "rb") as whole:
            return whole.read().replace("éa".encode(), b"\xe9a ")


def workbook(rows):
    memory = io.BytesIO()
    with xlsxwriter.Workbook(memory, {"in_memory": True}) as book:
        page = book.add_worksheet("Persons")
        for number, row in enumerate(rows):
            page.write_row(number, 0, row)
    return memory.getvalue()


def refused(path, error, **options):
    """Read and load, and check the manners of the refusal."""

    def attempt():
        source = read(path, **options)
        source.load(source.schema.names)

    with pytest.raises(error) as caught:
        attempt()
    message = str(caught.value)
    assert VALUE not in message
    assert len(re.findall(r"[.?!](?:\s|$)", message)) <= 2, message
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None  # `from None` would hide the data, but keep them
    return message


BAD = [
    ("empty.csv", b"", UnreadableFileError, "empty"),
    ("header.csv", b"a,b\n", InputError, "no records"),
    ("header.csv", b"a,b", InputError, "no records"),
    ("twice.csv", b"a,b,a\n4711,2,3\n", InputError, "'a'"),
    ("spaced.csv", b"a, a\n4711,2\n", InputError, "'a'"),
    ("unnamed.csv", b"a,,c\n4711,2,3\n", InputError, "column 2"),
    ("blank.csv", b"\n4711,2,3\n", InputError, "first line"),
    ("long.csv", b"a,b\n1,2\n4711,2,3\n", UnreadableFileError, "line 3"),
    ("short.csv", b"a,b\n1,2\n4711", UnreadableFileError, "line 3"),
    ("middle.csv", b"a,b\n1,2\n4711\n3,4\n", UnreadableFileError, "line 3"),
    ("both.csv", b"a,b\n1,2\n4711\n3,4,5\n", UnreadableFileError, "line 3"),
    ("quoted.csv", b'a,b\n"4711\n",2\n4711\n', UnreadableFileError, "line 4"),
    ("open.csv", b'a,b\n1,2\n"4711,2\n', UnreadableFileError, "never closed"),
    ("first.csv", b'a,w\n"4711,2\ny,3\n', UnreadableFileError, "never closed"),
    ("inch.csv", b'a,w\n4711" pipe,2\n', UnreadableFileError, "never closed"),
    ("names.csv", b'a,"w\n4711,2\ny,3\n', UnreadableFileError, "never closed"),
    ("name.csv", b'"a,w\n4711,2\ny,3\n', UnreadableFileError, "never closed"),
    ("lines.csv", b"a,b\n\n\n", InputError, "no records"),
    ("gap.csv", b"a,b\n\n1,4711\n1\n", UnreadableFileError, "line 4"),
    ("stray.csv", b'a,b\n1,"4711"x\n', UnreadableFileError, "quotation"),
    ("nul.csv", b"a,b\n4711,\x00\n", UnreadableFileError, "NUL"),
    ("rubbish.csv", bytes(range(1, 256)) * 20, UnreadableFileError, "encoding"),
    ("mark.csv", b"\xef\xbb\xbfa,b\n4711,\xff\n", UnreadableFileError, "encoding"),
    ("bom.csv", b"\xef\xbb\xbf", InputError, "first line"),
    ("rubbish.parquet", b"4711" * 50, UnreadableFileError, "Parquet"),
    ("half.parquet", made(".parquet")[:300], UnreadableFileError, "Parquet"),
    ("wrong.sav", b"a,b\n4711,2\n" * 100, UnreadableFileError, "SPSS"),
    ("half.sav", made(".sav")[:-500], UnreadableFileError, "SPSS"),
    ("labels.sav", mislabelled(), UnreadableFileError, "SPSS"),
    ("encoded.sav", misencoded(), UnreadableFileError, "encoding"),
    ("half.zsav", made(".zsav")[:-100], UnreadableFileError, "SPSS"),
    ("half.por", made(".por")[:-1000], UnreadableFileError, "SPSS"),
    ("half.dta", made(".dta")[:-3000], UnreadableFileError, "Stata"),
    ("wrong.dta", made(".sav"), UnreadableFileError, "Stata"),
    ("half.xpt", made(".xpt")[:-30], UnreadableFileError, "SAS"),
    ("wrong.xpt", b"4711" * 200, UnreadableFileError, "SAS"),
    ("wrong.sas7bdat", made(".dta"), UnreadableFileError, "SAS"),
    ("wrong.xlsx", b"4711" * 500, UnreadableFileError, "workbook"),
    ("half.xlsx", workbook([["a"], [4711]])[:2000], UnreadableFileError, "workbook"),
    ("empty.xlsx", workbook([]), InputError, "no data"),
    ("header.xlsx", workbook([["a", "b"]]), InputError, "no records"),
    ("twice.xlsx", workbook([["a", "a"], [4711, 2]]), InputError, "'a'"),
    ("unnamed.xlsx", workbook([["a", ""], [4711, 2]]), InputError, "column 2"),
    ("alone.asc", b"4711\n", UnreadableFileError, ".rda"),
    ("survey.docx", b"4711", InputError, ".sav"),
    ("survey", b"4711", InputError, ".csv"),
]


RECORDS = [
    ["1", "34", "male", "120.5"],
    ["male", "34", "34", "Italy"],
    ["male", "-1.5e3", "Italy"],
    ["male", "120,5", "Italy"],
    ["male", "1 234,5", "Italy"],
    ["male", "12%", "Italy"],
    ["male", "2020-01-31", "Italy"],
    ["male", "31.01.2020", "Italy"],
    ["male", "1/31/2020", "Italy"],
    ["male", "2020-01-31T12:30:00Z", "Italy"],
    ["male", "2020-01-31 12:30", "Italy"],
    ["male", "", "34"],
    ["v1", "2020"],
    ["34"],
]


@pytest.mark.parametrize("first", RECORDS, ids="_".join)
@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
def test_a_record_in_the_place_of_names_is_not_quoted(tmp_path, first, suffix):
    path = tmp_path / f"survey{suffix}"
    rows = [first, ["4711"] * len(first)]
    text = "\n".join(";".join(row) for row in rows).encode()
    path.write_bytes(text if suffix == ".csv" else workbook(rows))
    message = refused(path, InputError)
    assert "does not look like names" in message
    assert not any(value in message for value in first if value)


def test_numbers_and_dates_in_the_first_row_of_a_sheet(tmp_path):
    path = tmp_path / "survey.xlsx"
    for value in (34, 120.5, dt.datetime(2020, 1, 31)):
        memory = io.BytesIO()
        book = xlsxwriter.Workbook(memory, {"default_date_format": "yyyy-mm-dd"})
        page = book.add_worksheet()
        page.write(0, 0, "male")
        page.write(0, 1, value)
        page.write_row(1, 0, [4711, 4711])
        book.close()
        path.write_bytes(memory.getvalue())
        assert "first row that does not look like names" in refused(path, InputError)


@pytest.mark.parametrize("line", ["1:34:male:120.5", "0134M 120.5", "1,34,male", "m 2020-01-31"])
def test_a_record_that_was_not_cut_into_fields_is_not_quoted(tmp_path, line):
    path = tmp_path / "survey.txt"
    path.write_text(f"{line}\n{line}\n")
    message = refused(path, InputError, separator="^")
    assert "first line that does not look like names" in message


def test_names_with_digits_are_names(tmp_path):
    names = ["v1", "2nd job", "age 15-64", "Q1.2", "x2020", "nan", "inf", "e5", "-", "1a", "1st-2"]
    path = tmp_path / "survey.csv"
    path.write_text(";".join(names) + "\n" + ";".join(names) + "\n")
    assert read(path).schema.names == tuple(names)


@pytest.mark.parametrize("block", [translate_read_errors, translate_write_errors])
@pytest.mark.parametrize("wrong", [ValueError, OSError, pl.exceptions.ComputeError])
def test_foreign_errors_do_not_stay_behind(block, wrong):
    with pytest.raises(InputError) as caught, block("survey.csv", "delimited text"):
        raise wrong(VALUE)
    assert VALUE not in str(caught.value)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    BAD,
    ids=[f"{number} {name}" for number, (name, *_) in enumerate(BAD)],
)
def test_bad_files(tmp_path, name, content, error, words):
    path = tmp_path / name
    path.write_bytes(content)
    message = refused(path, error)
    assert name in message
    assert words in message


def test_the_right_encoding_opens_an_spss_file(tmp_path):
    path = tmp_path / "encoded.sav"
    path.write_bytes(misencoded())
    source = read(path, encoding="windows-1252")
    assert source.schema["s"].labels == {"éa": "one"}
    assert source.load(["s"])["s"].to_list() == ["éa", "b"]


@pytest.mark.parametrize(
    ("metadata", "content", "error", "words"),
    [
        ("a 1 2\nb 3 4\n", "124711\n124\n1\n", UnreadableFileError, "line 2"),
        ("a 1 4\n<NUMERIC>\n", "4711\n471x\n", InputError, "1 values of a"),
        ("a 1 2\na 3 2\n", "4711\n", InputError, "'a'"),
        ("a 1 4\n", "\n\n", InputError, "no records"),
        ("<SEPARATOR> ','\na 1\nb 1\n", "4711,1\n4711\n", UnreadableFileError, "line 2"),
        ("<SEPARATOR> ','\n<NAMESINFRONT>\na 1\n", "b\n4711\n", InputError, "first line"),
        ("<SEPARATOR> ','\n<NAMESINFRONT>\na 1\n", "a\n", InputError, "no records"),
    ],
)
def test_bad_argus(tmp_path, metadata, content, error, words):
    (tmp_path / "survey.rda").write_text(metadata)
    (tmp_path / "survey.asc").write_text(content)
    message = refused(tmp_path / "survey.asc", error)
    assert "survey.asc" in message
    assert words in message


@pytest.mark.parametrize(
    ("name", "options", "word"),
    [
        ("a.sav", {"separator": ";"}, "separator"),
        ("a.csv", {"sheet": "x"}, "sheet"),
        ("a.parquet", {"encoding": "utf-8"}, "encoding"),
        ("a.por", {"encoding": "utf-8"}, "encoding"),
        ("a.xlsx", {"encoding": "utf-8"}, "encoding"),
        ("a.dta", {"sheet": "x"}, "sheet"),
        ("a.asc", {"separator": ","}, "separator"),
        ("a.sav", {"meta": "a.csv"}, "meta"),
        ("a.csv", {"encoding": "klingon"}, "klingon"),
        ("a.csv", {"encoding": "hex"}, "hex"),
        ("a.csv", {"separator": "::"}, "separator"),
        ("a.csv", {"separator": '"'}, "separator"),
        ("num.parquet", {"na": ("x",)}, "na"),
    ],
)
def test_options_that_do_not_apply(tmp_path, monkeypatch, name, options, word):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("a,b\n4711,2\n")
    (tmp_path / name).write_text("a,b\n4711,2\n")
    if name == "num.parquet":
        pl.DataFrame({"a": [1]}).write_parquet(name)
    assert word in refused(name, UsageError, **options)


def test_bytes_not_in_the_given_encoding(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b\n4711,\x81\n")
    for encoding in ("utf-8", "cp1252"):
        assert "a.csv" in refused(path, UnreadableFileError, encoding=encoding)


def test_places_without_a_file(tmp_path):
    assert "gone.csv" in refused(tmp_path / "gone.csv", UnreadableFileError)
    assert "folder" in refused(tmp_path, UnreadableFileError)
    (tmp_path / "a.csv").write_text("a\n1\n")
    assert "gone.rda" in refused(
        tmp_path / "a.csv", UnreadableFileError, meta=tmp_path / "gone.rda"
    )


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_no_permission(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    assert "permission" in refused(path, UnreadableFileError)


def test_sheets_and_variables_that_are_not_there(tmp_path):
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook([["age"], [4711]]))
    assert "'Persons'" in refused(path, InputError, sheet="persns")
    with pytest.raises(UnknownVariableError, match="Did you mean 'age'"):
        read(path).load(["agee"])


def test_a_file_that_changes_meanwhile(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    source = read(path)
    path.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(UnreadableFileError, match=r"a\.csv"):
        source.load(["a"])


def test_the_room_opens_without_heavy_libraries():
    code = (
        "import sys, microsafe.io; "
        "print([m for m in ('pandas', 'pyarrow', 'pyreadstat', 'fastexcel', 'matplotlib', "
        "'narwhals', 'xlsxwriter') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices of POSIX")
def test_pipes_and_devices_are_not_waited_for(tmp_path):
    path = tmp_path / "pipe.sav"
    os.mkfifo(path)
    assert "a device or a pipe" in refused(path, UnreadableFileError)
    link = tmp_path / "zero.csv"
    link.symlink_to("/dev/zero")
    assert "a device or a pipe" in refused(link, UnreadableFileError)
