"""Options for reading a file, and the study that commands open with them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.fields import add_fields, values_of
from microsafe.cli.option_values import parse_path
from microsafe.cli.parser import group_of
from microsafe.io import finish_sets, readable_extensions
from microsafe.options.reading import EngineOptions, FileOptions

if TYPE_CHECKING:
    from microsafe.progress import Progress
    from microsafe.studies.study import Study

# How a released file is read, unlike its original: it is one file, and declared alike.
RELEASED: dict[str, Any] = {"codebook": None, "join": None, "on": None, "join_sheet": None}


def add_file(command: argparse.ArgumentParser, *, metavar: str = "FILE", also: str = "") -> None:
    """Add the data file, and how and where it is read; `also` says what else it may be."""
    command.add_argument(
        "file",
        type=parse_path,
        metavar=metavar,
        help="data file; the format is taken from its extension: "
        f"{', '.join(readable_extensions())}{also}",
    )
    add_reading(command)
    add_engine(command)
    command.set_defaults(needs="microsafe.studies.study")


def add_two_files(command: argparse.ArgumentParser, after: str) -> None:
    """Add two data files with the same records, and how and where they are read."""
    command.add_argument(
        "before", type=parse_path, metavar="BEFORE", help="data file with the original values"
    )
    command.add_argument("after", type=parse_path, metavar="AFTER", help=after)
    add_reading(command)
    add_engine(command)
    command.set_defaults(needs="microsafe.studies.study")


def add_pairing(command: argparse.ArgumentParser) -> None:
    """Add what pairs the records of two files."""
    command.add_argument(
        "--id",
        metavar="NAME",
        help="variable that pairs the records of both files (default: their place)",
    )


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add how a file is read."""
    add_fields(group_of(command, "reading"), FileOptions)


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add where the work is done."""
    add_fields(group_of(command, "engine"), EngineOptions)


def open_file(chosen: argparse.Namespace, progress: Progress) -> Study:
    """Open the file without a scenario."""
    from microsafe.studies.study import study

    return study(data_of(chosen), progress=progress, **reading_of(chosen))


def data_of(chosen: argparse.Namespace) -> Path | str:
    """The file; with Spark it may as well be the name of a table."""
    place: Path | str = chosen.file
    if isinstance(place, Path):
        finish_sets(place.parent)  # it may be one of a set that a killed run left unfinished
    return str(place) if chosen.engine == "spark" else place


def inputs_of(chosen: argparse.Namespace) -> list[Path | str | None]:
    """Return the files that are read, which nothing is written onto."""
    return [chosen.file, chosen.meta, chosen.join, chosen.codebook]


def reading_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return how and where the file is read, as options of `study`."""
    return values_of(chosen, FileOptions) | engine_of(chosen)


def engine_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return where the work is done, as options of `study` and of plans."""
    return values_of(chosen, EngineOptions)
