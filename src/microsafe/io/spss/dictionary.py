"""Walk through the dictionary of an SPSS system file before ReadStat may see it.

ReadStat (in pyreadstat 1.3.7) follows the positions in records of value labels unchecked,
so one damaged byte there ends the whole process instead of raising an error. The same
happens when a text that has a label is not in the encoding that the file declares.
"""

from __future__ import annotations

import codecs
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from microsafe.io.reader.faults import DAMAGED

if TYPE_CHECKING:
    from pathlib import Path

_HEADER = 176
_LAYOUT = 64  # where the number 2 or 3 stands, by which the byte order is known
_VARIABLE, _LABELS, _LABELLED, _DOCUMENT, _EXTENSION = 2, 3, 4, 6, 7
_MACHINE, _DISPLAY, _ENCODING = 3, 11, 20  # kinds of extension
_LONGEST_NAME = 100
_MISNAMED = "Its text is not in the encoding that applies, so name the right one, say windows-1252."


@dataclass(slots=True, kw_only=True)
class SpssDictionary:
    """What has been met so far.

    Attributes:
        records: How many the file says that it has; -1 if it does not.
        compression: 0 none, 1 small numbers as bytes, 2 that and zlib.
        texts: Of each variable, whether it holds text.
        labels: The codes of the set of labels at hand.
        labelled: All codes that are said to be labelled texts.
        encoding: As the file declares it.
        display: Where it says how variables are shown, three numbers for each; 0 if nowhere.
        broken: Whether labels are for variables that do not exist.
    """

    records: int = -1
    compression: int = 0
    texts: list[bool] = field(default_factory=list)
    labels: list[bytes] = field(default_factory=list)
    labelled: list[bytes] = field(default_factory=list)
    encoding: str = ""
    display: int = 0
    broken: bool = False


def find_remedy(path: Path, encoding: str | None) -> str:
    """Return what to do about value labels that would crash ReadStat, or nothing.

    Anything else that looks wrong is left to ReadStat, which reports it properly.
    """
    dictionary = survey_dictionary(path)
    if dictionary.broken or any(code[0] == 0 for code in dictionary.labelled):
        return DAMAGED
    return "" if _can_decode(dictionary.labelled, encoding or dictionary.encoding) else _MISNAMED


def survey_dictionary(path: Path) -> SpssDictionary:
    """Walk through the dictionary, as far as it goes."""
    dictionary = SpssDictionary()
    with path.open("rb") as file:
        header = file.read(_HEADER)
        if len(header) == _HEADER and header.startswith(b"$FL"):
            order = "<" if header[_LAYOUT] in (2, 3) else ">"
            number = struct.Struct(f"{order}i")
            _, dictionary.compression, _, dictionary.records = struct.unpack_from(
                f"{order}4i", header, _LAYOUT + 4
            )
            try:
                while not dictionary.broken and _read_record(file, number, dictionary):
                    pass
            except (struct.error, OSError, EOFError, OverflowError, ValueError):
                pass  # cut short, or no SPSS file at all
    return dictionary


def _can_decode(codes: list[bytes], encoding: str) -> bool:
    try:
        decoder = codecs.lookup(encoding or "ascii")
    except (LookupError, ValueError):
        return True
    try:
        for code in codes:
            decoder.decode(code)
    except UnicodeError:
        return False
    except ValueError:  # a codec, but not of text
        return True
    return True


def _read_record(file: BinaryIO, number: struct.Struct, dictionary: SpssDictionary) -> bool:
    """Read one record; return whether another may follow."""

    def numbers(count: int) -> list[int]:
        return [int(number.unpack(file.read(4))[0]) for _ in range(count)]

    def skip(size: int) -> None:
        if size < 0:  # going back would go round for ever
            raise EOFError
        file.seek(size, 1)

    (record,) = numbers(1)
    if record == _VARIABLE:
        width, labelled, missing, *_ = numbers(5)
        dictionary.texts.append(width != 0)
        skip(8)
        if labelled:
            skip((numbers(1)[0] + 3) // 4 * 4)
        skip(8 * abs(missing))
    elif record == _LABELS:
        dictionary.labels = _codes(file, numbers(1)[0])
    elif record == _LABELLED:
        (count,) = numbers(1)
        dictionary.broken = not 0 <= count <= len(dictionary.texts)
        places = [] if dictionary.broken else numbers(count)
        dictionary.broken |= not all(1 <= place <= len(dictionary.texts) for place in places)
        if not dictionary.broken and any(dictionary.texts[place - 1] for place in places):
            dictionary.labelled += dictionary.labels
    elif record == _DOCUMENT:
        skip(80 * numbers(1)[0])
    elif record == _EXTENSION:
        kind, size, count = numbers(3)
        if kind == _ENCODING and 0 <= size * count <= _LONGEST_NAME:
            dictionary.encoding = file.read(size * count).decode("ascii").strip("\0 ")
        elif kind == _MACHINE and size * count == 32:
            page = numbers(8)[7]
            dictionary.encoding = dictionary.encoding or ("utf-8" if page == 65001 else f"cp{page}")
        else:
            dictionary.display = file.tell() if kind == _DISPLAY else dictionary.display
            skip(size * count)
    return record in (_VARIABLE, _LABELS, _LABELLED, _DOCUMENT, _EXTENSION)


def _codes(file: BinaryIO, count: int) -> list[bytes]:
    codes: list[bytes] = []
    for _ in range(count):
        start = file.read(9)
        if len(start) < 9:
            raise EOFError
        codes.append(start[:8])
        # Label and its length byte together fill a multiple of 8 bytes.
        file.seek((start[8] + 8) // 8 * 8 - 1, 1)
    return codes
