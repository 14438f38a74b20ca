"""Random numbers by seed, step, variable and record: one generator for every step that draws.

What a record draws depends on the seed, the number of the step in the plan, the variable and the
number of the record, and on nothing else: not on batches, threads, partitions or the engine.

The generator is Philox4x64-10. Its key is the first 16 bytes of the SHA-256 digest of `microsafe`,
seed, step and variable; its counter is (record, 0, draw, 0). Each counter gives four words of 64
bits.

References:
    Salmon, Moraes, Dror and Shaw (2011), Parallel random numbers: as easy as 1, 2, 3.
    Wichura (1988), Algorithm AS 241: the percentage points of the normal distribution.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from microsafe.errors import UsageError
from microsafe.sums import Floats

Words = NDArray[np.uint64]

_DENSE = 4  # times as many words as are needed may be drawn: scattered ones take longer
_ROUNDS = 10
_FACTORS = (np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157))
_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)  # added to the key from round to round
_WORD = 1 << 64
_HALF = np.uint64(32)
_LOWER = np.uint64(0xFFFFFFFF)
_UNIT = 2.0**-53
_GRID = 2.0**30  # normal deviates are multiples of one over this

# Coefficients of AS 241 (PPND16), from the constant term on: the middle, the tails, the far tails.
_MIDDLE = (
    (
        3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
        1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
        3.3430575583588128105e4, 2.5090809287301226727e3,
    ),
    (
        1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
        2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
        5.2264952788528545610e3,
    ),
)  # fmt: skip
_TAIL = (
    (
        1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
        3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
        2.27238449892691845833e-2, 7.74545014278341407640e-4,
    ),
    (
        1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ),
)  # fmt: skip
_FAR_TAIL = (
    (
        6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
        2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
        2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ),
    (
        1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """What a step draws for one variable.

    Attributes:
        seed: Of the step.
        step: Its number in the plan, from 1.
        variable: Whose values it changes.
    """

    seed: int = field(repr=False)
    step: int
    variable: str

    @property
    def key(self) -> tuple[int, int]:
        """Key of the generator."""
        parts = ("microsafe", str(self.seed), str(self.step), self.variable)
        digest = sha256("\x1f".join(parts).encode()).digest()
        return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")

    def words(self, records: Words, draw: int = 0) -> Words:
        """Return the four words of each record, a row each.

        Args:
            records: Their numbers.
            draw: Which of the draws of a record, from 0.
        """
        count = len(records)
        first = int(records[0]) if count else 0
        ends_in_time = first + count <= _WORD
        if ends_in_time and bool(np.all(records[1:] - records[:-1] == 1)):
            return _contiguous_words(self.key, first, count, draw)
        lowest, highest = (int(records.min()), int(records.max())) if count else (0, 0)
        between = highest - lowest + 1
        if between <= _DENSE * count:  # in another order, or with few left out
            drawn = _contiguous_words(self.key, lowest, between, draw)
            words: Words = drawn[records - np.uint64(lowest)]
            return words
        return _scattered_words(self.key, records, draw)

    def uniforms(self, records: Words, draw: int = 0, *, word: int = 0) -> Floats:
        """Return for each record a number from 0 to below 1, made of one of its words."""
        return uniforms(self.words(records, draw)[:, word])

    def normals(self, records: Words, draw: int = 0, *, word: int = 0) -> Floats:
        """Return for each record a standard normal deviate, made of one of its words."""
        return normals(self.words(records, draw)[:, word])


def _contiguous_words(key: tuple[int, int], first: int, count: int, draw: int) -> Words:
    """Words of records that follow each other; numpy steps the counter before it uses it."""
    counter = (first + (draw << 128) - 1) % (1 << 256)
    generator = np.random.Philox(key=key[0] + (key[1] << 64), counter=counter)
    words: Words = generator.random_raw(4 * count).reshape(count, 4)
    return words


def _scattered_words(key: tuple[int, int], records: Words, draw: int) -> Words:
    """Words of any records: the rounds of the generator on arrays."""
    zero = np.zeros_like(records)
    counter = [records, zero, np.full_like(records, draw), zero]
    for place in range(_ROUNDS):
        low, high = (
            np.uint64((part + place * step) % _WORD) for part, step in zip(key, _STEPS, strict=True)
        )
        upper, lower = _multiply(counter[0], _FACTORS[0])
        other_upper, other_lower = _multiply(counter[2], _FACTORS[1])
        counter = [
            other_upper ^ counter[1] ^ low,
            other_lower,
            upper ^ counter[3] ^ high,
            lower,
        ]
    return np.stack(counter, axis=1)


def _multiply(words: Words, factor: np.uint64) -> tuple[Words, Words]:
    """Upper and lower half of products of 128 bits, by halves of 32 bits."""
    above, below = words >> _HALF, words & _LOWER
    factor_above, factor_below = factor >> _HALF, factor & _LOWER
    cross = above * factor_below + ((below * factor_below) >> _HALF)
    other = below * factor_above + (cross & _LOWER)
    return above * factor_above + (cross >> _HALF) + (other >> _HALF), words * factor


def uniforms(words: Words) -> Floats:
    """Return numbers from 0 to below 1: the upper 53 bits of each word."""
    return (words >> np.uint64(11)).astype(np.float64) * _UNIT


def normals(words: Words) -> Floats:
    """Return standard normal deviates, rounded to multiples of 2^-30.

    The last bit of a logarithm differs between machines; rounding hides it nearly always.
    """
    places = (words >> np.uint64(11)).astype(np.int64)
    lower = places < 1 << 52
    # By symmetry, as one half above the middle would be lost to rounding.
    chances = (np.where(lower, places, (1 << 53) - 1 - places) + 0.5) * _UNIT
    return _mirror(_quantiles(chances), lower)


def normal_quantiles(chances: Floats) -> Floats:
    """Return quantiles of the standard normal distribution, rounded as `normals` are."""
    lower = chances <= 0.5
    return _mirror(_quantiles(np.where(lower, chances, 1.0 - chances)), lower)


def _mirror(quantiles: Floats, lower: NDArray[np.bool_]) -> Floats:
    """Round quantiles of the lower half, and mirror those of the upper one."""
    rounded: Floats = np.rint(np.where(lower, quantiles, -quantiles) * _GRID) / _GRID
    return rounded + 0.0  # no negative zero


def _quantiles(chances: Floats) -> Floats:
    """Quantiles of the standard normal distribution for chances above 0 up to 1/2 (AS 241)."""
    centred = chances - 0.5
    quantiles = centred * _ratio(_MIDDLE, 0.180625 - centred * centred)
    tails = np.flatnonzero(np.abs(centred) > 0.425)
    distance = np.sqrt(-np.log(chances[tails]))
    quantiles[tails] = -_ratio(_TAIL, distance - 1.6)
    far = distance > 5.0
    quantiles[tails[far]] = -_ratio(_FAR_TAIL, distance[far] - 5.0)
    return quantiles


def _ratio(coefficients: tuple[tuple[float, ...], tuple[float, ...]], x: Floats) -> Floats:
    """Quotient of two polynomials."""
    above, below = (np.full_like(x, polynomial[-1]) for polynomial in coefficients)
    for up, down in zip(*(reversed(polynomial[:-1]) for polynomial in coefficients), strict=True):
        above, below = above * x + up, below * x + down
    return above / below


def check_seed(seed: object, purpose: str) -> None:
    """Refuse what is no seed; it is a secret, so that no message quotes it.

    Args:
        seed: What was given.
        purpose: What it is for, such as "of a sample".

    Raises:
        UsageError: It is not a whole number, 0 or above.
    """
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise UsageError(f"The seed {purpose} must be a whole number, 0 or above.")


def number_identifiers(identifiers: Iterable[str] | NDArray[np.int64]) -> Words:
    """Return the numbers that records draw by if a step names an identifier.

    Args:
        identifiers: Whole numbers, which are taken as they are, or texts, of which the first
            8 bytes of the SHA-256 digest are.
    """
    if isinstance(identifiers, np.ndarray) and identifiers.dtype.kind in "iu":
        return identifiers.astype(np.int64).view(np.uint64)
    digests = (sha256(str(text).encode()).digest() for text in identifiers)
    return np.array([int.from_bytes(digest[:8], "little") for digest in digests], np.uint64)
