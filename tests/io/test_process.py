"""Readers in a process of their own: what becomes of one that dies, hangs or asks for too much."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from microsafe.cli import main
from microsafe.errors import InputError, UnreadableFileError
from microsafe.io import read
from microsafe.io.reader import process
from microsafe.io.reader.process import ReaderError, run_in_reader

posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")


def echo(value: object) -> tuple[object, pl.DataFrame]:
    return value, pl.DataFrame({"a": [1, None], "b": ["x", "y"]})


def die(sign: int) -> tuple[None, None]:
    os.kill(os.getpid(), sign)
    return None, None


def fail(kind: str) -> tuple[None, None]:
    raise {"memory": MemoryError, "input": InputError, "other": RuntimeError}[kind]("4711")


def spin() -> tuple[None, None]:
    while True:
        pass


def sleep() -> tuple[None, None]:
    time.sleep(60)
    return None, None


def hoard() -> tuple[int, None]:
    return len(bytes(5_000_000_000)), None


def chatter() -> tuple[str, None]:
    os.write(1, b"4711")
    os.write(2, b"4711")
    return "said", None


def ask(work: str, **arguments: object) -> process.Answer:
    return run_in_reader(f"test_process:{work}", "survey.sav", unpacked=1, **arguments)


VALUE = {"a": [1, 2.5, None, True], 3.0: {"x": "é\udc80"}, "inf": float("inf")}


def test_facts_and_frames_come_back() -> None:
    facts, frame = ask("echo", value="text")
    assert facts == "text"
    assert frame is not None
    assert frame.equals(pl.DataFrame({"a": [1, None], "b": ["x", "y"]}))
    assert process._restore(json.loads(json.dumps(process._flatten(VALUE)))) == VALUE


@pytest.mark.slow
@posix
@pytest.mark.parametrize("sign", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_a_reader_that_dies_is_replaced(sign: str) -> None:
    with pytest.raises(UnreadableFileError, match=r"crashed, or needed more than 1\.0 GB"):
        ask("die", sign=int(getattr(signal, sign)))
    assert ask("echo", value=1)[0] == 1


@posix
def test_a_reader_that_was_killed_while_nobody_asked_is_replaced() -> None:
    ask("echo", value=1)
    reader = process._reader
    assert reader is not None
    reader._process.kill()
    reader._process.wait()
    assert ask("echo", value=2)[0] == 2


def test_errors_of_others_stay_there_and_ours_come_over() -> None:
    ask("echo", value=1)
    first = process._reader
    with pytest.raises(ReaderError) as caught:
        ask("fail", kind="other")
    assert not str(caught.value)
    assert first is not None
    assert process._reader is not first  # what failed may have spoilt its memory
    with pytest.raises(InputError, match="4711"):
        ask("fail", kind="input")
    with pytest.raises(UnreadableFileError, match=r"1\.0 GB of memory"):
        ask("fail", kind="memory")


@linux
def test_memory_is_limited() -> None:
    with pytest.raises(UnreadableFileError, match=r"survey\.sav .* 1\.0 GB of memory"):
        ask("hoard")


@pytest.mark.slow
@posix
def test_computing_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_SECONDS", 1)
    with pytest.raises(UnreadableFileError, match="in 1 s"):
        ask("spin")


@pytest.mark.slow
def test_the_clock_is_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    ask("echo", value=1)
    monkeypatch.setattr(process, "_WALL", 0.02)
    with pytest.raises(UnreadableFileError, match="in 15 s"):
        ask("sleep")


@posix
def test_an_interrupted_answer_is_not_taken_for_the_next() -> None:
    ask("echo", value=1)
    with (
        subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {os.getpid()}"]),
        pytest.raises(KeyboardInterrupt),
    ):
        ask("sleep")
    assert ask("echo", value=2)[0] == 2


def test_what_a_library_prints_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask("chatter")[0] == "said"
    assert ask("echo", value=1)[0] == 1
    assert "4711" not in "".join(capfd.readouterr())


def test_a_reader_that_cannot_start_is_no_fault_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process._stop_reader()
    monkeypatch.setattr(process, "_START", "import sys; sys.exit({path!r} and 3)")
    with pytest.raises(InputError, match="ended at its start"):
        ask("echo", value=1)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(InputError, match="no process can be started"):
        ask("echo", value=1)


def test_without_an_interpreter_it_reads_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    process._stop_reader()
    monkeypatch.setattr(sys, "executable", "")
    assert ask("echo", value={1.0: "a"})[0] == {1.0: "a"}
    assert process._reader is None


@posix
def test_the_reader_ends_with_the_process(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(path)
    code = (
        "import sys; from microsafe.io import read; from microsafe.io.reader import process;"
        "read(sys.argv[1]);"
        "print(process._reader._process.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    assert not done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)


def test_one_process_for_all_files(tmp_path: Path) -> None:
    for name in ("a.sav", "b.sav"):
        pyreadstat.write_sav(pl.DataFrame({"x": [1.0]}), tmp_path / name)
    source = read(tmp_path / "a.sav")
    first = process._reader
    assert source.load(["x"])["x"].to_list() == [1.0]
    assert read(tmp_path / "b.sav").load(["x"]).height == 1
    assert process._reader is first


def test_a_column_of_a_parquet_file_is_probed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = process._ask

    def counted(work: str, *rest: object) -> process.Answer:
        asked.append(work.partition(":")[2])
        return real(work, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(process, "_ask", counted)
    path = tmp_path / "file.parquet"
    frame = pl.DataFrame({"a": [1, 2], "b": [3, 4]})
    frame.write_parquet(path)
    source = read(path)
    for _ in range(2):
        source.load(["a"])
        assert source.scan is not None
        assert len(list(source.scan(["a"], 1))) == 2
        read(path)
    assert asked == ["count_records", "probe_columns"]
    path.unlink()
    frame.extend(frame).write_parquet(path)
    assert source.load(["a"]).height == 4
    assert asked == ["count_records", "probe_columns"] * 2


DAMAGED = {"segfault.sav": "reader crashed", "abort.xlsx": "549.8 GB"}


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGED)
def test_files_that_killed_the_process(
    peers: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["describe", str(peers / "damaged" / name)]) == 3
    said = capsys.readouterr().err
    assert name in said
    assert DAMAGED[name] in said


@pytest.mark.slow
@linux
@pytest.mark.parametrize("suffix", [".sav", ".parquet", ".xlsx"])
def test_under_a_limit_of_the_shell(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    frame = pl.DataFrame({"a": [1.0, 2.0, 2.0]})
    if suffix == ".sav":
        pyreadstat.write_sav(frame, path)
    elif suffix == ".xlsx":
        import xlsxwriter

        with xlsxwriter.Workbook(str(path)) as book:
            book.add_worksheet().write_column(0, 0, ["a", 1, 2, 2])
    else:
        frame.write_parquet(path)
    command = f'ulimit -v 4000000 && "{sys.executable}" -m microsafe describe "{path}" --json'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == 3
