"""Minimal sample uniques against all subsets of keys, tried one by one."""

from __future__ import annotations

from itertools import combinations
from math import factorial, prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.errors import CancelledError, UsageError
from microsafe.risk.counts.uniques import correct_match, dis_scores
from oracle import compatible
from profiles import examples

Row = tuple[str | None, ...]


@st.composite
def files(draw: st.DrawFn, keys: int = 5) -> pl.DataFrame:
    count, rows = draw(st.integers(1, keys)), draw(st.integers(1, 14))
    values = st.sampled_from(["a", "b", "c"])
    if draw(st.booleans()):
        values = values | st.none()
    columns = {f"k{j}": draw(st.lists(values, min_size=rows, max_size=rows)) for j in range(count)}
    for column in columns.values():
        column[0] = column[0] or "a"
    return pl.DataFrame(columns, schema_overrides=dict.fromkeys(columns, pl.String))


def alone(record: Row, records: list[Row], keys: tuple[int, ...], *, category: bool) -> bool:
    """Whether no other record has the same values of some keys, or could have them."""
    some = [tuple(row[j] for j in keys) for row in (record, *records)]
    if category:
        return sum(row == some[0] for row in some[1:]) == 1
    return None not in some[0] and sum(compatible(some[0], row) for row in some[1:]) == 1


def msus(records: list[Row], most: int, *, category: bool) -> list[set[tuple[int, ...]]]:
    """The minimal sample uniques of every record."""
    found = []
    for record in records:
        sets = [
            keys
            for size in range(1, most + 1)
            for keys in combinations(range(len(record)), size)
            if alone(record, records, keys, category=category)
        ]
        found.append({s for s in sets if not any(set(t) < set(s) for t in sets)})
    return found


@given(files(), st.sampled_from(["wildcard", "category"]), st.sampled_from([None, 1, 2, 3, 9]))
@examples(150)
def test_brute_force(frame: pl.DataFrame, missing: str, max_size: int | None) -> None:
    keys = frame.columns
    study = ms.study(frame, keys=keys, missing=missing)  # type: ignore[arg-type]
    found = study.uniques(max_size=max_size)
    most = min(max_size or len(keys), len(keys))
    wanted = msus(frame.rows(), most, category=missing == "category")
    records = found.records()
    assert records["msus"].to_list() == [len(sets) for sets in wanted]
    assert records["smallest"].to_list() == [
        min((len(each) for each in sets), default=0) for sets in wanted
    ]
    assert len(found) == sum(len(sets) for sets in wanted)

    def worth(each: tuple[int, ...]) -> int:
        return prod(len(keys) - i for i in range(len(each), min(most, len(keys) - 1) + 1))

    scores = [sum(worth(each) for each in sets) for sets in wanted]
    assert records["score"].to_list() == scores
    for j, key in enumerate(keys):
        parts = [
            sum(worth(each) for each in sets if j in each) / (score or 1)
            for sets, score in zip(wanted, scores, strict=True)
        ]
        np.testing.assert_allclose(records[f"contribution_{key}"], parts, rtol=1e-15)
    sizes = [len(each) for sets in wanted for each in sets]
    assert found.by_size == {size: sizes.count(size) for size in sorted(set(sizes))}
    assert len(found.table()) == len(found)


def test_shares_of_the_score() -> None:
    """Three records: {a=2}; {b=3}, {c=6}; {a=1, b=0}, {a=1, c=0}."""
    frame = pl.DataFrame({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})
    found = ms.study(frame, keys=["a", "b", "c"]).uniques()
    assert found.records()["score"].to_list() == [2, 4, 2]
    assert found.by_key == {"a": 0.5, "b": 0.375, "c": 0.375}
    assert found.by_category("b") == {"3": 0.25, "0": 0.125}
    for key in "abc":
        assert sum(found.by_category(key).values()) == pytest.approx(found.by_key[key])
    rows = found.table().rows()
    assert ("2", None, None, 1) in rows
    assert ("1", "0", None, 2) in rows
    with pytest.raises(UsageError):
        found.by_category("d")


def test_missing_as_a_category_is_named_none() -> None:
    frame = pl.DataFrame({"a": ["x", "x", None], "b": ["u", "u", "u"]})
    assert len(ms.study(frame, keys=["a", "b"]).uniques()) == 0
    found = ms.study(frame, keys=["a", "b"], missing="category").uniques()
    assert found.by_category("a") == {None: 1.0}


def test_the_largest_size_scales_all_scores_alike() -> None:
    frame = ms.survey(households=200).frame
    keys = ["region", "sex", "age", "marital", "hsize"]
    study = ms.study(frame, keys=keys, weight="weight")
    whole, some = study.uniques(), study.uniques(max_size=3)
    sizes = whole.size
    assert len(some) == np.count_nonzero(sizes <= 3)
    assert some.by_size == {k: n for k, n in whole.by_size.items() if k <= 3}
    only_small = whole.records().filter(pl.col("msus") == some.records()["msus"])["score"]
    same = some.records().filter(pl.col("msus") == whole.records()["msus"])["score"]
    assert (only_small == same * factorial(5 - 3 - 1)).all()
    assert some.special < whole.special == whole.sample_uniques == some.sample_uniques


def test_dis_is_calibrated_on_the_file() -> None:
    study = ms.study(ms.survey().frame, keys=["region", "sex", "age"], weight="weight")
    found = study.uniques()
    weight = ms.survey().frame["weight"]
    assert found.fraction == pytest.approx(len(weight) / weight.sum(), rel=1e-12)
    dis = found.dis[found.dis > 0]
    assert len(dis) / np.sum(1 / dis) == pytest.approx(found.match, rel=1e-12)
    assert study.uniques(fraction=0.5).match > found.match
    assert ms.study(ms.survey().frame, keys=["region", "sex", "age"]).uniques().fraction == 0.01


def test_dis_at_the_ends() -> None:
    assert correct_match(0, 10, 0.1) == 0.0
    assert correct_match(10, 0, 0.1) == 1.0
    assert correct_match(5, 10, 1.0) == 1.0
    assert dis_scores(np.zeros(3), 0.0).tolist() == [0.0, 0.0, 0.0]
    assert dis_scores(np.array([0.0, 1.0, 6.0]), 1.0).tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"a": ["x"]}),
        pl.DataFrame({"a": ["x", "x"], "b": ["u", "u"]}),
        pl.DataFrame({"a": [str(i) for i in range(300)], "b": ["u"] * 300}),
        pl.DataFrame({"a": ["x", None, None], "b": [None, "u", None]}),
        pl.DataFrame({f"k{j}": [str(i % (j + 2)) for i in range(60)] for j in range(15)}),
    ],
    ids=["one record", "no uniques", "all unique", "missing everywhere", "15 keys"],
)
@pytest.mark.parametrize("missing", ["wildcard", "category"])
def test_extremes(frame: pl.DataFrame, missing: str) -> None:
    study = ms.study(frame, keys=frame.columns, missing=missing)  # type: ignore[arg-type]
    found = study.uniques(max_size=2)
    assert len(found.records()) == len(frame)
    assert repr(found)
    assert found.summary()["records"] == len(frame)
    assert all(0 <= share <= 1 for share in found.by_key.values())
    assert study.tabulation(dimensions=(1, 2)).records().height == len(frame)


def test_keys_of_more_than_64_bits() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({f"k{j}": rng.integers(0, 90, 200).astype(str) for j in range(12)})
    found = ms.study(frame, keys=frame.columns).uniques(max_size=1)
    counts = [frame[key].value_counts()["count"] for key in frame.columns]
    assert len(found) == sum(int((count == 1).sum()) for count in counts)


def test_what_is_refused() -> None:
    frame = ms.survey(households=20).frame
    study = ms.study(frame, keys=["region", "sex"], weight="weight")
    for wrong in ({"max_size": 0}, {"fraction": 0.0}, {"fraction": 1.5}):
        with pytest.raises(UsageError):
            study.uniques(**wrong)  # type: ignore[arg-type]
    for rule in ({"missing": "expected"}, {"alpha": 0.5}):
        with pytest.raises(UsageError, match="whole counts"):
            ms.study(frame, keys=["region"], **rule).uniques()  # type: ignore[arg-type]


def test_progress_and_cancel() -> None:
    study = ms.study(ms.survey(households=50).frame, keys=["region", "sex", "age", "marital"])
    told: list[tuple[str, float]] = []
    study.uniques(progress=lambda *each: told.append(each))
    search = [fraction for stage, fraction in told if stage == "searching combinations"]
    assert search == sorted(search)
    assert search[-1] == 1.0

    def stop(stage: str, fraction: float) -> None:
        if stage == "searching combinations":
            raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        study.uniques(progress=stop)


def test_order_of_rows_does_not_matter() -> None:
    frame = ms.survey(households=100).frame
    keys = ["region", "sex", "age", "marital"]
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=3)
    first, second = (
        ms.study(each, keys=keys, weight="weight").uniques() for each in (frame, shuffled)
    )
    assert first.summary() == second.summary()
    assert first.table().equals(second.table())
