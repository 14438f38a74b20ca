"""The estimator `model` through the whole loop, against sums over all cells and all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.errors import NoEstimateError, UsageError
from microsafe.risk import MergedModel, PopulationModel, fit_model
from microsafe.studies.reference import population_model
from oracle import Record, compatible, frequencies, shows_all_of

KEYS = ("a", "b", "c", "d")
LIMIT = 0.2


def simulated(seed: int, *, records: int = 160, gaps: float = 0.0) -> pl.DataFrame:
    """Keys that go together, weights that differ, households of a few."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 2, records)
    columns: dict[str, Any] = {}
    for name, size in zip(KEYS, (4, 3, 5, 2), strict=True):
        value = np.minimum(rng.poisson(0.6 + kind, records), size - 1)
        text = [f"{name}{v}" for v in value.tolist()]
        columns[name] = [t if rng.random() >= gaps else None for t in text]
    columns["w"] = rng.uniform(2, 9, records).round(2)
    columns["h"] = np.sort(rng.integers(0, records // 3, records))
    return pl.DataFrame(columns)


def opened(frame: pl.DataFrame, **options: Any) -> ms.Study:
    return ms.study(frame, keys=KEYS, weight="w", **({"estimator": "model"} | options))


def all_means(model: PopulationModel) -> dict[tuple[str | None, ...], float]:
    """People expected in every cell of the cross table, by its categories."""
    choices = [
        [code for code, level in enumerate(levels.tolist()) if level >= 0]
        for levels in model.levels
    ]
    cells = list(product(*choices))
    codes = [np.array(each, np.uint32) for each in zip(*cells, strict=True)]
    means = model.means(codes, (1 << len(choices)) - 1)
    return {
        tuple(
            model.categories[j][code - 1] if code else None for j, code in enumerate(cell)
        ): float(mean)
        for cell, mean in zip(cells, means, strict=True)
    }


@cache
def match_chance(f: float, mean: float, fraction: float, d: float) -> float:
    """E(1/F | f), F - f negative binomial, term by term."""
    size = 1.0 / d + f
    odds = d * (1.0 - fraction) * mean / (1.0 + d * fraction * mean)
    p = odds / (1.0 + odds)
    k = np.arange(int(size * odds + 60.0 * np.sqrt(size * odds * (1.0 + odds))) + 200)
    steps = np.log((size + k[:-1]) / (k[:-1] + 1.0) * p)
    terms = np.exp(size * np.log1p(-p) + np.concatenate([[0.0], np.cumsum(steps)]))
    return float((terms / (f + k)).sum())


def expected_risk(
    released: Sequence[Record],
    original: Sequence[Record],
    weights: Sequence[float],
    model: PopulationModel,
    means: Mapping[tuple[str | None, ...], float],
    *,
    blanks_protect: bool = False,
    blanks_match: bool = True,
) -> list[float]:
    """Risk of every released record by what it shows: all cells, all pairs.

    Who matches is counted among the original records, unless others' blanks protect; of those,
    records that came with a gap in what is shown are no match.
    """
    found = []
    for mine in released:
        partners = released if blanks_protect else original
        matching = blanks_protect and blanks_match
        those = [
            weight
            for other, weight in zip(partners, weights, strict=True)
            if compatible(mine, other) and (matching or shows_all_of(mine, other))
        ]
        f, F = len(those), sum(those)
        shown = [j for j, value in enumerate(mine) if value is not None]
        mean = sum(value for cell, value in means.items() if all(cell[j] == mine[j] for j in shown))
        known = sum(
            weight
            for other, weight in zip(original, weights, strict=True)
            if compatible(mine, other) and shows_all_of(mine, other)
        )
        mean = mean * F / known if known > F else mean + F - known
        mean /= model.cluster
        d = float(model.scatter.at(np.array([mean]))[0])
        fraction = min(f / F, 1.0) * share_that_shows(model, mine)
        found.append(match_chance(f, mean, fraction, max(d, 1e-9)))
    return found


def share_that_shows(model: PopulationModel, mine: Record) -> float:
    """Chance that somebody with these values shows as much (`test_model_gaps` checks it)."""
    if model.shares is None:
        return 1.0
    codes = [
        np.array([0 if value is None else texts.index(value) + 1], np.uint32)
        for value, texts in zip(mine, map(list, model.categories), strict=True)
    ]
    shown = sum(1 << j for j, value in enumerate(mine) if value is not None)
    return float(model.shown_share(codes, shown)[0])


def rows_of(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return frame.select(KEYS).rows()


def released_rows(study: ms.Study) -> list[tuple[Any, ...]]:
    cells = study.engine.cells(replace(study.scenario(), attack="all"))
    columns = {
        key: [categories[c - 1] if c else None for c in codes.tolist()]
        for key, codes, categories in zip(cells.keys, cells.codes, cells.categories, strict=True)
    }
    by_cell = list(zip(*columns.values(), strict=True))
    number = study.engine.records(study.scenario(), {"cell": np.arange(len(cells))}, {})
    return [by_cell[c] for c in number["cell"].to_list()]


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("seed", [1, 2])
def test_records_before_protection(seed: int, gaps: float) -> None:
    frame = simulated(seed, gaps=gaps)
    study = opened(frame)
    model = population_model(study, study.scenario())
    rows = rows_of(frame)
    wanted = expected_risk(rows, rows, frame["w"].to_list(), model, all_means(model))
    found = study.risk().records()["risk"].to_numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-8)


@pytest.mark.parametrize(
    ("guarantee", "gaps"),
    [("own", 0.0), ("strict", 0.0), ("shared", 0.0), ("own", 0.1), ("strict", 0.1)],
)
def test_records_after_suppression(guarantee: Any, gaps: float) -> None:
    frame = simulated(3, gaps=gaps)
    study = opened(frame)
    done = study.suppress(above=LIMIT, guarantee=guarantee)
    assert done.steps[-1].total > 0
    model = population_model(study, study.scenario())
    means, weights = all_means(model), frame["w"].to_list()
    after = released_rows(done)
    leaning = done.steps[-1].leaning > 0
    assert leaning == (guarantee == "shared")
    wanted = expected_risk(after, rows_of(frame), weights, model, means, blanks_protect=leaning)
    found = done.risk()
    np.testing.assert_allclose(found.records()["risk"].to_numpy(), wanted, rtol=1e-8)
    assert found.max <= LIMIT
    assert done.steps[-1].stuck == 0
    if guarantee == "strict":
        alone = expected_risk(
            after, rows_of(frame), weights, model, means, blanks_protect=True, blanks_match=False
        )
        assert max(alone) <= LIMIT * (1 + 1e-9)


def test_blanks_of_others_cannot_be_told_from_gaps() -> None:
    study = opened(simulated(3, gaps=0.1))
    with pytest.raises(ms.UsageError, match="has gaps in keys, which are none under"):
        study.suppress(above=LIMIT, guarantee="shared")
    with pytest.raises(ms.UsageError, match="cannot be told from a gap that is a category"):
        opened(simulated(3, gaps=0.1), missing={"a": "category"}).suppress(above=LIMIT)


def test_own_takes_the_fewest_blanks() -> None:
    frame = simulated(4)
    study = opened(frame)
    done = study.suppress(above=LIMIT)
    model = population_model(study, study.scenario())
    means, weights, rows = all_means(model), frame["w"].to_list(), rows_of(frame)
    lost = [sum(value is None for value in row) for row in released_rows(done)]
    places = range(len(KEYS))
    for row, count in zip(rows, lost, strict=True):
        fewest = None
        sets = chain.from_iterable(combinations(places, size) for size in range(len(KEYS) + 1))
        for hidden in sets:
            shown = tuple(None if j in hidden else value for j, value in enumerate(row))
            f = sum(compatible(shown, other) for other in rows)
            F = sum(w for other, w in zip(rows, weights, strict=True) if compatible(shown, other))
            mean = sum(v for cell, v in means.items() if compatible(shown, cell))
            d = float(model.scatter.at(np.array([mean]))[0])
            if match_chance(f, mean, f / F, max(d, 1e-9)) <= LIMIT:
                fewest = len(hidden)
                break
        assert fewest == count


def test_minimal_combinations_are_unsafe_and_their_parts_are_not() -> None:
    frame = simulated(5)
    study = opened(frame)
    found = study.combinations(above=LIMIT)
    model = population_model(study, study.scenario())
    means, weights, rows = all_means(model), frame["w"].to_list(), rows_of(frame)

    @cache
    def unsafe(shown: Record) -> bool:
        f = sum(compatible(shown, other) for other in rows)
        F = sum(w for other, w in zip(rows, weights, strict=True) if compatible(shown, other))
        mean = sum(v for cell, v in means.items() if compatible(shown, cell))
        d = float(model.scatter.at(np.array([mean]))[0])
        return match_chance(f, mean, f / F, max(d, 1e-9)) > LIMIT

    listed = {tuple(row[: len(KEYS)]) for row in found.table().rows()}
    assert listed
    wanted = set()
    for row in set(rows):
        for size in range(1, len(KEYS) + 1):
            for keys in combinations(range(len(KEYS)), size):
                shown = tuple(v if j in keys else None for j, v in enumerate(row))
                parts = [
                    tuple(None if j == left else v for j, v in enumerate(shown)) for left in keys
                ]
                if unsafe(shown) and not any(unsafe(part) for part in parts):
                    wanted.add(shown)
    assert listed == wanted


def test_recodes_add_up_the_cells_of_one_model() -> None:
    frame = simulated(6)
    study = opened(frame)
    model = population_model(study, study.scenario())
    merged = {"a0": "low", "a1": "low", "a2": "high", "a3": "high"}
    done = study.recode("a", groups={"low": ["a0", "a1"], "high": ["a2", "a3"]})
    means: dict[tuple[str | None, ...], float] = {}
    for cell, value in all_means(model).items():
        new = (merged[str(cell[0])], *cell[1:])
        means[new] = means.get(new, 0.0) + value
    rows = [(merged[row[0]], *row[1:]) for row in rows_of(frame)]
    wanted = expected_risk(rows, rows, frame["w"].to_list(), model, means)
    found = done.risk().records()["risk"].to_numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-8)
    suggested = [each for each in study.suggest(most=50) if each.step.targets == ("a",)]
    assert suggested
    for each in suggested[:3]:
        taken = study.preview(each.step)
        assert taken.after.expected == pytest.approx(each.after.expected, rel=1e-12)


def test_a_recode_after_suppression_and_a_dropped_key() -> None:
    study = opened(simulated(7))
    recode = {"groups": {"low": ["a0", "a1"], "high": ["a2", "a3"]}}
    late = study.suppress(above=LIMIT).recode("a", **recode)
    assert late.risk().max <= LIMIT
    dropped = study.drop("d", from_keys=True)
    without = {each.key: each.without for each in study.risk().contributions()}
    assert dropped.risk().expected == pytest.approx(without["d"], rel=1e-12)


def test_missing_as_a_category() -> None:
    frame = simulated(8, gaps=0.15)
    study = opened(frame, missing="category")
    model = population_model(study, study.scenario())
    means = all_means(model)
    weights, rows = frame["w"].to_list(), rows_of(frame)
    wanted = []
    for row, f, F in zip(rows, *frequencies(rows, weights, category=True), strict=True):
        d = float(model.scatter.at(np.array([means[row]]))[0])
        wanted.append(match_chance(f, means[row], f / F, max(d, 1e-9)))
    found = study.risk().records()["risk"].to_numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-8)


def test_merging_twice_is_merging_once() -> None:
    study = opened(simulated(10))
    cells = study.engine.cells(study.scenario())
    model = MergedModel.of(fit_model(cells))
    first = model.merge(2, np.array([0, 1, 1, 2, 3, 3], np.uint32), ("x", "y", "z"))
    twice = first.merge(2, np.array([0, 1, 1, 2], np.uint32), ("p", "q"))
    once = model.merge(2, np.array([0, 1, 1, 1, 2, 2], np.uint32), ("p", "q"))
    codes = [np.array([1, 2]), np.array([1, 1]), np.array([1, 2]), np.array([1, 2])]
    np.testing.assert_array_equal(twice.means(codes, 15), once.means(codes, 15))


def test_both_estimators_where_many_are_alone() -> None:
    sparse = simulated(11)
    chosen = opened(sparse, estimator="cell").risk(limit=LIMIT)
    other = opened(sparse).risk(limit=LIMIT)
    told = chosen.summary()
    assert told["estimator"] == "cell"
    assert told["model"] == {
        "max": other.max,
        "expected": other.expected,
        "rate": other.rate,
        "above_limit": other.limit.unsafe if other.limit else None,
        "ratio": other.expected / chosen.expected,
    }
    assert other.summary()["cell"]["expected"] == chosen.expected
    assert "model" not in other.summary()
    assert chosen.records()["risk_model"].to_list() == other.records()["risk"].to_list()
    assert other.records()["risk_cell"].to_list() == chosen.records()["risk"].to_list()
    assert opened(sparse, estimator="cell").risk(one_estimator=True).summary()["model"] is None
    dense = pl.concat([sparse.head(20)] * 12)
    assert opened(dense, estimator="cell").risk().other is None


@pytest.mark.parametrize(("alone", "both"), [(4, False), (5, True), (6, True)])
def test_both_estimators_from_one_sample_unique_in_twenty_on(alone: int, both: bool) -> None:
    common = ["c", "d"] * 50
    frame = pl.DataFrame(
        {
            "a": [*(f"u{i}" for i in range(alone)), *common][:100],
            "b": ["x", "x", "y", "y"] * 25,
            "w": [10.0] * 100,
        }
    )
    found = ms.study(frame, keys=["a", "b"], weight="w").risk()
    assert found.sample_uniques == alone
    assert (found.other is not None) == both
    assert found.proposed_estimator == ("model" if both else "cell")


def test_blanks_do_not_silence_the_model() -> None:
    done = opened(simulated(12), estimator="cell").suppress(k=3)
    after = done.risk()
    assert after.sample_uniques == 0
    assert after.other is not None


def test_a_warning_where_the_model_says_much_more() -> None:
    rng = np.random.default_rng(13)
    frame = pl.DataFrame(
        {name: rng.integers(0, 9, 800) for name in KEYS} | {"w": np.full(800, 20.0)}
    )
    found = opened(frame, estimator="cell").risk()
    assert found.ratio is not None
    assert ("model-higher" in [each.id for each in found.notices]) == (found.ratio > 1.25)


def test_figures_by_cell_do_not_depend_on_the_model() -> None:
    frame = simulated(14, gaps=0.05)
    study = opened(frame, estimator="cell")
    both, alone = study.risk(), study.risk(one_estimator=True)
    assert both.expected == alone.expected
    assert both.measured.risk.tolist() == alone.measured.risk.tolist()


def test_household_risk_by_the_formula_is_made_of_the_risks_of_members() -> None:
    frame = simulated(15)
    found = opened(frame, household="h").risk()
    assert found.household is not None
    risks = found.records()
    safe = 1.0 - risks["risk"].to_numpy()
    wanted = []
    for home, *_ in frame.select("h").unique().rows():
        members = (frame["h"] == home).to_numpy()
        wanted.append(1.0 - safe[members].prod())
    assert sorted(wanted) == pytest.approx(sorted(found.household.by_formula.risk), rel=1e-9)
    done = opened(frame, household="h").suppress(above=LIMIT, household=0.4)
    after = done.risk()
    assert after.household is not None
    assert after.household.by_formula.max <= 0.4


def test_the_four_ways_to_a_limit() -> None:
    study = opened(simulated(16))
    risk = study.risk()
    chosen = study.limit(expected=risk.expected / 2)
    assert chosen.expected_bound <= risk.expected / 2
    assert study.limit(rate=chosen.rate_bound).limit == chosen.limit
    assert study.limit(unsafe=chosen.unsafe).unsafe <= chosen.unsafe
    assert study.limit(risk=chosen.limit) == chosen


def test_what_does_not_go_together() -> None:
    frame = simulated(17)
    with pytest.raises(UsageError, match="needs a sampling weight"):
        ms.study(frame, keys=KEYS, estimator="model")
    for wrong in ("modell", "", ["model"]):
        with pytest.raises(UsageError, match="Unknown estimator"):
            ms.study(frame, keys=KEYS, weight="w", estimator=wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="approximation"):
        opened(frame).risk(approximation="series1")


def test_no_estimate_is_an_error_if_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: Any, **options: Any) -> PopulationModel:
        return replace(fit_model(*args, **options), converged=False)

    monkeypatch.setattr("microsafe.risk.model.estimate.fit_model", never)
    with pytest.raises(NoEstimateError, match="Use fewer"):
        opened(simulated(18)).risk()
    beside = opened(simulated(18), estimator="cell").risk()
    assert beside.other is None
    assert "model-none" in [each.id for each in beside.notices]


def test_one_fit_serves_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = []

    def counted(*args: Any, **options: Any) -> PopulationModel:
        fits.append(1)
        return fit_model(*args, **options)

    monkeypatch.setattr("microsafe.risk.model.estimate.fit_model", counted)
    study = opened(simulated(19))
    study.risk()
    done = study.recode("a", groups={"low": ["a0", "a1"]}).suppress(above=LIMIT)
    done.risk()
    done.undo().suggest()
    assert len(fits) == 1


def test_the_file_as_released_by_what_records_still_show() -> None:
    frame = simulated(20)
    study = opened(frame)
    untouched = study.file_risk(opinions=())
    alone, tau1, tau2 = study.tau()
    assert alone == untouched.sample_uniques
    assert tau1 == pytest.approx(untouched.tau1, rel=1e-9)
    assert tau2 == pytest.approx(untouched.tau2, rel=1e-9)
    done = study.suppress(above=LIMIT)
    rows, after = rows_of(frame), released_rows(done)
    single = [sum(compatible(mine, other) for other in rows) == 1 for mine in after]
    alone, fewer1, fewer2 = done.tau()
    assert alone == sum(single)
    risks = done.risk().records()["risk"].to_numpy()
    assert fewer2 == pytest.approx(risks[np.array(single)].sum(), rel=1e-9)
    assert fewer1 < tau1


def test_a_census_leaves_nothing_to_chance() -> None:
    census = opened(simulated(22).with_columns(w=pl.lit(1.0)))
    assert census.risk().standard_errors is None
    found = census.file_risk(opinions=())
    assert found.tau1 == found.sample_uniques > 0
    assert found.interval == ((found.tau1, found.tau1), (found.tau2, found.tau2))


def test_standard_errors_by_the_model_are_those_of_tau2() -> None:
    study = opened(simulated(21), household="h")
    found, file = study.risk(), study.file_risk(opinions=())
    assert file.interval is not None
    low, high = file.interval[1]
    assert found.standard_errors is not None
    assert file.tau2 is not None
    part = (high - low) / 2 / 1.959964 / file.tau2
    assert found.standard_errors.expected == pytest.approx(part * found.expected, rel=1e-6)
    assert found.standard_errors.rate == pytest.approx(part * found.rate, rel=1e-6)
    assert found.household is not None
    homes = found.standard_errors.expected_households
    assert homes == pytest.approx(part * found.household.expected_households, rel=1e-6)
