"""Read plans: check TOML against the dataclasses.

A word that nobody knows is refused with a hint, and the line where it stands.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from microsafe.errors import InputError, UsageError, did_you_mean
from microsafe.intruders import check_limits, find_brought_rules
from microsafe.io.control_file import parse_toml, read_control_text
from microsafe.io.formats import find_format
from microsafe.options.policy import Policy
from microsafe.options.release import Output
from microsafe.options.scenario import Scenario
from microsafe.plan.lines import Lines, PlanPosition, find_lines, syntax_line
from microsafe.plan.model import FORMAT, Input, Plan, Propose
from microsafe.plan.sections import (
    build_ladder_sources,
    build_uses,
    build_variables,
    fill_scenario,
)
from microsafe.plan.seeds import fill_seeds, keep_seeds
from microsafe.plan.values import build_step, build_value
from microsafe.report.cover import ReportCover
from microsafe.report.proposed_plan import ProposedPlan, ProposedPoint
from microsafe.variables.decide import Keep


def read_plan(path: Path, *, draw_seeds: bool = False, save_seeds: bool = True) -> Plan:
    """Read a plan file, and refuse what is not understood.

    Args:
        path: Of the plan.
        draw_seeds: Whether to draw seeds that the plan leaves out.
        save_seeds: Whether to keep those beside it.

    Raises:
        InputError: The file is no TOML, or of a later format.
        UsageError: A word or value is not understood.
    """
    if find_format(path) is not None:
        raise InputError(
            f"{path.name} is a data file. Make a plan from it: microsafe plan new {path.name} -o "
            "plan.toml"
        )
    try:
        text = read_control_text(path)
        table = parse_toml(text)
    except FileNotFoundError:
        raise InputError(f"There is no plan {path.name}.") from None
    except tomllib.TOMLDecodeError as error:
        line = syntax_line(str(error))
        raise InputError(f"{path.name} is not a plan in TOML. Check its syntax{line}.") from None
    drawn = fill_seeds(table, path, draw=draw_seeds)
    plan = build_plan(table, path, find_lines(text))
    if drawn and save_seeds:
        keep_seeds(drawn, path)
    return plan


def build_plan(
    table: dict[str, Any], path: Path, lines: Lines | None = None, *, draft: bool = False
) -> Plan:
    """Make a plan of what was read, and refuse what is not understood.

    Args:
        table: As it was read, with its seeds.
        path: Of the plan.
        lines: Where its tables are.
        draft: Whether scenarios may still be missing, as in a session that has none yet.
    """
    if repr(table.pop("microsafe", None)) != str(FORMAT):
        raise InputError(f"{path.name} must begin with 'microsafe = {FORMAT}', its format.")
    known = (
        "input", "variables", "scenario", "scenarios", "policy", "utility", "propose", "step",
        "keep", "report", "output",
    )  # fmt: skip
    for word in table:
        if word not in known:
            raise UsageError(f"{path.name}: there is no table {word!r}.{did_you_mean(word, known)}")
    where = path.name

    def place(words: str, name: str) -> PlanPosition:
        return PlanPosition(f"{where} {words}", (lines or {}).get(name, {}))

    for word, kind in (("scenario", dict), ("scenarios", dict), ("step", list), ("keep", list)):
        if not isinstance(table.get(word, kind()), kind):
            raise UsageError(f"{where}: {word!r} has a value of the wrong kind.")
    others = table.get("scenarios", {})
    if "main" in others or "" in others:
        raise UsageError(f"{where}: a further scenario needs a name of its own, not 'main'.")
    said = build_variables(table, place)
    named = {"main": fill_scenario(table.get("scenario", {}), said), **others}
    if draft and "scenario" not in table:
        named = {}
    policy = build_policy(table.get("policy", {}), place("[policy]", "policy"))
    try:
        if not draft:
            policy.check_scenarios(named)
    except UsageError as error:
        raise UsageError(f"{place('[policy]', 'policy')}: {error}") from None
    return Plan(
        input=build_value(Input, table.get("input", {}), place("[input]", "input")),
        variables=said,
        scenarios=tuple(
            build_value(
                Scenario,
                _insert_name(name, value),
                place(f"[scenario {name}]", f"scenarios.{name}" if name in others else "scenario"),
            )
            for name, value in named.items()
        ),
        policy=policy,
        steps=tuple(
            build_step(each, place(f"[[step]] {number}", f"step {number}"))
            for number, each in enumerate(table.get("step", []), 1)
        ),
        keep=tuple(
            build_value(Keep, each, place(f"[[keep]] {number}", f"keep {number}"))
            for number, each in enumerate(table.get("keep", []), 1)
        ),
        report=build_value(ReportCover, table.get("report", {}), place("[report]", "report")),
        output=build_value(Output, table.get("output", {}), place("[output]", "output")),
        utility=build_uses(table["utility"], place) if "utility" in table else None,
        propose=_build_propose(table, place),
        lines=lines or {},
    )


def build_policy(table: object, where: PlanPosition) -> Policy:
    """Make `[policy]` of a plan from what was read, naming what is wrong with it.

    Rules that intruders bring along stand among the others.

    Args:
        table: As it was read.
        where: What messages call it.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table.")
    brought = {word: value for word, value in table.items() if word in find_brought_rules()}
    plain = {word: value for word, value in table.items() if word not in brought}
    if brought:
        plain["intruders"] = {**brought, **plain.get("intruders", {})}
    policy = build_value(Policy, plain, where)
    try:
        check_limits(policy)
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None
    return policy


def _build_propose(
    table: Mapping[str, Any], place: Callable[[str, str], PlanPosition]
) -> Propose | None:
    if "propose" not in table:
        return None
    parts = ("propose", "propose.ladders", "propose.result")
    return build_propose(table["propose"], *(place(f"[{name}]", name) for name in parts))


def _insert_name(name: str, table: object) -> object:
    if not isinstance(table, dict):
        return table
    if "name" in table:
        raise UsageError("The name of a scenario belongs in the heading of its table.")
    return {"name": name, **table}


def build_propose(
    table: object, where: PlanPosition, ladders: PlanPosition, result: PlanPosition
) -> Propose:
    """Make `[propose]` of a plan from what was read, naming what is wrong with it.

    Args:
        table: As it was read.
        where: What messages call it.
        ladders: What they call `[propose.ladders]`.
        result: What they call `[propose.result]`.
    """
    if not isinstance(table, Mapping):
        raise UsageError(f"{where} must be a table.")
    plain = {word: value for word, value in table.items() if word not in ("ladders", "result")}
    given = table.get("ladders", {})
    build_ladder_sources(given, ladders)
    made = build_value(Propose, plain, where)
    return replace(made, ladders=given, result=_build_result(table.get("result"), result))


def _build_result(table: object, where: PlanPosition) -> ProposedPlan | None:
    if table is None:
        return None
    if not isinstance(table, Mapping) or not isinstance(table.get("frontier", []), list):
        raise UsageError(f"{where} must be a table with a list of plans. Leave it out.")
    plain = {word: value for word, value in table.items() if word != "frontier"}
    points = [build_value(ProposedPoint, each, where) for each in table.get("frontier", [])]
    return replace(build_value(ProposedPlan, plain, where), frontier=tuple(points))
