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
from typing import Any, TypeVar

from microsafe.display import shorten_list
from microsafe.engine.state_pairs import ALL_RECODED, NEVER_RELEASED
from microsafe.errors import UsageError, did_you_mean
from microsafe.notices import KINDS, Notice
from microsafe.options.parameter import parameters
from microsafe.options.reason import BY_PROGRAM, PROPOSED
from microsafe.report.texts.language import Language, StepWords, read_language
from microsafe.sentences import SENTENCES, Sentence, show_figure
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
            name: _ENGLISH.get((kind.do, name), value.label) for name, value in known.items()
        },
        choices={
            word: told.removeprefix(f"{word}: ")
            for each in known.values()
            for word, told in each.choices.items()
        },
    )


def retell(text: str) -> str:
    """Return a sentence of another room in the language that is spoken, by its id.

    Text of files and people is in no language of ours, and stays as it is.
    """
    if not isinstance(text, Sentence):
        return text
    words = language().sentences.get(text.key)
    english = SENTENCES[text.key]
    return _fill(words or english, english, text.figures)


def tell_reason(text: str) -> str:
    """Return a reason without the mark of the program, whose own words every language has.

    In plans they are text: they are known by their words, and figures are read from them.
    """
    told = text
    for by_program in (f"{PROPOSED}: ", BY_PROGRAM):
        told = told.removeprefix(by_program)
    if told == text:
        return text
    for english, key in _REASONS.items():
        if found := _read_places(english).fullmatch(told):
            spoken = language()
            words = spoken.sentences.get(key) if key else spoken.texts.get(english)
            return _put(words or english, _show_read(found, english))
    return say(told)


@cache
def _read_places(english: str) -> re.Pattern[str]:
    """Return what finds the figures of a sentence again."""
    parts = (
        re.escape(text) + (f"(?P<{place}>.+)" if place else "")
        for text, place, _, _ in Formatter().parse(english)
    )
    return re.compile("".join(parts))


def _show_read(found: re.Match[str], english: str) -> dict[str, str]:
    """Return figures as the language writes them; places without a format hold names."""
    formats = {place: spec for _, place, spec, _ in Formatter().parse(english) if place}
    return {
        place: _localise_figure(figure) if formats[place] else figure
        for place, figure in found.groupdict().items()
    }


# What the window writes as reasons, and the groups of variables that it gives as one.
_BY_WINDOW = mark(("it tells {key}", "too small for the survey to support"))
_GROUPS = mark(("known outside", "sensitive", "date", "design", "in a scenario"))
# Reasons that the program writes into plans, with the ids of their sentences.
_REASONS = {text: key for key, text in SENTENCES.items() if key.startswith("because-")} | (
    dict.fromkeys((*_BY_WINDOW, *_GROUPS), "")
)


def say_category(category: str) -> str:
    """Return a category, or what stands for several, in the language that is spoken."""
    return say(category) if category in (NEVER_RELEASED, ALL_RECODED) else category


def tell_notice(notice: Notice) -> str:
    """Return a notice in the language that is spoken, by its id."""
    kind, words = KINDS[notice.id], language().notices.get(notice.id, {})
    english = {part: getattr(kind, part) for part in notice.parts}
    return " ".join(
        _fill(words.get(part, text), text, notice.figures) for part, text in english.items()
    )


def _fill(words: str, english: str, figures: Mapping[str, Any]) -> str:
    """Put figures into the words of a language, in the formats that the English text has."""
    shown = {
        place: _show_figure(figures[place], spec or "", quoted=conversion == "r")
        for _, place, spec, conversion in Formatter().parse(english)
        if place is not None
    }
    return _put(words, shown)


def _put(words: str, shown: Mapping[str, str]) -> str:
    parts = Formatter().parse(words)
    return "".join(text + (shown[place] if place else "") for text, place, _, _ in parts)


def _show_figure(figure: Any, spec: str, *, quoted: bool) -> str:
    """Return a figure as the language writes it; names stay as they are."""
    kind, *digits = spec.split(".", 1)
    match figure:
        case Sentence():
            return retell(figure)
        case str():
            return show_figure(figure, spec, quoted=quoted)
        case list() | tuple() if kind == "list":
            return shorten_list(figure, *map(int, digits), more=say(" and {count} more"))
        case list() | tuple():
            return ", ".join(figure)
        case Mapping():
            shown = {
                name: _show_figure(value, spec, quoted=False) for name, value in figure.items()
            }
            return show_figure(shown, "")
    return _localise_figure(show_figure(figure, spec))


def _localise_figure(shown: str) -> str:
    word, _, rest = shown.partition(" ")
    if word in ("under", "over"):
        return f"{say(word)} {localise(rest)}"
    return localise(f"{word} {rest}".rstrip())


_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?!\w|[.,]\d)")


def localise(text: str) -> str:
    """Return a text in which numbers are written as the language writes them."""
    spoken = language()
    swap = str.maketrans({",": spoken.thousands, ".": spoken.decimal})
    return _NUMBER.sub(lambda found: found[0].translate(swap), text)
