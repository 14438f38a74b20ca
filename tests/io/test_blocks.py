"""Delimited text read block by block and written piece by piece: as if it were done at once."""

from __future__ import annotations

import os

import polars as pl
import pytest

from microsafe.errors import CancelledError, InputError, UnreadableFileError
from microsafe.io import read, write
from microsafe.io.text import delimited
from microsafe.io.text.encoding import open_text
from microsafe.schema import Schema, Variable

TEXTS = {
    "plain": "a,b\n1,2\n3,\n,4\n5,6\n",
    "no last line end": "a,b\n1,2\n3,4",
    "quoted breaks": 'a,b\n"1\n2",x\n3,"y,""z"""\n"\n\n",w\n',
    "blank lines": "a,b\n\n\n1,2\n\n\n\n3,4\n\n5,6\n\n\n\n",
    "windows": "a,b\r\n\r\n1,2\r\n\r\n3,4\r\n",
    "one variable": "a\n1\n\n2\n\n\n3\n",
    "mark": "\ufeffa,b\n1,2\n3,4\n",
    "broken header": '"a\nb",c\n1,2\n3,4\n',
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("block", [1, 5, 11, 1 << 20])
@pytest.mark.parametrize("size", [1, 2, 100])
def test_blocks(tmp_path, monkeypatch, name, block, size):
    path = tmp_path / "a.csv"
    path.write_bytes(TEXTS[name].encode())
    source = read(path)
    names = source.schema.names
    wanted = source.load(names)
    assert wanted.height == source.records
    monkeypatch.setattr(delimited, "_BLOCK", block)
    assert source.load(names).equals(wanted)
    frames = list(source.scan(names, size))
    assert pl.concat(frames).equals(wanted)
    assert [frame.height for frame in frames[:-1]] == [size] * (len(frames) - 1)
    assert pl.concat(source.scan(names[-1:], size)).equals(wanted.select(names[-1]))


def test_a_fault_in_a_later_block_names_its_line(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1,2\n" * 50)
    source = read(path)
    monkeypatch.setattr(delimited, "_BLOCK", 16)
    path.write_text("a,b\n" + "1,2\n" * 40 + "4711,2,3\n" + "1,2\n" * 9)
    with pytest.raises(UnreadableFileError, match="3 fields on line 42") as caught:
        list(source.scan(["a", "b"], 10))
    assert "4711" not in str(caught.value)
    path.write_text("a,b\n" + "1,2\n" * 49)
    with pytest.raises(UnreadableFileError, match="changed since it was opened"):
        list(source.scan(["a"], 10))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "windows-1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_pieces_are_written_as_the_whole(tmp_path, encoding, end):
    path = tmp_path / "a.csv"
    path.write_bytes(end.join(["a;b", "é;1", "x;", "ü;3", "y;4", ""]).encode(encoding))
    source = read(path, encoding=None if encoding.endswith("sig") else encoding)
    frame = source.load(source.schema.names)
    made = []
    for size in (1, 3, 4):
        out = tmp_path / "out.csv"
        write(lambda size=size: frame.iter_slices(size), source.schema, out, origin=source)
        made.append(out.read_bytes())
    assert set(made) == {path.read_bytes()}
    new = pl.DataFrame({"a": ["é", "x", "ü", "δ"], "b": ["1", None, "3", "4"]})
    write(lambda: new.iter_slices(1), source.schema, out, origin=source)
    again = read(out, encoding=None if encoding != "utf-16-le" else "utf-16-le")
    assert again.load(["a"])["a"].to_list() == ["é", "x", "ü", "δ"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "shift-jis", "latin-1"])
@pytest.mark.parametrize("size", [1, 5, 7, 1 << 20])
def test_signs_that_are_cut_come_out_whole(tmp_path, encoding, size):
    text = "a,b\n1,é\n2,ü\n" if encoding == "latin-1" else "a,b\n1,日本\n2,語\n"
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode(encoding))
    found = open_text(path, None if encoding.startswith("utf") else encoding)
    told = []
    assert b"".join(found.chunks(size, tell=told.append)).decode() == text
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0, 1)


def test_text_that_ends_within_a_sign_is_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("a,b\n1,é\n".encode("utf-16")[:-1])
    with pytest.raises(UnreadableFileError, match="not text in the encoding utf-16"):
        read(path)


def test_opening_can_be_watched_and_stopped(tmp_path):
    path = tmp_path / "a.csv"
    for encoding in ("utf-8", "windows-1252"):
        path.write_bytes(("a,b\n" + "é,2\n" * 50).encode(encoding))
        told = []
        read(path, progress=lambda *each, told=told: told.append(each))
        assert {stage for stage, _ in told} == {"opening"}
        assert told[-1] == ("opening", 1.0)
        for stop in range(len(told)):
            left = iter(range(stop))

            def cancel(*_, left=left):
                if next(left, None) is None:
                    raise CancelledError

            with pytest.raises(CancelledError):
                read(path, progress=cancel)


def test_numbers_look_alike_in_all_pieces(tmp_path):
    schema = Schema(source="x", variables=tuple(Variable(name=n, kind="number") for n in "ab"))
    frame = pl.DataFrame({"a": [1.0, 2.0, None, 2.5], "b": [1.0, 2.0, None, 4.0]})
    write(lambda: frame.iter_slices(1), schema, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "a,b\n1.0,1\n2.0,2\n,\n2.5,4\n"


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".sav"])
def test_what_goes_wrong_between_pieces_leaves_the_old_file(tmp_path, suffix):
    schema = Schema(source="x", variables=(Variable(name="a"),))
    out = tmp_path / f"out{suffix}"
    out.write_bytes(b"old")

    def broken(error):
        yield pl.DataFrame({"a": ["4711"]})
        raise error

    for error, raised in (
        (InputError("changed"), InputError),
        (KeyboardInterrupt(), KeyboardInterrupt),
        (ValueError("4711"), InputError),
    ):
        with pytest.raises(raised) as caught:
            write(lambda error=error: broken(error), schema, out)
        assert "4711" not in str(caught.value)
        assert out.read_bytes() == b"old"
        assert os.listdir(tmp_path) == [out.name]
