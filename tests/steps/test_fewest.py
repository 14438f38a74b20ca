"""How few blanks each guarantee takes: minima by brute force, and figures of fixed files."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.steps.suppress import local_search as polish
from microsafe.steps.suppress.key_sets import in_order_of_cost
from microsafe.steps.suppress.shared_guarantee import blank_shared
from oracle import compatible, shows_all_of

Row = tuple[str | None, ...]
SIZES = (4, 5, 6, 3)


def dense(seed: int = 0, records: int = 300) -> pl.DataFrame:
    """Skewed keys without structure, so that records stand close to each other."""
    rng = np.random.default_rng(seed)
    keys = {
        f"k{j}": np.floor(size * rng.random(records) ** 2).astype(int).astype(str)
        for j, size in enumerate(SIZES)
    }
    return pl.DataFrame(keys | {"w": np.round(5 + 55 * rng.random(records), 1)})


def asked(frame: pl.DataFrame) -> ms.Study:
    return ms.study(
        frame, keys=[name for name in frame.columns if name[0] == "k"], weight="w", estimator="cell"
    )


@pytest.mark.parametrize(
    ("criterion", "own", "strict", "shared"),
    [({"k": 2}, 90, 102, 42), ({"k": 5}, 256, 298, 112), ({"above": 0.02}, 169, 185, 71)],
)
def test_figures_of_a_dense_file(
    criterion: dict[str, float], own: int, strict: int, shared: int
) -> None:
    study = asked(dense())
    found = {
        guarantee: study.suppress(**criterion, guarantee=guarantee).steps[-1].total  # type: ignore[arg-type]
        for guarantee in ("own", "strict", "shared")
    }
    assert found == {"own": own, "strict": strict, "shared": shared}


@pytest.mark.parametrize(
    ("criterion", "by_key", "leaning"),
    [
        ({"k": 3}, {"own": [436, 15, 239, 2], "strict": [463, 12, 244, 2],
                    "shared": [8, 0, 123, 2]}, 549),
        ({"above": 0.03}, {"own": [97, 2, 20, 1], "strict": [98, 2, 20, 1],
                           "shared": [5, 1, 20, 1]}, 93),
    ],
)  # fmt: skip
def test_figures_of_the_survey(
    criterion: dict[str, float], by_key: dict[str, list[int]], leaning: int
) -> None:
    frame = ms.survey(1, households=300).frame
    study = ms.study(
        frame, keys=["region", "sex", "age", "marital"], weight="weight", estimator="cell"
    )
    found = {
        guarantee: study.suppress(**criterion, guarantee=guarantee).steps[-1]  # type: ignore[arg-type]
        for guarantee in by_key
    }
    assert {name: list(done.blanks.values()) for name, done in found.items()} == by_key
    assert found["shared"].leaning == leaning


def test_figures_without_the_local_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """In large files its effort ends early."""
    monkeypatch.setitem(blank_shared.__globals__, "EFFORT", 0)
    monkeypatch.setitem(blank_shared.__globals__, "_SINGLY_UP_TO", 0)
    study = asked(dense())
    found = [
        study.suppress(**criterion, guarantee="shared")
        for criterion in ({"k": 2}, {"k": 5}, {"above": 0.02})
    ]
    assert [done.steps[-1].total for done in found] == [44, 133, 83]
    assert found[1].risk().measured.f.min() >= 5


@pytest.mark.parametrize("criterion", [{"k": 4}, {"above": 0.02}])
def test_shared_blanks_do_not_depend_on_the_order_of_records(criterion: dict[str, float]) -> None:
    frame = dense(1, 200)
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=1)
    released = [
        asked(each).suppress(**criterion, guarantee="shared").engine.table()  # type: ignore[arg-type]
        for each in (frame, shuffled)
    ]
    assert sorted(released[0].rows(), key=str) == sorted(released[1].rows(), key=str)


def test_the_search_weighs_a_bounded_number_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where every blank has blanks around it: one key tells nearly all records apart."""
    records, block = 300, 20
    monkeypatch.setattr(polish, "_BLOCK", records * block)
    weighed: list[int] = []
    find, weigh = polish.LocalSearch._find_showable, polish.LocalSearch.find_unsafe

    def watch_find(self: Any, some: Any, *more: Any) -> Any:
        weighed.append(len(some))
        return find(self, some, *more)

    def watch_unsafe(self: Any, demand: Any, some: Any, *more: Any) -> Any:
        weighed.append(len(some) // records)
        return weigh(self, demand, some, *more)

    monkeypatch.setattr(polish.LocalSearch, "_find_showable", watch_find)
    monkeypatch.setattr(polish.LocalSearch, "find_unsafe", watch_unsafe)
    frame = pl.DataFrame(
        {"sex": [n % 2 for n in range(records)], "born": [f"{n // 9}-{n}" for n in range(records)]}
    ).with_columns(w=10.0)
    study = ms.study(frame, keys=["sex", "born"], weight="w", estimator="cell")
    assert study.suppress(k=4, guarantee="shared").steps[-1].stuck == 0
    assert len(weighed) > 100
    assert max(weighed) <= block


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [2, 5])
def test_strict_blanks_nothing_in_vain(seed: int, k: int) -> None:
    """No cell may show one more key: too few released records would show as much and agree."""
    frame = dense(seed, 120)
    before = frame.drop("w").rows()
    done = asked(frame).suppress(k=k, guarantee="strict")
    assert done.steps[-1].stuck == 0
    after = done.engine.table().drop("w").rows()
    for record in set(before):
        members = [i for i, other in enumerate(before) if other == record]
        shown = after[members[0]]
        for key in (j for j, value in enumerate(shown) if value is None):
            more = list(after)
            wider = tuple(record[j] if j == key else value for j, value in enumerate(shown))
            for i in members:
                more[i] = wider
            mates = [r for r in more if compatible(wider, r) and shows_all_of(wider, r)]
            assert len(mates) < k


@st.composite
def files(draw: st.DrawFn, most: int = 12) -> pl.DataFrame:
    rows = draw(st.integers(5, most))
    values = st.sampled_from("abc") if draw(st.booleans()) else st.sampled_from(["a", "b", None])
    columns = {f"k{j}": draw(st.lists(values, min_size=rows, max_size=rows)) for j in range(4)}
    for column in columns.values():
        column[0] = column[0] or "a"
    weights = draw(st.lists(st.sampled_from([1.0, 3.0, 20.5]), min_size=rows, max_size=rows))
    overrides = dict.fromkeys(columns, pl.String)
    return pl.DataFrame(columns | {"w": weights}, schema_overrides=overrides)


def blanked(record: Row, keys: tuple[int, ...]) -> Row:
    return tuple(None if j in keys else value for j, value in enumerate(record))


def cheapest(
    record: Row, records: list[Row], demands: list[tuple[int, ...]], costs: list[float], k: int
) -> tuple[float, int, tuple[int, ...]] | None:
    """Cost, number and places of the first of the cheapest blanks that meet all demands."""
    shown = [j for j, value in enumerate(record) if value is not None]
    sets = [keys for size in range(len(shown) + 1) for keys in combinations(shown, size)]
    safe = [
        (sum(costs[j] for j in keys), len(keys), keys)
        for keys in sets
        if all(
            sum(
                compatible([part[j] for j in demand], [other[j] for j in demand])
                for other in records
            )
            >= k
            for demand in demands
            for part in [blanked(record, keys)]
        )
    ]
    return min(safe, default=None)


COSTS = st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=4, max_size=4)


@given(files(), COSTS, st.integers(2, 3))
def test_own_takes_the_cheapest_and_of_equals_the_first(
    frame: pl.DataFrame, costs: list[float], k: int
) -> None:
    """Equal costs: fewer keys first, then keys in the order of the scenario."""
    keys = frame.columns[:-1]
    done = asked(frame).suppress(k=k, cost=dict(zip(keys, costs, strict=True)))
    before, after = frame.drop("w").rows(), done.engine.table().drop("w").rows()
    for a, b in zip(before, after, strict=True):
        found = cheapest(a, before, [(0, 1, 2, 3)], costs, k)
        if found is not None:
            assert b == blanked(a, found[2])
        else:
            assert b == a


@given(files(), st.integers(2, 3), st.sampled_from([((0, 1), (2, 3)), ((0, 1, 2), (1, 2, 3))]))
def test_no_record_loses_more_when_blanks_are_shared(
    frame: pl.DataFrame, k: int, scenarios: tuple[tuple[int, ...], ...]
) -> None:
    """What several scenarios ask for adds up; no record loses more keys than own would take."""
    first, second = ([f"k{j}" for j in places] for places in scenarios)
    study = ms.study(frame, keys=first, weight="w", estimator="cell").with_scenario(
        "other", keys=second
    )
    done = study.suppress(k=k, guarantee="shared")
    before, after = frame.drop("w").rows(), done.engine.table().drop("w").rows()
    for a, b in zip(before, after, strict=True):
        most = cheapest(a, before, list(scenarios), [1.0] * 4, k)
        assert sum(x != y for x, y in zip(a, b, strict=True)) <= (most[1] if most else 0)


def test_order_of_cost() -> None:
    assert list(in_order_of_cost([1.0, 1.0, 1.0], 0b111)) == [1, 2, 4, 3, 5, 6, 7]
    assert list(in_order_of_cost([2.0, 1.0, 1.0], 0b111)) == [2, 4, 1, 6, 3, 5, 7]
    assert list(in_order_of_cost([1.0, 1.0, 2.0], 0b111)) == [1, 2, 4, 3, 5, 6, 7]
    assert list(in_order_of_cost([0.1, 0.2, 0.3], 0b111)) == [1, 2, 4, 3, 5, 6, 7]
    assert list(in_order_of_cost([1.0] * 4, 0b1010)) == [2, 8, 10]
    assert list(in_order_of_cost([1.0], 0)) == []


def test_a_random_attack_divides_the_risk_by_the_records() -> None:
    frame = dense()
    keys = list(frame.columns[:-1])
    one = ms.study(frame, keys=keys, weight="w", estimator="cell", attack="random", factor=0.5)
    all_ = ms.study(frame, keys=keys, weight="w", estimator="cell")
    limit = 0.02
    few = one.suppress(above=0.5 * limit / 300).steps[-1]
    assert few.total == all_.suppress(above=limit).steps[-1].total == 169
    assert one.suppress(above=limit).steps[-1].total == 0


def test_the_size_of_a_household_is_not_blanked() -> None:
    """Even where nothing else would do: anybody can count the members."""
    frame = pl.DataFrame(
        {
            "hh": [1] * 4 + [i for i in range(2, 40) for _ in range(2)],
            "size": [4] * 4 + [2] * 76,
            "sex": ["f", "m"] * 40,
            "w": [6.0] * 80,
        }
    )
    study = ms.study(frame, keys=["size", "sex"], weight="w", estimator="cell", household="hh")
    assert study.risk().household.unsafe(0.1) == 1  # type: ignore[union-attr]
    for guarantee in ("own", "strict"):
        done = study.suppress(household=0.1, guarantee=guarantee).steps[-1]  # type: ignore[arg-type]
        assert done.blanks == {"size": 0, "sex": 0}
        assert done.stuck == 4


@pytest.mark.parametrize(
    ("criterion", "guarantee", "blanks"),
    [
        ({"k": 3}, "own", [0, 133, 2, 32]),
        ({"above": 0.03}, "own", [0, 115, 0, 20]),
        ({"k": 3}, "strict", [0, 141, 2, 32]),
        ({"above": 0.03}, "strict", [0, 120, 0, 20]),
        ({"k": 3}, "shared", [1, 56, 2, 27]),
        ({"above": 0.03}, "shared", [0, 54, 1, 16]),
    ],
)
def test_dear_keys_are_spared(
    criterion: dict[str, float], guarantee: str, blanks: list[int]
) -> None:
    costs = {"k0": 4.0, "k1": 1.0, "k2": 3.0, "k3": 1.5}
    done = asked(dense()).suppress(**criterion, guarantee=guarantee, cost=costs)  # type: ignore[arg-type]
    assert list(done.steps[-1].blanks.values()) == blanks


def test_a_random_attack_divides_the_risk_of_households_too() -> None:
    frame = ms.survey(1, households=300).frame
    keys = ["region", "sex", "age", "marital"]
    options = {"keys": keys, "weight": "weight", "household": "household", "estimator": "cell"}
    all_ = ms.study(frame, **options)  # type: ignore[arg-type]
    one = ms.study(frame, attack="random", factor=0.5, **options)  # type: ignore[arg-type]
    assert all_.suppress(household=0.1).steps[-1].total == 79
    assert all_.suppress(household=1.0).steps[-1].total == 0
    few = one.suppress(household=0.05 / len(frame))
    assert one.risk().household.unsafe(0.05 / len(frame)) > 0  # type: ignore[union-attr]
    assert few.risk().household.unsafe(0.05 / len(frame)) == 0  # type: ignore[union-attr]
    assert few.steps[-1].total == 90


@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
def test_progress_ends_with_all(guarantee: str) -> None:
    told: dict[str, list[float]] = {}
    asked(dense()).suppress(
        k=5,
        guarantee=guarantee,  # type: ignore[arg-type]
        progress=lambda stage, done: told.setdefault(stage, []).append(done),
    )
    assert told
    assert all(0 <= done <= 1 for shares in told.values() for done in shares)
