"""A variable at a glance, the same on every engine."""

from __future__ import annotations

from microsafe.engine.contract import Summary
from microsafe.schema import Variable


def summarise(variable: Variable, categories: int, missing: int) -> Summary:
    """Return a variable at a glance.

    Args:
        variable: What is known of it.
        categories: Distinct values that are not missing.
        missing: Records in which it is missing.
    """
    return Summary(
        name=variable.name,
        label=variable.label,
        kind=variable.kind,
        categories=categories,
        missing=missing,
        role=variable.role or "other",
    )


def describe_mixture(numbers: int | None, texts: int | None, missing: int) -> str:
    """Return how many records hold what, if a variable is of mixed kinds; empty otherwise."""
    if numbers is None or texts is None:
        return ""
    some = [(numbers, "number"), (texts, "text")]
    told = [f"{count:,} {what}{'' if count == 1 else 's'}" for count, what in some]
    return f"{', '.join(told)}, {missing:,} missing"
