"""Writing that either happens entirely or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.errors import FileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def replace_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path` that takes its place when the block ends well.

    If the block raises anything at all, Ctrl-C included, the temporary file is removed
    and the old file is what it was. The temporary name ends in the extension of `path`,
    because some writers choose their format by it. A new file can be read by its owner
    only; one that is replaced keeps its mode.

    Raises:
        FileError: The folder is missing or cannot be written in.
    """
    # A link stays a link: what it points to is replaced.
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".microsafe-{secrets.token_hex(8)}.tmp{target.suffix}")
    mode = _mode(target)
    _create(temporary, target)
    try:
        yield temporary
        _sync(temporary, os.O_RDWR)
        # A writer may have made the file anew, so the mode is set last.
        temporary.chmod(mode)
        _replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if sys.platform != "win32":  # Windows cannot open a folder
        _sync(target.parent, os.O_RDONLY)


@contextmanager
def create_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a folder to be made, which becomes `path` when the block ends well.

    Until then it lies in a hidden folder beside it that only its owner can enter. If the block
    raises anything at all, nothing stays. Its files can be read by their owner only.

    Raises:
        FileError: The folder around it is missing or cannot be written in.
    """
    target = Path(os.path.realpath(path))
    aside = target.with_name(f".microsafe-{secrets.token_hex(8)}.tmp")
    _make(lambda: aside.mkdir(0o700), target)
    try:
        made = aside / target.name
        yield made
        for file in made.iterdir():
            _sync(file, os.O_RDWR)
            file.chmod(0o600)
        made.chmod(0o700)
        os.rename(made, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _mode(target: Path) -> int:
    if target.is_dir():
        raise FileError(
            f"{target.name} is a folder and cannot be written to. Name a file inside it."
        )
    return stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600


def _create(temporary: Path, target: Path) -> None:
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
    _make(lambda: os.close(os.open(temporary, flags, 0o600)), target)


def _make(make: Callable[[], None], target: Path) -> None:
    """Make what is to become the target, or say why that cannot be."""
    folder, fault = target.parent, ""
    try:
        make()
    except (FileNotFoundError, NotADirectoryError):
        fault = (
            f"{target.name} cannot be written, because there is no folder {folder}. "
            "Create the folder, or name another."
        )
    except OSError:
        fault = (
            f"{target.name} cannot be written in the folder {folder}. "
            "Ask for write permission there, or name another folder."
        )
    if fault:
        raise FileError(fault)


def _replace(temporary: Path, target: Path) -> None:
    with suppress(PermissionError):
        os.replace(temporary, target)
        return
    raise FileError(f"{target.name} cannot be replaced. Close it in other programs and try again.")


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
