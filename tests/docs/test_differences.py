"""The numbers of docs/coming-from/differences.md, measured again where the data are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from pages import ROOT

import microsafe as ms

PAGE = (ROOT / "docs" / "coming-from" / "differences.md").read_text(encoding="utf-8")
KEYS = ("REGION", "SEX", "AGE", "MARSTAT")
SEVEN = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")


def says(*texts: str) -> None:
    for text in texts:
        assert text in PAGE, text


def pair(ours: float, theirs: float, form: str) -> str:
    return f"| {ours:{form}} | {theirs:{form}} |"


@pytest.fixture(scope="module")
def demodata(peers: Path) -> pl.DataFrame:
    file = ms.study(peers / "muargus" / "demodata" / "Demodata.asc")
    return file.engine.table().select(*KEYS, "WEIGHT")


def recoded(frame: pl.DataFrame) -> pl.DataFrame:
    region, age = pl.col("REGION").cast(pl.Int64), pl.col("AGE").cast(pl.Int64)
    return frame.with_columns(
        pl.min_horizontal((region - 1) // 10 + 1, 18).alias("REGION"),
        ((age - 1) // 10).clip(1, 6).alias("AGE"),
    )


def test_demodata(peers: Path, demodata: pl.DataFrame) -> None:
    risk = ms.study(demodata, keys=KEYS, weight="WEIGHT", estimator="cell").risk()
    table = pl.read_csv(peers / "muargus" / "demodata_key4_raw_risk.csv")
    says(pair(risk.expected, table["bir"].sum(), ".9f"))
    says(f"| {risk.rate:.6%} | {table['bir'].mean():.6%} |".replace("%", " %"))
    says(pair(risk.max, table["bir"].max(), ".9f"))  # type: ignore[arg-type]
    assert risk.choose(risk=0.00125).unsafe == (table["bir"] >= 0.00125).sum() == 3968
    error = (table["bir"] / risk.records()["risk"] - 1).filter(table["f"] == 4)
    assert len(error) == 52
    assert -0.00585 <= error.min() <= error.max() <= -0.00545  # type: ignore[operator]


def test_recoded_demodata(peers: Path, demodata: pl.DataFrame) -> None:
    risk = ms.study(recoded(demodata), keys=KEYS, weight="WEIGHT", estimator="cell").risk()
    table = pl.read_csv(peers / "muargus" / "demodata_key4_recoded_risk.csv")
    says(pair(risk.expected, table["bir"].sum(), ".9f"))
    says(f"| {risk.rate:.6%} | {table['bir'].mean():.6%} |".replace("%", " %"))
    limit = risk.choose(risk=0.00125)
    says(f"| {limit.unsafe} | {(table['bir'] >= 0.00125).sum()} |")
    says(f"{limit.rate_bound:.6%}".replace("%", " %"))
    crossing = risk.records().with_columns(table["bir"])
    crossing = crossing.filter((pl.col("risk") > 0.00125) & (pl.col("bir") < 0.00125))
    assert crossing["f"].to_list() == [4] * 4
    says(f"{crossing['F'][0]:.1f}", f"{crossing['risk'][0]:.7f}", f"{crossing['bir'][0]:.7f}")


def test_thresholds(peers: Path, demodata: pl.DataFrame) -> None:
    table = pl.read_csv(peers / "muargus" / "demodata_key4_suppressions.csv")
    table = table.unique(["recode", "risk_threshold"])
    files = {"raw": demodata, "recoded": recoded(demodata)}
    risks = {
        name: ms.study(f, keys=KEYS, weight="WEIGHT", estimator="cell").risk()
        for name, f in files.items()
    }
    same = [
        risks[row["recode"]].choose(risk=row["risk_threshold"]).unsafe == row["n_unsafe"]
        for row in table.iter_rows(named=True)
    ]
    assert (len(same), sum(same)) == (17, 16)


def test_one_empty_record(demodata: pl.DataFrame) -> None:
    first = pl.int_range(pl.len()) == 0
    blanked = demodata.with_columns(pl.when(~first).then(pl.col(key)).alias(key) for key in KEYS)
    assert demodata["WEIGHT"][0] == 118.3

    def unsafe(frame: pl.DataFrame, **rule: object) -> int:
        study = ms.study(frame, keys=KEYS, weight="WEIGHT", estimator="cell", **rule)  # type: ignore[arg-type]
        return study.limit(risk=0.01).unsafe

    assert unsafe(demodata) == 3014
    assert unsafe(blanked) == 0
    assert unsafe(blanked, missing="category") == 3016
    assert unsafe(blanked, alpha=0.0) == 3015


def test_samhh(peers: Path) -> None:
    risk = ms.study(
        peers / "muargus" / "hhdata" / "Samhh.asc",
        keys=("province", "MarStat", "sex", "age"),
        weight="weight",
        estimator="cell",
        household="hhnum",
    ).risk()
    table = pl.read_csv(peers / "muargus" / "samhh_key4_risk.csv")
    household = risk.household
    assert household is not None
    says(pair(risk.expected, table["bir"].sum(), ".9f"))
    assert household.unsafe(0.13431) == 71
    says(f"{household.expected:.6f}", f"{household.expected_households:.6f}")
    records = risk.records().filter(table["hhnum"] == 74)
    says(f"{records['household_risk'][0]:.6f}")
    error = table["bhr"] / risk.records()["household_risk"] - 1
    assert -0.00505 < error.min() < -0.00495  # type: ignore[operator]


def test_testdata(peers: Path) -> None:
    folder = peers / "sdcmicro"
    study = ms.study(
        folder / "in_testdata.csv",
        keys=SEVEN,
        weight="sampling_weight",
        estimator="cell",
        household="ori_hid",
    )
    risk, table = study.risk(), pl.read_csv(folder / "risk_testdata.csv")
    assert risk.household is not None
    says(pair(risk.expected, table["risk_approx"].sum(), ".9f"))
    says(pair(risk.household.expected, table["hier_risk"].sum(), ".9f"))
    says(f"{risk.household.expected_households:.9f}")
    assert (table["risk_approx"] / risk.records()["risk"]).max() == pytest.approx(1.0044, abs=5e-5)
    assert table.filter(pl.col("risk_exact").is_null())["fk"].to_list() == [176] * 176
    assert table.filter(pl.col("risk_exact").is_not_null())["fk"].max() == 150


def test_testdata_with_gaps(peers: Path) -> None:
    folder = peers / "sdcmicro"
    study = ms.study(
        folder / "in_testdata_na2pct.csv", keys=SEVEN, weight="sampling_weight", estimator="cell"
    )
    risk, table = study.risk(), pl.read_csv(folder / "freq_testdata_na_alpha1.csv")
    says(pair(risk.expected, table["risk_approx"].sum(), ".9f"))
    assert risk.records()["f"].to_list() == table["fk"].to_list()
    np.testing.assert_allclose(risk.records()["F"], table["Fk"], rtol=1e-14)


@pytest.mark.parametrize("alpha", ["0", "0.5", "1"])
def test_francdat(peers: Path, alpha: str) -> None:
    folder, keys = peers / "sdcmicro", ["Key1", "Key2", "Key3", "Key4"]
    study = ms.study(
        folder / "in_francdat_na.csv", keys=keys, weight="w", estimator="cell", alpha=float(alpha)
    )
    risk, table = study.risk(), pl.read_csv(folder / f"freq_francdat_na_alpha{alpha}.csv")
    np.testing.assert_array_equal(risk.records()["f"], table["fk"])
    np.testing.assert_array_equal(risk.records()["F"], table["Fk"])
    if alpha == "0.5":
        says(pair(risk.expected, table["risk_approx"].sum(), ".6f"))
        for place, row in enumerate(risk.records().iter_rows(), 1):
            if row[0] == 1.5:
                theirs = table["risk_approx"][place - 1]
                says(f"| {place} | 1.5 | {row[1]:g} | {row[2]:.6f} | {theirs:g} |")
    complete = ms.study(folder / "in_francdat.csv", keys=keys, weight="w", estimator="cell").risk()
    says(
        pair(
            complete.expected, pl.read_csv(folder / "risk_francdat.csv")["risk_approx"].sum(), ".9f"
        )
    )


def test_closed_forms_of_mu_argus(peers: Path) -> None:
    table = pl.read_csv(peers / "muargus" / "bir_function.csv", schema_overrides={"F": pl.String})
    for f, size in ((3, "3.00001"), (3, "3.000001"), (3, "3.0000001"), (3, "3.00000001")):
        theirs = table.filter((pl.col("f") == f) & (pl.col("F") == size))["muargus_bir"].item()
        says(f"| {f} | {size} | {theirs:.6g} | {ms.individual_risk(f, float(size)):.6f} |")


@pytest.mark.parametrize(
    "criterion", [{"above": 0.01}, {"above": 0.005}, {"k": 2}, {"k": 3}, {"k": 5}]
)
def test_blanks_beside_sdcmicro(peers: Path, criterion: dict[str, float]) -> None:
    file = peers / "sdcmicro" / "in_testdata.csv"
    study = ms.study(file, keys=SEVEN, weight="sampling_weight", estimator="cell")
    own, strict, shared = (
        study.suppress(**criterion, guarantee=guarantee).steps[-1].total  # type: ignore[arg-type]
        for guarantee in ("own", "strict", "shared")
    )
    ((name, value),) = criterion.items()
    asked = f"risk above {value}" if name == "above" else f"k = {value}"
    says(f"| {asked} | {own} | {strict} | {shared} | ")


def test_blanks_beside_mu_argus(peers: Path, demodata: pl.DataFrame) -> None:
    table = pl.read_csv(peers / "muargus" / "demodata_key4_suppressions.csv")
    files = {"raw": demodata, "recoded": recoded(demodata)}
    limits = {"raw": (0.02, 0.01, 0.005, 0.00125), "recoded": (0.01, 0.002, 0.00125, 0.0003)}
    for case in table.filter(pl.col("mode") == "prior50").iter_rows(named=True):
        if (limit := case["risk_threshold"]) not in limits[case["recode"]]:
            continue
        study = ms.study(files[case["recode"]], keys=KEYS, weight="WEIGHT", estimator="cell")
        own = study.suppress(above=limit).steps[-1]
        strict = study.suppress(above=limit, guarantee="strict").steps[-1]
        figures = (own.records, own.total, strict.total, case["total_suppressions"])
        says(f"| {limit} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
