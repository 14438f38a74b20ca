"""Tell names of people by their given names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from microsafe.variables.vocabulary import list_given_names, plain_words


@cache
def _known() -> frozenset[str]:
    return frozenset(plain_words(name) for name in list_given_names())


def share_of_given_names(values: Sequence[str]) -> float:
    """Return the share of values that have a usual given name among their words."""
    known = _known()
    named = sum(not known.isdisjoint(plain_words(value).split()) for value in values)
    return named / len(values) if values else 0.0
