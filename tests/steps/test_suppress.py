"""Suppression and combinations against brute force on tiny files, and independent checks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.options.suppression import Guarantee
from microsafe.risk.record import complete
from microsafe.risk.record.expected_matches import expected_matches
from microsafe.steps.suppress import own_guarantee
from microsafe.steps.suppress.criterion import SafetyCriterion
from microsafe.steps.suppress.demands import combine_levels
from oracle import compatible, shows_all_of
from profiles import examples

Row = tuple[str | None, ...]
CRITERIA = st.sampled_from([{"above": 0.05}, {"above": 0.2}, {"k": 2}, {"k": 3}])


@st.composite
def files(draw: st.DrawFn, most: int = 14, keys: int = 4) -> pl.DataFrame:
    count = draw(st.integers(1, keys))
    rows = draw(st.integers(4, most))
    values = st.sampled_from(["a", "b", "c"])
    if draw(st.booleans()):
        values = values | st.none()
    columns = {f"k{j}": draw(st.lists(values, min_size=rows, max_size=rows)) for j in range(count)}
    for column in columns.values():
        column[0] = column[0] or "a"
    weights = draw(st.lists(st.sampled_from([1.0, 3.0, 20.5]), min_size=rows, max_size=rows))
    overrides = dict.fromkeys(columns, pl.String)
    return pl.DataFrame(columns | {"w": weights}, schema_overrides=overrides)


def unsafe(criterion: dict[str, float], f: float, F: float) -> bool:
    return bool(SafetyCriterion(**criterion).unsafe(np.array([f]), np.array([F]))[0])  # type: ignore[arg-type]


def frequency(
    record: Row, others: list[Row], weights: list[float], *, gaps: bool
) -> tuple[float, float]:
    mates = [
        w
        for other, w in zip(others, weights, strict=True)
        if compatible(record, other) and (gaps or shows_all_of(record, other))
    ]
    return float(len(mates)), float(sum(mates))


def blanked(record: Row, keys: tuple[int, ...]) -> Row:
    return tuple(None if j in keys else value for j, value in enumerate(record))


def cheapest(
    record: Row, records: list[Row], weights: list[float], criterion: dict[str, float]
) -> int:
    """Fewest blanks that make a record safe in the original file."""
    shown = [j for j, value in enumerate(record) if value is not None]
    for size in range(len(shown) + 1):
        for keys in combinations(shown, size):
            f, F = frequency(blanked(record, keys), records, weights, gaps=True)
            if not unsafe(criterion, f, F):
                return size
    return -1


def protect(
    frame: pl.DataFrame, criterion: dict[str, float], guarantee: Guarantee
) -> tuple[ms.Study, list[Row]]:
    study = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell")
    done = study.suppress(**criterion, guarantee=guarantee)  # type: ignore[arg-type]
    return done, done.engine.table().drop("w").rows()


def lost(before: list[Row], after: list[Row]) -> list[int]:
    for a, b in zip(before, after, strict=True):
        assert all(y in (x, None) for x, y in zip(a, b, strict=True))
    return [
        sum(x != y for x, y in zip(a, b, strict=True)) for a, b in zip(before, after, strict=True)
    ]


@given(files(), CRITERIA)
def test_own_is_the_exact_minimum(frame: pl.DataFrame, criterion: dict[str, float]) -> None:
    done, after = protect(frame, criterion, "own")
    before, weights = frame.drop("w").rows(), frame["w"].to_list()
    wanted = [cheapest(record, before, weights, criterion) for record in before]
    assert lost(before, after) == [max(each, 0) for each in wanted]
    assert done.steps[-1].stuck == wanted.count(-1)
    assert done.steps[-1].total == sum(lost(before, after))
    if -1 not in wanted:
        for record in after:  # also in the released file, gaps counted
            assert not unsafe(criterion, *frequency(record, after, weights, gaps=True))


@given(files(), CRITERIA, st.sampled_from([None, {"k0": 2.0, "k1": 0.5}, "entropy"]))
def test_sets_of_keys_that_are_tried_together_change_no_blank(
    frame: pl.DataFrame, criterion: dict[str, float], costs: dict[str, float] | str | None
) -> None:
    frame = frame.drop_nulls()
    if not frame.height:
        return
    if isinstance(costs, dict):
        costs = {key: cost for key, cost in costs.items() if key in frame.columns}
    study = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell")
    released = []
    for few, narrowing in ((10**6, 2), (0, 2), (0, 0)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(own_guarantee, "_FEW", few)
            patch.setattr(complete, "_WORTH_NARROWING", narrowing)
            patch.setattr(complete, "_MANY", 0)
            done = study.suppress(**criterion, cost=costs)  # type: ignore[arg-type]
        released.append((done.engine.table().rows(), done.steps[-1].stuck))
    assert released[0] == released[1] == released[2]


@given(files(), CRITERIA)
def test_strict_is_safe_without_gaps(frame: pl.DataFrame, criterion: dict[str, float]) -> None:
    done, after = protect(frame, criterion, "strict")
    before, weights = frame.drop("w").rows(), frame["w"].to_list()
    if done.steps[-1].stuck:
        return
    for record in after:
        assert not unsafe(criterion, *frequency(record, after, weights, gaps=False))
    own, _ = protect(frame, criterion, "own")
    assert done.steps[-1].total >= own.steps[-1].total
    assert sum(lost(before, after)) == done.steps[-1].total


@given(files(), CRITERIA)
def test_shared_is_safe_with_gaps_and_never_takes_more_than_own(
    frame: pl.DataFrame, criterion: dict[str, float]
) -> None:
    done, after = protect(frame, criterion, "shared")
    before, weights = frame.drop("w").rows(), frame["w"].to_list()
    most = [cheapest(record, before, weights, criterion) for record in before]
    if -1 not in most:
        for record in after:
            assert not unsafe(criterion, *frequency(record, after, weights, gaps=True))
    assert all(a <= max(b, 0) for a, b in zip(lost(before, after), most, strict=True))
    if -1 not in most:
        leaning = sum(unsafe(criterion, *frequency(r, before, weights, gaps=True)) for r in after)
        assert done.steps[-1].leaning == leaning
    own, _ = protect(frame, criterion, "own")
    assert done.steps[-1].total <= own.steps[-1].total


@given(files(most=7, keys=2), st.sampled_from([{"k": 2}, {"above": 0.2}]))
@examples(60)
def test_shared_is_near_the_minimum(frame: pl.DataFrame, criterion: dict[str, float]) -> None:
    """All ways to blank, no record losing more than own would take."""
    done, _ = protect(frame, criterion, "shared")
    before, weights = frame.drop("w").rows(), frame["w"].to_list()
    most = [cheapest(record, before, weights, criterion) for record in before]
    if -1 in most:
        return
    options = [
        [blanked(r, keys) for size in range(m + 1) for keys in combinations(range(len(r)), size)]
        for r, m in zip(before, most, strict=True)
    ]
    best = min(
        sum(lost(before, list(after)))
        for after in product(*options)
        if not any(unsafe(criterion, *frequency(r, list(after), weights, gaps=True)) for r in after)
    )
    assert best <= done.steps[-1].total <= best + 1


@given(files(), CRITERIA)
def test_combinations(frame: pl.DataFrame, criterion: dict[str, float]) -> None:
    records, weights = frame.drop("w").rows(), frame["w"].to_list()
    found = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell").combinations(
        **criterion
    )  # type: ignore[arg-type]
    bad: set[Row] = set()
    wanted: set[Row] = set()
    for size in range(1, frame.width):
        for record in records:
            shown = [j for j, value in enumerate(record) if value is not None]
            for keys in combinations(shown, size):
                part = blanked(record, tuple(j for j in range(len(record)) if j not in keys))
                if unsafe(criterion, *frequency(part, records, weights, gaps=True)):
                    bad.add(part)
                    if not any(blanked(part, (j,)) in bad for j in keys if size > 1):
                        wanted.add(part)
    listed = found.table().drop("size", "f", "F").rows()
    assert set(listed) == wanted
    assert len(listed) == len(wanted) == len(found) == sum(found.by_size.values())
    held = [sum(all(p in (None, v) for p, v in zip(part, r, strict=True)) for part in wanted)
            for r in records]  # fmt: skip
    assert found.records()["combinations"].to_list() == held
    assert found.unsafe_records == sum(count > 0 for count in held)
    for j, key in enumerate(frame.columns[:-1]):
        taking = [part for part in wanted if part[j] is not None]
        sizes = Counter(_size(part) for part in taking)
        assert found.by_key_and_size[key] == {size: sizes[size] for size in found.by_size}
        codes = found.by_code(key)
        assert codes["records"].to_list() == [
            sum(record[j] == code for record in records) for code in codes["code"]
        ]
        for size in found.by_size:
            assert codes[f"of_{size}"].to_list() == [
                sum(part[j] == code and _size(part) == size for part in taking)
                for code in codes["code"]
            ]


def _size(part: Row) -> int:
    return sum(value is not None for value in part)


@given(files(most=10, keys=3), st.integers(2, 3), st.integers(1, 3))
def test_combinations_within_levels(frame: pl.DataFrame, k: int, second: int) -> None:
    """Those of all sizes that lie within a set of keys which the levels ask for."""
    names = frame.columns[:-1]
    levels = dict(zip(names, (1, 2, second), strict=False))
    allowed = [set(each) for each in combine_levels(names, levels)]
    study = ms.study(frame, keys=names, weight="w", estimator="cell")
    whole, found = study.combinations(k=k), study.combinations(k=k, levels=levels)

    def within(part: Row) -> bool:
        used = {name for name, value in zip(names, part, strict=True) if value is not None}
        return any(used <= each for each in allowed)

    wanted = [part for part in whole.table().drop("size", "f", "F").rows() if within(part)]
    assert found.table().drop("size", "f", "F").rows() == wanted
    held = [sum(all(p in (None, v) for p, v in zip(part, r, strict=True)) for part in wanted)
            for r in frame.drop("w").rows()]  # fmt: skip
    assert found.unsafe_records == sum(count > 0 for count in held)


@given(files(), CRITERIA, st.sampled_from(["own", "strict", "shared"]))
def test_the_same_for_any_order_of_keys_and_twice(
    frame: pl.DataFrame, criterion: dict[str, float], guarantee: Guarantee
) -> None:
    _, once = protect(frame, criterion, guarantee)
    _, again = protect(frame, criterion, guarantee)
    assert once == again


@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
def test_a_key_that_is_the_same_in_all_records_costs_nothing_and_is_not_blanked(
    guarantee: Guarantee,
) -> None:
    frame = pl.DataFrame({"a": list("aabbc"), "b": list("xyxyz"), "same": ["s"] * 5})
    study = ms.study(frame, keys=["a", "b", "same"])
    done = study.suppress(k=2, guarantee=guarantee, cost="entropy").steps[-1]
    assert done.total > 0
    assert done.blanks["same"] == done.stuck == 0
    alone = ms.study(frame, keys=["same"]).suppress(
        k=6, guarantee=guarantee, cost="entropy", up_to=1
    )
    assert alone.steps[-1].total == 5


def test_costs_and_spared_keys() -> None:
    frame = ms.survey(1, households=300).frame.select("region", "sex", "age", "marital", "weight")
    study = ms.study(
        frame, keys=["region", "sex", "age", "marital"], weight="weight", estimator="cell"
    )
    plain = study.suppress(k=2).steps[-1]
    dear = study.suppress(k=2, cost={"age": 5}).steps[-1]
    assert dear.blanks["age"] < plain.blanks["age"]
    entropy = study.suppress(k=2, cost="entropy").steps[-1]
    assert entropy.blanks["sex"] > plain.blanks["sex"]
    for guarantee in ("own", "strict", "shared"):
        spared = study.suppress(k=2, spare=["age"], guarantee=guarantee)
        assert spared.steps[-1].blanks["age"] == 0
    stuck = study.suppress(k=2, spare=["age", "region", "sex"])
    assert stuck.steps[-1].stuck > 0
    assert len(stuck.steps[-1].examples) == min(5, stuck.steps[-1].stuck)
    for wrong in ({"spare": ["income"]}, {"cost": {"income": 2}}, {"cost": {"age": 0}},
                  {"cost": "low"}, {"guarantee": "none"}):  # fmt: skip
        with pytest.raises(ms.UsageError):
            study.suppress(k=2, **wrong)  # type: ignore[arg-type]
    for wrong in ({}, {"k": 1}, {"above": 0.0}, {"above": 2.0}):
        with pytest.raises(ms.UsageError):
            study.suppress(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
def test_several_scenarios_are_met_together(guarantee: Guarantee) -> None:
    frame = ms.survey(2, households=300).frame
    study = ms.study(
        frame, keys=["region", "sex", "age"], weight="weight", estimator="cell"
    ).with_scenario("register", keys=["region", "marital", "citizenship", "education"])
    done = study.suppress(k=3, guarantee=guarantee)
    for name in ("main", "register"):
        assert done.risk(name).measured.f.min() >= 3
    assert done.steps[-1].total == sum(done.engine.count_blanks().values())
    only = study.suppress(k=3, guarantee=guarantee, scenarios=["main"])
    assert only.steps[-1].total < done.steps[-1].total


def test_undo_and_rollback() -> None:
    frame = ms.survey(1, households=200).frame
    study = ms.study(frame, keys=["region", "age", "sex"], weight="weight", estimator="cell")
    first = study.suppress(k=2, why="first")
    second = first.suppress(k=3, why="second")
    assert [done.step.why for done in second.steps] == ["first", "second"]
    keys = ["region", "age", "sex"]
    pairs = zip(first.engine.table().select(keys).rows(), second.engine.table().select(keys).rows(),
                strict=True)  # fmt: skip
    assert second.steps[-1].records == sum(a != b for a, b in pairs)
    assert second.undo() is first
    assert second.rollback(0) is study
    assert second.rollback(1) is first
    assert second.rollback(2) is second
    assert study.risk().sample_uniques > 0
    assert first.risk().measured.f.min() >= 2
    assert second.risk().measured.f.min() >= 3
    assert (
        second.engine.table()
        .drop("region", "age", "sex")
        .equals(frame.drop("region", "age", "sex"))
    )
    for wrong in (-1, 3):
        with pytest.raises(ms.UsageError):
            second.rollback(wrong)
    with pytest.raises(ms.UsageError):
        study.undo()


def test_attack_models_are_covered() -> None:
    frame = ms.survey(1, households=200).frame
    for attack in ("random", "ratio", "weight"):
        study = ms.study(
            frame,
            keys=["region", "age", "sex"],
            weight="weight",
            estimator="cell",
            attack=attack,
            factor=0.5,
        )
        limit = float(np.median(study.risk().records()["risk"]))
        assert study.suppress(above=limit).risk(limit=limit).limit.unsafe == 0  # type: ignore[union-attr]


def test_protection_needs_wildcards() -> None:
    study = ms.study(pl.DataFrame({"a": ["x", "y"]}), keys=["a"], missing="category")
    with pytest.raises(ms.UsageError, match="wildcard"):
        study.suppress(k=2)


@given(files(most=10))
def test_expected_lies_between_ignoring_gaps_and_wildcards(frame: pl.DataFrame) -> None:
    keys = frame.columns[:-1]
    f = {}
    for rule in ("wildcard", "expected"):
        f[rule] = (
            ms.study(frame, keys=keys, weight="w", estimator="cell", missing=rule).risk().measured.f
        )  # type: ignore[arg-type]
    ignored = ms.study(frame, keys=keys, weight="w", estimator="cell", alpha=0.0).risk().measured.f
    assert np.all(ignored <= f["expected"] + 1e-12)
    assert np.all(f["expected"] <= f["wildcard"] + 1e-12)


def test_expected_by_hand() -> None:
    # Of those who show both keys and agree on a = x, 30 of 40 people have b = 1.
    frame = pl.DataFrame(
        {"a": ["x", "x", "x"], "b": ["1", "2", None], "w": [30.0, 10.0, 100.0]},
    )
    study = ms.study(frame, keys=["a", "b"], weight="w")
    f, F = expected_matches(study.engine.cells(study.scenario())).frequencies(1.0)
    np.testing.assert_allclose(sorted(f), [1.25, 1.75, 3.0])
    np.testing.assert_allclose(sorted(F), [35.0, 105.0, 140.0])
    # Without a weight no model of the population tells more.
    found = ms.study(frame.drop("w"), keys=["a", "b"], missing="expected").risk().records()
    np.testing.assert_allclose(found["f"], [1.5, 1.5, 3.0])


def test_combinations_for_people() -> None:
    import matplotlib.pyplot as plt

    frame = ms.survey(1, households=200).frame
    found = ms.study(
        frame, keys=["region", "age", "sex"], weight="weight", estimator="cell"
    ).combinations(k=3)
    ax = found.plot()
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == max(
        found.by_key, key=lambda key: found.by_key[key]
    )
    plt.close(ax.figure)
    assert sum(found.by_category("age").values()) == found.by_key["age"]
    few = ms.study(
        frame, keys=["region", "age", "sex"], weight="weight", estimator="cell"
    ).combinations(k=3, max_size=1)
    assert set(few.by_size) <= {1}
    assert found.summary()["by_size"]["1"] == few.summary()["by_size"]["1"]


def test_linked_variables_lose_their_value_too() -> None:
    frame = ms.survey(1, households=200).frame.with_columns(born=2026 - pl.col("age"))
    study = ms.study(frame, keys=["region", "age", "sex"], weight="weight", estimator="cell")
    done = study.suppress(k=3, linked={"age": ("born",)})
    table = done.engine.table()
    assert table["age"].null_count() == table["born"].null_count() > 0
    assert table.filter(pl.col("age").is_null())["born"].null_count() == table["age"].null_count()
    taken = done.steps[-1]
    assert taken.linked == {"born": taken.blanks["age"]}
    assert "born" not in taken.blanks
    assert ("Values blanked in linked variables", f"born {taken.linked['born']:,}") in (
        taken.step.results(taken)
    )
    keys = study.suppress(k=3, linked={"age": ("sex",)}).steps[-1]
    assert keys.linked == {}
    assert keys.blanks["sex"] >= keys.blanks["age"]
    with pytest.raises(ms.InputError):
        study.suppress(k=3, linked={"age": ("brn",)})
    with pytest.raises(ms.UsageError):
        study.suppress(k=3, linked={"income": ("born",)})


@given(files(most=10, keys=3), st.integers(1, 3), st.integers(2, 3), st.booleans())
def test_no_rare_combination_is_left(frame: pl.DataFrame, up_to: int, k: int, people: bool) -> None:
    """Every record gets the fewest blanks that leave no rare combination of few keys."""
    k = k * (6 if people else 1)
    study = ms.study(frame, keys=frame.columns[:-1], weight="w", estimator="cell")
    done = study.suppress(k=k, up_to=up_to, people=people)
    before, weights = frame.drop("w").rows(), frame["w"].to_list()
    after = done.engine.table().drop("w").rows()

    def rare(record: Row) -> bool:
        shown = [j for j, value in enumerate(record) if value is not None]
        for size in range(1, up_to + 1):
            for keys in combinations(shown, size):
                part = blanked(record, tuple(j for j in range(len(record)) if j not in keys))
                f, F = frequency(part, before, weights, gaps=True)
                if (F if people else f) < k:
                    return True
        return False

    for a, b, count in zip(before, after, lost(before, after), strict=True):
        assert not rare(b)
        shown = [j for j, value in enumerate(a) if value is not None]
        fewer = (c for size in range(count) for c in combinations(shown, size))
        assert all(rare(blanked(a, keys)) for keys in fewer)


def test_identification_levels() -> None:
    levels = {"region": 1, "sex": 2, "age": 3, "job": 3}
    found = combine_levels(("region", "sex", "age", "job"), levels)
    assert found == [("region", "sex", "age"), ("region", "sex", "job")]
    with pytest.raises(ms.UsageError, match="identification level"):
        combine_levels(("sex",), {"region": 1})


@pytest.mark.parametrize("guarantee", ["own", "strict"])
def test_household_risk_can_be_met(guarantee: Guarantee) -> None:
    frame = ms.survey(1, households=300).frame
    keys = ["region", "hsize", "sex", "age", "marital"]
    study = ms.study(frame, keys=keys, weight="weight", estimator="cell", household="household")
    limit = 0.05
    assert study.risk().household.unsafe(limit) > 0  # type: ignore[union-attr]
    done = study.suppress(household=limit, guarantee=guarantee)
    assert done.risk().household.unsafe(limit) == 0  # type: ignore[union-attr]
    step = done.steps[-1]
    assert step.blanks["hsize"] == 0  # it can be counted, so blanking it hides nothing
    table = done.engine.table()
    regions = table.group_by("household").agg(pl.col("region").is_null().n_unique())
    assert regions["region"].max() == 1  # region is blank in all members or in none
    assert step.total == sum(done.engine.count_blanks().values())
    both = study.suppress(household=limit, k=2)
    assert both.risk().measured.f.min() >= 2
    assert both.risk().household.unsafe(limit) == 0  # type: ignore[union-attr]
    for wrong in ({"household": 0.0}, {"household": 0.1, "guarantee": "shared"}):
        with pytest.raises(ms.UsageError):
            study.suppress(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ms.UsageError, match="names the household"):
        ms.study(frame, keys=keys, weight="weight", estimator="cell").suppress(household=0.1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"up_to": 2},
        {"k": 2, "up_to": 0},
        {"k": 2, "up_to": 2, "levels": {"a": 1}},
        {"k": 2, "levels": {"a": 0}},
        {"above": 0.1, "people": True},
    ],
)
def test_rules_that_contradict_themselves(wrong: dict[str, object]) -> None:
    study = ms.study(pl.DataFrame({"a": ["x", "y"]}), keys=["a"])
    with pytest.raises(ms.UsageError):
        study.suppress(**wrong)  # type: ignore[arg-type]


def test_each_scenario_may_have_its_own_criterion() -> None:
    frame = ms.survey(2, households=300).frame
    study = ms.study(
        frame, keys=["region", "sex", "age"], weight="weight", estimator="cell"
    ).with_scenario("register", keys=["region", "marital", "education"])
    done = study.suppress(k={"main": 3}, above={"register": 0.005})
    assert done.risk("main").measured.f.min() >= 3
    assert done.risk("register", limit=0.005).limit.unsafe == 0  # type: ignore[union-attr]
    with pytest.raises(ms.UsageError, match="Did you mean 'register'"):
        study.suppress(k={"main": 2, "registr": 3})


def test_strict_stays_strict_when_blanks_spread() -> None:
    frame = pl.DataFrame(
        {"k0": ["1", "1", "2", "1"], "k1": ["2", "1", "2", "1"], "k2": ["1", "2", "1", "2"],
         "h": [0, 0, 1, 2], "w": [20.0] * 4},
    )  # fmt: skip
    study = ms.study(frame, keys=["k0", "k1", "k2"], weight="w", estimator="cell", household="h")
    done = study.suppress(k=2, household=0.3, guarantee="strict")
    after, weights = done.engine.table().drop("h", "w").rows(), frame["w"].to_list()
    assert all(frequency(record, after, weights, gaps=False)[0] >= 2 for record in after)
    gaps = pl.DataFrame({"a": [None, "1", "2"], "b": ["1", "1", "2"], "w": [10.0] * 3})
    linked = ms.study(gaps, keys=["a", "b"], weight="w", estimator="cell").suppress(
        k=2, guarantee="strict", linked={"a": ("b",)}
    )
    after = linked.engine.table().drop("w").rows()
    assert all(frequency(record, after, [10.0] * 3, gaps=False)[0] >= 2 for record in after)
    with pytest.raises(ms.UsageError, match="weight or household"):
        study.suppress(k=2, linked={"k0": "w"})  # type: ignore[dict-item]
    with pytest.raises(ms.UsageError, match="No combination"):
        study.suppress(k=2, levels={"k0": 3})
    with pytest.raises(ms.UsageError, match="whole number"):
        study.suppress(k=2.5)  # type: ignore[arg-type]


def in_dwellings(frame: pl.DataFrame) -> pl.DataFrame:
    """The survey with dwellings of up to three households each, in one region."""
    return frame.with_columns((pl.col("household") // 3).alias("dwelling")).with_columns(
        pl.col("region").first().over("dwelling")
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_blanks_of_one_step_are_no_matches_for_the_next(seed: int) -> None:
    rng = np.random.default_rng(seed)
    some = [rng.dirichlet(np.full(6, 0.6), 3) for _ in range(5)]
    kind = rng.integers(0, 3, 800)  # of people: keys go together
    codes = [[rng.choice(6, p=chances[k]) for k in kind] for chances in some]
    frame = pl.DataFrame({f"k{j}": code for j, code in enumerate(codes)})
    frame = frame.with_columns(w=pl.lit(20.0))
    study = ms.study(frame, keys=["k0", "k1", "k2", "k3"], weight="w", estimator="model")
    study = study.with_scenario("other", keys=["k0", "k1", "k2", "k4"])
    safe = study.suppress(0.03, scenarios=["main"]).suppress(0.03, scenarios=["other"])
    for name in ("main", "other"):
        before, after = (each.risk(name, limit=0.03, one_estimator=True) for each in (study, safe))
        assert before.limit.unsafe > after.limit.unsafe == 0


@pytest.mark.parametrize("guarantee", ["own", "strict"])
@pytest.mark.parametrize("homes", [("household", "dwelling"), ("dwelling", "household")])
def test_scenarios_may_name_different_households(
    guarantee: Guarantee, homes: tuple[str, str]
) -> None:
    frame = in_dwellings(ms.survey(1, households=150).frame)
    keys = [["region", "hsize", "sex", "age"], ["region", "hsize", "marital", "education"]]
    study = ms.study(frame, keys=keys[0], weight="weight", estimator="cell", household=homes[0])
    study = study.with_scenario("register", keys=keys[1], household=homes[1])
    limit = 0.1
    for name in ("main", "register"):
        assert study.risk(name).household.unsafe(limit) > 0  # type: ignore[union-attr]
    done = study.suppress(household=limit, guarantee=guarantee, cost={"region": 0.02})
    for name in ("main", "register"):
        assert done.risk(name).household.unsafe(limit) == 0  # type: ignore[union-attr]
    assert done.steps[-1].blanks["region"] > 0
    assert done.steps[-1].blanks["hsize"] == 0
    regions = done.engine.table().group_by("dwelling").agg(pl.col("region").is_null().n_unique())
    assert regions["region"].max() == 1


@pytest.mark.parametrize("guarantee", ["own", "strict"])
def test_each_scenario_has_limits_of_its_own(guarantee: Guarantee) -> None:
    """Records and households of each keep its own limits; one without a household has none."""
    frame = in_dwellings(ms.survey(1, households=150).frame)
    study = ms.study(
        frame,
        keys=["region", "sex", "age"],
        weight="weight",
        estimator="cell",
        household="household",
    )
    study = study.with_scenario("register", keys=["hsize", "marital", "age"], household="dwelling")
    study = study.with_scenario("neighbour", keys=["sex", "education", "age"], household=None)
    above = {"main": 0.05, "register": 0.1, "neighbour": 0.03}
    homes = {"main": 0.08, "register": 0.2}
    loose = study.suppress(above, household=homes, guarantee=guarantee)
    for name, limit in above.items():
        risk = loose.risk(name)
        assert study.risk(name).max > limit >= risk.max
        if name in homes:
            assert risk.household.max <= homes[name] < study.risk(name).household.max  # type: ignore[union-attr]
    tight = {"main": 0.08, "register": 0.08}
    found = study.suppress(above, household=tight, guarantee=guarantee).steps[-1].total
    assert found > loose.steps[-1].total > study.suppress(above).steps[-1].total
    assert loose.steps[-1].words.startswith("suppress: household risk by scenario")


@pytest.mark.parametrize("joint", [False, True])
def test_one_limit_for_all_is_one_for_each(joint: bool) -> None:
    frame = ms.survey(1, households=100).frame
    study = ms.study(
        frame,
        keys=["region", "sex", "age"],
        weight="weight",
        estimator="cell",
        household="household",
    )
    study = study.with_scenario("register", keys=["hsize", "sex", "marital"])
    both = {"main": 0.1, "register": 0.1}
    one, each = (study.suppress(household=limit, joint=joint) for limit in (0.1, both))
    assert one.engine.table().equals(each.engine.table())
    alone = study.suppress(household={"main": 0.1}, joint=joint)
    other = study.suppress(household=0.1, joint=joint, scenarios=["main"])
    assert alone.engine.table().equals(other.engine.table())


def test_a_scenario_without_a_limit_is_not_asked_for_anything() -> None:
    study = ms.study(
        ms.survey(1, households=100).frame,
        keys=["region", "age"],
        weight="weight",
        estimator="cell",
    )
    study = study.with_scenario("register", keys=["sex", "marital", "education"])
    for limits in ({"above": {"register": 0.02}}, {"k": {"register": 3}}):
        found = study.suppress(**limits)  # type: ignore[arg-type]
        alone = study.suppress(**limits, scenarios=["register"])  # type: ignore[arg-type]
        assert found.steps[-1].total > 0
        assert found.engine.table().equals(alone.engine.table())


def test_limits_by_scenario_that_cannot_be_met_are_refused() -> None:
    study = ms.study(ms.survey(1, households=50).frame, keys=["region"], household="household")
    study = study.with_scenario("other", keys=["sex"], household=None)
    for household, why in (
        ({}, "Say what is unsafe"),
        ({"other": 0.1, "main": 0.1}, "names the household"),
        ({"others": 0.1}, "no scenario 'others'"),
        ({"main": 0.0}, "above 0"),
    ):
        with pytest.raises(ms.UsageError, match=why):
            study.suppress(household=household)
    members = study.with_scenario("members", keys=["sex"])
    with pytest.raises(ms.UsageError, match="one limit on household risk"):
        members.suppress(
            household={"main": 0.1, "members": 0.2}, joint=True, scenarios=["main", "members"]
        )


def test_blanks_spread_through_every_kind_of_household() -> None:
    """One record is unsafe; homes and tents make a chain through which its town is read off."""
    frame = pl.DataFrame(
        {"town": ["x"] * 5 + ["y"] * 20, "sex": ["m"] + ["f"] * 4 + ["m", "f"] * 10,
         "home": [1, 1, 2, 2, 3, *range(4, 24)], "tent": [1, 2, 2, 3, 3, *range(4, 24)],
         "post": range(25), "w": [50.0] * 25},
    )  # fmt: skip
    study = ms.study(frame, keys=["town", "sex"], weight="w", estimator="cell", household="home")
    study = study.with_scenario("tents", keys=["town", "sex"], household="tent")
    done = study.suppress(k=2, household=0.9, cost={"sex": 100}, linked={"town": ("post",)})
    assert done.engine.count_blanks() == {"town": 5, "post": 5}
    exchanged = replace(study, scenarios=study.scenarios[::-1])
    done = exchanged.suppress(k=2, household=0.9, cost={"sex": 100})
    assert done.engine.count_blanks() == {"town": 5}


def test_the_cost_of_a_key_counts_the_members_who_lose_it() -> None:
    """A blank of `town` hits the three of a block, whatever home the last scenario names."""
    frame = pl.DataFrame(
        {"town": ["x"] * 3 + ["y"] * 27, "sex": ["m", "f", "f"] * 10,
         "block": [at // 3 for at in range(30)], "person": range(30), "w": [50.0] * 30},
    )  # fmt: skip
    study = ms.study(frame, keys=["town", "sex"], weight="w", estimator="cell", household="block")
    study = study.with_scenario("alone", keys=["town", "sex"], household="person")
    done = study.suppress(k=2, household=0.9, cost={"town": 1, "sex": 2})
    assert done.steps[-1].blanks == {"town": 0, "sex": 1}


def test_values_that_any_household_gives_away_are_told() -> None:
    frame = in_dwellings(ms.survey(1, households=150).frame)
    study = ms.study(frame, keys=["region", "sex", "age"], weight="weight", estimator="cell")
    study = study.with_scenario("homes", keys=["region", "age"], household="dwelling")
    done = study.suppress(k=3, cost={"age": 50}, together=False)
    assert done.steps[-1].blanks["region"] > 0
    assert done.steps[-1].readable == ("region",)


@pytest.mark.parametrize("guarantee", ["own", "strict", "shared"])
def test_what_members_share_is_blanked_in_all_of_them(guarantee: Guarantee) -> None:
    frame = in_dwellings(ms.survey(1, households=150).frame)
    study = ms.study(
        frame,
        keys=["region", "sex", "age"],
        weight="weight",
        estimator="cell",
        household="dwelling",
    )
    done = study.suppress(k=3, cost={"age": 50}, guarantee=guarantee)
    assert done.steps[-1].blanks["region"] > 0
    assert done.steps[-1].readable == ()
    assert not done.steps[-1].stuck
    known = (
        done.engine.table()
        .group_by("dwelling")
        .agg(  # type: ignore[attr-defined]
            pl.col("region").is_null().any().alias("any"),
            pl.col("region").is_null().all().alias("all"),
        )
    )
    assert known.filter(pl.col("any") != pl.col("all")).is_empty()
