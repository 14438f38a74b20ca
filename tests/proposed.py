"""Small files, and what proposals for them promise, by the files themselves."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.propose.proposal import Proposal


def read_keys(study: ms.Study, keys: tuple[str, ...], folder: Path) -> pl.DataFrame:
    study.write(folder / "file.csv", keep={each.name: "test" for each in study.schema})
    return pl.read_csv(folder / "file.csv", infer_schema=False).select(keys)


def measure_loss(
    start: ms.Study, done: ms.Study, weights: dict[str, float], folder: Path
) -> tuple[float, int, int]:
    """Return loss, blanks and records touched, by the files before, after recodes, and after."""
    keys = tuple(dict.fromkeys(key for each in start.scenarios for key in each.keys))
    recoded = done.undo() if any(taken.blanks for taken in done.steps) else done
    files = [read_keys(each, keys, folder) for each in (start, recoded, done)]
    total, blanks = 0.0, np.zeros(len(files[0]), np.int64)
    for key in keys:
        old, group, new = (each[key] for each in files)
        table = pl.DataFrame({"old": old, "group": group, "new": new}).with_row_index("at")
        blanks += (table["group"].is_not_null() & table["new"].is_null()).to_numpy()
        shown = table.filter(pl.col("old").is_not_null()).with_columns(
            pl.len().over("old").alias("x"), pl.len().over("group").alias("g")
        )
        n = len(shown)
        known = pl.when(pl.col("new").is_null()).then(n).otherwise("g")
        bits = shown.select((known / pl.col("x")).log(2).sum()).item()
        entropy = shown.select((pl.lit(n) / pl.col("x")).log(2).sum()).item()
        total += weights.get(key, 1.0) * (bits / entropy if entropy else 0.0)
    mean = total / sum(weights.get(key, 1.0) for key in keys)
    return mean, int(blanks.sum()), int((blanks > 0).sum())


def check_promises(
    found: Proposal, folder: Path, weights: dict[str, float] | None = None, most: int = 3
) -> None:
    for each in found.candidates[:most]:
        loss, blanks, touched = measure_loss(each.posed.start, each.study, {}, folder)
        assert loss == pytest.approx(each.loss, rel=1e-9)
        weighed = measure_loss(each.posed.start, each.study, weights or {}, folder)[0]
        assert weighed == pytest.approx(each.plan.loss, rel=1e-9)
        if weights:
            assert weighed == pytest.approx(each.loss_by_uses, rel=1e-9)
        assert (blanks, touched) == (each.blanks, each.touched)
        assert each.met
        assert all(taken.stuck == 0 for taken in each.study.steps)


def make_file(seed: int, rows: int = 250) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    homes = rows * 110 // 250
    columns: dict[str, object] = {}
    for name, size in (("a", 6), ("b", 4), ("c", 30)):
        value = np.floor(size * rng.random(rows) ** 1.5).astype(int)
        shown = rng.random(rows) > 0.03
        columns[name] = [int(v) if s else None for v, s in zip(value, shown, strict=True)]
    columns["home"] = np.sort(rng.integers(0, homes, rows)).tolist()
    shared = rng.integers(0, 3, homes)
    columns["d"] = shared[columns["home"]].tolist()
    columns["w"] = rng.uniform(3, 40, rows).round(1).tolist()
    return pl.DataFrame(columns)


def losses_by_hand(
    found: Proposal, most: float, folder: Path, weights: dict[str, float] | None = None
) -> list[float]:
    """Run all combinations of recodes with suppression; return the losses of those that do."""
    shown = found.best or found.nearest
    assert shown is not None
    posed = shown.posed
    assert posed.blanking
    losses = []
    for steps in product(*(ladder.steps for ladder in posed.lattice.problem.ladders)):
        done = posed.start
        for step in filter(None, steps):
            done = done.apply(step)
        for step in posed.blanking:
            done = done.apply(step)
        loss, _, touched = measure_loss(posed.start, done, weights or {}, folder)
        if touched <= most * found.records and not done.steps[-1].stuck:
            losses.append(loss)
    assert len(losses) < 100
    return losses
