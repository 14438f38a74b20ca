"""The commands and their options: names that others script against."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from microsafe.cli import app, commands, demo, filerisk, protect, release, uniqueness
from microsafe.engine import EngineName
from microsafe.io import readable_extensions
from microsafe.report import Audience
from microsafe.risk import Approximation
from microsafe.risk.file.estimate import USUAL_BANDS
from microsafe.risk.file.opinion import ModelName
from microsafe.scenario import Attack, Missing
from microsafe.steps.suppress import Guarantee


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    main = argparse.ArgumentParser(
        prog="microsafe",
        description="How likely is it that someone is recognised in a survey file?",
        epilog="Exit codes: 0 done, 1 done but not met, 2 wrong usage, 3 input unusable.",
        allow_abbrev=False,
    )
    main.add_argument("--version", action=_Version)
    actions = main.add_subparsers(title="commands", required=True, metavar="COMMAND")

    describe = _command(actions, "describe", commands.describe, "list variables and probable roles")
    _file(describe)
    _json(describe)

    risk = _command(actions, "risk", commands.risk, "measure risk of records, households and file")
    _file(risk)
    _scenario(risk)
    risk.add_argument(
        "--limit", type=_share, metavar="R", help="risk above which a record is unsafe"
    )
    risk.add_argument(
        "--records",
        type=_place,
        metavar="OUT",
        help="write f, F, risk of every record (.csv, .parquet)",
    )
    risk.add_argument(
        "--plot", type=Path, metavar="OUT", help="write the picture (.svg, .png, .pdf)"
    )
    risk.add_argument("--cumulative", action="store_true", help="plot records above each risk")
    risk.add_argument(
        "--explain", action="store_true", help="show what each key adds, and the riskiest cells"
    )
    risk.add_argument(
        "--approximation", choices=get_args(Approximation), help="a formula of the literature"
    )
    _json(risk)

    limit = _command(actions, "limit", commands.limit, "find the limit that a wish leads to")
    _file(limit)
    _scenario(limit)
    wish = limit.add_mutually_exclusive_group(required=True)
    wish.add_argument("--risk", type=_share, metavar="R", help="the limit itself")
    wish.add_argument("--rate", type=_share, metavar="X", help="tolerable re-identification rate")
    wish.add_argument("--expected", type=_positive, metavar="E", help="tolerable expected number")
    wish.add_argument("--unsafe", type=_count, metavar="N", help="most records to be treated")
    _json(limit)

    which = _command(
        actions, "combinations", protect.combinations, "find the values that make records unsafe"
    )
    _file(which)
    _scenario(which)
    _criterion(which)
    which.add_argument("--max-size", type=_count, metavar="M", help="most keys in a combination")
    _json(which)

    _file_risk(actions)
    _uniqueness(actions)

    _sample(actions)

    blank = _command(actions, "suppress", protect.suppress, "blank keys until no record is unsafe")
    _file(blank)
    _scenario(blank)
    _criterion(blank)
    blank.add_argument(
        "--guarantee",
        choices=get_args(Guarantee),
        default="own",
        help="own: safe by its own blanks; strict: even if records with gaps are ignored; "
        "shared: others' blanks count",
    )
    blank.add_argument(
        "--cost", type=_costs, metavar="KEY=C,..", help="of a blank (1 if not named), or entropy"
    )
    blank.add_argument(
        "--household-above", type=_share, metavar="R", help="household risk that is unsafe, too"
    )
    blank.add_argument(
        "--up-to", type=_count, metavar="M", help="apply --k to combinations of at most M keys"
    )
    blank.add_argument(
        "--people", action="store_true", help="apply --k to people as estimated, not to records"
    )
    blank.add_argument("--spare", type=_list, default=(), metavar="A,B", help="keys not to blank")
    blank.add_argument(
        "-o", "--output", type=_place, required=True, metavar="OUT", help="the protected file"
    )
    _json(blank)

    run = _command(actions, "protect", release.protect, "run a plan: safe file, reports, lock")
    _plan(run)
    run.add_argument("--script", action="store_true", help="print the plan as Python instead")
    _json(run)

    again = _command(
        actions, "replay", release.replay, "run a plan again; put its files back if nothing differs"
    )
    _plan(again)
    again.add_argument(
        "--check", action="store_true", help="compare only, files on disk too; write nothing"
    )
    _json(again)

    told = _command(actions, "report", release.report, "write a report on a plan")
    _plan(told)
    told.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.html")
    told.add_argument("--audience", choices=get_args(Audience), default="board")

    window = _command(actions, "app", app.app, "the whole job in a window of the browser")
    window.add_argument("file", type=Path, nargs="?", metavar="FILE", help=_file_help())
    _reading(window)
    window.add_argument(
        "--folder",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="where files may be opened and written; may be repeated; the current one if not given",
    )
    window.add_argument("--resume", action="store_true", help="take up the session that was left")
    window.add_argument("--no-browser", action="store_true", help="print the link only")
    window.add_argument("--port", type=_port, default=0, metavar="N", help="to listen on")

    show = _command(actions, "demo", demo.demo, "the whole job on a synthetic survey")
    show.add_argument("--folder", type=Path, default=Path("microsafe-demo"), help="for the results")
    show.add_argument("--seed", type=_count, default=1, help="of the survey")
    return main


def _file_risk(actions: Any) -> None:
    whole = _command(
        actions, "file-risk", filerisk.file_risk, "estimate how many are unique in the population"
    )
    _file(whole)
    group = whole.add_argument_group("scenario")
    group.add_argument("--keys", type=_list, required=True, metavar="A,B", help="key variables")
    size = group.add_mutually_exclusive_group(required=True)
    size.add_argument("--weight", metavar="NAME", help="sampling weight")
    size.add_argument("--fraction", type=_share, metavar="X", help="sampling fraction")
    group.add_argument("--clip-weights", action="store_true", help="raise weights below 1 to 1")
    whole.add_argument(
        "--model", choices=get_args(ModelName), default="loglinear", help="of the population"
    )
    whole.add_argument(
        "--interactions",
        type=_interactions,
        default="auto",
        metavar="1|2|auto|A*B,..",
        help="of the log-linear model: all of so many keys, searched for, or these",
    )
    whole.add_argument(
        "--pi", choices=("cell", "file"), default="cell", help="whose sampling fraction is used"
    )
    whole.add_argument(
        "--impossible",
        type=_combination,
        action="append",
        default=[],
        metavar="A=1|2,B=3",
        help="a combination that nobody can have; may be repeated",
    )
    whole.add_argument(
        "--opinions",
        type=_list,
        default=("benedetti-franconi", "negative-binomial"),
        metavar="MODEL,..",
        help="other models to ask",
    )
    whole.add_argument(
        "--bands",
        type=_shares,
        default=USUAL_BANDS,
        metavar="A,B,C",
        help="shares up to which risk is very low, low, moderate",
    )
    whole.add_argument("--seed", type=_count, default=1, help="of random draws")
    whole.add_argument(
        "--records", type=_place, metavar="OUT", help="write risk by model (.csv, .parquet)"
    )
    whole.add_argument(
        "--plot", type=Path, metavar="OUT", help="write the pictures (.svg, .png, .pdf)"
    )
    _json(whole)
    whole.set_defaults(household=None, missing="wildcard", alpha=1.0, attack="all", factor=1.0)


def _sample(actions: Any) -> None:
    draw = _command(
        actions, "sample", protect.sample, "keep a random sample of households or records"
    )
    _file(draw)
    draw.add_argument(
        "--fraction", type=_share, required=True, metavar="X", help="chance of each to be kept"
    )
    draw.add_argument("--seed", type=_count, required=True, metavar="N", help="of the draw")
    draw.add_argument(
        "--household", metavar="NAME", help="keep or leave households as a whole; else records"
    )
    draw.add_argument(
        "--weight",
        default="weight",
        metavar="NAME",
        help="is divided by the fraction, or added if the file has none",
    )
    draw.add_argument(
        "-o", "--output", type=_place, required=True, metavar="OUT", help="the sample"
    )
    _json(draw)


def _uniqueness(actions: Any) -> None:
    alone = _command(
        actions, "uniques", uniqueness.uniques, "find minimal sample uniques and score records"
    )
    _file(alone)
    _counting(alone)
    alone.add_argument("--max-size", type=_count, metavar="M", help="most keys in such a unique")
    alone.add_argument(
        "--fraction", type=_share, metavar="X", help="sampling fraction; by the weights if None"
    )

    small = _command(
        actions, "tabulate", uniqueness.tabulate, "find cells of small tables that are too small"
    )
    _file(small)
    _counting(small)
    small.add_argument(
        "--dimensions", type=_range, default=(1, 2, 3), metavar="A-B", help="keys in a table"
    )
    small.add_argument(
        "--min-count", type=_count, default=3, metavar="N", help="records in a cell; 0 for any"
    )
    small.add_argument("--min-weight", type=_positive, metavar="W", help="people in a cell")

    spread = _command(
        actions, "diversity", uniqueness.diversity, "measure what keys give away of other variables"
    )
    _file(spread)
    _counting(spread, weight=False)
    spread.add_argument(
        "--sensitive", type=_list, required=True, metavar="A,B", help="what nobody should learn"
    )
    spread.add_argument(
        "--ordered", type=_list, default=(), metavar="A,B", help="those whose values have an order"
    )
    spread.add_argument("--l", type=_number, default=2, help="diversity asked for")
    spread.add_argument("--c", type=_number, default=2.0, help="of recursive diversity")
    spread.add_argument("--t", type=_share, default=0.2, help="distance tolerated")

    for command in (alone, small, spread):
        command.add_argument(
            "--records",
            type=_place,
            metavar="OUT",
            help="write the figures of every record (.csv, .parquet)",
        )
        _json(command)


def _command(
    actions: Any, name: str, run: Callable[..., int], help_text: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = actions.add_parser(
        name, help=help_text, description=help_text.capitalize() + ".", allow_abbrev=False
    )
    command.set_defaults(run=run)
    return command


def _file_help() -> str:
    known = ", ".join(readable_extensions())
    return f"data file; the format is taken from its extension ({known})"


def _file(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=_place, metavar="FILE", help=_file_help())
    _reading(command)
    _engine(command)


def _reading(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("reading")
    group.add_argument("--meta", type=Path, metavar="FILE.rda", help="metadata of a mu-ARGUS file")
    group.add_argument("--encoding", help="of a text file; detected if not given")
    group.add_argument("--separator", help="of a text file; detected if not given")
    group.add_argument(
        "--na", type=_list, default=(), metavar="A,B", help="texts that mean missing"
    )
    group.add_argument("--sheet", help="of a workbook; the first if not given")


def _engine(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("engine")
    group.add_argument(
        "--engine", choices=get_args(EngineName), default="local", help="where records are counted"
    )
    group.add_argument(
        "--master", metavar="URL", help="where Spark runs: local[4], yarn, spark://.., sc://.."
    )
    group.add_argument(
        "--memory", metavar="SIZE", help="most memory to use on this machine: 4GB, 500MB"
    )
    group.add_argument(
        "--most-cells", type=_count, metavar="N", help="combinations that may leave Spark"
    )


def _scenario(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("scenario")
    group.add_argument("--keys", type=_list, required=True, metavar="A,B", help="key variables")
    group.add_argument("--weight", metavar="NAME", help="sampling weight")
    group.add_argument("--household", metavar="NAME", help="household identifier")
    group.add_argument("--missing", choices=get_args(Missing), default="wildcard")
    group.add_argument(
        "--alpha", type=_share, default=1.0, help="how much a match counts that rests on a gap"
    )
    group.add_argument("--attack", choices=get_args(Attack), default="all")
    group.add_argument("--factor", type=_share, default=1.0, help="multiplies every risk")
    group.add_argument("--clip-weights", action="store_true", help="raise weights below 1 to 1")


def _counting(command: argparse.ArgumentParser, *, weight: bool = True) -> None:
    """A scenario for measures that count, and have no use for attack models."""
    group = command.add_argument_group("scenario")
    group.add_argument("--keys", type=_list, required=True, metavar="A,B", help="key variables")
    if weight:
        group.add_argument("--weight", metavar="NAME", help="sampling weight")
        group.add_argument("--clip-weights", action="store_true", help="raise weights below 1 to 1")
    group.add_argument("--missing", choices=("wildcard", "category"), default="wildcard")
    command.set_defaults(
        weight=None, household=None, alpha=1.0, attack="all", factor=1.0, clip_weights=False
    )


def _plan(command: argparse.ArgumentParser) -> None:
    command.add_argument("plan", type=Path, metavar="PLAN.toml", help="the plan")
    _engine(command)


def _criterion(command: argparse.ArgumentParser) -> None:
    criterion = command.add_mutually_exclusive_group(required=True)
    criterion.add_argument("--above", type=_share, metavar="R", help="risk above which is unsafe")
    criterion.add_argument("--k", type=_count, metavar="K", help="count below which is unsafe")


def _interactions(text: str) -> str | int | tuple[str, ...]:
    if text == "auto":
        return text
    return int(text) if text.isascii() and text.isdigit() else _list(text)


def _combination(text: str) -> dict[str, list[str]]:
    pairs = [part.partition("=") for part in _list(text)]
    if not all(equals and values for _, equals, values in pairs):
        raise argparse.ArgumentTypeError("must be KEY=VALUE|VALUE,KEY=VALUE,..")
    return {key.strip(): values.split("|") for key, _, values in pairs}


def _shares(text: str) -> tuple[float, ...]:
    return tuple(_share(part) for part in _list(text))


def _costs(text: str) -> dict[str, float] | str:
    if text == "entropy":
        return text
    pairs = [part.partition("=") for part in _list(text)]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("must be KEY=COST,.. or entropy")
    return {key.strip(): _number(cost) for key, _, cost in pairs}


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON and nothing else")


def _place(text: str) -> Path | str:
    """A file of this machine; an address, or a folder that ends in "/", is for Spark alone."""
    return text if "://" in text or text.endswith("/") else Path(text)


def _list(text: str) -> tuple[str, ...]:
    """Names between commas; one that holds a comma or outer blanks goes in double quotes."""
    parts = re.findall(r'\s*"([^"]*)"\s*(?:,|$)|([^,]+)', text)
    return tuple(name for quoted, plain in parts if (name := quoted or plain.strip()))


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError("must be finite")
    return number


def _share(text: str) -> float:
    number = _number(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError("must lie between 0 and 1")
    return number


def _positive(text: str) -> float:
    number = _number(text)
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("must be a whole number of at least 0")
    return int(text)


def _range(text: str) -> tuple[int, ...]:
    """Whole numbers: 2, 1-3 or 1,3."""
    numbers: list[int] = []
    for part in _list(text):
        first, _, last = (text.strip() for text in part.partition("-"))
        numbers += range(_count(first), min(_count(last or first), 60) + 1)
    if not numbers:
        raise argparse.ArgumentTypeError("must be whole numbers such as 2, 1-3 or 1,3")
    return tuple(numbers)


def _port(text: str) -> int:
    if (number := _count(text)) > 65535:
        raise argparse.ArgumentTypeError("must be at most 65535")
    return number


class _Version(argparse.Action):
    """Print the version; looked up only when asked for."""

    def __init__(self, option_strings: list[str], dest: str, **_: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from microsafe import __version__

        print(f"microsafe {__version__}")
        parser.exit()
