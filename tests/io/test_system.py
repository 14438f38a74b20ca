"""What differs between operating systems, tried through the one module that asks which it is."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import microsafe
from microsafe.io import replace_file, system

SOURCE = Path(microsafe.__file__).parent


def test_nobody_else_asks_which_system_it_is() -> None:
    asking = re.compile(r"sys\.platform|platform\.system\(\) *[=!]=")
    found = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if asking.search(path.read_text("utf-8"))
    ]
    assert found == ["io/system.py"]


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Windows, as far as this module knows: its locks are noted, and folders cannot be opened."""
    calls: list[tuple[int, int]] = []

    def locking(_: int, mode: int, length: int) -> None:
        if calls:
            raise OSError("the file is locked")
        calls.append((mode, length))

    monkeypatch.setitem(
        sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_LOCK=1, LK_NBLCK=2)
    )
    monkeypatch.setattr(sys, "platform", "win32")
    return calls


def test_locks_of_windows(windows: list[tuple[int, int]], tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as file:
        assert system.lock_file(file.fileno())
        assert not system.lock_file(file.fileno())
    assert windows == [(2, 1)]
    assert system.lock_folder(tmp_path) is None


@pytest.mark.usefixtures("windows")
def test_files_are_replaced_where_folders_cannot_be_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = os.open

    def open_file(path: os.PathLike[str], *arguments: int, **options: int) -> int:
        if Path(path) == tmp_path:
            raise PermissionError(path)
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", open_file)
    with replace_file(tmp_path / "out.csv") as temporary:
        temporary.write_text("a,b\n")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert system.user_folder() == Path.home() / ".local" / "state"
    monkeypatch.setenv("LOCALAPPDATA", "/data/local")
    monkeypatch.setattr(sys, "platform", "win32")
    assert system.user_folder() == Path("/data/local")
    assert system.largest_file() == float("inf")


def test_macos_writes_through_to_the_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = []

    def control(handle: int, what: int) -> None:
        asked.append(what)
        if len(asked) > 1:
            raise OSError("not on this disk")

    synced: list[int] = []
    monkeypatch.setitem(sys.modules, "fcntl", SimpleNamespace(fcntl=control, F_FULLFSYNC=51))
    monkeypatch.setattr(os, "fsync", synced.append)
    monkeypatch.setattr(sys, "platform", "darwin")
    file = tmp_path / "out.csv"
    file.write_text("a\n")
    system.sync_file(file)
    assert (asked, synced) == ([51], [])
    system.sync_file(file)
    assert len(synced) == 1


def test_locks_are_one_at_a_time(tmp_path: Path) -> None:
    first = system.lock_folder(tmp_path)
    assert first is not None
    assert system.lock_folder(tmp_path) is None
    os.close(first)
    again = system.lock_folder(tmp_path)
    assert again is not None
    os.close(again)
