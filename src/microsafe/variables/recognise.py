"""Recognise what makes a variable delicate from its values, name and label.

A reason says what was seen, in counts; it never quotes a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from microsafe.schema import Variable
from microsafe.sentences import Sentence
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
    reason: Sentence


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
        for what, text in (("its-name", self.variable.name), ("its-label", self.variable.label)):
            if says(text, topic):
                return what
        return ""

    def count_shape(self, shape: Shape, what: str) -> Sentence:
        """Say how many of the values that were looked at have a shape."""
        return Sentence(what, share=self.traits.share(shape), count=self.traits.looked)


_Recogniser = Callable[[_Seen], Sentence | None]


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
        yield Finding("direct identifier", direct)
    for kind, look in _OTHERS.items():
        reason = None if direct and kind in _PLAIN else look(seen)
        if reason:
            yield Finding(kind, reason)


def _email(seen: _Seen) -> Sentence | None:
    if seen.traits.share("email") >= _MOST:
        return seen.count_shape("email", "values-email")
    return _read_header(seen, "e-mail", "said-email", seen.is_text and seen.traits.longest > 5)


def _telephone(seen: _Seen) -> Sentence | None:
    if seen.traits.share("phone") >= _MOST and not _exact_date(seen):
        return seen.count_shape("phone", "values-phone")
    return _read_header(seen, "telephone", "said-phone", _is_long_number(seen))


def _national_id(seen: _Seen) -> Sentence | None:
    # Dates as whole numbers are shorter; what is as long and nearly unique is no date.
    if seen.traits.share("national id") >= _NEARLY_ALL and seen.traits.distinct > _ENOUGH:
        return seen.count_shape("national id", "values-national-id")
    return _read_header(seen, "national id", "said-national-id", _is_long_number(seen))


def _person_name(seen: _Seen) -> Sentence | None:
    reason = _read_header(
        seen, "person name", "said-person", seen.is_text and seen.traits.longest > 1
    )
    likely = seen.is_text and seen.traits.share("name") >= 0.8 and seen.traits.spread >= _MOST
    if reason or not likely or seen.traits.distinct <= _ENOUGH:
        return reason
    return seen.count_shape("name", "values-person")


def _address(seen: _Seen) -> Sentence | None:
    if seen.is_text and seen.traits.share("address") >= _MOST:
        return seen.count_shape("address", "values-address")
    varied = seen.is_text and seen.traits.spread >= 0.2 and seen.traits.longest > 5
    return _read_header(seen, "address", "said-address", varied)


def _unique_text(seen: _Seen) -> Sentence | None:
    if not (seen.is_text and seen.is_nearly_unique) or seen.traits.share("date") >= _MOST:
        return None
    if _is_text_of_words(seen):
        return None
    return _each_its_own(seen, "own-text")


def _record_number(seen: _Seen) -> Sentence | None:
    traits = seen.traits
    unique = traits.distinct > _ENOUGH and traits.distinct == traits.records
    if not unique or traits.share("whole") < 1 or seen.told_by("amount") or _exact_date(seen):
        return None
    in_order = traits.falls == 0
    return Sentence(
        "record-number-in-order" if in_order else "record-number", records=traits.records
    )


def _household_number(seen: _Seen) -> Sentence | None:
    return _read_header(seen, "household", "said-household", seen.traits.distinct > _ENOUGH)


def _exact_date(seen: _Seen) -> Sentence | None:
    traits = seen.traits
    shown = traits.share("date") >= _MOST
    if shown and (seen.variable.kind == "date" or traits.share("date") >= _NEARLY_ALL):
        return seen.count_shape("date", "values-date")
    long_enough = traits.longest > 5 and seen.is_number and traits.share("whole") == 1
    by_name = long_enough and traits.longest == 8 and seen.told_by("date")
    if by_name and shown:
        return seen.count_shape("date", "values-date")
    a_day = traits.share("whole") == 1 and _ENOUGH < traits.distinct <= 31 and traits.longest <= 2
    return _read_header(seen, "day of birth", "said-birthday", a_day)


def _free_text(seen: _Seen) -> Sentence | None:
    if _is_text_of_words(seen):
        return seen.count_shape("words", "values-words")
    several = seen.is_text and seen.traits.distinct > 1
    return _read_header(seen, "free text", "said-free-text", several)


def _fine_geography(seen: _Seen) -> Sentence | None:
    places = seen.traits.distinct
    small = _read_header(seen, "small area", "said-small-area", places > _ENOUGH)
    if small:
        return small
    return _read_header(seen, "area", "said-place", places > _MANY_PLACES)


def _coordinates(seen: _Seen) -> Sentence | None:
    if seen.traits.share("position") >= _MOST:
        return seen.count_shape("position", "values-position")
    fine = seen.is_number and seen.traits.share("degrees") >= _MOST
    metres = seen.is_number and seen.traits.longest >= _ID_LENGTH
    return _read_header(
        seen, "coordinate", "said-coordinate", (fine or metres) and seen.traits.distinct > 1
    )


def _exact_number(seen: _Seen) -> Sentence | None:
    weight = seen.variable.role == "weight" or seen.told_by("weight")
    if weight or seen.traits.distinct <= _ENOUGH:
        return None
    if seen.traits.share("cents") >= _MOST:
        return seen.count_shape("cents", "values-cents")
    known = (_record_number(seen), _exact_date(seen), _coordinates(seen))
    timed = seen.variable.kind in ("time", "duration")
    if not ((seen.is_number or timed) and seen.is_nearly_unique) or any(known):
        return None
    return _each_its_own(seen, "own-time" if timed else "own-number")


def _leftover(seen: _Seen) -> Sentence | None:
    return Sentence("leftover") if says(seen.variable.name, "leftover") else None


def _read_header(seen: _Seen, topic: Topic, what: str, fits: bool) -> Sentence | None:
    """Say that the name or label speaks of something, if the values fit it."""
    where = seen.told_by(topic) if fits else ""
    if not where:
        return None
    return Sentence(what, source=Sentence(where), count=seen.traits.distinct)


def _each_its_own(seen: _Seen, what: str) -> Sentence:
    """Say that a value tells who it is."""
    return Sentence(what, count=seen.traits.distinct, records=seen.traits.records)


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
