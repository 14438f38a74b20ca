"""l-diversity and t-closeness against their definitions, record by record."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.errors import CancelledError, InputError, UsageError
from oracle import compatible
from profiles import examples

Row = tuple[str | None, ...]


@st.composite
def files(draw: st.DrawFn) -> pl.DataFrame:
    count, rows = draw(st.integers(1, 3)), draw(st.integers(1, 20))
    values = st.sampled_from(["a", "b"])
    if draw(st.booleans()):
        values = values | st.none()
    columns = {f"k{j}": draw(st.lists(values, min_size=rows, max_size=rows)) for j in range(count)}
    ills = st.sampled_from(["1", "2", "5", "10"]) | st.none()
    columns["ill"] = draw(st.lists(ills, min_size=rows, max_size=rows))
    for column in columns.values():
        column[0] = column[0] or "1"
    return pl.DataFrame(columns, schema_overrides=dict.fromkeys(columns, pl.String))


def classes(frame: pl.DataFrame, missing: str) -> list[Counter[str]]:
    """The values in the class of every record."""
    keys, values = frame.drop("ill").rows(), frame["ill"].to_list()
    found = []
    for record in keys:
        same = [
            value
            for other, value in zip(keys, values, strict=True)
            if (record == other if missing == "category" else compatible(record, other))
        ]
        found.append(Counter(value for value in same if value is not None))
    return found


def recursive(counts: list[int], c: float) -> int:
    held = [n for n in range(1, len(counts) + 1) if counts[0] < c * sum(counts[n - 1 :])]
    return max(held, default=0)


def shares(counts: Counter[str], values: list[str]) -> np.ndarray:
    return np.array([counts[value] for value in values]) / sum(counts.values())


@given(
    files(),
    st.sampled_from(["wildcard", "category"]),
    st.booleans(),
    st.sampled_from([0.5, 1, 2, 3]),
)
@examples(150)
def test_brute_force(frame: pl.DataFrame, missing: str, ordered: bool, c: float) -> None:
    study = ms.study(frame, keys=frame.columns[:-1], missing=missing)  # type: ignore[arg-type]
    found = study.diversity("ill", ordered=["ill"] if ordered else [], c=c)
    records = found.records()
    everybody = Counter(value for value in frame["ill"] if value is not None)
    values = sorted(everybody, key=int)
    for row, counts in zip(records.iter_rows(), classes(frame, missing), strict=True):
        distinct, entropy, largest, distance = row
        assert distinct == len(counts)
        if not counts:
            assert row == (0, 0.0, 0, 0.0)
            continue
        p, q = shares(counts, values), shares(everybody, values)
        assert math.log(entropy) == pytest.approx(-sum(x * math.log(x) for x in p if x), abs=1e-12)
        assert largest == recursive(sorted(counts.values(), reverse=True), c)
        if ordered:
            far = np.abs(np.cumsum(p - q)).sum() / max(len(values) - 1, 1)
        else:
            far = np.abs(p - q).sum() / 2
        assert distance == pytest.approx(far, abs=1e-12)


def test_salaries_of_the_paper() -> None:
    """The example of Li and others: salaries from 3k to 11k."""
    thousands = [3, 4, 5, 6, 11, 8, 7, 9, 10]
    frame = pl.DataFrame({"zip": ["1"] * 3 + ["2"] * 3 + ["3"] * 3, "salary": thousands})
    distance = (
        ms.study(frame, keys=["zip"]).diversity("salary", ordered="salary")["salary"].distance
    )
    assert distance[0] == pytest.approx(0.375)
    frame = frame.with_columns(pl.Series("zip", list("121222121")))
    assert 0 < ms.study(frame, keys=["zip"]).diversity("salary", ordered="salary")[
        "salary"
    ].distance.max() < 0.375  # fmt: skip


def test_figures_for_people() -> None:
    frame = ms.survey(households=200).frame
    study = ms.study(frame, keys=["region", "sex"], weight="weight", household="household")
    found = study.diversity(["marital", "income"], ordered=["income"], l=3, t=0.3)
    summary = found.summary()
    assert list(summary["sensitive"]) == ["marital", "income"]
    assert summary["sensitive"]["income"]["ordered"] is True
    records = found.records()
    assert summary["sensitive"]["marital"]["distinct"]["below"] == int(
        (records["marital_distinct"] < 3).sum()
    )
    assert summary["sensitive"]["income"]["distance"]["above"] == int(
        (records["income_distance"] > 0.3).sum()
    )
    assert "records below 3" in repr(found)
    with pytest.raises(UsageError):
        found["age"]


def test_three_equal_values_are_three() -> None:
    frame = pl.DataFrame({"a": ["x"] * 3, "ill": ["1", "2", "3"]})
    found = ms.study(frame, keys=["a"]).diversity("ill", l=3)
    assert found.figures("ill")["entropy"]["below"] == 0


def test_classes_without_a_value_give_nothing_away() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "y"], "ill": ["1", "2", None]})
    figures = ms.study(frame, keys=["a"]).diversity("ill").figures("ill")
    assert figures["distinct"] == {"min": 2, "below": 0}


def test_what_is_refused() -> None:
    frame = ms.survey(households=20).frame.with_columns(pl.lit(None, pl.String).alias("empty"))
    study = ms.study(frame, keys=["region", "sex"], weight="weight", household="household")
    for names in ([], ["sex"], ["weight"], ["household"]):
        with pytest.raises(UsageError):
            study.diversity(names)
    for wrong in ({"ordered": ["age"]}, {"l": 0}, {"c": 0.0}, {"t": 1.5}):
        with pytest.raises(UsageError):
            study.diversity("marital", **wrong)  # type: ignore[arg-type]
    for name in ("maritla", "empty"):
        with pytest.raises(InputError, match=name):
            study.diversity(name)


def test_cancel() -> None:
    frame = pl.DataFrame({"a": ["x", None, "y"], "ill": ["1", "2", "1"]})

    def stop(stage: str, fraction: float) -> None:
        if stage == "gathering sensitive values":
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        ms.study(frame, keys=["a"]).diversity("ill", progress=stop)
