from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ["MPLBACKEND"] = "Agg"
sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")

PEERS = Path(__file__).parents[2] / "shared" / "peers"


@pytest.fixture(scope="session")
def peers() -> Path:
    """Reference data of other programs, where they are to be had."""
    if not PEERS.is_dir():
        pytest.skip("the reference data of other programs are not beside this checkout")
    return PEERS
