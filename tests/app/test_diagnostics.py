"""A closer look in the app: the figures of `Study`, by variable, dimension and code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microsafe as ms
from app.client import SCENARIO, Page

BREAKS = (0, 15, 30, 45, 60, 75)
AGES = {"do": "recode", "variable": "age", "breaks": BREAKS}


@pytest.fixture
def study(folder: Path) -> ms.Study:
    """The same study by hand."""
    return ms.study(folder / "survey.sav", **SCENARIO)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ({"k": 3, "max_size": 2}, {"k": 3, "max_size": 2}),
        ({"by": "risk", "above": 0.02}, {"above": 0.02}),
        (
            {"by": "levels", "k": 4, "levels": ["region=1", "age=2", "sex=2"]},
            {"k": 4, "levels": {"region": 1, "age": 2, "sex": 2}},
        ),
    ],
)
def test_combinations(
    measured: Page, study: ms.Study, query: dict[str, Any], asked: dict[str, Any]
) -> None:
    told = measured.ask("GET /api/combinations", **query)
    found = study.combinations(**asked)
    assert told["combinations"] == len(found)
    assert told["unsafe_records"] == found.unsafe_records
    assert dict(zip(told["dimensions"], told["counts"], strict=True)) == found.by_size
    assert {each["key"]: each["counts"] for each in told["keys"]} == {
        key: list(counts.values()) for key, counts in found.by_key_and_size.items()
    }
    region = next(each for each in told["keys"] if each["key"] == "region")
    assert region["label"] == "Region of residence"
    codes = [(each["value"]["code"], each["records"], *each["counts"]) for each in region["codes"]]
    assert codes == found.by_code("region").rows()
    assert "Islands" in {each["value"]["label"] for each in region["codes"]}
    assert region["hidden"] == 0


def test_what_combinations_need(measured: Page) -> None:
    for query, words in (
        ({"by": "risk"}, "risk above which"),
        ({"by": "levels"}, "No key has an identification level"),
        ({"by": "levels", "levels": ["region=x"]}, "Identification levels are 1, 2, 3"),
        ({"by": "levels", "levels": ["income=1"]}, "is not a key"),
        ({"by": "rank"}, "by"),
        ({"above": "0.1.2"}, "above"),
    ):
        assert words in measured.ask("GET /api/combinations", status=422, **query)["error"]
    measured.ask("PUT /api/scenario", SCENARIO | {"missing": "category"})
    refused = measured.ask("GET /api/combinations", status=422)
    assert "Scenario" in refused["remedy"]
    assert "missing=" not in refused["error"]


def test_codes_that_tell_people_apart_are_not_listed(page: Page, folder: Path) -> None:
    frame = ms.survey(1, households=250).frame
    frame = frame.with_columns(
        street=pl.int_range(frame.height).map_elements(lambda n: f"s{n // 2}", pl.String)
    )
    frame.write_csv(folder / "street.csv")
    page.ask("POST /api/open", {"folder": 0, "path": "street.csv"})
    page.ask("PUT /api/scenario", {"keys": ["street", "sex"], "weight": "weight"})
    for route in ("GET /api/combinations", "GET /api/tabulation"):
        street, sex = page.ask(route)["keys"]
        assert street["codes"] == []
        assert street["hidden"] == frame["street"].n_unique()
        assert len(sex["codes"]) == 2
    street = next(each for each in page.ask("GET /api/uniques")["keys"] if each["key"] == "street")
    assert street["codes"] == []


def test_codes_that_are_people_are_not_listed(page: Page, folder: Path) -> None:
    firms = [*(f"firm {n}" for n in range(15)), *(f"firm {15 + n % 235}" for n in range(985))]
    pl.DataFrame({"employer": firms, "sex": [1, 2] * 500}).write_csv(folder / "firms.csv")
    page.ask("POST /api/open", {"folder": 0, "path": "firms.csv"})
    page.ask("PUT /api/scenario", {"keys": ["employer", "sex"]})
    told = page.ask("GET /api/uniques", max_size=1)
    assert {each["key"]: len(each["codes"]) for each in told["keys"]}["employer"] == 0


def test_special_uniques(measured: Page, study: ms.Study) -> None:
    told = measured.ask("GET /api/uniques", max_size=3)
    found = study.uniques(max_size=3)
    assert told["special"] == found.special
    assert told["largest"] == found.score.max()
    assert told["match"] == found.match
    assert {each["key"]: each["share"] for each in told["keys"]} == found.by_key
    for key in told["keys"]:
        shares = {each["value"]["code"]: each["share"] for each in key["codes"]}
        assert shares == found.by_category(key["key"])
    scores = found.records().filter(pl.col("score") > 0)
    for name, column in (("scores", "score"), ("dis", "dis")):
        bins = told[name]
        assert sum(each["records"] for each in bins) == found.special
        for each in bins:
            inside = scores.filter(pl.col(column).is_between(each["low"], each["high"], "left"))
            assert each["records"] == inside.height
    assert measured.ask("GET /api/uniques", fraction=0.5)["fraction"] == 0.5
    measured.ask("PUT /api/scenario", SCENARIO | {"missing": "expected"})
    assert "whole counts" in measured.ask("GET /api/uniques", status=422)["error"]


def test_sparse_tables(measured: Page, study: ms.Study) -> None:
    told = measured.ask("GET /api/tabulation", dimension=2, min_count=5)
    found = study.tabulation(dimensions=(1, 2), min_count=5)
    assert told["in_sparse"] == found.in_violation
    assert told["all_tables"] == len(found.tables)
    by_key = {
        (size, key): (cells, low) for size, key, cells, low, _ in found.cells_by_key().iter_rows()
    }
    by_code = {
        (size, key, code): low
        for size, key, code, _, low, _ in found.cells_by_category().iter_rows()
    }
    for key in told["keys"]:
        name = key["key"]
        for at, size in enumerate(told["dimensions"]):
            assert (key["of"][at], key["counts"][at]) == by_key[size, name]
            for each in key["codes"]:
                low = by_code.get((size, name, each["value"]["code"]), 0)
                assert each["counts"][at] == low
    assert told["attackers"][0]["largest"] == found.prosecutor().largest
    usual = measured.ask("GET /api/tabulation")
    assert usual["in_sparse"] == study.tabulation().in_violation
    heavy = measured.ask("GET /api/tabulation", min_weight=500.5, dimension=1)
    by_weight = study.tabulation(dimensions=1, min_count=None, min_weight=500.5)
    assert heavy["in_sparse"] == by_weight.in_violation


def test_diversity(measured: Page, study: ms.Study) -> None:
    asked = {"sensitive": ["income", "education"], "ordered": ["income"], "l": 3, "t": 0.35}
    told = measured.ask("GET /api/diversity", **asked)
    found = study.diversity(["income", "education"], ordered=["income"], l=3, t=0.35)
    assert told["classes"] == len(found.cells)
    for each in told["variables"]:
        figures = found.figures(each["name"])
        assert each["ordered"] == (each["name"] == "income")
        for row in each["measures"]:
            worst = "max" if row["measure"] == "distance" else "min"
            short = "above" if row["measure"] == "distance" else "below"
            by_hand = figures[row["measure"]]
            assert (row["worst"], row["records"]) == (by_hand[worst], by_hand[short])
        counts = found.records()[f"{each['name']}_distinct"].value_counts()
        by_hand = [0] * max(len(each["values"]), 8)
        for values, records in counts.iter_rows():
            if values:  # a class in which all are missing has none
                by_hand[min(values, 8) - 1] += records
        assert each["values"] == by_hand[: len(each["values"])]
        assert sum(each["values"]) == sum(by_hand)
    assert "sex" in measured.ask("GET /api/diversity", sensitive=["sex"], status=422)["error"]


def test_the_file_by_several_models(measured: Page, study: ms.Study) -> None:
    asked = {"model": "loglinear", "interactions": ["1"], "opinions": ["pitman", "zayatz"]}
    told = measured.ask("GET /api/file-models", **asked)
    found = study.file_risk(interactions=1, opinions=("pitman", "zayatz"))
    assert [each["model"] for each in told["models"]] == ["loglinear", "pitman", "zayatz"]
    assert told["models"][0]["tau1"] == found.tau1
    assert told["interval"] == found.summary()["interval"]
    assert told["level"] == found.level
    named = measured.ask("GET /api/file-models", interactions=["age*sex"])
    assert named["interactions"] == ["sex*age"]
    sizes = measured.ask("GET /api/file-models", model="pitman")
    assert sizes["models"][0]["tau2"] is None
    measured.ask("PUT /api/scenario", {"keys": SCENARIO["keys"]})
    refused = measured.ask("GET /api/file-models", status=422)
    assert "fraction" in refused["error"]
    whole = measured.ask("GET /api/file-models", fraction=0.05, model="negative-binomial")
    assert whole["fraction"] == 0.05


def test_numbers_that_somebody_chose(measured: Page, study: ms.Study) -> None:
    measured.ask("POST /api/steps", AGES)
    assert measured.ask("GET /api/numeric-risk")["variables"] == []
    told = measured.ask("GET /api/numeric-risk", variables=["income"], width=0.1, by="ranks")
    study = study.recode("age", breaks=BREAKS)
    found = study.numeric_risk(["income"], width=0.1, by_ranks=True)
    assert told["linkages"][1]["all"]["rate"] == found.linkage.all.rate
    assert told["by_variable"] == dict(found.intervals.by_variable)
    noise = {"do": "noise", "variables": ["income"], "variance": 0.1, "seed": 7}
    measured.ask("POST /api/steps", noise)
    assert measured.ask("GET /api/numeric-risk")["variables"] == ["income"]
    (drawn,) = measured.ask("GET /api/numeric-risk", repeats=3)["linkages"]
    assert drawn["keys"]
    assert measured.ask("GET /api/numeric-risk", to=2)["variables"] == []


def test_small_areas(measured: Page, study: ms.Study) -> None:
    told = measured.ask("GET /api/areas", areas="region", limit=0.25)
    found = study.areas("region", limit=0.25)
    assert (told["clusters"], told["by_household"]) == (found.clusters, found.household is not None)
    assert [each["keys"] for each in told["tables"]] == [list(e.keys) for e in found.tables]
    for row, table in zip(told["tables"], found.tables, strict=True):
        assert (row["cells"], row["above"]) == (len(table.cells), len(table.above))
        assert (row["largest"], row["supported"]) == (table.largest, table.supported)
        assert [tuple(each["codes"]) for each in row["merge"]] == list(table.merged)
    groups = told["tables"][0]["merge"]
    assert groups
    assert all(" + " in each["label"] for each in groups)
    step = {
        "do": "recode",
        "variable": "region",
        "groups": {each["code"]: each["codes"] for each in groups},
        "labels": {each["code"]: each["label"] for each in groups},
    }
    measured.ask("POST /api/steps", step)
    assert measured.ask("GET /api/areas", areas="region", limit=0.25)["tables"][0]["above"] == 0


def test_small_areas_need_a_weight(page: Page) -> None:
    page.ask("POST /api/open", {"folder": 0, "path": "survey.sav"})
    page.ask("PUT /api/scenario", {"keys": ["region", "sex"]})
    refused = page.ask("GET /api/areas", status=422, areas="region")
    assert "sampling weight" in refused["error"]
