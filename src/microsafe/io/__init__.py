"""Reading and writing files of every supported format, and replacing files safely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microsafe.lazily import load_lazily

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
    "Source": "io.source",
    "can_read": "io.formats",
    "check_writable": "io.formats",
    "declare_schema": "io.codebook",
    "digest": "io.checksum",
    "finish_sets": "io.atomic",
    "in_batches": "io.save",
    "is_unfinished": "io.atomic",
    "join_sources": "io.joining",
    "list_sheets": "io.load",
    "read": "io.load",
    "read_codebook": "io.codebook",
    "read_frame": "io.load",
    "readable_extensions": "io.formats",
    "replace_file": "io.atomic",
    "replace_files": "io.atomic",
    "with_missing": "io.load",
    "write": "io.save",
    "write_codebook": "io.codebook",
    "write_figures": "io.save",
}


if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = load_lazily(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
