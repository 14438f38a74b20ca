"""SPSS by pyreadstat: .sav, .zsav and .por, read byte by byte for comparison."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat

from corpus.case import MARK, Case
from corpus.readers import spss
from corpus.spss_bytes import read_system_file
from corpus.values import settle_columns

_AT = dt.datetime

KINDS: dict[str, dict[str, list[Any]]] = {
    "text of any script": {"name": ["Zoë", "日本語", "", "😀"], "n": [1.0, 2, 3, 4]},
    "text of 255 bytes": {"a": ["x" * 255, "y", ""], "n": [1.0, 2, 3]},
    "text of 256 bytes": {"a": ["x" * 256, "y", ""], "n": [1.0, 2, 3]},
    "very long text": {"a": ["ü" * 800, "x" * 2000, "z"], "n": [1.0, 2, 3]},
    "leading zeros": {"nace": ["01", "001", "1"], "n": [1.0, 2, 3]},
    "blanks in front of text": {"a": [" x", "  y", "z"], "n": [1.0, 2, 3]},
    "whole numbers": {"n": [1.0, -5, 150, 151, -100, 2.0**53, None]},
    "numbers": {"x": [0.1, 1 / 3, -2.5, 1e300, 1e-300, None]},
    "dates": {"day": [dt.date(2020, 2, 29), dt.date(1900, 3, 1), None, dt.date(1583, 1, 1)]},
    "dates up to the year 9999": {"day": [dt.date(9999, 12, 31), dt.date(4000, 1, 1), None]},
    "moments": {"at": [_AT(2020, 2, 29, 23, 59, 59), None, _AT(1850, 1, 1, 1)]},
    "variable without a value": {"a": [1.0, 2.0], "none": [float("nan")] * 2, "t": ["", ""]},
    "one record": {"a": [1.0], "b": ["x"]},
    "one variable": {"a": [1.0, None, 3.0]},
    "300 variables": {f"v{k}": [float(k), None] for k in range(300)},
    "names of any script": {"größe": [1.0, 2], "A_very_long_name_of_it": [3.0, 4], "x.y": [5.0, 6]},
}  # fmt: skip
DESCRIBED = pd.DataFrame(
    {
        "sex": [1.0, 2, 9, None],
        "income": [100.5, -1, 99999997, 99999999],
        "town": ["K", "B", "zz", ""],
        "region": ["Mecklenburg", "Bavaria", "", "unknown land"],
        "born": [dt.date(1980, 5, 1), None, dt.date(1999, 12, 31), None],
    }
)
LABELS = {
    "labels of variables": {"column_labels": {"sex": "Sex of the person", "town": "Größe"}},
    "labels of numbers": {"variable_value_labels": {"sex": {1: "male", 2: "female", 9: "refused"}}},
    "labels of text": {"variable_value_labels": {"town": {"K": "Köln", "B": "Bonn"},
        "region": {"Mecklenburg": "in the north", "unknown land": "elsewhere"}}},
    "missing codes": {"missing_ranges": {"sex": [9.0], "income": [-1.0, 99999997.0, 99999999.0],
                                         "town": ["zz"]}},
    "missing ranges": {"missing_ranges": {"income": [{"lo": 99999997.0, "hi": 99999999.0}, -1.0],
                                          "sex": [{"lo": 9.0, "hi": float("inf")}]}},
    "level of measurement": {"variable_measure": {
        "sex": "nominal", "income": "scale", "town": "ordinal"}},
    "display formats": {"variable_format": {
        "income": "COMMA12.2", "born": "EDATE10", "sex": "F3.0"}},
    "column width": {"variable_display_width": {"sex": 12, "town": 30}},
    "file label and notes": {"file_label": "Survey of 2020", "note": ["first note", "second note"]},
}  # fmt: skip


def facts(*wanted: str) -> Callable[[Path], dict[str, Any]]:
    def look(path: Path) -> dict[str, Any]:
        found = read_system_file(path).facts
        return {name: found[name] for name in wanted if name in found}

    return look


def case(name: str, holds: str, make: Callable[[Path], object], **more: Any) -> Case:
    more = {"extension": ".sav", "look": spss, **more}
    return Case(name=f"spss-{name}", holds=holds, make=make, **more)


def saved(frame: pd.DataFrame, **options: Any) -> Callable[[Path], object]:
    return lambda path: pyreadstat.write_sav(frame, path, **options)


def _kinds() -> list[Case]:
    return [
        case(f"{kind.replace(' ', '-')}-{name}", kind, saved(pd.DataFrame(columns), **options),
             facts=facts("width of text", "display formats"), extension=extension)
        for kind, columns in KINDS.items()
        for name, extension, options in (
            ("plain", ".sav", {}),
            ("packed", ".sav", {"row_compress": True}),
            ("zsav", ".zsav", {"compress": True}),
        )
        if name == "plain" or kind not in ("one record", "one variable", "names of any script")
    ]  # fmt: skip


def _described() -> list[Case]:
    everything: dict[str, Any] = {}
    for options in LABELS.values():
        for name, given in options.items():
            both = isinstance(given, dict) and name in everything
            everything[name] = {**given, **everything[name]} if both else given
    found = [
        case(
            fact.replace(" ", "-"),
            fact.removeprefix("file label and "),
            saved(DESCRIBED, **options),
            facts=facts(fact),
        )
        for fact, options in LABELS.items()
    ]
    found.append(case("centred", "alignment", _centred, facts=facts("alignment")))
    found += [
        case(f"everything{extension[1:]}", "values", saved(DESCRIBED, **everything, **more),
             extension=extension, facts=facts(*LABELS, "width of text"))
        for extension, more in ((".sav", {}), (".zsav", {"compress": True}))
    ]  # fmt: skip
    return found


def _centred(path: Path) -> None:
    """Centre the first variable: no writer can, so the record of columns is changed."""
    pyreadstat.write_sav(DESCRIBED, path, row_compress=True)
    content = bytearray(path.read_bytes())
    # Record 7, subtype 11: of each variable measure, width and alignment.
    place = content.index(struct.pack("<4i", 7, 11, 4, 3 * len(DESCRIBED.columns)))
    content[place + 24 : place + 28] = struct.pack("<i", 2)
    path.write_bytes(content)


def _portable() -> list[Case]:
    frames = {
        "values": {"a": [1.0, 2.5, None, -3], "b": ["x", "Yy 1", "", "z"]},
        "dates": {"day": [dt.date(2020, 2, 29), dt.date(1900, 3, 1), None]},
        "whole numbers": {"n": [0.0, 1, -1, 999999, 123456789012]},
        "numbers": {"x": [0.5, 0.25, -1234.125, 1e20]},
        "one variable": {"a": [1.0, None, 3.0]},
    }
    found = [
        case(f"portable-{kind.replace(' ', '-')}", kind,
             lambda path, c=columns: pyreadstat.write_por(pd.DataFrame(c), path),
             look=lambda _, c=columns: settle_columns({n.upper(): v for n, v in c.items()}),
             extension=".por", to=".sav")
        for kind, columns in frames.items()
    ]  # fmt: skip
    found.append(
        case("portable-labels", "labels of variables",
             lambda path: pyreadstat.write_por(pd.DataFrame({"SEX": [1.0, 2]}), path,
                                               column_labels={"SEX": "Sex of the person"}),
             look=lambda _: {"SEX": [1, 2]}, extension=".por", to=".sav",
             facts=lambda _: {"labels of variables": {"SEX": "Sex of the person"}},
             facts_back=facts("labels of variables")),
    )  # fmt: skip
    return found


def _refused() -> list[Case]:
    frame = pd.DataFrame({"a": [MARK, "b"], "n": [1.0, 2.0]})

    def cut(path: Path) -> None:
        pyreadstat.write_sav(frame, path)
        path.write_bytes(path.read_bytes()[:-20])

    def encrypted(path: Path) -> None:
        path.write_bytes(b"\x1c\x00\x00\x00\x00\x00\x00\x00ENCRYPTEDSAV\x15\x00" + bytes(200))

    return [
        case("refused-cut-short", "damaged files", cut, refused="cannot be read"),
        case("refused-no-records", "no records", saved(frame.iloc[:0]), refused="no records"),
        case("refused-encrypted", "encrypted files", encrypted, refused="(?i)encrypted|password"),
    ]


CASES = [*_kinds(), *_described(), *_portable(), *_refused()]
