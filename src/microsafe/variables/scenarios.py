"""Propose key sets: who might look for somebody, and which keys that person knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from microsafe.variables.profile import VariableProfile

_FEWEST = 2  # keys; with one alone nobody is found
_OLD = ("age", "year of birth", "date of birth")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedScenario:
    """What somebody knows who might look for a person in the file.

    Attributes:
        name: What to call the scenario.
        keys: Variables that this person may know, in the order of the file.
        why: How they are known; the reason of the scenario.
    """

    name: str
    keys: tuple[str, ...]
    why: str


# Who, how it is known, and what the keys are about; nothing stands for all of them.
_KNOWN: Sequence[tuple[str, str, frozenset[str]]] = (
    (
        "neighbour",
        "A neighbour sees who lives next door, and knows how many they are, but not who took part.",
        frozenset(
            {
                "place of residence", "kind of place", "sex", *_OLD, "ethnic group",
                "marital status", "household size", "number of children", "kind of dwelling",
                "relationship in the household", "tenure",
            }
        ),
    ),
    (
        "colleague",
        "A colleague or employer knows work and schooling, and sees sex and age, but not who took "
        "part.",
        frozenset(
            {
                "sex", *_OLD, "ethnic group", "citizenship", "country of birth", "education",
                "occupation", "industry", "activity status", "language",
            }
        ),
    ),
    (
        "register",
        "Somebody who holds a register or a bought file can match all keys at once: the most "
        "careful assumption.",
        frozenset(),
    ),
)  # fmt: skip


def propose_scenarios(variables: Iterable[VariableProfile]) -> tuple[ProposedScenario, ...]:
    """Return ready-made scenarios of at least two keys, each another set of them.

    Args:
        variables: With what each is probably for, in the order of the file.
    """
    keys = [variable for variable in variables if variable.role == "key"]
    found: dict[tuple[str, ...], ProposedScenario] = {}
    for name, why, meanings in _KNOWN:
        known = tuple(key.name for key in keys if not meanings or key.meaning in meanings)
        if len(known) >= _FEWEST:
            found.setdefault(known, ProposedScenario(name=name, keys=known, why=why))
    return tuple(found.values())
