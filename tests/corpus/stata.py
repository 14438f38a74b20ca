"""Stata by pandas in every release that it writes, by pyreadstat, and old releases by bytes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat

from corpus.case import MARK, Case
from corpus.readers import stata
from corpus.stata_bytes import write_old

RELEASES = (114, 117, 118, 119)
_DAYS = pd.to_datetime(["2020-02-29", None, "1900-03-01"])

KINDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "text of any script": ({"a": ["Zoë", "Köln", ""], "n": [1.0, 2, 3]}, {}),
    "leading zeros": ({"a": ["01", "001", "1"], "n": [1.0, 2, 3]}, {}),
    "whole numbers": ({
        "b": np.array([-127, 100, 0], np.int8), "i": np.array([-32767, 32740, 0], np.int16),
        "l": np.array([-2147483647, 2147483620, 0], np.int32)}, {}),
    "numbers": ({"f": np.array([0.1, np.nan, -1.5], np.float32),
                 "d": [0.1, 1 / 3, None]}, {}),
    "numbers beyond 1e75": ({"d": [1e300, -1e-300, 8.9e307]}, {}),
    "dates": ({"day": _DAYS, "n": [1.0, 2, 3]}, {"convert_dates": {"day": "td"}}),
    "moments": ({"at": pd.to_datetime(["2020-02-29 23:59:59", None, "1850-01-01 01:00:00"])},
                {"convert_dates": {"at": "tc"}}),
    "variable without a value": ({"a": ["", ""], "n": [np.nan, np.nan], "x": [1.0, 2]}, {}),
    "one record": ({"a": [1.0], "b": ["x"]}, {}),
    "300 variables": ({f"v{k}": [float(k), np.nan] for k in range(300)}, {}),
    "labels of variables": ({"a": [1.0, 2]}, {"variable_labels": {"a": "Groesse of it"}}),
    "labels of numbers": ({"a": np.array([1, 2], np.int8)},
                         {"value_labels": {"a": {1: "male", 2: "female"}}}),
    "file label": ({"a": [1.0, 2]}, {"data_label": "Panel of 2020"}),
    "display formats": ({"day": _DAYS, "x": [0.5, 1, 2]}, {"convert_dates": {"day": "td"}}),
    "storage types": ({"b": np.array([1, 2], np.int8), "f": np.array([1, 2], np.float32)}, {}),
}  # fmt: skip
_ONCE = ("one record", "300 variables", "leading zeros", "numbers beyond 1e75")
OLD: dict[str, tuple[str, list[float | None]]] = {
    "d": ("d", [1.5, None, -2.0]),
    "f": ("f", [0.5, None, 1.0]),
    "l": ("l", [7, None, 9]),
}


def facts(path: Path) -> dict[str, Any]:
    """What pandas says of the file; its formats are in a field of its own."""
    with pd.read_stata(path, iterator=True, convert_categoricals=False) as reader:
        reader.read(1)
        found = {
            "labels of variables": {n: v for n, v in reader.variable_labels().items() if v},
            "labels of numbers": {n: dict(v) for n, v in reader.value_labels().items() if v},
            "file label and notes": (reader.data_label,) if reader.data_label else (),
            "display formats": dict(zip(reader._varlist, reader._fmtlist, strict=True)),
            "storage types": {
                name: kind.name
                for name, kind in zip(reader._varlist, reader._dtyplist, strict=True)
                if isinstance(kind, np.dtype) and kind.kind in "if"
            },
        }
    return {name: value for name, value in found.items() if value}


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".dta", "look": stata, **more}
    return Case(name=f"stata-{name}", holds=holds, make=make, **more)


def saved(columns: dict[str, Any], **options: Any) -> Callable[[Path], object]:
    return lambda path: pd.DataFrame(columns).to_stata(path, write_index=False, **options)


def _kinds() -> list[Case]:
    return [
        case(f"{kind.replace(' ', '-')}-{release}", kind,
             saved(columns, version=release, **options), facts=facts)
        for kind, (columns, options) in KINDS.items()
        for release in RELEASES
        if release == 118 or (kind not in _ONCE and release != 119)
        or (release == 119 and kind == "text of any script")
    ]  # fmt: skip


def _special() -> list[Case]:
    long = {"essay": ["x" * 3000, "u" * 5, ""], "n": [1.0, 2, 3]}
    far = {"day": [dt.datetime(9999, 12, 31), dt.datetime(4000, 1, 1)], "n": [1.0, 2]}
    units = {
        u: [dt.datetime(2020, 1, 1), dt.datetime(1990, 1, 1)] for u in ("tm", "tq", "th", "ty")
    }
    labelled = pd.DataFrame({"a": [1.0, 2.0]})
    return [
        case("long-text", "very long text", saved(long, version=117, convert_strl=["essay"])),
        case("long-text-latin", "very long text", _long_latin),
        case("long-text-118", "very long text", saved(long, version=118, convert_strl=["essay"])),
        case("text-of-2045", "very long text",
             saved({"a": ["x" * 2045, "y"], "n": [1.0, 2]}, version=118)),
        case("never", "dates up to the year 9999",
             saved(far, version=118, convert_dates={"day": "td"})),
        case("months", "months, quarters, halves and years",
             saved(units, version=118, convert_dates={unit: unit for unit in units}),
             look=_counts, facts=lambda p: {"display formats": facts(p)["display formats"]}),
        case("big-endian", "values",
             saved({"a": [1.5, None], "b": ["x", "y"]}, version=118, byteorder="big")),
        case("pandas-categories", "labels of numbers",
             lambda p: pd.DataFrame({"c": pd.Categorical(["low", "high", "low"], ["low", "high"])})
             .to_stata(p, write_index=False, version=118), facts=facts),
        case("lowest-label", "labels of numbers", saved(
            {"a": np.array([-2147483647, 2], np.int32)}, version=118,
            value_labels={"a": {-2147483647: "lowest", 2: "two"}}), facts=facts),
        case("float-limit", "storage types", saved(
            {"f": np.array([1.7014117e38, -1.7014117e38, 0.1], np.float32)}, version=118),
            facts=facts),
        case("pandas-index", "values", lambda p: labelled.to_stata(p, version=118)),
        case("tagged", "tagged missing values", lambda p: pyreadstat.write_dta(
            pd.DataFrame({"a": [1.0, "a", "b", None]}, dtype=object), p,
            missing_user_values={"a": ["a", "b"]}, variable_value_labels={"a": {1: "one"}}),
            facts=_tags),
        *[case(f"pyreadstat-{version}", "labels of variables",
               lambda p, v=version: pyreadstat.write_dta(
                   labelled, p, version=v, column_labels={"a": "A label"}, file_label="A file"),
               facts=facts)
          for version in (8, 10, 12, 13, 14, 15)],
        *[case(f"release-{release}", "missing numbers of old releases",
               lambda p, r=release: write_old(p, r, OLD))
          for release in (104, 105, 108)],
        case("refused-no-records", "no records",
             lambda p: pyreadstat.write_dta(labelled.iloc[:0], p), refused="no records"),
        case("refused-cut-short", "damaged files", _cut, refused="cannot be read"),
    ]  # fmt: skip


def _counts(path: Path) -> Any:
    """Months and the like are what the file counts, as in Stata itself."""
    frame = pd.read_stata(path, convert_dates=False, convert_categoricals=False)
    return {name: frame[name].tolist() for name in frame.columns}


def _tags(path: Path) -> dict[str, Any]:
    frame = pd.read_stata(path, convert_missing=True, convert_categoricals=False)
    return {"tagged missing values": [str(value) for value in frame["a"]]}


def _long_latin(path: Path) -> None:
    """Stata 13 has latin-1 in long text; pandas writes UTF-8 there, so its bytes are changed."""
    columns = {"essay": ["x" * 3000, "ü" * 5], "n": [1.0, 2]}
    saved(columns, version=117, convert_strl=["essay"])(path)
    path.write_bytes(path.read_bytes().replace("ü".encode(), b"\xfcx"))


def _cut(path: Path) -> None:
    pd.DataFrame({"a": [MARK] * 50}).to_stata(path, write_index=False, version=118)
    path.write_bytes(path.read_bytes()[:-400])


CASES = [*_kinds(), *_special()]
