"""Take missing-value records out of an SPSS portable file before ReadStat sees it.

Through pyreadstat, ReadStat makes user-missing values null and does not tell which there were. In
a file that declares none the values stay, so the declarations are read here and cut out.

The file is text in lines of 80 characters: a header, and records of numbers to base 30 and of text
behind its length. PSPP documents it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from microsafe.schema import Code

_LINE = 80
_TABLE, _START = 200, 464  # of the characters, and of what comes behind the header
_LINE_END = re.compile(rb"\r\n|\r|\n")
# Places of the table from 64 on, as far as the dictionary needs them.
_FIRST = 64
_SIGNS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .<(+|&[]!$*);^-/|,%_>?`:"
_NUMBER = re.compile(rb" *(?:\*\.|(-?)([0-9A-T]*)(?:\.([0-9A-T]*))?(?:([+-][0-9A-T]+))?/)")
_FARTHEST = 250  # powers of 30 in a number
_LARGEST = 1.7e308  # stands for an open end where one is spelt out

Missing = dict[str, list["Code | dict[str, float]"]]


@dataclass(slots=True)
class _Dictionary:
    """Text that is read from front to back.

    Attributes:
        text: All of it, in ASCII.
        place: Where reading goes on.
        texts: The variables that hold text.
        missing: What is declared as missing, by variable.
        cuts: Where that is said, from and to.
    """

    text: bytes
    place: int = _START
    texts: set[str] = field(default_factory=set)
    missing: Missing = field(default_factory=dict)
    cuts: list[tuple[int, int]] = field(default_factory=list)

    def read_number(self) -> float:
        match = _NUMBER.match(self.text, self.place)
        if match is None:
            raise ValueError
        self.place = match.end()
        sign, whole, fraction, power = (group or b"" for group in match.groups())
        if not whole and not fraction:
            return -inf  # system missing, which no code is
        exponent = (int(power, 30) if power else 0) - len(fraction)
        if abs(exponent) > _FARTHEST:
            raise ValueError
        # Exact, as the code must equal the values that ReadStat reads.
        number = int(whole + fraction, 30) * Fraction(30) ** exponent
        return (-1 if sign else 1) * (float(number) if number < _LARGEST else inf)

    def read_count(self) -> int:
        number = self.read_number()
        if not isfinite(number):
            raise ValueError
        return int(number)

    def read_text(self) -> str:
        size = self.read_count()
        content = self.text[self.place : self.place + size]
        if size < 0 or len(content) < size:
            raise ValueError
        self.place += size
        return content.decode("latin-1")

    def skip(self, *parts: Callable[[], object], times: int = 1) -> None:
        for _ in range(times):
            for part in parts:
                part()


def cut_missing(content: bytes) -> tuple[Missing, bytes]:
    """Return what a file declares as missing, and the file without those declarations.

    What does not look like such a file is returned as it is: ReadStat will refuse it.
    """
    *lines, end = _LINE_END.split(content)
    raw = b"".join(line.ljust(_LINE) for line in lines) + end
    dictionary = _Dictionary(raw.translate(_read_table(raw)))
    try:
        _read_records(dictionary)
    except ValueError:
        return {}, content
    if not dictionary.cuts:
        return {}, content
    shortened = b"".join(_between(raw, dictionary.cuts))
    wrapped = (shortened[place : place + _LINE] for place in range(0, len(shortened), _LINE))
    return dictionary.missing, b"\r\n".join((*wrapped, b""))


def _between(raw: bytes, cuts: list[tuple[int, int]]) -> Iterator[bytes]:
    place = 0
    for start, end in cuts:
        yield raw[place:start]
        place = end
    yield raw[place:]


def _read_table(raw: bytes) -> bytes:
    """Return which ASCII character each byte stands for, itself if the header does not say."""
    table = bytearray(range(256))
    spelt = raw[_TABLE + _FIRST : _TABLE + _FIRST + len(_SIGNS)]
    for byte, sign in reversed(list(zip(spelt, _SIGNS, strict=False))):
        table[byte] = sign  # the first meaning counts, such as that of the digit 0
    return bytes(table)


def _read_records(dictionary: _Dictionary) -> None:
    """Read up to the data.

    Raises:
        ValueError: There is something else than the dictionary of a portable file.
    """
    number, text = dictionary.read_number, dictionary.read_text
    if (
        dictionary.text[_START - 8 : _START] != b"SPSSPORT"
        or dictionary.text[_START : _START + 1] != b"A"
    ):
        raise ValueError
    dictionary.place += 1
    dictionary.skip(text, times=2)  # day and time
    name = ""

    def code() -> Code:
        return text().rstrip(" ") if name in dictionary.texts else number()

    while (record := dictionary.text[dictionary.place : dictionary.place + 1]) != b"F":
        start = dictionary.place
        dictionary.place += 1
        if not record:
            raise ValueError
        if record in b"1236C":
            text()
        elif record in b"45":
            number()
        elif record == b"7":
            width, name = number(), text()
            dictionary.texts |= {name} if width else set()
            dictionary.skip(number, times=6)
        elif record in b"89AB":
            dictionary.missing.setdefault(name, []).extend(_read_missing(record, code))
            dictionary.cuts.append((start, dictionary.place))
        elif record == b"D":
            _skip_labels(dictionary)
        elif record == b"E":
            dictionary.skip(text, times=dictionary.read_count())
        else:
            raise ValueError


def _read_missing(record: bytes, code: Callable[[], Code]) -> Iterator[Code | dict[str, float]]:
    """Return what a record declares: a code, all up to it, all from it, or from one to another."""
    first = code()
    if record == b"8" or isinstance(first, str):
        yield first
        return
    low, high = float(first), float(first)
    if record == b"B":
        high = float(code())
    elif record == b"9":
        low = -inf
    else:
        high = inf
    if low < inf:  # PSPP 1.6 writes the open end in place of where such a range begins
        yield {"lo": low, "hi": high}


def _skip_labels(dictionary: _Dictionary) -> None:
    names = [dictionary.read_text() for _ in range(dictionary.read_count())]
    kind = (
        dictionary.read_text if names and names[0] in dictionary.texts else dictionary.read_number
    )
    dictionary.skip(kind, dictionary.read_text, times=dictionary.read_count())
