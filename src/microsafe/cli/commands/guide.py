"""`guide`: five questions, filled in, from a file to a release."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from microsafe.cli.commands.protect import summarise_verdicts
from microsafe.cli.console import Console
from microsafe.cli.fields import add_fields, values_of
from microsafe.cli.input import add_file, open_file
from microsafe.cli.output import add_json
from microsafe.cli.parser import group_of
from microsafe.cli.scenario import add_roles
from microsafe.options.profiles import PROFILES, USUAL_PROFILE, ProfileOptions
from microsafe.options.proposal import ProposalTerms
from microsafe.options.scenario import Roles

if TYPE_CHECKING:
    from microsafe.guides.guide import Guide


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    command.set_defaults(run=run)
    add_file(command)
    add_fields(command, ProfileOptions)
    add_roles(command, required=False)
    add_fields(command, ProposalTerms, "seconds")
    command.add_argument(
        "--yes", action="store_true", help="ask nothing: take every decision as it is filled in"
    )
    command.add_argument(
        "--by-record",
        action="store_true",
        help="each record is somebody else, though an identifier repeats as in a panel",
    )
    group_of(command, "output").add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FOLDER",
        help="folder for plan, safe file, reports and lock (default: that of the file's name with "
        "-release)",
    )
    add_json(command)


def run(chosen: argparse.Namespace, console: Console) -> int:
    """Ask five questions and write the release; 1 if a rule is not met."""
    from microsafe.guides.guide import begin_guide
    from microsafe.guides.persons import tell_persons
    from microsafe.io.formats import find_stem

    folder: Path = chosen.output or Path(f"{find_stem(chosen.file)}-release")
    asks = not chosen.yes and not chosen.json and sys.stdin.isatty()
    if not asks and not chosen.yes:
        console.note("Nothing can be asked here, so every decision is taken as it is filled in.")
    progress, roles = console.progress, values_of(chosen, Roles)
    opened = open_file(chosen, progress)
    profile = chosen.profile or USUAL_PROFILE
    guide = begin_guide(opened, profile, by_record=chosen.by_record, progress=progress, **roles)
    if guide.study.scenario().person != chosen.person and not asks:
        console.note(
            f"Persons: {tell_persons(guide.study)}. If each record is another: --by-record."
        )
    if guide.repeated:
        console.note(
            f"{guide.repeated} repeats, and each record counts as another person. If it numbers "
            f"persons, say so: --person {guide.repeated} --wave NAME."
        )
    if asks:
        guide = _ask_reading(guide, console)
        guide = _ask_profile(guide, console, said=chosen.profile is not None)
        guide = _ask_lists(guide, console)
    guide = guide.search(chosen.seconds, progress)
    if asks:
        guide = _ask_plan(guide, console)
    if not chosen.json:
        console.say(guide.lines())
    if asks and not console.confirm(f"5. Sign and write to {folder}?"):
        console.say("Nothing was written.")
        return 0
    done = guide.release(folder, progress)
    if chosen.json:
        console.print_json(guide.summary() | done.summary())
    elif done.allowed:
        plan = find_stem(Path(done.plan.output.file))
        files = (*done.files, f"{plan}.toml (the plan)", f"{plan}.lock")
        console.say(["", *summarise_verdicts(done), f"Written to {folder}: {', '.join(files)}"])
        console.say_next(f"read {folder / 'report.html'}, and sign it")
    if not done.allowed:
        console.say(["", *summarise_verdicts(done)])
        console.complain(
            "Nothing was written: a rule is not met. Take the plan with the fewest blanks, leave "
            "out more variables, or give the search more time with --seconds."
        )
    return 0 if done.allowed else 1


def _ask_reading(guide: Guide, console: Console) -> Guide:
    """Ask whether the file was read rightly."""
    from microsafe.guides.persons import tell_persons

    file = guide.study
    console.say(
        f"1. Is this your file? {file.schema.source}: {file.engine.rows():,} records, "
        f"{len(file.schema.names)} variables"
    )
    persons = tell_persons(file)
    if persons and not console.confirm(f"   Persons: {persons}. Is that so?"):
        guide = guide.count_records(console.progress)
    answers = [word.word for word in guide.words if not console.confirm(f"   {word.question}")]
    for answer in answers:
        guide = guide.keep_word(answer, console.progress)
    return guide


def _ask_profile(guide: Guide, console: Console, *, said: bool) -> Guide:
    """Ask who gets the file, and what somebody may know."""
    names = list(PROFILES)
    if not said:
        console.say(["", "2. Who gets the file?"])
        words = [f"{PROFILES[name].who} ({PROFILES[name].release_type})" for name in names]
        taken = console.choose(words, names.index(guide.profile))
        if names[taken] != guide.profile:
            guide = guide.for_profile(PROFILES[names[taken]].name, console.progress)
    keys = guide.study.scenario().keys
    console.say(["   Somebody who might recognise people knows:", f"   {', '.join(keys)}"])
    given = console.ask("   Enter if so, or name others, as A,B,C: ")
    if given:
        guide = guide.with_keys([key.strip() for key in given.split(",")], console.progress)
    return guide


def _ask_lists(guide: Guide, console: Console) -> Guide:
    """Ask what must not go out."""
    from microsafe.errors import MicrosafeError
    from microsafe.guides.lists import PLACES

    console.say(["", "3. What must not go out?"])
    while True:
        for place, title in PLACES.items():
            names = guide.lists.names(place)
            console.say(f"   {title} ({place}, {len(names)}): {', '.join(names)}")
        given = console.ask("   Enter if so, or move one, as NAME=answer reason: ")
        name, _, rest = given.partition("=")
        into, _, why = rest.strip().partition(" ")
        if not given:
            return guide
        lists = [place for place in PLACES if place == into]
        if not lists:
            console.say(f"   Choose a list: {', '.join(PLACES)}.")
            continue
        try:
            guide = guide.move(name.strip(), lists[0], why.strip(), console.progress)
        except MicrosafeError as error:
            console.say(f"   {error}")


def _ask_plan(guide: Guide, console: Console) -> Guide:
    """Ask which plan to take."""
    from microsafe.propose.proposal import NAMES

    plans = guide.differing
    if not plans:
        return guide
    console.say(["", "4. Which plan?"])
    words = [
        f"{', '.join(NAMES[name] for name in names)}: {plan.sentence}" for names, plan in plans
    ]
    usual = next((n for n, (names, _) in enumerate(plans) if guide.choice in names), 0)
    return guide.choose(plans[console.choose(words, usual)][0][0])
