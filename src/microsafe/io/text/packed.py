"""Read delimited text packed by gzip or zip, block by block."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO, cast

from microsafe.display import shorten_list
from microsafe.errors import UnreadableFileError
from microsafe.io.formats import DELIMITED_TEXT, PACKINGS, find_format, name_unpacked
from microsafe.io.reader.archive_size import check_unpacked
from microsafe.io.reader.faults import DAMAGED, translate_read_errors

_BLOCK = 1 << 20
_LEVEL = 6
_NEVER = (1980, 1, 1, 0, 0, 0)  # the first time that an archive can tell
_PRIVATE = 0o600 << 16
_ENCRYPTED = 1  # a flag
_KIND = {".gz": "a gzip file", ".zip": "a zip archive"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedText:
    """A text inside a packed file that was unpacked once, to its end.

    Attributes:
        path: The packed file.
        name: Of the text inside.
        size: Bytes of the text.
    """

    path: Path
    name: str
    size: int = 0

    def blocks(self, size: int) -> Iterator[bytes]:
        """Go through the text in pieces of so many bytes."""
        with translate_read_errors(self.path.name, _KIND[self.packing]), self._open() as file:
            while block := file.read(size):
                yield block

    @property
    def packing(self) -> str:
        """By which extension it is packed."""
        return self.path.suffix.lower()

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        with ExitStack() as stack:
            if self.packing == ".gz":
                yield cast("IO[bytes]", stack.enter_context(gzip.open(self.path)))
            else:
                archive = stack.enter_context(zipfile.ZipFile(self.path))
                yield stack.enter_context(archive.open(self.name))


def open_packed(path: Path) -> PackedText | None:
    """Return the text in a packed file; None if the name of the file does not say that it is one.

    All of it is unpacked once, in pieces: an archive that is damaged or cut short is told from a
    short text, and one that unpacks to far more than a text can is left there.

    Raises:
        UnreadableFileError: It is damaged, has a password, holds something else than one text, or
            unpacks to far too much.
    """
    packing = path.suffix.lower()
    if packing not in PACKINGS:
        return None
    name = _find_member(path) if packing == ".zip" else name_unpacked(path)
    if find_format(PurePath(name)) not in (DELIMITED_TEXT, None):
        raise UnreadableFileError(
            f"{path.name} holds a file that is not delimited text ({PurePath(name).suffix}). "
            "Unpack it first."
        )
    return PackedText(path=path, name=name, size=_measure(PackedText(path=path, name=name)))


def pack_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a text, packed if the extension says so; equal texts give equal bytes."""
    with ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(path.open("wb"))
        if path.suffix.lower() == ".gz":
            # Neither a name nor a time: they would tell of this machine.
            packed = gzip.GzipFile("", "wb", _LEVEL, file, mtime=0)
            file = cast("IO[bytes]", stack.enter_context(packed))
        elif path.suffix.lower() == ".zip":
            archive = stack.enter_context(zipfile.ZipFile(file, "w"))
            member = zipfile.ZipInfo(name_unpacked(path), _NEVER)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, _PRIVATE
            member.create_system = 3  # the same on every system
            file = stack.enter_context(archive.open(member, "w", force_zip64=True))
        for piece in pieces:
            file.write(piece)


def _find_member(path: Path) -> str:
    """Return the name of the one file in an archive."""
    with translate_read_errors(path.name, _KIND[".zip"]), zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not _is_beside(member)]
    if not members:
        raise UnreadableFileError(f"{path.name} holds no file. Check where it comes from.")
    if len(members) > 1:
        names = shorten_list([member.filename for member in members])
        raise UnreadableFileError(
            f"{path.name} holds {len(members):,} files: {names}. Unpack the one that has the data."
        )
    if members[0].flag_bits & _ENCRYPTED:
        raise UnreadableFileError(
            f"{path.name} is protected by a password. Unpack it first with its password."
        )
    return members[0].filename


def _is_beside(member: zipfile.ZipInfo) -> bool:
    """Tell whether a member is a folder, or what a Mac adds to an archive."""
    name = member.filename
    return member.is_dir() or name.startswith("__MACOSX/") or name.endswith(".DS_Store")


def _measure(packed: PackedText) -> int:
    """Return the size of the text, and be sure that all of it is there."""
    name, size, total = packed.path.name, packed.path.stat().st_size, 0
    with translate_read_errors(name, _KIND[packed.packing]):
        try:
            with packed._open() as file:
                while block := file.read(_BLOCK):
                    total += len(block)
                    check_unpacked(name, total, size)
        except EOFError:
            raise UnreadableFileError(
                f"{name} is cut short: its end is missing. Fetch or export it again."
            ) from None
        except (zlib.error, zipfile.BadZipFile, gzip.BadGzipFile):
            raise UnreadableFileError(f"{name} cannot be unpacked. {DAMAGED}") from None
        except NotImplementedError:
            raise UnreadableFileError(
                f"{name} is packed in a way that cannot be read. Pack it with gzip or zip."
            ) from None
    if not total:
        raise UnreadableFileError(f"{name} holds an empty file. Fetch or export it again.")
    return total
