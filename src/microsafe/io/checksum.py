"""Checksums by which a plan recognises its files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.io.reader.faults import check_readable, translate_read_errors
from microsafe.progress import Progress, silent

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

_BLOCK = 1 << 24  # bytes


def digest(path: str | os.PathLike[str], *, progress: Progress = silent) -> str:
    """Return the SHA-256 of a file in hexadecimal digits, read in pieces.

    That of a folder, such as Spark writes, is made of the names and checksums of its files.

    Raises:
        UnreadableFileError: The file is missing, empty or may not be read.
    """
    if Path(path).is_dir():
        files = sorted(file for file in Path(path).rglob("*") if file.is_file())
        sums = [_digest_part(file, progress) for file in files]
        names = [file.relative_to(path).as_posix() for file in files]
        lines = [f"{name} {checksum}\n" for name, checksum in zip(names, sums, strict=True)]
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    target = check_readable(Path(path))
    checksum, size, done = hashlib.sha256(), target.stat().st_size, 0
    for block in _blocks(target):
        progress("checksum", done / size)
        checksum.update(block)
        done += len(block)
    progress("checksum", 1.0)
    return checksum.hexdigest()


def _blocks(path: Path) -> Iterator[bytes]:
    with translate_read_errors(path.name, "a file"), path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _digest_part(path: Path, progress: Progress) -> str:
    """Checksum of a file in a folder; marks such as `_SUCCESS` are empty."""
    return digest(path, progress=progress) if path.stat().st_size else ""
