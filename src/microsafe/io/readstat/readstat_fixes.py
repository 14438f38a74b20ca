"""Repair in memory files that ReadStat reads wrongly or not at all.

Called in the process that reads.
"""

from __future__ import annotations

import codecs
import os
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.errors import UnreadableFileError

if TYPE_CHECKING:
    from microsafe.io.spss.portable import Missing

_CHARSET, _UTF_8 = 70, 20  # where a SAS file numbers its character set, and one that is known
ANY_TEXT = "ISO-8859-1"  # in which all bytes are text
# Where Python's name of an encoding is none of iconv, even with - for _.
_ICONV = {"mac-roman": "MACINTOSH"}


def fix_file(path: str, reader: str, encoding: str | None = None) -> tuple[str | BytesIO, Missing]:
    """Return a file as ReadStat can read it, and the missing codes that were cut out of it."""
    # Loaded by the process that reads alone.
    from microsafe.io.spss.portable import cut_missing
    from microsafe.io.stata import old_releases
    from microsafe.io.stata.long_text import recode_long_texts

    if reader == "read_por":
        missing, plain = cut_missing(Path(path).read_bytes())
        return BytesIO(plain), missing
    if reader == "read_dta" and read_release(path) in old_releases.RELEASES:
        return BytesIO(old_releases.modernise_stata(Path(path).read_bytes())), {}
    if reader == "read_dta" and (content := recode_long_texts(path, encoding)) is not None:
        return BytesIO(content), {}
    return path, {}


def read_release(path: str) -> int:
    """Return the first byte, which is the release of a Stata file up to 115."""
    with open(path, "rb") as file:
        return (file.read(1) or b"\0")[0]


def fix_charset(path: str) -> BytesIO:
    """Return a SAS file that says that its character set is UTF-8, so that another can be named."""
    content = bytearray(Path(path).read_bytes())
    content[_CHARSET : _CHARSET + 1] = bytes((_UTF_8,))
    return BytesIO(content)


def charset_error(path: str) -> UnreadableFileError:
    """Return the error for a SAS file that can be read but for its text."""
    with open(path, "rb") as file:
        number = file.read(_CHARSET + 1)[_CHARSET]
    return UnreadableFileError(
        f"{os.path.basename(path)} is a SAS file whose text is not in the encoding that it "
        f"declares, or in one that is unknown here (character set {number} of SAS). Name the "
        "encoding, say windows-1252."
    )


def iconv_name(encoding: str | None) -> str | None:
    """Return an encoding by the name that ReadStat knows, for any that Python knows."""
    if encoding is None:
        return None
    name = codecs.lookup(encoding).name.replace("_", "-")
    return _ICONV.get(name, name)
