"""Log-linear models against SDCNway, converged fits, and populations that are known."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from microsafe import study
from microsafe.risk import FileRisk

CASES = [
    "eusilcP_E2_srs02_s1", "eusilcP_E2_srs05_s1", "eusilcP_E2_srs10_s1", "eusilcP_E2_strat05_s1",
    "eusilcP_E2_pois05_s1", "eusilcP_E3_srs05_s1", "adult_A1_srs05_s1", "adult_A1_strat05_s1",
    "adult_A2_srs05_s1", "births_B1_srs01_s1", "births_B1_srs05_s1", "births_B2_srs02_s1",
    "mort_M1_srs02_s1", "mort_M1_strat02_s1", "mort_M2_srs02_s1",
]  # fmt: skip
RESTED = 1e-7  # distance from the margins that the reference calls converged
NAMES = ("B_tau1_type1", "B_tau1_type2", "B_tau2_type1", "B_tau2_type2")


def rows(path: Path) -> list[dict[str, str]]:
    with path.open() as lines:
        return list(csv.DictReader(lines))


def asked(peers: Path, case: str, **options: object) -> FileRisk:
    keys = next(row for row in rows(peers / "truth/cases.csv") if row["case"] == case)["keys"]
    data = study(
        peers / f"truth/samples/{case}.csv",
        keys=keys.split("|"),
        weight="weight",
        estimator="cell",
        clip_weights=True,
    )
    return data.file_risk(opinions=(), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("case", CASES)
def test_all_two_way_equals_converged_fits(peers: Path, case: str) -> None:
    found = asked(peers, case, interactions=2)
    assert found.fit is not None
    assert found.fit.converged
    for row in rows(peers / "truth/exact_ml_2way.csv"):
        if row["case"] != case or float(row["max_rel_margin_dev"]) > RESTED:
            continue
        mine = found.summary()["fit"]["cell" if row["pi"] == "pi_k_results" else "file"]
        for name in ("tau1", "tau2"):
            assert mine[name] == pytest.approx(float(row[name]), rel=1e-6), name
        for name in NAMES:
            assert mine[name] == pytest.approx(float(row[name]), rel=1e-4, abs=1e-6), name


def test_sdcnway(peers: Path) -> None:
    """Its main effects to ten digits; its higher degrees where it had converged."""
    data = pl.read_csv(peers / "sdcnway/exampledata/exampledata.csv", infer_schema=False)
    compared = 0
    for row in rows(peers / "sdcnway/exampledata/sdc_loglinear.csv"):
        if row["conv"] != "tight" or row["nonconv"] != "0":
            continue
        keys = row["keys"].split("|")
        frame = data.with_columns(pl.col("WEIGHT").cast(pl.Float64))
        # SDCNway leaves out records with a missing key.
        frame = frame.filter(pl.all_horizontal(pl.col(key) != "NA" for key in keys))
        asking = study(frame, keys=keys, weight="WEIGHT", estimator="cell")
        degree = int(row["degree"])
        found = asking.file_risk(interactions=degree, opinions=())
        assert found.average_cell_size == pytest.approx(float(row["avg_cell_size"]), rel=1e-12)
        mine = found.summary()["fit"]["cell" if row["pi"] == "pi_k_results" else "file"]
        tolerance = 1e-10 if degree == 1 else 1e-4
        for name in ("tau1", "tau2", *NAMES):
            theirs = float(row[name])
            if np.isfinite(theirs):  # its criteria of saturated models are divisions by 0
                assert mine[name] == pytest.approx(theirs, rel=tolerance, abs=1e-12), (
                    row["set"], degree, name,
                )  # fmt: skip
        compared += 1
    assert compared > 20


def test_record_risks_of_sdcnway(peers: Path) -> None:
    data = pl.read_csv(peers / "sdcnway/exampledata/exampledata.csv", infer_schema=False)
    frame = data.with_columns(pl.col("WEIGHT").cast(pl.Float64))
    keys = ["BORNUSA", "CENREG", "DAGE3", "DRACE3", "EDUC3", "GENDER"]
    found = study(frame, keys=keys, weight="WEIGHT", estimator="cell").file_risk(
        interactions=1, opinions=()
    )
    told = {
        row["CASEID"]: float(row[".tau2_rec_cellmean"])
        for row in rows(peers / "sdcnway/exampledata/sdc_loglinear_records_guide6.csv")
        if row["degree"] == "1"
    }
    records = found.records()
    alone = records["f"].to_numpy() == 1
    mine = records["risk_loglinear"].to_numpy()[alone]
    theirs = np.array([told[case] for case in data["CASEID"].to_list()])
    # It gives a file's uniques their cell's risk and everybody else 0.
    np.testing.assert_allclose(mine, theirs[alone], rtol=1e-9)
    assert not theirs[~alone].any()


@pytest.mark.slow
def test_the_default_is_close_to_the_truth(peers: Path) -> None:
    """Targets: 13 % for tau2 and 30 % for tau1, root mean square over the cases."""
    off, covered = [], []
    for row in rows(peers / "truth/cases.csv"):
        found = asked(peers, row["case"])
        true = float(row["tau1"]), float(row["tau2"])
        assert found.tau1 is not None
        assert found.tau2 is not None
        assert found.interval is not None
        off.append((found.tau1 / true[0] - 1, found.tau2 / true[1] - 1))
        covered.append(
            [low <= at <= high for (low, high), at in zip(found.interval, true, strict=True)]
        )
    tau1, tau2 = np.sqrt(np.mean(np.square(off), axis=0))
    assert tau1 < 0.30
    assert tau2 < 0.13
    assert np.mean(covered) > 0.9


def test_unique_matches(peers: Path) -> None:
    """The chance that a unique match is correct, as the reference computed it."""
    for row in rows(peers / "truth/dis_skinner_elliot.csv"):
        found = asked(peers, row["case"], interactions=1)
        assert found.correct_match == pytest.approx(float(row["dis_est"]), rel=1e-8)
