"""Detect the encoding of a text file, and decode it to UTF-8."""

from __future__ import annotations

import codecs
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.errors import UnreadableFileError, UsageError
from microsafe.io.text._comments import CommentFilter
from microsafe.io.text.packed import PackedText, open_packed
from microsafe.notices import Notice, make_notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Tell = Callable[[float], None]

CHUNK = 1 << 20
FALLBACK = "windows-1252"
# Longest first: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


# What Polars would unpack by itself, and archives.
_PACKED = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")


def ignore_progress(fraction: float) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedText:
    """A text file that is known to be text of its encoding without NUL bytes.

    Attributes:
        name: What messages call it.
        content: The path, the text in a packed file, or UTF-8 if the text had to be changed as a
            whole.
        encoding: In which the file was written.
        mark: The byte order mark that it began with, if any.
        returns: Whether its lines ended in carriage returns, as old Macs wrote.
        comment: What lines begin with that are left out; empty if none are.
        dropped: Numbers of these lines, from 1.
        before: What is missing in front of the first line that is left, as UTF-8.
        notices: What a person should know about the encoding.
    """

    name: str
    content: Path | PackedText | bytes
    encoding: str = "utf-8"
    mark: bytes = b""
    returns: bool = False
    comment: str = ""
    dropped: tuple[int, ...] = ()
    before: bytes = b""
    notices: tuple[Notice, ...] = ()

    def chunks(self, size: int = CHUNK, *, tell: Tell = ignore_progress) -> Iterator[bytes]:
        """Go through the text as UTF-8 in pieces, without its byte order mark and comments.

        Args:
            size: Bytes of the file that make a piece.
            tell: Called with the fraction that has been read.
        """
        pieces, before = self._decode(size, tell), self.before
        for piece in CommentFilter(self.comment).filter(pieces) if self.comment else pieces:
            yield before + piece if before else piece
            before = b""

    def without_comments(self, mark: str) -> DecodedText:
        """Return the text without lines that begin with a mark; it knows which these are."""
        comments = CommentFilter(mark)
        for _ in comments.filter(self.chunks()):
            pass
        return replace(self, comment=mark, dropped=tuple(comments.dropped))

    def _decode(self, size: int, tell: Tell) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder(self.encoding)()
        place = 0
        for chunk in self._raw(size):
            tell(place / self.size)
            first, place = not place, place + len(chunk)
            if not isinstance(self.content, bytes) and self.encoding != "utf-8":
                chunk = decoder.decode(chunk, final=place == self.size).encode()
            yield chunk.removeprefix(codecs.BOM_UTF8) if first else chunk
        tell(1.0)

    @property
    def size(self) -> int:
        """Bytes of the text."""
        content = self.content
        if isinstance(content, PackedText):
            return content.size
        return content.stat().st_size if isinstance(content, Path) else len(content)

    def _raw(self, size: int) -> Iterator[bytes]:
        content, least = self.content, max(size, 4)  # a mark is never cut
        if isinstance(content, PackedText):
            yield from content.blocks(least)
            return
        with content.open("rb") if isinstance(content, Path) else BytesIO(content) as file:
            while chunk := file.read(least):
                yield chunk

    def read(self) -> bytes:
        """Return all of it, without its byte order mark."""
        return b"".join(self.chunks())

    def encode(self, content: bytes) -> bytes:
        """Return UTF-8 as this file would have it: its encoding, mark and line ends.

        Raises:
            UnicodeEncodeError: The encoding of this file lacks a character of the content.
        """
        return b"".join(self.encode_pieces([content]))

    def encode_pieces(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Go through UTF-8 as this file would have it; pieces end where lines end.

        Raises:
            UnicodeEncodeError: The encoding of this file lacks a character of the content.
        """
        encoder = codecs.getincrementalencoder(self.encoding)()
        yield self.mark
        for piece in pieces:
            content = piece.replace(b"\n", b"\r") if self.returns else piece
            yield content if self.encoding == "utf-8" else encoder.encode(content.decode())


def check_encoding(encoding: str) -> str:
    """Return the name of a text encoding if Python knows it.

    Raises:
        UsageError: It does not.
    """
    with suppress(LookupError, ValueError, TypeError):
        name = codecs.lookup(encoding).name
        with suppress(UnicodeError):
            b" ".decode(encoding)  # "hex" and the like are codecs, but not of text
        return name
    raise UsageError(f"encoding {encoding!r} is unknown. Use a name such as utf-8 or windows-1252.")


def open_text(path: Path, encoding: str | None, *, tell: Tell = ignore_progress) -> DecodedText:
    """Find out the encoding of a text file, or check the one that is given.

    Args:
        path: The file.
        encoding: By name; by default UTF-8, or windows-1252 if it is not that.
        tell: Called with the fraction that has been checked.

    Raises:
        UsageError: There is no such encoding.
        UnreadableFileError: The bytes are not text, or not in that encoding.
    """
    text = DecodedText(name=path.name, content=open_packed(path) or path)
    start = next(text._raw(4), b"")
    if start.startswith(_PACKED):
        raise UnreadableFileError(
            f"{path.name} is packed (gzip, zip or zstd), not the text that its name promises. "
            "Unpack it first, or rename it to .csv.gz or .csv.zip if it is that."
        )
    declared = None if encoding is None else check_encoding(encoding)
    mark, marked = next((pair for pair in _MARKS if start.startswith(pair[0])), (b"", None))
    chosen = declared or marked or "utf-8"
    if chosen in ("utf-8", "utf-8-sig", "ascii"):
        text = replace(text, mark=mark)
        if _is_utf8(text, tell):
            return text
        if declared or marked:
            raise _encoding_error(path.name, declared or "utf-8")
        notice = make_notice("file-encoding", name=path.name, encoding=FALLBACK)
        return replace(_open_encoded(text, FALLBACK, tell), notices=(notice,))
    if marked is not None and marked.startswith(chosen):  # utf-16 as the mark has it: utf-16-le
        return replace(_open_encoded(text, marked, tell), mark=mark)
    return _open_encoded(text, chosen, tell)


def _is_utf8(text: DecodedText, tell: Tell) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in text.chunks(tell=tell):
            _refuse_nul(text.name, chunk)
            # Most files are plain ASCII, and looking is much cheaper than decoding.
            if not chunk.isascii() or decoder.getstate()[0]:
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _open_encoded(text: DecodedText, encoding: str, tell: Tell) -> DecodedText:
    """The text, once all of it was seen to be of the encoding."""
    text = replace(text, encoding=encoding, mark=b"")
    right = False
    # Raised outside: an error of decoding holds the bytes.
    with suppress(UnicodeError):
        for chunk in text.chunks(tell=tell):
            _refuse_nul(text.name, chunk)
        right = True
    if not right:
        raise _encoding_error(text.name, encoding)
    return text


def _refuse_nul(name: str, content: bytes) -> None:
    if b"\0" in content:
        raise UnreadableFileError(
            f"{name} holds NUL bytes, so it is not the text file that its name promises. "
            "Export it again, or name its encoding if it is UTF-16 without a mark."
        )


def _encoding_error(name: str, encoding: str) -> UnreadableFileError:
    return UnreadableFileError(
        f"{name} is not text in the encoding {encoding}. Name the encoding that it was saved in."
    )
