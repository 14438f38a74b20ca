"""Parquet files with columns that Polars cannot read: refused by name, with what to do instead."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from uuid import UUID

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io import read
from microsafe.io.source import Source

ROWS = 25
PLAIN = {
    "age": pa.array([20 + k % 7 for k in range(ROWS)]),
    "sex": pa.array([None if k % 5 == 0 else "fm"[k % 2] for k in range(ROWS)]),
}
MOMENTS = [dt.datetime(2020, 1, 1, 20, tzinfo=dt.UTC) + dt.timedelta(days=k) for k in range(ROWS)]
IDS = pa.array([UUID(int=k * 2**100 + 7).bytes for k in range(ROWS)], pa.uuid())
UNKNOWN = {"variant": 16, "geometry": 17, "geography": 18, "future": 40}  # logical types


def written(path: Path, columns: dict[str, pa.Array]) -> None:
    pq.write_table(pa.table(columns), path, row_group_size=10)


def written_unknown(path: Path, logical: int) -> None:
    """Write a file with a column of a logical type that Polars does not know."""
    table = pa.table({"age": PLAIN["age"], "odd": IDS, "sex": PLAIN["sex"]})
    pq.write_table(table, path, store_schema=False)
    content = path.read_bytes()
    size = int.from_bytes(content[-8:-4], "little")
    data, foot = content[: -8 - size], content[-8 - size : -8]
    uuid = b"\xec\0\0"  # field 14; the number of a field above 15 stands apart
    assert foot.count(uuid) == 1
    foot = foot.replace(uuid, bytes([12, 2 * logical, 0, 0]))
    path.write_bytes(data + foot + len(foot).to_bytes(4, "little") + b"PAR1")


def all_of(source: Source) -> pl.DataFrame:
    """Load everything, and see that batches of any size give the same."""
    whole = source.load(source.schema.names)
    assert source.scan is not None
    for size in (1, 7, 10, 1000):
        frames = list(source.scan(source.schema.names, size))
        assert pl.concat(frames).equals(whole)
        assert {frame.height for frame in frames[:-1]} <= {size}
    for name in source.schema.names:
        assert source.load([name]).to_series().equals(whole[name])
    return whole


@pytest.mark.parametrize("kind", UNKNOWN)
def test_a_type_that_is_not_known(
    tmp_path: Path, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "survey.parquet"
    written_unknown(path, UNKNOWN[kind])
    with pytest.raises(
        UnreadableFileError,
        match=r"survey\.parquet cannot be read .* variables of a type that is not read, .* export "
        r"it again with such variables as numbers, text or dates\.",
    ):
        read(path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("zone", ["+05:30", "-03:30", "Mars/Base", "Z", "+5"])
def test_a_time_zone_that_is_not_known(
    tmp_path: Path, zone: str, inside: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "times.parquet"
    values = [[each] for each in MOMENTS] if inside else MOMENTS
    kind = pa.timestamp("us", zone)
    moments = pa.array(values, pa.list_(kind) if inside else kind)
    written(path, {**PLAIN, "moment": moments})
    assert main(["describe", str(path)]) == 3
    said = capfd.readouterr()
    assert not said.out
    assert (
        "times.parquet has variables of types that cannot be read: moment (moments in the time "
        f"zone {zone}). Write the file again without them, or store them as" in said.err
    )
    assert "panicked" not in said.err


def test_numbers_of_too_many_digits(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wide.parquet"
    wide = pa.array(range(ROWS), pa.decimal256(60, 2))
    written(path, {"wide": wide, "parts": pa.array([{"a": 1}] * ROWS), **PLAIN})
    # Earlier versions of Polars do not say that the type is one of 60 digits.
    with pytest.raises(
        InputError, match=r"wide\.parquet .*(wide \(numbers of more than 38|export)"
    ):
        read(path).load(["wide"])
    assert capfd.readouterr() == ("", "")


def test_zones_that_are_known(tmp_path: Path) -> None:
    path = tmp_path / "times.parquet"
    zones = {each: pa.array(MOMENTS, pa.timestamp("us", each)) for each in ("UTC", "Europe/Paris")}
    written(path, zones)
    frame = all_of(read(path))
    assert frame["UTC"].to_list() == frame["Europe/Paris"].to_list() == MOMENTS
    assert frame.dtypes == [pl.Datetime("us", each) for each in zones]


def test_bytes_that_are_text_become_text(tmp_path: Path) -> None:
    path = tmp_path / "bytes.parquet"
    texts = ["Zürich", None, "", *["Łódź"] * (ROWS - 3)]
    encoded = [None if each is None else each.encode() for each in texts]
    written(
        path,
        {
            "town": pa.array(encoded, pa.binary()),
            "fixed": pa.array([b"ab"] * ROWS, pa.binary(2)),
            "latin": pa.array([b"ab"] * (ROWS - 1) + [b"Z\xfcrich"], pa.binary()),
            "packed": pa.array([b"ab"] * (ROWS - 1) + [b"a\0b"], pa.binary()),
        },
    )
    source = read(path)
    kinds = {each.name: each.kind for each in source.schema}
    assert kinds == {"town": "text", "fixed": "text", "latin": "other", "packed": "other"}
    assert all_of(source)["town"].to_list() == [each or None for each in texts]
    (notice,) = source.notices
    assert "town, fixed" in notice.text
    assert str(ms.study(path, keys=["town", "fixed"]).risk()).startswith("Risk of bytes.parquet")


def test_identifiers_of_128_bits_are_bytes_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "ids.parquet"
    written(path, {"id": IDS})
    try:
        source = read(path)
    except UnreadableFileError as error:  # an older Polars does not know them
        assert "export it again" in str(error)  # noqa: PT017
        return
    assert source.schema["id"].kind == "other"
    assert all_of(source)["id"].to_list() == [each.bytes for each in IDS.to_pylist()]


def test_an_encrypted_file_is_not_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "secret.parquet"
    path.write_bytes(b"PARE" + bytes(100) + b"PARE")
    with pytest.raises(UnreadableFileError, match=r"secret\.parquet is encrypted"):
        read(path)
