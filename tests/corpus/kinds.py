"""Columns of every kind that PyArrow knows, from which files of several formats are made."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa

_DAY, _SECOND = dt.date, dt.datetime


def _moments(*zones: str) -> dict[str, pa.Array]:
    values = [_SECOND(1850, 1, 1), _SECOND(2020, 2, 29, 23, 59, 59), None, _SECOND(1969, 12, 31, 1)]
    units = ("s", "ms", "us", "ns")
    return {
        f"{unit}{place}": pa.array(values, pa.timestamp(unit, tz=zone))
        for place, zone in enumerate(zones)
        for unit in units
    }


KINDS: dict[str, dict[str, pa.Array]] = {
    "text of any script": {
        "a": pa.array(["Zoë", "日本語", "😀", None]),
        "large": pa.array(["Łódź", "", " b ", "a\nb"], pa.large_string()),
    },
    "leading zeros": {"a": pa.array(["01", "1", "001", None])},
    "very long text": {"a": pa.array(["x" * 40_000, "ü" * 33_000, None])},
    "whole numbers": {
        "i1": pa.array([-(2**7), 2**7 - 1, None], pa.int8()),
        "i2": pa.array([-(2**15), 2**15 - 1, None], pa.int16()),
        "i4": pa.array([-(2**31), 2**31 - 1, None], pa.int32()),
        "u1": pa.array([0, 2**8 - 1, None], pa.uint8()),
        "u2": pa.array([0, 2**16 - 1, None], pa.uint16()),
        "u4": pa.array([0, 2**32 - 1, None], pa.uint32()),
    },
    "whole numbers beyond 2^53": {
        "i8": pa.array([-(2**63), 2**63 - 1, 2**53 + 1, None], pa.int64()),
        "u8": pa.array([0, 2**64 - 1, 2**53 + 1, None], pa.uint64()),
    },
    "numbers": {
        "f4": pa.array([0.1, -1.5, 3e38, None], pa.float32()),
        "f8": pa.array([0.1, 1 / 3, -123456789.12345678, None], pa.float64()),
        "f2": pa.array([0.5, 65504.0, -2.0, None], pa.float32()).cast(pa.float16()),
    },
    "numbers beyond 1e75": {"f8": pa.array([1e300, -1e-300, 1.0, None], pa.float64())},
    "infinite numbers": {"f8": pa.array([float("inf"), float("-inf"), float("nan"), 1.5])},
    "decimals": {
        "d": pa.array([Decimal("0.10"), Decimal("-12345678.99"), None], pa.decimal128(12, 2)),
    },
    "truth values": {"b": pa.array([True, False, None, True])},
    "dates": {
        "day": pa.array([_DAY(2020, 2, 29), _DAY(1900, 3, 1), None, _DAY(2999, 1, 1)]),
        "d64": pa.array([_DAY(2020, 2, 29), None, _DAY(1999, 1, 1), _DAY(1904, 1, 1)], pa.date64()),
    },
    "dates before 1900": {"day": pa.array([_DAY(1899, 12, 31), _DAY(1582, 10, 15), None])},
    "dates up to the year 9999": {"day": pa.array([_DAY(9999, 12, 31), _DAY(4000, 1, 1), None])},
    "moments": {
        "ms": pa.array([_SECOND(2020, 2, 29, 23, 59, 59), None], pa.timestamp("ms")),
        "us": pa.array([_SECOND(1999, 12, 31, 0, 0, 1), None], pa.timestamp("us")),
    },
    "moments with a time zone": {
        "utc": pa.array([_SECOND(2020, 7, 1, 12), None], pa.timestamp("us", tz="UTC")),
        "berlin": pa.array([_SECOND(2020, 7, 1, 12), None], pa.timestamp("ms", tz="Europe/Berlin")),
    },
    "times": {"t": pa.array([dt.time(9, 30), dt.time(23, 59, 59), None], pa.time64("us"))},
    "durations": {"d": pa.array([dt.timedelta(hours=30), dt.timedelta(seconds=1), None])},
    "categories": {"c": pa.array(["low", "high", None, "low"]).dictionary_encode()},
    "variable without a value": {"a": pa.array(["x", "y"]), "none": pa.array([None, None])},
    "lists and structures": {
        "list": pa.array([[1, 2], [], None], pa.list_(pa.int64())),
        "struct": pa.array([{"x": 1, "y": "a"}, {"x": 2, "y": "b"}, {"x": None, "y": None}]),
    },
    "bytes": {"raw": pa.array([b"\x00\xff", b"", None], pa.binary())},
    "one record": {"a": pa.array(["x"]), "n": pa.array([1])},
    "one variable": {"n": pa.array([1, None, 3])},
    "300 variables": {f"v{k}": pa.array([k, None, -k]) for k in range(300)},
}


def table(kind: str) -> pa.Table:
    return pa.table(KINDS[kind])


def zoned(*zones: str) -> Any:
    return pa.table(_moments(*zones))
