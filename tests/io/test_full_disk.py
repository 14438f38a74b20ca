"""A disk that is full at any place of a file leaves the old file, and a sentence about the disk."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import microsafe as ms
from microsafe.cli import main
from microsafe.errors import FileError
from microsafe.io import read_frame, write, write_figures
from microsafe.io.formats import check_writable, writable_extensions
from microsafe.io.write_verification import Fingerprint, as_it_is
from microsafe.schema import Schema, Variable

PLACES = 20
DATA = ms.survey(1, households=150)
SHORT = DATA.frame.rename(lambda name: name[:8])
SCHEMA = Schema(source="survey", variables=tuple(Variable(name=name) for name in SHORT.columns))
EXTENSIONS = sorted({*writable_extensions()} - {".pq", ".txt", ".tsv", ".dat", ".prn"})


def fits(folder: Path, suffix: str) -> int:
    """Bytes that all files of a format take."""
    write(SHORT, SCHEMA, folder / f"safe{suffix}")
    return sum(each.stat().st_size for each in folder.iterdir())


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MB, of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if not hasattr(os, "geteuid") or os.geteuid() or shutil.which("mount") is None:
        pytest.skip("only root can mount a small disk")
    mounted = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("suffix", EXTENSIONS)
def test_a_disk_that_is_full_at_any_place(suffix: str, disk: Path, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    size = fits(tmp_path / "whole", suffix)
    out = disk / f"safe{suffix}"
    out.write_bytes(b"old")
    refused = 0
    for place in range(PLACES):
        filler = disk / "filler"
        free = shutil.disk_usage(disk).free
        room = size * place // PLACES // 4096 * 4096
        filler.write_bytes(b"x" * max(0, free - room))
        with pytest.raises(FileError, match="not enough space on the disk of") as caught:
            write(SHORT, SCHEMA, out)
        refused += 1
        assert str(disk) in str(caught.value)
        assert ".microsafe" not in str(caught.value)
        assert caught.value.__context__ is None
        assert sorted(os.listdir(disk)) == ["filler", out.name]
        assert out.read_bytes() == b"old"
        filler.unlink()
    sys.stdout.write(f"{suffix}: full at {PLACES} places, {refused} refused, 0 torn files\n")
    write(SHORT, SCHEMA, out)
    assert out.read_bytes() == (tmp_path / "whole" / f"safe{suffix}").read_bytes()


LIMITED = """
import resource, sys
from pathlib import Path
import microsafe as ms
from microsafe.cli import main
folder, suffix, size, places = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
out = folder / f"safe{suffix}"
made = []
for place in range(places):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size * place // places, resource.RLIM_INFINITY))
    code = main(["sample", str(folder / "survey.parquet"), "--fraction", "0.9", "--seed", "1",
                 "--weight", "weight", "-o", str(out)])
    made.append((code, out.read_bytes() == b"old", len(list(folder.iterdir()))))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(f"{suffix}: {sum(each == (3, True, 2) for each in made)} of {places} refused")
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize("suffix", [".xpt", ".sav", ".zsav", ".dta", ".xlsx", ".csv", ".parquet"])
def test_files_that_may_not_grow(suffix: str, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    SHORT.write_parquet(folder / "survey.parquet")
    main(["sample", str(folder / "survey.parquet"), "--fraction", "0.9", "--seed", "1",
          "--weight", "weight", "-o", str(folder / f"safe{suffix}")])  # fmt: skip
    # The journals of other tests must not count: a little less than the whole file.
    size = (folder / f"safe{suffix}").stat().st_size - 100
    (folder / f"safe{suffix}").write_bytes(b"old")
    command = [sys.executable, "-c", LIMITED, str(folder), suffix, str(size), str(PLACES)]
    # Modules that it is the first to load would be kept in pieces, and fail in other tests.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    sys.stdout.write(done.stdout)
    assert f"{PLACES} of {PLACES} refused" in done.stdout, done.stdout + done.stderr
    assert "disk of" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_library_that_overlooks_an_error_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyreadstat

    real = pyreadstat.write_xport

    def cut(frame: object, path: str, **options: object) -> None:
        real(frame, path, **options)
        whole = Path(path).stat().st_size
        with Path(path).open("r+b") as file:
            file.truncate(whole // 160 * 80)  # whole cards: a transport file that looks well

    monkeypatch.setattr(pyreadstat, "write_xport", cut)
    out = tmp_path / "safe.xpt"
    out.write_bytes(b"old")
    with pytest.raises(FileError, match=r"safe\.xpt was not written: read back .* records"):
        write(SHORT, SCHEMA, out)
    assert out.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["safe.xpt"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".sav", ".dta", ".xpt", ".xlsx"])
@pytest.mark.parametrize("other", [("1", "2"), ("2", "1"), (None, "2")])
def test_one_other_value_is_found(suffix: str, other: tuple[str | None, str]) -> None:
    def fingerprint(column: list[str | None]) -> Fingerprint:
        made = Fingerprint(stored=getattr(writer, "as_stored", as_it_is))
        made.add(pl.DataFrame({"a": ["x"] * 50, "b": column}))
        return made

    writer = check_writable(Path(f"x{suffix}")).import_writer()
    column = ["1", "2"] * 25
    source = read_frame(pl.DataFrame({"a": ["x"] * 50, "b": column}))
    assert fingerprint([*column]).find_difference(source) is None
    differs = [*other, *column[2:]]
    found = fingerprint(differs).find_difference(source)
    assert found == (None if differs == column else "b has other values")
    assert fingerprint([*column[:49], "3"]).find_difference(source) == "b has other values"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_figures_are_read_back_too(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = [
        pl.DataFrame({"risk": [0.1, None, 1 / 3]}),
        pl.DataFrame({"risk": [1e-300, 2.0, -0.0]}),
    ]
    write_figures(iter(frames), tmp_path / f"records{suffix}")
    monkeypatch.setattr(
        "microsafe.io.write_verification.Fingerprint.find_difference", lambda *_: "torn"
    )
    with pytest.raises(FileError, match="torn"):
        write_figures(iter(frames), tmp_path / f"other{suffix}")
    assert os.listdir(tmp_path) == [f"records{suffix}"]


@pytest.mark.skipif(sys.platform == "win32", reason="devices and pipes of POSIX")
@pytest.mark.parametrize("what", ["pipe", "device", "link to a device", "link to a pipe", "socket"])
def test_what_is_no_regular_file_is_never_replaced(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import socket

    SHORT.write_parquet(tmp_path / "survey.parquet")
    survey = str(tmp_path / "survey.parquet")
    keys = ["--keys", "region,sex", "--weight", "weight"]
    commands = {
        "out.csv": ["sample", survey, "--fraction", "0.9", "--seed", "1", "-o"],
        "safe.csv": ["suppress", survey, *keys, "--k", "2", "-o"],
        "records.csv": ["risk", survey, *keys, "--records"],
        "plot.svg": ["risk", survey, *keys, "--plot"],
        "models.svg": ["file-risk", survey, *keys, "--plot"],
        "report.html": ["report", str(tmp_path / "plan.toml"), "-o"],
    }
    number = os.stat("/dev/null").st_rdev
    for name, command in commands.items():
        path = tmp_path / name
        if what == "socket":
            with socket.socket(socket.AF_UNIX) as made:
                monkeypatch.chdir(tmp_path)  # names of sockets are short
                made.bind(name)
        elif "device" in what:
            real = tmp_path / f"null-{name}" if "link" in what else path
            try:
                os.mknod(real, stat.S_IFCHR | 0o600, number)
            except PermissionError:
                pytest.skip("only root can make a device")
        else:
            real = tmp_path / f"fifo-{name}" if "link" in what else path
            os.mkfifo(real)
        if "link" in what:
            path.symlink_to(real)
        before = path.stat()
        with monkeypatch.context() as refused:  # before the work
            refused.setattr(ms.Study, "risk", None)
            assert main([*command, str(path)]) == 3
        told = capsys.readouterr().err
        assert f"{name} is a {what.split()[-1]} and cannot be written to." in told
        assert path.stat().st_mode == before.st_mode
        assert path.stat().st_ino == before.st_ino
    assert not [each for each in os.listdir(tmp_path) if each.startswith(".microsafe")]
