"""Cross tables for tests of models."""

from __future__ import annotations

import numpy as np

from microsafe.risk.table.crosstable import CrossTable


def made(codes: np.ndarray, weight: np.ndarray) -> CrossTable:
    cells, place, count = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    levels = [np.unique(column, return_inverse=True) for column in cells.T]
    f = count.astype(np.float64)
    sums = np.bincount(place.ravel(), weight)
    return CrossTable(
        keys=tuple(f"k{j}" for j in range(codes.shape[1])),
        sizes=tuple(len(found) for found, _ in levels),
        codes=tuple(code for _, code in levels),
        f=f,
        weight=sums,
        fraction=min(1.0, f.sum() / sums.sum()),
        fractions=np.minimum(1.0, f / sums),
    )


def sample(sizes: tuple[int, ...], records: int, seed: int, *, equal: bool = False) -> CrossTable:
    """Records whose keys lean on the first one, with skewed categories."""
    rng = np.random.default_rng(seed)
    first = rng.choice(sizes[0], records, p=rng.dirichlet(np.ones(sizes[0])))
    columns = [first]
    for size in sizes[1:]:
        chance = rng.dirichlet(np.ones(size), sizes[0])
        edges = np.cumsum(chance, axis=1)[first]
        columns.append((rng.random(records)[:, None] > edges).sum(axis=1))
    weight = np.full(records, 20.0) if equal else rng.uniform(5, 40, records)
    return made(np.stack(columns, axis=1), weight)
