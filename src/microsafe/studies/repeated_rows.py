"""Detect rows that may belong to one person."""

from __future__ import annotations

import numpy as np

from microsafe.engine.contract import Engine
from microsafe.errors import InputError
from microsafe.notices import Notice, make_notice
from microsafe.options.scenario import Scenario
from microsafe.variables.roles import named_role

_REPEATED = 0.05  # of the records: fewer are slips of whoever gave the numbers
_ROWS_OF_A_PERSON = 10  # at most; what repeats more often identifies a school or a firm


def repeated_rows(engine: Engine, scenario: Scenario) -> tuple[Notice, ...]:
    """Say which identifier repeats, so that several records may belong to one person."""
    used = {*scenario.keys, scenario.weight, scenario.household}
    for variable in engine.schema:
        named = named_role(variable) == "identifier"  # by its metadata or its name
        if not named or variable.name in used:
            continue
        alone = Scenario(keys=(variable.name,))
        try:
            cells = engine.cells(alone)
        except InputError:  # too many values to look at: then nothing can be said
            continue
        known = cells.codes[0] > 0
        values, records = int(np.count_nonzero(known)), int(cells.count[known].sum())
        repeated = int(cells.count[known & (cells.count > 1)].sum())
        if records / _ROWS_OF_A_PERSON <= values and repeated >= max(_REPEATED * records, 1):
            figures = {"name": variable.name, "categories": values, "records": records}
            return (make_notice("file-rows-repeat", **figures),)
    return ()
