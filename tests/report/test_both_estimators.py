"""Both estimators in the reports: side by side, with the sentence that goes with the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

import microsafe as ms
from microsafe.display import show_number, show_risk
from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Estimator, Scenario
from microsafe.plan.model import Input, Plan
from microsafe.plan.release import Release
from microsafe.plan.reports import report_of
from microsafe.plan.run import run
from microsafe.variables.decide import Keep

KEYS = ("region", "hsize", "sex", "age")
OTHERS = ("household", "marital", "education", "occupation", "citizenship", "income")
MORE = "times as many re-identifications are expected as by the estimator “cell”"


def released(folder: Path, estimator: Estimator, **policy: object) -> Release:
    ms.survey(1, households=150).frame.write_csv(folder / "survey.csv")
    plan = Plan(
        input=Input(file="survey.csv"),
        scenarios=(Scenario(keys=KEYS, weight="weight", estimator=estimator),),
        policy=Policy(record_risk=1.0, **policy),  # type: ignore[arg-type]
        keep=(Keep(variables=OTHERS, why="nobody knows them"),),
        output=Output(file="safe.csv", shuffle=1),
    )
    return run(plan, folder)


def test_a_release_by_cell_says_what_the_model_says(tmp_path: Path) -> None:
    refused = report_of(released(tmp_path, "cell"), "board")
    assert "Not to be released." in refused
    reason = {"estimator": "Comparable with earlier years"}
    release = released(tmp_path, "cell", override=reason)
    told = release.after["main"].by_other()
    assert told is not None
    board, public = report_of(release, "board"), report_of(release, "public")
    for page in (refused, board):
        assert page.count(MORE) == 2  # with the verdict, and below both columns
        assert "“cell” decides" in page
        assert show_risk(told.max) in page
        assert show_number(told.expected) in page
        assert "cell: from the records with the same keys" in page
    assert "Comparable with earlier years" in board
    assert "estimated from the records that share its key values" in public
    assert MORE not in public
    assert show_number(told.expected) not in public


@pytest.mark.parametrize("audience", ["board", "public"])
def test_a_release_by_the_model_has_nothing_to_excuse(tmp_path: Path, audience: str) -> None:
    page = report_of(released(tmp_path, "model"), audience)  # type: ignore[arg-type]
    assert MORE not in page
    assert ("“model” decides" in page) == (audience == "board")
    assert ("from a statistical model of the population" in page) == (audience == "public")
