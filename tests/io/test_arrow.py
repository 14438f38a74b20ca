"""Arrow IPC files, which are Feather files of version 2."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pytest

import microsafe as ms
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io import read, write
from microsafe.io.reader import probe, process
from microsafe.io.source import Source
from microsafe.schema import Schema, Variable

ROWS = 25
MOMENTS = [dt.datetime(2020, 1, 1, 20, tzinfo=dt.UTC) + dt.timedelta(days=k) for k in range(ROWS)]
TABLE = pa.table(
    {
        "age": [None if k % 6 == 5 else 20 + k % 7 for k in range(ROWS)],
        "town": ["", "Łódź", *["x"] * (ROWS - 2)],
        "code": pa.array(["fm"[k % 2] for k in range(ROWS)]).dictionary_encode(),
        "grade": pa.array([k % 3 for k in range(ROWS)]).dictionary_encode(),
        "income": [k / 4 for k in range(ROWS)],
        "day": [each.date() for each in MOMENTS],
        "paris": pa.array(MOMENTS, pa.timestamp("us", "Europe/Paris")),
        "flag": [k % 2 == 0 for k in range(ROWS)],
        "view": pa.array(["a view of more than twelve bytes"] * ROWS, pa.string_view()),
        "list": [[k] for k in range(ROWS)],
        "blob": pa.array([bytes([k]) for k in range(ROWS)]),
        "text": pa.array([str(k).encode() for k in range(ROWS)]),
        "clock": [dt.time(9, k) for k in range(ROWS)],
        "spent": pa.array([dt.timedelta(minutes=k) for k in range(ROWS)]),
    }
)

FOREIGN = {
    "decimal": pa.array(range(ROWS), pa.decimal256(60, 2)),
    "interval": pa.array([pa.MonthDayNano([1, 2, 3])] * ROWS),
    "union": pa.UnionArray.from_sparse(pa.array([0] * ROWS, pa.int8()), [pa.array([1] * ROWS)]),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([ROWS], pa.int32()), pa.array([7])),
    "list view": pa.array([[1]] * ROWS, pa.list_view(pa.int64())),
}


def store(path: Path, table: pa.Table = TABLE, compression: str | None = None) -> Path:
    with (
        pa.OSFile(str(path), "wb") as file,
        ipc.new_file(
            file, table.schema, options=ipc.IpcWriteOptions(compression=compression)
        ) as to,
    ):
        # Polars before 2 does not read packed batches that were cut out of others.
        to.write_table(table, max_chunksize=table.num_rows if compression else 10)
    return path


def all_of(source: Source) -> pl.DataFrame:
    whole = source.load(source.schema.names)
    assert source.scan is not None
    for size in (1, 7, 10, 1000):
        frames = list(source.scan(source.schema.names, size))
        assert pl.concat(frames).equals(whole)
        assert {frame.height for frame in frames[:-1]} <= {size}
    return whole


@pytest.mark.parametrize("suffix", [".arrow", ".feather", ".ipc"])
@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_what_others_write_is_read(tmp_path: Path, suffix: str, compression: str | None) -> None:
    source = read(store(tmp_path / f"survey{suffix}", compression=compression))
    assert source.records == ROWS
    frame = all_of(source)
    expected = TABLE.to_pydict()
    expected["town"][0] = None
    expected["text"] = [each.decode() for each in expected["text"]]
    assert frame.to_dict(as_series=False) == expected
    kinds = {each.name: each.kind for each in source.schema}
    assert kinds["code"] == kinds["text"] == kinds["view"] == "text"
    assert kinds["grade"] == "integer"
    assert kinds["blob"] == "other"
    assert [each.id for each in source.notices] == ["bytes-text"]
    ms.study(source.paths[0], keys=["age", "code", "text"]).risk()


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    source = read(store(tmp_path / "survey.arrow"))
    assert source.columnar
    assert source.load(["code", "age"]).columns == ["code", "age"]


@pytest.mark.parametrize("zone", ["+05:30", "Mars/Base", "Z"])
def test_a_time_zone_that_is_not_known(
    tmp_path: Path, zone: str, capfd: pytest.CaptureFixture[str]
) -> None:
    moments = pa.array(MOMENTS, pa.timestamp("us", zone))
    path = store(tmp_path / "times.arrow", TABLE.append_column("moment", moments))
    said = (
        rf"times\.arrow has variables .*: moment \(moments in the time zone {re.escape(zone)}\)\."
    )
    with pytest.raises(InputError, match=said):
        read(path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", FOREIGN)
def test_columns_that_cannot_be_read(
    tmp_path: Path, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = store(tmp_path / "odd.arrow", pa.table({"age": TABLE["age"], "odd": FOREIGN[kind]}))
    with pytest.raises(
        InputError,
        match=r"odd\.arrow .*(odd \(numbers of more than 38|with such variables as numbers, text)",
    ):
        read(path)
    assert capfd.readouterr() == ("", "")


def test_other_kinds_of_arrow_are_named(tmp_path: Path) -> None:
    old, stream, other = (tmp_path / f"{name}.feather" for name in ("old", "stream", "other"))
    old.write_bytes(b"FEA1" + bytes(100) + b"FEA1")
    with ipc.new_stream(str(stream), TABLE.schema) as to:
        to.write_table(TABLE)
    other.write_bytes(b"PAR1 and so on")
    for path, said in ((old, "version 1"), (stream, "stream of Arrow"), (other, "Arrow file")):
        with pytest.raises(UnreadableFileError, match=said) as caught:
            read(path)
        assert path.name in str(caught.value)


def test_a_file_without_records(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.arrow has no records"):
        read(store(tmp_path / "none.arrow", TABLE.slice(0, 0)))


def test_records_that_cannot_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.arrow"
    feather.write_feather(pa.table({"x": pa.nulls(100_000)}), str(path), chunksize=100_000)
    assert read(path).records == 100_000
    probe._probed.clear()
    monkeypatch.setattr(probe, "_PER_BYTE", 1)
    with pytest.raises(UnreadableFileError, match="says that it has 100,000 records"):
        read(path)


@pytest.mark.slow
def test_a_bomb_is_refused_by_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"x": ["0" * 1000] * 400_000})
    path = store(tmp_path / "bomb.arrow", table, compression="zstd")
    source = read(path)
    monkeypatch.setattr(process, "_BYTES", 150_000_000)
    with pytest.raises(
        UnreadableFileError, match=r"bomb\.arrow .* 0\.2 GB of memory, which a file"
    ):
        source.load(["x"])


@pytest.mark.parametrize("suffix", [".arrow", ".feather"])
def test_what_is_written_is_read_by_others(tmp_path: Path, suffix: str) -> None:
    source = read(store(tmp_path / "survey.arrow"))
    frame = all_of(source)
    path = tmp_path / f"safe{suffix}"
    write(frame, source.schema, path, origin=source)
    again = feather.read_table(str(path))
    assert again.to_pydict() == frame.to_dict(as_series=False)
    assert pa.string_view() not in again.schema.types
    assert all_of(read(path)).equals(frame)


def test_equal_data_give_equal_bytes(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": range(300_000), "b": [str(k % 9) for k in range(300_000)]})
    schema = Schema(
        source="x", variables=(Variable(name="a", kind="integer"), Variable(name="b", kind="text"))
    )
    made = []
    for number, size in enumerate((300_000, 1_000, 77_777)):
        path = tmp_path / f"{number}.arrow"
        write(lambda size=size: frame.iter_slices(size), schema, path)
        made.append(path.read_bytes())
    assert made[0] == made[1] == made[2]
