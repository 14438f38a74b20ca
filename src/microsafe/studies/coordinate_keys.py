"""Check for coordinates among the keys."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from microsafe.engine import Engine
from microsafe.errors import InputError
from microsafe.variables.recognise import recognise
from microsafe.variables.traits import Traits
from microsafe.variables.vocabulary import says

_MOST_PLACES = 100  # values of a grid that may be a key
_LEAST_RECORDS = 10  # that share one of them, on average


def refuse_coordinates(engine: Engine, keys: Sequence[str]) -> None:
    """Refuse keys that name and values show to be coordinates, unless they are a coarse grid.

    Raises:
        InputError: One is.
    """
    for name in keys:
        variable = engine.schema[name]
        if not any(says(text, "coordinate") for text in (variable.name, variable.label)):
            continue
        (traits,) = engine.traits([name])
        found = recognise(variable, traits, engine.rows())
        if any(each.kind == "coordinates" for each in found) and not _is_grid(traits):
            base = "0.1" if traits.share("degrees") else "10000"
            step = f"round variable={shlex.quote(name)} base={base}"
            raise InputError(
                f"{name!r} of {engine.schema.source} holds coordinates with {traits.distinct:,} "
                "different values and cannot be a key: they find a person on a map. Round it to a "
                f'grid of at most {_MOST_PLACES} values first (microsafe apply FILE --step "{step}"'
                " -o GRID), or band it, or leave it out of the keys."
            )


def _is_grid(traits: Traits) -> bool:
    """Whether its values are few, and shared."""
    return traits.distinct <= min(_MOST_PLACES, traits.records / _LEAST_RECORDS)
