"""Convergence diagnostics of Markov chains, and their effective sample size."""

from __future__ import annotations

import math

import numpy as np

from microsafe.sums import Floats


def split_rhat(trace: Floats) -> float:
    """Return Gelman and Rubin's R-hat with each chain cut in two; 1 for a constant trace.

    Args:
        trace: Chains x draws, at least four draws.
    """
    half = trace.shape[1] // 2
    parts = np.concatenate([trace[:, :half], trace[:, -half:]])
    within = float(parts.var(axis=1, ddof=1).mean())
    between = float(parts.mean(axis=1).var(ddof=1))
    if within == 0.0:
        return 1.0 if between == 0.0 else math.inf
    return math.sqrt((half - 1) / half + between / within)


def effective_draws(trace: Floats) -> float:
    """Return how many independent draws the chains are worth, by Geyer's initial monotone sum.

    Args:
        trace: Chains x draws, at least four draws.
    """
    chains, draws = trace.shape
    centred = trace - trace.mean(axis=1, keepdims=True)
    spectrum = np.abs(np.fft.rfft(centred, 2 * draws, axis=1)) ** 2
    covariance = np.fft.irfft(spectrum, axis=1)[:, :draws].mean(axis=0) / draws
    within = covariance[0] * draws / (draws - 1)
    between = float(trace.mean(axis=1).var(ddof=1)) if chains > 1 else 0.0
    variance = covariance[0] + between
    if variance == 0.0:
        return float(trace.size)
    correlation = 1.0 - (within - covariance) / variance
    correlation[0] = 1.0
    pairs = correlation[: draws // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs < 0)
    pairs = np.minimum.accumulate(pairs[: negative[0]] if len(negative) else pairs)
    return float(min(trace.size, trace.size / max(2.0 * pairs.sum() - 1.0, 1e-9)))
