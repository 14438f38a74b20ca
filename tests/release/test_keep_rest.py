"""One reason for all variables in which nothing delicate was found."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.errors import InventoryError

WHY = "Answers that users of the survey need"


@pytest.fixture
def study(tmp_path: Path) -> ms.Study:
    frame = ms.survey(1, households=300).frame
    path = tmp_path / "lfs.csv"
    frame.write_csv(path)
    keys = ["region", "sex", "age"]
    return ms.study(path, keys=keys, weight="weight", household="household", estimator="cell")


def test_plain_variables_are_kept_and_delicate_ones_are_not(
    study: ms.Study, tmp_path: Path
) -> None:
    found = study.inventory()
    delicate = {row.name for row in found.rows if row.group != "answer"} & set(found.open)
    assert {"household", "income", "marital"} <= delicate
    plan = study.plan(tmp_path / "lfs-safe.csv", keep_rest=WHY)
    kept = {name: each.why for each in plan.keep for name in each.variables}
    assert {name for name, why in kept.items() if why == WHY} == set(found.open) - delicate
    assert all(not kept[name] for name in delicate)  # to be decided
    with pytest.raises(InventoryError, match="household"):
        study.release(tmp_path / "out", keep_rest=WHY)


def test_a_reason_of_its_own_counts_before(study: ms.Study, tmp_path: Path) -> None:
    own = {"hsize": "Needed for the tables"}
    frame = study.to_polars().with_columns(trust=pl.Series(range(study.engine.rows())) % 3)
    made = ms.study(frame, keys=["region", "sex", "age"], weight="weight", estimator="cell")
    plan = made.plan(tmp_path / "lfs-safe.parquet", keep=own, keep_rest=WHY)
    kept = {name: each.why for each in plan.keep for name in each.variables}
    assert (kept["hsize"], kept["trust"]) == (own["hsize"], WHY)
