"""Write a first plan: clear decisions are proposed, others are asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.display import keep_on_one_line, show_percent
from microsafe.errors import InputError
from microsafe.intruders import add_profile, drops_household
from microsafe.io import digest
from microsafe.options.declaration import Declarations
from microsafe.options.parameter import parameters
from microsafe.options.policy import Policy
from microsafe.options.profiles import find_profile
from microsafe.options.reason import reason_by_program
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.plan.model import (
    Input,
    policy_text,
    quote_text,
    table_text,
    variables_text,
)
from microsafe.plan.values import read_step
from microsafe.report.cover import ReportCover
from microsafe.steps import Drop, Suppress
from microsafe.steps.base import Step
from microsafe.variables.decide import Keep
from microsafe.variables.inventory import Inventory
from microsafe.variables.profile import VariableProfile
from microsafe.variables.recognise import Finding, FindingKind

_PRECEDENT = "# To begin with; what the board allows counts: see docs/reference/plans.md, Profiles."
_TOO_EXACT: frozenset[FindingKind] = frozenset(
    {"exact date", "coordinates", "free text", "tells a key"}
)
_HEAD = (
    "# A plan says everything about a release. Check it with 'microsafe plan check', run it with\n"
    "# 'microsafe protect'; 'microsafe propose' finds the cheapest recodes and blanks for it."
)
_ORDER = (
    '# Records are shuffled; the seed is drawn and kept beside the plan. Or: keep_order = "why"'
)


def new_plan_text(
    input: Input,  # noqa: A002
    scenario: Scenario,
    found: Inventory,
    output: Output,
    *,
    policy: Policy | None = None,
    profile: str | None = None,
    steps: Sequence[tuple[Step, Sequence[str]]] = (),
    keep: Sequence[Keep] = (),
    told: Mapping[str, tuple[Finding, ...]] | None = None,
    reweigh: str = "",
    rest: str = "",
    proposed: Sequence[VariableProfile] = (),
    variables: Declarations | None = None,
    suppression: Mapping[str, Any] | None = None,
) -> str:
    """Return a new plan.

    Args:
        input: The file.
        scenario: What an intruder knows.
        found: The inventory of the file, after the steps.
        output: What to write.
        policy: What is asked for.
        profile: Who gets the file: a name in `PROFILES`. It sets what the policy leaves open.
        steps: Steps that were decided on, with the fields that are left to be drawn.
        keep: What was decided to go out as it is.
        told: What variables would tell of keys, whatever is done to these.
        reweigh: The step after which a weight that would do so tells little; empty if none does.
        rest: The reason for all else in which nothing delicate was found; to be filled in if empty.
        proposed: Keys that nobody named, with the reasons that go beside them.
        variables: What is said of variables.
        suppression: What roles say of suppression: costs and linked variables.
    """
    policy, remark, number, cover = policy or Policy(), "", None, ReportCover()
    linked = {name for some in (suppression or {}).get("linked", {}).values() for name in some}
    told = {name: each for name, each in (told or {}).items() if name not in linked}
    rows = (replace(r, findings=(*r.findings, *told.get(r.name, ()))) for r in found.rows)
    found = replace(found, rows=tuple(rows))
    if profile is not None:
        usual = find_profile(profile)
        cover = ReportCover(release_type=usual.release_type)
        remark = f"{_PRECEDENT}\n" if policy.record_risk is None else ""
        number = scenario.household if drops_household(usual, policy) else None
        policy = add_profile(policy, profile, scenario)
    parts = [f"{_HEAD}\nmicrosafe = 1", table_text("[input]", input)]
    parts += variables_text(variables or {})
    parts.append(
        _explain_keys(proposed) + table_text("[scenario]", scenario, leave=scenario.unsaid)
    )
    if policy != Policy():
        first, *more = policy_text(policy)
        parts += [remark + first, *more]
    if cover != ReportCover():
        parts.append(table_text("[report]", cover))
    parts += [_step_text(step, leave) for step, leave in steps]
    if reweigh:
        parts += _reweigh(reweigh, [row for row in found.rows if row.name == scenario.weight])
        others = tuple(row for row in found.rows if row.name != scenario.weight)
        found = replace(found, rows=others)
    parts += _propose_steps(found, number)
    parts += [_step_text(each) for each in _suppress(policy, suppression or {})]
    parts += _drop_number(found, number)
    parts += [table_text("[[keep]]", each) for each in keep]
    parts += _ask_reasons(found, rest)
    order = "" if output.keep_order else f"\n{_ORDER}"
    return "\n\n".join([*parts, f"{table_text('[output]', output)}{order}"]) + "\n"


def _suppress(policy: Policy, said: Mapping[str, Any]) -> Iterator[Suppress]:
    """Suppress what the policy asks for; so that blanks tell nothing, if it asks for that."""
    above, k, household = policy.record_risk, policy.k, policy.household_risk
    if "method" in policy.intruders and (above is not None or k is not None):
        yield Suppress(above=above, k=k, guarantee="view", **said)
        above = k = None
    if any(limit is not None for limit in (above, k, household)):
        yield Suppress(above=above, k=k, household=household, **said)


def _step_text(step: Step, leave: Sequence[str] = ()) -> str:
    return table_text(f"[[step]]\ndo = {quote_text(step.do)}", step, leave=leave)


def updated_plan_text(text: str, found: Inventory, keep: Sequence[Keep]) -> str:
    """Return the text of a plan with decisions on what it leaves undecided.

    Steps are added behind those that there are: their seeds are known by their place.

    Args:
        text: The plan as it is.
        found: The inventory after its steps.
        keep: What it names already, be the reason empty.
    """
    named = {name for each in keep for name in each.variables}
    found = replace(found, rows=tuple(row for row in found.rows if row.name not in named))
    parts = [*_propose_steps(found), *_ask_reasons(found)]
    if not parts:
        raise InputError("The plan leaves nothing undecided.")
    return "\n\n".join([text.rstrip("\n"), *parts]) + "\n"


def input_of(reading: dict[str, Any], folder: Path, sha256: str = "") -> Input:
    """Return the table of a file as it was read, its names relative to a folder."""
    given = {name: each for name, each in reading.items() if each}
    if "join" in given:
        given["join_sha256"] = digest(Path(given["join"]))
    for name, parameter in parameters(Input).items():
        if parameter.control == "file" and name in given:
            given[name] = relative_path(Path(given[name]), folder)
    return Input(**{**given, "na": tuple(given.get("na", ())), "sha256": sha256})


def relative_path(path: Path, folder: Path) -> str:
    """Return a path as it is named in a plan that lies in a folder."""
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive of Windows
        return str(path)


def list_undecided(found: Inventory, keep: Sequence[Keep]) -> tuple[Keep, ...]:
    """Return decisions that are spelled out, those to be made with an empty reason."""
    named = {name for each in keep for name in each.variables}
    rest = tuple(name for name in found.open if name not in named)
    return (*keep, Keep(variables=rest, why="")) if rest else tuple(keep)


def _explain_keys(proposed: Sequence[VariableProfile]) -> str:
    """Say above the scenario why each key was proposed, and what it adds."""
    if not proposed:
        return ""
    lines = ["# Keys as proposed: take out what nobody knows, add what somebody may know."]
    for each in proposed:
        adds = "" if each.adds is None else f" Adds {show_percent(each.adds)} sample uniques."
        lines.append(f"# {keep_on_one_line(each.name)}: {each.reason or 'Declared.'}{adds}")
    return "\n".join([*lines, ""])


def _drop_number(found: Inventory, number: str | None) -> list[str]:
    """Propose to drop the household number; the last step, as others go by households."""
    rows = [row for row in found.rows if row.name == number and _is_renumbered(row)]
    if not rows:
        return []
    step = Drop((rows[0].name,), why=reason_by_program("because-household"))
    return [_with_comments(_step_text(step), rows)]


def _propose_steps(found: Inventory, number: str | None = None) -> list[str]:
    """Propose what becomes of identifiers; a household number that is dropped stays as it is."""
    made = []
    for why, rows in _group_dropped(found):
        step = Drop(variables=tuple(row.name for row in rows), why=why)
        made.append(_with_comments(_step_text(step) + _offer_to_keep(rows), rows))
    made += [
        _with_comments(
            f'[[step]]\ndo = "renumber"\nvariable = {quote_text(row.name)}\n'
            f"why = {quote_text(reason_by_program('because-order'))}",
            [row],
        )
        for row in found.rows
        if _is_renumbered(row) and row.name != number
    ]
    return made


def _reweigh(text: str, rows: Sequence[VariableProfile]) -> list[str]:
    """Change a weight that gives a key away, for release; it is never left out."""
    step = read_step(f"{text} why='{reason_by_program('because-weight')}'", "the weight", {})
    return [_with_comments(_step_text(step), rows)]


def _group_dropped(found: Inventory) -> Iterator[tuple[str, list[VariableProfile]]]:
    """What is left out unless somebody says why not: identifiers, and what is too exact."""
    rows = [row for row in found.rows if _is_dropped(row)]
    exact = [row for row in rows if not row.barred and _kinds(row) & _TOO_EXACT]
    named = [row for row in rows if row not in exact]
    if named:
        yield reason_by_program("because-named"), named
    if exact:
        yield reason_by_program("because-delicate"), exact


def _offer_to_keep(rows: Sequence[VariableProfile]) -> str:
    """Say how one of them goes out after all."""
    names = ", ".join(quote_text(row.name) for row in rows)
    return (
        "\n# Or take a name out of this step, coarsen it by another one, or say why it goes out:"
        f'\n# [[keep]]\n# variables = [{names}]\n# why = ""'
    )


def _ask_reasons(found: Inventory, rest: str = "") -> list[str]:
    """Leave to a person what only a person can say: the reason is empty, so nothing is decided.

    One reason may serve for all answers; anything else is asked for by name.
    """
    asked = [row for row in found.rows if row.open and not _is_dropped(row)]
    asked = [row for row in asked if not _is_renumbered(row)]
    answers = [row for row in asked if row.group == "answer"]
    made = [
        _with_comments(table_text("[[keep]]", Keep(variables=(row.name,), why="")), [row])
        for rows in found.by_group().values()
        for row in rows
        if row in asked and row not in answers
    ]
    if answers:
        keep = Keep(variables=tuple(row.name for row in answers), why=rest)
        text = "" if rest else "# Say why these go out, or drop or change some of them by a step.\n"
        made.append(text + table_text("[[keep]]", keep))
    return made


def _is_dropped(row: VariableProfile) -> bool:
    best_dropped = row.barred or bool(_kinds(row) & (_TOO_EXACT | {"leftover"}))
    return row.open and row.decision.role == "undecided" and best_dropped


def _is_renumbered(row: VariableProfile) -> bool:
    known = bool(_kinds(row) & {"record number", "household number"})
    return row.open and not _is_dropped(row) and not row.barred and known


def _list_findings(row: VariableProfile) -> list[tuple[str, str]]:
    return [(finding.kind, finding.reason) for finding in row.findings]


def _kinds(row: VariableProfile) -> frozenset[FindingKind]:
    return frozenset(finding.kind for finding in row.findings)


def _with_comments(text: str, rows: Sequence[VariableProfile]) -> str:
    """Say above a table what was recognised, and by what."""
    comments = [
        f"# {keep_on_one_line(row.name)} ({kind}): {reason}"
        for row in rows
        for kind, reason in (_list_findings(row) or [(row.group, row.reason)])
    ]
    return "\n".join([*comments, text])
