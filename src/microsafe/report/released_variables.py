"""What is released: every variable with its categories, for the codebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from microsafe.cells import Cells
from microsafe.codes import spell_code
from microsafe.engine import Engine
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.schema import Variable
from microsafe.variables.profile import CategoryCount, VariableProfile

_MANY = 60  # categories; beyond, nobody would read on
_FEW = 20  # different whole numbers or texts that are listed without being keys or labelled


def list_released(
    engine: Engine, scenarios: Sequence[Scenario], *, progress: Progress = silent
) -> tuple[VariableProfile, ...]:
    """Return the variables of the released file with their categories.

    Args:
        engine: The data as released.
        scenarios: Their keys are listed with more categories than others; the first weight counts.
        progress: Progress callback.
    """
    keys = {key for scenario in scenarios for key in scenario.keys}
    weight = next((scenario.weight for scenario in scenarios if scenario.weight), None)
    numbers = {name for scenario in scenarios for name in (scenario.weight, scenario.household)}
    found = engine.describe(progress=progress)
    listed = [
        each.name
        for each in found
        if each.name not in numbers and _is_listed(each, engine.schema[each.name], keys)
    ]
    counted = engine.cells_each([Scenario(keys=(name,), weight=weight) for name in listed])
    cells = dict(zip(listed, counted, strict=True))
    return tuple(
        replace(each, categories=_categories(cells[each.name], engine.schema[each.name], weight))
        if each.name in cells
        else each
        for each in found
    )


def _is_listed(found: VariableProfile, variable: Variable, keys: set[str]) -> bool:
    known = found.name in keys or bool(variable.labels)
    whole = variable.kind in ("text", "integer", "boolean")
    return found.distinct <= (_MANY if known else _FEW if whole else 0)


def _categories(cells: Cells, variable: Variable, weight: str | None) -> tuple[CategoryCount, ...]:
    labels = {spell_code(code): label for code, label in variable.labels.items()}
    return tuple(
        CategoryCount(
            code=(code := cells.categories[0][int(at) - 1]),
            label=labels.get(code, ""),
            records=int(records),
            weighted=None if weight is None else float(people),
        )
        for at, records, people in zip(cells.codes[0], cells.count, cells.weight, strict=True)
        if at
    )
