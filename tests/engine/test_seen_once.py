"""What is told without codes, or was told of another state, is what codes tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import microsafe as ms
from microsafe.engine.local import records as local_records
from microsafe.engine.state_pairs import is_spelled_measurement
from microsafe.engine.transformations import Lookup, Transformation

ROWS = 1200
COLUMNS: dict[str, list[str | None]] = {
    "wage": [f"{place % 700 / 4}" for place in range(ROWS)],
    "with gaps": [None if place % 7 == 0 else f"{place % 90 / 8}" for place in range(ROWS)],
    "with blanks": [" " if place % 7 == 0 else f"{place % 90 / 8}" for place in range(ROWS)],
    "exponents": [f"{place}e-3" for place in range(ROWS)],
    "few": [f"{place % 20 / 4}" for place in range(ROWS)],
    "just enough": [f"{place % 21 / 4}" for place in range(ROWS)],
    "shared": [str(place % 100) for place in range(ROWS)],
    "many": [str(place % 600) for place in range(ROWS)],
    "numbers each": [str(place) for place in range(ROWS)],
    "codes": [f"{place % 600:04}" for place in range(ROWS)],
    "late": [*(f"{place / 4}" for place in range(ROWS - 1)), "x"],
    "declared": ["9.9" if place % 8 == 0 else str(place % 60) for place in range(ROWS)],
    "declared word": ["none" if place % 8 == 0 else f"{place / 8}" for place in range(ROWS)],
    "household": [f"{place / 4}" for place in range(ROWS)],
}
MISSING = {
    "declared": ms.Declaration(missing=("9.9",)),
    "declared word": ms.Declaration(missing=("none",)),
}


def start() -> Any:
    return ms.study(pl.DataFrame(COLUMNS), variables=MISSING).engine


def rename(engine: Any, name: str, table: dict[str, str]) -> Any:
    variable = engine.schema[name]
    change = Transformation(rule=Lookup(table=table), before=variable, after=variable)
    return engine.transform_variable(change)


@pytest.mark.parametrize("rows", [1 << 8, 1 << 18])
def test_numbers_that_are_texts(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_records, "records_at_once", lambda _: rows)
    before = start()
    after = rename(before, "wage", {"0.25": "nearly nothing"})
    after = rename(after, "with gaps", {"0.125": "0.5"})
    after = after.blank_records({"just enough": np.arange(ROWS) % 21 == 5})
    for one, other in ((before, before), (before, after), (after, after)):
        told = one.pair_with(other, None).find_spelled(list(COLUMNS))
        coded = [
            name
            for name in COLUMNS
            if is_spelled_measurement(
                one.schema[name], one.categories(name), other.categories(name), ROWS
            )
        ]
        assert list(told) == coded
        assert {"with gaps", "with blanks", "declared word", "just enough"} <= set(told)
        assert ("wage" in told) == (other is before)


def test_what_another_state_has_seen() -> None:
    before = start()
    after = rename(before, "wage", {"0.25": "nearly nothing"})
    after = after.blank_records({"few": np.arange(ROWS) % 3 == 0})
    before.traits()
    alone = rename(start(), "wage", {"0.25": "nearly nothing"})
    alone = alone.blank_records({"few": np.arange(ROWS) % 3 == 0})
    assert after.describe() == alone.describe()
    assert after.traits() == alone.traits()
    assert before.describe() == start().describe()
    assert before.traits() == start().traits()


def test_describing_codes_nothing_that_was_seen() -> None:
    before = start()
    after = rename(before, "wage", {"0.25": "nearly nothing"})
    before.traits()
    after.describe()
    assert set(after._records.coded) == {"wage"}
