"""Spark at work: it says how far it is, ends when it is told to, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

import microsafe as ms
from microsafe.errors import CancelledError, TornFileError

pytestmark = pytest.mark.filterwarnings("ignore:PySpark:FutureWarning", "ignore::ResourceWarning")


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    from microsafe.engine.spark import queries as watching

    monkeypatch.setattr(watching, "_EVERY", 0.01)


def people(spark: Any, parts: int) -> ms.Study:
    """Made up while they are asked for, 50,000 in each part."""
    rows = spark.range(0, parts * 50_000, 1, parts)
    rows = rows.selectExpr("id % 7 a", "hash(id) % 3 b", "1.5D + id % 9 w")
    return ms.study(rows, keys=["a", "b"], weight="w", estimator="cell", engine="spark")


@pytest.mark.usefixtures("often")
def test_progress_rises(spark: Any, tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    study = people(spark, 12)
    study.risk(progress=lambda *step: told.append(step))
    study.describe(progress=lambda *step: told.append(step))
    study.inventory()  # or writing would read all variables once more
    study.write(f"{tmp_path}/parts.parquet/", progress=lambda *step: told.append(step))
    for stage in ("counting cells", "reading", "writing"):
        shares = [share for name, share in told if name == stage]
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0.0, 1.0)
        assert len(set(shares)) > 3


class EnoughError(Exception):
    """A caller's own."""


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("error", [CancelledError, KeyboardInterrupt, EnoughError])
@pytest.mark.parametrize("target", ["", "safe.parquet", "parts.csv/"])
def test_whoever_hears_of_progress_can_stop_it(
    spark: Any, tmp_path: Path, error: type[BaseException], target: str
) -> None:
    def stop(_: str, share: float) -> None:
        if share:
            raise error

    study = people(spark, 20_000)
    with pytest.raises(error):
        study.write(f"{tmp_path}/{target}", progress=stop) if target else study.risk(progress=stop)
    assert spark.sparkContext.statusTracker().getActiveJobsIds() == []
    assert os.listdir(tmp_path) == []


def test_what_is_written_is_for_its_owner(spark: Any, tmp_path: Path) -> None:
    study = people(spark, 3)
    study.write(f"{tmp_path}/parts.parquet/")
    study.write(tmp_path / "safe.csv")
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.rglob("*")}
    assert modes.pop("parts.parquet") == 0o700
    assert set(modes.values()) == {0o600}
    assert not [name for name in modes if name.startswith(".")]  # checksums of Hadoop
    with pytest.raises(ms.InputError, match="there is no folder"):
        study.write(f"{tmp_path}/nowhere/parts.parquet/")


def test_temporary_files_are_out_of_sight(spark: Any) -> None:
    from microsafe.engine.spark.java import scratch

    assert stat.S_IMODE(scratch().stat().st_mode) == 0o700
    context = spark.sparkContext
    assert Path(context._temp_dir).is_relative_to(scratch())  # what goes to Java in files
    assert any(each.name.startswith("blockmgr-") for each in scratch().iterdir())  # shuffles
    java = context._jvm.java.lang.System.getProperty("java.io.tmpdir")
    assert Path(java) == scratch()


WRITING = """
import sys, time
import microsafe as ms
from microsafe.engine.spark import session

def wait(stage, share):
    if stage == "writing" and share:
        print("half", flush=True)
        time.sleep(600)

rows = session("local[2]").range(0, 10**6, 1, 1_000).selectExpr("id % 7 a")
ms.study(rows, engine="spark").write("parts.parquet/", progress=wait)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("kill", ["SIGINT", "SIGKILL"])
def test_killed_while_it_writes(spark: Any, tmp_path: Path, kill: str) -> None:
    temporary, work = tmp_path / "temporary", tmp_path / "work"
    temporary.mkdir()
    work.mkdir()
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", WRITING],
        cwd=work,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as writing:
        assert writing.stdout is not None
        assert writing.stdout.readline() == "half\n"
        assert [each.name[:16] for each in temporary.iterdir()] == ["microsafe-spark-"]
        writing.send_signal(getattr(signal, kill))
        assert writing.stdout.read() == ""  # Java has it too: nobody is left
    for _ in range(100):
        if not list(temporary.iterdir()):
            break
        time.sleep(0.1)
    assert list(temporary.iterdir()) == []
    # Killed outright, nobody tidies up; what lies there is hidden and under no name of a result.
    left = [each.name for each in work.iterdir()]
    assert all(name.startswith(".microsafe-") for name in left)
    assert kill == "SIGKILL" or not left


def lose_bytes(folder: Path) -> None:
    for part in folder.glob("part-*"):
        part.write_bytes(part.read_bytes()[:-1])


def change_a_byte(folder: Path) -> None:
    for part in folder.glob("part-*"):
        data = bytearray(part.read_bytes())
        data[len(data) // 2] ^= 1
        part.write_bytes(data)


def lose_a_part(folder: Path) -> None:
    """A part and its checksum, as if nobody had written them."""
    part = min(folder.glob("part-*"))
    kept = part.read_bytes()[:9] if part.suffix == ".csv" else b""
    (part.with_name(f".{part.name}.crc")).unlink()
    part.write_bytes(kept) if kept else part.unlink()


@pytest.mark.parametrize("target", ["safe.parquet", "safe.csv", "parts.parquet/", "parts.csv/"])
@pytest.mark.parametrize("harm", [lose_bytes, change_a_byte, lose_a_part])
def test_what_the_disk_lost_replaces_nothing(
    spark: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    harm: Callable[[Path], None],
) -> None:
    from microsafe.engine.spark import writing

    study, path = people(spark, 2), f"{tmp_path}/{target}"
    if not target.endswith("/"):
        Path(path).write_text("old")
    true_write = writing._write

    def write_badly(frame: Any, suffix: str, where: str) -> None:
        true_write(frame, suffix, where)
        harm(Path(unquote(urlsplit(where).path)))

    monkeypatch.setattr(writing, "_write", write_badly)
    with pytest.raises(TornFileError, match="was not written: read back from the disk, it"):
        study.write(path)
    left = {each.name: each.read_text() for each in tmp_path.iterdir()}
    assert left == ({} if target.endswith("/") else {target: "old"})


def test_a_write_that_fails_replaces_nothing(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microsafe.engine.spark import writing

    def fail(*_: object) -> None:
        raise OSError

    study, path = people(spark, 2), tmp_path / "safe.parquet"
    path.write_text("old")
    monkeypatch.setattr(writing, "_write", fail)
    with pytest.raises(ms.InputError):
        study.write(path)
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]
