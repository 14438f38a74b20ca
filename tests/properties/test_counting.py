"""Counting equals comparing all pairs of records, whatever the file looks like."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cells import Cells, number
from microsafe.risk.record import code_packing, compatible, wildcard
from microsafe.risk.record.expected_matches import expected_matches
from microsafe.sums import Exact
from oracle import frequencies

CATEGORIES = st.sampled_from(["a", "b", "c"])


@st.composite
def files(draw: st.DrawFn) -> pl.DataFrame:
    keys = draw(st.integers(1, 5))
    rows = draw(st.integers(1, 25))
    values = CATEGORIES | st.none() if draw(st.booleans()) else CATEGORIES
    columns = {f"k{j}": draw(st.lists(values, min_size=rows, max_size=rows)) for j in range(keys)}
    for column in columns.values():
        column[0] = column[0] or "a"  # a key that is missing everywhere is refused
    weights = st.floats(1, 1e6) | st.integers(1, 50).map(float)
    return pl.DataFrame(
        columns | {"w": draw(st.lists(weights, min_size=rows, max_size=rows))},
        schema_overrides=dict.fromkeys(columns, pl.String),
    )


def check(frame: pl.DataFrame, *, alpha: float = 1.0, category: bool = False) -> None:
    keys = frame.columns[:-1]
    study = ms.study(
        frame,
        keys=keys,
        weight="w",
        estimator="cell",
        alpha=alpha,
        missing="category" if category else "wildcard",
    )
    records = study.risk(one_estimator=True).records()  # counts are those of either
    f, F = frequencies(
        frame.select(keys).rows(), frame["w"].to_list(), alpha=alpha, category=category
    )
    np.testing.assert_allclose(records["f"], f, rtol=1e-14)
    np.testing.assert_allclose(records["F"], F, rtol=1e-14)
    if alpha == 1.0:
        assert records["f"].dtype == pl.Int64


@given(files())
def test_wildcard(frame: pl.DataFrame) -> None:
    check(frame)


@given(files())
def test_category(frame: pl.DataFrame) -> None:
    check(frame, category=True)


@given(files(), st.floats(0, 1))
def test_alpha(frame: pl.DataFrame, alpha: float) -> None:
    check(frame, alpha=alpha)


@given(files(), st.booleans(), st.sampled_from([1, 10**9]))
def test_every_way_through_the_search(frame: pl.DataFrame, wide: bool, worth: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wildcard, "_WORTH_RESTRICTING", worth)
        patch.setattr(code_packing, "_ROOM", 4 if wide else 64)
        check(frame)


@given(
    files(),
    st.sampled_from([1, 3, 10**9]),
    st.sampled_from([0, 4]),
    st.sampled_from([1, 2, 100]),
    st.booleans(),
    st.floats(0, 1),
)
def test_pairs_followed_key_by_key(
    frame: pl.DataFrame, at_once: int, table: int, leaves: int, wide: bool, alpha: float
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        follow_pairs(patch)
        patch.setattr(compatible, "_AT_ONCE", at_once)
        patch.setattr(compatible, "_TABLE", table)
        patch.setattr(compatible, "_FEW_LEAVES", leaves)
        patch.setattr(code_packing, "_ROOM", 4 if wide else 64)
        check(frame, alpha=alpha)


def follow_pairs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(wildcard, "_price_of_masks", lambda _: np.inf)


@pytest.mark.slow
@given(files(), st.booleans(), st.booleans(), st.booleans())
def test_population_frequencies_are_correctly_rounded(
    frame: pl.DataFrame, wide: bool, pairs: bool, turned: bool
) -> None:
    keys, weights = frame.columns[:-1], frame["w"].to_list()
    rows = frame.select(keys).rows()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_packing, "_ROOM", 4 if wide else 64)
        if pairs:
            follow_pairs(patch)
        risk = ms.study(
            frame, keys=keys[::-1] if turned else keys, weight="w", estimator="cell"
        ).risk()
    exact = [
        math.fsum(w for w, other in zip(weights, rows, strict=True) if compatible_rows(row, other))
        for row in rows
    ]
    assert risk.records()["F"].to_list() == exact


def compatible_rows(row: tuple[str | None, ...], other: tuple[str | None, ...]) -> bool:
    return all(a == b or None in (a, b) for a, b in zip(row, other, strict=True))


@given(files(), st.booleans())
def test_both_ways_to_weigh_gaps_agree_to_the_bit(frame: pl.DataFrame, wide: bool) -> None:
    study = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell")
    cells = study.engine.cells(study.scenario())
    masks = expected_matches(cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_packing, "_ROOM", 4 if wide else 64)
        again = expected_matches(cells)
        follow_pairs(patch)
        pairs = expected_matches(cells)
    for found in (again, pairs):
        for alpha in (0.0, 1.0):
            np.testing.assert_array_equal(found.frequencies(alpha), masks.frequencies(alpha))


def test_gaps_that_nobody_meets() -> None:
    frame = pl.DataFrame({"a": ["x", "y", None], "b": ["1", "2", "3"], "w": [2.0, 3.0, 4.0]})
    study = ms.study(frame, keys=["a", "b"], weight="w", estimator="cell")
    cells = study.engine.cells(study.scenario())
    with pytest.MonkeyPatch.context() as patch:
        follow_pairs(patch)
        for found in (expected_matches(cells), wildcard.matches(cells)):
            assert found.shown.tolist() == [1.0, 1.0, 1.0]
            assert not found.gap.any()


def sparse_cells(rows: int, keys: int, categories: int, gaps: float) -> Cells:
    rng = np.random.default_rng(4)
    codes = [rng.integers(1, categories + 1, rows) for _ in range(keys)]
    for each in codes:
        each[rng.random(rows) < gaps] = 0
    group, first = number(codes, [categories] * keys, rows=rows)
    return Cells(
        keys=tuple(f"k{j}" for j in range(keys)),
        categories=(tuple(f"{c}" for c in range(categories)),) * keys,
        codes=tuple(code[first].astype(np.uint8) for code in codes),
        count=np.bincount(group),
        weights=Exact.split(np.bincount(group, rng.uniform(1, 90, rows))),
    )


@pytest.mark.parametrize("categories", [5, 200], ids=["narrow", "wide"])
def test_many_keys_take_the_way_of_pairs(categories: int) -> None:
    cells = sparse_cells(400, 12, categories, 0.3)
    assert (wildcard.packed_codes(cells) is None) == (categories == 200)
    told: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        # Going through the masks would ask for the sections.
        patch.setattr(wildcard, "sections_of", None)
        found = wildcard.matches(cells, progress=lambda _, share: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1.0
    codes = np.stack(cells.codes)
    for place in range(len(cells)):
        mine = codes[:, [place]]
        agree = ((codes == mine) | (codes == 0) | (mine == 0)).all(axis=0)
        shows = agree & ((codes > 0) | (mine == 0)).all(axis=0)
        assert found.shown[place] == cells.count[shows].sum()
        assert found.gap[place] == cells.count[agree & ~shows].sum()
        assert found.gap_weight.value[place] == math.fsum(cells.weight[agree & ~shows])
        assert found.shown_weight.value[place] == math.fsum(cells.weight[shows])


def test_branches_times_categories_need_more_than_32_bits() -> None:
    rows = 200_000
    codes = [np.arange(1, rows + 1), np.arange(1, rows + 1), np.arange(rows) // 8 + 1]
    codes[0][-5:] = rows
    codes[1][-5:] = [0, 0, 0, 4, 5]  # the gap has more branches than the others beside it
    codes[2][-5:] = [7, 8, 9, 8, 6]
    cells = Cells(
        keys=("a", "b", "c"),
        categories=tuple([str(c) for c in range(int(code.max()))] for code in codes),
        codes=tuple(code.astype(np.uint32) for code in codes),
        count=np.ones(rows, np.int64),
        weights=Exact(np.ones(rows), None),
    )
    with pytest.MonkeyPatch.context() as patch:
        follow_pairs(patch)
        f, _ = wildcard.matches(cells).frequencies(1.0)
    assert f[-5:].tolist() == [1, 2, 1, 2, 1]


def test_the_number_of_pairs_is_estimated() -> None:
    branches = compatible.Branches.of(sparse_cells(3000, 8, 4, 0.1))
    followed = 0.0
    end = compatible.Branches._end

    def count(self: Any, place: int, left: Any, right: Any) -> Any:
        nonlocal followed
        made = end(self, place, left, right)
        followed += len(left) + compatible._ADDING * len(made[0][0])
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compatible.Branches, "_end", count)
        assert sum(len(ours) for ours, _ in branches.pairs(lambda _: None)) > 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compatible, "_SAMPLE", 10**9)
        assert branches.estimate_pairs() == followed
        patch.setattr(compatible, "_SAMPLE", 100)
        assert branches.estimate_pairs() == pytest.approx(followed, rel=0.3)


def crowded_cells(many: int, hidden: int) -> Cells:
    """Places of one record each, and one of many, which a sample of the pairs passes over."""
    none = np.zeros(hidden, np.uint32)
    others = np.arange(1, hidden + 1, dtype=np.uint32)
    one = np.ones(many, np.uint32)
    place = np.arange(1, many + 1, dtype=np.uint32)
    town = np.full(hidden, many // 2 + 4, np.uint32)
    codes = [np.r_[place, none, town], np.r_[one, others, none], np.r_[one, none, others]]
    order = np.lexsort(codes[::-1])
    rows = len(order)
    return Cells(
        keys=("place", "b", "c"),
        categories=tuple([str(c) for c in range(size)] for size in (many, hidden, hidden)),
        codes=tuple(code[order] for code in codes),
        count=np.ones(rows, np.int64),
        weights=Exact(np.ones(rows), None),
    )


@pytest.mark.parametrize("count", [wildcard.matches, expected_matches])
def test_pairs_are_given_up_if_they_are_too_many(count: Any) -> None:
    cells = crowded_cells(20_000, 6_000)
    branches = compatible.Branches.of(cells)
    assert branches.estimate_pairs() < 100_000
    with pytest.raises(compatible.TooManyPairsError):
        list(branches.pairs(lambda _: None, most=100_000))
    tried: list[float] = []
    pairs = compatible.Branches.pairs

    def spy(self: Any, told: Any, *, most: float) -> Any:
        tried.append(most)
        return pairs(self, told, most=most)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compatible.Branches, "pairs", spy)
        found = count(cells).frequencies(1.0)
        assert tried  # the estimate was believed at first
        patch.setattr(compatible.Branches, "estimate_pairs", lambda _: np.inf)
        expected = count(cells).frequencies(1.0)
        assert len(tried) == 1
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


@given(files(), st.randoms(use_true_random=False))
def test_row_order_changes_no_bit(frame: pl.DataFrame, random: object) -> None:
    order = list(range(frame.height))
    random.shuffle(order)  # type: ignore[attr-defined]
    keys = frame.columns[:-1]
    frame = frame.with_columns(hh=pl.int_range(frame.height) // 3)
    there = ms.study(frame, keys=keys, weight="w", estimator="cell", household="hh").risk()
    back = ms.study(frame[order], keys=keys, weight="w", estimator="cell", household="hh").risk()
    assert there.expected == back.expected
    assert there.max == back.max
    assert there.records()[order].equals(back.records())


@given(files(), st.data())
def test_risk_never_falls_when_a_key_is_added(frame: pl.DataFrame, data: st.DataObject) -> None:
    keys = frame.columns[:-1]
    fewer = data.draw(st.lists(st.sampled_from(keys), unique=True, min_size=1))
    some = ms.study(frame, keys=fewer, weight="w", estimator="cell").risk().records()["risk"]
    all_ = ms.study(frame, keys=keys, weight="w", estimator="cell").risk().records()["risk"]
    assert np.all(some.to_numpy() <= all_.to_numpy() * (1 + 1e-13))


def test_every_record_without_any_key_but_one() -> None:
    frame = pl.DataFrame({"a": ["x", None, None], "b": [None, None, "y"], "w": [2.0, 3.0, 4.0]})
    records = ms.study(frame, keys=["a", "b"], weight="w", estimator="cell").risk().records()
    assert records["f"].to_list() == [3, 3, 3]
    assert records["F"].to_list() == [9.0, 9.0, 9.0]


@pytest.mark.slow
def test_more_than_64_bits_of_codes() -> None:
    rng = np.random.default_rng(3)
    rows = 120
    columns = {f"k{j}": [f"{v:03}" for v in rng.permutation(rows)] for j in range(12)}
    for column in columns.values():
        column[7] = column[8]
        column[9] = column[10] = None
    frame = pl.DataFrame(columns | {"w": rng.uniform(1, 9, rows)})
    check(frame)
    check(frame.drop_nulls())


@pytest.mark.slow
def test_a_million_categories() -> None:
    rows = 1_000_000
    frame = pl.DataFrame({"id": np.arange(rows), "sex": np.arange(rows) % 2, "w": np.ones(rows)})
    frame = frame.with_columns(
        pl.when(pl.col("id") == 5).then(None).otherwise(pl.col("id")).alias("id")
    )
    risk = ms.study(frame, keys=["id", "sex"], weight="w", estimator="cell").risk()
    records = risk.records()
    assert records["f"][5] == rows // 2
    assert records["f"][7] == 2
    assert records["f"][8] == 1
    assert risk.n_cells == rows


def test_one_record() -> None:
    risk = ms.study(
        pl.DataFrame({"a": ["x"], "w": [4.0]}), keys=["a"], weight="w", estimator="cell"
    ).risk()
    assert (risk.n, risk.n_cells, risk.sample_uniques) == (1, 1, 1)
    assert risk.max == pytest.approx(1 / 3 * np.log(4), rel=1e-15)
