"""Tasks that run at the same time: order of errors, stopping, and the same codes as alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
import polars.testing
import pytest

import microsafe as ms
from microsafe.engine.local import records
from microsafe.engine.threads import run_together, work_ahead

Tell = Callable[[float], None]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_all_tasks_run_and_progress_ends_at_one(threads: int) -> None:
    told: list[float] = []
    done: list[int] = []

    def task(place: int) -> Callable[[Tell], None]:
        def run(tell: Tell) -> None:
            tell(0.5)
            done.append(place)

        return run

    run_together([task(place) for place in range(9)], told.append, threads=threads)
    assert sorted(done) == list(range(9))
    assert all(0 <= each <= 1 for each in told)


def test_the_first_task_that_fails_is_told_however_late_it_fails() -> None:
    failed = threading.Event()

    def late(_: Tell) -> None:
        assert failed.wait(10)
        raise ValueError("first")

    def soon(_: Tell) -> None:
        failed.set()
        raise KeyError("second")

    with pytest.raises(ValueError, match="first"):
        run_together([late, soon], lambda _: None, threads=2)


def test_stopping_reaches_every_task() -> None:
    begun = threading.Barrier(2)
    ended: list[str] = []

    def endless(tell: Tell) -> None:
        begun.wait(10)
        try:
            while True:
                tell(0.0)
        finally:
            ended.append("stopped")

    def cancel(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_together([endless, endless, endless], cancel, threads=2)
    assert ended == ["stopped", "stopped"]


def test_codes_are_those_of_one_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "a": [None if v == 3 else f"c{v:02}" for v in rng.integers(0, 9, 500)],
            "b": rng.integers(-3, 40, 500),
            "c": rng.normal(size=500).round(1),
            "w": rng.gamma(4, 25, 500) + 1,
        }
    )
    path = tmp_path / "file.parquet"
    frame.write_parquet(path)
    found = []
    for many in (1, 1000):
        monkeypatch.setattr(records, "_MANY", many)
        study = ms.study(path, keys=["a", "b", "c"], weight="w", estimator="cell")
        found.append(study.risk().records())
    pl.testing.assert_frame_equal(*found)


def test_the_next_item_is_made_while_the_last_is_in_use() -> None:
    made: list[int] = []
    there = threading.Event()

    def make_items() -> Iterator[int]:
        for item in range(3):
            made.append(item)
            if item == 1:
                there.set()
            yield item

    items = work_ahead(make_items())
    assert next(items) == 0
    assert there.wait(5)
    assert list(items) == [1, 2]
    assert made == [0, 1, 2]


def test_errors_of_items_that_are_made_ahead_come_in_their_turn() -> None:
    def make_items() -> Iterator[int]:
        yield 1
        raise ValueError("the second")

    items = work_ahead(make_items())
    assert next(items) == 1
    with pytest.raises(ValueError, match="the second"):
        next(items)


def test_nothing_is_made_of_nothing() -> None:
    assert list(work_ahead(iter(()))) == []
