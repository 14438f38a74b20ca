"""Spell codes, and tell which of them mean "missing". One rule for all rooms."""

from __future__ import annotations

import re
from collections.abc import Iterable

from microsafe.schema import Code, Variable

Range = tuple[str, str]  # from, to, both included; empty leaves an end open

# Words that stand for missing among numbers, whatever the file is about. They say nothing of a
# record, so messages may name them.
MISSING_WORDS = frozenset(
    {
        ".", "..", "...", "-", "--", "?", "*", "#n/a", "#na", "#null!", "<na>", "(missing)",
        "na", "n/a", "n.a.", "n.a", "n. a.", "nan", "null", "nil", "none", "missing", "miss",
        "unknown", "unk", "dk", "d.k.", "don't know", "dont know", "refused", "ref", "nr", "n.r.",
        "not applicable", "not available", "not stated", "no answer", "blank", "empty",
        "k.a.", "k. a.", "k.a", "keine angabe", "unbekannt", "weiß nicht", "weiss nicht",
        "verweigert", "fehlend", "entfällt", "trifft nicht zu",
        "nc", "n.c.", "nsp", "ne sait pas", "inconnu", "manquant", "sans objet", "non réponse",
        "ns/nc", "ns/nr", "s/d", "sin dato", "no sabe", "no contesta", "desconocido", "ns", "nd",
        "n/d", "n.d.", "não sabe", "sem resposta", "non sa", "non risponde", "mancante",
        "onbekend", "weet niet", "geen antwoord", "okänt", "vet ej", "uppgift saknas", "ukendt",
        "ukjent", "ved ikke", "brak danych", "nie wiem", "bd",
    }
)  # fmt: skip
_NUMBER = re.compile(r"[-+]?[0-9]*(?:[.,' \u00a0\u202f][0-9]+)*(?:[eE][-+]?[0-9]+)?")
PLAIN_NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"  # "007" is a code
_EXACT = 2**53  # whole numbers below this are exact as floating-point numbers


def code_text(code: Code) -> str:
    """Return a code as it is written: 9 rather than 9.0, text as it stands."""
    if isinstance(code, float) and code.is_integer() and abs(code) < _EXACT:
        return str(int(code))
    return str(code)


def spell_code(code: Code) -> str:
    """Return a code as it is compared: as it is written, without blanks around it."""
    return code_text(code).strip()


def missing_texts(variable: Variable) -> list[str]:
    """Return the declared missing codes as text is compared with them."""
    return [spell_code(code) for code in variable.missing]


def missing_numbers(variable: Variable) -> list[float]:
    """Return the declared missing codes as numbers are compared with them."""
    return [float(code) for code in variable.missing if not isinstance(code, str)]


def find_missing_words(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words for missing among different texts that are numbers otherwise.

    Nothing if one of them is neither, or none is a number: NA may then be a code.
    """
    words: list[str] = []
    numbers = 0
    for text in texts:
        plain = text.strip()
        if plain.casefold() in MISSING_WORDS:
            words.append(plain)
        elif plain and _NUMBER.fullmatch(plain):
            numbers += 1
        elif plain:
            return ()
    return tuple(sorted(set(words))) if numbers else ()


def find_missing_code(variable: Variable, code: Code) -> Code | None:
    """Return a code as the variable declares it missing, by itself or in a range, or None."""
    for declared in variable.missing:
        if spell_code(declared) == spell_code(code):
            return declared
    if isinstance(code, str):
        return None
    return code if any(low <= code <= high for low, high in variable.missing_ranges) else None
