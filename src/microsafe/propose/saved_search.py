"""A search that is kept in a file, so that a later one goes on from there.

The file has losses and counts of plans, and the boxes that are still open; no value of a record.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from microsafe.errors import FileError
from microsafe.io.atomic import replace_file
from microsafe.io.control_file import parse_json, read_control_text
from microsafe.propose.household_lattice import HouseholdLattice
from microsafe.propose.lattice import NodePlan
from microsafe.propose.node_tables import Rungs
from microsafe.propose.problem import SearchProblem
from microsafe.propose.search import PlanSearch

_SEARCHES = 2  # that a file keeps: plans with the household number, and without
_MOST = 20_000  # open boxes that are kept; a cap that has more begins anew, with the plans


def name_question(posed: SearchProblem) -> str:
    """Return a name that questions share only if every plan is worth the same in both."""
    problem = posed.lattice.problem
    named = sha256()
    for array in (*problem.cells.codes, problem.cells.count, problem.cells.weight):
        named.update(array.tobytes())
    for ladder in problem.ladders:
        for rung in ladder.rungs:
            named.update(rung.tobytes())
    home = posed.lattice.rule if isinstance(posed.lattice, HouseholdLattice) else None
    told = [
        problem.cells.keys,
        problem.rates,
        problem.spared,
        [(demand.keys, demand.whole, demand.criterion) for demand in problem.demands],
        posed.start.scenarios,
        posed.rules,
        posed.guarantee,
        None if home is None else (home.views, home.limit),
    ]
    named.update(repr(told).encode())
    return named.hexdigest()


def save_search(path: Path, search: PlanSearch, question: str) -> None:
    """Keep what a search has found and what is still open, beside that of the one before it."""
    plans = [
        [plan.rungs, plan.loss, plan.recoded, plan.blanks, plan.touched]
        for plan in search.archive.plans.values()
    ]
    boxes, room = [], _MOST
    for most, heap in search.boxes.items():
        if len(heap) <= room:
            boxes.append([most, heap])
            room -= len(heap)
    others = [kept for kept in _read_searches(path) if kept["question"] != question]
    mine = {"question": question, "plans": plans, "open": boxes}
    searches = [*others[1 - _SEARCHES :], mine]
    text = json.dumps({"microsafe_search": 1, "searches": searches})
    with replace_file(path) as stage:
        stage.write_text(text, "utf-8")


def load_search(path: Path, search: PlanSearch, question: str) -> bool:
    """Let a search go on from a file; tell whether it keeps one for the same question.

    Raises:
        FileError: It is no file of a search.
    """
    top = search.lattice.top
    for kept in _read_searches(path):
        if kept["question"] != question:
            continue
        try:
            plans = [_read_plan(plan, top) for plan in kept["plans"]]
            boxes = {most: [_read_box(box, top) for box in heap] for most, heap in kept["open"]}
        except (KeyError, TypeError, ValueError):
            raise FileError(_say_no_search(path)) from None
        for plan in plans:
            search.resume_plan(plan)
        search.boxes.update(boxes)
        return True
    return False


def forget_unreadable(path: Path) -> None:
    """Remove a file that is damaged, or of another version: the next search begins anew."""
    try:
        for kept in _read_searches(path):
            for plan in kept["plans"]:
                _read_plan(plan, tuple(plan[0]))
            for _, heap in kept["open"]:
                for box in heap:
                    _read_box(box, tuple(box[-1]))
    except (IndexError, KeyError, TypeError, ValueError):  # a FileError is one
        path.unlink()


def _read_searches(path: Path) -> list[dict[str, Any]]:
    """Return the searches that a file keeps, the last one at the end; none if it is not there."""
    if not path.exists():
        return []
    try:
        kept = parse_json(read_control_text(path))
        if kept["microsafe_search"] != 1 or not all(each["question"] for each in kept["searches"]):
            raise ValueError
        searches: list[dict[str, Any]] = kept["searches"]
    except (KeyError, TypeError, ValueError):
        raise FileError(_say_no_search(path)) from None
    return searches


def _read_plan(plan: list[Any], top: Rungs) -> NodePlan:
    rungs, loss, recoded, blanks, touched = plan
    return NodePlan(
        rungs=_read_rungs(rungs, top),
        loss=float(loss),
        recoded=float(recoded),
        blanks=tuple(map(int, blanks)),
        touched=int(touched),
        stuck=0,
    )


def _read_box(box: list[Any], top: Rungs) -> tuple[float, int, Rungs, Rungs]:
    loss, touched, low, high = box
    return float(loss), int(touched), _read_rungs(low, top), _read_rungs(high, top)


def _read_rungs(rungs: list[Any], top: Rungs) -> Rungs:
    found = tuple(map(int, rungs))
    if len(found) != len(top) or not all(0 <= a <= b for a, b in zip(found, top, strict=True)):
        raise ValueError
    return found


def _say_no_search(path: Path) -> str:
    return f"{path.name} does not keep a search. Name another file."
