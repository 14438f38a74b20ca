"""Writing that either happens entirely or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.errors import UnreadableFileError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside `path` that takes its place when the block ends well.

    If the block raises anything at all, Ctrl-C included, the temporary file is removed
    and the old file is what it was. The temporary name ends in the suffix of `path`,
    because some writers choose their format by it. A new file can be read by its owner
    only; one that is replaced keeps its mode.

    Raises:
        UnreadableFileError: The folder is missing or cannot be written in.
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


def _mode(target: Path) -> int:
    if target.is_dir():
        raise UnreadableFileError(
            f"{target.name} is a folder and cannot be written to. Name a file inside it."
        )
    return stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600


def _create(temporary: Path, target: Path) -> None:
    folder, fault = target.parent, ""
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except (FileNotFoundError, NotADirectoryError):
        fault = (
            f"{target.name} cannot be written, because there is no folder {folder}. "
            "Make the folder or name another."
        )
    except OSError:
        fault = (
            f"{target.name} cannot be written in the folder {folder}. "
            "Ask for write permission there, or name another folder."
        )
    if fault:
        raise UnreadableFileError(fault)


def _replace(temporary: Path, target: Path) -> None:
    with suppress(PermissionError):
        os.replace(temporary, target)
        return
    raise UnreadableFileError(
        f"{target.name} cannot be replaced. Close it in other programs and try again."
    )


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
