"""What models of the table cost, as it grows."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import numpy as np
import polars as pl

from measure import table


def models(_: Path, scale: float) -> None:
    """Fit all-two-way models of growing tables, and search among ten keys."""
    from microsafe import study
    from microsafe.risk.model.terms import search_terms
    from microsafe.risk.table.crosstable import CrossTable
    from microsafe.risk.table.loglinear import all_terms, fit
    from populations import mixture

    def table_of(sizes: tuple[int, ...]) -> CrossTable:
        codes = mixture(sizes, int(scale * 1_000_000), 1)
        drawn = np.random.default_rng(2).permutation(len(codes))[: len(codes) // 50]
        keys = [f"k{place}" for place in range(len(sizes))]
        frame = pl.DataFrame({key: codes[drawn, j] for j, key in enumerate(keys)})
        data = study(frame.cast(pl.String), keys=keys)
        return CrossTable.of(data.engine.cells(data.scenario()), fraction=1 / 50)

    rows = []
    for sizes, aim in (((10,) * 6, "0.3"), ((10,) * 7, "0.5"), ((9,) * 9, "3")):
        laid = table_of(sizes)
        start = time.process_time()
        found = fit(laid, all_terms(len(sizes), 2))
        spent = time.process_time() - start
        rows.append(
            (
                f"{laid.cells:.1e}",
                f"{len(found.distances)}",
                f"{spent:.2f}",
                aim,
                f"{found.cell.tau2:,.0f}",
            )
        )
    head = ("cells", "rounds", "CPU s", "aim", "tau2")
    table("all-two-way models, 20,000 records, criteria included", head, rows)
    laid = table_of((8, 6, 9, 7, 5, 8, 10, 6, 8, 5))
    start = time.process_time()
    terms = search_terms(laid.as_counted()).additions
    spent = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    row = (f"{laid.cells:.1e}", f"{len(terms)}", f"{spent:.1f}", "30", f"{peak:.2f}")
    table("search among ten keys", ("cells", "terms", "CPU s", "aim", "peak GB"), [row])
