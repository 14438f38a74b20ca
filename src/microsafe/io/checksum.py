"""The checksum by which a plan recognises its files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.io.faults import existing, rephrased

if TYPE_CHECKING:
    import os


def digest(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file in hexadecimal digits, read in pieces.

    That of a folder, such as Spark writes, is made of the names and checksums of its files.

    Raises:
        UnreadableFileError: The file is missing, empty or may not be read.
    """
    if Path(path).is_dir():
        files = sorted(each for each in Path(path).rglob("*") if each.is_file())
        lines = [f"{each.relative_to(path).as_posix()} {_of_part(each)}\n" for each in files]
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    target = existing(Path(path))
    with rephrased(target.name, "a file"), target.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _of_part(path: Path) -> str:
    """Checksum of a file in a folder; marks such as `_SUCCESS` are empty."""
    return digest(path) if path.stat().st_size else ""
