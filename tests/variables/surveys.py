"""Headers of official surveys as small specifications, and files that are like them."""

from __future__ import annotations

import datetime as dt
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.engine.local import LocalEngine
from microsafe.io import Source
from microsafe.schema import Schema, Variable

ROWS = 4000
FOLDER = Path(__file__).parent / "headers"
Values = Sequence[Any] | np.ndarray


@dataclass(frozen=True)
class Column:
    """A variable of a survey: how its values are made, and what should be guessed of it."""

    name: str
    label: str
    kind: str
    role: str
    meaning: str


@dataclass(frozen=True)
class Survey:
    """A survey of which the header is known."""

    title: str
    columns: tuple[Column, ...]


def read_surveys() -> Iterator[Survey]:
    """Go through the specifications."""
    for path in sorted(FOLDER.glob("*.txt")):
        for part in path.read_text("utf-8").split("## ")[1:]:
            title, *lines = part.strip().splitlines()
            yield Survey(title, tuple(map(_read_column, lines)))


def _read_column(line: str) -> Column:
    name, label, kind, expected = (each.strip() for each in line.split("|"))
    role, _, meaning = expected.partition(":")
    return Column(name, label, kind, role, meaning)


def open_survey(columns: Sequence[Column], rows: int = ROWS) -> ms.Study:
    """Return a study of a file with these columns."""
    values: dict[str, pl.Series] = {}
    variables = []
    for each in columns:
        rng = np.random.default_rng(zlib.crc32(f"{each.name} {each.kind}".encode()))
        values[each.name] = pl.Series(each.name, make_values(each.kind, rng, rows), strict=False)
        labels: Mapping[Any, str] = dict(enumerate(LABELS.get(each.kind, ()), 1))
        variables.append(
            Variable(name=each.name, label=each.label, kind=_kind(values[each.name]), labels=labels)
        )
    frame = pl.DataFrame(values)
    schema = Schema(source="survey", variables=tuple(variables))
    return ms.Study(engine=LocalEngine(Source(schema=schema, load=frame.select, columnar=True)))


def _kind(values: pl.Series) -> Any:
    if values.dtype == pl.Date:
        return "date"
    if values.dtype == pl.String:
        return "text"
    return "number" if values.dtype.is_float() else "integer"


LABELS = {
    "sex_labels": ("Male", "Female"),
    "marital_labels": ("Never married", "Married", "Widowed", "Divorced", "Separated"),
    "place_labels": ("Urban", "Rural"),
    "relatives": ("Head", "Spouse", "Son or daughter", "Grandchild", "Other relative", "Lodger"),
    "yesno": ("Yes", "No"),
}
_FIRST = ("Anna", "Piotr", "John", "Marie", "José", "Ole", "Zoë", "Jean", "Ada", "Ines", "Karl")
_LAST = ("Smith", "Kowalski", "Müller", "García", "Hansen", "Dupont", "Rossi", "Ek", "Jansen")
_WORDS = ("the", "work", "was", "hard", "and", "we", "moved", "to", "another", "town", "because")


def make_values(kind: str, rng: np.random.Generator, rows: int) -> Values:
    """Return values of a kind, by rule."""
    if kind in LABELS:
        return rng.integers(1, len(LABELS[kind]) + 1, rows)
    categories = re.fullmatch("cat([0-9]+)", kind)
    if categories:
        return 1 + (rng.random(rows) ** 1.5 * int(categories[1])).astype(int)
    return _MAKERS[kind](rng, rows)


def _days(rng: np.random.Generator, rows: int) -> list[dt.date]:
    return [dt.date(1925, 1, 1) + dt.timedelta(int(each)) for each in rng.integers(0, 33_000, rows)]


def _recent(rng: np.random.Generator, rows: int) -> list[str]:
    return [f"{dt.date(2023, 1, 1) + dt.timedelta(int(e))}" for e in rng.integers(0, 360, rows)]


def _names(rng: np.random.Generator, rows: int) -> list[str]:
    first, last = rng.integers(0, len(_FIRST), rows), rng.integers(0, len(_LAST), rows)
    return [f"{_FIRST[a]} {_LAST[b]}" for a, b in zip(first, last, strict=True)]


def _texts(rng: np.random.Generator, rows: int) -> list[str]:
    said = [" ".join(_WORDS[each] for each in rng.integers(0, len(_WORDS), 9)) for _ in range(rows)]
    return [text if rng.random() < 0.3 else "" for text in said]


def _isco(rng: np.random.Generator, rows: int) -> list[str]:
    major = {1: 4, 2: 6, 3: 5, 4: 4, 5: 4, 6: 3, 7: 5, 8: 3, 9: 6}
    groups = [f"{a}{b}{c}{d}" for a, most in major.items() for b in range(1, most + 1)
              for c in range(1, 4) for d in range(1, 4)]  # fmt: skip
    return [groups[each] for each in rng.integers(0, len(groups), rows)]


def _nace(rng: np.random.Generator, rows: int) -> list[str]:
    divisions = [f"C{n}" for n in range(10, 34)] + ["A01", "A02", "F41", "G46", "G47", "Q86", "P85"]
    return [divisions[each] for each in rng.integers(0, len(divisions), rows)]


def _nuts(rng: np.random.Generator, rows: int, length: int) -> list[str]:
    codes = [f"DE{a}{b}{c}"[:length] for a in range(1, 8) for b in range(1, 5) for c in range(1, 4)]
    return [codes[each] for each in rng.integers(0, len(codes), rows)]


def _icd(rng: np.random.Generator, rows: int) -> list[str]:
    letter, number, sub = (
        rng.integers(0, 8, rows),
        rng.integers(0, 99, rows),
        rng.integers(0, 9, rows),
    )
    return [f"{'CEFGIJKM'[a]}{b:02d}.{c}" for a, b, c in zip(letter, number, sub, strict=True)]


def _bands(rng: np.random.Generator, rows: int) -> list[str]:
    return [f"{each * 5}-{each * 5 + 4}" for each in rng.integers(3, 17, rows)]


_MAKERS: Mapping[str, Callable[[np.random.Generator, int], Values]] = {
    "constant": lambda _, rows: np.full(rows, 2023),
    "sex": lambda rng, rows: rng.integers(1, 3, rows),
    "sex_text": lambda rng, rows: [("M", "F")[each] for each in rng.integers(0, 2, rows)],
    "sex_german": lambda rng, rows: [("männlich", "weiblich")[e] for e in rng.integers(0, 2, rows)],
    "sex_italian": lambda rng, rows: [("Maschio", "Femmina")[e] for e in rng.integers(0, 2, rows)],
    "marital_text": lambda rng, rows: [
        ("single", "married", "divorced", "widowed")[each] for each in rng.integers(0, 4, rows)
    ],
    "marital_german": lambda rng, rows: [
        ("ledig", "verheiratet", "geschieden", "verwitwet")[each]
        for each in rng.integers(0, 4, rows)
    ],
    "age": lambda rng, rows: rng.integers(0, 96, rows),
    "cents_age": lambda rng, rows: np.round(rng.uniform(15.25, 16.33, rows), 2),
    "bands": _bands,
    "year": lambda rng, rows: rng.integers(1925, 2008, rows),
    "year_few": lambda rng, rows: rng.integers(2005, 2008, rows),
    "month": lambda rng, rows: rng.integers(1, 13, rows),
    "week": lambda rng, rows: rng.integers(1, 53, rows),
    "cmc": lambda rng, rows: rng.integers(850, 1250, rows),
    "dob": lambda rng, rows: [f"{day}" for day in _days(rng, rows)],
    "dob_slash": lambda rng, rows: [f"{day:%d/%m/%Y}" for day in _days(rng, rows)],
    "dob_german": lambda rng, rows: [f"{day:%d.%m.%Y}" for day in _days(rng, rows)],
    "dob_date": lambda rng, rows: pl.Series(_days(rng, rows)),
    "date": _recent,
    "personnummer": lambda rng, rows: [
        f"{day:%Y%m%d}-{each:04d}"
        for day, each in zip(_days(rng, rows), rng.integers(0, 9999, rows), strict=True)
    ],
    "fiscal": lambda rng, rows: [
        f"RSSMRA{each % 100:02d}A{each % 28 + 1:02d}H{each % 999:03d}{'ABCDEFG'[each % 7]}"
        for each in rng.integers(0, 10**6, rows)
    ],
    "nuts2": lambda rng, rows: _nuts(rng, rows, 4),
    "nuts3": lambda rng, rows: _nuts(rng, rows, 5),
    "postcode_nl": lambda rng, rows: [
        f"{each // 9 + 1000} {'AB'[each % 2]}{'CDE'[each % 3]}"
        for each in rng.integers(0, 30_000, rows)
    ],
    "isco4": _isco,
    "isco3": lambda rng, rows: [each[:3] for each in _isco(rng, rows)],
    "nace": _nace,
    "nace2": lambda rng, rows: [each[1:] for each in _nace(rng, rows)],
    "icd": _icd,
    "hours": lambda rng, rows: np.clip(rng.normal(38, 8, rows), 0, 80).astype(int),
    "count": lambda rng, rows: rng.integers(0, 9, rows),
    "count_large": lambda rng, rows: (rng.lognormal(3, 1.5, rows)).astype(int),
    "hsize": lambda rng, rows: 1 + rng.binomial(7, 0.25, rows),
    "scale11": lambda rng, rows: rng.integers(0, 11, rows),
    "amount": lambda rng, rows: rng.lognormal(9, 1, rows).astype(int),
    "cents": lambda rng, rows: np.round(rng.lognormal(6, 1, rows), 2),
    "weight": lambda rng, rows: rng.lognormal(6, 0.4, rows),
    "household": lambda _, rows: 1000 + np.arange(rows) // 3,
    "household_single": lambda _, rows: 1000 + np.arange(rows),
    "household_text": lambda _, rows: [
        f"{each // 30:5d}{each // 3 % 10:4d}" for each in range(rows)
    ],
    "line": lambda _, rows: np.arange(rows) % 3 + 1,
    "id": lambda rng, rows: rng.permutation(rows) + 100_001,
    "id_text": lambda rng, rows: [f"A{each:06d}-{each % 97}" for each in rng.permutation(rows)],
    "names": _names,
    "company": lambda rng, rows: [
        f"{name} {each} Ltd" for name, each in zip(_names(rng, rows), range(rows), strict=True)
    ],
    "phone": lambda rng, rows: [f"+49 30 {each:07d}" for each in rng.integers(0, 10**7, rows)],
    "email": lambda rng, rows: [f"p{each}@example.org" for each in rng.permutation(rows)],
    "address": lambda rng, rows: [f"Hauptstraße {each}" for each in rng.integers(1, 900, rows)],
    "text": _texts,
    "degrees": lambda rng, rows: np.round(rng.uniform(6, 13, rows), 5),
    "position": lambda rng, rows: [
        f"{a:.5f} {b:.5f}"
        for a, b in zip(rng.uniform(6, 9, rows), rng.uniform(3, 9, rows), strict=True)
    ],
}
