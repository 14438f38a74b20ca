"""Those who know families, against counting household by household."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from attacked import ArraysUnderAttack
from microsafe.intruders import FamilyIntruder, RejoinIntruder
from microsafe.intruders.rejoin import find_rejoined
from microsafe.options.scenario import Scenario

KEYS = ("region", "sex", "age")


def attacked(
    seed: int, *, hidden: bool, weight: bool = True, estimator: str = "model", **options: object
) -> ArraysUnderAttack:
    """Households of one to four, with a weight and rooms that members share."""
    rng = np.random.default_rng(seed)
    home = np.sort(rng.integers(0, 60, 150))
    home = np.unique(home, return_inverse=True)[1]
    columns = {
        "region": rng.integers(1, 4, 60)[home],
        "sex": rng.integers(1, 3, 150),
        "age": rng.integers(1, 6, 150),
        "rooms": rng.integers(1, 7, 60)[home],
        "w": rng.integers(5, 9, 60)[home],
    }
    if not hidden:
        columns["household"] = home + 1
    return ArraysUnderAttack(
        scenario=Scenario(
            keys=KEYS,
            weight="w" if weight else None,
            household="household",
            estimator=estimator,  # type: ignore[arg-type]
        ),
        columns=columns,
        household=home,
        weight=columns["w"].astype(float) if weight else None,
        limits={"household_risk": 0.5, "rejoin": 0.1},
        **options,  # type: ignore[arg-type]
    )


def test_families_are_those_of_the_measure() -> None:
    file = attacked(1, hidden=False)
    families, result = file.families(), FamilyIntruder().play(file)
    assert families is not None
    assert file.household is not None
    size = np.bincount(file.household)
    assert result.units == len(size)
    assert result.expected == result.figures["expected_households"]
    assert result.expected == pytest.approx(families.risk.sum())
    assert result.figures["household_rate"] == pytest.approx((families.risk * size).sum() / 150)
    assert result.largest == families.risk.max() == result.figures["household_risk"]
    assert result.above == (families.risk > 0.5).sum()
    assert result.certain == pytest.approx(families.unique.sum())
    assert 0 < families.unique.sum() < families.risk.sum()


@pytest.mark.parametrize(("estimator", "apart"), [("cell", True), ("model", False)])
def test_it_is_said_that_rules_go_by_another_formula(estimator: str, apart: bool) -> None:
    result = FamilyIntruder().play(attacked(1, hidden=False, estimator=estimator))
    assert ("family-formula" in {notice.id for notice in result.notices}) == apart
    assert result.figures


def test_without_a_weight_a_family_is_one_of_those_alike_in_the_file() -> None:
    file = attacked(2, hidden=False, weight=False, estimator="cell")
    assert file.household is not None
    members = [
        sorted(
            tuple(file.columns[key][r] for key in KEYS) for r in np.flatnonzero(file.household == h)
        )
        for h in range(int(file.household.max()) + 1)
    ]
    alike = np.array([members.count(each) for each in members])
    result = FamilyIntruder().play(file)
    assert result.expected == pytest.approx((1 / alike).sum())
    assert result.certain == (alike == 1).sum()


def test_members_are_joined_by_all_that_they_share() -> None:
    file = attacked(3, hidden=True)
    assert FamilyIntruder().play(file).not_tried == "The household number does not go out."
    home, result = file.household, RejoinIntruder().play(file)
    assert home is not None
    shared = list(zip(*(file.columns[name] for name in ("region", "rooms", "w")), strict=True))
    right = [
        {o for o in range(150) if shared[o] == shared[r]} == set(np.flatnonzero(home == home[r]))
        for r in range(150)
    ]
    several = np.bincount(home)[home] > 1
    families = file.families()
    assert families is not None
    assert 0 < result.figures["rejoin"] < 1
    assert result.figures["rejoin"] == (np.array(right) & several).sum() / several.sum()
    risk = np.where(np.array(right) & several, families.risk[home], file.record_risk())
    assert result.expected == pytest.approx(risk.sum())
    assert "region, rooms, w" in result.notices[0].text


def test_groups_of_two_households_are_nobodys() -> None:
    home = np.array([0, 0, 1, 1, 2, 3])
    assert find_rejoined(home, [np.array([1, 1, 1, 1, 2, 3])]).tolist() == [0, 0, 0, 0, 1, 1]
    assert find_rejoined(home, [np.array([1, 1, 1, 2, 2, 3])]).tolist() == [0, 0, 0, 0, 0, 1]
    assert find_rejoined(home, []).tolist() == [False] * 6


def test_where_they_are_not_tried_it_is_said_why() -> None:
    alone = ArraysUnderAttack(scenario=Scenario(keys=("a",)), columns={"a": np.array([1, 2])})
    for kind in (FamilyIntruder, RejoinIntruder):
        assert kind().play(alone).not_tried == "The scenario names no household."
    assert "goes out" in RejoinIntruder().play(attacked(4, hidden=False)).not_tried


def bad_frame(case: str) -> pl.DataFrame:
    rng = np.random.default_rng(5)
    size = np.ones(80, int) if case == "one" else rng.integers(1, 4, 50)
    home = np.repeat(np.arange(len(size)), size)
    n = len(home)
    return pl.DataFrame(
        {
            "h": home,
            "w": rng.integers(2, 9, n)
            if case == "weights"
            else np.full(n, 1 if case == "census" else 7),
            "region": rng.integers(1, 4, len(size))[home],
            "sex": rng.integers(1, 3, n),
            "age": rng.integers(1, 6, n),
        }
    ).with_columns(
        pl.when(pl.int_range(pl.len()) != (3 if case == "record" else -1))
        .then(pl.col(KEYS))
        .name.keep()
    )


@pytest.mark.parametrize("case", ["one", "few", "weights", "record", "census", "plain"])
def test_odd_files_get_a_figure_and_a_sentence(case: str) -> None:
    frame = bad_frame(case)
    weight = None if case == "plain" else "w"
    study = ms.study(frame, keys=KEYS, weight=weight, household="h")
    row = next(each for each in study.intruders() if each.name == "family")
    assert row.now.expected is not None
    assert 0 < row.now.expected <= frame["h"].n_unique()
    told = {each.id for each in row.now.notices}
    assert ("family-few" in told) == (case != "plain")
    assert ("family-weights" in told) == (case == "weights")
    if case == "census":
        assert row.now.expected == pytest.approx(
            next(
                e
                for e in ms.study(frame, keys=KEYS, household="h").intruders()
                if e.name == "family"
            ).now.expected
        )


def test_a_key_that_is_missing_everywhere_is_refused() -> None:
    frame = bad_frame("few").with_columns(age=pl.lit(None, pl.Int64))
    with pytest.raises(ms.InputError, match="Key variable 'age' is missing in every record"):
        ms.study(frame, keys=KEYS, weight="w", household="h", estimator="model").risk()
