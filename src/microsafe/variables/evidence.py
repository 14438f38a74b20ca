"""Evidence for the meaning of a variable: values, name, label, labels of codes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from microsafe.schema import Role, Variable
from microsafe.variables.codelists import CodeList, share_of_labels
from microsafe.variables.meanings import Meaning
from microsafe.variables.profile import VariableProfile, profile_variable
from microsafe.variables.recognise import Finding, FindingKind, recognise
from microsafe.variables.traits import Traits
from microsafe.variables.vocabulary import Topic, plain_words, says

FEW = 20  # different values, from which numbers number and texts tell apart
NEARLY_ALL = 0.95  # of the values that were looked at
_LONG_LABEL = 11  # words, from which a label is a question on something else
_NAME, _LABEL, _VALUES, _BUILD = 3, 2, 2, 4  # how much each tells
_LISTS: tuple[CodeList, ...] = get_args(CodeList)
_ENOUGH_CODES, _MANY_CODES = 8, 30  # of a classification; four digits may be anything
_YES = frozenset({"yes", "ja", "oui", "si", "sim", "marked", "selected", "mentioned"})
_NO = frozenset({"no", "nein", "non", "nao", "nee", "nej", "nei", "not"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleCandidate:
    """A variable that may be a key, a weight or a household number, and how much says so.

    Attributes:
        seen: The variable.
        meaning: What it would be.
        score: How much says so.
        by: What says so.
    """

    seen: Evidence
    meaning: str
    score: int
    by: tuple[str, ...]

    @property
    def surest_first(self) -> tuple[int, int, int]:
        """Order of candidates: what is said most, then what tells most."""
        return (-self.score, -self.seen.traits.distinct, self.seen.order)


class Evidence:
    """A variable, looked at from all sides.

    Args:
        order: Its place in the file.
        variable: What is known of it.
        traits: What its values look like.
        records: In the file.
    """

    def __init__(self, order: int, variable: Variable, traits: Traits, records: int) -> None:
        self.order, self.variable, self.traits = order, variable, traits
        self.name, self.texts = variable.name, (variable.name, variable.label)
        self.code = re.sub("[^a-z0-9]", "", variable.name.casefold())
        self.is_number = variable.kind in ("integer", "number") or traits.share("number") >= 0.9
        self.has_fractions = traits.share("cents") + traits.share("decimals") >= 0.1
        self._findings = recognise(variable, traits, records)
        self._is_long = len(plain_words(variable.label).split()) >= _LONG_LABEL
        self._labels = [
            text for code, text in variable.labels.items() if code not in variable.missing
        ]
        self._lists = {each: share_of_labels(self._labels, each) for each in _LISTS}

    def says(self, topic: Topic) -> tuple[str, ...]:
        """Return what speaks of something: name, label, both or nothing."""
        label = "" if self._is_long else self.variable.label
        told = (("name", self.name), ("label", label))
        return tuple(what for what, text in told if says(text, topic))

    def find_name(self, topic: Topic, codes: Iterable[str]) -> tuple[str, ...]:
        """Return what speaks of something, names that surveys give it included."""
        return ("name",) if self.code in codes else self.says(topic)

    def mentions(self, topic: Topic) -> bool:
        """Tell whether name or label speak of something, however long the label is."""
        return any(says(text, topic) for text in self.texts)

    def finding(self, *kinds: FindingKind) -> Finding | None:
        """Return what makes it delicate, if it is one of these."""
        return next((finding for finding in self._findings if finding.kind in kinds), None)

    def propose(self, meaning: str, score: int, by: Iterable[str]) -> RoleCandidate:
        """Return it as a candidate."""
        return RoleCandidate(seen=self, meaning=meaning, score=score, by=tuple(dict.fromkeys(by)))

    def guess(
        self, role: Role, meaning: str = "", reason: str = "", *, sensitive: bool = False
    ) -> VariableProfile:
        """Return the variable with what it is probably for."""
        known = profile_variable(self.variable, self.traits.distinct, self.traits.missing)
        return replace(
            known,
            role=role,
            meaning=meaning,
            reason=reason,
            sensitive=sensitive,
            findings=self._findings,
        )

    def weigh(self, meaning: Meaning) -> RoleCandidate | None:
        """Return how much says that it is about something; None if nothing does."""
        if not self._fits(meaning):
            return None
        by = [each for topic in meaning.topics for each in self.says(topic)]
        if self.code in meaning.codes:
            by.append("name")
        score = _NAME * ("name" in by) + _LABEL * ("label" in by)
        if len(self._labels) > 1 and self._is_listed(meaning, self._lists):
            by, score = [*by, "labels of its codes"], score + _VALUES
        elif self.variable.kind == "text" and self._is_listed(meaning, self._shares()):
            by, score = [*by, "values"], score + _VALUES
        elif self.is_built(meaning) and (by or meaning.name != "year of birth"):
            by, score = [*by, "values"], score + _BUILD
        return self.propose(meaning.name, score, by) if score else None

    def is_built(self, meaning: Meaning) -> bool:
        """Tell whether its values are codes of a classification."""
        needed = {"NUTS": 0.5, "year": 0.9}
        traits = self.traits
        built = [e for e in meaning.shapes if traits.share(e) >= needed.get(e, NEARLY_ALL)]
        if "ISCO" in built:
            return traits.distinct >= _MANY_CODES and traits.longest == 4
        return bool(built) and traits.distinct >= _ENOUGH_CODES

    def is_date_of_birth(self, codes: Iterable[str]) -> bool:
        """Tell whether it is said to be one, or is a date that has to do with a birth."""
        dated = self.finding("exact date") is not None or self.variable.kind == "date"
        named = self.mentions("date of birth") or self.code in codes
        return named or (dated and self.mentions("birth"))

    def _shares(self) -> dict[CodeList, float]:
        return {each: self.traits.share(each) for each in _LISTS}

    @staticmethod
    def _is_listed(meaning: Meaning, shares: dict[CodeList, float]) -> bool:
        return any(shares[each] >= share for each, share in meaning.lists)

    def _fits(self, meaning: Meaning) -> bool:
        """Whether the values can be what name and label say."""
        traits = self.traits
        if not meaning.fewest <= traits.distinct <= meaning.most:
            return False
        if traits.longest > meaning.longest and not self._labels:
            return False
        if meaning.name == "age" and self.is_number:
            return traits.longest <= 3 and not self.has_fractions
        if meaning.name == "year of birth":
            return traits.share("year") >= 0.9
        if meaning.name == "date of birth":
            return self.is_date_of_birth(meaning.codes)
        if meaning.name == "place of residence":
            return traits.distinct <= max(FEW, traits.records // 10)
        return meaning.yes_no or not self._is_yes_no()

    def _is_yes_no(self) -> bool:
        words = {word for text in self._labels for word in plain_words(text).split()}
        return len(self._labels) == 2 and self.traits.distinct <= 3 and words <= _YES | _NO


def say(by: Iterable[str], what: str) -> str:
    """Say by what a variable was recognised as something."""
    parts = [each if each.startswith("labels") else f"its {each}" for each in dict.fromkeys(by)]
    several = len(parts) > 1 or parts[0] in ("its values", "labels of its codes")
    text = f"{_enumerate(parts)} {'say' if several else 'says'} that it is the {what}"
    return f"{text[0].upper()}{text[1:]}."


def _enumerate(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
