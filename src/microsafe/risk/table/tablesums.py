"""Sum a function of the fitted value λ over all cells of a large table.

Two ways. A model that factors into small tables is never laid out: a function g that vanishes
like λ² at 0 and faster than any power at infinity is a sum of waves in log λ,
g(λ) = Σ_j c_j λ ** (1 + i t_j), and the sum of λ ** z over all cells factors like the model does.
The coefficients fall like exp(-pi |t| / 2), so some two hundred waves give ten digits.
Otherwise cells pass by in portions; most are nearly empty, and for those powers of λ suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from microsafe.sums import Floats

Function = Callable[[Floats], Floats]
Waves = NDArray[np.complex128]
Powers = Callable[[Waves], Waves]

_FROM, _TO = -44.0, 20.0  # of log λ: beyond these nothing is left of the functions
_HIGHEST = 20.0  # frequency at which the waves have died out
WAVES = int(_HIGHEST * (_TO - _FROM) / (2 * np.pi)) + 1

_NEARLY_EMPTY = 0.05
_AT_ONCE = 1 << 15
_POWERS = 6  # of λ, from the square on: the next is below 1e-10 of the first


def sums_by_powers(function: Function, powers: Powers) -> Floats:
    """Return the sums over all cells of the rows that a function gives.

    Args:
        function: Of an array of values; returns one row for each quantity to be summed.
        powers: Returns the sum over all cells of λ ** z for each z asked for.
    """
    points = 2 * WAVES
    period = _TO - _FROM
    logs = _FROM + period * np.arange(points) / points
    values = np.exp(logs)
    spectrum = np.fft.rfft(function(values) / values, axis=1)[:, :WAVES] / points
    frequency = 2 * np.pi * np.arange(WAVES) / period
    # A real function has waves in pairs t, -t; one of each pair is enough.
    spectrum *= np.where(frequency > 0, 2.0, 1.0) * np.exp(-1j * frequency * _FROM)
    exponents = (1.0 + 1j * frequency).astype(np.complex128)
    sums: Floats = np.einsum("rj,j->r", spectrum, powers(exponents)).real
    return sums


def sums_by_portions(function: Function, portions: Iterable[Floats]) -> Floats:
    """Return the sums over all cells of the rows that a function gives.

    Args:
        function: As above.
        portions: The fitted values, a flat array at a time.
    """
    small = np.zeros(_POWERS)
    large = np.zeros(len(function(np.ones(1))))
    waiting: list[Floats] = []
    for values in portions:
        counted = np.flatnonzero(values > _NEARLY_EMPTY)
        waiting.append(values[counted])
        if sum(map(len, waiting)) > _AT_ONCE:
            large += function(np.concatenate(waiting)).sum(axis=1)
            waiting = []
        values[counted] = 0.0
        square = values * values
        cube = square * values
        fourth = square * square
        small += [
            square.sum(),
            *(product(one, other) for one, other in (
                (square, values), (square, square), (cube, square), (cube, cube), (fourth, cube),
            )),
        ]  # fmt: skip
    if waiting:
        large += function(np.concatenate(waiting)).sum(axis=1)
    nodes = _NEARLY_EMPTY * (1.0 - np.cos(np.pi * (np.arange(24) + 0.5) / 24)) / 2.0
    scaled = np.vander(nodes / _NEARLY_EMPTY, _POWERS, increasing=True)
    by_node = (function(nodes) / nodes**2).T
    coefficients = np.linalg.lstsq(scaled, by_node, rcond=None)[0].T
    scale: Floats = small / _NEARLY_EMPTY ** np.arange(_POWERS)
    return large + coefficients @ scale


def product(one: Floats, other: Floats) -> float:
    """Inner product; not `@`, whose threads cost more than they save on vectors."""
    return float(np.einsum("i,i", one, other))
