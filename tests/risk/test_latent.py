"""Latent classes against populations that are known, exact cases, and edge cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from microsafe.cells import Cells, number
from microsafe.errors import CancelledError, UsageError
from microsafe.risk.file.chains import effective_draws, split_rhat
from microsafe.risk.file.latent import LatentClasses, latent_classes
from microsafe.sums import Exact

Columns = list[NDArray[np.int64]]


def grouped(columns: Columns) -> tuple[NDArray[Any], NDArray[Any]]:
    return number(
        [column.astype(np.uint32) for column in columns], sizes(columns), rows=len(columns[0])
    )


def sizes(columns: Columns) -> list[int]:
    return [max(1, int(column.max())) for column in columns]


def cells_of(columns: Columns, weight: Any = 1.0) -> Cells:
    """Cells of records with codes 1, 2, ... (0 is missing)."""
    group, first = grouped(columns)
    weights = np.broadcast_to(np.asarray(weight, float), len(group)).copy()
    return Cells(
        keys=tuple(f"key{i}" for i in range(len(columns))),
        categories=tuple([str(level) for level in range(size)] for size in sizes(columns)),
        codes=tuple(column[first].astype(np.uint32) for column in columns),
        count=np.bincount(group).astype(np.int64),
        weights=Exact.split(weights).group(group, len(first)),
    )


def drawn(seed: int, people: int, levels: tuple[int, ...]) -> Columns:
    """People of six classes, with keys that are independent within a class."""
    rng = np.random.default_rng(seed)
    member = rng.choice(6, people, p=rng.dirichlet(np.ones(6)))
    columns = []
    for size in levels:
        chance = np.cumsum(rng.dirichlet(np.full(size, 0.5), 6), axis=1)
        level = (rng.random(people)[:, None] > chance[member]).sum(axis=1)
        columns.append(1 + np.minimum(level, size - 1))
    return columns


def sampled(columns: Columns, fraction: float, seed: int) -> tuple[Cells, NDArray[np.int64]]:
    """A simple random sample as cells, and the population frequency of each."""
    people = len(columns[0])
    group, _ = grouped(columns)
    chosen = np.random.default_rng(seed).permutation(people)[: int(people * fraction)]
    f = np.bincount(group[chosen], minlength=int(group.max()) + 1)
    cells = cells_of([column[chosen] for column in columns], 1 / fraction)
    return cells, np.bincount(group)[f > 0]


def short(cells: Cells, **options: Any) -> LatentClasses:
    return latent_classes(cells, **{"chains": 2, "warmup": 20, "kept": 20, "classes": 8, **options})


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "fraction"), [(3, 0.05), (4, 0.1)])
def test_finds_the_truth_of_a_population_of_its_kind(seed: int, fraction: float) -> None:
    cells, F = sampled(drawn(seed, 40_000, (9, 6, 2, 12, 4)), fraction, seed)
    single = cells.count == 1
    found = latent_classes(cells, chains=3, warmup=150, kept=200)
    assert found.tau2 == pytest.approx((1 / F[single]).sum(), rel=0.1)
    assert found.tau1 == pytest.approx((F[single] == 1).sum(), rel=0.25)
    # Record by record, larger cells too: those of like risk have about the risk they are given.
    groups = np.digitize(found.risk, [0.02, 0.1, 0.3])
    for group in range(4):
        inside = groups == group
        assert found.risk[inside].mean() == pytest.approx((1 / F[inside]).mean(), rel=0.25)


def test_people_who_come_in_clumps_are_noticed() -> None:
    columns = drawn(3, 40_000, (9, 6, 2, 12, 4))
    even, _ = sampled(columns, 0.1, 3)
    clumped, _ = sampled([np.repeat(column[:5_000], 8) for column in columns], 0.1, 3)
    found = [latent_classes(each, chains=2, warmup=100, kept=50) for each in (even, clumped)]
    assert np.median(found[0].draws.clumping) > 50
    assert np.median(found[1].draws.clumping) < 5


def test_unequal_chances_of_selection_are_not_taken_for_clumps() -> None:
    columns = drawn(3, 40_000, (9, 6, 2, 12, 4))
    chance = np.where(columns[0] <= 4, 0.25, 0.03)
    chosen = np.random.default_rng(3).random(40_000) < chance
    cells = cells_of([column[chosen] for column in columns], 1 / chance[chosen])
    found = latent_classes(cells, chains=2, warmup=100, kept=50)
    assert np.median(found.draws.clumping) > 20


def test_the_same_seed_gives_the_same_bytes_in_any_order() -> None:
    columns = drawn(1, 300, (4, 3, 5))
    weight = np.random.default_rng(1).uniform(1, 30, 300)
    order = np.random.default_rng(2).permutation(300)
    one = short(cells_of(columns, weight))
    two = short(cells_of([column[order] for column in columns], weight[order]))
    assert one.risk.tobytes() == two.risk.tobytes()
    assert one.draws.predicted2.tobytes() == two.draws.predicted2.tobytes()
    assert short(cells_of(columns, weight), seed=2).tau2 != one.tau2


def test_weights_are_used() -> None:
    columns = drawn(1, 2_000, (6, 5, 5, 4))
    rare = columns[0] == 1
    weight = np.where(rare, 30.0, 10.0)
    cells = cells_of(columns, weight)
    heavy = cells.codes[0] == 1
    plain = short(cells_of(columns, weight.mean()), kept=60)
    found = short(cells, kept=60)
    assert found.risk[heavy].mean() < plain.risk[heavy].mean()
    assert found.risk[~heavy].mean() > plain.risk[~heavy].mean()
    by_cell = short(cells, kept=60, inclusion="cell")
    assert by_cell.tau2 != found.tau2


def test_sampling_fraction_stands_in_for_weights() -> None:
    columns = drawn(1, 400, (4, 3, 5))
    given = short(cells_of(columns), fraction=0.1)
    assert given.tau2 == pytest.approx(short(cells_of(columns, 10.0)).tau2)
    assert given.tau2 < (cells_of(columns).count == 1).sum()


@pytest.mark.parametrize("inclusion", ["file", "cell"])
def test_whole_population(inclusion: Any) -> None:
    cells = cells_of(drawn(1, 400, (4, 3, 5)))
    single = int((cells.count == 1).sum())
    found = short(cells, inclusion=inclusion, kept=30)
    assert found.tau1 == found.tau2 == single
    assert found.interval("tau1") == (single, single)
    np.testing.assert_allclose(found.risk, 1 / cells.count, rtol=1e-14)
    assert found.converged


def test_no_sample_uniques() -> None:
    columns = [np.repeat(column, 2) for column in drawn(1, 200, (4, 3))]
    found = short(cells_of(columns, 10.0))
    assert found.tau1 == found.tau2 == 0
    assert found.interval("tau2") == (0, 0)
    assert np.all((found.risk > 0) & (found.risk <= 0.5))


def test_nothing_but_sample_uniques() -> None:
    columns = [np.arange(1, 51), np.arange(1, 51)]
    found = short(cells_of(columns, 10.0))
    assert 0 <= found.tau1 <= found.tau2 <= 50


@pytest.mark.parametrize(
    "columns",
    [
        [np.array([1])],  # one record
        [np.arange(1, 9).repeat(3)],  # one key
        [np.ones(12, np.int64), np.arange(12) % 4 + 1],  # a key with one category
        [np.arange(12) % 3, np.arange(12) % 4],  # missing is a level
        [np.full(500, 1), np.full(500, 2)],  # one cell, larger than the number of classes
    ],
)
def test_small_files(columns: Columns) -> None:
    cells = cells_of(columns, 20.0)
    found = short(cells)
    assert np.all((found.risk > 0) & (found.risk <= 1 / cells.count))
    assert np.isfinite(found.tau1)
    assert np.isfinite(found.tau2)
    assert found.remark


def test_more_combinations_than_fit_any_table() -> None:
    found = short(cells_of(drawn(5, 500, (9,) * 15), 40.0))
    assert 0 <= found.tau1 <= found.tau2 <= 500


def test_weights_of_any_size() -> None:
    columns = drawn(5, 300, (5, 4, 6, 3))
    weight = 10 ** np.random.default_rng(1).uniform(0, 9, 300)
    found = short(cells_of(columns, weight))
    assert np.all(np.isfinite(found.risk) & (found.risk >= 0))


def test_progress_and_cancelling() -> None:
    cells = cells_of(drawn(1, 50, (3, 3)), 5.0)
    seen: list[float] = []
    short(cells, progress=lambda stage, fraction: seen.append(fraction))
    assert len(seen) == 2 * 40 + 1
    assert seen == sorted(seen)
    assert seen[-1] == 1.0

    def stop(stage: str, fraction: float) -> None:
        raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        short(cells, progress=stop)


@pytest.mark.parametrize(
    "options", [{"fraction": 0.0}, {"fraction": 1.5}, {"classes": 0}, {"chains": 0}, {"kept": 3}]
)
def test_what_cannot_be_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        short(cells_of(drawn(1, 20, (3, 3)), 5.0), **options)


def test_chains_that_disagree_are_told() -> None:
    rng = np.random.default_rng(1)
    same = rng.standard_normal((4, 500))
    assert split_rhat(same) == pytest.approx(1, abs=0.02)
    assert effective_draws(same) == pytest.approx(2000, rel=0.25)
    apart = same + np.array([[0.0], [0.0], [0.0], [3.0]])
    assert split_rhat(apart) > 1.5
    assert effective_draws(apart) < 20
    drifting = same + np.linspace(0, 4, 500)
    assert split_rhat(drifting) > 1.3


def test_effective_draws_of_a_known_process() -> None:
    rng = np.random.default_rng(2)
    noise = rng.standard_normal((4, 5000))
    trace = np.zeros_like(noise)
    for step in range(1, 5000):
        trace[:, step] = 0.8 * trace[:, step - 1] + noise[:, step]
    # An autoregression of 0.8 is worth (1 - 0.8) / (1 + 0.8) of its length.
    assert effective_draws(trace) == pytest.approx(20_000 / 9, rel=0.2)


def test_constant_traces() -> None:
    assert split_rhat(np.ones((2, 10))) == 1.0
    assert effective_draws(np.ones((2, 10))) == 20
    assert split_rhat(np.repeat([[1.0], [2.0]], 10, axis=1)) == np.inf


def test_flag_and_remark_follow_the_traces() -> None:
    found = short(cells_of(drawn(1, 300, (4, 3, 5)), 10.0), kept=5, warmup=0)
    assert not found.converged
    assert "do not agree" in found.remark


def test_intervals_are_quantiles_of_what_was_predicted() -> None:
    found = short(cells_of(drawn(1, 400, (4, 3, 5)), 10.0), kept=60)
    for measure, drawn_ in (
        ("tau1", found.draws.predicted1),
        ("tau2", found.draws.predicted2),
    ):
        low, high = found.interval(measure, 0.8)  # type: ignore[arg-type]
        assert (low, high) == pytest.approx(tuple(np.quantile(drawn_, [0.1, 0.9])), rel=1e-12)
        assert low < high
