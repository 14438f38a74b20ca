"""A guess at what each variable is for, from its metadata, its name and its values."""

from __future__ import annotations

from collections.abc import Sized

from microsafe.engine.base import Summary
from microsafe.engine.headers import says
from microsafe.schema import Role, Variable

_FEW, _MANY = 2, 500


def summarise(variable: Variable, categories: int, missing: int, rows: int) -> Summary:
    """Return a variable at a glance.

    Args:
        variable: What is known of it.
        categories: Distinct values that are not missing.
        missing: Records in which it is missing.
        rows: Records in the file.
    """
    return Summary(
        name=variable.name,
        label=variable.label,
        kind=variable.kind,
        categories=categories,
        missing=missing,
        role=suggested_role(variable, range(categories), rows),
    )


def suggested_role(variable: Variable, categories: Sized, rows: int) -> Role:
    """Return the role that a person would most likely give the variable."""
    if variable.role is not None:
        return variable.role
    if says(variable.name, "household"):
        return "household"
    if says(variable.name, "weight"):
        return "weight"
    if says(variable.name, "identifier") or (rows > 20 and len(categories) == rows):
        return "identifier"
    sparse = len(categories) > max(20, rows / 10)
    if _FEW <= len(categories) <= _MANY and not sparse and variable.measure != "scale":
        return "key"
    return "other"
