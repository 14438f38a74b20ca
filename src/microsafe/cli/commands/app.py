"""`app`: do the whole job in the browser."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from microsafe.cli.console import Console
from microsafe.cli.fields import values_of
from microsafe.cli.input import add_reading
from microsafe.cli.option_values import parse_count
from microsafe.cli.output import add_json


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    command.add_argument(
        "file",
        type=Path,
        nargs="?",
        metavar="FILE",
        help="data file to open; the format is taken from its extension",
    )
    add_reading(command)
    command.add_argument(
        "--folder",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="folder in which files may be opened and written; may be repeated "
        "(default: the current folder)",
    )
    command.add_argument("--resume", action="store_true", help="resume the last session")
    command.add_argument(
        "--no-browser", action="store_true", help="print the link without opening a browser"
    )
    command.add_argument(
        "--port",
        type=parse_port,
        default=0,
        metavar="N",
        help="port to listen on (default: any that is free)",
    )
    add_json(command)


def parse_port(text: str) -> int:
    """The number of a port."""
    if (number := parse_count(text)) > 65535:
        raise argparse.ArgumentTypeError("must be at most 65535")
    return number


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Serve the app until it is stopped, which is how it is meant to end."""
    from microsafe.app.serve import serve
    from microsafe.app.session import place_files
    from microsafe.options.reading import Reading
    from microsafe.plan.model import Input

    given = None
    if chosen.file is not None:
        read = Input(file=str(chosen.file), **values_of(chosen, Reading))
        given = place_files(read, lambda name: str(Path(name).resolve()))

    def print_link(link: str) -> None:
        if chosen.json:
            console.print_json({"link": link})
        else:
            console.say(link)
        sys.stdout.flush()

    serve(
        given,
        folders=tuple(chosen.folder),
        codebook=chosen.codebook,
        resume=chosen.resume,
        port=chosen.port,
        browser=not chosen.no_browser,
        say=print_link,
        progress=console.progress,
    )
    return 0
