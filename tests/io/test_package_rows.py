"""Files of statistical packages read some rows at a time: the same records as all at once."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyreadstat
import pytest
from polars.testing import assert_frame_equal
from sas7bdat import make_sas7bdat

import microsafe as ms
from corpus.case import Case
from corpus.every import CASES
from microsafe.errors import MicrosafeError
from microsafe.io import Source, read
from microsafe.io.readstat import package_file
from microsafe.io.readstat.package_rows import PackageRows

SUFFIXES = (".sav", ".zsav", ".dta", ".xpt", ".sas7bdat")
ROWS = 23
DAY, MOMENT = 1.4e10, 1.4e10 + 3661.5  # of SPSS; counted from another day elsewhere
SPELLED = {
    ".sav": ("DATE11", "DATETIME20", "TIME8"),
    ".dta": ("%td", "%tc", "%tcHH:MM:SS"),
    ".xpt": ("DATE9.", "DATETIME20.", "TIME8."),
}


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set how many rows are read at once; 0 for all."""

    def set_rows(count: int) -> None:
        monkeypatch.setattr(
            PackageRows, "_rows_at_once", lambda self, _: 0 if self.whole else count
        )

    return set_rows


def scanned(source: Source, size: int) -> list[pl.DataFrame]:
    assert source.scan is not None
    return list(source.scan(source.schema.names, size))


def check_parts(
    path: Path,
    in_parts: Callable[[int], None],
    parts: Sequence[int] = (1, 2, 7, 23),
    **options: Any,
) -> pl.DataFrame:
    """Read a file all at once and in parts of so many rows; return its records."""
    in_parts(0)
    source = read(path, **options)
    names = source.schema.names
    wanted = source.load(names)
    if source.scan is None:
        return wanted
    assert source.records in (None, wanted.height)
    for rows in parts:
        in_parts(rows)
        again = read(path, **options)  # what it knows of dates was found out in other parts
        assert_frame_equal(again.load(names), wanted)
        for size in (rows, 3, 1000):
            frames = scanned(again, size)
            assert [frame.height for frame in frames[:-1]] == [size] * (len(frames) - 1)
            assert_frame_equal(pl.concat(frames), wanted)
        last = names[-1:]
        assert_frame_equal(again.load(last), wanted.select(last))
    return wanted


@pytest.mark.parametrize(
    "case",
    [each for each in CASES if each.extension in SUFFIXES and not each.refused],
    ids=lambda case: case.name,
)
def test_files_of_other_programs(
    case: Case, tmp_path: Path, in_parts: Callable[[int], None]
) -> None:
    if case.needs:
        pytest.skip("takes another program")
    path = tmp_path / f"file{case.extension}"
    case.make(path)
    check_parts(path, in_parts, parts=(2,), **case.options)


def write_dates(path: Path, days: Sequence[float | None]) -> None:
    formats = SPELLED[path.suffix]
    names = ("day", "moment", "clock")
    unit = 1 if path.suffix == ".sav" else 1 / 86_400
    frame = pl.DataFrame(
        {
            "number": [None] * 9 + [1.5] * (ROWS - 9),
            "text": ["a ", "", "ü"] * 7 + ["", "last"],
            "day": [None if day is None else day * unit for day in days],
            "moment": [None] * (ROWS - 1) + [MOMENT],
            "clock": [90_000.0, None] * 11 + [1.0],
        },
        schema_overrides={"day": pl.Float64},
    )
    write = {".sav": pyreadstat.write_sav, ".dta": pyreadstat.write_dta}
    write.get(path.suffix, pyreadstat.write_xport)(
        frame, str(path), variable_format=dict(zip(names, formats, strict=True))
    )


@pytest.mark.parametrize("suffix", SPELLED)
@pytest.mark.parametrize(
    ("days", "dates"),
    [
        ([None] * 9 + [DAY] * (ROWS - 9), True),
        ([DAY] * 5 + [None] * (ROWS - 5), True),
        ([None] * ROWS, True),
        ([DAY] * (ROWS - 1) + [DAY * 40], False),  # far away, in the last record only
        ([DAY] * (ROWS - 1) + [1e300], False),
    ],
)
def test_dates_are_dates_in_all_records_or_in_none(
    tmp_path: Path,
    in_parts: Callable[[int], None],
    suffix: str,
    days: list[float | None],
    dates: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / f"a{suffix}"
    if suffix == ".xpt" and days[-1] == 1e300:
        pytest.skip("beyond the range of the format")
    write_dates(path, days)
    monkeypatch.setattr(package_file, "_PROBE", 3)
    found = check_parts(path, in_parts, parts=(1, 7, 23))
    assert found["day"].dtype.is_temporal() is dates
    assert found["day"].null_count() == days.count(None)
    assert found["moment"].dtype == pl.Datetime("us")
    assert found["clock"].dtype.is_numeric()


@pytest.mark.slow
def test_blank_records_of_a_transport_file(tmp_path: Path, in_parts: Callable[[int], None]) -> None:
    path = tmp_path / "a.xpt"
    texts = ["x", "", "", "", "y", "", "z", *[""] * 4]
    for version, said, records in ((5, "", 7), (8, "11", 11), (8, "0", 7), (8, "99", 40)):
        pyreadstat.write_xport(
            pl.DataFrame({"a": texts, "b": texts}), str(path), file_format_version=version
        )
        content = path.read_bytes()
        path.write_bytes(content.replace(b" 11".rjust(15), said.encode().rjust(15)))
        found = check_parts(path, in_parts)
        assert found["a"].to_list() == [*(text or None for text in texts), *[None] * 29][:records]
        assert read(path).records == records


def test_a_file_that_does_not_say_how_many_records_it_has(
    tmp_path: Path, in_parts: Callable[[int], None]
) -> None:
    path = tmp_path / "a.sav"
    for packed in (False, True):
        frame = pl.DataFrame({"a": [float(n) for n in range(14)], "b": ["x", "yy"] * 7})
        pyreadstat.write_sav(frame, str(path), row_compress=packed)
        content = bytearray(path.read_bytes())
        content[80:84] = struct.pack("<i", -1)
        path.write_bytes(content)
        assert read(path).records is None
        assert_frame_equal(check_parts(path, in_parts), frame)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_cut_short_is_refused_in_parts_too(
    tmp_path: Path, in_parts: Callable[[int], None], suffix: str
) -> None:
    path = tmp_path / f"a{suffix}"
    frame = pl.DataFrame({"a": [n + 0.5 for n in range(40)], "b": ["x", "yy"] * 20})
    if suffix == ".sas7bdat":
        path.write_bytes(make_sas7bdat(frame.to_dict(as_series=False)))
    elif suffix == ".zsav":
        pyreadstat.write_sav(frame, str(path), compress=True)
    else:
        write = {".sav": pyreadstat.write_sav, ".dta": pyreadstat.write_dta}
        write.get(suffix, pyreadstat.write_xport)(frame, str(path))
    whole = path.read_bytes()

    def outcome(rows: int) -> object:
        in_parts(rows)
        try:
            return read(path).load(["a", "b"]).rows()
        except MicrosafeError:
            return None

    for size in range(len(whole) - 400, len(whole), 97):
        path.write_bytes(whole[:size])
        assert outcome(0) == outcome(7)


def test_only_what_is_asked_for_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.sav"
    write_dates(path, [DAY] * ROWS)
    asked: list[list[str]] = []
    real = package_file.run_in_reader

    def spy(work: str, **options: Any) -> Any:
        asked.append(options.get("usecols", []))
        return real(work, **options)

    monkeypatch.setattr(package_file, "run_in_reader", spy)
    source = read(path)
    source.load(["text"])
    source.load(["day", "number"])
    source.load(["day"])
    assert asked == [[], ["text"], ["day"], ["number"], ["day"], ["day"]]


def test_as_many_rows_as_there_is_room_for(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    write_dates(path, [DAY] * ROWS)
    schema = read(path).schema

    def at_once(records: int | None, *names: str) -> int:
        rows = PackageRows(
            schema=schema, fetch=pytest.fail, guard=pytest.fail, records=records, whole=False
        )
        return rows._rows_at_once(names)

    assert at_once(None, "number") == at_once(10**6, "number") == 800_000
    assert at_once(10**7, "number") == 10**7 // 8
    assert at_once(10**9, "number") == 4 * at_once(None, "number")
    assert at_once(10**6, "text") < at_once(10**6, "number")
    assert at_once(10**6, "number", "day", "clock", "text") < 200_000


@pytest.mark.parametrize(
    "suffix",
    [
        ".dta",
        *(pytest.param(suffix, marks=pytest.mark.slow) for suffix in (".sav", ".zsav", ".xpt")),
    ],
)
def test_a_limit_on_memory_below_what_the_file_unpacks_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    rows = 100_000
    path = tmp_path / f"a{suffix}"
    squares = np.arange(rows) ** 2
    frame = pl.DataFrame({f"x{n}": 1.0 + squares % (n + 5) for n in range(7)})
    ms.study(frame).write(path)
    keys = list(frame.columns[:4])
    wanted = ms.study(path, keys=keys, weight="x6").risk()
    monkeypatch.setattr("microsafe.io.readstat.package_rows._LEAST", 10**6)
    monkeypatch.setattr("microsafe.io.readstat.package_rows._MOST", 10**6)
    study = ms.study(path, keys=keys, weight="x6", memory="470MB")
    assert study.risk().summary() == wanted.summary()
    study.suppress(k=3).write(tmp_path / "safe.parquet")
    ms.study(path, keys=keys, weight="x6").suppress(k=3).write(tmp_path / "wanted.parquet")
    assert (tmp_path / "safe.parquet").read_bytes() == (tmp_path / "wanted.parquet").read_bytes()
