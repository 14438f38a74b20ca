"""What is declared of variables, used by recodes, ladders and the inventory."""

from __future__ import annotations

import polars as pl
import pytest

import microsafe as ms
from microsafe.propose.ladders.key_ladders import build_ladders

LEVELS = ("none", "basic", "middle", "high", "top")


def open_levels() -> ms.Study:
    frame = pl.DataFrame({"edu": LEVELS * 4, "sex": ["m", "f"] * 10})
    said = {"edu": ms.Declaration(type="category", order=LEVELS)}
    return ms.study(frame, variables=said, keys=["edu", "sex"])


def test_ranges_of_a_recode_go_by_the_declared_order() -> None:
    groups = {"low": [("none", "middle")], "up": [("high", None)]}
    study = open_levels().recode("edu", groups=groups)
    counts = study.frame["edu"].value_counts().sort("edu")
    assert counts.rows() == [("low", 12), ("up", 8)]
    assert study.schema["edu"].order == ("low", "up")


def test_neighbours_are_those_of_the_declared_order() -> None:
    study = open_levels()
    ladder = build_ladders(study.engine, study.scenarios)["edu"]
    codes = study.engine.categories("edu")
    place = {code: LEVELS.index(code) for code in codes}
    assert len(ladder) > 1
    for rung in ladder.rungs[1:]:
        joined = {
            int(g): sorted(place[c] for c, h in zip(codes, rung[1:], strict=True) if h == g)
            for g in rung[1:]
        }
        assert all(places == list(range(places[0], places[-1] + 1)) for places in joined.values())


def test_bins_count_what_is_no_number_and_name_usual_words() -> None:
    frame = pl.DataFrame({"age": ["34", "NA", "41", "7"], "odd": ["1", "secret", "3", "2"]})
    study = ms.study(frame, keys=["age"])
    with pytest.raises(ms.UsageError, match=r"'age' .*: 1 of 4 different values \(NA\)\. .*auto"):
        study.recode("age", breaks=(18,))
    with pytest.raises(ms.UsageError, match=r"'odd' .*: 1 of 4 different values\. ") as caught:
        study.recode("odd", breaks=(2,))
    assert "secret" not in str(caught.value)
    ready = study.declare(study.propose_declarations())
    assert set(ready.recode("age", breaks=(18,)).frame["age"]) == {"18+", "under 18", "NA"}


def test_usual_words_are_told_by_description_and_inventory() -> None:
    frame = pl.DataFrame({"age": ["34", "NA", "41", "7"], "sex": ["m", "f", "m", "f"]})
    study = ms.study(frame)
    age = study.describe()[0]
    assert "Among its numbers stands NA: treat it as missing?" in age.reason
    (notice,) = study.inventory().notices
    assert (notice.id, "NA" in notice.text) == ("missing-words", True)
    assert study.declare(study.propose_declarations()).inventory().notices == ()


def test_countries_are_no_missing_words() -> None:
    assert ms.study(pl.DataFrame({"land": ["NA", "DE", "FR"]})).propose_declarations() == {}


def test_declared_roles_are_findings_that_a_release_asks_for() -> None:
    frame = pl.DataFrame(
        {"code": [1, 1, 2, 2], "remark": ["a", "b", "a", "b"], "sex": [1, 2, 1, 2]}
    )
    said = {
        "code": ms.Declaration(role="identifier"),
        "remark": ms.Declaration(type="text"),
        "sex": ms.Declaration(role="key"),
    }
    found = {row.name: row for row in ms.study(frame, variables=said).inventory().rows}
    assert found["code"].barred
    assert [each.kind for each in found["remark"].findings] == ["free text"]
    assert found["sex"].decision.role == "key"
