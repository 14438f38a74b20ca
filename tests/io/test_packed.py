"""Delimited text in gzip files and zip archives: read in blocks, written alike, nothing beside."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import UnreadableFileError, UsageError
from microsafe.io import read, write
from microsafe.io.reader import archive_size as limits
from microsafe.schema import Schema, Variable

TEXT = "id;town\n1;Zürich\n2;\n"
VALUES = {"id": ["1", "2"], "town": ["Zürich", None]}


def zipped(members: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return memory.getvalue()


def locked(content: bytes) -> bytes:
    """The same archive, of which it is said that it has a password."""
    changed = bytearray(content)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        changed[changed.find(mark) + place] |= 1
    return bytes(changed)


PACKED = {
    "a.csv.gz": gzip.compress(TEXT.encode()),
    "a.CSV.GZ": gzip.compress(TEXT.encode()),
    "a.gz": gzip.compress(TEXT.encode()[:12]) + gzip.compress(TEXT.encode()[12:]),
    "a.txt.gz": gzip.compress(TEXT.encode("utf-16")),
    "a.tsv.gz": gzip.compress(TEXT.replace(";", "\t").encode()),
    "a.csv.zip": zipped({"other.csv": TEXT}),
    "a.zip": zipped({"x/": "", "x/a.tsv": TEXT.replace(";", "\t"), "__MACOSX/x/._a.tsv": "?"}),
    "b.zip": zipped({"data": TEXT}, zipfile.ZIP_LZMA),
}


@pytest.mark.parametrize("name", PACKED)
def test_packed_text_is_read_and_nothing_lies_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    path = tmp_path / name
    path.write_bytes(PACKED[name])
    source = read(path)
    assert source.load(source.schema.names).to_dict(as_series=False) == VALUES
    assert source.scan is not None
    assert source.held == 0
    assert source.schema.source == name
    assert os.listdir(tmp_path) == [name]


def test_packed_text_is_read_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microsafe.io.text.delimited._BLOCK", 50)
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"".join(b"%d,x\n" % k for k in range(500))))
    source = read(path)
    assert source.scan is not None
    parts = list(source.scan(["a"], 90))
    assert [len(part) for part in parts] == [90] * 5 + [50]
    assert pl.concat(parts)["a"].to_list() == [str(k) for k in range(500)]


REFUSED = {
    "cut.csv.gz": (gzip.compress(TEXT.encode())[:-6], "is cut short"),
    "cut.csv.zip": (zipped({"a.csv": TEXT})[:-30], "cannot be read as a zip archive"),
    "short.csv.gz": (gzip.compress(TEXT.encode())[:5], "is cut short"),
    "no.csv.gz": (b"id;town\n1;x\n", "cannot be unpacked"),
    "no.zip": (b"id;town\n1;x\n", "cannot be read as a zip archive"),
    "wrong.csv.gz": (gzip.compress(TEXT.encode())[:-8] + b"12345678", "cannot be unpacked"),
    "two.zip": (zipped({"a.csv": TEXT, "b.csv": TEXT}), r"holds 2 files: a\.csv, b\.csv\. Unpack"),
    "none.zip": (zipped({}), "holds no file"),
    "empty.zip": (zipped({"a.csv": ""}), "holds an empty file"),
    "locked.csv.zip": (locked(zipped({"a.csv": TEXT})), "protected by a password"),
    "lfs.sav.gz": (gzip.compress(b"$FL2"), r"not delimited text \(\.sav\)"),
    "lfs.zip": (zipped({"lfs.xlsx": "PK"}), r"not delimited text \(\.xlsx\)"),
    "twice.csv.gz": (gzip.compress(gzip.compress(TEXT.encode())), "is packed"),
    "lfs.csv": (zipped({"a.csv": TEXT}), r"rename it to \.csv\.gz or \.csv\.zip"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_unpacked_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    content, message = REFUSED[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableFileError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(name)
    assert "Zürich" not in str(caught.value)


@pytest.mark.parametrize("name", ["bomb.csv.gz", "bomb.csv.zip"])
def test_a_bomb_is_refused_by_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(limits, "_BOMB", 4_000_000)
    monkeypatch.setitem(limits.check_unpacked.__kwdefaults__, "most", 4_000_000)
    content = b"a\n" + b"0\n" * 10_000_000
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if "gz" in name else zipped({"a.csv": content}))
    with pytest.raises(UnreadableFileError, match=r"unpacks to 0\.0 GB, [2-9]\d\d times its size"):
        read(path)


@pytest.mark.parametrize("suffix", [".csv.gz", ".tsv.gz", ".csv.zip", ".txt.zip"])
def test_packed_text_is_written_with_equal_bytes(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"id": [1, 2], "town": ["Zürich", None], "x": [1.5, 2.0]})
    kinds = {"id": "integer", "town": "text", "x": "number"}
    schema = Schema(
        source="x",
        variables=tuple(Variable(name=n, kind=k) for n, k in kinds.items()),  # type: ignore[arg-type]
    )
    path, other = tmp_path / f"safe{suffix}", tmp_path / "other"
    other.mkdir()
    write(frame, schema, path)
    os.utime(path, (1, 1))
    write(frame, schema, other / f"safe{suffix}")
    assert path.read_bytes() == (other / f"safe{suffix}").read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    found = pd.read_csv(path, sep="\t" if ".tsv" in suffix else ",")
    assert found.columns.tolist() == ["id", "town", "x"]
    assert found["x"].tolist() == [1.5, 2.0]
    if suffix.endswith(".gz"):
        assert path.read_bytes()[3:8] == b"\0\0\0\0\0"  # no name, no time
    else:
        (member,) = zipfile.ZipFile(path).infolist()
        assert member.filename == f"safe{suffix.removesuffix('.zip')}"
        assert member.date_time == (1980, 1, 1, 0, 0, 0)


def test_a_packed_file_is_written_as_its_origin(tmp_path: Path) -> None:
    path, out = tmp_path / "lfs.csv.gz", tmp_path / "safe.csv"
    path.write_bytes(gzip.compress(TEXT.encode("cp1252").replace(b"\n", b"\r\n")))
    source = read(path)
    write(source.load(source.schema.names), source.schema, out, origin=source)
    assert out.read_bytes() == TEXT.encode("cp1252").replace(b"\n", b"\r\n")
    with pytest.raises(UsageError, match=r"safe\.zip cannot be written\. Use \.csv\.zip instead"):
        write(source.load(source.schema.names), source.schema, tmp_path / "safe.zip")
    with pytest.raises(UsageError, match="is the file that the data were read from"):
        write(source.load(source.schema.names), source.schema, path, origin=source)


def test_the_command_line_measures_and_writes_packed_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, plain = tmp_path / "lfs.csv.gz", tmp_path / "lfs.csv"
    text = "region,sex\n" + "".join(f"{k % 4},{k % 2}\n" for k in range(90))
    plain.write_text(text)
    path.write_bytes(gzip.compress(text.encode()))
    assert main(["risk", str(path), "--keys", "region,sex", "--json"]) == 0
    packed = capsys.readouterr().out
    assert main(["risk", str(plain), "--keys", "region,sex", "--json"]) == 0
    assert packed == capsys.readouterr().out.replace("lfs.csv", "lfs.csv.gz")
    out = tmp_path / "safe.csv.zip"
    ms.study(path, keys=["region", "sex"]).write(out)
    assert zipfile.ZipFile(out).read("safe.csv").decode() == text
    path.write_bytes(path.read_bytes()[:-9])
    assert main(["risk", str(path), "--keys", "region"]) == 3
    assert "is cut short" in capsys.readouterr().err
