"""`tabulate`: list sparse cells in all small tables of the keys, or areas too small to tell."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.input import add_file
from microsafe.cli.option_values import parse_amount, parse_count, parse_list, parse_rate
from microsafe.cli.output import add_json, add_records, check_records, find_label, show_measure
from microsafe.cli.scenario import add_counting_scenario, add_roles, open_study
from microsafe.display import format_grid, show_percent
from microsafe.errors import UsageError

if TYPE_CHECKING:
    from microsafe.risk import Tabulation
    from microsafe.studies.study import Study

_SHOWN = 10
_MOST_DIMENSIONS = 60


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_counting_scenario(command)
    add_roles(command, "household", required=True)
    command.add_argument(
        "--areas",
        metavar="NAME",
        help="instead: how sure the survey is of the people in each category of this variable, of "
        "each key, and of both together, and what to merge",
    )
    command.add_argument(
        "--parent", metavar="NAME", help="a broader geography, within which areas are merged first"
    )
    command.add_argument(
        "--variation",
        type=parse_rate,
        metavar="X",
        help="largest coefficient of variation of a number of people (default 0.3)",
    )
    command.add_argument(
        "--dimensions",
        type=parse_range,
        default=(1, 2, 3),
        metavar="A-B",
        help="number of keys in a table (default 1-3)",
    )
    command.add_argument(
        "--min-count",
        type=parse_count,
        default=3,
        metavar="N",
        help="a cell with fewer than N records is sparse (default 3; 0 for no such rule)",
    )
    command.add_argument(
        "--min-weight",
        type=parse_amount,
        metavar="W",
        help="a cell that stands for fewer than W people is sparse",
    )
    add_records(command, "the number of sparse cells of every record")
    add_json(command)


def parse_range(text: str) -> tuple[int, ...]:
    """Whole numbers: 2, 1-3 or 1,3."""
    numbers: list[int] = []
    for part in parse_list(text):
        first, _, last = (text.strip() for text in part.partition("-"))
        highest = min(parse_count(last or first), _MOST_DIMENSIONS)
        numbers += range(parse_count(first), highest + 1)
    if not numbers:
        raise argparse.ArgumentTypeError("must be whole numbers such as 2, 1-3 or 1,3")
    return tuple(numbers)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """List sparse cells in all tables of a few keys."""
    check_records(chosen)
    _check_areas(chosen)
    study = open_study(chosen, console.progress)
    if chosen.areas is not None:
        return _measure_areas(chosen, study, console)
    found = study.tabulation(
        dimensions=chosen.dimensions,
        min_count=chosen.min_count or None,
        min_weight=chosen.min_weight,
        progress=console.progress,
    )
    show_measure(chosen, study, found, console)
    if not chosen.json:
        console.say(_format_sparse(found, study))
    return 0


def _check_areas(chosen: argparse.Namespace) -> None:
    """Refuse options that have no part in what is asked for."""
    if chosen.areas is None and (chosen.parent is not None or chosen.variation is not None):
        raise UsageError("--parent and --variation are about small areas. Name them: --areas NAME.")
    if chosen.areas is not None and chosen.records is not None:
        raise UsageError("Small areas have no table of records. Leave out --records or --areas.")


def _measure_areas(chosen: argparse.Namespace, study: Study, console: Console) -> int:
    """Say how sure the survey is of small areas."""
    limits = {} if chosen.variation is None else {"limit": chosen.variation}
    found = study.areas(chosen.areas, parent=chosen.parent, progress=console.progress, **limits)
    if chosen.json:
        console.print_json(found.summary() | {"notices": [notice.text for notice in study.notices]})
    else:
        console.say(repr(found))
        console.print_notices(study.notices)
    return 0


def _format_sparse(found: Tabulation, study: Study) -> list[str]:
    """The categories with the largest share of records in sparse cells."""
    rows = [("key", "category", "records", "in sparse cells", "share")]
    worst = sorted(found.records_by_category().rows(), key=lambda row: -row[-1])
    for key, category, records, low, share in worst[:_SHOWN]:
        shown = find_label(study.schema[key], category)
        rows.append((key, shown, f"{records:,}", f"{low:,}", show_percent(share)))
    return [
        "",
        "Records in sparse cells, categories most affected:",
        *format_grid(rows, right=(2, 3, 4)),
    ]
