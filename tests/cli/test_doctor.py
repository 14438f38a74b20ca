"""What is there, what is missing, and what to do about it."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from microsafe.cli import main
from microsafe.cli.commands import doctor


def test_a_sound_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "polars" in shown
    assert shown.endswith("All that is needed is there.\n")


def test_missing_libraries_are_named_with_what_they_are_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = metadata.version

    def version(name: str) -> str:
        if name in ("polars", "fpdf2"):
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(doctor, "version", version)
    assert main(["doctor", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    missing = {check["what"]: check for check in found["checks"] if not check["good"]}
    assert not found["good"]
    assert "no polars" in missing["files and figures"]["found"]
    assert missing["files and figures"]["needed"]
    assert missing["reports as PDF and Word"]["remedy"] == 'pip install "microsafe[report]"'
    assert not missing["reports as PDF and Word"]["needed"]


def test_a_folder_without_rights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor.os, "access", lambda *_: False)
    check = doctor._try_folder("this folder", tmp_path / "new" / "folder")
    assert not check.good
    assert str(tmp_path) in check.remedy


def test_memory_that_is_short_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "memory", lambda: 1_000_000_000)
    assert not doctor._find_memory().good
    monkeypatch.setattr(doctor, "memory", lambda: None)
    assert doctor._find_memory().good


def test_what_a_killed_run_left_here_is_removed_and_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    left = tmp_path / ".microsafe-0123456789abcdef.tmp"
    left.mkdir(0o700)
    (left / "half.csv").write_text("1")
    assert main(["doctor"]) == 0
    assert "1 finished or removed, 0 of runs at work" in capsys.readouterr().out
    assert not left.exists()
    assert main(["doctor"]) == 0
    assert "nothing" in capsys.readouterr().out
