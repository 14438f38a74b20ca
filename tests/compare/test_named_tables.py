"""Tables that were asked for, and groups hit hardest, against counting one record at a time."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.compare import Comparison, TableGrid, compare, read_tables
from microsafe.compare.tables import MOST_COLUMNS, MOST_ROWS
from microsafe.datasets import survey
from microsafe.errors import InputError, UsageError

MERGED = {"a": "ab", "b": "ab", "c": "c"}


def frames(seed: int, rows: int = 300) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(seed)

    def letters(alphabet: str) -> list[str | None]:
        return [None if rng.random() < 0.05 else str(rng.choice([*alphabet])) for _ in range(rows)]

    before = pl.DataFrame(
        {
            "g": letters("abc"),
            "s": letters("xy"),
            "t": letters("pqrs"),
            "w": 1 + 9 * rng.random(rows),
            "n": rng.normal(size=rows),
        }
    )
    blank = pl.lit(None, pl.String)
    after = before.with_columns(
        g=pl.when(pl.Series(rng.random(rows) < 0.2))
        .then(blank)
        .otherwise(pl.col("g").replace(MERGED)),
        t=pl.when(pl.Series(rng.random(rows) < 0.1)).then(blank).otherwise(pl.col("t")),
    )
    return before, after


def compared(before: pl.DataFrame, after: pl.DataFrame, **more: Any) -> Comparison:
    old, new = (
        ms.study(each, keys=["g", "s"], weight="w", estimator="cell") for each in (before, after)
    )
    return compare(old.engine, new.engine, old.scenarios, **more)


def shares(frame: pl.DataFrame, names: tuple[str, ...], *, weighted: bool) -> dict[Any, float]:
    cells: dict[Any, float] = defaultdict(float)
    for row in frame.rows(named=True):
        place = tuple(MERGED.get(row[name], row[name]) for name in names)
        if None not in place:
            cells[place] += row["w"] if weighted else 1.0
    whole = sum(cells.values())
    return {place: value / whole for place, value in cells.items()}


@pytest.mark.parametrize("names", [("t",), ("g", "t"), ("t", "s"), ("g", "s", "t")])
def test_cells_are_counted(names: tuple[str, ...]) -> None:
    before, after = frames(len(names))
    (table,) = compared(before, after, tables=[names]).named_tables()
    grid = table.grid
    assert grid is not None
    assert table.names == names
    assert grid.is_whole
    assert grid.rest == (0.0, 0.0)
    for weighted, sides in (
        (True, (grid.before, grid.after)),
        (False, (grid.plain_before, grid.plain_after)),
    ):
        old, new = (shares(each, names, weighted=weighted) for each in (before, after))
        for found, expected in zip(sides, (old, new), strict=True):
            assert found is not None
            made = {
                tuple(" · ".join(filter(None, (row, column))).split(" · ")): value
                for row, line in zip(grid.rows, found, strict=True)
                for column, value in zip(grid.columns, line, strict=True)
                if value
            }
            assert made == pytest.approx(expected)
        figures = table if weighted else table.plain
        assert figures is not None
        gaps = {each: abs(old.get(each, 0) - new.get(each, 0)) for each in {*old, *new}}
        assert figures.largest == pytest.approx(max(gaps.values()))
        assert gaps[figures.where] == pytest.approx(figures.largest)
        assert figures.mean == pytest.approx(sum(gaps.values()) / len(gaps))
        assert figures.hellinger == pytest.approx(
            math.sqrt(
                sum(
                    (math.sqrt(old.get(each, 0)) - math.sqrt(new.get(each, 0))) ** 2
                    for each in gaps
                )
                / 2
            )
        )


def test_without_a_weight_there_is_one_kind_of_share() -> None:
    before, after = frames(4)
    old, new = (ms.study(each, keys=["g"]) for each in (before, after))
    (table,) = compare(old.engine, new.engine, old.scenarios, tables=[("g", "t")]).named_tables()
    assert table.plain is None
    assert table.grid is not None
    assert table.grid.plain_before is None
    expected = shares(before, ("g", "t"), weighted=False)
    assert sum(map(sum, table.grid.before)) == pytest.approx(1.0)
    assert table.grid.before[0][0] == pytest.approx(expected["ab", "p"])


def test_a_table_is_there_once_as_it_was_asked_for() -> None:
    before, after = frames(5)
    result = compared(before, after, tables=[("s", "g"), ("g", "s", "t"), ("g",)])
    assert [each.names for each in result.named_tables()] == [("s", "g"), ("g", "s", "t"), ("g",)]
    assert [each.names for each in result.two_way()] == [("s", "g")]
    assert sorted(each.names for each in result.one_way()) == [("g",), ("s",), ("t",)]
    assert all(each.grid is not None for each in result.one_way())
    assert not any(each.named for each in result.tables if each.names in (("s",), ("t",)))
    json.dumps(result.summary(), allow_nan=False)


def test_a_large_table_shows_what_changed_most() -> None:
    rng = np.random.default_rng(6)
    rows = 4000
    before = pl.DataFrame(
        {
            "g": [f"{each:03}" for each in rng.integers(0, 90, rows)],
            "s": [f"{each:02}" for each in rng.integers(0, 40, rows)],
            "w": rng.random(rows) + 1,
        }
    )
    hit = (pl.col("g") < "010") & (pl.int_range(pl.len()) % 3 == 0)
    after = before.with_columns(g=pl.when(hit).then(None).otherwise(pl.col("g")))
    (table,) = compared(before, after, tables=[("g", "s")]).named_tables()
    grid = table.grid
    assert isinstance(grid, TableGrid)
    assert (len(grid.rows), len(grid.columns)) == (MOST_ROWS, MOST_COLUMNS)
    assert (grid.all_rows, grid.all_columns) == (90, 40)
    assert not grid.is_whole
    assert list(grid.rows) == sorted(grid.rows)
    assert {f"{each:03}" for each in range(10)} <= {*grid.rows}
    old = shares(before, ("g", "s"), weighted=True)
    shown = sum(old.get((row, column), 0) for row in grid.rows for column in grid.columns)
    assert grid.rest[0] == pytest.approx(1 - shown)
    assert grid.changes[0][0] == pytest.approx(grid.after[0][0] - grid.before[0][0])


def test_bins_are_in_the_order_of_their_numbers() -> None:
    study = ms.study(
        ms.survey(1, households=300).frame,
        keys=["region", "age"],
        weight="weight",
        estimator="cell",
    )
    done = study.recode("age", breaks=(5, 15, 65)).suppress(k=3)
    (table,) = done.compare(tables="region,age").named_tables()
    assert table.grid is not None
    assert table.grid.columns == ("under 5", "5-14", "15-64", "65+")
    assert table.recoded == ("age",)


def test_tables_as_people_write_them() -> None:
    assert read_tables("region, age") == (("region", "age"),)
    assert read_tables(["region,age", ["a,b", "c"], "region,age"]) == (
        ("region", "age"),
        ("a,b", "c"),
    )
    for bad, words in ((",", "names of its variables"), ([[]], "names"), ("a,b,a", "twice")):
        with pytest.raises(UsageError, match=words):
            read_tables(bad)


def test_what_makes_no_table() -> None:
    before, after = frames(7)
    with pytest.raises(InputError, match=r"'n' holds numbers.*Recode it into bins"):
        compared(before, after, tables=[("g", "n")])
    with pytest.raises(InputError, match="has no variable 'nothing'"):
        compared(before, after, tables=[("nothing",)])
    many = [each.with_columns(t=pl.int_range(pl.len()).cast(pl.String)) for each in (before, after)]
    wide = [
        pl.concat([each] * 4).with_columns(t=pl.int_range(pl.len()).cast(pl.String))
        for each in many
    ]
    with pytest.raises(InputError, match="more than 1,000 categories"):
        compared(*wide, tables=[("t",)])
    gone = compared(before, after.drop("t"), tables=[("g", "t")])
    assert gone.named_tables() == ()
    assert "The table g x t cannot be made any more: t was dropped." in gone.notes
    bins = pl.Series(["low" if each < 0 else "high" for each in before["n"]])
    (table,) = compared(before, after.with_columns(n=bins), tables=[("n",)]).named_tables()
    assert table.grid is not None
    assert table.grid.rows == ("low", "high")  # as their numbers are


def test_exchanged_categories_are_taken_for_what_they_are_called() -> None:
    before, _ = frames(8)
    after = before.with_columns(t=pl.col("t").sample(fraction=1.0, shuffle=True, seed=1))
    result = compared(before, after, tables=[("t", "s")])
    (table,) = result.named_tables()
    assert table.grid is not None
    old, new = (shares(each, ("t", "s"), weighted=True) for each in (before, after))
    assert table.grid.changes[0][0] == pytest.approx(new["p", "x"] - old["p", "x"])
    assert any("for what they are called" in each for each in result.notes)


def test_numbers_that_a_file_spells_out_make_no_table() -> None:
    before, _ = frames(9)
    spelled = before.with_columns(t=(100 * pl.col("n")).round(1).cast(pl.String))
    with pytest.raises(InputError, match="'t' holds numbers"):
        compared(spelled, spelled, tables=[("g", "t")])


def lost_of_records(old: pl.Series, new: pl.Series) -> list[tuple[float, float] | None]:
    """-log2 P(original | released), and the same before, of each record by counting."""
    known = Counter(x for x in old if x is not None)
    whole = sum(known.values())
    shown = Counter(x for x, z in zip(old, new, strict=True) if x is not None and z is not None)
    joint = Counter((x, z) for x, z in zip(old, new, strict=True) if None not in (x, z))

    def chance(x: str, z: str | None) -> float:
        if z is None:
            return known[x] / whole
        likely = {y: known[y] * joint[y, z] / shown[y] for y in known if shown[y]}
        return likely[x] / sum(likely.values())

    return [
        None if x is None else (-math.log2(chance(x, z)), -math.log2(chance(x, None)))
        for x, z in zip(old, new, strict=True)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_groups_hit_hardest(seed: int) -> None:
    before, after = frames(10 + seed)
    result = compared(before, after, by=["t"])
    lost = {key: lost_of_records(before[key], after[key]) for key in ("g", "s")}
    expected = {}
    for name in ("g", "s", "t"):
        for category in {*before[name]} - {None}:
            at = [place for place, value in enumerate(before[name]) if value == category]
            means = []
            for key in lost:
                there = [each for place in at if (each := lost[key][place]) is not None]
                means.append(sum(one for one, _ in there) / sum(told for _, told in there))
            blanks = sum(
                before[key][place] is not None and after[key][place] is None
                for key in lost
                for place in at
            )
            expected[name, category] = (len(at), sum(means) / 2, blanks)
    found = {
        (each.by, each.category): (each.records, each.lost, each.blanks) for each in result.hardest
    }
    enough = {place: row for place, row in expected.items() if row[0] >= 30 and row[1] > 0}
    assert found.keys() == enough.keys()
    for place, row in enough.items():
        assert found[place] == pytest.approx(row)
    order = [each.lost for each in result.hardest]
    assert order == sorted(order, reverse=True)
    whole = [np.sum([each for each in side if each], axis=0) for side in lost.values()]
    assert result.lost == pytest.approx(sum(one / told for one, told in whole) / 2)
    assert result.summary()["lost"] == result.lost


def test_one_group_of_all_records_has_the_loss_of_the_file() -> None:
    study = ms.study(
        ms.survey(2, households=300).frame.with_columns(all=pl.lit("all")),
        keys=["region", "age", "sex"],
        weight="weight",
        estimator="cell",
        household="household",
    )
    recoded = study.recode("region", breaks=(4, 8))
    for done, to in (
        (recoded.suppress(k=3), 0),
        (recoded.suppress(k=3), 1),
        (study.pram("sex", keep=0.8, seed=1).pram("sex", keep=0.8, seed=2), 0),
        (study.pram("sex", keep=0.9, seed=1).suppress(k=2), 0),
        (recoded.drop("sex", from_keys=True), 0),
    ):
        result = done.compare(to, by=["all"])
        (group,) = [each for each in result.hardest if each.by == "all"]
        assert group.records == result.records
        assert group.lost == pytest.approx(result.lost, rel=1e-9)
        assert max(each.lost for each in result.hardest) <= 1 + 1e-9
    assert study.compare().hardest == ()


def test_recoded_categories_are_called_as_they_are_released() -> None:
    frame = pl.DataFrame({"a": [1, 1, 2, 2, 3, 3] * 10, "b": [1, 2] * 30})
    study = ms.study(frame, keys=["a", "b"])
    done = study.recode("a", groups={"2": ["2", "3"]}, labels={"2": "other"})
    (table,) = done.compare(tables=["a,b"]).named_tables()
    assert table.grid is not None
    assert table.grid.rows == ("1", "2 other")


def test_a_number_put_into_bins_is_told_as_recoded() -> None:
    study = ms.study(
        survey(households=100).frame, keys=["sex", "region"], weight="weight", estimator="cell"
    )
    notes = " ".join(study.recode("age", breaks=range(0, 120, 10)).compare().notes)
    assert "new numbers" not in notes
    assert "age was recoded: tables compare the categories released (10)" in notes
