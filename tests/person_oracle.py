"""Panels, and one row for each of their persons, made with plain dictionaries."""

from __future__ import annotations

import numpy as np
import polars as pl

WAVES = (1, 2, 3)
CONSTANT, MOVING = ("sex", "born"), ("region", "work")


def make_panel(seed: int, *, absent: float = 0.0, gaps: float = 0.0, persons: int = 60):
    """Return a panel in long form: who is absent in a wave has no record of it."""
    rng = np.random.default_rng(seed)
    rows = []
    for person in rng.permutation(1000)[:persons].tolist():
        sex, born, age = rng.integers(1, 3), rng.integers(1, 5), rng.integers(20, 40)
        region, work = rng.integers(1, 4), rng.integers(1, 3)
        there = [wave for wave in WAVES if rng.random() >= absent] or [2]
        for wave in WAVES:
            region = rng.integers(1, 4) if rng.random() < 0.3 else region
            work = rng.integers(1, 3) if rng.random() < 0.3 else work
            if wave in there:
                rows.append((person, wave, sex, born, age + 2 * wave, region, work))
    names = ["pid", "wave", *CONSTANT, "age", *MOVING]
    frame = pl.DataFrame(rows, schema=names, orient="row")
    hide = [
        pl.when(pl.Series(rng.random(frame.height) >= gaps)).then(pl.col(key)).alias(key)
        for key in MOVING
    ]
    weight = pl.Series(rng.integers(20, 60, frame.height).astype(float))
    return frame.with_columns(*hide, w=weight)


def widen(panel: pl.DataFrame, *, by_wave: bool = True) -> pl.DataFrame:
    """Return one row for each person, in the order of their numbers."""
    persons: dict[int, dict] = {}
    for row in panel.rows(named=True):
        person = persons.setdefault(row["pid"], {"weight": 0.0})
        for key in CONSTANT:
            person[key] = row[key]
        person["age"] = row["age"] - 2 * (row["wave"] - 1)  # as it was at the first wave
        for key in MOVING:
            person[f"{key}@{row['wave']}"] = row[key]
        person["weight"] += row["w"]
    names = (*CONSTANT, "age", *(f"{key}@{wave}" for key in MOVING for wave in WAVES))
    made = [
        {
            "pid": number,
            **{name: person.get(name) for name in names},
            "w": max(1.0, person["weight"] / (len(WAVES) if by_wave else 1)),
        }
        for number, person in sorted(persons.items())
    ]
    return pl.DataFrame(made, infer_schema_length=None)


def wide_keys(*, age: bool = True) -> list[str]:
    """Return the keys of persons in the order in which those of records are named."""
    moving = [f"{key}@{wave}" for key in MOVING for wave in WAVES]
    return [*CONSTANT, *(["age"] if age else []), *moving]
