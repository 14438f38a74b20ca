"""Running a plan: protect, judge, write, read back, measure again, report, lock.

Nothing is called safe that was not measured after it was written: the file is read back as a
recipient would read it, and its risk is what the verdicts are about.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from microsafe.display import shorten_list
from microsafe.errors import InputError, NoEstimateError, UsageError
from microsafe.inventory import Inventory
from microsafe.io import check_writable, digest
from microsafe.plan.file import Plan, plan_text
from microsafe.plan.reporting import Assessed, assess_release, content_of, versions, write_report
from microsafe.plan.reporting import report_of as report_of
from microsafe.policy import FILE_RULES, Policy, Verdict
from microsafe.progress import Progress, silent
from microsafe.report import Audience, check_report, plan_beside
from microsafe.risk import Risk
from microsafe.scenario import Scenario
from microsafe.study import Study, study

_SAME = 1e-9  # relative difference of two measurements of the same file that formats may cause


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Release:
    """What became of a plan.

    Attributes:
        plan: What was asked for, with the checksum of the input filled in.
        study: The data with all steps taken.
        before: Risk of the input, or of the sample as drawn, by scenario.
        after: Risk of the file as it was read back, or would have been written.
        verdicts: Of the policy, rule by rule and scenario by scenario.
        files: What was written, with checksums.
        engine: Which engine was used, as `study` has it.
        judge_estimator: Whether the estimator was judged too.
        inventory: All variables with their decisions; None if they were not asked for.
    """

    plan: Plan
    study: Study
    before: Mapping[str, Risk]
    after: Mapping[str, Risk]
    verdicts: Sequence[Verdict]
    files: Mapping[str, str]
    engine: Mapping[str, Any]
    judge_estimator: bool = True
    inventory: Inventory | None = None

    @property
    def allowed(self) -> bool:
        """Whether every rule is met, or overridden with a reason."""
        return all(verdict.allowed for verdict in self.verdicts)


def open_plan(
    plan: Plan, folder: Path, *, progress: Progress = silent, **engine: Any
) -> tuple[Plan, Study]:
    """Open the input of a plan; return the plan with its checksum, and the study.

    Args:
        plan: What is asked for.
        folder: That names in it are relative to.
        progress: Progress callback.
        **engine: Which engine, as `study` has it.
    """
    path = folder / plan.input.file
    found = digest(path, progress=progress)
    if plan.input.sha256 not in ("", found):
        raise InputError(
            f"{path.name} is not the file that the plan was made for: its checksum differs. "
            "Use that file, or remove sha256 from the plan to accept this one."
        )
    reading = _reading(plan, folder)
    data = _under(study(path, progress=progress, **reading, **engine), plan.scenarios)
    return replace(plan, input=replace(plan.input, sha256=found)), data


def run(
    plan: Plan,
    folder: Path,
    *,
    into: Path | None = None,
    reserved: Sequence[Path] = (),
    judge_estimator: bool = True,
    judge_inventory: bool = True,
    progress: Progress = silent,
    **engine: Any,
) -> Release:
    """Run a plan.

    Args:
        plan: As read from its file.
        folder: That names in the plan are relative to.
        into: Folder for the outputs, if not `folder`.
        reserved: Files that must not be written over: the plan and its lock.
        judge_estimator: Whether the estimator `cell` needs a reason where the model says more.
        judge_inventory: Whether every variable must be decided on, and the order of the records.
        progress: Progress callback.
        **engine: Which engine, as `study` has it: `engine`, `master`, `most_cells`.

    Returns:
        The release; if the policy is not met and not overridden, nothing was written.
    """
    _check_outputs(plan, folder, reserved, elsewhere=into)
    plan, data = open_plan(plan, folder, progress=progress, **engine)
    data.check_output(plan.output.file)
    for step in plan.steps:
        data = data.apply(step, progress=progress)
    known = _known_population(plan, folder)
    before = measure_scenarios(data.before(), plan.policy, progress, **known)
    after = measure_scenarios(data, plan.policy, progress)
    release = Release(
        plan=plan,
        study=data,
        before=before,
        after=after,
        verdicts=(),
        files={},
        engine=engine,
        judge_estimator=judge_estimator,
        inventory=data.inventory(keep=plan.keep, progress=progress) if judge_inventory else None,
    )
    release = replace(release, verdicts=_judge(release, after, data, progress))
    if not release.allowed:
        return release
    return _write_release(release, into or folder, progress)


def _judge(
    release: Release, risks: Mapping[str, Risk], data: Study, progress: Progress
) -> list[Verdict]:
    """Judge the inventory, then the risks of the data, or of the file as read back."""
    plan, found = release.plan, release.inventory
    first = [] if found is None else [judge_inventory(plan, found)]
    estimator = release.judge_estimator
    return [*first, *judge_risks(plan, risks, data, estimator=estimator, progress=progress)]


def judge_inventory(plan: Plan, found: Inventory) -> Verdict:
    """Say whether all variables, and the order of the records, were decided on."""
    out = plan.output
    order = out.shuffle is None and not out.keep_order.strip()
    names = [shorten_list(found.open)] if found.open else []
    names += ["the order of the records"] if order else []
    return plan.policy.inventory_verdict(len(found.open) + order, " and ".join(names))


def _check_outputs(
    plan: Plan, folder: Path, reserved: Sequence[Path], *, elsewhere: Path | None
) -> None:
    """Refuse, before any work, outputs that would fall on each other or on something else."""
    out = plan.output
    taken = {(folder / plan.input.file).resolve(), *(path.resolve() for path in reserved)}
    for other in filter(None, (plan.input.meta, plan.input.population)):
        taken.add((folder / other).resolve())
    check_writable(Path(out.file))
    beside = plan_beside(out.report, "board")
    for name in filter(None, (out.file, out.report, out.public_report, str(beside or ""))):
        path = Path(name)
        if path.is_absolute() or ".." in path.parts:
            raise UsageError(f"Output {name!r} must be in the folder of the plan or below it.")
        if name in (out.report, out.public_report):
            check_report(name)
        target = (folder / path).resolve()
        if target in taken:
            raise UsageError(f"Output {name!r} is the name of another file. Choose another name.")
        taken.add(target)
        if elsewhere is not None:
            (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
        elif not target.parent.is_dir():
            raise InputError(f"There is no folder {path.parent} to write to. Create it first.")


def measure_scenarios(
    data: Study, policy: Policy, progress: Progress = silent, **known: Any
) -> dict[str, Risk]:
    """Measure every scenario of a study; the policy's limits go into tables and pictures.

    Args:
        data: What to measure.
        policy: Has the limits.
        progress: Progress callback.
        **known: Known population counts, as `Study.risk` has them.
    """
    return {
        each.name: data.risk(
            each.name,
            limit=policy.record_risk,
            household_limit=policy.household_risk if each.household else None,
            progress=progress,
            **known,
        )
        for each in data.scenarios
    }


def _known_population(plan: Plan, folder: Path) -> dict[str, Any]:
    """Counts that the input is checked by: later steps may recode what they are of."""
    given = plan.input
    if not given.population:
        if given.population_count:
            raise UsageError("[input]: population_count needs a population.")
        return {}
    path = folder / given.population
    return {"population": path, "population_count": given.population_count or None}


def judge_risks(
    plan: Plan,
    risks: Mapping[str, Risk],
    data: Study,
    *,
    estimator: bool = True,
    progress: Progress = silent,
) -> list[Verdict]:
    """Compare every scenario with every rule of the policy, and `cell` with the model.

    Args:
        plan: Has the policy.
        risks: As measured, by scenario.
        data: What was measured; the risk of the file is estimated only if a rule is about it.
        estimator: Whether `cell` needs a reason where the model says more.
        progress: Progress callback.
    """
    verdicts = []
    for name, risk in risks.items():
        home = risk.household
        measured = {
            "record_risk": risk.max,
            "expected": risk.expected,
            "rate": risk.rate,
            "household_risk": None if home is None else home.max,
            "household_rate": None if home is None else home.rate,
            "expected_households": None if home is None else home.expected_households,
            "k": float(risk.measured.f.min()),
        }
        note = ""
        if plan.policy.asks_of_file:
            found, note = _measure_file(data, name, progress)
            measured |= found
        verdicts += plan.policy.verdicts(name, measured, note=note)
        if estimator and risk.ratio is not None and risk.scenario.estimator == "cell":
            verdict = plan.policy.estimator_verdict(name, risk.ratio)
            verdicts += [] if verdict.met else [verdict]
    return verdicts


def _measure_file(
    data: Study, scenario: str, progress: Progress
) -> tuple[dict[str, float | None], str]:
    """Estimate the risk of the file as a whole, and say why if that is not possible.

    Blanks say nothing of the population. Where there are some, those count who are alone with what
    they still show, by the model of the file without blanks.
    """
    weighted = data.scenario(scenario).weight is not None
    if weighted and data.is_blanked(scenario):
        try:
            alone, tau1, tau2 = data.tau(scenario, progress=progress)
        except NoEstimateError as error:
            return dict.fromkeys(FILE_RULES), str(error)
        return {"tau1": tau1, "tau1_share": tau1 / alone if alone else 0.0, "tau2": tau2}, ""
    # Without a weight the file is the population, as it is for the risk of records.
    fraction = None if weighted else 1.0
    whole = data.file_risk(scenario, fraction=fraction, opinions=(), progress=progress)
    note = whole.opinion.remark or "The model gives no estimate."
    return {"tau1": whole.tau1, "tau1_share": whole.share_unique, "tau2": whole.tau2}, note


def _write_release(release: Release, folder: Path, progress: Progress) -> Release:
    """Write the safe file, read it back, measure it, and only then put it into its place."""
    out = release.plan.output
    target = folder / out.file
    # Before anything is written, as it may be refused.
    known = (
        assess_release(release, whole=bool(out.report), progress=progress)
        if out.report or out.public_report
        else None
    )
    with private_folder(target.parent) as aside:
        path = aside / target.name
        release.study.write_file(
            path, notes=out.notes, blanks=out.blanks, shuffle=out.shuffle, progress=progress
        )
        progress("reading back", 0.0)
        written = _reopen_output(release, path, progress)
        again = measure_scenarios(written, release.plan.policy, progress)
        for name, risk in release.after.items():
            if not _same(risk, again[name]):
                raise InputError(
                    f"{target.name} was not written: read back, its risk differs from that of the "
                    "data. Choose a format that keeps declared missing codes, such as the input's."
                )
        release = replace(release, after=again, verdicts=_judge(release, again, written, progress))
        if not release.allowed:  # a model may see the file as read back differently
            return release
        # Metadata that a format keeps beside its data go first, the data last.
        made = sorted(aside.iterdir(), key=lambda each: each == path)
        files = {
            str(Path(out.file).with_name(each.name)): digest(each, progress=progress)
            for each in made
        }
        for each in made:
            os.replace(each, target.with_name(each.name))
    return _write_reports(replace(release, files=files), folder, known, progress)


def _write_reports(
    release: Release, folder: Path, known: Assessed | None, progress: Progress
) -> Release:
    out = release.plan.output
    reports: list[tuple[str, Audience]] = [(out.report, "board"), (out.public_report, "public")]
    for name, audience in reports:
        if name:
            content = content_of(release, audience, known=known, progress=progress)
            made = write_report(content, audience, folder / name)
            found = {str(Path(name).with_name(path.name)): digest(path) for path in made}
            release = replace(release, files={**release.files, **found})
    return release


@contextmanager
def private_folder(beside: Path) -> Iterator[Path]:
    """A folder that only this user can enter, on the same disk, gone afterwards."""
    with TemporaryDirectory(prefix=".microsafe-", dir=beside) as folder:
        yield Path(folder)


def _reopen_output(release: Release, path: Path, progress: Progress) -> Study:
    """Open the safe file as a recipient would, under the same scenarios."""
    options = _reading(release.plan, path.parent) | {"meta": None, "sheet": None}
    if path.suffix.lower() != Path(release.plan.input.file).suffix.lower():
        options = {"na": options["na"]}
    engine = {**release.engine, **release.study.engine.options}  # one limit for both files
    found = study(path, progress=progress, **options, **engine)
    return release.study.read_back(_under(found, release.study.scenarios))


def _under(data: Study, scenarios: Sequence[Scenario]) -> Study:
    """Add scenarios to a study that has none."""
    for each in scenarios:
        options = asdict(each)
        data = data.with_scenario(options.pop("name"), **options)
    return data


def _same(one: Risk, other: Risk) -> bool:
    pairs = [(one.expected, other.expected), (one.max, other.max)]
    if one.household is not None and other.household is not None:
        pairs.append((one.household.expected, other.household.expected))
    close = all(abs(a - b) <= _SAME * abs(a) for a, b in pairs)
    return close and one.n == other.n and one.n_cells == other.n_cells


def _reading(plan: Plan, folder: Path) -> dict[str, Any]:
    given = plan.input
    return {
        "meta": folder / given.meta if given.meta else None,
        "encoding": given.encoding or None,
        "separator": given.separator or None,
        "na": given.na,
        "sheet": given.sheet or None,
    }


def lock_of(release: Release) -> dict[str, Any]:
    """Return what proves a release: versions, checksums, figures and verdicts."""
    return {
        "microsafe": 1,
        "versions": versions(),
        "input": {release.plan.input.file: release.plan.input.sha256},
        "plan": plan_text(release.plan, hide_seeds=True),
        "files": dict(release.files),
        "steps": [taken.figures() for taken in release.study.steps],
        "risk": {
            name: {"before": _figures(release.before[name]), "after": _figures(after)}
            for name, after in release.after.items()
        },
        "verdicts": [
            {name: each for name, each in asdict(verdict).items() if name != "note" or each}
            for verdict in release.verdicts
        ],
    }


def lock_path(plan: Path) -> Path:
    """Return where the lock of a plan lies: beside it."""
    return plan.with_suffix(".lock")


def lock_text(lock: Mapping[str, Any]) -> str:
    """Return a lock as the text of its file."""
    return json.dumps(lock, indent=2, ensure_ascii=False) + "\n"


def _figures(risk: Risk) -> dict[str, Any]:
    figures = risk.summary()
    return {
        name: figures[name] for name in ("records", "cells", "sample_uniques", "risk", "household")
    }
