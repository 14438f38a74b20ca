"""SAS transport by pyreadstat in both versions and R's haven; sas7bdat by ReadStat's own writer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat

from corpus.case import MARK, Case
from corpus.readers import sas, transport
from corpus.transport_bytes import read_transport
from fuzz.seeds import SEEDS

_AT = dt.datetime
KINDS: dict[str, dict[str, list[Any]]] = {
    "text of any script": {"A": ["Zoë", "日本語", ""], "N": [1.0, 2, 3]},
    "text of 200 bytes": {"A": ["x" * 200, "y", ""], "N": [1.0, 2, 3]},
    "leading zeros": {"A": ["01", "001", "1"], "N": [1.0, 2, 3]},
    "whole numbers": {"N": [1.0, -5, 0, 2.0**53, None]},
    "numbers": {"X": [0.1, 1 / 3, -2.5, 1e70, 1e-70, None]},
    "dates": {"DAY": [dt.date(2020, 2, 29), dt.date(1900, 3, 1), None]},
    "moments": {"AT": [_AT(2020, 2, 29, 23, 59, 59), None, _AT(1850, 1, 1, 1)]},
    "variable without a value": {"A": [1.0, 2.0], "NONE": [float("nan")] * 2, "T": ["", ""]},
    "one record": {"A": [1.0], "B": ["x"]},
    "one variable": {"A": [1.0, None, 3.0]},
    "300 variables": {f"V{k}": [float(k), None] for k in range(300)},
}
LABELS: dict[str, dict[str, Any]] = {
    "labels of variables": {"column_labels": {"SEX": "Sex of the person"}},
    "display formats": {"variable_format": {"SEX": "BEST12", "INCOME": "COMMA12.2"}},
    "file label and notes": {"file_label": "Survey of 2020"},
    "version and table name": {"table_name": "PERSONS"},
}
DESCRIBED = pd.DataFrame({"SEX": [1.0, 2], "INCOME": [1.5, None], "TOWN": ["Köln", "B"]})
# 31DEC9999, the field's "never", as SAS counts it, and the days around its missing leap days.
NEVER = pd.DataFrame(
    {
        "DAY": [2936547.0, 745154, 745153, 2206121, None],
        "AT": [253717747199.0, 0, -86400, 64381305600, None],
    }
)
FORMATS = ("DOLLAR12.2", "PERCENT8.1", "TIME8", "MONYY7", "YYQ6", "Z5", "WEEKDATE29", "HHMM5",
           "BEST", "F8.2", "NEGPAREN9.2", "YEAR4", "SEXFMT")  # fmt: skip
SHOWN = pd.DataFrame({f"V{k}": [1.0, 2000.0] for k, _ in enumerate(FORMATS)})


def facts(*wanted: str) -> Callable[[Path], dict[str, Any]]:
    def look(path: Path) -> dict[str, Any]:
        found = read_transport(path).facts
        return {name: found[name] for name in wanted if name in found}

    return look


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".xpt", "look": transport, **more}
    return Case(name=f"sas-{name}", holds=holds, make=make, **more)


def saved(frame: pd.DataFrame, **options: Any) -> Callable[[Path], object]:
    return lambda path: pyreadstat.write_xport(frame, path, **options)


def _kinds() -> list[Case]:
    return [
        case(f"{kind.replace(' ', '-')}-{version}", kind,
             saved(pd.DataFrame(columns), file_format_version=version),
             facts=facts("width of text", "version and table name"))
        for kind, columns in KINDS.items()
        for version in (5, 8)
    ]  # fmt: skip


def _described() -> list[Case]:
    found = [
        case(f"{fact.replace(' ', '-')}-{version}", fact.removesuffix(" and notes"),
             saved(DESCRIBED, file_format_version=version, **options), facts=facts(fact))
        for fact, options in LABELS.items()
        for version in (5, 8)
    ]  # fmt: skip
    long = pd.DataFrame({"household_income": [1.0, 2], "t": ["x" * 300, "y"]})
    found += [
        case(f"never-{version}", "dates up to the year 9999", saved(
            NEVER, file_format_version=version,
            variable_format={"DAY": "DATE9", "AT": "DATETIME20"}))
        for version in (5, 8)
    ]  # fmt: skip
    found += [
        case("formats", "display formats", saved(
            SHOWN, variable_format=dict(zip(SHOWN, FORMATS, strict=True))),
            facts=facts("display formats")),
        case("long-names", "long names and labels", saved(
            long, file_format_version=8, column_labels={"household_income": "Income " * 20}),
            facts=facts("labels of variables")),
        case("long-title", "file label", saved(
            DESCRIBED, file_format_version=8, file_label="A survey of very many persons in 2020"),
            facts=facts("file label and notes")),
    ]  # fmt: skip
    return found


def _native(path: Path) -> None:
    path.write_bytes(SEEDS[".sas7bdat"][0]())


def _cut(path: Path) -> None:
    pyreadstat.write_xport(pd.DataFrame({"A": [MARK, "y"]}), path)
    path.write_bytes(path.read_bytes()[:-30])


def _others() -> list[Case]:
    return [
        case("sas7bdat", "values", _native, extension=".sas7bdat", look=sas, to=".xpt"),
        case("refused-cut-short", "damaged files", _cut, refused="cannot be read"),
        case("refused-no-records", "no records", saved(DESCRIBED.iloc[:0]), refused="no records"),
    ]


CASES = [*_kinds(), *_described(), *_others()]
