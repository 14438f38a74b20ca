"""Weights that give away what the file no longer says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cli import main
from microsafe.plan.values import read_step
from microsafe.studies.telling_weights import _known_pairs, _share_alike, share_still_given_away

ROWS = 400


def opened(weights: list[float] | np.ndarray) -> ms.Study:
    rng = np.random.default_rng(3)
    area = np.arange(ROWS) % 8
    frame = pl.DataFrame(
        {
            "area": area.astype(str),
            "age": rng.integers(18, 60, ROWS),
            "sex": rng.choice(["f", "m"], ROWS),
            "w": np.asarray(weights, float),
        }
    )
    return ms.study(frame, keys=["area", "age", "sex"], weight="w")


def told(study: ms.Study) -> list[str]:
    notices = study.inventory().notices
    return [each.text for each in notices if each.id.startswith("weight-")]


def share_given_away(study: ms.Study) -> float:
    """Return the share of records whose area follows from their weight alone."""
    return _share_alike(*_known_pairs(study.engine.cells(ms.Scenario(keys=("w", "area")))))


BY_AREA = 10.0 + np.arange(ROWS) % 8


def coarse(study: ms.Study) -> ms.Study:
    return study.recode("area", groups={"x": ("0", "1", "2", "3")}, other="y")


def test_a_weight_of_each_area() -> None:
    study = opened(BY_AREA)
    assert told(study) == []  # the area itself is there
    (text,) = told(coarse(study))
    assert "The weight 'w' gives away 'area' as it was before protection: for 100.0 %" in text
    (text,) = told(study.drop("area", from_keys=True))
    assert "gives away 'area'" in text
    assert told(coarse(study).drop("sex", from_keys=True)) == told(coarse(study))


def test_the_share_is_that_of_brute_force() -> None:
    weights = np.where(np.arange(ROWS) % 8 < 3, BY_AREA, 30.0)
    study = opened(weights)
    frame = study.engine.table()  # type: ignore[attr-defined]
    groups = frame.group_by("w").agg(pl.col("area").n_unique().alias("areas"), pl.len())
    expected = groups.filter(pl.col("areas") == 1)["len"].sum() / ROWS
    assert expected == pytest.approx(3 / 8)
    assert share_given_away(study) == pytest.approx(expected)
    (text,) = told(coarse(study))
    assert "for 37.5 % of the records" in text


def test_weights_that_tell_nothing() -> None:
    rng = np.random.default_rng(1)
    for weights in (
        rng.choice([10.0, 11.0, 12.0], ROWS),  # drawn for every record
        10 + np.arange(ROWS) / 1000,  # each is one's own
        np.full(ROWS, 10.0),
    ):
        assert told(coarse(opened(weights))) == []
    assert told(coarse(opened(BY_AREA)).undo()) == []
    unweighted = opened(BY_AREA)
    frame = unweighted.engine.table()  # type: ignore[attr-defined]
    assert told(coarse(ms.study(frame, keys=["area", "sex"]))) == []


def test_a_release_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = opened(BY_AREA).engine.table()  # type: ignore[attr-defined]
    frame.write_csv(tmp_path / "people.csv")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'microsafe = 1\n[input]\nfile = "people.csv"\n'
        '[scenario]\nkeys = ["age", "sex"]\nweight = "w"\n'
        '[policy]\noverride = { inventory = "test", estimator = "test" }\n'
        '[[step]]\ndo = "drop"\nvariables = ["area"]\n'
        '[output]\nfile = "safe.csv"\nkeep_order = "test"\nreport = "board.html"\n'
    )
    assert main(["protect", str(plan)]) == 0
    words = "for 100.0 % of the records it follows from the weight alone"
    assert words in capsys.readouterr().err
    assert words in (tmp_path / "board.html").read_text("utf-8")


PEOPLE = st.lists(
    st.tuples(st.sampled_from([1.0, 2.0, 2.5, 9.0]), st.sampled_from(["a", "b", "c", None])),
    min_size=2,
    max_size=40,
)


@given(PEOPLE)
def test_both_shares_by_brute_force(people: list[tuple[float, str | None]]) -> None:
    known = [(weight, area) for weight, area in people if area is not None]
    areas = {area for _, area in known}
    if not areas:
        return

    def is_told(weight: float) -> bool:
        alike = [area for other, area in known if other == weight]
        return len(areas) > 1 and len(alike) > 1 and len(set(alike)) == 1

    share = sum(is_told(weight) for weight, _ in known) / len(known)
    frame = pl.DataFrame(people, schema={"w": pl.Float64, "area": pl.String}, orient="row")
    study = ms.study(frame, keys=["area"], weight="w")
    assert share_given_away(study) == pytest.approx(share)

    most = max(sum(area == each for _, area in known) for each in areas) / len(known)
    least = next(n for n in range(2, 1000) if most**n <= 0.01) if len(areas) > 1 else 0

    def is_still_told(weight: float) -> bool:
        """Go up and down from a weight as long as there is one category."""
        values = sorted({each for each, _ in known})
        sets = [{area for each, area in known if each == value} for value in values]
        place = values.index(weight)
        low = high = place
        while low > 0 and sets[low - 1] == sets[place]:
            low -= 1
        while high + 1 < len(values) and sets[high + 1] == sets[place]:
            high += 1
        around = [each for each, _ in known if values[low] <= each <= values[high]]
        return len(areas) > 1 and len(sets[place]) == 1 and len(around) >= least

    told = [is_told(weight) or is_still_told(weight) for weight, _ in known]
    codes = np.array([0 if area is None else "abc".index(area) + 1 for _, area in people])
    weights = np.array([weight for weight, _ in people])
    assert share_still_given_away(weights, codes) == pytest.approx(sum(told) / len(known))


def ids(study: ms.Study) -> list[str]:
    return [each.id for each in study.risk().notices if each.id.startswith("weight-telling")]


def test_the_step_that_is_named_helps() -> None:
    wide = 10.0 + 100 * (np.arange(ROWS) % 8)
    for weights, kind in ((BY_AREA, "round"), (wide, "microaggregate")):
        study = coarse(opened(weights))
        assert ids(study) == ["weight-telling"]
        (text,) = told(study)
        step = read_step(text.partition("--step '")[2].partition("'.")[0], "the step")
        assert step.do == kind
        better = study.apply(step)
        assert ids(better) == ["weight-telling-less"]
        (text,) = told(better)
        assert "'area' as it was before protection follows for 0.0 % of the records" in text
        assert "by those before it followed for 100.0 %" in text
        assert better.risk().expected == study.risk().expected


def test_the_step_that_is_named_helps_households() -> None:
    area = np.arange(ROWS) // 2 % 8
    frame = opened(BY_AREA).engine.table()  # type: ignore[attr-defined]
    frame = frame.with_columns(
        home=pl.Series(np.arange(ROWS) // 2), area=pl.Series(area.astype(str)), w=10.0 + 100 * area
    )
    study = coarse(ms.study(frame, keys=["area", "sex"], weight="w", household="home"))
    (text,) = told(study)
    step = read_step(text.partition("--step '")[2].partition("'.")[0], "the step")
    better = study.apply(step)
    assert ids(better) == ["weight-telling-less"]
    sums = (each.engine.table()["w"].sum() for each in (better, study))  # type: ignore[attr-defined]
    assert next(sums) == pytest.approx(next(sums), rel=1e-6)


def test_what_helps_too_little_is_said() -> None:
    wide = 10.0 + 100 * (np.arange(ROWS) % 8)
    study = coarse(opened(wide))
    for better in (
        study.noise("w", variance=0.0001, seed=1),  # no two are equal, and all are near
        study.microaggregate("w", k=5, strata="area"),
        study.round("w", base=10),
    ):
        (text,) = told(better)
        assert "still gives away 'area' as it was before protection" in text
        assert "for 100.0 % of the records, by those before for 100.0 %" in text
    assert ids(study.noise("w", variance=2, kind="additive", seed=1)) == ["weight-telling-less"]


def test_areas_that_were_perturbed_are_told_too() -> None:
    study = opened(BY_AREA).pram("area", seed=1)
    assert ids(study) == ["weight-telling"]
    assert ids(study.round("w", base=5)) == ["weight-telling-less"]


def test_a_changed_weight_is_decided_on() -> None:
    study = opened(BY_AREA)
    row = next(each for each in study.inventory().rows if each.name == "w")
    assert row.decision.role == "undecided"
    row = next(each for each in study.round("w", base=10).inventory().rows if each.name == "w")
    assert (row.decision.role, row.decision.by) == ("weight", "round w to multiples of 10")
    drawn = study.rollback(0).sample(0.9, seed=1)
    row = next(each for each in drawn.inventory().rows if each.name == "w")
    assert row.decision.role == "undecided"
