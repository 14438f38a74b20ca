"""What the command line writes, and the checks before it does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from microsafe.engine import Engine
from microsafe.errors import InputError, UsageError
from microsafe.io import replace_file
from microsafe.io.atomic import check_regular
from microsafe.progress import Progress, silent
from microsafe.risk import Risk

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_targets(
    inputs: Sequence[Path | str | None],
    targets: dict[Path | str | None, tuple[str, ...]],
    *,
    engine: str = "local",
) -> None:
    """Refuse output files that cannot or must not be written, before any work.

    Args:
        inputs: Files that are read: they are never written to.
        targets: Files to be written, with the extensions they may have; any if empty.
        engine: The engine that writes them; only Spark writes folders and to addresses.
    """
    for target, suffixes in targets.items():
        if target is None:
            continue
        if isinstance(target, str):
            if engine == "spark":
                continue
            raise UsageError(
                f"{target} is a folder or an address. Only Spark writes there: add --engine spark."
            )
        if suffixes and target.suffix.lower() not in suffixes:
            *most, last = suffixes
            raise UsageError(
                f"{target.name} must have the extension {', '.join(most)} or {last}."
                if most
                else f"{target.name} must have the extension {last}."
            )
        check_regular(target)
        for source in inputs:
            there = isinstance(source, Path) and source.exists() and target.exists()
            if there and os.path.samefile(source, target):  # type: ignore[arg-type]
                raise UsageError(
                    f"{target.name} is the input file. Choose another name for the output."
                )
        if not target.parent.is_dir():
            raise InputError(f"The folder {target.parent} does not exist. Create it first.")


class RecordResult(Protocol):
    """A result with figures of every record."""

    def records(self) -> Any:
        """Return a frame with one row per record."""


def write_records(
    engine: Engine,
    result: RecordResult,
    path: Path | str,
    progress: Progress = silent,
    *,
    identifiers: Sequence[str] = (),
) -> None:
    """Write one row for every record, in input order.

    Spark has no order of records, so there each row has all variables of its record, or its
    identifiers if some are named.
    """
    if isinstance(result, Risk):
        frames = result.record_batches(id=identifiers, progress=progress)
    else:
        frames = iter((result.records(),))
    engine.write_figures(frames, str(path), progress=progress)


def write_plot(
    measured: Risk, path: Path, *, cumulative: bool = False, households: bool = False
) -> None:
    """Write the picture of the risks of records, or of households."""

    def draw() -> Figure:
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 4.5), layout="constrained")
        measured.plot(figure.subplots(), cumulative=cumulative, households=households)
        return figure

    write_figure(draw, path)


def write_figure(draw: Callable[[], Figure], path: Path) -> None:
    """Draw and write a picture; the same figures give the same bytes."""
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "microsafe", "svg.fonttype": "path"}):
        figure = draw()
        kind = path.suffix.lower().removeprefix(".")
        undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
        with replace_file(path) as temporary:
            figure.savefig(temporary, format=kind, metadata=undated[kind], dpi=150)
