"""Write a plan as a Python script that does the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from microsafe.options.parameter import secrets
from microsafe.options.scenario import Scenario
from microsafe.plan.model import Plan, changed_fields
from microsafe.steps.base import Step
from microsafe.studies.protect import ProtectVerbs
from microsafe.variables.decide import reasons_to_keep


def script(plan: Plan, *, hide_seeds: bool = False, seeds: str = "") -> str:
    """Return the plan as a Python script that does the same.

    Args:
        plan: To be written.
        hide_seeds: Whether the script draws new seeds instead of naming those of the plan.
        seeds: File beside the script that has the seeds of the plan, which reads them there.
    """

    def hide(names: Sequence[str], place: str) -> Mapping[str, str]:
        if seeds:
            return {name: f"seeds[{f'{place} {name}'!r}]" for name in names}
        return dict.fromkeys(names, "secrets.randbits(53)") if hide_seeds else {}

    first, *others = plan.scenarios
    reading = changed_fields(plan.input) | changed_fields(first, leave=first.unsaid)
    for name in ("file", "sha256", "join_sha256", "population", "population_count"):
        reading.pop(name, None)
    said = {name: changed_fields(each) for name, each in plan.variables.items()}
    texts = [f"{name!r}: ms.Declaration({_call(each)})" for name, each in said.items()]
    variables = f", variables={{{', '.join(texts)}}}" if texts else ""
    lines = [f"study = ms.study({plan.input.file!r}, {_call(reading)}{variables})"]
    lines += [
        f"study = study.with_scenario({other.name!r}, {_call(_differing(other, first))})"
        for other in others
    ]
    hiding = False
    for number, step in enumerate(plan.steps, 1):
        hidden = hide(secrets(type(step)), f"{number} {step.do}")
        hiding = hiding or bool(hidden)
        lines.append(f"study = {_call_step(step, hidden)}")
    writing = changed_fields(plan.output)
    for name in ("file", "report", "public_report", "keep_order"):
        writing.pop(name, None)
    if keep := reasons_to_keep(plan.keep):
        writing["keep"] = keep
    writing |= {"notes": plan.output.notes, "prune": True}
    hidden = hide([name for name in writing if name == "shuffle"], "output")
    hiding = hiding or bool(hidden)
    more = f", {_call(writing, hidden)}" if writing else ""
    lines.append(f"study.write({plan.output.file!r}{more})")
    imports = (
        (["import json", "from pathlib import Path", ""] if seeds else ["import secrets", ""])
        if hiding
        else []
    )
    if hiding and seeds:
        lines.insert(0, f"seeds = json.loads(Path({seeds!r}).read_text())  # secret")
    names = ["import microsafe as ms"]
    if not all(map(_has_verb, plan.steps)):
        names.append("from microsafe.steps import STEPS")
    return "\n".join([*imports, *names, "", *lines]) + "\n"


def _has_verb(step: Step) -> bool:
    return step.do in vars(ProtectVerbs)


def _call_step(step: Step, hidden: Mapping[str, str]) -> str:
    """Return the call that takes a step, by its verb if it has one."""
    if not _has_verb(step):
        return f"study.apply(STEPS[{step.do!r}]({_call(changed_fields(step), hidden)}))"
    return f"study.{step.do}({_call(changed_fields(step) | dict(step.verb_options()), hidden)})"


def _differing(scenario: Scenario, first: Scenario) -> dict[str, object]:
    """What a later scenario does not take over from the first; each has its own estimator."""
    named = scenario.estimator if "estimator" not in scenario.unsaid else None
    taken = first.with_keys(scenario.keys)
    taken = taken.without_estimator() if named is None else taken.with_estimator(named)
    values = {field.name: getattr(scenario, field.name) for field in fields(Scenario)}
    return {
        name: value
        for name, value in values.items()
        if name in ("keys", *(("estimator",) if named else ()))
        or (name not in scenario.unsaid and value != getattr(taken, name))
    }


def _call(options: Mapping[str, object], hidden: Mapping[str, str] | None = None) -> str:
    return ", ".join(
        f"{name}={(hidden or {}).get(name) or repr(value)}" for name, value in options.items()
    )
