"""What a variable tells of a key: compared with a count by dictionaries, record by record."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

import numpy as np
import pytest

from microsafe.risk.counts.telling import ChangedKey, group_codes, join_codes

Records = list[tuple[int, int, int, int]]  # original, released, code, half


def find_mode(values: Sequence[int]) -> int:
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))


def measure_by_hand(records: Records, *, perturbed: bool) -> tuple[float, float]:
    """Guess each record by the other half, as an intruder who knew that half would."""
    known = [record for record in records if record[0]]
    taught: dict[Hashable, list[int]] = defaultdict(list)
    for truth, released, code, half in known:
        for lesson in (("all", half), ("shown", released, half), ("both", released, code, half)):
            taught[lesson].append(truth)
        taught["code", code, half].append(truth)
    up = down = hidden = 0
    for truth, released, code, half in known:
        other = 1 - half
        blind = taught.get(("shown", released, other)) or taught.get(("all", other)) or [0]
        better = taught.get(("both", released, code, other))
        if not better and (released == 0 or perturbed):
            better = taught.get(("code", code, other))
        right = find_mode(better or blind) == truth
        without = find_mode(blind) == truth
        up, down = up + (right and not without), down + (without and not right)
        hidden += not without
    share = (up - down) / hidden if hidden else 0.0
    return share, (up - down) / max(math.sqrt(up + down), 1.0)


@pytest.mark.parametrize("seed", range(60))
def test_it_is_what_counting_by_hand_gives(seed: int) -> None:
    draw = np.random.default_rng(seed)
    n, k, v = (int(draw.integers(1, most)) for most in (60, 7, (3, 20, 200)[seed % 3]))
    truth = draw.integers(0, k + 1, n)
    released = np.where(draw.random(n) < 0.3, 0, truth // 2 + 1)
    codes = np.where(draw.random(n) < 0.5, truth % (v + 1), draw.integers(0, v + 1, n))
    half = draw.integers(0, 2, n)
    records: Records = list(
        zip(truth.tolist(), released.tolist(), codes.tolist(), half.tolist(), strict=True)
    )
    for perturbed in (False, True):
        key = ChangedKey.of_records(truth, released, half, perturbed=perturbed)
        wanted = measure_by_hand(records, perturbed=perturbed)
        assert key.measure(codes) == pytest.approx(wanted)


def test_a_stratum_gives_the_region_back_and_chance_nothing() -> None:
    draw = np.random.default_rng(1)
    region = draw.integers(1, 21, 5000)
    key = ChangedKey.of_records(region, (region + 6) // 7, draw.integers(0, 2, 5000))
    assert key.measure(region * 10 + 1)[0] == 1.0
    assert key.measure(region * 10 + draw.integers(0, 10, 5000))[0] == 1.0
    share, z = key.measure(draw.integers(1, 4000, 5000))
    assert share < 0.05
    assert z < 4


def test_an_equal_code_list_tells_what_was_never_seen() -> None:
    draw = np.random.default_rng(2)
    town = draw.permutation(np.arange(1, 2001))
    key = ChangedKey.of_records(town, np.zeros(2000, np.int64), draw.integers(0, 2, 2000))
    names = np.arange(2001)[::-1].copy()  # code 2000 of the variable is code 0 of the key: none
    assert key.measure(2000 - town)[0] < 0.01
    assert key.measure(2000 - town, names)[0] > 0.99


def test_groups_are_of_about_equal_size_and_joint_codes_tell_pairs_apart() -> None:
    codes = np.repeat(np.arange(101), 10)
    groups = group_codes(codes)
    assert groups[codes == 0].max() == 0
    assert np.bincount(groups)[1:].tolist() == [50] * 20
    one, other = np.arange(3000) % 2000, np.arange(3000) % 3
    joint = join_codes(one * 1000, other)
    assert len(np.unique(joint)) == len({*zip(one.tolist(), other.tolist(), strict=True)})
