"""Real households of which it is known how many are alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from microsafe import study

KEYS = ("area", "hinc", "dwelling", "sex", "age", "status", "size")


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("file", ["ohas_10", "ohas_nan"])
@pytest.mark.parametrize("household", ["household", None])
def test_the_model_answers(peers: Path, file: str, household: str | None) -> None:
    """Margins of nobody lead the fit astray; it must come back, or do with less."""
    data = study(
        peers / f"families/{file}.csv.gz",
        keys=KEYS,
        weight="weight",
        household=household,
        estimator="model",
    )
    risk = data.risk(one_estimator=True)
    assert 0.0 < risk.expected < risk.measured.cells.records
    assert 0.0 < risk.max <= 1.0
    whole = data.file_risk(opinions=())
    assert whole.tau1 is not None
    assert whole.tau2 is not None
    assert 0.0 < whole.tau1 < whole.tau2 < whole.sample_uniques
    assert all(row.now.expected is not None for row in data.intruders() if not row.now.not_tried)


@pytest.mark.slow
def test_sums_are_near_the_truth_of_real_files(peers: Path) -> None:
    for case in json.loads((peers / "families/cases.json").read_text()):
        data = study(
            peers / "families" / case["file"],
            keys=case["keys"],
            weight="weight",
            household="household",
            estimator="model",
        )
        household = data.risk(one_estimator=True).household
        assert household is not None
        assert 0.85 <= household.expected_households / case["true_households"] <= 1.2, case
