"""What each guarantee costs: as if each had been taken by itself."""

from __future__ import annotations

import pytest

import microsafe as ms
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
