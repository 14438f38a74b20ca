"""SUDA and l-diversity of sdcMicro; exhaustive tabulation of SDCNway."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.risk import Tabulation

SEVEN = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
SIX = ["BORNUSA", "CENREG", "DAGE3", "DRACE3", "EDUC3", "GENDER"]
TEN = ["BIB1201", "BIC0501", "BID0101", "BIE0601", *SIX]


def test_suda(peers: Path) -> None:
    folder = peers / "sdcmicro"
    found = ms.study(folder / "in_testdata.csv", keys=SEVEN).uniques(fraction=0.01)
    records = found.records()
    wanted = pl.read_csv(folder / "suda2_testdata.csv", infer_schema_length=None)
    assert records["score"].to_list() == wanted["score"].to_list()
    # It takes the power 1.05 in single precision.
    np.testing.assert_allclose(records["dis"], wanted["disScore"], rtol=1e-6)
    for key in SEVEN:
        np.testing.assert_allclose(
            records[f"contribution_{key}"], wanted[f"{key}_contribution"], rtol=1e-14
        )
    assert found.by_size == {1: 1, 2: 11, 3: 94, 4: 86, 5: 35, 6: 7, 7: 1}
    assert found.special == found.sample_uniques == 157


def test_diversity(peers: Path) -> None:
    folder = peers / "sdcmicro"
    study = ms.study(folder / "in_testdata.csv", keys=["urbrur", "roof", "walls", "water", "sex"])
    records = study.diversity(["electcon", "relat"], c=2).records()
    wanted = pl.read_csv(folder / "ldiversity_testdata.csv")
    for name in ("electcon", "relat"):
        distinct, recursive = (
            wanted[f"{name}_{each}_Ldiversity"] for each in ("Distinct", "Recursive")
        )
        assert records[f"{name}_distinct"].to_list() == distinct.to_list()
        assert records[f"{name}_recursive"].to_list() == recursive.to_list()
        np.testing.assert_allclose(
            records[f"{name}_entropy"], wanted[f"{name}_Entropy_Ldiversity"], rtol=1e-13
        )


@pytest.fixture(scope="module")
def prison(peers: Path) -> pl.DataFrame:
    path = peers / "sdcnway" / "exampledata" / "exampledata.csv"
    return pl.read_csv(path, schema_overrides={"CASEID": pl.String})


@pytest.fixture(scope="module")
def guide(prison: pl.DataFrame) -> Tabulation:
    """The guide takes answer 5 of one question as missing and asks for 3,000 people."""
    answered = pl.when(pl.col("BIE0601") != 5).then(pl.col("BIE0601")).alias("BIE0601")
    study = ms.study(prison.with_columns(answered), keys=TEN, weight="WEIGHT", estimator="cell")
    return study.tabulation(dimensions=(2, 3), min_weight=3000)


def peer(peers: Path, name: str) -> pl.DataFrame:
    path = peers / "sdcnway" / "extabs" / f"{name}.csv"
    return pl.read_csv(path, schema_overrides={"CASEID": pl.String, "category": pl.String})


def test_tables(peers: Path, guide: Tabulation) -> None:
    wanted = peer(peers, "guide_tables_summary")
    ours = {each.keys: (each.cells, each.violations, each.records) for each in guide.tables}
    assert len(ours) == len(wanted) == 165
    for names, *figures in wanted.iter_rows():
        assert ours[tuple(names.split("|"))] == tuple(figures)


def test_cells_by_category(peers: Path, guide: Tabulation) -> None:
    ours = {
        (size, key, category): share
        for size, key, category, _, low, share in guide.cells_by_category().iter_rows()
        if low  # it leaves out the rest
    }
    wanted = peer(peers, "guide_pct_cells_by_dim_var_level")
    assert len(ours) == len(wanted)
    for *place, share in wanted.iter_rows():
        assert ours[tuple(place)] == pytest.approx(share, rel=1e-14)


def test_records_by_category(peers: Path, guide: Tabulation) -> None:
    ours = {
        (key, category): share
        for key, category, _, _, share in guide.records_by_category().iter_rows()
    }
    wanted = peer(peers, "guide_pct_records_by_var_level")
    assert len(ours) == len(wanted)
    for key, category, share in wanted.iter_rows():
        missing = (key, category) == ("BIE0601", "5")
        assert ours[key, None if missing else category] == pytest.approx(share, rel=1e-13)


def test_violations_by_record(peers: Path, prison: pl.DataFrame, guide: Tabulation) -> None:
    wanted = prison.join(peer(peers, "guide_records"), on="CASEID", maintain_order="left")
    assert guide.records()["violations"].to_list() == wanted[".violation_count"].to_list()
    unweighted = ms.study(prison, keys=SIX).tabulation(dimensions=range(1, 5), min_count=3)
    wanted = prison.join(peer(peers, "unweighted_1to4_records"), on="CASEID", maintain_order="left")
    records = unweighted.records()
    assert records["violations"].to_list() == wanted[".violation_count"].to_list()
    assert records["f"].to_list() == wanted[".cell_count"].to_list()


def test_risk_on_all_keys(peers: Path, prison: pl.DataFrame) -> None:
    """For these it takes missing as a category."""
    found = ms.study(prison, keys=TEN, weight="WEIGHT", estimator="cell").tabulation(dimensions=1)
    wanted = prison.join(peer(peers, "guide_records"), on="CASEID", maintain_order="left")
    records = found.records()
    assert records["f"].to_list() == wanted[".cell_count"].to_list()
    np.testing.assert_allclose(records["F"], wanted[".sum_weights"], rtol=1e-14)
    np.testing.assert_allclose(records["risk"], wanted[".mu_argus"], rtol=1e-13)
    np.testing.assert_allclose(
        found.risk_by_count().to_numpy(), peer(peers, "guide_mu_argus_summary"), rtol=1e-13
    )
    prosecutor, journalist = found.prosecutor(0.5), found.journalist(0.001)
    measures = [
        getattr(each, name)
        for each in (prosecutor, journalist)
        for name in ("share", "largest", "average")
    ]
    np.testing.assert_allclose(measures, peer(peers, "guide_el_emam").row(0), rtol=1e-13)
