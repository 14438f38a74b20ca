"""Look at a sample of values: whether they carry check digits, and hold given names of people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from microsafe.variables.check_digits import find_scheme
from microsafe.variables.given_names import share_of_given_names
from microsafe.variables.traits import Shape

SAMPLE = 200  # values; more would tell no more
_MOST = 0.5  # of the values: beyond, a look is worth it
_CANDIDATES: Sequence[tuple[str, Shape]] = (("scheme", "digits"), ("given_names", "letters"))


def list_wanted(shares: Any) -> tuple[str, ...]:
    """Return what a sample of a variable can tell, by the shares of shapes among its values."""
    return tuple(what for what, shape in _CANDIDATES if shares(shape) >= _MOST)


def judge_sample(values: Sequence[str], wanted: Sequence[str]) -> dict[str, Any]:
    """Return what a sample of different values tells, as traits."""
    found: dict[str, Any] = {}
    if "scheme" in wanted:
        found["scheme"] = find_scheme(values)
    if "given_names" in wanted:
        found["given_names"] = share_of_given_names(values)
    return found
