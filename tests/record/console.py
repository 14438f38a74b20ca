"""The command line, called in this process: what it prints, its exit code, the files it writes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from folder import Folder, checksum
from lookups import command_parsers, main

CALLED: set[str] = set()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a call.

    Attributes:
        arguments: As given.
        code: The exit code.
        out: What was printed on standard output.
        error: What was printed on standard error.
        files: Those that were made or changed.
    """

    arguments: tuple[str, ...]
    code: int
    out: str
    error: str
    files: tuple[Path, ...]

    def as_text(self) -> str:
        """Return what a person sees."""
        errors = f"--- errors\n{self.error}" if self.error else ""
        return (
            f"$ microsafe {shlex.join(self.arguments)}\n{self.out}{errors}"
            f"--- exit code {self.code}\n"
        )

    def with_files(self, folder: Folder, *, most: int = 20_000) -> str:
        """Return it with what was written; longer texts by their first lines."""
        return self.as_text() + "".join(
            f"--- {path.parent}/{folder.describe(path, most=most)}" for path in self.files
        )


def call(arguments: str | Sequence[str]) -> Answer:
    """Run a command in the current folder."""
    given = shlex.split(arguments) if isinstance(arguments, str) else list(arguments)
    before = _contents()
    out, error = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(error):
        try:
            code = main(given)
        except SystemExit as ended:  # as argparse does behind --help and wrong options
            code = ended.code if isinstance(ended.code, int) else 1
    after = _contents()
    files = tuple(Path(name) for name in sorted(after) if before.get(name) != after[name])
    CALLED.update({given[0], " ".join(given[:2])} if given else {""})
    return Answer(
        arguments=tuple(given), code=code, out=out.getvalue(), error=error.getvalue(), files=files
    )


def _contents() -> dict[str, str]:
    """Checksums of the files that there are, but for those of other programs."""
    return {
        str(path): checksum(path.read_bytes())
        for path in sorted(Path().rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.parts)
    }


def uncalled() -> set[str]:
    """Commands that no call has used."""
    parsers = command_parsers()
    groups = {name.rpartition(" ")[0] for name in parsers}  # "plan" is only called with more
    return set(parsers) - groups - CALLED
