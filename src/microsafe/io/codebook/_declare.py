"""Declarations from what a file says of its variables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from microsafe.codes import code_text, spell_code
from microsafe.options.declaration import Declaration, Type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from microsafe.schema import Code, Schema, Variable


def declare_schema(
    schema: Schema, declared: Mapping[str, Declaration] | None = None
) -> Mapping[str, Declaration]:
    """Return what a codebook can say of the variables of a file.

    Args:
        schema: What the file says, of values that are in it.
        declared: What a person says besides. Roles, levels, costs, linked variables, units and
            order are taken from it; labels and missing codes are those of the schema, so that
            nothing is told of categories that are gone.
    """
    declarations = declared or {}
    return {
        variable.name: _add_declared(
            declare_variable(variable), declarations[variable.name], schema
        )
        if variable.name in declarations
        else declare_variable(variable)
        for variable in schema
    }


def declare_variable(variable: Variable) -> Declaration:
    """Return what a codebook can say of a variable."""
    kind = _find_type(variable)

    def spell(code: Code) -> Code:
        return code if kind == "number" else code_text(code)

    missing = tuple(spell(code) for code in variable.missing)
    labels = {spell(code): label for code, label in variable.labels.items()}
    ordered = variable.measure == "ordinal" and kind == "category"
    return Declaration(
        type=kind,
        label=variable.label or None,
        missing=missing or None,
        labels=labels,
        order=tuple(code for code in labels if code not in missing) if ordered else (),
        decimals=variable.decimals if kind == "number" else None,
        role=variable.role,
    )


def _add_declared(own: Declaration, declared: Declaration, schema: Schema) -> Declaration:
    kind = declared.type or own.type
    known = {spell_code(code) for code in own.labels}
    order = tuple(code for code in declared.order if spell_code(code) in known or not known)
    return replace(
        own,
        type=kind,
        label=declared.label or own.label,
        order=(order or own.order) if kind in ("category", None) else (),
        decimals=own.decimals if kind == "number" else None,
        unit=declared.unit,
        role=declared.role or own.role,
        level=declared.level,
        cost=declared.cost,
        linked=tuple(name for name in declared.linked if name in schema),
        household_level=declared.household_level,
        identifying=declared.identifying,
    )


def _find_type(variable: Variable) -> Type | None:
    if variable.kind == "date":
        return "date"
    if variable.measure in ("nominal", "ordinal") or variable.kind == "boolean":
        return "category"
    if variable.kind in ("integer", "number"):
        return "category" if variable.labels and variable.measure != "scale" else "number"
    return "category" if variable.labels else None
