"""CPU seconds of noise and of the risk of numeric variables.

    uv run python benchmarks/numeric.py [RECORDS]

Five lognormal variables that go together, weights, a million records unless said otherwise. The
smallest of three runs of each; bounds are those for a million.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.arrays import round_to
from microsafe.draws import Draws
from microsafe.risk.numeric.linkage import measure_linkage
from microsafe.risk.numeric.pairs import NumberPairs
from microsafe.steps.noise.kernel import NoiseModel
from microsafe.steps.noise.moments import find_moments
from microsafe.steps.rounding import round_at_random
from microsafe.steps.tails.kernel import find_tails

NAMES = tuple("abcde")
_AT_ONCE = 1 << 16


def make_people(records: int) -> tuple[list[np.ndarray], np.ndarray]:
    rng = np.random.default_rng(1)
    shared = rng.normal(size=records)
    values = [np.round(np.exp(7 + 0.7 * (shared + rng.normal(size=records))), 2) for _ in NAMES]
    return values, np.round(1 + rng.gamma(2, 20, records), 2)


def add_noise(values: list[np.ndarray], weight: np.ndarray, kind: str) -> list[np.ndarray]:
    """What the step does but reading and writing: moments, draws, noise, rounding."""
    records = len(weight)
    stratum = np.zeros(records, np.int64)
    moments = find_moments(values, weight=weight, stratum=stratum, strata=1)
    model = NoiseModel.of(kind, 0.1, moments)  # type: ignore[arg-type]
    draws = [Draws(seed=1, step=1, variable=name) for name in NAMES]
    numbers = np.arange(records, dtype=np.uint64)
    found: list[list[np.ndarray]] = [[] for _ in NAMES]
    for start in range(0, records, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        normals = [each.normals(numbers[part]) for each in draws]
        moved = model.add([each[part] for each in values], normals, stratum[part])
        for column, each in zip(found, moved, strict=True):
            column.append(round_to(each, 2))
    return [np.concatenate(column) for column in found]


def seconds(work: Callable[[], object]) -> float:
    """CPU time of the quickest of three runs."""
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return float(best)


def main() -> None:
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    values, weight = make_people(records)
    stratum = np.zeros(records, np.int64)
    moved = add_noise(values, weight, "correlated")
    numbers = np.arange(records, dtype=np.uint64)
    frame = pl.DataFrame(dict(zip(NAMES, values, strict=True)) | {"w": weight})
    frame = frame.with_columns((pl.int_range(pl.len()) % 8).alias("region"))
    study = ms.study(frame, keys=["region"], weight="w")
    pairs = NumberPairs(names=NAMES, before=values, after=moved, weight=weight)
    cases: dict[str, tuple[Callable[[], object], float | None]] = {
        "noise, additive, x 5": (lambda: add_noise(values, weight, "additive"), 1.0),
        "noise, correlated, x 5": (lambda: add_noise(values, weight, "correlated"), 1.0),
        "noise, multiplicative, x 5": (lambda: add_noise(values, weight, "multiplicative"), 1.0),
        "random rounding": (
            lambda: round_at_random(
                values[0], 100.0, Draws(seed=1, step=1, variable="a").uniforms(numbers)
            ),
            None,
        ),
        "tail by share, mean": (
            lambda: find_tails(
                values[0], weight=weight, stratum=stratum, strata=1, upward=True, replace="mean",
                share=0.01,
            ),
            None,
        ),
        "linkage x 5, 100,000 queries, outer 1 %, adjusted": (lambda: measure_linkage(pairs), 8.0),
        "the step noise, with the linkage of the outer 1 %": (
            lambda: study.noise(NAMES, kind="correlated", seed=1),
            None,
        ),
    }  # fmt: skip
    print(f"{records:,} records: CPU s")
    for name, (work, bound) in cases.items():
        limit = "" if bound is None else f"   (bound {bound:g})"
        print(f"{name:52}{seconds(work):6.2f}{limit}")


if __name__ == "__main__":
    main()
