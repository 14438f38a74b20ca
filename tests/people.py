"""A survey that must not go out as it is: names, national ids, birthdays."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microsafe.io import write
from microsafe.schema import Schema, Variable


def save_people(path: Path, records: int = 300) -> None:
    """Write a survey that still has names, national ids and birthdays."""
    draw = np.random.default_rng(5)
    days = draw.integers(20000, size=records)
    frame = pl.DataFrame(
        {
            "NAME": [f"Anna-{chr(97 + i % 26)} Berg{chr(97 + i // 26)}" for i in range(records)],
            "PNR": [f"{draw.integers(10**10, 10**11)}" for _ in range(records)],
            "BIRTH": [date(1950, 1, 1) + timedelta(days=int(each)) for each in days],
            "REGION": draw.integers(1, 4, records),
            "SEX": draw.integers(1, 3, records),
            "HOURS": draw.integers(0, 60, records),
            "W": np.full(records, 100.0),
        }
    )  # fmt: skip
    kinds: dict[str, Any] = {"NAME": "text", "PNR": "text", "BIRTH": "date", "W": "number"}
    variables = [Variable(name=each, kind=kinds.get(each, "integer")) for each in frame.columns]
    write(frame, Schema(source="people.sav", variables=tuple(variables)), path)


def survey_with_gaps(gaps: float) -> pl.DataFrame:
    """Make a survey in which a key is missing in some share of the records."""
    rng = np.random.default_rng(4)
    rows = 600
    frame = pl.DataFrame(
        {
            "region": rng.integers(1, 30, rows),
            "age": rng.integers(1, 12, rows),
            "sex": rng.integers(1, 3, rows),
        }
    )
    gone = pl.Series(rng.random(rows) < gaps)
    return frame.with_columns(pl.when(~gone).then("region").alias("region"))
