"""Recognise what makes a variable delicate from its values, name and label.

A reason says what was seen, in counts; it never quotes a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from microsafe.display import show_percent
from microsafe.schema import Variable
from microsafe.variables.traits import Shape, Traits
from microsafe.variables.vocabulary import Topic, says

FindingKind = Literal[
    "direct identifier",
    "record number",
    "household number",
    "exact date",
    "free text",
    "fine geography",
    "coordinates",
    "exact number",
    "telling weight",
    "leftover",
]

_ENOUGH = 20  # values from which "every one is different" says something
_NEARLY_ALL = 0.9  # different values as a share of the records
_MOST = 0.5  # of the values that were looked at
_MANY_PLACES = 100
_LONG = 30  # characters, from which several words are a text
_ID_LENGTH = 6  # characters of a telephone number or national id, at least


@dataclass(frozen=True, slots=True)
class Finding:
    """What makes a variable delicate.

    Attributes:
        kind: What it is.
        reason: What it was recognised by: a sentence with counts, never a value.
    """

    kind: FindingKind
    reason: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """A variable with what is known of it."""

    variable: Variable
    traits: Traits

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, be they stored as text."""
        stored = self.variable.kind in ("integer", "number")
        return stored or self.traits.share("number") >= _NEARLY_ALL

    @property
    def is_text(self) -> bool:
        return self.variable.kind == "text" and not self.is_number

    @property
    def is_nearly_unique(self) -> bool:
        return self.traits.distinct > _ENOUGH and self.traits.spread >= _NEARLY_ALL

    def told_by(self, topic: Topic) -> str:
        """What says so: the name, the label, or nothing."""
        for what, text in (("name", self.variable.name), ("label", self.variable.label)):
            if says(text, topic):
                return what
        return ""

    def count_shape(self, shape: Shape, what: str) -> str:
        """Say how many of the values that were looked at have a shape."""
        share = show_percent(self.traits.share(shape))
        return f"{share} of its {self.traits.looked:,} different values are {what}"


_Recogniser = Callable[[_Seen], str | None]


def recognise(variable: Variable, traits: Traits, records: int) -> tuple[Finding, ...]:
    """Return what makes a variable delicate; nothing if it is an answer like any other.

    Args:
        variable: Its name, its label, how it is stored.
        traits: What its values look like.
        records: In the file.
    """
    if not records or not traits.records:
        return ()
    return tuple(_findings(_Seen(variable, traits)))


def _findings(seen: _Seen) -> Iterator[Finding]:
    direct = next(filter(None, (look(seen) for look in _DIRECT)), None)
    if direct:
        yield Finding("direct identifier", _sentence(direct))
    for kind, look in _OTHERS.items():
        reason = None if direct and kind in _PLAIN else look(seen)
        if reason:
            yield Finding(kind, _sentence(reason))


def _sentence(reason: str) -> str:
    return f"{reason[0].upper()}{reason[1:]}."


def _email(seen: _Seen) -> str | None:
    if seen.traits.share("email") >= _MOST:
        return seen.count_shape("email", "e-mail addresses")
    return _read_header(
        seen, "e-mail", "an e-mail address", seen.is_text and seen.traits.longest > 5
    )


def _telephone(seen: _Seen) -> str | None:
    if seen.traits.share("phone") >= _MOST and not _exact_date(seen):
        return seen.count_shape("phone", "telephone numbers")
    return _read_header(seen, "telephone", "a telephone number", _is_long_number(seen))


def _national_id(seen: _Seen) -> str | None:
    # Dates as whole numbers are shorter; what is as long and nearly unique is no date.
    if seen.traits.share("national id") >= _NEARLY_ALL and seen.traits.distinct > _ENOUGH:
        return seen.count_shape("national id", "built like national identity numbers")
    return _read_header(seen, "national id", "a national identity number", _is_long_number(seen))


def _person_name(seen: _Seen) -> str | None:
    reason = _read_header(
        seen, "person name", "a person's name", seen.is_text and seen.traits.longest > 1
    )
    likely = seen.is_text and seen.traits.share("name") >= 0.8 and seen.traits.spread >= _MOST
    if reason or not likely or seen.traits.distinct <= _ENOUGH:
        return reason
    return seen.count_shape("name", "written like names of persons")


def _address(seen: _Seen) -> str | None:
    if seen.is_text and seen.traits.share("address") >= _MOST:
        return seen.count_shape("address", "written like addresses")
    varied = seen.is_text and seen.traits.spread >= 0.2 and seen.traits.longest > 5
    return _read_header(seen, "address", "an address", varied)


def _unique_text(seen: _Seen) -> str | None:
    if not (seen.is_text and seen.is_nearly_unique) or seen.traits.share("date") >= _MOST:
        return None
    if _is_text_of_words(seen):
        return None
    return _each_its_own(seen, "texts")


def _record_number(seen: _Seen) -> str | None:
    traits = seen.traits
    unique = traits.distinct > _ENOUGH and traits.distinct == traits.records
    if not unique or traits.share("whole") < 1 or seen.told_by("amount") or _exact_date(seen):
        return None
    order = ", and the records are in its order" if traits.falls == 0 else ""
    return f"a whole number that is different in each of {traits.records:,} records{order}"


def _household_number(seen: _Seen) -> str | None:
    return _read_header(
        seen, "household", "the number of a household", seen.traits.distinct > _ENOUGH
    )


def _exact_date(seen: _Seen) -> str | None:
    traits = seen.traits
    shown = traits.share("date") >= _MOST
    if shown and (seen.variable.kind == "date" or traits.share("date") >= _NEARLY_ALL):
        return seen.count_shape("date", "dates with a day")
    long_enough = traits.longest > 5 and seen.is_number and traits.share("whole") == 1
    by_name = long_enough and traits.longest == 8 and seen.told_by("date")
    if by_name and shown:
        return seen.count_shape("date", "dates with a day")
    a_day = traits.share("whole") == 1 and _ENOUGH < traits.distinct <= 31 and traits.longest <= 2
    return _read_header(seen, "day of birth", "the day of a birth, which completes a date", a_day)


def _free_text(seen: _Seen) -> str | None:
    if _is_text_of_words(seen):
        return seen.count_shape("words", "texts of several words")
    several = seen.is_text and seen.traits.distinct > 1
    return _read_header(seen, "free text", "what somebody wrote", several)


def _fine_geography(seen: _Seen) -> str | None:
    places = seen.traits.distinct
    small = _read_header(seen, "small area", "a small area", places > _ENOUGH)
    if small:
        return small
    return _read_header(seen, "area", f"a place, one of {places:,}", places > _MANY_PLACES)


def _coordinates(seen: _Seen) -> str | None:
    if seen.traits.share("position") >= _MOST:
        return seen.count_shape("position", "pairs of coordinates")
    fine = seen.is_number and seen.traits.share("degrees") >= _MOST
    metres = seen.is_number and seen.traits.longest >= _ID_LENGTH
    return _read_header(
        seen, "coordinate", "a coordinate", (fine or metres) and seen.traits.distinct > 1
    )


def _exact_number(seen: _Seen) -> str | None:
    weight = seen.variable.role == "weight" or seen.told_by("weight")
    if weight or seen.traits.distinct <= _ENOUGH:
        return None
    if seen.traits.share("cents") >= _MOST:
        return seen.count_shape("cents", "amounts to the cent")
    known = (_record_number(seen), _exact_date(seen), _coordinates(seen))
    timed = seen.variable.kind in ("time", "duration")
    if not ((seen.is_number or timed) and seen.is_nearly_unique) or any(known):
        return None
    return _each_its_own(seen, "times" if timed else "numbers")


def _leftover(seen: _Seen) -> str | None:
    return (
        "its name is that of an index or of another leftover of a program"
        if says(seen.variable.name, "leftover")
        else None
    )


def _read_header(seen: _Seen, topic: Topic, what: str, fits: bool) -> str | None:
    """Say that the name or label speaks of something, if the values fit it."""
    where = seen.told_by(topic) if fits else ""
    return (
        f"its {where} says that it is {what}; {seen.traits.distinct:,} different values"
        if where
        else None
    )


def _each_its_own(seen: _Seen, what: str) -> str:
    """Say that a value tells who it is."""
    return (
        f"{seen.traits.distinct:,} different {what} in {seen.traits.records:,} records: nearly "
        "every record has its own"
    )


def _is_long_number(seen: _Seen) -> bool:
    traits = seen.traits
    return traits.longest >= _ID_LENGTH and traits.distinct > 1 and traits.spread >= _MOST


def _is_text_of_words(seen: _Seen) -> bool:
    traits = seen.traits
    many = traits.distinct > _ENOUGH and traits.spread >= 0.1
    return seen.is_text and many and traits.longest >= _LONG and traits.share("words") >= 0.3


_DIRECT: tuple[_Recogniser, ...] = (
    _email,
    _telephone,
    _national_id,
    _person_name,
    _address,
    _unique_text,
)
_OTHERS: dict[FindingKind, _Recogniser] = {
    "record number": _record_number,
    "household number": _household_number,
    "exact date": _exact_date,
    "free text": _free_text,
    "fine geography": _fine_geography,
    "coordinates": _coordinates,
    "exact number": _exact_number,
    "leftover": _leftover,
}
_PLAIN = ("record number", "free text", "exact date")  # what a direct identifier is anyway
