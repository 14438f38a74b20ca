"""A guess at what each variable is for, from its metadata, its name and its values."""

from __future__ import annotations

from collections.abc import Sized

from microsafe.engine.headers import says
from microsafe.schema import Role, Variable

_FEW, _MANY = 2, 500


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
