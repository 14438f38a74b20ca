"""Noise: random numbers that values are moved by, in proportion to their variance or size.

| kind | released value | keeps in expectation |
|---|---|---|
| additive | x + e, Var e = alpha s² | means, covariances between variables |
| correlated | x + e, Cov e = alpha Σ | means, correlations |
| restored | m + (x + e - m) / sqrt(1 + alpha), e as before | means, covariances |
| multiplicative | x g, log g normal, E g = 1, Var g = alpha | means |

References:
    Brand (2002), Microdata protection through noise addition. Kim and Winkler (2003),
    Multiplicative noise for masking continuous data. Hundepool et al. (2012), Statistical
    disclosure control, section 3.6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from microsafe.passes import Strata
from microsafe.steps.noise.moments import Moments, factor
from microsafe.sums import Floats

NoiseKind = Literal["additive", "correlated", "restored", "multiplicative"]

_GRID = 2.0**30  # the last bit of an exponential differs between machines


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoiseModel:
    """How values are moved, in each stratum.

    Attributes:
        kind: Which noise it is.
        variance: Ratio of the variance of the noise to that of the variable, or of the factor.
        mean: By stratum and variable.
        scale: Standard deviation of the noise, by stratum and variable.
        mix: How the noise is made of independent draws, by stratum, variable and draw.
    """

    kind: NoiseKind
    variance: float
    mean: Floats
    scale: Floats
    mix: Floats

    @classmethod
    def of(cls, kind: NoiseKind, variance: float, moments: Moments) -> NoiseModel:
        """Take what is needed from the moments of the variables."""
        strata, size = moments.mean.shape
        mix = np.broadcast_to(np.eye(size), (strata, size, size))
        if kind in ("correlated", "restored"):
            mix = np.stack([factor(each) for each in moments.correlation])
        return cls(
            kind=kind,
            variance=variance,
            mean=np.nan_to_num(moments.mean),
            scale=np.sqrt(variance * moments.variance),
            mix=mix,
        )

    def add(
        self, values: Sequence[Floats], normals: Sequence[Floats], stratum: Strata
    ) -> list[Floats]:
        """Return the values with noise; NaN stays.

        Args:
            values: A column for each variable.
            normals: Standard normal deviates, likewise.
            stratum: Of each record.
        """
        if self.kind == "multiplicative":
            return [
                x * self._draw_factors(normal) for x, normal in zip(values, normals, strict=True)
            ]
        one = len(self.mean) == 1
        at: int | Strata = 0 if one else stratum
        found = []
        for place, x in enumerate(values):
            noise = np.zeros(len(x))
            for draw in np.flatnonzero(self.mix[:, place].any(axis=0)).tolist():
                noise += self.mix[at, place, draw] * normals[draw]
            moved = x + noise * self.scale[at, place]
            if self.kind == "restored":
                mean = self.mean[at, place]
                moved = mean + (moved - mean) / math.sqrt(1.0 + self.variance)
            found.append(moved)
        return found

    def _draw_factors(self, normals: Floats) -> Floats:
        spread = math.log1p(self.variance)
        drawn: Floats = np.exp(math.sqrt(spread) * normals - spread / 2)
        return np.rint(drawn * _GRID) / _GRID


def reflect(values: Floats, lowest: float, highest: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Return values that are mirrored at bounds which they pass, and which these are."""
    outside: NDArray[np.bool_] = (values < lowest) | (values > highest)
    if not outside.any():
        return values, outside
    mirrored = values[outside]
    mirrored = np.where(mirrored < lowest, 2 * lowest - mirrored, 2 * highest - mirrored)
    moved = values.copy()
    moved[outside] = np.clip(mirrored, lowest, highest)
    return moved, outside
