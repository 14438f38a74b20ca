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

    Raises:
        UnreadableFileError: The file is missing, empty or may not be read.
    """
    target = existing(Path(path))
    with rephrased(target.name, "a file"), target.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
