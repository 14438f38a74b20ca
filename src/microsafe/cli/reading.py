"""How commands read a file: the options, and the study that they open."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.option_values import parse_count, parse_list, parse_path
from microsafe.io import finish_sets, readable_extensions

if TYPE_CHECKING:
    from microsafe.progress import Progress
    from microsafe.studies.study import Study

ENGINES = ("local", "spark")
# How a released file is read, unlike its original: it is one file, and declared alike.
RELEASED: dict[str, Any] = {"codebook": None, "join": None, "on": None, "join_sheet": None}


def add_file(command: argparse.ArgumentParser) -> None:
    """Add the data file, and how and where it is read."""
    command.add_argument(
        "file",
        type=parse_path,
        metavar="FILE",
        help="data file; the format is taken from its extension: "
        f"{', '.join(readable_extensions())}",
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
    group = command.add_argument_group("reading")
    group.add_argument(
        "--meta",
        type=Path,
        metavar="FILE.rda",
        help="metadata of a fixed-width file (default: the .rda file beside it)",
    )
    group.add_argument("--encoding", help="encoding of a text file (default: detected)")
    group.add_argument("--separator", help="separator of a text file (default: detected)")
    group.add_argument(
        "--comment",
        metavar="MARK",
        help="leave out lines of a text file that begin with this character, such as '#'",
    )
    group.add_argument(
        "--na",
        type=parse_list,
        default=(),
        metavar="A,B",
        help='values that mean missing; "auto" for the usual words (NA, ., k.A. and so on) in '
        "variables that hold numbers otherwise",
    )
    group.add_argument(
        "--sheet",
        help="sheet of a workbook (default: the first), or data frame in an .RData file",
    )
    group.add_argument(
        "--decimal",
        choices=(".", ","),
        help="decimal mark of numbers in a text file; variables that hold nothing else are numbers",
    )
    group.add_argument("--thousands", metavar="MARK", help="thousands mark of numbers, likewise")
    group.add_argument(
        "--join",
        type=Path,
        metavar="FILE",
        help="households of the persons in the data file: each gets the variables of its household",
    )
    group.add_argument(
        "--on", metavar="NAME", help="variable of both files that tells households apart"
    )
    group.add_argument(
        "--join-sheet", metavar="SHEET", help="sheet of the workbook of households, likewise"
    )
    group.add_argument(
        "--codebook",
        type=Path,
        metavar="FILE",
        help="what variables are, and which are keys: a codebook (.csv), DDI-Codebook (.xml) or "
        ".rda; see microsafe codebook",
    )


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add where the work is done."""
    group = command.add_argument_group("engine")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default="local",
        help="compute on this machine (local, the default) or with Spark",
    )
    group.add_argument(
        "--master", metavar="URL", help="Spark master: local[4], yarn, spark://.., sc://.."
    )
    group.add_argument(
        "--memory", metavar="SIZE", help="memory limit on this machine, such as 4GB or 500MB"
    )
    group.add_argument(
        "--most-cells",
        type=parse_count,
        metavar="N",
        help="largest number of key combinations to bring from Spark to this machine",
    )


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
    names = (
        "meta",
        "encoding",
        "separator",
        "comment",
        "na",
        "sheet",
        "decimal",
        "thousands",
        "join",
        "on",
        "join_sheet",
        "codebook",
    )
    return {name: getattr(chosen, name) for name in names} | engine_of(chosen)


def engine_of(chosen: argparse.Namespace) -> dict[str, Any]:
    """Return where the work is done, as options of `study` and of plans."""
    names = ("engine", "master", "most_cells", "memory")
    return {name: getattr(chosen, name) for name in names}
