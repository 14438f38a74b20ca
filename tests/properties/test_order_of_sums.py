"""Exact sums do not depend on the order of their terms, however unlike these are."""

from __future__ import annotations

import math
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from microsafe.sums import Exact

NUMBERS = st.lists(st.floats(1e-6, 1e15), min_size=1, max_size=60)


@given(NUMBERS, st.randoms(use_true_random=False))
def test_settled_numbers_add_up_alike_in_any_order(numbers: list[float], random: Random) -> None:
    settled = Exact.split(np.array(numbers)).settle()
    order = list(range(len(numbers)))
    random.shuffle(order)
    for part in (settled.high, settled.low):
        if part is not None:
            assert np.cumsum(part)[-1] == np.cumsum(part[order])[-1] == math.fsum(part)


@given(st.lists(st.floats(1, 1e6), min_size=1, max_size=60))
def test_nothing_is_lost_from_weights_as_surveys_have_them(weights: list[float]) -> None:
    settled = Exact.split(np.array(weights)).settle()
    assert settled.value.tolist() == weights
    group = np.zeros(len(weights), np.intp)
    total = settled.group(group, 1)
    assert total.value[0] == math.fsum(weights)
    assert total.add(total, times=0.0).value[0] == math.fsum(weights)
    assert total.add(total).value[0] == math.fsum([*weights, *weights])


def test_numbers_that_were_not_split_yet_are() -> None:
    settled = Exact(np.array([0.1, 2.0**52]), None).settle()
    assert settled.low is not None
    assert settled.value.tolist() == [0.1, 2.0**52]
