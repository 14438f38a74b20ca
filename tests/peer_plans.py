"""What proposals lose beside what other programs do, at the same policy and by the same loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.compare.step_loss import measure_mean
from microsafe.io.argus.grc import read_grc
from microsafe.options.proposal import ProposedGuarantee
from microsafe.propose.ladders.user import LadderSource
from microsafe.steps import Recode
from microsafe.steps.base import Step
from microsafe.steps.recode import recode_from_grc

ADULT = ("adult_A1_srs05_s1", "adult_A1_strat05_s1", "adult_A2_srs05_s1")
Ladders = Mapping[str, LadderSource]


@dataclass(frozen=True)
class Outcome:
    """What it costs to meet a policy: loss of the keys, blanks, records that lose a value."""

    way: str
    loss: float
    blanks: int
    records: int


@dataclass(frozen=True)
class Example:
    """A file, a policy, recodes to choose from, and the recodes that a peer's example takes."""

    study: ms.Study
    policy: ms.Policy
    ladders: Ladders
    worked: Sequence[Step]
    touched: float = 1.0


def argus(peers: Path) -> Example:
    """mu-ARGUS's demo, its four keys, and the recodes of its manual."""
    folder = peers / "muargus" / "demodata"
    region, age = folder / "Region.grc", folder / "Age.grc"
    return Example(
        study=ms.study(
            folder / "Demodata.asc",
            keys=["REGION", "SEX", "AGE", "MARSTAT"],
            weight="WEIGHT",
            estimator="cell",
        ),
        policy=ms.Policy(record_risk=0.01),
        ladders={"REGION": region, "AGE": age},
        worked=[
            recode_from_grc(read_grc(region), "REGION"),
            recode_from_grc(read_grc(age), "AGE"),
        ],
    )


def sdcmicro(peers: Path, touched: float) -> Example:
    """sdcMicro's testdata, and the recode of age of its introduction: to 9, to 19 ... over 69."""
    return Example(
        study=ms.study(
            peers / "sdcmicro" / "in_testdata.csv",
            keys=["urbrur", "water", "sex", "age"],
            weight="sampling_weight",
            estimator="cell",
        ),
        policy=ms.Policy(k=3),
        ladders={},
        worked=[Recode(variable="age", breaks=(0, *range(10, 80, 10)))],
        touched=touched,
    )


def outcomes(example: Example) -> list[Outcome]:
    """The proposal, suppression alone, and the peer's recodes with the cheapest blanks."""
    study, keys = example.study, example.study.scenarios[0].keys
    best = study.propose(
        policy=example.policy, ladders=example.ladders, touched=example.touched
    ).best
    alone = study.propose(
        policy=example.policy, ladders={key: [] for key in keys}, touched=1.0
    ).best
    assert best is not None
    assert alone is not None
    done = study
    for step in (*example.worked, *alone.steps):
        done = done.apply(step)
    last = done.steps[-1]
    return [
        Outcome("proposed", best.loss, best.blanks, best.touched),
        Outcome("suppression alone", alone.loss, alone.blanks, alone.touched),
        Outcome("worked recodes", measure_mean(study, done, keys), last.total, last.records),
    ]


LEVELS: Mapping[str, Sequence[Mapping[str, Sequence[str]]]] = {
    "education": (
        {
            "primary": ("Preschool", "1st-4th", "5th-6th", "7th-8th"),
            "secondary": ("9th", "10th", "11th", "12th"),
            "college": ("Some-college", "Assoc-voc", "Assoc-acdm"),
            "postgraduate": ("Masters", "Prof-school", "Doctorate"),
        },
        {
            "school": ("primary", "secondary"),
            "middle": ("HS-grad", "college"),
            "degree": ("Bachelors", "postgraduate"),
        },
    ),
    "marital": (
        {
            "married": ("Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent"),
            "no more": ("Divorced", "Separated", "Widowed"),
        },
    ),
    "workclass": (
        {
            "own": ("Self-emp-inc", "Self-emp-not-inc"),
            "public": ("Federal-gov", "Local-gov", "State-gov"),
            "none": ("Without-pay", "Never-worked", "?"),
        },
    ),
}


def climb(key: str, code: str) -> list[str]:
    """Groups of a category of the adult samples, rung by rung, up to one group for all."""
    if key == "age5":
        return [code, str(int(code) // 2), str(int(code) // 4), "*"]
    if key == "race":
        return [code, "White" if code == "White" else "other", "*"]
    path = [code]
    for level in LEVELS.get(key, ()):
        path.append(next((new for new, old in level.items() if path[-1] in old), path[-1]))
    return [*path, "*"]


def adult(peers: Path, name: str) -> tuple[pl.DataFrame, dict[str, list[list[str]]]]:
    """A sample of adult, and for each key the way up of each category."""
    table = pl.read_csv(peers / "truth" / "samples" / f"{name}.csv").drop("id", "F_pop")
    table = table.with_columns(pl.exclude("weight").cast(pl.String))
    keys = [key for key in table.columns if key != "weight"]
    return table, {key: [climb(key, code) for code in table[key].unique().sort()] for key in keys}


def propose_adult(peers: Path, name: str, folder: Path, guarantee: ProposedGuarantee) -> Outcome:
    """k = 5 and blanks in at most 5 % of the records, ladders from hierarchy files."""
    table, ways = adult(peers, name)
    for key, rows in ways.items():
        (folder / f"{key}.csv").write_text("\n".join(map(";".join, rows)) + "\n", "utf-8")
    study = ms.study(table, keys=list(ways), weight="weight", estimator="cell")
    best = study.propose(
        policy=ms.Policy(k=5),
        ladders={key: folder / f"{key}.csv" for key in ways},
        touched=0.05,
        guarantee=guarantee,
    ).best
    assert best is not None
    assert best.met
    return Outcome(guarantee, best.loss, best.blanks, best.touched)


def whole_records(peers: Path, name: str) -> Outcome:
    """The best of all nodes if records that fewer than five share lose all keys, as ARX has it.

    Counted record by record, by nothing that the search uses.
    """
    table, ways = adult(peers, name)
    levels = []
    for key, rows in ways.items():
        place = np.searchsorted([row[0] for row in rows], table[key].to_numpy())
        levels.append(
            [np.unique(each, return_inverse=True)[1][place] for each in zip(*rows, strict=True)]
        )
    shares = [[_share(code) for code in each] for each in levels]
    found = []
    for node in product(*(range(len(each)) for each in levels)):
        codes = [each[rung] for each, rung in zip(levels, node, strict=True)]
        cell = np.ravel_multi_index(codes, [int(code.max()) + 1 for code in codes])
        gone = np.bincount(cell)[cell] < 5
        if gone.mean() <= 0.05:
            lost = 0.0
            for each, rung in zip(shares, node, strict=True):
                own, group = each[0], np.where(gone, 1.0, each[rung])
                bits = np.log2(group / own).sum()
                lost += float(bits / np.log2(1 / own).sum()) / len(node)
            records = int(gone.sum())
            found.append(Outcome("whole records", lost, records * len(node), records))
    return min(found, key=lambda each: each.loss)


def _share(values: np.ndarray) -> np.ndarray:
    """The share of each record's category."""
    _, code, count = np.unique(values, return_inverse=True, return_counts=True)
    return count[code] / len(values)
