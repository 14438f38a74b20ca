"""Packed codes are told apart and looked up exactly, in one word and in several."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from microsafe.risk.record import code_packing
from microsafe.risk.record.code_packing import Words, look_up, tell_apart

HASHES: dict[str, Callable[[Words], Words]] = {
    "usual": code_packing.hash_words,
    "many alike": lambda some: some[0] & np.uint64(1),
    "all alike": lambda some: np.zeros(some.shape[1], np.uint64),
}


@pytest.mark.parametrize("hashes", HASHES)
@pytest.mark.parametrize("rows", [2, 3])
def test_several_words(rows: int, hashes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_packing, "hash_words", HASHES[hashes])
    rng = np.random.default_rng(1)
    some = rng.integers(0, 4, (rows, 200), np.uint64)
    distinct, place = tell_apart(some)
    np.testing.assert_array_equal(distinct[:, place], some)
    known = [tuple(each) for each in distinct.T.tolist()]
    assert len(set(known)) == len(known)
    table = distinct[:, ::3]
    asked = rng.integers(0, 6, (rows, 300), np.uint64)
    found, position = look_up(asked, table)
    np.testing.assert_array_equal(table[:, position], asked[:, found])
    in_table = set(known[::3])
    expected = [i for i, each in enumerate(asked.T.tolist()) if tuple(each) in in_table]
    assert found.tolist() == expected


def test_nothing_is_found_in_an_empty_table() -> None:
    for asked in (np.arange(3, dtype=np.uint64), np.ones((2, 3), np.uint64)):
        found, position = look_up(asked, asked[..., :0])
        assert len(found) == len(position) == 0
