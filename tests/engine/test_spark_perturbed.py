"""Steps that change numbers and categories at random, on Spark: records stay where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.steps import BottomCode, Microaggregate, Noise, Pram, RankSwap, Round, Step, TopCode
from microsafe.steps import numeric_profile as survey

pytestmark = pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")


def people(rows: int = 900) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    wage = np.round(np.exp(rng.normal(7, 0.7, rows)), 2)
    return pl.DataFrame(
        {
            "home": np.arange(rows) // 2,
            "region": rng.choice(["n", "s", "e"], rows, p=[0.5, 0.3, 0.2]),
            "dues": np.arange(rows) // 2 * 37 % 101 * 1.5,
            "name": [f"person {each}" for each in range(rows)],
            "size": np.arange(rows) // 2 % 5,
            "wage": pl.Series(wage).scatter(range(0, rows, 17), None),
            "rent": np.where(rng.random(rows) < 0.3, 0.0, np.round(wage * 0.3, 1)),
            "w": np.round(1 + rng.gamma(3, 20, rows), 2),
        }
    )


def released(study: ms.Study) -> pl.DataFrame:
    engine: Any = study.engine
    if hasattr(engine, "table"):
        return engine.table()
    return pl.DataFrame(pl.from_arrow(engine.frame(ordered=True).toArrow()))


STEPS: dict[str, Step] = {
    "noise": Noise(variables=("wage", "rent"), kind="correlated", lowest=0.0, seed=3),
    "noise by stratum": Noise(variables=("wage",), strata=("region",), seed=3),
    "top code": TopCode(variable="wage", share=0.05, strata=("region",), replace="median"),
    "bottom code": BottomCode(variable="rent", limit=100, replace="mean"),
    "round": Round(variable="wage", base=100, random=True, seed=3),
    "mdav": Microaggregate(variables=("wage", "rent"), k=4, strata=("region",)),
    "each alone": Microaggregate(variables=("wage", "rent"), method="one", weights=True),
    "households": Microaggregate(variables=("dues",), together="home", measure="median"),
    "rank swap": RankSwap(variables=("wage", "rent"), percent=3, seed=3),
    "swap in strata": RankSwap(variables=("rent",), strata=("region",), seed=3, identifier="name"),
    "pram": Pram(variable="size", keep=0.7, strata=("region",), seed=3),
    "pram above": Pram(variable="size", keep=0.7, above=0.0003, together="home", seed=3),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_no_column_comes_here(
    spark: Any, step: Step, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microsafe.engine.spark import SparkEngine
    from microsafe.engine.spark import record_access as gate

    frame = people()
    frame.write_parquet(tmp_path / "in.parquet")
    monkeypatch.setattr(survey, "ALL", 60)  # of the records whose linkage is measured
    options: dict[str, Any] = {"keys": ["region", "size"], "weight": "w"}
    here = ms.study(frame, **options).apply(step)

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("columns came here")

    monkeypatch.setattr(gate, "read_columns", refuse)
    monkeypatch.setattr(SparkEngine, "replace_columns", refuse)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "97")
    there = ms.study(tmp_path / "in.parquet", engine="spark", **options).apply(step)
    assert released(there).equals(released(here))
    assert there.steps == here.steps
