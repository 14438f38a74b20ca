"""Gaps in keys under the model: each part of it against sums over all cells, and the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cells import Cells
from microsafe.options.scenario import Scenario
from microsafe.risk import PopulationModel, fit_model
from microsafe.risk.model import fitted_sample
from microsafe.risk.model.completion import Completion, complete_margins, fill_gaps
from microsafe.risk.model.gaps import GappedTable, levels_of
from microsafe.risk.model.marginal import Factor
from microsafe.risk.model.nonresponse import ShownShares
from microsafe.risk.model.posterior import match_chance
from microsafe.risk.model.scatter import _solve, find_scatter_shown
from microsafe.risk.model.stepwise import GrowingModel
from microsafe.risk.record.individual import individual_risk
from microsafe.risk.record.reference import MatchingPeople
from microsafe.risk.table.tau import curvature

SIZES = (4, 3, 5, 2)
KEYS = ("a", "b", "c", "d")
EVERY = (0, 1, 2, 3)


def simulated(seed: int, *, records: int = 900, gaps: float = 0.15) -> pl.DataFrame:
    """A sample of 900 whose keys lean on each other, with gaps more often where a is large."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, records)
    codes = [np.minimum(rng.poisson(0.6 + kind), size - 1) for size in SIZES]
    chance = np.where(codes[0] > 1, 1.5 * gaps, gaps)
    columns: dict[str, Any] = {
        key: [None if rng.random() < p else f"{key}{v}" for v, p in zip(code, chance, strict=True)]
        for key, code in zip(KEYS, codes, strict=True)
    }
    columns["w"] = rng.uniform(2, 9, records).round(2)
    return pl.DataFrame(columns)


def counted(frame: pl.DataFrame) -> Cells:
    study = ms.study(frame, keys=KEYS, weight="w")
    return study.engine.cells(study.scenario())


def laid_out(cells: Cells) -> GappedTable:
    levels = [levels_of(cells, key, gaps=True) for key in range(len(cells.keys))]
    return GappedTable.laid_out(cells, levels)


@pytest.fixture(scope="module")
def cells() -> Cells:
    return counted(simulated(1))


@pytest.fixture(scope="module")
def table(cells: Cells) -> GappedTable:
    return laid_out(cells)


@pytest.fixture(scope="module")
def model(cells: Cells) -> PopulationModel:
    return fit_model(cells, integrated=KEYS)


def agreeing(table: GappedTable, row: int) -> Iterator[tuple[int, ...]]:
    """Cells of the whole table that agree with a row on what it shows."""
    choices = [
        range(size) if table.levels[key][row] < 0 else [int(table.levels[key][row])]
        for key, size in enumerate(table.sizes)
    ]
    yield from product(*choices)


def effects_of(table: GappedTable, seed: int) -> tuple[list[Factor], np.ndarray]:
    """A model of one three-way and two two-way effects, and its whole table."""
    rng = np.random.default_rng(seed)
    terms = [(0, 1, 2), (1, 3), (2, 3), (0,)]
    effects = [Factor(term, rng.gamma(1, 1, [table.sizes[k] for k in term])) for term in terms]
    return effects, whole_table(effects, table.sizes)


def whole_table(effects: list[Factor], sizes: tuple[int, ...]) -> np.ndarray:
    dense = np.ones(sizes)
    for keys, values in effects:
        dense = dense * values.reshape([s if k in keys else 1 for k, s in enumerate(sizes)])
    return dense


@pytest.mark.parametrize("seed", [1, 2])
def test_gaps_are_filled_as_all_cells_have_it(table: GappedTable, seed: int) -> None:
    effects, dense = effects_of(table, seed)
    filled = np.zeros(table.sizes)
    for row, weight in enumerate(table.weights):
        cells = list(agreeing(table, row))
        whole = sum(dense[cell] for cell in cells)
        for cell in cells:
            filled[cell] += weight * dense[cell] / whole
    found = Completion(table, [each.keys for each in effects]).fill(
        effects, table.weights, [(0, 2)]
    )
    assert {(0,), (1,), (2,), (3,), (0, 2), (0, 1, 2), (1, 3), (2, 3)} == set(found)
    for term, margin in found.items():
        away = tuple(key for key in EVERY if key not in term)
        np.testing.assert_allclose(margin, filled.sum(axis=away), rtol=1e-10, atol=1e-10)


def test_margins_are_of_those_who_show_them(table: GappedTable) -> None:
    for term in [(0,), (1, 3), (0, 1, 2)]:
        wanted = np.zeros([table.sizes[key] for key in term])
        for row, weight in enumerate(table.weights):
            place = tuple(int(table.levels[key][row]) for key in term)
            if min(place) >= 0:
                wanted[place] += weight
        share = sum(
            count
            for row, count in enumerate(table.counts)
            if all(table.levels[key][row] >= 0 for key in term)
        )
        wanted *= table.weights.sum() / wanted.sum()
        np.testing.assert_allclose(table.margin(term), wanted, rtol=1e-12)
        assert table.share(term) == pytest.approx(share / table.counts.sum())


def test_without_shrinkage_it_is_maximum_likelihood(table: GappedTable) -> None:
    """EM of a model of two pairs, by enumeration of its whole table."""
    counts = table.as_counted()
    model = GrowingModel(counts)
    for term in [(0, 1), (1, 2)]:
        model.add(term, np.ones([table.sizes[key] for key in term]))
    fill_gaps(model, counts)
    model.settle()
    dense = np.ones(table.sizes)
    for _ in range(60):
        filled = np.zeros(table.sizes)
        for row, weight in enumerate(counts.weights):
            cells = tuple(np.array(list(agreeing(table, row))).T)
            filled[cells] += weight * dense[cells] / dense[cells].sum()
        # Decomposable: the fit to two pairs that share a key, and one key alone, is a product.
        first, second = filled.sum(axis=(2, 3)), filled.sum(axis=(0, 3))
        alone, shared = filled.sum(axis=(0, 1, 2)), filled.sum(axis=(0, 2, 3))
        dense = np.einsum("ab,bc,d,b->abcd", first, second, alone / filled.sum(), 1 / shared)
    for term in [(0, 1), (1, 2), (0, 2), (3,)]:
        away = tuple(key for key in EVERY if key not in term)
        np.testing.assert_allclose(model.margin(term), dense.sum(axis=away), rtol=0.01)


def test_weights_are_completed_by_the_same_chances(table: GappedTable) -> None:
    counts = table.as_counted()
    model = GrowingModel(counts)
    model.add((0, 1), np.ones(table.sizes[:2]))
    fill_gaps(model, counts)
    found = complete_margins(model, table)
    assert found.filled
    assert found.margin((0, 1)).sum() == pytest.approx(table.weights.sum())
    dense = whole_table(model.effects(), table.sizes)
    wanted = np.zeros(table.sizes)
    for row, weight in enumerate(table.weights):
        cells = tuple(np.array(list(agreeing(table, row))).T)
        wanted[cells] += weight * dense[cells] / dense[cells].sum()
    np.testing.assert_allclose(found.margin((0, 1)), wanted.sum(axis=(2, 3)), rtol=1e-10)


def raked(share: np.ndarray, seen: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Factors by value until one-way margins agree, over all cells."""
    for _ in range(50):
        for axis in range(seen.ndim):
            away = tuple(other for other in range(seen.ndim) if other != axis)
            change = seen.sum(axis=away) / (share * expected).sum(axis=away)
            share = share * np.expand_dims(change, away)
    return share


def dense_mean(model: PopulationModel, keys: tuple[int, ...]) -> np.ndarray:
    """Records that the counts' model expects in every cell of some keys."""
    effects = [Factor(*each) for each in model.factors]
    away = tuple(key for key in EVERY if key not in keys)
    return model.table.fraction * whole_table(effects, model.table.sizes).sum(axis=away)


@pytest.mark.parametrize("keys", [(0, 1, 2, 3), (0, 2), (1, 2, 3), (2,)])
def test_shares_that_show_are_those_of_raking(keys: tuple[int, ...]) -> None:
    frame = simulated(2, records=4000).with_columns(w=pl.lit(10.0))
    cells = counted(frame)
    model = fit_model(cells, integrated=KEYS)
    table = laid_out(cells)
    seen = table.margin(keys) * table.share(keys) * table.fraction
    wanted = np.clip(raked(np.ones(seen.shape), seen, dense_mean(model, keys)), 1e-9, 1)
    codes = [np.zeros(seen.size, np.uint32) for _ in EVERY]
    for key, level in zip(keys, np.indices(seen.shape).reshape(len(keys), -1), strict=True):
        codes[key] = (level + 1).astype(np.uint32)
    found = model.shown_share(codes, sum(1 << key for key in keys))
    np.testing.assert_allclose(found, wanted.ravel(), rtol=0.02)
    assert isinstance(model.shares, ShownShares)


def test_scatter_is_the_moments_of_those_who_show(table: GappedTable) -> None:
    counts, sums = table.as_counted(), np.zeros(2)
    model = GrowingModel(counts)
    model.add((1, 3), np.full([table.sizes[1], table.sizes[3]], 0.5))
    dense = whole_table([Factor(*each) for each in model.factors], table.sizes)
    for size in (4, 3, 2):
        for keys in [k for k in product(EVERY, repeat=size) if list(k) == sorted(set(k))]:
            mean = dense.sum(axis=tuple(key for key in EVERY if key not in keys))
            fraction = counts.fraction * counts.share(keys)
            for cell in np.ndindex(mean.shape):
                shown = [np.array(table.levels[k]) == v for k, v in zip(keys, cell, strict=True)]
                f = table.counts[np.logical_and.reduce(shown)].sum()
                weight = curvature(np.array([mean[cell]]), fraction)[0]
                expected = fraction * mean[cell]
                sums += weight * np.array([(f - expected) ** 2 - f, expected**2])
    assert sums[0] > 0
    found = find_scatter_shown(counts, model.model, None)
    assert found.dispersion == pytest.approx(sums[0] / sums[1], rel=1e-9)
    assert found.clumps == 0


def test_scatter_of_those_who_show_all_is_told_beside(
    cells: Cells, table: GappedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitted_sample, "_APART", 0.0)
    found = fit_model(cells, integrated=KEYS)
    assert found.by_scatter is not None
    expected, other = found.by_scatter
    assert expected == pytest.approx((cells.count * found.risk).sum(), rel=1e-13)
    # The moments of those who show all keys, cell by cell of the whole table.
    counted = table.as_counted()
    model = GrowingModel(counted)
    for step in found.steps:
        model.add(step.term, step.trust)
    fill_gaps(model, counted)
    model.settle()
    whole = np.flatnonzero(table.shows == (1 << len(KEYS)) - 1)
    counts = np.zeros(table.sizes)
    counts[tuple(level[whole] for level in table.levels)] = table.counts[whole]
    fitted = whole_table(list(model.factors), table.sizes)
    fraction = table.fraction * counts.sum() / table.counts.sum()
    mean = fraction * fitted
    rows = np.stack([(counts - mean) ** 2 - counts, mean * mean, fraction * mean])
    rows = (rows * curvature(fitted, fraction)).reshape(3, -1)
    scatter = _solve(rows.sum(axis=1), (rows * fitted.ravel()).sum(axis=1))[0]
    share = np.array(
        [
            found.shown_share([code[[row]] for code in cells.codes], int(mask))[0]
            for row, mask in enumerate(table.shows)
        ]
    )
    chance = match_chance(
        found.f, found.fitted, found.f / found.F * share, scatter.at(found.fitted)
    )
    assert other == pytest.approx((cells.count * chance).sum(), rel=1e-6)
    monkeypatch.setattr(fitted_sample, "_APART", 10.0)
    assert fit_model(cells, integrated=KEYS).by_scatter is None


def test_a_file_without_gaps_is_as_ever() -> None:
    cells = counted(simulated(4, gaps=0.0))
    plain, integrated = fit_model(cells), fit_model(cells, integrated=KEYS)
    for each in fields(PopulationModel):
        if each.name in ("factors", "levels", "table", "steps", "diagnosis", "_marginals"):
            continue
        one, other = getattr(plain, each.name), getattr(integrated, each.name)
        assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
    assert integrated.shares is None
    every = [np.ones(1, np.uint32)] * 4
    assert integrated.shown_share(every, 15) == [1.0]


def test_a_merged_model_knows_who_shows_what(model: PopulationModel) -> None:
    merged = ms.risk.MergedModel.of(model).merge(
        0, np.array([0, 1, 1, 2, 2], np.uint32), ["x", "y"]
    )
    codes = [np.array([1, 2], np.uint32), *[np.ones(2, np.uint32)] * 3]
    # A key of its own: shares of merged levels are means of those of their parts.
    fine = [np.arange(1, 5, dtype=np.uint32), *[np.ones(4, np.uint32)] * 3]
    mean, share = model.means(fine, 1), model.shown_share(fine, 1)
    wanted = np.add.reduceat(mean * share, [0, 2]) / np.add.reduceat(mean, [0, 2])
    np.testing.assert_allclose(merged.shown_share(codes, 1), wanted, rtol=0.02)


# The whole of it, where the truth is known.


@pytest.mark.parametrize("gaps", [0.05, 0.3])
def test_expected_hits_are_true(gaps: float) -> None:
    rng = np.random.default_rng(5)
    people, sizes = 12_000, (9, 2, 10, 5, 4)
    kind = rng.integers(0, 4, people)
    columns = [
        np.minimum((rng.random(people)[:, None] > shares.cumsum(axis=1)[kind]).sum(axis=1), s - 1)
        for s in sizes
        for shares in [rng.dirichlet(np.full(s, 0.8), 4)]
    ]
    population = np.stack(columns, axis=1)
    drawn = population[rng.random(people) < 0.06]
    hidden = rng.random(drawn.shape) < gaps
    true = 0.0
    for row, hides in zip(drawn, hidden, strict=True):
        true += 1.0 / (population[:, ~hides] == row[~hides]).all(axis=1).sum()
    frame = pl.DataFrame(
        {
            f"k{j}": [
                None if gap else str(v) for v, gap in zip(drawn[:, j], hidden[:, j], strict=True)
            ]
            for j in range(len(sizes))
        }
    ).with_columns(w=pl.lit(people / len(drawn)))
    found = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="model").risk()
    assert found.scenario.missing == "integrate"
    assert found.expected == pytest.approx(true, rel=0.15)
    assert found.standard_errors.expected is not None


def test_the_risk_of_the_file_is_by_what_records_show() -> None:
    frame = simulated(11, records=300)
    study = ms.study(frame, keys=KEYS, weight="w", estimator="model")
    found = study.file_risk()
    rows = np.array(frame.select(KEYS).fill_null("").rows())
    f = np.array([((rows == row) | (row == "")).all(axis=1).sum() for row in rows])
    F = [frame["w"].to_numpy()[((rows == row) | (row == "")).all(axis=1)].sum() for row in rows]
    records = found.records()
    np.testing.assert_array_equal(records["f"].to_numpy(), f)
    assert study.tau() == pytest.approx((found.sample_uniques, found.tau1, found.tau2), rel=1e-13)
    assert found.sample_uniques == (f == 1).sum()
    same = study.risk().records()["risk"].to_numpy()
    np.testing.assert_allclose(records["risk_loglinear"].to_numpy(), same, rtol=1e-12)
    simple = individual_risk(f.astype(float), np.array(F))
    np.testing.assert_allclose(records["risk_benedetti_franconi"].to_numpy(), simple, rtol=1e-9)
    assert found.tau1 is not None
    assert found.interval is not None
    assert found.interval[0][0] < found.tau1 < found.interval[0][1]
    by_cell = ms.study(frame, keys=KEYS, weight="w", estimator="cell")
    assert by_cell.file_risk().tau1 == found.tau1
    share = len(frame) / frame["w"].sum()
    drawn = by_cell.file_risk(pi="file")
    given = ms.study(frame, keys=KEYS).file_risk(fraction=share)
    assert drawn.sample_uniques == given.sample_uniques == found.sample_uniques


def test_fewer_keys_never_tell_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though those who show fewer keys may seem to be a larger part of the people."""
    every, thin = (1 << len(KEYS)) - 1, MatchingPeople._thin

    def as_a_census(self: MatchingPeople, fraction: Any, rows: Any, seen: Any) -> Any:
        return np.where(seen == every, thin(self, fraction, rows, seen), 1.0)

    monkeypatch.setattr(MatchingPeople, "_thin", as_a_census)
    frame = simulated(12, records=300)
    frame = frame.filter(pl.all_horizontal(pl.col(KEYS).is_not_null()) | (pl.col("w") < 5))
    study = ms.study(frame, keys=KEYS, weight="w", estimator="model")
    risk = study.risk(one_estimator=True).records()["risk"].to_numpy()
    limit = float(np.quantile(risk, 0.8))
    assert study.combinations(above=limit).unsafe_records == (risk > limit).sum()
    drawn = study.pram("d", keep=0.8, seed=1).risk(one_estimator=True)
    assert drawn.measured.unperturbed is not None
    assert (drawn.measured.risk <= drawn.measured.unperturbed.base).all()


def test_a_gap_is_a_level_to_models_of_whole_tables() -> None:
    frame = simulated(11, records=300)
    study = ms.study(frame, keys=KEYS, weight="w", estimator="model")
    blanked = study.suppress(above=0.3)
    by_answer = ms.study(frame, keys=KEYS, weight="w", estimator="model", missing="category")
    cells = len(counted(frame))
    for found in (study.file_risk(interactions=1), by_answer.file_risk(), blanked.file_risk()):
        assert "file-missing" in [notice.id for notice in found.notices]
    assert study.file_risk(interactions=1).f.size == cells
    assert "file-missing" not in [notice.id for notice in study.file_risk().notices]


def test_a_record_that_shows_nothing_is_one_of_all() -> None:
    frame = simulated(6, records=300)
    nothing = pl.DataFrame({**dict.fromkeys(KEYS), "w": 5.0}, schema=frame.schema)
    frame = pl.concat([frame, nothing])
    found = ms.study(frame, keys=KEYS, weight="w", estimator="model").risk()
    risk = found.records()["risk"].to_numpy()
    assert np.isfinite(risk).all()
    assert risk[-1] == pytest.approx(1 / frame["w"].sum(), rel=0.01)


def test_a_key_that_nobody_shows_says_nothing() -> None:
    cells = counted(simulated(6))
    hidden = (*cells.codes[:3], np.zeros_like(cells.codes[3]))
    found = fit_model(replace(cells, codes=hidden), integrated=KEYS)
    without = fit_model(cells.project(KEYS[:3])[0], integrated=KEYS)
    assert found.tau2 == pytest.approx(without.tau2, rel=0.01)


@pytest.mark.parametrize("household", [None, "home"])
def test_two_keys_that_are_never_shown_together(household: str | None) -> None:
    frame = simulated(7, gaps=0.0).with_row_index().with_columns(home=pl.col("index") // 3)
    frame = frame.with_columns(
        a=pl.when(pl.col("index") % 2 == 0).then("a"), c=pl.when(pl.col("index") % 2 == 1).then("c")
    )
    study = ms.study(frame, keys=KEYS, weight="w", household=household, estimator="model")
    found, whole = study.risk(), study.file_risk()
    assert 0 < found.expected < len(frame)
    assert whole.tau2 is not None
    assert 0 <= whole.tau2 < found.expected


# What may be said.


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"estimator": "model", "missing": "wildcard"}, "rule of the estimator 'cell'"),
        ({"estimator": "model", "missing": "expected"}, "rule of the estimator 'cell'"),
        ({"estimator": "model", "alpha": 0.5}, "of the estimator 'cell' only"),
        ({"estimator": "cell", "missing": "integrate"}, "rules of the estimator 'model'"),
        ({"estimator": "cell", "missing": {"a": "category"}}, "rules of the estimator 'model'"),
        ({"estimator": "model", "missing": {"z": "category"}}, "'z' is not a key"),
        ({"estimator": "model", "missing": {"a": "wildcard"}}, "missing rule of a key"),
    ],
)
def test_rules_go_with_their_estimator(said: Mapping[str, Any], fault: str) -> None:
    with pytest.raises(ms.UsageError, match=fault):
        Scenario(keys=KEYS, weight="w", **said)


def test_a_gap_may_be_an_answer_in_one_key() -> None:
    frame = simulated(8)
    study = ms.study(frame, keys=KEYS, weight="w", estimator="model", missing={"b": "category"})
    coded = frame.with_columns(b=pl.col("b").fill_null("not applicable"))
    same = ms.study(coded, keys=KEYS, weight="w", estimator="model")
    np.testing.assert_allclose(
        study.risk().records()["risk"].to_numpy(),
        same.risk().records()["risk"].to_numpy(),
        rtol=1e-9,
    )


def test_participants_may_share_what_they_do_not_show() -> None:
    whole = simulated(9, gaps=0.0)
    rng = np.random.default_rng(9)
    hidden = rng.random((len(whole), len(KEYS))) < 0.15
    rows = np.array(whole.select(KEYS).rows())
    true = sum(
        1.0 / (rows[:, ~hides] == row[~hides]).all(axis=1).sum()
        for row, hides in zip(rows, hidden, strict=True)
    )
    columns = [
        pl.Series(
            key, [None if gone else value for value, gone in zip(whole[key], gaps, strict=True)]
        )
        for key, gaps in zip(KEYS, hidden.T, strict=True)
    ]
    found = ms.study(
        whole.with_columns(columns), keys=KEYS, weight="w", estimator="model"
    ).intruders()
    (row,) = [each.now for each in found if each.name == "participant"]
    assert row.expected == pytest.approx(true, rel=0.08)
    assert row.certain is not None
    assert row.expected is not None
    assert row.certain < row.expected


def test_a_notice_where_another_key_decides_the_gaps() -> None:
    frame = simulated(10, gaps=0.0).with_columns(
        b=pl.when(pl.col("a").is_in(["a0", "a1"])).then(pl.col("b"))
    )
    told = [
        each.id for each in ms.study(frame, keys=KEYS, weight="w", estimator="model").risk().notices
    ]
    assert "missing-answer" in told
    answered = ms.study(frame, keys=KEYS, weight="w", estimator="model", missing={"b": "category"})
    assert "missing-answer" not in [each.id for each in answered.risk().notices]
    plain = ms.study(simulated(10), keys=KEYS, weight="w", estimator="model")
    assert "missing-answer" not in [each.id for each in plain.risk().notices]
