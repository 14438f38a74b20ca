"""SAS files for tests: ReadStat can write them, though pyreadstat has no function for it."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence

_STRING, _DOUBLE = 0, 5
_CHARSET = 70


def make_sas7bdat(
    columns: Mapping[str, Sequence[object]],
    *,
    formats: Mapping[str, str] | None = None,
    labels: Mapping[str, str] | None = None,
    width: int = 16,
    charset: int | None = None,
    encoding: str = "utf-8",
) -> bytes:
    """Return a SAS file of numbers and texts."""
    from pyreadstat import _readstat_writer

    library = ctypes.CDLL(_readstat_writer.__file__)
    for name in ("writer_init", "add_variable"):
        getattr(library, f"readstat_{name}").restype = ctypes.c_void_p
    parts: list[bytes] = []
    handler = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)

    @handler
    def keep(data: int, size: int, _: object) -> int:
        parts.append(ctypes.string_at(data, size))
        return size

    writer = ctypes.c_void_p(library.readstat_writer_init())
    library.readstat_set_data_writer(writer, keep)
    made = {}
    for name, values in columns.items():
        text = isinstance(values[0], str)
        kind, size = (_STRING, width) if text else (_DOUBLE, 8)
        made[name] = ctypes.c_void_p(
            library.readstat_add_variable(writer, name.encode(), kind, ctypes.c_size_t(size))
        )
        if formats and name in formats:
            library.readstat_variable_set_format(made[name], formats[name].encode())
        if labels and name in labels:
            library.readstat_variable_set_label(made[name], labels[name].encode())
    rows = len(next(iter(columns.values())))
    library.readstat_begin_writing_sas7bdat(writer, None, ctypes.c_long(rows))
    for row in zip(*columns.values(), strict=True):
        library.readstat_begin_row(writer)
        for variable, value in zip(made.values(), row, strict=True):
            if isinstance(value, str):
                library.readstat_insert_string_value(writer, variable, value.encode(encoding))
            else:
                library.readstat_insert_double_value(writer, variable, ctypes.c_double(value))
        library.readstat_end_row(writer)
    library.readstat_end_writing(writer)
    library.readstat_writer_free(writer)
    content = bytearray(b"".join(parts))
    if charset is not None:
        content[_CHARSET] = charset
    return bytes(content)
