"""Suppression by household under a model, against trying it household by household."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.risk import FamilyModel, arrange_families
from microsafe.steps import Suppress
from microsafe.steps.suppress.family_search import blank_families

KEYS = ("region", "sex", "age", "status")


def make_frame(count: int = 700, seed: int = 1) -> pl.DataFrame:
    """Couples and children; the last household is larger than all others."""
    rng = np.random.default_rng(seed)
    size = np.r_[rng.choice([1, 2, 3, 4], count - 1, p=[0.3, 0.4, 0.2, 0.1]), 9]
    home = np.repeat(np.arange(count), size)
    place = np.arange(len(home)) - np.repeat(np.cumsum(size) - size, size)
    head = rng.integers(3, 9, count)[home]
    age = np.where(place < 2, head - (place > 0) * rng.integers(0, 2, len(home)), head // 3)
    return pl.DataFrame(
        {
            "household": home + 10,
            "weight": rng.choice([8.0, 20.0], count)[home],
            "region": rng.integers(1, 5, count)[home],
            "sex": rng.integers(1, 3, len(home)),
            "age": age,
            "status": np.clip(age // 2 + rng.integers(0, 2, len(home)), 1, 5),
        }
    )


def opened(frame: pl.DataFrame, **options: object) -> ms.Study:
    return ms.study(
        frame,
        keys=KEYS,
        weight="weight",
        household="household",
        **{"estimator": "model"} | options,  # type: ignore[arg-type]
    )


def test_no_household_is_above_the_limit_afterwards() -> None:
    study = opened(make_frame())
    before = study.risk(one_estimator=True).household
    assert before is not None
    assert before.unsafe(0.1) > 100
    safe = study.suppress(household=0.1)
    after = safe.risk(one_estimator=True, household_limit=0.1)
    assert after.household is not None
    assert after.household.max <= 0.1
    assert after.household_limit is not None
    assert after.household_limit.unsafe == 0
    lost = safe.frame.select(pl.col(KEYS).is_null()).to_numpy()
    assert lost.sum() == safe.steps[-1].total == sum(safe.steps[-1].blanks.values())
    # Safe households lose nothing, and regions are blank in all members or in none.
    home = make_frame()["household"].to_numpy() - 10
    was_safe = before.risk[home] <= 0.1
    assert not lost[was_safe].any()
    region = safe.frame.group_by(pl.Series(home)).agg(pl.col("region").is_null())["region"]
    assert all(len(set(each)) == 1 for each in region)
    assert safe.undo().frame.equals(study.frame)


def test_each_blank_is_the_value_that_tells_most_for_its_price() -> None:
    frame = make_frame(300, 2)
    codes = {key: frame[key].to_numpy().astype(int) for key in KEYS}
    families = arrange_families(
        frame["household"].to_numpy() - 10, codes, frame["weight"].to_numpy()
    )
    model = FamilyModel(families)
    view = families.view({key: np.ones(len(frame), bool) for key in KEYS})
    prices = {"sex": 1.0, "age": 3.0, "status": 1.0, "region": 0.5}
    member = np.array([prices[key] for key in families.keys]) * np.ones(families.codes.shape)
    shared = np.full(families.shared.shape, prices["region"]) * families.size[:, None]
    start, limit = model.measure().risk, np.full(len(families), 0.05)
    found = blank_families(
        model,
        view,
        start > limit,
        limit,
        member_prices=member,
        shared_prices=shared,
        progress=lambda *_: None,
    )
    for home in np.flatnonzero(start > limit)[:40]:
        members, region = view.members.copy(), view.shared.copy()
        places = range(families.first[home], families.first[home] + families.size[home])
        while True:
            ((told, told_shared),) = model.chain.surprises(members, region)
            risk = model.find_chances(model.find_mean(model.chain.add_up(told, told_shared)))
            changed = not (members[places].all() and region[home].all())
            if changed and risk.risk[home] <= 0.05:
                break
            options = [
                (told[p, k] / member[p, k], p, k)
                for p in places
                for k in range(len(families.keys))
                if members[p, k]
            ]
            if region[home, 0]:
                options.append((told_shared[home, 0] / shared[home, 0], -1, 0))
            if not options:
                break
            best = max(each[0] for each in options)
            tied = [each for each in options if each[0] == best]
            _, place, key = next((each for each in tied if each[1] < 0), tied[0])
            if place < 0:
                region[home, key] = False
            else:
                members[place, key] = False
        assert np.array_equal(~members[places], found.members[places])
        assert np.array_equal(~region[home], found.shared[home])


def test_who_is_told_by_the_size_alone_gets_numbers_of_their_own() -> None:
    frame = make_frame()
    for household in (frame["household"], frame["household"].cast(pl.String)):
        safe = opened(frame.with_columns(household)).suppress(household=0.1)
        assert safe.steps[-1].facts == {"households_parted": 1}
        assert any("parted" in words for words, _ in safe.steps[-1].step.results(safe.steps[-1]))
        last = safe.frame.tail(9)
        assert last["household"].n_unique() == 9
        before = set(household.to_list())
        assert not before & set(last["household"].to_list())
        assert safe.frame.head(-9)["household"].to_list() == household.head(-9).to_list()
        found = safe.risk(one_estimator=True).household
        assert found is not None
        assert found.max <= 0.1


def test_spared_keys_stay_and_what_stays_unsafe_is_counted() -> None:
    safe = opened(make_frame()).suppress(household=0.02, spare=["age", "sex"])
    assert safe.frame["age"].null_count() == safe.frame["sex"].null_count() == 0
    after = safe.risk(one_estimator=True).household
    assert after is not None
    assert safe.steps[-1].stuck == after.size[after.risk > 0.02].sum() > 0
    assert safe.steps[-1].facts == {}


def test_the_order_of_the_records_changes_nothing() -> None:
    frame = make_frame(400, 3).with_row_index("id")
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=1)
    safe, other = (opened(each).suppress(household=0.1) for each in (frame, shuffled))
    assert safe.steps[-1].blanks == other.steps[-1].blanks
    columns = ["household", "weight", *KEYS]
    alike = [each.frame.select(columns[1:]).sort(columns[1:]) for each in (safe, other)]
    assert alike[0].equals(alike[1])


def test_a_limit_on_records_is_kept_too_and_by_cell_the_formula_decides() -> None:
    both = opened(make_frame()).suppress(0.02, household=0.1).risk(one_estimator=True)
    assert both.household is not None
    assert both.max <= 0.02
    assert both.household.max <= 0.1
    by_cell = (
        opened(make_frame(), estimator="cell").suppress(household=0.1).risk(one_estimator=True)
    )
    assert by_cell.household is not None
    assert by_cell.household.max <= 0.1
    assert by_cell.household.published is None


def test_factors_and_perturbed_keys_count() -> None:
    study = opened(make_frame(), factor=0.5).pram("status", keep=0.8, seed=1)
    safe = study.suppress(household=0.05)
    found = safe.risk(one_estimator=True).household
    assert found is not None
    assert found.max <= 0.05
    plain = opened(make_frame()).suppress(household=0.05)
    assert safe.steps[-1].total < plain.steps[-1].total


def test_a_household_is_needed() -> None:
    study = ms.study(make_frame(), keys=KEYS, weight="weight", estimator="model")
    with pytest.raises(ms.UsageError, match="names the household variable"):
        study.apply(Suppress(household=0.1))
