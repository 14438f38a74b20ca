"""The folders that the app may look into: those that were named at start, and what lies below.

A path from the page is a list of names. Nothing in it may lead upward or elsewhere: no `..`, no
other root, no symbolic link on the way.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from microsafe.app.messages.study import Entry, Listing
from microsafe.app.refusal import Refusal
from microsafe.io import can_read
from microsafe.io.formats import is_table

_MOST_ENTRIES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """Folders by number, as resolved paths."""

    roots: tuple[Path, ...]

    def find_file(self, folder: int, path: str) -> Path:
        """Return a file below a folder, or a folder that is opened as one."""
        found = self._resolve(folder, path)
        if not _is_data(found):
            raise Refusal(404, "File not found.", "Choose one from the list.")
        return found

    def find_folder(self, folder: int, path: str) -> Path:
        """Return a folder below a folder."""
        found = self._resolve(folder, path)
        if not _has_kind(found, stat.S_ISDIR):
            raise Refusal(404, "Folder not found.", "Choose one from the list.")
        return found

    @contextmanager
    def make_folder(self, folder: int, path: str) -> Iterator[Path]:
        """Yield a folder below a folder; it is made if only its last part is missing.

        One that was made and is still empty at the end, whatever happened, is as if it had not been
        asked for.
        """
        found = self._resolve(folder, path)
        new = not found.exists() and _has_kind(found.parent, stat.S_ISDIR)
        if new:
            found.mkdir(mode=0o700)
        try:
            yield self.find_folder(folder, path)
        finally:
            if new:
                with suppress(OSError):  # it holds files, or is gone
                    found.rmdir()

    def find_path(self, path: Path) -> Path:
        """Return a file by its full path, if it lies below one of the folders."""
        whole = Path(os.path.normpath(path))
        for number, root in enumerate(self.roots):
            if whole.is_relative_to(root):
                found = self._resolve(number, whole.relative_to(root).as_posix())
                if not _is_data(found):
                    raise Refusal(404, f"{whole.name} was not found.", "Put it back.")
                return found
        raise Refusal(
            403,
            f"{whole.name} lies outside the folders of the app.",
            "Start the app with --folder and the folder of the file.",
        )

    def list_folder(
        self, folder: int, path: str, wanted: Callable[[Path], bool] = can_read
    ) -> Listing:
        """List the folders in a folder, and the files that can be opened."""
        entries = []
        with os.scandir(self.find_folder(folder, path)) as found:
            for each in found:
                if each.name.startswith(".") or each.is_symlink():
                    continue
                if each.is_dir() and wanted is can_read and _is_data(Path(each.path)):
                    parts = [part for part in Path(each.path).rglob("*") if part.is_file()]
                    size = sum(part.stat().st_size for part in parts)
                    entries.append(Entry(name=each.name, kind="file", size=size))
                elif each.is_dir():
                    entries.append(Entry(name=each.name, kind="folder", size=0))
                elif each.is_file() and wanted(Path(each.name)):
                    entries.append(Entry(name=each.name, kind="file", size=each.stat().st_size))
        entries.sort(key=lambda each: (each.kind == "file", each.name.casefold(), each.name))
        return Listing(folder=folder, path=path, entries=tuple(entries[:_MOST_ENTRIES]))

    def _resolve(self, folder: int, path: str) -> Path:
        if not 0 <= folder < len(self.roots):
            raise Refusal(404, "Folder not found.", "Choose one from the list.")
        found = self.roots[folder]
        for name in path.split("/") if path else ():
            found /= check_name(name)
            if found.is_symlink():
                raise Refusal(
                    403, "Symbolic links are not followed.", "Choose the file or folder itself."
                )
        return found


def check_name(name: str) -> str:
    """Return the name of one file or folder.

    Raises:
        Refusal: It would lead elsewhere, or no system has such names.
    """
    leads_away = name in ("", ".", "..") or any(sign in name for sign in "/\\:\0")
    if leads_away or name.startswith(".") or not name.isprintable() or len(name.encode()) > 255:
        raise Refusal(403, "This is not a valid file or folder name.", "Choose one from the list.")
    return name


def _is_data(path: Path) -> bool:
    """Tell whether something is a file, or a folder of Parquet files without symbolic links."""
    if not _has_kind(path, stat.S_ISDIR):
        return _has_kind(path, stat.S_ISREG)
    return is_table(path) and not any(part.is_symlink() for part in path.rglob("*"))


def _has_kind(path: Path, kind: Callable[[int], bool]) -> bool:
    try:
        return kind(path.lstat().st_mode)
    except OSError:
        return False
