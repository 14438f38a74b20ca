"""People expected at merged levels, against sums over all cells of the model."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from microsafe.risk.model import group_means
from microsafe.risk.model.group_means import GroupedMeans
from microsafe.risk.model.marginal import Factor

SIZES = (4, 3, 5, 2, 3)
TERMS = ((0, 1), (1, 2), (2, 3), (0, 2, 4), (3,))


def make_tables(rng: np.random.Generator) -> list[Factor]:
    return [Factor(term, rng.uniform(0.5, 2.0, [SIZES[k] for k in term])) for term in TERMS]


def make_ladders(rng: np.random.Generator) -> list[list[np.ndarray]]:
    """Levels as they are but renumbered from 1, then two groups, for each key."""
    ladders = []
    for size in SIZES:
        first = 1 + rng.permutation(size)
        pairs = np.concatenate([[0], 1 + rng.integers(0, 2, size)])
        ladders.append([first, pairs[first]])
    return ladders


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("joined", "few"), [(1 << 19, 1 << 12), (20, 1 << 12), (20, 1), (1, 1)])
def test_means_of_merged_levels_are_sums_over_cells(
    seed: int, joined: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_means, "_JOINED", joined)
    monkeypatch.setattr(group_means, "_FEW", few)
    rng = np.random.default_rng(seed)
    tables, ladders = make_tables(rng), make_ladders(rng)
    counts = [[int(rung.max()) + 1 for rung in ladder] for ladder in ladders]
    whole = np.ones(SIZES)
    for keys, table in tables:
        whole = whole * table.reshape([SIZES[k] if k in keys else 1 for k in range(len(SIZES))])
    means = GroupedMeans(tables, SIZES, ladders, counts)
    for rungs in list(product(range(3), repeat=len(SIZES)))[seed::7]:
        sizes = [1 if rung == 2 else n[rung] for rung, n in zip(rungs, counts, strict=True)]
        codes = [rng.integers(0, size, 12) for size in sizes]
        found = means.at(rungs, codes, 12)
        for row in range(12):
            inside = [
                np.ones(size, bool) if rung == 2 else ladder[rung] == code[row]
                for size, rung, ladder, code in zip(SIZES, rungs, ladders, codes, strict=True)
            ]
            assert found[row] == pytest.approx(whole[np.ix_(*inside)].sum(), rel=1e-12)
