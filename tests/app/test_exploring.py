"""Explore: distributions and cross tables, counted as the data say, small counts masked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from app.client import SCENARIO, Page
from microsafe.app.grouped_counts import list_quantiles


@pytest.fixture
def frame(folder: Path) -> pl.DataFrame:
    """The survey as a frame."""
    found = ms.study(folder / "survey.sav").frame
    assert isinstance(found, pl.DataFrame)
    return found


def shown(counts: list[dict[str, Any]]) -> dict[str, int]:
    return {each["text"]: each["records"] for each in counts if each["records"] is not None}


def test_categories_are_counted_and_weighed(measured: Page, frame: pl.DataFrame) -> None:
    found = measured.ask("GET /api/explore", name="sex")
    weight = frame["weight"]
    for text, records in shown(found["counts"]).items():
        chosen = frame["sex"].cast(pl.Float64) == float(text.split()[0])
        assert records == chosen.sum()
        share = next(each["weighted"] for each in found["counts"] if each["text"] == text)
        assert share == pytest.approx(weight.filter(chosen).sum() / weight.sum())
    assert sum(shown(found["counts"]).values()) + found["missing"]["records"] == 700
    assert found["axis"] is None


def test_numbers_are_counted_in_bins(opened: Page, frame: pl.DataFrame) -> None:
    found = opened.ask("GET /api/explore", name="income")
    edges, counts = found["axis"]["edges"], found["counts"]
    assert len(counts) == len(edges) - 1 <= 40
    assert counts[0]["text"].startswith("below ")
    assert counts[-1]["text"].endswith(" or more")
    there = [each["records"] for each in counts if each["records"] is not None]
    assert all(each == 0 or each >= 3 for each in there)
    values = frame["income"].drop_nulls().to_numpy()
    inner = np.histogram(values, edges[1:-1])[0].tolist()
    assert all(
        each["records"] in (None, right) for each, right in zip(counts[1:-1], inner, strict=True)
    )
    assert [each["share"] for each in found["quantiles"]] == [0.05, 0.25, 0.5, 0.75, 0.95]
    middle = found["quantiles"][2]["value"]
    assert middle == pytest.approx(float(np.median(values)), rel=0.05)


def test_quantiles_are_rounded_until_they_stand_for_several_records() -> None:
    values = np.sort(np.random.default_rng(2).lognormal(8, 1, 60))
    found = list_quantiles(values)
    assert [each.share for each in found] == [0.25, 0.5, 0.75]
    assert not np.isin([each.value for each in found], values).any()
    assert found[1].value == pytest.approx(np.median(values), rel=0.2)
    assert list_quantiles(values[:12]) == []


def test_the_axis_is_chosen(opened: Page) -> None:
    linear = opened.ask("GET /api/explore", name="age", axis="linear")["axis"]
    log = opened.ask("GET /api/explore", name="income", axis="log")["axis"]
    assert linear["scale"] == "linear"
    assert log["scale"] in ("log", "symlog")


def test_two_variables_against_each_other(measured: Page, frame: pl.DataFrame) -> None:
    found = measured.ask("GET /api/explore/table", rows="region", columns="sex")
    assert found["names"] == ["region", "sex"]
    for row, text in enumerate(found["rows"]):
        for column, other in enumerate(found["columns"]):
            told = found["counts"][row][column]
            right = frame.filter(
                (pl.col("region").cast(pl.Float64) == float(text.split()[0]))
                & (pl.col("sex").cast(pl.Float64) == float(other.split()[0]))
            ).height
            assert told in (None, right)
            assert told is None or told == 0 or told >= 3
    for line, shares in zip(found["counts"], found["weighted"], strict=True):
        assert [each is None for each in line] == [each is None for each in shares]
    assert sum(found["column_totals"]) == 700


def test_a_table_of_bins_masks_small_cells(opened: Page) -> None:
    found = opened.ask("GET /api/explore/table", rows="age", columns="marital")
    cells = [each for line in found["counts"] for each in line]
    assert None in cells
    assert all(each is None or each == 0 or each >= 3 for each in cells)
    for line, total in zip(found["counts"], found["row_totals"], strict=True):
        assert line.count(None) != 1 or total is None


@pytest.mark.parametrize("name", ["household", "weight"])
def test_what_tells_people_apart_is_refused(measured: Page, name: str) -> None:
    answer = measured.raw("GET /api/explore", name=name)
    assert answer.status == 409
    assert f"{name} tells people apart" in answer.json()["error"]
    answer = measured.raw("GET /api/explore/table", rows="sex", columns=name)
    assert answer.status == 409


def test_a_variable_before_protection_and_now(measured: Page) -> None:
    measured.ask("POST /api/steps", {"do": "recode", "variable": "age", "breaks": [0, 30, 60]})
    assert len(measured.ask("GET /api/explore", name="age")["counts"]) < 5
    assert len(measured.ask("GET /api/explore", name="age", steps=0)["counts"]) > 10
    measured.ask("POST /api/steps", {"do": "drop", "variables": ["income"]})
    gone = measured.ask("GET /api/explore", name="income", status=409)
    assert gone["error"] == "income was left out by a step."
    assert measured.ask("GET /api/explore", name="income", steps=0)["records"] == 700


def test_unknown_variables_are_refused(opened: Page) -> None:
    told = opened.ask("GET /api/explore", name="agee", status=422)
    assert "Did you mean 'age'?" in told["error"]
    told = opened.ask("GET /api/explore/table", rows="sex", columns="sex", status=422)
    assert told["error"] == "Choose two different variables."


def test_own_values_are_refused_and_many_categories_pooled(page: Page, folder: Path) -> None:
    rng = np.random.default_rng(1)
    pl.DataFrame(
        {
            "word": [f"w{at // 2}" for at in range(600)],
            "town": [f"t{at}" for at in np.minimum(rng.geometric(0.03, 600), 90)],
        }
    ).write_csv(folder / "a.csv")
    page.ask("POST /api/open", {"folder": 0, "path": "a.csv"})
    assert "tell people apart" in page.ask("GET /api/explore", name="word", status=409)["error"]
    found = page.ask("GET /api/explore", name="town")
    assert len(found["counts"]) == 40
    assert found["counts"][-1]["text"] == f"{found['pooled']} other categories"


def test_the_scenario_is_not_needed(opened: Page) -> None:
    assert SCENARIO["weight"] == "weight"
    assert opened.ask("GET /api/explore", name="sex")["counts"][0]["weighted"] is not None
