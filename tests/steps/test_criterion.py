"""A limit on risk as a number of people: the same answer as risk itself, however near it lies."""

from __future__ import annotations

import numpy as np
import pytest

from microsafe import individual_risk
from microsafe.steps.suppression import criterion
from microsafe.steps.suppression.criterion import Criterion, above_limit


@pytest.mark.parametrize("limit", [1.0, 0.5, 0.34, 0.1, 0.01, 0.0021])
def test_as_risk_itself_decides(limit: float) -> None:
    rng = np.random.default_rng(5)
    f = rng.integers(1, int(1.3 / limit) + 2, 6 * criterion._MANY).astype(np.float64)
    F = f * np.exp(rng.exponential(1.0, len(f)))
    # Next to where risk meets the limit, by units in the last place and by parts of the margin.
    people = criterion._people_at_limit(limit)
    meets = np.flatnonzero(f <= len(people))[: 2 * criterion._MANY]
    near = rng.choice([0, 1e-16, 1e-13, 5e-10, 2e-9, 1e-7], len(meets)) * rng.choice([-1, 1])
    F[meets] = np.maximum(people[f[meets].astype(int) - 1] * (1 + near), f[meets])
    expected = individual_risk(f, F) > limit
    np.testing.assert_array_equal(above_limit(f, F, np.full(len(f), limit)), expected)
    np.testing.assert_array_equal(Criterion(above=limit).unsafe(f, F), expected)


@pytest.mark.parametrize("mixed", ["limits", "parts"])
def test_what_has_no_one_number_of_people(mixed: str) -> None:
    rng = np.random.default_rng(6)
    f = 1.0 + rng.integers(0, 30, 2 * criterion._MANY)
    limit = np.full(len(f), 0.02)
    if mixed == "limits":
        limit[::3] = 0.05
    else:
        f[::3] += 0.5
    F = f * np.exp(rng.exponential(1.0, len(f)))
    np.testing.assert_array_equal(above_limit(f, F, limit), individual_risk(f, F) > limit)


def test_risk_is_worked_out_for_few() -> None:
    """Otherwise nothing was gained."""
    rng = np.random.default_rng(7)
    f = 1.0 + rng.integers(0, 90, 4 * criterion._MANY)
    F = f * np.exp(rng.exponential(1.0, len(f)))
    asked: list[int] = []

    def counted(f: np.ndarray, F: np.ndarray) -> np.ndarray:
        asked.append(len(f))
        return individual_risk(f, F)

    criterion._people_at_limit(0.01)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(criterion, "individual_risk", counted)
        above_limit(f, F, np.full(len(f), 0.01))
    assert sum(asked) < len(f) / 100
