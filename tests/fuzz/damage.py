"""Ways in which a file gets damaged: single bytes, lengths, pieces that are lost or moved."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zipfile

_LENGTHS = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE)
_VARINTS = (b"\xff" * 9 + b"\x01", b"\xff\xff\xff\xff\x0f", b"\x80\x80\x80\x80\x08", b"\x00")
_WORDS = (b"0", b"-1", b"99999999", b"1e999", b"nan", b"XFD1048576", b"A1:XFD1048576", b"&lt;")
_SIGNS = b"\0\t\n\r =,;'\"<>&\x1b\x7f\xff"
_ENDS = 2000  # bytes at the start and at the end, where heads and footers are


def damage(content: bytes, chance: random.Random) -> bytes:
    """Return a damaged copy; what is packed by zip or gzip is mostly damaged inside."""
    if content.startswith(b"\x1f\x8b") and chance.random() < 0.8:
        return gzip.compress(damage(gzip.decompress(content), chance), mtime=0)
    if content.startswith(b"PK") and chance.random() < 0.8:
        return _damage_part(content, chance)
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        _change(changed, chance)
    return bytes(changed) or b"x"


def _damage_part(content: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    chosen = chance.choice([name for name, part in parts.items() if part])
    parts[chosen] = damage(parts[chosen], chance)
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(name, part)
    return memory.getvalue()


def _change(content: bytearray, chance: random.Random) -> None:
    size = len(content)
    if not size:
        return
    place = chance.randrange(size)
    if chance.random() < 0.6:
        near = chance.randrange(min(size, _ENDS))
        place = chance.choice((near, size - 1 - near))
    match chance.randrange(10):
        case 0:
            content[place] ^= 1 << chance.randrange(8)
        case 1:
            content[place] = chance.randrange(256)
        case 2 | 3:
            order, width = chance.choice("<>"), chance.choice("HIQ")
            value = chance.choice((*_LENGTHS, chance.getrandbits(32), chance.randrange(64)))
            limit = (1 << 8 * struct.calcsize(width)) - 1
            piece = struct.pack(order + width, value & limit)
            content[place : place + len(piece)] = piece
        case 4:
            piece = chance.choice(_VARINTS)
            content[place : place + len(piece)] = piece
        case 5:
            piece = chance.choice(_WORDS)
            content[place : place + len(piece)] = piece
        case 6:
            start, length = chance.randrange(size), chance.randrange(1, 64)
            content[place : place + length] = content[start : start + length]
        case 7:
            start, length = chance.randrange(size), chance.randrange(1, 64)
            content[place:place] = content[start : start + length]
        case 8:
            content[place] = chance.choice(_SIGNS)
        case 9:
            del content[place : place + chance.choice((1, 1, 4, 8, 64, size))]
