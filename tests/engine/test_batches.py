"""Whatever the size of the batches and wherever they wait: the same figures, the same files."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microsafe as ms
from microsafe.cells import Cells
from microsafe.cli import main
from microsafe.engine import Memory, memory, size_of
from microsafe.engine import slices as batches
from microsafe.engine.coding import Coder, code_column, read_numbers
from microsafe.engine.counting import merge_sorted, number_combinations
from microsafe.engine.local import engine as local
from microsafe.engine.local import records, writing
from microsafe.engine.number_columns import Numbers
from microsafe.errors import CancelledError, InputError, UsageError
from microsafe.io.readstat import package_rows
from microsafe.schema import Variable
from microsafe.steps import Renumber

KEYS = ["region", "age", "job"]
ROWS = 1000


def survey(*, missing: float = 0.1, seed: int = 3) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    gap = rng.random((3, ROWS)) < missing
    return pl.DataFrame(
        {
            "hid": [f"h{i // 3}" if i % 17 else None for i in range(ROWS)],
            "region": rng.choice(["north", "south", "10", "9"], ROWS),
            "age": rng.integers(18, 60, ROWS) * 1.0,
            "job": rng.choice(["a", "b", "c", "-9"], ROWS),
            "income": np.round(rng.gamma(3, 700, ROWS), 1),
            "w": np.round(1 + rng.gamma(3, 20, ROWS), 3),
        }
    ).with_columns(
        pl.when(~pl.Series(gap[place])).then(pl.col(key)).alias(key)
        for place, key in enumerate(KEYS)
    )


@pytest.fixture(params=[8, 64, 1 << 21], ids=lambda size: f"batches of {size}")
def batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    return cut(monkeypatch, request.param)


def cut(monkeypatch: pytest.MonkeyPatch, size: int) -> int:
    monkeypatch.setattr(batches, "BATCH", size)
    monkeypatch.setattr(records, "BATCH", size)
    monkeypatch.setattr(package_rows, "_MOST", 100_000)
    return size


def same(one: Cells, other: Cells) -> None:
    assert one.keys == other.keys
    assert [list(each) for each in one.categories] == [list(each) for each in other.categories]
    for a, b in zip(one.codes, other.codes, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(one.count, other.count)
    np.testing.assert_array_equal(one.weights.high, other.weights.high)
    if one.weights.low is None or other.weights.low is None:
        assert one.weights.low is other.weights.low
    else:
        np.testing.assert_array_equal(one.weights.low, other.weights.low)


def everything(path: Path, **options: Any) -> tuple[Any, ...]:
    """All that is said of a file and made of it."""
    study = ms.study(
        path, keys=KEYS, weight="w", estimator="cell", household="hid", na=("-9",), **options
    )
    study = study.with_scenario("by weight", keys=KEYS[:2], attack="weight")
    before = study.risk(limit=0.02)
    changed = study.suppress(above=0.02, household=0.3)
    last = changed.apply(Renumber(variable="hid", seed=5)).top_code("age", 50)
    after = last.risk()
    return (
        before.summary(),
        study.risk("by weight").summary(),
        before.records().rows(),
        pl.concat(before.record_batches()).rows(),
        list(study.describe()),
        changed.steps[-1],
        after.summary(),
        pl.concat(after.record_batches(id=["hid", "age"])).rows(),
        last.engine.table().rows(),
        changed.engine.find_constant_keys(study.scenario()),
        study.engine.weight_facts(study.scenario()),
        last.compare(by=["hid"]).summary(),
        last.compare(1).summary(),
        before.measured.cells,
    )


@pytest.fixture(scope="module", params=[".parquet", ".csv", ".sav"])
def in_one(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, tuple[Any, ...]]:
    """A file, and everything about it if all of it is one batch."""
    path = tmp_path_factory.mktemp("batches") / f"survey{request.param}"
    frame = survey()
    ms.study(frame).write(path)
    return path, everything(path)


@pytest.mark.parametrize(
    ("size", "limited", "together"),
    [
        pytest.param(8, False, False, marks=pytest.mark.slow),
        (64, False, False),
        pytest.param(8, True, False, marks=pytest.mark.slow),
        (64, True, False),
        (64, True, True),
        (1 << 21, True, False),
    ],
)
def test_figures_do_not_depend_on_batches(
    in_one: tuple[Path, tuple[Any, ...]],
    monkeypatch: pytest.MonkeyPatch,
    size: int,
    limited: bool,
    together: bool,
) -> None:
    path, (*wanted, cells) = in_one
    cut(monkeypatch, size)
    if limited:
        monkeypatch.setattr(memory, "OWN", 0)
        monkeypatch.setattr(memory, "PER_CELL", 0)
        monkeypatch.setattr(local, "PER_CELL", 0)
        monkeypatch.setattr(local, "PER_CELL_AT_WORK", 0)
        monkeypatch.setattr(local, "PER_VALUE", 0)
        monkeypatch.setattr(Memory, "need", lambda self, *_: self._limit and self.settle())
        if together:
            monkeypatch.setattr(memory, "PER_THREAD", 1)
            monkeypatch.setattr(records, "_MANY", 0)
            monkeypatch.setattr(os, "cpu_count", lambda: 4)
        found = everything(path, memory=100)
    else:
        found = everything(path)
    same(found[-1], cells)
    for one, other in zip(found, wanted, strict=False):
        assert one == other


@pytest.mark.parametrize(
    "batch", [pytest.param(8, marks=pytest.mark.slow), 64, 1 << 21], indirect=True
)
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_files_do_not_depend_on_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int, suffix: str
) -> None:
    path = tmp_path / "survey.parquet"
    survey().write_parquet(path)
    made: dict[int, list[bytes]] = {}
    for size in (1 << 21, batch):
        cut(monkeypatch, size)
        safe, records = tmp_path / f"safe{suffix}", tmp_path / f"records{suffix}"
        options = ["--keys", ",".join(KEYS), "--weight", "w", "--json"]
        assert main(["risk", str(path), *options, "--records", str(records)]) == 0
        assert main(["suppress", str(path), *options, "--above", "0.02", "-o", str(safe)]) == 0
        made[size] = [safe.read_bytes(), records.read_bytes()]
    assert made[batch] == made[1 << 21]


def test_row_groups_do_not_depend_on_batches(tmp_path: Path) -> None:
    from microsafe.io.parquet import rows_per_group, write_batches

    frame = pl.DataFrame({"a": np.arange(300_000) % 7, "b": ["x", None, "y"] * 100_000})
    made = []
    for size in (300_000, 1 << 18, 70_001):
        write_batches(tmp_path / "a.parquet", frame.iter_slices(size))
        made.append((tmp_path / "a.parquet").read_bytes())
    assert len(set(made)) == 1
    assert pl.read_parquet(tmp_path / "a.parquet").equals(frame)
    assert [rows_per_group(n) for n in (1, 7, 100, 10**5)] == [1 << 18, 1 << 18, 1 << 16, 1 << 12]


columns = st.integers(1, 4).flatmap(
    lambda k: st.integers(1, 30).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=k, max_size=k
        )
    )
)


@given(
    columns,
    st.sampled_from([3, 300, 10**6, 2**32 - 1]),
    st.integers(1, 7),
    st.sampled_from([1, 3]),
)
def test_numbering_in_batches_is_lexicographic(
    values: list[list[int]], size: int, batch: int, threads: int
) -> None:
    codes = [np.array(column, np.uint32) for column in values]
    starts = range(0, len(values[0]), batch)
    told: list[float] = []
    least: list[int] = []
    found, groups = number_combinations(
        lambda column, place: codes[column][starts[place] : starts[place] + batch],
        [size] * len(codes),
        [len(codes[0][start : start + batch]) for start in starts],
        parts=list,
        afford=least.append,
        tell=told.append,
        threads=threads,
    )
    records = list(zip(*values, strict=True))
    assert list(zip(*(each.tolist() for each in found), strict=True)) == sorted(set(records))
    wanted = [sorted(set(records)).index(record) for record in records]
    assert np.concatenate(list(groups)).tolist() == wanted
    assert max(least) == least[-1] == len(set(records))
    assert all(0 <= fraction <= 1 for fraction in told)
    assert {each.dtype for each in found} == {np.dtype(np.uint32)}


@pytest.mark.parametrize(
    "values",
    [
        pl.Series(["b", "10", None, "a", "", "-9", "a", "zz"]),
        pl.Series(["10", "9", "9", "1", "-3", "-9", None, "07"]),
        pl.Series([3, None, 10**12, -9, 3, 0, 5, 5]),
        pl.Series([1.0, 2.0, None, 2.5, -9.0, float("nan"), 1.0, 7.0]),
        pl.Series([1.0, 2.0, None, 2.0, -9.0, float("nan"), 1.0, 7.0]),
        pl.Series([True, None, False, True, True, None, None, False]),
        pl.Series([None] * 8, dtype=pl.String),
        pl.Series([None] * 8, dtype=pl.Float64),
    ],
    ids=str,
)
@pytest.mark.parametrize("size", [1, 3, 8])
@pytest.mark.parametrize("numbered", [False, True])
def test_codes_in_batches(values: pl.Series, size: int, numbered: bool) -> None:
    numbered = numbered and values.dtype == pl.String
    variable = Variable(name="v", missing=(-9,) if values.dtype.is_numeric() else ("-9",))
    coder = Coder(variable, source="f")
    for start in range(0, len(values), size):
        part = values.slice(start, size)
        # Some texts come numbered already, as they do from delimited text.
        coder.add(part.cast(coder.text_type) if numbered and start % 2 else part)
        gc.collect()  # a dictionary that nobody holds would be forgotten here
    found, wanted = coder.column(), code_column(values, variable, source="f")
    assert list(found.categories) == list(wanted.categories)
    assert np.concatenate(list(found.parts)).tolist() == wanted.codes.tolist()
    assert {part.dtype for part in found.parts} == {wanted.codes.dtype}


@pytest.mark.parametrize("values", [[3, -9, 10**17 + 1, 10**17, 3], [2.0, -9.0, 0.5, 1e300, 2.0]])
def test_many_numbers_are_spelled_when_asked_for(
    monkeypatch: pytest.MonkeyPatch, values: list[float]
) -> None:
    variable = Variable(name="v", missing=(-9,))
    wanted = code_column(pl.Series(values), variable, source="f")
    monkeypatch.setattr("microsafe.engine.coding._SPELLED_UP_TO", 2)
    found = code_column(pl.Series(values), variable, source="f")
    assert not isinstance(found.categories, list)
    assert len(found.categories) == 3
    assert list(found.categories) == wanted.categories
    assert [found.categories[place] for place in (0, -1)] == [wanted.categories[p] for p in (0, -1)]
    assert list(found.categories[1:]) == wanted.categories[1:]
    assert found.codes.tolist() == wanted.codes.tolist()


@pytest.mark.parametrize(
    ("texts", "fault"),
    [
        (["1,5", "2", "3", "4,25"], None),
        (["1.5", "2", "-9", " "], None),
        (["1,000", "2", "30", "12,345"], "thousands or decimal separators"),
        (["1,000", "2", "30", "1,5"], None),
        (["1,5", "2", "3.5", "4"], "in 1 records"),
        (["1,5", "x", "3.5", "1.234,5"], "in 3 records"),
        (["x", "2", "3", "y"], "in 2 records"),
    ],
)
def test_numbers_in_batches(texts: list[str], fault: str | None) -> None:
    variable = Variable(name="w", missing=("-9",))
    reader = Numbers(variable, source="f")
    parts = [reader.read(pl.Series([text])) for text in texts]
    if fault is None:
        reader.check()
        wanted = read_numbers(pl.Series(texts), variable, source="f")
        np.testing.assert_array_equal(np.concatenate(parts), wanted)
        return
    for check in (reader.check, lambda: read_numbers(pl.Series(texts), variable, source="f")):
        with pytest.raises(InputError, match=fault):
            check()


@given(st.lists(st.floats(0, 1e15) | st.just(-0.0), min_size=1, max_size=60), st.integers(1, 5))
def test_median_in_batches(values: list[float], size: int) -> None:
    array = np.array(values)

    def parts() -> Iterator[Any]:
        return (array[start : start + size] for start in range(0, len(array), size))

    before = batches.BATCH
    batches.BATCH = size
    try:
        found = batches.median(parts, len(array))
    finally:
        batches.BATCH = before
    assert found == float(np.median(array))


def test_merging() -> None:
    parts = [np.array([1, 4, 9]), np.array([4]), np.array([0, 9, 10])]
    assert merge_sorted(parts).tolist() == [0, 1, 4, 9, 10]


@pytest.mark.parametrize(
    ("limit", "size"),
    [("2GB", 2 * 10**9), ("1.5 gb", 15 * 10**8), ("4GiB", 4 * 2**30), ("900m", 9 * 10**8),
     (10**9, 10**9), ("1000000000", 10**9)],
)  # fmt: skip
def test_limits_are_read(limit: str | int, size: int) -> None:
    assert size_of(limit) == size


@pytest.mark.parametrize("limit", ["much", "", "-1GB", "4 G B", "1e9", "GB"])
def test_other_limits_are_refused(limit: str) -> None:
    with pytest.raises(UsageError, match="not an amount of memory"):
        size_of(limit)


def test_too_little_is_refused_with_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "survey.parquet"
    survey().write_parquet(path)
    command = ["risk", str(path), "--keys", ",".join(KEYS), "--weight", "w", "--memory"]
    assert main([*command, "10MB"]) == 2
    assert "The limit is 10 MB, and microsafe itself needs about 0.5 GB" in capsys.readouterr().err
    monkeypatch.setattr(local, "PER_CELL", 10**7)
    assert main([*command, "1GB", "--records", str(tmp_path / "out.csv")]) == 3
    error = capsys.readouterr().err
    assert "survey.parquet needs about" in error
    assert "the limit is 1.0 GB. Recode or leave out keys, or raise the limit" in error
    assert os.listdir(tmp_path) == ["survey.parquet"]
    assert main([*command, "900GB"]) == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peaks are told in /proc")
@pytest.mark.parametrize("limit", [600, 1000])
def test_many_combinations_are_refused_before_they_fill_memory(tmp_path: Path, limit: int) -> None:
    rng = np.random.default_rng(1)
    rows = 5_000_000  # of which nearly every one is a combination of its own
    path = tmp_path / "many.parquet"
    keys = {name: rng.integers(0, 5000, rows, np.uint16) for name in "abc"}
    pl.DataFrame(keys).write_parquet(path)
    # Not ru_maxrss: a new program inherits that of the process which started it.
    code = (
        "import re, sys\n"
        "from pathlib import Path\n"
        "from microsafe.cli.main import main\n"
        "done = main(sys.argv[1:])\n"
        "status = Path('/proc/self/status').read_text()\n"
        "print(done, int(re.search(r'VmHWM:\\s+(\\d+) kB', status)[1]) // 1000)\n"
    )
    command = ["risk", str(path), "--keys", "a,b,c", "--memory", f"{limit}MB"]
    found = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
    )
    done, peak = map(int, found.stdout.split())
    assert done == 3
    assert "combinations of keys or more, and the limit is" in found.stderr
    assert peak < 1.15 * limit


def test_what_cannot_be_read_in_parts_says_so_under_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, keys = tmp_path / "survey.por", [key.upper() for key in KEYS]
    pyreadstat.write_por(survey().rename(str.upper), str(path))
    assert ms.study(path, keys=keys, memory="1GB").risk().n == ROWS
    monkeypatch.setattr("microsafe.io.readstat.package_file._WHOLE", 10**6)
    with pytest.raises(InputError, match=r"because its format is read as a whole.*Save it as Par"):
        ms.study(path, keys=keys, memory="1GB")
    assert ms.study(path, keys=keys).risk().n == ROWS


def test_holding_all_records_is_refused_under_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "survey.parquet"
    survey().write_parquet(path)
    study = ms.study(path, keys=KEYS, weight="w", estimator="cell", memory="1GB")
    monkeypatch.setattr(writing, "PER_VALUE", 10**6)
    with pytest.raises(InputError, match="to hold all records at once"):
        study.write(tmp_path / "out.sav")
    study.write(tmp_path / "out.parquet")
    assert sorted(os.listdir(tmp_path)) == ["out.parquet", "survey.parquet"]


def test_records_with_their_risk_are_never_held_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = tmp_path / "survey.parquet", tmp_path / "records.parquet"
    survey().write_parquet(path)
    monkeypatch.setattr(local.LocalEngine, "records", lambda *_, **__: pytest.fail("held at once"))
    options = ["--keys", ",".join(KEYS), "--weight", "w", "--records", str(out)]
    assert main(["risk", str(path), *options]) == 0
    assert len(pl.read_parquet(out)) == len(survey())


def test_what_measures_hold_counts_against_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "survey.parquet"
    survey().write_parquet(path)
    study = ms.study(path, keys=KEYS, weight="w", estimator="cell", household="hid", memory="1GB")
    for name in ("PER_CELL_OF_A_MODEL", "_PER_VALUE"):
        monkeypatch.setattr(f"microsafe.studies.measure.{name}", 10**7)
    monkeypatch.setattr(local, "PER_HOUSEHOLD", 10**7)
    monkeypatch.setattr("microsafe.engine.local.state_pairs._PER_GROUP", 10**7)
    refused: list[tuple[Callable[[], object], str]] = [
        (study.file_risk, r"for a model of \d+ combinations of keys"),
        (lambda: study.diversity("income"), r"for [\d,]+ values that records may share"),
        (study.risk, r"for \d+ households"),
        (study.drop(["income"]).compare, r"to compare \d+ groups of records"),
    ]
    for measure, what in refused:
        with pytest.raises(InputError, match=rf"needs about .* {what}.*the limit is 1.0 GB"):
            measure()
    assert study.tabulation().summary()
    assert study.uniques().summary()


def test_two_files_keep_to_one_limit(tmp_path: Path) -> None:
    path = tmp_path / "survey.parquet"
    survey().write_parquet(path)
    limited = Memory(10**9, "f")
    one, other = (
        ms.study(path, keys=KEYS, weight="w", estimator="cell", memory=limited) for _ in range(2)
    )
    held = []
    for study in (one, other):
        study.risk()
        held.append(limited._used.stays)
    assert held[1] == 2 * held[0] > 0
    del one, other, study
    gc.collect()
    assert limited._used.stays == 0


@pytest.mark.skipif(sys.platform == "win32", reason="looks at open files the Linux way")
def test_parts_that_wait_in_files_have_no_name_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    limited = Memory(memory.OWN + 100, "f")
    parts = limited.new_batches()
    arrays = [np.arange(n, dtype=dtype) for n, dtype in ((9, "u1"), (300, "u2"), (50, "f8"))]
    for array in arrays:
        parts.append(array)
    parts[0] = np.arange(7, dtype=np.uint32)
    arrays[0] = np.arange(7, dtype=np.uint32)
    for place, array in enumerate(arrays):  # again, where there is room in the file
        parts[place] = arrays[place] = array[::-1].copy()
    for found, wanted in zip(parts, arrays, strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    assert sum(each.held for each in limited._used.kept) <= 100
    assert os.listdir(tmp_path) == []  # the file has no name that anybody could open
    del parts
    gc.collect()
    assert len(limited._used.kept) == 0


@pytest.mark.slow
def test_work_can_be_stopped_at_every_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "survey.parquet"
    survey().write_parquet(path)
    cut(monkeypatch, 64)
    told: list[tuple[str, float]] = []

    def work(progress: Callable[[str, float], None]) -> None:
        study = ms.study(path, keys=KEYS, weight="w", estimator="cell")
        study.risk(progress=progress)
        study.write(tmp_path / "out.parquet", progress=progress)

    work(lambda *each: told.append(each))
    stages = {stage for stage, _ in told}
    assert {"reading", "counting cells", "writing"} <= stages
    for stage in stages:
        assert len([1 for name, _ in told if name == stage]) >= (2 if "risk" in stage else 1)
    assert len([1 for name, _ in told if name == "reading"]) > 4 * ROWS // 64
    assert len([1 for name, _ in told if name == "writing"]) > ROWS // 64
    (tmp_path / "out.parquet").write_bytes(b"old")
    for stop in range(0, len(told), 7):
        left = iter(range(stop))

        def cancel(*_: object, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise CancelledError

        with pytest.raises(CancelledError):
            work(cancel)
        assert (tmp_path / "out.parquet").read_bytes() == b"old"
        assert sorted(os.listdir(tmp_path)) == ["out.parquet", "survey.parquet"]


def test_a_file_that_shrinks_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "survey.parquet"
    survey().write_parquet(path)
    study = ms.study(path, keys=KEYS)
    survey().head(10).write_parquet(path)
    with pytest.raises(InputError, match="changed while it was read"):
        study.risk()


def test_the_first_records_tell_enough_where_memory_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "people.parquet"
    pl.DataFrame({"sex": [1, 2] * 500, "note": [f"x{n}y" for n in range(1000)]}).write_parquet(path)
    whole = ms.study(path, keys=["sex"]).inventory()
    study = ms.study(path, keys=["sex"], memory="1GB")
    need = Memory.need

    def refuse(self: Memory, size: int, what: str, remedy: str) -> None:
        if self._limit is not None and "'note'" in what:
            raise ms.InputError("too large")
        need(self, size, what, remedy)

    monkeypatch.setattr(Memory, "need", refuse)
    assert study.inventory().summary() == whole.summary()
    assert whole.barred == ("note",)
    monkeypatch.setattr(records, "_PER_FIRST", 10**7)
    monkeypatch.setattr(records, "_FEWEST_FIRST", 8)
    note = ms.study(path, keys=["sex"], memory="1GB").engine.traits()[1]
    assert 8 < note.records <= (10**9 - memory.OWN) // 10**7


def test_memory_is_for_the_embedded_engine() -> None:
    with pytest.raises(UsageError, match="Spark has limits of its own"):
        ms.study("survey.parquet", keys=KEYS, engine="spark", memory="1GB")


@pytest.mark.parametrize("quoted", [False, True])
def test_texts_that_threads_number_stay_what_they_are(
    quoted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block is parsed by several threads and ends in the midst of batches."""
    cut(monkeypatch, 100_000)
    mark = '"' if quoted else ""
    areas = [f"{mark}R{place // 5:06}{mark}" for place in range(450_000)]
    path = tmp_path / "areas.csv"
    path.write_text("area\n" + "\n".join(areas) + "\n")
    cells = ms.study(path, keys=["area"]).engine.cells(ms.Scenario(keys=("area",)))
    assert cells.complete
    assert cells.count.tolist() == [5] * 90_000
