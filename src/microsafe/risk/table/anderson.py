"""Anderson acceleration: fewer iterations where convergence is slow."""

from __future__ import annotations

import numpy as np

from microsafe.risk.table.tablesums import product
from microsafe.sums import Floats

_RIDGE = 1e-10  # which keeps turns that are nearly the same from cancelling each other


class Anderson:
    """Extrapolates from the last few steps of a fixed-point iteration.

    Each round gives it where a step began, where it led and how much each number matters; it
    answers where to begin the next. A step that went wrong (the residual grew) makes it forget
    and go on plainly.

    References:
        Walker and Ni (2011), Anderson acceleration for fixed-point iterations.
    """

    def __init__(self, memory: int = 6) -> None:
        self.memory = memory
        self._forget()

    def _forget(self) -> None:
        self._starts: list[Floats] = []
        self._residuals: list[Floats] = []
        self._size = np.inf

    def next(self, start: Floats, end: Floats, weight: Floats) -> Floats:
        """Return where to begin the next step."""
        residual = end - start
        weighted = weight * residual
        size = product(weighted, residual)
        if size > 4.0 * self._size:
            self._forget()
        self._size = min(self._size, size)
        self._starts.append(start)
        self._residuals.append(residual)
        if len(self._starts) > self.memory:
            del self._starts[0], self._residuals[0]
        if len(self._starts) == 1:
            return end
        moves = [new - old for old, new in zip(self._starts, self._starts[1:], strict=False)]
        turns = [new - old for old, new in zip(self._residuals, self._residuals[1:], strict=False)]
        gram = np.array([[product(weight * one, other) for other in turns] for one in turns])
        size_of = np.sqrt(np.diag(gram))
        if not (size_of.all() and np.isfinite(gram).all()):
            self._forget()
            return end
        # Turns shrink as a fit converges: only at one scale do all of them count.
        gram = gram / np.outer(size_of, size_of) + _RIDGE * np.eye(len(turns))
        along = np.array([product(weighted, turn) for turn in turns]) / size_of
        share = np.linalg.solve(gram, along) / size_of
        mixed = end.copy()
        for part, move, turn in zip(share, moves, turns, strict=True):
            mixed -= part * (move + turn)
        return mixed
