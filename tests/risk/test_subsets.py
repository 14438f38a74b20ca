"""Frequencies of cells seen by some of their keys, against a look at every pair of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.cells import Cells, number_words
from microsafe.risk.record import complete
from microsafe.risk.record.subset_frequencies import Subsets
from microsafe.sums import Exact


def make_cells(rng: np.random.Generator, sizes: list[int], rows: int, *, gaps: bool) -> Cells:
    codes = np.stack([rng.integers(0 if gaps else 1, size + 1, rows) for size in sizes])
    codes = np.unique(codes, axis=1).astype(np.uint32)
    count = rng.integers(1, 4, (codes.shape[1],))
    return Cells(
        keys=tuple(f"k{j}" for j in range(len(sizes))),
        categories=tuple(tuple(map(str, range(size))) for size in sizes),
        codes=tuple(codes),
        count=count,
        weights=Exact.split(count * rng.integers(1, 9, codes.shape[1]).astype(float)),
    )


def look_at_pairs(cells: Cells, asking: Cells, masks: np.ndarray) -> np.ndarray:
    ours, theirs = np.stack(cells.codes), np.stack(asking.codes)
    result = []
    for column, mask in zip(theirs.T, masks.tolist(), strict=True):
        agree = np.ones(len(cells), np.bool_)
        for j, code in enumerate(column.tolist()):
            if mask >> j & 1 and code:
                agree &= (ours[j] == code) | (ours[j] == 0)
        result.append((cells.count[agree].sum(), cells.weight[agree].sum()))
    return np.array(result, float).T.reshape(2, -1)


@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([None, "others", "others with gaps"]),
    st.sampled_from([0, 3, 10**6]),
    st.sampled_from([0, 2]),
)
def test_frequencies_by_any_keys(
    seed: int, gaps: bool, who: str | None, sifting: int, narrowing: int
) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, int(rng.integers(1, 6))).tolist()
    cells = make_cells(rng, sizes, int(rng.integers(1, 60)), gaps=gaps)
    other = None if who is None else make_cells(rng, sizes, 30, gaps=who.endswith("gaps"))
    asking = cells if other is None else other
    rows = rng.permutation(len(asking))[: int(rng.integers(0, len(asking) + 1))]
    masks = rng.integers(0, 1 << len(sizes), len(asking))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(complete, "_WORTH_SIFTING", sifting)
        patch.setattr(complete, "_WORTH_NARROWING", narrowing)
        patch.setattr(complete, "_MANY", 0)
        made = Subsets(cells, asking=other)
        found = made.frequencies(rows, masks[rows])
        alike = made.frequencies(rows, 1)
    assert np.array_equal(found, look_at_pairs(cells, asking, masks)[:, rows])
    one = np.ones(len(asking), np.int64)
    assert np.array_equal(alike, look_at_pairs(cells, asking, one)[:, rows])


def test_sets_that_nobody_asks_about_are_not_visited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complete, "_MANY", 0)
    cells = make_cells(np.random.default_rng(1), [3, 4, 2], 20, gaps=False)
    sets = [0b001, 0b010, 0b110, 0b111]
    done: list[int] = []

    def asking(some: list[int]) -> np.ndarray:
        return np.arange(len(cells) if set(some) - {0b010} else 0)

    for _, dropped in Subsets(cells).walk(sets, asking, keys=-1):  # type: ignore[arg-type]
        done.append(dropped)
    assert sorted(done) == [0b001, 0b110, 0b111]


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=40))
def test_words_are_numbered_by_their_size(words: list[int]) -> None:
    given_words = np.array(words, np.uint64)
    distinct, place = np.unique(given_words, return_inverse=True)
    group, size = number_words(given_words)
    assert group.tolist() == place.tolist()
    assert size == len(distinct)
