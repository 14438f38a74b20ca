"""What names and labels of variables say, in several languages; the one place that knows them.

Languages: English, German, French, Spanish, Italian, Dutch, Portuguese, Danish, Norwegian,
Swedish, Finnish and Polish.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from microsafe.engine.words import UNLESS, WORDS, Topic

__all__ = ["Topic", "plain_words", "says"]

_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "’": "'"})
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")


@cache
def _compile(words: str) -> re.Pattern[str]:
    """A pattern when it is first asked for: all of them would take a tenth of a second."""
    return re.compile(words)


@lru_cache(maxsize=8192)
def plain_words(text: str) -> str:
    """Return a name or label in small letters without accents, its words apart."""
    apart = _CAMEL.sub(" ", text.translate(_LETTERS))
    bare = unicodedata.normalize("NFKD", apart).encode("ascii", "ignore").decode().casefold()
    return " ".join(re.findall(r"[a-z]+|[0-9]+", bare))


def says(text: str, topic: Topic) -> bool:
    """Tell whether a name or label speaks of something."""
    words = plain_words(text)
    if not _compile(WORDS[topic]).search(words):
        return False
    return topic not in UNLESS or not _compile(UNLESS[topic]).search(words)
