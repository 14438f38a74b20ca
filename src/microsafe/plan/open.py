"""Open the input of a plan, and what it wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from microsafe.errors import InputError, UnknownVariableError, UsageError
from microsafe.io import digest
from microsafe.io.formats import find_extension
from microsafe.options.declaration import Declaration, Declarations, Type
from microsafe.options.parameter import parameters
from microsafe.options.reading import Reading, reading_options
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Plan
from microsafe.plan.sections import check_uses
from microsafe.progress import Progress, silent
from microsafe.studies.study import Study, study


def open_plan(
    plan: Plan,
    folder: Path,
    *,
    held: Path | None = None,
    opened: Study | None = None,
    progress: Progress = silent,
    **engine: Any,
) -> tuple[Plan, Study]:
    """Open the input of a plan; return the plan with checksum and estimators, and the study.

    Args:
        plan: What is asked for.
        folder: That names in it are relative to.
        held: Where the input is for now, if not where the plan has it.
        opened: The study, if a plan with the same input and scenarios was opened just now.
        progress: Progress callback.
        **engine: Which engine, as `study` has it.
    """
    path = held or folder / plan.input.file
    given = plan.input
    given = replace(given, sha256=_check_digest(path, given.sha256, "sha256", progress))
    if given.join:
        other = _check_digest(folder / given.join, given.join_sha256, "join_sha256", progress)
        given = replace(given, join_sha256=other)
    data = opened or _open_input(plan, folder, path, progress, engine)
    if plan.utility is not None:
        check_uses(plan.utility, data.schema, plan.place)
    return replace(plan, input=given, scenarios=data.scenarios), data


def _open_input(
    plan: Plan, folder: Path, path: Path, progress: Progress, engine: Mapping[str, Any]
) -> Study:
    reading = _reading(plan, folder)
    try:
        data = study(path, progress=progress, variables=plan.variables, **reading, **engine)
    except UnknownVariableError as error:
        place = plan.place(f"[variables.{error.name}]", f"variables.{error.name}")
        raise UsageError(f"{place}: {error}") from None
    return _under(replace(data, scenarios=()), plan.scenarios, progress)


def _check_digest(path: Path, known: str, word: str, progress: Progress) -> str:
    """Return the checksum of a file, which must be the one that is known if any is."""
    found = digest(path, progress=progress)
    if known not in ("", found):
        raise InputError(
            f"{path.name} is not the file that the plan was made for: its checksum differs. "
            f"Use that file, or remove {word} from the plan to accept this one."
        )
    return found


def open_output(
    plan: Plan, protected: Study, path: Path, *, progress: Progress = silent, **engine: Any
) -> Study:
    """Open the safe file as a recipient would, under the same scenarios.

    Args:
        plan: That it was made by.
        protected: The data with all steps taken.
        path: Of the file.
        progress: Progress callback.
        **engine: Which engine, as `study` has it.
    """
    options = _reading(plan, path.parent) | {"meta": None, "sheet": None}
    options |= dict.fromkeys(("join", "on", "join_sheet"))  # the safe file is one
    if find_extension(path).lower() != find_extension(Path(plan.input.file)).lower():
        options = {"na": options["na"]}
    options["thousands"] = options["comment"] = None  # which are not written
    engine = {**engine, **protected.engine.options}  # one limit for both files
    found = study(path, progress=progress, **options, **engine)
    found = found.declare(_declare_again(protected, found))
    for scenario in protected.scenarios:
        scenario.check(found.schema)
    return protected._read_back(replace(found, scenarios=protected.scenarios))


def _declare_again(written: Study, found: Study) -> Declarations:
    """What is declared holds for the safe file too, where its format does not say it."""
    said = {}
    for name in written.declarations:
        if name not in written.schema:
            continue
        variable, before = written.schema[name], found.declarations.get(name, Declaration())
        number = variable.kind in ("integer", "number") and found.schema[name].kind == "text"
        kind: Type | None = "number" if number else before.type
        said[name] = replace(before, type=kind, missing=variable.missing)
    return said


def _under(data: Study, scenarios: Sequence[Scenario], progress: Progress) -> Study:
    """Add scenarios to a study that has none."""
    for scenario in scenarios:
        options = asdict(scenario)
        data = data.with_scenario(options.pop("name"), **options, progress=progress)
    return data


def _reading(plan: Plan, folder: Path) -> dict[str, Any]:
    """Return how the input is read as options of `study`; files are where the plan has them."""
    options = reading_options(plan.input)
    for name, parameter in parameters(Reading).items():
        if parameter.control == "file" and options[name] is not None:
            options[name] = folder / options[name]
    return options
