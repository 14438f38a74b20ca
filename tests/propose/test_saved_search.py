"""A search that is stopped and kept in a file goes on from there."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import microsafe as ms
from microsafe.datasets import survey
from microsafe.errors import EnoughError, InputError
from microsafe.propose import clock

KEYS = ["region", "age", "marital", "occupation"]


@pytest.fixture(scope="module")
def study() -> ms.Study:
    return ms.study(survey(households=400).frame, keys=KEYS, weight="weight")


def propose(
    study: ms.Study, path: Path | None, *, limit: float = 0.02, stop: int = 0
) -> ms.Proposal:
    """Propose, and stop the search when it was reported so often."""
    reports = 0

    def progress(stage: str, _: float) -> None:
        nonlocal reports
        reports += stage.startswith("searching")
        if stop and reports == stop:
            raise EnoughError("enough")

    policy = ms.Policy(record_risk=limit)
    return study.propose(policy=policy, seconds=math.inf, search=path, progress=progress)


def test_a_search_goes_on_from_its_file(
    study: ms.Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "_OFTEN", -1.0)  # every piece of work is reported
    path = tmp_path / "search.json"
    whole = propose(study, None)
    assert whole.best is not None
    stopped = propose(study, path, stop=60)
    kept = json.loads(path.read_text("utf-8"))
    assert stopped.status == "found"
    assert kept["searches"][-1]["plans"]
    again = propose(study, path)
    assert again.status == "proved"
    assert again.best is not None
    assert again.best.plan == whole.best.plan
    assert [point.most for point in again.frontier] == [point.most for point in whole.frontier]
    assert all(point.gap == 0 for point in again.frontier)
    done = propose(study, path)
    assert done.best is not None
    assert done.best.plan == whole.best.plan
    assert done.search.bounded == 0  # nothing was left to do


def test_another_question_begins_anew(study: ms.Study, tmp_path: Path) -> None:
    path = tmp_path / "search.json"
    propose(study, path)
    first = json.loads(path.read_text("utf-8"))["searches"][-1]["question"]
    other = propose(study, path, limit=0.05)
    fresh = propose(study, None, limit=0.05)
    assert other.best is not None
    assert fresh.best is not None
    assert other.best.plan == fresh.best.plan
    assert json.loads(path.read_text("utf-8"))["searches"][-1]["question"] != first


@pytest.mark.parametrize("text", ["{}", "[1]", '{"microsafe_search": 1}', "nonsense"])
def test_what_keeps_no_search_is_refused(study: ms.Study, tmp_path: Path, text: str) -> None:
    path = tmp_path / "search.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match="does not keep a search"):
        propose(study, path)
    assert path.read_text("utf-8") == text
