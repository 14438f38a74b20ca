"""Figures of a comparison against slow and obvious counting."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microsafe.compare import Comparison, compare
from microsafe.engine.local import LocalEngine
from microsafe.errors import UsageError
from microsafe.io import Source
from microsafe.options.scenario import Scenario
from microsafe.schema import Schema, Variable

KINDS = {pl.String: "text", pl.Int64: "integer", pl.Float64: "number"}


def engine(frame: pl.DataFrame, labels: dict[str, dict[int, str]] | None = None) -> LocalEngine:
    schema = Schema(
        source="test.csv",
        variables=tuple(
            Variable(
                name=name,
                kind=KINDS.get(type(kind), KINDS.get(kind, "text")),
                labels=(labels or {}).get(name, {}),
            )
            for name, kind in frame.schema.items()
        ),
    )
    return LocalEngine(Source(schema=schema, load=frame.select, columnar=True))


def compared(
    before: pl.DataFrame, after: pl.DataFrame, keys="ab", weight="w", **more
) -> Comparison:
    scenario = Scenario(keys=tuple(keys), weight=weight, estimator="cell")
    return compare(engine(before), engine(after), [scenario], **more)


def a_file(seed: int, rows: int = 60) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A random file, and the same with blanks, one recoded and one top-coded variable."""
    rng = np.random.default_rng(seed)

    def holes(column: pl.Series, share: float) -> pl.Series:
        return pl.select(pl.when(pl.Series(rng.random(rows) >= share)).then(column)).to_series()

    before = pl.DataFrame(
        {
            "a": holes(pl.Series(rng.choice(["x", "y", "z"], rows)), 0.1),
            "b": holes(pl.Series(rng.integers(0, 6, rows)), 0.1),
            "c": pl.Series(rng.integers(1, 5, rows)),
            "v": holes(pl.Series(rng.lognormal(3, 1, rows)), 0.1),
            "w": pl.Series(rng.uniform(1, 9, rows)),
        }
    )
    after = before.with_columns(
        holes(before["a"], 0.3).alias("a"),
        holes(before["b"].clip(upper_bound=4), 0.2).alias("b"),
        (before["c"] // 3 + 1).alias("c"),
    )
    return before, after


def bits(weights) -> float:
    weights = [each for each in weights if each > 0]
    whole = sum(weights)
    return -sum(each / whole * math.log2(each / whole) for each in weights)


def released(name: str, value: Any) -> Any:
    """What a value before is released as, unless it is blank."""
    return {"b": lambda v: min(v, 4), "c": lambda v: v // 3 + 1}.get(name, lambda v: v)(value)


@pytest.mark.parametrize("seed", range(8))
def test_losses(seed):
    before, after = a_file(seed)
    result = compared(before, after, keys="abc")
    for loss in result.losses:
        old, new = before[loss.name].to_list(), after[loss.name].to_list()
        known = [i for i, each in enumerate(old) if each is not None]
        assert loss.known == len(known)
        assert loss.blanks == sum(new[i] is None for i in known)
        assert loss.replaced == sum(new[i] is not None and new[i] != old[i] for i in known)
        assert loss.categories == len({old[i] for i in known})
        assert loss.categories_after == len(set(new) - {None})
        # b is top-coded at 4 and c halved: what is released means all that became it.
        share = Counter(old[i] for i in known)
        means = Counter(released(loss.name, old[i]) for i in known)
        lost = [
            math.log2(len(known) / share[old[i]])
            if new[i] is None
            else math.log2(means[new[i]] / share[old[i]])
            for i in known
        ]
        assert loss.entropy == pytest.approx(bits(share.values()))
        assert loss.lost == pytest.approx(sum(lost) / len(known))
        assert 0 <= loss.lost_share <= 1 + 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_touched_and_groups(seed):
    before, after = a_file(seed)
    result = compared(before, after, keys="abc")
    weight = before["w"].to_list()
    names = ["a", "b", "c"]
    old, new = before.select(names).rows(), after.select(names).rows()
    hit = [i for i in range(len(old)) if old[i] != new[i]]
    assert result.touched.records == len(hit)
    assert result.touched.values == sum(
        x != y for i in hit for x, y in zip(old[i], new[i], strict=True)
    )
    assert result.touched.cells == len({old[i] for i in hit})
    assert result.touched.all_cells == len(set(old))
    assert result.touched.weight == pytest.approx(sum(weight[i] for i in hit) / sum(weight))
    expected = {}
    for j, name in enumerate(names):
        for k, by in enumerate(names):
            known = Counter(o[k] for o in old if o[j] is not None and o[k] is not None)
            blank = Counter(
                o[k]
                for o, n in zip(old, new, strict=True)
                if o[j] is not None and n[j] is None and o[k] is not None
            )
            expected |= {(name, by, str(c)): (known[c], blank[c]) for c in blank}
    got = {(g.name, g.by, g.category): (g.known, g.blanks) for g in result.groups}
    assert got == expected
    shares = [group.share for group in result.groups]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("seed", range(8))
def test_tables(seed):
    before, after = a_file(seed, rows=200)
    result = compared(before, after, keys="abc")
    weight = before["w"].to_list()
    wanted = [("a",), ("b",), ("c",), ("a", "b"), ("a", "c"), ("b", "c")]
    assert [table.names for table in result.tables] == wanted
    for table in result.tables:
        sides = []
        for frame in (before, after):
            sums: dict = defaultdict(float)
            for row, each in zip(frame.select(table.names).rows(), weight, strict=True):
                if None not in row:
                    both = zip(table.names, row, strict=True)
                    sums[tuple(released(*one) for one in both) if frame is before else row] += each
            sides.append(sums)
        old, new = sides
        total = [sum(side.values()) for side in sides]
        cells = set(old) | set(new)
        p = {cell: old[cell] / total[0] for cell in cells}
        q = {cell: new[cell] / total[1] for cell in cells}
        change = {cell: abs(p[cell] - q[cell]) for cell in cells}
        assert table.cells == len(cells)
        assert table.largest == pytest.approx(max(change.values()))
        assert table.mean == pytest.approx(sum(change.values()) / len(cells))
        assert table.lost == pytest.approx(1 - total[1] / total[0])
        overlap = sum(math.sqrt(p[cell] * q[cell]) for cell in cells)
        assert table.hellinger == pytest.approx(math.sqrt(max(0.0, 1 - overlap)), abs=1e-7)
        if max(change.values()):
            worst = tuple(int(v) if v.isdigit() else v for v in table.where)
            assert change[worst] == pytest.approx(max(change.values()))
        assert table.recoded == tuple(name for name in table.names if name != "a")
    for name, many in {"b": 5, "c": 2}.items():
        told = f"{name} was recoded: tables compare the categories released ({many})"
        assert any(told in note for note in result.notes)


def test_exchanged_categories_are_compared_where_they_agree():
    before = pl.DataFrame({"a": ["1", "2", "2", "3", "3", "4"]})
    after = pl.DataFrame({"a": ["1", "2", "3", "3", "2", "4"]})
    result = compared(before, after, keys="a", weight=None)
    assert [table.recoded for table in result.tables] == [("a",)]
    assert result.tables[0].cells == 3
    assert any(
        "changed: tables compare the categories that still agree (2)" in n for n in result.notes
    )
    swapped = pl.DataFrame({"a": ["2", "1", "2", "3", "4", "3"]})
    result = compared(before, swapped, keys="a", weight=None)
    assert result.tables == ()
    assert any("no category agrees" in note for note in result.notes)


@pytest.mark.parametrize("seed", range(8))
def test_means(seed):
    before, after = a_file(seed, rows=200)
    after = after.with_columns(v=(pl.col("v") / 5).round() * 5)
    result = compared(before, after, keys="abc", numbers=["v"])
    assert [each.by for each in result.means] == ["", "a", "b", "c"]
    weight = before["w"].to_list()
    for means in result.means:
        figures = []
        for frame in (before, after):
            sums: dict = defaultdict(lambda: [0.0, 0.0, 0])
            by = frame[means.by].to_list() if means.by else [""] * len(frame)
            for value, category, each in zip(frame["v"].to_list(), by, weight, strict=True):
                if value is not None and category is not None:
                    at = sums[str(released(means.by, category) if frame is before else category)]
                    at[0] += each * value
                    at[1] += each
                    at[2] += 1
            figures.append(sums)
        for domain in means.domains:
            old, new = (figure[domain.category] for figure in figures)
            assert domain.records == old[2]
            assert domain.total == pytest.approx((old[0], new[0]))
            assert domain.mean == pytest.approx((old[0] / old[1], new[0] / new[1]))
            assert domain.mean_change == pytest.approx(new[0] / new[1] / (old[0] / old[1]) - 1)


def test_nothing_changed():
    before, _ = a_file(1)
    result = compared(before, before, by=["c"])
    assert result.blanks == result.touched.values == result.touched.records == 0
    assert result.groups == ()
    assert all(loss.lost == 0 for loss in result.losses)
    assert all(table.hellinger == table.largest == 0 for table in result.tables)
    assert [t.names for t in result.tables[3:]] == list(combinations("abc", 2))
    assert result.notes == ()
    assert "0 values suppressed" in repr(result)


@given(st.integers(0, 10_000))
def test_blanking_more_never_gives_information_back(seed):
    before, after = a_file(seed, rows=40)
    more = after.with_columns(a=pl.when(pl.Series(np.arange(40) % 3 > 0)).then(pl.col("a")))
    some, many = compared(before, after).losses[0], compared(before, more).losses[0]
    assert many.blanks >= some.blanks
    assert many.lost >= some.lost - 1e-12


def test_whole_numbers_that_become_fractions_are_the_same_numbers():
    before = pl.DataFrame({"a": [1, 2, 3, 4]})
    after = pl.DataFrame({"a": [1.0, 2.0, 3.0, 4.5]})
    loss = compared(before, after, keys="a", weight=None).losses[0]
    assert (loss.replaced, loss.agreeing) == (1, 3)


def test_a_recode_to_small_numbers_is_not_taken_for_agreement():
    before = pl.DataFrame({"a": ["1", "2", "3", "4"]})
    after = pl.DataFrame({"a": ["1", "1", "2", "2"]})
    result = compared(before, after, keys="a", weight=None)
    assert result.losses[0].agreeing == 0
    assert result.losses[0].lost == pytest.approx(1.0)
    assert [(table.cells, table.hellinger) for table in result.tables] == [(2, 0.0)]


def test_dropped_and_changed_variables_are_found():
    before, after = a_file(3)
    result = compared(before, after.drop("b"), keys="ab")
    assert result.dropped == ("b",)
    lost = {loss.name: loss for loss in result.losses}
    assert lost["b"].dropped
    assert lost["b"].lost_share == pytest.approx(1.0)
    assert lost["b"].blanks == 0
    assert not lost["c"].key  # changed, so it is shown though nobody named it
    assert any("b was dropped" in note for note in result.notes)


def test_numeric_variables_are_found_and_categories_are_not():
    before, after = a_file(3)
    assert {means.name for means in compared(before, after).means} == {"v"}
    text = after.with_columns(pl.lit("0-10").alias("v"))
    assert any("v does not hold numbers" in note for note in compared(before, text).notes)


def test_numbers_are_compared_by_means_not_by_tables():
    before, after = a_file(3)
    result = compared(before, after.with_columns(pl.col("v").round()))
    assert ("v",) not in [table.names for table in result.tables]
    assert "v" in [loss.name for loss in result.losses]
    assert any("v has new numbers" in note for note in result.notes)


@pytest.mark.parametrize("kind", [pl.Int64, pl.Float64])
def test_numbers_of_records_are_neither_measured_nor_compared(kind):
    before, after = a_file(3)
    number = pl.Series("nr", np.arange(60)).cast(kind)
    result = compared(before.with_columns(number), after.with_columns(number.reverse()))
    assert "nr" not in {each.name for each in (*result.losses, *result.means)}


def test_labels_are_shown_beside_codes():
    before = pl.DataFrame({"a": [1, 1, 2, 2]})
    after = pl.DataFrame({"a": [1, 1, 2, None]})
    labels = {"a": {1: "north", 2: "south"}}
    result = compare(engine(before, labels), engine(after, labels), [Scenario(keys=("a",))])
    assert result.groups[0].category == "2 south"


def test_records_must_be_the_same():
    before, after = a_file(1)
    with pytest.raises(UsageError, match="60 records before and 59 after"):
        compared(before, after.head(59))


@given(st.integers(0, 10_000))
def test_the_order_of_the_records_does_not_show(seed):
    before, after = a_file(seed)
    after = after.with_columns(v=pl.col("v").round() * 5)
    order = np.random.default_rng(seed).permutation(len(before))
    found = compared(before[order], after[order]).summary()
    assert found == compared(before, after).summary()


def test_a_variable_of_many_values_is_grouped_by_itself():
    before, after = a_file(3, rows=3000)
    town = [f"{place // 2}" for place in range(3000)]
    before = before.with_columns(pl.Series("town", town))
    few = after.with_columns(pl.Series("town", [each if int(each) < 9 else "x" for each in town]))
    result = compared(before, few)
    loss = next(each for each in result.losses if each.name == "town")
    assert (loss.categories, loss.categories_after, loss.agreeing) == (1500, 10, 9)
    assert loss.replaced == 3000 - 18
    assert result.touched.records >= 3000 - 18
    assert ("town",) in [table.names for table in result.tables]
    gone = after.with_columns(pl.Series("town", [*town[:30], *[None] * 2970]))
    result = compared(before, gone)
    assert {(g.by, g.category) for g in result.groups if g.name == "town"} >= {("a", "x")}
    assert ("town",) not in [table.names for table in result.tables]  # of 1500 rows


@pytest.mark.parametrize("value", [float("inf"), -1e300])
def test_numbers_that_have_no_exact_sum(value):
    before, after = a_file(3)
    far = before.with_columns(pl.when(pl.int_range(60) == 7).then(value).otherwise("v").alias("v"))
    whole = next(each for each in compared(far, after).means if not each.by)
    assert whole.domains[0].total[0] == pytest.approx(value * before["w"][7])


def test_summary_is_json_and_the_page_is_short():
    before, after = a_file(2)
    result = compared(before, after, by=["c"])
    text = json.dumps(result.summary(), allow_nan=False)
    assert json.loads(text)["blanks"] == result.blanks
    assert len(repr(result).splitlines()) <= 45
    assert max(map(len, repr(result).splitlines())) <= 200


def test_hostile_names_are_harmless_in_text_and_picture(tmp_path):
    name = "$\\frac{\x1b[31m\n" + "x" * 80
    before, after = a_file(2)
    result = compared(before.rename({"a": name}), after.rename({"a": name}), keys=[name, "b"])
    assert "\x1b" not in repr(result)
    left, _ = result.plot()
    left.figure.savefig(tmp_path / "cost.svg")


def test_blanks_of_many_records():
    rng = np.random.default_rng(1)
    rows = 150_000
    sizes = {"a": 2, "b": 12, "c": 100}
    before = pl.DataFrame(
        {name: rng.integers(0, size, rows) for name, size in sizes.items()}
        | {"w": rng.uniform(1, 300, rows), "v": rng.lognormal(7, 1, rows)}
    )
    shown = pl.Series(rng.random(rows) > 0.05)
    after = before.with_columns(pl.when(shown).then(pl.col("c") // 5).alias("c"))
    result = compared(before, after, keys="abc")
    assert result.losses[2].blanks == rows - int(shown.sum())
