"""Read small files that say what to do: plans, locks, seeds, recodes, code lists.

They come by mail as data files do. Nothing in them may take more memory or time than reading them:
a pipe is not waited for, a file that is too large for what it is called is not read, and lists
within lists end somewhere.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from microsafe.errors import UnreadableFileError

LARGEST = 4_000_000  # bytes
_DEEPEST = 32  # brackets within brackets, and parts of a name with dots
# What brackets and dots mean nothing in, and what they mean something in.
_WORD = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?|' r"'''(?:[^']|'(?!''))*+(?:'{3,5})?|"
    r'"(?:[^"\\\n]|\\.)*+"?|' r"'[^'\n]*+'?|#[^\n]*+|[\[\]{}.=,\n]",
    re.DOTALL,
)  # fmt: skip


def read_control_bytes(path: Path) -> bytes:
    """Return what is in a small file.

    Raises:
        FileNotFoundError: It is not there.
        UnreadableFileError: It is a folder, a device or a pipe, too large, or may not be read.
    """
    try:
        # Opening a pipe for reading would wait until somebody writes.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise
    except (OSError, ValueError):
        raise UnreadableFileError(
            f"{path.name} cannot be opened. Check its name and your permissions."
        ) from None
    try:
        _check(path, os.fstat(handle))
        with os.fdopen(os.dup(handle), "rb") as file:
            return file.read(LARGEST + 1)[:LARGEST]
    finally:
        os.close(handle)


def read_control_text(path: Path) -> str:
    """Return the text of a small file.

    Raises:
        FileNotFoundError: It is not there.
        UnreadableFileError: As `read_control_bytes`, or it is not text.
    """
    try:
        return read_control_bytes(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise UnreadableFileError(
            f"{path.name} is not text in UTF-8. Save it in that encoding."
        ) from None


def check_control_file(path: Path) -> Path:
    """Return the path of a small file, if it is one (see `read_control_bytes`)."""
    _check(path, path.stat())
    return path


def _check(path: Path, about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        raise UnreadableFileError(
            f"{path.name} is a folder, a device or a pipe. Name a file with text in it."
        )
    if about.st_size > LARGEST:
        raise UnreadableFileError(
            f"{path.name} has {about.st_size:,} bytes; plans, locks, seeds, recodes and code "
            f"lists have at most {LARGEST:,}. Check that it is the right file."
        )


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML whose tables lie within each other to a bounded depth.

    Raises:
        tomllib.TOMLDecodeError: It is no TOML, too deep, or has a number that is too long.
    """
    _check_depth(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (ValueError, RecursionError):  # digits beyond what Python reads
        raise tomllib.TOMLDecodeError("a number is too long") from None


def parse_json(text: str) -> Any:
    """Read JSON.

    Raises:
        ValueError: It is no JSON, too deep, or has a number that is too long.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("too deep") from None


def _check_depth(text: str) -> None:
    """Refuse brackets within brackets, and names of many parts, before anything is built of them.

    The parser's memory grows with the square of the parts of a name.
    """
    depth = parts = 0
    line = 1
    for found in _WORD.finditer(text):
        word = found[0]
        line += word.count("\n")
        if word in ("[", "{"):
            depth += 1
        elif word in ("]", "}"):
            depth -= 1
        parts = parts + 1 if word == "." else parts if word[0] in "\"'" else 0
        if max(depth, parts) > _DEEPEST:
            raise tomllib.TOMLDecodeError(f"too deep (at line {line})")
