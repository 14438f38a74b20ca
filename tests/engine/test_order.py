"""A new order of the records: the same on both engines, households together, nothing left of old.

The order is worked out here again, record by record, from the documented generator.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.engine.local import sorting

pytestmark = pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")

SEED = 20261117


def survey(rows: int = 400) -> pl.DataFrame:
    """Sorted by region and household; some people live in none."""
    rng = np.random.default_rng(3)
    home = np.sort(rng.integers(0, rows // 3, rows))
    return pl.DataFrame(
        {
            "number": np.arange(rows),
            "home": home,
            "block": home // 5,
            "region": home // 20,
            "sex": rng.integers(1, 3, rows),
        }
    ).with_columns(pl.when(pl.col("number") % 23 != 0).then("home").alias("home"))


def drawn(number: int, level: int) -> int:
    text = "\x1f".join(("microsafe", str(SEED), "0", f"order {level}"))
    key = int.from_bytes(sha256(text.encode()).digest()[:16], "little")
    words = np.random.Philox(key=key, counter=(number - 1) % (1 << 256)).random_raw(1)
    return int(words[0]) >> 1


def wanted(frame: pl.DataFrame, homes: tuple[str, ...]) -> list[int]:
    """The record numbers in their new order, by brute force."""

    def first(home: str, row: dict[str, Any]) -> int:
        if row[home] is None:
            return int(row["number"])
        return min(e["number"] for e in frame.to_dicts() if e[home] == row[home])

    def key(row: dict[str, Any]) -> list[tuple[int, int]]:
        numbers = [*(first(home, row) for home in homes), row["number"]]
        return [(drawn(n, level), n) for level, n in enumerate(numbers, 1 - len(numbers))]

    return [row["number"] for row in sorted(frame.to_dicts(), key=key)]


def opened(frame: pl.DataFrame, homes: tuple[str, ...], folder: Path, **engine: Any) -> ms.Study:
    path = folder / "in.parquet"
    frame.write_parquet(path)
    study = ms.study(path, keys=["region", "sex"], **engine)
    for home in homes:
        study = study.with_scenario(f"by {home}", keys=["region", "sex"], household=home)
    return study


HOMES = [(), ("home",), ("block", "home")]


@pytest.mark.parametrize("homes", HOMES)
@pytest.mark.parametrize("suffix", ["parquet", "csv", "sav"])
def test_it_is_that_of_the_draws(homes: tuple[str, ...], suffix: str, tmp_path: Path) -> None:
    frame = survey()
    study, out = opened(frame, homes, tmp_path), tmp_path / f"out.{suffix}"
    study._write_file(out, shuffle=study._new_order(SEED))
    found = ms.study(out).engine.table()  # type: ignore[attr-defined]
    assert found["number"].cast(pl.Int64).to_list() == wanted(frame, homes)
    assert found.cast(pl.Int64).sort("number").equals(frame.cast(pl.Int64))


@pytest.mark.parametrize("homes", HOMES)
def test_spark_has_the_same_one(homes: tuple[str, ...], tmp_path: Path, spark: Any) -> None:
    frame = survey()
    study, out = opened(frame, homes, tmp_path, engine="spark"), tmp_path / "out.parquet"
    study._write_file(out, shuffle=study._new_order(SEED))
    found = pl.read_parquet(out)
    assert found["number"].to_list() == wanted(frame, homes)
    assert found.sort("number").equals(frame)


def test_households_are_together_and_nothing_of_the_old_order_is_left(tmp_path: Path) -> None:
    frame = survey(5000)
    study = opened(frame, ("home",), tmp_path)
    study.write(tmp_path / "out.csv", shuffle=SEED)
    found = pl.read_csv(tmp_path / "out.csv")
    homes = found["home"].drop_nulls()
    assert homes.rle_id().max() == homes.n_unique() - 1  # each in one run
    place = pl.Series(range(5000))
    assert abs(np.corrcoef(found["number"], place)[0, 1]) < 0.05
    within = found.with_columns(rank=pl.col("number").rank().over("home"), at=place)
    moved = within.filter(pl.len().over("home") == 2)
    first = (moved["rank"] == 1).to_numpy()[::2]
    assert 0.4 < first.mean() < 0.6  # of two members either comes first


def test_a_limit_on_memory_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = survey(3000).with_columns(words=pl.lit("grün").repeat_by(2))
    frame = frame.with_columns(pl.col("words").list.join(" "))
    study = opened(frame, ("home",), tmp_path)
    for suffix in ("parquet", "csv"):
        study.write(tmp_path / f"one.{suffix}", shuffle=SEED)
    monkeypatch.setattr(sorting, "_VALUES", 500)
    tight = opened(frame, ("home",), tmp_path, memory="1GB")
    for suffix in ("parquet", "csv"):
        tight.write(tmp_path / f"other.{suffix}", shuffle=SEED)
        one, other = (tmp_path / f"{each}.{suffix}" for each in ("one", "other"))
        assert one.read_bytes() == other.read_bytes()
    assert len(list(tmp_path.iterdir())) == 5


def test_a_sample_is_ordered_by_its_numbers_in_the_input(tmp_path: Path) -> None:
    frame = survey()
    study = opened(frame, ("home",), tmp_path).sample(0.5, seed=1, household="home")
    study.write(tmp_path / "out.csv", shuffle=SEED)
    found = pl.read_csv(tmp_path / "out.csv")["number"].to_list()
    assert found == wanted(frame.filter(pl.col("number").is_in(found)), ("home",))


def test_new_numbers_tell_nothing_of_the_old_ones(tmp_path: Path) -> None:
    frame = survey(5000)
    study = opened(frame, ("home",), tmp_path).renumber("home", seed=4).renumber("number", seed=4)
    study.write(tmp_path / "out.csv")
    found = pl.read_csv(tmp_path / "out.csv")
    for name in ("home", "number"):
        pairs = pl.DataFrame({"old": frame[name], "new": found[name]}).drop_nulls()
        assert abs(pairs.select(pl.corr("old", "new")).item()) < 0.05


def test_comments_on_columns_do_not_go_out(tmp_path: Path, spark: Any) -> None:
    frame = spark.createDataFrame([(1, 2), (3, 4)], "a int comment 'Secret note', b int")
    ms.study(frame, keys=["a"], engine="spark").write(tmp_path / "out.parquet")
    assert b"Secret note" not in (tmp_path / "out.parquet").read_bytes()
    frame.write.parquet(str(tmp_path / "plain"))
    files = (tmp_path / "plain").glob("*.parquet")
    assert any(b"Secret note" in each.read_bytes() for each in files)
