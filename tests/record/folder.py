"""Where the record goes: text without what differs between runs, files by checksum and content."""

from __future__ import annotations

import gzip
import hashlib
import re
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

MOST = 2_000_000  # characters of a text that are kept
_FIRST = 300  # lines of a longer one
_VERSIONS = re.compile(r'"versions": \{[^}]*\}')
_SOFTWARE = re.compile(r"python \d[\w.]*, microsafe [\w., ]*")
_RELEASE = re.compile(r"\bmicrosafe \d+\.\d+[\w.+]*?(?=\.?(?:[\s<]|$))")
_FORMAT = re.compile(r"\bmicrosafe = \d+")  # the format of plans is a number that may change
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
# Reports quote the plan, and with it the format; they are in the record themselves.
_REPORT = re.compile(r'("[^"\n]+\.(?:html|pdf|docx)": )"[0-9a-f]{64}"')
_TEXTS = (".csv", ".tsv", ".txt", ".asc", ".dat", ".prn", ".rda", ".xml", ".toml", ".lock")
_TEXTS += (".svg", ".html", ".json", ".seeds")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the record.

    Attributes:
        path: The folder.
        work: Where commands run; its path is not recorded.
    """

    path: Path
    work: Path

    def below(self, name: str) -> Folder:
        return Folder(self.path / name, self.work)

    def put(self, name: str, text: str) -> None:
        """Record a text."""
        path = self.path / f"{name}.txt"
        assert not path.exists(), f"{path} is recorded twice"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self._shorten(self.scrub(text)), "utf-8")

    def describe(self, path: Path, *, most: int = MOST) -> str:
        """Return what is to be recorded of a file: its checksum, and the text of a text file."""
        content, name = _unpack(path)
        if not name.lower().endswith(_TEXTS) or _is_packed(content):
            return f"{path.name} sha256 {checksum(path.read_bytes())}\n"
        text = self.scrub(content.decode("utf-8", "backslashreplace"))
        text = _break_page(text) if name.endswith((".html", ".svg")) else text
        packed = "" if name == path.name else f" packed sha256 {checksum(path.read_bytes())}"
        return (
            f"{path.name} sha256 {checksum(text.encode())}{packed}\n{self._shorten(text, most)}\n"
        )

    def scrub(self, text: str) -> str:
        """Return a text without places, versions and addresses."""
        text = text.replace(str(self.work), "WORK")
        text = _VERSIONS.sub('"versions": {}', text)
        text = _SOFTWARE.sub("VERSIONS", text)
        text = _RELEASE.sub("microsafe VERSION", text)
        text = _FORMAT.sub("microsafe = FORMAT", text)
        text = _REPORT.sub(r'\1"..."', text)
        return _ADDRESS.sub("", text)

    @staticmethod
    def _shorten(text: str, most: int = MOST) -> str:
        if len(text) <= most:
            return text
        lines = text.splitlines()[:_FIRST]
        return "\n".join([f"{len(text)} characters, sha256 {checksum(text.encode())}", *lines, ""])


def checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _unpack(path: Path) -> tuple[bytes, str]:
    content = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(content), path.stem
    if path.suffix == ".zip":
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return archive.read(archive.namelist()[0]), path.stem
    return content, path.name


def _is_packed(content: bytes) -> bool:
    return content[:2] == b"\x1f\x8b" or b"\0" in content


def _break_page(text: str) -> str:
    """Put each element of a page on a line of its own, so that a difference can be read."""
    return text.replace("><", ">\n<")
