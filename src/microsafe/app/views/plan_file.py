"""Plans as files: opened, saved at any time, and shown as script and commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.app.folders import check_name
from microsafe.app.journal import Journal, JournalFile, TakenProposal
from microsafe.app.messages.questions import PlanRequest, SavePlanRequest
from microsafe.app.messages.study import OpenedPlan, PlanText, SavedPlan
from microsafe.app.reading import read_file
from microsafe.app.refusal import Refusal
from microsafe.app.request import Request
from microsafe.app.session import build_plan, place_files, safe_name
from microsafe.app.views.open import is_plan, restore_state
from microsafe.app.views.release import check_free
from microsafe.app.views.study import summarise_study
from microsafe.errors import UsageError
from microsafe.io import replace_files
from microsafe.options.release import Output
from microsafe.plan.model import Input, Plan, plan_text
from microsafe.plan.read import read_plan
from microsafe.plan.scaffold import list_undecided
from microsafe.plan.script import script
from microsafe.plan.seeds import list_seeds, seeds_path, seeds_text

_USUAL = "plan.toml"


def show_plan(request: Request[object, object]) -> PlanText:
    """Return the plan, and the script and commands that do what it says; seeds stay here."""
    return _write_texts(_make_plan(request), _USUAL)


def save_plan(request: Request[None, SavePlanRequest]) -> SavedPlan:
    """Save the plan, and its seeds in a private file beside it: all of it, or nothing."""
    body, session = request.body, request.session
    session.current_file()
    name = check_name(body.plan)
    if not is_plan(Path(name)):
        raise UsageError("Enter a name with the extension .toml for the plan.")
    with session.folders.make_folder(body.folder, body.path) as folder:
        return _save_files(request, folder, name)


def _save_files(request: Request[None, SavePlanRequest], folder: Path, name: str) -> SavedPlan:
    body, opened = request.body, request.session.current_file()[0]
    plan = _make_plan(request, folder)
    texts = _write_texts(plan, name)
    files = {Path(name): texts.plan}
    if seeds := list_seeds(plan.steps, plan.output.shuffle):
        files[seeds_path(Path(name))] = seeds_text(seeds)
    if body.scripts:
        files[Path(name).with_suffix(".py")] = texts.script
        files[Path(name).with_suffix(".sh")] = texts.commands
    names = [file.name for file in files]
    check_free(folder, names, opened, overwrite=body.overwrite)
    with replace_files() as outputs:
        for path, text in files.items():
            outputs.stage(folder / path).write_text(text, "utf-8", newline="\n")
    return SavedPlan(folder=str(folder), files=tuple(names))


def _make_plan(request: Request[object, object], folder: Path | None = None) -> Plan:
    """Return the plan of the session, its names relative to a folder or to that of the file."""
    state = request.session.state
    if state.opened is None or state.study is None or not state.study.scenarios:
        raise Refusal(409, "There is no plan yet.", "Open a file and choose the key variables.")
    output = Output(
        file=safe_name(state.opened.path), report="report.html", public_report="public.html"
    )
    made = build_plan(state, output, folder or state.opened.path.parent)
    found = state.study.inventory(keep=state.keep, progress=request.progress)
    return replace(made, keep=list_undecided(found, made.keep))


def _write_texts(plan: Plan, name: str) -> PlanText:
    return PlanText(
        plan=plan_text(plan, hide_seeds=True),
        script=script(plan, seeds=seeds_path(Path(name)).name),
        commands=_list_commands(name),
    )


def _list_commands(name: str) -> str:
    """Return the commands that check a plan, run it, and prove that it gives the same again."""
    quoted = "'" + name.replace("'", "'\\''") + "'"
    lines = ("plan check", "protect", "replay --check")
    return "\n".join(["set -e", *(f"microsafe {line} {quoted}" for line in lines)]) + "\n"


def open_plan(request: Request[None, PlanRequest]) -> OpenedPlan:
    """Open a plan and its file; the session becomes what the plan says, or stays what it was."""
    body, session = request.body, request.session
    path = session.folders.find_file(body.folder, body.path)
    if not is_plan(path):
        raise UsageError("Choose a plan: its name ends in .toml.")
    plan, drawn = _read_seeded(path)
    given = place_files(
        replace(plan.input, sha256="", population=None, population_count=None),
        lambda name: str(session.folders.find_path(path.parent / name)),
    )
    file = Path(given.file)
    remarks = [*_list_remarks(plan)]
    if drawn:
        remarks.append(
            "The seeds are not beside the plan: new ones were drawn. Steps that draw at random, "
            "and the order of the records, differ from earlier releases."
        )
    here = session.state.opened is not None and session.state.opened.path == file
    journal_file = (
        session.journal_file if here and session.journal_file is not None else JournalFile(file)
    )
    try:
        opened, data = read_file(given, request.progress, plan.variables)
        if plan.input.sha256 not in ("", opened.sha256):
            raise Refusal(
                409,
                f"{file.name} is not the file that the plan was made for: its checksum differs.",
                "Restore that file, or remove sha256 from the plan to accept this one.",
            )
        journal = _make_journal(plan, opened.input)
        state = restore_state(opened, data, journal, request.progress)
    except BaseException:
        if journal_file is not session.journal_file:
            journal_file.close()
        raise
    session.enter_file(journal_file, state)
    session.change_state(lambda now: now)  # so that it is on disk
    return OpenedPlan(study=summarise_study(request), remarks=tuple(remarks))


def _read_seeded(path: Path) -> tuple[Plan, bool]:
    """Read a plan; tell whether seeds had to be drawn."""
    try:
        return read_plan(path), False
    except UsageError:  # no seeds, or something that is told now
        return read_plan(path, draw_seeds=True, save_seeds=False), True


def _make_journal(plan: Plan, given: Input) -> Journal:
    """Return the session that a plan tells of; nothing of it is confirmed yet."""
    proposed = () if plan.propose is None else (_keep_proposal(plan),)
    return Journal(
        plan=replace(plan, input=given),
        **_split_limits(plan.policy.record_risk, "limit"),
        **_split_limits(plan.policy.household_risk, "household_limit"),
        shuffle=plan.output.shuffle,
        proposed=proposed,
    )


def _split_limits(given: float | Mapping[str, float] | None, name: str) -> dict[str, Any]:
    """One limit for all scenarios, or one for each."""
    return {f"{name}s": given} if isinstance(given, Mapping) else {name: given}


def _keep_proposal(plan: Plan) -> TakenProposal:
    assert plan.propose is not None  # noqa: S101
    return TakenProposal(steps=plan.steps, propose=plan.propose)


def _list_remarks(plan: Plan) -> Iterator[str]:
    """Say what of a plan the app does not take over."""
    if plan.input.population:
        yield f"The check against {Path(plan.input.population).name} is not taken over."
    if plan.output.blanks:
        names = ", ".join(plan.output.blanks)
        yield f"The codes to write for blanks ({names}) are not taken over."
    if plan.output.notes:
        yield "Notes stored in the file are not kept unless you say so in Release."
