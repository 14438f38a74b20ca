"""Draw a sample: the same records whatever the engine, batches or threads.

A number is mixed in rounds of multiplication and addition modulo a prime, with constants from the
seed, and drawn if what comes out is small. Products stay below 2^62, so that whole numbers of 64
bits will do, in numpy as in SQL.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microsafe.engine.slices import Flags
from microsafe.errors import InputError
from microsafe.schema import Schema, Variable

PRIME = (1 << 31) - 1
_OTHER = (1 << 31) - 19  # another one: its remainders tell numbers apart that PRIME's do not
SHIFT = 15  # bits; xor with the upper half is what no multiplication can undo


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """What is drawn, and how it is weighed.

    Attributes:
        fraction: Chance of each household, or of each record.
        seed: Of the draw.
        household: Variable whose values are kept or left as a whole; None draws records.
        weight: What the weight is in the sample. A variable of that name is multiplied by one
            over the fraction; if there is none it is added, and is that.
    """

    fraction: float
    seed: int = field(repr=False)
    household: str | None
    weight: Variable

    @property
    def factor(self) -> float:
        """What weights are multiplied by: 10 for 0.1, which cannot be divided by exactly."""
        return 1.0 / self.fraction

    def is_drawn(self, number: Any, fold: Callable[[Any], Any]) -> Any:
        """Tell whether a number is drawn; numpy and Spark calculate alike.

        Args:
            number: Whole, from 0 up to 2^62.
            fold: Returns x xor (x >> SHIFT).
        """
        mixed, rest = number % PRIME, number % _OTHER
        for factor, summand in _rounds(self.seed):
            mixed = (fold(mixed) * factor + summand + rest) % PRIME
        return mixed < round(self.fraction * PRIME)

    def draw(self, numbers: NDArray[np.int64]) -> Flags:
        """Tell which numbers are drawn."""
        flags: Flags = self.is_drawn(numbers, lambda mixed: mixed ^ (mixed >> SHIFT))
        return flags


def _rounds(seed: int) -> list[tuple[int, int]]:
    """Factor and summand of each round; a digest is the same for ever, unlike a generator."""
    words = struct.unpack(">8I", sha256(str(seed).encode()).digest())
    return [(1 + a % (PRIME - 1), b % PRIME) for a, b in zip(words[::2], words[1::2], strict=True)]


def reweigh_schema(before: Schema, weight: Variable) -> Schema:
    """Return variables of which one is the weight; it is the last if it is new."""
    variables = tuple(weight if v.name == weight.name else v for v in before)
    more = () if weight.name in before else (weight,)
    return replace(before, variables=(*variables, *more))


def nothing_drawn(source: str) -> InputError:
    """Return the error for a sample without records."""
    return InputError(
        f"No record of {source} is in the sample. Raise the fraction, or choose another seed."
    )
