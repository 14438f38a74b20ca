"""Who could recognise whom: what a study hands to intruders, and the table that comes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from attacked import ArraysUnderAttack
from microsafe.cli import main
from microsafe.intruders import INTRUDERS, NOT_PLAYED, play_intruder
from microsafe.progress import silent
from microsafe.studies.attacked_file import AttackedStudy
from microsafe.studies.intruder_table import play_intruders

KEYS = ("region", "sex", "age")
ROWS = 300


def people(seed: int = 1) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    home = rng.integers(0, 120, ROWS)
    frame = pl.DataFrame(
        {
            "home": [None if h < 5 else f"h{h:03}" for h in home],
            "region": rng.choice(["north", "south", "west"], ROWS),
            "sex": rng.choice([1, 2, 9], ROWS),
            "age": rng.integers(20, 60, ROWS),
            "w": rng.uniform(0.5, 30, ROWS).round(2),
            "rooms": rng.integers(1, 5, ROWS),
        }
    )
    return frame.with_columns(
        pl.when(pl.Series(rng.random(ROWS) < 0.05)).then(None).otherwise("region").alias("region")
    )


def opened(**options: Any) -> ms.Study:
    scenario: dict[str, Any] = {
        "weight": "w",
        "household": "home",
        "clip_weights": True,
        "estimator": "cell",
    }
    return ms.study(people(), keys=KEYS, **(scenario | options))


def attack(study: ms.Study, **limits: float) -> AttackedStudy:
    return AttackedStudy(study, "main", limits=limits, progress=silent)


def codes_of(column: pl.Series) -> np.ndarray:
    return column.rank("dense").fill_null(0).cast(pl.Int64).to_numpy()


def by_hand(study: ms.Study, before: pl.DataFrame, **limits: float) -> ArraysUnderAttack:
    """The same file made of arrays: codes go by the values before suppression."""
    shown, columns, whole = study.frame, {}, {}
    for name in KEYS:
        whole[name] = codes_of(before[name])
        columns[name] = np.where(shown[name].is_null(), 0, whole[name])
    return ArraysUnderAttack(
        scenario=study.scenario(),
        columns=columns,
        before=whole,
        weight=np.maximum(before["w"].to_numpy(), 1.0),
        limits=limits,
    )


@pytest.mark.parametrize("options", [{}, {"household": None}, {"attack": "weight"}])
def test_a_study_hands_out_what_is_in_its_frame(options: dict[str, Any]) -> None:
    start = opened(**options).recode("age", breaks=[30, 40, 50])
    study = start.suppress(k=8)
    assert study.steps[-1].total
    file, same = attack(study, k=8), by_hand(study, start.frame, k=8)
    assert study.frame["home"].n_unique() < ROWS
    for name in KEYS:
        assert (file.shown(name) > 0).tolist() == study.frame[name].is_not_null().to_list()
        shown, whole = file.shown(name), file.unsuppressed(name)
        assert shown.tolist() == np.where(shown > 0, whole, 0).tolist()
        pairs = set(zip(whole.tolist(), start.frame[name].to_list(), strict=True))
        assert len(pairs) == len({code for code, _ in pairs}) == len({v for _, v in pairs})
    weights = file.weights()
    assert weights is not None
    assert weights.tolist() == same.weights().tolist()  # type: ignore[union-attr]
    risk = study.risk().records()
    assert file.record_risk().tolist() == risk["risk"].to_list()  # type: ignore[index]
    kind = INTRUDERS["participant"]
    one, other = (play_intruder(kind(), each) for each in (file, same))
    assert one.expected == pytest.approx(other.expected)
    assert (one.above, one.certain, one.figures) == (other.above, other.certain, other.figures)


def test_households_are_those_of_the_engine() -> None:
    study = opened()
    file = attack(study)
    homes = file.households()
    assert homes is not None
    cells = study.engine.cells(study.scenario())
    sizes = study.engine.households(study.scenario(), np.zeros(len(cells))).size
    assert np.bincount(homes).tolist() == sizes.tolist()
    named = people()["home"]
    for number in range(len(sizes)):
        assert named.filter(pl.Series(homes == number)).n_unique() == 1
    assert attack(opened(household=None)).households() is None


def test_without_steps_there_is_no_before() -> None:
    table = opened().intruders()
    assert all(row.before is None for row in table)
    assert [row.name for row in table.untried][-len(NOT_PLAYED) :] == [e.name for e in NOT_PLAYED]


def test_before_is_the_study_without_its_steps() -> None:
    start = opened()
    table = start.recode("age", breaks=[30, 40, 50]).suppress(k=8).intruders()
    before = {row.name: row.now for row in start.intruders()}
    for row in table.tried:
        assert row.before is not None
        assert row.before.expected == before[row.name].expected
        assert row.now.expected < row.before.expected  # type: ignore[operator]


def test_the_worst_scenario_is_first() -> None:
    study = opened().with_scenario("neighbour", keys=["region"])
    table = study.intruders()
    names = [row.scenario for row in table.tried]
    assert names == sorted(names)  # main, with more keys, before neighbour
    swapped = ms.study(people(), keys=["region"], weight="w", clip_weights=True)
    worse = swapped.with_scenario("worse", keys=KEYS).intruders()
    assert worse[0].scenario == "worse"
    assert {row.scenario for row in study.intruders("neighbour").tried} == {"neighbour"}
    assert "Knows your keys (main, neighbour)" in table.verdict


def test_an_intruder_is_judged_by_all_his_rules() -> None:
    study = opened()
    expected = study.risk().expected
    policy = ms.Policy(record_risk=1.0, expected=expected / 2, rate=1.0, k=1)
    rows = {row.name: row for row in study.intruders(policy=policy)}
    keys, participant = rows["keys"], rows["participant"]
    assert (keys.rule, keys.limit, keys.met) == ("expected", expected / 2, False)
    assert (participant.rule, participant.limit, participant.met) == ("k", 1, True)
    verdict = study.intruders(policy=policy).verdict
    assert verdict.startswith("Safe against: Acquaintance. Not safe against: Knows your keys.")
    assert "Not tried: " in verdict


def test_who_cannot_be_tried_is_named_once() -> None:
    study = opened().with_scenario("neighbour", keys=["region", "sex"])
    changed = study.pram("region", keep=0.8, seed=1)
    rows = [row for row in changed.intruders() if row.name == "participant"]
    assert [(row.scenario, row.not_tried) for row in rows] == [(None, "region was perturbed.")]
    one = study.pram("age", keep=0.8, seed=1).intruders()
    rows = [row for row in one if row.name == "participant"]
    assert [(row.scenario, bool(row.not_tried)) for row in rows] == [
        ("neighbour", False),
        ("main", True),
    ]
    assert rows[1].summary()["expected"] is None


def test_chances_of_perturbed_keys_go_to_records() -> None:
    study = opened(attack="weight").pram("region", keep=0.8, seed=1).suppress(above=0.5)
    file = attack(study)
    kept, hidden = file.kept("region"), study.frame["region"].is_null().to_numpy()
    assert kept[hidden].tolist() == [1.0] * int(hidden.sum())
    assert set(kept[~hidden].tolist()) != {1.0}
    assert file.kept("sex").tolist() == [1.0] * ROWS


def test_who_finds_no_room_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ms.InputError("There is no room for it.")

    monkeypatch.setattr(INTRUDERS["participant"], "play", refuse)
    rows = {row.name: row for row in opened().intruders()}
    assert rows["participant"].not_tried == "There is no room for it."
    assert not rows["keys"].not_tried


@pytest.mark.parametrize("estimator", ["cell", "model"])
def test_known_counts_leave_those_who_need_no_households(estimator: str) -> None:
    frame = people().drop_nulls()
    counts = frame.group_by(KEYS).agg(pl.len().alias("people") + 1)
    options = {"weight": "w", "household": "home", "clip_weights": True, "estimator": estimator}
    study = ms.study(frame, keys=KEYS, **options)
    risk = study.risk(population=counts, population_count="people", population_use="F")
    table = play_intruders(study, ["main"], policy=ms.Policy(), now={"main": risk})
    rows = {row.name: row for row in table}
    assert rows["keys"].now.certain == 0.0  # everybody has somebody alike
    assert rows["keys"].now.expected == risk.expected
    assert not rows["participant"].not_tried
    assert "are counted" in rows["family"].not_tried


def test_without_a_weight_the_file_is_the_population() -> None:
    complete = ms.study(people().drop_nulls(), keys=KEYS)
    keys, participant = complete.intruders().tried[:2]
    assert keys.now.largest == 1.0
    assert keys.now.certain == participant.now.certain
    assert keys.now.expected == participant.now.expected


def test_a_lock_has_figures_of_six_digits() -> None:
    found = opened().intruders(policy=ms.Policy(k=2)).round_figures()
    row = found["participant"]["main"]
    assert "knows" not in row
    assert row["expected"] == float(f"{row['expected']:.6g}")
    assert not {each.name for each in NOT_PLAYED} & found.keys()


def test_a_table_prints_itself_and_makes_a_page() -> None:
    table = opened().intruders(policy=ms.Policy(record_risk=0.05))
    assert "Knows your keys" in repr(table)
    for reason in (row.not_tried for row in table.untried):
        assert reason in repr(table)
    assert "<svg" in table._repr_html_()


def test_the_command_plays_a_file_or_a_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people.csv"
    people().write_csv(path)
    options = ["--keys", ",".join(KEYS), "--weight", "w", "--clip-weights"]
    assert main(["intruders", str(path), *options, "--limit", "0.01", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["intruders"]
    assert set(rows[0]) == {
        "name", "scenario", "knows", "unit", "expected", "largest", "above", "certain", "before",
        "rule", "limit", "met", "not_tried",
    }  # fmt: skip
    assert (rows[0]["name"], rows[0]["limit"], rows[0]["met"]) == ("keys", 0.01, False)
    plan = tmp_path / "plan.toml"
    made = ms.study(path, keys=KEYS, weight="w", clip_weights=True).suppress(above=0.05)
    plan.write_text(repr(made.plan(tmp_path / "safe.csv", policy=ms.Policy(record_risk=0.05))))
    assert main(["intruders", str(plan), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["intruders"]
    assert rows[0]["before"]["above"] > rows[0]["above"] == 0
    assert main(["intruders", str(plan), "--limit", "0.1"]) == 2
    assert "Change them in the plan" in capsys.readouterr().err


def test_who_gets_the_file_sets_the_limits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = ms.survey(6, households=80).frame
    study = ms.study(
        frame,
        keys=["region", "age"],
        weight="weight",
        household="household",
        estimator="model",
    )
    limits = {row.name: row.limit for row in study.intruders(profile="scientific")}
    assert (limits["keys"], limits["family"], limits["method"]) == (0.2, 0.2, 0.2)
    own = study.intruders(policy=ms.Policy(record_risk=0.1), profile="scientific")
    assert {row.name: row.limit for row in own}["keys"] == 0.1
    frame.write_csv(tmp_path / "survey.csv")
    asked = ["--keys", "region,age", "--weight", "weight", "--profile", "scientific", "--json"]
    main(["intruders", str(tmp_path / "survey.csv"), *asked, "--estimator", "model"])
    told = json.loads(capsys.readouterr().out)["intruders"]
    assert main(["intruders", str(tmp_path / "survey.csv"), *asked[:4]]) == 0
    assert "The file chose the estimator" in capsys.readouterr().err
    assert {row["name"]: row["limit"] for row in told}["keys"] == 0.2


def test_risk_has_the_family_where_it_was_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ms.survey(6, households=80).frame.write_csv(tmp_path / "survey.csv")
    asked = ["risk", str(tmp_path / "survey.csv"), "--keys", "region,age", "--weight", "weight"]
    asked += ["--household", "household", "--json", "--estimator"]
    for estimator in ("model", "cell"):
        assert main([*asked, estimator]) == 0
        told = json.loads(capsys.readouterr().out)
        rows = {row["name"]: row["expected"] for row in told["intruders"]}
        assert ("family" in rows) == (estimator == "model")
        if estimator == "model":
            assert rows["family"] == pytest.approx(told["household"]["expected_households"])
