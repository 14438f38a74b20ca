"""Recognise variables that are no keys: record numbers, and values that tell nothing of people."""

from __future__ import annotations

import re
from collections.abc import Mapping

from microsafe.variables.evidence import FEW, NEARLY_ALL, Evidence, RoleCandidate, say
from microsafe.variables.meanings import (
    HOUSEHOLDS,
    LINES,
    MEANINGS,
    RECORDS,
    SENSITIVE,
    WEIGHTS,
)
from microsafe.variables.profile import VariableProfile
from microsafe.variables.traits import Shape
from microsafe.variables.vocabulary import Topic, plain_words, says

_BUILDS: tuple[Shape, ...] = ("NUTS", "NACE", "ISCO", "ICD", "postcode")
_LESSER_WEIGHTS = re.compile("^(design|population size)|replic|jackknife|bootstrap|repw")
_BETTER_WEIGHTS = re.compile("post strat|final|calibrat|cross sectional|person|individual")
_MOST_PERSONS = 100  # in one household
_OF_THE_SURVEY: Mapping[Topic, str] = {
    "flag": "flag of another variable",
    "survey time": "time of the survey",
    "design": "design of the survey",
}


def find_weight(seen: Evidence) -> RoleCandidate | None:
    """Return a variable as a weight; None if it is none."""
    variable, declared = seen.variable, seen.variable.role == "weight"
    by = seen.find_name("weight", WEIGHTS)
    if not declared and (variable.role is not None or not by or not seen.is_number):
        return None
    words = plain_words(variable.label)
    if not declared and by == ("name",) and words and not _may_be_weight(variable.label):
        return None  # such as W4, whose label speaks of something else
    text = f"{words} {plain_words(variable.name)}"
    better = len(_BETTER_WEIGHTS.findall(text)) - 2 * bool(_LESSER_WEIGHTS.search(text))
    numbered = variable.name[-1:].isdigit() and seen.code not in WEIGHTS
    score = 99 * declared + len(by) + better - numbered - ("household" in text)
    return seen.propose("weight", score, by)


def _may_be_weight(label: str) -> bool:
    """Whether a label leaves open that its variable is a weight."""
    if says(label, "weight") or says(label, "design"):
        return True
    return bool(re.search(r"weight|factor|fakt|coef|pond", plain_words(label))) and not re.search(
        r"\b(kilo\w*|kgs?|pounds?)\b", plain_words(label)
    )


def find_household(seen: Evidence) -> RoleCandidate | None:
    """Return a variable as the number of a household; None if it is none."""
    variable, traits = seen.variable, seen.traits
    by = seen.find_name("household", HOUSEHOLDS)
    if variable.role == "household":
        return seen.propose("household number", 99, by)
    if variable.role is not None or not by or traits.distinct < 2:
        return None
    many = traits.distinct > FEW or traits.spread >= 0.1
    whole = variable.kind == "text" or traits.share("whole") >= NEARLY_ALL
    if not many or not whole or seen.says("household size") or seen.says("line number"):
        return None
    if "name" not in by and traits.share("whole") < 0.9 and seen.finding("direct identifier"):
        return None
    return seen.propose("household number", 2 * len(by), by)


def guess_apart(seen: Evidence) -> VariableProfile | None:
    """Return what a variable is if its values tell records apart, or nothing of people."""
    if seen.traits.distinct < 2:
        return seen.guess("other", reason="It has one value, or none.")
    sure = seen.finding("direct identifier", "coordinates")
    if sure and not any(seen.traits.share(build) >= NEARLY_ALL for build in _BUILDS):
        return seen.guess("identifier", sure.kind, sure.reason)
    born = MEANINGS["date of birth"]
    if seen.is_date_of_birth(born.codes):
        return _guess_part_of_date(seen) if seen.traits.distinct < born.fewest else None
    date = seen.finding("exact date")
    if date or seen.variable.kind == "date":
        reason = date.reason if date else "It is stored as a date."
        return seen.guess("other", "date", reason)
    if seen.variable.kind in ("time", "duration"):
        what = "time of day" if seen.variable.kind == "time" else "duration"
        reason = f"It is stored as a {what}."
        return seen.guess("other", what, reason)
    return _guess_number(seen) or _guess_text(seen) or _guess_survey(seen)


def _guess_part_of_date(seen: Evidence) -> VariableProfile:
    """A month or a day of birth, which completes a year."""
    what = "part of a date of birth"
    reason = say(seen.says("date of birth") or ["values"], what)
    return seen.guess("other", what, reason)


def guess_sensitive(seen: Evidence) -> VariableProfile | None:
    """Return a variable as something that people have a right to keep to themselves."""
    for meaning in SENSITIVE:
        by = [each for topic in meaning.topics for each in seen.says(topic)]
        if by or seen.is_built(meaning):
            reason = say(by or ["values"], meaning.name)
            return seen.guess("other", meaning.name, reason, sensitive=True)
    fine = seen.finding("fine geography")
    if fine is None:
        return None
    reason = f"{fine.reason[:-1]}: too fine to be a key before it is coarsened."
    return seen.guess("other", "place of residence", reason)


def _guess_number(seen: Evidence) -> VariableProfile | None:
    """Numbers of records, and of persons in their household."""
    lined = seen.find_name("line number", LINES)
    if lined and seen.traits.distinct <= _MOST_PERSONS:
        reason = say(lined, "number of a person in the household")
        return seen.guess("other", "line number", reason)
    number = seen.finding("record number")
    by = seen.find_name("record id", RECORDS) if seen.traits.distinct > FEW else ()
    if (number and not seen.mentions("wealth")) or (by and not seen.has_fractions):
        reason = number.reason if number else say(by, "number of a record or person")
        return seen.guess("identifier", "record number", reason)
    return None


def _guess_text(seen: Evidence) -> VariableProfile | None:
    """Free text, unless few texts are each there often, and what programs left behind."""
    text, left = seen.finding("free text"), seen.finding("leftover")
    repeats = seen.traits.distinct <= 60 and seen.traits.spread < 0.02
    if text and (seen.says("free text") or not repeats):
        return seen.guess("other", "free text", text.reason)
    if left:
        return seen.guess("other", "leftover", left.reason)
    return None


def _guess_survey(seen: Evidence) -> VariableProfile | None:
    for topic, what in _OF_THE_SURVEY.items():
        by = seen.says(topic)
        if by:
            return seen.guess("other", what, say(by, what))
    return None
