"""What a language of the reports consists of, and how its file is read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from microsafe.notices import KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class StepWords:
    """The words of a kind of step.

    Attributes:
        title: Name of the method.
        public: What it does, in a sentence or two, for the public.
        parameters: Labels of its parameters, by field.
        choices: What a chosen word means, by word.
    """

    title: str
    public: str
    parameters: Mapping[str, str]
    choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language of the reports.

    Attributes:
        code: Its name in plans.
        html: Its name in pages.
        texts: Every text of the reports, by the English one.
        steps: Words of the kinds of steps, by `do`.
        sentences: Sentences that come from other rooms with figures in them, by the English one.
        thousands: Separates them.
        decimal: Stands before the decimals.
    """

    code: str
    html: str
    texts: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, StepWords] = field(default_factory=dict)
    sentences: Mapping[str, str] = field(default_factory=dict)
    thousands: str = ","
    decimal: str = "."


def read_language(path: Path) -> Language:
    """Return a language from its file, which is named by its code.

    Args:
        path: TOML with the fields of `Language`; what it says of notices stands by their ids.
    """
    told = tomllib.loads(path.read_text("utf-8"))
    steps = {do: StepWords(**words) for do, words in told.pop("steps").items()}
    sentences = dict(_tell_notices(told.pop("notices"))) | told.pop("sentences")
    return Language(code=path.stem, steps=steps, sentences=sentences, **told)


def _tell_notices(notices: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Go through the parts of notices: English with bare places, and in the language."""
    for kind, parts in notices.items():
        for part, words in parts.items():
            yield re.sub(r"\{(\w+)[^}]*\}", r"{\1}", getattr(KINDS[kind], part)), words
