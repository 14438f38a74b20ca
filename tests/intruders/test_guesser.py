"""The guesser: right guesses are worth what the keys are worth then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from attacked import ArraysUnderAttack
from microsafe.intruders import GuesserIntruder, IntruderRow
from microsafe.intruders import record_parts as module
from microsafe.options.scenario import Scenario

KEYS = ("a", "b")


def attacked(rows: int = 400, *, seed: int = 1, told: bool = True) -> ArraysUnderAttack:
    """A file in which `v` tells all that is hidden of `a`, or nothing."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(1, 9, rows), rng.integers(1, 30, rows)
    v = a % 8 + 1 if told else rng.integers(1, 9, rows)
    return ArraysUnderAttack(
        scenario=Scenario(keys=KEYS, weight="w"),
        columns={"a": a * (rng.random(rows) < 0.5), "b": b, "v": v},
        before={"a": a, "b": b},
        weight=rng.uniform(5, 30, rows),
        teller_of=("a",) if told else (),
    )


def find_row(study: ms.Study) -> IntruderRow:
    return next(row for row in study.intruders() if row.name == "guesser")


def test_what_is_told_is_worth_the_original_keys() -> None:
    file = attacked()
    (before,) = file.earlier()
    found = GuesserIntruder().play(file)
    hidden = file.columns["a"] == 0
    better = np.where(hidden, before.record_risk(), file.record_risk())
    assert found.expected == pytest.approx(better.sum())
    assert found.found["exact"] == pytest.approx(file.record_risk().sum())
    assert found.figures["telling"] == pytest.approx(found.expected / found.found["exact"])
    assert found.chances is not None
    assert found.chances == pytest.approx(better)
    allowed = found.expected / 400  # as many are found in a file that just keeps to this limit
    for limit, ratio in ((0.99 * allowed, found.figures["telling"]), (1.01 * allowed, 1.0)):
        limited = GuesserIntruder().play(replace(file, limits={"record_risk": limit}))
        assert limited.figures == {"telling": ratio}
        assert limited.expected == found.expected
    silent = GuesserIntruder().play(replace(file, teller_of=()))
    assert silent.figures == {"telling": 1.0}  # no matter of the rule


def test_chance_is_worth_nothing() -> None:
    gains = []
    for seed in range(12):
        found = GuesserIntruder().play(attacked(800, seed=seed, told=False))
        assert found.expected >= found.found["exact"]
        assert found.figures["telling"] == 1.0
        gains.append(found.expected / found.found["exact"])
    assert np.mean(gains) < 1.25


def test_the_order_of_records_makes_no_difference() -> None:
    file, order = attacked(told=False), np.random.default_rng(3).permutation(400)
    turned = replace(
        file,
        columns={name: codes[order] for name, codes in file.columns.items()},
        before={name: codes[order] for name, codes in file.before.items()},
        weight=file.weight[order],
    )
    one, other = GuesserIntruder().play(file), GuesserIntruder().play(turned)
    assert one.expected == pytest.approx(other.expected, rel=1e-12)
    assert one.chances is not None
    assert np.allclose(np.sort(one.chances), np.sort(other.chances))


def test_of_very_many_records_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    file = attacked(2000)
    whole = GuesserIntruder().play(file)
    monkeypatch.setattr(module, "MOST", 500)
    some = GuesserIntruder().play(file)
    assert some.share == 0.25
    assert some.chances is None
    assert some.standard_error is not None
    assert abs(some.expected - whole.expected) < 4 * some.standard_error + 1


def test_members_see_each_other_only_where_their_number_goes_out() -> None:
    rng = np.random.default_rng(5)
    home = np.repeat(np.arange(1, 301), 2)
    region = rng.integers(1, 10, 300)[home - 1]
    hidden = region * (rng.random(600) < 0.7)
    file = ArraysUnderAttack(
        scenario=Scenario(keys=("a", "b"), weight="w", household="h"),
        columns={"a": hidden, "b": rng.integers(1, 20, 600), "h": home},
        before={"a": region},
        weight=np.full(600, 10.0),
        household=home - 1,
    )
    out = GuesserIntruder().play(file)
    kept = {name: codes for name, codes in file.columns.items() if name != "h"}
    apart = GuesserIntruder().play(replace(file, columns=kept))
    assert out.expected > 1.3 * out.found["exact"]
    assert apart.expected < 1.1 * apart.found["exact"]


@pytest.mark.parametrize("rows", [1, 3])
def test_hardly_any_record(rows: int) -> None:
    assert GuesserIntruder().play(attacked(rows)).expected >= 0


def draw(rows: int = 500) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    columns = {"a": rng.integers(1, 13, rows), "b": rng.integers(1, 30, rows)}
    told = pl.Series(np.where(rng.random(rows) < 0.7, columns["a"], rng.integers(1, 13, rows)))
    return pl.DataFrame(columns).with_columns(v=told, w=pl.lit(20.0)).cast({"v": pl.String})


def test_blanked_recoded_and_dropped_keys_are_guessed() -> None:
    study = ms.study(draw(), keys=KEYS, weight="w", estimator="cell")
    plain = find_row(study)
    assert plain.now.expected == pytest.approx(study.risk().expected)
    assert (plain.met, plain.limit) == (None, None)
    coarse = study.recode("a", breaks=[4, 7, 10])
    for hidden in (coarse, coarse.suppress(0.02), study.drop("a", from_keys=True)):
        row = find_row(hidden)
        assert row.now.expected > 1.1 * row.now.found["exact"]
        assert row.now.found["exact"] == pytest.approx(hidden.risk().expected)
        assert row.before is not None
        assert row.before.expected == pytest.approx(study.risk().expected)
    row = find_row(study.drop("a", from_keys=True))
    assert (row.rule, row.limit, row.met) == ("telling", 1.25, False)


def test_where_a_key_was_perturbed_nobody_guesses() -> None:
    study = ms.study(draw(), keys=KEYS, weight="w", estimator="cell")
    assert find_row(study.pram("a", keep=0.8, seed=1)).not_tried == "a was perturbed."


def test_many_more_hits_need_a_reason(tmp_path: Path) -> None:
    study = ms.study(draw(), keys=KEYS, weight="w", estimator="cell").drop("a", from_keys=True)
    keep = dict.fromkeys(("b", "v", "w"), "needed")
    options = {"keep": keep, "shuffle": 4}
    refused = study.release(tmp_path / "one", policy=ms.Policy(), **options)
    (told,) = [each for each in refused.verdicts if each.rule == "telling" and each.scenario]
    assert not refused.allowed
    assert told.value is not None
    assert (told.met, told.limit, told.value > 1.25) == (False, 1.25, True)
    assert "once hidden keys are guessed" in told.note
    reason = ms.Policy(override={"telling": "a test"})
    done = study.release(tmp_path / "two", policy=reason, **options)
    assert done.allowed


@pytest.mark.slow
def test_tables_for_which_there_is_no_room_are_not_made() -> None:
    rng = np.random.default_rng(7)
    columns = {f"v{place}": rng.integers(1, 40, 3000) for place in range(12)}
    data = pl.DataFrame({"a": rng.integers(1, 500, 3000), "w": np.full(3000, 20.0), **columns})
    found = []
    for memory in ("500MB", "4GB"):
        study = ms.study(data, keys=("a", "v0"), weight="w", estimator="cell", memory=memory)
        found.append(find_row(study.suppress(0.04)))
    assert "of memory to guess what is hidden of keys" in found[0].not_tried
    assert "Recode or leave out keys" in found[0].not_tried
    assert found[1].now.expected is not None
