"""What metadata and name of a variable say it is for, and what it measures."""

from __future__ import annotations

from microsafe.schema import Measure, Role, Variable
from microsafe.variables.vocabulary import Topic, says

_ROLES: tuple[tuple[Topic, Role], ...] = (
    ("household", "household"),
    ("weight", "weight"),
    ("identifier", "identifier"),
)
_QUANTITIES: tuple[Topic, ...] = ("age", "year of birth", "household size", "children")


def named_role(variable: Variable) -> Role | None:
    """Return the role that the file declares, or that the name says; None if neither does."""
    if variable.role is not None:
        return variable.role
    return next((role for topic, role in _ROLES if says(variable.name, topic)), None)


def likely_measure(variable: Variable, *, numeric: bool) -> Measure:
    """Return the level of measurement: an age is no name, whatever the file declares.

    Args:
        variable: Its name, its label, and what the file declares.
        numeric: Whether its categories are numbers.
    """
    if not numeric or variable.measure in ("ordinal", "scale"):
        return variable.measure
    texts = (variable.name, variable.label)
    if not any(says(text, topic) for topic in _QUANTITIES for text in texts):
        return variable.measure
    return "ordinal" if len(variable.labels) > len(variable.missing) + 2 else "scale"
