"""What must not go out: the three lists of a guided release, filled in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from microsafe.options.scenario import Scenario
from microsafe.variables.groups import GROUPS, Group
from microsafe.variables.inventory import Inventory
from microsafe.variables.profile import VariableProfile

Place = Literal["out", "known", "answer"]

PLACES: Mapping[Place, str] = {
    "out": "Left out",
    "known": "Known outside: keys of a scenario",
    "answer": "Answers: they go out",
}
_ANSWERS: frozenset[Group] = frozenset({"sensitive", "exact number", "answer"})
_SHARED = "members of a household share it"
_MANY_TEXTS = 50  # different texts, from which on they are what people said, not categories


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedVariable:
    """A variable, in which list it stands, and why.

    Attributes:
        name: Of the variable.
        label: What it means.
        group: What it is to a release.
        place: The list.
        why: In a few words.
        moved: Whether a person put it there.
    """

    name: str
    label: str
    group: Group
    place: Place
    why: str
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableLists:
    """The three lists, in the order of the file. Weight, household, person and wave are in none."""

    variables: tuple[ListedVariable, ...]

    def names(self, place: Place, groups: Collection[Group] = tuple(GROUPS)) -> tuple[str, ...]:
        """Return the names in a list, or those of some groups."""
        found = (variable for variable in self.variables if variable.place == place)
        return tuple(variable.name for variable in found if variable.group in groups)

    def leave_out(self, names: Collection[str]) -> VariableLists:
        """Return the lists in which variables are left out as members of a household share them."""
        return VariableLists(
            variables=tuple(
                replace(each, place="out", why=_SHARED)
                if each.name in names and each.place != "out"
                else each
                for each in self.variables
            )
        )


def list_variables(
    found: Inventory, scenario: Scenario, moved: Mapping[str, Place] | None = None
) -> VariableLists:
    """Put every variable into a list.

    Keys are known, answers go out, and everything else is left out: a person may move it, and says
    why.

    Args:
        found: The inventory, before any step.
        scenario: Its keys.
        moved: Where a person put variables, by name.
    """
    apart = {scenario.weight, scenario.household, scenario.person, scenario.wave}
    return VariableLists(
        variables=tuple(
            _list_variable(row, scenario, moved or {})
            for row in found.rows
            if row.name not in apart
        )
    )


def _list_variable(
    row: VariableProfile, scenario: Scenario, moved: Mapping[str, Place]
) -> ListedVariable:
    place, why = _find_place(row, scenario)
    return ListedVariable(
        name=row.name,
        label=row.label,
        group=row.group,
        place=moved.get(row.name, place),
        why=why,
        moved=row.name in moved and moved[row.name] != place,
    )


def _find_place(row: VariableProfile, scenario: Scenario) -> tuple[Place, str]:
    if row.name in scenario.keys:
        return "known", row.meaning or "a key"
    if row.group not in _ANSWERS:
        return "out", GROUPS[row.group].title.lower()
    if row.kind == "text" and not row.numeric and row.distinct > _MANY_TEXTS:
        return "out", "many different texts"
    return "answer", "" if row.group == "answer" else GROUPS[row.group].title.lower()
