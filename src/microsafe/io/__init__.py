"""Reading and writing files of every supported format, and replacing files safely."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from microsafe.io.atomic import finish_sets, is_unfinished, replace_file, replace_files
    from microsafe.io.checksum import digest
    from microsafe.io.codebook import declare_schema, read_codebook, write_codebook
    from microsafe.io.formats import can_read, check_writable, readable_extensions
    from microsafe.io.joining import join_sources
    from microsafe.io.load import list_sheets, read, read_frame, with_missing
    from microsafe.io.save import in_batches, write, write_figures
    from microsafe.io.source import Source

__all__ = [
    "Source",
    "can_read",
    "check_writable",
    "declare_schema",
    "digest",
    "finish_sets",
    "in_batches",
    "is_unfinished",
    "join_sources",
    "list_sheets",
    "read",
    "read_codebook",
    "read_frame",
    "readable_extensions",
    "replace_file",
    "replace_files",
    "with_missing",
    "write",
    "write_codebook",
    "write_figures",
]

# Who needs the list of formats only, for a help text, does not wait for Polars.
_MODULES = {
    "Source": "source",
    "can_read": "formats",
    "check_writable": "formats",
    "declare_schema": "codebook",
    "digest": "checksum",
    "finish_sets": "atomic",
    "in_batches": "save",
    "is_unfinished": "atomic",
    "join_sources": "joining",
    "list_sheets": "load",
    "read": "load",
    "read_codebook": "codebook",
    "read_frame": "load",
    "readable_extensions": "formats",
    "replace_file": "atomic",
    "replace_files": "atomic",
    "with_missing": "load",
    "write": "save",
    "write_codebook": "codebook",
    "write_figures": "save",
}


if not TYPE_CHECKING:  # which would take any name for one of ours

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module 'microsafe.io' has no attribute {name!r}")
        return getattr(import_module(f"microsafe.io.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
