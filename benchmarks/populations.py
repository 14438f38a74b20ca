"""Complete populations with a known structure, and samples from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

Codes = np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sample whose population is known.

    Attributes:
        name: Of population, design and replicate.
        group: What it is used for.
        frame: Keys, weight, and the true number of people in the cell (`F_pop`).
        keys: Names of the keys.
    """

    name: str
    group: str
    frame: pl.DataFrame
    keys: tuple[str, ...]

    @property
    def uniques(self) -> np.ndarray:
        """Which records are alone in the sample."""
        return self.frame.select(self.keys).is_unique().to_numpy()

    @property
    def truth(self) -> tuple[float, float]:
        """True tau1 and tau2."""
        people = self.frame["F_pop"].to_numpy()[self.uniques]
        return float((people == 1).sum()), float((1.0 / people).sum())


def mixture(sizes: tuple[int, ...], people: int, seed: int) -> Codes:
    """Unseen classes of people; keys are independent within a class, halfway alike between."""
    rng = np.random.default_rng(seed)
    classes = 12
    member = rng.choice(classes, size=people, p=rng.dirichlet(np.ones(classes)))
    columns = []
    for size in sizes:
        common = rng.dirichlet(np.full(size, 0.6))
        chances = [(common + rng.dirichlet(np.full(size, 0.6))) / 2 for _ in range(classes)]
        edges = np.cumsum(chances, axis=1)
        columns.append((rng.random(people)[:, None] > edges[member]).sum(axis=1))
    return np.stack(columns, axis=1)


def two_way(sizes: tuple[int, ...], people: int, seed: int) -> Codes:
    """Each key depends on the one before it and on the first: interactions of two keys."""
    rng = np.random.default_rng(seed)
    columns = [rng.choice(sizes[0], size=people, p=rng.dirichlet(np.full(sizes[0], 1.0)))]
    for before, size in pairwise(sizes):
        near = rng.normal(0, 1.2, (before, size))[columns[-1]]
        first = rng.normal(0, 0.8, (sizes[0], size))[columns[0]]
        chance = np.exp(near + first + rng.normal(0, 1, size))
        edges = np.cumsum(chance / chance.sum(axis=1, keepdims=True), axis=1)
        columns.append((rng.random(people)[:, None] > edges).sum(axis=1))
    return np.stack(columns, axis=1)


def households(sizes: tuple[int, ...], people: int, seed: int) -> Codes:
    """A mixture in which members of a household share the first two keys: people in clumps."""
    made = mixture(sizes, people, seed)
    rng = np.random.default_rng([seed, 1])
    home = np.sort(rng.integers(0, people // 3, people))
    first = np.unique(home, return_index=True)[1][np.searchsorted(np.unique(home), home)]
    made[:, :2] = made[first, :2]
    return made


POPULATIONS: dict[
    str, tuple[Callable[[tuple[int, ...], int, int], Codes], tuple[int, ...], int]
] = {
    "mixture, 5 keys": (mixture, (10, 2, 5, 8, 6), 60_000),
    "mixture, 7 keys": (mixture, (5, 5, 5, 5, 5, 5, 5), 60_000),
    "two-way, 6 keys": (two_way, (9, 6, 5, 3, 3, 8), 80_000),
    "households, 5 keys": (households, (12, 7, 9, 2, 8), 60_000),
}
FRACTIONS = (0.02, 0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A sample, and all the people it was drawn from."""

    sample: Sample
    people: pl.DataFrame


def drawn_samples(replicates: int) -> Iterator[Drawn]:
    """Draw samples from all simulated populations: simple random, and with unequal chances."""
    for number, (name, (make, sizes, people)) in enumerate(POPULATIONS.items()):
        codes = make(sizes, people, 100 + number)
        keys = tuple(f"k{place}" for place in range(len(sizes)))
        frame = pl.DataFrame({key: codes[:, j] for j, key in enumerate(keys)})
        frame = frame.cast(pl.String).with_columns(F_pop=pl.len().over(keys))
        for fraction in FRACTIONS:
            for replicate in range(replicates):
                rng = np.random.default_rng([number, int(1000 * fraction), replicate])
                for design, chance in (
                    ("equal", np.full(people, fraction)),
                    ("by first key", fraction * np.array([0.5, 1.5])[codes[:, 0] % 2]),
                ):
                    drawn = np.flatnonzero(rng.random(people) < chance)
                    sample = frame[drawn].with_columns(weight=pl.Series(1.0 / chance[drawn]))
                    label = f"{name}, {fraction:.0%}, {design}, {replicate}"
                    yield Drawn(
                        sample=Sample(name=label, group="simulated", frame=sample, keys=keys),
                        people=frame,
                    )


def simulated(replicates: int) -> Iterator[Sample]:
    """The same without the people."""
    return (each.sample for each in drawn_samples(replicates))


def stratified(seed: int) -> Sample:
    """Independent keys, and a sample with another fraction in each category of the first."""
    rng = np.random.default_rng([7, seed])
    sizes, people = (6, 8, 5, 7, 4, 3), 200_000
    codes = np.stack(
        [rng.choice(size, people, p=rng.dirichlet(np.full(size, 1.0))) for size in sizes], axis=1
    )
    keys = tuple(f"k{place}" for place in range(len(sizes)))
    frame = pl.DataFrame({key: codes[:, j] for j, key in enumerate(keys)})
    frame = frame.cast(pl.String).with_columns(F_pop=pl.len().over(keys))
    chance = np.geomspace(0.005, 0.1, sizes[0])[codes[:, 0]]
    drawn = np.flatnonzero(rng.random(people) < chance)
    sample = frame[drawn].with_columns(weight=pl.Series(1.0 / chance[drawn]))
    return Sample(name=f"stratified null, {seed}", group="null", frame=sample, keys=keys)


FAMILY_KEYS = ("region", "origin", "sex", "age", "marital", "education", "status")


def make_families(homes: int, seed: int, regions: int = 24) -> pl.DataFrame:
    """People in households: couples of like age, children younger than both, an origin shared.

    Each household has a region, an origin and an education that its members resemble; the rest
    follows from age and sex, with some noise.
    """
    rng = np.random.default_rng([11, seed])
    size = 1 + rng.choice(6, homes, p=[0.36, 0.32, 0.13, 0.12, 0.05, 0.02])
    home = np.repeat(np.arange(homes), size)
    people = len(home)
    place = np.arange(people) - np.repeat(np.cumsum(size) - size, size)
    region = rng.choice(regions, homes, p=rng.dirichlet(np.full(regions, 1.5)))
    origin = np.where(
        rng.random(homes) < 0.05 + 0.1 * (region % 5 == 0), rng.geometric(0.3, homes), 0
    )
    couple = (size > 1) & (rng.random(homes) < 0.8)
    head = np.clip(rng.normal(np.where(size > 2, 42, 52), np.where(size > 2, 9, 18)), 18, 95)
    partner = (place == 1) & couple[home]
    child = (place > 0) & ~partner
    age = np.where(partner, head[home] + rng.normal(-2, 4, people), head[home])
    age = np.where(child, head[home] - rng.normal(29, 5, people), age)
    age = np.clip(age, 0, 99).astype(int)
    sex = rng.integers(0, 2, people)
    first = np.cumsum(size) - size
    sex = np.where(partner & (rng.random(people) < 0.98), 1 - sex[first[home]], sex)
    luck = rng.random(people)
    widowed = (age > 65) & (luck < (age - 60) / 60)
    grown = np.where(widowed, 3, np.where(luck > 0.85, 2, 0))
    marital = np.where(age < 18, 0, np.where(couple[home] & (place < 2), 1, grown))
    level = rng.normal(0, 0.7, homes)[home] + rng.normal(0, 0.7, people) - 0.01 * (age - 40)
    education = np.where(age < 15, 0, 1 + np.digitize(level, [-0.8, 0, 0.8, 1.5]))
    idle = np.where(age >= 64, 3, np.where(rng.random(people) < 0.1 + 0.1 * sex, 2, 1))
    status = np.where(age < 16, 0, idle)
    columns = {
        "household": home,
        "region": region[home],
        "origin": np.minimum(origin, 9)[home],
        "sex": sex,
        "age": age // 5,
        "marital": marital,
        "education": education,
        "status": status,
        "rooms": np.clip(size + rng.integers(-1, 3, homes), 1, 9)[home],
        "owner": (rng.random(homes) < 0.5)[home].astype(int),
    }
    return pl.DataFrame(columns)


def draw_families(people: pl.DataFrame, fraction: float, seed: int) -> pl.DataFrame:
    """Draw whole households, with weights that differ between them."""
    rng = np.random.default_rng([13, seed])
    homes = int(people["household"].max()) + 1  # type: ignore[arg-type]
    chance = fraction * rng.choice([0.8, 1.0, 1.25], homes)
    drawn = rng.random(homes) < chance
    home = people["household"].to_numpy()
    return people.with_columns(weight=pl.Series(1.0 / chance[home])).filter(drawn[home])
