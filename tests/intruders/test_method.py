"""The intruder who knows how blanks are chosen, against counting in a population that is known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.intruders import IntruderRow

KEYS = ["region", "age", "job"]


def make_people(seed: int, people: int = 30_000) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    home = np.sort(rng.integers(0, people // 3, people))
    region = rng.choice(14, people // 3 + 1, p=rng.dirichlet(np.full(14, 0.8)))[home]
    age = rng.choice(16, people, p=rng.dirichlet(np.full(16, 1.0)))
    job = rng.choice(10, people, p=rng.dirichlet(np.full(10, 0.6)))
    columns = {"region": region, "age": age, "job": job, "home": home}
    return pl.DataFrame(columns).with_columns(w=pl.lit(20.0)).with_columns(pl.col(KEYS).cast(str))


def draw_study(people: pl.DataFrame, seed: int, **options: object) -> ms.Study:
    chosen = np.random.default_rng(seed).random(people["home"].max() + 1) < 0.05
    frame = people.filter(pl.Series(chosen[people["home"].to_numpy()]))
    return ms.study(frame, keys=KEYS, weight="w", estimator="model", **options)  # type: ignore[arg-type]


def find_method(study: ms.Study, limit: float = 0.05) -> IntruderRow:
    table = study.intruders(policy=ms.Policy(intruders={"method": limit}))
    return next(row for row in table if row.name == "method")


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    return make_people(1)


@pytest.fixture(scope="module")
def study(people: pl.DataFrame) -> ms.Study:
    return draw_study(people, 2)


def count_true(study: ms.Study, people: pl.DataFrame) -> float:
    """Hits on blanked records of one who knows how everybody would be treated."""
    row = next(iter(study.steps[-1]._treatments.values()))
    table = row.table
    texts = [
        ["" if code == 0 else names[code - 1] for code in codes.tolist()]
        for codes, names in zip(table.codes, table.categories, strict=True)
    ]
    counted = people.group_by(KEYS).len("F")
    treated = pl.DataFrame(dict(zip(table.keys, texts, strict=True))).with_columns(
        mask=pl.Series(row.masks), f=pl.Series(table.f)
    )
    joined = treated.join(counted, on=KEYS, how="left", maintain_order="left")
    shown = joined.with_columns(
        pl.when(pl.col("mask") // 2**j % 2 == 1).then(pl.lit("*")).otherwise(key).alias(key)
        for j, key in enumerate(table.keys)
    )
    views = shown.with_columns(together=pl.col("F").fill_null(0).sum().over(KEYS))
    blanked = views.filter((pl.col("mask") > 0) & (pl.col("f") > 0))
    return float((blanked["f"] / blanked["together"]).sum())


def test_what_is_claimed_for_view_is_true(study: ms.Study, people: pl.DataFrame) -> None:
    view = study.suppress(0.05, guarantee="view")
    row = find_method(view)
    claimed = row.now.found["blanked"]
    assert row.met
    assert row.now.largest <= 0.05
    assert count_true(view, people) == pytest.approx(claimed, rel=0.2)
    assert view.risk().records()["risk_view"].max() <= 0.05


def test_own_gives_away_what_it_blanks(study: ms.Study) -> None:
    own, view = (
        find_method(study.suppress(0.05)),
        find_method(study.suppress(0.05, guarantee="view")),
    )
    assert own.met is False
    assert own.now.found["blanked"] > 1.5 * view.now.found["blanked"]
    assert own.now.largest > 0.3


def test_nothing_blanked_is_the_risk_of_the_keys(study: ms.Study) -> None:
    row = find_method(study)
    keys = study.intruders()[0]
    assert row.now.expected == pytest.approx(keys.now.expected)
    assert row.now.found["blanked"] == 0


def test_more_blanks_than_were_chosen_are_about_right(study: ms.Study) -> None:
    twice = study.suppress(0.05, guarantee="view").suppress(0.003)
    row = find_method(twice)
    assert [each.id for each in row.now.notices] == ["method-about"]
    assert 0 < row.now.found["blanked"] < twice.steps[-1].records + twice.steps[0].records


def test_a_blank_that_spreads_is_learnt_from_the_file(people: pl.DataFrame) -> None:
    home = draw_study(people, 3, household="home")
    exact = find_method(home.suppress(0.05, guarantee="view"))
    assert exact.met
    assert not exact.now.notices
    spread = find_method(home.suppress(0.05))
    assert [each.id for each in spread.now.notices] == ["method-about"]
    assert spread.now.found["blanked"] > exact.now.found["blanked"]


def test_the_verdict_stands_on_the_view(study: ms.Study) -> None:
    from microsafe.studies.policy_rules import measure_rules

    view = study.suppress(0.05, guarantee="view")
    risk = view.risk()
    assert risk.views is not None
    measured, _ = measure_rules(view, "main", risk, ms.Policy(record_risk=0.05))
    assert measured["record_risk"] == max(risk.max, risk.views.max())


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"guarantee": "shared"}, "'shared'"),
        ({"by_value": True}, "by the value"),
        ({"k": 3, "up_to": 2}, "few keys"),
    ],
)
def test_what_cannot_be_told_is_said(
    study: ms.Study, options: dict[str, object], reason: str
) -> None:
    row = find_method(study.suppress(0.05, **options))  # type: ignore[arg-type]
    assert reason in row.not_tried


def test_cell_does_not_know_who_was_not_drawn(study: ms.Study) -> None:
    cell = ms.study(study.frame, keys=KEYS, weight="w", estimator="cell")
    assert "'cell'" in find_method(cell.suppress(0.05)).not_tried
