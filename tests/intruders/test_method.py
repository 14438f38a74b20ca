"""The intruder who knows how blanks are chosen, against counting in a population that is known."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.intruders import IntruderRow
from microsafe.progress import silent
from microsafe.studies.attacked_file import AttackedStudy
from microsafe.studies.view_risk import find_treatment

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


def test_blanks_before_view_are_no_gaps_of_the_survey(
    study: ms.Study, people: pl.DataFrame
) -> None:
    own = study.suppress(0.05)
    row = find_method(own.suppress(0.05, guarantee="view"))
    assert row.now.found["blanked"] == pytest.approx(find_method(own).now.found["blanked"])
    assert not row.met
    home = draw_study(people, 3, household="home").suppress(household=0.5)
    row = find_method(home.suppress(0.05, guarantee="view"))
    assert "by the risk of households" in row.not_tried


def find_lost(study: ms.Study, scenario: str, people: pl.DataFrame) -> dict[str, np.ndarray]:
    """Which keys each person of the population would lose if nothing spread."""
    attacked = AttackedStudy(study, scenario, limits={}, progress=silent)
    reference = attacked.reference()
    assert reference is not None
    treatment = find_treatment(study, attacked.scenario, reference.cells, reference)
    assert not isinstance(treatment, str)
    names = zip(treatment.table.keys, treatment.table.categories, strict=True)
    codes = [
        people[key].replace_strict(list(t), range(1, len(t) + 1), default=0) for key, t in names
    ]
    rows = list(zip(*(code.to_list() for code in codes), strict=True))
    known = dict(
        zip(zip(*(c.tolist() for c in treatment.table.codes), strict=True), treatment.masks)  # noqa: B905
    )
    masks = np.array([known.get(row, 0) for row in rows])
    keys = treatment.table.keys
    return {key: (masks >> j & 1).astype(bool) for j, key in enumerate(keys)}


def count_shown(lost: dict[str, np.ndarray], study: ms.Study, people: pl.DataFrame) -> float:
    """Hits on blanked records of one who knows what everybody would show in the end."""
    keys = list(lost)
    shown = people.select(
        pl.when(~pl.Series(lost[key])).then(pl.col(key)).alias(key) for key in keys
    )
    counts = shown.group_by(keys).len("F")
    mine = study.to_polars().select(keys).filter(pl.any_horizontal(pl.col(keys).is_null()))
    joined = mine.join(counts, on=keys, how="left", nulls_equal=True)
    assert joined["F"].null_count() == 0  # it is known what was done
    return float((1.0 / joined["F"]).sum())


def test_a_blank_that_spreads_is_learnt_from_the_file(people: pl.DataFrame) -> None:
    home = draw_study(people, 3, household="home")
    exact = find_method(home.suppress(0.05, guarantee="view"))
    assert exact.met
    assert not exact.now.notices
    for costs in (None, {"region": 0.2}):
        done = home.suppress(0.05, cost=costs)
        row = find_method(done)
        lost = find_lost(done, "main", people)
        number = people["home"].to_numpy()
        lost["region"] = (np.bincount(number, lost["region"]) > 0)[number]
        assert row.now.found["blanked"] == pytest.approx(count_shown(lost, done, people), rel=0.25)
        assert bool(row.now.notices) == (costs is not None)


def test_scenarios_that_cross_are_met_together_and_judged_by_what_was_done(
    people: pl.DataFrame,
) -> None:
    both = draw_study(people, 4).with_scenario("other", keys=["age", "job"])
    both = both.with_scenario("third", keys=["region", "age"])
    done = both.suppress({"main": 0.05, "other": 0.002, "third": 0.02}, guarantee="view")
    lost = {key: np.zeros(len(people), bool) for key in KEYS}
    for scenario in done.scenarios:
        for key, gone in find_lost(done, scenario.name, people).items():
            lost[key] |= gone
    claimed = find_method(done).now.found["blanked"]
    assert claimed == pytest.approx(count_shown(lost, done, people), rel=0.25)


def test_the_verdict_stands_on_the_view(study: ms.Study) -> None:
    from microsafe.studies.policy_rules import measure_rules

    view = study.suppress(0.05, guarantee="view")
    risk = view.risk()
    assert risk.views is not None
    measured, _ = measure_rules(view, "main", risk, ms.Policy(record_risk=0.05))
    assert measured["record_risk"] == max(risk.max, risk.views.max())


@pytest.mark.slow
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
