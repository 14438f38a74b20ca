"""The files that are recorded on: the demo's survey, and small ones with what surveys have.

They are made without microsafe, but for the demo and a sample of it.
"""

from __future__ import annotations

import csv
import random
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
from console import call

HOUSEHOLDS, JOBS = 220, 420
ISCO = ("1110", "1120", "2211", "2310", "5120", "9112")


def make() -> None:
    """Make all files in the current folder."""
    demo = call("demo")
    assert demo.code == 0, demo.error
    for written in Path("microsafe-demo").iterdir():
        if written.name == "survey.sav":
            written.rename("survey.sav")
        else:
            written.unlink()
    Path("microsafe-demo").rmdir()
    small = call("sample survey.sav --fraction 0.12 --seed 4 --household household -o small.sav")
    assert small.code == 0, small.error
    _make_people()
    _make_population()
    _make_jobs()
    Path("region.grc").write_text("01:01-03\n02:04-06\n09:07-\n", "ascii")


def _make_people() -> None:
    """Persons in households as text, with gaps; households in a file of their own too."""
    draw = random.Random(17)
    persons, homes = [], []
    number = 0
    for home in range(1, HOUSEHOLDS + 1):
        region = draw.choices(range(1, 9), [30, 20, 15, 12, 10, 7, 4, 2])[0]
        size = draw.choices(range(1, 7), [30, 33, 15, 14, 5, 3])[0]
        weight = f"{20 + 60 * draw.random():.2f}"
        homes.append((home, f"{region:02d}", draw.randrange(1, 7), weight))
        for place in range(size):
            number += 1
            age = draw.randrange(18, 91) if place < 2 else draw.randrange(0, 30)
            education = draw.choice(["1", "2", "3", "4", "NA", ""]) if age > 15 else "0"
            income = "" if draw.random() < 0.1 else str(int(draw.lognormvariate(7.4, 0.6)))
            nation = draw.choices(["AT", "DE", "IT", "TR", "XX"], [80, 8, 5, 5, 2])[0]
            income = income if age > 15 else ""
            person = (number, home, f"{region:02d}", age, draw.choice("mf"), education, nation)
            persons.append((*person, income, weight))
    names = ("person", "household", "region", "age", "sex", "education", "nation", "income", "w")
    _write(Path("people.csv"), names, persons)
    _write(Path("homes.csv"), ("household", "area", "rooms", "hw"), homes)
    alone = [(*row[:2], *row[3:-1]) for row in persons]
    _write(Path("persons.csv"), (*names[:2], *names[3:-1]), alone)


def _make_population() -> None:
    """Known counts of regions and sexes."""
    counts = [
        (f"{region:02d}", sex, 400 + 911 * (9 - region) + 7 * (sex == "f"))
        for region in range(1, 9)
        for sex in "fm"
    ]
    _write(Path("counts.csv"), ("region", "sex", "people"), counts)


def _write(path: Path, names: tuple[str, ...], rows: list[Any]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([names, *rows])


def _make_jobs() -> None:
    """Jobs with labels, missing codes, dates and numbers, as SPSS and Stata have them."""
    draw = random.Random(23)
    born = date(1955, 1, 1)
    frame = pd.DataFrame(
        {
            "id": [float(10_000 + at) for at in range(JOBS)],
            "area": [float(draw.choices(range(1, 7), [9, 7, 5, 3, 2, 1])[0]) for _ in range(JOBS)],
            "sex": [float(draw.randrange(1, 3)) for _ in range(JOBS)],
            "agegroup": [float(draw.randrange(1, 10)) for _ in range(JOBS)],
            "job": [draw.choice(ISCO) for _ in range(JOBS)],
            "born": [born + timedelta(days=draw.randrange(16_000)) for _ in range(JOBS)],
            "hours": [
                draw.choice([98.0, 99.0]) if draw.random() < 0.1 else float(draw.randrange(5, 61))
                for _ in range(JOBS)
            ],
            "wage": [
                np.nan if draw.random() < 0.08 else round(draw.lognormvariate(7.6, 0.5), 2)
                for _ in range(JOBS)
            ],
            "rent": [round(300 + 900 * draw.random(), 1) for _ in range(JOBS)],
            "w": [round(15 + 30 * draw.random(), 3) for _ in range(JOBS)],
        }
    )  # fmt: skip
    labels = {
        "area": {
            1.0: "Capital",
            2.0: "North",
            3.0: "South",
            4.0: "East",
            5.0: "West",
            6.0: "Isles",
        },
        "sex": {1.0: "male", 2.0: "female"},
        "agegroup": {float(at): f"{at * 10} to {at * 10 + 9}" for at in range(1, 10)},
        "hours": {98.0: "don't know", 99.0: "refused"},
    }
    words = {
        "id": "Number of the person", "area": "Area of residence", "sex": "Sex",
        "agegroup": "Age in groups", "job": "Occupation (ISCO)", "born": "Date of birth",
        "hours": "Usual hours a week", "wage": "Wage a month, euro", "rent": "Rent a month, euro",
        "w": "Sampling weight",
    }  # fmt: skip
    pyreadstat.write_sav(
        frame,
        "jobs.sav",
        file_label="Jobs",
        column_labels=words,
        variable_value_labels=labels,
        missing_ranges={"hours": [98.0, 99.0]},
        variable_measure={"area": "nominal", "agegroup": "ordinal", "wage": "scale"},
    )
    _set_bytes(Path("jobs.sav"), 92, b"01 Jan 2000:00:00")  # when it was made
    tagged = frame.assign(
        hours=[{98.0: "a", 99.0: "b"}.get(hours, hours) for hours in frame["hours"]]
    )
    pyreadstat.write_dta(
        tagged,
        "jobs.dta",
        file_label="Jobs",
        column_labels=words,
        variable_value_labels={name: each for name, each in labels.items() if name != "hours"},
        missing_user_values={"hours": ["a", "b"]},
    )
    path = Path("jobs.dta")
    path.write_bytes(re.sub(
        rb"(?<=<timestamp>\x11)\d\d \w{3} \d{4} \d\d:\d\d", b"01 Jan 2000 00:00", path.read_bytes()
    ))  # fmt: skip


def _set_bytes(path: Path, at: int, content: bytes) -> None:
    before = path.read_bytes()
    path.write_bytes(before[:at] + content + before[at + len(content) :])
