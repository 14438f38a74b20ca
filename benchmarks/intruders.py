"""What intruders are said to find, against what they would: populations that are known.

    uv run python benchmarks/intruders.py          every section
    uv run python benchmarks/intruders.py gaps     one of them

A section is a function that prints its table; `SECTIONS` lists them. `numbers` compares with a
solver, which the package does not need: `uv run --with scipy python benchmarks/intruders.py
numbers`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from families import count_matching, families, rejoin, stops
from microsafe import Declaration, Study, study, survey
from microsafe.intruders import GuesserIntruder, InferenceIntruder, IntruderTable
from microsafe.intruders.guesser import decide, list_aims
from microsafe.progress import silent
from microsafe.risk.counts.hidden_values import PARTS, Guesses, HiddenKey
from microsafe.risk.counts.inferred_values import ReleasedValues
from microsafe.risk.numeric.pairs import NumberPairs
from microsafe.risk.numeric.window import SwapWindow, WindowSearch
from microsafe.studies.attacked_file import AttackedStudy
from microsafe.studies.view_risk import find_treatment
from persons import persons
from populations import (
    FAMILY_KEYS,
    Drawn,
    draw_families,
    drawn_samples,
    make_families,
    two_way,
)

RATES = (0.0, 0.01, 0.05, 0.10, 0.15, 0.30)
LIMIT = 0.05  # on the risk of a record
OVERVIEW = 40_000  # households
FAMILIES_IN_SAMPLES = 12_000  # households that are all drawn, each into one of several samples
VIEW_COST = (20, 2, 12, 5, 8, 10, 6), 100_000
COST = (20, 2, 12, 5, 8, 10, 6, 4), (100_000, 1_000_000)  # levels of the keys, records


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
    """Return right matches: claimed by the model, true, and by cell as wildcards and expected."""
    keys = drawn.sample.keys
    people, codes = (
        each.select(keys).cast(pl.Int64).to_numpy() for each in (drawn.people, drawn.sample.frame)
    )
    hidden = hide(codes, rate, kind, seed)
    frame = with_gaps(codes, hidden, drawn.sample.frame["weight"].to_numpy())
    names = frame.columns[:-1]
    yield study(frame, keys=names, weight="w", estimator="model").risk(one_estimator=True).expected
    yield float((1.0 / count_people(people, codes, hidden)).sum())
    for rule in ("wildcard", "expected"):
        by_cell = study(frame, keys=names, weight="w", estimator="cell", missing=rule)
        yield by_cell.risk(one_estimator=True).expected


def judge_blanked(drawn: Drawn, rate: float, seed: int) -> tuple[float, float]:
    """Return claimed and true once a file with gaps was suppressed."""
    keys = drawn.sample.keys
    people, codes = (
        each.select(keys).cast(pl.Int64).to_numpy() for each in (drawn.people, drawn.sample.frame)
    )
    hidden = hide(codes, rate, "mcar", seed)
    frame = with_gaps(codes, hidden, drawn.sample.frame["weight"].to_numpy())
    names = frame.columns[:-1]
    safe = study(frame, keys=names, weight="w", estimator="model").suppress(LIMIT)
    left = pl.DataFrame(safe.frame).select(pl.col(names).is_null()).to_numpy()
    true = float((1.0 / count_people(people, codes, left)).sum())
    return safe.risk(one_estimator=True).expected, true


def gaps() -> None:
    """Natural gaps of keys: by the model integrated out, by cell as wildcards and as expected."""
    samples = list(drawn_samples(1))
    print(f"Gaps: claimed / true over {len(samples)} samples of simulated populations:")
    print("all together (smallest .. largest of a sample), estimator model; all together by cell,")
    print("missing keys as wildcards and as expected\n")
    print("| missing | " + " | ".join(f"{rate:.0%}" for rate in RATES) + " |")
    print("|---|" + "---|" * len(RATES))
    for kind in ("mcar", "mar", "rare"):
        cells = []
        for rate in RATES:
            found = np.array(
                [list(judge_gaps(each, kind, rate, n)) for n, each in enumerate(samples)]
            )
            model, true, wildcard, expected = found.sum(axis=0)
            each = found[:, 0] / found[:, 1]
            cells.append(
                f"{model / true:.2f} ({each.min():.2f} .. {each.max():.2f}); "
                f"{wildcard / true:.2f}, {expected / true:.2f}"
            )
        print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)
    print(f"\nAfter suppression above {LIMIT}:\n")
    print("| missing | claimed | true | claimed / true |")
    print("|---|---|---|---|")
    for rate in (0.0, 0.05, 0.1):
        claimed, true = np.sum([judge_blanked(each, rate, n) for n, each in enumerate(samples)], 0)
        print(f"| {rate:.0%} | {claimed:.1f} | {true:.1f} | {claimed / true:.2f} |", flush=True)
    print_cost()


def print_cost() -> None:
    """What `risk` takes with 5 % gaps, beside the same without."""
    sizes, many = COST
    for records in many:
        codes = two_way(sizes, records, 3)
        took = []
        for rate in (0.0, 0.05):
            frame = with_gaps(codes, hide(codes, rate, "mcar", 1), np.full(records, 20.0))
            data = study(frame, keys=frame.columns[:-1], weight="w", estimator="model")
            start = time.process_time()
            data.risk()
            took.append(time.process_time() - start)
        print(
            f"risk of {records:,} records x {len(sizes)} keys: {took[0]:.1f} CPU s without gaps, "
            f"{took[1]:.1f} with 5 %, {took[1] - took[0]:.1f} more"
        )


def count_treated(data: Study, people: pl.DataFrame) -> tuple[float, int]:
    """Return hits on blanked records of one who knows how everybody is treated, and those at .5."""
    attacked = AttackedStudy(data, "main", limits={}, progress=silent)
    reference = attacked.reference()
    treatment = find_treatment(data, attacked.scenario, reference.cells, reference)
    table = treatment.table
    counts = people.group_by(table.keys).len("people")
    codes = [
        counts[key].replace_strict(list(texts), range(1, len(texts) + 1), default=0).to_numpy()
        for key, texts in zip(table.keys, table.categories, strict=True)
    ]
    both = pl.DataFrame(dict(zip(table.keys, table.codes, strict=True))).cast(pl.Int64)
    known = pl.DataFrame(dict(zip(table.keys, codes, strict=True))).cast(pl.Int64)
    known = known.with_columns(people=counts["people"]).group_by(table.keys).agg(pl.sum("people"))
    true = both.join(known, on=table.keys, how="left", maintain_order="left")["people"]
    view, first = table.group_views(treatment.masks)
    together = np.bincount(view, true.fill_null(0).to_numpy(), len(first))[view]
    blanked = (treatment.masks > 0) & (table.f > 0)
    chance = 1.0 / together[blanked]
    records = table.f[blanked]
    return float((records * chance).sum()), int(records[chance >= 0.5].sum())


def claim_blanked(data: Study) -> float:
    """Return what the intruder who knows the method is said to find among blanked records."""
    row = next(each for each in data.intruders() if each.name == "method")
    return row.now.found["blanked"]


def view() -> None:
    """Blanks by `own` and by `view`, against one who knows how everybody is treated."""
    print(f"View: blanks above {LIMIT}, and one who knows how everybody is treated; own -> view\n")
    print("| sample | blanks | claimed for the view | true | at .5 |")
    print("|---|---|---|---|---|")
    sums = np.zeros((2, 4))
    for each in drawn_samples(1):
        frame = each.sample.frame.drop("F_pop")
        data = study(frame, keys=each.sample.keys, weight="weight", estimator="model")
        found = np.empty((2, 4))
        for place, guarantee in enumerate(("own", "view")):
            done = data.suppress(LIMIT, guarantee=guarantee)
            true, certain = count_treated(done, each.people)
            found[place] = done.steps[-1].total, claim_blanked(done), true, certain
        sums += found
        print_views(each.sample.name, found)
    print_views("all together", sums)
    print_view_cost()


def print_views(name: str, found: np.ndarray) -> None:
    """Print a row of the table: blanks, claimed, true, and records at .5."""
    (blanks, *own), (more, *views) = found.tolist()
    told = [f"{a:.1f} -> {b:.1f}" for a, b in zip(own[:2], views[:2], strict=True)]
    told += [f"{own[2]:.0f} -> {views[2]:.0f}"]
    cells = [f"{blanks:,.0f} -> {more:,.0f} ({more / blanks - 1:+.0%})", *told]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def print_view_cost() -> None:
    """What suppression takes under both guarantees, with the fit of the model."""
    sizes, records = VIEW_COST
    codes = two_way(sizes, records, 7)
    frame = with_gaps(codes, np.zeros(codes.shape, np.bool_), np.full(records, 20.0))
    took = {}
    for guarantee in ("own", "view"):
        data = study(frame, keys=frame.columns[:-1], weight="w", estimator="model")
        start = time.process_time()
        data.suppress(LIMIT, guarantee=guarantee)
        took[guarantee] = time.process_time() - start
    print(
        f"{records:,} records x {len(sizes)} keys, {np.prod(sizes):,} combinations, with the fit: "
        f"own {took['own']:.1f}, view {took['view']:.1f} CPU s, "
        f"{took['view'] / took['own']:.1f} times"
    )


def find_masks(data: Study, scenario: str, people: pl.DataFrame) -> np.ndarray:
    """Return which keys of a scenario each person of a population would lose, as bits."""
    attacked = AttackedStudy(data, scenario, limits={}, progress=silent)
    reference = attacked.reference()
    treatment = find_treatment(data, attacked.scenario, reference.cells, reference)
    table = treatment.table
    texts = {
        key: np.array([None, *names], dtype=object)[code]
        for key, names, code in zip(table.keys, table.categories, table.codes, strict=True)
    }
    known = pl.DataFrame(texts, schema=dict.fromkeys(table.keys, pl.String))
    known = known.with_columns(mask=pl.Series(treatment.masks))
    found = people.cast(pl.String).join(
        known, on=table.keys, how="left", maintain_order="left", nulls_equal=True
    )
    return found["mask"].fill_null(0).to_numpy()


def hide_masks(
    people: pl.DataFrame, keys: Sequence[str], masks: Mapping[str, np.ndarray]
) -> pl.DataFrame:
    """Return what would be shown of people who lose some keys."""
    return people.select(
        pl.when(~pl.Series(masks[key])).then(pl.col(key)).alias(key) for key in keys
    )


def count_shown(people: pl.DataFrame, shown: pl.DataFrame, keys: Sequence[str]) -> np.ndarray:
    """Return the people who would be shown like each record, for records with a blank."""
    counts = people.select(keys).cast(pl.String).group_by(keys).len("people")
    both = shown.select(keys).cast(pl.String)
    both = both.join(counts, on=keys, how="left", maintain_order="left", nulls_equal=True)
    blanked = both.select(pl.any_horizontal(pl.col(keys).is_null())).to_series()
    return both["people"].fill_null(1).to_numpy()[blanked.to_numpy()]


def judge_crossing(drawn: Drawn) -> Iterator[tuple[float, float, int]]:
    """Return claimed, true and those at .5 for two scenarios that cross, met by `view`."""
    keys = drawn.sample.keys
    frame = drawn.sample.frame.drop("F_pop")
    data = study(frame, keys=keys[:-1], weight="weight", estimator="model")
    data = data.with_scenario("other", keys=keys[1:]).suppress(LIMIT, guarantee="view")
    lost = {key: np.zeros(len(drawn.people), np.bool_) for key in keys}
    for scenario in data.scenarios:
        masks = find_masks(data, scenario.name, drawn.people)
        for place, key in enumerate(scenario.keys):
            lost[key] |= (masks >> place & 1).astype(np.bool_)
    people = hide_masks(drawn.people, keys, lost)
    for scenario in data.scenarios:
        found = count_shown(people, data.to_polars(), scenario.keys)
        row = next(each for each in data.intruders(scenario.name) if each.name == "method")
        yield row.now.found["blanked"], float((1.0 / found).sum()), int((found <= 2).sum())


def judge_spread(fraction: float, seed: int) -> tuple[float, float, int]:
    """The same for `own`, whose blanks of what members share were spread to all of them."""
    people = make_families(60_000, seed)
    drawn = draw_families(people, fraction, seed)
    keys = ("region", "origin", "sex", "age", "marital", "status")
    data = study(drawn, keys=keys, weight="weight", household="household", estimator="model")
    common = data.engine.find_constant_keys(data.scenario())
    data = data.suppress(LIMIT)
    masks = find_masks(data, "main", people)
    lost = {key: (masks >> j & 1).astype(np.bool_) for j, key in enumerate(keys)}
    home = people["household"].to_numpy()
    for key in common:
        any_member = np.bincount(home, lost[key]) > 0
        lost[key] = any_member[home]
    found = count_shown(hide_masks(people, keys, lost), data.to_polars(), keys)
    return claim_blanked(data), float((1.0 / found).sum()), int((found <= 2).sum())


def judge_households_after_view(limit: float, samples: int, seed: int) -> tuple[float, float, int]:
    """The same for `view`, then a limit on households.

    What is blanked for families hangs on the sample, so everybody is drawn into one of several
    samples, all are protected alike, and who would be shown in the same way is counted over all.
    """
    people = make_families(FAMILIES_IN_SAMPLES, seed)
    homes = people["household"].n_unique()
    drawn_by = np.random.default_rng(seed).permutation(homes) % samples
    people = people.with_columns(
        sample=pl.Series(drawn_by[people["household"].to_numpy()]), weight=pl.lit(float(samples))
    )
    claimed, shown = 0.0, []
    for part in people.partition_by("sample", include_key=False):
        data = study(
            part, keys=FAMILY_KEYS, weight="weight", household="household", estimator="model"
        )
        data = data.suppress(limit, guarantee="view").suppress(household=limit)
        claimed += claim_blanked(data)
        shown.append(data.to_polars().select(pl.col(FAMILY_KEYS).cast(pl.String)))
    everybody = pl.concat(shown)
    found = count_shown(everybody, everybody, FAMILY_KEYS)
    return claimed, float((1.0 / found).sum()), int((found <= 2).sum())


def spread() -> None:
    """Who lost more than was decided: scenarios that cross, and blanks spread in households."""
    print("Blanks beyond what was decided: claimed and true for who knows the treatment\n")
    print("| what was done | claimed | true | true / claimed | at .5 |")
    print("|---|---|---|---|---|")
    crossing: dict[str, list[tuple[float, float, int]]] = {}
    for each in drawn_samples(1):
        kind = each.sample.name.rpartition(", ")[0].split(", ")[0]
        crossing.setdefault(kind, []).extend(judge_crossing(each))
    for kind, found in crossing.items():
        print_spread(f"view, two scenarios that cross, {kind}", np.sum(found, axis=0))
    for fraction in (0.02, 0.05, 0.1):
        judged = judge_spread(fraction, 5)
        print_spread(f"own, spread in households, {fraction:.0%}", np.array(judged))
    judged = judge_households_after_view(0.2, 20, 2)
    print_spread("view, then households, both to 0.2 (20 samples)", np.array(judged))


def print_spread(name: str, found: np.ndarray) -> None:
    """Print a row of the table."""
    claimed, true, certain = found.tolist()
    ratio = f"{true / claimed:.2f}" if claimed else "–"
    print(f"| {name} | {claimed:.1f} | {true:.1f} | {ratio} | {certain:.0f} |", flush=True)


def judge_participant(drawn: Drawn, rate: float, seed: int) -> tuple[float, float]:
    """Return claimed and true: right matches of who knows that a person took part."""
    keys = drawn.sample.keys
    codes = drawn.sample.frame.select(keys).cast(pl.Int64).to_numpy()
    hidden = hide(codes, rate, "mcar", seed)
    frame = with_gaps(codes, hidden, drawn.sample.frame["weight"].to_numpy())
    data = study(frame, keys=frame.columns[:-1], weight="w", estimator="model")
    row = next(row for row in data.intruders() if row.name == "participant")
    assert row.now.expected is not None
    return row.now.expected, float((1.0 / count_people(codes, codes, hidden)).sum())


def participant() -> None:
    """Who knows that a person took part, with natural gaps."""
    print("Participant: claimed / true, all samples together (smallest .. largest of a sample)\n")
    print("| missing | claimed | true | claimed / true |")
    print("|---|---|---|---|")
    for rate in (0.0, 0.05, 0.10):
        found = np.array(
            [judge_participant(drawn, rate, n) for n, drawn in enumerate(drawn_samples(1))]
        )
        claimed, true = found.sum(axis=0)
        ratios = found[:, 0] / found[:, 1]
        print(
            f"| {rate:.0%} | {claimed:,.0f} | {true:,.0f} | {claimed / true:.2f} "
            f"({ratios.min():.2f} .. {ratios.max():.2f}) |",
            flush=True,
        )


def guess_by_forest(
    hidden: HiddenKey, variables: Sequence[Sequence[np.ndarray]]
) -> dict[str, Guesses]:
    """Guess by a forest of 60 trees, taught by the same records: the best that is at hand."""
    from sklearn.ensemble import ExtraTreesClassifier

    columns = np.stack(
        [hidden.shown, *(each[0][hidden.record] for each in variables)], axis=1
    ).astype(np.float32)
    right, chance = np.zeros(len(hidden.asked), bool), np.zeros(len(hidden.asked))
    for part in range(PARTS):
        taught, asked = hidden.part != part, hidden.part[hidden.asked] == part
        if not taught.any() or not asked.any():
            continue
        trees = ExtraTreesClassifier(60, min_samples_leaf=3, max_features=0.5, random_state=part)
        trees.fit(columns[taught], hidden.truth[taught])
        chances = trees.predict_proba(columns[hidden.asked[asked]])
        guess = trees.classes_[chances.argmax(axis=1)]
        right[asked] = guess == hidden.truth[hidden.asked[asked]]
        chance[asked] = chances.max(axis=1)
    return {"forest": Guesses(right=right, chance=chance)}


def open_for_guesses() -> Iterator[tuple[str, Study]]:
    """Surveys with hidden keys: of families that are simulated, and of the demo."""
    for seed in (4, 6):
        drawn = draw_families(make_families(OVERVIEW, seed), 0.05, seed)
        options = {"weight": "weight", "household": "household", "estimator": "model"}
        data = study(drawn, keys=FAMILY_KEYS, **options)
        yield f"families {seed}, own", data.suppress(LIMIT, guarantee="own")
        yield f"families {seed}, view", data.suppress(LIMIT, guarantee="view")
        apart = data.drop("household")
        yield f"families {seed}, no household, own", apart.suppress(LIMIT, guarantee="own")
        coarse = apart.recode("age", breaks=[3, 6, 9, 12])
        yield f"families {seed}, no household, age coarse, view", coarse.suppress(LIMIT)
        yield f"families {seed}, no education", data.drop("education", from_keys=True)
    keys = ("region", "sex", "age", "marital", "citizenship", "education", "occupation", "hsize")
    demo = study(survey().frame, keys=keys, weight="weight", estimator="model").drop("household")
    yield "demo, own", demo.suppress(LIMIT, guarantee="own")
    yield "demo, no region", demo.drop("region", from_keys=True)


def guesser() -> None:
    """Hits with guesses beside those of a forest: uv run --with scikit-learn."""
    print("Guesser: records found by keys, with guesses, and with those of a forest of 60 trees\n")
    ways = ("exact", "screen", "bayes", "surer")
    print("| file | by keys | screen | Bayes | surer | forest | largest / forest | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    own = HiddenKey.guess
    for name, data in open_for_guesses():
        took = []
        for guess in (own, guess_by_forest):
            attacked = _attacked_twice(data)
            HiddenKey.guess = guess
            start = time.process_time()
            took.append((GuesserIntruder().play(attacked).found, time.process_time() - start))
        (found, quick), (forest, slow) = took
        best, forests = max(found.values()), max(forest.values())
        told = " | ".join(f"{found[way]:.1f}" for way in ways)
        print(
            f"| {name} | {told} | {forest['forest']:.1f} | {best / forests:.2f} | "
            f"{quick:.2f}; {slow:.1f} |",
            flush=True,
        )
    HiddenKey.guess = own


def count_guesses(data: Study, people: pl.DataFrame) -> dict[str, tuple[float, float]]:
    """Return records found by keys, and by each way of guessing: as claimed, and in truth."""
    attacked, keys = _attacked_twice(data), list(FAMILY_KEYS)
    codes = [each.select(keys).to_numpy() for each in (people, data._before().frame)]
    hidden = np.stack([data.frame[key].is_null().to_numpy() for key in keys], axis=1)
    shown = 1.0 / count_people(*codes, hidden)
    whole = 1.0 / count_people(*codes, np.zeros_like(hidden))
    risk = attacked.record_risk()
    found = {"by keys": (float(risk.sum()), float(shown.sum()))}
    aims = list_aims(attacked, attacked.earlier(), len(risk))
    for way, (guessed, chance) in decide(attacked, aims, risk)[1].items():
        true = np.where(guessed, np.where(chance > 0, whole, 0.0), shown)
        found[way] = float(chance.sum()), float(true.sum())
    return found


def guesses() -> None:
    """Hits with guesses as claimed, and in populations that are known."""
    print("Guesser: records found as claimed; in truth, over four populations\n")
    print("| file | " + " | ".join(("by keys", "screen", "Bayes", "surer")) + " |")
    print("|---|---|---|---|---|")
    sums: dict[str, dict[str, np.ndarray]] = {}
    for seed in (4, 5, 6, 7):
        people = make_families(OVERVIEW, seed)
        options = {"weight": "weight", "household": "household", "estimator": "model"}
        data = study(draw_families(people, 0.05, seed), keys=FAMILY_KEYS, **options)
        apart = data.drop("household")
        for guarantee in ("own", "view"):
            for name, each in ((guarantee, data), (f"no household, {guarantee}", apart)):
                found = count_guesses(each.suppress(LIMIT, guarantee=guarantee), people)
                told = sums.setdefault(name, {})
                for way, both in found.items():
                    told[way] = told.get(way, np.zeros(2)) + both
    for name, told in sums.items():
        cells = [f"{a:.0f}; {b:.0f} ({a / b:.2f})" for a, b in told.values()]
        print(f"| {name} | " + " | ".join(cells) + " |")


def inference() -> None:
    """What is guessed of people in the file, of held-out halves, and of people outside it."""
    print("Inference: shares guessed right; outside are people of the population not in the file\n")
    print("| file | sensitive | in the file | held out | outside | advantage claimed; true |")
    print("|---|---|---|---|---|---|")
    keys = tuple(key for key in FAMILY_KEYS if key not in ("education", "status"))
    for seed in (4, 5, 6):
        people = make_families(OVERVIEW, seed)
        drawn = draw_families(people, 0.05, seed)
        outside = people.join(drawn, on="household", how="anti").sample(5000, seed=seed)
        options = {"weight": "weight", "household": "household", "estimator": "model"}
        said = Declaration(role="sensitive")
        data = study(drawn, keys=keys, **options).declare({"education": said, "status": said})
        for word, made in (
            ("as drawn", data),
            ("view", data.suppress(LIMIT, guarantee="view")),
            ("without region", data.drop("region", from_keys=True)),
        ):
            attacked = AttackedStudy(made, "main", limits={}, progress=silent)
            found = InferenceIntruder().play(attacked).found
            for name in ("education", "status"):
                right = share_outside(attacked, outside, name)
                inside, control = found[f"{name}: in the file"], found[f"{name}: others"]
                true = (inside - right) / (1 - right)
                print(
                    f"| families {seed}, {word} | {name} | {inside:.3f} | {control:.3f} | "
                    f"{right:.3f} | {found[f'{name}: advantage']:.3f}; {true:.3f} |",
                    flush=True,
                )


def share_outside(attacked: AttackedStudy, people: pl.DataFrame, name: str) -> float:
    """Return how often people who are not in the file are guessed right by all of it."""
    keys, engine = attacked.scenario.keys, attacked.engine

    def code(variable: str) -> np.ndarray:
        place = {text: number for number, text in enumerate(engine.categories(variable), 1)}
        texts = people[variable].cast(pl.String).to_list()
        return np.array([place.get(text, len(place) + 1) for text in texts])

    weight = attacked.weights()
    released = ReleasedValues(
        keys=np.stack([attacked.shown(key) for key in keys], axis=1),
        value=attacked.shown(name),
        weight=weight,
    )
    targets = np.stack([code(key) for key in keys], axis=1)
    return float(np.mean(released.guess(targets) == code(name)))


def _attacked_twice(data: Study) -> AttackedStudy:
    """The file as it is attacked, with the one that it came from."""
    start = AttackedStudy(data._before(), "main", limits={}, progress=silent)
    made = AttackedStudy(data, "main", limits={}, start=start, progress=silent)
    for each in (made, *(made.earlier() or ())):
        each.record_risk()  # what others have measured anyway
    made.told()
    return made


def table() -> None:
    """What the table of intruders takes on the survey of the demo, beside its risk."""
    keys = ("region", "sex", "age", "marital", "citizenship", "education", "occupation", "hsize")
    data = study(
        survey().frame, keys=keys, weight="weight", household="household", estimator="model"
    )
    start = time.process_time()
    data.risk()
    measured = time.process_time()
    data.intruders()
    played = time.process_time() - measured
    print(f"Survey of the demo, {len(keys)} keys: risk {measured - start:.1f} CPU s, ", end="")
    print(f"the table of intruders {played:.2f} on top of it")


def overview() -> None:
    """Intruders on one survey of families, before and after protection."""
    print("Survey of families, claimed / true hits before protection, then with the same keys")
    print(f"blanked above {LIMIT} by view, then by household above {LIMIT}\n")
    print("| intruder | unit | before | records protected | households protected |")
    print("|---|---|---|---|---|")
    people = make_families(OVERVIEW, 4)
    drawn = draw_families(people, 0.05, 4)
    data = study(drawn, keys=FAMILY_KEYS, weight="weight", household="household", estimator="model")
    states = [
        data,
        data.suppress(LIMIT, guarantee="view"),
        data.suppress(household=LIMIT),
    ]
    columns = [count_hits(state, people, drawn) for state in states]
    for name in ("keys", "family", "participant"):
        cells = []
        for rows, true in columns:
            row = next(each for each in rows if each.name == name)
            cells.append(f"{row.now.expected:,.0f} / {true[name]:,.0f}")
        print(f"| {name} | {row.unit} | " + " | ".join(cells) + " |", flush=True)


def count_hits(
    data: Study, people: pl.DataFrame, drawn: pl.DataFrame
) -> tuple[IntruderTable, Mapping[str, float]]:
    """Play the intruders, and count what they would find."""
    shown = pl.DataFrame(data.frame).with_columns(household=drawn["household"])
    hidden = shown.select(pl.col(FAMILY_KEYS).is_null()).to_numpy()
    codes, everybody = (each.select(FAMILY_KEYS).to_numpy() for each in (drawn, people))
    true = {
        "keys": float((1.0 / count_people(everybody, codes, hidden)).sum()),
        "participant": float((1.0 / count_people(codes, codes, hidden)).sum()),
        "family": float((1.0 / count_matching(people, shown, FAMILY_KEYS)).sum()),
    }
    return data.intruders(), true


SWAPS = ((1, 15.0), (2, 15.0), (3, 5.0), (3, 15.0), (4, 15.0), (5, 15.0), (6, 10.0))
SWAPPED, SWAPPED_LARGE = 2_000, 12_000


def make_firms(records: int, variables: int, seed: int) -> pl.DataFrame:
    """Lognormal numbers that go together, with correlation one half."""
    rng = np.random.default_rng([seed, variables])
    shared = rng.normal(size=records)
    return pl.DataFrame(
        {f"v{j}": np.exp(0.7 * (shared + rng.normal(size=records))) for j in range(variables)}
    )


def solve_exactly(before: pl.DataFrame, after: pl.DataFrame, percent: float) -> tuple[int, float]:
    """Return hits and cost of the cheapest pairing inside the window, by a solver."""
    from scipy.optimize import linear_sum_assignment

    count = len(before)
    width = max(1, int(percent * count / 100))
    cost, allowed = np.zeros((count, count)), np.ones((count, count), bool)
    for name in before.columns:
        ends = [
            (frame[name].rank("min").to_numpy(), frame[name].rank("max").to_numpy())
            for frame in (before, after)
        ]
        (low, high), (least, most) = ((a.astype(float)[:, None], b.astype(float)[:, None])
                                      for a, b in ends)  # fmt: skip
        allowed &= (least.T - high <= width) & (low - most.T <= width)
        cost += (((low + high) - (least + most).T) / 2 / width) ** 2
    rows, columns = linear_sum_assignment(np.where(allowed, cost, 1e6))
    return int((rows == columns).sum()), float(cost[rows, columns].sum())


def numbers() -> None:
    """Rank swapping undone inside the window, one to one, against a solver (--with scipy)."""
    print(f"Rank swapping, {SWAPPED:,} records: linked by the nearest, paired by auction, and by a")
    print("solver of the assignment; CPU s of linkage and auction together\n")
    print("| variables | percent | linked | paired | solver | paired / linked | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for variables, percent in SWAPS:
        frame = make_firms(SWAPPED, variables, 1)
        done = study(frame, keys=[]).rank_swap(frame.columns, percent=percent, seed=5)
        start = time.process_time()
        found = done.numeric_risk()
        took = time.process_time() - start
        hits, _ = solve_exactly(frame, pl.DataFrame(done.frame), percent)
        linked, paired = found.linkage.all.expected, found.window.expected
        print(
            f"| {variables} | {percent:g} | {linked:,.0f} | {paired:,.0f} | {hits:,} | "
            f"{paired / linked:.2f} | {took:.2f} |",
            flush=True,
        )
    print("\n5 variables, 15 %, fewer records\n")
    print("| records | linked | paired | solver | paired / linked |")
    print("|---|---|---|---|---|")
    for records in (1300, 1500, 1700):
        frame = make_firms(records, 5, 1)
        done = study(frame, keys=[]).rank_swap(frame.columns, percent=15, seed=5)
        found = done.numeric_risk()
        hits, _ = solve_exactly(frame, pl.DataFrame(done.frame), 15)
        linked, paired = found.linkage.all.expected, found.window.expected
        print(f"| {records:,} | {linked:,.0f} | {paired:,.0f} | {hits:,} | {paired / linked:.2f} |")
    print(f"\n{SWAPPED_LARGE:,} records, 15 %: by blocks, and all of them at once\n")
    print("| variables | linked | by blocks | whole | blocks / whole |")
    print("|---|---|---|---|---|")
    for variables in (3, 4, 5):
        frame = make_firms(SWAPPED_LARGE, variables, 2)
        done = study(frame, keys=[]).rank_swap(frame.columns, percent=15, seed=5)
        found = done.numeric_risk()
        whole = pair_whole(frame, pl.DataFrame(done.frame), 15.0)
        print(
            f"| {variables} | {found.linkage.all.expected:,.0f} | {found.window.expected:,.0f} ± "
            f"{found.window.error * SWAPPED_LARGE:,.0f} | {whole:,.0f} | "
            f"{found.window.expected / whole:.2f} |",
            flush=True,
        )


def pair_whole(before: pl.DataFrame, after: pl.DataFrame, percent: float) -> float:
    """Return hits if all records are paired at once, however many they are."""
    pairs = NumberPairs(
        names=before.columns,
        before=[each.to_numpy() for each in before],
        after=[each.to_numpy() for each in after.select(before.columns)],
    )
    search = WindowSearch(pairs, [SwapWindow(variable=n, percent=percent) for n in pairs.names])
    return float(search.find_hits(np.arange(pairs.records)).sum())


SECTIONS: Mapping[str, Callable[[], None]] = {
    "overview": overview,
    "gaps": gaps,
    "view": view,
    "spread": spread,
    "families": families,
    "rejoin": rejoin,
    "stops": stops,
    "participant": participant,
    "guesser": guesser,
    "guesses": guesses,
    "inference": inference,
    "table": table,
    "numbers": numbers,
    "persons": persons,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or SECTIONS:
        SECTIONS[name]()
