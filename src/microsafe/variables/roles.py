"""Guess the role of each variable.

`describe`, the app and `plan new` ask the one guesser here. It looks at one variable at a time, so
that the same keys are proposed whatever stands beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from microsafe.schema import Measure, Role, Schema, Variable
from microsafe.variables.evidence import FEW, Evidence, RoleCandidate, say
from microsafe.variables.meanings import KEYS, MEANINGS
from microsafe.variables.non_keys import find_household, find_weight, guess_apart, guess_sensitive
from microsafe.variables.people import with_people
from microsafe.variables.profile import VariableProfile, order_keys
from microsafe.variables.traits import Traits
from microsafe.variables.vocabulary import Topic, says

_ROLES: tuple[tuple[Topic, Role], ...] = (
    ("household", "household"),
    ("weight", "weight"),
    ("identifier", "identifier"),
)
_PLACES: tuple[Topic, ...] = (
    "area", "small area", "coordinate", "place", "settlement", "design", "survey time",
)  # fmt: skip
_TRADES: tuple[Topic, ...] = ("occupation", "industry", "line number")
_QUANTITIES: tuple[Topic, ...] = ("age", "year of birth", "household size", "children")


def named_role(variable: Variable) -> Role | None:
    """Return the role that the file declares, or that the name says; None if neither does."""
    if variable.role is not None:
        return variable.role
    return next((role for topic, role in _ROLES if says(variable.name, topic)), None)


def is_area(variable: Variable) -> bool:
    """Tell whether it is called an area in which people live."""
    texts = (variable.name, variable.label)
    return any(says(text, topic) for text in texts for topic in ("area", "small area"))


def names_something(variable: Variable) -> bool:
    """Tell whether its codes name places, parts of the design or trades: no mean means anything."""
    name, label = variable.name, variable.label
    if says(name, "amount") or says(label, "amount"):  # wage in the main occupation
        return False
    return any(says(name, topic) for topic in (*_PLACES, *_TRADES)) or any(
        says(label, topic) for topic in _PLACES
    )


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


MOST_KEYS = 8
_MANY = 500  # categories of a key that nothing tells of
_OF_THE_NAME = 2  # where the label says something else
_OF_THE_HEAD, _OF_THE_PAST, _OF_OTHERS = 1, 2, 9  # how much that takes off
_OF_ONE = frozenset(
    {"weight", "household number", "free text", "date of birth", "direct identifier"}
)


def guess_roles(
    schema: Schema, traits: Sequence[Traits], records: int
) -> tuple[VariableProfile, ...]:
    """Guess what each variable is for; at most eight keys are proposed.

    Args:
        schema: Names, labels and what the file declares.
        traits: What values look like, in the order of the variables.
        records: In the file.
    """
    looked = with_people(schema, traits)
    seen = [Evidence(n, schema[each.name], each, records) for n, each in enumerate(looked)]
    weights = [each for each in map(find_weight, seen) if each]
    taken = {weight.seen.name for weight in weights}
    homes = [h for each in seen if each.name not in taken and (h := find_household(each))]
    taken |= {home.seen.name for home in homes}
    left = [each for each in seen if each.name not in taken]
    apart = {each.name: found for each in left if (found := guess_apart(each))}
    keys = [key for each in left if each.name not in apart for key in _find_keys(each)]
    guesses = {each.name: apart.get(each.name) or _guess_other(each) for each in seen}
    guesses |= _choose_one("weight", weights)
    guesses |= _choose_one("household", homes)
    guesses |= _choose_keys(keys)
    if not any({"name", "label"} & set(key.by) for key in keys):
        guesses |= _fill(seen, guesses)
    return tuple(_respect_file(seen, guesses))


def tells_apart(role: Role, meaning: str) -> bool:
    """Tell whether values tell people apart, so that nobody may see them."""
    return role in ("identifier", "household", "weight") or meaning in _OF_ONE


def _guess_other(seen: Evidence) -> VariableProfile:
    return guess_sensitive(seen) or seen.guess("other")


def _find_keys(seen: Evidence) -> Iterator[RoleCandidate]:
    """What a variable may be as a key; not if it is about somebody else, or an amount."""
    amount = seen.says("amount") and seen.is_number and seen.traits.longest > 3
    if amount and seen.traits.distinct > FEW:
        return
    off = (
        _OF_OTHERS * seen.mentions("somebody else")
        + _OF_THE_PAST * seen.mentions("past")
        + _OF_THE_HEAD * seen.mentions("head")
    )
    found = [each for each in map(seen.weigh, KEYS) if each]
    labelled = any("label" in each.by for each in found)
    for each in found:
        less = 0 if MEANINGS[each.meaning].of_others else off
        less += _OF_THE_NAME * (labelled and each.by == ("name",))
        if each.score > less:
            yield replace(each, score=each.score - less)


def _choose_one(role: Role, candidates: Sequence[RoleCandidate]) -> dict[str, VariableProfile]:
    """The surest has the role. Other household numbers are numbers still."""
    found = sorted(candidates, key=lambda each: each.surest_first)
    rest: Role = "identifier" if role == "household" else "other"
    guesses = {}
    for n, each in enumerate(found):
        reason = say(each.by or ["metadata"], each.meaning)
        if n:
            reason = f"{reason[:-1]}; {found[0].seen.name} is surer."
        guesses[each.seen.name] = each.seen.guess(rest if n else role, each.meaning, reason)
    return guesses


def _choose_keys(candidates: Sequence[RoleCandidate]) -> dict[str, VariableProfile]:
    """One variable for each meaning, the surest; the first eight meanings are keys."""
    surest: dict[str, RoleCandidate] = {}
    for candidate in sorted(candidates, key=lambda each: each.surest_first):
        surest.setdefault(candidate.seen.name, candidate)
    ranks = {key.name: rank for rank, key in enumerate(KEYS)}
    ordered = sorted(surest.values(), key=lambda each: (ranks[each.meaning], *each.surest_first))
    best: dict[str, RoleCandidate] = {}
    for each in ordered:
        best.setdefault(MEANINGS[each.meaning].place, each)
    places = {each.seen.name: place for place, each in enumerate(best.values(), 1)}
    return {
        each.seen.name: _guess_key(
            each, places.get(each.seen.name), best[MEANINGS[each.meaning].place]
        )
        for each in ordered
    }


def _guess_key(each: RoleCandidate, place: int | None, best: RoleCandidate) -> VariableProfile:
    meaning = MEANINGS[each.meaning]
    told = say(each.by, meaning.name)[:-1]
    reason = f"{told}; {MOST_KEYS} keys that are better known are proposed."
    guess = each.seen.guess("other", meaning.name, reason, sensitive=meaning.sensitive)
    if place is None:
        role: Role = "identifier" if meaning.name == "date of birth" else "other"
        return replace(guess, role=role, reason=f"{told}; {best.seen.name} tells it too.")
    if place > MOST_KEYS:
        return guess
    words = f"{meaning.name}: {meaning.known}"
    return replace(guess, role="key", place=place, reason=f"{words[0].upper()}{words[1:]}.")


def _fill(
    seen: Sequence[Evidence], guesses: Mapping[str, VariableProfile]
) -> dict[str, VariableProfile]:
    """Where no name or label says anything, the first categories that records share."""
    found = len(order_keys(guesses.values()))
    unknown = [each for each in seen if _is_unknown(each, guesses[each.name])]
    return {
        each.name: replace(each.guess("key", reason=_say_unknown(each)), place=place)
        for place, each in enumerate(unknown[: MOST_KEYS - found], found + 1)
    }


def _say_unknown(seen: Evidence) -> str:
    return f"Nothing tells what its {seen.traits.distinct:,} categories are."


def _is_unknown(seen: Evidence, guess: VariableProfile) -> bool:
    if guess.meaning or guess.reason or seen.variable.kind == "other" or seen.has_fractions:
        return False
    return 2 <= seen.traits.distinct <= min(_MANY, max(FEW, seen.traits.records // 10))


def _respect_file(
    seen: Sequence[Evidence], guesses: Mapping[str, VariableProfile]
) -> Iterator[VariableProfile]:
    """What the file declares counts; where it declares keys, no others are proposed."""
    declared = [each.name for each in seen if each.variable.role == "key"]
    for each in seen:
        guess, role = guesses[each.name], each.variable.role
        if role is not None:
            place = declared.index(each.name) + 1 if role == "key" else None
            yield replace(guess, role=role, reason="The file declares it.", place=place)
        elif declared and guess.place is not None:
            yield replace(guess, role="other", place=None)
        else:
            yield guess
