"""`report`: write a report on a plan."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from microsafe.cli.console import Console
from microsafe.cli.output import add_json, check_targets
from microsafe.cli.parser import group_of
from microsafe.cli.plan_file import add_plan, run_plan

AUDIENCES = ("board", "public")
# Found as the report finds them, which takes a while to load.
_TRANSLATIONS = Path(__file__).parents[2] / "report" / "languages"
LANGUAGES = ("en", *sorted(path.stem for path in _TRANSLATIONS.glob("*.toml")))


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
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
        help="whom the report is for",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Write a report on a plan, without writing the safe file."""
    from microsafe.io.atomic import private_folder
    from microsafe.plan.read import read_plan
    from microsafe.plan.reports import content_of, write_report
    from microsafe.plan.run import finish_outputs
    from microsafe.report import check_report, plan_beside
    from microsafe.report.formats import FORMATS

    beside = plan_beside(chosen.output, chosen.audience)
    check_targets([chosen.plan], {chosen.output: FORMATS, beside: ()})
    check_report(chosen.output)
    plan = read_plan(chosen.plan, draw_seeds=True)
    finish_outputs(plan, chosen.plan.parent)
    if chosen.language:
        plan = replace(plan, report=replace(plan.report, language=chosen.language))
    with private_folder() as folder:
        release = run_plan(chosen, plan, folder, console.progress)
        if not release.allowed and chosen.audience == "public":
            console.complain(
                f"{chosen.output.name} was not written: the policy is not met or something is not "
                "decided on, so there is no release to tell the public of. Write the report for "
                "the board instead (--audience board)."
            )
            if chosen.json:
                nothing = {"audience": chosen.audience, "files": [], "allowed": False}
                console.print_json(nothing)
            return 1
        # While the file is there: some figures are measured when they are asked for.
        content = content_of(release, chosen.audience, progress=console.progress)
    made = write_report(content, chosen.audience, chosen.output)
    if chosen.json:
        files = [path.name for path in made]
        console.print_json(
            {"audience": chosen.audience, "files": files, "allowed": release.allowed}
        )
    else:
        names = " and ".join(path.name for path in made)
        console.say(f"Report for the {chosen.audience} written to {names}.")
    return 0 if release.allowed else 1
