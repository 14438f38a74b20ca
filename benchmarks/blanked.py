"""Whether blanked records are as safe as they are said to be.

Populations are simulated (populations.py), so that the people who share what a record still shows
can be counted. Every sample is suppressed under both estimators at several limits.

    uv run python benchmarks/validation.py --blanked
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import polars as pl

from microsafe import study
from populations import Drawn, drawn_samples

LIMITS = (0.05, 0.1, 0.2)
BINS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)


@dataclass(slots=True, kw_only=True)
class CellTally:
    """What became of the blanked records, limit by limit.

    Attributes:
        blanks: Values blanked.
        true: 1/F of every blanked record, F counted in the population by what it still shows.
        predicted: What it was said to be.
        passed: Records truly above the limit that were left as they are.
        above: Records truly above the limit before.
    """

    blanks: int = 0
    true: list[np.ndarray] = field(default_factory=list)
    predicted: list[np.ndarray] = field(default_factory=list)
    passed: int = 0
    above: int = 0


def report(replicates: int) -> None:
    """Print, by estimator and limit, what is true of the records that were blanked."""
    found: dict[tuple[str, float], CellTally] = {}
    for each in drawn_samples(replicates):
        for estimator in ("cell", "model"):
            for limit in LIMITS:
                _add(found.setdefault((estimator, limit), CellTally()), each, estimator, limit)
    print("own suppression; true over predicted among the blanked, and how many stay unsafe")
    print(
        f"  {'estimator':<10}{'limit':>6}{'blanks':>10}{'records':>10}{'true/pred.':>12}"
        f"{'above':>8}{'above 2x':>10}{'passed':>8}"
    )
    for (estimator, limit), tally in found.items():
        true, said = np.concatenate(tally.true), np.concatenate(tally.predicted)
        print(
            f"  {estimator:<10}{limit:>6}{tally.blanks:>10,}{len(true):>10,}"
            f"{true.sum() / said.sum():>12.2f}{(true > limit).mean():>8.1%}"
            f"{(true > 2 * limit).mean():>10.1%}{tally.passed / max(tally.above, 1):>8.1%}"
        )
    print("by predicted risk, all limits together")
    for estimator in ("cell", "model"):
        tallies = [tally for (name, _), tally in found.items() if name == estimator]
        true = np.concatenate([each for tally in tallies for each in tally.true])
        said = np.concatenate([each for tally in tallies for each in tally.predicted])
        print(f"  {estimator:<10}" + "".join(_ratios(true, said)))


def _ratios(true: np.ndarray, said: np.ndarray) -> Iterator[str]:
    for low, high in pairwise(BINS):
        inside = (said > low) & (said <= high)
        if inside.sum() >= 100:
            yield f"  {low}-{high}: {true[inside].sum() / said[inside].sum():.2f}"


def _add(tally: CellTally, each: Drawn, estimator: str, limit: float) -> None:
    opened = study(each.sample.frame, keys=each.sample.keys, weight="weight", estimator=estimator)
    before = opened.risk(one_estimator=True).records()["risk"].to_numpy()
    done = opened.suppress(above=limit)
    after = done.risk(one_estimator=True).records()["risk"].to_numpy()
    shown = _released(done, each.sample.keys)
    blank = shown.select(pl.any_horizontal(pl.all().is_null())).to_series().to_numpy()
    people = _people(each.people, shown, each.sample.keys)
    tally.blanks += done.steps[-1].total
    tally.true.append(1.0 / people[blank])
    tally.predicted.append(after[blank])
    truly = 1.0 / each.sample.frame["F_pop"].to_numpy() > limit
    tally.above += int(truly.sum())
    tally.passed += int((truly & (before <= limit)).sum())


def _released(done: object, keys: tuple[str, ...]) -> pl.DataFrame:
    """The keys of every record as released."""
    cells = done.engine.cells(done.scenario())
    number = done.engine.records(done.scenario(), {"cell": np.arange(len(cells))}, {})["cell"]
    table = pl.DataFrame(
        {
            key: [categories[c - 1] if c else None for c in codes.tolist()]
            for key, codes, categories in zip(keys, cells.codes, cells.categories, strict=True)
        },
        schema=dict.fromkeys(keys, pl.String),
    )
    return table[number.to_numpy()]


def _people(population: pl.DataFrame, shown: pl.DataFrame, keys: tuple[str, ...]) -> np.ndarray:
    """How many people share what each record shows."""
    result = np.zeros(len(shown))
    patterns = shown.select(pl.all().is_not_null()).with_row_index("row")
    for pattern, rows in patterns.group_by(keys, maintain_order=True):
        held = [key for key, shows in zip(keys, pattern, strict=True) if shows]
        place = rows["row"].to_numpy()
        if not held:
            result[place] = len(population)
            continue
        counts = population.group_by(held).agg(people=pl.len())
        joined = shown[place].join(counts, on=held, how="left", maintain_order="left")
        result[place] = joined["people"].to_numpy()
    return result
