"""Families: what is said of who knows them, against populations that are known."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import polars as pl

from microsafe import HouseholdRisk, Policy, Study, study
from microsafe.intruders.rejoin import find_rejoined
from populations import FAMILY_KEYS, draw_families, make_families

PEERS = Path(os.environ.get("MICROSAFE_PEERS", Path(__file__).parents[2] / "shared" / "peers"))
HOUSEHOLDS, FAMILY_COST = 60_000, 100_000


def describe_households(frame: pl.DataFrame, keys: Sequence[str]) -> pl.Series:
    """Return what the members of each household are, in whatever order they stand."""
    members = frame.select("household", person=pl.concat_str(keys, separator=","))
    made = members.group_by("household").agg(pl.col("person").sort().str.join(";"))
    return made.sort("household")["person"]


def count_alike(people: pl.DataFrame, drawn: pl.DataFrame, keys: Sequence[str]) -> np.ndarray:
    """Return how many households of the population are like each household of a sample."""
    sizes = describe_households(people, keys).value_counts(name="alike")
    mine = pl.DataFrame({"person": describe_households(drawn, keys)})
    return mine.join(sizes, on="person", how="left", maintain_order="left")["alike"].to_numpy()


def count_matching(people: pl.DataFrame, drawn: pl.DataFrame, keys: Sequence[str]) -> np.ndarray:
    """The same where values are missing: members are matched one to one with what is shown."""
    whole = people.select("household", *keys)
    by_size: dict[int, np.ndarray] = {}
    sizes = whole.group_by("household").len()
    for size in sizes["len"].unique():
        some = whole.join(sizes.filter(pl.col("len") == size), on="household")
        by_size[size] = some.sort("household").select(keys).to_numpy().reshape(-1, size, len(keys))
    found = []
    for _, group in drawn.sort("household").group_by("household", maintain_order=True):
        shown = group.select(keys).fill_null(-1).to_numpy()
        others = by_size[len(shown)]
        agrees = ((shown[:, None] == others[:, None]) | (shown[:, None] < 0)).all(axis=-1)
        ways = permutations(range(len(shown)))
        fits = np.zeros(len(others), bool)
        if agrees.any(axis=2).all(axis=1).any():
            for way in ways:
                fits |= agrees[:, range(len(shown)), list(way)].all(axis=1)
        found.append(int(fits.sum()))
    return np.array(found)


def measure_families(frame: pl.DataFrame, keys: Sequence[str]) -> HouseholdRisk:
    """Return the risk of households by the model."""
    data = study(frame, keys=keys, weight="weight", household="household", estimator="model")
    found = data.risk(one_estimator=True).household
    assert found is not None
    return found


def print_families(name: str, found: HouseholdRisk, alike: np.ndarray) -> None:
    """Print claimed and true, and by bins of what was claimed."""
    true, formula = 1.0 / alike, found.by_formula.expected_households
    bins = []
    for low, high in pairwise((0.01, 0.03, 0.1, 0.3, 0.6, 1.1)):
        inside = (found.risk >= low) & (found.risk < high)
        bins.append(f"{found.risk[inside].sum() / true[inside].sum():.2f}" if inside.any() else "–")
    ratio = found.expected_households / true.sum()
    figures = f"{found.expected_households:,.0f} | {true.sum():,.0f} | {ratio:.2f}"
    print(f"| {name} | {figures} | {', '.join(bins)} | {formula:,.0f} |", flush=True)


def print_family_heading() -> None:
    print("| file | claimed | true | ratio | bins from .01, .03, .1, .3, .6 | by the formula |")
    print("|---|---|---|---|---|---|")


def known_families() -> Iterator[tuple[str, pl.DataFrame, list[str], np.ndarray]]:
    """Go through samples of real households whose truth is known, where they are beside this."""
    folder = PEERS / "families"
    cases = json.loads((folder / "cases.json").read_text()) if folder.is_dir() else []
    for case in cases:
        frame = pl.read_csv(folder / case["file"])
        alike = frame.group_by("household").agg(pl.first(f"households_alike_{case['set']}"))
        name = f"{case['file'].split('.')[0]}, set {case['set']}"
        yield name, frame, case["keys"], alike.sort("household")[:, 1].to_numpy()


def families() -> None:
    """Who knows who lives with whom: before and after protection, and with gaps."""
    print("Families: households recognised, claimed and true\n")
    print_family_heading()
    people = make_families(HOUSEHOLDS, 1)
    for fraction in (0.01, 0.05, 0.1):
        drawn = draw_families(people, fraction, 1)
        alike = count_alike(people, drawn, FAMILY_KEYS)
        print_families(f"simulated, {fraction:.0%}", measure_families(drawn, FAMILY_KEYS), alike)
    for name, frame, keys, alike in known_families():
        print_families(name, measure_families(frame, keys), alike)
    people = make_families(HOUSEHOLDS // 4, 2)
    drawn = draw_families(people, 0.05, 2)
    for keys in (FAMILY_KEYS, FAMILY_KEYS[:5], FAMILY_KEYS[:4]):
        for rate, kind in product((0.02, 0.05), ("mcar", "mar")):
            shown = hide_keys(drawn, keys, rate, kind)
            alike = count_matching(people, shown, keys)
            name = f"simulated, {len(keys) - 2} person keys, {rate:.0%} {kind}"
            print_families(name, measure_families(shown, keys), alike)
    print_protected(people, drawn)
    print_family_cost()


def print_protected(people: pl.DataFrame, drawn: pl.DataFrame) -> None:
    """What is left after suppression by household; of real files whole households are known."""
    print("\nAfter suppression by household; whole: households that lost nothing\n")
    print("| file | limit | blanks | share of the key values | claimed | true | ", end="")
    print("whole: claimed | true | CPU s |\n|---|---|---|---|---|---|---|---|---|")
    alike = count_alike(people, drawn, FAMILY_KEYS)
    real = [case for case in known_families() if not case[0].startswith("ohas_05")]
    for name, frame, keys, known in [("simulated", drawn, list(FAMILY_KEYS), alike), *real]:
        data = study(frame, keys=keys, weight="weight", household="household", estimator="model")
        data.risk(one_estimator=True)
        for limit in (0.2, 0.05):
            start = time.process_time()
            safe = data.suppress(household=limit)
            took = time.process_time() - start
            shown = safe.to_polars().with_columns(household=frame["household"])
            true = "–"
            if name == "simulated":
                true = f"{(1.0 / count_matching(people, shown, keys)).sum():.1f}"
            print_safe(name, limit, safe, shown, keys, known, true, took)


def print_safe(
    name: str,
    limit: float,
    safe: Study,
    shown: pl.DataFrame,
    keys: Sequence[str],
    known: np.ndarray,
    true: str,
    took: float,
) -> None:
    """Print a row of the table.

    Args:
        name: Of the file.
        limit: On the risk of a household.
        safe: What was suppressed.
        shown: Its records, with the numbers of the households as they were.
        keys: Of the scenario.
        known: How many households are like each, before suppression.
        true: Right matches among all, where they are known.
        took: Seconds of suppression.
    """
    measured = safe.risk(one_estimator=True)
    rows = shown.with_columns(
        lost=pl.any_horizontal(pl.col(keys).is_null()),
        risk=pl.Series(measured.records()["household_risk"]),
    )
    homes = rows.group_by("household").agg(pl.any("lost"), pl.first("risk")).sort("household")
    whole = ~homes["lost"].to_numpy()
    claimed = homes["risk"].to_numpy()[whole].sum()
    blanks = safe.steps[-1].total
    print(
        f"| {name} | {limit} | {blanks:,} | {blanks / (len(rows) * len(keys)):.0%} | "
        f"{measured.household.expected_households:.1f} | {true} | {claimed:.1f} | "
        f"{(1.0 / known[whole]).sum():.1f} | {took:.1f} |",
        flush=True,
    )


def hide_keys(drawn: pl.DataFrame, keys: Sequence[str], rate: float, kind: str) -> pl.DataFrame:
    """Return the file with some values of keys of persons missing.

    Args:
        drawn: The sample.
        keys: Of the scenario; the first two are of households.
        rate: Share of the values that are missing, about.
        kind: "mcar": any alike; "mar": 3.4 times as often in half of the regions.
    """
    rng = np.random.default_rng(17)
    chance = np.full(len(drawn), rate)
    if kind == "mar":
        chance *= np.where(drawn["region"].to_numpy() % 2, 1.55, 0.45)
    gone = {
        key: pl.when(pl.Series(rng.random(len(drawn)) >= chance)).then(pl.col(key))
        for key in keys[2:]
    }
    return drawn.with_columns(**gone)


def print_family_cost() -> None:
    """What families take: to measure, to measure again after blanks, to be made safe."""
    people = make_families(FAMILY_COST, 3).with_columns(weight=pl.lit(20.0))
    options = {"weight": "weight", "household": "household", "estimator": "model"}
    plain = study(people, keys=FAMILY_KEYS, **options)
    plain._reference(plain.scenario())
    start = time.process_time()
    plain.risk(one_estimator=True)
    first = time.process_time()
    safe = plain.suppress(household=0.05)
    second = time.process_time()
    safe.risk(one_estimator=True)
    third = time.process_time()
    print(
        f"\n{FAMILY_COST:,} households, {len(people):,} records: risk {first - start:.1f} CPU s "
        f"once the model of records is there, suppression to .05 {second - first:.1f}, risk after "
        f"it {third - second:.1f}"
    )


def rejoin() -> None:
    """Members put together again where the household number does not go out."""
    print("Re-joiner: members of households of two or more that are put together rightly\n")
    print("| what goes out | share | expected hits | by records alone |")
    print("|---|---|---|---|")
    people = make_families(HOUSEHOLDS, 1)
    drawn = draw_families(people, 0.05, 1)
    options = {"weight": "weight", "household": "household", "estimator": "model"}
    for name, gone in (
        ("weight, rooms, owner", ()),
        ("rooms, owner", ("weight",)),
        ("neither", ("weight", "rooms", "owner")),
    ):
        home = drawn["household"].to_numpy()
        codes = [
            drawn[each].rank("dense").to_numpy().astype(np.intp)
            for each in drawn.columns
            if each not in gone and each != "household" and is_shared(drawn, each)
        ]
        found = find_rejoined(home, codes)
        data = study(drawn, keys=FAMILY_KEYS, **options).risk(one_estimator=True)
        several = np.bincount(home)[home] > 1
        records = data.records()
        hits = np.where(found & several, records["household_risk"], records["risk"]).sum()
        share = (found & several).sum() / several.sum()
        print(f"| {name} | {share:.0%} | {hits:,.0f} | {records['risk'].sum():,.0f} |", flush=True)


def stops() -> None:
    """Files that met every rule on records or by the formula: what is claimed now, what stops."""
    print("Files that met all rules once: claimed then, true, claimed now, and what stops them\n")
    print("| what was done | claimed then | true | claimed now | rule | limit | measured |")
    print("|---|---|---|---|---|---|---|")
    people = make_families(HOUSEHOLDS // 4, 2)
    drawn = draw_families(people, 0.05, 2)
    options = {"keys": FAMILY_KEYS, "weight": "weight", "household": "household"}
    safe = study(drawn, **options, estimator="cell").suppress(household=0.05)
    then = safe.risk(one_estimator=True).household
    shown = safe.to_polars().with_columns(household=drawn["household"])
    true = float((1.0 / count_matching(people, shown, FAMILY_KEYS)).sum())
    print_stop(
        "households blanked to .05 by the formula",
        then.by_formula.expected_households if then.by_formula else then.expected_households,
        true,
        safe.with_scenario("now", keys=FAMILY_KEYS, estimator="model"),
        "family",
        Policy(household_risk=0.05),
    )
    model = study(drawn, **options, estimator="model")
    dropped = model.drop("household")
    home = drawn["household"].to_numpy()
    codes = [
        drawn[name].rank("dense").to_numpy().astype(np.intp)
        for name in drawn.columns
        if name != "household" and is_shared(drawn, name)
    ]
    found = find_rejoined(home, codes) & (np.bincount(home)[home] > 1)
    sizes = people.group_by(FAMILY_KEYS).len()
    alone = drawn.join(sizes, on=FAMILY_KEYS, how="left", maintain_order="left")["len"].to_numpy()
    order = np.unique(home, return_inverse=True)[1]
    together = count_alike(people, drawn, FAMILY_KEYS)[order]
    true = float(np.where(found, 1.0 / together, 1.0 / alone).sum())
    claimed = dropped.risk(one_estimator=True).expected
    policy = Policy(intruders={"rejoin": 0.05})
    print_stop("household number dropped", claimed, true, dropped, "rejoin", policy)


def print_stop(
    name: str, then: float, true: float, now: Study, intruder: str, policy: Policy
) -> None:
    """Print what was claimed once, what is true, and what an intruder finds now."""
    table = now.intruders(now.scenarios[-1].name, policy=policy)
    row = next(row for row in table if row.name == intruder)
    measured = row.now.figures[str(row.rule)]
    verdict = "not met" if row.met is False else "met"
    print(
        f"| {name} | {then:,.1f} | {true:,.1f} | {row.now.expected:,.1f} | {row.rule} | "
        f"{row.limit} | {measured:.3f}: {verdict} |",
        flush=True,
    )


def is_shared(drawn: pl.DataFrame, name: str) -> bool:
    """Tell whether nearly all households have one value of a variable."""
    values = drawn.group_by("household").agg(pl.col(name).n_unique().alias("n"), pl.len())
    return values.filter(pl.col("len") > 1)["n"].eq(1).mean() >= 0.99
