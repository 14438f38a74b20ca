"""Writing in general: what is refused, what stays when it fails, who may read it."""

from __future__ import annotations

import hashlib
import os
import stat

import polars as pl
import pytest
from roundtrip import everything, leftovers

from microsafe.errors import FileError, InputError, UnreadableFileError, UsageError
from microsafe.io import digest, read, write
from microsafe.io.formats import writable_extensions
from microsafe.schema import Schema, Variable

FRAME = pl.DataFrame({"a": ["4711", None], "b": ["1", "2"]})
SCHEMA = Schema(source="x", variables=(Variable(name="a", missing=("9",)), Variable(name="b")))


@pytest.mark.parametrize(
    ("name", "words"),
    [("safe.sas7bdat", ".xpt"), ("safe.por", ".sav"), ("safe", ".csv"), ("safe.ods", ".xlsx")],
)
def test_formats_that_cannot_be_written(tmp_path, name, words):
    with pytest.raises(UsageError) as caught:
        write(FRAME, SCHEMA, tmp_path / name)
    assert name in str(caught.value)
    assert words in str(caught.value)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("suffix", writable_extensions())
def test_new_files_are_private_and_in_any_letter_case(tmp_path, suffix):
    out = tmp_path / f"safe{suffix.upper()}"
    frame = FRAME.clone()
    write(frame, SCHEMA, out, blanks={"a": "9"})
    assert frame.rows() == [("4711", "1"), (None, "2")]
    assert {stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()} == {0o600}
    assert everything(read(out)).rows()[1][0] in ("9", 9)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("suffix", writable_extensions())
def test_failure_leaves_the_old_file(tmp_path, suffix, monkeypatch):
    out = tmp_path / f"safe{suffix}"
    out.write_bytes(b"old")

    def fails(*_):
        raise OSError("no space left for 4711")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(FileError) as caught:
        write(FRAME, SCHEMA, out)
    assert "4711" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert out.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [out.name]


def test_interruption_leaves_the_old_file(tmp_path, monkeypatch):
    out = tmp_path / "safe.parquet"
    out.write_bytes(b"old")

    def interrupted(_, file, **__):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(FRAME, SCHEMA, out)
    assert out.read_bytes() == b"old"
    assert leftovers(tmp_path) == []


def test_foreign_errors_are_rephrased(tmp_path, monkeypatch):
    def fails(*_, **__):
        raise ValueError("cannot write 4711")

    monkeypatch.setattr(pl.LazyFrame, "sink_parquet", fails)
    with pytest.raises(InputError, match=r"safe\.parquet") as caught:
        write(FRAME, SCHEMA, tmp_path / "safe.parquet")
    assert "4711" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_never_onto_the_origin(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    os.link(path, tmp_path / "hard.csv")
    os.symlink(path, tmp_path / "soft.csv")
    source = read(path)
    for name in ("a.csv", "hard.csv", "soft.csv"):
        with pytest.raises(UsageError, match=name):
            write(everything(source), source.schema, tmp_path / name, origin=source)
    assert path.read_text() == "a,b\n1,2\n"


def test_no_folder(tmp_path):
    with pytest.raises(FileError, match="folder"):
        write(FRAME, SCHEMA, tmp_path / "none" / "safe.csv")


def test_frames_that_do_not_fit_the_schema(tmp_path):
    with pytest.raises(UsageError, match="columns"):
        write(FRAME.select("b", "a"), SCHEMA, tmp_path / "safe.csv")
    with pytest.raises(InputError, match="no records"):
        write(FRAME.head(0), SCHEMA, tmp_path / "safe.csv")
    with pytest.raises(UsageError, match="rows"):
        write(FRAME, SCHEMA, tmp_path / "safe.csv", rows=[0])


def test_blanks(tmp_path):
    schema = Schema(
        source="x",
        variables=(
            Variable(name="i", kind="integer", missing=(98, 99.5)),
            Variable(name="d", kind="date", missing=(1.0,)),
        ),
    )
    frame = pl.DataFrame({"i": [1, None], "d": pl.Series([None, None], dtype=pl.Date)})
    out = tmp_path / "safe.parquet"
    write(frame, schema, out, blanks={"i": 98})
    assert pl.read_parquet(out)["i"].to_list() == [1, 98]
    write(frame, schema, out, blanks={"i": "98"})
    assert pl.read_parquet(out)["i"].to_list() == [1, 98]
    write(frame, schema, out, blanks={"i": 99.5})
    assert pl.read_parquet(out)["i"].to_list() == [1.0, 99.5]
    with pytest.raises(UsageError, match=r"\bd\b"):
        write(frame, schema, out, blanks={"d": 1})
    with pytest.raises(UsageError, match=r"\bi\b.*98"):
        write(frame, schema, out, blanks={"i": 97})
    with pytest.raises(InputError, match="'j'"):
        write(frame, schema, out, blanks={"j": 97})


def test_digest(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(b"x" * 3_000_000)
    assert digest(path) == hashlib.sha256(b"x" * 3_000_000).hexdigest()
    with pytest.raises(UnreadableFileError, match=r"gone\.bin"):
        digest(tmp_path / "gone.bin")
