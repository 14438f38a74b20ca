"""A file is replaced entirely or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from microsafe.errors import FileError
from microsafe.io.atomic import create_folder, replace_file


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_new_file_is_private(tmp_path):
    path = tmp_path / "out.sav"
    with replace_file(path) as temporary:
        assert temporary.parent.parent == tmp_path
        assert temporary.parent.name.startswith(".microsafe-")
        assert temporary.name == "out.sav"
        assert (mode(temporary.parent), mode(temporary)) == (0o700, 0o600)
        temporary.write_text("new")
    assert path.read_text() == "new"
    assert mode(path) == 0o600
    assert os.listdir(tmp_path) == ["out.sav"]


@pytest.mark.parametrize("rights", [0o644, 0o640, 0o444])
def test_old_file_keeps_its_mode(tmp_path, rights):
    path = tmp_path / "out.csv"
    path.write_text("old")
    path.chmod(rights)
    with replace_file(path) as temporary:
        temporary.unlink()
        temporary.write_text("new")
    assert path.read_text() == "new"
    assert mode(path) == rights


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("old", ["old", None])
def test_failure_leaves_what_was(tmp_path, error, old):
    path = tmp_path / "out.csv"
    if old:
        path.write_text(old)

    def write():
        with replace_file(path) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert os.listdir(tmp_path) == (["out.csv"] if old else [])
    assert not old or path.read_text() == old


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    with replace_file(tmp_path / "link.csv") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


@pytest.mark.parametrize("where", ["nowhere/out.csv", "."])
def test_no_place_to_write(tmp_path, where):
    with pytest.raises(FileError, match="folder"), replace_file(tmp_path / where):
        pass


def test_a_folder_arrives_whole_and_private(tmp_path):
    with create_folder(tmp_path / "parts") as made:
        assert mode(made.parent) == 0o700
        made.mkdir(0o755)
        (made / "one").write_text("1")
        (made / "one").chmod(0o644)
        assert not (tmp_path / "parts").exists()
    assert [each.name for each in tmp_path.rglob("*")] == ["parts", "one"]
    assert (mode(tmp_path / "parts"), mode(tmp_path / "parts" / "one")) == (0o700, 0o600)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_half_a_folder_goes(tmp_path, error):
    def write():
        with create_folder(tmp_path / "parts") as made:
            made.mkdir()
            (made / "one").write_text("1")
            raise error

    with pytest.raises(error):
        write()
    assert os.listdir(tmp_path) == []


def test_no_place_for_a_folder(tmp_path):
    with (
        pytest.raises(FileError, match="there is no folder"),
        create_folder(tmp_path / "no" / "parts"),
    ):
        pass


@pytest.fixture
def events(monkeypatch):
    """What is made durable and put in place, in order."""
    seen = []
    sync, replace, rename = os.fsync, os.replace, os.rename

    def synced(handle):
        seen.append(("sync", os.fstat(handle).st_ino))
        sync(handle)

    def placed(move):
        def moved(old, new):
            seen.append(("move", os.stat(old).st_ino))
            move(old, new)

        return moved

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", placed(replace))
    monkeypatch.setattr(os, "rename", placed(rename))
    return seen


@pytest.mark.skipif(os.name != "posix", reason="Windows cannot open a folder")
def test_a_file_is_on_disk_before_it_takes_its_place(tmp_path, events):
    path = tmp_path / "out.csv"
    with replace_file(path) as temporary:
        temporary.write_text("new")
        number = temporary.stat().st_ino
    assert events == [("sync", number), ("move", number), ("sync", tmp_path.stat().st_ino)]


def test_files_of_a_folder_are_on_disk_before_it_takes_its_place(tmp_path, events):
    with create_folder(tmp_path / "parts") as made:
        made.mkdir()
        for name in ("one", "two"):
            (made / name).write_text(name)
        files = {("sync", each.stat().st_ino) for each in made.iterdir()}
        folder = made.stat().st_ino
    assert set(events[:2]) == files
    assert events[2] == ("move", folder)
