"""Words that stand for missing in a file that does not say so, such as the NA of R."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from microsafe.codes import spell_code
from microsafe.errors import TooManyCellsError
from microsafe.options.declaration import Declaration
from microsafe.options.scenario import Scenario
from microsafe.progress import Progress, silent
from microsafe.studies.study import Study

_MACHINES = frozenset({"na", "n/a", "#n/a", "<na>", "nan", "null"})  # no person answers so
_CODE = 3  # letters of codes among which NA may be one, such as those of countries


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingWord:
    """A word that stands for missing by all appearances.

    Attributes:
        word: As it stands in the file.
        values: How often it does.
        variables: Where.
    """

    word: str
    values: int
    variables: tuple[str, ...]

    @property
    def question(self) -> str:
        """What is asked about it."""
        several = len(self.variables)
        where = self.variables[0] if several == 1 else f"{several:,} variables"
        are = "value is" if self.values == 1 else "values are"
        return f'{self.values:,} {are} "{self.word}" ({where}). Treat as missing?'


def find_missing_values(study: Study, *, progress: Progress = silent) -> tuple[MissingWord, ...]:
    """Return the words for missing, those that occur most often first.

    Among numbers every usual word is one. Among other texts only those that programs write are,
    unless the texts are codes of a few letters, and NA may be Namibia.

    Args:
        study: The file as it was read.
        progress: Progress callback.
    """
    proposed = study.propose_declarations(progress=progress)
    among_numbers = {
        name: {str(code) for code in value.missing or ()} - _declared(study, name)
        for name, value in proposed.items()
    }
    known = frozenset(word for words in among_numbers.values() for word in words)
    counts: dict[str, dict[str, int]] = {}
    texts = [variable.name for variable in study.schema if variable.kind == "text"]
    for done, name in enumerate(texts):
        progress("looking for words for missing", done / len(texts))
        for word, many in _count_words(study, name, among_numbers.get(name), known).items():
            counts.setdefault(word, {})[name] = many
    found = [
        MissingWord(word=word, values=sum(by.values()), variables=tuple(by))
        for word, by in counts.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.values, each.word)))


def treat_as_missing(study: Study, words: Iterable[MissingWord]) -> Study:
    """Return the study in which some words stand for missing."""
    said: dict[str, Declaration] = {}
    for word in words:
        for name in word.variables:
            known = said.get(name) or study.declarations.get(name, Declaration())
            missing = known.missing if name in said else study.schema[name].missing
            said[name] = replace(known, missing=(*(missing or ()), word.word))
    return study.declare(said) if said else study


def treat_as_answers(study: Study, words: Iterable[MissingWord]) -> Study:
    """Return the study in which some words do not stand for missing any more, and no scenario."""
    said: dict[str, Declaration] = {}
    for word in words:
        for name in word.variables:
            known = said.get(name) or study.declarations[name]
            left = tuple(code for code in known.missing or () if code != word.word)
            said[name] = replace(known, missing=left or None)
    return replace(study, scenarios=()).declare(said)


def _count_words(
    study: Study, name: str, sure: set[str] | None, known: frozenset[str]
) -> Mapping[str, int]:
    """Count the words for missing of one variable of text."""
    if sure is None and name in study.declarations and study.declarations[name].missing:
        return {}
    engine = study.engine.allow_blank_keys()  # a column may have no values
    try:
        cells = engine.cells(Scenario(keys=(name,), missing="category"))
    except TooManyCellsError:
        return {}
    texts = [str(text) for text in cells.categories[0]]
    counts = np.bincount(cells.codes[0], cells.count, len(texts) + 1)[1:]
    words = sure if sure is not None else _find_machine_words(texts, known)
    words = words - _declared(study, name)
    return {
        text: int(many) for text, many in zip(texts, counts, strict=True) if text.strip() in words
    }


def _find_machine_words(texts: list[str], known: frozenset[str]) -> set[str]:
    """Return the words that programs write; none among codes unless the file has them elsewhere."""
    found = {text.strip() for text in texts if text.strip().casefold() in _MACHINES}
    others = [text for text in texts if text.strip() not in found]
    if all(len(text) <= _CODE for text in others):
        return found & known
    return found


def _declared(study: Study, name: str) -> set[str]:
    return {spell_code(code) for code in study.schema[name].missing}
