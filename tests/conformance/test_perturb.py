"""Reference figures of perturbation: matrices of PRAM and random numbers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from microsafe.draws import Draws
from microsafe.steps.pram.kernel import banded_matrix, invariant_matrix

PEERS = Path(os.environ.get("MICROSAFE_PEERS", Path(__file__).parents[3] / "shared" / "peers"))
GOLDEN = PEERS / "perturb" / "golden.json"
pytestmark = pytest.mark.skipif(not GOLDEN.exists(), reason="the reference figures are not here")


def golden(part: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8"))[part]
    return found


def test_matrices_of_pram() -> None:
    known = golden("pram")
    shares = np.array(known["shares"])
    invariant = invariant_matrix(shares, known["keep"])
    banded = banded_matrix(shares, 0.2, 1)
    assert np.abs(invariant - known["invariant"]).max() < 1e-15
    assert np.abs(banded - known["banded_change_0.2_band_1"]).max() < 1e-15
    for matrix, check in ((invariant, "invariant_check"), (banded, "banded_check")):
        assert np.abs(shares @ matrix - known[check]).max() < 1e-12


def test_random_numbers() -> None:
    known = golden("random")
    draws = Draws(seed=7, step=3, variable="region")
    assert [f"{part:016x}" for part in draws.key] == known["key(seed=7,step=3,variable=region)"]
    records = np.arange(5, dtype=np.uint64)
    assert [f"{word:016x}" for word in draws.words(records)[:, 0]] == known[
        "first_words_records_0_4"
    ]
    assert draws.uniforms(records).tolist() == known["uniforms_records_0_4"]
