"""Sets of keys come in the order that a list of all of them, sorted, would have."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.errors import InputError
from microsafe.options.suppression import Guarantee
from microsafe.risk.counts import minimal_unsafe_sets, tabulation
from microsafe.steps.suppress import key_sets as order
from microsafe.steps.suppress import own_guarantee
from microsafe.steps.suppress import search_bound as reach
from microsafe.steps.suppress import step as suppress
from microsafe.steps.suppress.criterion import SafetyCriterion
from microsafe.steps.suppress.key_sets import in_order_of_cost, no_limit
from microsafe.steps.suppress.search_bound import count_cheaper, least_cost

# Costs that tie exactly, that tie by rounding only, that are nothing, and that differ.
PRICES = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0.0, 1e16, 1.0 + 2**-52, 1.0 + 2**-51, math.pi]


def listed(costs: Sequence[float], allowed: int, _: object = None) -> Iterator[int]:
    """All sets, made and sorted at once, as it was done before."""
    keys = [j for j in range(len(costs)) if allowed >> j & 1]
    sets = [0]
    for key in keys:
        sets += [mask | 1 << key for mask in sets]

    def rank(mask: int) -> tuple[float, int, list[int]]:
        members = [j for j in keys if mask >> j & 1]
        return math.fsum(costs[j] for j in members), len(members), members

    return iter(sorted(sets[1:], key=rank))


@given(
    costs=st.lists(st.one_of(st.sampled_from(PRICES), st.floats(0, 9)), max_size=8),
    allowed=st.integers(0, 255),
)
def test_the_order_is_that_of_a_sorted_list(costs: list[float], allowed: int) -> None:
    allowed &= (1 << len(costs)) - 1
    assert list(in_order_of_cost(costs, allowed)) == list(listed(costs, allowed))


@pytest.mark.parametrize("costs", [[1.0] * 40, [1 + j / 100 for j in range(40)], [1.0, 2.0] * 20])
def test_no_more_is_made_than_is_asked_for(costs: list[float]) -> None:
    tracemalloc.start()
    found = list(islice(in_order_of_cost(costs, (1 << 40) - 1), 500))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(set(found)) == 500
    assert peak < 2_000_000


def test_what_waits_is_told_before_there_is_more_of_it() -> None:
    asked: list[int] = []
    costs = [1 + j / 100 for j in range(20)]
    for _ in islice(in_order_of_cost(costs, (1 << 20) - 1, asked.append), 30_000):
        pass
    assert asked
    assert asked == sorted(asked)


def test_more_sets_than_can_be_tried_are_refused_by_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(order, "MOST_SETS", 10)
    with pytest.raises(InputError, match=r"25 keys have 33,554,431 sets .* the 10 cheapest"):
        list(in_order_of_cost([1.0] * 25, (1 << 25) - 1, no_limit))


@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
@pytest.mark.parametrize("costs", [None, "entropy", {"a": 2, "d": 0.5}])
@pytest.mark.parametrize("seed", range(3))
def test_blanks_are_what_they_were(
    seed: int, costs: object, guarantee: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {key: rng.integers(1, 3 + place, 60) for place, key in enumerate("abcdef")}
    )
    study = ms.study(frame, keys=list("abcdef"))
    options = {"k": 3, "guarantee": guarantee, "cost": costs}
    now = study.suppress(**options).engine.table()
    monkeypatch.setattr(own_guarantee, "in_order_of_cost", listed)
    assert study.suppress(**options).engine.table().equals(now)
    assert now.null_count().sum_horizontal().item() > 0


def wide(keys: int) -> ms.Study:
    """Records of many keys, two of which stand out."""
    names = [f"k{j}" for j in range(keys)]
    rows = [[1] * keys] * 40
    rows[7] = [2, *[1] * (keys - 1)]
    rows[9] = [1, 2, 2, *[1] * (keys - 3)]
    return ms.study(pl.DataFrame(rows, schema=names, orient="row"), keys=names)


def test_thirty_keys_are_no_trouble_where_few_blanks_do() -> None:
    done = wide(30).suppress(k=2).steps[-1]
    assert (done.total, done.records, done.stuck) == (3, 2, 0)


def random_keys(keys: int, records: int = 300) -> ms.Study:
    """Records that agree with no other on more than a few keys."""
    rng = np.random.default_rng(keys)
    names = [f"k{j}" for j in range(keys)]
    frame = pl.DataFrame({name: rng.integers(1, 6, records) for name in names})
    return ms.study(frame, keys=names, memory="500MB")


@pytest.mark.parametrize("costs", [None, "entropy"])
@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
def test_a_search_that_cannot_end_is_refused_before_it_begins(
    guarantee: Guarantee, costs: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    monkeypatch.setattr(
        own_guarantee, "find_unsafe", lambda *a, **b: tried.append(1) or unsafe(*a, **b)
    )
    with pytest.raises(
        InputError, match=r"30 keys have 1,073,741,823 sets .* at least [\d,]{10,} of them"
    ):
        random_keys(30).suppress(k=3, guarantee=guarantee, cost=costs)
    assert len(tried) < 5


unsafe = own_guarantee.find_unsafe


def test_a_record_that_cannot_be_made_safe_in_time_is_met_when_others_are_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reach, "_MOST_ROWS", 1)
    names = [f"k{j}" for j in range(30)]
    rows = [[0, *[1] * 29], *[[1] * 30] * 9, [2] * 30]
    study = ms.study(pl.DataFrame(rows, schema=names, orient="row"), keys=names)
    with pytest.raises(InputError, match=r"at least 1,073,741,822 of them"):
        study.suppress(k=2)


@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
def test_records_that_no_blank_makes_safe_are_not_searched_for(guarantee: Guarantee) -> None:
    frame = wide(30).engine.table().with_row_index("id")
    study = ms.study(frame, keys=frame.columns)
    done = study.suppress(k=2, guarantee=guarantee, spare=["id"]).steps[-1]
    assert (done.total, done.stuck) == (0, 40)


@given(
    costs=st.lists(st.one_of(st.sampled_from(PRICES), st.floats(0.01, 9)), max_size=8),
    below=st.floats(0.01, 30),
)
def test_cheaper_sets_are_counted_and_never_too_many(costs: list[float], below: float) -> None:
    sums = [math.fsum(each) for n in range(1, len(costs) + 1) for each in combinations(costs, n)]
    assert count_cheaper(costs, below) <= sum(each < below for each in sums)
    assert count_cheaper([1.0] * 30, 15) == sum(math.comb(30, size) for size in range(1, 15))


@pytest.mark.parametrize("criterion", [{"k": 2}, {"k": 4}, {"above": 0.2}])
@pytest.mark.parametrize("costs", [[1.0] * 6, [1, 2, 0.3, 1, 5, 0.7]])
@pytest.mark.parametrize("seed", range(4))
def test_blanks_never_cost_less_than_was_foretold(
    seed: int, costs: list[float], criterion: dict[str, float]
) -> None:
    rng = np.random.default_rng(seed)
    keys = list("abcdef")
    frame = pl.DataFrame({key: rng.choice([1, 2, 3, 4, None], 40).tolist() for key in keys})
    study = ms.study(frame, keys=keys)
    cells = study.engine.cells(study.scenarios[0])
    demand = own_guarantee.KeySetDemand(keys=63, criterion=SafetyCriterion(**criterion))
    blanks, stuck = own_guarantee.own_keys(
        cells, [demand], costs=costs, spared=4, afford=no_limit, progress=lambda *_: None
    )
    assert blanks.any()
    for row in np.setdiff1d(np.arange(len(cells)), stuck).tolist():
        spent = sum(cost for j, cost in enumerate(costs) if blanks[row] >> j & 1)
        assert least_cost(cells, row, demand, costs=costs, allowed=63 & ~4) <= spent + 1e-9


def test_searches_of_all_combinations_are_refused_by_number() -> None:
    study = wide(30)
    for search in (lambda: study.combinations(k=2), study.uniques):
        with pytest.raises(InputError, match=r"30 keys have 1,073,741,823 combinations .* 30"):
            search()
    with pytest.raises(InputError, match=r"30 keys make 155,117,520 tables"):
        study.tabulation(dimensions=15)
    with pytest.raises(InputError, match=r"30 keys have [\d,]+ combinations of at most 12"):
        study.suppress(k=2, up_to=12)
    assert len(study.combinations(k=2, max_size=2)) == 3


def test_a_limit_on_memory_is_kept_by_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = wide(14).engine.table()
    study = ms.study(frame, keys=frame.columns, memory="460MB")
    monkeypatch.setattr(minimal_unsafe_sets, "_PER_SET", 10_000)
    with pytest.raises(InputError, match=r"to search 16,383 combinations of keys"):
        study.combinations(k=2)
    monkeypatch.setattr(order, "_ASK", 0)
    monkeypatch.setattr(suppress, "PER_SET", 10**8)
    with pytest.raises(InputError, match=r"to order [\d,]+ sets of keys by cost"):
        study.suppress(k=2, cost={key: 1 + j / 100 for j, key in enumerate(frame.columns)})


def test_the_caps_are_above_what_can_be_done_in_a_day() -> None:
    assert min(order.MOST_SETS, minimal_unsafe_sets._MOST_SETS) == 2**24
    assert tabulation._MOST_TABLES == suppress._MOST_COMBINATIONS == 2**20
