"""The page: the files that Vite made of `web/`, kept in memory and served by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from microsafe.errors import InputError

FOLDER = Path(__file__).parent / "static"

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFile:
    """One file of the page."""

    content: bytes
    type: str


def read_bundle(folder: Path = FOLDER) -> Mapping[str, PageFile]:
    """Return the files of the page by path; no other file can be asked for.

    Raises:
        InputError: The page was not built when microsafe was installed.
    """
    if not (folder / "index.html").is_file():
        raise InputError(
            "This installation has no web page for the app: Node.js or npm packages were missing "
            "when it was built. Install microsafe from a wheel, or install Node.js and run "
            "'uv sync --reinstall-package microsafe'."
        )
    found = {
        "/" + path.relative_to(folder).as_posix(): PageFile(
            content=path.read_bytes(), type=_TYPES[path.suffix]
        )
        for path in sorted(folder.rglob("*"))
        if path.suffix in _TYPES and path.is_file()
    }
    return found | {"/": found["/index.html"]}
