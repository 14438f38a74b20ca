"""The model of the population as a whole, and each defect that its forerunner had.

Populations are made here, so the truth is known: F of every cell.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.cells import Cells
from microsafe.cli import main
from microsafe.progress import Progress, silent
from microsafe.risk import PopulationModel, fit_model
from microsafe.risk.file.model_estimates import of_population
from microsafe.risk.model import stepwise
from microsafe.risk.model.scatter import Scatter
from microsafe.risk.table.anderson import Anderson
from microsafe.risk.table.crosstable import CrossTable, ImpossibleCells
from microsafe.risk.table.loglinear import all_terms, fit


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A sample and what is true of it."""

    study: ms.Study
    cells: Cells
    people: np.ndarray

    @property
    def truth(self) -> tuple[float, float]:
        alone = self.people[self.cells.count == 1]
        return float((alone == 1).sum()), float((1 / alone).sum())

    def fit(self, **options: Any) -> PopulationModel:
        return fit_model(self.cells, **options)


def draw(
    codes: np.ndarray, chance: np.ndarray | float, seed: int, home: np.ndarray | None = None
) -> Drawn:
    """Draw persons, or whole households, with known chances."""
    rng = np.random.default_rng([seed, 99])
    chance = np.broadcast_to(chance, len(codes))
    keys = [f"k{place}" for place in range(codes.shape[1])]
    frame = pl.DataFrame({key: codes[:, j].astype(str) for j, key in enumerate(keys)})
    frame = frame.with_columns(F=pl.len().over(keys), w=pl.Series(1 / chance))
    if home is None:
        drawn, household = rng.random(len(codes)) < chance, None
    else:
        frame = frame.with_columns(home=pl.Series(home))
        drawn, household = (rng.random(home.max() + 1) < chance[0])[home], "home"
    some = frame.filter(pl.Series(drawn))
    study = ms.study(some, keys=keys, weight="w", household=household, missing="category")
    cells = study.engine.cells(study.scenario())
    numbers = study.engine.records(study.scenario(), {"cell": np.arange(len(cells))}, {})
    people = np.zeros(len(cells))
    people[numbers["cell"].to_numpy()] = some["F"].to_numpy()  # type: ignore[index]
    return Drawn(study=study, cells=cells, people=people)


def independent(sizes: tuple[int, ...], people: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    columns = [rng.choice(size, people, p=rng.dirichlet(np.ones(size))) for size in sizes]
    return np.stack(columns, axis=1)


def leaning(sizes: tuple[int, ...], people: int, seed: int) -> np.ndarray:
    """Keys that lean on the first one."""
    rng = np.random.default_rng(seed)
    first = rng.choice(sizes[0], people, p=rng.dirichlet(np.ones(sizes[0])))
    columns = [first]
    for size in sizes[1:]:
        edges = np.cumsum(rng.dirichlet(np.ones(size), sizes[0]), axis=1)[first]
        columns.append((rng.random(people)[:, None] > edges).sum(axis=1))
    return np.stack(columns, axis=1)


# What a model is.


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return draw(leaning((6, 5, 4, 3), 20_000, 1), np.linspace(0.02, 0.1, 20_000), 1)


@pytest.fixture(scope="module")
def model(drawn: Drawn) -> PopulationModel:
    return drawn.fit()


def dense(model: PopulationModel) -> np.ndarray:
    """Means of all cells, asked for one by one."""
    sizes = model.table.sizes
    grid = np.indices(sizes).reshape(len(sizes), -1)
    # Every code occurs and none is missing, so that levels are codes less one.
    codes = [(level + 1).astype(np.uint32) for level in grid]
    return model.means(codes, (1 << len(sizes)) - 1).reshape(sizes)


def test_means_of_the_cells_are_those_fitted(drawn: Drawn, model: PopulationModel) -> None:
    every = (1 << 4) - 1
    np.testing.assert_allclose(model.means(drawn.cells.codes, every), model.fitted, rtol=1e-9)
    whole = dense(model)
    assert whole.sum() == pytest.approx(drawn.cells.weight.sum(), rel=1e-6)
    for key in range(4):
        away = tuple(axis for axis in range(4) if axis != key)
        np.testing.assert_allclose(whole.sum(axis=away), model.table.margin((key,)), rtol=1e-4)


def test_means_of_every_set_of_keys_are_sums(drawn: Drawn, model: PopulationModel) -> None:
    whole = dense(model)
    for shown in range(1 << 4):
        away = tuple(key for key in range(4) if not shown >> key & 1)
        sums = np.broadcast_to(whole.sum(axis=away, keepdims=True), whole.shape)
        at = tuple(code.astype(np.intp) - 1 for code in drawn.cells.codes)
        np.testing.assert_allclose(model.means(drawn.cells.codes, shown), sums[at], rtol=1e-9)


def test_a_level_that_the_model_has_not_has_nobody(model: PopulationModel) -> None:
    codes = [np.array([1, 0, 7, 60], np.uint32), *(np.array([1, 1, 1, 1], np.uint32),) * 3]
    found = model.means(codes, 0b1111)
    assert found[0] > 0
    np.testing.assert_array_equal(found[1:], 0.0)
    assert (model.means(codes, 0b1110) > 0).all()  # the first key is summed out


def test_missing_is_a_level() -> None:
    codes = leaning((4, 3, 5), 4_000, 3)
    frame = pl.DataFrame({f"k{j}": codes[:400, j].astype(str) for j in range(3)})
    frame = frame.with_columns(pl.when(pl.col("k0") == "2").then(None).otherwise("k0").alias("k0"))
    study = ms.study(frame, keys=["k0", "k1", "k2"], missing="category")
    cells = study.engine.cells(study.scenario())
    model = fit_model(cells, fraction=0.1)
    gaps = int(cells.count[cells.codes[0] == 0].sum())
    found = model.means([np.zeros(1, np.uint32)] * 3, 0b001)
    assert found[0] == pytest.approx(gaps / 0.1, rel=1e-4)


def test_risk_is_that_of_the_means(drawn: Drawn, model: PopulationModel) -> None:
    f, pi = drawn.cells.count.astype(float), model.table.fractions
    np.testing.assert_allclose(model.match_chance(f, model.fitted, pi), model.risk, rtol=1e-12)
    assert model.tau2 == pytest.approx(model.risk[f == 1].sum())
    assert (model.risk <= 1 / f).all()
    for limit in (0.01, 0.1, 0.5):
        above = model.above(f, model.fitted, pi, limit)
        np.testing.assert_array_equal(above, model.risk > limit)


def test_fewer_keys_never_raise_the_risk() -> None:
    drawn = draw(leaning((6, 5, 4, 3), 20_000, 5), 0.05, 5)
    model, cells = drawn.fit(), drawn.cells
    pi = np.full(len(cells), model.table.fraction)
    risk = {}
    for shown in range(1 << 4):
        keys = [cells.keys[key] for key in range(4) if shown >> key & 1]
        fewer, group = cells.project(keys)
        f = fewer.count[group].astype(float)
        risk[shown] = model.match_chance(f, model.means(cells.codes, shown), pi)
    for shown, key in product(range(1 << 4), range(4)):
        if shown >> key & 1:
            assert (risk[shown & ~(1 << key)] <= risk[shown] * (1 + 1e-9)).all()


def test_order_of_records_does_not_matter() -> None:
    codes = leaning((6, 5, 4), 3_000, 8)[:300]
    frame = pl.DataFrame({f"k{j}": codes[:, j].astype(str) for j in range(3)})
    frame = frame.with_columns(w=pl.Series(np.random.default_rng(1).uniform(3, 30, 300)))
    found = []
    for some in (frame, frame.reverse(), frame.sample(fraction=1.0, shuffle=True, seed=2)):
        told = ms.study(some, keys=["k0", "k1", "k2"], weight="w").file_risk().summary()
        found.append(json.dumps(told))
    assert found[0] == found[1] == found[2]


def test_a_census_and_a_file_without_uniques() -> None:
    codes = leaning((3, 4), 500, 2)
    census = draw(codes, 1.0, 1)
    found = census.fit()
    np.testing.assert_allclose(found.risk, 1 / census.cells.count)
    assert (found.tau1, found.tau2) == pytest.approx(census.truth)
    none = draw(np.repeat(codes[:40], 50, axis=0), 0.5, 1)
    assert none.fit().tau1 == 0.0


def test_impossible_cells_are_empty() -> None:
    codes = leaning((4, 3, 3), 5_000, 4)
    codes = codes[(codes[:, 0] != 0) | (codes[:, 1] != 0)]
    model = draw(codes, 0.1, 4).fit(impossible=[ImpossibleCells(keys=(0, 1), levels=((0,), (0,)))])
    one = np.ones(1, np.uint32)
    assert model.means([one, one, one], 0b011)[0] == 0.0
    assert model.means([one, one, one], 0b001)[0] > 0.0


def test_main_effects_alone_are_the_negative_binomial_opinion() -> None:
    """Without interactions and clumps the model is the opinion of that name."""
    drawn = draw(independent((8, 6, 5), 30_000, 2), 0.03, 2)
    model = drawn.fit()
    assert model.interactions == []
    table = CrossTable.of(drawn.cells)
    plain = fit(table, [])
    same = replace(model, scatter=Scatter(dispersion=plain.dispersion))
    said = drawn.study.file_risk(opinions=["negative-binomial"]).opinions[0]
    found = same.match_chance(table.f, model.fitted, table.fractions)
    np.testing.assert_allclose(found, said.risk, rtol=1e-6)


def test_without_scatter_it_is_the_log_linear_model() -> None:
    """All terms at face value: the same means as a model with these terms."""
    drawn = draw(leaning((5, 4, 3), 20_000, 6), 0.05, 6)
    table = CrossTable.of(drawn.cells)
    whole = stepwise.GrowingModel(table)
    for term in all_terms(3, 2):
        whole.add(term, np.ones([table.sizes[key] for key in term]))
    whole.settle()
    exact = fit(table, all_terms(3, 2))
    np.testing.assert_allclose(whole.model.fitted_values(), exact.fitted, rtol=1e-3)


# Defects of the search by B2 that it replaces.


def nested_counts() -> np.ndarray:
    """Persons of a household, under 18, under 13, under 6; and two keys that mean nothing."""
    rng = np.random.default_rng(1)
    persons = 1 + rng.poisson(2.2, 60_000)
    columns = [persons]
    for chance in (0.35, 0.6, 0.5):
        columns.append(rng.binomial(columns[-1], chance))
    return np.column_stack([*columns, independent((12, 12), 60_000, 1)])


def test_the_search_is_not_trapped() -> None:
    """A true term may raise |B2| on the way; it enters all the same."""
    drawn = draw(nested_counts(), 0.05, 3)
    model = drawn.fit()
    assert {(0, 1), (1, 2), (2, 3)} <= set(model.terms)
    assert model.tau2 == pytest.approx(drawn.truth[1], rel=0.15)
    assert model.tau1 == pytest.approx(drawn.truth[0], rel=0.35)


def test_an_answer_is_given_when_tau_is_at_rest() -> None:
    """Margins of one record may need for ever; what counts is the risk of the file."""
    table = CrossTable.of(draw(nested_counts()[:, :5], 0.02, 3).cells)
    model = stepwise.GrowingModel(table)
    for term in all_terms(5, 2):
        model.add(term, np.ones([table.sizes[key] for key in term]))
    model.settle()
    assert model.at_rest
    assert model.distances[-1] > 1e-8  # no answer, by the old rule
    exact = fit(table, all_terms(5, 2))
    assert model._risk() == pytest.approx([exact.file.tau1, exact.file.tau2], rel=1e-3)


def test_a_fit_that_does_not_come_to_rest_does_with_fewer_terms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The search may choose what no fit reaches; independence always answers."""
    cells = draw(leaning((6, 5, 4), 3000, 1), 0.1, 1).cells
    whole = fit_model(cells)
    settle = stepwise.GrowingModel.settle

    def only_of_few_terms(model: stepwise.GrowingModel, progress: Progress = silent) -> None:
        settle(model, progress)
        model.at_rest = not model.terms

    assert whole.simplified == 0
    monkeypatch.setattr(stepwise.GrowingModel, "settle", only_of_few_terms)
    plain = fit_model(cells)
    assert plain.converged
    assert plain.interactions == []
    assert plain.simplified == len(whole.steps)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("gaps", [False, True])
def test_a_fit_that_is_no_number_is_given_up(monkeypatch: pytest.MonkeyPatch, gaps: bool) -> None:
    """As where margins hold nobody: no warning, but an answer without interactions."""
    cells = draw(leaning((6, 5, 4), 3000, 1), 0.1, 1).cells
    if gaps:
        hidden = np.where(np.arange(len(cells)) % 5 == 0, 0, cells.codes[1])
        cells = replace(cells, codes=(cells.codes[0], hidden, cells.codes[2]))
    iterate = stepwise.iterate

    def lose(model: Any, table: Any, **options: Any) -> Any:
        told = iterate(model, table, **options)
        if max(map(len, model.terms)) > 1:
            for parameter in model.parameters:
                parameter[...] = np.nan
        return told

    assert fit_model(cells, integrated=cells.keys).interactions
    monkeypatch.setattr(stepwise, "iterate", lose)
    found = fit_model(cells, integrated=cells.keys)
    assert found.converged
    assert found.interactions == []
    assert found.simplified > 0
    assert np.isfinite(found.risk).all()
    assert 0.0 <= found.tau1 <= found.tau2


def test_an_acceleration_that_goes_astray_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    table = CrossTable.of(draw(nested_counts()[:, :5], 0.02, 3).cells)
    models = [stepwise.GrowingModel(table) for _ in range(2)]
    for model in models:
        for term in all_terms(5, 2):
            model.add(term, np.ones([table.sizes[key] for key in term]))
    models[0].settle()
    monkeypatch.setattr(Anderson, "next", lambda _, start, end, weight: np.full_like(end, np.nan))
    models[1].settle()
    assert models[1].at_rest
    assert models[1]._risk() == pytest.approx(models[0]._risk(), rel=1e-3)


def test_without_an_answer_the_command_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = leaning((6, 5, 4), 300, 1)
    path = tmp_path / "data.csv"
    pl.DataFrame({f"k{j}": codes[:, j] for j in range(3)}).write_csv(path)
    command = ["file-risk", str(path), "--keys", "k0,k1,k2", "--fraction", "0.1"]
    assert main(command) == 0
    monkeypatch.setattr(stepwise, "_REST", -1.0)
    assert main(command) == 1
    assert "no estimate" in capsys.readouterr().out
    assert main([*command, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["tau1"] is None
    assert told["interval"] is None
    assert told["fit"]["converged"] is False


def test_no_estimate_has_no_record_risks(model: PopulationModel) -> None:
    said = of_population(replace(model, converged=False))
    assert said.tau1 is None
    assert said.risk is None
    assert "still moved" in said.remark


def test_unequal_weights_are_no_scatter() -> None:
    """Independent keys, stratified by one: B2 within its error, next to no dispersion."""
    z, dispersion = [], []
    for seed in range(4):
        codes = independent((6, 8, 5, 7, 4), 60_000, 20 + seed)
        drawn = draw(codes, np.geomspace(0.01, 0.2, 6)[codes[:, 0]], seed)
        model = drawn.fit()
        assert model.interactions == []
        z.append(model.diagnosis.B2.standardised or 0.0)
        dispersion.append(model.dispersion)
        assert model.tau2 == pytest.approx(drawn.truth[1], rel=0.2)
    assert sum(abs(each) < 2 for each in z) >= 3
    assert max(dispersion) < 0.3


def test_the_side_of_b_does_not_lead_astray() -> None:
    """Cells of some 15 people that scatter: B2 says overstated where risk is understated."""
    rng = np.random.default_rng(4)
    sizes = (30, 24, 20)
    one, two, three = (rng.dirichlet(np.full(size, 9)) * size for size in sizes)
    mean = 15 * np.einsum("i,j,k->ijk", one, two, three)
    people = rng.poisson(mean * rng.gamma(1 / 0.8, 0.8, sizes)).ravel()
    drawn = draw(np.repeat(np.indices(sizes).reshape(3, -1).T, people, axis=0), 0.05, 4)
    plain, true = fit(CrossTable.of(drawn.cells), []), drawn.truth[1]
    assert plain.cell.B2.standardised is not None
    assert plain.cell.B2.standardised > 10
    assert plain.cell.tau2 < 0.85 * true
    model = drawn.fit()
    assert model.dispersion > 0.3
    assert model.tau2 == pytest.approx(true, rel=0.12)


def test_a_large_term_does_not_explain_chance() -> None:
    """A place of 190 codes and a class of 10 that hardly depend on each other."""
    rng = np.random.default_rng(5)
    people = 60_000
    place = rng.choice(190, people, p=rng.dirichlet(np.ones(190)))
    share = rng.dirichlet(np.full(10, 3.0))
    lean = np.array([rng.dirichlet(60 * share) for _ in range(190)])
    group = (rng.random(people)[:, None] > np.cumsum(lean, axis=1)[place]).sum(axis=1)
    others = independent((6, 3), people, 6)
    drawn = draw(np.column_stack([place, group, others]), 0.03, 5)
    model = drawn.fit()
    exact = fit(CrossTable.of(drawn.cells), [(0, 1)])
    assert model.tau1 == pytest.approx(drawn.truth[0], rel=0.25)
    assert exact.cell.tau1 < 0.6 * drawn.truth[0]  # at face value it explains chance


@pytest.mark.parametrize("seed", [1, 2])
def test_whole_households_are_allowed_for(seed: int) -> None:
    """Members share some keys: without the household the risk is far too low."""
    rng = np.random.default_rng(seed)
    sizes, people = (12, 7, 6, 4, 5), 60_000
    home = np.sort(rng.integers(0, people // 3, people))
    _, first, place = np.unique(home, return_index=True, return_inverse=True)
    codes = independent(sizes, people, seed)
    for key, chance in enumerate((1.0, 1.0, 0.7, 0.5, 0.3)):
        shared = rng.random(people) < chance
        codes[shared, key] = codes[first[place[shared]], key]
    drawn = draw(codes, 0.05, seed, home=place)
    clusters = drawn.study.engine.membership(drawn.study.scenario())
    with_them, without = drawn.fit(clusters=clusters), drawn.fit()
    assert with_them.cluster > 1.05
    assert abs(with_them.diagnosis.B2.standardised or 0.0) < 3
    assert (without.diagnosis.B2.standardised or 0.0) > 5
    assert with_them.tau2 == pytest.approx(drawn.truth[1], rel=0.15)
    assert with_them.tau1 == pytest.approx(drawn.truth[0], rel=0.3)
    assert without.tau2 < 0.88 * drawn.truth[1]
    asked = drawn.study.file_risk(opinions=())
    assert asked.tau2 == pytest.approx(with_them.tau2)
    assert "members of a household in a cell" in repr(asked)


def test_an_interval_does_not_collapse() -> None:
    """Ten keys, nearly all records unique: criteria saturate, the truth is still uncertain."""
    drawn = draw(leaning((8, 7, 6, 6, 5, 5, 4, 6, 7, 5), 30_000, 9), 0.03, 9)
    model = drawn.fit()
    for (low, high), true in zip(model.interval, drawn.truth, strict=True):
        assert low <= true <= high
        assert high - low > 0.05 * true


def test_terms_that_are_too_large_are_reported() -> None:
    """Two keys of 700 codes that hang together: their table has 490,000 cells."""
    rng = np.random.default_rng(3)
    one = rng.integers(0, 700, 30_000)
    other = (one + rng.integers(0, 5, 30_000)) % 700
    drawn = draw(np.column_stack([one, other, independent((3, 4), 30_000, 1)]), 0.2, 3)
    model = drawn.fit()
    assert model.passed_over == ((0, 1),)
    found = drawn.study.file_risk(opinions=())
    assert found.summary()["fit"]["passed_over"] == ["k0*k1"]
    (notice,) = [each for each in found.notices if each.id == "file-passed-over"]
    assert "k0*k1" in notice.text


def test_rows_that_repeat_persons_are_noticed() -> None:
    codes = leaning((6, 5, 4), 600, 1)
    frame = pl.DataFrame({f"k{j}": codes[:, j].astype(str) for j in range(3)})

    def ids(values: list[int | None]) -> list[str]:
        data = ms.study(frame.with_columns(person_id=pl.Series(values)), keys=["k0", "k1", "k2"])
        return [each.id for each in data.file_risk(fraction=0.1).notices]

    assert "file-rows-repeat" in ids([n // 3 for n in range(600)])
    assert "file-rows-repeat" not in ids(list(range(600)))
    assert "file-rows-repeat" in ids([max(n, 29) for n in range(600)])  # 30 of 600
    assert "file-rows-repeat" not in ids([max(n, 28) for n in range(600)])
    assert "file-rows-repeat" not in ids([n if n % 2 else None for n in range(600)])
    assert "file-rows-repeat" not in ids([n % 5 for n in range(600)])  # a school, say


def test_values_that_are_unknown_together_do_not_withhold_the_answer() -> None:
    """Nearly all records unknown in one key are so in the others: margins agree only slowly."""
    rng = np.random.default_rng(7)
    codes = independent((9, 4, 3, 30), 50_000, 7)
    unknown = rng.random(50_000) < 0.2
    for key in range(3):
        codes[unknown, key] = codes[:, key].max() + 1
    drawn = draw(codes, 0.05, 7)
    table = CrossTable.of(drawn.cells).as_counted()
    model = stepwise.GrowingModel(table)
    for term in ((0, 1), (0, 2)):
        expected = table.fraction * model.margin(term)
        model.add(term, expected / (0.1 + expected))
        for axis, key in enumerate(term):
            np.testing.assert_allclose(
                model._goals[term].sum(axis=1 - axis), table.margin((key,)), rtol=1e-6
            )
    model.settle()
    assert model.at_rest
    assert drawn.fit().converged
