from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from family_oracle import measure
from microsafe.cli import main
from microsafe.options.scenario import Scenario
from microsafe.risk.family.measure import count_alike, measure_families
from microsafe.risk.family.members import Families, arrange_families
from microsafe.risk.family.model import FamilyModel

KEYS = ("region", "sex", "age", "status")


def make_families(
    count: int, seed: int, missing: float = 0.0
) -> tuple[np.ndarray, dict, np.ndarray]:
    """Couples and children, of whom some repeat: households, codes by key, weights."""
    rng = np.random.default_rng(seed)
    size = rng.choice([1, 2, 3, 4, 7], count, p=[0.3, 0.35, 0.15, 0.15, 0.05])
    home = np.repeat(np.arange(count), size)
    place = np.arange(len(home)) - np.repeat(np.cumsum(size) - size, size)
    head = rng.integers(5, 15, count)
    age = np.where(place < 2, np.clip(head[home] - place, 1, 14), np.clip(head[home] - 6, 1, 14))
    codes = {
        "region": rng.integers(1, 4, count)[home],
        "sex": np.where(place == 0, 1, np.where(place == 1, 2, rng.integers(1, 3, len(home)))),
        "age": age + rng.integers(0, 2, len(home)),
        "status": np.clip(age // 2 + rng.integers(-1, 2, len(home)), 1, 7),
    }
    for key in ("sex", "age", "status"):
        codes[key] = np.where(rng.random(len(home)) < missing, 0, codes[key])
    return home, codes, rng.choice([8.0, 12.0, 20.0], count)[home]


def as_lists(families: Families, codes: dict, record: np.ndarray) -> list[list[dict[str, int]]]:
    ends = families.first + families.size
    return [
        [{key: int(codes[key][r]) for key in codes} for r in record[start:end]]
        for start, end in zip(families.first, ends, strict=True)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "missing", "blank"), [(70, 0, 0), (70, 0.06, 0), (60, 0.05, 0.2)]
)
def test_risk_is_that_of_loops_over_households(count: int, missing: float, blank: float) -> None:
    home, codes, weight = make_families(count, 3, missing)
    rng = np.random.default_rng(1)
    flags = {key: rng.random(len(home)) >= blank for key in codes}
    flags["region"] = (rng.random(count) >= blank)[home]
    families = arrange_families(home, codes, weight)
    model, view = FamilyModel(families), families.view(flags)
    homes = as_lists(families, codes, view.record)
    shown = [
        [
            {*(key for key in families.keys if members[families.keys.index(key)])}
            | {key for key, there in zip(families.shared_keys, shared, strict=True) if there}
            for members in view.members[start : start + size]
        ]
        for start, size, shared in zip(families.first, families.size, view.shared, strict=True)
    ]
    assert families.shared_keys == ("region",)
    assert families.weight is not None
    weights = families.weight.tolist()
    expected, c, copies = measure(homes, weights, families.shared_keys, families.keys, shown)
    assert model.scatter == pytest.approx(c, rel=1e-9)
    assert model.copies == pytest.approx(copies, rel=1e-9)
    assert model.measure_view(view).risk == pytest.approx(np.array(expected), rel=1e-7)


def test_order_of_records_and_numbers_of_households_change_nothing() -> None:
    home, codes, weight = make_families(300, 5, 0.05)
    order = np.random.default_rng(2).permutation(len(home))
    other = np.random.default_rng(3).permutation(300)
    flags = {key: np.random.default_rng(4).random(len(home)) < 0.9 for key in codes}
    found = []
    for rows, names in ((np.arange(len(home)), np.arange(300)), (order, other)):
        families = arrange_families(
            names[home[rows]], {key: code[rows] for key, code in codes.items()}, weight[rows]
        )
        model = FamilyModel(families)
        view = families.view({key: flag[rows] for key, flag in flags.items()})
        risk = families.give_back(model.measure_view(view).risk, 300)
        found.append((risk[names], model.scatter, model.copies))
    assert np.array_equal(found[0][0], found[1][0])
    assert found[0][1:] == found[1][1:]


def test_records_have_the_chance_of_their_family(tmp_path: Path) -> None:
    """Whatever their order, in Python and on the command line."""
    home, codes, weight = make_families(40, 6, missing=0.05)
    frame = pl.DataFrame({**codes, "h": home, "w": weight})
    frame = frame.with_columns(pl.when(pl.col(key) > 0).then(key) for key in codes)
    scenario = Scenario(keys=KEYS, weight="w", household="h", estimator="model")
    families = arrange_families(home, {key: np.asarray(codes[key]) for key in KEYS}, weight)
    view = families.view({key: codes[key] > 0 for key in KEYS})
    wanted = measure_families(families, view, FamilyModel(families), scenario, count=40).risk
    for rows in (np.arange(len(home)), np.random.default_rng(6).permutation(len(home))):
        shuffled = frame[rows]
        study = ms.study(shuffled, keys=KEYS, weight="w", household="h", estimator="model")
        found = study.risk(one_estimator=True)
        assert found.household is not None
        assert found.household.expected_households == pytest.approx(wanted.sum(), rel=1e-12)
        told = found.records()["household_risk"].to_numpy()
        np.testing.assert_allclose(told, wanted[home[rows]], rtol=1e-12)
    shuffled.write_csv(tmp_path / "f.csv")
    call = f"risk {tmp_path}/f.csv --keys region,sex,age,status --weight w --household h"
    call += f" --estimator model --records {tmp_path}/r.csv"
    assert main(call.split()) == 0
    np.testing.assert_allclose(pl.read_csv(tmp_path / "r.csv")["household_risk"], told, rtol=1e-9)


def test_a_blank_lowers_the_risk_of_its_household_alone() -> None:
    home, codes, weight = make_families(400, 7)
    families = arrange_families(home, codes, weight)
    model = FamilyModel(families)
    before = families.give_back(model.measure().risk, 400)
    worst = int(np.argmax(before))
    flags = {key: np.ones(len(home), bool) for key in codes}
    flags["age"][home == worst] = False
    after = families.give_back(model.measure_view(families.view(flags)).risk, 400)
    assert after[worst] < before[worst]
    others = np.arange(400) != worst
    assert np.array_equal(after[others], before[others])


def test_households_by_other_numbers_look_like_those_before() -> None:
    home, codes, weight = make_families(200, 11)
    families = arrange_families(home, codes, weight)
    numbers = np.random.default_rng(3).permutation(200)
    again = arrange_families(numbers[home], codes, weight)
    assert families.look_like(again)
    risk, same = FamilyModel(families).measure().risk, FamilyModel(again).measure().risk
    assert np.array_equal(risk, same)
    assert np.array_equal(families.give_back(risk, 200), again.give_back(same, 200)[numbers])
    older = codes | {"age": codes["age"] + (np.arange(len(home)) == 5)}
    assert not families.look_like(arrange_families(home, older, weight))
    assert not families.look_like(arrange_families(home, codes, weight * 2))
    assert not families.look_like(arrange_families(home, codes, None))


def test_without_weights_a_household_is_one_of_those_alike() -> None:
    home, codes, _ = make_families(200, 9)
    families = arrange_families(home, codes, None)
    rng = np.random.default_rng(5)
    view = families.view({key: rng.random(len(home)) < 0.9 for key in codes})
    count = count_alike(families, view)
    for h in range(200):

        def shows(o: int, h: int = h) -> bool:
            if families.size[o] != families.size[h]:
                return False
            mine, other = (slice(f, f + families.size[h]) for f in families.first[[h, o]])
            alike = families.codes[mine] == families.codes[other]
            shared = families.shared[h] == families.shared[o]
            return bool((alike | ~view.members[mine]).all() and (shared | ~view.shared[h]).all())

        assert count[h] == sum(map(shows, range(200)))
    plain = Scenario(keys=KEYS, factor=0.5)
    found = measure_families(families, view, None, plain, count=200)
    assert np.array_equal(found.risk, families.give_back(0.5 / count, 200))


def test_a_census_says_one_over_those_alike() -> None:
    home, codes, _ = make_families(200, 11)
    families = arrange_families(home, codes, np.ones(len(home)))
    count = np.bincount(families.alike)[families.alike]
    assert FamilyModel(families).measure().risk == pytest.approx(1.0 / count, rel=1e-12)


def test_errors_of_all_keys_that_a_family_shows_count() -> None:
    home, codes, weight = make_families(100, 13)
    families = arrange_families(home, codes, weight)
    flags = {key: np.ones(len(home), bool) for key in codes}
    flags["sex"][home == 4] = False
    view, model = families.view(flags), FamilyModel(families)
    plain = measure_families(families, view, model, Scenario(keys=KEYS, weight="w"), count=100)
    error = {"sex": 0.1, "region": 0.2}
    doubted = Scenario(keys=KEYS, weight="w", error=error)
    ratio = measure_families(families, view, model, doubted, count=100).risk / plain.risk
    size = np.bincount(home)
    assert ratio[4] == pytest.approx(0.8)
    assert ratio[5] == pytest.approx(0.8 * 0.9 ** size[5])
