"""Write the reports on a release."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from microsafe.codes import spell_code
from microsafe.compare import Comparison
from microsafe.compare.guarantees import GuaranteePrice, price_guarantees
from microsafe.engine.contract import NO_RECORDS
from microsafe.errors import InputError, UsageError
from microsafe.io import replace_files
from microsafe.options.uses import Uses
from microsafe.plan.model import plan_text
from microsafe.plan.release import Release
from microsafe.progress import Progress, silent
from microsafe.report import (
    Audience,
    Content,
    RiskBeforeAndAfter,
    list_released,
    plan_beside,
    render_report,
    report_html,
)
from microsafe.risk import SmallAreas
from microsafe.schema import Variable
from microsafe.steps import Suppress
from microsafe.studies.study import Study
from microsafe.variables.profile import VariableProfile
from microsafe.variables.roles import is_area


def report_of(release: Release, audience: Audience, *, progress: Progress = silent) -> str:
    """Return the report on a release as HTML (see `content_of`)."""
    return report_html(content_of(release, audience, progress=progress), audience=audience)


def render_files(content: Content, audience: Audience, path: Path) -> dict[Path, bytes]:
    """Return a report in the format of its name, and the plan beside it if it cannot hold it.

    Args:
        content: Everything that may be said.
        audience: Who reads it.
        path: Of the report: .html, .pdf or .docx.
    """
    data = {path: render_report(content, audience, path.suffix)}
    if (beside := plan_beside(path, audience)) and content.plan:
        data[beside] = content.plan.encode("utf-8")
    return data


def write_report(content: Content, audience: Audience, path: Path) -> tuple[Path, ...]:
    """Write a report in the format of its name (see `render_files`); return what was written."""
    files = render_files(content, audience, path)
    with replace_files() as outputs:
        for target, data in files.items():
            outputs.stage(target).write_bytes(data)
    return tuple(files)


def content_of(
    release: Release,
    audience: Audience,
    *,
    known: ReleaseAssessment | None = None,
    progress: Progress = silent,
) -> Content:
    """Return what the report on a release may say.

    Args:
        release: What became of a plan.
        audience: Who reads it.
        known: What it has to say of the data, if that is known.
        progress: Progress callback.
    """
    start, now = release.study._before(), release.study
    plan = release.plan
    known = known or assess_release(release, whole=audience == "board", progress=progress)
    return Content(
        source=plan.input.file,
        comparison=known.cost,
        measured=[
            RiskBeforeAndAfter(
                before=before,
                after=release.after[name],
                why=before.scenario.why,
                **(known.whole[name] if audience == "board" else {}),
            )
            for name, before in release.before.items()
            if name in release.after
        ],
        steps=now.steps,
        verdicts=release.verdicts,
        intruders=release.intruders,
        labels={
            variable.name: variable.label for variable in (*start.schema, *_list_person_keys(start))
        },
        categories={
            variable.name: {spell_code(code): label for code, label in variable.labels.items()}
            for variable in start.schema
        },
        cover=plan.report,
        inventory=release.inventory,
        released=known.released,
        prices=known.prices,
        areas=known.areas,
        shuffled=plan.output.shuffle is not None,
        keep_order=plan.output.keep_order,
        sha256=plan.input.sha256,
        output=plan.output.file,
        output_sha256=release.files.get(plan.output.file, ""),
        versions=versions(),
        plan=plan_text(plan, hide_seeds=True),
        given_away=release.given_away,
        telling=release.telling,
        families=release.families,
        publish_matrix=plan.policy.publish_matrix,
        proposed=plan.propose.result if plan.propose else None,
    )


def _list_person_keys(start: Study) -> Iterator[Variable]:
    """Go through keys as persons with several records have them, once for each wave."""
    for scenario in start.scenarios:
        if scenario.person is not None:
            keys = start._of(scenario.name).scenario(scenario.name).keys
            yield from (start._of(scenario.name).schema[key] for key in keys)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleaseAssessment:
    """What reports say of the data, besides the risk of records.

    Attributes:
        cost: The data before and after.
        whole: Risk of the file before and after, by scenario; for the board only.
        released: The variables of the safe file.
        prices: What each guarantee would have cost, where blanks tell nothing; for the board only.
        areas: How sure the protected file is of small areas; for the board only.
    """

    cost: Comparison
    whole: Mapping[str, Mapping[str, Any]]
    released: Sequence[VariableProfile]
    prices: Sequence[GuaranteePrice] = ()
    areas: Sequence[SmallAreas] = ()


def assess_release(release: Release, *, whole: bool, progress: Progress) -> ReleaseAssessment:
    """Find out what reports say of the data.

    Args:
        release: What became of a plan.
        whole: Whether the board reads it, who is told of the risk of the file.
        progress: Progress callback.
    """
    start, now = release.study._before(), release.study
    names = [name for name in release.before if whole and name in release.after]
    return ReleaseAssessment(
        cost=replace(_compare(now, release.plan.utility, progress), uses=release.uses),
        whole={name: _whole(start, now, name, progress) for name in names},
        released=list_released(now.engine, now.scenarios, progress=progress),
        prices=_price_view(now, progress) if whole else (),
        areas=tuple(_measure_areas(now, progress)) if whole else (),
    )


def _measure_areas(now: Study, progress: Progress) -> Iterator[SmallAreas]:
    """Go through keys that are geography, and say how sure the survey is of them.

    Weights of a panel are those of its waves, so nothing is said of one; nor where records are not
    at hand.
    """
    for scenario in now.scenarios[:1]:
        if scenario.weight is None or scenario.person is not None or NO_RECORDS in now.engine.gaps:
            continue
        for key in scenario.keys:
            if key not in now.schema or not is_area(now.schema[key]):
                continue
            try:
                yield now.areas(key, scenario.name, progress=progress)
            except (InputError, UsageError):  # too many areas, or no room
                continue


def _price_view(now: Study, progress: Progress) -> Sequence[GuaranteePrice]:
    """Price the guarantee `view` beside the others, where it was promised."""
    for step, taken in Suppress.find_taken(now.steps):
        if step.guarantee == "view":
            place = now.steps.index(taken)
            start, after = now.rollback(place), now.rollback(place + 1)
            return tuple(price_guarantees(start, step, known={"view": after}, progress=progress))
    return ()


def _compare(now: Study, uses: Uses | None, progress: Progress) -> Comparison:
    """Compare, with the tables and models that matter; a note tells if they cannot be shown."""
    if uses is None or not uses.shared:
        return now.compare(progress=progress)
    tables, models = [table.of for table in uses.tables], [model.formula for model in uses.models]
    try:
        return now.compare(tables=tables, models=models, progress=progress)
    except (InputError, UsageError) as error:
        found = now.compare(progress=progress)
        return replace(found, notes=(*found.notes, error.args[0]))


def _whole(start: Study, now: Study, scenario: str, progress: Progress) -> dict[str, Any]:
    """Estimate the risk of the file before and after, if the weights allow it."""
    if start.scenario(scenario).weight is None:
        return {}
    now = now._truth  # what was perturbed says nothing of the population
    # Blanks neither: the model is of the data as if none had been made.
    whole = now._without_suppression(progress=progress)
    before = start.file_risk(scenario, opinions=("benedetti-franconi",), progress=progress)
    after = before
    if len(whole.steps) > len(start.steps):
        after = whole.file_risk(scenario, opinions=("benedetti-franconi",), progress=progress)
    told: dict[str, Any] = {"file_before": before, "file_after": after}
    if len(whole.steps) < len(now.steps):
        cells, blanked = (
            each.engine.cells(replace(each.scenario(scenario), attack="all"))
            for each in (whole._of(scenario), now._of(scenario))
        )
        told["left"] = after.among(cells.found_in(blanked))
    return told


def versions() -> dict[str, str]:
    """Return the versions of what computed the figures."""
    names = ("microsafe", "numpy", "polars", "pyreadstat")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}
