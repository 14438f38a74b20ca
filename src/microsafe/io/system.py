"""What operating systems do in their own ways: locks, writing to the disk, memory, usual folders.

Only this module asks which system it is. Windows cannot open a folder, so a folder is neither
locked nor synced there; macOS keeps what is synced in the disk's own memory unless told otherwise.
"""

from __future__ import annotations

import os
import sys
from mmap import mmap
from pathlib import Path


def lock_file(handle: int, *, wait: bool = False) -> bool:
    """Lock an open file; the system lets go when it is closed or the process ends.

    Args:
        handle: Of the open file.
        wait: For whoever has it. On Windows nobody waits longer than ten seconds.

    Returns:
        Whether it is locked now.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def lock_folder(folder: Path, *, wait: bool = False) -> int | None:
    """Lock a folder until the handle is closed or the process ends; None if that cannot be had."""
    if not folders_open():
        return None
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    if lock_file(handle, wait=wait):
        return handle
    os.close(handle)
    return None


def folders_open() -> bool:
    """Tell whether a folder can be opened as a file can, to be locked and synced."""
    return sys.platform != "win32"


def map_memory(size: int) -> mmap:
    """Return memory that the system has back, all of it, as soon as nobody holds it."""
    if sys.platform == "win32":
        return mmap(-1, size)
    from mmap import MAP_ANONYMOUS, MAP_PRIVATE

    return mmap(-1, size, flags=MAP_PRIVATE | MAP_ANONYMOUS)


def sync_file(path: Path) -> None:
    """Have what was written to a file brought to the disk."""
    _sync(path, os.O_RDWR)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder brought to the disk."""
    if folders_open():
        _sync(folder, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        if sys.platform == "darwin":  # where fsync stops at the disk's own memory
            import fcntl

            try:
                fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            except OSError:  # a network disk knows fsync only
                os.fsync(handle)
        else:
            os.fsync(handle)
    finally:
        os.close(handle)


def largest_file() -> float:
    """Return how large the system lets a file of this process become."""
    if sys.platform == "win32":
        return float("inf")
    import resource

    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return float("inf") if limit == resource.RLIM_INFINITY else limit


def user_folder() -> Path:
    """Return the folder in which the system wants programs to keep what they remember."""
    if sys.platform == "win32":
        usual = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        usual = Path.home() / ".local" / "state"
    return Path(os.environ.get("XDG_STATE_HOME") or usual)


def runs_scripts() -> bool:
    """Tell whether a shell script can be called as a program can."""
    return sys.platform != "win32"


def memory() -> int | None:
    """Return the bytes of memory that are free, as far as the system tells."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
