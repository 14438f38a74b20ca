"""Risk after perturbation, against all pairs of records and all sets of keys."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from microsafe.cells import Cells
from microsafe.options.scenario import Scenario
from microsafe.risk import Population, measure
from microsafe.risk.record.retention import KeptKeys, left_out
from microsafe.steps.pram.kernel import DrawTable, invariant_matrix
from microsafe.sums import Exact

KEYS = ("a", "b", "c")
Records = list[tuple[int, ...]]


def cells_of(records: Records, weights: list[float]) -> Cells:
    """One cell for each record: cells may have the same keys where some were perturbed."""
    return Cells(
        keys=KEYS[: len(records[0])],
        categories=tuple(("1", "2", "3") for _ in records[0]),
        codes=tuple(np.array(column, np.uint8) for column in zip(*records, strict=True)),
        count=np.ones(len(records), np.int64),
        weights=Exact.split(np.array(weights)),
    )


def by_all_sets(
    records: Records,
    weights: list[float],
    kept: dict[str, list[float]],
    together: Sequence[str] = (),
    **scenario: Any,
) -> list[float]:
    """rho of every record: the largest kappa(S) r(S); some keys moved together."""
    result = [0.0] * len(records)
    gone = chain.from_iterable(combinations(kept, size) for size in range(len(kept) + 1))
    for left in gone:
        places = [place for place, key in enumerate(KEYS) if key not in left]
        if not places:
            continue
        seen = [tuple(record[j] or None for j in places) for record in records]
        f, F = oracle.frequencies(seen, weights, **scenario)
        for i, record in enumerate(records):
            chance = least = 1.0
            for key, chances in kept.items():
                if key not in left and record[KEYS.index(key)]:
                    if key in together:
                        least = min(least, chances[i])
                    else:
                        chance *= chances[i]
            chance *= least
            result[i] = max(result[i], chance * float(oracle.risk(f[i], F[i])))
    return result


@st.composite
def files(draw: st.DrawFn) -> tuple[Records, list[float], dict[str, list[float]]]:
    n = draw(st.integers(1, 12))
    records = draw(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=n, max_size=n))
    weights = draw(st.lists(st.sampled_from([1.0, 2.0, 7.5, 40.0]), min_size=n, max_size=n))
    perturbed = draw(st.lists(st.sampled_from(KEYS), unique=True, min_size=1, max_size=3))
    chance = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])
    kept = {key: draw(st.lists(chance, min_size=n, max_size=n)) for key in perturbed}
    return records, weights, kept


@given(file=files(), category=st.booleans())
def test_against_all_pairs_and_all_sets(
    file: tuple[Records, list[float], dict[str, list[float]]], category: bool
) -> None:
    records, weights, kept = file
    scenario = Scenario(keys=KEYS, weight="w", missing="category" if category else "wildcard")
    cells = cells_of(records, weights)
    shown = {key: np.where(cells.codes[KEYS.index(key)] > 0, kept[key], 1.0) for key in kept}
    found = measure(cells, scenario, kept=KeptKeys(chances=shown))
    if category:
        records = [tuple(code or 9 for code in record) for record in records]
        kept = {key: shown[key].tolist() for key in kept}
    expected = by_all_sets(records, weights, kept)
    assert found.risk.tolist() == pytest.approx(expected, rel=1e-12)
    plain = found.unperturbed
    assert plain is not None
    assert np.all(found.risk <= plain.risk)


@given(file=files(), together=st.permutations(KEYS).map(lambda keys: tuple(keys[:2])))
def test_keys_that_moved_together(
    file: tuple[Records, list[float], dict[str, list[float]]], together: tuple[str, ...]
) -> None:
    """All of them were kept with the smallest of their chances, others independently."""
    records, weights, kept = file
    scenario = Scenario(keys=KEYS, weight="w")
    cells = cells_of(records, weights)
    shown = {key: np.where(cells.codes[KEYS.index(key)] > 0, kept[key], 1.0) for key in kept}
    known = KeptKeys(chances=shown, keys=KEYS, together=(together,))
    found = measure(cells, scenario, kept=known)
    expected = by_all_sets(records, weights, kept, together)
    assert found.risk.tolist() == pytest.approx(expected, rel=1e-12)
    rows = np.arange(len(records))
    for bits in range(8):
        keys = [key for place, key in enumerate(KEYS) if bits >> place & 1]
        assert known.chance_of(rows, bits).tolist() == known.chance(keys).tolist()


@given(file=files())
def test_nothing_changes_where_all_keys_are_kept(
    file: tuple[Records, list[float], dict[str, list[float]]],
) -> None:
    records, weights, kept = file
    scenario = Scenario(keys=KEYS, weight="w")
    cells = cells_of(records, weights)
    sure = KeptKeys(chances={key: np.ones(len(records)) for key in kept})
    found = measure(cells, scenario, kept=sure)
    merged, group = cells.project(KEYS)
    today = measure(merged, scenario)
    assert found.risk.tobytes() == today.risk[group].tobytes()
    assert found.gapless.tobytes() == today.gapless[group].tobytes()
    assert found.expected == today.expected


@given(file=files())
def test_never_below_the_risk_by_the_other_keys(
    file: tuple[Records, list[float], dict[str, list[float]]],
) -> None:
    records, weights, kept = file
    scenario = Scenario(keys=KEYS, weight="w", missing="category")
    cells = cells_of(records, weights)
    found = measure(
        cells, scenario, kept=KeptKeys(chances={k: np.array(v) for k, v in kept.items()})
    )
    others = [key for key in KEYS if key not in kept]
    if others:
        fewer, group = cells.project(others)
        assert np.all(found.risk >= measure(fewer, scenario).risk[group])


def test_sets_of_keys() -> None:
    assert list(left_out(["a", "b"])) == [("a",), ("b",), ("a", "b")]
    assert len(list(left_out(list("abcdef")))) == 63
    assert len(list(left_out(list("abcdefg")))) == 8


def test_known_population_and_many_draws() -> None:
    """Sum of kappa/F within 4 standard errors of what an intruder really hits."""
    generator = np.random.default_rng(11)
    people = generator.integers(1, [9, 5, 4], (3000, 3))
    records = people[generator.random(len(people)) < 0.2]
    shares = np.bincount(records[:, 1], minlength=5)[1:] / len(records)
    matrix = invariant_matrix(shares, 0.6)
    size = [int(np.sum(np.all(people == record, axis=1))) for record in records]
    kappa = matrix.diagonal()[records[:, 1] - 1]
    table = DrawTable.of(matrix[None])
    hits = []
    for _ in range(400):
        words = generator.integers(0, 1 << 63, len(records), np.uint64) << np.uint64(1)
        now = table.draw(np.zeros(len(records), np.intp), records[:, 1] - 1, words) + 1
        hits.append(np.sum((now == records[:, 1]) / size))
    error = np.std(hits) / np.sqrt(len(hits))
    assert abs(np.mean(hits) - np.sum(kappa / size)) < 4 * error
    # The same by `measure`, which may leave the perturbed key out.
    cells = Cells(
        keys=KEYS,
        categories=tuple(tuple(map(str, range(1, top + 1))) for top in (8, 4, 3)),
        codes=tuple(column.astype(np.uint8) for column in records.T),
        count=np.ones(len(records), np.int64),
        weights=Exact.split(np.full(len(records), 5.0)),
    )
    distinct, counts = np.unique(people, axis=0, return_counts=True)
    known = Population(
        cells=Cells(
            keys=KEYS,
            categories=cells.categories,
            codes=tuple(column.astype(np.uint8) for column in distinct.T),
            count=counts,
            weights=Exact.split(counts.astype(np.float64)),
        ),
        people=counts.astype(np.float64),
        source="people",
    )
    kept = KeptKeys(chances={"b": kappa})
    found = measure(cells, Scenario(keys=KEYS, weight="w"), population=known, kept=kept)
    others = [int(np.sum(np.all((people == record)[:, [0, 2]], axis=1))) for record in records]
    assert found.risk == pytest.approx(np.maximum(kappa / size, 1 / np.array(others)), rel=1e-12)
