"""Inference: guesses from records that agree, one by one, inside the file and outside."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from attacked import ArraysUnderAttack
from microsafe.intruders import InferenceIntruder, IntruderRow
from microsafe.intruders.record_parts import part_records
from microsafe.options.scenario import Scenario

KEYS = ("a", "b", "c")


def attacked(seed: int, rows: int = 50, *, blanks: float = 0.2) -> ArraysUnderAttack:
    rng = np.random.default_rng(seed)
    before = {key: rng.integers(0, 4, rows) for key in KEYS}
    before["s"] = np.where(rng.random(rows) < 0.5, before["a"], rng.integers(0, 4, rows))
    shown = {name: codes * (rng.random(rows) >= blanks) for name, codes in before.items()}
    return ArraysUnderAttack(
        scenario=Scenario(keys=KEYS, weight="w"),
        columns=shown,
        before=before,
        weight=rng.integers(1, 9, rows).astype(float),
        secrets=("s",),
    )


def entropy(pairs: Counter[object]) -> float:
    total = sum(pairs.values())
    return -sum(n / total * math.log2(n / total) for n in pairs.values())


def guess(file: ArraysUnderAttack, target: tuple[int, ...], rows: list[int]) -> int:
    """The heaviest value of the records that agree, by ever fewer keys."""
    weight = file.weight
    assert weight is not None
    shown = [tuple(int(file.columns[key][i]) for key in KEYS) for i in range(len(weight))]
    rows = [i for i in rows if file.columns["s"][i]]
    gains = []
    for key in range(len(KEYS)):
        alone, both, value = Counter[object](), Counter[object](), Counter[object]()
        for i in rows:
            s = int(file.columns["s"][i])
            alone[shown[i][key]] += weight[i]
            value[s] += weight[i]
            both[shown[i][key], s] += weight[i]
        gains.append(entropy(value) + entropy(alone) - entropy(both))
    order = sorted(range(len(KEYS)), key=lambda key: (-round(gains[key], 12), key))
    for used in range(len(KEYS), -1, -1):
        votes = Counter[int]()
        for i in rows:
            if all(shown[i][key] in (0, target[key]) for key in order[:used]):
                votes[int(file.columns["s"][i])] += weight[i]
        if votes:
            return min(votes, key=lambda value: (-votes[value], value))
    return 0


def brute(file: ArraysUnderAttack) -> tuple[float, float]:
    """Shares guessed right of people in the file, and of each half by the other."""
    size = len(file.columns["s"])
    known = [tuple(int(file.before[key][i]) for key in KEYS) for i in range(size)]
    truth = file.before["s"]
    assert file.weight is not None
    both = [*(file.before[key] for key in KEYS), *(file.columns[key] for key in KEYS)]
    weight = np.unique(file.weight, return_inverse=True)[1]
    half, _ = part_records(None, [*both, file.columns["s"], truth, weight], 2)
    asked = [i for i in range(size) if truth[i]]
    inside = [guess(file, known[i], list(range(size))) == truth[i] for i in asked]
    apart = [
        guess(file, known[i], [j for j in range(size) if half[j] != half[i]]) == truth[i]
        for i in asked
    ]
    return sum(inside) / len(asked), sum(apart) / len(asked)


@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3]))
def test_guesses_are_those_record_by_record(seed: int, blanks: float) -> None:
    file = attacked(seed, blanks=blanks)
    result = InferenceIntruder().play(file)
    inside, control = brute(file)
    assert result.found["s: in the file"] == pytest.approx(inside)
    assert result.found["s: others"] == pytest.approx(control)
    advantage = (inside - control) / (1 - control)
    assert result.figures["inference"] == pytest.approx(advantage)
    targets = np.count_nonzero(file.before["s"])
    assert result.expected == pytest.approx(max(inside - control, 0) * targets)


def test_the_worst_class_is_named() -> None:
    file = replace(
        attacked(1),
        columns={
            "a": np.array([1, 1, 1, 2, 2]),
            "b": np.ones(5, int),
            "c": np.ones(5, int),
            "s": np.array([1, 2, 1, 2, 2]),
        },
        before={},
        weight=np.ones(5),
    )
    (notice,) = InferenceIntruder().play(file).notices
    assert (notice.figures["values"], notice.figures["distance"]) == (1, pytest.approx(0.4))


def test_the_order_of_records_makes_no_difference() -> None:
    file, order = attacked(2, 300), np.random.default_rng(3).permutation(300)
    assert file.weight is not None
    turned = replace(
        file,
        columns={name: codes[order] for name, codes in file.columns.items()},
        before={name: codes[order] for name, codes in file.before.items()},
        weight=file.weight[order],
    )
    one, other = InferenceIntruder().play(file), InferenceIntruder().play(turned)
    assert one.found == other.found


def test_members_of_a_household_are_in_one_half() -> None:
    rng = np.random.default_rng(4)
    home = np.repeat(np.arange(200), 2)
    same = rng.integers(1, 3, 200)[home]
    file = replace(
        attacked(1, 400, blanks=0),
        columns={"a": home + 1, "b": home % 3 + 1, "c": home % 2 + 1, "s": same},
        before={},
        weight=np.ones(400),
    )
    alone = InferenceIntruder().play(file)
    together = InferenceIntruder().play(replace(file, household=home))
    assert alone.found["s: others"] > 0.6
    assert together.found["s: others"] < 0.6
    assert together.found["s: in the file"] == 1


@pytest.mark.parametrize(
    ("values", "inside"),
    [(np.ones(50, int), 1.0), (np.arange(1, 51), None)],
    ids=["constant", "one each"],
)
def test_values_that_say_nothing(values: np.ndarray, inside: float | None) -> None:
    file = attacked(5)
    file = replace(file, columns={**file.columns, "s": values}, before={})
    result = InferenceIntruder().play(file)
    if inside is not None:
        assert (result.found["s: in the file"], result.figures["inference"]) == (inside, 0.0)
    else:
        assert result.found["s: others"] == 0


def test_who_cannot_be_tried() -> None:
    file = attacked(6)
    none = InferenceIntruder().play(replace(file, secrets=()))
    assert none.not_tried == "No variable is declared sensitive. Declare those that are."
    missing = {**file.columns, "s": np.zeros(50, int)}
    empty = InferenceIntruder().play(replace(file, columns=missing, before={}))
    assert empty.not_tried == "There is no value of s."


def test_one_record() -> None:
    file = attacked(7, 1, blanks=0)
    ones = {name: np.ones(1, int) for name in file.columns}
    result = InferenceIntruder().play(replace(file, columns=ones, before={}))
    assert result.found["s: in the file"] == 1
    assert result.found["s: others"] == 0


def find_row(study: ms.Study, **limits: float) -> IntruderRow:
    rows = study.intruders(policy=ms.Policy(intruders=limits))
    return next(row for row in rows if row.name == "inference")


def test_of_a_study_numbers_are_known_by_quarters() -> None:
    rng = np.random.default_rng(8)
    frame = pl.DataFrame(
        {
            "a": rng.integers(1, 40, 400).astype(str),
            "b": rng.integers(1, 4, 400),
            "income": rng.lognormal(7, 1, 400),
            "w": np.full(400, 10.0),
        }
    )
    study = ms.study(frame, keys=["a", "b"], weight="w", estimator="cell")
    assert find_row(study).not_tried
    study = study.declare({"income": ms.Declaration(role="sensitive")})
    row = find_row(study, inference=0.1)
    assert (row.rule, row.met) == ("inference", False)
    assert row.now.found["income: in the file"] > 0.5
    assert 0.1 < row.now.found["income: others"] < 0.4
    assert find_row(study).met is None
    coarse = study.recode("b", into={"1": ["1", "2", "3"]}).suppress(0.02)
    after = find_row(coarse)
    assert after.before is not None
    assert after.now.found["income: in the file"] < row.now.found["income: in the file"]
    noisy = find_row(study.noise("income", variance=0.5, seed=1))
    assert noisy.now.figures["inference"] < row.now.figures["inference"]


def test_of_chance_nothing_is_learnt_outside() -> None:
    rng = np.random.default_rng(9)
    columns = {key: rng.integers(1, 5, 4000) for key in (*KEYS, "s")}  # many records are alike
    file = replace(attacked(1), columns=columns, before={}, weight=np.ones(4000))
    found = InferenceIntruder().play(file).found
    assert abs(found["s: others"] - 0.25) < 0.03
