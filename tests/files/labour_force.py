"""A labour force survey as it comes from the field: 61 variables, and nobody has tidied it up.

It has names, telephone numbers, dates, coordinates and text that people typed; sampling units and
strata; a weight and a household number; labels, codes for missing, and texts that say "NA".
Nobody in it exists. It is made by a seed, as SPSS, Stata, Excel, or as R's `write.csv` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from microsafe.io import write
from microsafe.schema import Code, Kind, Schema, Variable

PERSONS = 7_680
_REFUSED = {8: "Don't know", 9: "Refused"}
_YES_NO: Mapping[Code, str] = {1: "Yes", 2: "No", **_REFUSED}
_REGIONS = (
    "North Coast", "Highlands", "Capital", "Lower Valley", "Eastern Plain", "Lakes", "South",
    "Islands",
)  # fmt: skip
_JOBS = (
    "driver", "teacher at the primary school", "I clean offices", "own shop, sell vegetables",
    "nurse", "works on the land", "bank clerk", "mason", "software", "guard at the port",
)  # fmt: skip
_REMARKS = (
    "came back in the evening", "daughter answered", "only lawyer in the village", "dog",
    "asked to call again", "has lost a leg at work", "speaks little", "very friendly",
)  # fmt: skip

# Name, label, labels of codes; in the order of the file. Codes 8, 9, 98, 99 stand for missing.
_COLUMNS: Mapping[str, tuple[str, Mapping[Code, str]]] = {
    "CASEID": ("Case identifier", {}),
    "HHNUM": ("Household number", {}),
    "LINE": ("Line number in the household", {}),
    "NAME": ("Name of respondent", {}),
    "PHONE": ("Telephone number", {}),
    "EMAIL": ("E-mail address", {}),
    "INTDATE": ("Date of interview", {}),
    "INTVWR": ("Interviewer number", {}),
    "STRATUM": ("Sampling stratum", {}),
    "PSU": ("Primary sampling unit", {}),
    "LAT": ("GPS latitude of the dwelling", {}),
    "LON": ("GPS longitude of the dwelling", {}),
    "REGION": ("Region of residence", dict(enumerate(_REGIONS, 1))),
    "DISTRICT": ("District of residence", {}),
    "URBAN": ("Urban or rural", {1: "Urban", 2: "Rural"}),
    "WGT": ("Sampling weight", {}),
    "HHSIZE": ("Number of persons in the household", {}),
    "RELHEAD": (
        "Relationship to the head of household",
        {1: "Head", 2: "Spouse", 3: "Child", 4: "Other relative"},
    ),
    "DWELLING": ("Type of dwelling", {1: "House", 2: "Flat", 3: "Hut", 4: "Other"}),
    "TENURE": ("Tenure of the dwelling", {1: "Owner", 2: "Tenant", 3: "Free"}),
    "ROOMS": ("Number of rooms", {}),
    "SEX": ("Sex", {1: "Male", 2: "Female"}),
    "AGE": ("Age in completed years", {}),
    "BIRTH": ("Date of birth", {}),
    "MARITAL": (
        "Marital status",
        {1: "Single", 2: "Married", 3: "Divorced", 4: "Widowed", 9: "Refused"},
    ),
    "CITIZEN": (
        "Citizenship",
        {1: "National", 2: "Neighbouring country", 3: "Europe", 4: "Asia", 5: "America"},
    ),
    "COB": ("Country of birth", {1: "This country", 2: "Neighbouring country", 3: "Elsewhere"}),
    "RELIGION": ("Religion", {1: "None", 2: "Majority", 3: "Minority", 9: "Refused"}),
    "LANGUAGE": ("Language spoken at home", {1: "Official", 2: "Regional", 3: "Other"}),
    "EDUC": (
        "Highest level of education",
        {
            0: "None",
            1: "Primary",
            2: "Lower secondary",
            3: "Upper secondary",
            4: "Vocational",
            5: "Bachelor",
            6: "Master",
            7: "Doctorate",
            98: "Don't know",
            99: "Refused",
        },
    ),
    "EDYEARS": ("Years of schooling", {98: "Don't know", 99: "Refused"}),
    "STUDENT": ("Attends school", _YES_NO),
    "STATUS": ("Activity status", {1: "Employed", 2: "Unemployed", 3: "Inactive"}),
    "OCC": ("Occupation (ISCO-08)", {}),
    "OCCTEXT": ("Occupation, in own words, specify", {}),
    "IND": ("Industry of the main job (ISIC)", {}),
    "EMPLOYER": ("Name of the employer", {}),
    "CONTRACT": ("Type of contract", {1: "Permanent", 2: "Temporary", 3: "None", **_REFUSED}),
    "PUBLIC": ("Works in the public sector", _YES_NO),
    "HOURS": ("Hours usually worked a week", {}),
    "HOURSACT": ("Hours worked last week", {}),
    "WAGE": ("Monthly wage", {99998: "Don't know", 99999: "Refused"}),
    "BONUS": ("Yearly bonus", {}),
    "SECJOB": ("Has a second job", _YES_NO),
    "SECHOURS": ("Hours in the second job", {}),
    "SEEK": ("Looked for work in the last four weeks", _YES_NO),
    "SEEKDUR": ("Months of looking for work", {}),
    "WHYNOT": (
        "Main reason for not looking",
        {1: "School", 2: "Family", 3: "Illness", 4: "No jobs", 5: "Retired"},
    ),
    "PENSION": ("Receives a pension", _YES_NO),
    "BENEFIT": ("Receives a benefit", _YES_NO),
    "UNION": ("Member of a trade union", _YES_NO),
    "DISABLED": ("Has a disability", _YES_NO),
    "HEALTH": ("Self-rated health", {1: "Good", 2: "Fair", 3: "Bad", **_REFUSED}),
    "TRAIN": ("Took part in training", _YES_NO),
    "TRAINHRS": ("Hours of training", {}),
    "COMMUTE": ("Minutes to work", {}),
    "TRANSP": ("Means of transport", {1: "Foot", 2: "Bus", 3: "Car", 4: "Train"}),
    "INTERNET": ("Internet at home", _YES_NO),
    "CAR": ("Car in the household", _YES_NO),
    "PROXY": ("Answered by somebody else", _YES_NO),
    "REMARKS": ("Remarks of the interviewer", {}),
}


def make_labour_force(persons: int = PERSONS, seed: int = 7) -> tuple[pl.DataFrame, Schema]:
    """Return the records of the survey, and what is known of its variables."""
    frame = _answer(_draw_people(np.random.default_rng(seed), persons), seed)
    frame = frame.select(_COLUMNS.keys())
    kinds: Mapping[str, Kind] = {
        name: "text" if kind == pl.String else "date" if kind == pl.Date
        else "number" if kind == pl.Float64 else "integer"
        for name, kind in frame.schema.items()
    }  # fmt: skip
    variables = [
        Variable(
            name=name,
            label=label,
            kind=kinds[name],
            measure="nominal" if labels or kinds[name] == "text" else "scale",
            labels=labels,
            missing=tuple(code for code in labels if code in (8, 9, 98, 99, 99998, 99999)),
        )
        for name, (label, labels) in _COLUMNS.items()
    ]
    return frame, Schema(source="lfs", variables=tuple(variables))


def write_labour_force(path: Path, persons: int = PERSONS, seed: int = 7) -> Path:
    """Write the survey in the format of the extension.

    .csv is what R's `write.csv` makes of a data frame unless told otherwise: texts are quoted, what
    is missing is NA, row names come first and have no header; there are no labels.
    """
    frame, schema = make_labour_force(persons, seed)
    if path.suffix == ".csv":
        rows = pl.Series("", [f"{row}" for row in range(1, frame.height + 1)])
        frame.insert_column(0, rows).write_csv(path, null_value="NA", quote_style="non_numeric")
    else:
        write(frame, schema, path)
    return path


def _draw_people(rng: np.random.Generator, persons: int) -> pl.DataFrame:
    """Who lives where with whom: what everything else depends on."""
    size = 1 + rng.choice(7, persons, p=[0.16, 0.25, 0.2, 0.19, 0.11, 0.06, 0.03])
    size = size[: int(np.searchsorted(np.cumsum(size), persons)) + 1]
    size[-1] -= size.sum() - persons
    households = len(size)
    home = np.repeat(np.arange(households), size)
    line = np.arange(persons) - np.repeat(np.cumsum(size) - size, size) + 1
    psu = np.sort(rng.integers(0, max(households // 12, 1), households))  # drawn as clusters
    region = 1 + rng.choice(8, psu.max() + 1, p=[0.12, 0.07, 0.26, 0.14, 0.13, 0.09, 0.16, 0.03])
    urban = np.where(rng.random(psu.max() + 1) < np.where(region == 3, 0.9, 0.45), 1, 2)
    head = rng.gamma(11.0, 4.2, households).clip(19, 94)[home]
    age = np.select(
        [line == 1, line == 2, line < 6],
        [head, head + rng.normal(-2, 5, persons), head - rng.normal(29, 5, persons)],
        rng.uniform(0, 90, persons),
    )
    nation = rng.choice([1, 2, 3, 4, 5], households, p=[0.91, 0.04, 0.025, 0.02, 0.005])
    return pl.DataFrame(
        {
            "home": home,
            "LINE": line,
            "HHSIZE": size[home],
            "psu": psu[home],
            "REGION": region[psu][home],
            "URBAN": urban[psu][home],
            "AGE": age.clip(0, 94).astype(int),
            "SEX": np.where(line == 2, 2, rng.integers(1, 3, persons)),
            "CITIZEN": np.where(rng.random(persons) < 0.05, 1, nation[home]),
        }
    )


def _answer(people: pl.DataFrame, seed: int) -> pl.DataFrame:
    """What they answered, and what the office added."""
    rng, n = np.random.default_rng(seed + 1), people.height
    by = people.to_dict(as_series=False)
    home, age, line = (np.array(by[name]) for name in ("home", "AGE", "LINE"))
    region, psu = np.array(by["REGION"]), np.array(by["psu"])
    homes, units = int(home.max()) + 1, int(psu.max()) + 1

    def shared(codes: int) -> np.ndarray:
        return rng.integers(1, codes + 1, homes)[home]

    def yes_no(share: float) -> np.ndarray:
        return rng.choice([1, 2, 8, 9], n, p=[share, 0.985 - share, 0.01, 0.005])

    def asked(who: np.ndarray, values: np.ndarray) -> pl.Series:
        return pl.select(pl.when(pl.Series(who)).then(pl.Series(values))).to_series()

    adult = age >= 15
    works = adult & (age < 75) & (rng.random(n) < np.where(age < 62, 0.68, 0.12))
    seeks = adult & ~works & (rng.random(n) < 0.12) & (age < 67)
    education = np.minimum(rng.choice(8, n, p=[0.05, 0.2, 0.22, 0.27, 0.1, 0.1, 0.05, 0.01]),
                           ((age - 4) // 3).clip(0, 7))  # fmt: skip
    first = np.array(["Ana", "Ben", "Carla", "Dov", "Edda", "Finn", "Gita", "Hugo"])
    last = np.array(["Aro", "Berg", "Castel", "Dumas", "Engel", "Fabri", "Gromov", "Hale", "Ito"])
    surname = rng.integers(0, len(last), homes)[home]
    given = rng.integers(0, len(first), n)
    names = list(zip(first[given], last[surname], strict=True))
    north, east = (rng.random(units)[psu] * 0.4 + rng.random(homes)[home] * 0.01 for _ in "ab")
    firm = rng.zipf(1.4, n) % 4000
    born = [date(2023, 3, 1) - timedelta(days=int(year * 365.25 + day))
            for year, day in zip(age, rng.integers(0, 365, n), strict=True)]  # fmt: skip
    wage = np.round(rng.lognormal(7.0 + 0.12 * education, 0.55), -1)
    wage = np.where(rng.random(n) < 0.04, rng.choice([99998, 99999], n), wage)
    answered = rng.gamma(30, 1 / 30, homes)[home]
    weight = 380 / (1 + (region == 8) * 6 + (region == 2) * 2) * answered
    said = np.where(rng.random(n) < 0.05, "NA", np.array(_JOBS)[rng.integers(0, len(_JOBS), n)])
    trained = rng.random(n) < 0.15
    return people.with_columns(
        CASEID=pl.Series([f"{unit:03d}-{house:05d}-{place}"
                          for unit, house, place in zip(psu, home, line, strict=True)]),
        HHNUM=pl.Series(100_001 + home),
        NAME=pl.Series([f"{one} {two}" for one, two in names]),
        PHONE=pl.Series([f"+99 {number:09d}" for number in rng.integers(6e8, 7e8, homes)[home]]),
        EMAIL=asked(adult & (rng.random(n) < 0.4), np.array(
            [f"{one}.{two}{number}@mail.example".lower()
             for number, (one, two) in enumerate(names)])),
        INTDATE=pl.Series([date(2023, 3, 1) + timedelta(days=int(day))
                           for day in rng.integers(0, 90, homes)[home]]),
        INTVWR=pl.Series(101 + psu % 40),
        STRATUM=pl.Series(region * 10 + np.array(by["URBAN"])),
        PSU=pl.Series(1001 + psu),
        LAT=pl.Series(np.round(41 + north, 5)),
        LON=pl.Series(np.round(19 + east, 5)),
        DISTRICT=pl.Series(region * 100 + 1 + rng.integers(0, 6, units)[psu]),
        WGT=pl.Series(np.round(np.maximum(weight, 1.0), 2)),
        RELHEAD=pl.Series(np.where(line < 3, line, np.where(line < 6, 3, 4))),
        DWELLING=pl.Series(rng.choice([1, 2, 3, 4], homes, p=[0.5, 0.4, 0.07, 0.03])[home]),
        TENURE=pl.Series(shared(3)),
        ROOMS=pl.Series(rng.poisson(3, homes).clip(1, 12)[home]),
        BIRTH=pl.Series(born),
        MARITAL=pl.Series(np.where(age < 16, 1, rng.choice(
            [1, 2, 3, 4, 9], n, p=[0.3, 0.52, 0.08, 0.09, 0.01]))),
        COB=pl.Series(np.where(np.array(by["CITIZEN"]) > 1, rng.integers(2, 4, n), 1)),
        RELIGION=pl.Series(rng.choice([1, 2, 3, 9], homes, p=[0.3, 0.6, 0.07, 0.03])[home]),
        LANGUAGE=pl.Series(rng.choice([1, 2, 3], homes, p=[0.8, 0.15, 0.05])[home]),
        EDUC=pl.Series(np.where(rng.random(n) < 0.01, rng.choice([98, 99], n), education)),
        EDYEARS=pl.Series(
            np.where(rng.random(n) < 0.01, 98, education * 2 + rng.integers(0, 3, n))
        ),
        STUDENT=asked((age > 5) & (age < 30), np.where(age < 16, 1, yes_no(0.4))),
        STATUS=asked(adult, np.where(works, 1, np.where(seeks, 2, 3))),
        OCC=asked(works, np.array([f"{code}" for code in 1000 * rng.integers(1, 10, n) + 100
                  * rng.integers(1, 5, n) + 10 * rng.integers(1, 4, n)])),
        OCCTEXT=asked(works, said),
        IND=asked(works, np.array(list("ACFGHIKMOPQS"))[rng.integers(0, 12, n)]),
        EMPLOYER=asked(works, np.array([f"Firm {number} Ltd" for number in firm])),
        CONTRACT=asked(works, rng.choice([1, 2, 3, 8, 9], n, p=[0.6, 0.25, 0.13, 0.01, 0.01])),
        PUBLIC=asked(works, yes_no(0.22)),
        HOURS=asked(works, rng.normal(38, 9, n).clip(1, 90).astype(int)),
        HOURSACT=asked(works, rng.normal(35, 12, n).clip(0, 98).astype(int)),
        WAGE=asked(works, wage),
        BONUS=asked(works & (rng.random(n) < 0.3), np.round(rng.lognormal(6.5, 0.8, n), 0)),
        SECJOB=asked(works, yes_no(0.06)),
        SECHOURS=asked(works & (rng.random(n) < 0.06), rng.integers(1, 30, n)),
        SEEK=asked(adult & ~works, np.where(seeks, 1, 2)),
        SEEKDUR=asked(seeks, rng.geometric(0.1, n)),
        WHYNOT=asked(adult & ~works & ~seeks, rng.integers(1, 6, n)),
        PENSION=asked(adult, np.where(age > 64, 1, yes_no(0.04))),
        BENEFIT=asked(adult, yes_no(0.12)),
        UNION=asked(works, yes_no(0.18)),
        DISABLED=pl.Series(yes_no(0.06)),
        HEALTH=pl.Series(rng.choice([1, 2, 3, 8, 9], n, p=[0.66, 0.23, 0.09, 0.01, 0.01])),
        TRAIN=asked(adult, np.where(trained, 1, 2)),
        TRAINHRS=asked(adult & trained, rng.geometric(0.05, n)),
        COMMUTE=asked(works, rng.gamma(2, 14, n).astype(int)),
        TRANSP=asked(works, rng.integers(1, 5, n)),
        INTERNET=pl.Series(np.where(rng.random(homes) < 0.7, 1, 2)[home]),
        CAR=pl.Series(np.where(rng.random(homes) < 0.5, 1, 2)[home]),
        PROXY=pl.Series(yes_no(0.3)),
        REMARKS=asked(rng.random(n) < 0.12, np.array(_REMARKS)[rng.integers(0, len(_REMARKS), n)]),
    )  # fmt: skip
