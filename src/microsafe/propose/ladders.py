"""Ladders of recodes: each rung joins categories of the one below."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Ladder:
    """The recodes that a key may get.

    Attributes:
        key: Name of the key.
        rungs: For each rung the group of every code; rung 0 is the codes themselves. Code 0 is
            missing and stays 0.
    """

    key: str
    rungs: tuple[NDArray[np.int64], ...]
