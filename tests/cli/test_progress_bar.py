"""The progress bar on a terminal: per cent and time left, and nothing of it stays."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from microsafe.cli.progress_bar import ProgressBar, format_line, format_seconds

pty = pytest.importorskip("pty", reason="terminals of POSIX")
termios = pytest.importorskip("termios")

EAGER = (
    "import sys\n"
    "from microsafe.cli import main, progress_bar\n"
    "progress_bar._PATIENCE = progress_bar._EVERY = 0\n"
    "sys.exit(main(sys.argv[1:]))\n"
)
STOPPED = EAGER.replace(
    "sys.exit",
    "import os, signal\n"
    "import microsafe.risk.record.measure as measure\n"
    "measure.individual_risk = lambda *_, **__: os.kill(os.getpid(), signal.SIGINT)\n"
    "sys.exit",
)


def run_on_terminal(code: str, arguments: list[str], columns: int = 80) -> tuple[str, int]:
    """Return everything that appears on a terminal of so many columns, and the exit code."""
    main, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, columns))
    environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
    ) as process:
        os.close(terminal)
        shown = bytearray()
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # on Linux, the end
                break
            if not part:
                break
            shown += part
    os.close(main)
    return shown.decode("utf-8"), process.returncode


def screen(shown: str) -> list[str]:
    """Return the lines that a terminal is left with, their colours left out."""
    plain = re.sub(r"\x1b\[[0-9]+m", "", shown).replace("\r\n", "\n")
    return [re.split(r"\r(?:\x1b\[2K)?", line)[-1] for line in plain.split("\n")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text("a,b,w\n" + "".join(f"{n % 7},{n % 5},{2 + n % 3}\n" for n in range(200)))
    return path


@pytest.mark.slow
def test_the_bar_is_gone_before_any_output(file: Path) -> None:
    options = ["risk", str(file), "--keys", "a,b", "--weight", "w", "--explain", "-q"]
    shown, code = run_on_terminal(EAGER, options, columns=1000)  # what is no terminal cuts nothing
    assert code == 0
    assert "░" in shown, "no bar was drawn"
    plain = subprocess.run(
        [sys.executable, "-m", "microsafe", *options], capture_output=True, text=True, check=True
    )
    left = [line for line in screen(shown) if line]
    assert left == [line for line in (plain.stdout + plain.stderr).splitlines() if line]


def test_the_bar_is_gone_before_an_error(file: Path) -> None:
    shown, code = run_on_terminal(EAGER, ["risk", str(file), "--keys", "a,c"])
    assert code == 3
    assert next(line for line in screen(shown) if line).startswith("microsafe: in.csv has no")


def test_ctrl_c_says_that_nothing_was_changed(file: Path) -> None:
    out = file.with_name("out.csv")
    options = ["--keys", "a,b", "--weight", "w", "--records", str(out)]
    shown, code = run_on_terminal(STOPPED, ["risk", str(file), *options])
    assert code == 130
    assert "░" in shown
    last = "microsafe: Interrupted; no output file was changed."
    assert [line for line in screen(shown) if line] == [last]
    assert not out.exists()


def test_the_bar_fits_a_narrow_terminal(file: Path) -> None:
    shown, _ = run_on_terminal(EAGER, ["risk", str(file), "--keys", "a,b"], columns=30)
    drawn = re.findall(r"\r\x1b\[2K([█░][^\r\n]*)", shown)
    assert drawn
    assert max(map(len, drawn)) <= 29


def test_no_bar_where_nobody_watches() -> None:
    stream = io.StringIO()
    bar = ProgressBar(stream)
    bar("reading", 0.5)
    bar.clear()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("fraction", "elapsed", "expected"),
    [
        (0.0, 0.0, "░" * 24 + "   0 %  reading"),
        (0.25, 30.0, "█" * 6 + "░" * 18 + "  25 %  reading, 1 min 30 s left"),
        (0.999, 10.0, "█" * 23 + "░" + "  99 %  reading, 1 s left"),
        (1.0, 40.0, "█" * 24 + " 100 %  reading"),
    ],
)
def test_per_cent_and_time_left(fraction: float, elapsed: float, expected: str) -> None:
    assert format_line("reading", fraction, elapsed) == expected


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "1 s"), (59.4, "59 s"), (61, "1 min 1 s"), (3599.7, "1 h 0 min"), (7384, "2 h 3 min")],
)
def test_durations(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
