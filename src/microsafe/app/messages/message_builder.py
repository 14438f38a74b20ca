"""Results in messages: the page gets their fields as they are, and what is named here besides.

A message holds a result itself, or is a dataclass that adds to one, and is filled from it by
`build_message`. The page's types are made from the same list, so that a field that a result gains
is in the answer and on the page with nothing else changed. What cannot be sent, such as an array
of records, has no type there: `page_types` refuses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, get_type_hints

from microsafe.compare.cost_figures import GroupBlanks, LossByUses, VariableLoss
from microsafe.compare.tables import TableChange
from microsafe.compare.worst_groups import GroupLoss
from microsafe.intruders import IntruderResult, IntruderRow
from microsafe.risk.numeric.linkage import LinkCounts
from microsafe.steps.loss import InformationLoss
from microsafe.variables.profile import VariableProfile

M = TypeVar("M")

# Figures that a result works out of its fields.
_WORKED_OUT: Mapping[type, tuple[str, ...]] = {
    GroupBlanks: ("share",),
    GroupLoss: ("blank_share",),
    InformationLoss: ("share_lost",),
    IntruderRow: ("not_tried",),
    LinkCounts: ("expected",),
    LossByUses: ("loss",),
    VariableLoss: ("blank_share", "lost_share"),
    VariableProfile: ("mixture", "open", "group", "ways"),
}
# Tables of cells are sent once somebody asks for one of them; chances of records never.
_LEFT_OUT: Mapping[type, tuple[str, ...]] = {
    IntruderResult: ("chances", "chances_of", "figures", "found", "notices"),
    TableChange: ("plain", "named", "grid"),
}


def values_of(message: object, kind: type) -> dict[str, Any]:
    """Return what a message says of the fields of a dataclass."""
    return {field.name: getattr(message, field.name) for field in fields(kind)}


def build_message(kind: type[M], result: object, **more: object) -> M:
    """Fill a message from a result: each field by its name, but for those that are given.

    Args:
        kind: Of the message.
        result: What it repeats.
        more: What it says besides, or otherwise.
    """
    same = [field.name for field in fields(kind) if field.name not in more]  # type: ignore[arg-type]
    return kind(**{name: getattr(result, name) for name in same}, **more)


@cache
def list_sent_names(kind: type) -> tuple[str, ...]:
    """Return the names under which a message or a result is sent."""
    hidden = _find_names(_LEFT_OUT, kind)
    known = [field.name for field in fields(kind) if field.name not in hidden]
    return (*known, *(name for name in _find_names(_WORKED_OUT, kind) if name not in known))


def read_sent_types(kind: type) -> dict[str, Any]:
    """Return the type of everything that is sent of a kind, by name."""
    hints = get_type_hints(kind)
    return {
        name: hints[name] if name in hints else get_type_hints(getattr(kind, name).fget)["return"]
        for name in list_sent_names(kind)
    }


def _find_names(table: Mapping[type, tuple[str, ...]], kind: type) -> tuple[str, ...]:
    return tuple(name for base in kind.__mro__ for name in table.get(base, ()))
