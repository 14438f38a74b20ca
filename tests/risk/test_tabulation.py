"""Exhaustive tabulation against tables made one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.errors import CancelledError, UsageError
from profiles import examples


@st.composite
def files(draw: st.DrawFn) -> pl.DataFrame:
    count, rows = draw(st.integers(1, 4)), draw(st.integers(1, 20))
    values = st.sampled_from(["a", "b", "c"]) | st.none()
    columns = {f"k{j}": draw(st.lists(values, min_size=rows, max_size=rows)) for j in range(count)}
    for column in columns.values():
        column[0] = column[0] or "a"
    weights = draw(st.lists(st.sampled_from([1.0, 3.0, 20.5]), min_size=rows, max_size=rows))
    overrides = dict.fromkeys(columns, pl.String)
    return pl.DataFrame(columns | {"w": weights}, schema_overrides=overrides)


@given(
    files(),
    st.sampled_from(["wildcard", "category"]),
    st.sets(st.integers(1, 4), min_size=1),
    st.sampled_from([(3, None), (None, 10.0), (2, 22.0)]),
)
@examples(120)
def test_brute_force(
    frame: pl.DataFrame,
    missing: str,
    dimensions: set[int],
    least: tuple[int | None, float | None],
) -> None:
    keys = frame.columns[:-1]
    count, weight = least
    if min(dimensions) > len(keys):
        return
    study = ms.study(frame, keys=keys, weight="w", estimator="cell", missing=missing)  # type: ignore[arg-type]
    found = study.tabulation(dimensions=dimensions, min_count=count, min_weight=weight)
    violations = np.zeros(len(frame), int)
    levels: dict[tuple[int, str, str | None], list[int]] = {}
    tables = []
    for size in sorted(dimensions):
        for names in combinations(keys, size):
            inside = frame if missing == "category" else frame.drop_nulls(names)
            cells = inside.group_by(names).agg(pl.len().alias("n"), pl.col("w").sum())
            low = (pl.col("n") < (count or 0)) | (pl.col("w") < (weight or 0.0))
            small = cells.filter(low)
            tables.append((names, len(cells), len(small), len(inside)))
            for place, row in enumerate(frame.select(names).rows()):
                violations[place] += row in small.select(names).rows()
            for key in names:
                for part, each in enumerate((cells, small)):
                    for category in each[key]:
                        levels.setdefault((size, key, category), [0, 0])[part] += 1
    assert [(t.keys, t.cells, t.violations, t.records) for t in found.tables] == tables
    assert found.records()["violations"].to_list() == violations.tolist()
    assert found.in_violation == np.count_nonzero(violations)
    ours = {tuple(row[:3]): list(row[3:5]) for row in found.cells_by_category().rows()}
    assert ours == levels
    by_key = {tuple(row[:2]): list(row[2:4]) for row in found.cells_by_key().rows()}
    for (size, key), figures in by_key.items():
        some = [each for (s, k, _), each in levels.items() if (s, k) == (size, key)]
        assert figures == [sum(each[0] for each in some), sum(each[1] for each in some)]
    for key, category, records, low_records, share in found.records_by_category().rows():
        which = frame[key].eq_missing(pl.Series([category], dtype=pl.String)).to_numpy()
        assert records == np.count_nonzero(which)
        assert low_records == np.count_nonzero(which & (violations > 0))
        assert share == low_records / records


def test_figures_for_people() -> None:
    frame = ms.survey(households=300).frame
    found = ms.study(
        frame, keys=["region", "sex", "age"], weight="weight", estimator="cell"
    ).tabulation()
    assert [len(each.keys) for each in found.tables] == [1, 1, 1, 2, 2, 2, 3]
    assert set(found.by_dimension) == {1, 2, 3}
    assert len(found.table()) == 7
    assert "3-way" in repr(found)
    summary = found.summary()
    assert set(summary) == {
        "records", "in_violation", "thresholds", "by_dimension", "prosecutor", "journalist",
    }  # fmt: skip
    assert summary["thresholds"] == {"count": 3, "weight": None}


def test_attackers() -> None:
    frame = pl.DataFrame({"a": ["x"] * 4 + ["y"], "w": [10.0] * 5})
    found = ms.study(frame, keys=["a"], weight="w", estimator="cell").tabulation(dimensions=1)
    prosecutor, journalist = found.prosecutor(0.25), found.journalist(0.2)
    assert (prosecutor.share, prosecutor.largest, prosecutor.average) == (0.2, 1.0, 0.4)
    assert journalist.share == 0.2
    assert journalist.largest == pytest.approx(float(ms.individual_risk(1.0, 10.0)))
    rows = found.risk_by_count().rows()
    assert [row[:2] for row in rows] == [(1.0, 1), (4.0, 5)]
    assert rows[-1][2] == pytest.approx(journalist.average * 5)


def test_what_is_refused() -> None:
    study = ms.study(ms.survey(households=20).frame, keys=["region", "sex"])
    for wrong in (
        {"dimensions": 0},
        {"dimensions": ()},
        {"dimensions": (3, 4)},
        {"min_count": None},
        {"min_count": 0},
        {"min_weight": 10.0},
    ):
        with pytest.raises(UsageError):
            study.tabulation(**wrong)  # type: ignore[arg-type]
    weighted = ms.study(
        ms.survey(households=20).frame, keys=["region"], weight="weight", estimator="cell"
    )
    with pytest.raises(UsageError):
        weighted.tabulation(min_weight=0.0)


def test_cancel() -> None:
    study = ms.study(ms.survey(households=20).frame, keys=["region", "sex"])

    def stop(stage: str, fraction: float) -> None:
        if stage == "tabulating":
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        study.tabulation(progress=stop)


def test_shares_of_sparse_cells_and_fractions_of_records() -> None:
    frame = pl.DataFrame({"a": ["x"] * 6 + ["y", None], "b": ["v"] * 2 + ["u"] * 6})
    found = ms.study(frame, keys=["a", "b"], alpha=0.5).tabulation()
    for each in found.by_dimension.values():
        assert each["share"] == each["violations"] / each["cells"]
    assert found.by_dimension[1]["cells"] > 1
    records = found.records()
    measured = ms.study(frame, keys=["a", "b"], alpha=0.5).risk().records()
    assert records["f"].to_list() == measured["f"].to_list()
    assert any(f % 1 for f in records["f"])
