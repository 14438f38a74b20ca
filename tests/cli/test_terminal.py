"""Nothing of a file reaches a terminal but text to read: names, labels, categories, file names."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from microsafe.cli import main
from microsafe.cli.printable import make_printable
from microsafe.cli.progress_bar import ProgressBar
from microsafe.errors import InputError, UnknownVariableError, UnreadableFileError, shorten

# Escape sequences of one and of two bytes, a bell, marks of direction, an invisible sign.
EVIL = "\x1b[2J\x9b31m\a\x7f\u202e\u2066\u200f\u061c\ufeff\u2028"


def is_harmless(text: str) -> bool:
    return all(unicodedata.category(each) not in ("Cc", "Cf", "Zl", "Zp") for each in text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / f"evil{EVIL}.sav"
    frame = pl.DataFrame({"age": [1.0, 2.0, 2.0], "sex": [f"a{EVIL}", "b", "b"], "w": [2.0] * 3})
    pyreadstat.write_sav(
        frame,
        path,
        column_labels={"age": f"Age{EVIL}\nforged  line"},
        variable_value_labels={"age": {1.0: f"one{EVIL}"}},
        note=[f"note{EVIL}"],
    )
    return path


COMMANDS = (
    ("describe",),
    ("risk", "--keys", "age,sex", "--weight", "w", "--explain"),
    ("combinations", "--keys", "age,sex", "--weight", "w", "--above", "0.1"),
    ("risk", "--keys", f"age,{EVIL}", "--weight", "w"),
    ("risk", "--keys", "age", "--weight", "sex"),
    ("limit", "--keys", "age,sex", "--weight", "w", "--risk", "0.1"),
    ("describe", "--sheet", EVIL),
    ("describe", f"--{EVIL}"),
    ("describe", "--encoding", EVIL),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: " ".join(each).partition("\x1b")[0])
def test_only_text_is_printed(
    file: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *rest = command
    with suppress(SystemExit):
        main([name, str(file), *rest])
    out, err = capsys.readouterr()
    assert out or err
    for line in (*out.split("\n"), *err.split("\n")):
        assert is_harmless(line), line
        assert not line.startswith("forged")


def test_json_escapes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", str(file), "--json"]) == 0
    out = capsys.readouterr().out
    assert all(" " <= each <= "~" or each == "\n" for each in out)
    assert json.loads(out)["variables"][0]["label"] == f"Age{EVIL}\nforged  line"


def test_a_stage_of_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        text = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None: ...

        def fileno(self) -> int:
            raise OSError

    monkeypatch.setattr("microsafe.cli.progress_bar._PATIENCE", 0)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    ProgressBar(terminal)(f"reading {EVIL}", 0.5)  # type: ignore[arg-type]
    assert is_harmless(terminal.text.removeprefix("\r\x1b[2K"))


def test_ordinary_text_stays() -> None:
    text = "Größe, región, Ελλάδα, 年齢\n  table – 1 in 7"
    assert make_printable(text) == text


def test_messages_are_bounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(str(InputError("x" * 10**6))) <= 120
    assert len(str(InputError("x y " * 10**6))) <= 2000
    assert len(str(UnknownVariableError("file.csv", "x" * 500, ["y" * 500]))) < 400
    error = UnreadableFileError(f"{'n' * 250}.sav is empty.")
    assert str(error).endswith("….sav is empty.") or "…" in str(error)
    assert error.errno is None
    assert shorten("age has no 'x'. Short.") == "age has no 'x'. Short."
    between = f"Weight 'w' of {'some data ' * 20} is low (clip='x')."
    assert shorten(between) == between
    quoted = shorten(f"There is no variable '{'long name ' * 50}' here.")
    assert "…" in quoted
    assert quoted.endswith("' here.")
    path = tmp_path / "file.csv"
    path.write_text(f"{'n' * 300},w\n1,2\n2,3\n")
    assert main(["describe", str(path)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) < 250
    assert main(["risk", str(path), "--keys", "m" * 5000, "--weight", "w"]) == 3
    assert len(capsys.readouterr().err) < 500


def test_a_panic_is_not_seen(tmp_path: Path) -> None:
    """Libraries print panics to the file descriptor; the command line keeps it to itself."""
    path = tmp_path / "file.csv"
    path.write_text("a\n1\n")
    code = (
        "import os, sys\n"
        "from microsafe.cli import main\n"
        "from microsafe.cli.commands import describe\n"
        "def panic(*_): os.write(2, b'thread panicked: 4711'); raise ValueError('4711')\n"
        "describe.run = panic\n"
        "code = main(sys.argv[1:])\n"
        "print('afterwards', file=sys.stderr, flush=True)\n"
        "os.write(2, b'and so is this')\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "describe", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert done.stderr.startswith("microsafe: Unexpected error (ValueError)")
    assert done.stderr.endswith("afterwards\nand so is this")
    assert "4711" not in done.stderr
