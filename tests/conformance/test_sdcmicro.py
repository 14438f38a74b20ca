"""sdcMicro on its test data: counts are equal, risks differ by its approximation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microsafe as ms

TESTDATA = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
FRANCDAT = ["Key1", "Key2", "Key3", "Key4"]


def measured(peers: Path) -> ms.Risk:
    return ms.study(
        peers / "sdcmicro/in_testdata.csv",
        keys=TESTDATA,
        weight="sampling_weight",
        estimator="cell",
        household="ori_hid",
    ).risk()


def test_counts(peers: Path) -> None:
    records = measured(peers).records()
    wanted = pl.read_csv(peers / "sdcmicro/risk_testdata.csv", infer_schema_length=None)
    assert records["f"].to_list() == wanted["fk"].to_list()
    assert records["F"].to_list() == wanted["Fk"].to_list()


def test_expected_re_identifications(peers: Path) -> None:
    risk = measured(peers)
    assert risk.expected == pytest.approx(10.775525136, abs=5e-10)
    approximate = ms.study(
        peers / "sdcmicro/in_testdata.csv",
        keys=TESTDATA,
        weight="sampling_weight",
        estimator="cell",
    ).risk(approximation="sdcmicro")
    # It has closed forms for f = 1 and 2 and p/(f - q) beyond.
    wanted = pl.read_csv(peers / "sdcmicro/risk_testdata.csv", infer_schema_length=None)
    larger = (wanted["fk"] >= 3).to_numpy()
    np.testing.assert_allclose(
        approximate.records()["risk"].to_numpy(), wanted["risk_approx"].to_numpy(), rtol=1e-12
    )
    assert wanted["risk_approx"].sum() == pytest.approx(10.778298919, abs=5e-10)
    ratio = wanted["risk_approx"].to_numpy() / risk.records()["risk"].to_numpy() - 1
    assert ratio[larger].min() >= 0
    assert ratio.max() < 0.0404


def test_households(peers: Path) -> None:
    household = measured(peers).household
    assert household is not None
    assert len(household.risk) == 1000
    # The same sum over records; its approximation makes its figure a little higher.
    assert household.expected == pytest.approx(51.812927436, rel=3e-4)
    assert household.expected < 51.812927436


def test_francdat(peers: Path) -> None:
    risk = ms.study(
        peers / "sdcmicro/in_francdat.csv", keys=FRANCDAT, weight="w", estimator="cell"
    ).risk()
    assert risk.expected == pytest.approx(0.966526045, abs=5e-10)


@pytest.mark.parametrize("alpha", [0, 1])
def test_missing_keys(peers: Path, alpha: int) -> None:
    records = (
        ms.study(
            peers / "sdcmicro/in_francdat_na.csv",
            keys=FRANCDAT,
            weight="w",
            estimator="cell",
            alpha=alpha,
        )
        .risk()
        .records()
    )
    wanted = pl.read_csv(peers / f"sdcmicro/freq_francdat_na_alpha{alpha}.csv")
    if alpha == 1:
        assert records["f"].to_list() == wanted["fk"].to_list()
        assert records["F"].to_list() == wanted["Fk"].to_list()
    else:
        # Its rule scales pairs of incomplete records too; complete ones agree.
        complete = [0, 1, 6, 7]
        assert records["f"][complete].to_list() == wanted["fk"][complete].to_list()


def test_missing_keys_in_a_larger_file(peers: Path) -> None:
    records = (
        ms.study(
            peers / "sdcmicro/in_testdata_na2pct.csv",
            keys=TESTDATA,
            weight="sampling_weight",
            estimator="cell",
        )
        .risk()
        .records()
    )
    wanted = pl.read_csv(peers / "sdcmicro/freq_testdata_na_alpha1.csv", infer_schema_length=None)
    assert records["f"].to_list() == wanted["fk"].to_list()
    assert records["F"].to_list() == wanted["Fk"].to_list()


def test_where_sdcmicro_is_wrong(peers: Path) -> None:
    """Its factor gives f = 1.5 a risk of zero; the risk lies between those of 1 and 2."""
    wanted = pl.read_csv(peers / "sdcmicro/freq_francdat_na_alpha0.5.csv")
    between = wanted.filter((pl.col("fk") > 1) & (pl.col("fk") < 2))
    assert between["risk_approx"].to_list() == [0.0] * len(between)
    assert len(between)
    records = (
        ms.study(
            peers / "sdcmicro/in_francdat_na.csv",
            keys=FRANCDAT,
            weight="w",
            estimator="cell",
            alpha=0.5,
        )
        .risk()
        .records()
    )
    ours = records.filter((pl.col("f") > 1) & (pl.col("f") < 2))
    assert len(ours)
    assert ours["risk"].min() > 0  # type: ignore[operator]
    exact = pl.read_csv(peers / "sdcmicro/risk_testdata.csv", infer_schema_length=None)[
        "risk_exact"
    ]
    assert (exact.is_null() | exact.is_nan() | (exact <= 0) | (exact > 1)).sum() > 0
