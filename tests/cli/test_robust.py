"""Odd targets, odd names, odd streams: nothing is lost, nothing leaks, nothing is half done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.cli.parser import build_parser


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("a,w\nx,2\ny,3\ny,4\n")
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_signals_wait_while_modules_are_loaded(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry, loaded = sys.modules["microsafe.cli.main"], []
    load = entry.load_library

    def interrupted(name: str) -> None:
        signal.raise_signal(signal.SIGINT)
        load(name)
        loaded.append(name)

    monkeypatch.setattr(entry, "load_library", interrupted)
    assert main(["risk", str(file), "--keys", "a", "--weight", "w"]) == 130
    assert loaded == ["microsafe.studies.study"]
    assert capsys.readouterr().err == "microsafe: Interrupted; no output file was changed.\n"


@pytest.mark.parametrize("link", ["same", "symlink", "hard link"])
@pytest.mark.parametrize("option", [["risk", "--records"], ["suppress", "--k", "2", "-o"]])
def test_the_input_is_never_overwritten(
    file: Path, link: str, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    target = file if link == "same" else file.with_name("other.csv")
    if link == "symlink":
        target.symlink_to(file)
    if link == "hard link":
        target.hardlink_to(file)
    command, *rest = option
    before = file.read_bytes()
    assert main([command, str(file), "--keys", "a", "--weight", "w", *rest, str(target)]) == 2
    assert "is the input" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_targets_are_checked_before_any_work(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = file.with_name("good.csv"), file.parent / "nowhere" / "plot.svg"
    options = ["--records", str(good), "--plot", str(bad)]
    assert main(["risk", str(file), "--keys", "a", "--weight", "w", *options]) == 3
    assert "nowhere" in capsys.readouterr().err
    assert not good.exists()


def test_lists_may_hold_commas_and_blanks() -> None:
    chosen = build_parser().parse_args(["risk", "f.csv", "--keys", 'a, "b,c" ,d,," e "'])
    assert chosen.keys == ("a", "b,c", "d", " e ")


def test_names_like_figures_and_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.csv"
    pl.DataFrame({"risk": ["x", "y"], "f": ["\x1b[2J1", "2"], "w": [2, 3]}).write_csv(path)
    assert main(["risk", str(path), "--keys", "risk,f", "--weight", "w", "--explain"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "x" in out.split("Riskiest combinations")[1]
    frame = ms.study(path, keys=["risk", "f"], weight="w").risk().cells()
    assert frame.columns == ["key_risk", "key_f", "records", "f", "F", "risk"]


def test_commas_that_may_part_thousands_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.csv"
    path.write_text('a,w\nx,"1,234"\ny,"2,345"\n')
    assert main(["risk", str(path), "--keys", "a", "--weight", "w"]) == 3
    assert "thousands" in capsys.readouterr().err
    path.write_text("a;w\nx;1,25\ny;2,345\n")
    assert main(["risk", str(path), "--keys", "a", "--weight", "w", "--json"]) == 0


def test_na_applies_to_numbers_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "file.parquet"
    pl.DataFrame({"age": [30, 99, 30], "sex": ["a", "b", "a"], "w": [2, 3, 4]}).write_parquet(path)
    main(["risk", str(path), "--keys", "age", "--weight", "w", "--na", "99", "--json"])
    assert json.loads(capsys.readouterr().out)["sample_uniques"] == 0


def test_json_says_what_was_assumed_in_plain_ascii(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file.csv"
    path.write_text("región,w\nx,2\ny,3\n")
    options = ["--attack", "ratio", "--factor", "0.5", "--approximation", "series8", "--json"]
    main(["risk", str(path), "--keys", "región", "--weight", "w", *options])
    out = capsys.readouterr().out
    assert out.isascii()
    scenario = json.loads(out)["scenario"]
    assert (scenario["attack"], scenario["factor"]) == ("ratio", 0.5)
    assert scenario["approximation"] == "series8"
    main(["risk", str(path), "--keys", "región", "--weight", "w", *options[:-1]])
    title = capsys.readouterr().out.splitlines()[0]
    assert "attack ratio, factor 0.5, approximation series8" in title


def run(arguments: list[str], **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "microsafe", *arguments],
        check=False,
        **options,  # type: ignore[call-overload]
    )


@pytest.mark.skipif(os.name != "posix", reason="shell redirections of POSIX")
@pytest.mark.parametrize(("redirect", "code"), [(">&-", 0), ("2>&-", 0), ("> /dev/full", 3)])
def test_odd_streams(file: Path, redirect: str, code: int) -> None:
    command = f'"{sys.executable}" -m microsafe risk "{file}" --keys a --weight w {redirect}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == code


def test_narrow_encodings(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_text("región,w\nx,2\n,3\n", encoding="utf-8")
    done = run(
        ["risk", str(path), "--keys", "región", "--weight", "w", "--explain"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_leave_no_temporary_file(tmp_path: Path, sign: signal.Signals) -> None:
    path = tmp_path / "big.parquet"
    rows = 400_000
    pl.DataFrame({"a": pl.int_range(rows, eager=True) % 1000, "w": [2.0] * rows}).write_parquet(
        path
    )
    out = tmp_path / "out.csv"
    slow = (
        "import sys, time, polars as pl\n"
        "write = pl.DataFrame.write_csv\n"
        "def slowly(*a, **b): write(*a, **b); print('writing', flush=True); time.sleep(30)\n"
        "pl.DataFrame.write_csv = slowly\n"
        "from microsafe.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    command = ["risk", str(path), "--keys", "a", "--weight", "w", "--records", str(out)]
    with subprocess.Popen(
        [sys.executable, "-c", slow, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        assert any(each.name.startswith(".microsafe-") for each in tmp_path.iterdir())
        time.sleep(0.1)
        process.send_signal(sign)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Interrupted; no output file was changed." in err
    assert {each.name for each in tmp_path.iterdir()} == {"big.parquet"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
@pytest.mark.parametrize("size", [100_000, 300_000, 500_000])
def test_too_little_memory_for_the_program_is_said(file: Path, size: int) -> None:
    command = f'ulimit -v {size}; "{sys.executable}" -m microsafe describe "{file}"'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("microsafe: This session allows 0.")
