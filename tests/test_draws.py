"""The random generator by record: published words, any numbers, exact deviates."""

from __future__ import annotations

import hashlib
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe import draws
from microsafe.draws import Draws, check_seed, normals, number_identifiers, uniforms
from microsafe.engine.sampling import Sampling
from microsafe.engine.transformations import ShuffledValues
from microsafe.errors import UsageError
from microsafe.schema import Variable

DRAWS = Draws(seed=7, step=3, variable="region")
FIRST = ["3c73395545710e64", "9f7b69613064b90b", "8f6771a85d2aef03", "905080656778d4e4"]
FIRST += ["885e651a664ad9d4"]
UNIFORMS = [0.2361331780607011, 0.6229768621709749, 0.5601721797985807, 0.5637283561295334]
UNIFORMS += [0.5326903523876284]
LAST = 2**64 - 1


def numbers(*values: int) -> draws.Words:
    return np.array(values, np.uint64)


def spelled(words: draws.Words) -> list[str]:
    return [f"{int(word):016x}" for word in words]


def philox(counter: list[int], key: tuple[int, int]) -> list[int]:
    """The generator in Python's whole numbers, which have no end."""
    a, b, c, d = counter
    for place in range(10):
        low = (key[0] + place * 0x9E3779B97F4A7C15) % 2**64
        high = (key[1] + place * 0xBB67AE8584CAA73B) % 2**64
        one, other = a * 0xD2E7470EE14C6C93, c * 0xCA5A826395121157
        a, b, c, d = (other >> 64) ^ b ^ low, other & LAST, (one >> 64) ^ d ^ high, one & LAST
    return [a, b, c, d]


def test_the_generator_is_the_published_one() -> None:
    """Words for counter 0 and key 0, as its authors give them."""
    known = ["16554d9eca36314c", "db20fe9d672d0fdc", "d7e772cee186176b", "7e68b68aec7ba23b"]
    assert spelled(draws._contiguous_words((0, 0), 0, 1, 0)[0]) == known
    assert spelled(draws._scattered_words((0, 0), numbers(0), 0)[0]) == known


def test_key_words_and_uniforms_of_the_first_records() -> None:
    assert [f"{part:016x}" for part in DRAWS.key] == ["1df491f2e0848d0e", "0878d621d34ce60c"]
    assert spelled(DRAWS.words(numbers(*range(5)))[:, 0]) == FIRST
    assert spelled(DRAWS.words(numbers(4, 2, 0, 3, 1))[:, 0]) == [FIRST[n] for n in (4, 2, 0, 3, 1)]
    assert DRAWS.uniforms(numbers(*range(5))).tolist() == UNIFORMS
    assert DRAWS.uniforms(numbers(3)).tolist() == UNIFORMS[3:4]


@pytest.mark.parametrize("start", [0, 1, 5, 10**9, 2**63 - 2, 2**64 - 6])
@pytest.mark.parametrize("draw", [0, 1, 2**40])
def test_contiguous_and_scattered_numbers_give_equal_words(start: int, draw: int) -> None:
    records = np.arange(6, dtype=np.uint64) + np.uint64(start)
    wanted = [philox([start + place, 0, draw, 0], DRAWS.key) for place in range(6)]
    assert DRAWS.words(records, draw).tolist() == wanted
    order = [3, 0, 5, 1, 4, 2]
    assert DRAWS.words(records[order], draw).tolist() == [wanted[place] for place in order]
    assert draws._scattered_words(DRAWS.key, records, draw).tolist() == wanted


@given(st.lists(st.integers(0, LAST), max_size=8), st.integers(0, LAST), st.integers(0))
def test_words_of_any_numbers(records: list[int], draw: int, seed: int) -> None:
    drawn = Draws(seed=seed, step=2, variable="Größe")
    wanted = [philox([record, 0, draw, 0], drawn.key) for record in records]
    assert drawn.words(numbers(*records), draw).tolist() == wanted


def test_numbers_beyond_the_last_begin_again_at_none() -> None:
    """Records LAST and 0 look contiguous in whole numbers of 64 bits, but the counter carries."""
    wanted = [philox([record, 0, 0, 0], DRAWS.key) for record in (LAST, 0)]
    assert DRAWS.words(numbers(LAST, 0)).tolist() == wanted


def test_seed_step_variable_draw_and_word_all_matter() -> None:
    records = numbers(*range(3))
    base = DRAWS.words(records)
    others = [
        Draws(seed=8, step=3, variable="region").words(records),
        Draws(seed=7, step=4, variable="region").words(records),
        Draws(seed=7, step=3, variable="sex").words(records),
        DRAWS.words(records, 1),
    ]
    drawn = {tuple(each.ravel().tolist()) for each in (base, *others)}
    assert len(drawn) == 5
    assert len({word for each in drawn for word in each}) == 5 * 12


@pytest.mark.parametrize(("word", "wanted"), [(0, 0.0), (LAST, 1 - 2**-53), (1 << 63, 0.5)])
def test_uniforms_lie_below_one(word: int, wanted: float) -> None:
    assert uniforms(numbers(word)).tolist() == [wanted]


def quantile(word: int) -> mpmath.mpf:
    with mpmath.workdps(40):
        chance = (mpmath.mpf(word >> 11) + mpmath.mpf("0.5")) / 2**53
        return mpmath.sqrt(2) * mpmath.erfinv(2 * chance - 1)


# Both sides of the switch points of AS 241 (0.075 and e^-25), the ends and the middle.
EDGES = [
    round((chance + side) * 2**64)
    for chance in (0.075, 0.925, math.exp(-25), 1 - math.exp(-25))
    for side in (-1e-12, 1e-12)
]


@pytest.mark.parametrize(
    "word", [0, 1 << 11, 1 << 40, 1 << 63, (1 << 63) - 1, LAST, LAST - (1 << 30), *EDGES]
)
def test_normals_at_the_edges(word: int) -> None:
    (found,) = normals(numbers(word)).tolist()
    assert abs(found - quantile(word)) <= 2**-31 * 1.000001
    assert (found * 2**30).is_integer()
    assert math.copysign(1, found) == 1 or found < 0  # no negative zero


@given(st.integers(0, LAST))
def test_normals_are_quantiles(word: int) -> None:
    (found,) = normals(numbers(word)).tolist()
    assert abs(found - quantile(word)) <= 2**-31 * 1.000001


def test_quantiles_are_exact_to_the_last_digits() -> None:
    chances = np.concatenate([np.geomspace(2**-54, 0.5, 600), np.linspace(0.001, 0.499, 400)])
    with mpmath.workdps(40):
        wanted = [mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(each) - 1) for each in chances]
    pairs = zip(draws._quantiles(chances).tolist(), wanted, strict=True)
    assert max(abs(found - true) / max(abs(true), 1e-3) for found, true in pairs) < 1e-15


def test_deviates_of_many_records_are_normal() -> None:
    """Mean, variance and share beyond two, within four standard errors."""
    records = np.arange(200_000, dtype=np.uint64)
    drawn = DRAWS.normals(records)
    assert abs(drawn.mean()) < 4 / math.sqrt(len(records))
    assert abs(drawn.var() - 1) < 4 * math.sqrt(2 / len(records))
    share = 0.04550026389635842
    error = math.sqrt(share * (1 - share) / len(records))
    assert abs(np.mean(np.abs(drawn) > 2) - share) < 4 * error
    assert abs(np.corrcoef(drawn, DRAWS.normals(records, word=1))[0, 1]) < 4 / math.sqrt(200_000)


def test_identifiers_become_numbers() -> None:
    assert number_identifiers(np.array([5, 0, -1])).tolist() == [5, 0, LAST]
    digest = hashlib.sha256("Zoë".encode()).digest()
    wanted = sum(byte << 8 * place for place, byte in enumerate(digest[:8]))
    assert number_identifiers(["Zoë"]).tolist() == [wanted]
    assert number_identifiers(np.array(["Zoë"], object)).tolist() == [wanted]


def test_no_records_draw_nothing() -> None:
    assert DRAWS.words(numbers()).shape == (0, 4)
    assert DRAWS.normals(numbers()).tolist() == []


def test_a_seed_is_not_shown() -> None:
    assert repr(DRAWS) == "Draws(step=3, variable='region')"
    assert repr(ShuffledValues(7)) == "ShuffledValues()"
    drawn = Sampling(fraction=0.5, seed=918273, household=None, weight=Variable(name="w"))
    assert "918273" not in repr(drawn)


@pytest.mark.parametrize("seed", [-918273, True, 91827.0, "918273", None])
def test_what_is_no_seed_is_refused_and_not_quoted(seed: object) -> None:
    with pytest.raises(UsageError, match="The seed of a toy must be a whole number") as error:
        check_seed(seed, "of a toy")
    assert "9182" not in str(error.value)
