"""Numbers and keys that were perturbed together, beside what intruders really hit.

    uv run python benchmarks/perturbation.py --numbers

An intruder knows keys and numbers of people exactly. For a record he looks, among the people who
have its keys, for the nearest numbers; he may leave out keys that were perturbed. Hits are his
right matches as a mean over draws of the steps: with a register of everybody, and with one of the
people in the file only. Populations are simulated, and two samples of other programs taken as
complete, if they are there (MICROSAFE_PEERS). docs/methods/perturbed-risk.md has the tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import microsafe as ms
from microsafe.risk.numeric.pairs import NumberPairs, take_logarithms
from perturbation import chances, draw_states, table
from populations import households, mixture

PEERS = Path(os.environ.get("MICROSAFE_PEERS", Path(__file__).parents[2] / "shared" / "peers"))
LEAST = 20  # hits, below which a ratio is mostly chance
KEYS, NUMBERS = ("k0", "k1", "k2"), ("n0", "n1")
Perturb = Callable[[ms.Study, int], ms.Study]


def simulate(make: Callable[..., np.ndarray], seed: int, people: int = 20_000) -> pl.DataFrame:
    """Lognormal numbers that go together, and by the keys."""
    sizes = (6, 8, 5)
    codes = make(sizes, people, seed)
    rng = np.random.default_rng([seed, 7])
    shared = rng.normal(size=people)
    columns: dict[str, Any] = {key: codes[:, j] for j, key in enumerate(KEYS)}
    for name in NUMBERS:
        level = sum(rng.normal(0, 0.3, size)[codes[:, j]] for j, size in enumerate(sizes))
        own = rng.normal(size=people)
        columns[name] = np.round(np.exp(7 + level + 0.5 * (shared + own)))
    return pl.DataFrame(columns)


def survey() -> pl.DataFrame:
    """People of the demo: many have no income, and age is a number."""
    people = ms.survey(9, households=6000).frame
    return people.select(
        k0="sex", k1="region", k2="marital", n0=pl.col("income").fill_null(0), n1="age"
    ).drop_nulls()


def testdata() -> pl.DataFrame:
    """sdcMicro's testdata, taken as complete."""
    people = pl.read_csv(PEERS / "sdcmicro" / "in_testdata.csv")
    decade = (pl.col("age") // 10).cast(pl.Int64)
    return people.select(k0="sex", k1=decade, k2="roof", n0="income", n1="expend").drop_nulls()


def demodata() -> pl.DataFrame:
    """mu-ARGUS's demo file, taken as complete: its last four columns are money."""
    people = pl.read_csv(PEERS / "muargus" / "demodata" / "Demofree.asc", has_header=False)
    names = people.columns
    decade = pl.col(names[2]) // 10
    return people.select(k0=names[1], k1=decade, k2=names[8], n0=names[-2], n1=names[-1])


POPULATIONS: dict[str, Callable[[], pl.DataFrame]] = {
    "mixture": lambda: simulate(mixture, 300),
    "clumps": lambda: simulate(households, 302),
    "survey": survey,
    "testdata": testdata,
    "demodata": demodata,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is done to keys and to numbers."""

    name: str
    perturbed: tuple[str, ...]
    perturb: Perturb
    noise: tuple[str, float] | None = None


def pram(keep: float, *names: str) -> Perturb:
    def perturb(study: ms.Study, seed: int) -> ms.Study:
        for name in names:
            study = study.pram(name, keep=keep, seed=seed)
        return study

    return perturb


def noisy(keep: float, kind: Any, variance: float) -> Case:
    def perturb(study: ms.Study, seed: int) -> ms.Study:
        study = pram(keep, "k1")(study, seed)
        return study.noise(NUMBERS, kind=kind, variance=variance, seed=seed)

    name = f"PRAM {keep:g}, {kind} {variance:g}"
    return Case(name=name, perturbed=("k1",), perturb=perturb, noise=(kind, variance))


def then(name: str, keys: Perturb, numbers: Perturb, *perturbed: str) -> Case:
    return Case(
        name=name, perturbed=perturbed, perturb=lambda study, seed: numbers(keys(study, seed), seed)
    )


def swap(study: ms.Study, seed: int) -> ms.Study:
    """People change places, as households of one."""
    return study.swap("home", ["k1"], risk_keys=["k0", "k2"], k=2, rate=0.3, seed=seed)


CASES = (
    noisy(0.8, "additive", 0.01),
    noisy(0.8, "multiplicative", 0.1),
    noisy(0.3, "multiplicative", 0.01),
    then(
        "PRAM 0.7 x 2, MDAV 3",
        pram(0.7, "k1", "k2"),
        lambda study, _: study.microaggregate(NUMBERS, k=3),
        "k1", "k2",
    ),
    then(
        "PRAM 0.7 x 2, rank swap 5 %",
        pram(0.7, "k1", "k2"),
        lambda study, seed: study.rank_swap(NUMBERS, percent=5, seed=seed),
        "k1", "k2",
    ),
    then("swap 30 %, MDAV 10", swap, lambda study, _: study.microaggregate(NUMBERS, k=10), "k1"),
    then(
        "PRAM 0.3, rank swap 60 %",
        pram(0.3, "k1"),
        lambda study, seed: study.rank_swap(NUMBERS, percent=60, seed=seed),
        "k1",
    ),
    then("PRAM 0.3, numbers as they are", pram(0.3, "k1"), lambda study, _: study, "k1"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Records or people: numbers, as coordinates, and classes of equal keys."""

    at: np.ndarray
    group: np.ndarray


def find_links(seekers: Points, people: Points, own: np.ndarray) -> np.ndarray:
    """1 / m where the own one is among the m nearest of equal keys: all pairs."""
    linked = np.zeros(len(own))
    order = np.argsort(people.group, kind="stable")
    ordered = people.group[order]
    for group in np.unique(seekers.group):
        start, end = np.searchsorted(ordered, [group, group + 1])
        others = people.at[order[start:end]]
        rows = np.flatnonzero((seekers.group == group) & (people.group[own] == group))
        for some in np.array_split(rows, len(rows) // 500 + 1):
            mine = ((seekers.at[some] - people.at[own[some]]) ** 2).sum(axis=1)[:, None]
            away = ((seekers.at[some][:, None] - others[None]) ** 2).sum(axis=2)
            tied = np.maximum((away == mine).sum(axis=1), 1)
            linked[some] = np.where((away < mine).any(axis=1), 0.0, 1.0 / tied)
    return linked


def classes(frames: Sequence[pl.DataFrame], keys: Sequence[str]) -> list[np.ndarray]:
    """Classes of equal keys, over several frames."""
    if not keys:
        return [np.zeros(each.height, np.int64) for each in frames]
    both = pl.concat([each.select(pl.col(keys).cast(pl.String)) for each in frames])
    group = both.select(pl.struct(keys).rank("dense").cast(pl.Int64)).to_series().to_numpy()
    return np.split(group, np.cumsum([each.height for each in frames])[:-1])


class Simulation:
    """One sample, and what intruders hit of it."""

    def __init__(self, people: pl.DataFrame, fraction: float, seed: int) -> None:
        rng = np.random.default_rng([seed, int(1000 * fraction)])
        self.people = people
        self.drawn = np.flatnonzero(rng.random(people.height) < fraction)
        self.sample = people[self.drawn].with_columns(
            weight=pl.lit(1 / fraction), home=pl.int_range(len(self.drawn))
        )
        self.start = ms.study(self.sample, keys=KEYS, weight="weight", clip_weights=True)

    def scales(self, shown: pl.DataFrame) -> list[tuple[np.ndarray, np.ndarray]]:
        """Coordinates of everybody and of what is released: differences, and ratios."""
        columns = [
            [frame[name].cast(pl.Float64).to_numpy() for name in NUMBERS]
            for frame in (self.sample, self.people, shown)
        ]
        found = []
        # Everybody's numbers go through as if they were released, in the unit of the sample.
        for frame in (columns[1], columns[2]):
            pairs = NumberPairs(names=NUMBERS, before=columns[0], after=frame)
            found.append(
                [
                    np.stack([a / s for a, s in zip(p.after, p.spreads(), strict=True)], axis=1)
                    for p in (pairs, take_logarithms(pairs))
                ]
            )
        return list(zip(*found, strict=True))

    def measure(self, case: Case, draws: int) -> dict[str, float]:
        """Hits and estimates, as means over draws."""
        states = draw_states(self.start, case.perturb, draws)
        gone = chain.from_iterable(
            combinations(case.perturbed, size) for size in range(len(case.perturbed) + 1)
        )
        sets = [tuple(key for key in KEYS if key not in each) for each in gone]
        chance = [chances(states[0], keys) for keys in sets]
        found = [self.compare(each, case, sets, chance) for each in states]
        return {name: float(np.mean([each[name] for each in found])) for name in found[0]}

    def compare(
        self, state: ms.Study, case: Case, sets: list[tuple[str, ...]], chance: list[np.ndarray]
    ) -> dict[str, float]:
        """One draw. Of differences and ratios an intruder takes what is better."""
        shown = table(state)
        by_scale = []
        for everybody, released in self.scales(shown):
            known, hits, in_file, turned = [], [], [], []
            mine = everybody[self.drawn]
            me = np.arange(len(mine))
            for keys in sets:
                people, true, seen = classes([self.people, self.sample, shown], keys)
                kept, truly = Points(at=released, group=seen), Points(at=released, group=true)
                register = Points(at=everybody, group=people)
                listed = Points(at=mine, group=true)
                known.append(find_links(truly, register, self.drawn))
                hits.append(find_links(kept, register, self.drawn))
                in_file.append([find_links(each, listed, me) for each in (truly, kept)])
                turned.append(float(find_links(listed, kept, me).sum()))
            best = np.argmax([c * k for c, k in zip(chance, known, strict=True)], axis=0)
            inside = np.array(in_file)
            best_inside = np.argmax([c * k for c, k in zip(chance, inside[:, 0], strict=True)], 0)
            alone = Points(at=released, group=classes([shown], KEYS)[0])
            by_scale.append(
                {
                    "hits": float(np.array(hits)[best, me].sum()),
                    "one_set": max(float(each.sum()) for each in hits),
                    "known": float((np.array(chance) * known).max(axis=0).sum()),
                    "in_file": float(inside[best_inside, 1, me].sum()),
                    "turned": max(turned),
                    "released": float(
                        find_links(alone, Points(at=mine, group=alone.group), me).sum()
                    ),
                }
            )
        made = {name: max(each[name] for each in by_scale) for name in by_scale[0]}
        linkage = state.numeric_risk(NUMBERS).linkage
        made |= {"headline": linkage.all.expected, "adjusted": linkage.adjusted.expected}
        for name, frame, own in (
            ("informed", self.people, self.drawn),
            ("informed_in_file", self.sample, np.arange(len(self.drawn))),
        ):
            made[name] = self.inform(state, case, frame, own)
        return made

    def inform(self, state: ms.Study, case: Case, people: pl.DataFrame, own: np.ndarray) -> float:
        """Hits of one who knows matrix and noise, and takes whom Bayes makes most probable."""
        if case.noise is None or state._perturbation is None:
            return float("nan")
        kind, variance = case.noise
        link: Any = state._perturbation.transitions["k1"].links[0]
        code_of = {code: place for place, code in enumerate(link.categories)}
        shown = table(state)
        codes, seen = (
            np.array([code_of.get(code, -1) for code in frame["k1"].cast(pl.String)])
            for frame in (people, shown)
        )
        others = [key for key in KEYS if key != "k1"]
        group, here = classes([people, shown], others)
        spread = [float(self.sample[name].std()) for name in NUMBERS]  # type: ignore[arg-type]
        hits = 0.0
        for each in np.unique(here):
            rows, some = (
                np.flatnonzero(here == each),
                np.flatnonzero((group == each) & (codes >= 0)),
            )
            with np.errstate(divide="ignore", invalid="ignore"):
                chance = np.log(link.matrices[()][codes[some]][:, seen[rows]].T)
                for name, unit in zip(NUMBERS, spread, strict=True):
                    old = people[name].cast(pl.Float64).to_numpy()[some][None]
                    new = shown[name].cast(pl.Float64).to_numpy()[rows][:, None]
                    if kind == "additive":
                        away = ((new - old) / unit) ** 2 / variance
                    else:
                        width = np.log1p(variance)
                        away = (np.log(new / old) + width / 2) ** 2 / width
                    same = np.where(new == old, 0.0, np.inf)  # zeros stay
                    chance -= np.where((old == 0) | (new == 0), same, away) / 2
            top = chance == chance.max(axis=1)[:, None]
            right = top & (some[None] == own[rows][:, None])
            hits += float((right / top.sum(axis=1)[:, None]).sum())
        return hits


COLUMNS: dict[str, tuple[str, str]] = {
    "κ·L": ("known", "hits"),
    "one set": ("one_set", "hits"),
    "headline": ("headline", "in_file"),
    "as shown": ("released", "in_file"),
    "turned": ("turned", "headline"),
    "informed": ("informed_in_file", "headline"),
    "all": ("headline", "hits"),
    "adjusted": ("adjusted", "hits"),
    "informed all": ("informed", "headline"),
}


def compare_numbers_and_keys(draws: int) -> None:
    """Print hits, and what estimates are of them."""
    print("\nNumbers and keys together: hits of those who may leave keys out, and ratios")
    print(f"{'population':10} {'sample':>6} {'step':31} {'hits':>7} {'in file':>7} "
          + " ".join(f"{name:>12}" for name in COLUMNS))  # fmt: skip
    found: list[dict[str, float]] = []
    for number, (name, make) in enumerate(POPULATIONS.items()):
        try:
            people = make()
        except FileNotFoundError:
            print(f"{name:10} is not there")
            continue
        for fraction in (0.03, 0.1, 0.2):
            simulation = Simulation(people, fraction, number)
            for case in CASES:
                made = simulation.measure(case, draws)
                ratios = {
                    each: made[one] / made[of] if made[of] else float("nan")
                    for each, (one, of) in COLUMNS.items()
                }
                if made["hits"] >= LEAST:
                    found.append(ratios)
                numbers = " ".join(f"{each:12.3f}" for each in ratios.values())
                print(f"{name:10} {fraction:6.0%} {case.name:31} {made['hits']:7.1f} "
                      f"{made['in_file']:7.1f} {numbers}", flush=True)  # fmt: skip
    print(f"cases with {LEAST} hits or more:")
    for name in COLUMNS:
        values = np.array([each[name] for each in found])
        values = values[np.isfinite(values)]
        print(f"{name:12} {values.min():.3f} to {values.max():.3f}, median {np.median(values):.3f} "
              f"of {len(values)}")  # fmt: skip
