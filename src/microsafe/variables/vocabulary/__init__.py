"""Words in names and labels by what they speak of, in the languages of Europe and some others.

The words are data beside this module: a file for each language, and patterns over several.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

Topic = Literal[
    "weight",
    "household",
    "identifier",
    "person name",
    "e-mail",
    "telephone",
    "national id",
    "account",
    "address",
    "date",
    "day of birth",
    "free text",
    "small area",
    "area",
    "coordinate",
    "amount",
    "occupation",
    "industry",
    "education",
    "leftover",
    "sex",
    "age",
    "year of birth",
    "date of birth",
    "birth",
    "place",
    "settlement",
    "marital status",
    "citizenship",
    "country of birth",
    "attainment",
    "activity status",
    "household size",
    "relationship",
    "ethnic group",
    "religion",
    "language",
    "children",
    "tenure",
    "dwelling",
    "health",
    "politics",
    "intimate life",
    "offences",
    "wealth",
    "record id",
    "line number",
    "flag",
    "design",
    "survey time",
    "somebody else",
    "head",
    "past",
]

__all__ = ["Topic", "list_given_names", "plain_words", "says"]

_PATTERNS = "patterns.toml"
_ALSO: Mapping[str, Topic] = {"date of birth": "date"}  # topics that are part of another
_UNDIVIDED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # scripts without blanks between words
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ı": "i", "ð": "d", "þ": "th",
     "’": "'"}
)  # fmt: skip
_SMALL, _CAPITAL = "a-zß-öø-ÿα-ωа-яіїєґ", "A-ZÀ-ÖØ-ÞΑ-ΩА-ЯІЇЄҐ"
_LONGEST = 2000  # characters of a label that are read
_CAMEL = re.compile(
    rf"(?<=[{_SMALL}])(?=[{_CAPITAL}])|(?<=[^\W\d_])(?=[0-9])|(?<=[0-9])(?=[^\W\d_])"
)
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
_PART = re.compile(r"<(\w+)>")
_LIST = re.compile(  # of a file: a table, or a list with a line of its own for each bracket
    r'^(?:\[(?P<table>\w+)\]|"?(?P<name>[\w -]+)"? = (?P<list>\[\n(?:[^\]\n].*\n)*\]))$',
    re.MULTILINE,
)
_SHORT: Mapping[str, str] = {  # how numbers are called at the end and at the beginning of a name
    "(number|nummer)$": " (number|nummer|no|nr|num|id)",
    "^(numero|numer|nr) (de |d )?": r"(numero|numer|num|no|nr|n) (de |d )?",
}
_QUESTION = re.compile(r"^(q|v|var|f|frage|question|item|p) ?[0-9]+ ?[a-z]? (?=[^\W\d])")


@cache
def _read_lists(file: str) -> Mapping[tuple[str, str], str]:
    """Return the lists of a file as they are written, by table and name.

    Only those that are asked for are parsed: all of them take a hundredth of a second.
    """
    table, lists = "", {}
    for found in _LIST.finditer(files(__package__).joinpath(file).read_text("utf-8")):
        table = found["table"] or table
        if found["name"]:
            lists[table, found["name"]] = found["list"]
    return lists


def _read_words(file: str, table: str, name: str) -> list[str]:
    """Return the words of one list; none if there is no such list."""
    written = _read_lists(file).get((table, name))
    words: list[str] = tomllib.loads(f"words = {written}")["words"] if written else []
    return words


@cache
def _list_languages() -> tuple[str, ...]:
    names = (each.name for each in files(__package__).iterdir())
    return tuple(sorted(n for n in names if n.endswith(".toml") and n != _PATTERNS))


def list_given_names() -> Iterator[str]:
    """Yield usual given names of people, as they are written."""
    for file in _list_languages():
        yield from _read_words(file, "", "given_names")


@cache
def _compile(topic: Topic) -> re.Pattern[str]:
    """All words for a topic, when it is first asked for: all topics take a tenth of a second."""
    words = [_fill_in(each) for each in _read_words(_PATTERNS, "words", topic)]
    names = [topic, *(name for name, other in _ALSO.items() if other == topic)]
    for file in _list_languages():
        for name in names:
            words += map(_spell, _read_words(file, "words", name))
    return re.compile("|".join(words))


@cache
def _compile_unless(topic: Topic) -> re.Pattern[str] | None:
    """What else words for a topic may belong to."""
    words = _read_words(_PATTERNS, "unless", topic)
    return re.compile("|".join(words)) if words else None


@cache
def _part(name: str) -> str:
    return f"({'|'.join(_read_words(_PATTERNS, 'parts', name))})"


def _fill_in(pattern: str) -> str:
    """Put in what several patterns have in common."""
    return _PART.sub(lambda found: _part(found[1]), pattern)


def _spell(word: str) -> str:
    """A word of a language as a pattern in plain words: blanks may lack, numbers be shortened."""
    plain = plain_words(word)
    if re.search(_UNDIVIDED, plain):
        return plain
    for written, short in _SHORT.items():
        plain = re.sub(written, short, plain)
    plain = plain.replace(" ", " ?")
    if word.startswith("="):
        return rf"^{plain}( [0-9]+)?$"
    return rf"\b{plain}\w*" if word.endswith("*") else rf"\b{plain}\b"


@lru_cache(maxsize=8192)
def plain_words(text: str) -> str:
    """Return a name or label in small letters without accents, its words apart, in any script."""
    apart = _CAMEL.sub(" ", text[:_LONGEST]).casefold().translate(_LETTERS)
    parts = (sign for sign in unicodedata.normalize("NFKD", apart))
    bare = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", bare)))


def says(text: str, topic: Topic) -> bool:
    """Tell whether a name or label speaks of something; the number of its question aside."""
    words = plain_words(text)
    pattern = _compile(topic)
    if not pattern.search(words) and not pattern.search(_QUESTION.sub("", words)):
        return False
    unless = _compile_unless(topic)
    return unless is None or not unless.search(words)
