"""Parse R's serialisation format, as `saveRDS` and `save` write it (XDR, versions 2 and 3).

The layout is that of "R Internals", section Serialization Formats. All kinds of objects are gone
through, as what follows an object is found by its end only; what no data frame has, such as
functions, becomes `OPAQUE`. Nothing is ever run. Lengths are believed only as far as there are
bytes for them.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

LOGICAL, INTEGER, DOUBLE, COMPLEX, TEXT, LIST, RAW = 10, 13, 14, 15, 16, 19, 24
NA_INTEGER = -(2**31)
OPAQUE: Final = "opaque"  # an object that is of no use here

_NIL, _SYMBOL, _PAIRS, _CLOSURE, _ENVIRONMENT, _PROMISE, _CALL = range(7)
_SPECIAL, _BUILTIN, _CHARACTERS, _DOTS, _EXPRESSIONS = 7, 8, 9, 17, 20
_BYTECODE, _POINTER, _WEAK, _S4 = 21, 22, 23, 25
_ALTERNATIVE, _ATTRIBUTED_PAIRS, _ATTRIBUTED_CALL, _BASE, _EMPTY = 238, 239, 240, 241, 242
_REPEATED, _DEFINED, _PERSISTENT, _PACKAGE, _NAMESPACE = 243, 244, 247, 248, 249
_BASE_NAMESPACE, _NO_ARGUMENT, _UNBOUND, _GLOBAL, _NIL_VALUE, _REFERENCE = range(250, 256)
_CELLS = (_PAIRS, _CALL, _CLOSURE, _PROMISE, _DOTS)
_CONSTANTS = (_NIL_VALUE, _EMPTY, _BASE, _GLOBAL, _UNBOUND, _NO_ARGUMENT, _BASE_NAMESPACE)
_WIDTHS = {LOGICAL: 4, INTEGER: 4, DOUBLE: 8, COMPLEX: 16, RAW: 1}
_TYPES = {LOGICAL: ">i4", INTEGER: ">i4", DOUBLE: ">f8", COMPLEX: ">c16", RAW: "u1"}
_HAS_ATTRIBUTES, _HAS_TAG = 0x200, 0x400
_BYTES, _LATIN_1, _UTF_8 = 1 << 13, 1 << 14, 1 << 15  # how characters are encoded
_DEPTH = 200  # of objects in objects
_MOST = 5_000_000  # objects that are no texts: each takes far more room here than in the file
_HEAD = struct.Struct(">2i")


class DamagedError(Exception):
    """The bytes are no objects of R, or more than can be held."""


@dataclass(slots=True)
class RVector:
    """A vector: its kind, its values and its attributes."""

    kind: int
    values: Any
    attributes: dict[str, Any] = field(default_factory=dict)

    def texts(self, name: str) -> list[str | None]:
        """Return an attribute that is text; nothing if it is not there or something else."""
        vector = self.attributes.get(name)
        return vector.values if isinstance(vector, RVector) and vector.kind == TEXT else []


class ObjectReader:
    """Objects in the order in which they were written.

    Args:
        content: What was unpacked, from the letter that tells how numbers are written.
        encoding: Of texts that do not say theirs; if None the one that the file names, or UTF-8.
        most: Bytes that values may take that the file describes instead of holding them.
    """

    def __init__(self, content: bytes, *, encoding: str | None, most: int) -> None:
        self._content = memoryview(content)
        self._place = 2
        self._encoding = encoding
        self._room = most
        self._depth = self._objects = 0
        self._references: list[Any] = []
        self._texts: dict[tuple[int, bytes], str | None] = {}
        self.guessed = ""  # an encoding that nobody named
        version, _, _ = (self._integer() for _ in range(3))
        if version not in (2, 3):
            raise DamagedError
        if version == 3:
            name = bytes(self._take(self._length(1))).decode("ascii")
            self._encoding = self._encoding or name

    def read(self) -> Any:
        """Return the next object: a vector, None, a list of pairs, a name or `OPAQUE`."""
        self._depth += 1
        self._objects += 1
        if self._depth > _DEPTH or self._objects > _MOST:
            raise DamagedError
        value = self._read(self._integer())
        self._depth -= 1
        return value

    def _read(self, flags: int) -> Any:
        kind = flags & 0xFF
        if kind in _WIDTHS:
            return self._finish(flags, self._numbers(kind))
        if kind == TEXT:
            return self._finish(flags, RVector(TEXT, self._strings()))
        if kind in (LIST, _EXPRESSIONS):
            return self._finish(flags, RVector(kind, [self.read() for _ in range(self._length(4))]))
        if kind in _CELLS:
            return self._pairs(flags)
        if kind == _REFERENCE:
            return self._references[(flags >> 8 or self._integer()) - 1]
        if kind == _SYMBOL:
            return self._remember(self.read())
        if kind == _ALTERNATIVE:
            return self._alternative()
        return self._other(kind, flags)

    def _other(self, kind: int, flags: int) -> Any:
        """Read what no data frame is made of."""
        if kind in (_NIL, *_CONSTANTS):
            return None if kind in (_NIL, _NIL_VALUE) else OPAQUE
        if kind == _CHARACTERS:
            text = self._text(flags, self._integer())
            self._skip_attributes(flags)
            return text
        if kind == _ENVIRONMENT:
            self._integer()
            value = self._remember(OPAQUE)
            for _ in range(4):  # the one around it, its frame, its table and its attributes
                self.read()
            return value
        if kind in (_PERSISTENT, _PACKAGE, _NAMESPACE):
            self._integer()
            self._strings()
            return self._remember(OPAQUE)
        if kind in (_POINTER, _WEAK):
            value = self._remember(OPAQUE)
            for _ in range(2 if kind == _POINTER else 0):
                self.read()
        elif kind in (_SPECIAL, _BUILTIN):
            self._take(self._length(1))
            return OPAQUE
        elif kind == _BYTECODE:
            self._length(1)
            self._code()
        elif kind != _S4:
            raise DamagedError
        self._skip_attributes(flags)
        return OPAQUE

    def _finish(self, flags: int, vector: RVector) -> RVector:
        if flags & _HAS_ATTRIBUTES:
            pairs = self.read()
            if not isinstance(pairs, list):
                raise DamagedError
            vector.attributes = {name: value for name, value in pairs if name is not None}
        return vector

    def _skip_attributes(self, flags: int) -> None:
        if flags & _HAS_ATTRIBUTES:
            self.read()

    def _pairs(self, flags: int) -> Any:
        """Read a list of pairs, cell by cell: it may be long, and is no deeper for that."""
        first, pairs = flags & 0xFF, []
        while True:
            self._skip_attributes(flags)
            tag = self.read() if flags & _HAS_TAG else None
            pairs.append((tag if isinstance(tag, str) else None, self.read()))
            flags = self._integer()
            if flags & 0xFF not in _CELLS:
                break
        rest = self._read(flags)
        if rest is not None:
            pairs.append((None, rest))
        return pairs if first == _PAIRS else OPAQUE

    def _alternative(self) -> Any:
        """Read a vector that is written as what it was made from."""
        about, state, attributes = self.read(), self.read(), self.read()
        name = about[0][1] if isinstance(about, list) else ""
        restored = self._expand(str(name), state)
        if isinstance(attributes, list) and isinstance(restored, RVector):
            named = {name: value for name, value in attributes if name is not None}
            restored = RVector(restored.kind, restored.values, restored.attributes | named)
        return restored

    def _expand(self, name: str, state: Any) -> Any:
        if name in ("compact_intseq", "compact_realseq"):
            count, start, step = (float(value) for value in state.values)
            self._room -= 8 * int(count)
            if count < 0 or self._room < 0:
                raise DamagedError
            whole = name == "compact_intseq"
            values = start + step * np.arange(int(count))
            return RVector(INTEGER if whole else DOUBLE, values.astype("i4" if whole else "f8"))
        inner = state.values if isinstance(state, RVector) else [item for _, item in state]
        if name.startswith("wrap_"):
            return inner[0]
        if name != "deferred_string" or not isinstance(inner[0], RVector):
            raise DamagedError
        wider = inner[1].values[0] if len(inner) > 1 and isinstance(inner[1], RVector) else 0
        return RVector(TEXT, list(_spell(inner[0], int(wider))))

    def _code(self) -> None:
        """Go through compiled code."""
        self.read()
        for _ in range(self._length(4)):
            kind = self._integer()
            if kind == _BYTECODE:
                self._deeper(self._code)
            elif kind in (_CALL, _PAIRS, _DEFINED, _REPEATED, _ATTRIBUTED_CALL, _ATTRIBUTED_PAIRS):
                self._calls(kind)
            else:
                self.read()

    def _calls(self, kind: int) -> None:
        while True:
            if kind == _REPEATED:
                self._integer()
                return
            if kind == _DEFINED:
                self._integer()
                kind = self._integer()
            if kind in (_ATTRIBUTED_CALL, _ATTRIBUTED_PAIRS):
                self.read()
            elif kind not in (_CALL, _PAIRS):
                self.read()
                return
            self.read()
            inner = self._integer()
            self._deeper(partial(self._calls, inner))
            kind = self._integer()

    def _deeper(self, go_on: Callable[[], None]) -> None:
        self._depth += 1
        if self._depth > _DEPTH:
            raise DamagedError
        go_on()
        self._depth -= 1

    def _numbers(self, kind: int) -> RVector:
        count = self._length(_WIDTHS[kind])
        numbers = np.frombuffer(self._take(count * _WIDTHS[kind]), _TYPES[kind])
        return RVector(kind, numbers.astype(numbers.dtype.newbyteorder("=")))

    def _strings(self) -> list[str | None]:
        count = self._length(8)
        content, texts = self._content, []
        for _ in range(count):
            flags, length = _HEAD.unpack_from(content, self._place)
            if flags & 0xFF != _CHARACTERS:
                raise DamagedError
            self._place += 8
            texts.append(self._text(flags, length))
        return texts

    def _text(self, flags: int, length: int) -> str | None:
        if length == -1:
            return None
        key = flags & (_BYTES | _LATIN_1 | _UTF_8), bytes(self._take(length))
        if key not in self._texts:
            self._texts[key] = self._decode(*key)
        return self._texts[key]

    def _decode(self, marks: int, text: bytes) -> str:
        if marks & _LATIN_1:
            return text.decode("latin-1")
        if marks & _UTF_8:
            return text.decode("utf-8")
        try:
            return text.decode(self._encoding or "utf-8")
        except UnicodeDecodeError:
            if self._encoding:
                raise
            self.guessed = "windows-1252"
            return text.decode(self.guessed)

    def _remember(self, value: Any) -> Any:
        self._references.append(value)
        return value

    def _integer(self) -> int:
        (number,) = struct.unpack_from(">i", self._content, self._place)
        self._place += 4
        return int(number)

    def _length(self, least: int) -> int:
        """Read a length of something of which each part takes so many bytes."""
        count = self._integer()
        if count == -1:
            high, low = self._integer(), self._integer()
            count = (high << 32) + (low & 0xFFFFFFFF)
        if count < 0 or count * least > len(self._content) - self._place:
            raise DamagedError
        return count

    def _take(self, size: int) -> memoryview:
        piece = self._content[self._place : self._place + size]
        if size < 0 or len(piece) < size:
            raise DamagedError
        self._place += size
        return piece


def _spell(numbers: RVector, wider: int) -> Iterator[str | None]:
    """Spell numbers as R would: it had not got round to it when the file was written."""
    for number in numbers.values.tolist():
        if numbers.kind == DOUBLE:
            yield spell_double(number, wider)
        else:
            yield None if number == NA_INTEGER else str(number)


def spell_double(value: float, wider: int = 0) -> str | None:
    """Return a number as `as.character` of R does; None if it is missing.

    Args:
        value: The number.
        wider: By how many characters plain digits may be longer than an exponent (`scipen`).
    """
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    mantissa, _, exponent = f"{value:.14e}".partition("e")
    digits = mantissa.lstrip("-").replace(".", "").rstrip("0") or "0"
    power = int(exponent)
    decimals = max(len(digits) - 1 - power, 0)
    plain = max(power, 0) + 1 + (decimals + 1 if decimals else 0)
    short = len(digits) + (len(digits) > 1) + (5 if abs(power) >= 100 else 4)
    if plain <= short + wider:
        return f"{value:.{decimals}f}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{'-' if value < 0 else ''}{digits[0]}{rest}e{power:+03d}"
