"""Recognise what makes a variable delicate from its values, name and label.

A reason says what was seen, in counts; it never quotes a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
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
    "tells a key",
    "leftover",
]

_ENOUGH = 20  # values from which "every one is different" says something
_NEARLY_ALL = 0.9  # different values as a share of the records
_MOST = 0.5  # of the values that were looked at
_MANY_PLACES = 100
_LONG = 30  # characters, from which several words are a text
_ID_LENGTH = 6  # characters of a telephone number or national id, at least
_FEW_VALUES = 3  # of answers such as yes and no, which are never names
_ANSWERS = 20.0  # records that share a value on average, from which they are answers
_ENOUGH_CODES = 50  # records, from which codes that are all different say something
_FEW_NAMED, _MOST_NAMED = 0.1, 0.4  # values with a usual given name among capitals, or alone


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
class _ExaminedVariable:
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

    @property
    def may_name_people(self) -> bool:
        """Whether values may be names or addresses: not if they repeat as answers do."""
        traits = self.traits
        if traits.distinct <= _FEW_VALUES or traits.longest <= 1:
            return False
        if traits.given_names >= _MOST or traits.spread >= _MOST:
            return True
        long = traits.longest >= _ID_LENGTH or traits.share("undivided") >= _MOST
        return traits.distinct > _ENOUGH and long and self.is_varied

    @property
    def may_number_people(self) -> bool:
        """Whether values may be numbers of people or of what is theirs: long, with digits."""
        traits = self.traits
        if traits.distinct <= _FEW_VALUES or traits.longest < _ID_LENGTH:
            return False
        if traits.share("digits") < _MOST or self.has_decimals:
            return False
        return traits.spread >= _MOST or (traits.distinct > _ENOUGH and self.is_varied)

    @property
    def is_varied(self) -> bool:
        """Whether few records share a value, as those of one person or family do."""
        return self.traits.repeats <= _ANSWERS

    @property
    def has_decimals(self) -> bool:
        return self.is_number and self.traits.share("whole") < _NEARLY_ALL

    @property
    def is_measured(self) -> bool:
        """Whether texts are quantities or codes of a classification: numbers, written otherwise."""
        traits = self.traits
        return self.is_text and traits.share("quantity") + traits.share("class") >= _NEARLY_ALL

    def has_shape(self, shape: Shape, share: float) -> bool:
        """Tell whether enough values have a shape; a few that are repeated are answers."""
        traits = self.traits
        several = traits.distinct > (_FEW_VALUES if traits.spread >= _MOST else _ENOUGH)
        return several and traits.share(shape) >= share

    def read_header(self, topic: Topic, what: str, fits: bool) -> Sentence | None:
        """Say that the name or label speaks of something, if the values fit it."""
        where = self.told_by(topic) if fits else ""
        if not where:
            return None
        return Sentence(what, source=Sentence(where), count=self.traits.distinct)

    def told_by(self, topic: Topic) -> str:
        """What says so: the name, the label, or nothing."""
        for what, text in (("its-name", self.variable.name), ("its-label", self.variable.label)):
            if says(text, topic):
                return what
        return ""

    def count_shape(self, shape: Shape, what: str) -> Sentence:
        """Say how many of the values that were looked at have a shape."""
        return Sentence(what, share=self.traits.share(shape), count=self.traits.looked)


_Recogniser = Callable[[_ExaminedVariable], Sentence | None]
_OF_THINGS: Mapping[Shape, str] = {
    "url": "values-url",
    "network address": "values-network",
    "key of a program": "values-hash",
    "vehicle": "values-vehicle",
}


def recognise(variable: Variable, traits: Traits, records: int) -> tuple[Finding, ...]:
    """Return what makes a variable delicate; nothing if it is an answer like any other.

    Args:
        variable: Its name, its label, how it is stored.
        traits: What its values look like.
        records: In the file.
    """
    if not records or not traits.records:
        return ()
    return tuple(_findings(_ExaminedVariable(variable, traits)))


def _findings(seen: _ExaminedVariable) -> Iterator[Finding]:
    direct = next(filter(None, (look(seen) for look in _DIRECT)), None) or _read_labels(seen)
    if direct:
        yield Finding("direct identifier", direct)
    for kind, look in _OTHERS.items():
        reason = None if direct and kind in _PLAIN else look(seen)
        if reason:
            yield Finding(kind, reason)


def _read_labels(seen: _ExaminedVariable) -> Sentence | None:
    """Look at labels of codes as at values of the records that have them."""
    labels = seen.traits.labels
    if labels is None or seen.variable.role == "key":
        return None
    written = _ExaminedVariable(replace(seen.variable, kind="text", labels={}), labels)
    found = next(filter(None, (look(written) for look in _BY_LABELS)), None)
    return Sentence("labels-of-codes", finding=found) if found else None


def _email(seen: _ExaminedVariable) -> Sentence | None:
    if seen.has_shape("email", _MOST):
        return seen.count_shape("email", "values-email")
    return seen.read_header("e-mail", "said-email", seen.is_text and seen.may_name_people)


def _telephone(seen: _ExaminedVariable) -> Sentence | None:
    if seen.has_shape("phone", _MOST) and not _exact_date(seen):
        return seen.count_shape("phone", "values-phone")
    return seen.read_header("telephone", "said-phone", seen.may_number_people)


def _national_id(seen: _ExaminedVariable) -> Sentence | None:
    # Dates as whole numbers are shorter; what is as long and nearly unique is no date.
    if seen.has_shape("national id", _NEARLY_ALL) and seen.traits.distinct > _ENOUGH:
        return seen.count_shape("national id", "values-national-id")
    return seen.read_header("national id", "said-national-id", seen.may_number_people)


def _check_digits(seen: _ExaminedVariable) -> Sentence | None:
    if not seen.traits.scheme or _exact_date(seen):
        return None
    return Sentence("values-check-digits", scheme=seen.traits.scheme)


def _account(seen: _ExaminedVariable) -> Sentence | None:
    for shape, what in _OF_THINGS.items():
        if seen.has_shape(shape, _NEARLY_ALL) and not seen.is_measured:
            return seen.count_shape(shape, what)
    named = seen.is_text and seen.may_name_people
    return seen.read_header("account", "said-account", named or seen.may_number_people)


def _person_name(seen: _ExaminedVariable) -> Sentence | None:
    header = seen.read_header("person name", "said-person", seen.is_text and seen.may_name_people)
    if header or not seen.is_text or seen.traits.distinct <= _ENOUGH:
        return header
    written = seen.traits.share("name") >= 0.8
    named = seen.traits.given_names >= (_FEW_NAMED if written else _MOST_NAMED)
    if named or (written and seen.is_nearly_unique):
        return seen.count_shape("name", "values-person")
    return None


def _address(seen: _ExaminedVariable) -> Sentence | None:
    if seen.is_text and seen.has_shape("address", _MOST):
        return seen.count_shape("address", "values-address")
    return seen.read_header("address", "said-address", seen.is_text and seen.may_name_people)


def _unique_text(seen: _ExaminedVariable) -> Sentence | None:
    if not (seen.is_text and seen.is_nearly_unique) or seen.traits.share("date") >= _MOST:
        return None
    if _is_text_of_words(seen) or seen.is_measured:
        return None
    return _each_its_own(seen, "own-text")


def _person_number(seen: _ExaminedVariable) -> Sentence | None:
    return _said_person_number(seen) if seen.may_number_people else None


def _said_person_number(seen: _ExaminedVariable) -> Sentence | None:
    person = not seen.told_by("household")
    return seen.read_header("record id", "said-person-number", person)


def _own_code(seen: _ExaminedVariable) -> Sentence | None:
    """One code for each record, all of one length: whatever its label says."""
    traits = seen.traits
    own = traits.distinct == traits.units >= _ENOUGH_CODES
    alike = traits.longest == traits.shortest >= _ID_LENGTH
    coded = seen.variable.kind == "text" or traits.share("whole") == 1
    weight = seen.variable.role == "weight" or seen.told_by("weight")
    written = seen.is_number and traits.share("whole") < 1  # a number with decimals is no code
    other = weight or written or seen.is_measured
    if not (own and alike and coded) or other or _exact_date(seen):
        return None
    return Sentence("own-code", count=traits.distinct, length=traits.longest)


def _record_number(seen: _ExaminedVariable) -> Sentence | None:
    traits = seen.traits
    if traits.distinct <= _ENOUGH or traits.share("whole") < 1 or _exact_date(seen):
        return None
    if traits.distinct < traits.records:
        return _said_person_number(seen) if seen.is_varied else None
    if seen.told_by("amount"):
        return None
    in_order = traits.falls == 0
    return Sentence(
        "record-number-in-order" if in_order else "record-number", records=traits.records
    )


def _household_number(seen: _ExaminedVariable) -> Sentence | None:
    return seen.read_header("household", "said-household", seen.traits.distinct > _ENOUGH)


def _exact_date(seen: _ExaminedVariable) -> Sentence | None:
    traits = seen.traits
    shown = traits.share("date") >= _MOST
    if shown and (seen.variable.kind == "date" or traits.share("date") >= _NEARLY_ALL):
        return seen.count_shape("date", "values-date")
    long_enough = traits.longest > 5 and seen.is_number and traits.share("whole") == 1
    by_name = long_enough and traits.longest == 8 and seen.told_by("date")
    if by_name and shown:
        return seen.count_shape("date", "values-date")
    a_day = traits.share("whole") == 1 and _ENOUGH < traits.distinct <= 31 and traits.longest <= 2
    return seen.read_header("day of birth", "said-birthday", a_day)


def _free_text(seen: _ExaminedVariable) -> Sentence | None:
    if _is_text_of_words(seen):
        return seen.count_shape("words", "values-words")
    several = seen.is_text and seen.traits.distinct > 1
    return seen.read_header("free text", "said-free-text", several)


def _fine_geography(seen: _ExaminedVariable) -> Sentence | None:
    places = seen.traits.distinct
    small = seen.read_header("small area", "said-small-area", places > _ENOUGH)
    if small:
        return small
    if places > _ENOUGH and seen.has_shape("postcode", _NEARLY_ALL):
        return seen.count_shape("postcode", "values-postcode")
    return seen.read_header("area", "said-place", places > _MANY_PLACES)


def _coordinates(seen: _ExaminedVariable) -> Sentence | None:
    if seen.traits.share("position") >= _MOST:
        return seen.count_shape("position", "values-position")
    fine = seen.is_number and seen.traits.share("degrees") >= _MOST
    metres = seen.is_number and seen.traits.longest >= _ID_LENGTH
    return seen.read_header(
        "coordinate", "said-coordinate", (fine or metres) and seen.traits.distinct > 1
    )


def _exact_number(seen: _ExaminedVariable) -> Sentence | None:
    weight = seen.variable.role == "weight" or seen.told_by("weight")
    if weight or seen.traits.distinct <= _ENOUGH:
        return None
    if seen.traits.share("cents") >= _MOST:
        return seen.count_shape("cents", "values-cents")
    known = (_record_number(seen), _exact_date(seen), _coordinates(seen))
    timed = seen.variable.kind in ("time", "duration")
    quantity = seen.is_text and seen.traits.share("quantity") >= _NEARLY_ALL
    own = seen.traits.distinct >= _NEARLY_ALL * seen.traits.records
    if not ((seen.is_number or timed or quantity) and own) or any(known):
        return None
    return _each_its_own(seen, "own-time" if timed else "own-number")


def _leftover(seen: _ExaminedVariable) -> Sentence | None:
    return Sentence("leftover") if says(seen.variable.name, "leftover") else None


def _each_its_own(seen: _ExaminedVariable, what: str) -> Sentence:
    """Say that a value tells who it is."""
    return Sentence(what, count=seen.traits.distinct, records=seen.traits.records)


def _is_text_of_words(seen: _ExaminedVariable) -> bool:
    traits = seen.traits
    many = traits.distinct > _ENOUGH and traits.spread >= 0.1
    return seen.is_text and many and traits.longest >= _LONG and traits.share("words") >= 0.3


_DIRECT: tuple[_Recogniser, ...] = (
    _email,
    _check_digits,
    _telephone,
    _national_id,
    _account,
    _person_name,
    _address,
    _person_number,
    _own_code,
    _unique_text,
)
_BY_LABELS = (_email, _check_digits, _telephone, _account, _person_name, _address)
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
