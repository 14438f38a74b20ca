"""Taking a suppression step: from scenarios to demands on cells, and from blanks to records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from microsafe.engine import Engine
from microsafe.errors import UsageError, did_you_mean
from microsafe.plan import Suppress
from microsafe.progress import Progress
from microsafe.protect import Criterion, Demand, cost_of_keys, own, shared, strict
from microsafe.scenario import Scenario

_EXAMPLES = 5
_N = TypeVar("_N", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A step that was taken, and what it did.

    Attributes:
        step: What was asked for.
        blanks: Values blanked, by key.
        records: Records in which something was blanked.
        stuck: Records that stay unsafe, because of keys that were to be spared.
        examples: Numbers of the first of them in the file, from 1.
    """

    step: Suppress
    blanks: Mapping[str, int]
    records: int
    stuck: int
    examples: tuple[int, ...]

    @property
    def total(self) -> int:
        """Values blanked in all."""
        return sum(self.blanks.values())


def suppressed(
    engine: Engine, scenarios: Sequence[Scenario], step: Suppress, progress: Progress
) -> tuple[Engine, Done]:
    """Blank keys so that all scenarios are met together."""
    first = scenarios[0]
    for scenario in scenarios:
        if scenario.weight != first.weight or scenario.low_weights != first.low_weights:
            raise UsageError("Scenarios that are met together must share one sampling weight.")
    union = tuple(dict.fromkeys(key for scenario in scenarios for key in scenario.keys))
    # Where blanks are shared, records of different weight are dealt with one by one.
    by_weight = step.guarantee == "shared" and first.weight is not None
    together = replace(first, keys=union, attack="weight" if by_weight else "all")
    cells = engine.cells(together, progress=progress)
    demands = [
        Demand(
            keys=sum(1 << union.index(key) for key in scenario.keys),
            criterion=criterion_of(
                scenario,
                _of(step.above, scenario.name, scenarios),
                _of(step.k, scenario.name, scenarios),
                records=engine.rows(),
            ),
        )
        for scenario in scenarios
    ]
    find = {"own": own, "strict": strict, "shared": shared}[step.guarantee]
    costs = cost_of_keys(cells, step.costs, step.spare)
    spared = sum(1 << union.index(key) for key in step.spare)
    blanks = find(cells, demands, costs=costs, spared=spared, progress=progress)
    done = Done(
        step=step,
        blanks=dict(zip(union, blanks.by_key(len(union)), strict=True)),
        records=blanks.records,
        stuck=int(cells.count[blanks.stuck].sum()),
        examples=tuple(engine.rows_of(together, blanks.stuck, most=_EXAMPLES)),
    )
    for key, followers in step.linked.items():
        for name in (key, *followers):
            engine.schema[name]
        if key not in union:
            raise UsageError(f"{key!r} is not a key, so nothing can be linked to its blanks.")
    made = engine.blanked(together, blanks.cell, blanks.keys, blanks.count, linked=step.linked)
    return made, done


def criterion_of(
    scenario: Scenario, above: float | None, k: int | None, *, records: int
) -> Criterion:
    """Return what records must meet under a scenario.

    The attack models "ratio" and "weight" are taken as certain attack: that bounds them.
    """
    share = 1.0 / records if scenario.attack == "random" else 1.0
    return Criterion(above=above, k=k, factor=scenario.factor * share)


def _of(wish: _N | Mapping[str, _N] | None, name: str, scenarios: Sequence[Scenario]) -> _N | None:
    """The wish for one scenario, where it may be the same for all."""
    if not isinstance(wish, Mapping):
        return wish
    known = [scenario.name for scenario in scenarios]
    for word in wish:
        if word not in known:
            raise UsageError(f"There is no scenario {word!r} to meet.{did_you_mean(word, known)}")
    return wish.get(name)
