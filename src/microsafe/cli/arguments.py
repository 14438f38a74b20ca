"""The commands and their options: names that others script against."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from microsafe.cli import commands, demo, protect, release
from microsafe.opening import EngineName
from microsafe.plan import Guarantee
from microsafe.report import Audience
from microsafe.risk import Approximation
from microsafe.scenario import Attack, Missing


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

    show = _command(actions, "demo", demo.demo, "the whole job on a synthetic survey")
    show.add_argument("--folder", type=Path, default=Path("microsafe-demo"), help="for the results")
    show.add_argument("--seed", type=_count, default=1, help="of the survey")
    return main


def _command(
    actions: Any, name: str, run: Callable[..., int], help_text: str
) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = actions.add_parser(
        name, help=help_text, description=help_text.capitalize() + ".", allow_abbrev=False
    )
    command.set_defaults(run=run)
    return command


def _file(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", type=_place, metavar="FILE", help="the format goes by the suffix")
    group = command.add_argument_group("reading")
    group.add_argument("--meta", type=Path, metavar="FILE.rda", help="metadata of a mu-ARGUS file")
    group.add_argument("--encoding", help="of a text file; detected if not given")
    group.add_argument("--separator", help="of a text file; detected if not given")
    group.add_argument(
        "--na", type=_list, default=(), metavar="A,B", help="texts that mean missing"
    )
    group.add_argument("--sheet", help="of a workbook; the first if not given")
    _engine(command)


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


def _plan(command: argparse.ArgumentParser) -> None:
    command.add_argument("plan", type=Path, metavar="PLAN.toml", help="the plan")
    _engine(command)


def _criterion(command: argparse.ArgumentParser) -> None:
    criterion = command.add_mutually_exclusive_group(required=True)
    criterion.add_argument("--above", type=_share, metavar="R", help="risk above which is unsafe")
    criterion.add_argument("--k", type=_count, metavar="K", help="count below which is unsafe")


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


class _Version(argparse.Action):
    """Print the version; looked up only when asked for."""

    def __init__(self, option_strings: list[str], dest: str, **_: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from microsafe import __version__

        print(f"microsafe {__version__}")
        parser.exit()
