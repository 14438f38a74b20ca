"""What the command line prints and writes: figures on standard output, the rest beside it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from microsafe.engine import Engine
from microsafe.errors import InputError, UsageError
from microsafe.io import replace_file
from microsafe.progress import Progress, silent
from microsafe.risk import Notice, Risk

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def say(lines: str | Iterable[str]) -> None:
    """Print text; names and labels come from files, so control characters are made visible."""
    text = lines if isinstance(lines, str) else "\n".join(lines)
    print("".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text))


def print_json(value: dict[str, Any]) -> None:
    """Print JSON; plain ASCII, so that it is valid in every locale."""
    print(json.dumps(value, indent=2, allow_nan=False))


def print_notices(notices: Iterable[Notice]) -> None:
    """Print what to know before trusting the figures, apart from the figures."""
    for notice in notices:
        text = "".join(c if c.isprintable() else "?" for c in notice.text)
        print(f"note: {text}", file=sys.stderr)


def check_targets(
    inputs: Sequence[Path | str | None],
    targets: dict[Path | str | None, tuple[str, ...]],
    *,
    engine: str = "local",
) -> None:
    """Refuse, before any work, files that cannot or must not be written.

    Args:
        inputs: Files that are read: they are never written to.
        targets: Files to be written, with the suffixes they may have; any if empty.
        engine: Which is to write them; only Spark writes folders and to addresses.
    """
    for target, suffixes in targets.items():
        if target is None:
            continue
        if isinstance(target, str):
            if engine == "spark":
                continue
            raise UsageError(f"{target} is a folder or an address, which only Spark writes to.")
        if suffixes and target.suffix.lower() not in suffixes:
            raise UsageError(f"{target.name} must end in {', '.join(suffixes)}.")
        for source in inputs:
            there = isinstance(source, Path) and source.exists() and target.exists()
            if there and os.path.samefile(source, target):  # type: ignore[arg-type]
                raise UsageError(f"{target.name} is the input. Write to another file.")
        if not target.parent.is_dir():
            raise InputError(f"There is no folder {target.parent} to write to. Make it first.")


class ByRecord(Protocol):
    """A result that says something of every record."""

    def records(self) -> Any:
        """Return a frame with one row per record."""


def write_records(
    engine: Engine, found: ByRecord, path: Path | str, progress: Progress = silent
) -> None:
    """Write the table of records, one row each, in input order.

    From Spark they come with all their variables, as they have no place to be known by there.
    """
    if isinstance(found, Risk):
        frames = found.record_batches(progress=progress)
    else:
        frames = iter((found.records(),))
    engine.write_figures(frames, str(path), progress=progress)


def write_plot(measured: Risk, path: Path, *, cumulative: bool = False) -> None:
    """Write the picture of the risks."""

    def drawn() -> Figure:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 4.5), layout="constrained")
        measured.plot(figure.subplots(), cumulative=cumulative)
        return figure

    write_figure(drawn, path)


def write_figure(draw: Callable[[], Figure], path: Path) -> None:
    """Draw and write a picture; the same figures give the same bytes."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "microsafe", "svg.fonttype": "path"}):
        figure = draw()
        kind = path.suffix.lower().removeprefix(".")
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
        with replace_file(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=undated[kind], dpi=150)
