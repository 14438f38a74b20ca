"""Where the base risk is above a limit, however many cells are asked about at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe import individual_risk
from microsafe.errors import UsageError
from microsafe.steps.suppress import criterion
from microsafe.steps.suppress.criterion import above_limit


@given(st.integers(0, 10**6), st.sampled_from([1e-9, 1e-6, 0.003, 0.01, 0.2, 0.5, 0.9]))
def test_limits_of_many_cells_at_once(seed: int, limit: float) -> None:
    rng = np.random.default_rng(seed)
    f = rng.geometric(0.2, 5000).astype(np.float64)
    f[rng.random(5000) < 0.01] *= 5000.0
    F = f * (1.0 + rng.gamma(0.5, 1.0 / limit, 5000) * rng.integers(0, 2, 5000))
    if seed % 2:  # some risks are exactly the limit, or differ from it in the last bits
        limit = float(individual_risk(f[:1], F[:1])[0])
        f[:4], F[1:4] = f[0], F[0] * (1.0 + np.array([-1, 1, 2]) * 1e-15)
        F = np.maximum(f, F)
    limits = np.full(5000, limit)
    assert np.array_equal(above_limit(f, F, limits), individual_risk(f, F) > limits)


@pytest.mark.parametrize(("f", "F"), [(0.0, 5.0), (3.0, 2.0), (3.0, np.inf), (1.0, np.nan)])
def test_what_has_no_risk_is_refused_among_many(f: float, F: float) -> None:
    many = criterion._MANY
    with pytest.raises(UsageError), np.errstate(divide="ignore"):
        above_limit(np.full(many, f), np.full(many, F), np.full(many, 0.01))
