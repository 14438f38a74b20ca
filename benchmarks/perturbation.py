"""Risk after perturbation, beside what an intruder really hits in populations that are known.

    uv run python benchmarks/perturbation.py            all tables
    uv run python benchmarks/perturbation.py --draws 5  quicker, with more noise
    uv run python benchmarks/perturbation.py --swap     swapping of households only
    uv run python benchmarks/perturbation.py --numbers  numbers and keys together only
    uv run python benchmarks/perturbation.py --speed    CPU seconds of PRAM

T is what an intruder hits who knows the keys of everybody in the population and looks for equal
ones, as a mean over many draws of the step. Drift is what the estimate is of T, over the same ratio
before the step: 1 says that the step adds no error. docs/methods/perturbed-risk.md has the tables.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

import microsafe as ms
from populations import households, mixture, two_way

BATCH = 1 << 17
SIZES, PEOPLE = (6, 8, 5, 7), 20_000
MAKERS = {"mixture": mixture, "two-way": two_way, "clumps": households}
Perturb = Callable[[ms.Study, int], ms.Study]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A sample, and the population that it was drawn from."""

    name: str
    people: pl.DataFrame
    sample: pl.DataFrame
    keys: tuple[str, ...]

    def study(self, **options: Any) -> ms.Study:
        """Open the sample."""
        return ms.study(self.sample, keys=self.keys, weight="weight", clip_weights=True, **options)

    def people_like(self, keys: Sequence[str]) -> np.ndarray:
        """For each record the people who share some of its keys."""
        counts = self.people.group_by(keys).len("people")
        return self.sample.join(counts, on=list(keys), how="left", maintain_order="left")[
            "people"
        ].to_numpy()


def files(fraction: float, *, unequal: bool = False) -> list[File]:
    """Draw a sample from every population."""
    made = []
    for number, (name, make) in enumerate(MAKERS.items()):
        codes = make(SIZES, PEOPLE, 300 + number)
        keys = tuple(f"k{place}" for place in range(len(SIZES)))
        people = pl.DataFrame({key: codes[:, j] for j, key in enumerate(keys)}).cast(pl.String)
        rng = np.random.default_rng([number, int(1000 * fraction)])
        ratio = np.array([0.5, 1.0, 2.0])[codes[:, 0] % 3] if unequal else np.ones(PEOPLE)
        chance = np.minimum(fraction * ratio, 1.0)
        drawn = np.flatnonzero(rng.random(PEOPLE) < chance)
        sample = people[drawn].with_columns(weight=pl.Series(1.0 / chance[drawn]))
        made.append(File(name=name, people=people, sample=sample, keys=keys))
    return made


def pram(*names: str, keep: float, above: float | None = None) -> Perturb:
    """Perturb some keys."""

    def perturb(study: ms.Study, seed: int) -> ms.Study:
        for name in names:
            study = study.pram(name, keep=keep, above=above, seed=seed)
        return study

    return perturb


def draw_states(start: ms.Study, perturb: Perturb, draws: int) -> list[ms.Study]:
    """Take a step again and again; a draw in 16,000 is refused, as it looks like a fault."""
    made: list[ms.Study] = []
    seed = 0
    while len(made) < draws:
        seed += 1
        with suppress(ms.InputError):
            made.append(perturb(start, seed))
    return made


def table(study: ms.Study) -> pl.DataFrame:
    """All records as they are released."""
    engine: Any = study.engine
    return engine.table()


def kept(file: File, done: ms.Study, keys: Sequence[str]) -> np.ndarray:
    """Which records show their true keys."""
    shown = table(done)
    stays = np.ones(file.sample.height, np.bool_)
    for key in keys:
        stays &= (shown[key] == file.sample[key]).to_numpy()
    return stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was estimated of one case, over what is true."""

    known: float
    cell: float
    model: float
    released: float
    gain: float
    true_gain: float


def measure(file: File, perturb: Perturb, draws: int) -> Found:
    """Compare one case with the truth."""
    start = file.study()
    size = file.people_like(file.keys)
    states = draw_states(start, perturb, draws)
    truth = float(np.mean([np.sum(kept(file, each, file.keys) / size) for each in states]))
    before = float(np.sum(1.0 / size))
    done = states[0]
    risk, plain = done.risk(), start.risk()
    assert risk.perturbed is not None
    modelled = file.study(estimator="model")
    by_model = perturb(modelled, 1).risk().expected / modelled.risk().expected
    exact = chances(done, file.keys)
    naive = np.mean([
        ms.study(table(s), keys=file.keys, weight="weight", clip_weights=True).risk().expected
        for s in states[:5]
    ])  # fmt: skip
    return Found(
        known=float(np.sum(exact / size)) / truth,
        cell=(risk.perturbed.kept_expected / plain.expected) / (truth / before),
        model=by_model / (truth / before),
        released=float(naive) / plain.expected / (truth / before),
        gain=risk.perturbed.informed_gain or float("nan"),
        true_gain=informed(file, done),
    )


def chances(done: ms.Study, keys: Sequence[str]) -> np.ndarray:
    """Chance of each record to keep all its keys."""
    from microsafe.steps.perturbation import find_subject

    subject = find_subject(done.engine, done._perturbation, done.scenario())
    assert subject.kept is not None
    by_cell = subject.kept.chance(tuple(keys))
    frame: Any = subject.engine.records(subject.scenario, {"kept": by_cell}, {})
    return frame["kept"].to_numpy()


def informed(file: File, done: ms.Study) -> float:
    """Gain of an intruder who knows the chances and has a register of everybody.

    Only for steps that are the same for all records; not a number otherwise.
    """
    known = done._perturbation
    assert known is not None
    if any(len(each.columns) > 1 for each in known.transitions.values()):
        return float("nan")
    cells = file.people.group_by(file.keys).len("people")
    there = file.sample.group_by(file.keys).len("records")
    cells = cells.join(there, on=list(file.keys), how="left").fill_null(0)
    others = [key for key in file.keys if key not in known.transitions]
    tables = {}
    for key, transition in known.transitions.items():
        link: Any = transition.links[0]
        tables[key] = (list(link.categories), link.matrices[()])
    hits = exact = 0.0
    for _, group in cells.group_by(others):
        weight = (group["records"] / group["people"]).to_numpy()
        rows = np.ones((group.height, 1))
        own = np.ones(group.height)
        for key, (codes, matrix) in tables.items():
            code_of = {code: place for place, code in enumerate(codes)}
            place = np.array([code_of.get(code, -1) for code in group[key]])
            row = np.where(place[:, None] >= 0, matrix[place], 0.0)
            own *= np.where(place >= 0, matrix[place, place], 0.0)
            rows = (rows[:, :, None] * row[:, None, :]).reshape(group.height, -1)
        best = np.argmax(rows, axis=0)
        hits += float(np.sum(rows[best, np.arange(rows.shape[1])] * weight[best]))
        exact += float(np.sum(own * weight))
    return hits / exact


CASES: dict[str, Perturb] = {
    "one key, keep 0.9": pram("k1", keep=0.9),
    "one key, keep 0.7": pram("k1", keep=0.7),
    "one key, keep 0.5": pram("k1", keep=0.5),
    "two keys, keep 0.8": pram("k1", "k3", keep=0.8),
    "three keys, keep 0.7": pram("k1", "k2", "k3", keep=0.7),
    "one key above 0.02": pram("k1", keep=0.5, above=0.02),
}


def compare_cases(draws: int) -> None:
    """Print the table of single cases."""
    print("\nPRAM, as a multiple of the truth")
    print(f"{'population':10} {'sample':>7} {'step':22} {'κ/F':>6} {'cell':>6} {'model':>6} "
          f"{'as released':>11} {'gain':>6} {'true':>6}")  # fmt: skip
    found = []
    for fraction in (0.03, 0.1, 0.2):
        for file in files(fraction, unequal=fraction == 0.2):
            for name, perturb in CASES.items():
                each = measure(file, perturb, draws)
                found.append(each)
                print(f"{file.name:10} {fraction:7.0%} {name:22} {each.known:6.3f} "
                      f"{each.cell:6.3f} {each.model:6.3f} {each.released:11.2f} "
                      f"{each.gain:6.3f} {each.true_gain:6.3f}", flush=True)  # fmt: skip
    for name in ("known", "cell", "model", "released"):
        values = np.array([getattr(each, name) for each in found])
        print(f"{name:10} {values.min():.3f} to {values.max():.3f}, median {np.median(values):.3f}")
    gains = [each for each in found if np.isfinite(each.true_gain)]
    below = sum(each.gain < each.true_gain for each in gains)
    print(f"gain in the file below the true one in {below} of {len(gains)}")


def leave_keys_out(draws: int) -> None:
    """Heavy PRAM of one key: an intruder who may leave it out."""
    print("\nkeep 0.2: an intruder who leaves the key out where that is better")
    for file in files(0.1):
        start = file.study()
        fewer = [key for key in file.keys if key != "k1"]
        states = draw_states(start, pram("k1", keep=0.2), draws)
        chance = chances(states[0], file.keys)
        size, others = file.people_like(file.keys), file.people_like(fewer)
        leaves = 1.0 / others > chance / size
        hits = [
            np.sum(np.where(leaves, 1.0 / others, kept(file, s, file.keys) / size)) for s in states
        ]
        risk = states[0].risk(population=file.people, population_use="F")
        alone = float(np.sum(chance / size))
        truth = float(np.mean(hits))
        print(f"{file.name:10} hits {truth:7.1f}  largest over S {risk.expected / truth:.3f}  "
              f"all keys alone {alone / truth:.3f}", flush=True)  # fmt: skip


def recode_after(draws: int) -> None:
    """PRAM, then a recode of the same key: matrices multiply."""
    print("\nPRAM with keep 0.6, then four groups of the same key")
    groups = {"a": ["0", "1"], "b": ["2", "3"], "c": ["4", "5"], "d": ["6", "7"]}
    new = {code: name for name, codes in groups.items() for code in codes}
    for file in files(0.1):
        coarse = File(
            name=file.name,
            people=file.people.with_columns(pl.col("k1").replace(new)),
            sample=file.sample.with_columns(pl.col("k1").replace(new)),
            keys=file.keys,
        )
        size = coarse.people_like(file.keys)
        start = file.study()
        drawn = draw_states(start, pram("k1", keep=0.6), draws)
        states = [each.recode("k1", groups=groups) for each in drawn]
        truth = float(np.mean([np.sum(kept(coarse, s, file.keys) / size) for s in states]))
        known = float(np.sum(chances(states[0], file.keys) / size))
        plain, risk = coarse.study().risk(), states[0].risk()
        assert risk.perturbed is not None
        drift = risk.perturbed.kept_expected / plain.expected / (truth / float(np.sum(1.0 / size)))
        print(f"{file.name:10} κ/F {known / truth:.3f}  cell, drift {drift:.3f}", flush=True)


def shared_draws(draws: int) -> None:
    """Households whose members share a draw, or draw by themselves."""
    print("\nHouseholds with a member recognised, F known; PRAM of region, keep 0.6")
    people = ms.survey(9, households=8000).frame.with_columns(
        (pl.col("age") // 10).cast(pl.String).alias("age")
    )
    keys = ("region", "sex", "age", "marital")
    homes = people["household"].unique(maintain_order=True)
    drawn = homes.filter(pl.Series(np.random.default_rng(4).random(len(homes)) < 0.15))
    sample = people.filter(pl.col("household").is_in(drawn.implode())).with_columns(weight=1 / 0.15)
    file = File(name="survey", people=people, sample=sample, keys=keys)
    size = file.people_like(keys)
    number = sample["household"].rank("dense").to_numpy() - 1
    for words, options in (("one draw", {"together": "household"}), ("each alone", {})):
        start = file.study(household="household")
        hits = []

        def perturb(study: ms.Study, seed: int, options: Any = options) -> ms.Study:
            return study.pram("region", keep=0.6, seed=seed, **options)

        for done in draw_states(start, perturb, draws):
            hazard = -np.log1p(-np.minimum(kept(file, done, keys) / size, 1 - 1e-16))
            hits.append(np.sum(-np.expm1(-np.bincount(number, hazard))))
        risk = done.risk(population=people, population_use="F")
        chance = chances(done, keys)
        hazard = -np.log1p(-np.minimum(chance / size, 1 - 1e-16))
        all_keys = float(np.sum(-np.expm1(-np.bincount(number, hazard))))
        assert risk.household is not None
        truth = float(np.mean(hits))
        print(f"{words:10} hits {truth:7.1f} ± {np.std(hits) / np.sqrt(draws):.1f}  "
              f"all keys {all_keys / truth:.3f}  largest over S "
              f"{risk.household.expected_households / truth:.3f}", flush=True)  # fmt: skip


AREAS = ("region", "town", "block")
SWAPS: dict[str, dict[str, Any]] = {
    "k 3, rate 5 %": {"k": 3, "rate": 0.05},
    "k 2, rate 20 %": {"k": 2, "rate": 0.2},
    "k 1, rate 10 %": {"k": 1, "rate": 0.1},
    "above 0.02, rate 5 %": {"above": 0.02, "rate": 0.05},
}


def living_in_areas(number: int, *, sorted_by: str | None) -> pl.DataFrame:
    """A population whose households live in three nested areas.

    Args:
        number: Of the population.
        sorted_by: Variable by which people choose where to live; by chance if None.
    """
    people = ms.survey(20 + number, households=8000).frame.with_columns(
        (pl.col("age") // 20).cast(pl.String).alias("age"),
        (pl.col("region") % 4).alias("region"),
    )
    homes = people.group_by("household", maintain_order=True).first()
    rng = np.random.default_rng(number)
    place = rng.random(homes.height)
    if sorted_by is not None:
        place = (homes[sorted_by].fill_null(0).rank("random", seed=1) / homes.height).to_numpy()
        place = (place + 0.6 * rng.random(homes.height)) / 1.6
    town = np.minimum((place**1.5 * 5).astype(int), 4)  # towns differ in size
    block = rng.integers(0, 3, homes.height)
    areas = homes.select(
        "household",
        (pl.col("region") * 10 + pl.Series(town)).alias("town"),
        (pl.col("region") * 100 + pl.Series(town * 10 + block)).alias("block"),
    )
    return people.join(areas, on="household", maintain_order="left")


def swap_areas(draws: int) -> None:
    """Swapping of whole households over several levels of areas."""
    print("\nSwapping of households, as a multiple of the truth")
    print(f"{'population':10} {'sample':>6} {'step':20} {'moved':>6} {'before':>7} {'hits':>6} "
          f"{'κ/F':>6} {'product':>7} {'cell':>6} {'model':>6} {'best S':>7} {'largest':>7} "
          f"{'homes':>6}")  # fmt: skip
    found = []
    for number, sorted_by in enumerate((None, "education", "hsize")):
        people = living_in_areas(number, sorted_by=sorted_by)
        homes = people["household"].unique(maintain_order=True)
        for fraction in (0.1, 0.3):
            rng = np.random.default_rng([number, int(100 * fraction)])
            drawn = homes.filter(pl.Series(rng.random(len(homes)) < fraction))
            sample = people.filter(pl.col("household").is_in(drawn.implode()))
            sample = sample.with_columns(weight=1 / fraction)
            keys = (*AREAS, "sex", "age")
            file = File(name=sorted_by or "by chance", people=people, sample=sample, keys=keys)
            for name, options in SWAPS.items():
                found.append(measure_swap(file, name, options, draws))
    names = ("κ/F", "cell", "model", "largest", "homes")
    for words, values in zip(names, zip(*found, strict=True), strict=True):
        print(f"{words:12} {min(values):.3f} to {max(values):.3f}, median {np.median(values):.3f}")


def measure_swap(file: File, name: str, options: dict[str, Any], draws: int) -> tuple[float, ...]:
    """Compare one case with the truth: one who looks at all keys, and one who may leave out areas.

    The second looks for each person at the keys by which he most probably is right.
    """

    def perturb(study: ms.Study, seed: int) -> ms.Study:
        return study.swap("household", AREAS, seed=seed, **options)

    start = file.study(household="household")
    states = draw_states(start, perturb, draws)
    done = states[0]
    sets = [tuple(key for key in file.keys if key not in AREAS[n:]) for n in range(len(AREAS) + 1)]
    sizes = [file.people_like(keys) for keys in sets]
    chance = [chances(done, keys) for keys in sets]
    best = np.argmax([c / size for c, size in zip(chance, sizes, strict=True)], axis=0)
    home = file.sample["household"].rank("dense").to_numpy() - 1
    hits, chosen, recognised = [], [], []
    for each in states:
        right = np.array([kept(file, each, s) / size for s, size in zip(sets, sizes, strict=True)])
        hits.append(np.sum(right[-1]))
        picked = right[best, np.arange(len(best))]
        chosen.append(np.sum(picked))
        hazard = -np.log1p(-np.minimum(picked, 1 - 1e-16))
        recognised.append(np.sum(-np.expm1(-np.bincount(home, hazard))))
    truth, before = float(np.mean(hits)), float(np.sum(1.0 / sizes[-1]))
    apart = np.prod([chances(done, (area,)) for area in AREAS], axis=0)
    risk = done.risk(population=file.people, population_use="F")
    assert risk.household is not None
    drifts = []
    for estimator in ("cell", "model"):
        study = file.study(household="household", estimator=estimator)
        after = perturb(study, 1).risk()
        assert after.perturbed is not None
        left = after.perturbed.kept_expected / after.perturbed.expected_before
        drifts.append(left / (truth / before))
    made = (
        float(np.sum(chance[-1] / sizes[-1])) / truth,
        *drifts,
        risk.expected / float(np.mean(chosen)),
        risk.household.expected_households / float(np.mean(recognised)),
    )
    facts: Any = done.steps[-1].facts
    moved = sum(facts["swapped"].values()) / facts["households"]
    print(f"{file.name:10} {file.sample.height / file.people.height:6.0%} {name:20} {moved:6.1%} "
          f"{before:7.1f} {truth:6.1f} {made[0]:6.3f} "
          f"{float(np.sum(apart / sizes[-1])) / truth:7.3f} {made[1]:6.3f} "
          f"{made[2]:6.3f} {float(np.mean(chosen)):7.1f} {made[3]:7.3f} {made[4]:6.3f}",
          flush=True)  # fmt: skip
    return made


def time_pram(records: int = 10_000_000, categories: int = 20) -> None:
    """CPU seconds of the draw alone, and of a whole step with all that it counts."""
    from microsafe.draws import Draws
    from microsafe.steps.pram.kernel import DrawTable, invariant_matrix

    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.ones(categories))
    codes = rng.choice(categories, records, p=shares)
    table = DrawTable.of(invariant_matrix(shares, 0.9)[None])
    draws = Draws(seed=1, step=1, variable="x")
    start = time.process_time()
    for first in range(0, records, BATCH):
        part = codes[first : first + BATCH]
        numbers = np.arange(first, first + len(part), dtype=np.uint64)
        table.draw(np.zeros(0, np.intp), part, draws.words(numbers)[:, 0])
    alone = time.process_time() - start
    weights = rng.choice([10.0, 20.0, 30.0], records)
    study = ms.study(pl.DataFrame({"x": codes, "w": weights}), keys=["x"], weight="w")
    study.risk()
    whole = np.inf
    for _ in range(3):
        start = time.process_time()
        study.pram("x", keep=0.9, seed=1)
        whole = min(whole, time.process_time() - start)
    print(f"PRAM of {records:,} records, {categories} categories, CPU s: draw {alone:.2f}, whole "
          f"step {whole:.2f} (aim 1.5)")  # fmt: skip


def main() -> None:
    """Print all tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--draws", type=int, default=40, help="draws of each step")
    options.add_argument("--swap", action="store_true", help="swapping of households only")
    options.add_argument("--numbers", action="store_true", help="numbers and keys only")
    options.add_argument("--speed", action="store_true", help="CPU seconds only")
    chosen = options.parse_args()
    if chosen.speed:
        time_pram()
        return
    draws = chosen.draws
    if chosen.swap:
        swap_areas(draws)
        return
    from numbers_and_keys import compare_numbers_and_keys

    if chosen.numbers:
        compare_numbers_and_keys(draws)
        return
    leave_keys_out(draws)
    recode_after(draws)
    shared_draws(draws)
    swap_areas(draws)
    compare_numbers_and_keys(draws)
    compare_cases(draws)


if __name__ == "__main__":
    main()
