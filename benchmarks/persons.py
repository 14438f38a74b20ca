"""Panels made of populations that are known: risk of persons, and whether repeats are noticed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from microsafe import Study, study
from populations import Drawn, Sample, drawn_samples
from validation import truth_cases

WAVES = 3
DESIGNS = ("three waves", "three waves, split", "rotating", "two waves, keys that move")
MANY_WAVES = 6
STAY = 0.85  # chance that a key that moves is what it was


def move_keys(people: pl.DataFrame, keys: list[str], waves: int, seed: int) -> list[pl.DataFrame]:
    """Return the population at each wave: who moves has the value of somebody else."""
    rng = np.random.default_rng(seed)
    found = [people]
    for _ in range(waves - 1):
        last = found[-1]
        moved = {}
        for key in keys:
            old = last[key].to_numpy()
            new = old[rng.permutation(len(old))]
            moved[key] = np.where(rng.random(len(old)) < STAY, old, new)
        found.append(last.with_columns(**{key: pl.Series(new) for key, new in moved.items()}))
    return found


def draw_panel(people: pl.DataFrame, keys: tuple[str, ...], design: str, seed: int):
    """Return a panel in long form, how its weights add up, and true expected matches."""
    rng = np.random.default_rng([seed, DESIGNS.index(design)])
    moving = list(keys[-2:]) if design.endswith("move") else []
    waves = 2 if moving else WAVES
    states = move_keys(people, moving, waves, seed)
    drawn = np.flatnonzero(rng.random(people.height) < 0.05)
    first = rng.integers(0, 2, len(drawn)) if design == "rotating" else np.zeros(len(drawn), int)
    length = 2 if design == "rotating" else waves
    split = design.endswith("split")
    parts = []
    for wave, state in enumerate(states):
        there = drawn[(first <= wave) & (wave < first + length)]
        weight = people.height / len(there) / (waves if split else 1)
        parts.append(
            state[there]
            .select(keys)
            .with_columns(person=pl.Series(there), wave=pl.lit(wave + 1), w=pl.lit(weight))
        )
    both = (
        pl.concat(
            [
                states[0].select(pl.exclude(moving)),
                *(
                    state.select(pl.col(moving).name.suffix(f"@{n}"))
                    for n, state in enumerate(states)
                ),
            ],
            how="horizontal",
        )
        if moving
        else people
    )
    columns = [name for name in both.columns if name != "F_pop"]
    alike = both.select(pl.len().over(columns)).to_series().to_numpy()
    return pl.concat(parts), "file" if split else "wave", float((1.0 / alike[drawn]).sum())


def measure_panel(panel: pl.DataFrame, keys: tuple[str, ...], weights: str) -> tuple[float, float]:
    """Return expected matches of persons, and of the records as if each were a person."""
    roles = {"keys": keys, "weight": "w", "estimator": "model"}
    persons = study(panel, **roles, person="person", wave="wave", person_weights=weights)
    return tuple(
        each.risk(one_estimator=True).expected for each in (persons, study(panel, **roles))
    )


def judge_waves(drawn: Drawn, seed: int) -> tuple[float, float, float]:
    """Return claimed matches of a panel of which no two waves are compared, and the true ones.

    True are matches in the wave that is riskiest by what the file tells, and in that which is.
    """
    people, keys = drawn.people, drawn.sample.keys
    states = move_keys(people, list(keys[-3:]), MANY_WAVES, seed)
    rows = np.flatnonzero(np.random.default_rng([seed, 9]).random(people.height) < 0.05)
    alike = np.stack(
        [s.select(pl.len().over(list(keys))).to_series().to_numpy()[rows] for s in states]
    )
    files = [
        state[rows]
        .select(keys)
        .with_columns(person=pl.Series(rows), wave=pl.lit(n), w=pl.lit(people.height / len(rows)))
        for n, state in enumerate(states, 1)
    ]
    roles = {"keys": list(keys), "weight": "w", "estimator": "model"}
    panel = study(pl.concat(files), **roles, person="person", wave="wave")
    found = panel.risk(one_estimator=True)
    assert any(notice.id == "persons-by-wave" for notice in found.notices)
    each = [study(file, **roles).risk(one_estimator=True).records()["risk"] for file in files]
    riskiest = np.argmax(np.stack([one.to_numpy() for one in each]), axis=0)
    chosen = alike[riskiest, np.arange(len(rows))]
    return found.expected, float((1.0 / chosen).sum()), float((1.0 / alike.min(axis=0)).sum())


def print_waves() -> None:
    """Claimed over true expected matches, where keys are too many to compare waves together."""
    found = np.array([judge_waves(each, number) for number, each in enumerate(populations())])
    print(f"\nEach wave by itself: {MANY_WAVES} waves, three keys that move, claimed / true:\n")
    print("| in the wave that | claimed / true |")
    print("|---|---|")
    for name, true in (("the file tells", found[:, 1]), ("is riskiest", found[:, 2])):
        ratio = found[:, 0] / true
        print(
            f"| {name} | {found[:, 0].sum() / true.sum():.2f} ({ratio.min():.2f} .. "
            f"{ratio.max():.2f}) |"
        )


def is_noticed(data: Study) -> bool:
    """Tell whether rows are said to repeat persons, by the keys alone."""
    found = data.risk(one_estimator=True)
    return any(notice.id == "rows-seem-repeated" for notice in found.notices)


def populations() -> Iterator[Drawn]:
    """One sample of each simulated population."""
    seen = set()
    for each in drawn_samples(1):
        name = each.sample.name.split(",")[0]
        if name not in seen:
            seen.add(name)
            yield each


def print_claims() -> None:
    """Claimed over true expected matches, by design."""
    print(
        "Persons: claimed / true over simulated populations, all together (smallest .. largest):\n"
    )
    print("| panel | one row per person | each record a person |")
    print("|---|---|---|")
    known = list(populations())
    for design in DESIGNS:
        found = []
        for number, each in enumerate(known):
            panel, weights, true = draw_panel(each.people, each.sample.keys, design, number)
            found.append((*measure_panel(panel, each.sample.keys, weights), true))
        claimed, records, true = np.array(found).T
        ratio = claimed / true
        print(
            f"| {design} | {claimed.sum() / true.sum():.2f} ({ratio.min():.2f} .. "
            f"{ratio.max():.2f}) | {records.sum() / true.sum():.2f} |",
            flush=True,
        )


def print_diagnosis(ordinary: list[Sample]) -> None:
    """Files in which rows are said to repeat persons: ordinary ones, and panels made of them."""
    said = {"ordinary": 0, "each person three times": 0, "two waves, two keys move": 0}
    for number, each in enumerate(ordinary):
        keys = list(each.keys)
        roles = {"keys": keys, "weight": "weight", "estimator": "model", "clip_weights": True}
        frame = each.frame.select(*keys, "weight")
        said["ordinary"] += is_noticed(study(frame, **roles))
        tripled = pl.concat([frame] * WAVES)
        said["each person three times"] += is_noticed(study(tripled, **roles))
        moved = pl.concat(move_keys(frame, keys[-2:], 2, number))
        said["two waves, two keys move"] += is_noticed(study(moved, **roles))
    print(f"\nRows seem to repeat persons, of {len(ordinary)} files each:\n")
    print("| files | noticed |")
    print("|---|---|")
    for name, count in said.items():
        print(f"| {name} | {count} |")


def list_ordinary() -> list[Sample]:
    """Samples of the simulated populations, and of real ones where they are here."""
    simulated = [each.sample for each in drawn_samples(1)]
    return [*simulated, *truth_cases(), *truth_cases("more.csv", "more")]


def persons() -> None:
    """Risk of persons of panels, and the diagnosis of rows that repeat persons."""
    print_claims()
    print_waves()
    print_diagnosis(list_ordinary())
