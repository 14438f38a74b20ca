"""Joint blanks of households, against all ways to blank."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from microsafe.cells import Index
from microsafe.steps.suppress import household_search as joint
from microsafe.steps.suppress.household_search import (
    HouseholdMembers,
    bound_households,
    cheapest_joint,
    find_fronts,
    subsets_of,
)
from microsafe.sums import Floats


def make(seed: int, views: int) -> tuple[Floats, Floats, HouseholdMembers, int, int, float]:
    rng = np.random.default_rng(seed)
    keys, rows = int(rng.integers(1, 5)), 12
    prices = np.round(rng.random((keys, rows)) * 4, 1)
    prices[rng.random((keys, rows)) < 0.1] = np.inf
    # Hazard falls with every key that is blank.
    share = rng.random((keys, views, rows))
    share[rng.random((keys, views)) < 0.1 * (views - 1)] = 1.0  # one that a view does not see
    hazards = np.stack(
        [
            np.prod([share[j] for j in range(keys) if mask >> j & 1] + [np.ones((views, rows))], 0)
            for mask in range(1 << keys)
        ]
    )
    unsafe = (hazards > rng.uniform(0.5, 2.0)).any(axis=1)  # a limit for records
    hazards = np.where(unsafe[:, None], np.inf, hazards)
    sizes = rng.integers(1, 4, 8)
    members = HouseholdMembers(
        household=np.repeat(np.arange(8), sizes), row=rng.integers(0, rows, sizes.sum())
    )
    shared, allowed = int(rng.integers(1 << keys)), int(rng.integers(1 << keys))
    return prices, hazards, members, shared, allowed, float(rng.uniform(0.1, 2.0))


def by_hand(
    prices: Floats, hazards: Floats, rows: list[int], shared: int, allowed: int, most: float
) -> float:
    best = np.inf
    own = [sum(1 << j for j in way) for way in subsets_of(allowed & ~shared)]
    for some in subsets_of(allowed & shared):
        taken = sum(1 << j for j in some)
        for ways in product(own, repeat=len(rows)):
            total = sum(hazards[way | taken, :, row] for way, row in zip(ways, rows, strict=True))
            price = sum(
                sum(prices[j, row] for j in range(len(prices)) if way >> j & 1)
                + sum(prices[j, row] for j in some if np.isfinite(prices[j, row]))
                for way, row in zip(ways, rows, strict=True)
            )
            if (total <= most).all():
                best = min(best, price)
    return float(best)


@pytest.mark.parametrize("views", [1, 2, 3])
@pytest.mark.parametrize("seed", range(40))
def test_joint_blanks_cost_what_brute_force_finds(
    seed: int, views: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint, "_BLOCK", 5)
    prices, hazards, members, shared, allowed, most = make(seed, views)

    def ask(mask: int, rows: Index) -> Floats:
        return hazards[mask][:, rows]

    keys, price = cheapest_joint(prices, ask, members, shared=shared, allowed=allowed, most=most)
    for home in range(8):
        mine = np.flatnonzero(members.household == home)
        rows = members.row[mine].tolist()
        truth = by_hand(prices, hazards, rows, shared, allowed, most)
        assert price[home] == pytest.approx(truth)
        if np.isfinite(truth):
            masks = keys[mine].tolist()
            assert len({mask & shared for mask in masks}) == 1
            assert not any(mask & ~allowed for mask in masks)
            total = sum(hazards[mask, :, row] for mask, row in zip(masks, rows, strict=True))
            assert (total <= most).all()
        else:
            assert not keys[mine].any()


@pytest.mark.parametrize("views", [1, 2, 3])
@pytest.mark.parametrize("seed", range(40))
def test_a_price_for_hazard_bounds_what_households_cost(seed: int, views: int) -> None:
    prices, hazards, members, _, allowed, most = make(seed, views)

    def ask(mask: int, rows: Index) -> Floats:
        return hazards[mask][:, rows]

    _, price = cheapest_joint(prices, ask, members, shared=0, allowed=allowed, most=most)
    fronts = find_fronts(prices, np.arange(prices.shape[1]), ask, allowed, ())
    low, high = bound_households(fronts, members, most)
    assert (low <= price).all()
    assert (high >= price * (1 - 1e-9)).all()
    assert (np.isinf(low) <= np.isinf(price)).all()
    if views == 1:
        assert (np.isinf(low) == np.isinf(price)).all()
