"""Declarations from metadata of mu-ARGUS: levels, costs and linked variables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from microsafe.options.declaration import MOST_DECIMALS, Declaration, DeclaredRole, Type
from microsafe.schema import number_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from microsafe.schema import Variable

USUAL_WEIGHT = 50  # of suppression, in mu-ARGUS: what costs 1 here
_LEAST_WEIGHT = 0.5  # a blank always costs something


def declare_variables(variables: Sequence[Variable]) -> Mapping[str, Declaration]:
    """Return what the metadata of mu-ARGUS declare of variables, labels included.

    `<IDLEVEL>` above 0 makes a key of that level; `<SUPPRESSWEIGHT>` is the cost of a blank, 50
    being 1; `<RELATED>` names variables that are blanked where this one is; `<HOUSEHOLD>` says that
    members of a household share the value. A value that is no number says nothing.
    """
    names = {
        variable.name.lower(): variable.name
        for variable in variables
        if variable.role not in ("weight", "household")
    }
    declarations = {variable.name: _declare(variable, names) for variable in variables}
    for role in ("weight", "household"):  # of several, only a person knows which is meant
        several = [name for name, declaration in declarations.items() if declaration.role == role]
        if len(several) > 1:
            declarations |= {name: replace(declarations[name], role=None) for name in several}
    return declarations


def _declare(variable: Variable, names: Mapping[str, str]) -> Declaration:
    extra = variable.extra
    level = _whole(extra.get("idlevel", ""))
    role: DeclaredRole | None = variable.role
    if role not in ("weight", "household"):
        role = "key" if level else None
    related = (names.get(name.lower()) for name in extra.get("related", "").split())
    numeric, decimals = variable.kind == "number", variable.decimals
    odd = extra.get("missing", "").split()
    return Declaration(
        type=_find_type(variable),
        missing=(*variable.missing, *odd) or None,
        labels=variable.labels,
        decimals=min(decimals, MOST_DECIMALS) if numeric and decimals is not None else None,
        role=role,
        level=level or None,
        cost=_cost(extra.get("suppressweight", extra.get("suppresspriority", ""))),
        linked=tuple(dict.fromkeys(name for name in related if name and name != variable.name)),
        household_level=True if "household" in extra else None,
    )


def _find_type(variable: Variable) -> Type | None:
    if variable.kind == "number":
        return "number"
    return "category" if variable.labels or variable.role == "key" else None


def _whole(text: str) -> int:
    number = number_in(text)
    return int(number) if number is not None and 0 < number < 1000 and number.is_integer() else 0


def _cost(text: str) -> float | None:
    number = number_in(text)
    if number is None or not 0 <= number < 1e9:
        return None
    return max(number, _LEAST_WEIGHT) / USUAL_WEIGHT
