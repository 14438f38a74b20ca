"""Matches through gaps after suppression against what the blanks hide, on real samples."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.options.suppression import Guarantee

CASES = [
    "eusilcP_E2_srs02_s1", "eusilcP_E2_srs05_s1", "eusilcP_E2_srs10_s1", "eusilcP_E2_strat05_s1",
    "eusilcP_E2_pois05_s1", "eusilcP_E3_srs05_s1", "adult_A1_srs05_s1", "adult_A1_strat05_s1",
    "adult_A2_srs05_s1", "births_B1_srs01_s1", "births_B1_srs05_s1", "births_B2_srs02_s1",
    "mort_M1_srs02_s1", "mort_M1_strat02_s1", "mort_M2_srs02_s1",
]  # fmt: skip
# Of each population and kind of sample one by day, where blanks are shared.
BY_DAY = {
    "eusilcP_E2_pois05_s1", "eusilcP_E3_srs05_s1", "adult_A1_strat05_s1", "births_B1_srs05_s1",
    "mort_M1_srs02_s1",
}  # fmt: skip
NEAR = 1.5


def case_keys(peers: Path, case: str) -> list[str]:
    with (peers / "truth/cases.csv").open() as lines:
        return next(row["keys"] for row in csv.DictReader(lines) if row["case"] == case).split("|")


def true_matches(before: pl.DataFrame, after: pl.DataFrame) -> int:
    """Records with gaps that had what a record shows, over all records: joins by what is shown."""
    keys = before.columns
    both = pl.concat(
        [before.rename(lambda key: f"had {key}"), after.rename(lambda key: f"shows {key}")],
        how="horizontal",
    )
    total = 0
    for pattern, rows in after.group_by(pl.col(key).is_null().alias(f"{key} gone") for key in keys):
        shown = [key for key, gone in zip(keys, pattern, strict=True) if not gone]
        if not shown:
            continue
        partners = both.filter(pl.any_horizontal(pl.col(f"shows {key}").is_null() for key in shown))
        had = [f"had {key}" for key in shown]
        total += rows.select(shown).join(partners, left_on=shown, right_on=had).height
    return total


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if case in BY_DAY else pytest.mark.nightly) for case in CASES],
)
@pytest.mark.parametrize(
    "guarantee", ["own", "strict", pytest.param("shared", marks=pytest.mark.slow)]
)
def test_matches_through_gaps(peers: Path, case: str, guarantee: Guarantee) -> None:
    keys = case_keys(peers, case)
    frame = pl.read_csv(
        peers / f"truth/samples/{case}.csv", schema_overrides=dict.fromkeys(keys, pl.String)
    )
    study = ms.study(frame, keys=keys, weight="weight", estimator="cell", clip_weights=True)
    done = study.suppress(k=3, guarantee=guarantee)
    done = done.with_scenario("weighed", keys=keys, missing="expected")
    done = done.with_scenario("shown", keys=keys, alpha=0.0)
    f = {name: done.risk(name).records()["f"] for name in ("weighed", "shown")}
    after = done.engine.table().select(keys)  # type: ignore[attr-defined]
    truth = true_matches(frame.select(keys), after)
    assert truth / NEAR <= (f["weighed"] - f["shown"]).sum() <= truth * NEAR
    assert (f["weighed"] - f["shown"]).sum() == truth  # complete keys leave nothing to estimate
    if guarantee != "shared":
        assert f["weighed"].min() >= 3  # type: ignore[operator]
