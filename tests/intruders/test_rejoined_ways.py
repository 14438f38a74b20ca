"""Members put together by nearly the number: copies, identifiers, other numbers and the order."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from attacked import ArraysUnderAttack
from microsafe.intruders import RejoinIntruder
from microsafe.intruders.rejoin import find_joined_alone, find_neighbours
from microsafe.options.scenario import Scenario

KEYS = ("region", "sex", "age")


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    return ms.survey(households=300).frame.drop("income", "hsize")


def number_lines(home: np.ndarray) -> np.ndarray:
    """Number the members of each household from 1, of households that lie together."""
    _, count = np.unique(home, return_counts=True)
    return np.concatenate([np.arange(each) for each in count]) + 1


def play(frame: pl.DataFrame, *, other: str | None = None) -> ms.IntruderResult:
    study = ms.study(frame, keys=KEYS, weight="weight", household="household", estimator="cell")
    if other is not None:
        study = study.with_scenario("b", keys=KEYS[:2], household=other, estimator="cell")
    table = study.drop(["household"]).intruders("main")
    return next(row.now for row in table if row.name == "rejoin")


def test_without_a_copy_hardly_anybody_is_put_together(frame: pl.DataFrame) -> None:
    assert play(frame).figures["rejoin"] < 0.05


@pytest.mark.parametrize("kind", ["gaps", "half", "wrong", "digits", "wide", "text", "separator"])
def test_what_is_nearly_the_number_is_used(frame: pl.DataFrame, kind: str) -> None:
    home = frame["household"].to_numpy()
    line, copy = number_lines(home), [str(each * 7) for each in home]
    first = (line == 1) & (home % 40 == 0)
    many = (line == 1) & (np.bincount(home)[home] > 2)
    values = {
        "gaps": [None if gap else each for gap, each in zip(first, copy, strict=True)],
        "half": [None if gap else each for gap, each in zip(many, copy, strict=True)],
        "wrong": np.where(first & (home % 10 == 0), -home, home * 7),
        "digits": home * 10 + line,
        "wide": home * 1000 + line,
        "text": [f"H{a:06d}{b:02d}" for a, b in zip(home, line, strict=True)],
        "separator": [f"{a:06d}-{b}" for a, b in zip(home, line, strict=True)],
    }[kind]
    found = play(frame.with_columns(pl.Series("copy", values)))
    least = {"wrong": 0.9, "gaps": 0.9, "half": 0.7}.get(kind, 1.0)
    assert found.figures["rejoin"] >= least
    assert "copy" in found.notices[0].figures["names"]


def test_another_number_that_goes_out_is_used_however_it_differs(frame: pl.DataFrame) -> None:
    home = frame["household"].to_numpy()
    rng = np.random.default_rng(1)
    family = np.where(home % 2 == 0, home, rng.permutation(len(home)) + 10_000)
    table = frame.with_columns(family=pl.Series(family))
    size = np.bincount(home)[home]
    share = np.sum((size > 1) & (home % 2 == 0)) / np.sum(size > 1)
    assert play(table, other="family").figures["rejoin"] == pytest.approx(share)
    assert play(table).figures["rejoin"] < 0.05


def test_one_variable_alone_against_sets_of_records() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        home = np.unique(rng.integers(0, 9, 20), return_inverse=True)[1]
        codes = np.where(rng.random(20) < 0.2, rng.integers(0, 9, 20), home + 1)
        expected = [
            codes[r] > 0
            and sum(codes == codes[r]) > 1
            and {*np.flatnonzero(codes == codes[r])}
            == {*np.flatnonzero((home == home[r]) & (codes > 0))}
            for r in range(20)
        ]
        assert find_joined_alone(home, codes).tolist() == expected


def test_neighbours_against_sets_of_places() -> None:
    assert find_neighbours(np.array([0, 0, 1, 1, 2, 3, 3, 3, 4, 4])).all()
    assert not find_neighbours(np.array([0, 1, 2, 0, 1, 2])).any()
    rng = np.random.default_rng(4)
    for _ in range(50):
        home = np.repeat(np.arange(20), rng.integers(1, 4, 20))
        one, other = rng.integers(0, len(home), 2)
        home[[one, other]] = home[[other, one]]
        expected = [
            len(places) == places[-1] - places[0] + 1
            for places in (np.flatnonzero(home == each) for each in home)
        ]
        assert find_neighbours(home).tolist() == expected
    shuffled = rng.permutation(np.repeat(np.arange(300), 2))
    assert not find_neighbours(shuffled).any()


def test_an_order_that_is_kept_puts_members_together() -> None:
    home = np.repeat(np.arange(40), 2)
    rng = np.random.default_rng(5)
    columns = {key: rng.integers(1, 4, 80) for key in KEYS}

    def attacked(*, ordered: bool, household: np.ndarray) -> ArraysUnderAttack:
        return ArraysUnderAttack(
            scenario=Scenario(keys=KEYS, household="household", estimator="cell"),
            columns=columns,
            household=household,
            ordered=ordered,
        )

    kept = RejoinIntruder().play(attacked(ordered=True, household=home))
    assert kept.figures["rejoin"] == 1.0
    assert kept.notices[0].id == "rejoined-by-order"
    assert RejoinIntruder().play(attacked(ordered=False, household=home)).figures["rejoin"] == 0.0
    apart = attacked(ordered=True, household=np.tile(np.arange(40), 2))
    assert RejoinIntruder().play(apart).figures["rejoin"] == 0.0
