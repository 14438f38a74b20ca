"""A synthetic labour force survey, made by a seed. Nobody in it exists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microsafe.schema import Code, Schema, Variable

Ints = NDArray[np.int64]

_REGIONS = (
    "Northport", "Easton", "Millbridge", "Lake District", "Highmoor", "Westvale", "Capital",
    "Capital Hinterland", "Southern Plain", "Islands", "Border Hills", "Coal Valley",
)  # fmt: skip
_POPULATION = np.array([9, 7, 8, 4, 2, 6, 25, 14, 11, 1, 4, 9], np.float64)
_RATE = np.array([310, 300, 320, 200, 75, 250, 610, 440, 350, 40, 180, 300], np.float64)
_SHARE: NDArray[np.float64] = (_POPULATION / _RATE) / np.sum(_POPULATION / _RATE)

_LABELS: dict[str, dict[Code, str]] = {
    "region": dict(enumerate(_REGIONS, 1)),
    "sex": {1: "male", 2: "female"},
    "marital": {1: "single", 2: "married", 3: "registered partner", 4: "divorced", 5: "widowed"},
    "education": {
        0: "none yet", 1: "primary", 2: "lower secondary", 3: "upper secondary",
        4: "post-secondary", 5: "short tertiary", 6: "bachelor", 7: "master", 8: "doctorate",
        98: "refused",
    },
    "occupation": {
        0: "not working", 1: "managers", 2: "professionals", 3: "technicians", 4: "clerks",
        5: "service and sales", 6: "agriculture and fishing", 7: "crafts", 8: "machine operators",
        9: "elementary", 10: "armed forces",
    },
    "citizenship": {
        1: "national", 2: "neighbouring country", 3: "other European", 4: "African", 5: "Asian",
        6: "American", 7: "Oceanian", 8: "stateless",
    },
}  # fmt: skip

_TITLES = {
    "household": "Household number",
    "hsize": "Persons in the household",
    "region": "Region of residence",
    "age": "Age in years",
    "sex": "Sex",
    "marital": "Marital status",
    "education": "Highest education completed (ISCED 2011)",
    "occupation": "Occupation, major group (ISCO-08)",
    "citizenship": "Citizenship, group of countries",
    "income": "Monthly net income",
    "weight": "Sampling weight",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Survey:
    """A survey file: the records, and what is known of the variables."""

    frame: pl.DataFrame
    schema: Schema


def survey(seed: int = 1, *, households: int = 2500) -> Survey:
    """Return a survey of about 2.4 persons a household, the same for the same seed.

    Args:
        seed: Of the random numbers.
        households: How many to draw.
    """
    rng = np.random.default_rng(seed)
    size = 1 + rng.choice(6, households, p=[0.30, 0.33, 0.16, 0.14, 0.05, 0.02])
    region = 1 + rng.choice(12, households, p=_SHARE)
    household = np.repeat(np.arange(households), size)
    place = np.arange(len(household)) - np.repeat(np.cumsum(size) - size, size)
    age = _ages(rng, place, size[household])
    sex = rng.integers(1, 3, len(age))
    education = _education(rng, age)
    occupation = _occupation(rng, age, education)
    columns = {
        "household": household + 1,
        "hsize": size[household],
        "region": region[household],
        "age": age,
        "sex": sex,
        "marital": _marital(rng, age, size[household]),
        "education": np.where(rng.random(len(age)) < 0.01, 98, education),
        "occupation": occupation,
        "citizenship": _citizenship(rng, household, region),
        "income": np.round(rng.lognormal(7.2 + 0.08 * education, 0.5) * (occupation > 0), -1),
        "weight": _weights(rng, region[household], age),
    }
    frame = pl.DataFrame(columns).cast({pl.Int64: pl.Int32})
    for name, share in (("education", 0.015), ("occupation", 0.02), ("citizenship", 0.01)):
        gap = pl.Series(rng.random(len(age)) < share)
        frame = frame.with_columns(pl.when(~gap).then(pl.col(name)).alias(name))
    return Survey(frame=frame, schema=_schema(frame))


def _schema(frame: pl.DataFrame) -> Schema:
    return Schema(
        source="survey",
        variables=tuple(
            Variable(
                name=name,
                label=_TITLES[name],
                kind="number" if name in ("income", "weight") else "integer",
                measure="nominal" if name in _LABELS else "scale",
                labels=_LABELS.get(name, {}),
                missing=(98,) if name == "education" else (),
            )
            for name in frame.columns
        ),
    )


def _ages(rng: np.random.Generator, place: Ints, size: Ints) -> Ints:
    """First member an adult, second a partner of similar age, the others mostly children."""
    head = np.clip(rng.gamma(9.0, 5.6, len(place)) + np.where(size == 1, 6, 0), 18, 98)
    first = np.maximum.accumulate(np.where(place == 0, np.arange(len(place)), 0))
    parent = head[first]
    partner = np.clip(parent + rng.normal(-2, 4, len(place)), 18, 98)
    child = np.clip(parent - rng.normal(30, 5, len(place)), 0, 60)
    age = np.where(place == 0, head, np.where(place == 1, partner, child))
    return np.floor(age).astype(np.int64)


def _marital(rng: np.random.Generator, age: Ints, size: Ints) -> Ints:
    married = 1 / (1 + np.exp(-(age - 29) / 4.0)) * np.where(size > 1, 0.85, 0.15)
    draw = rng.random(len(age))
    widowed = np.clip((age - 55) / 80.0, 0, 0.6)
    divorced = np.clip((age - 25) / 150.0, 0, 0.2)
    status = np.select(
        [draw < married * 0.97, draw < married, draw < married + divorced,
         draw < married + divorced + widowed],
        [2, 3, 4, 5], 1,
    )  # fmt: skip
    return np.where(age < 18, 1, status)


def _education(rng: np.random.Generator, age: Ints) -> Ints:
    levels = rng.choice(
        np.arange(1, 9), len(age), p=[0.05, 0.16, 0.40, 0.06, 0.07, 0.15, 0.10, 0.01]
    )
    reached = np.select([age < 7, age < 12, age < 16, age < 20, age < 24], [0, 0, 1, 2, 4], 8)
    lower: Ints = np.minimum(levels, reached)
    return lower


def _occupation(rng: np.random.Generator, age: Ints, education: Ints) -> Ints:
    high = rng.choice([1, 2, 3, 4, 5, 10], len(age), p=[0.14, 0.46, 0.22, 0.10, 0.06, 0.02])
    low = rng.choice([3, 4, 5, 6, 7, 8, 9], len(age), p=[0.12, 0.13, 0.28, 0.05, 0.18, 0.10, 0.14])
    works = (age >= 16) & (age < 75) & (rng.random(len(age)) < np.where(age < 63, 0.76, 0.18))
    return np.where(works, np.where(education >= 5, high, low), 0)


def _citizenship(rng: np.random.Generator, household: Ints, region: Ints) -> Ints:
    foreign = rng.choice(
        [2, 3, 4, 5, 6, 7, 8], len(region), p=[0.34, 0.30, 0.12, 0.16, 0.05, 0.02, 0.01]
    )
    of_household = np.where(rng.random(len(region)) < np.where(region == 7, 0.20, 0.09), foreign, 1)
    mixed = rng.random(len(household)) < 0.03
    return np.where(mixed, 1, of_household[household])


def _weights(rng: np.random.Generator, region: Ints, age: Ints) -> NDArray[np.float64]:
    """Inverse sampling rate of the region, adjusted for young people answering less often."""
    adjusted = _RATE[region - 1] * np.where(age < 30, 1.35, 0.95) * rng.gamma(40, 1 / 40, len(age))
    return np.maximum(np.round(adjusted, 2), 1.0).astype(np.float64)
