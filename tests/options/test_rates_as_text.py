"""A risk, rate or share may be written as 0.01, "1%" or "1 in 100" wherever one is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import microsafe as ms

KEYS = ["region", "sex", "age"]


@pytest.fixture(scope="module")
def study() -> ms.Study:
    frame = ms.survey(1, households=200).frame
    return ms.study(frame, keys=KEYS, weight="weight", estimator="cell")


WAYS: dict[str, Callable[[ms.Study, Any], object]] = {
    "step by name": lambda _, limit: ms.Suppress(above=limit),
    "step by place": lambda _, limit: ms.Suppress(limit),
    "step by scenario": lambda _, limit: ms.Suppress(above={"main": limit}),
    "verb": lambda study, limit: study.suppress(above=limit).steps[-1].step,
    "policy": lambda _, limit: ms.Policy(record_risk=limit, rate=limit),
    "policy by scenario": lambda _, limit: ms.Policy(record_risk={"main": limit}),
    "limit of a risk": lambda study, limit: repr(study.risk(limit=limit)),
    "target": lambda study, limit: repr(study.risk().choose(rate=limit)),
    "target of a study": lambda study, limit: repr(study.limit(risk=limit)),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_rate_is_the_same_however_it_is_written(study: ms.Study, way: str) -> None:
    ask = WAYS[way]
    assert ask(study, "1%") == ask(study, "1 in 100") == ask(study, "0.01") == ask(study, 0.01)


@pytest.mark.parametrize("way", WAYS)
def test_another_text_is_refused_with_how_to_write_it(study: ms.Study, way: str) -> None:
    with pytest.raises(ms.UsageError, match=r"0\.01, '1%' or '1 in 100'"):
        WAYS[way](study, "low")
