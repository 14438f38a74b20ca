"""Confidence intervals of tau1 and tau2 under a log-linear model.

The bias is known up to the variance that its criterion has, and may be as large as the criterion
says; and the truth is one population and not an average.
"""

from __future__ import annotations

import math

import numpy as np

from microsafe.risk.model.estimate_variance import NORMAL, Interval, population_variance
from microsafe.risk.model.posterior import posterior
from microsafe.risk.table.crosstable import CrossTable
from microsafe.risk.table.loglinear import LoglinearFit
from microsafe.risk.table.tau import Bias


def fit_intervals(
    table: CrossTable, found: LoglinearFit, *, by_cell: bool
) -> tuple[Interval, Interval]:
    """Return intervals of tau1 and tau2, nominal 95 %.

    Args:
        table: The sample.
        found: The model.
        by_cell: Whether each cell has its own sampling fraction.
    """
    fractions = table.fractions if by_cell else np.full(len(table.f), table.fraction)
    tau = found.cell if by_cell else found.file
    uniques = table.uniques
    outside = posterior(1.0, found.fitted[uniques], fractions[uniques], 0.0)
    most = float(np.count_nonzero(uniques))
    first, second = population_variance(outside)
    return _ends(tau.tau1, tau.B1, first, most), _ends(tau.tau2, tau.B2, second, most)


def _ends(estimate: float, bias: Bias, population: float, most: float) -> Interval:
    reach = NORMAL * math.sqrt(bias.variance + bias.value**2 + population)
    return max(estimate - reach, 0.0), min(estimate + reach, most)
