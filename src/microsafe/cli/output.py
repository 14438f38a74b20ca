"""Options for output, checks before work begins, and writing of results."""

from __future__ import annotations

import argparse
import os
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from microsafe.cli.input import inputs_of
from microsafe.cli.option_values import parse_list, parse_path, parse_reason
from microsafe.cli.parser import group_of
from microsafe.errors import InputError, UsageError
from microsafe.io import check_writable, replace_file
from microsafe.io.atomic import check_regular
from microsafe.progress import Progress, silent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from microsafe.cli.console import Console
    from microsafe.engine import Engine
    from microsafe.notices import Notice
    from microsafe.risk import Diversity, Risk, SpecialUniques, Tabulation
    from microsafe.schema import Variable
    from microsafe.studies.study import Study
    from microsafe.variables.inventory import Inventory

PICTURES = (".svg", ".png", ".pdf")
TABLES = (".csv", ".parquet")


def add_json(command: argparse.ArgumentParser) -> None:
    """Add the choice of JSON."""
    group_of(command, "output").add_argument(
        "--json", action="store_true", help="print JSON and nothing else"
    )


def add_plot(command: argparse.ArgumentParser, what: str, *, option: str = "--plot") -> None:
    """Add the file of a picture."""
    group_of(command, "output").add_argument(
        option, type=Path, metavar="OUT", help=f"write {what} (.svg, .png or .pdf)"
    )


def add_records(command: argparse.ArgumentParser, what: str) -> None:
    """Add the file of figures by record."""
    group_of(command, "output").add_argument(
        "--records", type=parse_path, metavar="OUT", help=f"write {what} (.csv or .parquet)"
    )


def add_output(command: argparse.ArgumentParser, what: str) -> None:
    """Add the file that is written."""
    group_of(command, "output").add_argument(
        "-o",
        "--output",
        type=parse_path,
        required=True,
        metavar="OUT",
        help=f"{what}; the format is taken from its extension",
    )


def add_exceptions(command: argparse.ArgumentParser, *, keep: str = "--keep") -> None:
    """Add what becomes of direct identifiers, which are refused otherwise.

    Args:
        command: To add it to.
        keep: Name of the option that keeps one, where `--keep` means something else.
    """
    group = group_of(command, "direct identifiers")
    group.add_argument(
        "--drop",
        type=parse_list,
        action="extend",
        default=[],
        metavar="A,B",
        help="variables to leave out of the file; such as direct identifiers",
    )
    group.add_argument(
        keep,
        dest="kept",
        type=parse_reason,
        action="append",
        default=[],
        metavar='NAME="reason"',
        help="keep a variable although it is a direct identifier; may be repeated",
    )


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
    from microsafe.risk import Risk

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


def check_records(chosen: argparse.Namespace) -> None:
    """Refuse a file of figures by record that cannot or must not be written."""
    check_targets(inputs_of(chosen), {chosen.records: TABLES}, engine=chosen.engine)


def check_working_file(chosen: argparse.Namespace) -> None:
    """Refuse a working file that cannot or must not be written."""
    check_targets(inputs_of(chosen), {chosen.output: ()}, engine=chosen.engine)
    check_writable(Path(chosen.output))


def show_measure(
    chosen: argparse.Namespace,
    study: Study,
    found: SpecialUniques | Tabulation | Diversity,
    console: Console,
) -> None:
    """Write the table of records if asked to, and print the figures."""
    out: Path | str | None = chosen.records
    if out is not None:
        console.progress("writing records", 0.0)
        write_records(study.engine, found, out, console.progress)
    if chosen.json:
        console.print_json(found.summary() | {"notices": [notice.text for notice in study.notices]})
        return
    console.say(repr(found))
    console.print_notices(study.notices)


def file_notices(written: Inventory) -> list[Notice]:
    """Return what a person must know of how a file was written."""
    return [notice for notice in written.notices if notice.topic == "file"]


def format_unchanged(written: Inventory) -> list[str]:
    """Return what a person must know of a working file."""
    names = textwrap.wrap(", ".join(written.unchanged) or "none", 96)
    return [
        "",
        "A working file, not a release: records are in the order of the input, and these variables "
        "are unchanged:",
        *(f"  {line}" for line in names),
    ]


def find_label(variable: Variable, code: str | None) -> str:
    """Return the label of a code, or the code if it has none."""
    from microsafe.schema import number_in

    if code is None:
        return "·"
    for known, label in variable.labels.items():
        if str(known) == code or (isinstance(known, float) and number_in(code) == known):
            return label
    return code
