"""What each guarantee costs: as if each had been taken by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.compare.guarantees import GUARANTEES, price_guarantees
from microsafe.compare.step_loss import measure_mean
from microsafe.steps.suppress.step import Suppress


@pytest.fixture(scope="module")
def study() -> ms.Study:
    frame = ms.survey(1, households=200).frame
    made = ms.study(
        frame,
        keys=["region", "sex", "age"],
        weight="weight",
        estimator="cell",
        household="household",
    )
    return made.with_scenario("register", keys=["sex", "marital", "education"])


@pytest.mark.parametrize("limits", [{"above": 0.02}, {"k": {"main": 3, "register": 2}}])
def test_prices_are_those_of_suppression(study: ms.Study, limits: dict[str, object]) -> None:
    step = Suppress(**limits, why="a reason")  # type: ignore[arg-type]
    found = list(price_guarantees(study, step))
    assert [each.guarantee for each in found] == list(GUARANTEES)
    keys = ("region", "sex", "age", "marital", "education")
    for each in found:
        after = study.suppress(**limits, guarantee=each.guarantee)  # type: ignore[arg-type]
        done = after.steps[-1]
        assert each.taken is not None
        assert (each.taken.blanks, each.taken.records) == (done.blanks, done.records)
        assert each.lost == measure_mean(study, after, keys) > 0
        assert each.step == Suppress(**limits, guarantee=each.guarantee, why="a reason")  # type: ignore[arg-type]
    own, strict, shared, view = (each.taken.total for each in found if each.taken)
    assert shared < own <= min(strict, view)


def test_records_unsafe_once_blanks_are_guessed(study: ms.Study) -> None:
    """The largest of the counts by scenario; own leaves fewer than shared."""
    own, _, shared, _ = price_guarantees(study, Suppress(above=0.02))
    counts = []
    for name, keys in (("main", study.scenario().keys), ("register", study.scenarios[1].keys)):
        done = study.suppress(0.02, guarantee="shared")
        again = done.with_scenario(f"{name} weighed", keys=keys, missing="expected")
        counts.append(again.risk(f"{name} weighed").choose(risk=0.02).unsafe)
    assert shared.guessed == max(counts)
    assert own.guessed is not None
    assert own.guessed < max(counts)
    alone = next(iter(price_guarantees(study, Suppress(k=2, up_to=2))))
    assert alone.guessed is None


def test_a_guarantee_that_cannot_be_had_says_why(study: ms.Study) -> None:
    for last in list(price_guarantees(study, Suppress(above=0.02, household={"main": 0.1})))[2:]:
        assert last.step is None
        assert last.taken is None
        assert "household risk needs the guarantee" in last.refusal
    _, strict, *_ = price_guarantees(study, Suppress(above=0.02, joint=True))
    assert "Joint blanks need" in strict.refusal


def test_the_study_says_them_side_by_side(study: ms.Study) -> None:
    step = Suppress(above=0.02, household=0.3)
    found = study.guarantee_prices(step)
    assert [price.taken for price in found] == [p.taken for p in price_guarantees(study, step)]
    assert "view" in repr(found)
    (refused, *_) = [price for price in found if price.taken is None]
    assert f"{refused.guarantee}: {refused.refusal}" in repr(found)
    assert "What each guarantee costs" in found._repr_html_()


PLAN = """
microsafe = 1
[input]
file = "survey.csv"
[scenario]
keys = ["region", "sex", "age"]
weight = "weight"
estimator = "model"
[[step]]
do = "suppress"
above = 0.02
guarantee = "view"
[[keep]]
variables = ["household", "hsize", "education", "occupation", "citizenship", "income", "marital"]
why = "nobody knows them"
[output]
file = "safe.csv"
keep_order = "it is a test"
report = "board.html"
public_report = "public.html"
"""


def test_the_board_is_told_what_view_costs_beside_others(tmp_path: Path) -> None:
    ms.survey(1, households=200).frame.write_csv(tmp_path / "survey.csv")
    (tmp_path / "plan.toml").write_text(PLAN)
    assert main(["protect", str(tmp_path / "plan.toml")]) == 0
    board, public = ((tmp_path / f"{each}.html").read_text() for each in ("board", "public"))
    assert "What each guarantee costs" in board
    assert "What each guarantee costs" not in public
