"""`file-risk`: estimate how many sample uniques are population uniques."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields
from microsafe.cli.input import add_file, inputs_of
from microsafe.cli.option_values import parse_count, parse_list, parse_rate
from microsafe.cli.output import (
    PICTURES,
    TABLES,
    add_json,
    add_plot,
    add_records,
    check_targets,
    write_figure,
    write_records,
)
from microsafe.cli.parser import group_of
from microsafe.cli.scenario import open_study
from microsafe.display import format_grid
from microsafe.options.scenario import Assumptions

if TYPE_CHECKING:
    from microsafe.risk import FileRisk

MODELS = (
    "loglinear",
    "latent",
    "negative-binomial",
    "benedetti-franconi",
    "pitman",
    "zayatz",
    "snb",
    "dankar",
)
BANDS = (0.01, 0.03, 0.06)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    group = command.add_argument_group("scenario")
    add_fields(group, Assumptions, "keys", required=["keys"], keys="key variables")
    size = group.add_mutually_exclusive_group(required=True)
    add_fields(size, Assumptions, "weight", weight="sampling weight")
    size.add_argument("--fraction", type=parse_rate, metavar="X", help="sampling fraction")
    drawn = "household identifier, if whole households were drawn: their members are no "
    add_fields(group, Assumptions, "household", household=f"{drawn}independent draws")
    add_fields(group, Assumptions, "clip_weights", "person", "wave", "person_weights")
    _add_model(command)
    add_records(command, "the risk of every record under each model")
    add_plot(command, "plots of the models")
    add_json(command)


def _add_model(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--model",
        choices=MODELS,
        default="loglinear",
        metavar="MODEL",
        help=f"model of the population: {', '.join(MODELS)}",
    )
    command.add_argument(
        "--interactions",
        type=parse_interactions,
        default="auto",
        metavar="1|2|auto|A*B,..",
        help="interactions in the log-linear model: none (1), all pairs of keys (2), chosen by a "
        "search (auto), or the pairs listed",
    )
    details = group_of(command, "details")
    details.add_argument(
        "--pi",
        choices=("cell", "file"),
        default="cell",
        help="use the sampling fraction of each cell or of the whole file",
    )
    details.add_argument(
        "--impossible",
        type=parse_combination,
        action="append",
        default=[],
        metavar="A=1|2,B=3",
        help="a combination that nobody can have; may be repeated",
    )
    details.add_argument(
        "--opinions",
        type=parse_list,
        default=("benedetti-franconi", "negative-binomial"),
        metavar="MODEL,..",
        help="further models to compare with",
    )
    details.add_argument(
        "--bands",
        type=parse_rates,
        default=BANDS,
        metavar="A,B,C",
        help="share of population uniques up to which the risk is called very low, low and "
        "moderate",
    )
    details.add_argument(
        "--seed", type=parse_count, default=1, metavar="N", help="seed of the random draws"
    )


def parse_rates(text: str) -> tuple[float, ...]:
    """Several rates between commas."""
    return tuple(parse_rate(part) for part in parse_list(text))


def parse_interactions(text: str) -> str | int | tuple[str, ...]:
    """Interactions of a log-linear model: auto, 1, 2 or A*B,.."""
    if text == "auto":
        return text
    return int(text) if text.isascii() and text.isdigit() else parse_list(text)


def parse_combination(text: str) -> dict[str, list[str]]:
    """A combination of categories: KEY=VALUE|VALUE,KEY=VALUE,.."""
    pairs = [part.partition("=") for part in parse_list(text)]
    if not all(equals and values for _, equals, values in pairs):
        raise argparse.ArgumentTypeError("must be KEY=VALUE|VALUE,KEY=VALUE,..")
    return {key.strip(): values.split("|") for key, _, values in pairs}


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Estimate how many sample uniques are unique in the population."""
    targets = {chosen.records: TABLES, chosen.plot: PICTURES}
    check_targets(inputs_of(chosen), targets, engine=chosen.engine)
    data = open_study(chosen, console.progress)
    found = data.file_risk(
        model=chosen.model,
        interactions=chosen.interactions,
        fraction=chosen.fraction,
        pi=chosen.pi,
        impossible=chosen.impossible,
        opinions=chosen.opinions,
        bands=chosen.bands,
        seed=chosen.seed,
        progress=console.progress,
    )
    if chosen.records is not None:
        console.progress("writing records", 0.0)
        write_records(data.engine, found, chosen.records, console.progress)
    if chosen.plot is not None:
        write_figure(found.plot, chosen.plot)
    answered = 1 if found.tau1 is None else 0
    notices = (*data.notices, *found.notices)
    if chosen.json:
        console.print_json(found.summary() | {"notices": [notice.text for notice in notices]})
        return answered
    console.say(repr(found))
    if found.population is not None and found.population.steps:
        console.say(["", "The search, step by step:", *_format_search(found)])
    console.print_notices(notices)
    return answered


def _format_search(found: FileRisk) -> list[str]:
    rows = [("added", "BIC", "margin")]
    for step in found.summary()["fit"]["search"]:
        margin = "shrunken pair" if step["shrunken"] else ""
        rows.append((step["added"], f"{step['bic']:,.1f}", margin))
    return format_grid(rows, right=(1,))
