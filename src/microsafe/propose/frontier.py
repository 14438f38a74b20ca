"""The frontier: the cheapest plan for each number of records that may lose a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from microsafe.progress import Progress, silent
from microsafe.propose.bounds import Bounds
from microsafe.propose.node_tables import Rungs
from microsafe.propose.search import STAGE, Found, PlanSearch, Settle


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point of the frontier.

    Attributes:
        most: Records that may lose a value; any number if None.
        found: The cheapest plan.
    """

    most: int | None
    found: Found


def find_frontier(
    bounds: Bounds,
    most: Sequence[int | None],
    *,
    start: Iterable[Rungs] = (),
    settle: Settle | None = None,
    boxes: int | None = None,
    progress: Progress = silent,
) -> tuple[Point, ...]:
    """Find the cheapest plan for each cap, the loosest first.

    What a node costs and what bounds a box do not depend on the cap, so later searches begin with
    all that earlier ones found out. A plan that keeps to the next cap already is the best for it.

    Args:
        bounds: Of the lattice.
        most: The caps: how many records may lose a value; any number if None.
        start: Nodes to try first.
        settle: As in `PlanSearch`.
        boxes: Most boxes to bound for each cap.
        progress: Progress callback.
    """
    caps = sorted(set(most), key=lambda cap: float("-inf") if cap is None else -cap)
    nodes = list(start)
    points: list[Point] = []
    for done, cap in enumerate(caps):
        progress(STAGE, done / len(caps))
        if points and _keeps_to(points[-1].found, cap):
            points.append(Point(most=cap, found=points[-1].found))
            continue
        search = PlanSearch(bounds, most=cap, settle=settle)
        points.append(Point(most=cap, found=search.run(start=nodes, boxes=boxes)))
    progress(STAGE, 1.0)
    return tuple(points)


def _keeps_to(found: Found, cap: int | None) -> bool:
    """Whether the best plan under a looser cap is the best under this one."""
    if not found.proved:
        return False
    return found.plan is None or (cap is not None and found.plan.touched <= cap)
