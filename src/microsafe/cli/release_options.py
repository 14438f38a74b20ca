"""Options of the commands that sample, protect and release: names that others script against."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from microsafe.cli.options import (
    ESTIMATORS,
    add_command,
    add_criterion,
    add_exceptions,
    add_file,
    add_json,
    add_levels,
    add_no_model,
    add_output,
    add_plan,
    add_roles,
    add_scenario,
    group_of,
)
from microsafe.cli.values import (
    parse_amount,
    parse_costs,
    parse_count,
    parse_groups,
    parse_labels,
    parse_linked,
    parse_list,
    parse_number,
    parse_numbers,
    parse_rate,
    parse_reason,
)

AUDIENCES = ("board", "public")
LANGUAGES = ("en", "de")
GUARANTEES = ("own", "strict", "shared")

PROFILES = ("public", "scientific", "secure")  # as in `plan.scaffold`, without its imports


def add_releasing(actions: Any) -> None:
    """Add the commands that sample, protect and release."""
    for add in (
        _add_suggest, _add_recode, _add_sample, _add_apply, _add_suppress, _add_plan, _add_propose,
        _add_protect, _add_replay, _add_report,
    ):  # fmt: skip
        add(actions)


def _add_suggest(actions: Any) -> None:
    command = add_command(
        actions,
        "suggest",
        "recoding.suggest",
        "rank recodes of the keys by how much they lower risk for what they lose",
    )
    add_file(command)
    add_scenario(command)
    command.add_argument(
        "--limit", type=parse_rate, metavar="R", help="count records with a risk above R as unsafe"
    )
    command.add_argument(
        "--most",
        type=parse_count,
        default=10,
        metavar="N",
        help="largest number of suggestions",
    )
    add_json(command)


def _add_recode(actions: Any) -> None:
    command = add_command(actions, "recode", "recoding.recode", "give a variable fewer categories")
    add_file(command)
    command.add_argument("--variable", required=True, metavar="NAME", help="the variable to recode")
    way = command.add_mutually_exclusive_group(required=True)
    way.add_argument(
        "--breaks",
        type=parse_numbers,
        metavar="A,B,..",
        help="lower bounds of bands of a number; the last band is open",
    )
    way.add_argument(
        "--groups",
        type=parse_groups,
        metavar="NEW=OLD|OLD,..",
        help="new codes from old ones; LOW..HIGH is a range with both its ends, and either may be "
        "left out: 'north=1|2|3,south=4..9'",
    )
    way.add_argument(
        "--keep",
        type=parse_count,
        metavar="N",
        help="keep the first N characters of a code",
    )
    way.add_argument("--grc", type=Path, metavar="FILE", help="a recode file of mu-ARGUS")
    command.add_argument(
        "--names",
        type=parse_list,
        default=(),
        metavar="A,B,..",
        help="with --breaks: codes of the bands (default: such as 15-29)",
    )
    command.add_argument(
        "--other", metavar="CODE", help="with --groups: one code for all that is not named"
    )
    command.add_argument(
        "--labels",
        type=parse_labels,
        default={},
        metavar="CODE=LABEL,..",
        help="labels of the new codes",
    )
    add_exceptions(command, keep="--keep-variable")
    add_output(command, "a working file, not a release")
    add_json(command)


def _add_sample(actions: Any) -> None:
    command = add_command(
        actions, "sample", "protect.sample", "draw a random sample of households or records"
    )
    add_file(command)
    command.add_argument(
        "--fraction",
        type=parse_rate,
        required=True,
        metavar="X",
        help="probability that a household or record is selected",
    )
    command.add_argument(
        "--seed", type=parse_count, required=True, metavar="N", help="seed of the random draw"
    )
    command.add_argument(
        "--household",
        metavar="NAME",
        help="household identifier: draw whole households (default: draw records)",
    )
    command.add_argument(
        "--weight",
        default="weight",
        metavar="NAME",
        help="sampling weight to divide by the fraction; added if the file has none",
    )
    add_exceptions(command)
    add_output(command, "the sample: a working file, not a release")
    add_json(command)


def _add_apply(actions: Any) -> None:
    command = add_command(actions, "apply", "apply.apply", "apply one or more steps of any kind")
    add_file(command)
    add_roles(command, required=False)
    command.add_argument(
        "--step",
        action="append",
        required=True,
        metavar="'DO WORD=VALUE ..'",
        help="a step as plans name it, such as 'microaggregate variables=income,rent k=5'; may be "
        "repeated, and steps are taken in this order",
    )
    add_exceptions(command)
    add_output(command, "a working file, not a release")
    add_json(command)


def _add_suppress(actions: Any) -> None:
    command = add_command(
        actions, "suppress", "protect.suppress", "suppress key values until no record is unsafe"
    )
    add_file(command)
    add_scenario(command)
    add_criterion(command, required=False)  # a limit on households will do
    command.add_argument(
        "--guarantee",
        choices=GUARANTEES,
        default="own",
        help="own: each record is safe by its own suppressions (default); strict: also if records "
        "with suppressed keys are ignored; shared: suppressions in other records count too",
    )
    command.add_argument(
        "--cost",
        type=parse_costs,
        metavar="KEY=C,..",
        help='cost of suppressing each key (default 1), or "entropy"',
    )
    command.add_argument(
        "--household-above",
        type=parse_rate,
        metavar="R",
        help="also, or only, treat households with a risk above R as unsafe",
    )
    command.add_argument(
        "--up-to",
        type=parse_count,
        metavar="M",
        help="apply --k to every combination of at most M keys",
    )
    add_levels(command, "apply --k to combinations by identification level")
    command.add_argument(
        "--people",
        action="store_true",
        help="apply --k to the estimated number of people instead of records",
    )
    command.add_argument(
        "--spare", type=parse_list, default=(), metavar="A,B", help="keys that are not suppressed"
    )
    command.add_argument(
        "--linked",
        type=parse_linked,
        action="append",
        default=[],
        metavar="KEY=A,..",
        help="variables that lose their value wherever KEY does; may be repeated",
    )
    add_no_model(command)
    add_exceptions(command)
    add_output(command, "the protected file: a working file, not a release")
    add_json(command)


def _add_plan(actions: Any) -> None:
    group = actions.add_parser(
        "plan",
        help="make, update or check a plan",
        description="Make, update or check a plan.",
    )
    parts = group.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_plan_new(parts)
    for name, does in (
        ("update", "propose decisions on all that a plan leaves undecided"),
        ("check", "check a plan without running it; errors name the line"),
    ):
        command = add_command(parts, name, f"plans.{name}_plan", does)
        add_plan(command)
        if name == "update":
            group_of(command, "output").add_argument(
                "-o",
                "--output",
                type=Path,
                metavar="NEW.toml",
                help="where to write it (default: in place; the plan as it was is kept beside it)",
            )
        add_json(command)


def _add_plan_new(parts: Any) -> None:
    command = add_command(
        parts, "new", "plans.new_plan", "write a plan with a decision to make on every variable"
    )
    add_file(command)
    add_roles(command, required=False)
    group = group_of(command, "scenario")
    group.add_argument(
        "--estimator",
        choices=ESTIMATORS,
        help="where the risk of a record comes from (default: what suits the file)",
    )
    group.add_argument(
        "--why", default="", metavar="TEXT", help="why this intruder is thought of, for the report"
    )
    _add_policy(command)
    _add_decisions(command)
    output = group_of(command, "output")
    output.add_argument(
        "-o", "--output", type=Path, required=True, metavar="PLAN.toml", help="the plan"
    )
    output.add_argument(
        "--file-name",
        metavar="NAME",
        help="what the safe file will be called (default: that of the input with -safe)",
    )
    output.add_argument(
        "--report", default="report.html", metavar="NAME", help="report for the board"
    )
    output.add_argument(
        "--public-report", default="public.html", metavar="NAME", help="report for the public"
    )
    add_json(command)


def _add_policy(command: argparse.ArgumentParser) -> None:
    group = group_of(command, "policy")
    group.add_argument(
        "--profile",
        choices=PROFILES,
        help="who gets the file: the type of release, and a limit to begin with if there is no "
        "--above",
    )
    group.add_argument(
        "--above",
        type=parse_rate,
        metavar="R",
        help="records with a risk above R are unsafe: a rule, and a step that suppresses",
    )
    group.add_argument(
        "--household-above",
        type=parse_rate,
        metavar="R",
        help="households with a risk above R are unsafe, likewise",
    )
    group.add_argument(
        "--k",
        type=parse_count,
        metavar="K",
        help="records that share their keys with fewer than K records are unsafe, likewise",
    )
    group.add_argument(
        "--rate", type=parse_rate, metavar="X", help="highest re-identification rate to tolerate"
    )
    group.add_argument(
        "--expected",
        type=parse_amount,
        metavar="E",
        help="highest expected number of re-identifications to tolerate",
    )
    group.add_argument(
        "--override",
        type=parse_reason,
        action="append",
        default=[],
        metavar='RULE="reason"',
        help="release although a rule is not met; may be repeated",
    )


def _add_decisions(command: argparse.ArgumentParser) -> None:
    group = group_of(command, "decisions")
    group.add_argument(
        "--step",
        action="append",
        default=[],
        metavar="'DO WORD=VALUE ..'",
        help="a step before suppression, such as 'recode variable=age breaks=0,15,30,65'; may be "
        "repeated",
    )
    group.add_argument(
        "--drop",
        type=parse_list,
        action="extend",
        default=[],
        metavar="A,B",
        help="variables to leave out (direct identifiers are left out by default)",
    )
    group.add_argument(
        "--keep",
        dest="kept",
        type=parse_reason,
        action="append",
        default=[],
        metavar='NAME="reason"',
        help="a variable to release as it is; may be repeated",
    )
    group.add_argument(
        "--keep-rest",
        default="",
        metavar="REASON",
        help="the reason to release all others in which nothing delicate was found",
    )
    group.add_argument(
        "--keep-order",
        default="",
        metavar="REASON",
        help="the reason to keep the order of the records (default: they are shuffled)",
    )


def _add_propose(actions: Any) -> None:
    command = add_command(
        actions,
        "propose",
        "proposing.propose",
        "find the recodes and blanks that meet a plan's policy at the least loss",
    )
    add_plan(command)
    group_of(command, "output").add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="NEW.toml",
        help="write the plan with the proposed steps, in the folder of the plan",
    )
    group_of(command, "output").add_argument(
        "--frontier",
        type=Path,
        metavar="OUT.svg",
        help="draw what plans lose by how many records they touch (.svg, .png or .pdf)",
    )
    command.add_argument(
        "--seconds",
        type=parse_number,
        metavar="S",
        help="stop after S seconds and tell what was found (default: when it is proved best)",
    )
    add_json(command)


def _add_protect(actions: Any) -> None:
    command = add_command(
        actions, "protect", "release.protect", "run a plan: write the safe file, reports and lock"
    )
    add_plan(command)
    command.add_argument(
        "--script", action="store_true", help="print the plan as a Python script; run nothing"
    )
    command.add_argument(
        "--overwrite",
        action="store_true",
        help="also replace output files that this plan did not write, or that were changed since",
    )
    add_json(command)


def _add_replay(actions: Any) -> None:
    command = add_command(
        actions,
        "replay",
        "release.replay",
        "run a plan again, and restore its files if nothing differs from the lock",
    )
    add_plan(command)
    command.add_argument(
        "--check",
        action="store_true",
        help="compare only, including the files on disk; write nothing",
    )
    add_json(command)


def _add_report(actions: Any) -> None:
    command = add_command(actions, "report", "release.report", "write a report on a plan")
    add_plan(command)
    group_of(command, "output").add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="OUT.html",
        help="the report: .html, .pdf or .docx",
    )
    command.add_argument(
        "--language", choices=LANGUAGES, help="of the report (default: as the plan says)"
    )
    command.add_argument(
        "--audience",
        choices=AUDIENCES,
        default="board",
        help="whom the report is for (default board)",
    )
    add_json(command)
