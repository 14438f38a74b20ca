"""Every kind of value, and all that is said of variables, into every format that is written."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

from corpus import argus, sas, spss, stata
from corpus.case import Case
from corpus.readers import READERS, parquet
from corpus.values import Clock, Columns, Moment, Span, settle, settle_arrow

_DAY, _AT = dt.date, dt.datetime

# A column `n` beside it, so that no format is left without a value in a record.
KINDS: dict[str, pa.Array] = {
    "text of any script": pa.array(["Zoë", "日本語", None, "a b"]),
    "leading zeros": pa.array(["01", "1", "001", None]),
    "blanks in front of text": pa.array([" a", "  b", None, "c"]),
    "line ends in text": pa.array(["one\ntwo", "three", None, "a\n\nb"]),
    "text of 200 bytes": pa.array(["x" * 200, "y", None, "z"]),
    "text of 2,000 bytes": pa.array(["x" * 2000, "y", None, "z"]),
    "text of 40,000 bytes": pa.array(["x" * 40_000, "y", None, "z"]),
    "whole numbers": pa.array([1, -(2**31) + 1, None, 2**31 - 100]),
    "whole numbers of 15 digits": pa.array([999_999_999_999_999, 0, None, -5]),
    "whole numbers beyond 2^53": pa.array([2**63 - 1, -(2**53) - 1, None, 0]),
    "numbers": pa.array([0.1, 1234.5625, None, -2.5]),
    "numbers of 17 digits": pa.array([0.1 + 0.2, 1 / 3, None, 2.5]),
    "numbers beyond 1e75": pa.array([1e300, 0.5, None, -1e-300]),
    "infinite numbers": pa.array([float("inf"), 1.5, None, float("-inf")]),
    "decimals": pa.array([Decimal("0.25"), Decimal("-1234.50"), None, Decimal("7.00")]),
    "truth values": pa.array([True, False, None, True]),
    "categories": pa.array(["low", "high", None, "low"]).dictionary_encode(),
    "dates": pa.array([_DAY(2020, 2, 29), _DAY(1900, 3, 1), None, _DAY(2999, 1, 1)]),
    "dates before 1900": pa.array([_DAY(1899, 12, 31), _DAY(1600, 1, 1), None, _DAY(1900, 1, 1)]),
    "dates up to the year 9999": pa.array([_DAY(9999, 12, 31), _DAY(4000, 1, 1), None, None]),
    "moments": pa.array([_AT(2020, 2, 29, 23, 59, 59), None, _AT(1999, 1, 1, 12), _AT(2000, 1, 1)],
                        pa.timestamp("us")),
    "moments with a time zone": pa.array([_AT(2020, 7, 1, 12), None, None, _AT(2020, 6, 1)],
                                         pa.timestamp("us", tz="Europe/Berlin")),
    "times": pa.array([dt.time(9, 30), dt.time(23, 59, 59), None, dt.time(0)], pa.time64("us")),
    "durations": pa.array([dt.timedelta(hours=30), dt.timedelta(seconds=1), None, dt.timedelta(0)]),
    "lists and structures": pa.array([[1, 2], [], None, [3]], pa.list_(pa.int64())),
    "bytes": pa.array([b"\x00\xff", b"\xfe", None, b"\x80"], pa.binary()),
    "variable without a value": pa.array([None, None, None, None], pa.string()),
}  # fmt: skip
PACKAGES = (".sav", ".dta", ".xpt")
FLAT = (".csv", *PACKAGES, ".xlsx", ".asc")
TARGETS = (*FLAT, ".parquet", ".arrow")
_LISTS = "lists or the like|values that text cannot hold|cannot hold"

# What is refused, by kind and extension, and what the refusal says.
REFUSED: dict[str, dict[str, str]] = {
    "line ends in text": {".asc": "line end"},
    "text of 40,000 bytes": {
        ".sav": "text of more than 32767 bytes", ".xpt": "text of more than (200|32767) bytes",
        ".xlsx": "text of more than 32767 characters"},
    "whole numbers beyond 2^53": dict.fromkeys((*PACKAGES, ".xlsx"), "16 digits or more"),
    "numbers beyond 1e75": {".xpt": "numbers beyond its range"},
    "infinite numbers": dict.fromkeys((*PACKAGES, ".xlsx"), "infinite values"),
    "dates before 1900": {".xlsx": "dates before March 1900"},
    "lists and structures": dict.fromkeys(FLAT, _LISTS),
    "bytes": dict.fromkeys(FLAT, _LISTS),
}  # fmt: skip


def _name(text: str) -> str:
    return text.replace(" ", "-").replace(",", "")


def _look_back(path: Path, like: Columns, read: Callable[[Path], Columns]) -> Columns:
    """Take text and counts for values of the kinds that they were before."""
    found = read(path)
    return {name: [_parse(v, like.get(name, [])) for v in values] for name, values in found.items()}


def _parse(value: Any, like: list[Any]) -> Any:
    kind: Any = next((each for each in like if each is not None), "")
    if value is None or isinstance(kind, str) or type(value) is type(kind):
        return value
    match kind:
        case bool():
            return value == "true" if isinstance(value, str) else bool(value)
        case Moment() if isinstance(value, str):
            return settle(_AT.fromisoformat(value))
        case Clock() if isinstance(value, str):
            return settle(dt.time.fromisoformat(value))
        case Span() if isinstance(value, str):
            hours, minutes, seconds = map(float, value.split(":"))
            return settle(dt.timedelta(hours=hours, minutes=minutes, seconds=seconds))
        case Clock() | Span() if isinstance(value, Moment):  # Stata counts both from 1960
            return type(kind)(value.nanoseconds - settle(_DAY(1960, 1, 1)).nanoseconds)
        case Clock() | Span() if isinstance(value, int | float):
            return type(kind)(round(value * 10**9))
        case int() | float() | Decimal():
            return type(kind)(value)
    return value


def _at_clock(columns: Columns, hours: int) -> Columns:
    """Without its zone a moment is what a clock shows, which is some hours ahead of Greenwich."""
    return {
        name: [
            Moment(v.nanoseconds + hours * 3_600 * 10**9) if isinstance(v, Moment) else v
            for v in values
        ]
        for name, values in columns.items()
    }


def _sixteen_digits(columns: Columns) -> Columns:
    return {
        name: [float(f"{v:.16G}") if isinstance(v, float) else v for v in values]
        for name, values in columns.items()
    }


def _stripped(columns: Columns) -> Columns:
    return {
        name: [v.strip() if isinstance(v, str) else v for v in values]
        for name, values in columns.items()
    }


# What is not refused, but no longer the same.
LOST: dict[str, dict[str, Callable[[Columns], Columns]]] = {
    "moments with a time zone": dict.fromkeys(
        (".csv", ".asc", ".xlsx", *PACKAGES), partial(_at_clock, hours=2)
    ),
    "blanks in front of text": {".asc": _stripped},
    "numbers of 17 digits": {".xlsx": _sixteen_digits},
}


def _same(columns: Columns) -> Columns:
    """What is read back by ours is of other kinds than before: text, numbers for truth values."""
    return columns


def _kinds() -> list[Case]:
    found = []
    for kind, array in KINDS.items():
        table = pa.table({"x": array, "n": pa.array([1, 2, 3, 4])})
        for to in TARGETS:
            read = argus.read_argus() if to == ".asc" else READERS[to]
            found.append(
                Case(
                    name=f"convert-{_name(kind)}-to{to}",
                    extension=".parquet",
                    holds=kind,
                    make=partial(_write_table, table=table),
                    look=parquet,
                    to=to,
                    look_back=partial(_look_back, like=settle_arrow(table), read=read),
                    becomes=LOST.get(kind, {}).get(to, _same),
                    lost=(kind,) if to in LOST.get(kind, {}) else (),
                    unwritable=REFUSED.get(kind, {}).get(to, ""),
                )
            )
    return found


def _write_table(path: Path, table: pa.Table) -> None:
    pq.write_table(table, path)


DESCRIBED = pd.DataFrame(
    {"sex": [1.0, 2, 9, 2], "town": ["K", "B", "zz", "K"], "x": [0.5, 1, 2, 3]}
)
TOLD = (
    "labels of variables",
    "labels of numbers",
    "labels of text",
    "missing codes",
    "level of measurement",
    "display formats",
    "column width",
    "file label",
    "notes",
)


def _describe(path: Path) -> None:
    pyreadstat.write_sav(
        DESCRIBED,
        path,
        file_label="Survey of 2020",
        note=["first note", "second note"],
        column_labels={"sex": "Sex of the person", "town": "Size of the town"},
        variable_value_labels={"sex": {1: "male", 2: "female"}, "town": {"K": "large"}},
        missing_ranges={"sex": [9.0], "town": ["zz"]},
        variable_measure={"sex": "nominal", "x": "scale", "town": "ordinal"},
        variable_display_width={"sex": 12},
        variable_format={"x": "F8.2", "sex": "F4.0"},
    )


def _split(found: dict[str, Any]) -> dict[str, Any]:
    """Tell the file label from notes."""
    title, *notes = found.pop("file label and notes", ("",))
    more = {"file label": title, "notes": notes}
    return {name: value for name, value in (found | more).items() if value}


def _tell_spss(path: Path) -> dict[str, Any]:
    return {k: v for k, v in _split(spss.read_system_file(path).facts).items() if k in TOLD}


def _tell_stata(path: Path) -> dict[str, Any]:
    found = _split(stata.facts(path))
    # pandas does not show notes; Stata has each of them behind this name.
    raw = path.read_bytes()
    found["notes"] = [each for each in ("first note", "second note") if each.encode() in raw]
    return found


def _tell_sas(path: Path) -> dict[str, Any]:
    return _split(sas.read_transport(path).facts)


def _tell_argus(path: Path) -> dict[str, Any]:
    layout = argus._read_layout(path.with_suffix(".rda"))
    numbers = {n: tuple(map(float, codes)) for n, codes in layout[-1].items() if n == "sex"}
    lists = {p.stem.removeprefix(f"{path.stem}_"): p.read_text() for p in path.parent.glob("*.cdl")}
    labels = {
        name: {code.strip(): label for code, label in argus.csv.reader(text.splitlines())}
        for name, text in lists.items()
    }
    return {
        "missing codes": layout[-1] | numbers,
        "labels of numbers": {"sex": {float(c): v for c, v in labels.get("sex", {}).items()}},
        "labels of text": {"town": labels.get("town")},
    }


def _described() -> list[Case]:
    nothing: Callable[[Path], dict[str, Any]] = lambda _: {}  # noqa: E731
    readers = {
        ".sav": (_tell_spss, ()),
        ".dta": (_tell_stata, (
            "labels of text", "missing codes", "level of measurement", "display formats",
            "column width")),
        ".xpt": (_tell_sas, (
            "labels of numbers", "labels of text", "missing codes", "level of measurement",
            "display formats", "column width", "notes")),
        ".asc": (_tell_argus, (
            "labels of variables", "level of measurement", "display formats", "column width",
            "file label", "notes")),
        ".csv": (nothing, TOLD),
        ".parquet": (nothing, TOLD),
        ".xlsx": (nothing, TOLD),
    }  # fmt: skip
    return [
        Case(
            name=f"describe-to{to}",
            extension=".sav",
            holds="values",
            make=_describe,
            look=READERS[".sav"],
            to=to,
            look_back=partial(
                _look_back,
                like={"sex": [1.0], "x": [1.0]},
                read=argus.read_argus() if to == ".asc" else READERS[to],
            ),
            becomes=_same,
            facts=_tell_spss,
            facts_back=tell,
            tells=TOLD,
            lost=lost,
        )
        for to, (tell, lost) in readers.items()
    ]


CASES = [*_kinds(), *_described()]
