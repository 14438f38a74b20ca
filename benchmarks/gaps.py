"""How far off the expected matches with gaps are after suppression.

    uv run python benchmarks/gaps.py             by guarantee, over all samples
    uv run python benchmarks/gaps.py --cases     one line for each sample, too

Truth: for each released record the number of records with gaps that had what it shows. Rules:

    file       a blank hides what other records show (all that a released file allows)
    blanked    it hides what was blanked in that key, whatever else the record shows
    at least m it hides what was blanked in those keys, given what the record still shows; keys with
               many categories are left out of the condition until m blanked records meet it
    original   it hides what it hides: counted in the original (`missing="expected"` of a study)
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl

from microsafe import Study, study
from microsafe.risk import measure
from populations import Sample

GUARANTEES = ("own", "strict", "shared")
K = 3
LEAST = (2, 5, 20)
Table = tuple[np.ndarray, np.ndarray]
Chance = Callable[[np.ndarray, int, int], np.ndarray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class File:
    """A file before and after suppression: codes by key and record, 0 for missing."""

    original: np.ndarray
    released: np.ndarray

    @classmethod
    def of(cls, before: pl.DataFrame, after: pl.DataFrame) -> File:
        """Code two states of the same complete records alike."""
        sides: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        for name in before.columns:
            codes = {value: code for code, value in enumerate(before[name].unique().sort(), 1)}
            for side, frame in zip(sides, (before, after), strict=True):
                side.append(np.array([codes.get(value, 0) for value in frame[name]]))
        return cls(original=np.stack(sides[0]), released=np.stack(sides[1]))

    @property
    def shown(self) -> np.ndarray:
        """The keys that each record shows, as bits."""
        return sum((codes > 0).astype(np.int64) << j for j, codes in enumerate(self.released))

    def words(self, codes: np.ndarray, keys: int) -> np.ndarray:
        """Number combinations of some keys."""
        words = np.zeros(codes.shape[1], np.int64)
        for j, size in enumerate(self.original.max(axis=1)):
            if keys >> j & 1:
                words = words * (size + 1) + codes[j]
        return words

    def tabulate(self, codes: np.ndarray, keys: int) -> Table:
        """Count combinations of some keys."""
        return np.unique(self.words(codes, keys), return_counts=True)

    def find(self, table: Table, codes: np.ndarray, keys: int) -> np.ndarray:
        """Look up how many records have what some records show."""
        distinct, count = table
        words = self.words(codes, keys)
        place = np.searchsorted(distinct, words) % max(len(distinct), 1)
        return np.where(distinct[place] == words, count[place], 0) if len(distinct) else 0 * words

    def pairs(self) -> Iterator[tuple[np.ndarray, int, int, np.ndarray]]:
        """Go through all that match through gaps: records, common and hidden keys, partners."""
        shown = self.shown
        masks = np.unique(shown).tolist()
        for mask in masks:
            rows = self.released[:, shown == mask]
            for hidden in sorted({mask & ~other for other in masks} - {0}):
                yield rows, mask & ~hidden, hidden, (mask & ~shown) == hidden

    def sum_matches(self, chance: Chance) -> float:
        """Expected matches through gaps of all records."""
        total = 0.0
        for rows, common, hidden, partners in self.pairs():
            count = self.find(self.tabulate(self.released[:, partners], common), rows, common)
            met = np.flatnonzero(count)
            total += float((count[met] * chance(rows[:, met], common, hidden)).sum())
        return total

    def true_matches(self) -> int:
        """Records with gaps that had what a record shows, over all records."""
        total = 0
        for rows, common, hidden, partners in self.pairs():
            keys = common | hidden
            total += int(
                self.find(self.tabulate(self.original[:, partners], keys), rows, keys).sum()
            )
        return total

    def chance_at_least(self, least: int) -> Chance:
        """What was blanked in the hidden keys, given as much as `least` blanked records meet."""
        shown = self.shown
        order = np.argsort(-self.original.max(axis=1), kind="stable").tolist()

        @cache
        def table(hidden: int, given: int, keys: int) -> Table:
            pool = ((shown & hidden) == 0) & ((shown & given) == given)
            return self.tabulate(self.original[:, pool], keys)

        def chance(rows: np.ndarray, common: int, hidden: int) -> np.ndarray:
            found = self.chance_blanked(rows, common, hidden)
            given, steps = 0, [0]
            for key in reversed(order):  # conditions come back, the most detailed last
                if common >> key & 1:
                    given |= 1 << key
                    steps.append(given)
            for given in steps:
                met = self.find(table(hidden, given, given), rows, given)
                agree = self.find(table(hidden, given, given | hidden), rows, given | hidden)
                found = np.where(met >= least, agree / np.maximum(met, 1), found)
            return found

        return chance

    def chance_blanked(self, rows: np.ndarray, common: int, hidden: int) -> np.ndarray:  # noqa: ARG002
        """What was blanked in each key by itself."""
        chance = np.ones(rows.shape[1])
        for j, codes in enumerate(self.original):
            if hidden >> j & 1:
                lost = codes[self.released[j] == 0]
                chance *= np.bincount(lost, minlength=codes.max() + 1)[rows[j]] / len(lost)
        return chance


def overstatements(sample: Sample, guarantee: str) -> tuple[int, dict[str, float]]:
    """Return true matches through gaps, and how many times so many each rule expects."""
    data = study(sample.frame, keys=sample.keys, weight="weight", clip_weights=True)
    done = data.suppress(k=K, guarantee=guarantee)
    file = File.of(sample.frame.select(sample.keys), done.engine.table().select(sample.keys))
    truth = file.true_matches()
    found = {"file": _sum_of_study(done, known=False)}
    found["blanked"] = file.sum_matches(file.chance_blanked)
    found |= {f"at least {m}": file.sum_matches(file.chance_at_least(m)) for m in reversed(LEAST)}
    found["original"] = _sum_of_study(done, known=True)
    return truth, {name: value / truth for name, value in found.items()}


def _sum_of_study(done: Study, *, known: bool) -> float:
    weighed = done.with_scenario("weighed", keys=done.scenario().keys, missing="expected")
    weighed = weighed.with_scenario("shown", keys=done.scenario().keys, alpha=0.0)
    chosen = weighed.scenario("weighed")
    cells = weighed.engine.cells(chosen)
    reference = weighed._reference(chosen) if known else None
    f = measure(cells, chosen, reference=reference).f
    return float((f - measure(cells, weighed.scenario("shown")).f) @ cells.count)


def report(samples: Iterable[Sample], *, cases: bool) -> None:
    """Print by guarantee how many times too many matches each rule expects."""
    found: dict[str, list[tuple[int, dict[str, float]]]] = {}
    for sample in samples:
        for guarantee in GUARANTEES:
            truth, times = overstatements(sample, guarantee)
            found.setdefault(guarantee, []).append((truth, times))
            if cases:
                told = "".join(f"{name} {value:.2f}  " for name, value in times.items())
                print(f"{sample.name:<24} {guarantee:<7} true {truth:>6,}  {told}")
    print(f"\nMatches through gaps after suppress(k={K}), expected over true: all files (range)")
    for guarantee, each in found.items():
        total = sum(truth for truth, _ in each)
        print(f"  {guarantee}: {len(each)} files, {total:,} true matches")
        for name in each[0][1]:
            ratio = [times[name] for _, times in each]
            pooled = sum(truth * times[name] for truth, times in each) / total
            print(f"    {name:<12}{pooled:>8.2f}  ({min(ratio):.2f} to {max(ratio):.2f})")


def main() -> None:
    from validation import truth_cases

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", action="store_true", help="print every sample, too")
    report(truth_cases(), cases=parser.parse_args().cases)


if __name__ == "__main__":
    main()
