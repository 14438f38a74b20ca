"""A guess at what each variable is for, from its metadata, its name and its values."""

from __future__ import annotations

import re
from collections.abc import Sized

from microsafe.schema import Role, Variable

_WEIGHT = re.compile(
    r"(^|_)(w|wt|wgt|gewicht|pond(er)?|peso|poids)\d*($|_)|weight|wght", re.IGNORECASE
)
_HOUSEHOLD = re.compile(
    r"^(hh|hhid|hh_?id|hh_?num|hid|household(_?id)?|ori_hid|hserial|famid|idhh)$", re.IGNORECASE
)
_IDENTIFIER = re.compile(
    r"(^|_)(id|pid|caseid|serial|name|surname|phone|email|e_mail|address|ssn|passport)($|_)",
    re.IGNORECASE,
)
_FEW, _MANY = 2, 500


def suggested_role(variable: Variable, categories: Sized, rows: int) -> Role:
    """Return the role that a person would most likely give the variable."""
    if variable.role is not None:
        return variable.role
    if _HOUSEHOLD.search(variable.name):
        return "household"
    if _WEIGHT.search(variable.name):
        return "weight"
    if _IDENTIFIER.search(variable.name) or (rows > 20 and len(categories) == rows):
        return "identifier"
    sparse = len(categories) > max(20, rows / 10)
    if _FEW <= len(categories) <= _MANY and not sparse and variable.measure != "scale":
        return "key"
    return "other"
