"""Tell which output files a plan wrote and may replace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from microsafe.errors import InputError
from microsafe.io import digest
from microsafe.io.control_file import parse_json, read_control_text


class OwnedOutputs:
    """The files that a plan wrote when it was run last, by its lock.

    Args:
        lock: Where the lock would be.
        folder: That names in it are relative to.
    """

    def __init__(self, lock: Path | None, folder: Path) -> None:
        self._lock, self._folder = lock, folder

    def check(self, paths: Iterable[Path]) -> None:
        """Refuse to replace what the plan did not write, or what was changed since.

        Raises:
            InputError: Names the files.
        """
        # Read anew: a set that was finished in between has another lock.
        written: dict[Path, str] = {}
        if self._lock is not None and self._lock.is_file():
            with suppress(OSError, ValueError, TypeError, AttributeError):
                files = parse_json(read_control_text(self._lock))["files"]
                written = {
                    (self._folder / name).resolve(): file for name, file in files.items()
                } | {self._lock.resolve(): ""}
        foreign = [path.name for path in paths if path.exists() and not _is_own(path, written)]
        if foreign:
            raise InputError(
                "Nothing was written: these files already exist, and this plan did not write them "
                f"or they were changed since: {', '.join(foreign)}. Choose other names in "
                "[output], or allow files to be replaced (--overwrite, overwrite=)."
            )


def _is_own(path: Path, written: Mapping[Path, str]) -> bool:
    checksum = written.get(path.resolve())
    return checksum is not None and (not checksum or digest(path) == checksum)
