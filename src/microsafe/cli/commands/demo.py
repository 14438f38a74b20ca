"""`demo`: do the whole job on a synthetic survey."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microsafe.cli.commands.protect import summarise_release
from microsafe.cli.commands.risk import explain_risk
from microsafe.cli.console import Console
from microsafe.cli.option_values import parse_count
from microsafe.cli.output import add_json, write_plot, write_records
from microsafe.errors import InputError

if TYPE_CHECKING:
    from microsafe.options.scenario import Estimator
    from microsafe.plan.model import Plan

KEYS = ("region", "hsize", "sex", "age", "marital", "citizenship")
LIMIT = 0.01


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    command.add_argument(
        "--folder",
        type=Path,
        default=Path("microsafe-demo"),
        metavar="DIR",
        help="folder for the results (default microsafe-demo)",
    )
    command.add_argument(
        "--seed", type=parse_count, default=1, metavar="N", help="seed of the survey (default 1)"
    )
    add_json(command)
    command.set_defaults(needs="microsafe.plan.run")


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Make a survey, measure it, protect it by a plan, and leave everything in a folder."""
    from microsafe.datasets import survey
    from microsafe.io import write
    from microsafe.plan.run import lock_of, lock_path
    from microsafe.plan.run import run as run_release
    from microsafe.studies.study import study

    folder: Path = chosen.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise InputError(
            f"The folder {folder} cannot be created. Choose another with --folder."
        ) from None
    path = folder / "survey.sav"
    console.progress("making a survey", 0.0)
    data = survey(chosen.seed)
    write(data.frame, data.schema, path)
    roles: dict[str, Any] = {"keys": KEYS, "weight": "weight", "household": "household"}
    opened = study(path, **roles)
    measured = opened.risk(limit=LIMIT, progress=console.progress)
    write_plot(measured, folder / "risk.svg")
    write_records(opened.engine, measured, folder / "records.csv")
    if not chosen.json:
        console.say(repr(measured))
        console.say(explain_risk(measured, opened.schema, console.progress))
        console.print_notices(measured.notices)
    plan = folder / "plan.toml"
    release = run_release(
        make_plan(opened.scenario().estimator),
        folder,
        lock=lock_path(plan),
        plan_file=plan,
        overwrite=True,  # everything in the demo's folder is the demo's
        progress=console.progress,
    )
    if chosen.json:
        files = sorted(each.name for each in folder.iterdir() if each.is_file())
        lock = lock_of(release)
        console.print_json(
            {"folder": str(folder), "files": files, "risk": measured.summary(), "lock": lock}
        )
    else:
        console.say(["", *summarise_release(release)])
        console.say(_list_files(path, folder))
    return 0 if release.allowed else 1


def make_plan(estimator: Estimator | None) -> Plan:
    """Return the demo's plan: age in bands, income gone, new household numbers, few blanks.

    Args:
        estimator: Where the risk of a record comes from; chosen by the file if None.
    """
    from microsafe.options.policy import Policy
    from microsafe.options.release import Output
    from microsafe.options.scenario import Scenario
    from microsafe.plan.model import Input, Plan
    from microsafe.steps import Drop, Recode, Renumber, Suppress
    from microsafe.variables.decide import Keep

    return Plan(
        input=Input(file="survey.sav"),
        scenarios=(
            Scenario(
                keys=KEYS,
                weight="weight",
                household="household",
                estimator=estimator,
                why="A neighbour who knows these facts, but not who took part",
            ),
        ),
        policy=Policy(record_risk=LIMIT, rate=0.003, household_risk=0.05),
        steps=(
            Recode(
                variable="age",
                breaks=(0, 15, 25, 35, 45, 55, 65, 75),
                why="Neighbours know the age to the year",
            ),
            Drop(variables=("income",), why="Nobody asked for it"),
            Renumber(variable="household", seed=1, why="The number is in the interviewers' lists"),
            Suppress(
                above=LIMIT,
                household=0.05,
                why="The board's limits; members of a household are linked by its number",
            ),
        ),
        keep=(
            Keep(
                variables=("education", "occupation"),
                why="Neighbours do not know them; they are what the file is for",
            ),
        ),
        output=Output(
            file="safe.sav", report="report.html", public_report="public.html", shuffle=1
        ),
    )


def _list_files(path: Path, folder: Path) -> list[str]:
    return [
        "",
        f"Files in {folder}:",
        "  survey.sav   the survey                 risk.svg      histogram of its risks",
        "  records.csv  risk of every record       plan.toml     what was decided, and why",
        "  safe.sav     the safe file              report.html   report for the board",
        "  plan.lock    proof of the release       public.html   report for the public",
        "To do the same yourself:",
        f"  microsafe risk {path} --keys {','.join(KEYS)} --weight weight "
        f"--household household --limit {LIMIT}",
        f"  microsafe protect {folder / 'plan.toml'}",
        f"  microsafe replay {folder / 'plan.toml'} --check",
    ]
