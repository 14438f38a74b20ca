"""The texts of the reports in every language: one catalogue.

English stands in the code, as the name of a text; every other language is a file in
`report/languages`. A text that a language lacks is a failing test. To add a language, copy
`de.toml` under the code of the language and translate it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TypeVar

from microsafe.errors import UsageError, did_you_mean
from microsafe.options.parameter import parameters
from microsafe.report.texts.language import Language, StepWords, read_language
from microsafe.steps.base import Step

_T = TypeVar("_T")

ENGLISH = Language(code="en", html="en-GB")
_FILES = sorted((Path(__file__).parents[1] / "languages").glob("*.toml"))
LANGUAGES: Mapping[str, Language] = {
    each.code: each for each in (ENGLISH, *map(read_language, _FILES))
}

# What a form asks for otherwise than a report tells it.
_ENGLISH = {("recode", "breaks"): "Classes"}

_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def check_language(code: str) -> str:
    """Return the code of a language, or say which there are.

    Raises:
        UsageError: Reports do not speak it.
    """
    if code in LANGUAGES:
        return code
    hint = did_you_mean(code, LANGUAGES) or f" There are {', '.join(LANGUAGES)}."
    raise UsageError(f"Reports do not speak the language {code!r}.{hint}")


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Say everything in a language."""
    token = _SPOKEN.set(LANGUAGES[check_language(code)])
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def language() -> Language:
    """Return the language that is spoken now."""
    return _SPOKEN.get()


def say(text: str, **places: object) -> str:
    """Return a text of the catalogue in the language that is spoken, its places filled."""
    told = language().texts.get(text, text)
    return told.format(**places) if places else told


def mark(texts: _T) -> _T:
    """Return texts as they are: they are said later, so the catalogue must have them."""
    return texts


def plural(number: int, one: str, many: str) -> str:
    """Return a count with its noun, as texts with a place for the `{count}`."""
    return say(one if number == 1 else many, count=localise(f"{number:,}"))


def step_words(step: Step | type[Step]) -> StepWords:
    """Return the words of a kind of step in the language that is spoken."""
    kind = step if isinstance(step, type) else type(step)
    return language().steps.get(step.do) or english_step(kind)


def english_step(kind: type[Step]) -> StepWords:
    """Return the words that a kind of step has of its own."""
    known = parameters(kind)
    return StepWords(
        title=kind.title,
        public=kind.public.partition(". ")[2] or kind.public,  # the title names the method
        parameters={
            name: _ENGLISH.get((kind.do, name), each.label) for name, each in known.items()
        },
        choices={
            word: told.removeprefix(f"{word}: ")
            for each in known.values()
            for word, told in each.choices.items()
        },
    )


def retell(text: str) -> str:
    """Return a sentence of another room in the language that is spoken.

    Such sentences arrive with their figures in them. Each is recognised by its template; one
    that the language does not know stays as it is.
    """
    spoken = language()
    if not spoken.sentences:
        return text
    return " ".join(_retell_one(each, spoken.code) for each in _split(text, spoken.code))


def _split(text: str, code: str) -> list[str]:
    """Cut a text into parts that the language knows: as a whole, or a fact and a remedy."""
    if _find(text, code):
        return [text]
    for end in re.finditer(r"[.:] ", text):
        first, rest = text[: end.start() + 1], text[end.end() :]
        if _find(first, code) and (left := _split(rest, code)):
            return [first, *left]
    return [text]


def _retell_one(text: str, code: str) -> str:
    found = _find(text, code)
    if found is None:
        return text
    told, figures = found
    return told.format(**{name: _retell_figure(value) for name, value in figures.items()})


def _retell_figure(value: str) -> str:
    """A word or a number that stands in a place; "under 0.1 %" is both."""
    word, _, rest = value.partition(" ")
    if word in ("under", "over"):
        return f"{say(word)} {localise(rest)}"
    return language().sentences.get(value) or localise(value)


def _find(text: str, code: str) -> tuple[str, dict[str, str]] | None:
    for pattern, told in _patterns(code):
        if match := pattern.fullmatch(text):
            return told, match.groupdict()
    return None


@cache
def _patterns(code: str) -> list[tuple[re.Pattern[str], str]]:
    return [(_pattern(text), told) for text, told in LANGUAGES[code].sentences.items()]


_NO_SENTENCE = r"(?:(?!\. ).)+?"  # what stands in a place never ends a sentence


def _pattern(template: str) -> re.Pattern[str]:
    """A template as a pattern: its places are what may differ."""
    seen: set[str] = set()
    parts = []
    for text, place, _, _ in Formatter().parse(template):
        parts.append(re.escape(text))
        if place is not None:
            parts.append(f"(?P={place})" if place in seen else f"(?P<{place}>{_NO_SENTENCE})")
            seen.add(place)
    return re.compile("".join(parts), re.DOTALL)


_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?!\w|[.,]\d)")


def localise(text: str) -> str:
    """Return a text in which numbers are written as the language writes them."""
    spoken = language()
    swap = str.maketrans({",": spoken.thousands, ".": spoken.decimal})
    return _NUMBER.sub(lambda found: found[0].translate(swap), text)
