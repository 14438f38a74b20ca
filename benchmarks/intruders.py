"""What intruders are said to find, against what they would: populations that are known.

    uv run python benchmarks/intruders.py          every section
    uv run python benchmarks/intruders.py gaps     one of them

A section is a function that prints its table; `SECTIONS` lists them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import polars as pl

from microsafe import study
from populations import Drawn, drawn_samples, two_way

RATES = (0.0, 0.01, 0.05, 0.10, 0.15, 0.30)
COST = (20, 2, 12, 5, 8, 10, 6, 4), 100_000  # levels of the keys, records


def hide(codes: np.ndarray, rate: float, kind: str, seed: int) -> np.ndarray:
    """Return which values are missing.

    Args:
        codes: Values by record and key.
        rate: Share of the values that are missing, about.
        kind: "mcar": any alike; "mar": all keys but the first, by where that one is; "rare": the
            rarer half of a key's values 2.5 times as often, which no method can know.
        seed: Of the draws.
    """
    rng = np.random.default_rng([seed, int(1000 * rate)])
    chance = np.full(codes.shape, rate)
    if kind == "mar":
        chance[:, 1:] *= np.where(codes[:, :1] < np.median(codes[:, 0]), 1.7, 0.5)
    if kind == "rare":
        for key in range(codes.shape[1]):
            records = np.bincount(codes[:, key])
            chance[records[codes[:, key]] < np.median(records[records > 0]), key] *= 2.5
    return rng.random(codes.shape) < chance


def count_people(people: np.ndarray, drawn: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """Return how many people have the values that each record shows."""
    sizes = people.max(axis=0).astype(np.int64) + 1
    masks = ~hidden @ (1 << np.arange(hidden.shape[1]))
    found = np.empty(len(drawn))
    for mask in np.unique(masks):
        keys = [key for key in range(len(sizes)) if mask >> key & 1]
        rows = np.flatnonzero(masks == mask)
        places = []
        for codes in (people, drawn[rows]):
            place = np.zeros(len(codes), np.int64)
            for key in keys:
                place = place * sizes[key] + codes[:, key]
            places.append(place)
        values, counts = np.unique(places[0], return_counts=True)
        found[rows] = counts[np.searchsorted(values, places[1])]
    return found


def with_gaps(codes: np.ndarray, hidden: np.ndarray, weight: np.ndarray) -> pl.DataFrame:
    """Return the file that a survey with these gaps leaves."""
    columns = {
        f"k{key}": pl.Series(np.where(gone, -1, values)).replace(-1, None)
        for key, (values, gone) in enumerate(zip(codes.T, hidden.T, strict=True))
    }
    return pl.DataFrame(columns).with_columns(w=pl.Series(weight))


def judge_gaps(drawn: Drawn, kind: str, rate: float, seed: int) -> Iterator[float]:
    """Return claimed, true, and claimed by cell: the expected number of right matches."""
    keys = drawn.sample.keys
    people, codes = (
        each.select(keys).cast(pl.Int64).to_numpy() for each in (drawn.people, drawn.sample.frame)
    )
    hidden = hide(codes, rate, kind, seed)
    frame = with_gaps(codes, hidden, drawn.sample.frame["weight"].to_numpy())
    names = frame.columns[:-1]
    yield study(frame, keys=names, weight="w", estimator="model").risk(both=False).expected
    yield float((1.0 / count_people(people, codes, hidden)).sum())
    yield study(frame, keys=names, weight="w", estimator="cell").risk(both=False).expected


def gaps() -> None:
    """Natural gaps of keys: by the model integrated out, by cell as wildcards."""
    samples = list(drawn_samples(1))
    print(f"Gaps: claimed / true over {len(samples)} samples of simulated populations:")
    print("all together (smallest .. largest of a sample), estimator model; all together by cell\n")
    print("| missing | " + " | ".join(f"{rate:.0%}" for rate in RATES) + " |")
    print("|---|" + "---|" * len(RATES))
    for kind in ("mcar", "mar", "rare"):
        cells = []
        for rate in RATES:
            found = np.array(
                [list(judge_gaps(each, kind, rate, n)) for n, each in enumerate(samples)]
            )
            model, true, cell = found.sum(axis=0)
            each = found[:, 0] / found[:, 1]
            cells.append(
                f"{model / true:.2f} ({each.min():.2f} .. {each.max():.2f}); {cell / true:.2f}"
            )
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
    print_cost()


def print_cost() -> None:
    """What `risk` takes with 5 % gaps, beside the same without."""
    sizes, records = COST
    codes = two_way(sizes, records, 3)
    for rate in (0.0, 0.05):
        frame = with_gaps(codes, hide(codes, rate, "mcar", 1), np.full(records, 20.0))
        data = study(frame, keys=frame.columns[:-1], weight="w", estimator="model")
        start = time.process_time()
        data.risk()
        took = time.process_time() - start
        print(f"risk of {records:,} records x {len(sizes)} keys, {rate:.0%} gaps: {took:.1f} CPU s")


SECTIONS: Mapping[str, Callable[[], None]] = {"gaps": gaps}

if __name__ == "__main__":
    for name in sys.argv[1:] or SECTIONS:
        SECTIONS[name]()
