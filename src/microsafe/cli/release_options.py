"""Options of the commands that sample, protect and release: names that others script against."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from microsafe.cli.options import (
    ESTIMATORS,
    add_command,
    add_criterion,
    add_exceptions,
    add_file,
    add_json,
    add_no_model,
    add_output,
    add_plan,
    add_roles,
    add_scenario,
)
from microsafe.cli.values import (
    parse_costs,
    parse_count,
    parse_levels,
    parse_list,
    parse_number,
    parse_rate,
)

AUDIENCES = ("board", "public")
LANGUAGES = ("en", "de")
GUARANTEES = ("own", "strict", "shared")

PROFILES = ("public", "scientific", "secure")  # as in `plan.scaffold`, without its imports


def add_releasing(actions: Any) -> None:
    """Add the commands that sample, protect and release."""
    for add in (
        _add_sample, _add_apply, _add_suppress, _add_plan, _add_propose, _add_protect, _add_replay,
        _add_report,
    ):  # fmt: skip
        add(actions)


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
    command.add_argument(
        "--level",
        type=parse_levels,
        default={},
        metavar="KEY=L,..",
        help="apply --k to combinations by identification level, as mu-ARGUS does: one key of "
        "level 1, one of level at most 2, and so on",
    )
    command.add_argument(
        "--people",
        action="store_true",
        help="apply --k to the estimated number of people instead of records",
    )
    command.add_argument(
        "--spare", type=parse_list, default=(), metavar="A,B", help="keys that are not suppressed"
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
        allow_abbrev=False,
    )
    parts = group.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_plan_new(parts)
    for name, does in (
        ("update", "propose decisions on all that a plan leaves undecided, as a plan of format 2"),
        ("check", "check a plan without running it; errors name the line"),
    ):
        command = add_command(parts, name, f"plans.{name}_plan", does)
        add_plan(command)
        if name == "update":
            command.add_argument(
                "-o",
                "--output",
                type=Path,
                metavar="NEW.toml",
                help="where to write it (default: in place; the plan as it was is kept beside it)",
            )


def _add_plan_new(parts: Any) -> None:
    command = add_command(
        parts, "new", "plans.new_plan", "write a plan with a decision to make on every variable"
    )
    add_file(command)
    add_roles(command, required=True)
    command.add_argument(
        "--estimator",
        choices=ESTIMATORS,
        help="where the risk of a record comes from (default: what suits the file)",
    )
    command.add_argument(
        "--above", type=parse_rate, metavar="R", help="records with a risk above R are unsafe"
    )
    command.add_argument(
        "--profile",
        choices=PROFILES,
        help="who gets the file: the type of release, and a limit to begin with if there is no "
        "--above",
    )
    command.add_argument(
        "-o", "--output", type=Path, required=True, metavar="PLAN.toml", help="the plan"
    )


def _add_propose(actions: Any) -> None:
    command = add_command(
        actions,
        "propose",
        "proposing.propose",
        "find the recodes and blanks that meet a plan's policy at the least loss",
    )
    add_plan(command)
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="NEW.toml",
        help="write the plan with the proposed steps, in the folder of the plan",
    )
    command.add_argument(
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
    command.add_argument(
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
