"""Those who know the keys of one person, against counting record by record."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacked import ArraysUnderAttack
from microsafe.intruders import KeysIntruder, ParticipantIntruder
from microsafe.options.scenario import Scenario
from microsafe.risk import individual_risk

KEYS = ("a", "b", "c")


def attacked(seed: int, *, gaps: float = 0.0, blanks: float = 0.2) -> ArraysUnderAttack:
    rng = np.random.default_rng(seed)
    before = {key: rng.integers(1, 4, 40) * (rng.random(40) >= gaps) for key in KEYS}
    shown = {key: codes * (rng.random(40) >= blanks) for key, codes in before.items()}
    return ArraysUnderAttack(
        scenario=Scenario(keys=KEYS, weight="w"),
        columns=shown,
        before=before,
        weight=rng.uniform(1, 30, 40),
        limits={"k": 3, "record_risk": 0.05},
    )


def participants_sharing(file: ArraysUnderAttack) -> list[int]:
    """Records of the original that show all that a record shows, and agree, one by one."""
    shown, before = (
        [tuple(column[i] for column in columns.values()) for i in range(40)]
        for columns in (file.columns, file.before)
    )
    return [
        sum(all(x in (0, y) for x, y in zip(mine, other, strict=True)) for other in before)
        for mine in shown
    ]


@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.15]), st.sampled_from([0.0, 0.3]))
def test_participants_are_counted_in_the_original(seed: int, gaps: float, blanks: float) -> None:
    file = attacked(seed, gaps=gaps, blanks=blanks)
    sharing = np.array(participants_sharing(file))
    result = ParticipantIntruder().play(file)
    assert result.expected == pytest.approx((1 / sharing).sum())
    assert result.largest == pytest.approx((1 / sharing).max())
    assert result.certain == (sharing == 1).sum()
    assert result.above == (1 / sharing > 1 / 3).sum()
    assert result.figures == {"k": sharing.min()}
    assert result.units == 40


def test_keys_are_the_risk_of_records() -> None:
    file = attacked(1, blanks=0)
    result = KeysIntruder().play(file)
    risk = file.record_risk()
    assert result.expected == pytest.approx(risk.sum())
    assert result.largest == risk.max()
    assert result.above == (risk > 0.05).sum()
    assert result.figures["rate"] == pytest.approx(risk.mean())
    assert result.chances_of == "cells"


def test_certain_by_cell_is_the_chance_that_nobody_else_is_alike() -> None:
    """F given f = 1 is geometric, so E(1/F) and P(F = 1) go by the same p."""
    file = attacked(2, blanks=0)
    measured = file.measured()
    alone = measured.f == 1
    p = 1 / measured.F[alone]
    assert individual_risk(np.ones(alone.sum()), 1 / p) == pytest.approx(
        -p * np.log(p) / (1 - p), rel=1e-9
    )
    assert KeysIntruder().play(file).certain == pytest.approx(p.sum())


def test_certain_by_the_model_is_what_the_study_estimates() -> None:
    scenario = Scenario(keys=("a",))
    file = ArraysUnderAttack(scenario=scenario, columns={"a": np.array([1, 2])}, unique=0.25)
    assert KeysIntruder().play(file).certain == 0.25
