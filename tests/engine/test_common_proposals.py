"""Proposals are the same on every engine, and their plans do on it what they promise."""

from __future__ import annotations

from typing import Any

import pytest
from test_common import FRAME, WHOLE, Open, embedded, opened, pytestmark  # noqa: F401

import microsafe as ms

CASES: dict[str, dict[str, Any]] = {
    "record risk": {"policy": ms.Policy(record_risk=0.05), "household": None},
    "strict": {"policy": ms.Policy(k=2), "household": None, "guarantee": "strict"},
    "household": {"policy": ms.Policy(record_risk=0.05, household_risk=0.2)},
}


MARKS = {"strict": pytest.mark.slow, "household": pytest.mark.nightly}


@pytest.mark.parametrize("case", [pytest.param(case, marks=MARKS.get(case, ())) for case in CASES])
def test_proposals(opened: Open, case: str) -> None:  # noqa: F811
    asked = {"touched": 0.5, "ladders": {"age": [10, 20]}, "spare": ["sex"], **CASES[case]}
    frame = WHOLE if "household" not in asked else FRAME
    names = {name: asked.pop(name) for name in ("household",) if name in asked}
    found = opened(frame, **names).propose(**asked)
    truth = embedded(frame, **names).propose(**asked)
    assert found.best is not None
    assert truth.best is not None
    assert found.words == truth.words
    assert found.best.steps == truth.best.steps
    assert [each.candidate and each.candidate.plan for each in found.frontier] == [
        each.candidate and each.candidate.plan for each in truth.frontier
    ]
    last = found.best.study.steps[-1]
    assert (last.total, last.records, last.stuck) == (found.best.blanks, found.best.touched, 0)
    assert found.best.met
