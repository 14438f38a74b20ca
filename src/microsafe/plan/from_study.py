"""Make plans, reports and releases from an open study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import fields, replace
from pathlib import Path
from secrets import randbits
from shutil import copyfile

from microsafe.errors import InputError, InventoryError, UsageError
from microsafe.intruders import add_profile
from microsafe.io import digest, replace_file
from microsafe.io.atomic import private_folder
from microsafe.io.formats import find_stem, writable_extension
from microsafe.options.policy import INVENTORY, Policy
from microsafe.options.profiles import find_profile
from microsafe.options.release import (
    Output,
    PlanOptions,
    ReleaseDecisions,
    ReleaseOptions,
    ReportOptions,
)
from microsafe.options.uses import Uses
from microsafe.plan.model import Input, Plan, plan_text
from microsafe.plan.proposal import remember_proposal
from microsafe.plan.release import Release
from microsafe.plan.reports import content_of, write_report
from microsafe.plan.run import lock_of, lock_path, lock_text, run
from microsafe.plan.scaffold import input_of, list_undecided
from microsafe.plan.seeds import SEED_BITS, keep_seeds, seeds_path
from microsafe.plan.values import build_value
from microsafe.progress import Progress
from microsafe.report import ReportCover, check_report
from microsafe.studies.describe import DescribeVerbs
from microsafe.variables.decide import Keep

_FRAME = "frame.parquet"  # what a plan calls the input that was a data frame


def make_plan(
    study: DescribeVerbs,
    options: PlanOptions,
    *,
    held: Path | None = None,
    input: Path | None = None,  # noqa: A002
) -> Plan:
    """Return what was done as a plan (see `Study.plan`).

    Args:
        study: What was done.
        options: What is decided.
        held: The input, if the study is of a frame and it was written already.
        input: Where the input of a plan for a frame will be; beside the output if None.
    """
    path = _output_path(study) if options.output is None else Path(options.output)
    proposal, shuffle = options.proposal, options.shuffle
    start = study.rollback(0)
    policy, cover = options.policy or Policy(), options.cover or {}
    if options.profile is not None:
        policy = add_profile(policy, options.profile, start.scenario())
        cover = {"release_type": find_profile(options.profile).release_type, **cover}
    policy.check_scenarios([scenario.name for scenario in start.scenarios])
    first_page = _make_cover(cover)  # before any work, as it may be refused
    reasons = dict(options.keep or {})
    if options.keep_rest:
        reasons = {**dict.fromkeys(_list_plain(study, reasons), options.keep_rest), **reasons}
    kept = _group_reasons(reasons)
    steps = tuple(taken.step for taken in study.steps)
    asked = None if proposal is None else remember_proposal(proposal, steps)
    uses = Uses.of(options.utility) or (proposal.utility if proposal else None)
    if uses is not None:
        uses.check(start.schema)
    if shuffle is None and not options.keep_order:
        shuffle = randbits(SEED_BITS)
    return Plan(
        input=_describe_input(study, path.parent, held, input),
        variables=study.declarations,
        scenarios=start.scenarios,
        policy=policy,
        steps=steps,
        keep=list_undecided(study.inventory(keep=kept), kept),
        report=first_page,
        output=Output(
            file=path.name,
            report=options.report,
            public_report=options.public_report,
            codebook=options.codebook,
            shuffle=shuffle,
            keep_order=options.keep_order,
        ),
        utility=uses,
        propose=asked,
    )


def _describe_input(
    study: DescribeVerbs, folder: Path, held: Path | None, place: Path | None
) -> Input:
    """Return the file that a plan in `folder` is for, with its checksum."""
    if study._input:
        return input_of(dict(study._input), folder, digest(Path(study._input["file"])))
    with nullcontext(held) if held is not None else hold_input(study) as file:
        return input_of({"file": place or folder / _FRAME}, folder, digest(file))


@contextmanager
def hold_input(study: DescribeVerbs) -> Iterator[Path]:
    """Give the file that a study is of; a frame is in a private one while it is needed.

    The same frame becomes the same bytes, so its checksum stands for it.

    Raises:
        UsageError: The frame is in Spark.
    """
    if study._input:
        yield Path(study._input["file"])
        return
    if "plan of a frame" in study.engine.gaps:
        raise UsageError(
            "A plan names the file that it is made for. Write the Spark frame to one, and open "
            "that."
        )
    with private_folder() as folder:
        path = folder / _FRAME
        start = study.rollback(0)
        replace(start, engine=start._as_read or start.engine)._write_file(path)
        yield path


def _output_path(study: DescribeVerbs) -> Path:
    """Return the usual path of the safe file, in the format of the input if it can be written."""
    file = Path(study._input.get("file", _FRAME))
    return file.with_name(f"{find_stem(file)}-safe{writable_extension(file)}")


def make_report(study: DescribeVerbs, options: ReportOptions) -> Release:
    """Write a report on the release as it would be (see `Study.report`)."""
    path, audience, progress = Path(options.path), options.audience, options.progress
    check_report(path)
    asked = _plan_options(options, path.parent / _output_path(study).name)
    # What is written to be read back holds records: only this user may see it, briefly.
    with private_folder() as into, hold_input(study) as held:
        plan = make_plan(study, asked, held=held)
        engine = study.engine.options
        done = run(plan, path.parent, into=into, held=held, progress=progress, **engine)
        if audience == "public" and not done.allowed:
            raise UsageError(
                f"{path.name} was not written: the policy is not met or something is not decided "
                "on, so there is no release to tell the public of. Write the report for the board "
                "instead (audience='board')."
            )
        content = content_of(done, audience, progress=progress)
    write_report(content, audience, path)
    return replace(done, files={})


def make_release(study: DescribeVerbs, options: ReleaseOptions) -> Release:
    """Make a plan, run it, and write it down with its lock (see `Study.release`)."""
    folder = Path(options.folder)
    place = None if options.input is None else Path(options.input)
    asked = _plan_options(options, folder / (options.file or _output_path(study).name))
    with hold_input(study) as held:
        if place is not None:
            _check_place(study, place, held, folder)
        if folder.is_dir():
            return _release(study, asked, held, place, options.progress)
        if folder.exists() or not folder.resolve().parent.is_dir():
            raise InputError(f"{folder.name} cannot be made a folder there. Choose another place.")
        folder.mkdir()
        try:
            return _release(study, asked, held, place, options.progress)
        finally:
            if not any(folder.iterdir()):
                folder.rmdir()  # as if it had not been asked for


def _plan_options(options: ReleaseDecisions, output: Path) -> PlanOptions:
    """Return the options of the plan that a report or a release is of."""
    known = {field.name for field in fields(PlanOptions)}
    same = {field.name: getattr(options, field.name) for field in fields(options)}
    return PlanOptions(output, **{name: value for name, value in same.items() if name in known})


def _check_place(study: DescribeVerbs, place: Path, held: Path, folder: Path) -> None:
    """Refuse, before any work, a place in which the input cannot be kept."""
    if study._input:
        raise UsageError("The input is a file already. Leave out input=, which is for data frames.")
    if place.suffix.lower() != ".parquet":
        raise UsageError(
            f"The input is kept as Parquet, not as {place.suffix!r}. Name a .parquet file."
        )
    parent = place.resolve().parent
    if not parent.is_dir() and parent != folder.resolve():
        raise InputError(f"There is no folder {place.parent.name} to write to. Create it first.")
    if place.exists() and digest(place) != digest(held):
        raise InputError(f"{place.name} already exists and is not the data. Choose another name.")


def _release(
    study: DescribeVerbs,
    options: PlanOptions,
    held: Path,
    place: Path | None,
    progress: Progress,
) -> Release:
    output = Path(options.output or "")
    plan = make_plan(study, options, held=held, input=place)
    path = output.with_name(f"{find_stem(output)}.toml")
    reserved = (path, lock_path(path), seeds_path(path))
    engine = study.engine.options
    done = run(plan, output.parent, held=held, reserved=reserved, progress=progress, **engine)
    for verdict in done.verdicts:
        if verdict.rule == INVENTORY and not verdict.allowed:
            raise InventoryError(
                f"Nothing was written: {verdict.note} "
                f"{'is' if verdict.value == 1 else 'are'} not decided on. Drop or change what "
                "must not go out, and keep the rest with a reason (keep={name: reason})."
            )
    if done.allowed:
        _write_plan(plan, done, path)
        if place is not None and not place.exists():
            with replace_file(place) as temporary:
                copyfile(held, temporary)
    return done


def _write_plan(plan: Plan, done: Release, path: Path) -> None:
    """Write plan and lock; the seed of the order is kept apart, as those of plans are."""
    if plan.output.shuffle is not None:
        keep_seeds({"output shuffle": plan.output.shuffle}, path)
    plan = replace(plan, output=replace(plan.output, shuffle=None))
    for target, text in ((path, plan_text(plan)), (lock_path(path), lock_text(lock_of(done)))):
        with replace_file(target) as temporary:
            temporary.write_text(text, "utf-8")


def _make_cover(words: Mapping[str, object]) -> ReportCover:
    """Return the cover that the words of a plan's `[report]` stand for."""
    table = {word: list(each) if isinstance(each, tuple) else each for word, each in words.items()}
    return build_value(ReportCover, table, "The cover")


def _list_plain(study: DescribeVerbs, keep: Mapping[str, str]) -> list[str]:
    """Return the undecided answers: variables in which nothing delicate was found."""
    return [
        row.name for row in study.inventory(keep=keep).rows if row.open and row.group == "answer"
    ]


def _group_reasons(keep: Mapping[str, str]) -> tuple[Keep, ...]:
    """Return decisions with the variables of one reason together."""
    by_reason: dict[str, list[str]] = {}
    for name, why in keep.items():
        by_reason.setdefault(why, []).append(name)
    return tuple(Keep(variables=tuple(names), why=why) for why, names in by_reason.items())
