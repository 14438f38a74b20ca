"""Parquet columns that Polars cannot read: left out by name, and all the others are there."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
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
from microsafe.io.footer import find_foot, read_foot
from microsafe.io.source import Source
from microsafe.io.thrift import (
    BINARY,
    INT32,
    INT64,
    LIST,
    STRUCT,
    Struct,
    ThriftReader,
    encode_struct,
)

ROWS = 25
PLAIN = {
    "age": pa.array([20 + k % 7 for k in range(ROWS)]),
    "sex": pa.array([None if k % 5 == 0 else "fm"[k % 2] for k in range(ROWS)]),
}
MOMENTS = [dt.datetime(2020, 1, 1, 20, tzinfo=dt.UTC) + dt.timedelta(days=k) for k in range(ROWS)]
LISTS = pa.array(
    [list(range(k % 4)) for k in range(ROWS)],
    pa.list_(pa.field("element", pa.int64(), nullable=False)),
)


def written(path: Path, columns: dict[str, pa.Array], **options: object) -> pa.Table:
    fields = [pa.field(name, each.type, nullable=name != "many") for name, each in columns.items()]
    table = pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields))
    pq.write_table(table, path, row_group_size=10, **options)
    return table


def change_foot(
    path: Path,
    change: Callable[[list[Struct]], list[bytes]],
    path_from: bytes = b"",
    path_to: bytes = b"",
) -> None:
    """Write another schema into the foot of a file, without that of Arrow."""
    with path.open("rb") as file:
        start, content = find_foot(file)
    foot = ThriftReader(content).read_struct()
    groups = [group.raw.replace(path_from, path_to) for group in foot[4]]
    made = encode_struct(
        (1, INT32, foot[1]),
        (2, LIST, (STRUCT, change(foot[2]))),
        (3, INT64, foot[3]),
        (4, LIST, (STRUCT, groups)),
    )
    data = path.read_bytes()[:start]
    path.write_bytes(data + made + len(made).to_bytes(4, "little") + b"PAR1")


def annotated(name: str, logical: int) -> Callable[[list[Struct]], list[bytes]]:
    """Say that a binary column, or a group, is of a logical type."""
    kind = bytes([STRUCT, 2 * logical]) + b"\0\0"  # the number of a field above 15 stands apart

    def change(elements: list[Struct]) -> list[bytes]:
        return [
            encode_struct((1, INT32, 6), (3, INT32, 1), (4, BINARY, each[4]), (10, STRUCT, kind))
            if each[4] == name.encode() and 1 in each
            else encode_struct(
                (3, INT32, 1), (4, BINARY, each[4]), (5, INT32, each[5]), (10, STRUCT, kind)
            )
            if each[4] == name.encode()
            else each.raw
            for each in elements
        ]

    return change


def bare(elements: list[Struct]) -> list[bytes]:
    """Make a list of numbers a number that is repeated, as protocol buffers have it."""
    place = next(k for k, each in enumerate(elements) if each[4] == b"many")
    new = encode_struct((1, INT32, 2), (3, INT32, 2), (4, BINARY, b"many"))
    return [each.raw for each in elements[:place]] + [
        new,
        *(each.raw for each in elements[place + 3 :]),
    ]


def foreign_file(path: Path, kind: str) -> None:
    """Write a file with a column `odd` or `many` that Polars cannot read, between others."""
    age, sex = PLAIN["age"], PLAIN["sex"]
    blobs = pa.array([bytes([k, 255, 0]) for k in range(ROWS)])
    if kind == "repeated":
        written(path, {"age": age, "many": LISTS, "sex": sex})
        old = b"\x38\x04many\x04list\x07element"
        change_foot(path, bare, old, b"\x18\x04many")
        assert pq.ParquetFile(path).schema.column(1).max_repetition_level == 1
        assert "repeated int64 field_id=-1 many" in str(pq.ParquetFile(path).schema)
    elif kind == "variant":
        both = pa.array([{"metadata": b"\1\0\0", "value": b"\0"}] * ROWS)
        written(path, {"age": age, "odd": both, "sex": sex})
        change_foot(path, annotated("odd", 16))
        if int(pa.__version__.partition(".")[0]) >= 26:  # earlier ones knew another form of it
            assert "Variant" in str(pq.ParquetFile(path).schema)
    elif kind == "decimal":
        wide = pa.array(range(ROWS), pa.decimal256(60, 2))
        written(path, {"age": age, "odd": wide, "sex": sex})
    else:
        written(path, {"age": age, "odd": blobs, "sex": sex})
        change_foot(path, annotated("odd", {"geometry": 17, "geography": 18, "future": 40}[kind]))


REASONS = {
    "repeated": "many (several values in a record (repeated))",
    "variant": "odd (values of the type VARIANT)",
    "geometry": "odd (geometries)",
    "geography": "odd (geographies)",
    "future": "odd (values of an unknown type)",
    "decimal": "odd (numbers of more than 38 digits)",
}


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


@pytest.mark.parametrize("kind", REASONS)
def test_a_column_that_cannot_be_read_is_left_out_by_name(
    tmp_path: Path, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "survey.parquet"
    foreign_file(path, kind)
    source = read(path)
    assert source.records == ROWS
    assert source.schema.names == ("age", "sex")
    frame = all_of(source)
    assert frame["age"].to_list() == PLAIN["age"].to_pylist()
    assert frame["sex"].to_list() == PLAIN["sex"].to_pylist()
    (notice,) = source.notices
    assert notice.id == "columns-left-out"
    assert f"survey.parquet cannot be read and was left out: {REASONS[kind]}." in notice.text
    assert capfd.readouterr() == ("", "")


def test_what_was_left_out_is_told_where_people_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "survey.parquet"
    foreign_file(path, "variant")
    study = ms.study(path, keys=["age", "sex"])
    assert any("odd (values of the type VARIANT)" in each.text for each in study.notices)
    assert "odd (values of the type VARIANT)" in str(study.inventory())
    for command in (["describe"], ["inventory"]):
        assert main([*command, str(path)]) == 0
        said = capsys.readouterr()
        assert "odd (values of the type VARIANT)" in said.out + said.err
    study.write(tmp_path / "safe.parquet")
    assert pl.read_parquet(tmp_path / "safe.parquet").columns == ["age", "sex"]


def test_a_file_without_any_column_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.parquet"
    written(path, {"odd": pa.array(range(ROWS), pa.decimal256(60, 2))})
    with pytest.raises(InputError, match=r"wide\.parquet has no variables that can be read: odd\."):
        read(path)


@pytest.mark.parametrize("zone", ["+05:30", "-03:30", "Mars/Base", "Z", "+5", "+05:30:15"])
def test_offsets_of_time_zones_become_utc(
    tmp_path: Path, zone: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "times.parquet"
    more = {
        "moment": pa.array(MOMENTS, pa.timestamp("us", zone)),
        "paris": pa.array(MOMENTS, pa.timestamp("ms", "Europe/Paris")),
        "spent": pa.array([dt.timedelta(minutes=k) for k in range(ROWS)]),
        "clock": pa.array([dt.time(9, k) for k in range(ROWS)]),
        "inside": pa.array([[each] for each in MOMENTS], pa.list_(pa.timestamp("us", zone))),
        "code": PLAIN["sex"].dictionary_encode(),
    }
    written(path, {**PLAIN, **more})
    source = read(path)
    frame = all_of(source)
    assert frame["moment"].to_list() == MOMENTS
    assert frame["moment"].dtype == pl.Datetime("us", "UTC")
    assert frame["inside"].to_list() == [[each] for each in MOMENTS]
    # What only the schema of Arrow says is kept.
    assert frame["paris"].dtype == pl.Datetime("ms", "Europe/Paris")
    assert frame["spent"].to_list() == more["spent"].to_pylist()
    assert frame["clock"].to_list() == more["clock"].to_pylist()
    assert frame["code"].to_list() == PLAIN["sex"].to_pylist()
    assert [each.id for each in source.notices] == ["times-utc"]
    assert "moment, inside" in source.notices[0].text
    assert capfd.readouterr() == ("", "")


def test_offsets_beside_columns_that_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "times.parquet"
    wide = pa.array(range(ROWS), pa.decimal256(60, 2))
    moments = pa.array(MOMENTS, pa.timestamp("us", "+05:30"))
    written(path, {"wide": wide, "moment": moments, **PLAIN}, compression="gzip")
    source = read(path)
    assert all_of(source)["moment"].to_list() == MOMENTS
    assert [each.id for each in source.notices] == ["columns-left-out", "times-utc"]


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_of_any_kind_are_copied(tmp_path: Path, dictionary: bool, version: str) -> None:
    path = tmp_path / "pages.parquet"
    structs = pa.array([{"a": k, "b": [str(k)]} for k in range(ROWS)])
    wide = pa.array(range(ROWS), pa.decimal256(60, 2))
    table = written(
        path,
        {"wide": wide, "struct": structs, **PLAIN},
        use_dictionary=dictionary,
        data_page_version=version,
    )
    frame = all_of(read(path))
    assert frame.to_dicts() == table.drop(["wide"]).to_pylist()


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


@pytest.mark.skipif(not hasattr(pl, "BaseExtension"), reason="Polars reads no extension types")
def test_identifiers_of_128_bits_become_text(tmp_path: Path) -> None:
    path = tmp_path / "ids.parquet"
    ids = [UUID(int=k * 2**100 + 7) for k in range(ROWS)]
    pq.write_table(pa.table({"id": pa.array([each.bytes for each in ids], pa.uuid())}), path)
    source = read(path)
    assert all_of(source)["id"].to_list() == [str(each) for each in ids]
    assert source.schema["id"].kind == "text"


def test_an_encrypted_file_is_not_called_damaged(tmp_path: Path) -> None:
    path = tmp_path / "secret.parquet"
    path.write_bytes(b"PARE" + bytes(100) + b"PARE")
    with pytest.raises(UnreadableFileError, match=r"secret\.parquet is encrypted"):
        read(path)


def test_a_plain_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    written(path, PLAIN)
    foot = read_foot(path)
    assert foot is not None
    assert not foot.groups
    assert [each.name for each in foot.columns] == ["age", "sex"]
